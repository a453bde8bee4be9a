package serve_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
)

// golden returns a handwritten file from testdata/golden as compact JSON. Compacting preserves the order of
// keys and the spelling of numbers, so tests compare both.
func golden(t testing.TB, name string) string {
	t.Helper()
	content, err := os.ReadFile("testdata/golden/" + name + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var compact bytes.Buffer
	if err := json.Compact(&compact, content); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return compact.String()
}

// difference returns the first difference between two texts, or "" if they are equal.
func difference(got, want string) string {
	if got == want {
		return ""
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	from := max(0, at-60)
	return fmt.Sprintf("byte %d:\n got …%.160s\nwant …%.160s", at, got[from:], want[from:])
}

// TestBodies compares complete records byte by byte with handwritten files.
func TestBodies(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tests := []struct{ rule, path, at, want string }{
		{"a summary has the nine keys of the table, in its order", "/v1/materials/search?q=Akustikpaneel+Fichte+40",
			"items.0", "summary"},
		{"a summary of a product that has nothing optional", "/v1/materials/search?q=00000000-0000-4000-8000-000000000015",
			"items.0", "summary-empty"},
		{"include=acoustics adds three keys to a summary",
			"/v1/materials/search?q=Akustikpaneel+Fichte+40&include=acoustics", "items.0", "summary-acoustics"},
		{"acoustics are before geometry", "/v1/materials/search?q=saeulenabsorber&include=geometry,acoustics", "items.0",
			"summary-acoustics-geometry"},
		{"a detail", "/v1/materials/akustikpaneel-fichte-40", "@this", "detail"},
		{"include=acoustics adds nothing to a detail", "/v1/materials/akustikpaneel-fichte-40?include=acoustics", "@this",
			"detail"},
		{"a diffuser without absorption; its geometry is null", "/v1/materials/qrd-diffusor-7?include=geometry", "@this",
			"detail-diffuser"},
		{"a detail of a product that has nothing optional", "/v1/materials/00000000-0000-4000-8000-000000000015", "@this",
			"detail-empty"},
		{"include=geometry adds geometry", "/v1/materials/akustikpaneel-fichte-40?include=geometry", "geometry",
			"geometry-panel"},
		{"an element of a batch is a detail", "/v1/materials?ids=akustikpaneel-fichte-40", "items.0", "detail"},
		{"include works in a batch", "/v1/materials?ids=qrd-diffusor-7&include=geometry", "items.0", "detail-diffuser"},
		{"a product of public search", "/public/search?q=SilentWood+40&locale=en", "products.0", "public"},
		{"a public product without a slug has its id there; no alpha_w is 0",
			"/public/search?q=00000000-0000-4000-8000-000000000015", "products.0", "public-empty"},
		{"a public reference product", "/public/search?q=stahlbeton-glatt", "products.0", "public-reference"},
		{"a comparison", "/public/compare-products?id=stahlbeton-glatt,akustikvorhang-samt", "@this", "compare"},
		{"the facets of authenticated search", "/v1/materials/search?facets=true", "facets", "facets"},
		{"the facets of public search", "/public/search", "facets", "facets-public"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if d := difference(s.get(t, tt.path).json(tt.at).Raw, golden(t, tt.want)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestEnvelopes(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tests := []struct{ rule, path, at, keys string }{
		{"authenticated search", "/v1/materials/search", "@this", "items page limit total_count has_more"},
		{"authenticated search with facets", "/v1/materials/search?facets=true", "@this",
			"items page limit total_count has_more facets"},
		{"facets=false has no facets", "/v1/materials/search?facets=false", "@this", "items page limit total_count has_more"},
		{"batch", "/v1/materials?ids=x", "@this", "items missing"},
		{"public search", "/public/search", "@this", "products total hasMore page facets queryMeta"},
		{"what was searched", "/public/search", "queryMeta", "normalizedQuery usedFallback matchedStrategy zeroResults"},
		{"compare", "/public/compare-products?id=x", "@this", "products"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := keysOf(s.get(t, tt.path).json(tt.at)); got != tt.keys {
				t.Errorf("got %s, want %s", got, tt.keys)
			}
		})
	}
}

// TestIncludeOnlyAddsFields checks that include changes neither the returned products nor their order.
func TestIncludeOnlyAddsFields(t *testing.T) {
	t.Parallel()
	s := shared(t)
	for _, query := range []string{"?q=Akustik", "?sort=alphaW_desc&limit=7", "?category=holz", "?q=Deckensegl"} {
		plain := s.get(t, "/v1/materials/search"+query)
		for _, include := range []string{"acoustics", "geometry", "acoustics,geometry", "geometry&include=acoustics"} {
			more := s.get(t, "/v1/materials/search"+query+"&include="+include)
			if called(t, more) != called(t, plain) || more.json("total_count").Raw != plain.json("total_count").Raw {
				t.Errorf("%s with %s: got %s, want %s", query, include, called(t, more), called(t, plain))
			}
			for i, item := range more.json("items").Array() {
				for _, key := range strings.Fields(keysOf(plain.json("items.0"))) {
					if got, want := item.Get(key).Raw, plain.json(fmt.Sprintf("items.%d.%s", i, key)).Raw; got != want {
						t.Errorf("%s with %s: item %d has %s %s, want %s", query, include, i, key, got, want)
					}
				}
			}
		}
	}
}

// TestRatings checks that alpha_w, nrc, saa and absorption_octave come from the most absorptive variant.
func TestRatings(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tests := []struct{ rule, slug, at, want string }{
		{"alpha_w is computed from the variant with the highest", "akustikpaneel-fichte-40", "alpha_w", "0.9"},
		{"coefficients over 1 stay as published in the measurements", "akustikpaneel-fichte-40",
			"measurements.absorption_iso_354.1.alpha_s_third_octave.1000", "1.05"},
		{"and are 1 at most in alpha_p", "akustikpaneel-fichte-40", "absorption_octave.1000", "1"},
		{"negative coefficients stay as published", "akustikpaneel-fichte-40",
			"measurements.absorption_iso_354.2.alpha_s_octave.125", "-0.02"},
		{"a computed alpha_w of 0 is 0 and not null", "stahlbeton-glatt", "alpha_w", "0"},
		{"nrc of an octave map", "stahlbeton-glatt", "nrc", "0"},
		{"saa needs thirds", "stahlbeton-glatt", "saa", "null"},
		{"alpha_p of an octave map", "stahlbeton-glatt", "absorption_octave",
			`{"125":0,"250":0,"500":0,"1000":0,"2000":0,"4000":0.05}`},
		{"a declared alpha_w is unchanged", "akustikvorhang-samt", "alpha_w", "0.6"},
		{"without measurements nrc is null", "akustikvorhang-samt", "nrc", "null"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := s.get(t, "/v1/materials/"+tt.slug).json(tt.at).Raw; got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestExposedAreas(t *testing.T) {
	t.Parallel()
	s := shared(t)
	for slug, want := range map[string]string{
		"akustikpaneel-fichte-40": `{"ceiling":1.44,"wall":1.44}`,              // 0.6 m × 2.4 m, without the edges
		"saeulenabsorber-rund":    `{"free-standing":1.885}`,                   // π × 0.3 m × 2 m
		"klangkugel":              `{"ceiling":0.5027,"free-standing":0.5027}`, // π × (0.4 m)²
	} {
		if got := s.get(t, "/v1/materials/"+slug+"?include=geometry").json("geometry.exposed_area_m2").Raw; got != want {
			t.Errorf("%s: got %s, want %s", slug, got, want)
		}
	}
}

// TestSingleFetch checks that only identifiers find products.
func TestSingleFetch(t *testing.T) {
	t.Parallel()
	const id = "ABCDEFAB-0000-4000-8000-00000000000A"
	s, letters := shared(t), newSite(t, settings{folder: built(t, `{"id":"`+id+`","label":"Eins","manufacturer":"Werk"}`)})
	const found = `"00000000-0000-4000-8000-000000000010"`
	tests := []struct {
		rule string
		s    *site
		id   string
		want string // the id as JSON; "" means 404
	}{
		{"a slug", s, "panel-2", found},
		{"a percent-encoded letter is that letter", s, "panel%2D2", found},
		{"an id", s, "00000000-0000-4000-8000-000000000010", found},
		{"ids are matched without regard to case", letters, id, strings.ToLower(`"` + id + `"`)},
		{"in small letters", letters, strings.ToLower(id), strings.ToLower(`"` + id + `"`)},
		{"in mixed ones", letters, "aBcDeFaB-0000-4000-8000-00000000000a", strings.ToLower(`"` + id + `"`)},
		{"a product without a slug", s, "00000000-0000-4000-8000-000000000015", `"00000000-0000-4000-8000-000000000015"`},
		{"an unknown slug", s, "gibt-es-nicht", ""},
		{"an unknown id", s, id, ""},
		{"an unpublished product by its slug", s, "geheimer-absorber", ""},
		{"an unpublished product by its id", s, "00000000-0000-4000-8000-000000000016", ""},
		{"slugs are matched exactly", s, "Panel-2", ""},
		{"search is reserved only in small letters", s, "SEARCH", ""},
		{"blanks", s, "Panel%202", ""},
		{"umlauts", s, "s%C3%A4ulenabsorber-rund", ""},
		{"a slash as %2F", s, "panel%2F2", ""},
		{"a slash as %2F at the end", s, "panel-2%2F", ""},
		{"only a slash as %2f", s, "%2f", ""},
		{"an encoded percent sign stays one", s, "panel%252D2", ""},
		{"bytes that are no UTF-8", s, "panel-2%FF", ""},
		{"a zero byte", s, "panel-2%00", ""},
		{"a dot", s, "%2E", ""},
		{"two dots", s, "%2E%2E", ""},
		{"two dots", s, "..", ""},
		{"2,000 characters", s, strings.Repeat("a", 2000), ""},
		{"2,000 umlauts", s, strings.Repeat("%C3%BC", 2000), ""},
		{"another form of a UUID", s, "00000000000040008000000000000010", ""},
		{"a UUID in braces", s, "%7B00000000-0000-4000-8000-000000000010%7D", ""},
		{"a label", s, "Panel%202", ""},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			a := tt.s.get(t, "/v1/materials/"+tt.id)
			if tt.want == "" {
				if a.status != 404 || a.code() != "not_found" {
					t.Errorf("got %d %s", a.status, a.body)
				}
			} else if a.status != 200 || a.json("id").Raw != tt.want {
				t.Errorf("got %d %.200s", a.status, a.body)
			}
		})
	}
}

func TestBatch(t *testing.T) {
	t.Parallel()
	s := shared(t)
	many := func(n int, each string) string { return strings.TrimSuffix(strings.Repeat(each+",", n), ",") }
	const unpublished, unknown, none = "00000000-0000-4000-8000-000000000016", "ABCDEFAB-0000-4000-8000-00000000000A",
		"identifiers are missing"
	tests := []struct {
		rule, query    string
		found, missing string
		code, message  string // expected in the body of the 400
	}{
		{"in the order that was asked for", "ids=panel-2,klangkugel,aetherwand", "panel2 kugel äther", `[]`, "", ""},
		{"ids and slugs mixed", "ids=panel-10,00000000-0000-4000-8000-000000000002", "panel10 segel", `[]`, "", ""},
		{"repeated and comma-separated", "ids=panel-2&ids=klangkugel,aetherwand", "panel2 kugel äther", `[]`, "", ""},
		{"as clients write lists", "ids[]=panel-2&ids%5B%5D=klangkugel&ids=aetherwand", "panel2 kugel äther", `[]`, "", ""},
		{"blanks around identifiers are trimmed, empty ones dropped", "ids=+panel-2+,,%09klangkugel,", "panel2 kugel", `[]`,
			"", ""},
		{"unknown and unpublished ones are missing, with unchanged spelling", "ids=Panel-2,panel-2," + unpublished +
			",geheimer-absorber,A%22b", "panel2",
			`["Panel-2","` + unpublished + `","geheimer-absorber","A\"b"]`, "", ""},
		{"nothing found is no error", "ids=a,b", "", `["a","b"]`, "", ""},
		{"a product asked for twice comes once, at its first place",
			"ids=klangkugel,panel-2,00000000-0000-4000-8000-000000000012,panel-2", "kugel panel2", `[]`, "", ""},
		{"missing ones are listed once", "ids=x,y,x&ids=y", "", `["x","y"]`, "", ""},
		{"a missing UUID has no case", "ids=" + unknown + "," + strings.ToLower(unknown), "", `["` + unknown + `"]`, "", ""},
		{"50 identifiers", "ids=" + many(49, "panel-2") + ",klangkugel", "panel2 kugel", `[]`, "", ""},
		{"50 identifiers and empty ones", "ids=,," + many(50, "panel-2") + ",,,", "panel2", `[]`, "", ""},
		{"more than 50 as given, though fewer are distinct", "ids=" + many(51, "panel-2"), "", "", "invalid_request",
			"ids: got 51 identifiers; the maximum is 50"},
		{"none", "", "", "", "missing_ids", none},
		{"an empty list", "ids=", "", "", "missing_ids", none},
		{"only blanks and commas", "ids=,+,&ids=", "", "", "missing_ids", none},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			a := s.get(t, "/v1/materials?"+tt.query)
			if tt.code != "" {
				if a.status != 400 || a.code() != tt.code || a.message() != tt.message {
					t.Errorf("got %d %s", a.status, a.body)
				}
				return
			}
			if got := called(t, a); a.status != 200 || got != tt.found || a.json("missing").Raw != tt.missing {
				t.Errorf("got %d %s, missing %s, want %s, missing %s", a.status, got, a.json("missing").Raw, tt.found, tt.missing)
			}
		})
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tests := []struct{ rule, query, found, code string }{
		{"in the order that was asked for, ids and slugs", "id=klangkugel,00000000-0000-4000-8000-000000000001,panel-2",
			"kugel panel panel2", ""},
		{"repeated", "id=panel-2&id=klangkugel", "panel2 kugel", ""},
		{"unknown and unpublished ones are left out", "id=x,panel-2,geheimer-absorber", "panel2", ""},
		{"none known is an empty list", "id=x", "", ""},
		{"those beyond the first four are dropped", "id=panel-2,klangkugel,aetherwand,panel-10,stahlbeton-glatt",
			"panel2 kugel äther panel10", ""},
		{"the first four count before doubles collapse",
			"id=panel-2,panel-2,00000000-0000-4000-8000-000000000010,klangkugel,aetherwand", "panel2 kugel", ""},
		{"unknown ones count among the four", "id=x,y,z,panel-2,klangkugel", "panel2", ""},
		{"empty ones do not count", "id=,,+,panel-2,&id=klangkugel", "panel2 kugel", ""},
		{"a product without a slug", "id=00000000-0000-4000-8000-000000000015", "schlicht", ""},
		{"none", "", "", "missing_ids"},
		{"an empty list", "id=&id=,", "", "missing_ids"},
		{"another parameter", "ids=panel-2", "", "missing_ids"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			a := s.get(t, "/public/compare-products?"+tt.query)
			if tt.code != "" {
				if a.status != 400 || a.code() != tt.code {
					t.Errorf("got %d %s", a.status, a.body)
				}
			} else if got := called(t, a); a.status != 200 || got != tt.found {
				t.Errorf("got %d %s, want %s", a.status, got, tt.found)
			}
		})
	}
	t.Run("ids are matched without regard to case", func(t *testing.T) {
		s := newSite(t,
			settings{folder: built(t, `{"id":"abcdefab-0000-4000-8000-00000000000a","label":"Eins","manufacturer":"Werk"}`)})
		if a := s.get(t, "/public/compare-products?id=ABCDEFAB-0000-4000-8000-00000000000A"); a.json(
			"products.0.label").String() != "Eins" {
			t.Errorf("got %s", a.body)
		}
	})
}
