package serve_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// address matches an address in an attribute of a page.
var address = regexp.MustCompile(`(?:href|src)="([^"]*)"`)

// TestTheReferenceLoadsWhatItNames requests the page and all its files, resolving addresses like a browser,
// for several base paths.
func TestTheReferenceLoadsWhatItNames(t *testing.T) {
	t.Parallel()
	for _, base := range []string{"/", "/api", "/a/b"} {
		s := newSite(t, settings{basePath: base})
		here, err := url.Parse(s.url + s.base + "/reference?utm_source=mail")
		if err != nil {
			t.Fatal(err)
		}
		page := s.ask(t, "GET", here.RequestURI())
		if page.status != 200 || page.header.Get("Content-Type") != "text/html; charset=utf-8" ||
			page.header.Get("Cache-Control") != "no-cache" {
			t.Fatalf("%s: %d %v", here, page.status, page.header)
		}
		policy := page.header.Get("Content-Security-Policy")
		if !strings.Contains(policy, "default-src 'none'; script-src 'self';") ||
			!strings.Contains(policy, "connect-src 'self';") {
			t.Errorf("Content-Security-Policy %q", policy)
		}
		named := address.FindAllStringSubmatch(page.body, -1)
		if len(named) < 5 {
			t.Fatalf("the page names %q", named)
		}
		for _, match := range named {
			there, err := here.Parse(match[1])
			if err != nil {
				t.Fatal(err)
			}
			if there.Path == "/favicon.svg" {
				continue // the address belongs to the site
			}
			a := s.ask(t, "HEAD", there.RequestURI())
			if a.status != 200 {
				t.Errorf("base %s: %s gives %d", base, there, a.status)
			}
			if kept := a.header.Get("Cache-Control"); strings.Contains(there.Path,
				"/assets/") != (kept == "public, max-age=31536000, immutable") {
				t.Errorf("%s: Cache-Control %q", there, kept)
			}
		}
	}
}
