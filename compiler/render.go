package compiler

import (
	"sabine/dataset/product"
	"sabine/indexes"
)

// A renderer makes the records of one product after the other, as section KindBodies stores them. It is for one goroutine, and
// keeps its buffers.
type renderer struct {
	product *product.Renderer
	codec   *codec
	body    indexes.Body
}

func newRenderer() *renderer { return &renderer{product: product.NewRenderer(), codec: newCodec()} }

// appendRecord appends the record of a product.
func (r *renderer) appendRecord(dst []byte, p *product.Product) []byte {
	of, b := r.product.Render(p), &r.body
	b.Text, b.Marks = of.Text, indexes.Marks(of.Marks)
	r.codec.code(b)
	return indexes.AppendBody(dst, b, [...]indexes.View{of.Public[0], of.Public[1], of.Compare})
}
