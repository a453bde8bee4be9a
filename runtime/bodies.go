package runtime

import (
	"fmt"

	"sabine/indexes"
	"sabine/indexes/column"
)

// Include says which optional keys a record carries.
type Include struct{ Acoustics, Geometry bool }

// Locale picks the label that public items show.
type Locale uint8

// The locales of labels.
const (
	German Locale = iota
	English
)

// A DamagedBody is what a method panics with when bytes of a body are not those that the build made: the file was written
// to since it was verified, or the body is of a kind that no build makes. It comes as a panic, as a fault in the mapping does,
// because it is one: everybody who reads a mapping needs a place where it ends the work at hand and nothing else.
type DamagedBody struct {
	Doc  column.Doc
	Name string // of the file
}

func (e *DamagedBody) Error() string {
	return fmt.Sprintf("%s: the body of document %d is not as a build makes it: the file was written to since it was verified, or is no build's", e.Name, e.Doc)
}

// Damaged is what to panic with when the body of a document does not fit.
func (g *Generation) Damaged(d column.Doc) *DamagedBody { return &DamagedBody{d, g.Name()} }

// appendFitting appends the pieces that a checksum is of, and holds the copy against it. Nothing at all has a checksum too, and is
// no body: only what no body shows may be nothing.
func (g *Generation) appendFitting(dst []byte, d column.Doc, b *indexes.Body, sum indexes.Sum, pieces ...[]byte) []byte {
	start := len(dst)
	for _, piece := range pieces {
		dst = append(dst, piece...)
	}
	if !b.Fits(sum, dst[start:]) || len(dst) == start && sum != indexes.SumUnshown {
		panic(g.Damaged(d))
	}
	return dst
}

// appendPage appends the JSON array of what element appends for each product of a page. The beginnings of their records
// come from memory together first.
func (g *Generation) appendPage(dst []byte, docs []column.Doc, element func(dst []byte, d column.Doc) []byte) []byte {
	g.index.Bodies.Fetch(docs)
	dst = append(dst, '[')
	for i, d := range docs {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = element(dst, d)
	}
	return append(dst, ']')
}

// AppendSummaries appends the JSON array of the MaterialSummaries of a page.
func (g *Generation) AppendSummaries(dst []byte, r *Result, in Include) []byte {
	return g.appendHits(dst, r, func(dst []byte, d column.Doc) []byte { return g.appendSummary(dst, d, in) })
}

// AppendPublics appends the JSON array of the PublicSearchProducts of a page.
func (g *Generation) AppendPublics(dst []byte, r *Result, l Locale) []byte {
	return g.appendHits(dst, r, func(dst []byte, d column.Doc) []byte { return g.appendPublic(dst, d, l) })
}

// appendHits is appendPage for a result, whose matches are the last key of each product.
func (g *Generation) appendHits(dst []byte, r *Result, object func(dst []byte, d column.Doc) []byte) []byte {
	if r.Matches == nil {
		return g.appendPage(dst, r.Docs, object)
	}
	i := 0
	return g.appendPage(dst, r.Docs, func(dst []byte, d column.Doc) []byte {
		dst = object(dst, d)
		dst = append(g.AppendMatch(append(dst[:len(dst)-1], matchKey...), d, r.Matches[i]), '}')
		i++
		return dst
	})
}

// matchKey comes before the match in an object that is still open.
const matchKey = `,"match":`

// appendSummary appends the MaterialSummary of a product.
func (g *Generation) appendSummary(dst []byte, d column.Doc, in Include) []byte {
	b := g.index.Bodies.At(d)
	end, sum := b.SummaryEnd, indexes.SumSummary
	if in.Acoustics {
		end, sum = b.AcousticsEnd, indexes.SumAcoustics
	}
	dst = g.appendFitting(dst, d, &b, sum, b.Detail[:end])
	if in.Geometry {
		dst = g.appendGeometry(dst, d, &b)
	}
	return append(dst, '}')
}

// AppendDetail appends the MaterialDetail of a product, which always has its acoustics.
func (g *Generation) AppendDetail(dst []byte, d column.Doc, geometry bool) []byte {
	b := g.index.Bodies.At(d)
	dst = g.appendFitting(dst, d, &b, indexes.SumDetail, b.Detail)
	if !geometry {
		return dst
	}
	return append(g.appendGeometry(dst[:len(dst)-1], d, &b), '}')
}

