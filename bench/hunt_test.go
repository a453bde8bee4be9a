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

// huntBar is how many times the p50 of its class the slowest question may take.
const huntBar = 20

// A hunt looks for the questions that take longest, as a breeder does: of each class it keeps the slowest
// that it has met, and asks variations of these and pairs of them, and new ones, with every class in turn.
// Its time is the processor time of one search in the engine, on a thread that nothing else runs on.
//
// The class of a question is the bucket of the first match of its text ("none": no match), or, without a
// text, "filters" where there are any and else "all"; then "need" or "target" (like and curve), then "facets"
// where they are asked for, then "late" where lateHits hits or more stand before the page. Page size, order,
// and filters beside a text, make no class of their own.
//
// What is ordinary in a class are the questions of package queries, the first 20 by relevance (of "all" the
// first ten pages in all orders), and those about texts and filters with the needs and targets of others, all
// of them with facets too; and, of those with more than twice lateHits hits, the page in their middle. Late
// pages are classes of their own since only questions of many hits have any: beside one for the first 20 of
// some hundred hits, who leafs to hit 33,000 has asked for something else. Their p50 is that of each
// question's best time of several, all asked in turn with what was found, which is timed alike.
type hunt struct {
	*breeder
	g       *runtime.Generation
	classes map[string]*huntClass
	names   []string                                  // of the classes, in the order in which they were met
	tell    func(q *runtime.Query, r *runtime.Result) // is given every answer, unless it is nil
}

// A huntClass is the slowest questions of a class, slowest first, and what is ordinary there.
type huntClass struct {
	kept     []huntedQuery
	ordinary []huntedQuery
}

// A huntedQuery is a question with the best time that it took.
type huntedQuery struct {
	runtime.Query
	took time.Duration
}

func (h huntedQuery) slower(other huntedQuery) int { return cmp.Compare(other.took, h.took) }

// lateHits is how many hits stand before a late page: more than people leaf through, and all that the
// ordinary questions of "all" do.
const lateHits = 10 * serve.DefaultLimit

// late ends the name of a class of late pages.
const late = ", late"

// keptQuestions is how many questions of a class breed.
const keptQuestions = 16

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

// class returns the class of a name, a new one if need be.
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
		if total == 0 && !isZero(q.Filters) { // what matches is decided by the text alone
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
	if q.Page*q.Limit >= lateHits && q.Page*q.Limit < total { // and not behind the end
		class += late
	}
	return class
}

// run asks so many questions.
func (h *hunt) run(evaluations int) {
	for range evaluations {
		h.ask(h.next())
	}
}

// next makes a question: a variation of one that was slow in its class, or now and then a new one.
func (h *hunt) next() runtime.Query {
	mother := h.classes[one(h.hostile, h.names)].kept
	father := h.classes[one(h.hostile, h.names)].kept
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
	return h.settled(q)
}

// ask asks a question, keeps it when it is among the slowest of its class, and returns that.
func (h *hunt) ask(q runtime.Query) *huntClass {
	asked := huntedQuery{q, time.Hour}
	r := asked.time(h.g)
	if h.tell != nil {
		h.tell(&q, r)
	}
	c := h.class(h.classOf(&q, r))
	last := len(c.kept) - 1
	isSlow := func() bool { return last < keptQuestions-1 || asked.took > c.kept[last].took }
	for range 3 { // a single time may be that of something else
		if isSlow() {
			asked.time(h.g)
		}
	}
	if !isSlow() || slices.ContainsFunc(c.kept, func(k huntedQuery) bool { return reflect.DeepEqual(k.Query, q) }) {
		return c
	}
	at, _ := slices.BinarySearchFunc(c.kept, asked, huntedQuery.slower)
	c.kept = slices.Insert(c.kept, at, asked)
	c.kept = c.kept[:min(len(c.kept), keptQuestions)]
	return c
}

// time asks the question and notes the time when it is the best so far.
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

// settle times all anew, what was found and what is ordinary in turn, so that none finds its own data in the
// processor's cache.
func (h *hunt) settle(rounds int) {
	for _, name := range h.names {
		for i := range h.classes[name].kept {
			h.classes[name].kept[i].took = time.Hour
		}
	}
	for range rounds {
		for _, name := range h.names {
			c := h.classes[name]
			for _, questions := range [...][]huntedQuery{c.ordinary, c.kept} {
				for i := range questions {
					questions[i].time(h.g)
				}
			}
		}
	}
	for _, c := range h.classes {
		slices.SortFunc(c.kept, huntedQuery.slower)
		slices.SortFunc(c.ordinary, huntedQuery.slower)
	}
}

// ratio returns how many times the p50 of its class the slowest question takes.
func (c *huntClass) ratio() float64 { return float64(c.kept[0].took) / float64(c.p50()) }

func (c *huntClass) p50() time.Duration { return c.ordinary[len(c.ordinary)/2].took }

// BenchmarkHunt asks HUNT_EVALUATIONS questions, which `make hunt` sets, and fails when the slowest takes
// more than huntBar times the p50 of its class. It logs a line for each class: p50, the slowest, their ratio,
// and the slowest question as a query string.
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
		goruntime.LockOSThread() // here, since each benchmark has a goroutine of its own
		defer goruntime.UnlockOSThread()
		h, err := newHunt(s.Generation, s.classes)
		if err != nil {
			b.Fatal(err)
		}
		for b.Loop() {
			h.run(n)
		}
		h.settle(7)
		worst := 0.0
		for _, name := range slices.Sorted(maps.Keys(h.classes)) {
			c := h.classes[name]
			if len(c.ordinary) == 0 { // of a late page: no ordinary question has as many hits
				c.ordinary = h.class(strings.TrimSuffix(name, late)).ordinary
			}
			if len(c.kept) == 0 || len(c.ordinary) == 0 {
				b.Errorf("%s: %d questions found, %d ordinary ones, want some of both", name, len(c.kept), len(c.ordinary))
				continue
			}
			worst = max(worst, c.ratio())
			b.Logf("%-26s p50 %7.4f ms of %4d, slowest %7.4f ms, %5.1f times: %s", name, milliseconds(c.p50()), len(c.ordinary),
				milliseconds(c.kept[0].took), c.ratio(), queryString(s.Generation, &c.kept[0].Query))
		}
		b.ReportMetric(worst, "worst-ratio")
		if worst > huntBar {
			b.Errorf("the slowest question takes %.1f times the p50 of its class, want %d times at most", worst, huntBar)
		}
	})
}

// TestHuntedQuestionsAreAnswered asks some hundred questions of a hunt: each is one that the API lets
// through, and its answer keeps what a page, a total and counts promise.
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
	h.tell = func(q *runtime.Query, r *runtime.Result) {
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

// faultsOf returns in what an answer breaks the rules that hold for every one.
func faultsOf(g *runtime.Generation, q *runtime.Query, r *runtime.Result) (faults []string) {
	check := func(ok bool, format string, a ...any) {
		if !ok {
			faults = append(faults, fmt.Sprintf(format, a...))
		}
	}
	rest := r.Total // behind the pages before
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
