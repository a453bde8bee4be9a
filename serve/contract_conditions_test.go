package serve_test

import (
	"strconv"
	"strings"
	"testing"
)

// TestConditionalRequests compares, for every operation with ETags, the header of the 304 with that of the
// 200, for GET and HEAD, for every coding, and for the tag of every coding.
func TestConditionalRequests(t *testing.T) {
	t.Parallel()
	s := shared(t)
	for _, op := range operations {
		if !op.tagged {
			continue
		}
		t.Run(op.path, func(t *testing.T) {
			plain := s.get(t, op.path)
			hash := strings.Trim(plain.header.Get("ETag"), `"`)
			for _, coding := range []string{"", "gzip", "zstd"} {
				for _, method := range []string{"GET", "HEAD"} {
					fields := append(s.as(goodKey), "Accept-Encoding", coding)
					whole := s.ask(t, method, s.base+op.path, fields...)
					for _, match := range []string{`"` + hash + `"`, `W/"` + hash + `-gzip"`, `"` + hash + `-zstd"`, "*"} {
						a := s.ask(t, method, s.base+op.path, append(fields, "If-None-Match", match)...)
						if a.status != 304 {
							t.Errorf("%s in %q, If-None-Match %s: got %d", method, coding, match, a.status)
						}
						for _, name := range []string{"ETag", "Vary", "Cache-Control", "Link", "X-Snapshot", "X-Ignored-Parameters"} {
							if got, want := a.header.Get(name), whole.header.Get(name); got != want {
								t.Errorf("%s in %q, If-None-Match %s: %s: got %s, want %s", method, coding, match, name, got, want)
							}
						}
					}
					a := s.ask(t, method, s.base+op.path, append(fields, "If-None-Match", `"00000000000000000000000000000000"`)...)
					if a.status != 200 || a.body != whole.body {
						t.Errorf("%s in %q, another tag: got %d", method, coding, a.status)
					}
				}
			}
		})
	}
	t.Run("authenticated search and batch have no tag and ignore the condition", func(t *testing.T) {
		for _, path := range []string{"/v1/materials/search", "/v1/materials?ids=panel-2"} {
			if a := s.get(t, path, "If-None-Match", "*"); a.status != 200 {
				t.Errorf("%s: got %d", path, a.status)
			}
		}
	})
	t.Run("other conditions are ignored", func(t *testing.T) {
		if a := s.get(t, "/public/search", "If-Modified-Since", "Fri, 01 Jan 2100 00:00:00 GMT", "Range",
			"bytes=0-9"); a.status != 200 {
			t.Errorf("got %d", a.status)
		}
	})
}

// TestIfNoneMatch tests how the header field is parsed.
func TestIfNoneMatch(t *testing.T) {
	t.Parallel()
	s := shared(t)
	const path = "/v1/materials/panel-2"
	tag := s.get(t, path).header.Get("ETag")
	hash := strings.Trim(tag, `"`)
	for _, tt := range []struct {
		rule   string
		fields []string
		status int
	}{
		{"a weak form of the tag", []string{"W/" + tag}, 304},
		{"* with blanks", []string{" * "}, 304},
		{"in a list", []string{`"x", W/"y" ,` + tag + `, "z"`}, 304},
		{"in a list without blanks", []string{`"x",W/"z",` + tag}, 304},
		{"a list with empty elements", []string{`, ,` + tag + `,`}, 304},
		{"a tag with a comma in it before", []string{`"a,b", ` + tag}, 304},
		{"in the second of two fields", []string{`"x"`, tag}, 304},
		{"a list of others", []string{`"x", "y"`}, 200},
		{"an unknown coding", []string{`"` + hash + `-br"`}, 200},
		{"without quotes", []string{hash}, 200},
		{"an unclosed quote", []string{`"` + hash}, 200},
		{"an unclosed quote hides no field after it", []string{`"x`, tag}, 304},
		{"the beginning of it", []string{`"` + hash[:31] + `"`}, 200},
		{"weakness is upper case", []string{"w/" + tag}, 200},
		{"a * inside quotes", []string{`"*"`}, 200},
		{"a * in a list is no tag", []string{`"x", *`}, 200},
		{"text after an invalid element is not read", []string{"x " + tag}, 200},
		{"an empty field", []string{""}, 200},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			var fields []string
			for _, f := range tt.fields {
				fields = append(fields, "If-None-Match", f)
			}
			if a := s.get(t, path, fields...); a.status != tt.status {
				t.Errorf("got %d, want %d", a.status, tt.status)
			}
		})
	}
}

