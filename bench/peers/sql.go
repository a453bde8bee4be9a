package main

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"sabine/runtime"
)

// A sqlDB answers questions in SQL. Products lie in an ordinary narrow table with covering indexes, one for
// each family; their terms, those of terms.go, in a full-text index that keeps nothing but which product has
// which. A text is asked for the number of hits, and rung by rung for the first hits of each, until the page
// has what it can. The steps:
//
//	strict   ("a" or "b") and ("c" or "d") in the language of the full-text index
//	apart    the same with the parts of compounds that no product has
//	typos    the same with the words and parts of words that share a shortened form with a word of the text, and are within its edits
//	similar  names by their shared trigrams
//	weighed  products by the weight of their words, all of which are asked for in one statement
//
// Facets count the hits; each family with a choice takes one more statement.
type sqlDB struct {
	database
	numbering numbering
}

// A database runs statements; sqlite.go and postgres.go have one each.
type database interface {
	dialect() *dialect
	// run runs statements, each prepared once, and hands over their rows.
	run(t *tally, statements ...*statement) error
	// climb runs a statement with a table total of the number of hits n, and finds the first hits of rungs until
	// the page is full.
	climb(t *tally, total *statement, rungs []string) error
	Close() error
}

// A dialect is where the languages of databases differ. A place is that of a parameter.
type dialect struct {
	sigil string // of a numbered parameter
	// keeps a column from being looked up in an index by a planner that takes common values for rare ones
	noIndex        string
	and, or, quote string // of a full-text query
	// SELECT of the documents that a full-text query at a place finds
	docs     string
	products string // the same as products p, from FROM on
	// SELECT of the documents with names that resemble a key, and their rank
	similar func(s *statement, key string) string
	// SELECT of the documents that each query finds, and its number
	each  func(s *statement, queries []string) string
	among func(s *statement, values []string) string
	// SELECT of the total of products p and of the counts of families
	groups func(from string, wanted func(family) bool) string
}

// The rows of all statements are kind, number, count and text: of a hit on the page isHit, 0, 0, id; of a
// word isWord, 0, 0, word; of the total isTotal, 0, count; else the family, number and count of a value.
const (
	isWord  = -2
	isHit   = -1
	isTotal = int(families)
)

// A statement is SQL with its arguments, as it grows. The same question of another product is the same text,
// so that it is prepared once.
type statement struct {
	sigil string
	text  string
	args  []any
}

func (d *sqlDB) statement() *statement { return &statement{sigil: d.dialect().sigil} }

// arg adds an argument and returns its place in the text.
func (s *statement) arg(v any) string {
	s.args = append(s.args, v)
	return s.sigil + strconv.Itoa(len(s.args))
}

// A tally gathers the rows of statements.
type tally struct {
	answer answer
	words  []string
	counts []groupCount
}

type groupCount struct {
	family family
	number int64
	n      int
}

func (t *tally) take(kind int, number int64, n int, text string) {
	switch kind {
	case isWord:
		t.words = append(t.words, text)
	case isHit:
		t.answer.add(text)
	case isTotal:
		t.answer.Total = n
	default:
		t.counts = append(t.counts, groupCount{family(kind), number, n})
	}
}

// told returns what the rows have said.
func (d *sqlDB) told(t *tally, err error) (answer, error) {
	t.answer.facets = func() counts {
		c := counts{}
		for _, g := range t.counts {
			if g.family != installation {
				c.add(g.family, d.numbering[g.family][g.number], g.n)
				continue
			}
			for set := uint64(g.number); set != 0; set &= set - 1 {
				c.add(installation, d.numbering[installation][bits.TrailingZeros64(set)], g.n)
			}
		}
		return c.cumulate()
	}
	return t.answer, err
}

var sqlOrders = map[runtime.Sort]string{
	runtime.SortDefault:   "p.updated DESC",
	runtime.SortDate:      "p.updated DESC",
	runtime.SortAlphaDesc: "p.alpha_w DESC NULLS LAST, p.updated DESC",
	runtime.SortAlphaAsc:  "p.alpha_w NULLS LAST, p.updated DESC",
	runtime.SortName:      "p.sort",
}

func (d *sqlDB) Ask(q *question) (answer, error) {
	if q.Query.Text != "" {
		return search(d, q)
	}
	if q.Query.Filters.Needs.AbsorptionMin != nil {
		return d.needed(q)
	}
	choices := choices(&q.Query.Filters)
	page, from := d.restricted(q, families)
	page.text = fmt.Sprintf("SELECT %d, 0, 0, p.id FROM %s ORDER BY %s LIMIT %s OFFSET %s", isHit, from,
		sqlOrders[q.Query.Sort],
		page.arg(pageSize), page.arg(q.Query.Page*pageSize))
	total, from := d.restricted(q, families)
	total.text = d.dialect().groups(from, func(f family) bool { return q.Query.Facets && choices[f] == nil })
	statements := []*statement{page, total}
	for f := range families {
		if q.Query.Facets && choices[f] != nil {
			s, from := d.restricted(q, f)
			s.text = groupOf(from, f)
			statements = append(statements, s)
		}
	}
	t := &tally{}
	return d.told(t, d.run(t, statements...))
}

// restricted begins a statement about what passes all filters but those of one family, and returns what
// stands behind FROM.
func (d *sqlDB) restricted(q *question, but family) (s *statement, from string) {
	s = d.statement()
	return s, "product p WHERE " + d.passing(s, q, but)
}

