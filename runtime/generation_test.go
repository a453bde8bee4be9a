package runtime_test

import (
	"slices"
	"strings"
	"testing"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/runtime"
)

func TestLookup(t *testing.T) {
	c := catalogue{products: []product{
		{label: "A", id: "0b6f1234-0000-4000-8000-0000000000aa", slug: "wave-20"},
		{label: "B"},
		{label: "C", slug: strings.Repeat("ab", 100)},
	}}
	g := c.open(t)
	tests := []struct {
		id   string
		want column.Doc
		ok   bool
	}{
		{"0b6f1234-0000-4000-8000-0000000000aa", 0, true},
		{"0B6F1234-0000-4000-8000-0000000000AA", 0, true},
		{"wave-20", 0, true},
		{strings.Repeat("ab", 100), 2, true},
		{"Wave-20", 0, false},
		{"wave 20", 0, false},
		{"", 0, false},
		{"urn:uuid:0b6f1234-0000-4000-8000-0000000000aa", 0, false},
		{"0b6f12340000400080000000000000aa", 0, false},
		{"{0b6f1234-0000-4000-8000-000000000aa}", 0, false},
		{"0b6f1234-0000-4000-8000-0000000000ab", 0, false},
		{"Räume / mit Blanks und Ümläuten ...", 0, false},
		{strings.Repeat("ab", 1000), 0, false},
	}
	for _, test := range tests {
		if d, ok := g.Lookup(test.id); ok != test.ok || ok && d != test.want {
			t.Errorf("Lookup(%q) = %d, %v; want %d, %v", test.id, d, ok, test.want, test.ok)
		}
	}
	for _, id := range []string{"wave-20", "0B6F1234-0000-4000-8000-0000000000AA"} {
		if n := testing.AllocsPerRun(100, func() { g.Lookup(id) }); n != 0 {
			t.Errorf("Lookup(%q) allocates %v times", id, n)
		}
	}
}

func TestValues(t *testing.T) {
	c := catalogue{
		products: []product{
			{label: "A", category: "textil", character: "tiefton", installations: []string{"wall", "ceiling"}, manufacturer: "Zeta", fire: "B"},
			{label: "B", category: "holz", manufacturer: "Alpha & Co"},
		},
		declared: []indexes.Vocabulary{{Family: indexes.FamilyCategory, Values: []indexes.Value{{Value: "glas"}}}},
	}
	g := c.open(t)
	for family, want := range map[indexes.Family][]string{
		indexes.FamilyCategory:     {"glas", "holz", "textil"},
		indexes.FamilyCharacter:    {"tiefton"},
		indexes.FamilyInstallation: {"ceiling", "wall"},
		indexes.FamilyManufacturer: {"alpha-co", "zeta"},
		indexes.FamilyFireClass:    {"A1", "A2", "B", "C", "D", "E", "F"},
		indexes.FamilyEPD:          {"true"},
		indexes.NumFamilies:        nil,
	} {
		if got := g.Values(family); !slices.Equal(got, want) {
			t.Errorf("values of family %d: got %q, want %q", family, got, want)
		}
		for _, v := range want {
			if !g.Known(family, v) {
				t.Errorf("%q of family %d is not known", v, family)
			}
		}
		for _, v := range []string{"", "Holz", "stein", (&product{manufacturer: "Zeta"}).indexManufacturer().ID} {
			if g.Known(family, v) {
				t.Errorf("%q of family %d is known", v, family)
			}
		}
	}
}

func TestBodies(t *testing.T) {
	const id = "0b6f1234-0000-4000-8000-0000000000aa"
	c := catalogue{products: []product{{label: "Säule", labelEN: "Column", id: id}, {label: "Wand"}}}
	g := c.open(t)
	detail, plain := g.Detail(0)
	geometry := g.DetailGeometry(0)
	const head = `{"id":"` + id + `"`
	const measurements = `,"measurements":{"absorption_iso_354":[]}`
	tests := []struct {
		name string
		got  []byte
		want string
	}{
		{"summary", g.AppendSummary(nil, 0, runtime.Include{}), head + `}`},
		{"summary with acoustics", g.AppendSummary(nil, 0, runtime.Include{Acoustics: true}), head + `,"nrc":null}`},
		{"summary with geometry", g.AppendSummary(nil, 0, runtime.Include{Geometry: true}), head + `,"geometry":{"shape":"box"}}`},
		{
			"summary with both", g.AppendSummary(nil, 0, runtime.Include{Acoustics: true, Geometry: true}),
			head + `,"nrc":null,"geometry":{"shape":"box"}}`,
		},
		{"detail", g.AppendDetail(nil, 0, false), head + `,"nrc":null` + measurements + `}`},
		{"detail where it lies", detail, head + `,"nrc":null` + measurements + `}`},
		{"detail with geometry", g.AppendDetail(nil, 0, true), head + `,"nrc":null` + measurements + `,"geometry":{"shape":"box"}}`},
		{"public item", g.AppendPublic(nil, 0, runtime.German), head + `,"label":"Säule","alphaW":0}`},
		{"public item in English", g.AppendPublic(nil, 0, runtime.English), head + `,"label":"Column","alphaW":0}`},
		{"compare", g.AppendCompare(nil, 0), head + `,"absorption_iso354":[]}`},
		{"a page of summaries", g.AppendSummaries(nil, []column.Doc{0, 1, 0}, runtime.Include{}), `[` + head + `},{"id":"00000000-0000-4000-8000-000000000001"},` + head + `}]`},
		{"a page of public items", g.AppendPublics(nil, []column.Doc{0}, runtime.English), `[` + head + `,"label":"Column","alphaW":0}]`},
		{"an empty page", g.AppendSummaries(nil, nil, runtime.Include{}), `[]`},
		{"append keeps what is there", g.AppendSummary([]byte("["), 0, runtime.Include{}), `[` + head + `}`},
	}
	for _, test := range tests {
		if string(test.got) != test.want {
			t.Errorf("%s: got %s, want %s", test.name, test.got, test.want)
		}
	}
	if plain.ETag != "0123456789abcdef0123456789abcdef" || string(plain.Gzip) != "gz" || string(plain.Zstd) != "zs" ||
		geometry.ETag != "fedcba9876543210fedcba9876543210" || geometry.Gzip != nil || geometry.Zstd != nil {
		t.Errorf("coded forms: got %+v and %+v", plain, geometry)
	}
	buf := make([]byte, 0, 1024)
	if n := testing.AllocsPerRun(100, func() {
		g.AppendDetail(buf, 0, true)
		g.AppendSummary(buf, 1, runtime.Include{Acoustics: true})
		g.Detail(0)
	}); n != 0 {
		t.Errorf("bodies allocate %v times", n)
	}
}
