package main

import (
	"database/sql"
	_ "embed" // for the schemas
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"

	"sabine/bench/queries"
	"sabine/dataset/product"
	"sabine/indexes/analysis"
)

// A dialect is where databases differ, in language and in use. %s is the place of a parameter.
type dialect struct {
	schema  string // the tables of the first table's engine and what follows when they are full, apart by whenFull
	begin   string // before the rows
	commit  string // after them
	analyze string // after the indexes
	vacuum  string // at the end
	// connect opens the database of a folder, and makes it to be loaded; stop ends its server
	connect func(dir string, load bool) (db *sql.DB, stop func() error, err error)
	insert  func(d *sqlDB, table string, rows [][]any) error

	sigil          string // of a numbered parameter
	and, or, quote string // of a full-text query
	// keeps a column from being looked up in an index by a planner that takes common values for rare ones
	noIndex     string
	docs        string // SELECT of the documents that a full-text query finds
	products    string // the same as products p, after FROM
	among       string // the condition of being one of a list
	each        string // SELECT of the documents that each of a list of queries finds, and its number
	list        func(list any) any
	resemblance string // SELECT of the documents with names that resemble a key, and their rank
	resembling  func(key string) []any
	// groups is a SELECT of the total of products p and of the counts of families
	groups func(from string, wanted func(family) bool) string
	// climb runs a statement with a table total of the number of hits n, and finds the first hits of rungs until the
	// page is full
	climb func(d *sqlDB, t *tally, total *statement, rungs []string)
}

const whenFull = "\n-- once the tables are full\n"

//go:embed indexes.sql
var coveringIndexes string

func (d *dialect) connected(dir string, load bool) (*sqlDB, error) {
	db, stop, err := d.connect(dir, load)
	if err != nil {
		return nil, err
	}
	db.SetMaxOpenConns(1)
	return &sqlDB{dialect: d, db: db, stop: stop, prepared: map[string]*sql.Stmt{}}, nil
}

// open opens the database of a folder and the numbers of values beside it.
func (d *dialect) open(dir string) (engine, error) {
	db, err := d.connected(dir, false)
	if err != nil {
		return nil, err
	}
	f, err := os.Open(filepath.Join(dir, numberingFile))
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	defer f.Close()
	return db, gob.NewDecoder(f).Decode(&db.numbering)
}

const numberingFile = "values"

func (n *numbering) save(dir string) error {
	f, err := os.Create(filepath.Join(dir, numberingFile))
	if err != nil {
		return err
	}
	return errors.Join(gob.NewEncoder(f).Encode(n), f.Close())
}

// A loader fills the tables of a database, and keeps the first error.
type loader struct {
	*sqlDB
	rows map[string][][]any // by table
	err  error
}

func (d *dialect) loader(dir, tables string) (*loader, error) {
	db, err := d.connected(dir, true)
	if err != nil {
		return nil, err
	}
	if _, err = db.db.Exec(tables + d.begin); err != nil {
		return nil, fmt.Errorf("making the tables (FTS5 needs the build tag sqlite_fts5): %w", errors.Join(err, db.Close()))
	}
	return &loader{sqlDB: db, rows: map[string][][]any{}}, nil
}

func (l *loader) add(table string, row ...any) {
	l.rows[table] = append(l.rows[table], row)
	if len(l.rows[table]) == 1000 {
		l.flush(table)
	}
}

func (l *loader) flush(table string) {
	if l.err == nil {
		if err := l.insert(l.sqlDB, table, l.rows[table]); err != nil {
			l.err = fmt.Errorf("filling table %s: %w", table, err)
		}
	}
	l.rows[table] = l.rows[table][:0]
}

// finish makes the indexes, once the tables are full, and closes the database.
func (l *loader) finish(indexes string) error {
	for table := range l.rows {
		l.flush(table)
	}
	for _, text := range []string{l.commit + indexes, l.vacuum} {
		if l.err == nil {
			_, l.err = l.db.Exec(text)
		}
	}
	return errors.Join(l.err, l.Close())
}

// load fills the tables of the first table's databases:
//
//	product    doc, a number for each family, alpha_w, updated, id, sort
//	entry      doc, its levels in the eight octaves, depth, the numbers of mounting and source kind
//	terms      doc, its terms in one text
//	name       number, key, how many trigrams it has
//	named      the number of a name, a doc that has it
//	gram       a trigram, the number of a name; PostgreSQL has its own
//	shortened  a word or a part of one without some letters, the word
//
// The numbers of values are in a file beside.
func (d *dialect) load(dir, catalogue string) error {
	g, err := newGlossary(catalogue)
	if err != nil {
		return err
	}
	tables, full, _ := strings.Cut(d.schema, whenFull)
	l, err := d.loader(dir, tables)
	if err != nil {
		return err
	}
	n, names, words := numbering{}, map[string]int{}, map[string]bool{}
	for f := range n {
		n[f] = []string{""}
	}
	n[fireClass] = append(n[fireClass], product.FireClasses...)
	n[epd], n[purchasable] = []string{"false", "true"}, []string{"false", "true"}
	doc := 0
	for p, err := range readProducts(catalogue) {
		if err != nil {
			return err
		}
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
				for _, short := range shortened(word, maxShortened(word)) {
					l.add("shortened", short, word)
				}
			}
		}
	}
	if len(n[installation]) > 63 {
		return fmt.Errorf("%s: expected at most 62 installations", catalogue)
	}
	return errors.Join(l.finish(full+coveringIndexes+d.analyze), n.save(dir))
}

// row returns a document and the numbers of its values.
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

// entry returns the row of an entry.
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
