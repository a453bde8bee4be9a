package serve_test

import (
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"
)

// Short names for the products in testdata/catalogue, in document order.
var names = []struct{ short, slug string }{
	{"panel", "akustikpaneel-fichte-40"},
	{"segel", "deckensegel-wolke"},
	{"vorhang", "akustikvorhang-samt"},
	{"säule", "saeulenabsorber-rund"},
	{"diffusor", "qrd-diffusor-7"},
	{"mineral", "mineralwolle-45-600"},
	{"teppich", "nadelvlies-teppich"},
	{"holzwolle", "holzwolle-platte"},
	{"filz", "filzwand-grau"},
	{"panel2", "panel-2"},
	{"panel10", "panel-10"},
	{"kugel", "klangkugel"},
	{"äther", "aetherwand"},
	{"beton", "stahlbeton-glatt"},
	{"schlicht", "00000000-0000-4000-8000-000000000015"}, // a product without a slug
}

const everything = "panel segel vorhang säule diffusor mineral teppich holzwolle filz panel2 panel10 kugel äther beton schlicht"

// called returns the short names of the products on a page of search results.
func called(t testing.TB, a *answer) string {
	t.Helper()
	items := a.json("items")
	if !items.Exists() {
		items = a.json("products")
	}
	var all []string
	for _, item := range items.Array() {
		slug := item.Get("slug").String()
		if slug == "" {
			slug = item.Get("id").String()
		}
		i := slices.IndexFunc(names, func(n struct{ short, slug string }) bool { return n.slug == slug })
		if i < 0 {
			t.Fatalf("%s is not in the catalogue", slug)
		}
		all = append(all, names[i].short)
	}
	return strings.Join(all, " ")
}

