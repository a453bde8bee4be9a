package serve_test

import (
	"fmt"
	"strings"
	"testing"
)

func TestAuthenticatedSearchRefusesWhatItDoesNotKnow(t *testing.T) {
	w := newSite(t, settings{})
	const parameters = `"category", "character", "installation", "manufacturer", "include", "q", "page", "limit", "alpha_w_min", "alpha_w_max" and 5 more`
	tests := []struct{ rule, query, message string }{
		{"a category", "category=holz,gips", `category: "gips" is not a known value; allowed: "glas", "holz", "metall", "textil"`},
		{"a category of another case", "category=Holz", `category: "Holz" is not a known value, the nearest is "holz"; allowed: "glas", "holz", "metall", "textil"`},
		{"a category that is misspelt", "category=textli", `category: "textli" is not a known value, the nearest is "textil"; allowed: "glas", "holz", "metall", "textil"`},
		{"a parameter", "foo=1", `the parameter "foo" is unknown here; allowed: ` + parameters},
		{"a parameter that is misspelt", "catgory=holz", `the parameter "catgory" is unknown here, the nearest is "category"; allowed: ` + parameters},
		{"a parameter in other letters", "fireClass=B", `the parameter "fireClass" is unknown here, the nearest is "fire_class"; allowed: ` + parameters},
		{"a parameter of public search", "manufacturers=acme", `the parameter "manufacturers" is unknown here, the nearest is "manufacturer"; allowed: ` + parameters},
		{"a list of a parameter that has one value", "page[]=1", `the parameter "page[]" is unknown here, the nearest is "page"; allowed: ` + parameters},
		{"a parameter beside other faults", "lmit=5&page=x", `the parameter "lmit" is unknown here, the nearest is "limit"; allowed: ` + parameters + `; page: "x" is not an integer of at most 64 bits`},
		{"a decimal comma", "alpha_w_min=0,8", `alpha_w_min: "0,8" has a comma where a decimal point is expected, as in 0.85`},
		{"a character", "character=laut", `character: "laut" is not a known value; allowed: "breitband", "hochton", "tiefton"`},
		{"an installation type", "installation=floor", `installation: "floor" is not a known value; allowed: "ceiling", "free-standing", "wall"`},
		{"a manufacturer", "manufacturer=acme", `manufacturer: "acme" is not a known value; allowed: "beispiel-akustik", "literatur", "mueller-soehne", "reihen-gmbh"`},
		{"a fire class", "fire_class=G", `fire_class: "G" is not a fire class; allowed: "A1", "A2", "B", "C", "D", "E", "F"`},
		{"a full fire class", "fire_class=B-s1,d0", `fire_class: "B-s1,d0" is not a fire class, the nearest is "B"; allowed: "A1", "A2", "B", "C", "D", "E", "F"`},
		{"a sort", "sort=price", `sort: "price" is not a sort; allowed: "relevance", "alphaW_desc", "alphaW_asc", "date_desc", "name_asc"`},
		{"an include", "include=acoustics,all", `include: "all" is not known; allowed: "acoustics", "geometry"`},
		{"alpha_w above 1", "alpha_w_max=1.5", `alpha_w_max: "1.5" is not between 0 and 1`},
		{"alpha_w below 0", "alpha_w_min=-1", `alpha_w_min: "-1" is not between 0 and 1`},
		{"a crossed range", "alpha_w_min=0.9&alpha_w_max=0.1", `alpha_w_min: 0.9 is more than alpha_w_max, 0.1`},
		{"a boolean", "has_epd=ja", `has_epd: "ja" is not a boolean; allowed: true, 1, false, 0`},
		{"a page", "page=two", `page: "two" is not an integer of at most 64 bits`},
		{"a limit", "limit=1e1", `limit: "1e1" is not an integer of at most 64 bits`},
		{"two values of a single-valued parameter", "limit=5&limit=6", `limit: given twice with different values, "5" and "6"`},
		{"a text of 201 characters", "q=" + strings.Repeat("a", 201), `q: "` + strings.Repeat("a", 60) + `…" has 201 characters; at most 200 are searched`},
		{"several faults", "page=x&sort=y", `page: "x" is not an integer of at most 64 bits; sort: "y" is not a sort; allowed: "relevance", "alphaW_desc", "alphaW_asc", "date_desc", "name_asc"`},
		{"a semicolon", "page=1;limit=2", `the query string has a semicolon: parameters are separated by &, and a semicolon in a value is written %3B`},
		{"a long query string", "x=" + strings.Repeat("a", 20<<10), `the query string has 20482 bytes; at most 16384 are read`},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			got := w.get(t, "/v1/materials/search?"+tt.query)
			if got.status != 400 || got.json("error").String() != "invalid_request" || got.json("message").String() != tt.message {
				t.Errorf("got %d %s\nwant %s", got.status, got.body, tt.message)
			}
		})
	}
}

