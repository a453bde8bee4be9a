package main

import (
	_ "embed" // for ownSQL
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/blevesearch/bleve/v2"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/keyword"
	"github.com/blevesearch/bleve/v2/analysis/analyzer/standard"
	"github.com/blevesearch/bleve/v2/analysis/lang/de"
	"github.com/blevesearch/bleve/v2/analysis/lang/en"
	"github.com/blevesearch/bleve/v2/search/query"

	"sabine/bench/queries"
	"sabine/dataset"
	"sabine/dataset/product"
	"sabine/runtime"
)

// ownFields lists the product fields that the engines in the second table index, names first. These engines
// are set up as their documentation advises, with their own tokenizers, stems, weights and ranks. They return
// the first page and no total.
var ownFields = []struct {
	name, analyzer string // names of the field and its analyzer in Bleve
	boost          float64
}{
	{"id", keyword.Name, 10},
	{"slug", keyword.Name, 10},
	{"name_de", de.AnalyzerName, 5},
	{"name_en", en.AnalyzerName, 5},
	{"name", standard.Name, 5},
	{"manufacturer", standard.Name, 3},
	{"kinds", standard.Name, 2},
	{"text_de", de.AnalyzerName, 1},
	{"text_en", en.AnalyzerName, 1},
	{"details", standard.Name, 1},
}

func ownRow(r *product.Product, v *dataset.Vocabulary) []any {
	kinds := called(v, product.FamilyCategory, queries.TextOf(r.MaterialCategory))
	kinds = append(kinds, called(v, product.FamilyCharacter, queries.TextOf(r.AbsorptionCharacter))...)
	kinds = append(kinds, called(v, product.FamilyInstallation, r.InstallationTypes...)...)
	var details []string
	for _, entry := range r.StructuredMeta {
		details = append(details, entry.Value)
	}
	if r.FireClass != nil {
		details = append(details, r.FireClass.Text)
	}
	return []any{
		r.ID.String(), queries.TextOf(r.Slug), r.Label.In("de"), r.Label.In("en"), queries.TextOf(r.CommercialName),
		r.Manufacturer.Name,
		strings.Join(kinds, " "), r.Description.In("de"), r.Description.In("en"), strings.Join(details, " "),
	}
}

// called returns the values of a family with their display names.
func called(v *dataset.Vocabulary, family string, values ...string) (names []string) {
	for _, value := range values {
		names = append(names, value)
		if v != nil {
			names = append(names, slices.Sorted(maps.Values(v.Families[family][value].Names))...)
		}
	}
	return names
}

// ownSQL contains three parts for each database in the report's second table: the CREATE statement of its
// product table (with the columns of ownFields), the statements to run after all rows are inserted, and the
// query, which takes the search text as its only parameter.
//
//go:embed own.sql
var ownSQL string

// ownDatabase returns a set-up from ownSQL. escape translates a text into the database's query language. If
// escape returns "", the answer is empty.
func ownDatabase(name, folder string, d *dialect, escape func(text string) string) setup {
	_, text, _ := strings.Cut(ownSQL, "-- "+name+"\n")
	text, _, _ = strings.Cut(text, "\n\n")
	tables, text, _ := strings.Cut(text, ";\n-- once it is full\n")
	indexes, query, _ := strings.Cut(text, ";\n-- the query\n")
	return setup{name: name, folder: folder, own: true, server: d == postgres,
		build: func(dir, catalogue string) {
			l := d.created(dir, tables)
			for row := range published(catalogue, ownRow) {
				l.add("product", row...)
			}
			l.finish(indexes)
		},
		open: func(dir string) engine { return &ownDB{d.connected(dir, false), query, escape} },
	}
}

// wordsOfFTS5 returns a query for all words. The last word may be incomplete.
func wordsOfFTS5(text string) string {
	if words := quoted(strings.Fields(text)); words != "" {
		return words + "*"
	}
	return ""
}

// trigramsOfFTS5 returns a query for all words with at least three letters, even inside other words.
func trigramsOfFTS5(text string) string {
	short := func(word string) bool { return letters(word) < 3 }
	return quoted(slices.DeleteFunc(strings.Fields(text), short))
}

func quoted(words []string) string {
	for i, word := range words {
		words[i] = `"` + strings.ReplaceAll(word, `"`, `""`) + `"`
	}
	return strings.Join(words, " ")
}

type ownDB struct {
	*sqlDB
	query  string
	escape func(text string) string
}

func (d *ownDB) Ask(q *runtime.Query) answer {
	t := &tally{}
	if text := d.escape(q.Text); text != "" {
		d.run(t, &statement{fmt.Sprintf("SELECT %d, 0, 0, id FROM (%s) page", isHit, d.query), []any{text}})
	}
	t.answer.Total = len(t.answer.IDs)
	return t.answer
}

func buildOwnBleve(dir, catalogue string) {
	m := bleve.NewIndexMapping()
	m.DefaultMapping = bleve.NewDocumentStaticMapping()
	for _, f := range ownFields {
		field := bleve.NewTextFieldMapping()
		field.Analyzer, field.Store, field.IncludeInAll, field.IncludeTermVectors, field.DocValues = f.analyzer, false,
			false, false, false
		m.DefaultMapping.AddFieldMappingsAt(f.name, field)
	}
	indexBleve(dir, m, published(catalogue, ownRow), func(row []any) (id string, document map[string]any) {
		document = map[string]any{}
		for i, f := range ownFields {
			document[f.name] = row[i]
		}
		return row[0].(string), document
	})
}

// An ownBleve searches every field for any of the words, with the boosts from ownFields. If it is fuzzy, it
// also finds words within one or two edits.
type ownBleve struct {
	*bleveIndex
	fuzzy bool
}

func openOwnBleve(fuzzy bool) func(dir string) engine {
	return func(dir string) engine { return &ownBleve{openBleve(dir), fuzzy} }
}

func (b *ownBleve) Ask(q *runtime.Query) answer {
	var fields []query.Query
	for _, f := range ownFields {
		match := bleve.NewMatchQuery(q.Text)
		match.SetField(f.name)
		match.SetBoost(f.boost)
		match.SetAutoFuzziness(b.fuzzy && f.analyzer != keyword.Name)
		fields = append(fields, match)
	}
	result := b.find(ranked(bleve.NewDisjunctionQuery(fields...), pageSize), everyFamily(false))
	a := answer{Total: int(result.Total)}
	a.addHits(result)
	return a
}
