package queries

import (
	"hash/fnv"
	"math/rand/v2"

	"sabine/runtime"
)

// A derivation makes a question of a product, or nil when the product does not lend itself to it.
type derivation func(*deriver, *Product) *Question

// Seed and PerClass are those of everybody who measures or judges, so that figures of two runs speak of the
// same questions; Seed also of the generated catalogues.
const (
	Seed     = 1
	PerClass = 200
)

// Derive makes questions of products, perClass that are wanted of each class, or as many as the products
// give: the same for the same seed, and those of one class the same whatever the others are.
func Derive(products []Product, seed uint64, perClass int) []Class {
	if len(products) == 0 {
		return nil
	}
	x := newLexicon(products)
	var derived []Class
	for _, c := range classes {
		name := fnv.New64a()
		name.Write([]byte(c.name))
		d := &deriver{Rand: rand.New(rand.NewPCG(seed, name.Sum64())), products: products, lexicon: x,
			asked: map[string]bool{}}
		derived = append(derived, Class{c.name, c.kind, d.ask(c.derivation, perClass*(1+c.surplus)), perClass})
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
func (d *deriver) ask(derive derivation, n int) (questions []Question) {
	for tries := 20 * n; tries > 0 && len(questions) < n; tries-- {
		q := derive(d, &d.products[d.IntN(len(d.products))])
		if q == nil || q.Text != "" && d.asked[q.Text] {
			continue
		}
		d.asked[q.Text] = true
		q.Limit = First
		questions = append(questions, *q)
	}
	return questions
}

// about returns a question that is a text with the rule of what it looks for, nil for no text.
func about(text string, rule func(*Product) bool) *Question {
	if text == "" {
		return nil
	}
	return &Question{Query: runtime.Query{Text: text}, Rule: rule}
}

// one returns one of several, or "" of none.
func (d *deriver) one(texts []string) string {
	if len(texts) == 0 {
		return ""
	}
	return texts[d.IntN(len(texts))]
}

// label returns one of a product's labels.
func (d *deriver) label(p *Product) string { return d.one(textsOf(p.Labels)) }