func TestAuthenticatedSearchTakesWhatItKnows(t *testing.T) {
	w := newSite(t, settings{})
	tests := []struct {
		rule, query string
		total       int64
	}{
		{"nothing at all", "", 63},
		{"unknown parameters without a value are absent", "foo=&bar", 63},
		{"lists as clients write them", "category[]=holz&category%5B%5D=metall", 2},
		{"lists as clients write them, beside the plain form", "category[]=holz,textil&category=metall", 62},
		{"empty parameters are absent", "page=&limit=&q=&category=&sort=&include=&facets=&alpha_w_min=&fire_class=", 63},
		{"a declared value that no product has", "category=glas", 0},
		{"values of one family are joined by OR", "category=holz,metall", 2},
		{"comma list and repetition mixed, doubles and blanks", "category=+holz+,,holz&category=metall", 2},
		{"families are joined by AND", "category=textil&installation=wall&character=tiefton", 10},
		{"a manufacturer", "manufacturer=mueller-soehne,literatur", 2},
		{"ranges are inclusive", "alpha_w_min=0.05&alpha_w_max=0.05", 4},
		{"products without alpha_w never pass", "alpha_w_min=0", 62},
		{"a minimum fire class", "fire_class=A2", 6},
		{"the lowest fire class leaves out products without", "fire_class=F", 17},
		{"only with an EPD", "has_epd=TRUE", 16},
		{"false is no restriction", "has_epd=0&purchasable_only=false", 63},
		{"only commercial products", "purchasable_only=1", 62},
		{"punctuation alone is no text", "q=%3F%21...", 63},
		{"a text of 200 characters", "q=" + strings.Repeat("%C3%A4", 200), 0},
		{"a text in German", "q=akustikpaneel", 1},
		{"a text in English", "q=acoustic+panel", 1},
		{"an umlaut in a description", "q=vliesru%CC%88cken", 1},
		{"unpublished products are not found", "q=geheimes", 0},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			got := w.get(t, "/v1/materials/search?"+tt.query)
			if got.status != 200 || got.json("total_count").Int() != tt.total {
				t.Errorf("got %d with a total of %s, want %d: %.300s", got.status, got.json("total_count").Raw, tt.total, got.body)
			}
			if got.json("facets").Exists() {
				t.Error("facets that nobody asked for")
			}
		})
	}
}

