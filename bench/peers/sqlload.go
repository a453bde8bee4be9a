package main

import (
	"encoding/gob"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sabine/bench/queries"
	"sabine/dataset/product"
	"sabine/indexes/analysis"
)

// A loader fills the tables of a database.
type loader interface {
	insert(table string, row ...any) error
	finish() error // makes the indexes, once the tables are full, and closes the database
}

// load fills the tables of the first table's databases:
//
//	product    doc, a number for each family, alpha_w, updated, id, sort
//	entry      doc, its levels in the eight octaves, depth, the numbers of mounting and source kind
//	terms      doc, its terms in one text
//	name       number, key, how many trigrams it has
//	named      the number of a name, a doc that has it
//	gram       a trigram, the number of a name
//	shortened  a word or a part of one without some letters, the word
//
// The numbers of values lie in a file beside.
func load(l loader, dir, catalogue string) error {
	g, err := newGlossary(catalogue)
	if err != nil {
		return err
	}
	n, names, words := newNumbering(), map[string]int{}, map[string]bool{}
	insert := func(table string, row ...any) {
		err = errors.Join(err, l.insert(table, row...))
	}
	doc := 0
	for p, fault := range readProducts(catalogue) {
		if err = errors.Join(err, fault); err != nil {
			return err
		}
		doc++
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
		insert("product", append(row, p.alphaW, p.updated, p.id, p.sortKey)...)
		for i := range p.entries {
			insert("entry", n.entry(doc, &p.entries[i])...)
		}
		insert("terms", doc, strings.Join(g.terms(p), " "))
		for _, key := range p.searchedNames() {
			if names[key] == 0 {
				names[key] = len(names) + 1
				grams := analysis.Trigrams(nil, key)
				insert("name", names[key], key, len(grams))
				for _, gram := range grams {
					insert("gram", int64(gram), names[key])
				}
			}
			insert("named", names[key], doc)
		}
		for _, word := range g.correctable(p) {
			if words[word] {
				continue
			}
			words[word] = true
			for _, short := range shortened(word, maxShortened(word)) {
				insert("shortened", short, word)
			}
		}
	}
	if len(n[installation]) > 63 {
		return fmt.Errorf("%s: expected at most 62 installations", catalogue)
	}
	return errors.Join(err, l.finish(), n.save(dir))
}

// coveringIndexes are those of products by date, by name and by every family, which answer filters and counts
// alone.
func coveringIndexes() string {
	text := "CREATE INDEX by_updated ON product (updated); CREATE INDEX by_sort ON product (sort);\n"
	for _, first := range columns {
		text += "CREATE INDEX by_" + first + " ON product (" + first
		for _, column := range []string{"fire", "category", "installation", "epd", "purchasable", "character",
			"manufacturer", "alpha_w", "updated"} {
			if column != first {
				text += ", " + column
			}
		}
		text += ");\n"
	}
	return text
}

// A numbering has the values of every family, and of what else has numbers, in the order of their numbers; 0
// is none, but of EPD and purchasable false. The installations of a product are one number, a set of bits: it
// spares a table of pairs, which made three filters of SQLite seven times as slow.
type numbering [numbered][]string

func newNumbering() *numbering {
	n := &numbering{}
	for f := range n {
		n[f] = []string{""}
	}
	n[fireClass] = append(n[fireClass], product.FireClasses...)
	n[epd], n[purchasable] = []string{"false", "true"}, []string{"false", "true"}
	return n
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
	var depth any
	if !math.IsNaN(e.DepthMM) {
		depth = e.DepthMM
	}
	return append(row, depth, n.number(mounting, e.Mounting), n.number(sourceKind, e.SourceKind))
}

// number returns the number of a value, a new one of a new value.
func (n *numbering) number(f family, value string) int {
	if n.find(f, value) < 0 {
		n[f] = append(n[f], value)
	}
	return n.find(f, value)
}

// find returns the number of a value, -1 of one that no product has.
func (n *numbering) find(f family, value string) int { return slices.Index(n[f], value) }

const numberingFile = "values"

func (n *numbering) save(dir string) error {
	f, err := os.Create(filepath.Join(dir, numberingFile))
	if err != nil {
		return err
	}
	return errors.Join(gob.NewEncoder(f).Encode(n), f.Close())
}

// openSQL makes an engine of a database and the numbers of values beside it.
func openSQL(db database, dir string) (engine, error) {
	f, err := os.Open(filepath.Join(dir, numberingFile))
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	defer f.Close()
	d := &sqlDB{database: db}
	return d, gob.NewDecoder(f).Decode(&d.numbering)
}
