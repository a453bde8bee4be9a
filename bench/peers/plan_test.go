package main

import (
	"errors"
	"slices"
	"testing"

	"sabine/bench/step"
	"sabine/runtime"
)

// TestTerms checks that a product's terms are those for which texts search.
func TestTerms(t *testing.T) {
	p := &document{
		id: "eef16c3d-e96c-4df1-b88d-7e326df6950b", slug: "segel-wolke-1", named: 1,
		texts:  []string{"deckensegel wolke", "grunwald ag", "free standing", "leichte flachen", "600x625mm"},
		values: [families][]string{category: {"free_standing"}},
	}
	g := newGlossary(slices.Values([]*document{p}))
	terms := g.terms(p)
	for _, test := range []struct{ rule, term string }{
		{"a word is a term", "wwolke"},
		{"a word of a name is another term", "nwwolke"},
		{"its stems of both languages are terms", "dleicht"},
		{"its stems of both languages are terms", "eleicht"},
		{"the parts of a compound are terms", "pdecke"},
		{"the numbers of a size are terms", "p625mm"},
		{"every beginning is a term", "bdecken"},
		{"neighbours are joined", "jleichteflachen"},
		{"a name is a key", "kdeckensegel_wolke"},
		{"the name of the manufacturer and the slug are keys", "kgrunwald_ag"},
		{"the name of the manufacturer and the slug are keys", "ksegel_wolke_1"},
		{"a name's beginnings are terms", "sdecken"},
		{"beginnings of the name of the manufacturer end with a word", "sgrunwald"},
		{"a value is a term", "vfree_standing"},
	} {
		if _, found := slices.BinarySearch(terms, test.term); !found {
			t.Errorf("%s: no %q in %q", test.rule, test.term, terms)
		}
	}
	for _, test := range []struct{ rule, term string }{
		{"words of a description are not words of a name", "nwleichte"},
		{"words of two texts are not neighbours", "jwolkegrunwald"},
		{"the words of a slug are not terms", "w1"},
		{"a beginning of the name of the manufacturer does not end within a word", "sgrun"},
	} {
		if _, found := slices.BinarySearch(terms, test.term); found {
			t.Errorf("%s: %q in %q", test.rule, test.term, terms)
		}
	}
}

// A failing is an engine that answers every question except "fail".
type failing struct{}

func (failing) Close() error { return nil }
func (failing) Ask(q *runtime.Query) answer {
	if q.Text == "fail" {
		step.Check(errors.New("failed"), q.Text)
	}
	return answer{}
}

func TestBlock(t *testing.T) {
	for _, test := range []struct {
		rule  string
		texts []string
		block Block
		want  int
	}{
		{"without a limit all are answered", []string{"a", "b", "c"}, Block{}, 3},
		{"behind a limit the least number is", []string{"a", "b", "c"}, Block{Least: 2, Limit: 1}, 2},
		{"an error leaves none", []string{"a", "fail", "c"}, Block{}, 0},
	} {
		for _, text := range test.texts {
			test.block.Questions = append(test.block.Questions, runtime.Query{Text: text})
		}
		var got []reply
		err := (&Worker{engine: failing{}}).Ask(&test.block, &got)
		if len(got) != test.want || (err != nil) != (test.want == 0) {
			t.Errorf("%s: %d replies to %q and %v, want %d", test.rule, len(got), test.texts, err, test.want)
		}
	}
}
