package serve_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestSpellings sends the same request in many spellings. Each row begins with the normal spelling.
func TestSpellings(t *testing.T) {
	t.Parallel()
	s := shared(t)
	search, public := "/v1/materials/search?", "/public/search?"
	const id = "c2a1d0e9-8b7f-5a6c-9d4e-3f2b1a0c9d8e"
	tests := []struct {
		rule, path string
		spellings  []string
	}{
		{"comma list, repeated parameter, or both mixed", search, []string{"category=holz,metall,textil",
			"category=holz&category=metall&category=textil", "category=holz,metall&q=&category=textil"}},
		{"an encoded comma separates as well", search, []string{"category=holz,metall", "category=holz%2Cmetall"}},
		{"blanks around values are trimmed, empty values dropped", search, []string{"category=holz,metall",
			"category=+holz+,,%09metall%C2%A0,", "category=&category=holz&category=,metall"}},
		{"duplicates collapse", search, []string{"category=holz&facets=1", "category=holz,holz&category=holz&facets=1"}},
		{"also in long lists", search, []string{"category=holz&facets=1", "category=holz&facets=1&category=" +
			strings.Repeat("holz,", 3000)}},
		{"the order of values does not matter", public, []string{"categories=holz,metall", "categories=metall,holz"}},
		{"an empty parameter is an absent one", search,
			[]string{"", "q=&page=&limit=&category=&alpha_w_min=&fire_class=&has_epd=&sort=&include=&facets="}},
		{"an empty parameter is an absent one, in public too", public,
			[]string{"", "q=&kaufbar=&type=&min=&epd=&sort=&page=&locale="}},
		{"an empty one that is unknown is absent too", search, []string{"", "foo=&bar"}},
		{"a parameter without = is an empty one", public, []string{"", "q", "q&page&&epd"}},
		{"only the first = separates", public, []string{"q=a%3Db", "q=a=b"}},
		{"a blank q is absent", public, []string{"", "q=+%09+"}},
		{"a q of punctuation is blank", search, []string{"", "q=%3F%21..."}},
		{"a q is trimmed, and its commas are text", public, []string{"q=Vlies,+Filz", "q=++Vlies,+Filz+"}},
		{"unknown parameters change nothing in public", public,
			[]string{"q=Vlies", "q=Vlies&Q=x&utm_source=mail&category=x&page%20=x&limit=5"}},
		{"names are case-sensitive", public, []string{"", "Categories=x&PAGE=x"}},
		{"name[] is the parameter", search, []string{"category=holz,metall", "category[]=holz&category[]=metall",
			"category%5B%5D=holz,metall", "category[]=holz&category=metall"}},
		{"a name may be percent-encoded", search, []string{"limit=3", "%6Cimit=3"}},
		{"booleans: true, 1, any case", search, []string{"has_epd=true", "has_epd=1", "has_epd=TRUE", "has_epd=True",
			"has_epd=tRuE"}},
		{"booleans: false is no restriction", search, []string{"", "has_epd=false&purchasable_only=0&facets=FALSE"}},
		{"a single-valued parameter given twice with one meaning", search, []string{"limit=3&has_epd=true&q=Vlies",
			"limit=3&limit=03&limit=&has_epd=true&has_epd=1&q=+&q=Vlies&q=+Vlies+"}},
		{"integers: a minus and leading zeros", search, []string{"page=0", "page=-0", "page=000", "page=-7"}},
		{"numbers: JSON's grammar", search, []string{"alpha_w_min=0.5", "alpha_w_min=0.50", "alpha_w_min=5e-1",
			"alpha_w_min=5E-01", "alpha_w_min=0.05e%2B1"}},
		{"numbers: an integer", search, []string{"alpha_w_min=1", "alpha_w_min=1.0", "alpha_w_min=1.000"}},
		{"numbers: minus zero, and as good as zero", search, []string{"alpha_w_min=0", "alpha_w_min=-0", "alpha_w_min=-0.0",
			"alpha_w_min=0." + strings.Repeat("0", 400) + "1"}},
		{"locale in any case", public, []string{"locale=en", "locale=EN", "locale=eN-gB", "locale=en&locale=en-US"}},
		{"locale: any language except English is German, also repeated", public, []string{"", "locale=de&locale=fr",
			"locale=&locale=%00&locale=", "locale=english"}},
		{"include is a list", search, []string{"include=acoustics,geometry", "include=geometry&include=+acoustics,",
			"include=geometry,acoustics,geometry"}},
		{"plus and %20 are a blank", public, []string{"q=Deckensegel+Wolke", "q=Deckensegel%20Wolke"}},
		{"a semicolon as %3B", public, []string{"q=Filz+ist+9", "q=Filz%3B+ist+9"}},
		{"an ampersand as %26", public, []string{"q=M%C3%BCller+%26+S%C3%B6hne", "q=M%C3%BCller+%26+S%C3%B6hne&"}},
		{"200 characters, which may be more bytes", public, []string{"q=" + strings.Repeat("%C3%A4", 200)}},
		{"200 characters after trimming", public, []string{"q=+++" + strings.Repeat("a", 200) + "+++"}},
		{"UUIDs in any case", public, []string{"manufacturers=" + id, "manufacturers=" + strings.ToUpper(id) + "," + id}},
		{"a query string of 16 KiB", public,
			[]string{"q=Vlies", "q=Vlies&x=" + strings.Repeat("y", 16384-len("q=Vlies&x="))}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			var plain *answer
			for i, query := range tt.spellings {
				a := s.get(t, tt.path+query)
				if a.status != 200 {
					t.Errorf("%s: got %d %s", query, a.status, a.body)
				} else if i == 0 {
					plain = a
				} else if a.body != plain.body {
					t.Errorf("%.80s: not the answer to %s", query, tt.spellings[0])
				}
			}
		})
	}
}

