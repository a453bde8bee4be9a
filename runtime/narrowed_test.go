package runtime_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sabine/indexes/column"
	"sabine/runtime"
)

// TestNoEntryOfThePageIsSkipped compares each page with the list of all hits, for which no entries are
// skipped. Coefficients are multiples of a third of a thousandth, so that many entries are exactly at the
// limit for skipping, and some entries lack a band.
func TestNoEntryOfThePageIsSkipped(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(3, 16))
	products := make([]string, 400)
	for i := range products {
		var bands []string
		for _, octave := range [][3]int{{200, 250, 315}, {400, 500, 630}, {800, 1000, 1250}, {1600, 2000, 2500}} {
			if r.IntN(8) > 0 || i == 0 {
				bands = append(bands, fmt.Sprintf("%d:0.5,%d:%.3f,%d:0.5", octave[0], octave[1],
					0.5+float64(r.IntN(4)*r.IntN(4))/1000, octave[2]))
			}
		}
		if len(bands) > 0 {
			products[i] = absorbing(thirds(strings.Join(bands, ",")))
		}
	}
	g, like := openCompiled(t, needingInputs(products)), column.Doc(0)
	for _, of := range []struct {
		sort  runtime.Sort
		needs runtime.Needs
	}{
		{runtime.SortMargin, runtime.Needs{AbsorptionMin: bounds("500:0.3")}},
		{runtime.SortMargin, runtime.Needs{AbsorptionMin: bounds("500:0.3,1000:0.301")}},
		{runtime.SortDistance, runtime.Needs{Curve: bounds("500:0.5,1000:0.501")}},
		{runtime.SortDistance, runtime.Needs{Curve: bounds("500:0.504,1000:0.502,2000:0.5")}},
		{runtime.SortDistance, runtime.Needs{Like: &like}},
	} {
		q := runtime.Query{Sort: of.sort, Filters: runtime.Filters{Needs: of.needs}, Limit: len(products)}
		all := g.Search(&q).Docs
		for q.Limit = 1; q.Limit < 100; q.Limit++ {
			for q.Page = range 3 {
				from := min(q.Page*q.Limit, len(all))
				if got, want := g.Search(&q).Docs, all[from:min(from+q.Limit, len(all))]; !slices.Equal(got, want) {
					t.Fatalf("%+v, page %d of %d: got %v, want %v", of, q.Page, q.Limit, got, want)
				}
			}
		}
	}
}
