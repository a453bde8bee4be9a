package runtime

import "sabine/indexes"

// Include says which optional keys a record carries.
type Include struct{ Acoustics, Geometry bool }

// Locale picks the label that public items show.
type Locale uint8

// The locales of labels.
const (
	German Locale = iota
	English
)

// Fetch has the beginnings of the products' bodies come from memory together, before they are appended one by one.
func (g *Generation) Fetch(docs []indexes.Doc) { g.index.Bodies.Fetch(docs) }

// AppendSummary appends the MaterialSummary of a product.
func (g *Generation) AppendSummary(dst []byte, d indexes.Doc, in Include) []byte {
	b := g.index.Bodies.At(d)
	end := b.SummaryEnd
	if in.Acoustics {
		end = b.AcousticsEnd
	}
	return appendRecord(dst, b.Detail[:end], &b, in.Geometry)
}

// AppendDetail appends the MaterialDetail of a product, which always has its acoustics.
func (g *Generation) AppendDetail(dst []byte, d indexes.Doc, geometry bool) []byte {
	b := g.index.Bodies.At(d)
	if len(b.Detail) == 0 {
		return dst
	}
	return appendRecord(dst, b.Detail[:len(b.Detail)-1], &b, geometry)
}

// appendRecord appends a record from its open beginning, an object that lacks its closing brace.
func appendRecord(dst, open []byte, b *indexes.Body, geometry bool) []byte {
	dst = append(dst, open...)
	if geometry {
		dst = append(dst, `,"geometry":`...)
		dst = append(dst, b.Geometry...)
	}
	return append(dst, '}')
}

// Detail returns the MaterialDetail without geometry and its coded forms where they lie: valid while the generation is
// held, and never to be written to. The body with geometry lies nowhere in one piece; AppendDetail makes it.
func (g *Generation) Detail(d indexes.Doc) ([]byte, indexes.Coded) {
	b := g.index.Bodies.At(d)
	return b.Detail, b.Coded(false)
}

// AppendPublic appends the PublicSearchProduct of a product.
func (g *Generation) AppendPublic(dst []byte, d indexes.Doc, l Locale) []byte {
	b := g.index.Bodies.At(d)
	label := b.LabelDE
	if l == English && len(b.LabelEN) > 0 {
		label = b.LabelEN
	}
	dst = append(dst, b.PublicHead...)
	dst = append(dst, label...)
	return append(dst, b.PublicTail...)
}

// AppendCompare appends the CompareProduct of a product.
func (g *Generation) AppendCompare(dst []byte, d indexes.Doc) []byte {
	b := g.index.Bodies.At(d)
	dst = append(dst, b.CompareHead...)
	dst = append(dst, b.Detail[b.AbsorptionStart:b.AbsorptionEnd]...)
	return append(dst, '}')
}

// CodedGeometry returns the tag and the stored compressed forms of the MaterialDetail with geometry, put together from
// what they share with those without and their own ends.
func (g *Generation) CodedGeometry(d indexes.Doc) indexes.Coded {
	b := g.index.Bodies.At(d)
	return b.Coded(true)
}
