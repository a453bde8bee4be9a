package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/mattn/go-sqlite3" // the driver "sqlite3"; FTS5 needs the build tag sqlite_fts5

	"sabine/indexes/analysis"
)

// A sqliteDB is one file, opened immutable and mapped.
type sqliteDB struct {
	db         *sql.DB
	statements map[string]*sql.Stmt
}

const sqliteTables = `
CREATE TABLE product (
	doc INTEGER PRIMARY KEY, category INT NOT NULL, character INT NOT NULL, installation INT NOT NULL, manufacturer INT NOT NULL,
	fire INT NOT NULL, epd INT NOT NULL, purchasable INT NOT NULL, alpha_w REAL, updated INT NOT NULL, id TEXT NOT NULL,
	sort BLOB NOT NULL);
CREATE TABLE entry (
	doc INT NOT NULL, hz63 INT, hz125 INT, hz250 INT, hz500 INT, hz1000 INT, hz2000 INT, hz4000 INT, hz8000 INT, depth REAL,
	mounting INT NOT NULL, source_kind INT NOT NULL);
CREATE VIRTUAL TABLE terms USING fts5 (term, content='', columnsize=0, detail=none, tokenize="ascii tokenchars '_.'");
CREATE TABLE name (number INTEGER PRIMARY KEY, key TEXT UNIQUE, grams INT NOT NULL);
CREATE TABLE named (name INT, doc INT, PRIMARY KEY (name, doc)) WITHOUT ROWID;
CREATE TABLE gram (gram INT, name INT, PRIMARY KEY (gram, name)) WITHOUT ROWID;
CREATE TABLE shortened (short TEXT, word TEXT, PRIMARY KEY (short, word)) WITHOUT ROWID;
`

// sqliteIndexes are made once the tables are full.
const sqliteIndexes = `
INSERT INTO terms (terms) VALUES ('optimize');
CREATE INDEX by_alpha_w ON product (alpha_w, updated);
CREATE INDEX by_alpha_w_asc ON product (alpha_w, updated DESC);
`

var sqliteDialect = dialect{
	sigil: "?", noIndex: "+", and: " AND ", or: " OR ", quote: `"`,
	docs:     "SELECT rowid AS doc FROM terms WHERE terms MATCH %s",
	products: "terms JOIN product p ON p.doc = terms.rowid WHERE terms MATCH %s",
	each: func(s *statement, queries []string) string {
		return "SELECT terms.rowid AS doc, key AS word FROM json_each(" + s.json(queries) +
			") CROSS JOIN terms WHERE terms MATCH value"
	},
	among: func(s *statement, values []string) string {
		return "IN (SELECT value FROM json_each(" + s.json(values) + "))"
	},
	// Names that share three tenths of all trigrams with the key, or have it in them.
	similar: func(s *statement, key string) string {
		grams := analysis.Trigrams(nil, key)
		s.json(grams)
		s.args = append(s.args, len(grams), key)
		return "SELECT doc, max(n * 1.0 / (?2 + grams - n)) AS rank FROM " +
			"(SELECT name, count(*) AS n FROM gram WHERE gram IN (SELECT value FROM json_each(?1)) GROUP BY name) " +
			"JOIN name ON number = name JOIN named USING (name) " +
			"WHERE 10 * n >= 3 * (?2 + grams - n) OR length(replace(?3, ' ', '')) >= 3 AND instr(key, ?3) GROUP BY doc"
	},
	groups: func(from string, wanted func(family) bool) string {
		text := fmt.Sprintf("SELECT %d, 0, count(*), '' FROM %s", isTotal, from)
		for f := range families {
			if wanted(f) {
				text += " UNION ALL " + groupOf(from, f)
			}
		}
		return text
	},
}

func buildSQLite(dir, catalogue string) error {
	l, err := newSQLiteLoader(dir, sqliteTables, sqliteIndexes+coveringIndexes()+entryIndexes()+"ANALYZE")
	if err != nil {
		return err
	}
	return load(l, dir, catalogue)
}

func openSQLite(dir string) (engine, error) {
	db, err := connectSQLite(dir)
	if err != nil {
		return nil, err
	}
	return openSQL(db, dir)
}

