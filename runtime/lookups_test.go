package runtime_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"sabine/indexes"
	"sabine/indexes/column"
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
			{label: "A", category: "textil", character: "tiefton", installations: []string{"wall", "ceiling"},
				manufacturer: "Zeta", fire: "B"},
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

func TestAVocabularyKeepsItsNames(t *testing.T) {
	names := map[string]string{"de": "Glas", "en": "Glass"}
	c := catalogue{
		products: []product{{label: "A", category: "glas", manufacturer: "Zeta"}},
		words:    map[string]indexes.Value{"glas": {Names: names}},
	}
	g := c.open(t)
	if got := g.Vocabulary(indexes.FamilyCategory); len(got) != 1 || got[0].Value != "glas" ||
		!maps.Equal(got[0].Names, names) {
		t.Errorf("Vocabulary(category) = %v", got)
	}
	if got := g.Vocabulary(indexes.FamilyManufacturer); got != nil {
		t.Errorf("Vocabulary(manufacturer) = %v; want none", got)
	}
}