// TestSearch searches for texts in both operations.
func TestSearch(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tests := []struct {
		rule, q, found string // found lists all hits in order
		strategy       string
		fallback       bool
		normalized     string // "" means the query itself
	}{
		// the buckets, best first
		{"exact: the label", "Deckensegel Wolke", "segel", "exact", false, "deckensegel wolke"},
		{"exact: the label in English", "acoustic curtain velvet", "vorhang", "exact", false, ""},
		{"exact: the commercial name", "Silentwood-40", "panel", "exact", false, "silentwood 40"},
		{"exact: the slug", "qrd-diffusor-7", "diffusor", "exact", false, "qrd diffusor 7"},
		{"exact: the id", "00000000-0000-4000-8000-000000000003", "vorhang", "exact", false,
			"00000000 0000 4000 8000 000000000003"},
		{"exact: the manufacturer", "müller & söhne", "segel vorhang filz", "exact", false, "muller sohne"},
		{"exact comes before fts", "Schlichtes Vlies", "schlicht segel", "exact", false, "schlichtes vlies"},
		{"prefix: of the label", "Deckense", "segel", "prefix", false, "deckense"},
		{"prefix: of the label, which ends inside a number", "Panel 1", "panel10", "prefix", false, "panel 1"},
		{"prefix: of the commercial name", "silentw", "panel", "prefix", false, ""},
		{"prefix: of the manufacturer, to the end of a word", "Beispiel", "panel säule holzwolle", "prefix", false,
			"beispiel"},
		{"fts: inside a word of the manufacturer", "nord", "teppich diffusor mineral kugel", "fts", false, ""},
		{"prefix comes before fts", "Akustik", "panel vorhang säule holzwolle", "prefix", false, "akustik"},
		{"prefix comes before category", "Decke", "segel panel diffusor mineral holzwolle kugel", "prefix", false, "decke"},
		{"category: the id value", "textil", "segel vorhang teppich filz", "category", false, ""},
		{"category: the display name in English", "broadband", "panel segel mineral filz", "category", false, ""},
		{"category: an installation type", "Freistehend", "vorhang säule filz kugel", "category", false, "freistehend"},
		{"category: a value of two words", "free-standing", "vorhang säule filz kugel", "category", false, "free standing"},
		{"category: a synonym", "Steinwolle", "mineral", "category", false, "steinwolle"},
		{"category comes before fts", "Stoff", "segel vorhang teppich filz säule kugel", "category", false, "stoff"},
		{"phrase: in the description", "Filz ist", "filz", "phrase", false, "filz ist"},
		{"phrase: in the label", "45/600", "mineral", "phrase", false, "45 600"},
		{"phrase comes before fts", "aus Vlies", "teppich schlicht segel panel", "phrase", false, "aus vlies"},
		{"fts: the better field first, then the word as it is before a part, then document order", "Vlies",
			"schlicht teppich segel panel", "fts", false, "vlies"},
		{"fts: every word has to occur", "Vlies Fichte", "panel", "fts", false, "vlies fichte"},
		{"fts: words in several fields", "Beispiel Fichte", "panel", "fts", false, "beispiel fichte"},
		{"fts: the order of the words does not matter", "Wolke Deckensegel", "segel", "fts", false, "wolke deckensegel"},
		{"fts: a German stem", "Stellwände", "filz", "fts", false, "stellwande"},
		{"fts: an English stem", "perforating", "panel", "fts", false, ""},
		{"fts: a part of a compound", "Absorber", "säule", "fts", false, "absorber"},
		{"fts: parts that drop an e, and by field", "Wolle", "mineral holzwolle filz", "fts", false, "wolle"},
		{"fts: the last word as the beginning of a word", "grau Stellw", "filz", "fts", false, "grau stellw"},
		{"fts: a synonym next to another word", "Stoff Samt", "vorhang", "fts", false, "stoff samt"},
		{"fts: neighbours that joined make a word", "Akustik Paneel", "panel", "fts", false, "akustik paneel"},
		{"fts: a word that neighbours make", "Nadelvliesteppich", "teppich", "fts", false, "nadelvliesteppich"},
		{"fts: a single function word is a word", "der", "filz", "fts", false, ""},
		{"fts: a function word next to another word is optional", "Samt für die", "vorhang", "fts", false, "samt fur die"},
		{"fuzzy: one letter too few", "Deckensegl", "segel", "fuzzy", true, "deckensegl"},
		{"fuzzy: a transposition counts 1", "Fihcte", "panel", "fuzzy", true, "fihcte"},
		{"fuzzy: distance 1 with four letters", "Samd", "vorhang", "fuzzy", true, "samd"},
		{"fuzzy: distance 2 with eight letters", "Klankugle", "kugel", "fuzzy", true, "klankugle"},
		{"fuzzy: as fts among words as far from the query", "Panwl", "panel panel2 panel10 äther", "fuzzy", true, "panwl"},
		{"fuzzy: every word, corrected where it must be", "Filzwant grau", "filz", "fuzzy", true, "filzwant grau"},
		{"trigram: a word with a digit is never corrected", "Panel 3", "panel2 panel10 äther", "trigram", true, "panel 3"},
		{"trigram: a substring", "kenseg", "segel", "trigram", true, ""},
		{"fts: all parts of a compound that no product has", "Samtvorhang Akustik", "vorhang", "fts", false,
			"samtvorhang akustik"},
		{"trigram: similarity", "Akustikvorxyz Samtxyz", "vorhang", "trigram", true, "akustikvorxyz samtxyz"},
		{"trigram: the weight of words", "Samt Unsinnwort Quatschig", "vorhang", "trigram", true,
			"samt unsinnwort quatschig"},
		{"none: nothing matches", "xyzzyq", "", "none", false, ""},
		{"none: no text", "", everything, "none", false, ""},
		{"a text of punctuation is blank", "–!? &", everything, "none", false, "-"},

		// different spellings with the same key
		{"umlauts: ä", "Säule", "säule", "prefix", false, "saule"},
		{"umlauts: ae", "Saeule", "säule", "prefix", false, "saeule"},
		{"umlauts: a", "Saule", "säule", "prefix", false, "saule"},
		{"umlauts: capitals", "SÄULE", "säule", "prefix", false, "saule"},
		{"umlauts: decomposed", "Sa\u0308ule", "säule", "prefix", false, "saule"},
		{"ß is ss", "Größen", "segel", "fts", false, "grossen"},
		{"ø is o", "Nordklang", "diffusor mineral kugel", "prefix", false, "nordklang"},
		{"numbers: a hyphen", "45-600", "mineral", "phrase", false, "45 600"},
		{"numbers: a blank", "45 600", "mineral", "phrase", false, "45 600"},
		{"full-width letters are letters", "Ｓａｍｔ", "vorhang", "fts", false, "samt"},
		{"an unpublished product is in no bucket", "Geheimer Absorber", "säule", "trigram", true, "geheimer absorber"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			normalized := tt.normalized
			switch normalized {
			case "":
				normalized = tt.q
			case "-":
				normalized = ""
			}
			q := "?q=" + url.QueryEscape(tt.q)
			a := s.get(t, "/public/search"+q)
			meta := a.json("queryMeta")
			if got := called(t, a); got != tt.found {
				t.Errorf("q=%s: got %s, want %s", tt.q, got, tt.found)
			}
			if got := meta.Get("matchedStrategy").String(); got != tt.strategy {
				t.Errorf("matchedStrategy: got %s, want %s", got, tt.strategy)
			}
			if got := meta.Get("usedFallback").Bool(); got != tt.fallback {
				t.Errorf("usedFallback: got %t", got)
			}
			if got := meta.Get("normalizedQuery").String(); got != normalized {
				t.Errorf("normalizedQuery: got %q, want %q", got, normalized)
			}
			if got := meta.Get("zeroResults").Bool(); got != (tt.found == "") {
				t.Errorf("zeroResults: got %t", got)
			}
			if got := called(t, s.get(t, "/v1/materials/search"+q)); got != tt.found {
				t.Errorf("authenticated: got %s, want %s", got, tt.found)
			}
			if got := called(t,
				s.get(t, "/v1/materials/search"+q+"&sort=relevance&facets=true&alpha_w_min=&limit=50")); got != tt.found {
				t.Errorf("authenticated with facets and a sort: got %s, want %s", got, tt.found)
			}
		})
	}
}

