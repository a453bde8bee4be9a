package runtime

import (
	"github.com/google/uuid"

	"sabine/indexes"
	"sabine/indexes/column"
)

// Values returns the vocabulary of a family in order: every value that filters may name. Of categories,
// characters and installations that includes the declared values that no product has; manufacturers are their
// slugs.
func (g *Generation) Values(f indexes.Family) []string {
	facet := &g.index.Facets[f]
	values := make([]string, facet.Len())
	for i := range values {
		values[i] = facet.Value(i)
	}
	return values
}

// Vocabulary returns the values of a family with their display names and synonyms, in order; nil for a family
// that no vocabulary declares, as of manufacturers and fire classes. The values are shared: they must not be
// changed.
func (g *Generation) Vocabulary(f indexes.Family) []indexes.Value {
	for i := range g.index.Meta.Vocabulary {
		if v := &g.index.Meta.Vocabulary[i]; v.Family == f {
			return v.Values
		}
	}
	return nil
}

// Known reports whether a filter may name the value: it is in the vocabulary, or, for manufacturers, it is a
// slug.
func (g *Generation) Known(f indexes.Family, value string) bool {
	_, ok := g.index.Facets[f].Find(value)
	return ok
}

// ID returns the UUID of a product.
func (g *Generation) ID(d column.Doc) uuid.UUID { return g.index.IDs.ID(d) }

// Lookup finds a product by its UUID, in any case, or by its slug, exactly. It does not allocate.
func (g *Generation) Lookup(idOrSlug string) (column.Doc, bool) {
	if len(idOrSlug) == indexes.UUIDLength {
		if id, err := uuid.Parse(idOrSlug); err == nil {
			return g.index.IDs.Find(id[:])
		}
	}
	return g.index.Slugs.Find(column.StringBytes(idOrSlug))
}

// Mountings returns the mountings of the catalogue's ISO 354 entries, ascending, each in one spelling, that
// of acoustics.Mounting.
func (g *Generation) Mountings() []string {
	return g.index.Entries[indexes.NormAbsorption].Texts(indexes.AttributeMounting)
}

// HasMounting reports whether a text is one of Mountings.
func (g *Generation) HasMounting(text string) bool {
	return g.index.Entries[indexes.NormAbsorption].Find(indexes.AttributeMounting, text) > 0
}

// CurveBands returns how many bands a product has as the target of Like: the octaves from 125 to 4000 Hz of
// its most absorptive entry. With fewer than MinShared nothing can be near to it.
func (g *Generation) CurveBands(d column.Doc) int { return len(appendCurve(nil, g.index, d)) }
