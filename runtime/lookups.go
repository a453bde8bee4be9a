package runtime

import (
	"github.com/google/uuid"

	"sabine/indexes"
	"sabine/indexes/column"
)

// Values returns the valid filter values of a family, in order. Categories, characters and installations
// include declared values without products. Manufacturers are slugs.
func (g *Generation) Values(f indexes.Family) []string {
	facet := &g.index.Facets[f]
	values := make([]string, facet.Len())
	for i := range values {
		values[i] = facet.Value(i)
	}
	return values
}

// Vocabulary returns the values of a family with their display names and synonyms, in order. It returns nil
// for a family without a vocabulary, such as manufacturers and fire classes. Do not modify the result.
func (g *Generation) Vocabulary(f indexes.Family) []indexes.Value {
	for _, v := range g.index.Meta.Vocabulary {
		if v.Family == f {
			return v.Values
		}
	}
	return nil
}

// Known reports whether a value is a valid filter value: a value of the vocabulary, or the slug of a
// manufacturer.
func (g *Generation) Known(f indexes.Family, value string) bool {
	_, ok := g.index.Facets[f].Find(value)
	return ok
}

// ID returns the UUID of a product.
func (g *Generation) ID(d column.Doc) uuid.UUID { return g.index.IDs.ID(d) }

// Lookup finds a product by its UUID, in any case, or by its exact slug. It does not allocate.
func (g *Generation) Lookup(idOrSlug string) (column.Doc, bool) {
	if len(idOrSlug) == indexes.UUIDLength {
		if id, err := uuid.Parse(idOrSlug); err == nil {
			return g.index.IDs.Find(id[:])
		}
	}
	return g.index.Slugs.Find(column.StringBytes(idOrSlug))
}

// Mountings returns the mountings of the ISO 354 entries, ascending, spelled as in acoustics.Mounting.
func (g *Generation) Mountings() []string {
	return g.index.Entries[indexes.NormAbsorption].Texts(indexes.AttributeMounting)
}

// HasMounting reports whether Mountings contains text.
func (g *Generation) HasMounting(text string) bool {
	return g.index.Entries[indexes.NormAbsorption].Find(indexes.AttributeMounting, text) > 0
}

// CurveBands returns the number of bands that a product has as the target of Like: the octaves from 125 to
// 4000 Hz of its most absorptive entry. With fewer than MinShared bands no product can be similar to it.
func (g *Generation) CurveBands(d column.Doc) int { return len(appendCurve(nil, g.index, d)) }