// passing returns the condition that products p pass all filters but those of one family.
func (d *sqlDB) passing(s *statement, q *question, but family) string {
	passing := "true"
	for i, values := range choices(&q.Query.Filters) {
		f := family(i)
		if f == but || len(values) == 0 {
			continue
		}
		passing += " AND "
		switch f {
		case installation:
			set := 0
			for _, v := range values {
				set |= 1 << (d.numbering.find(f, v) + 1) >> 1 // nothing for what no product has
			}
			passing += "p.installation & " + s.arg(set) + " <> 0"
		case fireClass:
			passing += "p.fire BETWEEN 1 AND " + s.arg(len(values))
		case epd, purchasable:
			passing += d.dialect().noIndex + "p." + columns[f] + " = 1"
		default:
			places := make([]string, len(values))
			for i, v := range values {
				places[i] = s.arg(d.numbering.find(f, v))
			}
			passing += "p." + columns[f] + " IN (" + strings.Join(places, ", ") + ")"
		}
	}
	if alpha := q.Query.Filters.AlphaWMin; alpha != nil {
		passing += " AND " + d.dialect().noIndex + "p.alpha_w >= " + s.arg(*alpha)
	}
	if alpha := q.Query.Filters.AlphaWMax; alpha != nil {
		passing += " AND " + d.dialect().noIndex + "p.alpha_w <= " + s.arg(*alpha)
	}
	return passing
}

// groupOf counts the values of a family of products p.
func groupOf(from string, f family) string {
	return fmt.Sprintf("SELECT %d, p.%s, count(*), '' FROM %s GROUP BY 2", f, columns[f], from)
}

// tables begins a statement with a table total of the number of hits n, and with facets one of all hits.
func (d *sqlDB) tables(docs, products string, facets bool) string {
	if !facets {
		return fmt.Sprintf("total AS MATERIALIZED (SELECT count(*) AS n FROM (%s) found) SELECT %d, 0, n, '' FROM total",
			docs, isTotal)
	}
	return fmt.Sprintf(
		"hits AS MATERIALIZED (SELECT p.%s FROM %s), total AS MATERIALIZED (SELECT count(*) AS n FROM hits) %s",
		strings.Join(columns[:], ", p."), products, d.dialect().groups("hits p", func(family) bool { return true }))
}

func (d *sqlDB) write(c clause) string {
	return c.written(d.dialect().and, d.dialect().or, d.dialect().quote)
}

func (d *sqlDB) planned(p *plan, facets bool) (answer, error) {
	hits := d.write(p.hits)
	if p.key != "" {
		hits = "(" + hits + ")" + d.dialect().or + d.dialect().quote + p.key + d.dialect().quote
	}
	rungs := make([]string, 0, len(p.rungs)+1)
	for _, rung := range p.rungs {
		rungs = append(rungs, d.write(rung))
	}
	total := d.statement()
	place := total.arg(hits)
	total.text = "WITH " + d.tables(fmt.Sprintf(d.dialect().docs, place), fmt.Sprintf(d.dialect().products, place), facets)
	t := &tally{}
	return d.told(t, d.climb(t, total, append(rungs, hits)))
}

func (d *sqlDB) near(word string, edits int) ([]string, error) {
	s := d.statement()
	s.text = fmt.Sprintf("SELECT DISTINCT %d, 0, 0, word FROM shortened WHERE short %s", isWord,
		d.dialect().among(s, shortened(word, edits)))
	t := &tally{}
	err := d.run(t, s)
	return t.words, err
}

func (d *sqlDB) similar(key string, facets bool) (answer, error) {
	s := d.statement()
	return d.ranked(s, d.dialect().similar(s, key), facets)
}

func (d *sqlDB) weighed(p *plan, facets bool) (answer, error) {
	var long, short []string
	for i, word := range p.words {
		if query := d.write(p.hits[i : i+1]); isLong(word) {
			long = append(long, query)
		} else {
			short = append(short, query)
		}
	}
	s := d.statement()
	one := d.dialect().each(s, append(short, long...))
	return d.ranked(s, "WITH one AS MATERIALIZED ("+one+"), weight AS (SELECT word, "+
		"CAST(round(64 * ln(1 + 1.0 * (SELECT count(*) FROM product) / count(*))) AS int) AS n FROM one GROUP BY word), "+
		"held AS MATERIALIZED (SELECT doc, sum(n) AS n FROM one JOIN weight USING (word) GROUP BY doc HAVING max(word) >= "+
		s.arg(len(short))+") "+
		"SELECT doc, n AS rank FROM held WHERE 2 * n >= (SELECT max(n) FROM held)", facets)
}

// ranked asks for the best of the documents that are found, with their rank, and for the counts of all.
func (d *sqlDB) ranked(s *statement, found string, facets bool) (answer, error) {
	s.text = fmt.Sprintf("WITH found AS MATERIALIZED (%s), %s UNION ALL SELECT %d, 0, 0, id FROM (SELECT p.id FROM "+
		"(SELECT * FROM found ORDER BY rank DESC, doc LIMIT %d) best JOIN product p USING (doc) ORDER BY rank DESC, doc) page",
		found, d.tables("SELECT * FROM found", "found JOIN product p USING (doc)", facets), isHit, pageSize)
	t := &tally{}
	return d.told(t, d.run(t, s))
}
