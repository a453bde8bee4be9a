package docset

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sabine/indexes/column"
)

// TestScopeHoldsThePlacesOfItsDocuments holds Or, Add and Append of a narrow scope against looking every
// listed document up.
func TestScopeHoldsThePlacesOfItsDocuments(t *testing.T) {
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

func TestScopeOfAllIsTheDocumentsThemselves(t *testing.T) {
	scope := All(70)
	dst := make(Dense, Words(70))
	scope.Add(dst, 69)
	if !dst.Has(69) || scope.At(69) != 69 || scope.Len() != 70 || !scope.All() || Listed(nil).All() {
		t.Errorf("got %v, %d, %d", dst, scope.At(69), scope.Len())
	}
}