// TestIfMatch checks that a failed match is refused after a missing product and before If-None-Match.
func TestIfMatch(t *testing.T) {
	t.Parallel()
	s := shared(t)
	const product = "/v1/materials/akustikpaneel-fichte-40"
	tag := s.get(t, product).header.Get("ETag")
	coded := strings.TrimSuffix(tag, `"`) + `-gzip"`
	for _, tt := range []struct {
		rule, path, match, noneMatch string
		status                       int
	}{
		{"the tag", product, tag, "", 200},
		{"the tag of another coding of the same content", product, coded, "", 200},
		{"in a list", product, `"x", ` + tag, "", 200},
		{"a weak tag before the tag", product, "W/" + tag + ", " + tag, "", 200},
		{"any", product, "*", "", 200},
		{"another tag", product, `"x"`, "", 412},
		{"nothing", product, "", "", 412},
		{"a weak tag never matches strongly", product, "W/" + tag, "", 412},
		{"before If-None-Match", product, `"x"`, tag, 412},
		{"If-None-Match after it", product, tag, tag, 304},
		{"behind existence", "/v1/materials/gibt-es-nicht", `"x"`, "", 404},
		{"behind parameters", "/public/search?page=x", `"x"`, "", 400},
		{"any, where there are no tags", "/v1/materials/search", "*", "", 200},
		{"a tag, where there are none", "/v1/materials/search", `"x"`, "", 412},
		{"an empty tag, where there are none", "/v1/materials?ids=panel-2", `"", "-gzip"`, "", 412},
		{"public search with ignored parameters", "/public/search?utm=x", `"x"`, "", 412},
		{"the description", "/v1/openapi.json", `"x"`, "", 412},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			fields := []string{"If-Match", tt.match}
			if tt.noneMatch != "" {
				fields = append(fields, "If-None-Match", tt.noneMatch)
			}
			if a := s.get(t, tt.path, fields...); a.status != tt.status {
				t.Errorf("got %d, want %d", a.status, tt.status)
			}
		})
	}
}

// TestTags checks that equal bodies have equal tags in every build, and different bodies have different tags.
func TestTags(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tag := func(path string) string { return s.get(t, path).header.Get("ETag") }
	const panel = "/v1/materials/akustikpaneel-fichte-40"
	if plain := tag(panel); tag(panel+"?include=geometry") == plain || tag(panel+"?include=acoustics") != plain {
		t.Error("geometry has no separate tag, or acoustics have one")
	}
	if tag("/public/search?q=Akustik&epd=0") != tag("/public/search?q=Akustik") {
		t.Error("another spelling of one request has another tag")
	}
	same := product(1, "Eins")
	one := newSite(t, settings{folder: built(t, same+product(2, "Zwei"))})
	first, second := one.get(t, "/v1/materials/produkt-1"), one.get(t, "/v1/materials/produkt-2")
	compile(t, one.folder, product(3, "Drei")+product(2, "Zwei, geändert")+same)
	if err := one.current.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	if a := one.get(t, "/v1/materials/produkt-1", "If-None-Match", first.header.Get("ETag")); a.status != 304 ||
		a.header.Get("X-Snapshot") == first.header.Get("X-Snapshot") {
		t.Errorf("a product that is unchanged in the next build: got %d from %s", a.status, a.header.Get("X-Snapshot"))
	}
	if a := one.get(t, "/v1/materials/produkt-2", "If-None-Match", second.header.Get("ETag")); a.status != 200 {
		t.Errorf("a product that was changed: got %d", a.status)
	}
}

