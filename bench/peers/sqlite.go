package main

import (
	"database/sql"
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
// for each family; their text in FTS5 tables without content. What it is asked:
//
//	words    words MATCH "a" AND "b" (unicode61), by bm25 with the name weighing most
//	phrase   words MATCH "a b"
//	prefix   a range of the table name, whose key is the folded name
//	part     grams MATCH "part" (trigram): a substring of a name
//	typos    words, after unknown words were corrected by trigrams of the vocabulary
//	similar  grams MATCH "abc" OR "bcd" …, by bm25: there is no threshold, so the total has whatever shares a trigram
//	any      words MATCH "a" OR "b"
//
// The total is a second statement, spared where the first page has all hits. Facets count the hits; each family with a choice
// takes one more statement.
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
CREATE TABLE name (key TEXT, doc INT, PRIMARY KEY (key, doc)) WITHOUT ROWID;
CREATE TABLE value (family INT, number INT, value TEXT);
CREATE VIRTUAL TABLE words USING fts5 (name, maker, kinds, description, content='',
	tokenize="unicode61 remove_diacritics 2", prefix='2 3 4');
CREATE VIRTUAL TABLE grams USING fts5 (name, content='', tokenize="trigram case_sensitive 1");
INSERT INTO words (words, rank) VALUES ('rank', 'bm25(10, 5, 3, 1)');
`

// sqliteIndexes are made once the tables are full.
const sqliteIndexes = `
INSERT INTO words (words) VALUES ('optimize');
INSERT INTO grams (grams) VALUES ('optimize');
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
CREATE VIRTUAL TABLE vocabulary USING fts5vocab (words, row);
CREATE TABLE term (number INTEGER PRIMARY KEY, term TEXT UNIQUE);
INSERT INTO term (term) SELECT term FROM vocabulary WHERE term NOT GLOB '*[0-9]*';
CREATE VIRTUAL TABLE term_grams USING fts5 (term, content='', tokenize="trigram case_sensitive 1");
INSERT INTO term_grams (rowid, term) SELECT number, '  ' || term || ' ' FROM term;
INSERT INTO term_grams (term_grams) VALUES ('optimize');
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
	l := sqliteLoader{tx: tx, numbering: newNumbering(), statements: map[string]*sql.Stmt{}}
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
	numbering  *numbering
	doc        int // the last
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
		n.number(character, p.Character), installations, n.number(manufacturer, p.Maker), p.Fire, p.EPD, p.Purchasable,
		p.AlphaW, p.Updated, p.ID, p.SortKey)
	keys := nameKeys(p)
	for _, key := range keys {
		l.insert("name VALUES (?, ?)", key, l.doc)
	}
	text := fold(p)
	l.insert("words (rowid, name, maker, kinds, description) VALUES (?, ?, ?, ?, ?)", l.doc, text.names, text.manufacturer,
		text.kinds, text.description)
	l.insert("grams (rowid, name) VALUES (?, ?)", l.doc, strings.Join(keys, " "))
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
	if q.Task == taskNothing {
		return firstFound(func(t task) (answer, error) { return d.askFor(q, t) }, taskWords, taskTypos)
	}
	return d.askFor(q, q.Task)
}

// A sqliteMatch is what a task makes of a text: where to look for what.
type sqliteMatch struct {
	table  string // an FTS5 table; "name" for a prefix; "" for everything
	wanted string
}

// match returns what finds a text; false when nothing can.
func (d *sqliteDB) match(text string, t task) (m sqliteMatch, found bool, err error) {
	key := analysis.Key(text)
	words := analysis.Words(key)
	switch t {
	case taskWords:
		return sqliteMatch{"words", quoted(words, " AND ")}, true, nil
	case taskPhrase:
		return sqliteMatch{"words", `"` + key + `"`}, true, nil
	case taskPrefix:
		return sqliteMatch{"name", key}, true, nil
	case taskPart:
		return sqliteMatch{"grams", `"` + key + `"`}, true, nil
	case taskTypos:
		all, err := corrections(d, words)
		for i, one := range all {
			words[i] = "(" + quoted(one, " OR ") + ")"
		}
		return sqliteMatch{"words", strings.Join(words, " AND ")}, all != nil, err
	case taskSimilar:
		return sqliteMatch{"grams", quoted(trigrams(key), " OR ")}, true, nil
	case taskAny:
		return sqliteMatch{"words", quoted(words, " OR ")}, true, nil
	}
	return sqliteMatch{}, true, nil
}

func quoted(words []string, between string) string {
	return `"` + strings.Join(words, `"`+between+`"`) + `"`
}

func (d *sqliteDB) askFor(q *question, t task) (answer, error) {
	m, found, err := d.match(q.Query.Text, t)
	if err != nil || !found {
		return answer{}, err
	}
	a := answer{IDs: make([]string, 0, pageSize), Total: -1}
	if err := d.page(&a, q, m); err != nil {
		return a, err
	}
	if q.Query.Facets {
		return a, d.facets(&a, q, m)
	}
	if n := len(a.IDs); n < pageSize && (n > 0 || q.Query.Page == 0) {
		a.Total = q.Query.Page*pageSize + n
		return a, nil
	}
	return a, d.count(&a, q, m)
}

// source returns the hits of a text that pass all filters but those of one family, as what stands behind FROM, and whether
// there are such filters.
func (d *sqliteDB) source(s *statement, q *question, m sqliteMatch, but family) (from string, filtered bool) {
	from = "product p WHERE true"
	switch m.table {
	case "":
	case "name":
		from = "product p WHERE p.doc IN (SELECT doc FROM name WHERE key >= " + s.arg(m.wanted) +
			" AND key < " + s.arg(m.wanted+lastRune) + ")"
	default:
		from = m.table + " JOIN product p ON p.doc = " + m.table + ".rowid WHERE " + m.table + " MATCH " + s.arg(m.wanted)
	}
	filters := s.filters(d.numbering, &q.Query.Filters, but)
	return from + filters, filters != ""
}

