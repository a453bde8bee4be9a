package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"sabine/runtime"
)

// A postgresDB is a server of its own on a socket, with one connection. Products lie in an ordinary table, which is narrow since
// their terms, those of terms.go, are kept apart as tsvectors that nobody reads: their GIN index is enough. Functions in the
// server, one call each, take a text's plan rung by rung, the first hits of each, until the page is full. The steps:
//
//	strict   terms @@ '(a | b) & (c | d)'
//	typos    the same with the words that share a shortened form with a word of the text, and are within its edits
//	similar  name % text by pg_trgm, similarity 0.3, or LIKE
//	any      products by the number of words, each a tsquery of its own
//
// Page, total and facets travel in one round trip of prepared statements. Filters and counts read covering indexes alone.
type postgresDB struct {
	server    *postgresServer
	conn      *pgx.Conn
	numbering *numbering
}

const postgresTables = `
CREATE EXTENSION pg_trgm;
CREATE UNLOGGED TABLE product (
	updated int8 NOT NULL, alpha_w float8, installation int8 NOT NULL, doc int4 NOT NULL, category int2 NOT NULL,
	character int2 NOT NULL, manufacturer int2 NOT NULL, fire int2 NOT NULL, epd int2 NOT NULL, purchasable int2 NOT NULL,
	id text NOT NULL, sort bytea NOT NULL, terms tsvector NOT NULL);
ALTER TABLE product ALTER terms SET STORAGE EXTERNAL;
CREATE UNLOGGED TABLE source (LIKE product);
ALTER TABLE source ALTER terms TYPE text[] USING NULL;
CREATE UNLOGGED TABLE name (doc int4, key text);
CREATE UNLOGGED TABLE shortened (short text, word text);
CREATE UNLOGGED TABLE value (family int4, number int4, value text);
`

// postgresIndexes are made once the tables are full.
const postgresIndexes = `
INSERT INTO product SELECT updated, alpha_w, installation, doc, category, character, manufacturer, fire, epd, purchasable, id, sort,
	array_to_tsvector(terms) FROM source ORDER BY doc;
DROP TABLE source;
ALTER TABLE product ADD PRIMARY KEY (doc);
CREATE INDEX ON product USING gin (terms) WITH (fastupdate = off);
CREATE INDEX ON name USING gin (key gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX ON shortened (short) INCLUDE (word);
-- Or else the planner reads the terms of all products where many are found, or spends milliseconds on parallel workers.
ALTER FUNCTION ts_match_vq(tsvector, tsquery) COST 10000 PARALLEL RESTRICTED;
CREATE FUNCTION first_hits(rungs tsquery[], wanted int8) RETURNS SETOF text LANGUAGE plpgsql STABLE AS $$
DECLARE
	found int4[] := '{}';
	rung tsquery;
BEGIN
	FOREACH rung IN ARRAY rungs LOOP
		EXIT WHEN cardinality(found) >= wanted;
		found := found || ARRAY(SELECT doc FROM product WHERE terms @@ rung AND doc <> ALL (found) LIMIT wanted - cardinality(found));
	END LOOP;
	RETURN QUERY SELECT id FROM unnest(found) WITH ORDINALITY hit (doc, place) JOIN product USING (doc) ORDER BY place;
END $$;
CREATE INDEX ON product (category, fire) INCLUDE (character, installation, manufacturer, epd, purchasable, alpha_w, updated);
CREATE INDEX ON product (character, fire) INCLUDE (category, installation, manufacturer, epd, purchasable, alpha_w, updated);
CREATE INDEX ON product (manufacturer, fire) INCLUDE (category, character, installation, epd, purchasable, alpha_w, updated);
CREATE INDEX ON product (fire) INCLUDE (category, character, installation, manufacturer, epd, purchasable, alpha_w, updated);
CREATE INDEX ON product (epd) INCLUDE (category, character, installation, manufacturer, fire, purchasable, alpha_w, updated);
CREATE INDEX ON product (alpha_w DESC NULLS LAST, updated DESC)
	INCLUDE (category, character, installation, manufacturer, fire, epd, purchasable);
CREATE INDEX ON product (alpha_w, updated DESC);
CREATE INDEX ON product (updated);
CREATE INDEX ON product (sort);
`

