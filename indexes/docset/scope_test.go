package docset

import (
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sabine/indexes/column"
)

// TestListedScope compares Or, Add and Append of a listed scope with lookups of each listed document.
func TestListedScope(t *testing.T) {
	dir := t.TempDir()
	rapid.Check(t, func(t *rapid.T) {
		docs := rapid.SampledFrom([]int{1, 64, 1000, 200_000}).Draw(t, "docs")
		b := NewBuilder(docs)
		ref := b.Add(drawDocs(t, docs))
		set := stored(t, dir, b).Set(ref)
		listed := drawDocs(t, docs)
		if n := rapid.IntRange(0, 300).Draw(t, "listed"); len(listed) > n && rapid.Bool().Draw(t, "few") {
			listed = listed[:n]
		}
		scope := Listed(listed)
		want, got := make(Dense, Words(len(listed))), make(Dense, Words(len(listed)))
		var common []column.Doc
		for i, d := range listed {
			if set.Contains(d) {
				want.Add(column.Doc(i))
				common = append(common, d)
			}
		}
		skip := rapid.IntRange(0, len(common)).Draw(t, "skip")
		need := rapid.IntRange(0, len(common)-skip).Draw(t, "need")
		if page := scope.Append(nil, want, skip, need); !slices.Equal(page, common[skip:skip+need]) {
			t.Fatalf("%d of %d documents from place %d on: got %v, want %v", need, len(common), skip, page,
				common[skip:skip+need])
		}
		if scope.Or(got, set); !slices.Equal(got, want) {
			t.Fatalf("%d documents of %d: got the places %v, want %v", set.Len(), docs, got.Docs(), want.Docs())
		}
		got.Clear()
		for _, d := range set.Docs(nil) {
			scope.Add(got, d)
		}
		if !slices.Equal(got, want) {
			t.Fatalf("%d documents of %d, one by one: got the places %v, want %v", set.Len(), docs, got.Docs(), want.Docs())
		}
	})
}

func TestListedScopeWithRuns(t *testing.T) {
	const docs = 100_000
	random, in := rand.New(rand.NewPCG(1, 2)), make(Dense, Words(docs))
	for first := 0; first < docs; first += 100 + random.IntN(100) {
		in.fillRange(first, first+1+random.IntN(90))
	}
	b := NewBuilder(docs)
	ref := b.Add(in.Docs())
	set := stored(t, t.TempDir(), b).Set(ref)
	if f := set.bitmap.open(); len(f.runs) == 0 || len(f.words)+len(f.values) > 0 {
		t.Fatal("the set is not stored only as runs")
	}
	united := make(Dense, Words(docs))
	if set.OrInto(united); !slices.Equal(united, in) {
		t.Errorf("%d documents, want %d", united.Len(), in.Len())
	}
	for _, step := range []int{1, 7, 1000, 30_000} { // small steps scan the runs, large steps search them
		var listed, want []column.Doc
		for d := random.IntN(step); d < docs; d += 1 + random.IntN(step) {
			if listed = append(listed, column.Doc(d)); in.Has(column.Doc(d)) {
				want = append(want, column.Doc(len(listed)-1))
			}
		}
		got := make(Dense, Words(len(listed)))
		if Listed(listed).Or(got, set); !slices.Equal(got.Docs(), want) {
			t.Errorf("%d listed documents: got the places %v, want %v", len(listed), got.Docs(), want)
		}
	}
}

func TestScopeOfAllDocuments(t *testing.T) {
	scope := All(70)
	dst := make(Dense, Words(70))
	scope.Add(dst, 69)
	if !dst.Has(69) || scope.At(69) != 69 || scope.Len() != 70 || !scope.All() || Listed(nil).All() {
		t.Errorf("got %v, %d, %d", dst, scope.At(69), scope.Len())
	}
}
