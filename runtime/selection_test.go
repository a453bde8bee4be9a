package runtime_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"sabine/indexes/column"
	"sabine/runtime"
)

// TestAPrefetchedSelection checks that prefetching does not change the products or their order, and that the
// iteration ends when the caller stops it.
func TestAPrefetchedSelection(t *testing.T) {
	for _, n := range []int{1, 15, 16, 17, 32, 50} {
		var records strings.Builder
		for i := range n {
			fmt.Fprintf(&records, `{"id":"00000000-0000-4000-8000-%012d","label":"x","manufacturer":"y","has_epd":%t}`+"\n",
				i*7%n, i%3 == 0)
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

func TestASelectionByCategory(t *testing.T) {
	g := ofRecords(t, `
{"id":"00000000-0000-4000-8000-000000000005","label":"a","manufacturer":"x","updated_at":"2026-01-05T00:00:00Z"}
{"id":"00000000-0000-4000-8000-000000000004","label":"b","manufacturer":"x","material_category":"holz","updated_at":"2026-01-01T00:00:00Z"}
{"id":"00000000-0000-4000-8000-000000000003","label":"c","manufacturer":"x","material_category":"textil"}
{"id":"00000000-0000-4000-8000-000000000002","label":"d","manufacturer":"y","material_category":"textil"}
{"id":"00000000-0000-4000-8000-000000000001","label":"e","manufacturer":"x","material_category":"holz"}
{"id":"00000000-0000-4000-8000-000000000000","label":"f","manufacturer":"x"}
`)
	for _, test := range []struct {
		filters    runtime.Filters
		none, want string
	}{
		{runtime.Filters{}, "", "051423"},
		{runtime.Filters{}, "kork", "140523"},
		{runtime.Filters{}, "uncategorised", "142305"},
		{runtime.Filters{}, "holz", "014523"},
		{runtime.Filters{Categories: []string{"textil"}}, "", "23"},
		{runtime.Filters{Manufacturers: []string{"x"}}, "holz", "01453"},
		{runtime.Filters{Categories: []string{"glas"}}, "", ""},
	} {
		got := ""
		for d := range g.Select(&runtime.Query{Filters: test.filters}).ByCategory(test.none) {
			id := g.ID(d).String()
			got += id[len(id)-1:]
		}
		if got != test.want {
			t.Errorf("%+v, without one %q: got %s, want %s", test.filters, test.none, got, test.want)
		}
	}
}
