package browser

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	cdpbrowser "github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/fetch"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// A View contains browser settings. The zero value is a desktop with a light scheme, English and scripts.
type View struct {
	Width, Height int64 // in CSS pixels; 0 means 1280 and 900
	Dark          bool
	Language      string // value of Accept-Language; "" means en
	NoScript      bool
}

// A Tab is a page in the browser. Its methods fail the test immediately if a condition is not met in time.
type Tab struct {
	t      testing.TB
	ctx    context.Context
	server *Server
	view   View

	artifacts string // folder for pictures of failed tests

	Close func() // closes the tab; called when the test ends

	mu       sync.Mutex
	requests map[network.RequestID]*request
	faults   []string
	expected []*regexp.Regexp
}

// A request is a request from the page.
type request struct {
	address string
	kind    network.ResourceType
	size    int // size of the complete compressed answer with its header; 0 until it has ended
}

// Open opens the page with the given path on a server, in a tab that is closed when the test ends. If the
// path is "", it opens no page.
func Open(t testing.TB, s *Server, v View, path string) *Tab {
	t.Helper()
	needChromium(t)
	browser, err := sharedChromium()
	if err != nil {
		t.Fatal(err)
	}
	b := &Tab{t: t, server: s, artifacts: t.ArtifactDir(), requests: map[network.RequestID]*request{}}
	ctx, closeTab := chromedp.NewContext(browser, chromedp.WithNewBrowserContext(), chromedp.WithListener(b.hear))
	b.ctx = ctx
	b.Close = sync.OnceFunc(func() {
		b.report()
		closeTab()
	})
	t.Cleanup(b.Close)
	b.Look(v)
	if path != "" {
		b.Goto(path)
	}
	return b
}

// report reports unexpected errors.
func (b *Tab) report() {
	for _, fault := range b.Faults() {
		b.t.Errorf("on %.200s: %s", b.path(), fault)
	}
	if b.t.Failed() {
		b.picture(filepath.Join(b.artifacts, "page.png"))
	}
}

// Look changes the view.
func (b *Tab) Look(v View) {
	b.t.Helper()
	if v.Width == 0 {
		v.Width, v.Height = 1280, 900
	}
	if v.Language == "" {
		v.Language = "en"
	}
	b.view = v
	b.do("look",
		call(emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: v.Width, Height: v.Height,
			DeviceScaleFactor: 1}),
		call(emulation.SetFocusEmulationEnabled, emulation.SetFocusEmulationEnabledParams{Enabled: true}),
		call(emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: v.NoScript}),
		call(network.SetExtraHTTPHeaders,
			network.SetExtraHTTPHeadersParams{Headers: network.Headers{"Accept-Language": []byte(quote(v.Language))}}),
		call(emulation.SetLocaleOverride, emulation.SetLocaleOverrideParams{}),
	)
	b.media("")
	// Scripts read the browser's language.
	var agent string
	b.eval(&agent, "navigator.userAgent")
	b.do("language", call(emulation.SetUserAgentOverride, emulation.SetUserAgentOverrideParams{UserAgent: agent,
		AcceptLanguage: v.Language}))
}

// Print shows the printed form of the page.
func (b *Tab) Print() {
	b.t.Helper()
	b.media("print")
}

func (b *Tab) media(media string) {
	b.t.Helper()
	scheme := "light"
	if b.view.Dark {
		scheme = "dark"
	}
	b.do("media", call(emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: media,
		Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme},
			{Name: "prefers-reduced-motion", Value: "reduce"}, // otherwise tests would wait for animations
		}}))
}

// Goto loads the page of the server with the given path.
func (b *Tab) Goto(path string) {
	b.t.Helper()
	b.do("open "+path, chromedp.Navigate(b.server.URL+path))
}

// Reload reloads the page.
func (b *Tab) Reload() {
	b.t.Helper()
	b.do("reload", chromedp.Reload())
}

// ForgetCache clears the cache, because the API allows caching for one minute.
func (b *Tab) ForgetCache() {
	b.t.Helper()
	b.do("forget the cache", call(network.ClearBrowserCache, cdp.Empty{}))
}

// Back presses the browser's Back button. The same page can remain loaded and change its content later.
func (b *Tab) Back() {
	b.t.Helper()
	b.eval(nil, "history.back()")
}

