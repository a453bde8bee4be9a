package main

import (
	"database/sql"
	_ "embed" // for the schema
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"strings"

	"github.com/mattn/go-sqlite3" // the driver "sqlite3"; FTS5 needs the build tag sqlite_fts5

	"sabine/indexes/analysis"
)

//go:embed sqlite.sql
var sqliteSchema string

// SQLite is one file, opened immutable and mapped.
var sqlite = &dialect{
	schema: sqliteSchema, begin: ";BEGIN", commit: "COMMIT;", analyze: "ANALYZE",
	connect: connectSQLite, insert: insertSQLite,
	sigil: "?", noIndex: "+", and: " AND ", or: " OR ", quote: `"`,
	docs:     "SELECT rowid AS doc FROM terms WHERE terms MATCH %s",
	products: "terms JOIN product p ON p.doc = terms.rowid WHERE terms MATCH %s",
	among:    "IN (SELECT value FROM json_each(%s))",
	each:     "SELECT terms.rowid AS doc, key AS word FROM json_each(%s) CROSS JOIN terms WHERE terms MATCH value",
	list:     asJSON,
	// Names that share three tenths of all trigrams with the key, or have it in them.
	resemblance: "SELECT doc, max(n * 1.0 / (?2 + grams - n)) AS rank FROM " +
		"(SELECT name, count(*) AS n FROM gram WHERE gram IN (SELECT value FROM json_each(?1)) GROUP BY name) " +
		"JOIN name ON number = name JOIN named USING (name) " +
		"WHERE 10 * n >= 3 * (?2 + grams - n) OR length(replace(?3, ' ', '')) >= 3 AND instr(key, ?3) GROUP BY doc",
	resembling: func(key string) []any {
		grams := analysis.Trigrams(nil, key)
		return []any{asJSON(grams), len(grams), key}
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
	climb: func(d *sqlDB, t *tally, total *statement, rungs []string) {
		d.run(t, total)
		for _, rung := range rungs {
			if t.answer.full() {
				break
			}
			s := &statement{}
			s.add("SELECT %d, 0, 0, p.id FROM "+d.products+" LIMIT %s", isHit, s.arg(rung), s.arg(pageSize))
			d.run(t, s)
		}
	},
}

// asJSON returns strings or numbers, which have no errors, as JSON.
func asJSON(list any) any {
	text, _ := json.Marshal(list)
	return string(text)
}

// withLn is the driver with the logarithm, which SQLite has not been built with.
const withLn = "sqlite3 with ln"

func init() {
	sql.Register(withLn, &sqlite3.SQLiteDriver{ConnectHook: func(c *sqlite3.SQLiteConn) error {
		return c.RegisterFunc("ln", math.Log, true)
	}})
}

func connectSQLite(dir string, load bool) (*sql.DB, func() error) {
	settings, pragmas := "mode=ro&immutable=1", "PRAGMA mmap_size = 17179869184; PRAGMA temp_store = MEMORY"
	if load {
		settings, pragmas = "_journal_mode=OFF&_synchronous=OFF&_locking_mode=EXCLUSIVE", ""
	}
	db := must(sql.Open(withLn, "file:"+filepath.Join(dir, "products.sqlite")+"?_cache_size=-262144&"+settings))
	must(db.Exec(pragmas)) // for the one connection that there is
	return db, func() error { return nil }
}

func insertSQLite(d *sqlDB, table string, rows [][]any) {
	into := strings.Replace(table, "terms", "terms (rowid, term)", 1)
	for _, row := range rows {
		must(d.prepare("INSERT INTO " + into + " VALUES (?" + strings.Repeat(", ?", len(row)-1) + ")").Exec(row...))
	}
}