func sqlitePath(dir string) string { return filepath.Join(dir, "products.sqlite") }

// A sqliteLoader inserts rows in one transaction.
type sqliteLoader struct {
	db         *sql.DB
	tx         *sql.Tx
	statements map[string]*sql.Stmt // by table
	indexes    string
}

func newSQLiteLoader(dir, tables, indexes string) (loader, error) {
	const settings = "?_journal_mode=OFF&_synchronous=OFF&_locking_mode=EXCLUSIVE&_cache_size=-262144"
	db, err := sql.Open("sqlite3", "file:"+sqlitePath(dir)+settings)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(tables); err != nil {
		return nil, fmt.Errorf("making the tables (FTS5 needs the build tag sqlite_fts5): %w", err)
	}
	tx, err := db.Begin()
	return &sqliteLoader{db, tx, map[string]*sql.Stmt{}, indexes}, err
}

func (l *sqliteLoader) insert(table string, row ...any) (err error) {
	s, ok := l.statements[table]
	if !ok {
		into := table
		if table == "terms" {
			into = "terms (rowid, term)"
		}
		if s, err = l.tx.Prepare("INSERT INTO " + into + " VALUES (?" + strings.Repeat(", ?", len(row)-1) + ")"); err != nil {
			return err
		}
		l.statements[table] = s
	}
	_, err = s.Exec(row...)
	return err
}

func (l *sqliteLoader) finish() error {
	if err := l.tx.Commit(); err != nil {
		return err
	}
	if _, err := l.db.Exec(l.indexes); err != nil {
		return fmt.Errorf("making the indexes: %w", err)
	}
	return l.db.Close()
}

// json adds an argument as JSON and returns its place in the text.
func (s *statement) json(v any) string {
	text, _ := json.Marshal(v) // strings and numbers have no errors
	return s.arg(string(text))
}

// withLn is the driver with the logarithm, which SQLite has not been built with.
const withLn = "sqlite3 with ln"

func init() {
	sql.Register(withLn, &sqlite3.SQLiteDriver{ConnectHook: func(c *sqlite3.SQLiteConn) error {
		return c.RegisterFunc("ln", math.Log, true)
	}})
}

func connectSQLite(dir string) (database, error) {
	db, err := sql.Open(withLn, "file:"+sqlitePath(dir)+"?mode=ro&immutable=1&_cache_size=-262144")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	_, err = db.Exec("PRAGMA mmap_size = 17179869184; PRAGMA temp_store = MEMORY")
	return &sqliteDB{db, map[string]*sql.Stmt{}}, err
}

func (d *sqliteDB) dialect() *dialect { return &sqliteDialect }

func (d *sqliteDB) Close() error { return d.db.Close() }

func (d *sqliteDB) run(t *tally, statements ...*statement) error {
	for _, s := range statements {
		if err := d.rows(t, s); err != nil {
			return fmt.Errorf("%s: %w", s.text, err)
		}
	}
	return nil
}

func (d *sqliteDB) climb(t *tally, total *statement, rungs []string) error {
	err := d.run(t, total)
	for _, rung := range rungs {
		if err != nil || t.answer.full() {
			break
		}
		s := &statement{sigil: sqliteDialect.sigil}
		s.text = fmt.Sprintf("SELECT %d, 0, 0, p.id FROM "+sqliteDialect.products, isHit, s.arg(rung)) + " LIMIT " +
			s.arg(pageSize)
		err = d.run(t, s)
	}
	return err
}

func (d *sqliteDB) rows(t *tally, s *statement) (err error) {
	prepared, ok := d.statements[s.text]
	if !ok {
		if prepared, err = d.db.Prepare(s.text); err != nil {
			return err
		}
		d.statements[s.text] = prepared
	}
	rows, err := prepared.Query(s.args...)
	if err != nil {
		return err
	}
	for err == nil && rows.Next() {
		var kind, n int
		var number int64
		var text string
		err = rows.Scan(&kind, &number, &n, &text)
		t.take(kind, number, n, text)
	}
	return errors.Join(err, rows.Err(), rows.Close())
}
