package runtime_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sabine/runtime"
)

// opened returns a generation with two products.
func opened(t *testing.T, p product) *runtime.Generation {
	c := catalogue{products: []product{p, {label: "Sieben 7"}}}
	return c.open(t)
}

// TestNumbersMeet checks that two spellings of a number match each other, in both directions.
func TestNumbersMeet(t *testing.T) {
	groups := map[string][]string{
		"a length": {"600 mm", "600mm", "600-mm", "60 cm", "60cm", "60,0 cm", "0,6 m", "0.6m", "0,600 m", "6 dm",
			"600000 µm", "0,0006 km", "0600 mm", "600,00 mm", "６０ｃｍ"},
		"perhaps thousands": {"1.200 mm", "1,200 mm", "1200 mm", "1,2 m", "1.2m", "120 cm"},
		"millions":          {"1.200.000 mm", "1,200,000 mm", "1200000mm", "1.200 m", "1200 m", "1,2 km"},
		"a decimal length":  {"12,50 mm", "12.5mm", "1,25 cm", "0,0125 m", "12500 µm"},
		"a size": {"600 x 600 mm", "600×600mm", "600X600 mm", "600 * 600 mm", "600 mm x 600 mm", "60x60cm",
			"60 x 60 cm", "0,6 x 0,6 m", "0.6m×0.6m", "60 cm x 0,6 m", "600 x 600", "600-x-600"},
		"a size of three": {"1200 x 600 x 50 mm", "120 x 60 x 5 cm", "1.2m x 0.6m x 50mm", "1.200 x 600 x 50"},
		"a weight":        {"12,5 kg", "12.5kg", "12,50 kg", "12.5-kg"},
		"an area":         {"2,5 m²", "2.5 m2", "2,5m²", "2,50 qm"},
		"a decimal":       {"0,85", "0.85", "0,850"},
		"a frequency":     {"125 Hz", "125Hz", "125-hz"},
		"inches":          {"19 Zoll", "19-Zoll", "19 inch"},
		"a list": {"20 / 30 / 50 mm", "20, 30, 50 mm", "20 mm / 30 mm / 50 mm", "20mm 30mm 50mm",
			"2 / 3 / 5 cm"},
		"a range":              {"20-50 mm", "20 – 50 mm", "20…50mm", "20 mm - 50 mm", "2–5 cm"},
		"a list of sizes":      {"600x600, 600x1200 mm", "600 x 600 mm / 600 x 1200 mm", "60x60; 60x120 cm"},
		"a diameter":           {"Ø50mm", "ø 50 mm", "50 mm", "Ø 5 cm"},
		"an article's decimal": {"4711.12", "4711,12", "4711.12"},
	}
	for name, spellings := range groups {
		for _, text := range spellings {
			g := opened(t, product{label: "Panel", description: "Lieferbar " + text + ", auch weiß"})
			for _, query := range spellings {
				if r := g.Search(&runtime.Query{Text: query, Limit: 5}); r.UsedFallback || r.Total != 1 || r.Docs[0] != 0 {
					t.Errorf("%s: %q finds of %q %d, by %v", name, query, text, r.Total, r.Strategy)
				}
			}
		}
	}
}

