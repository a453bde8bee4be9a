package main

import (
	"errors"
	"slices"
	"testing"

	"sabine/bench/step"
	"sabine/runtime"
)

// TestTerms: what a text asks for in one of its forms is what a product has for a term.
func TestTerms(t *testing.T) {
	p := &document{
		id: "eef16c3d-e96c-4df1-b88d-7e326df6950b", slug: "segel-wolke-1", named: 1,
		texts:  []string{"deckensegel wolke", "grunwald ag", "free standing", "leichte flachen", "600x625mm"},
		values: [families][]string{category: {"free_standing"}},
	}
	g := newGlossary(slices.Values([]*document{p}))
	terms := g.terms(p)
	for _, test := range []struct{ rule, term string }{
		{"a word is there as it is", "wwolke"},
		{"in a name it is there once more", "nwwolke"},
		{"so are its stems, of both languages", "dleicht"},
		{"so are its stems, of both languages", "eleicht"},
		{"and the parts of a compound", "pdecke"},
		{"a size is there by its numbers", "p625mm"},
		{"and every beginning", "bdecken"},
		{"neighbours are joined", "jleichteflachen"},
		{"a name is a key", "kdeckensegel_wolke"},
		{"and so are the manufacturer's name and the slug", "kgrunwald_ag"},
		{"and so are the manufacturer's name and the slug", "ksegel_wolke_1"},
		{"a name's beginnings are terms", "sdecken"},
		{"of a manufacturer's name those that end a word are", "sgrunwald"},
		{"a value is one", "vfree_standing"},
	} {
		if _, found := slices.BinarySearch(terms, test.term); !found {
			t.Errorf("%s: no %q in %q", test.rule, test.term, terms)
		}
	}
	for _, test := range []struct{ rule, term string }{
		{"words of a description are in no name", "nwleichte"},
		{"texts have no neighbours in each other", "jwolkegrunwald"},
		{"a slug's words are no words", "w1"},
		{"a manufacturer's name begins with no half of a word", "sgrun"},
	} {
		if _, found := slices.BinarySearch(terms, test.term); found {
			t.Errorf("%s: %q in %q", test.rule, test.term, terms)
		}
	}
}

// failing answers every question until one that is "fail".
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
