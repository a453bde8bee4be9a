package browser

import (
	"fmt"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/accessibility"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/dom"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
	"github.com/tidwall/gjson"
)

// A Control is an element in the accessibility tree, which screen readers use.
type Control struct {
	Role, Name string
	Value      string            // value of an input field
	States     map[string]string // such as checked, expanded, pressed, selected, disabled, focused: "true"; invalid

	node cdp.BackendNodeID
}

// Keys for Press in addition to characters.
const (
	Enter      = kb.Enter
	Escape     = kb.Escape
	TabKey     = kb.Tab
	ArrowDown  = kb.ArrowDown
	ArrowUp    = kb.ArrowUp
	ArrowLeft  = kb.ArrowLeft
	ArrowRight = kb.ArrowRight
	Home       = kb.Home
	End        = kb.End
	Backspace  = kb.Backspace
)

// Controls returns the elements with a role, in page order, except those hidden from screen readers.
func (b *Tab) Controls(role string) []Control {
	b.t.Helper()
	controls, err := b.controls("document", role)
	if err != nil {
		b.t.Fatalf("%s: %v", role, err)
	}
	return controls
}

// controls searches below the element that a JavaScript expression returns. The role "" matches any role.
func (b *Tab) controls(within, role string) ([]Control, error) {
	root, err := chromedp.Call(b.ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: within})
	if err != nil || root.Result.ObjectID == "" {
		return nil, err
	}
	found, err := chromedp.Call(b.ctx, accessibility.QueryAXTree,
		accessibility.QueryAXTreeParams{ObjectID: root.Result.ObjectID, Role: role})
	if err != nil {
		return nil, err
	}
	var controls []Control
	for _, n := range found.Nodes {
		if n.Ignored {
			continue
		}
		c := Control{Role: text(n.Role), Name: strings.Join(strings.Fields(text(n.Name)), " "), Value: text(n.Value),
			States: map[string]string{}, node: n.BackendDOMNodeID}
		for _, p := range n.Properties {
			c.States[string(p.Name)] = text(p.Value)
		}
		controls = append(controls, c)
	}
	return controls, nil
}

// text converts a value in the accessibility tree to text.
func text(v *accessibility.Value) string {
	if v == nil {
		return ""
	}
	return gjson.ParseBytes(v.Value).String()
}

// Find waits for a single control with a role and a name. If no name is equal, it may contain the given name.
func (b *Tab) Find(role, name string) Control {
	b.t.Helper()
	var found, all []Control
	b.await(func() bool {
		var err error
		if all, err = b.controls("document", role); err != nil {
			return false
		}
		found = matching(all, name)
		return len(found) == 1
	}, func() string {
		var names []string
		for _, c := range all {
			names = append(names, c.Name)
		}
		return fmt.Sprintf("one %s %q: there are %d among %q", role, name, len(found), names)
	})
	return found[0]
}

func matching(all []Control, name string) []Control {
	for _, matches := range []func(string) bool{
		func(n string) bool { return n == name },
		func(n string) bool { return strings.Contains(strings.ToLower(n), strings.ToLower(name)) },
	} {
		found := slices.DeleteFunc(slices.Clone(all), func(c Control) bool { return !matches(c.Name) })
		if len(found) > 0 {
			return found
		}
	}
	return nil
}

// Has reports whether the page currently contains a control with a role and a name.
func (b *Tab) Has(role, name string) bool {
	b.t.Helper()
	return len(matching(b.Controls(role), name)) > 0
}

// Click clicks the centre of a control, which must not be covered by another element.
func (b *Tab) Click(role, name string) {
	b.t.Helper()
	b.click(b.Find(role, name))
}

func (b *Tab) click(c Control) {
	b.t.Helper()
	b.do("scroll to "+c.Name, call(dom.ScrollIntoViewIfNeeded, dom.ScrollIntoViewIfNeededParams{BackendNodeID: c.node}))
	quads, err := chromedp.Call(b.ctx, dom.GetContentQuads, dom.GetContentQuadsParams{BackendNodeID: c.node})
	if err != nil || len(quads.Quads) == 0 {
		b.t.Fatalf("click %s %q: it has no position: %v", c.Role, c.Name, err)
	}
	q := quads.Quads[0]
	b.do("click "+c.Name, chromedp.MouseClickXY((q[0]+q[4])/2, (q[1]+q[5])/2))
}

// Focus moves the focus to a control.
func (b *Tab) Focus(role, name string) {
	b.t.Helper()
	b.do("focus "+name, call(dom.Focus, dom.FocusParams{BackendNodeID: b.Find(role, name).node}))
}

// Press presses keys, one after the other, in the focused control.
func (b *Tab) Press(keys ...string) {
	b.t.Helper()
	for _, key := range keys {
		b.do("press "+key, chromedp.KeyEvent(key))
	}
}

// PressShift presses a key while Shift is down.
func (b *Tab) PressShift(key string) {
	b.t.Helper()
	b.do("press shift "+key, chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierShift)))
}

// Fill replaces the text in a field, key by key.
func (b *Tab) Fill(role, name, value string) {
	b.t.Helper()
	b.Focus(role, name)
	b.eval(nil, "document.activeElement.select()")
	if value == "" {
		b.Press(Backspace)
		return
	}
	b.Press(value)
}

// Paste inserts a text into the focused control in a single operation.
func (b *Tab) Paste(text string) {
	b.t.Helper()
	b.do("paste", call(input.InsertText, input.InsertTextParams{Text: text}))
}

// Focused returns the focused control.
func (b *Tab) Focused() Control {
	b.t.Helper()
	controls, err := b.controls("document.activeElement", "")
	if err != nil || len(controls) == 0 {
		return Control{}
	}
	return controls[0] // the element precedes its descendants
}

// TabTo presses the tab key until a control is focused. It fails the test if the focus returns to the start
// of the page.
func (b *Tab) TabTo(role, name string) {
	b.t.Helper()
	var passed []string
	for range 200 {
		b.Press(TabKey)
		c := b.Focused()
		if c.Role == role && len(matching([]Control{c}, name)) > 0 {
			return
		}
		passed = append(passed, c.Role+" "+c.Name)
	}
	b.t.Fatalf("on %s, the Tab key did not reach %s %q; it visited\n%s", b.path(), role, name, strings.Join(passed, "\n"))
}

// Sees waits until the text is visible on the page.
func (b *Tab) Sees(text string) {
	b.t.Helper()
	b.Wait(fmt.Sprintf("the text %q", text), "document.body.innerText.includes("+quote(text)+")")
}

// SeesNot waits until the page does not contain the text.
func (b *Tab) SeesNot(text string) {
	b.t.Helper()
	b.Wait(fmt.Sprintf("no text %q", text), "!document.body.innerText.includes("+quote(text)+")")
}

// At waits until the path and query of the page contain part.
func (b *Tab) At(part string) {
	b.t.Helper()
	b.Await(fmt.Sprintf("an address with %q", part), func() bool { return strings.Contains(b.path(), part) })
}