func buildPostgres(dir, catalogue string) error {
	server, err := initPostgres(dir)
	if err != nil {
		return err
	}
	err = fillPostgres(server, catalogue)
	return errors.Join(err, server.stop())
}

func fillPostgres(server *postgresServer, catalogue string) (err error) {
	ctx := context.Background()
	conn, err := server.connect(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	if _, err := conn.Exec(ctx, postgresTables); err != nil {
		return fmt.Errorf("making the tables: %w", err)
	}
	g, err := newGlossary(catalogue)
	if err != nil {
		return err
	}
	l := postgresLoader{conn: conn, glossary: g, numbering: newNumbering(), words: map[string]bool{}}
	for p, err := range readProducts(catalogue) {
		if err == nil {
			err = l.add(ctx, p)
		}
		if err != nil {
			return err
		}
	}
	if err := l.flush(ctx); err != nil {
		return err
	}
	for _, f := range stored {
		for number, value := range l.numbering.values[f] {
			if _, err := conn.Exec(ctx, "INSERT INTO value VALUES ($1, $2, $3)", int(f), number, value); err != nil {
				return err
			}
		}
	}
	for _, text := range []string{postgresIndexes, "VACUUM (ANALYZE)"} {
		if _, err := conn.Exec(ctx, text); err != nil {
			return fmt.Errorf("making the indexes: %w", err)
		}
	}
	return nil
}

// A postgresLoader copies products into their tables, many at a time.
type postgresLoader struct {
	conn                       *pgx.Conn
	glossary                   glossary
	numbering                  *numbering
	doc                        int             // the last
	words                      map[string]bool // whose shortened forms are in
	products, names, shortened [][]any
}

func (l *postgresLoader) add(ctx context.Context, p *product) error {
	l.doc++
	n := l.numbering
	installations, err := n.set(p.Installations)
	if err != nil {
		return err
	}
	l.products = append(l.products, []any{l.doc, n.number(category, p.Category), n.number(character, p.Character), installations,
		n.number(manufacturer, p.ManufacturerSlug), p.Fire, bit(p.EPD), bit(p.Purchasable), p.AlphaW, p.Updated, p.ID, p.SortKey, l.glossary.terms(p)})
	for _, key := range p.searchedNames() {
		l.names = append(l.names, []any{l.doc, key})
	}
	for _, word := range correctable(p) {
		if l.words[word] {
			continue
		}
		l.words[word] = true
		for _, short := range shortened(word, maxShortened(word)) {
			l.shortened = append(l.shortened, []any{short, word})
		}
	}
	if len(l.products) < 1000 {
		return nil
	}
	return l.flush(ctx)
}

func (l *postgresLoader) flush(ctx context.Context) error {
	for _, table := range []struct {
		name, columns string
		rows          *[][]any
	}{
		{"source", "doc category character installation manufacturer fire epd purchasable alpha_w updated id sort terms", &l.products},
		{"name", "doc key", &l.names},
		{"shortened", "short word", &l.shortened},
	} {
		rows := pgx.CopyFromRows(*table.rows)
		if _, err := l.conn.CopyFrom(ctx, pgx.Identifier{table.name}, strings.Fields(table.columns), rows); err != nil {
			return fmt.Errorf("filling table %s: %w", table.name, err)
		}
		*table.rows = (*table.rows)[:0]
	}
	return nil
}

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

func openPostgres(dir string) (engine, error) {
	server, err := startPostgres(dir)
	if err != nil {
		return nil, err
	}
	d := &postgresDB{server: server, numbering: newNumbering()}
	if err := d.open(); err != nil {
		return nil, errors.Join(err, server.stop())
	}
	return d, nil
}

func (d *postgresDB) open() (err error) {
	ctx := context.Background()
	if d.conn, err = d.server.connect(ctx); err != nil {
		return err
	}
	rows, err := d.conn.Query(ctx, "SELECT family, number, value FROM value")
	if err != nil {
		return err
	}
	var f, number int
	var value string
	_, err = pgx.ForEachRow(rows, []any{&f, &number, &value}, func() error {
		d.numbering.put(family(f), number, value)
		return nil
	})
	return err
}

func (d *postgresDB) Close() error {
	return errors.Join(d.conn.Close(context.Background()), d.server.stop())
}

func (d *postgresDB) Ask(q *question) (answer, error) {
	if q.Query.Text != "" {
		return search(d, q)
	}
	r := d.newReply()
	s, from := d.source(q, families)
	r.ask(s, hitsOf(from, postgresOrders[q.Query.Sort], s.page(q)))
	s, from = d.source(q, families)
	if !q.Query.Facets {
		r.ask(s, totalOf(from))
		return d.send(r)
	}
	open := chosen(&q.Query.Filters)
	r.ask(s, groupsOf(from, func(f family) bool { return !open[f] }))
	for f, is := range open {
		if is {
			s, from := d.source(q, family(f))
			r.ask(s, groupOf(from, family(f)))
		}
	}
	return d.send(r)
}

// source returns what passes all filters but those of one family, as what stands behind FROM.
func (d *postgresDB) source(q *question, but family) (s *statement, from string) {
	s = &statement{sigil: "$"}
	return s, "product p WHERE true" + s.filters(d.numbering, &q.Query.Filters, but)
}

// postgresFound are the hits of a clause and the counts of them.
var postgresFound = map[bool]string{
	false: "WITH total AS MATERIALIZED (SELECT count(*) AS n FROM product WHERE terms @@ $1) " +
		totalIs("n", "total") + " UNION ALL " + firstHits,
	true: "WITH hits AS MATERIALIZED (SELECT p." + strings.Join(columns[:], ", p.") + " FROM product p WHERE terms @@ $1), " +
		"total AS MATERIALIZED (SELECT count(*) AS n FROM hits) " + groupsOf("hits", everyFamily) + " UNION ALL " + firstHits,
}

var firstHits = fmt.Sprintf("SELECT %d, 0, 0, first_hits($2, least(n, %d)) FROM total", isHit, pageSize)

func everyFamily(family) bool { return true }

func (d *postgresDB) planned(p *plan, facets bool) (answer, error) {
	hits := postgresClause(p.hits)
	if p.key != "" {
		hits = "(" + hits + ") | '" + p.key + "'"
	}
	var rungs []string
	for _, rung := range p.rungs {
		rungs = append(rungs, postgresClause(rung))
	}
	r := d.newReply()
	r.ask(&statement{args: []any{hits, append(rungs, hits)}}, postgresFound[facets])
	return d.send(r)
}

func postgresClause(c clause) string { return c.written(" & ", " | ", "'") }

// postgresSimilar has the names that are similar to $1.
const postgresSimilar = "SELECT doc, max(similarity(key, $1)) AS rank FROM name WHERE key % $1 OR length(replace($1, ' ', '')) >= 3 AND key LIKE '%' || $1 || '%' GROUP BY doc"

func (d *postgresDB) similar(key string, facets bool) (answer, error) {
	return d.ranked(&statement{args: []any{key}}, postgresSimilar, facets)
}

func (d *postgresDB) most(words clause, facets bool) (answer, error) {
	s := &statement{sigil: "$"}
	var each []string
	for i := range words {
		each = append(each, "SELECT doc FROM product WHERE terms @@ CAST("+s.arg(postgresClause(words[i:i+1]))+" AS tsquery)")
	}
	found := "WITH held AS MATERIALIZED (SELECT doc, count(*) AS n FROM (" + strings.Join(each, " UNION ALL ") + ") one GROUP BY doc) " +
		"SELECT doc, 0 AS rank FROM held WHERE n = (SELECT max(n) FROM held)"
	return d.ranked(s, found, facets)
}

// ranked asks for the best of the documents that are found, with their rank, and for the counts of all.
func (d *postgresDB) ranked(s *statement, found string, facets bool) (answer, error) {
	with, counts := "WITH found AS MATERIALIZED ("+found+")", totalOf("found")
	if facets {
		with += ", hits AS MATERIALIZED (SELECT p." + strings.Join(columns[:], ", p.") + " FROM found JOIN product p USING (doc))"
		counts = groupsOf("hits", everyFamily)
	}
	best := fmt.Sprintf("(SELECT * FROM found ORDER BY rank DESC, doc LIMIT %d) best JOIN product p USING (doc)", pageSize)
	r := d.newReply()
	r.ask(s, with+" ("+hitsOf(best, "rank DESC, doc", "")+") UNION ALL "+counts)
	return d.send(r)
}

var postgresOrders = map[runtime.Sort]string{
	runtime.SortRelevance: "p.updated DESC",
	runtime.SortDate:      "p.updated DESC",
	runtime.SortAlphaDesc: "p.alpha_w DESC NULLS LAST, p.updated DESC",
	runtime.SortAlphaAsc:  "p.alpha_w, p.updated DESC",
	runtime.SortName:      "p.sort",
}

func hitsOf(from, order, page string) string {
	return fmt.Sprintf("SELECT %d AS family, 0 AS number, 0 AS n, id FROM %s ORDER BY %s%s", isHit, from, order, page)
}

func totalOf(from string) string { return totalIs("count(*)", from) }

func totalIs(n, from string) string {
	return fmt.Sprintf("SELECT %d, 0, %s, '' FROM %s", isTotal, n, from)
}

// groupOf counts the values of one family.
func groupOf(from string, f family) string {
	return fmt.Sprintf("SELECT %d, p.%s, count(*), '' FROM %s GROUP BY 2", f, columns[f], from)
}

// groupsOf counts the hits and the values of families, in one pass.
func groupsOf(hits string, wanted func(family) bool) string {
	var grouped []string
	for f := range families {
		if wanted(f) {
			grouped = append(grouped, columns[f])
		}
	}
	all := strings.Join(grouped, ", ")
	which := fmt.Sprintf("CASE GROUPING(%s)", all)
	for i, column := range grouped { // a column that is not grouped has its bit set
		others := 1<<len(grouped) - 1 - 1<<(len(grouped)-1-i)
		which += fmt.Sprintf(" WHEN %d THEN %d", others, slices.Index(columns[:], column))
	}
	return fmt.Sprintf("SELECT %s ELSE %d END, coalesce(%s, 0), count(*), '' FROM %s GROUP BY GROUPING SETS ((), (%s))",
		which, isTotal, all, hits, strings.Join(grouped, "), ("))
}

// A postgresReply gathers what one round trip brings.
type postgresReply struct {
	batch  pgx.Batch
	answer answer
	tally  tally
}

func (d *postgresDB) newReply() *postgresReply {
	return &postgresReply{answer: answer{IDs: make([]string, 0, pageSize)}, tally: tally{numbering: d.numbering}}
}

func (d *postgresDB) send(r *postgresReply) (answer, error) {
	err := d.conn.SendBatch(context.Background(), &r.batch).Close()
	r.answer.facets = r.tally.all
	return r.answer, err
}

func (r *postgresReply) ask(s *statement, text string) {
	r.batch.Queue(text, s.args...).Query(func(rows pgx.Rows) error {
		var f, n int
		var number int64
		var id string
		_, err := pgx.ForEachRow(rows, []any{&f, &number, &n, &id}, func() error {
			r.answer.take(&r.tally, f, number, n, id)
			return nil
		})
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		return nil
	})
}

func (d *postgresDB) near(word string, edits int) ([]string, error) {
	rows, err := d.conn.Query(context.Background(), "SELECT DISTINCT word FROM shortened WHERE short = ANY ($1)", shortened(word, edits))
	if err != nil {
		return nil, err
	}
	words, err := pgx.CollectRows(rows, pgx.RowTo[string])
	return within(words, word, edits), err
}
