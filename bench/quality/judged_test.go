package quality

import (
	"bufio"
	_ "embed"
	"errors"
	"fmt"
	"strings"

	"github.com/google/uuid"

	"sabine/dataset"
)

// The judged queries of the sample catalogue. The head of the file says how it is written.
//
//go:embed judged.txt
var judgedFile string

// A query is what somebody would type, and the judgement of what should come.
type query struct {
	Line     int // in judged.txt
	Class    string
	Text     string
	Meant    string            // what a query with typing errors should have been, "" for others
	Grades   map[uuid.UUID]int // of the products that were judged good, 1 to bestGrade; none: nothing may come
	Complete bool              // all of these have to be in the result, on whatever page
}

// bestGrade is the grade of a product that should come first.
const bestGrade = 3

// best is the highest grade that the query gives.
func (q *query) best() int {
	best := 0
	for _, grade := range q.Grades {
		best = max(best, grade)
	}
	return best
}

// readQueries reads the judged queries, in the order of the file. It reports every line that says nothing about a product.
func readQueries(products []*dataset.Product) ([]*query, error) {
	var (
		queries []*query
		faults  []error
		class   string
	)
	lines := bufio.NewScanner(strings.NewReader(judgedFile))
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		judgement, indented := strings.CutPrefix(line, "\t")
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "== "):
			class = line[len("== "):]
		case !indented:
			queries = append(queries, &query{Line: n, Class: class, Text: line, Grades: map[uuid.UUID]int{}})
		case len(queries) == 0:
			faults = append(faults, fmt.Errorf("judged.txt:%d: expected a query before its judgements", n))
		default:
			if err := queries[len(queries)-1].judge(judgement, products); err != nil {
				faults = append(faults, fmt.Errorf("judged.txt:%d: %w", n, err))
			}
		}
	}
	return queries, errors.Join(append(faults, lines.Err())...)
}

// judge takes one line of judgement in. A product that several lines name has the best of their grades.
func (q *query) judge(line string, products []*dataset.Product) error {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "all":
		q.Complete = true
		return nil
	case "meant":
		q.Meant = rest
		return nil
	case "1", "2", "3":
	default:
		return fmt.Errorf("expected a grade from 1 to %d, all or meant, got %q", bestGrade, word)
	}
	grade := int(word[0] - '0')
	for _, text := range strings.Fields(rest) {
		selects, err := selector(text)
		if err != nil {
			return err
		}
		found := false
		for _, p := range products {
			if selects(p) {
				q.Grades[p.ID] = max(q.Grades[p.ID], grade)
				found = true
			}
		}
		if !found {
			return fmt.Errorf("%q: no such product", text)
		}
	}
	return nil
}
