package main_test

import (
	"strings"
	"testing"
)

// TestParameters asks for the same thing in many spellings: the first of each row is the plain one.
func TestParameters(t *testing.T) {
	t.Parallel()
	s := shared(t)
	search, public := "/v1/materials/search?", "/public/search?"
	tests := []struct {
		rule, path string
		spellings  []string
	}{
		{"comma list, repeated parameter, or both mixed", search, []string{"category=holz,metall,textil", "category=holz&category=metall&category=textil", "category=holz,metall&category=textil"}},
		{"blanks around values are trimmed, empty values dropped", search, []string{"category=holz,metall", "category=+holz+,,%20metall,", "category=&category=holz&category=,metall"}},
		{"duplicates collapse", search, []string{"category=holz&facets=1", "category=holz,holz&category=holz&facets=1"}},
		{"the order of values does not matter", public, []string{"categories=holz,metall", "categories=metall,holz"}},
		{"an empty parameter is an absent one", search, []string{"", "q=&page=&limit=&category=&alpha_w_min=&fire_class=&has_epd=&sort=&include=&facets="}},
		{"an empty parameter is an absent one, in public too", public, []string{"", "q=&kaufbar=&type=&min=&epd=&sort=&page=&locale="}},
		{"a blank q is absent", public, []string{"", "q=+%09+"}},
		{"a parameter without = is an empty one", public, []string{"", "q", "q&page&epd"}},
		{"unknown parameters change nothing in public", public, []string{"q=Vlies", "q=Vlies&Q=x&utm_source=mail&category=x&page%20=x"}},
		{"names are case-sensitive", public, []string{"", "Categories=x&PAGE=x"}},
		{"name[] is the parameter", search, []string{"category=holz,metall", "category[]=holz&category[]=metall", "category%5B%5D=holz,metall"}},
		{"a name may be percent-encoded", search, []string{"limit=3", "%6Cimit=3"}},
		{"booleans: true, 1, any case", search, []string{"has_epd=true", "has_epd=1", "has_epd=TRUE", "has_epd=True", "has_epd=tRuE"}},
		{"booleans: false is no restriction", search, []string{"", "has_epd=false&purchasable_only=0&facets=FALSE"}},
		{"a single-valued parameter given twice with one meaning", search, []string{"limit=3&has_epd=true&q=Vlies", "limit=3&limit=03&has_epd=true&has_epd=1&q=Vlies&q=+Vlies+"}},
		{"integers: a minus and leading zeros", search, []string{"page=0", "page=-0", "page=000", "page=-7"}},
		{"numbers: JSON's grammar", search, []string{"alpha_w_min=0.5", "alpha_w_min=0.50", "alpha_w_min=5e-1", "alpha_w_min=5E-01", "alpha_w_min=0.05e%2B1"}},
		{"numbers: an integer", search, []string{"alpha_w_min=1", "alpha_w_min=1.0", "alpha_w_min=1.000"}},
		{"numbers: minus zero", search, []string{"alpha_w_min=0", "alpha_w_min=-0", "alpha_w_min=-0.0"}},
		{"locale in any case", public, []string{"locale=en", "locale=EN", "locale=eN-gB"}},
		{"include is a list", search, []string{"include=acoustics,geometry", "include=geometry&include=+acoustics,", "include=geometry,acoustics,geometry"}},
		{"plus and %20 are a blank", public, []string{"q=Deckensegel+Wolke", "q=Deckensegel%20Wolke"}},
		{"a semicolon as %3B", public, []string{"q=Filz+ist+9", "q=Filz%3B+ist+9"}},
		{"an ampersand as %26", public, []string{"q=M%C3%BCller+%26+S%C3%B6hne", "q=M%C3%BCller+%26+S%C3%B6hne&"}},
		{"200 characters, which may be more bytes", public, []string{"q=" + strings.Repeat("%C3%A4", 200)}},
		{"200 characters after trimming", public, []string{"q=+++" + strings.Repeat("a", 200) + "+++"}},
		{"UUIDs in any case", public, []string{"manufacturers=c2a1d0e9-8b7f-5a6c-9d4e-3f2b1a0c9d8e", "manufacturers=C2A1D0E9-8B7F-5A6C-9D4E-3F2B1A0C9D8E,c2a1d0e9-8b7f-5a6c-9d4e-3f2b1a0c9d8e"}},
		{"a query string of 16 KiB", public, []string{"q=Vlies", "q=Vlies&x=" + strings.Repeat("y", 16384-len("q=Vlies&x="))}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			var plain *answer
			for i, query := range tt.spellings {
				a := s.getAs(t, sharedServer.key, tt.path+query)
				if a.status != 200 {
					t.Errorf("%s: got %d %s", query, a.status, a.body)
				} else if i == 0 {
					plain = a
				} else if a.body != plain.body {
					t.Errorf("%s: not the answer to %s", query, tt.spellings[0])
				}
			}
		})
	}
}