// appendGeometry appends the key geometry to an object that is still open.
func (g *Generation) appendGeometry(dst []byte, d column.Doc, b *indexes.Body) []byte {
	return g.appendFitting(append(dst, indexes.GeometryKey...), d, b, indexes.SumGeometry, b.Geometry)
}

// Detail returns the MaterialDetail without geometry and its coded forms where they lie: valid while the generation is
// held, and never to be written to. Whoever sends one of them copies it and holds the copy against its checksum. The
// body with geometry lies nowhere in one piece; AppendDetail makes it.
func (g *Generation) Detail(d column.Doc) ([]byte, Stored) {
	b := g.index.Bodies.At(d)
	return b.Detail, g.stored(d, &b, false)
}

// DetailGeometry returns the tag and the stored compressed forms of the MaterialDetail with geometry, put together from
// what they share with those without and their own ends. The identity form, which AppendDetail makes and checks, has no
// checksum here.
func (g *Generation) DetailGeometry(d column.Doc) Stored {
	b := g.index.Bodies.At(d)
	return g.stored(d, &b, true)
}

// Stored is the coded forms of a detail body, and the checksums of what is sent.
type Stored struct {
	indexes.Coded
	IdentitySum, GzipSum, ZstdSum Sum
}

// A Sum is the checksum of something that lies in the file. The zero value is none, which everything fits.
type Sum struct {
	value uint32
	given bool
}

// Fits reports whether a copy is what the build made.
func (s Sum) Fits(copied []byte) bool { return !s.given || indexes.Checksum(copied) == s.value }

// stored returns the coded forms of a body; its tag is checked here, since it may be all that the answer depends on.
func (g *Generation) stored(d column.Doc, b *indexes.Body, geometry bool) Stored {
	sum := func(of indexes.Sum) Sum { return Sum{b.Sum(of), true} }
	s, tag := Stored{b.Coded(geometry), sum(indexes.SumDetail), sum(indexes.SumGzip), sum(indexes.SumZstd)}, indexes.SumTag
	if geometry {
		tag = indexes.SumGeometryTag
		s.IdentitySum, s.GzipSum, s.ZstdSum = Sum{}, sum(indexes.SumGeometryGzip), sum(indexes.SumGeometryZstd)
	}
	if !b.Fits(tag, []byte(s.ETag)) {
		panic(g.Damaged(d))
	}
	return s
}

// appendPublic appends the PublicSearchProduct of a product.
func (g *Generation) appendPublic(dst []byte, d column.Doc, l Locale) []byte {
	b := g.index.Bodies.At(d)
	return g.appendPublicOf(dst, d, &b, l)
}

func (g *Generation) appendPublicOf(dst []byte, d column.Doc, b *indexes.Body, l Locale) []byte {
	label, sum := b.LabelDE, indexes.SumPublicDE
	if l == English && len(b.LabelEN) > 0 {
		label, sum = b.LabelEN, indexes.SumPublicEN
	}
	return g.appendFitting(dst, d, b, sum, b.PublicHead, label, b.PublicTail)
}

// measurementsKey comes before the measurements that a public item of a single product has behind its other keys, up to where
// indexes.Body says that they begin.
const measurementsKey = `,"measurements":{"absorption_iso_354":`

// AppendPublicDetail appends the PublicSearchProduct of a product with measurements and geometry as the last keys.
func (g *Generation) AppendPublicDetail(dst []byte, d column.Doc, l Locale) []byte {
	b := g.index.Bodies.At(d)
	dst = g.appendPublicOf(dst, d, &b, l)
	dst = append(dst[:len(dst)-1], measurementsKey...)
	end := len(dst)
	dst = g.AppendDetail(dst, d, true) // whole, since its checksum is of the whole
	return append(dst[:end], dst[end+b.AbsorptionStart:]...)
}

// AppendCompare appends the CompareProduct of a product.
func (g *Generation) AppendCompare(dst []byte, d column.Doc) []byte {
	b := g.index.Bodies.At(d)
	dst = g.appendFitting(dst, d, &b, indexes.SumCompareHead, b.CompareHead)
	dst = g.appendFitting(dst, d, &b, indexes.SumAbsorption, b.Detail[b.AbsorptionStart:b.AbsorptionEnd])
	return append(dst, '}')
}
