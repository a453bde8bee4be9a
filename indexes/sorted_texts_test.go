package indexes

import (
	"slices"
	"strings"
	"testing"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// sortedOf returns a table of texts as it is read from a file.
func sortedOf(t *testing.T, texts ...string) sortedTexts[int] {
	file := writeSection(t, func(w *snapshot.Writer) error {
		c := column.Begin(w, KindTerms)
		putSorted(c, texts)
		return c.Err()
	})
	return readSorted[int](file.Cursor(KindTerms), uint64(len(texts)))
}

func TestBeginnings(t *testing.T) {
	all := strings.Fields("d de deck decke deckel decken deckens deckensegel dee e es s segel segeln ö öl öle")
	table := sortedOf(t, all...)
	for _, text := range append(all, "deckensegeln", "dx", "x", "öl", "ölfarbe", "a", "", "decke\xff") {
		var want, got []string
		for _, other := range all {
			if len(other) < len(text) && strings.HasPrefix(text, other) {
				want = append(want, other)
			}
		}
		table.Beginnings(text, func(i, length int) {
			if table.At(i) != text[:length] {
				t.Errorf("%q: text %d is %q, not %q", text, i, table.At(i), text[:length])
			}
			got = append(got, table.At(i))
		})
		if !slices.Equal(got, want) {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestFindAndFindJoined(t *testing.T) {
	all := []string{"decken", "deckensegel", "deckensegeln", "segel"}
	table := sortedOf(t, all...)
	for _, whole := range []string{"decken", "deckensegel", "deckensegeln", "deckensegelx", "segel", "a", "z", "deck"} {
		wantAt, wantOK := slices.BinarySearch(all, whole)
		if at, ok := table.Find(whole); ok != wantOK || ok && at != wantAt {
			t.Errorf("%q: found at %d, %v, want %d, %v", whole, at, ok, wantAt, wantOK)
		}
		for cut := range len(whole) + 1 {
			if at, ok := table.FindJoined(whole[:cut], whole[cut:]); ok != wantOK || ok && at != wantAt {
				t.Errorf("%q + %q: got %d, %v, want %d, %v", whole[:cut], whole[cut:], at, ok, wantAt, wantOK)
			}
		}
	}
}
