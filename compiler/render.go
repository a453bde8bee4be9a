package compiler

import (
	"bytes"
	"time"

	"github.com/klauspost/compress/gzip"

	"sabine/dataset/product"
	"sabine/indexes"
)

// gzipLevel was chosen by measuring 4,000 details with an average size of 2,178 bytes:
//
//	level        1      2      3      4      5      6      7
//	bytes    1,127  1,115  1,069  1,065  1,053  1,045  1,040
//	µs        17.7   17.3   18.0   19.4   21.1   21.8   29.0
const gzipLevel = 3

// A renderer creates the product records for section KindBodies. Its output depends only on the product. It
// reuses its buffers and is not safe for concurrent use.
type renderer struct {
	product *product.Renderer
	body    indexes.Body
	gzip    *gzip.Writer
	gzipped bytes.Buffer
	whole   []byte // detail with geometry
}

func newRenderer() *renderer {
	w, err := gzip.NewWriterLevel(nil, gzipLevel)
	if err != nil {
		panic(err) // cannot fail, since the level is a constant
	}
	return &renderer{product: product.NewRenderer(), gzip: w}
}

// appendRecord appends the record of a product.
func (r *renderer) appendRecord(dst []byte, p *product.Product) []byte {
	of, b := r.product.Render(p), &r.body
	b.Text, b.Marks = of.Text, indexes.Marks(of.Marks)
	r.code(b)
	return indexes.AppendBody(dst, b, [...]indexes.View{of.Public[0], of.Public[1], of.Compare})
}

// code sets the ETags and the gzip form of a body. The gzip form is valid until the next call.
func (r *renderer) code(b *indexes.Body) {
	detail := b.Detail()
	r.whole = append(append(append(r.whole[:0], detail[:len(detail)-1]...), b.Geometry()...), '}')
	b.ETag, b.GeometryETag, b.Gzip = indexes.ETag(detail), indexes.ETag(r.whole), nil
	if len(detail) < indexes.MinCoded {
		return
	}
	r.gzipped.Reset()
	r.gzip.Reset(&r.gzipped)
	r.gzip.ModTime = time.Unix(0, 0) // means no time; the zero Time would be written as a date
	_, _ = r.gzip.Write(detail)      // writing to a buffer cannot fail
	_ = r.gzip.Close()
	b.Gzip = r.gzipped.Bytes()
}