// TestSearchUnderFilters checks that buckets depend only on the text, and that filters only remove products.
func TestSearchUnderFilters(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tests := []struct {
		rule, query, found, strategy string
		fallback                     bool
	}{
		{"a filter takes away and leaves the order", "q=Vlies&categories=textil", "teppich segel", "fts", false},
		{"the strategy is the bucket of the top hit that is left", "q=Akustik&categories=schaum", "säule", "fts", false},
		{"when filters leave nothing of a strict match there is no fallback", "q=Vlies&categories=metall", "", "none", false},
		{"a filter leaves some of a fuzzy match", "q=Deckensegl&categories=textil", "segel", "fuzzy", true},
		{"the strategy is that of relevance order, with any sort", "q=Akustik&sort=alphaW_asc",
			"holzwolle vorhang säule panel", "prefix", false},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			a := s.get(t, "/public/search?"+tt.query)
			if got := called(t, a); got != tt.found || a.json("queryMeta.matchedStrategy").String() != tt.strategy ||
				a.json("queryMeta.usedFallback").Bool() != tt.fallback {
				t.Errorf("got %s %s, want %s %s", got, a.json("queryMeta").Raw, tt.found, tt.strategy)
			}
			if got := int(a.json("total").Int()); got != len(strings.Fields(tt.found)) {
				t.Errorf("total: got %d", got)
			}
		})
	}
}