// TestCodings tests the choice of a coding by Accept-Encoding.
func TestCodings(t *testing.T) {
	t.Parallel()
	s := shared(t)
	for _, tt := range []struct {
		rule   string
		fields []string
		want   string
	}{
		{"none asked for", nil, ""},
		{"an empty field", []string{""}, ""},
		{"gzip", []string{"gzip"}, "gzip"},
		{"the old name of gzip", []string{"x-gzip"}, "gzip"},
		{"zstd", []string{"zstd"}, "zstd"},
		{"zstd when both are equally welcome", []string{"gzip, deflate, br, zstd"}, "zstd"},
		{"q-values: gzip is preferred", []string{"zstd;q=0.5, gzip;q=0.8"}, "gzip"},
		{"q-values have three digits", []string{"zstd;q=0.501, gzip;q=0.502"}, "gzip"},
		{"q-values: blanks and case", []string{"zstd ; Q=0.500 , gzip ;q=0.4"}, "zstd"},
		{"several fields are one list", []string{"gzip;q=0.9", "zstd;q=1"}, "zstd"},
		{"q-values: identity is preferred", []string{"gzip;q=0.5, identity"}, ""},
		{"identity as welcome as gzip", []string{"identity;q=0.5, gzip;q=0.5"}, "gzip"},
		{"identity refused", []string{"identity;q=0, gzip;q=0.1"}, "gzip"},
		{"q=0 refuses", []string{"zstd;q=0, gzip"}, "gzip"},
		{"q=0 refuses all", []string{"gzip;q=0, zstd;q=0.000"}, ""},
		{"the star is gzip: few who send it read zstd", []string{"*"}, "gzip"},
		{"the star with a q-value", []string{"identity;q=0.5, *;q=0.8"}, "gzip"},
		{"the star next to zstd", []string{"*;q=0.1, zstd"}, "zstd"},
		{"the star without gzip", []string{"*, gzip;q=0"}, ""},
		{"the star without zstd", []string{"*, zstd;q=0"}, "gzip"},
		{"nothing but gzip", []string{"gzip, *;q=0"}, "gzip"},
		{"nothing is acceptable: there is no 406", []string{"identity;q=0, *;q=0"}, ""},
		{"unknown codings", []string{"br, deflate"}, ""},
		{"in any case", []string{"GZip"}, "gzip"},
		{"invalid elements are skipped", []string{"gzip;q=2, ;;, zstd;q=x"}, ""},
		{"a q-value of four digits", []string{"zstd;q=0.9999, gzip;q=0.1"}, "gzip"},
		{"a q-value that is no number", []string{"zstd;q=NaN, gzip;q=0.1"}, "gzip"},
		{"another parameter", []string{"zstd;level=3, gzip;q=0.1"}, "gzip"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			var fields []string
			for _, f := range tt.fields {
				fields = append(fields, "Accept-Encoding", f)
			}
			if got := s.get(t, "/public/search", fields...).header.Get("Content-Encoding"); got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
	detail := "/v1/materials/" + panel
	for _, tt := range []struct{ path, fields, want string }{
		{detail, "gzip, deflate, br, zstd", "gzip"},
		{detail + "?include=geometry", "zstd;q=0.5, gzip;q=0.5", "gzip"},
		{detail, "zstd, gzip;q=0.999", "zstd"},
		{detail + "?include=geometry", "zstd, *;q=0.5", "zstd"},
		{detail, "zstd, gzip;q=0", "zstd"},
		{detail, "*, zstd", "gzip"},
	} {
		t.Run("a detail is gzip at equal weights: "+tt.path+" "+tt.fields, func(t *testing.T) {
			plain, got := s.get(t, tt.path), s.get(t, tt.path, "Accept-Encoding", tt.fields)
			tag := strings.TrimSuffix(plain.header.Get("ETag"), `"`) + "-" + tt.want + `"`
			if coding := got.header.Get("Content-Encoding"); coding != tt.want || got.header.Get("ETag") != tag ||
				got.body != plain.body {
				t.Errorf("got %q with the tag %s, want %q with %s", coding, got.header.Get("ETag"), tt.want, tag)
			}
			head := s.ask(t, "HEAD", s.base+tt.path, append(s.as(goodKey), "Accept-Encoding", tt.fields)...)
			for _, name := range []string{"Content-Encoding", "ETag"} {
				if head.header.Get(name) != got.header.Get(name) {
					t.Errorf("HEAD: %s: got %s, want %s", name, head.header.Get(name), got.header.Get(name))
				}
			}
			if length := head.header.Get("Content-Length"); length != strconv.FormatInt(got.sent, 10) {
				t.Errorf("HEAD: Content-Length %s, want %d", length, got.sent)
			}
		})
	}
	for _, op := range operations {
		t.Run("every operation codes its body: "+op.path, func(t *testing.T) {
			plain := s.get(t, op.path)
			for _, coding := range []string{"gzip", "zstd"} {
				a := s.get(t, op.path, "Accept-Encoding", coding)
				want := coding
				streamed := strings.HasPrefix(op.path, "/v1/export") // an export's length is unknown in advance
				if len(plain.body) < 512 && !streamed {
					want = ""
				}
				if a.body != plain.body || a.header.Get("Content-Encoding") != want || want != "" && !streamed &&
					a.sent >= plain.sent {
					t.Errorf("%s: got %d bytes of %d in %q", coding, a.sent, plain.sent, a.header.Get("Content-Encoding"))
				}
			}
		})
	}
}
