package main_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
)

// golden returns a file of testdata/golden, which is written by hand, as the API writes JSON. Compacting keeps the order
// of keys and the spelling of numbers, so both are compared.
func golden(t testing.TB, name string) string {
	t.Helper()
	var compact bytes.Buffer
	if err := json.Compact(&compact, []byte(readFile(t, "testdata/golden/"+name+".json"))); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return compact.String()
}

// difference tells where two texts begin to differ, "" when they do not.
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

// TestBodies compares whole records with what is written out by hand, byte by byte.
func TestBodies(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tests := []struct{ rule, path, at, want string }{
		{"a summary has the nine keys of the table, in its order", "/v1/materials/search?q=Akustikpaneel+Fichte+40", "items.0", "summary"},
		{"a summary of a product that has nothing optional", "/v1/materials/search?q=00000000-0000-4000-8000-000000000015", "items.0", "summary-empty"},
		{"include=acoustics adds three keys to a summary", "/v1/materials/search?q=Akustikpaneel+Fichte+40&include=acoustics", "items.0", "summary-acoustics"},
		{"acoustics stand before geometry", "/v1/materials/search?q=saeulenabsorber&include=geometry,acoustics", "items.0", "summary-acoustics-geometry"},
		{"a detail", "/v1/materials/akustikpaneel-fichte-40", "@this", "detail"},
		{"include=acoustics adds nothing to a detail", "/v1/materials/akustikpaneel-fichte-40?include=acoustics", "@this", "detail"},
		{"a diffuser without absorption; its geometry is null", "/v1/materials/qrd-diffusor-7?include=geometry", "@this", "detail-diffuser"},
		{"a detail of a product that has nothing optional", "/v1/materials/00000000-0000-4000-8000-000000000015", "@this", "detail-empty"},
		{"include=geometry adds geometry", "/v1/materials/akustikpaneel-fichte-40?include=geometry", "geometry", "geometry-panel"},
		{"an element of a batch is a detail", "/v1/materials?ids=akustikpaneel-fichte-40", "items.0", "detail"},
		{"include works in a batch", "/v1/materials?ids=qrd-diffusor-7&include=geometry", "items.0", "detail-diffuser"},
		{"a product of public search", "/public/search?q=SilentWood+40&locale=en", "products.0", "public"},
		{"a public product without a slug has its id there; no alpha_w is 0", "/public/search?q=00000000-0000-4000-8000-000000000015", "products.0", "public-empty"},
		{"a public reference product", "/public/search?q=stahlbeton-glatt", "products.0", "public-reference"},
		{"a comparison", "/public/compare-products?id=stahlbeton-glatt,akustikvorhang-samt", "@this", "compare"},
		{"the facets of authenticated search", "/v1/materials/search?facets=true", "facets", "facets"},
		{"the facets of public search", "/public/search", "facets", "facets-public"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if d := difference(s.getAs(t, sharedServer.key, tt.path).json(tt.at).Raw, golden(t, tt.want)); d != "" {
				t.Error(d)
			}
		})
	}
}

func TestEnvelopes(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tests := []struct{ rule, path, keys string }{
		{"authenticated search", "/v1/materials/search", "items page limit total_count has_more"},
		{"authenticated search with facets", "/v1/materials/search?facets=true", "items page limit total_count has_more facets"},
		{"facets=false has no facets", "/v1/materials/search?facets=false", "items page limit total_count has_more"},
		{"batch", "/v1/materials?ids=x", "items missing"},
		{"public search", "/public/search", "products total hasMore page facets queryMeta"},
		{"compare", "/public/compare-products?id=x", "products"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := keysOf(s.getAs(t, sharedServer.key, tt.path).json("@this")); got != tt.keys {
				t.Errorf("got %s, want %s", got, tt.keys)
			}
		})
	}
}

