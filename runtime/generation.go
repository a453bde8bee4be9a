package runtime

import "sabine/indexes"

// Values returns the vocabulary of a family in order: every value that filters may name.
func (g *Generation) Values(f indexes.Family) []string { panic("unwritten") }

// Known reports whether a filter may name the value: it is in the vocabulary, or, for manufacturers, it is a slug.
func (g *Generation) Known(f indexes.Family, value string) bool { panic("unwritten") }

// Lookup finds a product by its UUID, in any case, or by its slug.
func (g *Generation) Lookup(idOrSlug string) (indexes.Doc, bool) { panic("unwritten") }

// Include says which optional keys a record carries.
type Include struct{ Acoustics, Geometry bool }

// Locale picks the label that public items show.
type Locale uint8

// The locales of labels.
const (
	German Locale = iota
	English
)

// AppendSummary appends the MaterialSummary of a product.
func (g *Generation) AppendSummary(dst []byte, d indexes.Doc, in Include) []byte { panic("unwritten") }

// AppendDetail appends the MaterialDetail of a product, which always has its acoustics.
func (g *Generation) AppendDetail(dst []byte, d indexes.Doc, geometry bool) []byte {
	panic("unwritten")
}

// AppendPublic appends the PublicSearchProduct of a product.
func (g *Generation) AppendPublic(dst []byte, d indexes.Doc, l Locale) []byte { panic("unwritten") }

// AppendCompare appends the CompareProduct of a product.
func (g *Generation) AppendCompare(dst []byte, d indexes.Doc) []byte { panic("unwritten") }

// Coded returns the tag and the stored compressed forms of a detail body.
func (g *Generation) Coded(d indexes.Doc, geometry bool) indexes.Coded { panic("unwritten") }
