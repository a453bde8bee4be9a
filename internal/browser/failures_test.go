package browser_test

import (
	"fmt"
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"sabine/internal/browser"
)

// TestTooManyRequests checks that the page counts down the seconds and then repeats the last request.
func TestTooManyRequests(t *testing.T) {
	t.Parallel()
	s := browser.Serve(t, browser.SampleFolder(t), "--public-limit", "3/4s")
	b := browser.Open(t, s, browser.View{}, "/")
	b.Expect("429")
	b.Find("heading", "384 products")
	b.Focus("searchbox", searchField)
	told := func() bool { return browser.Eval[bool](b, "document.body.innerText.includes('Too many requests')") }
	for _, key := range "holzwolle holzwolle" {
		if told() {
			break
		}
		before := len(b.Requested("/public/search"))
		b.Press(string(key))
		b.Await("another request", func() bool { return len(b.Requested("/public/search")) > before || told() })
	}
	said := browser.Eval[string](b, "document.body.innerText")
	seconds := regexp.MustCompile(`continues in (\d+) s`).FindStringSubmatch(said)
	if seconds == nil {
		t.Fatalf("the page shows no seconds:\n%s", said)
	}
	if n, _ := strconv.Atoi(seconds[1]); n < 0 || n > 4 {
		t.Errorf("the page continues in %d s of 4", n)
	}
	if len(hits(b)) == 0 {
		t.Error("what was found before is gone")
	}
	b.SeesNot("Too many requests")
}

// TestTheServerGoneAndBack checks that the page retains its content and shows an error while there is no
// server, and that it continues when the server is back.
func TestTheServerGoneAndBack(t *testing.T) {
	t.Parallel()
	s := browser.Serve(t, browser.SampleFolder(t), "--public-limit", browser.Unlimited)
	b := browser.Open(t, s, browser.View{}, "/")
	b.Expect("ERR_CONNECTION_REFUSED")
	showsWhat(t, s, b, "locale=en")
	s.Stop(t)
	b.Fill("searchbox", searchField, "holz")
	b.Sees("Can't reach the server. Showing the last results")
	b.Find("heading", "384 products")
	s.Restart(t)
	showsWhat(t, s, b, "locale=en&q=holz")
	b.SeesNot("Can't reach the server")

	s.Stop(t)
	b.Click("link", "Room")
	b.Sees("This page did not load.")
	s.Restart(t)
	b.Click("button", "Try again")
	b.Find("heading", "Room")
	b.SeesNot("This page did not load.")
}

// TestASlowServer checks that the page is visible and shows that it is waiting before the first answer.
func TestASlowServer(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	for _, path := range []string{"/", "/compare?id=beton-glatt", "/room?volume=100&surface=beton-glatt:100"} {
		b := browser.Open(t, s, browser.View{}, "")
		release := b.Hold("*/public/*")
		b.Goto(path)
		b.Sees("Loading")
		release()
		b.SeesNot("Loading")
	}
}

// record returns a source record with a curve.
func record(n int, slug, label string) string {
	return fmt.Sprintf(`{"id":"10000000-0000-4000-8000-%012d","slug":%q,"label":{"de":%q,"en":%q},"manufacturer":"Werk","material_category":"holz",
		"measurements":{"absorption_iso_354":[{"source_kind":"measured","mounting":"A","thickness_mm":40,
		"alpha_s_octave":{"125":0.2,"250":0.4,"500":0.8,"1000":0.9,"2000":0.9,"4000":0.8}}]}}`+"\n", n, slug, label, label)
}

