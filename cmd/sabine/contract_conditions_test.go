package main_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// tagged are requests whose answers carry an ETag.
var tagged = []string{
	"/v1/materials/akustikpaneel-fichte-40", "/v1/materials/akustikpaneel-fichte-40?include=geometry", "/public/search?q=Akustik",
	"/public/compare-products?id=akustikpaneel-fichte-40", "/v1/openapi.json",
}

func TestConditionalRequests(t *testing.T) {
	t.Parallel()
	s := shared(t)
	for _, path := range tagged {
		plain := s.getAs(t, sharedServer.key, path)
		tag := plain.header.Get("ETag")
		bare := strings.Trim(tag, `"`)
		tests := []struct {
			rule, match string
			status      int
		}{
			{"the tag itself", tag, 304},
			{"a weak form of it", "W/" + tag, 304},
			{"*", "*", 304},
			{"* with blanks", " * ", 304},
			{"in a list", `"x", ` + tag + `, "y"`, 304},
			{"in a list without blanks", `"x",W/"z",` + tag, 304},
			{"a list with empty elements", `, ,` + tag, 304},
			{"a tag with a comma in it before", `"a,b", ` + tag, 304},
			{"the tag of the gzip coding", `"` + bare + `-gzip"`, 304},
			{"the tag of the zstd coding", `W/"` + bare + `-zstd"`, 304},
			{"another tag", `"00000000000000000000000000000000"`, 200},
			{"another coding that there is not", `"` + bare + `-br"`, 200},
			{"without quotes", bare, 200},
			{"an unclosed quote", `"` + bare, 200},
			{"the beginning of it", `"` + bare[:31] + `"`, 200},
			{"a * inside quotes", `"*"`, 200},
			{"an empty field", "", 200},
		}
		for _, tt := range tests {
			t.Run(path+": "+tt.rule, func(t *testing.T) {
				a := s.getAs(t, sharedServer.key, path, "If-None-Match", tt.match)
				if a.status != tt.status {
					t.Fatalf("got %d, want %d", a.status, tt.status)
				}
				for _, name := range []string{"ETag", "Vary", "Cache-Control", "Link", "X-Snapshot"} {
					if got, want := a.header.Get(name), plain.header.Get(name); got != want {
						t.Errorf("%s: got %s, want %s", name, got, want)
					}
				}
			})
		}
		t.Run(path+": in the second of two fields", func(t *testing.T) {
			if a := s.getAs(t, sharedServer.key, path, "If-None-Match", `"x"`, "If-None-Match", tag); a.status != 304 {
				t.Errorf("got %d", a.status)
			}
		})
		t.Run(path+": HEAD", func(t *testing.T) {
			if a := s.ask(t, "HEAD", s.base+path, "If-None-Match", tag, "Authorization", "Bearer "+sharedServer.key); a.status != 304 {
				t.Errorf("got %d", a.status)
			}
		})
		t.Run(path+": the same tag under every coding", func(t *testing.T) {
			for _, coding := range []string{"gzip", "zstd"} {
				a := s.getAs(t, sharedServer.key, path, "Accept-Encoding", coding)
				if a.body != plain.body || a.header.Get("Content-Encoding") != coding || a.header.Get("ETag") != `"`+bare+`-`+coding+`"` {
					t.Errorf("%s: Content-Encoding %q, ETag %s", coding, a.header.Get("Content-Encoding"), a.header.Get("ETag"))
				}
				if b := s.getAs(t, sharedServer.key, path, "Accept-Encoding", coding, "If-None-Match", tag); b.status != 304 || b.header.Get("ETag") != a.header.Get("ETag") {
					t.Errorf("%s: got %d, ETag %s", coding, b.status, b.header.Get("ETag"))
				}
			}
		})
	}
	t.Run("geometry has a tag of its own", func(t *testing.T) {
		plain, more := s.getAs(t, sharedServer.key, tagged[0]), s.getAs(t, sharedServer.key, tagged[1])
		if plain.header.Get("ETag") == more.header.Get("ETag") {
			t.Error("they are equal")
		}
		if a := s.getAs(t, sharedServer.key, tagged[1], "If-None-Match", plain.header.Get("ETag")); a.status != 200 {
			t.Errorf("got %d", a.status)
		}
	})
	t.Run("another spelling of one request has the same tag", func(t *testing.T) {
		a, b := s.get(t, "/public/search?q=Akustik&epd=0"), s.get(t, "/public/search?q=Akustik")
		if a.header.Get("ETag") != b.header.Get("ETag") {
			t.Errorf("got %s and %s", a.header.Get("ETag"), b.header.Get("ETag"))
		}
	})
	t.Run("authenticated search and batch have no tag and ignore the condition", func(t *testing.T) {
		for _, path := range []string{"/v1/materials/search", "/v1/materials?ids=panel-2"} {
			if a := s.getAs(t, sharedServer.key, path, "If-None-Match", "*"); a.status != 200 {
				t.Errorf("%s: got %d", path, a.status)
			}
		}
	})
	t.Run("other conditions are ignored", func(t *testing.T) {
		if a := s.get(t, "/public/search", "If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT", "Range", "bytes=0-9"); a.status != 200 {
			t.Errorf("got %d", a.status)
		}
	})
}

