package main

import (
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	_ "github.com/mattn/go-sqlite3" // the driver "sqlite3"; FTS5 needs the build tag sqlite_fts5

	"sabine/indexes/analysis"
	"sabine/runtime"
)

// A sqliteDB is one file, opened immutable and mapped. Products lie in an ordinary narrow table with covering indexes, one
// for each family; their terms, those of terms.go, in an FTS5 table that keeps nothing but which product has which. A text
// is asked for the number of hits first, and then rung by rung for the first hits of each, until the page has what it can. The
// steps:
//
//	strict   terms MATCH ("a" OR "b") AND ("c" OR "d")
//	typos    the same with the words that share a shortened form with a word of the text, and are within its edits
//	similar  names by the number of shared trigrams, from a table of them
//	any      products by the number of words, each a MATCH of its own
//
// Facets count the hits; each family with a choice takes one more statement.
type sqliteDB struct {
	db         *sql.DB
	statements map[string]*sql.Stmt
	numbering  *numbering
}

const sqliteTables = `
CREATE TABLE product (
	doc INTEGER PRIMARY KEY, category INT NOT NULL, character INT NOT NULL, installation INT NOT NULL, manufacturer INT NOT NULL,
	fire INT NOT NULL, epd INT NOT NULL, purchasable INT NOT NULL, alpha_w REAL, updated INT NOT NULL, id TEXT NOT NULL,
	sort BLOB NOT NULL);
CREATE TABLE value (family INT, number INT, value TEXT);
CREATE VIRTUAL TABLE terms USING fts5 (term, content='', columnsize=0, detail=none, tokenize="ascii tokenchars '_'");
CREATE TABLE name (number INTEGER PRIMARY KEY, key TEXT UNIQUE, grams INT NOT NULL);
CREATE TABLE named (name INT, doc INT, PRIMARY KEY (name, doc)) WITHOUT ROWID;
CREATE TABLE gram (gram INT, name INT, PRIMARY KEY (gram, name)) WITHOUT ROWID;
CREATE TABLE shortened (short TEXT, word TEXT, PRIMARY KEY (short, word)) WITHOUT ROWID;
`

// sqliteIndexes are made once the tables are full.
const sqliteIndexes = `
INSERT INTO terms (terms) VALUES ('optimize');
CREATE INDEX by_category ON product
	(category, fire, installation, epd, purchasable, character, manufacturer, alpha_w, updated);
CREATE INDEX by_character ON product
	(character, category, fire, installation, epd, purchasable, manufacturer, alpha_w, updated);
CREATE INDEX by_installation ON product
	(installation, category, fire, epd, purchasable, character, manufacturer, alpha_w, updated);
CREATE INDEX by_manufacturer ON product
	(manufacturer, category, fire, installation, epd, purchasable, character, alpha_w, updated);
CREATE INDEX by_fire ON product
	(fire, category, installation, epd, purchasable, character, manufacturer, alpha_w, updated);
CREATE INDEX by_epd ON product
	(epd, fire, category, installation, purchasable, character, manufacturer, alpha_w, updated);
CREATE INDEX by_purchasable ON product
	(purchasable, fire, category, installation, epd, character, manufacturer, alpha_w, updated);
CREATE INDEX by_alpha_w ON product (alpha_w, updated);
CREATE INDEX by_alpha_w_asc ON product (alpha_w, updated DESC);
CREATE INDEX by_updated ON product (updated);
CREATE INDEX by_sort ON product (sort);
ANALYZE;
`

func sqlitePath(dir string) string { return filepath.Join(dir, "products.sqlite") }

