package queries

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"sabine/runtime"
)

// A Kind says what questions of a class ask for.
type Kind int

// The kinds. Questions about a text are asked with facets too: that is a class of the same kind, see
// WithFacets.
const (
	Filters Kind = iota // filters or an order, and no text
	Strict              // a text that products have
	Loose               // a text that only misspellings, similar names or most of its words may find
	Facets              // filters, or a text, with the counts of all facets
	Needs               // what one entry of a product has, and filters; with facets or without
	Curves              // other measured values, or needs and a text
)

// IsText reports whether the questions are texts alone.
func (k Kind) IsText() bool { return k == Strict || k == Loose }

// WithFacets ends the name of a class whose questions ask for the counts of all facets.
const WithFacets = ", facets"

var threeFilters = []string{"category", "installation", "fire class"}

// classes lists the classes in the order of the report. Those with a surplus have questions that may
// not count.
var classes = []struct {
	name       string
	kind       Kind
	surplus    int
	derivation derivation
}{
	{"exact", Strict, 0, exact},
	{"part of a name", Strict, 0, partOfName},
	{"prefix", Strict, 0, prefix},
	{"compound part", Strict, 0, compoundPart},
	{"umlaut spelling", Strict, 0, umlautSpelling},
	{"one typo", Loose, 1, oneTypo},
	{"two typos", Loose, 1, twoTypos},
	{"vocabulary", Strict, 0, vocabulary},
	{"other language", Strict, 0, otherLanguage},
	{"manufacturer and word", Strict, 0, manufacturerAndWord},
	{"phrase", Strict, 0, descriptionPhrase},
	{"description words", Strict, 0, descriptionWords},
	{"numbers", Strict, 0, numbers},
	{"sentence", Loose, 0, sentence},
	{"garbled name", Loose, 3, garbledName},
	{"nonsense", Loose, 0, nonsense},

	{"listing", Filters, 0, sorted(runtime.SortDefault)},
	{"sort alphaW_desc", Filters, 0, sorted(runtime.SortAlphaDesc)},
	{"sort alphaW_asc", Filters, 0, sorted(runtime.SortAlphaAsc)},
	{"sort name_asc", Filters, 0, sorted(runtime.SortName)},
	{"filters", Filters, 0, filtered(threeFilters...)},
	{"filters" + WithFacets, Facets, 0, filtered(threeFilters...)},
	{"category" + WithFacets, Facets, 0, filtered("category")},
	{"character" + WithFacets, Facets, 0, filtered("character")},
	{"installation" + WithFacets, Facets, 0, filtered("installation")},
	{"manufacturer" + WithFacets, Facets, 0, filtered("manufacturer")},
	{"alpha_w" + WithFacets, Facets, 0, filtered("alpha_w")},
	{"fire class" + WithFacets, Facets, 0, filtered("fire class")},
	{"EPD" + WithFacets, Facets, 0, filtered("EPD")},
	{"purchasable" + WithFacets, Facets, 0, filtered("purchasable")},

	{"need", Needs, 0, need},
	{"need" + WithFacets, Needs, 0, need},
	{"need in a text", Curves, 0, needInText},
	{"scattering", Curves, 0, scattering},
	{"like", Curves, 0, like},
	{"curve", Curves, 0, curve},
}

// Names returns the names of the classes of some kinds, or of all, in the order of the report.
func Names(kinds ...Kind) []string {
	var names []string
	for _, c := range classes {
		if len(kinds) == 0 || slices.Contains(kinds, c.kind) {
			names = append(names, c.name)
		}
	}
	return names
}

// KindOf returns the kind of the class of a name; false when there is none. A text asked with facets is of
// the text's kind.
func KindOf(name string) (kind Kind, ok bool) {
	for _, c := range classes {
		if c.name == name || c.kind.IsText() && c.name+WithFacets == name {
			return c.kind, true
		}
	}
	return 0, false
}

