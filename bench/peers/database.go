package main

import (
	"database/sql"
	_ "embed" // for coveringIndexes
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"sabine/bench/queries"
	"sabine/bench/step"
	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/runtime"
)

// A dialect describes how a database differs from the others. In its SQL, %s is a parameter.
type dialect struct {
	schema  string // tables for the first comparison, whenFull, and the statements that run on full tables
	begin   string // statement that runs before rows are inserted
	commit  string // statement that runs after rows are inserted
	analyze string // statement that runs after the indexes are created
	vacuum  string // last statement of a build
	// connect opens the database in a folder, or creates it if load is set. stop ends the server.
	connect func(dir string, load bool) (db *sql.DB, stop func() error)
	insert  func(d *sqlDB, table string, rows [][]any)

	sigil          string // prefix of a parameter's number
	and, or, quote string // operators and quotation mark in a full-text query
	// prevents a planner that underestimates common values from using the index of a column
	noIndex     string
	docs        string // SELECT of the documents that match a full-text query
	products    string // the same documents as products p, for use after FROM
	among       string // condition that a value is in a list
	each        string // SELECT of the documents that match each query in a list, and the query's number
	list        func(list any) any
	resemblance string // SELECT of the documents with names similar to a key, and their ranks
	resembling  func(key string) []any
	// groups returns a SELECT of the total number of products p and of the family counts.
	groups func(from string, wanted func(family) bool) string
	// firstHits runs total, a statement that defines a table, also named total, whose column n is the number of
	// hits. It finds the first hits, tier by tier, until the page is full.
	firstHits func(d *sqlDB, t *tally, total *statement, tiers []string)
}

const whenFull = "\n-- once the tables are full\n"

//go:embed indexes.sql
var coveringIndexes string

func (d *dialect) connected(dir string, load bool) *sqlDB {
	db, stop := d.connect(dir, load)
	db.SetMaxOpenConns(1)
	return &sqlDB{dialect: d, db: db, stop: stop, prepared: map[string]*sql.Stmt{}, rows: map[string][][]any{}}
}

func (d *dialect) open(dir string) engine {
	db := d.connected(dir, false)
	step.Check(json.Unmarshal(step.Must(os.ReadFile(filepath.Join(dir, numberingFile))), &db.numbering))
	return db
}

const numberingFile = "values"

func (d *dialect) created(dir, tables string) *sqlDB {
	db := d.connected(dir, true)
	_, err := db.db.Exec(tables + d.begin)
	step.Check(err, "making the tables (FTS5 needs the build tag sqlite_fts5)")
	return db
}

func (d *sqlDB) add(table string, row ...any) {
	d.rows[table] = append(d.rows[table], row)
	if len(d.rows[table]) == 1000 {
		d.insert(d, table, d.rows[table])
		d.rows[table] = d.rows[table][:0]
	}
}

// finish inserts the remaining rows, creates the indexes and closes the database.
func (d *sqlDB) finish(indexes string) {
	for table, rows := range d.rows {
		d.insert(d, table, rows)
	}
	for _, text := range []string{d.commit + indexes, d.vacuum} {
		step.Must(d.db.Exec(text))
	}
	step.Check(d.Close())
}

// load fills the tables that the databases use in the first comparison:
//
//	product    doc, a number for each family, alpha_w, updated, id, sort
//	entry      doc, its levels in the eight octaves, depth, the numbers of mounting and source kind
//	terms      doc, its terms joined by blanks
//	name       number, key, number of trigrams
//	named      the number of a name, a doc that has this name
//	gram       a trigram, the number of a name; not filled in PostgreSQL, which makes its own trigrams
//	shortened  a word or part of a word with some letters removed, the word or part
//
// A separate file lists the values by number.
func (d *dialect) load(dir, catalogue string) {
	g := newGlossary(readProducts(catalogue))
	tables, full, _ := strings.Cut(d.schema, whenFull)
	l := d.created(dir, tables)
	n, names, words := numbering{}, map[string]int{}, map[string]bool{}
	for f := range n {
		n[f] = []string{""}
	}
	n[fireClass] = append(n[fireClass], product.FireClasses...)
	n[epd], n[purchasable] = []string{"false", "true"}, []string{"false", "true"}
	doc := 0
	for p := range readProducts(catalogue) {
		doc++
		l.add("product", append(n.row(doc, p), p.alphaW, p.updated, p.id, p.sortKey)...)
		for i := range p.entries {
			l.add("entry", n.entry(doc, &p.entries[i])...)
		}
		l.add("terms", doc, strings.Join(g.terms(p), " "))
		for _, key := range p.searchedNames() {
			if names[key] == 0 {
				names[key] = len(names) + 1
				grams := analysis.Trigrams(nil, key)
				l.add("name", names[key], key, len(grams))
				for _, gram := range grams {
					l.add("gram", int64(gram), names[key])
				}
			}
			l.add("named", names[key], doc)
		}
		for _, word := range g.correctable(p) {
			if !words[word] {
				words[word] = true
				most := indexes.MaxEdits
				if letters(word) < runtime.MinTwice-most { // too short for query words with two typos
					most = 1
				}
				for _, short := range shortened(word, most) {
					l.add("shortened", short, word)
				}
			}
		}
	}
	if len(n[installation]) > 63 {
		step.Check(fmt.Errorf("%s: expected at most 62 installations", catalogue))
	}
	l.finish(full + coveringIndexes + d.analyze)
	step.Check(os.WriteFile(filepath.Join(dir, numberingFile), step.Must(json.Marshal(n)), 0o644))
}

func (n *numbering) row(doc int, p *document) []any {
	row := []any{doc}
	for i, values := range p.values {
		number := 0
		for _, v := range values {
			if family(i) == installation {
				number |= 1 << n.number(installation, v)
			} else {
				number = n.number(family(i), v)
			}
		}
		row = append(row, number)
	}
	return row
}

func (n *numbering) entry(doc int, e *queries.Entry) []any {
	row := []any{doc}
	for _, level := range e.Levels {
		if level == queries.NoLevel {
			row = append(row, nil)
		} else {
			row = append(row, level)
		}
	}
	depth := &e.DepthMM
	if math.IsNaN(e.DepthMM) {
		depth = nil
	}
	return append(row, depth, n.number(mounting, e.Mounting), n.number(sourceKind, e.SourceKind))
}