func TestPages(t *testing.T) {
	w := newSite(t, settings{})
	tests := []struct {
		rule, query              string
		page, limit, items, more string
	}{
		{"defaults", "", "0", "20", "20", "true"},
		{"a page", "page=2&limit=30", "2", "30", "3", "false"},
		{"a page that ends with the result", "page=2&limit=21", "2", "21", "21", "false"},
		{"negative pages are 0", "page=-5", "0", "20", "20", "true"},
		{"the least of 64 bits", "page=-9223372036854775808", "0", "20", "20", "true"},
		{"limits below 1 are 1", "limit=0", "0", "1", "1", "true"},
		{"negative limits are 1", "limit=-20", "0", "1", "1", "true"},
		{"limits over 50 are 50", "limit=51", "0", "50", "50", "true"},
		{"the most of 64 bits", "limit=9223372036854775807&page=1", "1", "50", "13", "false"},
		{"a page past the end", "page=4", "4", "20", "0", "false"},
		{"the last page that can be asked for", "page=9223372036854775807", "9223372036854775807", "20", "0", "false"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			got := w.get(t, "/v1/materials/search?"+tt.query)
			want := strings.Join([]string{tt.page, tt.limit, tt.items, tt.more, "63"}, " ")
			have := strings.Join([]string{got.json("page").Raw, got.json("limit").Raw, fmt.Sprint(len(got.json("items").Array())), got.json("has_more").Raw, got.json("total_count").Raw}, " ")
			if got.status != 200 || have != want {
				t.Errorf("got %d with %s, want %s", got.status, have, want)
			}
		})
	}
	seen := map[string]bool{}
	for page := range 7 {
		for _, item := range w.get(t, fmt.Sprintf("/v1/materials/search?limit=10&page=%d", page)).json("items").Array() {
			seen[item.Get("id").String()] = true
		}
	}
	if len(seen) != 63 {
		t.Errorf("all pages together show %d products", len(seen))
	}
}

func TestPublicSearchParameters(t *testing.T) {
	w := newSite(t, settings{})
	tests := []struct {
		rule, query string
		total       int64
	}{
		{"nothing at all", "", 63},
		{"an unknown category matches nothing", "categories=gips", 0},
		{"unknown beside known", "categories=gips,holz", 1},
		{"an unknown character", "characters=laut", 0},
		{"an unknown type", "type=floor", 0},
		{"an unknown manufacturer", "manufacturers=acme", 0},
		{"a manufacturer's slug", "manufacturers=beispiel-akustik", 1},
		{"a manufacturer's id, in any case", "manufacturers=" + strings.ToUpper(manufacturerID), 1},
		{"types by list and repetition", "type=wall,ceiling&type=free-standing", 61},
		{"purchasable", "kaufbar=1", 62},
		{"with an EPD", "epd=true", 16},
		{"a range", "min=0.5&max=0.5", 3},
		{"authenticated parameters are unknown here", "category=gips&limit=5&fire_class=G", 63},
		{"nothing of this is a restriction", "kaufbar=false&epd=0&min=&q=+", 63},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			got := w.ask(t, "GET", w.base+"/public/search?"+tt.query)
			if got.status != 200 || got.json("total").Int() != tt.total || got.json("queryMeta.zeroResults").Bool() != (tt.total == 0) {
				t.Errorf("got %d with a total of %s, want %d", got.status, got.json("total").Raw, tt.total)
			}
			if n := int64(len(got.json("products").Array())); n != min(tt.total, 24) || got.json("hasMore").Bool() != (tt.total > 24) {
				t.Errorf("got %d products, hasMore %s", n, got.json("hasMore").Raw)
			}
		})
	}
	refused := []struct{ rule, query, message string }{
		{"a malformed number", "min=x", `min: "x" is not a number such as 0.85`},
		{"a number out of range", "max=2", `max: "2" is not between 0 and 1`},
		{"a crossed range", "min=1&max=0", `min: 1 is more than max, 0`},
		{"a malformed boolean", "kaufbar=ja", `kaufbar: "ja" is not a boolean; allowed: true, 1, false, 0`},
		{"another one", "epd=2", `epd: "2" is not a boolean; allowed: true, 1, false, 0`},
		{"a malformed page", "page=1.5", `page: "1.5" is not an integer of at most 64 bits`},
		{"an unknown sort", "sort=name_desc", `sort: "name_desc" is not a sort, the nearest is "name_asc"; allowed: "relevance", "alphaW_desc", "alphaW_asc", "date_desc", "name_asc"`},
		{"invalid UTF-8", "q=%c3", `the parameter "q": "%c3" is not UTF-8`},
	}
	for _, tt := range refused {
		t.Run(tt.rule, func(t *testing.T) {
			got := w.ask(t, "GET", w.base+"/public/search?"+tt.query)
			if got.status != 400 || got.json("error").String() != "invalid_request" || got.json("message").String() != tt.message {
				t.Errorf("got %d %s", got.status, got.body)
			}
		})
	}
	if got := w.ask(t, "GET", w.base+"/public/search?page=-3"); got.json("page").Raw != "0" {
		t.Errorf("a negative page became %s", got.json("page").Raw)
	}
	if got := w.ask(t, "GET", w.base+"/public/search?page=9"); got.status != 200 || got.json("products").Raw != "[]" || got.json("hasMore").Bool() {
		t.Errorf("a page past the end: got %d %.100s", got.status, got.body)
	}
}

