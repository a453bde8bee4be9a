package queries

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sabine/dataset/product"
	"sabine/dataset/synthetic"
	"sabine/runtime"
)

func catalogue(t testing.TB, n int) []Product {
	t.Helper()
	var ndjson bytes.Buffer
	if err := synthetic.Generate(&ndjson, n, 1); err != nil {
		t.Fatal(err)
	}
	products, err := Read(&ndjson)
	if err != nil {
		t.Fatal(err)
	}
	return products
}

// labelled returns products that have only a German label.
func labelled(labels ...string) []Product {
	var products []Product
	for _, label := range labels {
		products = append(products, Product{Labels: product.Text{{Locale: "de", Text: label}}})
	}
	return products
}

func TestReadKeepsPublishedProducts(t *testing.T) {
	const record = `{"id":"00000000-0000-4000-8000-00000000000%d","published":%t,"label":{"de":"Segel","en":"Sail"},"manufacturer":"Öhl & Söhne"}` + "\n"
	products, err := Read(strings.NewReader(fmt.Sprintf(record+record, 1, false, 2, true)))
	if err != nil || len(products) != 1 {
		t.Fatalf("got %d products and %v, want the published one", len(products), err)
	}
	p := products[0]
	if got := []string{p.ID[35:], p.Labels.In("en"), p.ManufacturerSlug}; !slices.Equal(got,
		[]string{"2", "Sail", "oehl-soehne"}) {
		t.Errorf("got %q", got)
	}
	if _, err := Read(strings.NewReader("{}\n")); err == nil {
		t.Error("a record with faults is read without an error")
	}
}

func TestDeriveIsTheSameForTheSameSeed(t *testing.T) {
	products := catalogue(t, 300)
	asked := func(seed uint64) string {
		var b strings.Builder
		for _, c := range Derive(products, seed, 20) {
			for _, q := range c.Questions {
				fmt.Fprintln(&b, c.Name, q.Text, q.Filters.Categories, q.All)
			}
		}
		return b.String()
	}
	first := asked(1)
	if first != asked(1) {
		t.Error("the questions of one seed differ from one time to the next")
	}
	if first == asked(2) {
		t.Error("two seeds give the same questions")
	}
}

func TestNoProductsMakeNoQuestions(t *testing.T) {
	if got := Derive(nil, 1, 10); got != nil {
		t.Errorf("got %v", got)
	}
}

func TestProductsThatLackNearlyEverythingMakeQuestions(t *testing.T) {
	for _, c := range Derive(labelled("Ü"), 1, 10) {
		if c.Name == "exact" && len(c.Questions) == 0 {
			t.Error("there is no question for a label")
		}
	}
}

// TestEachQuestionHasAnAnswer checks that a product satisfies the rule of each question. If a question fails,
// the search is therefore the cause.
func TestEachQuestionHasAnAnswer(t *testing.T) {
	products := catalogue(t, 300)
	for _, c := range Derive(products, 1, 20) {
		if len(c.Questions) == 0 {
			t.Errorf("%s: no question", c.Name)
		}
		for _, q := range c.Questions {
			if q.Rule != nil && !slices.ContainsFunc(products, func(p Product) bool { return q.Rule(&p) }) {
				t.Errorf("%s: no product satisfies the rule of %q %+v", c.Name, q.Text, q.Filters)
			}
			for _, place := range q.All {
				if !q.Rule(&products[place]) {
					t.Errorf("%s: %q requires %q, which does not satisfy its rule", c.Name, q.Text, products[place].Labels.In("de"))
				}
			}
		}
	}
}

// TestKinds checks that all questions in a class have the kind of the class.
func TestKinds(t *testing.T) {
	for _, c := range Derive(catalogue(t, 300), 1, 20) {
		for _, q := range c.Questions {
			withFacets := strings.HasSuffix(c.Name, WithFacets)
			needs := q.Like != "" || !reflect.ValueOf(q.Filters.Needs).IsZero()
			if q.Facets != withFacets || withFacets != (c.Kind == Facets) && c.Kind != Needs ||
				needs != (c.Kind == Needs || c.Kind == Curves) ||
				c.Kind.IsText() && q.Text == "" || (c.Kind == Filters || c.Kind == Needs) && q.Text != "" {
				t.Errorf("%s: %+v is not a question of its kind", c.Name, q.Query)
			}
		}
	}
	for name, want := range map[string]bool{"nonsense": true, "nonsense, facets": true, "filters, facets": true,
		"listing, facets": false} {
		if _, ok := KindOf(name); ok != want {
			t.Errorf("%s is a class: %t, want %t", name, ok, want)
		}
	}
}