// TestIncludeOnlyAddsFields: it never changes which products are returned, or their order.
func TestIncludeOnlyAddsFields(t *testing.T) {
	t.Parallel()
	s := shared(t)
	for _, query := range []string{"?q=Akustik", "?sort=alphaW_desc&limit=7", "?category=holz", "?q=Deckensegl"} {
		plain := s.getAs(t, sharedServer.key, "/v1/materials/search"+query)
		for _, include := range []string{"acoustics", "geometry", "acoustics,geometry", "geometry&include=acoustics"} {
			more := s.getAs(t, sharedServer.key, "/v1/materials/search"+query+"&include="+include)
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

// TestRatings: alpha_w, nrc, saa and absorption_octave come from the most absorptive variant.
func TestRatings(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tests := []struct{ rule, slug, at, want string }{
		{"alpha_w is computed from the variant with the highest", "akustikpaneel-fichte-40", "alpha_w", "0.9"},
		{"coefficients over 1 stay as published in the measurements", "akustikpaneel-fichte-40", "measurements.absorption_iso_354.1.alpha_s_third_octave.1000", "1.05"},
		{"and are 1 at most in alpha_p", "akustikpaneel-fichte-40", "absorption_octave.1000", "1"},
		{"negative coefficients stay as published", "akustikpaneel-fichte-40", "measurements.absorption_iso_354.2.alpha_s_octave.125", "-0.02"},
		{"a computed alpha_w of 0 is 0 and not null", "stahlbeton-glatt", "alpha_w", "0"},
		{"nrc of an octave map", "stahlbeton-glatt", "nrc", "0"},
		{"saa needs thirds", "stahlbeton-glatt", "saa", "null"},
		{"alpha_p of an octave map", "stahlbeton-glatt", "absorption_octave", `{"125":0,"250":0,"500":0,"1000":0,"2000":0,"4000":0.05}`},
		{"a declared alpha_w stands", "akustikvorhang-samt", "alpha_w", "0.6"},
		{"without measurements nrc is null", "akustikvorhang-samt", "nrc", "null"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := s.getAs(t, sharedServer.key, "/v1/materials/"+tt.slug).json(tt.at).Raw; got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestExposedAreas(t *testing.T) {
	t.Parallel()
	s := shared(t)
	for slug, want := range map[string]string{
		"akustikpaneel-fichte-40": `{"ceiling":1.44,"wall":1.44}`,              // 0.6 m × 2.4 m; 40 mm edges do not count
		"saeulenabsorber-rund":    `{"free-standing":1.885}`,                   // π × 0.3 m × 2 m
		"klangkugel":              `{"ceiling":0.5027,"free-standing":0.5027}`, // π × (0.4 m)²
	} {
		if got := s.getAs(t, sharedServer.key, "/v1/materials/"+slug+"?include=geometry").json("geometry.exposed_area_m2").Raw; got != want {
			t.Errorf("%s: got %s, want %s", slug, got, want)
		}
	}
}

// TestSingleFetch finds products by whatever names them, and nothing else.
func TestSingleFetch(t *testing.T) {
	t.Parallel()
	s := shared(t)
	const id = "ABCDEFAB-0000-4000-8000-00000000000A"
	tests := []struct{ rule, id, found string }{
		{"a slug", "panel-2", "panel-2"},
		{"an id", "00000000-0000-4000-8000-000000000010", "panel-2"},
		{"a product without a slug", "00000000-0000-4000-8000-000000000015", ""},
		{"an unknown slug", "gibt-es-nicht", "404"},
		{"an unknown id", id, "404"},
		{"an unpublished product by its slug", "geheimer-absorber", "404"},
		{"an unpublished product by its id", "00000000-0000-4000-8000-000000000016", "404"},
		{"slugs are matched exactly", "Panel-2", "404"},
		{"blanks", "Panel%202", "404"},
		{"umlauts", "s%C3%A4ulenabsorber-rund", "404"},
		{"a slash as %2F", "panel%2F2", "404"},
		{"a slash as %2F at the end", "panel-2%2F", "404"},
		{"bytes that are no UTF-8", "panel-2%FF", "404"},
		{"a zero byte", "panel-2%00", "404"},
		{"a dot", "%2E", "404"},
		{"two dots", "%2E%2E", "404"},
		{"2,000 characters", strings.Repeat("a", 2000), "404"},
		{"another form of a UUID", "00000000000040008000000000000010", "404"},
		{"a UUID in braces", "%7B00000000-0000-4000-8000-000000000010%7D", "404"},
		{"a label", url.PathEscape("Panel 2"), "404"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			a := s.getAs(t, sharedServer.key, "/v1/materials/"+tt.id)
			if tt.found == "404" {
				if a.status != 404 || a.code() != "not_found" {
					t.Errorf("got %d %s", a.status, a.body)
				}
			} else if a.status != 200 || a.json("slug").String() != tt.found {
				t.Errorf("got %d %.200s", a.status, a.body)
			}
		})
	}
	t.Run("ids are matched without regard to case", func(t *testing.T) {
		dir := t.TempDir()
		writeFile(t, dir+"/one.json", record(t, map[string]any{"id": id, "label": "Eins", "manufacturer": "Werk"}))
		must(t, dir, "build", "one.json")
		key := createKey(t, dir, "A")
		s := start(t, dir, generous...)
		for _, spelled := range []string{id, strings.ToLower(id), "aBcDeFaB-0000-4000-8000-00000000000a"} {
			if a := s.getAs(t, key, "/v1/materials/"+spelled); a.json("id").String() != strings.ToLower(id) {
				t.Errorf("%s: got %d %s", spelled, a.status, a.body)
			}
		}
	})
}

func TestBatch(t *testing.T) {
	t.Parallel()
	s := shared(t)
	many := func(n int, each string) string { return strings.TrimSuffix(strings.Repeat(each+",", n), ",") }
	unpublished := "00000000-0000-4000-8000-000000000016"
	tests := []struct {
		rule, query    string
		found, missing string
		code           string
	}{
		{"in the order that was asked for", "ids=panel-2,klangkugel,aetherwand", "panel2 kugel äther", "", ""},
		{"ids and slugs mixed", "ids=panel-10,00000000-0000-4000-8000-000000000002", "panel10 segel", "", ""},
		{"repeated and comma-separated", "ids=panel-2&ids=klangkugel,aetherwand", "panel2 kugel äther", "", ""},
		{"blanks around identifiers are trimmed, empty ones dropped", "ids=+panel-2+,,%09klangkugel,", "panel2 kugel", "", ""},
		{"unknown and unpublished ones are missing, as they were spelled", "ids=Panel-2,panel-2," + unpublished + ",geheimer-absorber", "panel2", "Panel-2 " + unpublished + " geheimer-absorber", ""},
		{"nothing found is no error", "ids=a,b", "", "a b", ""},
		{"a product asked for twice comes once, at its first place", "ids=klangkugel,panel-2,00000000-0000-4000-8000-000000000012,panel-2", "kugel panel2", "", ""},
		{"missing ones are listed once", "ids=x,y,x&ids=y", "", "x y", ""},
		{"50 identifiers", "ids=" + many(49, "panel-2") + ",klangkugel", "panel2 kugel", "", ""},
		{"50 identifiers and empty ones", "ids=" + many(50, "panel-2") + ",,,", "panel2", "", ""},
		{"more than 50 as given, though fewer are distinct", "ids=" + many(51, "panel-2"), "", "", "invalid_request"},
		{"none", "", "", "", "missing_ids"},
		{"an empty list", "ids=", "", "", "missing_ids"},
		{"blanks and commas alone", "ids=,+,", "", "", "missing_ids"},
		{"an include that the table lacks", "ids=panel-2&include=all", "", "", "invalid_request"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			a := s.getAs(t, sharedServer.key, "/v1/materials?"+tt.query)
			if tt.code != "" {
				if a.status != 400 || a.code() != tt.code {
					t.Errorf("got %d %s", a.status, a.body)
				}
				return
			}
			var missing []string
			for _, id := range a.json("missing").Array() {
				missing = append(missing, id.String())
			}
			if got := called(t, a); a.status != 200 || got != tt.found || strings.Join(missing, " ") != tt.missing {
				t.Errorf("got %d %s, missing %v, want %s, missing %s", a.status, got, missing, tt.found, tt.missing)
			}
		})
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tests := []struct{ rule, query, found, code string }{
		{"in the order that was asked for, ids and slugs", "id=klangkugel,00000000-0000-4000-8000-000000000001,panel-2", "kugel panel panel2", ""},
		{"repeated", "id=panel-2&id=klangkugel", "panel2 kugel", ""},
		{"unknown and unpublished ones are left out", "id=x,panel-2,geheimer-absorber", "panel2", ""},
		{"none known is an empty list", "id=x", "", ""},
		{"those beyond the first four are dropped", "id=panel-2,klangkugel,aetherwand,panel-10,stahlbeton-glatt", "panel2 kugel äther panel10", ""},
		{"the first four count before doubles collapse", "id=panel-2,panel-2,00000000-0000-4000-8000-000000000010,klangkugel,aetherwand", "panel2 kugel", ""},
		{"unknown ones count among the four", "id=x,y,z,panel-2,klangkugel", "panel2", ""},
		{"empty ones do not count", "id=,,+,panel-2,&id=klangkugel", "panel2 kugel", ""},
		{"a product without a slug", "id=00000000-0000-4000-8000-000000000015", "schlicht", ""},
		{"none", "", "", "missing_ids"},
		{"an empty list", "id=&id=,", "", "missing_ids"},
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
}
