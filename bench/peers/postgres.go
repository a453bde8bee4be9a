package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
)

// A postgresDB is a server of its own on a socket, with one connection, in which statements travel together.
type postgresDB struct {
	server *postgresServer
	conn   *pgx.Conn
}

const postgresTables = `
CREATE EXTENSION pg_trgm;
CREATE UNLOGGED TABLE product (
	doc int4, category int2, character int2, installation int8, manufacturer int2, fire int2, epd int2, purchasable int2,
	alpha_w float8, updated int8, id text, sort bytea);
CREATE UNLOGGED TABLE entry (
	doc int4 NOT NULL, hz63 int2, hz125 int2, hz250 int2, hz500 int2, hz1000 int2, hz2000 int2, hz4000 int2, hz8000 int2,
	depth float8, mounting int2 NOT NULL, source_kind int2 NOT NULL);
CREATE UNLOGGED TABLE terms (doc int4, terms text);
CREATE UNLOGGED TABLE name (number int4, key text, grams int4);
CREATE UNLOGGED TABLE named (name int4, doc int4);
CREATE UNLOGGED TABLE shortened (short text, word text);
`

// postgresIndexes are made once the tables are full. The terms become tsvectors that nobody reads: their GIN
// index is enough. The function takes a text's plan rung by rung, all in one call.
const postgresIndexes = `
ALTER TABLE product RENAME TO source;
CREATE UNLOGGED TABLE product (
	updated int8 NOT NULL, alpha_w float8, installation int8 NOT NULL, doc int4 NOT NULL, category int2 NOT NULL,
	character int2 NOT NULL, manufacturer int2 NOT NULL, fire int2 NOT NULL, epd int2 NOT NULL, purchasable int2 NOT NULL,
	id text NOT NULL, sort bytea NOT NULL, terms tsvector NOT NULL);
ALTER TABLE product ALTER terms SET STORAGE EXTERNAL;
INSERT INTO product SELECT updated, alpha_w, installation, doc, category, character, manufacturer, fire, epd, purchasable, id, sort,
	array_to_tsvector(string_to_array(terms, ' ')) FROM source JOIN terms USING (doc) ORDER BY doc;
DROP TABLE source, terms;
ALTER TABLE product ADD PRIMARY KEY (doc);
CREATE INDEX ON product USING gin (terms) WITH (fastupdate = off);
CREATE INDEX ON name USING gin (key gin_trgm_ops) WITH (fastupdate = off);
CREATE INDEX ON named (name) INCLUDE (doc);
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
CREATE INDEX ON product (alpha_w DESC NULLS LAST, updated DESC)
	INCLUDE (category, character, installation, manufacturer, fire, epd, purchasable);
CREATE INDEX ON product (alpha_w, updated DESC);
`

var postgresDialect = dialect{
	sigil: "$", and: " & ", or: " | ", quote: "'",
	docs:     "SELECT doc FROM product WHERE terms @@ CAST(%s AS tsquery)",
	products: "product p WHERE terms @@ CAST(%s AS tsquery)",
	each: func(s *statement, queries []string) string {
		return "SELECT doc, n - 1 AS word FROM unnest(CAST(" + s.arg(queries) +
			" AS tsquery[])) WITH ORDINALITY q (query, n) JOIN product ON terms @@ query"
	},
	among: func(s *statement, values []string) string { return "= ANY (" + s.arg(values) + ")" },
	similar: func(s *statement, key string) string {
		place := s.arg(key)
		return "SELECT doc, max(similarity(key, " + place + ")) AS rank FROM name JOIN named ON name = number " +
			"WHERE key % " + place + " OR length(replace(" + place + ", ' ', '')) >= 3 AND key LIKE '%' || " + place +
			" || '%' GROUP BY doc"
	},
	groups: groupingSets,
}

