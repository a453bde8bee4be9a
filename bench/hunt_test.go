package bench

import (
	"cmp"
	"fmt"
	"maps"
	"os"
	"reflect"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"sabine/bench/queries"
	"sabine/runtime"
	"sabine/serve"
)

// huntBar is the maximum ratio of a class's slowest question to the p50 of the class.
const huntBar = 20

// A hunt searches for the slowest questions with a genetic algorithm. It retains the slowest questions in
// each class, and evaluates variations and combinations of them, and new questions. It selects classes with
// equal probability. A question's time is the processor time of one search in the engine, on a locked thread.
//
// The name of a class has several parts. The first part is the bucket of the first match of the text ("none"
// without a match); for questions without a text it is "filters", or "all" without filters. The other parts
// are "need" or "target" (like and curve), "facets", and "late" if the page begins after at least lateHits
// hits. The page size, the order, and filters in addition to a text do not change the class.
//
// The ordinary questions of a class come from package queries. They request the first 20 hits by relevance;
// those of "all" request the first ten pages in all orders. Texts and filters are also combined with needs
// and targets from other questions. All ordinary questions also occur with facets. If a question has more
// than twice lateHits hits, its middle page is added. Late pages have separate classes, because a page after
// 33,000 hits is not comparable with the first page of a few hundred. The p50 of a class is the p50 of the
// best times of its ordinary questions, which are timed alternately with the retained questions.
type hunt struct {
	*breeder
	g       *runtime.Generation
	classes map[string]*huntClass
	names   []string                                  // names of classes, in the order in which they were found
	answer  func(q *runtime.Query, r *runtime.Result) // called for every answer unless it is nil
}

// A huntClass contains the slowest questions in a class, the slowest first, and the ordinary questions.
type huntClass struct {
	retained []huntedQuery
	ordinary []huntedQuery
}

// A huntedQuery is a question with its best time.
type huntedQuery struct {
	runtime.Query
	took time.Duration
}

func (h huntedQuery) slower(other huntedQuery) int { return cmp.Compare(other.took, h.took) }

// lateHits is the number of hits before a late page. It is more than users look at, and the maximum in the
// ordinary questions of "all".
const lateHits = 10 * serve.DefaultLimit

// late is the suffix of classes with late pages.
const late = ", late"

// maxRetained is the maximum number of questions that a class retains.
const maxRetained = 16

func newHunt(g *runtime.Generation, classes []queries.Class) (*hunt, error) {
	h := &hunt{g: g, breeder: newBreeder(g), classes: map[string]*huntClass{}}
	ordinary, err := ordinaryQuestions(g, classes)
	if err != nil {
		return nil, err
	}
	add := func(q runtime.Query) {
		c := h.ask(q)
		c.ordinary = append(c.ordinary, huntedQuery{q, time.Hour})
	}
	for _, q := range ordinary {
		add(q)
		if total := g.Search(&q).Total; q.Page == 0 && total > 2*lateHits {
			q.Page = total / 2 / q.Limit
			add(q)
		}
	}
	return h, nil
}

// class returns the class with the given name. It adds the class if it is new.
func (h *hunt) class(name string) *huntClass {
	c := h.classes[name]
	if c == nil {
		c = &huntClass{}
		h.classes[name] = c
		h.names = append(h.names, name)
	}
	return c
}

// classOf returns the name of a question's class.
func (h *hunt) classOf(q *runtime.Query, r *runtime.Result) string {
	bare := q.Filters
	bare.Needs = runtime.Needs{}
	class, total := "all", r.Total
	switch {
	case q.Text != "":
		if total == 0 && !isZero(q.Filters) { // only the text determines the bucket
			r = h.g.Search(&runtime.Query{Text: q.Text, Limit: 1})
		}
		class = r.Strategy.String()
	case !isZero(bare):
		class = "filters"
	}
	if n := q.Filters.Needs; n.Like != nil || n.Curve != nil {
		class += ", target"
	} else if !isZero(n) {
		class += ", need"
	}
	if q.Facets {
		class += queries.WithFacets
	}
	if q.Page*q.Limit >= lateHits && q.Page*q.Limit < total { // excludes pages after the last hit
		class += late
	}
	return class
}

// run evaluates the given number of questions.
func (h *hunt) run(evaluations int) {
	for range evaluations {
		h.ask(h.next())
	}
}