// TestWhatFindsANumber checks, for each rule, queries that find a text in a strict bucket and queries that do
// not find it there.
func TestWhatFindsANumber(t *testing.T) {
	tests := []struct {
		rule, text string
		finds, not []string
	}{
		{"only the numbers of a size", "600 x 1200 mm", []string{"600", "1200", "1.200 mm", "600mm", "60 cm", "1,2 m",
			"600 1200", "mm", "600 x"}, []string{"1200 x 600", "600 x 600", "1200 x 601", "60 panel", "60 mm"}},
		{"runs of a size", "1200 x 600 x 50 mm", []string{"600x50", "1200x600", "120 x 60 cm", "50 mm", "5 cm"},
			[]string{"1200 x 50", "50 x 1200 mm", "1200 x 60 wolke", "120x60"}},
		{"a size without a unit is in mm", "Panel 600x600", []string{"600 mm", "60 cm", "60x60cm", "600x600 mm",
			"panel 600 x 600"}, []string{"60x60", "600 cm"}},
		{"numbers of another unit", "60x60cm", []string{"60", "60x60", "600 x 600", "60 cm", "600 mm"},
			[]string{"600", "60 mm"}},
		{"a number without its unit", "Dicke 25 mm", []string{"25", "dicke 25", "dicke mm 25", "2,5 cm"},
			[]string{"25 cm", "2,5"}},
		{"numbers of a list", "Dicke 20 / 30 / 50 mm", []string{"20 mm", "30mm", "3 cm", "50 mm", "dicke 20 mm", "20/30",
			"20/50 mm", "30 50"}, []string{"20 cm", "60 mm"}},
		{"of a range", "Dicke 20-50 mm", []string{"20 mm", "2 cm", "50mm", "20-50", "20 50"}, []string{"30 mm"}},
		{"of one with a word", "von 1000 bis 1200 mm", []string{"1 m", "1000 mm", "1200mm", "1000 bis 1200", "bis 1200 mm"},
			[]string{"1000 cm"}},
		{"numbers with another word", "20 oder 40 mm, 24/48 Hz", []string{"20 mm", "40 mm", "24 Hz", "48hz"},
			[]string{"24 mm", "20 hz"}},
		{"sizes of a list", "600x600, 600x1200 mm", []string{"60x60 cm", "600x600mm", "600 mm", "120 cm"}, []string{"60x60"}},
		{"numbers after a unit", "20 mm, 600 Hz / 800", []string{"20 mm", "600 hz", "800"}, []string{"20 hz", "800 hz"}},
		{"a diameter", "Ø50 mm", []string{"50 mm", "ø 50", "Ø50", "5 cm"}, nil},
		{"a size apart", "Raster 600/600/150", []string{"600x600", "600 x 600 mm", "600x150", "600/600", "600 x 600 x 150",
			"raster 600x600x150 mm"}, []string{"150x600", "60x60 cm", "600x600x600"}},
		{"with a hyphen", "600-1200", []string{"600x1200", "600 × 1200 mm"}, []string{"1200x600", "600 x 1200 cm"}},
		{"with a unit after the last", "60 : 120 cm", []string{"60x120 cm"}, []string{"60x120", "60x120 mm", "60x60cm"}},
		{"with a unit after each", "60/120 cm", []string{"60x120cm"}, []string{"60x120"}},
		{"in mm, as a size without a unit is", "600/1200 mm", []string{"600x1200", "600x1200mm"}, []string{"600x1200 cm"}},
		{"of several units", "60 cm 60 cm 40 mm", []string{"60x60cm x 40 mm", "60x60 cm"},
			[]string{"60 x 60 x 40 mm", "60x60"}},
		{"the numbers of a size, not next to each other", "600 Hz bis 600", nil, []string{"600x600"}},
		{"one number of a size", "Panel 60", []string{"60"}, []string{"60x60"}},
		{"the numbers of a size in a text", "600x1200", []string{"600/1200", "600 1200", "1200/600"}, []string{"600/600/50"}},
		{"a bare number has no unit", "Serie 25", []string{"25"}, []string{"2,5 cm"}},
		{"an article number", "Artikel 4711.12", []string{"4711", "12", "4711 12", "4711.12", "4711/12", "4711-12"},
			[]string{"47 artikel", "471112", "4711.13"}},
		{"in another spelling", "Artikel 4711-12", []string{"4711", "12", "4711 12", "4711.12"}, []string{"4711.1"}},
		{"with a slash", "Artikel 45/600", []string{"45", "600", "45/600", "45-600", "45 600", "45.600"}, nil},
		{"a bare decimal does not match its unit", "NRC 0,85", []string{"0.85", "nrc .85", "0,850", "85"},
			[]string{"8,5", "0,85 m"}},
		{"a letter that is a unit elsewhere", "Studio 3 K-Winkel", []string{"studio k", "k-winkel", "3 k",
			"studio 3k winkel", "studio 3"}, nil},
		{"the last number is incomplete", "Panel 600 x 625 mm", []string{"panel 600x6", "panel 600 x 6",
			"panel 600 x", "panel 600 x 625 m"}, nil},
		{"signs of marks", "Basotect® 50™ mm ©", []string{"basotect 50mm", "Basotect™ 50 mm"}, nil},
	}
	for _, test := range tests {
		g := opened(t, product{label: "Wolke", description: test.text})
		for _, query := range test.finds {
			if r := g.Search(&runtime.Query{Text: query, Limit: 5}); r.UsedFallback || r.Total != 1 || r.Docs[0] != 0 {
				t.Errorf("%s: %q finds %d by %v, want the text %q", test.rule, query, r.Total, r.Strategy, test.text)
			}
		}
		for _, query := range test.not {
			if r := g.Search(&runtime.Query{Text: query, Limit: 5}); r.Total > 0 && !r.UsedFallback {
				t.Errorf("%s: %q finds %q by %v, want nothing", test.rule, query, test.text, r.Strategy)
			}
		}
	}
}

// TestTheShownQueryKeepsToItsRule checks that normalizedQuery does not change numbers.
func TestTheShownQueryKeepsToItsRule(t *testing.T) {
	g := opened(t, product{label: "Panel 12,5 mm x 3"})
	if r := g.Search(&runtime.Query{Text: "Panel 12,5 MM × 3", Limit: 5}); r.NormalizedQuery != "panel 12 5 mm 3" ||
		r.Strategy != runtime.StrategyExact {
		t.Errorf("got %q by %v", r.NormalizedQuery, r.Strategy)
	}
}

// TestIDsAreFoundWhateverTheyLookLike checks that no group of a UUID, in either case, is read as a number
// with a unit.
func TestIDsAreFoundWhateverTheyLookLike(t *testing.T) {
	r := rand.New(rand.NewPCG(19, 19))
	var c catalogue
	for range often(20_000) {
		var id uuid.UUID
		for i := range id {
			id[i] = byte(r.Uint32())
		}
		if r.IntN(2) == 0 { // groups that end like the unit dB
			id[5], id[7], id[9], id[15] = 0xdb, 0xdb, 0xdb, 0xdb
			id[4], id[6], id[8] = byte(r.IntN(10)), byte(r.IntN(10)), 0x12
		}
		c.products = append(c.products, product{id: id.String(), label: "Panel"})
	}
	slices.SortFunc(c.products, func(a, b product) int { return strings.Compare(a.id, b.id) })
	g := c.open(t)
	for d, p := range c.products {
		for _, text := range []string{p.id, strings.ToUpper(p.id), strings.ReplaceAll(p.id, "-", " ")} {
			if r := g.Search(&runtime.Query{Text: text, Limit: 5}); r.Strategy != runtime.StrategyExact || len(r.Docs) == 0 ||
				int(r.Docs[0]) != d {
				t.Fatalf("search %q: %v by %v, want product %d", text, r.Docs, r.Strategy, d)
			}
		}
	}
}
