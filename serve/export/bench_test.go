package export_test

import (
	"io"
	"testing"

	"sabine/runtime"
	"sabine/serve/export"
)

func BenchmarkWrite(b *testing.B) {
	g := build(b, generated(b, 5000, 1))
	products := g.Select(&runtime.Query{})
	for _, o := range formats {
		name := "5k/" + string(o.Format)
		if o.Semicolon {
			name += " with semicolons"
		}
		if o.Hold {
			name += " held"
		}
		b.Run(name, func(b *testing.B) {
			text, n := written(b, g, o)
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				if err := export.Write(io.Discard, products, &o, n); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
	b.Run("5k/notes", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := export.NotesOf(products, &export.Options{Format: export.CATT}, b.Context().Err); err != nil {
				b.Fatal(err)
			}
		}
	})
}