// next returns a variation of a retained question or, less often, a new question.
func (h *hunt) next() runtime.Query {
	mother := h.classes[one(h.hostile, h.names)].retained
	father := h.classes[one(h.hostile, h.names)].retained
	if h.r.IntN(8) == 0 || len(mother) == 0 || len(father) == 0 {
		return h.fresh()
	}
	q := one(h.hostile, mother).Query
	if h.r.IntN(4) == 0 {
		q = h.cross(q, one(h.hostile, father).Query)
	}
	for more := true; more; more = h.r.IntN(2) == 0 {
		h.vary(&q)
	}
	return h.valid(q)
}

// ask evaluates a question, retains it if it is among the slowest in its class, and returns the class.
func (h *hunt) ask(q runtime.Query) *huntClass {
	asked := huntedQuery{q, time.Hour}
	r := asked.time(h.g)
	if h.answer != nil {
		h.answer(&q, r)
	}
	c := h.class(h.classOf(&q, r))
	last := len(c.retained) - 1
	isSlow := func() bool { return last < maxRetained-1 || asked.took > c.retained[last].took }
	for range 3 { // a single time can include other work
		if isSlow() {
			asked.time(h.g)
		}
	}
	if !isSlow() || slices.ContainsFunc(c.retained, func(k huntedQuery) bool { return reflect.DeepEqual(k.Query, q) }) {
		return c
	}
	at, _ := slices.BinarySearchFunc(c.retained, asked, huntedQuery.slower)
	c.retained = slices.Insert(c.retained, at, asked)
	c.retained = c.retained[:min(len(c.retained), maxRetained)]
	return c
}

// time evaluates the question and records the best time.
func (h *huntedQuery) time(g *runtime.Generation) *runtime.Result {
	before := threadTime()
	r := g.Search(&h.Query)
	h.took = min(h.took, threadTime()-before)
	return r
}

// threadTime returns the processor time that this thread has used.
func threadTime() time.Duration {
	var t unix.Timespec
	_ = unix.ClockGettime(unix.CLOCK_THREAD_CPUTIME_ID, &t)
	return time.Duration(t.Nano())
}

// timeAll times the retained and ordinary questions again. It alternates between them, so that no question
// finds its own data in the processor's cache.
func (h *hunt) timeAll(rounds int) {
	for _, name := range h.names {
		for i := range h.classes[name].retained {
			h.classes[name].retained[i].took = time.Hour
		}
	}
	for range rounds {
		for _, name := range h.names {
			c := h.classes[name]
			for _, questions := range [...][]huntedQuery{c.ordinary, c.retained} {
				for i := range questions {
					questions[i].time(h.g)
				}
			}
		}
	}
	for _, c := range h.classes {
		slices.SortFunc(c.retained, huntedQuery.slower)
		slices.SortFunc(c.ordinary, huntedQuery.slower)
	}
}

// ratio returns the slowest question's time divided by the p50 of the class.
func (c *huntClass) ratio() float64 { return float64(c.retained[0].took) / float64(c.p50()) }

func (c *huntClass) p50() time.Duration { return c.ordinary[len(c.ordinary)/2].took }

// BenchmarkHunt evaluates HUNT_EVALUATIONS questions (`make hunt` sets this variable). It fails if a class's
// ratio exceeds huntBar. It logs a line for each class: p50, slowest time, ratio, and the slowest question as
// a query string.
func BenchmarkHunt(b *testing.B) {
	text := os.Getenv("HUNT_EVALUATIONS")
	if text == "" {
		b.Skip("HUNT_EVALUATIONS is not set")
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		b.Fatalf("HUNT_EVALUATIONS: expected a number of questions, got %q", text)
	}
	eachSubject(b, func(b *testing.B, s *subject) {
		goruntime.LockOSThread() // must be here, because each benchmark runs in a separate goroutine
		defer goruntime.UnlockOSThread()
		h, err := newHunt(s.Generation, s.classes)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			h.run(n)
		}
		h.timeAll(7)
		worst := 0.0
		for _, name := range slices.Sorted(maps.Keys(h.classes)) {
			c := h.classes[name]
			if len(c.ordinary) == 0 { // no ordinary question has a late page
				c.ordinary = h.class(strings.TrimSuffix(name, late)).ordinary
			}
			if len(c.retained) == 0 || len(c.ordinary) == 0 {
				b.Errorf("%s: %d retained and %d ordinary questions, want some of both", name, len(c.retained), len(c.ordinary))
				continue
			}
			worst = max(worst, c.ratio())
			b.Logf("%-26s p50 %7.4f ms of %4d, slowest %7.4f ms, %5.1f times: %s", name, milliseconds(c.p50()), len(c.ordinary),
				milliseconds(c.retained[0].took), c.ratio(), queryString(s.Generation, &c.retained[0].Query))
		}
		b.ReportMetric(worst, "worst-ratio")
		if worst > huntBar {
			b.Errorf("the slowest question takes %.1f times the p50 of its class, want at most %d times", worst, huntBar)
		}
	})
}

