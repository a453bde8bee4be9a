package quality

import (
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/google/uuid"

	questions "sabine/bench/queries"
	"sabine/compiler"
	"sabine/dataset"
	"sabine/dataset/product"
	"sabine/indexes/analysis"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// A floor contains the minimum measures for a query class. When a measure improves, raise its minimum.
type floor struct {
	class                     string
	success10, ndcg10, recall float64
	wrong                     int // maximum number
}

// The floors for the sample and for both halves of the blind collection, in table order.
var (
	sampleFloors = []floor{
		{"exact", 1, 1, 1, 0},
		{"part of a name", 1, 1, 1, 0},
		{"prefix of 2 to 5 letters", 1, 0.99, 0, 0},
		{"compound part", 1, 0.99, 1, 0},
		{"umlaut spelling", 1, 1, 1, 0},
		{"one typo", 1, 1, 0, 0},
		{"two typos", 1, 1, 0, 0},
		{"synonym", 0.91, 0.85, 1, 0},
		{"other language", 1, 0.98, 1, 0},
		{"manufacturer and word", 1, 1, 1, 0},
		{"phrase", 1, 1, 0, 0},
		{"description words", 1, 1, 0, 0},
		{"numbers", 1, 1, 1, 0},
		{"sentence", 0.93, 0.74, 0, 0},
		{"nonsense", 1, 1, 0, 0},
	}
	openFloors = []floor{
		{"exact", 1, 0.98, 0, 0},
		{"part of a name", 1, 1, 0, 0},
		{"beginning of a word", 1, 0.95, 0.95, 0},
		{"last part of a compound", 1, 0.98, 1, 0},
		{"first or middle part of a compound", 1, 0.99, 1, 0},
		{"inner compound", 1, 0.97, 0.92, 0},
		{"inflected part", 1, 0.97, 1, 0},
		{"German inflection", 1, 0.96, 0.95, 0},
		{"English inflection", 1, 0.9, 1, 0},
		{"own compound", 1, 0.9, 0, 0},
		{"spelling", 1, 0.95, 0, 0},
		{"one typo", 1, 0.86, 0, 0},
		{"typo inside a compound", 1, 0.95, 0, 0},
		{"two typos", 1, 0.96, 0, 0},
		{"size or number", 1, 0.92, 0.96, 0},
		{"article number and details", 1, 1, 0, 0},
		{"other language, word", 1, 0.95, 0, 0},
		{"other language, phrase", 0.79, 0.79, 0, 0},
		{"everyday synonym", 1, 0.85, 0, 0},
		{"sentence, German", 0.92, 0.75, 0, 0},
		{"sentence, English", 1, 0.86, 0, 0},
		{"manufacturer and word", 1, 1, 0, 0},
		{"phrase", 1, 1, 0, 0},
		{"description words", 1, 1, 0, 0},
		{"false split", 1, 0.88, 0, 1},
		{"nonsense", 1, 1, 0, 0},
	}
	lockedFloors = []floor{
		{"exact", 1, 0.94, 0, 0},
		{"part of a name", 1, 1, 0, 0},
		{"beginning of a word", 1, 0.99, 1, 0},
		{"last part of a compound", 1, 0.92, 0.93, 0},
		{"first or middle part of a compound", 1, 0.98, 0.96, 0},
		{"inner compound", 1, 0.97, 0.95, 0},
		{"inflected part", 0.94, 0.92, 0.93, 0},
		{"German inflection", 1, 0.93, 0.85, 0},
		{"English inflection", 1, 0.94, 0.89, 0},
		{"own compound", 0.91, 0.89, 0.78, 0},
		{"spelling", 1, 0.96, 0, 0},
		{"one typo", 1, 0.95, 0, 0},
		{"typo inside a compound", 1, 0.98, 0, 0},
		{"two typos", 1, 0.98, 0, 0},
		{"size or number", 1, 0.94, 0.96, 0},
		{"article number and details", 1, 0.98, 0, 0},
		{"other language, word", 1, 0.9, 0, 0},
		{"other language, phrase", 0.89, 0.71, 0, 0},
		{"everyday synonym", 0.87, 0.7, 0, 0},
		{"sentence, German", 1, 0.76, 0, 0},
		{"sentence, English", 1, 0.76, 0, 0},
		{"manufacturer and word", 1, 0.71, 0, 0},
		{"phrase", 1, 0.94, 0, 0},
		{"description words", 1, 1, 0, 0},
		{"false split", 1, 1, 0, 0},
		{"nonsense", 0.87, 0.87, 0, 0},
	}
	thirdFloors = []floor{
		{"exact", 1, 0.97, 1, 0},
		{"part of a name", 1, 0.98, 1, 0},
		{"beginning of a word", 1, 1, 0, 0},
		{"last part of a compound", 0.91, 0.83, 1, 0},
		{"first or middle part of a compound", 1, 0.97, 0, 0},
		{"inner compound", 1, 0.9, 0, 0},
		{"inflected part", 1, 0.94, 0, 0},
		{"German inflection", 0.9, 0.88, 0, 0},
		{"English inflection", 1, 0.93, 0, 0},
		{"own compound", 0.97, 0.85, 0, 0},
		{"spelling", 1, 0.94, 0, 0},
		{"one typo", 1, 0.98, 0, 0},
		{"typo inside a compound", 1, 0.98, 0, 0},
		{"two typos", 1, 1, 0, 0},
		{"size or number", 1, 0.87, 0, 0},
		{"article number and details", 0.89, 0.88, 0, 0},
		{"other language, word", 0.88, 0.85, 0, 0},
		{"other language, phrase", 0.79, 0.73, 0, 0},
		{"everyday synonym", 0.45, 0.34, 0, 0},
		{"sentence, German", 1, 0.81, 0, 0},
		{"sentence, English", 1, 0.75, 0, 0},
		{"manufacturer and word", 1, 0.93, 0, 0},
		{"phrase", 1, 1, 0, 0},
		{"description words", 1, 1, 0, 0},
		{"false split", 0.74, 0.74, 0, 3},
		{"nonsense", 1, 1, 0, 0},
	}
)

// reached checks that the rows reach the floors.
func reached(t *testing.T, rows []Row, floors []floor, queries int) {
	t.Helper()
	for i, floor := range floors {
		if i >= len(rows) || rows[i].Class != floor.class {
			t.Fatalf("there is no class %q in place %d", floor.class, i+1)
		}
		row := rows[i]
		const rounding = 1e-9
		if row.Success10 < floor.success10-rounding || row.NDCG10 < floor.ndcg10-rounding || row.Complete > 0 &&
			row.Recall < floor.recall-rounding || row.Wrong > floor.wrong {
			t.Errorf(
				"%s: success@10 %.4f, nDCG@10 %.4f, recall %.4f, %d wrong, want %.2f, %.2f and %.2f at least and %d at most",
				row.Class, row.Success10, row.NDCG10, row.Recall, row.Wrong, floor.success10, floor.ndcg10, floor.recall,
				floor.wrong)
		}
		if row.Queries < queries {
			t.Errorf("%s: %d queries, want at least %d", row.Class, row.Queries, queries)
		}
	}
	if len(rows)-1 != len(floors) { // excludes the row for all classes
		t.Errorf("%d classes, %d floors", len(rows)-1, len(floors))
	}
}

// ownClasses lists the classes of judged queries that are not also derived classes.
var ownClasses = []string{"prefix of 2 to 5 letters", "synonym"}

const (
	minQueries        = 150
	minQueriesOfClass = 10
	minBlind          = 6 // minimum for a class in a part of the blind collection
)

// open compiles and opens the catalogue of a collection. If QUALITY_DICTIONARY is set, it uses this
// dictionary.
func open(t *testing.T, c *Collection) *runtime.Generation {
	t.Helper()
	options := compiler.Options{Inputs: c.Inputs, Folder: snapshot.Folder{Dir: t.TempDir()}}
	if name := os.Getenv("QUALITY_DICTIONARY"); name != "" {
		options.Dictionary = &dataset.Input{Name: name, Open: func() (io.ReadCloser, error) { return os.Open(name) }}
	}
	report, err := compiler.Build(t.Context(), options)
	if err != nil {
		t.Fatal(err)
	}
	g, err := runtime.Open(t.Context(), options.Folder.Path(report.File))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	if g.Products() != len(c.Products) {
		t.Fatalf("the snapshot has %d products, the catalogue %d", g.Products(), len(c.Products))
	}
	return g
}

// ask returns all of the engine's hits for a query.
func ask(g *runtime.Generation, q *Query) *Answer {
	r := g.Search(&runtime.Query{Text: q.Text, Limit: g.Products()})
	hits := make([]uuid.UUID, len(r.Docs))
	for i, d := range r.Docs {
		hits[i] = g.ID(d)
	}
	a := q.MeasureAll(hits)
	a.Fallback = r.UsedFallback
	return a
}

// judged reads a collection, evaluates its queries and prints the table of measures to standard output. `make
// quality` shows this table even if the test passes.
func judged(t *testing.T, read func() (*Collection, error)) (*Collection, []*Answer, []Row) {
	t.Helper()
	c, err := read()
	if err != nil {
		t.Fatal(err)
	}
	g := open(t, c)
	var answers []*Answer
	for _, q := range c.Queries {
		answers = append(answers, ask(g, q))
	}
	rows := TableOf(answers)
	fmt.Printf("\n%s: %d products\n\n", c.Name, len(c.Products))
	writeTable(os.Stdout, rows)
	return c, answers, rows
}

func TestJudgedQueries(t *testing.T) {
	c, answers, rows := judged(t, Sample)
	writeFailures(c, answers)

	t.Run("every class reaches its floor", func(t *testing.T) {
		reached(t, rows, sampleFloors, minQueriesOfClass)
		for _, floor := range sampleFloors {
			if !slices.Contains(append(questions.Names(questions.Strict, questions.Loose), ownClasses...), floor.class) {
				t.Errorf("%s is neither a class of derived questions nor one of %q", floor.class, ownClasses)
			}
		}
		if len(c.Queries) < minQueries {
			t.Errorf("%d queries, want at least %d", len(c.Queries), minQueries)
		}
	})
	t.Run("spellings of an umlaut are no errors", func(t *testing.T) {
		for _, a := range answers {
			if a.Query.Class == "umlaut spelling" && a.Fallback {
				t.Errorf("%s: found by a fallback", a.Query.Text)
			}
		}
	})
	t.Run("queries with typing errors are what they say", func(t *testing.T) {
		for _, a := range answers {
			if err := checkTypo(a); err != nil {
				t.Errorf("judged.txt:%d: %s: %v", a.Query.Line, a.Query.Text, err)
			}
		}
	})
}

// TestOpenHalf, TestLockedHalf and TestThirdHalf evaluate the queries in the blind collections. The last two
// only print the table.
func TestOpenHalf(t *testing.T) {
	c, answers, rows := judged(t, Open)
	writeFailures(c, answers)
	reached(t, rows, openFloors, minBlind)
}

func TestLockedHalf(t *testing.T) {
	_, _, rows := judged(t, Locked)
	reached(t, rows, lockedFloors, minBlind)
}

func TestThirdHalf(t *testing.T) {
	_, _, rows := judged(t, Third)
	reached(t, rows, thirdFloors, minBlind)
}

// writeTable writes rows as a Markdown table with aligned columns.
func writeTable(w io.Writer, rows []Row) {
	fmt.Fprintf(w, "| %-37s | %7s | %9s | %10s | %7s | %6s | %8s | %5s |\n", "Class", "queries", "success@1",
		"success@10", "nDCG@10", "recall", "fallback", "wrong")
	fmt.Fprintln(w,
		"|---------------------------------------|--------:|----------:|-----------:|--------:|-------:|---------:|------:|")
	for _, r := range rows {
		recall := ""
		if r.Complete > 0 {
			recall = fmt.Sprintf("%.3f", r.Recall)
		}
		fmt.Fprintf(w, "| %-37s | %7d | %9.2f | %10.2f | %7.2f | %6s | %8.2f | %5d |\n",
			r.Class, r.Queries, r.Success1, r.Success10, r.NDCG10, recall, r.Fallback, r.Wrong)
	}
}

// writeFailures writes every failed query with the expected and actual hits.
func writeFailures(c *Collection, answers []*Answer) {
	names := func(ids []uuid.UUID) string {
		var list []string
		for _, id := range ids[:min(6, len(ids))] {
			at := slices.IndexFunc(c.Products, func(p *product.Product) bool { return p.ID == id })
			list = append(list, nameOf(c.Products[at]))
		}
		return fmt.Sprintf("%s (%d in all)", strings.Join(list, ", "), len(ids))
	}
	for _, a := range answers {
		if a.Success10 && len(a.Missing)+len(a.Wrong) == 0 {
			continue
		}
		var best []uuid.UUID
		for _, p := range c.Products {
			if grade := a.Query.Grades[p.ID]; grade > 0 && grade == a.Query.best() {
				best = append(best, p.ID)
			}
		}
		fmt.Printf("\n%s:%d: %s: %s\n", c.Name, a.Query.Line, a.Query.Class, a.Query.Text)
		fmt.Printf("\texpected %s\n", names(best))
		fmt.Printf("\tcame     %s\n", names(a.Hits))
		if len(a.Missing) > 0 {
			fmt.Printf("\tmissing  %s\n", names(a.Missing))
		}
		if len(a.Wrong) > 0 {
			fmt.Printf("\twrong    %s\n", names(a.Wrong))
		}
	}
}

// checkTypo checks a query with typing errors. One word without digits must have all errors: one in a word of
// at least four letters, or two in a word of at least eight. A strict search must find nothing.
func checkTypo(a *Answer) error {
	edits, shortest := 0, 4
	switch a.Query.Class {
	case "one typo":
		edits = 1
	case "two typos":
		edits, shortest = 2, 8
	default:
		return nil
	}
	typed, meant := analysis.Words(analysis.Key(a.Query.Text)), analysis.Words(analysis.Key(a.Query.Meant))
	if len(typed) != len(meant) {
		return fmt.Errorf("expected as many words as in %q", a.Query.Meant)
	}
	altered := 0
	for i, word := range meant {
		if typed[i] == word {
			continue
		}
		altered++
		if n := len([]rune(word)); n < shortest || strings.ContainsFunc(word, unicode.IsDigit) {
			return fmt.Errorf("%q is changed: expected a word of at least %d letters, without digits", word, shortest)
		}
		if d := questions.Edits([]rune(typed[i]), []rune(word)); d != edits {
			return fmt.Errorf("%q for %q: %d errors, want %d", typed[i], word, d, edits)
		}
	}
	if altered != 1 {
		return fmt.Errorf("%d changed words, want one", altered)
	}
	if len(a.Hits) > 0 && !a.Fallback {
		return errors.New("found without correction: it is no error that has to be corrected")
	}
	return nil
}