// First is how many hits count: a question succeeds when one of the first ten satisfies its rule.
const First = 10

// A Question is a query with what makes a good answer to it.
type Question struct {
	runtime.Query

	Like string // the id of the product whose curve is the target, "": none. Query lacks it: see In

	// Rule holds for what is looked for. It is nil where that is nothing, or where only the cost matters.
	Rule func(*Product) bool

	All        []int // these, by their places among the products, have to be among the matches
	NoFallback bool  // a strict bucket has to find it
	Nothing    bool  // there must be no match

	// A misspelling that is by chance a way to write something else asks for that, and is dropped: see Counts.
	StrictEmpty bool // no strict bucket may have a hit
	FuzzyEmpty  bool // nor may fuzzy
}

// In returns the query as it is asked of a generation, which knows the documents of products.
func (q *Question) In(g *runtime.Generation) (runtime.Query, error) {
	query := q.Query
	if q.Like != "" {
		d, ok := g.Lookup(q.Like)
		if !ok {
			return query, fmt.Errorf("product %s, to which others are to be near, is not in this catalogue", q.Like)
		}
		query.Filters.Needs.Like = &d
	}
	return query, nil
}

// Counts reports whether a question counts, now that it is answered. A class has more questions than it needs
// where some may not.
func (q *Question) Counts(r *runtime.Result) bool {
	switch {
	case q.FuzzyEmpty:
		return r.Total == 0 || r.Strategy == runtime.StrategyTrigram
	case q.StrictEmpty:
		return r.Total == 0 || r.UsedFallback
	}
	return true
}

// A Class is questions of one kind.
type Class struct {
	Name      string
	Kind      Kind
	Questions []Question
	Wanted    int // the first so many that count are judged
}

// A derivation makes a question of a product, or nil when the product does not lend itself to it.
type derivation func(*deriver, *Product) *Question

// Seed and PerClass are those of everybody who measures or judges, so that figures of two runs speak of the
// same questions; Seed also of the generated catalogues.
const (
	Seed     = 1
	PerClass = 200
)

// Derive makes questions of products, perClass that are wanted of each class, or as many as the products
// give, each text once: the same for the same seed, and those of one class the same whatever the others are.
func Derive(products []Product, seed uint64, perClass int) (derived []Class) {
	if len(products) == 0 {
		return nil
	}
	x := newLexicon(products)
	for _, c := range classes {
		name := fnv.New64a()
		name.Write([]byte(c.name))
		d := &deriver{rand.New(rand.NewPCG(seed, name.Sum64())), x, map[string]bool{}}
		class, most := Class{Name: c.name, Kind: c.kind, Wanted: perClass}, perClass*(1+c.surplus)
		for tries := 20 * most; tries > 0 && len(class.Questions) < most; tries-- {
			q := c.derivation(d, &products[d.IntN(len(products))])
			if q == nil || q.Text != "" && d.asked[q.Text] {
				continue
			}
			d.asked[q.Text] = true
			q.Limit, q.Facets = First, strings.HasSuffix(c.name, WithFacets)
			class.Questions = append(class.Questions, *q)
		}
		derived = append(derived, class)
	}
	return derived
}

type deriver struct {
	*rand.Rand
	lexicon *lexicon
	asked   map[string]bool // texts
}

func about(text string, rule func(*Product) bool) *Question {
	if text == "" {
		return nil
	}
	return &Question{Query: runtime.Query{Text: text}, Rule: rule}
}

// one returns one of several, the zero value of none.
func one[T any](d *deriver, all []T) (v T) {
	if len(all) > 0 {
		v = all[d.IntN(len(all))]
	}
	return v
}

// label returns one of a product's labels, and word a long word of one.
func (d *deriver) label(p *Product) string { return one(d, TextsOf(p.Labels)) }
func (d *deriver) word(p *Product) string  { return one(d, longWords(d.label(p), 4)) }
