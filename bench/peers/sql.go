package main

import (
	"database/sql"
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"sabine/bench/step"
	"sabine/runtime"
)

// A sqlDB answers questions in SQL. Products are in a narrow table with a covering index for each family.
// Their terms (see terms.go) are in a full-text index without positions. A text search first finds the number
// of hits, and then the first hits, tier by tier, until the page is full. The steps are:
//
//	strict   ("a" or "b") and ("c" or "d") in the language of the full-text index
//	apart    like strict, with the parts of each compound that no product contains
//	typos    like strict, with words and their parts within some edits of a query word; both share a shortened
//	         form
//	similar  names by the number of shared trigrams
//	weighed  products by the weight of their words, in one statement
//
// Every other question is one statement. It counts facet values among the hits; each family with a filter is
// counted separately.
type sqlDB struct {
	*dialect
	db        *sql.DB
	stop      func() error // ends the database's server
	prepared  map[string]*sql.Stmt
	rows      map[string][][]any // rows that are not yet in the database, by table
	numbering numbering
}

// The rows of every statement have the columns kind, number, count and text. They are (isHit, 0, 0, id) for a
// hit on the page, (isWord, 0, 0, word) for a word, and (isTotal, 0, count) for the total. In all other rows,
// the kind is a family, followed by the number and count of a value.
const (
	isWord  = -2
	isHit   = -1
	isTotal = int(families)
)

// A statement is SQL with its arguments, built piece by piece. Questions that differ only in values have the
// same SQL, which is prepared only once.
type statement struct {
	text string
	args []any
}

// arg adds an argument and returns the placeholder for it.
func (s *statement) arg(v any) string {
	s.args = append(s.args, v)
	return "?" + strconv.Itoa(len(s.args))
}

func (s *statement) add(format string, args ...any) { s.text += fmt.Sprintf(format, args...) }

func (d *sqlDB) prepare(text string) *sql.Stmt {
	if d.prepared[text] == nil {
		d.prepared[text] = step.Must(d.db.Prepare(strings.ReplaceAll(text, "?", d.sigil)))
	}
	return d.prepared[text]
}

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