func TestFilters(t *testing.T) {
	t.Parallel()
	s := shared(t)
	const beispiel = "c2a1d0e9-8b7f-5a6c-9d4e-3f2b1a0c9d8e"
	tests := []struct{ rule, authenticated, public, found string }{
		{"a category", "category=holz", "categories=holz", "panel diffusor holzwolle äther"},
		{"values of one family are joined by OR", "category=holz,metall", "categories=holz,metall",
			"panel diffusor holzwolle panel2 panel10 äther"},
		{"families are joined by AND", "category=holz&installation=ceiling", "categories=holz&type=ceiling",
			"panel diffusor holzwolle"},
		{"a character", "character=tiefton", "characters=tiefton", "säule kugel"},
		{"an installation type", "installation=floor", "type=floor", "teppich"},
		{"a product with several installation types comes once", "installation=wall,ceiling,free-standing",
			"type=wall,ceiling,free-standing",
			"panel segel vorhang säule diffusor mineral holzwolle filz panel2 panel10 kugel äther"},
		{"a declared value without products", "category=glas", "categories=glas", ""},
		{"a manufacturer by slug", "manufacturer=teppichwerk", "manufacturers=teppichwerk", "teppich"},
		{"public: a manufacturer by id, in any case", "", "manufacturers=" + strings.ToUpper(beispiel),
			"panel säule holzwolle"},
		{"public: slug and id of one manufacturer", "", "manufacturers=" + beispiel + ",beispiel-akustik,teppichwerk",
			"panel säule teppich holzwolle"},
		{"public: unknown values match nothing", "", "categories=beton", ""},
		{"public: unknown values do not hide known ones", "", "categories=beton,holz&manufacturers=beispiel-akustik,niemand",
			"panel holzwolle"},
		{"public: a value of only unpublished products matches nothing", "", "manufacturers=geheim-ag", ""},
		{"values are case-sensitive", "", "categories=Holz", ""},
		{"a least alpha_w is inclusive", "alpha_w_min=0.9", "min=0.9", "panel segel mineral"},
		{"a largest alpha_w is inclusive", "alpha_w_max=0.2", "max=0.2", "teppich beton"},
		{"both", "alpha_w_min=0.3&alpha_w_max=0.3", "min=0.3&max=0.3", "panel2 panel10"},
		{"a product without alpha_w never passes", "alpha_w_min=0&alpha_w_max=1", "min=0&max=1",
			"panel segel vorhang säule mineral teppich holzwolle filz panel2 panel10 äther beton"},
		{"fire class A1", "fire_class=A1", "", "mineral beton"},
		{"a fire class and the safer ones, floorings too", "fire_class=B", "", "panel segel mineral teppich holzwolle beton"},
		{"products without a fire class never pass", "fire_class=F", "",
			"panel segel vorhang säule diffusor mineral teppich holzwolle panel2 äther beton"},
		{"only with an EPD", "has_epd=true", "epd=true", "panel segel teppich"},
		{"has_epd=false is no restriction", "has_epd=false&category=textil", "epd=false&categories=textil",
			"segel vorhang teppich filz"},
		{"only purchasable products", "purchasable_only=true&alpha_w_max=0.55", "kaufbar=true&max=0.55",
			"teppich panel2 panel10 äther"},
		{"purchasable_only=false is no restriction", "purchasable_only=0&fire_class=A1", "", "mineral beton"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if tt.authenticated != "" {
				a := s.get(t, "/v1/materials/search?"+tt.authenticated)
				if got := called(t, a); got != tt.found || int(a.json("total_count").Int()) != len(strings.Fields(tt.found)) {
					t.Errorf("authenticated: got %s (%d), want %s", got, a.json("total_count").Int(), tt.found)
				}
			}
			if tt.public != "" {
				a := s.get(t, "/public/search?"+tt.public)
				if got := called(t, a); got != tt.found || int(a.json("total").Int()) != len(strings.Fields(tt.found)) {
					t.Errorf("public: got %s (%d), want %s", got, a.json("total").Int(), tt.found)
				}
			}
		})
	}
}

