package queries

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"sabine/runtime"
)

// A Kind is the kind of the questions in a class.
type Kind int

// The kinds. Texts are also asked with facets, which is another class of the same kind; see WithFacets.
const (
	Filters Kind = iota // filters or an order, and no text
	Strict              // a text whose words products contain
	Loose               // a text that only misspellings, similar names or most of its words find
	Facets              // filters, or a text, with all facet counts
	Needs               // values in one entry of a product, and filters; with or without facets
	Curves              // other measured values, or needs and a text
)

// IsText reports whether the questions consist of a text only.
func (k Kind) IsText() bool { return k == Strict || k == Loose }

// WithFacets is the suffix of the classes whose questions request all facet counts.
const WithFacets = ", facets"

var threeFilters = []string{"category", "installation", "fire class"}

// classes lists the classes in report order. A class with a surplus contains questions that may not count.
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

// Names returns the names of the classes of the given kinds, or of all classes, in report order.
func Names(kinds ...Kind) []string {
	var names []string
	for _, c := range classes {
		if len(kinds) == 0 || slices.Contains(kinds, c.kind) {
			names = append(names, c.name)
		}
	}
	return names
}

// KindOf returns the kind of the class with the given name, or false if there is none. A text with facets has
// the same kind as the text without.
func KindOf(name string) (kind Kind, ok bool) {
	for _, c := range classes {
		if c.name == name || c.kind.IsText() && c.name+WithFacets == name {
			return c.kind, true
		}
	}
	return 0, false
}

// First is the number of hits that count: a question succeeds if one of the first ten satisfies its rule.
const First = 10

// A Question is a query with the rules for a good answer.
type Question struct {
	runtime.Query

	Like string // id of the product whose curve is the target; "": none. In adds it to Query

	// Rule reports whether a product is a good answer. It is nil if there is no rule, or if only the cost
	// matters.
	Rule func(*Product) bool

	All        []int // products that must be among the matches, by index
	NoFallback bool  // a strict bucket must find the products
	Nothing    bool  // there must be no match

	// A misspelling that is a valid spelling of something else is not counted; see Counts.
	StrictEmpty bool // no strict bucket contains a hit
	FuzzyEmpty  bool // and no fuzzy bucket
}

// In returns the query for a generation, with the document of the product Like.
func (q *Question) In(g *runtime.Generation) (runtime.Query, error) {
	query := q.Query
	if q.Like != "" {
		d, ok := g.Lookup(q.Like)
		if !ok {
			return query, fmt.Errorf("the target of a query, product %s, is not in this catalogue", q.Like)
		}
		query.Filters.Needs.Like = &d
	}
	return query, nil
}

// Counts reports whether an answered question counts. A class with questions that may not count has a surplus
// of them.
func (q *Question) Counts(r *runtime.Result) bool {
	switch {
	case q.FuzzyEmpty:
		return r.Total == 0 || r.Strategy == runtime.StrategyTrigram
	case q.StrictEmpty:
		return r.Total == 0 || r.UsedFallback
	}
	return true
}

// A Class contains questions of one kind.
type Class struct {
	Name      string
	Kind      Kind
	Questions []Question
	Wanted    int // number of counting questions to ask
}

// A derivation makes a question from a product, or returns nil if the product is not suitable.
type derivation func(*deriver, *Product) *Question

// Seed and PerClass are the same for all measurements and judgements, so that the figures from two runs are
// about the same questions. Seed is also the seed for generated catalogues.
const (
	Seed     = 1
	PerClass = 200
)

// Derive makes questions from products, perClass for each class or as many as possible, without duplicate
// texts. The same seed makes the same questions. A class's questions do not depend on other classes.
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
	asked   map[string]bool // the texts asked so far
}

func about(text string, rule func(*Product) bool) *Question {
	if text == "" {
		return nil
	}
	return &Question{Query: runtime.Query{Text: text}, Rule: rule}
}

// one returns an element of a list, or the zero value for an empty list.
func one[T any](d *deriver, all []T) (v T) {
	if len(all) > 0 {
		v = all[d.IntN(len(all))]
	}
	return v
}

// label returns one of a product's labels, and word a long word from a label.
func (d *deriver) label(p *Product) string { return one(d, TextsOf(p.Labels)) }
func (d *deriver) word(p *Product) string  { return one(d, longWords(d.label(p), 4)) }
