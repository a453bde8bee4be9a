package queries

import (
	"hash/fnv"
	"math/rand/v2"

	"sabine/runtime"
)

// A maker makes a question of a product, or none when the product does not lend itself to it.
type maker func(*deriver, *Product) (Question, bool)

// classes lists the classes in the order in which they are told. Those with a surplus have questions that may not count.
var classes = []struct {
	name    string
	surplus int
	maker   maker
}{
	{"exact", 0, exact},
	{"part of a name", 0, partOfName},
	{"prefix", 0, prefix},
	{"compound part", 0, compoundPart},
	{"umlaut spelling", 0, umlautSpelling},
	{"one typo", 1, oneTypo},
	{"two typos", 1, twoTypos},
	{"vocabulary", 0, vocabulary},
	{"other language", 0, otherLanguage},
	{"manufacturer and word", 0, manufacturerAndWord},
	{"phrase", 0, descriptionPhrase},
	{"description words", 0, descriptionWords},
	{"numbers", 0, numbers},
	{"sentence", 0, sentence},
	{"garbled name", 3, garbledName},
	{"nonsense", 0, nonsense},

	{"listing", 0, listing},
	{"sort alphaW_desc", 0, sorted(runtime.SortAlphaDesc)},
	{"sort alphaW_asc", 0, sorted(runtime.SortAlphaAsc)},
	{"sort name_asc", 0, sorted(runtime.SortName)},
	{"filters", 0, threeFilters},
	{"filters, facets", 0, withFacets(threeFilters)},
	{"text, facets", 0, withFacets(partOfName)},
	{"category, facets", 0, withFacets(filtered(byCategory))},
	{"character, facets", 0, withFacets(filtered(byCharacter))},
	{"installation, facets", 0, withFacets(filtered(byInstallation))},
	{"manufacturer, facets", 0, withFacets(filtered(byManufacturer))},
	{"alpha_w, facets", 0, withFacets(filtered(byAlphaW))},
	{"fire class, facets", 0, withFacets(filtered(byFireClass))},
	{"EPD, facets", 0, withFacets(filtered(byEPD))},
	{"purchasable, facets", 0, withFacets(filtered(byPurchasable))},
}

// Names returns the names of the classes, in the order in which they are told.
func Names() []string {
	names := make([]string, len(classes))
	for i, c := range classes {
		names[i] = c.name
	}
	return names
}

// Derive makes questions of products, perClass that are wanted of each class, or as many as the products give: the same
// for the same seed, and those of one class the same whatever the others are.
func Derive(products []Product, seed uint64, perClass int) []Class {
	if len(products) == 0 {
		return nil
	}
	x := newLexicon(products)
	var derived []Class
	for _, c := range classes {
		name := fnv.New64a()
		name.Write([]byte(c.name))
		d := &deriver{Rand: rand.New(rand.NewPCG(seed, name.Sum64())), products: products, lexicon: x, asked: map[string]bool{}}
		derived = append(derived, Class{c.name, d.ask(c.maker, perClass*(1+c.surplus)), perClass})
	}
	return derived
}

// A deriver makes the questions of one class.
type deriver struct {
	*rand.Rand
	products []Product
	lexicon  *lexicon
	asked    map[string]bool // texts
}

// ask makes up to n questions of products drawn by chance, each text once.
func (d *deriver) ask(m maker, n int) []Question {
	var questions []Question
	for tries := 20 * n; tries > 0 && len(questions) < n; tries-- {
		q, ok := m(d, &d.products[d.IntN(len(d.products))])
		if !ok || q.Text != "" && d.asked[q.Text] {
			continue
		}
		d.asked[q.Text] = true
		q.Limit = First
		questions = append(questions, q)
	}
	return questions
}

// about returns a question that is a text with the rule of what it looks for.
func about(text string, rule func(*Product) bool) Question {
	return Question{Query: runtime.Query{Text: text}, Rule: rule}
}

// one returns one of several, or "" of none.
func (d *deriver) one(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return texts[d.IntN(len(texts))]
}

// label returns one of a product's labels.
func (d *deriver) label(p *Product) string { return p.Labels[d.IntN(len(p.Labels))].Text }
