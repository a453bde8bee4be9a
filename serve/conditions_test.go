package serve_test

import (
	"regexp"
	"strings"
	"testing"
)

var strongTag = regexp.MustCompile(`^"[0-9a-f]{32}"$`)

// taggedPaths are what answers with an ETag, and the Cache-Control of it.
var taggedPaths = map[string]string{
	"/v1/materials/" + panelID:                       "private, no-cache",
	"/v1/materials/" + panelID + "?include=geometry": "private, no-cache",
	"/v1/materials/" + plainID:                       "private, no-cache", // too small for a coding
	"/public/search":                                 "public, max-age=60",
	"/public/search?q=xyzxyzxyz&categories=gips":     "public, max-age=60",
	"/public/compare-products?id=" + panelID:         "public, max-age=60",
	"/public/compare-products?id=gibt-es-nicht":      "public, max-age=60",
	"/v1/openapi.json":                               "public, max-age=300",
}

func TestTagsAndConditions(t *testing.T) {
	w := newSite(t, settings{})
	for path, cache := range taggedPaths {
		plain := w.get(t, path)
		tag := plain.header.Get("ETag")
		if plain.status != 200 || !strongTag.MatchString(tag) || plain.header.Get("Cache-Control") != cache {
			t.Fatalf("%s: got %d with ETag %s, Cache-Control %s", path, plain.status, tag, plain.header.Get("Cache-Control"))
		}
		hash := strings.Trim(tag, `"`)
		for _, coding := range []string{"gzip", "zstd"} {
			coded := w.get(t, path, "Accept-Encoding", coding)
			want := tag
			if len(plain.body) >= 512 {
				want = `"` + hash + "-" + coding + `"`
			}
			if got := coded.header.Get("ETag"); got != want {
				t.Errorf("%s, %s: got the tag %s, want %s", path, coding, got, want)
			}
		}
		for _, condition := range []string{
			tag, "W/" + tag, `"` + hash + `-gzip"`, `W/"` + hash + `-zstd"`, "*", `"x", ` + tag, `"x","y", W/` + tag,
		} {
			for _, coding := range []string{"", "gzip", "zstd"} {
				for _, method := range []string{"GET", "HEAD"} {
					got := w.ask(t, method, w.base+path, "Authorization", "Bearer "+w.keys[goodKey], "If-None-Match", condition, "Accept-Encoding", coding)
					ok := w.get(t, path, "Accept-Encoding", coding)
					if got.status != 304 || got.body != "" || got.header["Content-Length"] != nil || got.header["Content-Type"] != nil || got.header["Content-Encoding"] != nil {
						t.Errorf("%s, If-None-Match %s: got %d with %v", path, condition, got.status, got.header)
					}
					for _, name := range []string{"ETag", "Vary", "Cache-Control", "Link", "X-Snapshot"} {
						if got.header.Get(name) != ok.header.Get(name) {
							t.Errorf("%s, If-None-Match %s: the 304 has %s %q, the 200 %q", path, condition, name, got.header.Get(name), ok.header.Get(name))
						}
					}
				}
			}
		}
		for _, condition := range []string{`"x"`, hash, `"` + hash + `-br"`, `"` + hash[:16] + `"`, ""} {
			if got := w.get(t, path, "If-None-Match", condition); got.status != 200 {
				t.Errorf("%s, If-None-Match %q: got %d", path, condition, got.status)
			}
		}
		if got := w.get(t, path, "If-None-Match", `"x"`, "If-None-Match", tag); got.status != 304 {
			t.Errorf("%s, two fields: got %d", path, got.status)
		}
		if got := w.get(t, path, "If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT"); got.status != 200 {
			t.Errorf("%s, If-Modified-Since: got %d", path, got.status)
		}
	}
}

func TestSearchAndBatchHaveNoTag(t *testing.T) {
	w := newSite(t, settings{})
	for _, path := range []string{"/v1/materials/search", "/v1/materials?ids=" + panelID} {
		got := w.get(t, path, "If-None-Match", "*")
		if got.status != 200 || got.header.Get("ETag") != "" || got.header.Get("Cache-Control") != "private, no-cache" {
			t.Errorf("%s: got %d with %v", path, got.status, got.header)
		}
	}
}

func TestGeometryHasATagOfItsOwn(t *testing.T) {
	w := newSite(t, settings{})
	plain, solid := w.get(t, "/v1/materials/"+panelID), w.get(t, "/v1/materials/"+panelID+"?include=geometry")
	if plain.header.Get("ETag") == solid.header.Get("ETag") {
		t.Error("two bodies have one tag")
	}
	acoustics := w.get(t, "/v1/materials/"+panelID+"?include=acoustics")
	if acoustics.header.Get("ETag") != plain.header.Get("ETag") || acoustics.body != plain.body {
		t.Error("the same body has two tags")
	}
	if got := w.get(t, "/v1/materials/"+panelID+"?include=geometry", "If-None-Match", plain.header.Get("ETag")); got.status != 200 {
		t.Errorf("the tag of the other body: got %d", got.status)
	}
}

func TestATagOutlivesARebuildWhereTheBodyDoes(t *testing.T) {
	w := newSite(t, settings{})
	before := w.get(t, "/v1/materials/"+panelID)
	other := w.get(t, "/v1/materials/stahlbeton")
	catalogue := testCatalogue()
	for _, p := range catalogue["products"].([]record) {
		if p["slug"] == "stahlbeton" {
			p["commercial_name"] = "B 25"
		}
	}
	compile(t, w.folder, catalogue)
	if err := w.current.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	after := w.get(t, "/v1/materials/"+panelID, "If-None-Match", before.header.Get("ETag"))
	if after.status != 304 || after.header.Get("X-Snapshot") == before.header.Get("X-Snapshot") {
		t.Errorf("an unchanged product: got %d from the snapshot %s", after.status, after.header.Get("X-Snapshot"))
	}
	if got := w.get(t, "/v1/materials/stahlbeton", "If-None-Match", other.header.Get("ETag")); got.status != 200 {
		t.Errorf("a changed product: got %d", got.status)
	}
}