// groupingSets counts products p and the values of families in one pass.
func groupingSets(from string, wanted func(family) bool) string {
	var grouped []string
	for f := range families {
		if wanted(f) {
			grouped = append(grouped, columns[f])
		}
	}
	if grouped == nil {
		return fmt.Sprintf("SELECT %d, 0, count(*), '' FROM %s", isTotal, from)
	}
	all := strings.Join(grouped, ", ")
	which := fmt.Sprintf("CASE GROUPING(%s)", all)
	for i, column := range grouped { // a column that is not grouped has its bit set
		others := 1<<len(grouped) - 1 - 1<<(len(grouped)-1-i)
		which += fmt.Sprintf(" WHEN %d THEN %d", others, slices.Index(columns[:], column))
	}
	return fmt.Sprintf("SELECT %s ELSE %d END, coalesce(%s, 0), count(*), '' FROM %s GROUP BY GROUPING SETS ((), (%s))",
		which, isTotal, all, from, strings.Join(grouped, "), ("))
}

func buildPostgres(dir, catalogue string) error {
	l, err := newPostgresLoader(dir, postgresTables, postgresIndexes+coveringIndexes()+entryIndexes())
	if err != nil {
		return err
	}
	return load(l, dir, catalogue)
}

func openPostgres(dir string) (engine, error) {
	db, err := connectPostgres(dir)
	if err != nil {
		return nil, err
	}
	return openSQL(db, dir)
}

// A postgresLoader copies rows into their tables, many at a time.
type postgresLoader struct {
	*postgresDB
	rows    map[string][][]any // by table
	indexes string
}

func newPostgresLoader(dir, tables, indexes string) (loader, error) {
	if err := initPostgres(dir); err != nil {
		return nil, err
	}
	db, err := connectPostgres(dir)
	if err != nil {
		return nil, err
	}
	l := &postgresLoader{db.(*postgresDB), map[string][][]any{}, indexes}
	_, err = l.conn.Exec(context.Background(), tables)
	return l, err
}

func (l *postgresLoader) insert(table string, row ...any) error {
	if table == "gram" { // pg_trgm has them
		return nil
	}
	l.rows[table] = append(l.rows[table], row)
	if len(l.rows[table]) < 1000 {
		return nil
	}
	return l.flush(table)
}

func (l *postgresLoader) flush(table string) error {
	ctx := context.Background()
	fields, err := l.conn.Query(ctx, "SELECT column_name::text FROM information_schema.columns WHERE table_name = $1 AND "+
		"is_generated = 'NEVER' ORDER BY ordinal_position", table)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(fields, pgx.RowTo[string])
	if err != nil {
		return err
	}
	if _, err := l.conn.CopyFrom(ctx, pgx.Identifier{table}, names, pgx.CopyFromRows(l.rows[table])); err != nil {
		return fmt.Errorf("filling table %s: %w", table, err)
	}
	delete(l.rows, table)
	return nil
}

func (l *postgresLoader) finish() error {
	for table := range l.rows {
		if err := l.flush(table); err != nil {
			return err
		}
	}
	for _, text := range []string{l.indexes, "VACUUM (ANALYZE)"} {
		if _, err := l.conn.Exec(context.Background(), text); err != nil {
			return fmt.Errorf("making the indexes: %w", err)
		}
	}
	return l.Close()
}

func connectPostgres(dir string) (database, error) {
	server, conn, err := startPostgres(dir)
	return &postgresDB{server, conn}, err
}

func (d *postgresDB) dialect() *dialect { return &postgresDialect }

func (d *postgresDB) Close() error {
	return errors.Join(d.conn.Close(context.Background()), d.server.stop())
}

func (d *postgresDB) run(t *tally, statements ...*statement) error {
	batch := &pgx.Batch{}
	for _, s := range statements {
		batch.Queue(s.text, s.args...).Query(func(rows pgx.Rows) error {
			var kind, n int
			var number int64
			var text string
			_, err := pgx.ForEachRow(rows, []any{&kind, &number, &n, &text}, func() error {
				t.take(kind, number, n, text)
				return nil
			})
			if err != nil {
				return fmt.Errorf("%s: %w", s.text, err)
			}
			return nil
		})
	}
	return d.conn.SendBatch(context.Background(), batch).Close()
}

func (d *postgresDB) climb(t *tally, total *statement, rungs []string) error {
	total.text += fmt.Sprintf(" UNION ALL SELECT %d, 0, 0, first_hits(%s, least(n, %d)) FROM total", isHit,
		total.arg(rungs), pageSize)
	return d.run(t, total)
}
