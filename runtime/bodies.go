package runtime

import (
	"fmt"
	"slices"

	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/column"
)

// Include selects the optional keys of a record.
type Include struct{ Acoustics, Geometry bool }

// A DamagedBody is the panic value of a method that finds an invalid body: the file has changed since it was
// verified, or sabine did not build it. A fault in the mapping also panics, so callers recover from both in
// the same way.
type DamagedBody struct {
	Doc  column.Doc
	Name string // file name
}

func (e *DamagedBody) Error() string {
	return fmt.Sprintf("%s: the body of document %d is invalid: the file has changed since it was verified, or sabine "+
		"did not build it", e.Name, e.Doc)
}

// Damaged returns the value to panic with when the body of a document is invalid.
func (g *Generation) Damaged(d column.Doc) *DamagedBody { return &DamagedBody{d, g.Name()} }

// appendVerified appends a part of a body and verifies the checksum of the copy.
func (g *Generation) appendVerified(dst []byte, d column.Doc, b *indexes.Body, part indexes.Sum) []byte {
	dst, ok := b.AppendVerified(dst, part)
	if !ok {
		panic(g.Damaged(d))
	}
	return dst
}

// appendPage appends a JSON array with one element for each product of a page, by calling element. It first
// prefetches the beginnings of the records.
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
	dst = g.appendVerified(dst, d, &b, part)
	if in.Geometry {
		dst = g.appendVerified(dst, d, &b, indexes.SumGeometry)
	}
	return append(dst, '}')
}

// AppendDetail appends the MaterialDetail of a product. Its acoustics are always included.
func (g *Generation) AppendDetail(dst []byte, d column.Doc, geometry bool) []byte {
	b := g.index.Bodies.At(d)
	dst = g.appendVerified(dst, d, &b, indexes.SumDetail)
	if !geometry {
		return dst
	}
	return append(g.appendVerified(dst[:len(dst)-1], d, &b, indexes.SumGeometry), '}')
}

// Product returns a product with all fields of its record. Its strings are copies.
func (g *Generation) Product(d column.Doc) *product.Product { return new(ProductReader).Product(g, d) }

// summary returns the fields of a product that MaterialSummary contains. Its strings are copies.
func (g *Generation) summary(d column.Doc) *product.Product {
	p := new(product.Product)
	g.read(d, p, product.Stored, g.appendSummary(nil, d, Include{}))
	return p
}

// read reads a product. It panics if the record is not JSON or belongs to another product.
func (g *Generation) read(d column.Doc, p *product.Product, fields product.Fields, objects ...[]byte) {
	var texts [2]string
	for i, object := range objects {
		texts[i] = column.String(object)
	}
	if !fields.Read(p, texts[:len(objects)]...) || p.ID != g.ID(d) {
		panic(g.Damaged(d))
	}
}

// A ProductReader reads products and reuses its memory. A product and its strings are valid until the next
// call.
type ProductReader struct {
	text    []byte
	product product.Product
}

// Product returns a product with all fields of its record.
func (r *ProductReader) Product(g *Generation, d column.Doc) *product.Product {
	b := g.index.Bodies.At(d)
	r.text = g.AppendDetail(slices.Grow(r.text[:0], len(b.Text)+1), d, true)
	rest := len(r.text) + len(",")
	r.text = g.appendVerified(r.text, d, &b, indexes.SumRest)
	g.read(d, &r.product, product.Stored, r.text[:rest-1], r.text[rest:])
	return &r.product
}

// Simulated returns the fields of a product that simulators use.
func (r *ProductReader) Simulated(g *Generation, d column.Doc) *product.Product {
	r.text = g.AppendDetail(r.text[:0], d, false)
	g.read(d, &r.product, product.Simulated, r.text)
	return &r.product
}

// A Detail contains the stored forms of a MaterialDetail without geometry. They are slices of the mapping:
// valid while the generation is acquired, and read-only. Before using a form, copy it, and compare the copy's
// indexes.Checksum with the stored sum.
type Detail struct {
	ETag             string
	Body, Gzip       []byte // Gzip is empty if the body is too small to compress
	BodySum, GzipSum uint32
}

// Detail returns the stored forms of a MaterialDetail. It verifies the tag, because a response may need only
// the tag.
func (g *Generation) Detail(d column.Doc) Detail {
	b := g.index.Bodies.At(d)
	return Detail{g.verifiedTag(d, &b, indexes.SumTag, b.ETag), b.Detail(), b.Gzip, b.Sum(indexes.SumDetail),
		b.Sum(indexes.SumGzip)}
}

// GeometryETag returns the verified tag of the MaterialDetail with geometry, which AppendDetail writes.
func (g *Generation) GeometryETag(d column.Doc) string {
	b := g.index.Bodies.At(d)
	return g.verifiedTag(d, &b, indexes.SumGeometryTag, b.GeometryETag)
}

// verifiedTag verifies the checksum on a copy of the data, and returns the tag without copying it.
func (g *Generation) verifiedTag(d column.Doc, b *indexes.Body, sum indexes.Sum, tag string) string {
	if !b.Matches(sum, []byte(tag)) {
		panic(g.Damaged(d))
	}
	return tag
}

// appendPublic appends the PublicSearchProduct of a product.
func (g *Generation) appendPublic(dst []byte, d column.Doc, l Locale) []byte {
	b := g.index.Bodies.At(d)
	if l == English && b.HasView(indexes.ViewPublicEN) {
		return g.appendVerified(dst, d, &b, indexes.SumPublicEN)
	}
	return g.appendVerified(dst, d, &b, indexes.SumPublicDE)
}

// measurementsKey begins the measurements in the PublicSearchProduct of a single product. The remaining bytes
// are copied from the detail, starting where indexes.Body specifies.
const measurementsKey = `,"measurements":{"absorption_iso_354":`

// AppendPublicDetail appends the PublicSearchProduct of a product. Its last keys are the description in the
// requested language, the measurements and the geometry.
func (g *Generation) AppendPublicDetail(dst []byte, d column.Doc, l Locale) []byte {
	b := g.index.Bodies.At(d)
	dst = g.appendPublic(dst, d, l)
	dst = append(dst[:len(dst)-1], `,"description":`...)
	end := len(dst)
	dst = g.AppendDetail(dst, d, true) // includes the geometry because the checksum covers it
	detail := len(dst)
	dst = g.appendVerified(dst, d, &b, indexes.SumRest)
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
	return g.appendVerified(dst, d, &b, indexes.SumCompare)
}