// TestWrongParameters: the message names the parameter, the value and, where there is a list, up to ten allowed values.
func TestWrongParameters(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tests := []struct{ rule, path, says string }{
		{"a category that is not in the vocabulary", "/v1/materials/search?category=beton", `category: "beton" glas holz metall mineral schaum textil`},
		{"one unknown value among known ones", "/v1/materials/search?category=holz,beton", `category: "beton"`},
		{"values are case-sensitive", "/v1/materials/search?category=Holz", `category: "Holz"`},
		{"a display name is no value", "/v1/materials/search?category=Textile", `category: "Textile"`},
		{"a character", "/v1/materials/search?character=laut", `character: "laut" breitband hochton mittelton tiefton`},
		{"an installation type", "/v1/materials/search?installation=roof", `installation: "roof" ceiling floor free-standing wall window`},
		{"a manufacturer", "/v1/materials/search?manufacturer=niemand", `manufacturer: "niemand" beispiel-akustik teppichwerk`},
		{"a manufacturer that only an unpublished product has", "/v1/materials/search?manufacturer=geheim-ag", `manufacturer: "geheim-ag"`},
		{"a manufacturer's name is no slug", "/v1/materials/search?manufacturer=Panelwerk", `manufacturer: "Panelwerk"`},
		{"a fire class", "/v1/materials/search?fire_class=A3", `fire_class: "A3" A1 A2 B C D E F`},
		{"a fire class in small letters", "/v1/materials/search?fire_class=b", `fire_class: "b"`},
		{"a whole fire class", "/v1/materials/search?fire_class=B-s1", `fire_class: "B-s1"`},
		{"a sort", "/v1/materials/search?sort=price", `sort: "price" relevance alphaW_desc alphaW_asc date_desc name_asc`},
		{"a sort in other letters", "/v1/materials/search?sort=NAME_ASC", `sort: "NAME_ASC"`},
		{"an include, of search", "/v1/materials/search?include=images", `include: "images" acoustics geometry`},
		{"an include, of detail", "/v1/materials/panel-2?include=Geometry", `include: "Geometry" acoustics geometry`},
		{"an include, of batch", "/v1/materials?ids=panel-2&include=geometry,x", `include: "x" acoustics geometry`},
		{"alpha_w_min over 1", "/v1/materials/search?alpha_w_min=1.01", `alpha_w_min: "1.01" between 0 and 1`},
		{"alpha_w_min under 0", "/v1/materials/search?alpha_w_min=-0.01", `alpha_w_min: "-0.01" between 0 and 1`},
		{"alpha_w_max over 1", "/v1/materials/search?alpha_w_max=2", `alpha_w_max: "2" between 0 and 1`},
		{"alpha_w bounds crossed", "/v1/materials/search?alpha_w_min=0.6&alpha_w_max=0.5", `alpha_w_min 0.6 alpha_w_max 0.5`},
		{"a number with a plus", "/v1/materials/search?alpha_w_min=%2B1", `alpha_w_min: "+1"`},
		{"a number without a digit before the point", "/v1/materials/search?alpha_w_min=.5", `alpha_w_min: ".5"`},
		{"a number without a digit behind the point", "/v1/materials/search?alpha_w_min=1.", `alpha_w_min: "1."`},
		{"a number with a leading zero", "/v1/materials/search?alpha_w_min=01", `alpha_w_min: "01"`},
		{"an unknown parameter", "/v1/materials/search?kaufbar=1", `"kaufbar" unknown`},
		{"a misspelt parameter", "/v1/materials/search?alpha_w_mn=0.5", `"alpha_w_mn" nearest "alpha_w_min"`},
		{"detail: a parameter of search", "/v1/materials/panel-2?facets=1", `"facets" unknown "include"`},
		{"batch: the parameter of compare", "/v1/materials?id=panel-2", `"id" nearest "ids"`},
		{"not a number", "/v1/materials/search?alpha_w_min=NaN", `alpha_w_min: "NaN"`},
		{"a decimal comma", "/v1/materials/search?alpha_w_min=0,5", `alpha_w_min: "0,5" decimal point`},
		{"a number with trailing text", "/v1/materials/search?alpha_w_min=0.5x", `alpha_w_min: "0.5x"`},
		{"a hexadecimal number", "/v1/materials/search?alpha_w_min=0x1p-2", `alpha_w_min: "0x1p-2"`},
		{"a boolean", "/v1/materials/search?has_epd=yes", `has_epd: "yes" true 1 false 0`},
		{"a boolean, facets", "/v1/materials/search?facets=on", `facets: "on"`},
		{"a boolean, purchasable_only", "/v1/materials/search?purchasable_only=2", `purchasable_only: "2"`},
		{"a page that is no integer", "/v1/materials/search?page=1.0", `page: "1.0"`},
		{"a page with a plus", "/v1/materials/search?page=%2B1", `page: "+1"`},
		{"a page over 64 bits", "/v1/materials/search?page=9223372036854775808", `page: "9223372036854775808"`},
		{"a limit that is no integer", "/v1/materials/search?limit=ten", `limit: "ten"`},
		{"an underscore in a number", "/v1/materials/search?limit=1_0", `limit: "1_0"`},
		{"a full-width digit", "/v1/materials/search?limit=%EF%BC%91", `limit:`},
		{"a single-valued parameter twice with different values", "/v1/materials/search?limit=3&limit=4", `limit: "3" "4"`},
		{"q twice with different values", "/v1/materials/search?q=a&q=b", `q: "a" "b"`},
		{"sort twice with different values", "/public/search?sort=relevance&sort=date_desc", `sort: "relevance" "date_desc"`},
		{"a fault behind a good value", "/v1/materials/search?limit=3&limit=x", `limit: "x"`},
		{"q of 201 characters", "/v1/materials/search?q=" + strings.Repeat("a", 201), `q: 201 200`},
		{"a semicolon in the query string", "/v1/materials/search?q=a;b", "semicolon"},
		{"a semicolon in a parameter that is ignored", "/public/search?x=1;y=2", "semicolon"},
		{"q that is not UTF-8", "/v1/materials/search?q=%FF", "q UTF-8"},
		{"percent-encoding that is none", "/v1/materials/search?q=%zz", "q percent-encoding"},
		{"percent-encoding that is cut off", "/public/search?q=a%2", "q percent-encoding"},
		{"a parameter's name that is not UTF-8", "/public/search?%FF=1", "UTF-8"},
		{"a query string over 16 KiB", "/public/search?x=" + strings.Repeat("y", 16383), "16385 16384"},
		{"public: a page that is no integer", "/public/search?page=x", `page: "x"`},
		{"public: a boolean", "/public/search?kaufbar=ja", `kaufbar: "ja"`},
		{"public: another boolean", "/public/search?epd=wahr", `epd: "wahr"`},
		{"public: min outside 0 to 1", "/public/search?min=1.5", `min: "1.5"`},
		{"public: max outside 0 to 1", "/public/search?max=-1", `max: "-1"`},
		{"public: min and max crossed", "/public/search?min=0.9&max=0.1", `min 0.9 max 0.1`},
		{"public: a malformed number", "/public/search?min=1e-x", `min: "1e-x"`},
		{"public: an unknown sort", "/public/search?sort=alphaw_desc", `sort: "alphaw_desc"`},
		{"public: q of 201 characters", "/public/search?q=" + strings.Repeat("%C3%A4", 201), `q: 201 200`},
		{"several faults are told at once", "/v1/materials/search?limit=x&sort=y&category=z", `limit: "x" category: "z" sort: "y"`},
		{"batch: 51 identifiers", "/v1/materials?ids=" + strings.Repeat("a,", 51), `ids: 51 50`},
		{"batch: a query string that is no good", "/v1/materials?ids=a;b", "semicolon"},
		{"compare: a query string that is no good", "/public/compare-products?id=%zz", "id percent-encoding"},
		{"detail: a query string that is no good", "/v1/materials/panel-2?x=%zz", "percent-encoding"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			a := s.getAs(t, sharedServer.key, tt.path)
			if a.status != 400 || a.code() != "invalid_request" {
				t.Fatalf("got %d %s", a.status, a.body)
			}
			message := a.json("message").String()
			for _, part := range strings.Fields(tt.says) {
				if !strings.Contains(message, part) {
					t.Errorf("the message lacks %s: %s", part, message)
				}
			}
		})
	}
	t.Run("at most ten allowed values are listed, and long values are cut", func(t *testing.T) {
		dir := t.TempDir()
		var catalogue strings.Builder
		for n := range 12 {
			catalogue.WriteString(record(t, map[string]any{
				"id": "10000000-0000-4000-8000-0000000000" + string(rune('a'+n%6)) + string(rune('0'+n/6)), "label": "L", "manufacturer": "Werk",
				"material_category": "kategorie-" + string(rune('a'+n)),
			}))
		}
		writeFile(t, dir+"/c.ndjson", catalogue.String())
		must(t, dir, "build", "c.ndjson")
		key := createKey(t, dir, "A")
		server := start(t, dir, generous...)
		message := server.getAs(t, key, "/v1/materials/search?category="+strings.Repeat("x", 5000)).json("message").String()
		if n := strings.Count(message, "kategorie-"); n != 10 || !strings.Contains(message, "kategorie-a") || strings.Contains(message, "kategorie-k") || len(message) > 1000 {
			t.Errorf("%d values in %s", n, message)
		}
	})
}