func TestAProductThatIsWithdrawn(t *testing.T) {
	t.Parallel()
	snapshots := filepath.Join(t.TempDir(), "snapshots")
	browser.Build(t, snapshots, "["+record(1, "bleibt", "Stays")+","+record(2, "geht", "Goes")+"]")
	s := browser.Serve(t, snapshots, "--public-detail", "--public-limit", browser.Unlimited)
	listed := browser.Open(t, s, browser.View{}, "/")
	listed.Find("link", "Goes")
	open := browser.Open(t, s, browser.View{}, "/products/geht")
	open.Find("heading", "Goes")
	compared := browser.Open(t, s, browser.View{}, "/compare?id=bleibt,geht")
	compared.Find("heading", "Goes")
	room := browser.Open(t, s, browser.View{}, "/room?volume=100&surface=bleibt:50&surface=geht:60")
	room.Find("heading", "Goes")

	browser.Build(t, snapshots, record(1, "bleibt", "Stays"))
	listed.Await("the server without it", func() bool {
		resp, err := http.Get(s.URL + "/products/geht")
		return err == nil && resp.Body.Close() == nil && resp.StatusCode == http.StatusNotFound
	})
	for _, b := range []*browser.Tab{listed, open, compared, room} {
		b.Expect("404")
		b.Expect("400")
		b.ForgetCache()
	}
	listed.Click("link", "Goes")
	listed.Find("heading", "Not found")
	listed.Find("link", "To the search")
	listed.Sees("The catalogue has been updated since this page was opened.")
	open.Reload()
	open.Find("heading", "Not found")
	compared.Reload()
	compared.Sees("There is no product “geht”. It may have been withdrawn")
	compared.Find("heading", "Stays")
	room.Reload()
	room.Sees("it may have been withdrawn")
	room.Find("heading", "Stays")
}

func TestDeadLinks(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{}, "")
	b.Expect("404")
	b.Expect("400")
	for _, path := range []string{"/products/no-such-product", "/products/%3Cb%3Ex",
		"/products/00000000-0000-4000-8000-000000000000", "/products/a,b", "/nowhere", "/products/a/b"} {
		b.Goto(path)
		b.Find("heading", "Not found")
		b.Wait("a title of its own", "document.title.startsWith('Not found')")
		b.Click("link", "To the search")
		b.Find("heading", "384 products")
	}
	b.Goto("/compare?id=no-such-product,beton-glatt")
	b.Sees("There is no product “no-such-product”. It may have been withdrawn")
	b.Goto("/compare?id=no-such-product")
	b.Sees("There is no product “no-such-product”. It may have been withdrawn")
}

// TestALongAddress opens an address of 8 KiB.
func TestALongAddress(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	long := strings.Repeat("lang", 2000)
	b := browser.Open(t, s, browser.View{}, "")
	b.Expect("40[04]|414|431")
	for path, want := range map[string]string{
		"/?q=" + long: "", "/?x=" + long: "384 products", "/?categories=" + strings.Repeat("holz,", 1600): "products",
		"/compare?id=" + long: "There is no product “", "/products/" + long: "Not found",
		"/room?volume=100&surface=" + long + ":10": "withdrawn", "/room?volume=" +
			strings.Repeat("9", 8000): "The volume must be a number",
		"/room?volume=100" + strings.Repeat("&surface=beton-glatt:1", 350): "32",
	} {
		b.Goto(path)
		b.Wait("the page", "document.querySelector('main h1')")
		b.Sees(want)
		if n := browser.Eval[int](b, "document.documentElement.scrollWidth - innerWidth"); n > 0 {
			t.Errorf("%.60s is %d px wider than the window", path, n)
		}
	}
}

// TestWithoutJavaScript checks the list that the server renders, and the links in the list.
func TestWithoutJavaScript(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	b := browser.Open(t, s, browser.View{NoScript: true}, "/")
	first := ask(t, s, "/public/search?locale=en").Get("products.0")
	b.Sees(first.Get("label").String())
	b.Click("link", first.Get("label").String())
	b.Wait("the product's page", "location.pathname.startsWith('/products/')")
	b.Sees(first.Get("label").String())
	b.Goto("/?q=holz&locale=de")
	b.Sees(ask(t, s, "/public/search?q=holz&locale=de").Get("products.0.label").String())
}

// TestABrowserWithoutStorage checks the page if every access to storage throws an error.
func TestABrowserWithoutStorage(t *testing.T) {
	t.Parallel()
	b := browser.Open(t, browser.Sample(t), browser.View{}, "")
	b.Inject(`for (const name of ["localStorage", "sessionStorage"])
		Object.defineProperty(window, name, { get() { throw new DOMException("forbidden", "SecurityError"); } });`)
	b.Goto("/products/beton-glatt")
	b.Click("button", "Add to comparison")
	b.Click("link", "Compare 1")
	b.Find("heading", "Compare")
	b.Click("button", "Deutsch")
	b.Find("heading", "Vergleich")
}
