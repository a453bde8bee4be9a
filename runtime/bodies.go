package runtime

import (
	"fmt"
	"slices"

	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/column"
)

// Include says which optional keys a record carries.
type Include struct{ Acoustics, Geometry bool }

// A DamagedBody is what a method panics with when bytes of a body are not those that the build made: the file
// was written to since it was verified, or the body is of a kind that no build makes. It comes as a panic, as
// a fault in the mapping does, because it is one: everybody who reads a mapping needs a place where it ends
// the work at hand and nothing else.
type DamagedBody struct {
	Doc  column.Doc
	Name string // of the file
}

func (e *DamagedBody) Error() string {
	return fmt.Sprintf(
		"%s: the body of document %d is not as a build makes it: the file was written to since it was verified, or is no "+
			"build's", e.Name, e.Doc)
}

// Damaged is what to panic with when the body of a document does not fit.
func (g *Generation) Damaged(d column.Doc) *DamagedBody { return &DamagedBody{d, g.Name()} }

// appendFitting appends a part of a body, and compares the copy with its checksum.
func (g *Generation) appendFitting(dst []byte, d column.Doc, b *indexes.Body, part indexes.Sum) []byte {
	dst, ok := b.AppendVerified(dst, part)
	if !ok {
		panic(g.Damaged(d))
	}
	return dst
}

// appendPage appends the JSON array of what element appends for each product of a page. The beginnings of
// their records come from memory together first.
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

// appendSummary appends the MaterialSummary of a product.
func (g *Generation) appendSummary(dst []byte, d column.Doc, in Include) []byte {
	b := g.index.Bodies.At(d)
	part := indexes.SumSummary
	if in.Acoustics {
		part = indexes.SumAcoustics
	}
	dst = g.appendFitting(dst, d, &b, part)
	if in.Geometry {
		dst = g.appendFitting(dst, d, &b, indexes.SumGeometry)
	}
	return append(dst, '}')
}

// AppendDetail appends the MaterialDetail of a product, which always has its acoustics.
func (g *Generation) AppendDetail(dst []byte, d column.Doc, geometry bool) []byte {
	b := g.index.Bodies.At(d)
	dst = g.appendFitting(dst, d, &b, indexes.SumDetail)
	if !geometry {
		return dst
	}
	return append(g.appendFitting(dst[:len(dst)-1], d, &b, indexes.SumGeometry), '}')
}

// Product returns a product with everything that its record has. Its texts are copies.
func (g *Generation) Product(d column.Doc) *product.Product { return new(ProductReader).Product(g, d) }

// summary returns what the MaterialSummary shows of a product. Its texts are copies.
func (g *Generation) summary(d column.Doc) *product.Product {
	p := new(product.Product)
	g.read(d, p, product.Stored, g.appendSummary(nil, d, Include{}))
	return p
}

// read reads a product. A record that is not JSON, or of another product, is no build's.
func (g *Generation) read(d column.Doc, p *product.Product, fields product.Fields, objects ...[]byte) {
	var texts [2]string
	for i, object := range objects {
		texts[i] = column.String(object)
	}
	if !fields.Read(p, texts[:len(objects)]...) || p.ID != g.ID(d) {
		panic(g.Damaged(d))
	}
}

// A ProductReader reads one product after the other. It keeps its memory: a product and its texts are valid
// until the next one.
type ProductReader struct {
	text    []byte
	product product.Product
}

// Product returns a product with everything that its record has.
func (r *ProductReader) Product(g *Generation, d column.Doc) *product.Product {
	b := g.index.Bodies.At(d)
	r.text = g.AppendDetail(slices.Grow(r.text[:0], len(b.Text)+1), d, true)
	rest := len(r.text) + len(",")
	r.text = g.appendFitting(r.text, d, &b, indexes.SumRest)
	g.read(d, &r.product, product.Stored, r.text[:rest-1], r.text[rest:])
	return &r.product
}

// Simulated returns what simulators take of a product.
func (r *ProductReader) Simulated(g *Generation, d column.Doc) *product.Product {
	r.text = g.AppendDetail(r.text[:0], d, false)
	g.read(d, &r.product, product.Simulated, r.text)
	return &r.product
}

// A Detail is the stored forms of a MaterialDetail without geometry, where they lie: valid while the
// generation is held, and never to be written to. Copy a form before use and compare the copy's
// indexes.Checksum with its sum.
type Detail struct {
	ETag             string
	Body, Gzip       []byte // Gzip is empty when the body is too small for it
	BodySum, GzipSum uint32
}

// Detail returns the stored forms of a MaterialDetail. Its tag is verified, since it may be all that the
// answer depends on.
func (g *Generation) Detail(d column.Doc) Detail {
	b := g.index.Bodies.At(d)
	return Detail{g.fittingTag(d, &b, indexes.SumTag, b.ETag), b.Detail(), b.Gzip, b.Sum(indexes.SumDetail),
		b.Sum(indexes.SumGzip)}
}

// GeometryETag returns the verified tag of the MaterialDetail with geometry, which AppendDetail makes.
func (g *Generation) GeometryETag(d column.Doc) string {
	b := g.index.Bodies.At(d)
	return g.fittingTag(d, &b, indexes.SumGeometryTag, b.GeometryETag)
}

// fittingTag returns a tag where it lies, after a copy of it fitted its checksum.
func (g *Generation) fittingTag(d column.Doc, b *indexes.Body, sum indexes.Sum, tag string) string {
	if !b.Matches(sum, []byte(tag)) {
		panic(g.Damaged(d))
	}
	return tag
}

// appendPublic appends the PublicSearchProduct of a product.
func (g *Generation) appendPublic(dst []byte, d column.Doc, l Locale) []byte {
	b := g.index.Bodies.At(d)
	if l == English && b.HasView(indexes.ViewPublicEN) {
		return g.appendFitting(dst, d, &b, indexes.SumPublicEN)
	}
	return g.appendFitting(dst, d, &b, indexes.SumPublicDE)
}

// measurementsKey comes before the measurements that a public item of a single product has behind its other
// keys, up to where indexes.Body says that they begin.
const measurementsKey = `,"measurements":{"absorption_iso_354":`

// AppendPublicDetail appends the PublicSearchProduct of a product with its description in the language,
// measurements and geometry as the last keys.
func (g *Generation) AppendPublicDetail(dst []byte, d column.Doc, l Locale) []byte {
	b := g.index.Bodies.At(d)
	dst = g.appendPublic(dst, d, l)
	dst = append(dst[:len(dst)-1], `,"description":`...)
	end := len(dst)
	dst = g.AppendDetail(dst, d, true) // whole, since its checksum is of the whole
	detail := len(dst)
	dst = g.appendFitting(dst, d, &b, indexes.SumRest)
	described := len(dst)
	dst = product.AppendDescription(dst, column.String(dst[end:detail]),
		column.String(dst[detail+len(","):described]), l.Language())
	dst = append(dst, measurementsKey...)
	dst = append(dst, dst[end+b.AbsorptionStart:detail]...)
	return append(dst[:end], dst[described:]...)
}

// AppendCompare appends the CompareProduct of a product.
func (g *Generation) AppendCompare(dst []byte, d column.Doc) []byte {
	b := g.index.Bodies.At(d)
	return g.appendFitting(dst, d, &b, indexes.SumCompare)
}
