package runtime

import (
	"sabine/dataset/product"
)

// A Hit is a product of a page.
type Hit struct {
	*product.Product
	Match *MatchValues // nil when no ISO 354 entry was asked for
}

// Hits returns the products of a result with their matches.
func (g *Generation) Hits(r *Result) []Hit {
	hits := make([]Hit, len(r.Docs))
	for i, d := range r.Docs {
		hits[i].Product = g.Product(d)
		if r.Matches == nil {
			continue
		}
		m, entries := g.matchValues(d, r.Matches[i]), hits[i].Measurements.Absorption
		if m != nil && m.Entry >= len(entries) {
			panic(g.Damaged(d))
		}
		if m != nil && m.Entry >= 0 {
			m.SetUp = &entries[m.Entry]
		}
		hits[i].Match = m
	}
	return hits
}
