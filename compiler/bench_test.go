package compiler

import "testing"

// BenchmarkRender measures all work on a parsed product except its analysis.
func BenchmarkRender(b *testing.B) {
	r := newRenderer()
	products := generatedProducts(b, 100)
	var record []byte
	i := 0
	b.ReportAllocs()
	for b.Loop() {
		record = r.appendRecord(record[:0], products[i%len(products)])
		i++
	}
}