// page reads the page. Where no filter has to be asked, only the hits on the page are joined with their products.
func (d *sqliteDB) page(a *answer, q *question, m sqliteMatch) error {
	s := newSQLite()
	from, filtered := d.source(s, q, m, families)
	page := s.page(q)
	switch order := q.Query.Sort; {
	case order != runtime.SortRelevance || m.table == "":
		return d.rows(s, "SELECT p.id FROM "+from+" ORDER BY "+sqliteOrders[order]+page, a.addID)
	case m.table == "name" && !filtered: // in the order of names, of which a product has up to four
		return d.rows(s, "SELECT p.id FROM name JOIN product p ON p.doc = name.doc WHERE key >= ?1 AND key < ?2 "+
			"ORDER BY key LIMIT 4 * ?3 OFFSET ?4", a.addID)
	case m.table == "name":
		return d.rows(s, "SELECT p.id FROM "+from+" ORDER BY p.updated DESC"+page, a.addID)
	case !filtered:
		hits := "SELECT rowid, rank FROM " + m.table + " WHERE " + m.table + " MATCH ?1 ORDER BY rank" + page
		return d.rows(s, "SELECT p.id FROM ("+hits+") hit JOIN product p ON p.doc = hit.rowid ORDER BY hit.rank", a.addID)
	}
	return d.rows(s, "SELECT p.id FROM "+from+" ORDER BY "+m.table+".rank"+page, a.addID)
}

var sqliteOrders = map[runtime.Sort]string{
	runtime.SortRelevance: "p.updated DESC",
	runtime.SortDate:      "p.updated DESC",
	runtime.SortAlphaDesc: "p.alpha_w DESC, p.updated DESC",
	runtime.SortAlphaAsc:  "p.alpha_w NULLS LAST, p.updated DESC",
	runtime.SortName:      "p.sort",
}

// addID takes the next hit, unless it is on the page already.
func (a *answer) addID(rows *sql.Rows) error {
	var id string
	err := rows.Scan(&id)
	if err == nil && len(a.IDs) < pageSize && !slices.Contains(a.IDs, id) {
		a.IDs = append(a.IDs, id)
	}
	return err
}

func (d *sqliteDB) count(a *answer, q *question, m sqliteMatch) error {
	s := newSQLite()
	from, filtered := d.source(s, q, m, families)
	text := "SELECT count(*) FROM " + from
	if !filtered {
		switch m.table {
		case "":
		case "name":
			text = "SELECT count(DISTINCT doc) FROM name WHERE key >= ?1 AND key < ?2"
		default:
			text = "SELECT count(*) FROM " + m.table + " WHERE " + m.table + " MATCH ?1"
		}
	}
	return d.rows(s, text, func(rows *sql.Rows) error { return rows.Scan(&a.Total) })
}

// facets counts the hits and the values of all families. The hits of a text are found once, for all families without a
// choice; where there are filters alone, every family goes over a covering index that has its values in order.
func (d *sqliteDB) facets(a *answer, q *question, m sqliteMatch) error {
	t := tally{numbering: d.numbering}
	add := func(rows *sql.Rows) error {
		var f family
		var number int64
		var n int
		err := rows.Scan(&f, &number, &n)
		if f == families {
			a.Total = n
		} else {
			t.add(f, number, n)
		}
		return err
	}
	open := chosen(&q.Query.Filters)
	s := newSQLite()
	from, _ := d.source(s, q, m, families)
	hits, with := from, ""
	if m.table != "" {
		hits = "hits p"
		with = "WITH hits AS MATERIALIZED (SELECT p." + strings.Join(columns[:], ", p.") + " FROM " + from + ") "
	}
	text := with + fmt.Sprintf("SELECT %d, 0, count(*) FROM %s", families, hits)
	for f := range families {
		if !open[f] {
			text += " UNION ALL " + sqliteGroups(f, hits)
		}
	}
	if err := d.rows(s, text, add); err != nil {
		return err
	}
	for f := range families {
		if open[f] {
			s := newSQLite()
			from, _ := d.source(s, q, m, f)
			if err := d.rows(s, sqliteGroups(f, from), add); err != nil {
				return err
			}
		}
	}
	a.Facets = t.all()
	return nil
}

// sqliteGroups counts the values of a family in a source of products p.
func sqliteGroups(f family, from string) string {
	return fmt.Sprintf("SELECT %d, p.%s, count(*) FROM %s GROUP BY p.%s", f, columns[f], from, columns[f])
}

func (d *sqliteDB) known(word string) (bool, error) {
	known := false
	s := newSQLite()
	err := d.rows(s, "SELECT 1 FROM term WHERE term = "+s.arg(word), func(*sql.Rows) error {
		known = true
		return nil
	})
	return known, err
}

func (d *sqliteDB) similar(word string) ([]string, error) {
	var words []string
	s := newSQLite()
	near := quoted(trigrams("  "+word+" "), " OR ")
	err := d.rows(s, "SELECT term FROM (SELECT rowid FROM term_grams WHERE term_grams MATCH "+s.arg(near)+
		" ORDER BY rank LIMIT 100) hit JOIN term ON number = hit.rowid", func(rows *sql.Rows) error {
		var word string
		err := rows.Scan(&word)
		words = append(words, word)
		return err
	})
	return words, err
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
