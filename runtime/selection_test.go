package runtime_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sabine/indexes/column"
	"sabine/runtime"
)

// TestASelectionThatIsFetched yields what one that is not yields, however many products there are, and ends when it is told.
func TestASelectionThatIsFetched(t *testing.T) {
	for _, n := range []int{1, 15, 16, 17, 32, 50} {
		var records strings.Builder
		for i := range n {
			fmt.Fprintf(&records, `{"id":"00000000-0000-4000-8000-%012d","label":"x","manufacturer":"y","has_epd":%t}`+"\n", i*7%n, i%3 == 0)
		}
		g := ofRecords(t, records.String())
		for _, q := range []runtime.Query{{}, {Filters: runtime.Filters{HasEPD: true}}, {Text: "nirgends"}} {
			selection := g.Select(&q)
			want := slices.Collect(selection.ByID())
			if got := slices.Collect(selection.ByIDFetched()); !slices.Equal(got, want) || len(got) != selection.Len {
				t.Errorf("%d products, %+v: got %v, want %v", n, q, got, want)
			}
			for most := range min(len(want), 20) {
				var got []column.Doc
				for d := range selection.ByIDFetched() {
					if len(got) == most {
						break
					}
					got = append(got, d)
				}
				if !slices.Equal(got, want[:most]) {
					t.Errorf("the first %d of %d products: got %v, want %v", most, n, got, want[:most])
				}
			}
		}
	}
}