func TestSorts(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tests := []struct{ rule, query, found string }{
		{"without text, relevance is date_desc: undated last, equal dates by id", "", everything},
		{"relevance without text", "sort=relevance", everything},
		{"date_desc", "sort=date_desc", everything},
		{"alphaW_desc: ties by document order, products without alpha_w last", "sort=alphaW_desc",
			"mineral segel panel filz säule vorhang holzwolle äther panel2 panel10 teppich beton diffusor kugel schlicht"},
		{"alphaW_asc: ties by document order, products without alpha_w last too", "sort=alphaW_asc",
			"beton teppich panel2 panel10 äther holzwolle vorhang säule filz panel segel mineral diffusor kugel schlicht"},
		{"name_asc: German collation, digits in numeric order", "sort=name_asc",
			"panel vorhang äther segel diffusor filz holzwolle kugel mineral teppich panel2 panel10 säule schlicht beton"},
		{"date_desc with text", "sort=date_desc&q=Vlies", "panel segel teppich schlicht"},
		{"name_asc with text", "sort=name_asc&q=Akustik", "panel vorhang holzwolle säule"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			if got := called(t, s.get(t, "/v1/materials/search?"+tt.query)); got != tt.found {
				t.Errorf("authenticated: got %s, want %s", got, tt.found)
			}
			if got := called(t, s.get(t, "/public/search?"+tt.query)); got != tt.found {
				t.Errorf("public: got %s, want %s", got, tt.found)
			}
		})
	}
	t.Run("name_asc under English collation sorts by the English labels", func(t *testing.T) {
		const want = "vorhang panel segel säule diffusor filz holzwolle mineral teppich panel2 panel10 schlicht beton kugel äther"
		if got := called(t, s.get(t, "/public/search?sort=name_asc&locale=en")); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
}

func TestLocale(t *testing.T) {
	t.Parallel()
	s := shared(t)
	tests := []struct{ rule, locale, label string }{
		{"German by default", "", "Säulenabsorber rund"},
		{"en", "?locale=en", "Column absorber round"},
		{"in any case", "?locale=EN", "Column absorber round"},
		{"every en-…", "?locale=en-GB", "Column absorber round"},
		{"en-… in any case", "?locale=En-us", "Column absorber round"},
		{"de", "?locale=de", "Säulenabsorber rund"},
		{"anything else means German", "?locale=fr", "Säulenabsorber rund"},
		{"a language that only begins with en", "?locale=enm", "Säulenabsorber rund"},
		{"the underscore is none", "?locale=en_US", "Säulenabsorber rund"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			a := s.get(t, "/public/search"+tt.locale)
			if got := a.json(`products.#(slug="saeulenabsorber-rund").label`).String(); got != tt.label {
				t.Errorf("got %s, want %s", got, tt.label)
			}
		})
	}
	t.Run("where no translation exists, the German label", func(t *testing.T) {
		if got := s.get(t, "/public/search?locale=en").json(`products.#(slug="qrd-diffusor-7").label`).String(); got != "Diffusor QRD 7" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("both languages are searched with any locale", func(t *testing.T) {
		for _, q := range []string{"q=velvet", "q=velvet&locale=en", "q=Samt&locale=en", "q=Samt&locale=de"} {
			if got := called(t, s.get(t, "/public/search?"+q)); got != "vorhang" {
				t.Errorf("%s: got %s", q, got)
			}
		}
	})
	t.Run("compare and authenticated endpoints show the German label", func(t *testing.T) {
		for path, at := range map[string]string{
			"/public/compare-products?id=saeulenabsorber-rund&locale=en": "products.0.label",
			"/v1/materials/saeulenabsorber-rund":                         "label",
			"/v1/materials?ids=saeulenabsorber-rund":                     "items.0.label",
			"/v1/materials/search?q=saeulenabsorber":                     "items.0.label",
		} {
			if got := s.get(t, path).json(at).String(); got != "Säulenabsorber rund" {
				t.Errorf("%s: got %s", path, got)
			}
		}
	})
}

func TestPages(t *testing.T) {
	t.Parallel()
	var sixty strings.Builder
	for n := range 60 {
		sixty.WriteString(product(n, fmt.Sprintf("Produkt %d", n)))
	}
	few, many := shared(t), newSite(t, settings{folder: built(t, sixty.String())})
	tests := []struct {
		rule        string
		s           *site
		query       string
		page, limit int
		items       int
		more        bool
	}{
		{"the default page is 0 and has 20", many, "", 0, 20, 20, true},
		{"the last page", many, "page=2&limit=25", 2, 25, 10, false},
		{"the last, full one has no more", many, "page=2", 2, 20, 20, false},
		{"a page past the end is empty", many, "page=3", 3, 20, 0, false},
		{"a page far past the end", many, "page=9223372036854775807", 9223372036854775807, 20, 0, false},
		{"page below 0 becomes 0", many, "page=-3&limit=2", 0, 2, 2, true},
		{"also the minimum page of 64 bits", many, "page=-9223372036854775808", 0, 20, 20, true},
		{"limit below 1 becomes 1", many, "limit=0", 0, 1, 1, true},
		{"a negative limit too", many, "limit=-9223372036854775808", 0, 1, 1, true},
		{"limit over 50 becomes 50", many, "limit=51", 0, 50, 50, true},
		{"the largest of 64 bits too", many, "limit=9223372036854775807&page=1", 1, 50, 10, false},
		{"a limit that is more than there are", few, "limit=1000", 0, 50, 15, false},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			a := tt.s.get(t, "/v1/materials/search?"+tt.query)
			items, page, limit, more := a.json("items.#").Int(), a.json("page").Int(), a.json("limit").Int(),
				a.json("has_more").Bool()
			if items != int64(tt.items) || page != int64(tt.page) || limit != int64(tt.limit) || more != tt.more {
				t.Errorf("got %d items, page %d, limit %d, has_more %t, want %d, %d, %d, %t", items, page, limit, more, tt.items,
					tt.page, tt.limit, tt.more)
			}
		})
	}
	for query, want := range map[string]string{
		"limit=5": "panel segel vorhang säule diffusor", "limit=5&page=1": "mineral teppich holzwolle filz panel2",
		"limit=5&page=2":                  "panel10 kugel äther beton schlicht",
		"sort=alphaW_desc&limit=4&page=1": "säule vorhang holzwolle äther", "q=Vlies&limit=2&page=1": "segel panel",
		"q=Vlies&limit=2&page=2": "",
	} {
		t.Run("pages cut one order: "+query, func(t *testing.T) {
			if got := called(t, few.get(t, "/v1/materials/search?"+query)); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	t.Run("the page of public search has 24", func(t *testing.T) {
		seen := map[string]bool{}
		for _, tt := range []struct {
			query   string
			n, page int
			more    bool
		}{
			{"", 24, 0, true}, {"?page=-1", 24, 0, true}, {"?page=1&limit=5", 24, 1, true}, {"?page=2", 12, 2, false},
			{"?page=3", 0, 3, false},
		} {
			a := many.get(t, "/public/search"+tt.query)
			n := int(a.json("products.#").Int())
			if n != tt.n || int(a.json("page").Int()) != tt.page || a.json("hasMore").Bool() != tt.more ||
				a.json("total").Int() != 60 {
				t.Errorf("%s: got %d products of %d, page %d, hasMore %t", tt.query, n, a.json("total").Int(),
					a.json("page").Int(), a.json("hasMore").Bool())
			}
			for _, p := range a.json("products").Array() {
				seen[p.Get("id").String()] = true
			}
		}
		if len(seen) != 60 {
			t.Errorf("the pages show %d products", len(seen))
		}
	})
}
