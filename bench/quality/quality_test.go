package quality

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"unicode"

	questions "sabine/bench/queries"
	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/analysis"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// floors are what every class of queries has to reach at least, in the order of the table: what it has reached, to be
// raised with it.
var floors = []struct {
	class             string
	success10, ndcg10 float64
}{
	{"exact", 1.00, 1.00},
	{"part of a name", 1.00, 0.97},
	{"prefix of 2 to 5 letters", 1.00, 0.99},
	{"compound part", 1.00, 0.98},
	{"umlaut spelling", 1.00, 1.00},
	{"one typo", 1.00, 1.00},
	{"two typos", 1.00, 1.00},
	{"synonym", 0.88, 0.79},
	{"other language", 1.00, 0.98},
	{"manufacturer and word", 1.00, 0.99},
	{"phrase", 1.00, 1.00},
	{"description words", 1.00, 1.00},
	{"numbers", 1.00, 0.98},
	{"sentence", 0.80, 0.58},
	{"nonsense", 0.95, 0.95},
}

// ownClasses are those whose judged queries are others than the derived questions, which have no class of the name.
var ownClasses = []string{"prefix of 2 to 5 letters", "synonym"}

const (
	minQueries        = 150
	minQueriesOfClass = 10
)

// open compiles the sample catalogue and opens it.
func open(t *testing.T, products []*dataset.Product) *engine {
	t.Helper()
	folder := snapshot.Folder{Dir: t.TempDir()}
	report, err := compiler.Build(t.Context(), compiler.Options{Inputs: dataset.Sample(), Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	g, err := runtime.Open(t.Context(), folder.Path(report.File))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = g.Close() })
	if g.Products() != len(products) {
		t.Fatalf("the snapshot has %d products, the catalogue %d", g.Products(), len(products))
	}
	return newEngine(g, products)
}

// The table goes to standard output also when the test passes: `make quality` shows it.
func TestJudgedQueries(t *testing.T) {
	products, err := catalogue()
	if err != nil {
		t.Fatal(err)
	}
	queries, err := readQueries(products)
	if err != nil {
		t.Fatal(err)
	}
	engine := open(t, products)
	var answers []*answer
	for _, q := range queries {
		answers = append(answers, engine.ask(q))
	}
	rows := tableOf(answers)
	writeTable(os.Stdout, rows)
	writeFailures(answers, products)

	t.Run("every class reaches its floor", func(t *testing.T) {
		for i, floor := range floors {
			if !slices.Contains(append(questions.Names(questions.Strict, questions.Loose), ownClasses...), floor.class) {
				t.Errorf("%s is neither a class of derived questions nor one of %q", floor.class, ownClasses)
			}
			if i >= len(rows) || rows[i].Class != floor.class {
				t.Fatalf("judged.txt has no class %q in place %d", floor.class, i+1)
			}
			row := rows[i]
			const rounding = 1e-9
			if row.Success10 < floor.success10-rounding || row.NDCG10 < floor.ndcg10-rounding {
				t.Errorf("%s: success@10 %.4f, nDCG@10 %.4f, want %.2f and %.2f at least",
					row.Class, row.Success10, row.NDCG10, floor.success10, floor.ndcg10)
			}
			if row.Queries < minQueriesOfClass {
				t.Errorf("%s: %d queries, want %d at least", row.Class, row.Queries, minQueriesOfClass)
			}
		}
		if len(rows)-1 != len(floors) { // but for the row over all
			t.Errorf("%d classes, %d floors", len(rows)-1, len(floors))
		}
		if len(queries) < minQueries {
			t.Errorf("%d queries, want %d at least", len(queries), minQueries)
		}
	})
	t.Run("spellings of an umlaut are no errors", func(t *testing.T) {
		for _, a := range answers {
			if a.Query.Class == "umlaut spelling" && a.Fallback {
				t.Errorf("%s: found by %s", a.Query.Text, a.Strategy)
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

// writeFailures names every query that failed, what was expected and what came.
func writeFailures(answers []*answer, products []*dataset.Product) {
	for _, a := range answers {
		if a.Success10 {
			continue
		}
		var best []*dataset.Product
		for _, p := range products {
			if grade := a.Query.Grades[p.ID]; grade > 0 && grade == a.Query.best() {
				best = append(best, p)
			}
		}
		fmt.Printf("\njudged.txt:%d: %s: %s\n", a.Query.Line, a.Query.Class, a.Query.Text)
		fmt.Printf("\texpected %s\n", names(best))
		fmt.Printf("\tcame     %s (%d in all, %s)\n", names(a.Page), a.Total, a.Strategy)
		if len(a.Missing) > 0 {
			fmt.Printf("\tmissing  %s\n", names(a.Missing))
		}
	}
}

// names lists the first few of some products.
func names(products []*dataset.Product) string {
	const few = 4
	var list []string
	for _, p := range products[:min(few, len(products))] {
		list = append(list, nameOf(p))
	}
	switch n := len(products); {
	case n == 0:
		return "nothing"
	case n > few:
		return fmt.Sprintf("%s and %d more", strings.Join(list, ", "), n-few)
	}
	return strings.Join(list, ", ")
}

// checkTypo holds a query of a class of typing errors against what the class promises: errors only in words of four
// letters or more without digits, one of them, or two in a word of eight letters or more; and nothing found strictly.
func checkTypo(a *answer) error {
	errors, shortest := 0, 4
	switch a.Query.Class {
	case "one typo":
		errors = 1
	case "two typos":
		errors, shortest = 2, 8
	default:
		return nil
	}
	typed, meant := analysis.Words(analysis.Key(a.Query.Text)), analysis.Words(analysis.Key(a.Query.Meant))
	if len(typed) != len(meant) {
		return fmt.Errorf("it has not as many words as %q", a.Query.Meant)
	}
	altered := 0
	for i, word := range meant {
		if typed[i] == word {
			continue
		}
		altered++
		if n := len([]rune(word)); n < shortest || strings.ContainsFunc(word, unicode.IsDigit) {
			return fmt.Errorf("%q is altered: expected a word of %d letters or more, without digits", word, shortest)
		}
		if d := questions.Edits([]rune(typed[i]), []rune(word)); d != errors {
			return fmt.Errorf("%q for %q: %d errors, want %d", typed[i], word, d, errors)
		}
	}
	if altered != 1 {
		return fmt.Errorf("%d words are altered, want one", altered)
	}
	if a.Strategy != runtime.StrategyNone && !a.Fallback {
		return fmt.Errorf("found without correction, by %s: it is no error that has to be corrected", a.Strategy)
	}
	return nil
}