// TestTagsOutliveBuilds: a tag is the same in every build as long as the body is.
func TestTagsOutliveBuilds(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	catalogue := filepath.Join(dir, "c.ndjson")
	writeFile(t, catalogue, product(t, 1, "Eins")+product(t, 2, "Zwei"))
	must(t, dir, "build", catalogue)
	key := createKey(t, dir, "A")
	s := start(t, dir, generous...)
	one, two := s.getAs(t, key, "/v1/materials/produkt-1"), s.getAs(t, key, "/v1/materials/produkt-2")

	writeFile(t, catalogue, product(t, 3, "Drei")+product(t, 2, "Zwei, geändert")+product(t, 1, "Eins"))
	must(t, dir, "build", catalogue)
	eventually(t, soon, "the new snapshot serves", func() bool {
		return s.getAs(t, key, "/v1/materials/produkt-3").status == 200
	})
	if a := s.getAs(t, key, "/v1/materials/produkt-1", "If-None-Match", one.header.Get("ETag")); a.status != 304 || a.header.Get("X-Snapshot") == one.header.Get("X-Snapshot") {
		t.Errorf("unchanged: got %d from %s", a.status, a.header.Get("X-Snapshot"))
	}
	if a := s.getAs(t, key, "/v1/materials/produkt-2", "If-None-Match", two.header.Get("ETag")); a.status != 200 {
		t.Errorf("changed: got %d", a.status)
	}
}

func TestCodings(t *testing.T) {
	t.Parallel()
	s := shared(t)
	const large, small = "/public/search", "/public/compare-products?id=x"
	tests := []struct{ rule, accept, want string }{
		{"none asked for", "", ""},
		{"gzip", "gzip", "gzip"},
		{"zstd", "zstd", "zstd"},
		{"zstd when both are equally welcome", "gzip, deflate, br, zstd", "zstd"},
		{"q-values: gzip is preferred", "zstd;q=0.5, gzip;q=0.8", "gzip"},
		{"q-values: identity is preferred", "gzip;q=0.5, identity", ""},
		{"q=0 refuses", "zstd;q=0, gzip", "gzip"},
		{"q=0 refuses all", "gzip;q=0, zstd;q=0", ""},
		{"the star is gzip", "*", "gzip"},
		{"the star without zstd", "*, zstd;q=0", "gzip"},
		{"nothing is acceptable", "identity;q=0, *;q=0", ""},
		{"codings that there are not", "br, deflate", ""},
		{"in any case", "GZip", "gzip"},
		{"what is not in the grammar is passed over", "gzip;q=2, ;;, zstd;q=x", ""},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			fields := []string{}
			if tt.accept != "" {
				fields = []string{"Accept-Encoding", tt.accept}
			}
			a := s.get(t, large, fields...)
			if got := a.header.Get("Content-Encoding"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
			if a.json("total").Int() != 15 {
				t.Errorf("got %.200s", a.body)
			}
			if a := s.get(t, small, fields...); a.header.Get("Content-Encoding") != "" {
				t.Error("a body under 512 bytes is coded")
			}
		})
	}
	t.Run("details have codings of their own for geometry", func(t *testing.T) {
		for _, path := range tagged[:2] {
			plain := s.getAs(t, sharedServer.key, path)
			for _, coding := range []string{"gzip", "zstd"} {
				if a := s.getAs(t, sharedServer.key, path, "Accept-Encoding", coding); a.body != plain.body || a.header.Get("Content-Encoding") != coding || a.sent >= plain.sent {
					t.Errorf("%s in %s: %d of %d bytes", path, a.header.Get("Content-Encoding"), a.sent, plain.sent)
				}
			}
		}
	})
}
