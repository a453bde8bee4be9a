package docset

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sabine/indexes/column"
)

// drawDense returns a random set of documents, as a Dense and as a map.
func drawDense(t *rapid.T, docs int, name string) (Dense, map[column.Doc]bool) {
	dense, plain := make(Dense, Words(docs)), map[column.Doc]bool{}
	for _, d := range rapid.SliceOf(rapid.IntRange(0, docs-1)).Draw(t, name) {
		dense.Add(column.Doc(d))
		plain[column.Doc(d)] = true
	}
	return dense, plain
}

func TestDenseMatchesAMap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		docs := rapid.SampledFrom([]int{1, 63, 64, 65, 200, 1_000}).Draw(t, "docs")
		a, plainA := drawDense(t, docs, "a")
		b, plainB := drawDense(t, docs, "b")
		and, or, without, same := slices.Clone(a), slices.Clone(a), slices.Clone(a), slices.Clone(b)
		and.And(b)
		or.Or(b)
		without.AndNot(b)
		same.Copy(a)
		shared := 0
		for d := range column.Doc(docs) {
			for name, x := range map[string]struct {
				set  Dense
				want bool
			}{
				"a": {a, plainA[d]}, "copy": {same, plainA[d]}, "and": {and, plainA[d] && plainB[d]},
				"or": {or, plainA[d] || plainB[d]}, "and not": {without, plainA[d] && !plainB[d]},
			} {
				if x.set.Has(d) != x.want {
					t.Fatalf("%s: document %d: %v, want %v", name, d, !x.want, x.want)
				}
			}
			if plainA[d] && plainB[d] {
				shared++
			}
		}
		if got := a.AndLen(b); got != shared {
			t.Fatalf("AndLen: %d, want %d", got, shared)
		}
		if a.Len() != len(plainA) || a.Empty() != (len(plainA) == 0) {
			t.Fatalf("Len %d, Empty %v of %d documents", a.Len(), a.Empty(), len(plainA))
		}
		var byNext []column.Doc
		for d, ok := a.Next(0); ok; d, ok = a.Next(d + 1) {
			byNext = append(byNext, d)
		}
		if !slices.Equal(byNext, a.Docs()) || len(byNext) != len(plainA) || !slices.IsSorted(byNext) {
			t.Fatalf("Next gives %v of %v", byNext, plainA)
		}
		lo := rapid.IntRange(0, docs).Draw(t, "lo")
		hi := rapid.IntRange(0, docs).Draw(t, "hi")
		inRange := 0
		for d := lo; d < hi; d++ {
			if plainA[column.Doc(d)] {
				inRange++
			}
		}
		if got := a.countRange(lo, hi); got != inRange {
			t.Fatalf("countRange(%d, %d): %d, want %d", lo, hi, got, inRange)
		}
		same.fillRange(lo, hi)
		for d := range docs {
			if want := plainA[column.Doc(d)] || lo <= d && d < hi; same.Has(column.Doc(d)) != want {
				t.Fatalf("fillRange(%d, %d): document %d: %v", lo, hi, d, !want)
			}
		}
		same.Fill(lo)
		if next, ok := same.Next(column.Doc(lo)); same.Len() != lo || ok {
			t.Fatalf("Fill(%d): %d documents, and %d, %v", lo, same.Len(), next, ok)
		}
		same.Clear()
		if !same.Empty() {
			t.Fatal("Clear leaves documents")
		}
	})
}

func TestDenseIgnoresDocumentsBeyondItsLength(t *testing.T) {
	set := make(Dense, Words(100))
	for _, d := range []column.Doc{128, 1 << 20, 1<<32 - 1} {
		set.Add(d)
		if set.Has(d) {
			t.Errorf("document %d is in a set of 128", d)
		}
		if next, ok := set.Next(d); ok {
			t.Errorf("document %d after %d", next, d)
		}
	}
	if !set.Empty() {
		t.Errorf("documents beyond the set made %v of it", set)
	}
}