// Forward presses the browser's Forward button.
func (b *Tab) Forward() {
	b.t.Helper()
	b.eval(nil, "history.forward()")
}

// path returns the path and query of the current page.
func (b *Tab) path() string {
	var path string
	_ = b.try(&path, "location.pathname + location.search + location.hash")
	return path
}

// Hold delays the answers to requests whose address matches a pattern with * and ?, until release is called.
// It simulates a slow server.
func (b *Tab) Hold(pattern string) (release func()) {
	b.t.Helper()
	b.do("hold", call(fetch.Enable, fetch.EnableParams{Patterns: []*fetch.RequestPattern{{URLPattern: pattern}}}))
	return func() {
		b.t.Helper()
		b.do("release", call(fetch.Disable, cdp.Empty{})) // continues all requests
	}
}

// Expect declares that the test causes an error that matches a pattern.
func (b *Tab) Expect(pattern string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected = append(b.expected, regexp.MustCompile(pattern))
}

// Faults returns the unexpected errors so far.
func (b *Tab) Faults() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	var faults []string
	for _, fault := range b.faults {
		if !b.isExpected(fault) {
			faults = append(faults, fault)
		}
	}
	return faults
}

func (b *Tab) isExpected(fault string) bool {
	for _, e := range b.expected {
		if e.MatchString(fault) {
			return true
		}
	}
	return false
}

// hear records the errors among the browser's events. It runs on the goroutine that reads the events, so it
// must not call the browser.
func (b *Tab) hear(event any) {
	b.mu.Lock()
	defer b.mu.Unlock()
	fault := func(format string, args ...any) { b.faults = append(b.faults, fmt.Sprintf(format, args...)) }
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		switch e.Type {
		case runtime.ConsoleAPICalledTypeError, runtime.ConsoleAPICalledTypeWarning, runtime.ConsoleAPICalledTypeAssert:
			var said []string
			for _, a := range e.Args {
				said = append(said, strings.TrimSpace(string(a.Value)+" "+a.Description))
			}
			fault("console: %s: %s", e.Type, strings.Join(said, " "))
		}
	case *runtime.EventExceptionThrown:
		d := e.ExceptionDetails
		what := d.Text
		if d.Exception != nil {
			what += " " + d.Exception.Description
		}
		fault("exception: %s (%s:%d)", what, d.URL, d.LineNumber+1)
	case *log.EventEntryAdded: // includes violations of the Content-Security-Policy
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			fault("%s: %s (%s)", e.Entry.Source, e.Entry.Text, e.Entry.URL)
		}
	case *network.EventRequestWillBeSent:
		address := e.Request.URL
		b.requests[e.RequestID] = &request{address: address, kind: e.Type}
		local := strings.HasPrefix(address, b.server.URL+"/") || strings.HasPrefix(address, "data:") ||
			strings.HasPrefix(address, "blob:"+b.server.URL)
		if !local {
			fault("request to another origin: %.200s", address)
		}
	case *network.EventLoadingFailed:
		if !e.Canceled { // a page cancels requests after the next key or when it is replaced
			fault("request failed: %s: %.200s", e.ErrorText, b.request(e.RequestID).address)
		}
	case *network.EventLoadingFinished:
		b.request(e.RequestID).size = int(e.EncodedDataLength)
	case *network.EventResponseReceived:
		if e.Response.Status >= 400 {
			fault("status %d: %.200s", e.Response.Status, e.Response.URL)
		}
	}
}

// Requested returns the addresses of all requests so far that contain part, in any order.
func (b *Tab) Requested(part string) (addresses []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.requests {
		if strings.Contains(r.address, part) {
			addresses = append(addresses, r.address)
		}
	}
	return addresses
}

// Loaded returns the total compressed size in bytes of all answers, with headers, of the given kinds, such as
// Document, Script and Stylesheet.
func (b *Tab) Loaded(kinds ...network.ResourceType) (size int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, r := range b.requests {
		if slices.Contains(kinds, r.kind) {
			size += r.size
		}
	}
	return size
}

// request returns the request with the given id, or an empty request if the id is unknown.
func (b *Tab) request(id network.RequestID) *request {
	if r := b.requests[id]; r != nil {
		return r
	}
	return new(request)
}