func buildSQLite(dir, catalogue string) error {
	const settings = "?_journal_mode=OFF&_synchronous=OFF&_locking_mode=EXCLUSIVE&_cache_size=-262144"
	db, err := sql.Open("sqlite3", "file:"+sqlitePath(dir)+settings)
	if err != nil {
		return err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec(sqliteTables); err != nil {
		return fmt.Errorf("making the tables (FTS5 needs the build tag sqlite_fts5): %w", err)
	}
	if err := fillSQLite(db, catalogue); err != nil {
		return err
	}
	if _, err := db.Exec(sqliteIndexes); err != nil {
		return fmt.Errorf("making the indexes: %w", err)
	}
	return db.Close()
}

func fillSQLite(db *sql.DB, catalogue string) error {
	tx, err := db.Begin()
	if err != nil {
		return err
	}
	g, err := newGlossary(catalogue)
	if err != nil {
		return err
	}
	l := sqliteLoader{
		tx: tx, glossary: g, numbering: newNumbering(), statements: map[string]*sql.Stmt{}, names: map[string]int{}, words: map[string]bool{},
	}
	for p, err := range readProducts(catalogue) {
		if err != nil {
			return err
		}
		if l.add(p); l.err != nil {
			return fmt.Errorf("%s: %w", p.ID, l.err)
		}
	}
	for _, f := range stored {
		for number, value := range l.numbering.values[f] {
			l.insert("value VALUES (?, ?, ?)", int(f), number, value)
		}
	}
	if l.err != nil {
		return l.err
	}
	return tx.Commit()
}

// A sqliteLoader inserts products, up to its first error.
type sqliteLoader struct {
	tx         *sql.Tx
	statements map[string]*sql.Stmt
	glossary   glossary
	numbering  *numbering
	doc        int             // the last
	names      map[string]int  // their numbers
	words      map[string]bool // whose shortened forms are in
	err        error
}

func (l *sqliteLoader) insert(into string, args ...any) {
	if l.err != nil {
		return
	}
	s, ok := l.statements[into]
	if !ok {
		if s, l.err = l.tx.Prepare("INSERT INTO " + into); l.err != nil {
			return
		}
		l.statements[into] = s
	}
	_, l.err = s.Exec(args...)
}

func (l *sqliteLoader) add(p *product) {
	l.doc++
	n := l.numbering
	installations, err := n.set(p.Installations)
	l.err = errors.Join(l.err, err)
	l.insert("product VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", l.doc, n.number(category, p.Category),
		n.number(character, p.Character), installations, n.number(manufacturer, p.ManufacturerSlug), p.Fire, p.EPD, p.Purchasable,
		p.AlphaW, p.Updated, p.ID, p.SortKey)
	l.insert("terms (rowid, term) VALUES (?, ?)", l.doc, strings.Join(l.glossary.terms(p), " "))
	for _, key := range p.searchedNames() {
		l.insert("named VALUES (?, ?)", l.name(key), l.doc)
	}
	for _, word := range correctable(p) {
		if l.words[word] {
			continue
		}
		l.words[word] = true
		for _, short := range shortened(word, maxShortened(word)) {
			l.insert("shortened VALUES (?, ?)", short, word)
		}
	}
}

// name returns the number of a name.
func (l *sqliteLoader) name(key string) int {
	number, ok := l.names[key]
	if !ok {
		number = len(l.names) + 1
		l.names[key] = number
		grams := analysis.Trigrams(nil, key)
		l.insert("name VALUES (?, ?, ?)", number, key, len(grams))
		for _, gram := range grams {
			l.insert("gram VALUES (?, ?)", int64(gram), number)
		}
	}
	return number
}

func openSQLite(dir string) (engine, error) {
	db, err := sql.Open("sqlite3", "file:"+sqlitePath(dir)+"?mode=ro&immutable=1&_cache_size=-262144")
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	if _, err := db.Exec("PRAGMA mmap_size = 17179869184; PRAGMA temp_store = MEMORY"); err != nil {
		return nil, err
	}
	d := &sqliteDB{db, map[string]*sql.Stmt{}, newNumbering()}
	return d, d.rows(&statement{}, "SELECT family, number, value FROM value", func(rows *sql.Rows) error {
		var f family
		var number int
		var value string
		err := rows.Scan(&f, &number, &value)
		d.numbering.put(f, number, value)
		return err
	})
}

func (d *sqliteDB) Close() error { return d.db.Close() }

func (d *sqliteDB) Ask(q *question) (answer, error) {
	if q.Query.Text != "" {
		return search(d, q)
	}
	a := answer{IDs: make([]string, 0, pageSize)}
	s := newSQLite()
	from := d.source(s, q, families)
	text := "SELECT p.id FROM " + from + " ORDER BY " + sqliteOrders[q.Query.Sort] + s.page(q)
	if err := d.rows(s, text, a.addID); err != nil {
		return a, err
	}
	s = newSQLite()
	from = d.source(s, q, families)
	if !q.Query.Facets {
		return a, d.rows(s, "SELECT count(*) FROM "+from, func(rows *sql.Rows) error { return rows.Scan(&a.Total) })
	}
	open := chosen(&q.Query.Filters)
	r := sqliteReply{answer: &a, tally: tally{numbering: d.numbering}}
	if err := d.rows(s, sqliteTotal(from)+sqliteGroups(from, func(f family) bool { return !open[f] }), r.add); err != nil {
		return a, err
	}
	for f := range families {
		if open[f] {
			s := newSQLite()
			if err := d.rows(s, sqliteGroup(f, d.source(s, q, f)), r.add); err != nil {
				return a, err
			}
		}
	}
	a.facets = r.tally.all
	return a, nil
}

// source returns what passes all filters but those of one family, as what stands behind FROM.
func (d *sqliteDB) source(s *statement, q *question, but family) string {
	return "product p WHERE true" + s.filters(d.numbering, &q.Query.Filters, but)
}

func (d *sqliteDB) planned(p *plan, facets bool) (answer, error) {
	hits := sqliteClause(p.hits)
	if p.key != "" {
		hits = "(" + hits + `) OR "` + p.key + `"`
	}
	a := answer{IDs: make([]string, 0, pageSize)}
	s := newSQLite()
	found := "SELECT rowid AS doc FROM terms WHERE terms MATCH " + s.arg(hits)
	var err error
	if facets {
		err = d.counted(&a, s, found, "")
	} else {
		err = d.rows(s, "SELECT count(*) FROM ("+found+")", func(rows *sql.Rows) error { return rows.Scan(&a.Total) })
	}
	for _, rung := range append(clauses(p.rungs), hits) {
		if err != nil || len(a.IDs) == min(pageSize, a.Total) {
			break
		}
		s := newSQLite()
		const page = "SELECT p.id FROM terms JOIN product p ON p.doc = terms.rowid WHERE terms MATCH "
		err = d.rows(s, page+s.arg(rung)+" LIMIT "+s.arg(pageSize), a.addID)
	}
	return a, err
}

// counted asks for the number and the values of documents that are found, and for what else is selected of them.
func (d *sqliteDB) counted(a *answer, s *statement, found, also string) error {
	r := sqliteReply{answer: a, tally: tally{numbering: d.numbering}}
	text := "WITH found AS MATERIALIZED (" + found + "), hits AS MATERIALIZED (SELECT p." + strings.Join(columns[:], ", p.") +
		" FROM found JOIN product p USING (doc)) " + sqliteTotal("hits p") + sqliteGroups("hits p", func(family) bool { return true }) + also
	err := d.rows(s, text, r.add)
	a.facets = r.tally.all
	return err
}

// ranked asks for the best of the documents that are found, with their rank, and for how many there are.
func (d *sqliteDB) ranked(s *statement, found string, facets bool) (answer, error) {
	a := answer{IDs: make([]string, 0, pageSize)}
	page := fmt.Sprintf("SELECT %d, 0, 0, id FROM (SELECT p.id FROM found JOIN product p USING (doc) ORDER BY rank DESC, doc LIMIT %d)",
		isHit, pageSize)
	if facets {
		return a, d.counted(&a, s, found, " UNION ALL "+page)
	}
	r := sqliteReply{answer: &a}
	return a, d.rows(s, "WITH found AS MATERIALIZED ("+found+") "+sqliteTotal("found")+" UNION ALL "+page, r.add)
}

func clauses(rungs []clause) []string {
	texts := make([]string, len(rungs), len(rungs)+1)
	for i, rung := range rungs {
		texts[i] = sqliteClause(rung)
	}
	return texts
}

// sqliteClause writes a clause in the language of FTS5.
func sqliteClause(c clause) string {
	return c.written(" AND ", " OR ", `"`)
}

// sqliteSimilar has the names that share three tenths of all trigrams with a text, whose trigrams are an array, or have it in them.
const sqliteSimilar = "SELECT doc, max(n * 1.0 / (?2 + grams - n)) AS rank FROM " +
	"(SELECT name, count(*) AS n FROM gram WHERE gram IN (SELECT value FROM json_each(?1)) GROUP BY name) " +
	"JOIN name ON number = name JOIN named USING (name) WHERE 10 * n >= 3 * (?2 + grams - n) OR length(replace(?3, ' ', '')) >= 3 AND instr(key, ?3) GROUP BY doc"

func (d *sqliteDB) similar(key string, facets bool) (answer, error) {
	grams := analysis.Trigrams(nil, key)
	list, err := json.Marshal(grams)
	if err != nil {
		return answer{}, err
	}
	s := newSQLite()
	s.args = []any{string(list), len(grams), key}
	return d.ranked(s, sqliteSimilar, facets)
}

func (d *sqliteDB) most(words clause, facets bool) (answer, error) {
	s := newSQLite()
	var each []string
	for i := range words {
		each = append(each, "SELECT rowid AS doc FROM terms WHERE terms MATCH "+s.arg(sqliteClause(words[i:i+1])))
	}
	held := "WITH held AS MATERIALIZED (SELECT doc, count(*) AS n FROM (" + strings.Join(each, " UNION ALL ") + ") GROUP BY doc) "
	return d.ranked(s, held+"SELECT doc, 0 AS rank FROM held WHERE n = (SELECT max(n) FROM held)", facets)
}

var sqliteOrders = map[runtime.Sort]string{
	runtime.SortRelevance: "p.updated DESC",
	runtime.SortDate:      "p.updated DESC",
	runtime.SortAlphaDesc: "p.alpha_w DESC, p.updated DESC",
	runtime.SortAlphaAsc:  "p.alpha_w NULLS LAST, p.updated DESC",
	runtime.SortName:      "p.sort",
}

// addID takes the next hit, unless it is on the page already or the page is full.
func (a *answer) addID(rows *sql.Rows) error {
	var id string
	err := rows.Scan(&id)
	if err == nil && len(a.IDs) < pageSize && !slices.Contains(a.IDs, id) {
		a.IDs = append(a.IDs, id)
	}
	return err
}

// A sqliteReply takes rows as they are told where isHit is.
type sqliteReply struct {
	answer *answer
	tally  tally
}

func (r *sqliteReply) add(rows *sql.Rows) error {
	var f, n int
	var number int64
	var id string
	err := rows.Scan(&f, &number, &n, &id)
	r.answer.take(&r.tally, f, number, n, id)
	return err
}

func sqliteTotal(from string) string {
	return fmt.Sprintf("SELECT %d, 0, count(*), '' FROM %s", isTotal, from)
}

// sqliteGroup counts the values of a family in a source of products p.
func sqliteGroup(f family, from string) string {
	return fmt.Sprintf("SELECT %d, p.%s, count(*), '' FROM %s GROUP BY p.%s", f, columns[f], from, columns[f])
}

func sqliteGroups(from string, wanted func(family) bool) (text string) {
	for f := range families {
		if wanted(f) {
			text += " UNION ALL " + sqliteGroup(f, from)
		}
	}
	return text
}

func (d *sqliteDB) near(word string, edits int) (words []string, err error) {
	list, err := json.Marshal(shortened(word, edits))
	if err != nil {
		return nil, err
	}
	s := newSQLite()
	text := "SELECT DISTINCT word FROM shortened WHERE short IN (SELECT value FROM json_each(" + s.arg(string(list)) + "))"
	err = d.rows(s, text, func(rows *sql.Rows) error {
		var word string
		err := rows.Scan(&word)
		words = append(words, word)
		return err
	})
	return within(words, word, edits), err
}

func newSQLite() *statement { return &statement{sigil: "?", noIndex: "+"} }

// rows runs a statement, prepared once, and hands over every row.
func (d *sqliteDB) rows(s *statement, text string, row func(*sql.Rows) error) error {
	prepared, ok := d.statements[text]
	if !ok {
		var err error
		if prepared, err = d.db.Prepare(text); err != nil {
			return fmt.Errorf("%s: %w", text, err)
		}
		d.statements[text] = prepared
	}
	rows, err := prepared.Query(s.args...)
	if err != nil {
		return fmt.Errorf("%s: %w", text, err)
	}
	for err == nil && rows.Next() {
		err = row(rows)
	}
	return errors.Join(err, rows.Err(), rows.Close())
}