func TestPublicAnswersNameWhatTheyIgnore(t *testing.T) {
	w := newSite(t, settings{})
	many := ""
	for n := range 12 {
		many += fmt.Sprintf("&p%d=x", n)
	}
	tests := []struct {
		rule, path, ignored string
		status              int
	}{
		{"nothing unknown", "/public/search?q=ziegel&type[]=wall", "", 200},
		{"one, each once", "/public/search?utm_source=a&q=ziegel&utm_source=b", "utm_source", 200},
		{"several, in their order", "/public/search?fbclid=1&categry=holz", "fbclid, categry", 200},
		{"percent-encoded", "/public/search?a%2Cb=1&gr%C3%B6%C3%9Fe=2&c+d=3&x%0D%0Ay=4", "a%2Cb, gr%C3%B6%C3%9Fe, c%20d, x%0D%0Ay", 200},
		{"a list that there is not", "/public/search?page[]=1", "page%5B%5D", 200},
		{"at most ten", "/public/search?q=x" + many, "p0, p1, p2, p3, p4, p5, p6, p7, p8, p9", 200},
		{"names are cut", "/public/search?" + strings.Repeat("n", 61) + "=1", strings.Repeat("n", 60) + "%E2%80%A6", 200},
		{"an empty one is absent", "/public/search?_=&q=x", "", 200},
		{"with a fault in another", "/public/search?_=1&page=x", "_", 400},
		{"compare", "/public/compare-products?id[]=" + panelID + "&ids=x", "ids", 200},
		{"compare without identifiers", "/public/compare-products?ids=x", "ids", 400},
		{"the description says nothing", "/v1/openapi.json?x=1", "", 200},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			got := w.ask(t, "GET", w.base+tt.path)
			if got.status != tt.status || got.header.Get("X-Ignored-Parameters") != tt.ignored {
				t.Errorf("got %d, ignored %q, want %d, %q", got.status, got.header.Get("X-Ignored-Parameters"), tt.status, tt.ignored)
			}
		})
	}
	plain, with := w.ask(t, "GET", w.base+"/public/search?q=ziegel"), w.ask(t, "GET", w.base+"/public/search?q=ziegel&_=1")
	if plain.body != with.body || plain.header.Get("ETag") != with.header.Get("ETag") {
		t.Error("what is ignored changes the answer")
	}
	if got := w.ask(t, "GET", w.base+"/public/search?q=ziegel&_=1", "If-None-Match", plain.header.Get("ETag")); got.status != 304 || got.header.Get("X-Ignored-Parameters") != "_" {
		t.Errorf("304: got %d, ignored %q", got.status, got.header.Get("X-Ignored-Parameters"))
	}
}

