package compiler

import (
	"testing"

	"sabine/indexes"
)

// What a worker does with a parsed product, but for the analysis.
func BenchmarkRender(b *testing.B) {
	r := newRenderer()
	p := fullProduct()
	var record []byte
	b.ReportAllocs()
	for b.Loop() {
		body := r.render(p)
		record = indexes.AppendBody(record[:0], &body)
	}
	b.SetBytes(int64(r.detail.Len()))
}
