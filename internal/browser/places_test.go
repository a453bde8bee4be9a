package browser_test

import (
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"path/filepath"
	"strings"
	"testing"

	"sabine/internal/browser"
)

// TestBehindAProxy opens the site behind a proxy with a base path that the server's settings do not contain.
func TestBehindAProxy(t *testing.T) {
	t.Parallel()
	s := browser.Sample(t)
	site, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	proxy := httptest.NewServer(http.StripPrefix("/acoustics/materials", httputil.NewSingleHostReverseProxy(site)))
	t.Cleanup(proxy.Close)
	there := &browser.Server{URL: proxy.URL + "/acoustics/materials", API: s.API}
	b := browser.Open(t, there, browser.View{}, "/?q=Fichte+40")
	showsWhat(t, there, b, "locale=en&q=Fichte+40")
	b.Click("link", "Acoustic panel spruce 40")
	b.Find("heading", "Acoustic panel spruce 40")
	b.Reload()
	b.Find("heading", "Similar products")
	b.Click("link", "Room")
	b.Find("heading", "Room")
	b.Reload()
	b.Find("heading", "Room")
}

// TestPictures checks that product pictures come only from origins that the operator allows.
func TestPictures(t *testing.T) {
	t.Parallel()
	pictures := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "image/svg+xml")
		_,
			_ = w.Write(
			[]byte(`<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"><rect width="60" height="40"/></svg>`))
	}))
	t.Cleanup(pictures.Close)
	snapshots := filepath.Join(t.TempDir(), "snapshots")
	browser.Build(t, snapshots, strings.Replace(record(1, "bild", "Picture"), `"manufacturer"`, `"images":[{"url":"`+
		pictures.URL+`/a.svg"}],"manufacturer"`, 1))
	for _, tt := range []struct {
		origins string
		shown   bool
	}{{"https://elsewhere.example", false}, {pictures.URL, true}} {
		s := browser.Serve(t, snapshots, "--public-detail", "--public-limit", browser.Unlimited, "--image-origins",
			tt.origins)
		for _, path := range []string{"/", "/products/bild"} {
			b := browser.Open(t, s, browser.View{}, path)
			b.Find("heading", "Picture")
			if tt.shown {
				b.Expect("request to another origin: " + pictures.URL)
				b.Wait("the picture", "[...document.images].some(i => i.naturalWidth === 60)")
			} else if n := browser.Eval[int](b, "document.images.length"); n != 0 {
				t.Errorf("%s shows %d pictures", path, n)
			}
		}
	}
}

// TestBeforeTheFirstCatalogue checks that the page waits for a catalogue and then continues.
func TestBeforeTheFirstCatalogue(t *testing.T) {
	t.Parallel()
	snapshots := filepath.Join(t.TempDir(), "snapshots")
	s := browser.Serve(t, snapshots, "--public-limit", browser.Unlimited)
	b := browser.Open(t, s, browser.View{}, "")
	b.Expect("503")
	b.Goto("/")
	b.Sees("The server has no catalogue yet.")
	browser.Build(t, snapshots, record(1, "erstes", "First"))
	b.Find("link", "First")
}

// TestWithoutTheExplorer checks that a server without the explorer has no pages.
func TestWithoutTheExplorer(t *testing.T) {
	t.Parallel()
	s := browser.Serve(t, browser.SampleFolder(t), "--explorer=false")
	b := browser.Open(t, s, browser.View{}, "")
	b.Expect("404")
	for _, path := range []string{"/", "/products/" + rich, "/compare", "/room"} {
		b.Goto(path)
		b.Sees("not_found")
	}
}