// TestInvalidParameters checks that the message of a 400 contains the parameter, the value and, if there is a
// list, up to ten allowed values and the most similar one.
func TestInvalidParameters(t *testing.T) {
	t.Parallel()
	s := shared(t)
	const (
		parameters    = `; allowed: "category", "character", "installation", "manufacturer", "include", "absorption_min", "absorption_max", "scattering_min", "diffusion_min", "mounting" and 20 more`
		categories    = `; allowed: "glas", "holz", "metall", "mineral", "schaum", "textil"`
		classes       = `; allowed: "A1", "A2", "B", "C", "D", "E", "F"`
		sorts         = `; allowed: "relevance", "alphaW_desc", "alphaW_asc", "date_desc", "name_asc", "margin_desc", "distance_asc", "thickness_asc", "depth_asc"`
		includes      = `; allowed: "acoustics", "geometry"`
		manufacturers = ` is not a known value; allowed: "beispiel-akustik", "mueller-soehne", "nordklang-aps", "ohne-namen", "panelwerk", "ptb-braunschweig", "teppichwerk"`
		boolean       = ` is not a boolean; allowed: true, 1, false, 0`
		integer       = ` is not a 64-bit integer`
		number        = ` is not a number such as 0.85`
		comma         = ` has a comma where a decimal point is expected, as in 0.85`
		fraction      = ` is not between 0 and 1`
		twice         = `conflicting values `
		encoding      = ` is not valid percent-encoding`
		semicolon     = `the query string has a semicolon: separate parameters with &, and write a semicolon in a value as %3B`
	)
	tests := []struct{ rule, path, message string }{
		{"a category that is not in the vocabulary", "search?category=beton", `category: "beton" is not a known value` +
			categories},
		{"one unknown value among known ones", "search?category=holz,beton", `category: "beton" is not a known value` +
			categories},
		{"values are case-sensitive", "search?category=Holz",
			`category: "Holz" is not a known value; the nearest is "holz"` + categories},
		{"a display name is no value", "search?category=Textile",
			`category: "Textile" is not a known value; the nearest is "textil"` + categories},
		{"a misspelt value", "search?category=textli", `category: "textli" is not a known value; the nearest is "textil"` +
			categories},
		{"a character", "search?character=laut",
			`character: "laut" is not a known value; allowed: "breitband", "hochton", "mittelton", "tiefton"`},
		{"an installation type", "search?installation=roof",
			`installation: "roof" is not a known value; allowed: "ceiling", "floor", "free-standing", "wall", "window"`},
		{"a manufacturer", "search?manufacturer=niemand", `manufacturer: "niemand"` + manufacturers},
		{"a manufacturer that only an unpublished product has", "search?manufacturer=geheim-ag",
			`manufacturer: "geheim-ag"` + manufacturers},
		{"a manufacturer's name is no slug", "search?manufacturer=Akustik", `manufacturer: "Akustik"` + manufacturers},
		{"a fire class", "search?fire_class=G", `fire_class: "G" is not a fire class` + classes},
		{"a fire class in small letters", "search?fire_class=b", `fire_class: "b" is not a fire class; the nearest is "B"` +
			classes},
		{"a whole fire class", "search?fire_class=B-s1,d0", `fire_class: "B-s1,d0" is not a fire class; the nearest is "B"` +
			classes},
		{"a sort", "search?sort=price", `sort: "price" is not a sort order` + sorts},
		{"a sort in other letters", "search?sort=NAME_ASC", `sort: "NAME_ASC" is not a sort order; the nearest is "name_asc"` +
			sorts},
		{"a list of sorts", "search?sort=date_desc,name",
			`sort: "date_desc,name" is not a sort order; the nearest is "date_desc"` + sorts},
		{"an include, of search", "search?include=acoustics,images", `include: "images" is not an allowed value` + includes},
		{"an include, of detail", "panel-2?include=Geometry", `include: "Geometry" is not an allowed value; the nearest is "geometry"` +
			includes},
		{"an include, of batch", "?ids=panel-2&include=geometry,x", `include: "x" is not an allowed value` + includes},

		{"an unknown parameter", "search?kaufbar=1", `the parameter "kaufbar" is unknown` + parameters},
		{"authenticated search knows no locale", "search?locale=en", `the parameter "locale" is unknown` + parameters},
		{"a misspelt parameter", "search?catgory=holz",
			`the parameter "catgory" is unknown; the nearest is "category"` + parameters},
		{"a parameter in other letters", "search?fireClass=B",
			`the parameter "fireClass" is unknown; the nearest is "fire_class"` + parameters},
		{"a parameter of public search", "search?manufacturers=x",
			`the parameter "manufacturers" is unknown; the nearest is "manufacturer"` + parameters},
		{"a list of a parameter that has one value", "search?page[]=1",
			`the parameter "page[]" is unknown; the nearest is "page"` + parameters},
		{"with other faults", "search?lmit=5&page=x", `the parameter "lmit" is unknown; the nearest is "limit"` +
			parameters + `; page: "x"` + integer},
		{"detail: a parameter of search", "panel-2?facets=1", `the parameter "facets" is unknown; allowed: "include"`},
		{"batch: the parameter of compare", "?id=panel-2",
			`the parameter "id" is unknown; the nearest is "ids"; allowed: "ids", "include"`},
		{"batch: another spelling of ids", "?IDs=panel-2",
			`the parameter "IDs" is unknown; the nearest is "ids"; allowed: "ids", "include"`},

		{"a boolean", "search?has_epd=yes", `has_epd: "yes"` + boolean},
		{"a boolean, facets", "search?facets=on", `facets: "on"` + boolean},
		{"a boolean, purchasable_only", "search?purchasable_only=2", `purchasable_only: "2"` + boolean},
		{"public: a boolean", "public?kaufbar=ja", `kaufbar: "ja"` + boolean},
		{"public: another boolean", "public?epd=wahr", `epd: "wahr"` + boolean},
		{"a page that is no integer", "search?page=1.0", `page: "1.0"` + integer},
		{"public: a page that is no integer", "public?page=x", `page: "x"` + integer},
		{"an integer with a plus", "search?limit=%2B1", `limit: "+1"` + integer},
		{"an integer with a blank", "search?limit=+1", `limit: " 1"` + integer},
		{"an integer over 64 bits", "search?limit=9223372036854775808", `limit: "9223372036854775808"` + integer},
		{"an integer under 64 bits", "search?limit=-9223372036854775809", `limit: "-9223372036854775809"` + integer},
		{"an integer with an exponent", "search?limit=1e1", `limit: "1e1"` + integer},
		{"a hexadecimal integer", "search?limit=0x10", `limit: "0x10"` + integer},
		{"an underscore in an integer", "search?limit=1_0", `limit: "1_0"` + integer},
		{"only a minus", "search?limit=-", `limit: "-"` + integer},
		{"an integer followed by text", "search?limit=1x", `limit: "1x"` + integer},
		{"a list of integers", "search?limit=1,2", `limit: "1,2"` + integer},
		{"other digits", "search?limit=%D9%A1", `limit: "١"` + integer},

		{"alpha_w_min over 1", "search?alpha_w_min=1.01", `alpha_w_min: "1.01"` + fraction},
		{"alpha_w_min under 0", "search?alpha_w_min=-0.01", `alpha_w_min: "-0.01"` + fraction},
		{"alpha_w_max over 1", "search?alpha_w_max=2", `alpha_w_max: "2"` + fraction},
		{"far over 1", "search?alpha_w_min=" + strings.Repeat("9", 400), `alpha_w_min: "` + strings.Repeat("9", 60) + `…"` +
			fraction},
		{"far over 1, by its exponent", "search?alpha_w_max=1e999", `alpha_w_max: "1e999"` + fraction},
		{"alpha_w bounds crossed", "search?alpha_w_min=0.6&alpha_w_max=0.5",
			`alpha_w_min: 0.6 is larger than alpha_w_max, 0.5`},
		{"public: min outside 0 to 1", "public?min=1.5", `min: "1.5"` + fraction},
		{"public: max outside 0 to 1", "public?max=-1", `max: "-1"` + fraction},
		{"public: min and max crossed", "public?min=0.9&max=0.1", `min: 0.9 is larger than max, 0.1`},
		{"both bounds are wrong", "public?min=a&max=b", `min: "a"` + number + `; max: "b"` + number},
		{"a number with a plus", "search?alpha_w_min=%2B1", `alpha_w_min: "+1"` + number},
		{"a number without a digit before the point", "search?alpha_w_min=.5", `alpha_w_min: ".5"` + number},
		{"a number without a digit after the point", "search?alpha_w_min=1.", `alpha_w_min: "1."` + number},
		{"a number with a leading zero", "search?alpha_w_min=01", `alpha_w_min: "01"` + number},
		{"an exponent without digits", "search?alpha_w_min=1e", `alpha_w_min: "1e"` + number},
		{"an exponent with only a sign", "search?alpha_w_min=1e-", `alpha_w_min: "1e-"` + number},
		{"an exponent that is none", "public?min=1e-x", `min: "1e-x"` + number},
		{"an exponent of no number", "search?alpha_w_min=e1", `alpha_w_min: "e1"` + number},
		{"not a number", "search?alpha_w_min=NaN", `alpha_w_min: "NaN"` + number},
		{"infinity", "search?alpha_w_max=Inf", `alpha_w_max: "Inf"` + number},
		{"a decimal comma", "search?alpha_w_min=0,5", `alpha_w_min: "0,5"` + comma},
		{"two of them", "search?alpha_w_min=0,5,5", `alpha_w_min: "0,5,5"` + number},
		{"a number followed by text", "search?alpha_w_min=0.5x", `alpha_w_min: "0.5x"` + number},
		{"a hexadecimal number", "search?alpha_w_min=0x1p-2", `alpha_w_min: "0x1p-2"` + number},

		{"a single-valued parameter twice with different values", "search?limit=3&limit=4", `limit: ` + twice +
			`"3" and "4"`},
		{"a boolean twice", "search?has_epd=1&has_epd=0", `has_epd: ` + twice + `"1" and "0"`},
		{"a bound twice", "public?min=0.1&min=0.2", `min: ` + twice + `"0.1" and "0.2"`},
		{"q twice with different values", "search?q=a&q=b", `q: ` + twice + `"a" and "b"`},
		{"sort twice with different values", "public?sort=relevance&sort=date_desc", `sort: ` + twice +
			`"relevance" and "date_desc"`},
		{"an invalid value after a valid one", "search?limit=3&limit=x", `limit: "x"` + integer},
		{"public: an unknown sort", "public?sort=name_desc", `sort: "name_desc" is not a sort order; the nearest is "name_asc"` +
			sorts},
		{"q of 201 characters", "search?q=" + strings.Repeat("a", 201), `q: "` + strings.Repeat("a", 60) +
			`…" has 201 characters; the maximum is 200`},
		{"public: q of 201 characters", "public?q=" + strings.Repeat("%C3%A4", 201), `q: "` + strings.Repeat("ä", 60) +
			`…" has 201 characters; the maximum is 200`},
		{"several faults are listed together", "search?limit=x&sort=y&category=z", `limit: "x"` + integer +
			`; category: "z" is not a known value` + categories + `; sort: "y" is not a sort order` + sorts},

		{"a semicolon", "search?q=a;b", semicolon},
		{"a semicolon in a parameter that is ignored", "public?x=1;y=2", semicolon},
		{"a semicolon, of batch", "?ids=a;b", semicolon},
		{"q that is not UTF-8", "search?q=%FF", `the parameter "q": "%FF" is not UTF-8`},
		{"surrogates", "public?q=%ed%a0%80", `the parameter "q": "%ed%a0%80" is not UTF-8`},
		{"percent-encoding that is none", "search?q=%zz", `the parameter "q": "%zz"` + encoding},
		{"percent-encoding that is cut off", "public?q=a%2", `the parameter "q": "a%2"` + encoding},
		{"percent-encoding of what is unknown", "panel-2?x=%zz", `the parameter "x": "%zz"` + encoding},
		{"percent-encoding of a name", "public?%zz=1", `the parameter name "%zz"` + encoding},
		{"a name that is not UTF-8", "public?%FF=1", `the parameter name "%FF" is not UTF-8`},
		{"percent-encoding, of compare", "compare?id=%zz", `the parameter "id": "%zz"` + encoding},
		{"percent-encoding, of the description", "description?x=%zz", `the parameter "x": "%zz"` + encoding},
		{"a query string over 16 KiB", "public?x=" + strings.Repeat("y", 16383),
			`the query string is too long: it has 16385 bytes, and the maximum is 16384`},
	}
	others := strings.NewReplacer("/v1/materials/public?", "/public/search?", "/v1/materials/compare?",
		"/public/compare-products?",
		"/v1/materials/description?", "/v1/openapi.json?", "/v1/materials/?", "/v1/materials?")
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			a := s.get(t, others.Replace("/v1/materials/"+tt.path))
			if a.status != 400 || a.code() != "invalid_request" || !strings.HasPrefix(a.message(), tt.message) {
				t.Errorf("got  %d %s\nwant %s", a.status, a.message(), tt.message)
			}
		})
	}
	t.Run("at most ten allowed values are listed, and long values are cut", func(t *testing.T) {
		var records strings.Builder
		for n := range 12 {
			fmt.Fprintf(&records,
				`{"id":"10000000-0000-4000-8000-%012d","label":"L","manufacturer":"Werk","material_category":"kategorie-%c"}`+"\n",
				n, 'a'+n)
		}
		message := newSite(t, settings{folder: built(t, records.String())}).get(t, "/v1/materials/search?category="+
			strings.Repeat("x", 5000)).message()
		if n := strings.Count(message, "kategorie-"); n != 10 || !strings.Contains(message, "kategorie-a") ||
			!strings.HasSuffix(message, " and 2 more") || len(message) > 1000 {
			t.Errorf("%d values in %s", n, message)
		}
	})
}

