package quality

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"text/tabwriter"

	"sabine/bench"
	"sabine/bench/queries"
	"sabine/indexes/column"
	"sabine/runtime"
)

// derivedBars contains the minimum fraction of successful questions in each class. The questions in other
// classes only measure the cost.
var derivedBars = map[string]float64{
	"exact":             1.00,
	"prefix":            0.98,
	"compound part":     1.00,
	"umlaut spelling":   1.00,
	"one typo":          0.97,
	"two typos":         0.90,
	"phrase":            0.99,
	"description words": 0.98,
	"nonsense":          0.95,

	// The following are current fractions. They detect a decrease.
	"part of a name":        0.99,
	"vocabulary":            0.98,
	"other language":        1.00,
	"manufacturer and word": 1.00,
	"numbers":               1.00,
	"sentence":              0.69,
	"garbled name":          0.98,
	"filters":               1.00,
	"need":                  1.00,
	"need in a text":        0.98,
	"scattering":            1.00,
}

// TestDerivedQuestionsSucceed evaluates questions made from a generated catalogue. BENCH_PRODUCTS is the
// number of products, 2,000 by default.
func TestDerivedQuestionsSucceed(t *testing.T) {
	size := 2000
	if os.Getenv("BENCH_PRODUCTS") != "" {
		var err error
		if size, err = bench.Products(); err != nil {
			t.Fatal(err)
		}
	}
	c, err := bench.NewCatalogue(size)
	if err != nil {
		t.Fatal(err)
	}
	products, classes, err := c.Questions()
	if err != nil {
		t.Fatal(err)
	}
	path, err := c.Build(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	g, err := runtime.Open(t.Context(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()

	j := newJudge(t, g, products)
	var table strings.Builder
	w := tabwriter.NewWriter(&table, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "class\tn\tsuccess@1\tsuccess@10\tfallback\tmedian matches\t")
	bars := maps.Clone(derivedBars)
	for _, class := range classes {
		bar, judged := bars[class.Name]
		if !judged {
			continue
		}
		delete(bars, class.Name)
		s := j.ask(class)
		fmt.Fprintf(w, "%s\t%d\t%.3f\t%.3f\t%.3f\t%d\t\n", class.Name, s.asked, s.share(s.first), s.share(s.firstTen),
			s.share(s.fallback), s.medianMatches())
		if s.asked == 0 || s.share(s.firstTen) < bar {
			t.Errorf("%s: %d of %d questions succeed, want %.0f %%; the others:\n\t%s",
				class.Name, s.firstTen, s.asked, 100*bar, strings.Join(s.failures, "\n\t"))
		}
	}
	for name := range bars {
		t.Errorf("a minimum share for %q, which is not a class", name)
	}
	if err := w.Flush(); err != nil {
		t.Error(err)
	}
	t.Logf("%d products\n%s", size, table.String())
}

// A judge evaluates questions about a generation and compares the answers with the rules.
type judge struct {
	generation *runtime.Generation
	products   []queries.Product
	docs       []column.Doc // indexed by product
	places     []int        // indexes of products, by document
}

func newJudge(t *testing.T, g *runtime.Generation, products []queries.Product) *judge {
	t.Helper()
	j := &judge{g, products, make([]column.Doc, len(products)), make([]int, g.Products())}
	for place, p := range products {
		d, ok := g.Lookup(p.ID)
		if !ok {
			t.Fatalf("product %s was built and is not found", p.ID)
		}
		j.docs[place], j.places[d] = d, place
	}
	return j
}

// A score contains the results of a class.
type score struct {
	asked, first, firstTen, fallback int
	matches                          []int
	failures                         []string
}

func (s *score) share(n int) float64 { return float64(n) / float64(max(s.asked, 1)) }

func (s *score) medianMatches() int {
	if len(s.matches) == 0 {
		return 0
	}
	slices.Sort(s.matches)
	return s.matches[len(s.matches)/2]
}

// ask evaluates the first questions in a class that count, up to the wanted number.
func (j *judge) ask(class queries.Class) score {
	var s score
	for i := range class.Questions {
		q := &class.Questions[i]
		r := j.generation.Search(&q.Query)
		if s.asked == class.Wanted || !q.Counts(r) {
			continue
		}
		s.asked++
		s.matches = append(s.matches, r.Total)
		if r.UsedFallback {
			s.fallback++
		}
		fault := j.fault(q, r)
		if fault == "" {
			s.firstTen++
		} else {
			s.failures = append(s.failures, fmt.Sprintf("%q: %s", q.Text, fault))
		}
		if fault == "" && (q.Rule == nil || q.Rule(j.product(r.Docs[0]))) {
			s.first++
		}
	}
	return s
}

func (j *judge) product(d column.Doc) *queries.Product { return &j.products[j.places[d]] }

// fault describes why an answer is bad. It returns "" for a good answer.
func (j *judge) fault(q *queries.Question, r *runtime.Result) string {
	isWanted := func(d column.Doc) bool { return q.Rule(j.product(d)) }
	switch {
	case q.Nothing && r.Total > 0:
		return fmt.Sprintf("%d %s matches, want none, first %q", r.Total, r.Strategy, j.product(r.Docs[0]).Labels[0].Text)
	case q.Nothing:
		return ""
	case q.NoFallback && r.UsedFallback:
		return "found by fallback alone"
	case r.Total == 0:
		return "no match"
	case !slices.ContainsFunc(r.Docs, isWanted):
		return fmt.Sprintf("none of the first of %d %s matches is wanted, first %q", r.Total, r.Strategy,
			j.product(r.Docs[0]).Labels[0].Text)
	}
	return j.missing(q)
}

// missing returns a required product that is not a match, or "".
func (j *judge) missing(q *queries.Question) string {
	if len(q.All) == 0 {
		return ""
	}
	whole := q.Query
	whole.Limit = len(j.products)
	matches := make([]bool, len(j.products))
	for _, d := range j.generation.Search(&whole).Docs {
		matches[d] = true
	}
	for _, place := range q.All {
		if !matches[j.docs[place]] {
			return fmt.Sprintf("%q is not among the matches", j.products[place].Labels[0].Text)
		}
	}
	return ""
}