func (d *sqlDB) run(t *tally, s *statement) *tally {
	rows, err := d.prepare(s.text).Query(s.args...)
	step.Check(err, s.text)
	for rows.Next() {
		var kind, n int
		var number int64
		var text string
		step.Check(rows.Scan(&kind, &number, &n, &text))
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
	step.Check(errors.Join(rows.Err(), rows.Close()), s.text)
	return t
}

func (d *sqlDB) Close() error { return errors.Join(d.db.Close(), d.stop()) }

func (d *sqlDB) answer(t *tally) answer {
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
	return t.answer
}

var sqlOrders = map[runtime.Sort]string{
	runtime.SortDefault:   "p.updated DESC",
	runtime.SortDate:      "p.updated DESC",
	runtime.SortAlphaDesc: "p.alpha_w DESC NULLS LAST, p.updated DESC",
	runtime.SortAlphaAsc:  "p.alpha_w NULLS LAST, p.updated DESC",
	runtime.SortName:      "p.sort",
}

func (d *sqlDB) Ask(q *runtime.Query) answer {
	if q.Text != "" {
		return search(d, q)
	}
	s, products := &statement{}, "product"
	passing := func(but family) string { return products + " p WHERE " + d.passing(s, &q.Filters, but) }
	hits := passing
	if q.Filters.Needs.AbsorptionMin != nil { // search only once for the entries that meet the needs
		products = "needed"
		s.add("WITH needed AS MATERIALIZED (SELECT id, updated, %s FROM product WHERE doc IN "+
			"(SELECT doc FROM entry WHERE %s)), hits AS MATERIALIZED (SELECT * FROM %s) ",
			strings.Join(columns[:], ", "), d.meeting(s, &q.Filters.Needs), passing(families))
		hits = func(but family) string {
			if but == families {
				return "hits p"
			}
			return passing(but)
		}
	}
	// A planner that finds no constant limit sorts all rows.
	s.add("SELECT %d, 0, 0, id FROM (SELECT p.id FROM %s ORDER BY %s LIMIT %d OFFSET %d) page", isHit, hits(families),
		sqlOrders[q.Sort], pageSize, q.Page*pageSize)
	eachCount(q, func(but family, wanted func(family) bool) {
		if but == families {
			s.add(" UNION ALL %s", d.groups(hits(but), wanted))
		} else {
			s.add(" UNION ALL %s", groupOf(hits(but), but))
		}
	})
	return d.answer(d.run(&tally{}, s))
}

// passing returns the condition that products p pass the filters other than the filter of but.
func (d *sqlDB) passing(s *statement, filters *runtime.Filters, but family) string {
	passing := "true"
	for i, values := range choices(filters) {
		f := family(i)
		if f == but || len(values) == 0 {
			continue
		}
		passing += " AND "
		switch f {
		case installation:
			set := 0
			for _, v := range values {
				set |= 1 << (d.numbering.find(f, v) + 1) >> 1 // no bit for a value that no product has
			}
			passing += "p.installation & " + s.arg(set) + " <> 0"
		case fireClass:
			passing += "p.fire BETWEEN 1 AND " + s.arg(len(values))
		case epd, purchasable:
			passing += d.noIndex + "p." + columns[f] + " = 1"
		default:
			passing += "p." + columns[f] + " = " + s.arg(d.numbering.find(f, values[0])) // these filters have one value
		}
	}
	if filters.AlphaWMin != nil {
		passing += " AND " + d.noIndex + "p.alpha_w >= " + s.arg(*filters.AlphaWMin)
	}
	return passing
}

func (d *sqlDB) meeting(s *statement, n *runtime.Needs) string {
	var all []string
	for _, b := range n.AbsorptionMin {
		all = append(all, fmt.Sprintf("hz%d >= %s", b.BandHz, s.arg(3*b.Thousandths)))
	}
	if n.DepthMax != nil {
		all = append(all, "depth <= "+s.arg(*n.DepthMax))
	}
	for _, m := range n.Mountings {
		all = append(all, "mounting = "+s.arg(d.numbering.find(mounting, m)))
	}
	for _, kind := range n.SourceKinds {
		all = append(all, "source_kind = "+s.arg(d.numbering.find(sourceKind, kind)))
	}
	return strings.Join(all, " AND ")
}

func groupOf(from string, f family) string {
	return fmt.Sprintf("SELECT %d, p.%s, count(*), '' FROM %s GROUP BY 2", f, columns[f], from)
}

// tables begins a statement with a table total, which contains n, the number of hits. With facets, it adds a
// table of all hits.
func (d *sqlDB) tables(docs, products string, facets bool) string {
	if !facets {
		return fmt.Sprintf("total AS MATERIALIZED (SELECT count(*) AS n FROM (%s) found) SELECT %d, 0, n, '' FROM total",
			docs, isTotal)
	}
	return fmt.Sprintf(
		"hits AS MATERIALIZED (SELECT p.%s FROM %s), total AS MATERIALIZED (SELECT count(*) AS n FROM hits) %s",
		strings.Join(columns[:], ", p."), products, d.groups("hits p", func(family) bool { return true }))
}

func (d *sqlDB) write(r tier) string {
	join := func(sign string) func([]string) string {
		return func(all []string) string { return "(" + strings.Join(all, sign) + ")" }
	}
	return written(r, join(d.and), join(d.or), func(term string) string { return d.quote + term + d.quote })
}

func (d *sqlDB) planned(p *plan, facets bool) answer {
	hits := d.write(tier{clause: p.hits})
	if p.key != "" {
		hits = "(" + hits + ")" + d.or + d.quote + p.key + d.quote
	}
	tiers := make([]string, 0, len(p.tiers)+1)
	for _, tier := range p.tiers {
		tiers = append(tiers, d.write(tier))
	}
	s, t := &statement{}, &tally{}
	place := s.arg(hits)
	s.text = "WITH " + d.tables(fmt.Sprintf(d.docs, place), fmt.Sprintf(d.products, place), facets)
	d.firstHits(d, t, s, append(tiers, hits))
	return d.answer(t)
}

func (d *sqlDB) near(word string, edits int) []string {
	s := &statement{}
	s.add("SELECT DISTINCT %d, 0, 0, word FROM shortened WHERE short "+d.among, isWord,
		s.arg(d.list(shortened(word, edits))))
	return d.run(&tally{}, s).words
}

func (d *sqlDB) similar(key string, facets bool) answer {
	return d.ranked(&statement{args: d.resembling(key)}, d.resemblance, facets)
}

func (d *sqlDB) weighed(p *plan, facets bool) answer {
	var long, short []string
	for i, word := range p.words {
		if query := d.write(tier{clause: p.hits[i : i+1]}); isLong(word) {
			long = append(long, query)
		} else {
			short = append(short, query)
		}
	}
	s := &statement{}
	one := fmt.Sprintf(d.each, s.arg(d.list(append(short, long...))))
	return d.ranked(s, "WITH one AS MATERIALIZED ("+one+"), weight AS (SELECT word, "+
		"CAST(round(64 * ln(1 + 1.0 * (SELECT count(*) FROM product) / count(*))) AS int) AS n FROM one GROUP BY word), "+
		"held AS MATERIALIZED (SELECT doc, sum(n) AS n FROM one JOIN weight USING (word) GROUP BY doc HAVING max(word) >= "+
		s.arg(len(short))+") "+
		"SELECT doc, n AS rank FROM held WHERE 2 * n >= (SELECT max(n) FROM held)", facets)
}

// ranked finds the documents with the best ranks, and the counts over all documents.
func (d *sqlDB) ranked(s *statement, found string, facets bool) answer {
	s.add("WITH found AS MATERIALIZED (%s), %s UNION ALL SELECT %d, 0, 0, id FROM (SELECT p.id FROM (SELECT * FROM "+
		"found ORDER BY rank DESC, doc LIMIT %d) best JOIN product p USING (doc) ORDER BY rank DESC, doc) page",
		found, d.tables("SELECT * FROM found", "found JOIN product p USING (doc)", facets), isHit, pageSize)
	return d.answer(d.run(&tally{}, s))
}

// A numbering lists the values of every numbered column by number. 0 means no value; for EPD and purchasable
// it means false. A product's installations are one number that contains a set of bits. A table of pairs made
// SQLite seven times as slow for three filters.
type numbering [numbered][]string

// number returns the number of a value. It adds the value if it is new.
func (n *numbering) number(f family, value string) int {
	if n.find(f, value) < 0 {
		n[f] = append(n[f], value)
	}
	return n.find(f, value)
}

func (n *numbering) find(f family, value string) int { return slices.Index(n[f], value) }
