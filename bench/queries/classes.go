package queries

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"

	"sabine/runtime"
)

// A Kind is a kind of questions. All questions in a class have the same kind.
type Kind int

// The kinds. A text class with facets is a separate class of the same kind; see WithFacets.
const (
	Filters Kind = iota // filters or an order, without a text
	Strict              // a text whose words occur in products
	Loose               // a text found only by misspellings, similar names or most of its words
	Facets              // filters or a text, with all facet counts
	Needs               // conditions on one entry of a product, and filters; with or without facets
	Curves              // conditions on other measured values, or needs and a text
)

// IsText reports whether the questions consist only of a text.
func (k Kind) IsText() bool { return k == Strict || k == Loose }

// WithFacets is the suffix of classes whose questions request all facet counts.
const WithFacets = ", facets"

var threeFilters = []string{"category", "installation", "fire class"}

// classes lists the classes in report order. Those whose questions may not count have surplus questions.
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

// KindOf returns the kind of the class with the given name, or false if there is none. A text class with
// facets has the same kind as the class without facets.
func KindOf(name string) (kind Kind, ok bool) {
	for _, c := range classes {
		if c.name == name || c.kind.IsText() && c.name+WithFacets == name {
			return c.kind, true
		}
	}
	return 0, false
}

// First is the number of hits that count. A question succeeds if one of these hits satisfies its rule.
const First = 10

// A Question is a query with the rules for a good answer.
type Question struct {
	runtime.Query

	Like string // id of the product whose curve is the target, "" for none; In adds it to Query

	// Rule reports whether a product is a good answer. It is nil if no rule exists, or if only the cost is
	// measured.
	Rule func(*Product) bool

	All        []int // indexes of products that must be hits
	NoFallback bool  // whether a strict bucket must find the products
	Nothing    bool  // whether there must be no hits

	// A misspelling does not count if it is a valid spelling of something else; see Counts.
	StrictEmpty bool // whether all strict buckets must be empty
	FuzzyEmpty  bool // whether all fuzzy buckets must be empty too
}

// In returns the query for a generation, including the document of the product Like.
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

// Counts reports whether a question with the result r counts. Classes whose questions may not count have
// surplus questions.
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

// A derivation makes a question from a product. It returns nil if the product is not suitable.
type derivation func(*deriver, *Product) *Question

// Seed and PerClass are the same in all measurements and judgements, so that figures from different runs are
// about the same questions. Seed is also the seed of generated catalogues.
const (
	Seed     = 1
	PerClass = 200
)

// Derive makes perClass questions for each class, or as many as possible, without duplicate texts. The same
// seed makes the same questions. The questions in a class do not depend on the other classes.
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
	asked   map[string]bool // texts of the previous questions
}

func about(text string, rule func(*Product) bool) *Question {
	if text == "" {
		return nil
	}
	return &Question{Query: runtime.Query{Text: text}, Rule: rule}
}

// one returns a random element of a list, or the zero value if the list is empty.
func one[T any](d *deriver, all []T) (v T) {
	if len(all) > 0 {
		v = all[d.IntN(len(all))]
	}
	return v
}

// label returns a random label of a product. word returns a long word in a label.
func (d *deriver) label(p *Product) string { return one(d, TextsOf(p.Labels)) }
func (d *deriver) word(p *Product) string  { return one(d, longWords(d.label(p), 4)) }