func TestLocalePicksTheLabelOnly(t *testing.T) {
	w := newSite(t, settings{})
	german := w.ask(t, "GET", w.base+"/public/search?q=akustikpaneel")
	for locale, want := range map[string]string{"en": "Acoustic panel spruce", "EN-gb": "Acoustic panel spruce", "de": "Akustikpaneel Fichte", "fr": "Akustikpaneel Fichte", "english": "Akustikpaneel Fichte"} {
		got := w.ask(t, "GET", w.base+"/public/search?q=akustikpaneel&locale="+locale)
		if got.json("products.0.label").String() != want || got.json("facets").Raw != german.json("facets").Raw || got.json("total").Int() != 1 {
			t.Errorf("%s: got %.300s", locale, got.body)
		}
	}
	if got := w.get(t, "/v1/materials/search?q=acoustic+panel"); got.json("items.0.label").String() != "Akustikpaneel Fichte" {
		t.Errorf("authenticated search: got %.300s", got.body)
	}
	if got := w.ask(t, "GET", w.base+"/public/search?locale=en&manufacturers=mueller-soehne"); got.json("products.0.label").String() != "Schlichtes" {
		t.Errorf("without a translation: got %.300s", got.body)
	}
}

func TestSortsAndQueryMeta(t *testing.T) {
	w := newSite(t, settings{})
	for query, first := range map[string]string{
		"":                       panelID,
		"?sort=relevance":        panelID,
		"?sort=date_desc":        panelID,
		"?sort=name_asc":         panelID,
		"?sort=alphaW_asc":       idOf(40), // 0.00, and the last changed of those
		"?sort=date_desc&page=2": idOf(12),
	} {
		if got := w.ask(t, "GET", w.base+"/public/search"+query).json("products.0.id").String(); got != first {
			t.Errorf("%s: got %s first, want %s", query, got, first)
		}
	}
	for query, want := range map[string]string{
		"":                         `{"normalizedQuery":"","usedFallback":false,"matchedStrategy":"none","zeroResults":false}`,
		"?q=Akustikpaneel+Fichte":  `{"normalizedQuery":"akustikpaneel fichte","usedFallback":false,"matchedStrategy":"exact","zeroResults":false}`,
		"?q=S%C3%84ule":            `{"normalizedQuery":"saule","usedFallback":false,"matchedStrategy":"none","zeroResults":true}`,
		"?q=akustikpanehl&epd=1":   `{"normalizedQuery":"akustikpanehl","usedFallback":true,"matchedStrategy":"fuzzy","zeroResults":false}`,
		"?q=stahlbeton&type=wall":  `{"normalizedQuery":"stahlbeton","usedFallback":false,"matchedStrategy":"none","zeroResults":true}`,
		"?q=ziegel&sort=name_asc":  `{"normalizedQuery":"ziegel","usedFallback":false,"matchedStrategy":"fts","zeroResults":false}`,
		"?q=%22%3C%5C%3E%22+Stoff": `{"normalizedQuery":"stoff","usedFallback":false,"matchedStrategy":"category","zeroResults":false}`,
	} {
		if got := w.ask(t, "GET", w.base+"/public/search"+query).json("queryMeta").Raw; got != want {
			t.Errorf("%s: got %s\nwant %s", query, got, want)
		}
	}
}

func TestIncludeChangesNeitherResultsNorOrder(t *testing.T) {
	w := newSite(t, settings{})
	plain := w.get(t, "/v1/materials/search?q=ziegel&limit=50")
	for _, include := range []string{"acoustics", "geometry", "acoustics,geometry"} {
		got := w.get(t, "/v1/materials/search?q=ziegel&limit=50&include="+include)
		if ids(got.json("items")) != ids(plain.json("items")) || got.json("total_count").Raw != plain.json("total_count").Raw {
			t.Errorf("include=%s changes the result", include)
		}
	}
	got := w.get(t, "/v1/materials/search?include=acoustics,geometry&category=holz").json("items.0")
	if got.Get("nrc").Raw != "0.9" || got.Get("absorption_octave.500").Raw != "0.95" || got.Get("geometry.shape").String() != "panel" {
		t.Errorf("got %s", got.Raw)
	}
}
