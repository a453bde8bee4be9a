package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"

	"sabine/indexes/analysis"
	"sabine/runtime"
)

// A postgresDB is a server of its own on a socket, with one connection. Products lie in an ordinary narrow table; their text,
// folded so that umlaut spellings meet, as tsvectors with GIN indexes in tables beside it. What it is asked:
//
//	words    german @@ plainto_tsquery, by ts_rank with the name weighing most
//	phrase   german @@ phraseto_tsquery
//	prefix   a range of the names under text_pattern_ops
//	part     name LIKE '%part%' by pg_trgm
//	typos    simple @@ to_tsquery, after unknown words were corrected by pg_trgm over the vocabulary
//	similar  name % text by pg_trgm, similarity 0.3
//	any      german @@ the words of plainto_tsquery joined by |
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
	id text NOT NULL, sort bytea NOT NULL);
CREATE UNLOGGED TABLE name (doc int4, key text);
CREATE UNLOGGED TABLE value (family int4, number int4, value text);
CREATE UNLOGGED TABLE source (doc int4, name text, maker text, kinds text, description text);
`

// postgresIndexes are made once the tables are full; the text itself is needed no more then.
const postgresIndexes = `
CREATE UNLOGGED TABLE german AS SELECT doc,
	setweight(to_tsvector('german', name), 'A') || setweight(to_tsvector('german', maker), 'B') ||
	setweight(to_tsvector('german', kinds), 'C') || setweight(to_tsvector('german', description), 'D') AS text FROM source;
CREATE UNLOGGED TABLE simple AS SELECT doc,
	setweight(to_tsvector('simple', name), 'A') || setweight(to_tsvector('simple', maker), 'B') ||
	setweight(to_tsvector('simple', kinds), 'C') || setweight(to_tsvector('simple', description), 'D') AS text FROM source;
DROP TABLE source;
CREATE UNLOGGED TABLE term AS SELECT word AS term FROM ts_stat('SELECT text FROM simple') WHERE word !~ '[0-9]';
ALTER TABLE product ADD PRIMARY KEY (doc);
ALTER TABLE german ADD PRIMARY KEY (doc);
ALTER TABLE simple ADD PRIMARY KEY (doc);
ALTER TABLE term ADD PRIMARY KEY (term);
CREATE INDEX ON german USING gin (text) WITH (fastupdate = off);
CREATE INDEX ON simple USING gin (text) WITH (fastupdate = off);
CREATE INDEX ON name (key text_pattern_ops) INCLUDE (doc);
CREATE INDEX ON name USING gin (key gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX ON term USING gin (term gin_trgm_ops) WITH (fastupdate = off);
CREATE FUNCTION similar_terms(text) RETURNS SETOF text LANGUAGE sql STABLE SET pg_trgm.similarity_threshold = 0.2 AS
	'SELECT term FROM term WHERE term % $1 ORDER BY similarity(term, $1) DESC LIMIT 100';
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
	l := postgresLoader{conn: conn, numbering: newNumbering()}
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
	conn                   *pgx.Conn
	numbering              *numbering
	doc                    int // the last
	products, names, texts [][]any
}

func (l *postgresLoader) add(ctx context.Context, p *product) error {
	l.doc++
	n := l.numbering
	installations, err := n.set(p.Installations)
	if err != nil {
		return err
	}
	l.products = append(l.products, []any{l.doc, n.number(category, p.Category), n.number(character, p.Character), installations,
		n.number(manufacturer, p.Maker), p.Fire, bit(p.EPD), bit(p.Purchasable), p.AlphaW, p.Updated, p.ID, p.SortKey})
	for _, key := range nameKeys(p) {
		l.names = append(l.names, []any{l.doc, key})
	}
	text := fold(p)
	l.texts = append(l.texts, []any{l.doc, text.names, text.manufacturer, text.kinds, text.description})
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
		{"product", "doc category character installation manufacturer fire epd purchasable alpha_w updated id sort", &l.products},
		{"name", "doc key", &l.names},
		{"source", "doc name maker kinds description", &l.texts},
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
	if q.Task == taskNothing {
		return firstFound(func(t task) (answer, error) { return d.askFor(q, t) }, taskWords, taskTypos, taskSimilar)
	}
	return d.askFor(q, q.Task)
}

// postgresHits are queries of the documents that match text $1, and of their rank.
var postgresHits = map[task]string{
	taskWords:   fmt.Sprintf(byGerman, "plainto_tsquery('german', $1)"),
	taskPhrase:  fmt.Sprintf(byGerman, "phraseto_tsquery('german', $1)"),
	taskAny:     fmt.Sprintf(byGerman, "cast(replace(cast(plainto_tsquery('german', $1) AS text), '&', '|') AS tsquery)"),
	taskTypos:   "SELECT doc, ts_rank(text, query) AS rank FROM simple, to_tsquery('simple', $1) query WHERE text @@ query",
	taskPrefix:  "SELECT DISTINCT doc, 0 AS rank FROM name WHERE key ~>=~ $1 AND key ~<~ ($1 || U&'\\+10FFFF')",
	taskPart:    "SELECT DISTINCT doc, 0 AS rank FROM name WHERE key LIKE ('%' || $1 || '%')",
	taskSimilar: "SELECT doc, max(similarity(key, $1)) AS rank FROM name WHERE key % $1 GROUP BY doc",
}

const byGerman = "SELECT doc, ts_rank(text, query) AS rank FROM german, %s query WHERE text @@ query"