// Download calls save, which must download a file, and returns the file's name and content.
func (b *Tab) Download(save func()) (name, content string) {
	b.t.Helper()
	dir := b.t.TempDir()
	c := chromedp.FromContext(b.ctx)
	if _, err := chromedp.CallBrowser(b.ctx, cdpbrowser.SetDownloadBehavior, cdpbrowser.SetDownloadBehaviorParams{
		Behavior: cdpbrowser.SetDownloadBehaviorBehaviorAllow, BrowserContextID: c.BrowserContextID,
		DownloadPath: dir}); err != nil {
		b.t.Fatal(err)
	}
	save()
	b.Await("a file that was saved", func() bool {
		entries, err := os.ReadDir(dir)
		if err != nil || len(entries) != 1 || !strings.Contains(entries[0].Name(), ".") ||
			strings.HasSuffix(entries[0].Name(), ".crdownload") {
			return false
		}
		name = entries[0].Name()
		text, err := os.ReadFile(filepath.Join(dir, name))
		content = string(text)
		return err == nil && len(content) > 0
	})
	return name, content
}

// Inject adds a script that runs in every page loaded afterwards, before the page's own scripts.
func (b *Tab) Inject(script string) {
	b.t.Helper()
	b.do("inject", call(page.AddScriptToEvaluateOnNewDocument,
		page.AddScriptToEvaluateOnNewDocumentParams{Source: script}))
}

// Eval runs JavaScript in the page and decodes the result.
func Eval[T any](b *Tab, script string) T {
	b.t.Helper()
	var v T
	b.eval(&v, script)
	return v
}

func (b *Tab) eval(to any, script string) {
	b.t.Helper()
	if err := b.try(to, script); err != nil {
		b.t.Fatalf("%s: %v", script, err)
	}
}

// try is like Eval, but returns errors. Evaluation fails while another page replaces the current page.
func (b *Tab) try(to any, script string) error {
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	yes := true
	r, err := chromedp.Call(ctx, runtime.Evaluate, runtime.EvaluateParams{
		Expression: script, ReturnByValue: &yes, AwaitPromise: &yes, UserGesture: &yes})
	switch {
	case err != nil:
		return err
	case r.ExceptionDetails != nil:
		return &chromedp.ExceptionError{ExceptionDetails: r.ExceptionDetails}
	case to == nil || len(r.Result.Value) == 0:
		return nil
	}
	return json.Unmarshal(r.Result.Value, to)
}

// Wait waits until a JavaScript expression is true in the page.
func (b *Tab) Wait(what, script string) {
	b.t.Helper()
	b.Await(what, func() bool {
		var holds bool
		return b.try(&holds, "Boolean("+script+")") == nil && holds
	})
}

// Await waits until a condition is true.
func (b *Tab) Await(what string, holds func() bool) {
	b.t.Helper()
	b.await(holds, func() string { return what })
}

func (b *Tab) await(holds func() bool, what func() string) {
	b.t.Helper()
	for deadline := time.Now().Add(patience); !holds(); time.Sleep(pause) {
		if time.Now().After(deadline) {
			b.t.Fatalf("on %.200s, timed out after %v waiting for: %s\nthe page contains:\n%s",
				b.path(), patience, what(), b.text())
		}
	}
}

// text returns the page's text for a failure message.
func (b *Tab) text() string {
	var text string
	_ = b.try(&text, "document.body.innerText")
	const enough = 3000
	if len(text) > enough {
		text = text[:enough] + " …"
	}
	return text
}

// picture writes a picture of the complete page to a file.
func (b *Tab) picture(file string) {
	yes := true
	r, err := chromedp.Call(b.ctx, page.CaptureScreenshot, page.CaptureScreenshotParams{CaptureBeyondViewport: &yes})
	if err == nil {
		err = os.WriteFile(file, r.Data, 0o644)
	}
	if err != nil {
		b.t.Log("no picture:", err)
	}
}

// do runs steps and fails the test if a step fails.
func (b *Tab) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	if err := chromedp.Do(b.ctx, steps...); err != nil {
		b.t.Fatalf("%s: %v", what, err)
	}
}

// call returns a command in the browser protocol as a step.
func call[P, R any](c cdp.Command[P, R], params P) chromedp.Action[chromedp.Void] {
	return chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, c, params)
		return err
	})
}

// quote returns a string as a JavaScript literal.
func quote(text string) string {
	b, _ := json.Marshal(text) // encoding a string never fails
	return string(b)
}
