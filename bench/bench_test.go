package bench

import (
	"os"
	"testing"

	"sabine/bench/queries"
	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

func BenchmarkBuild(b *testing.B) {
	eachSize(b, func(b *testing.B, n int) {
		c, err := NewCatalogue(n)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(len(c)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.Build(b.TempDir()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkSearch requests the first page of 20 hits for the questions in every class. Texts are requested
// both with and without facets.
func BenchmarkSearch(b *testing.B) {
	eachSubject(b, func(b *testing.B, s *subject) {
		for _, class := range s.classes {
			asked := make([]runtime.Query, len(class.Questions))
			for i, q := range class.Questions {
				var err error
				if asked[i], err = q.In(s.Generation); err != nil {
					b.Fatal(err)
				}
				asked[i].Limit = 20
			}
			search := func(b *testing.B) { measure(b, len(asked), func(i int) { s.Search(&asked[i]) }) }
			b.Run(class.Name, search)
			if class.Kind.IsText() {
				for i := range asked {
					asked[i].Facets = true
				}
				b.Run(class.Name+queries.WithFacets, search)
			}
		}
	})
}

// ids returns the ids of the first products.
func (s *subject) ids(most int) []string {
	ids := make([]string, 0, most)
	for d := 0; d < s.Products() && len(ids) < most; d++ {
		ids = append(ids, s.ID(column.Doc(d)).String())
	}
	return ids
}

// BenchmarkBodies composes the JSON bodies of a detail, a batch of 50 products and a comparison of four.
func BenchmarkBodies(b *testing.B) {
	eachSubject(b, func(b *testing.B, s *subject) {
		ids := s.ids(1000)
		appendDetail := func(dst []byte, d column.Doc) []byte { return s.AppendDetail(dst, d, false) }
		for _, kind := range []struct {
			name   string
			each   int
			append func(dst []byte, d column.Doc) []byte
		}{{"detail", 1, appendDetail}, {"batch of 50", 50, appendDetail}, {"compare 4", 4, s.AppendCompare}} {
			b.Run(kind.name, func(b *testing.B) {
				var body []byte
				measure(b, len(ids)/kind.each, func(i int) {
					body = body[:0]
					for _, id := range ids[i*kind.each:][:kind.each] {
						d, ok := s.Lookup(id)
						if !ok {
							b.Fatal("lost", id)
						}
						body = kind.append(body, d)
					}
				})
			})
		}
	})
}

// BenchmarkOpen opens a snapshot without verifying it.
func BenchmarkOpen(b *testing.B) {
	eachSubject(b, func(b *testing.B, s *subject) {
		measure(b, 1, func(int) {
			f, err := snapshot.Open(s.path)
			if err != nil {
				b.Fatal(err)
			}
			if _, err := indexes.Open(f); err != nil {
				b.Fatal(err)
			}
			if err := f.Close(); err != nil {
				b.Fatal(err)
			}
		})
	})
}

// BenchmarkVerify verifies the section checksums of an open snapshot, which is in the page cache.
func BenchmarkVerify(b *testing.B) {
	eachSubject(b, func(b *testing.B, s *subject) {
		f, err := snapshot.Open(s.path)
		if err != nil {
			b.Fatal(err)
		}
		defer f.Close()
		info, err := os.Stat(s.path)
		if err != nil {
			b.Fatal(err)
		}
		b.SetBytes(info.Size())
		for b.Loop() {
			if err := f.VerifyChecksums(b.Context()); err != nil {
				b.Fatal(err)
			}
		}
	})
}
