package quality

import (
	"bufio"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sabine/dataset/product"
)

// A Query is what somebody would type, and the judgement of what should come.
type Query struct {
	Line     int // in its file
	Class    string
	Text     string
	Meant    string             // what a query with typing errors should have been, "" for others
	Grades   map[uuid.UUID]int  // of the products that were judged good, 1 to bestGrade; none: nothing may come
	Never    map[uuid.UUID]bool // products that only a mistake brings
	Complete bool               // all of these have to be in the result, on whatever page
}

// bestGrade is the grade of a product that should come first.
const bestGrade = 3

// best is the highest grade that the query gives.
func (q *Query) best() int { return slices.Max(append(slices.Collect(maps.Values(q.Grades)), 0)) }

// readQueries reads the judged queries, in the order of the file. It reports every line that says nothing
// about a product.
func readQueries(name, text string, products []*product.Product) ([]*Query, error) {
	var (
		queries []*Query
		faults  []error
		class   string
	)
	lines := bufio.NewScanner(strings.NewReader(text))
	for n := 1; lines.Scan(); n++ {
		line := lines.Text()
		judgement, indented := strings.CutPrefix(line, "\t")
		switch {
		case strings.TrimSpace(line) == "" || strings.HasPrefix(line, "#"):
		case strings.HasPrefix(line, "== "):
			class = line[len("== "):]
		case !indented:
			queries = append(queries, &Query{Line: n, Class: class, Text: line, Grades: map[uuid.UUID]int{},
				Never: map[uuid.UUID]bool{}})
		case len(queries) == 0:
			faults = append(faults, fmt.Errorf("%s:%d: expected a query before its judgements", name, n))
		default:
			if err := queries[len(queries)-1].judge(judgement, products); err != nil {
				faults = append(faults, fmt.Errorf("%s:%d: %w", name, n, err))
			}
		}
	}
	return queries, errors.Join(append(faults, lines.Err())...)
}

// judge takes one line of judgement in, without its comment. A product that several lines name has the best
// of their grades.
func (q *Query) judge(line string, products []*product.Product) error {
	line, _, _ = strings.Cut(line, " #")
	word, rest, _ := strings.Cut(line, " ")
	grade := 0
	switch word {
	case "all":
		q.Complete = true
		return nil
	case "meant":
		q.Meant = rest
		return nil
	case "never":
	case "1", "2", "3":
		grade = int(word[0] - '0')
	default:
		return fmt.Errorf("expected a grade from 1 to %d, all, never or meant, got %q", bestGrade, word)
	}
	for _, text := range strings.Fields(rest) {
		selects, err := selector(text)
		if err != nil {
			return err
		}
		if !slices.ContainsFunc(products, selects) {
			return fmt.Errorf("%q: no such product", text)
		}
		for _, p := range products {
			if selects(p) && grade == 0 {
				q.Never[p.ID] = true
			} else if selects(p) {
				q.Grades[p.ID] = max(q.Grades[p.ID], grade)
			}
		}
	}
	return nil
}
