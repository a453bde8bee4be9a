package browser_test

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"

	"sabine/internal/browser"
)

func TestMain(m *testing.M) { os.Exit(browser.Run(m)) }

// page serves a page with a script, under a policy as strict as the explorer's.
func page(t *testing.T, body, script string) *browser.Server {
	t.Helper()
	mux := http.NewServeMux()
	mux.HandleFunc("GET /{$}", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Security-Policy",
			"default-src 'none'; script-src 'self'; style-src 'self'; img-src data:; connect-src *")
		w.Header().Set("Content-Type", "text/html; charset=utf-8")
		fmt.Fprintf(w,
			`<!doctype html><html lang=en><title>Page</title><link rel=icon href=data:,><body>%s<script src=/script.js></script>`, body)
	})
	mux.HandleFunc("GET /script.js", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/javascript")
		fmt.Fprint(w, script)
	})
	s := httptest.NewServer(mux)
	t.Cleanup(s.Close)
	return &browser.Server{URL: s.URL}
}

func TestATabReportsForbiddenActionsOfPages(t *testing.T) {
	for _, tt := range []struct {
		rule, body, script string
		fault              string // "" for none
	}{
		{"nothing", "<p>Fine", `console.log("a note")`, ""},
		{"an error on the console", "", `console.error("broken", 1)`, `console: error: "broken" 1`},
		{"a warning on the console", "", `console.warn("old")`, "console: warning"},
		{"an exception", "", `null.x`, "exception: Uncaught TypeError"},
		{"a promise that nobody waits for", "", `Promise.reject(new Error("lost"))`, "lost"},
		{"a script in the page", "<script>1</script>", ``, "Content Security Policy"},
		{"a style in the page", `<p style="color:red">`, ``, "Content Security Policy"},
		{"eval", "", `eval("1")`, "Content Security Policy"},
		{"what is not there", "", `fetch("/nothing")`, "status 404"},
		{"another origin", "", `fetch("http://localhost:1/").catch(() => {})`,
			"request to another origin: http://localhost:1/"},
		{"a request given up", "",
			`const c = new AbortController(); fetch("/", {signal: c.signal}).catch(() => {}); c.abort()`, ""},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			b := browser.Open(t, page(t, tt.body, tt.script+"\n;document.title = 'done'"), browser.View{}, "/")
			if tt.fault == "" {
				b.Wait("the script's end", "document.title === 'done'")
				return // the tab reports the errors
			}
			b.Await("the fault", func() bool { return strings.Contains(strings.Join(b.Faults(), "\n"), tt.fault) })
			b.Expect("")
		})
	}
}

func TestATabIsLookedAtAsAPersonDoes(t *testing.T) {
	t.Parallel()
	const body = `<h1>Heading</h1><label>Name <input></label><button>Press me</button><button hidden>Press me</button><p></p><noscript>Without</noscript>`
	const script = `document.querySelector("button").onclick = () => { document.querySelector("p").textContent = document.querySelector("input").value };
		document.querySelector("h1").textContent = navigator.language + (matchMedia("(prefers-color-scheme: dark)").matches ? " dark " : " light ") + innerWidth`
	s := page(t, body, script)
	b := browser.Open(t, s, browser.View{Width: 390, Height: 800, Dark: true, Language: "de"}, "/")
	b.Sees("de dark 390")
	b.Fill("textbox", "Name", "Grün & <b>")
	b.Click("button", "Press me")
	b.Sees("Grün & <b>")
	b.Fill("textbox", "Name", "")
	b.TabTo("button", "press")
	b.Press(browser.Enter)
	b.SeesNot("Grün")
	b.SeesNot("Without")
	b.Look(browser.View{NoScript: true})
	b.Reload()
	b.Sees("Without")
	b.Sees("Heading")
}

func TestTheServerOfTheSample(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, s.API+"/v1/openapi.json")
	b.Sees("searchProducts")
}

func TestATabFindsAccessibilityBarriers(t *testing.T) {
	t.Parallel()
	s := page(t, `<main><h1>Heading</h1><input><button></button></main>`, "")
	b := browser.Open(t, s, browser.View{}, "/")
	got := strings.Join(browser.Barriers(b), " ")
	if want := "button-name label"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	b = browser.Open(t, page(t, `<main><h1>Heading</h1><label>Name <input></label><button>Go</button></main>`, ""),
		browser.View{}, "/")
	b.CheckAccess()
}