func TestPublicAnswersNameWhatTheyIgnore(t *testing.T) {
	t.Parallel()
	s := shared(t)
	many := ""
	for n := range 12 {
		many += fmt.Sprintf("&p%d=x", n)
	}
	tests := []struct {
		rule, path, ignored string
		status              int
	}{
		{"nothing unknown", "/public/search?q=Vlies&type[]=wall", "", 200},
		{"one, each once", "/public/search?utm_source=a&q=Vlies&utm_source=b", "utm_source", 200},
		{"several, in their order", "/public/search?fbclid=1&categry=holz", "fbclid, categry", 200},
		{"percent-encoded", "/public/search?a%2Cb=1&gr%C3%B6%C3%9Fe=2&c+d=3&x%0D%0Ay=4",
			"a%2Cb, gr%C3%B6%C3%9Fe, c%20d, x%0D%0Ay", 200},
		{"brackets of a parameter that is not a list", "/public/search?page[]=1", "page%5B%5D", 200},
		{"at most ten", "/public/search?q=x" + many, "p0, p1, p2, p3, p4, p5, p6, p7, p8, p9", 200},
		{"names are cut", "/public/search?" + strings.Repeat("n", 61) + "=1", strings.Repeat("n", 60) + "%E2%80%A6", 200},
		{"an empty one is absent", "/public/search?_=&q=x", "", 200},
		{"with a fault in another", "/public/search?_=1&page=x", "_", 400},
		{"compare", "/public/compare-products?id[]=panel-2&ids=x", "ids", 200},
		{"compare without identifiers", "/public/compare-products?ids=x", "ids", 400},
		{"the description ignores parameters", "/v1/openapi.json?x=1", "", 200},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if a := s.get(t, tt.path); a.status != tt.status || a.header.Get("X-Ignored-Parameters") != tt.ignored {
				t.Errorf("got %d, ignored %q, want %d, %q", a.status, a.header.Get("X-Ignored-Parameters"), tt.status, tt.ignored)
			}
		})
	}
}
