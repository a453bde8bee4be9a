package browser_test

import (
	"slices"
	"testing"

	"sabine/internal/browser"
)

// pages lists the explorer's pages, each with a text that is visible when the page is complete.
var pages = []struct{ path, whole string }{
	{"/", "384 products"},
	{"/?q=holz&categories=holz&absorption_min=500:0.5&absorption_class=A,B,C,D&view=grid", "One set-up"},
	{"/?q=xqzwjkv", "No products found"},
	{"/products/" + rich, "Similar products"},
	{"/compare", "No products selected yet"},
	{"/compare?id=" + rich + ",beton-glatt,nothing-of-that-name", "Data side by side"},
	{"/room", "Still needed for the calculation"},
	{"/room?volume=0&surface=beton-glatt:-10", "The volume must be a number"},
	{"/room?" + classRoom, "Equivalent absorption area"},
	{"/room?volume=300&surface=std:concrete:200&target=0.8", "Find products that fill the gap"},
	{"/products/nothing-of-that-name", "Not found"},
}

// TestEveryPageIsForEverybody checks every page with axe-core in the light and dark schemes.
func TestEveryPageIsForEverybody(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	for _, dark := range []bool{false, true} {
		b := browser.Open(t, s, browser.View{Dark: dark}, "")
		b.Expect("404")
		check := b.CheckAccess
		if dark {
			check = b.CheckContrast
		}
		for _, p := range pages {
			b.Goto(p.path)
			b.Sees(p.whole)
			check()
		}
		b.Look(browser.View{Dark: dark, Width: 390, Height: 800})
		b.Goto("/")
		b.Click("button", "Filters")
		b.Find("checkbox", "Wood")
		check()
	}
}

// TestNarrowScreens checks that no page is wider than a phone, in both languages, with everything expanded.
func TestNarrowScreens(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	for _, width := range []int64{320, 390} {
		b := browser.Open(t, s, browser.View{Width: width, Height: 700}, "")
		b.Expect("404")
		for _, p := range pages {
			b.Goto(p.path)
			b.Sees(p.whole)
			for _, language := range []string{"Deutsch", "English"} {
				b.Click("button", language)
				browser.Eval[any](b, "document.querySelectorAll('details').forEach(d => d.open = true)")
				b.Wait("no horizontal scrolling at the width of a phone", "document.documentElement.scrollWidth <= innerWidth")
			}
		}
	}
}

// TestFiltersOnAPhone checks that filters open over the results and close again, and retain the focus.
func TestFiltersOnAPhone(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{Width: 390, Height: 800}, "/")
	b.Find("heading", "384 products")
	b.Click("button", "Filters")
	b.Click("checkbox", "Wood")
	wood := products(ask(t, s, "/public/search?categories=holz").Get("total").Int())
	b.Click("button", wood) // shows the results
	b.Find("heading", wood)
	b.Find("button", "Filters (1)")
	b.Click("button", "Filters")
	b.Press(browser.Escape)
	b.Await("the filters closed", func() bool { return !b.Has("checkbox", "Wood") })
}

// TestKeyboardAlone uses only the keyboard to go from the search to a product, the comparison and a room.
func TestKeyboardAlone(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/")
	b.Expect("400") // for a room that contains only an absorber
	b.Find("heading", "384 products")
	if c := b.Focused(); c.Role != "searchbox" {
		t.Errorf("the keyboard is in %s %q, want it in the search", c.Role, c.Name)
	}
	b.Goto("/room")
	b.Sees("Still needed for the calculation")
	b.Press(browser.TabKey)
	if c := b.Focused(); c.Role != "link" || c.Name != "Skip to the content" {
		t.Errorf("the first control is %s %q", c.Role, c.Name)
	}
	b.Press(browser.Enter)
	b.TabTo("textbox", "Volume") // must not pass the page header again
	b.Goto("/")
	b.Await("the keyboard in the search", func() bool { return b.Focused().Role == "searchbox" })
	b.Press("Fichte 40")
	first := "Acoustic panel spruce 40"
	showsWhat(t, s, b, "locale=en&q=Fichte+40")
	b.TabTo("link", first)
	b.Press(browser.Enter)
	b.Find("heading", first)
	b.TabTo("button", "Add to comparison")
	b.Press(" ")
	b.Find("button", "In the comparison")
	b.TabTo("link", "Add to room")
	b.Press(browser.Enter)
	b.Find("heading", "Result")
	b.TabTo("textbox", "Volume")
	b.Press("180")
	b.TabTo("textbox", "Area of "+first)
	b.Press("55")
	b.At("fichte-40:55")
	b.TabTo("combobox", "Add a product")
	b.Press("beton glatt")
	b.Sees("1 product found") // both words must match: the first word finds another product first
	b.Find("option", "Concrete, smooth, unpainted")
	b.Press(browser.ArrowDown, browser.Enter)
	b.Await("the new surface's area", func() bool { return b.Focused().Name == "Area of Concrete, smooth, unpainted" })
	b.Press("100")
	reverberates(t, s, b, "volume=180&surface="+rich+":55&surface=beton-glatt:100")
	for range 60 { // reaches the page header
		b.PressShift(browser.TabKey)
		if b.Focused().Role == "link" && b.Focused().Name == "Compare 1" {
			break
		}
	}
	b.Press(browser.Enter)
	b.Find("heading", "Compare")
	b.Find("heading", first)
}

// TestTheKeyboardIsNeverLost checks that the focus after a change of page is where a screen reader continues.
func TestTheKeyboardIsNeverLost(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "/?q=Fichte+40")
	b.Focus("link", "Acoustic panel spruce 40")
	b.Press(browser.Enter)
	b.Find("heading", "Acoustic panel spruce 40")
	b.Await("the keyboard in the new page", func() bool {
		return slices.Contains([]string{"main", "heading", "link", "button"}, b.Focused().Role)
	})
}

// TestPrint checks that a printed page contains results and no controls, dark on white in any scheme.
func TestPrint(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	for _, dark := range []bool{false, true} {
		b := browser.Open(t, s, browser.View{Dark: dark}, "")
		for _, path := range []string{"/?q=holz", "/products/" + rich, "/compare?id=" + rich, "/room?" + classRoom} {
			b.Goto(path)
			b.Wait("the page", "document.querySelector('main h2')")
			b.Print()
			if path == "/?q=holz" {
				b.Find("searchbox", searchField) // contains the query text
			}
			b.Wait("no controls on paper",
				`[...document.querySelectorAll("nav, aside, button")].every(e => !e.checkVisibility())`)
			b.Wait("white paper", `(c => c.length < 3 || c.slice(3).includes(0) || c.slice(0, 3).every(x => x > 240))
				([document.body, document.documentElement].map(e => getComputedStyle(e).backgroundColor).find(c => !/, 0\)$/.test(c))?.match(/[\d.]+/g)?.map(Number) ?? [])`)
			b.Wait("dark letters",
				`getComputedStyle(document.querySelector("main h1, main h2")).color.match(/[\d.]+/g).slice(0, 3).every(x => x < 120)`)
			b.Look(browser.View{Dark: dark})
		}
	}
}