// TestHuntedQuestionsAreAnswered evaluates several hundred questions from a hunt. The API must accept each
// question, and pages, totals and counts must be consistent.
func TestHuntedQuestionsAreAnswered(t *testing.T) {
	t.Parallel()
	c, err := NewCatalogue(300)
	fatal(t, err)
	path, err := c.Build(t.TempDir())
	fatal(t, err)
	g, err := runtime.Open(t.Context(), path)
	fatal(t, err)
	defer g.Close()
	_, classes, err := c.Questions()
	fatal(t, err)
	h, err := newHunt(g, classes)
	fatal(t, err)
	met := map[string]int{}
	h.answer = func(q *runtime.Query, r *runtime.Result) {
		address := queryString(g, q)
		met[h.classOf(q, r)]++
		if _, read, err := serve.Search(g, address, func(name string) string {
			return name
		}); err != nil || !reflect.DeepEqual(read, q) {
			t.Errorf("%s: read as %+v (%v), want %+v", address, read, err, q)
		}
		for _, fault := range faultsOf(g, q, r) {
			t.Errorf("%s: %s", address, fault)
		}
	}
	h.run(500)
	if len(met) < 20 {
		t.Errorf("questions of %d classes, want most: %v", len(met), met)
	}
}

// faultsOf returns the general rules for answers that the given answer breaks.
func faultsOf(g *runtime.Generation, q *runtime.Query, r *runtime.Result) (faults []string) {
	check := func(ok bool, format string, a ...any) {
		if !ok {
			faults = append(faults, fmt.Sprintf(format, a...))
		}
	}
	rest := r.Total // hits after the previous pages
	for page := q.Page; page > 0 && rest > 0; page-- {
		rest -= q.Limit
	}
	rest = max(rest, 0)
	check(len(r.Docs) == min(rest, q.Limit), "%d products on a page of %d of %d that are left", len(r.Docs), q.Limit, rest)
	check(r.HasMore == (rest > q.Limit), "more: %v, %d left", r.HasMore, rest)
	docs := slices.Sorted(slices.Values(r.Docs))
	check(len(slices.Compact(docs)) == len(r.Docs), "a product twice on a page: %v", r.Docs)
	check(reflect.DeepEqual(g.Search(q), r), "another answer when asked again")
	all := *q
	all.Filters = runtime.Filters{}
	check(r.Total <= g.Search(&all).Total, "%d with filters, %d without", r.Total, g.Search(&all).Total)
	if r.Facets == nil {
		check(!q.Facets, "no facets")
		return faults
	}
	for _, split := range []struct {
		chosen bool
		runtime.Split
	}{{q.Filters.HasEPD, r.Facets.HasEPD}, {q.Filters.Purchasable, r.Facets.Purchasable}} {
		if split.chosen {
			check(split.True == r.Total, "%d with a chosen property, of %d", split.True, r.Total)
		} else {
			check(split.True+split.False == r.Total, "%d with a property and %d without, of %d", split.True, split.False,
				r.Total)
		}
	}
	counts := slices.Concat(r.Facets.Categories, r.Facets.Characters, r.Facets.Installations, r.Facets.FireClasses)
	for _, m := range r.Facets.Manufacturers {
		counts = append(counts, runtime.ValueCount{Value: m.Slug, Count: m.Count})
	}
	chosen := slices.Concat(q.Filters.Categories, q.Filters.Characters, q.Filters.Installations, q.Filters.Manufacturers,
		[]string{q.Filters.FireClass})
	for _, c := range counts {
		check(c.Count > 0 || slices.Contains(chosen, c.Value), "%s counts %d and is not chosen", c.Value, c.Count)
		check(c.Count <= g.Products(), "%s counts %d of %d products", c.Value, c.Count, g.Products())
	}
	return faults
}