func (d *postgresDB) askFor(q *question, t task) (answer, error) {
	text := analysis.Key(q.Query.Text)
	if t == taskTypos {
		all, err := corrections(d, analysis.Words(text))
		if err != nil || all == nil {
			return answer{}, err
		}
		words := make([]string, len(all))
		for i, one := range all {
			words[i] = "(" + strings.Join(one, "|") + ")"
		}
		text = strings.Join(words, "&")
	}
	r := &postgresReply{tally: tally{numbering: d.numbering}}
	r.answer.IDs = make([]string, 0, pageSize)
	if t == taskAll {
		d.askAll(r, q)
	} else {
		d.askText(r, q, t, text)
	}
	if q.Query.Facets {
		for f, is := range chosen(&q.Query.Filters) {
			if is {
				s, from, _ := d.source(q, t, text, family(f))
				r.ask(s, groupOf(from, family(f)))
			}
		}
	}
	err := d.conn.SendBatch(context.Background(), &r.batch).Close()
	if q.Query.Facets {
		r.answer.Facets = r.tally.all()
	}
	return r.answer, err
}

// source returns the hits that pass all filters but those of one family, as what stands behind FROM, and whether there are
// such filters. Product p is a hit, m.rank its rank.
func (d *postgresDB) source(q *question, t task, text string, but family) (s *statement, from string, filtered bool) {
	s, from = &statement{sigil: "$"}, "product p"
	if t != taskAll {
		s.args, from = append(s.args, text), "("+postgresHits[t]+") m JOIN product p USING (doc)"
	}
	filters := s.filters(d.numbering, &q.Query.Filters, but)
	return s, from + " WHERE true" + filters, filters != ""
}

// askAll asks for everything that passes the filters.
func (d *postgresDB) askAll(r *postgresReply, q *question) {
	s, from, _ := d.source(q, taskAll, "", families)
	r.ask(s, hitsOf(from, postgresOrders[q.Query.Sort], s.page(q)))
	s, from, _ = d.source(q, taskAll, "", families)
	if q.Query.Facets {
		r.ask(s, groupsOf(from, q))
	} else {
		r.ask(s, totalOf(from))
	}
}

// askText asks for the hits of a text, which are found once for the page and the counts.
func (d *postgresDB) askText(r *postgresReply, q *question, t task, text string) {
	s, from, filtered := d.source(q, t, text, families)
	order := postgresOrders[q.Query.Sort]
	if q.Query.Sort == runtime.SortRelevance {
		order = "rank DESC, doc"
	}
	if !filtered && !q.Query.Facets && q.Query.Sort == runtime.SortRelevance {
		// Only the hits on the page are joined with their products.
		hits := "(SELECT * FROM hits ORDER BY " + order + s.page(q) + ") hit JOIN product p USING (doc)"
		r.ask(s, "WITH hits AS MATERIALIZED ("+postgresHits[t]+") ("+hitsOf(hits, order, "")+") UNION ALL "+totalOf("hits"))
		return
	}
	counts := totalOf("hits")
	if q.Query.Facets {
		counts = groupsOf("hits", q)
	}
	page := hitsOf("hits p", order, s.page(q))
	r.ask(s, "WITH hits AS MATERIALIZED (SELECT p.*, m.rank FROM "+from+") ("+page+") UNION ALL "+counts)
}

var postgresOrders = map[runtime.Sort]string{
	runtime.SortRelevance: "p.updated DESC",
	runtime.SortDate:      "p.updated DESC",
	runtime.SortAlphaDesc: "p.alpha_w DESC NULLS LAST, p.updated DESC",
	runtime.SortAlphaAsc:  "p.alpha_w, p.updated DESC",
	runtime.SortName:      "p.sort",
}

// The rows of every statement are family, number, count and id: of a hit on the page isHit, 0, 0, id; of the total isTotal,
// 0, count; else the count of a value.
const (
	isHit   = -1
	isTotal = int(families)
)

func hitsOf(from, order, page string) string {
	return fmt.Sprintf("SELECT %d AS family, 0 AS number, 0 AS n, id FROM %s ORDER BY %s%s", isHit, from, order, page)
}

func totalOf(from string) string {
	return fmt.Sprintf("SELECT %d, 0, count(*), '' FROM %s", isTotal, from)
}

// groupOf counts the values of one family.
func groupOf(from string, f family) string {
	return fmt.Sprintf("SELECT %d, p.%s, count(*), '' FROM %s GROUP BY 2", f, columns[f], from)
}

// groupsOf counts the hits and the values of all families without a choice, in one pass.
func groupsOf(hits string, q *question) string {
	open := chosen(&q.Query.Filters)
	var grouped []string
	for f := range families {
		if !open[f] {
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

func (r *postgresReply) ask(s *statement, text string) {
	r.batch.Queue(text, s.args...).Query(func(rows pgx.Rows) error {
		var f, n int
		var number int64
		var id string
		_, err := pgx.ForEachRow(rows, []any{&f, &number, &n, &id}, func() error {
			switch f {
			case isHit:
				r.answer.IDs = append(r.answer.IDs, id)
			case isTotal:
				r.answer.Total = n
			default:
				r.tally.add(family(f), number, n)
			}
			return nil
		})
		if err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		return nil
	})
}

func (d *postgresDB) known(word string) (known bool, err error) {
	err = d.conn.QueryRow(context.Background(), "SELECT EXISTS (SELECT FROM term WHERE term = $1)", word).Scan(&known)
	return known, err
}

func (d *postgresDB) similar(word string) ([]string, error) {
	rows, err := d.conn.Query(context.Background(), "SELECT similar_terms($1)", word)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}