func TestQuestionCounts(t *testing.T) {
	strict := runtime.Result{Total: 1, Strategy: runtime.StrategyFTS}
	fuzzy := runtime.Result{Total: 1, Strategy: runtime.StrategyFuzzy, UsedFallback: true}
	trigram := runtime.Result{Total: 1, Strategy: runtime.StrategyTrigram, UsedFallback: true}
	tests := []struct {
		rule     string
		question Question
		result   runtime.Result
		want     bool
	}{
		{"every question without a condition does", Question{}, strict, true},
		{"a typo does not when a strict bucket has a hit", Question{StrictEmpty: true}, strict, false},
		{"a typo does when fuzzy finds it", Question{StrictEmpty: true}, fuzzy, true},
		{"a typo does when nothing finds it", Question{StrictEmpty: true}, runtime.Result{}, true},
		{"a garbled name does not when a strict bucket has a hit", Question{FuzzyEmpty: true}, strict, false},
		{"a garbled name does not when fuzzy has one", Question{FuzzyEmpty: true}, fuzzy, false},
		{"a garbled name does when trigram finds it", Question{FuzzyEmpty: true}, trigram, true},
		{"a garbled name does when nothing finds it", Question{FuzzyEmpty: true}, runtime.Result{}, true},
	}
	for _, test := range tests {
		if got := test.question.Counts(&test.result); got != test.want {
			t.Errorf("%s: got %t, want %t", test.rule, got, test.want)
		}
	}
}

func TestPartsOfCompounds(t *testing.T) {
	tests := []struct{ rule, labels, word, want string }{
		{"what is a word by itself is a part", "Wandpaneel, Wand, Paneel", "wandpaneel", "wand paneel"},
		{"a part need be no word when two compounds have it", "Deckensegel, Akustiksegel, Decke, Akustik", "deckensegel",
			"segel"},
		{"one compound alone may be chance", "Tiefenabsorber, tief", "tiefenabsorber", ""},
		{"its other half is a word", "Deckensegel, Akustiksegel", "deckensegel", ""},
		{"a linking element may stand behind the first half", "Arbeitsplatte, Arbeit, Platte", "arbeitsplatte", "platte"},
		{"it has four letters", "Holztür, Holz, Tür", "holztür", ""},
	}
	for _, test := range tests {
		parts := newLexicon(labelled(strings.Split(test.labels, ", ")...)).partsOf(test.word)
		if got := strings.Join(parts, " "); got != test.want {
			t.Errorf("%s: parts of %s are %q, want %q", test.rule, test.word, got, test.want)
		}
	}
}

func TestTyposAlterOnlyLongWordsWithoutDigits(t *testing.T) {
	products := labelled("Filz Nr 45x600 Öl")
	for _, c := range Derive(products, 1, 50) {
		for _, q := range c.Questions {
			if c.Name == "two typos" || c.Name == "one typo" && strings.Contains(q.Text, " ") &&
				!strings.HasSuffix(q.Text, " Nr 45x600 Öl") {
				t.Errorf("%s: %q", c.Name, q.Text)
			}
		}
	}
}

func TestNonsenseResemblesNoWord(t *testing.T) {
	x := newLexicon(labelled("Deckensegel"))
	for word, want := range map[string]bool{
		"deckensegel": true, "deknsegel": true, "decknsegelx": true, "kense": true, "xeckxnsegelx": false, "qwrtz": false,
	} {
		if got := x.resembles(word); got != want {
			t.Errorf("%s resembles deckensegel: %t, want %t", word, got, want)
		}
	}
}

// Questions have texts and filters. Rules read products.
func ExampleDerive() {
	products := []Product{{ID: "1", Labels: product.Text{{Locale: "de", Text: "Deckensegel Wolke 45/600"}}}}
	for _, class := range Derive(products, 1, 1) {
		if class.Name == "numbers" {
			q := class.Questions[0]
			fmt.Println(q.Text, q.Rule(&products[0]))
		}
	}
	// Output: 45/600 true
}

func TestEdits(t *testing.T) {
	for _, test := range []struct {
		rule, a, b string
		want       int
	}{
		{"nothing to do", "wand", "wand", 0},
		{"a swap counts once", "wand", "wadn", 1},
		{"a letter too many", "wand", "waand", 1},
		{"a letter too few", "wand", "and", 1},
		{"a wrong letter", "wand", "wänd", 1},
		{"all letters", "", "wand", 4},
	} {
		if got := Edits([]rune(test.a), []rune(test.b)); got != test.want {
			t.Errorf("%s: %q to %q in %d edits, want %d", test.rule, test.a, test.b, got, test.want)
		}
	}
}
