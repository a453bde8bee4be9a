package main

import (
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

	"sabine/dataset"
	"sabine/dataset/product"
	"sabine/runtime"
)

// The engines of the second table are the peers set up as their documentation advises: with their own
// tokenizers, stems, weights and ranks, asked for the first page and no total. ownFields are what they index
// of a product, names above all.
var ownFields = []struct {
	name, analyzer string // Bleve's
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
	kinds := called(v, product.FamilyCategory, orEmpty(r.MaterialCategory))
	kinds = append(kinds, called(v, product.FamilyCharacter, orEmpty(r.AbsorptionCharacter))...)
	kinds = append(kinds, called(v, product.FamilyInstallation, r.InstallationTypes...)...)
	var details []string
	for _, entry := range r.StructuredMeta {
		details = append(details, entry.Value)
	}
	if r.FireClass != nil {
		details = append(details, r.FireClass.Text)
	}
	return []any{
		r.ID.String(), orEmpty(r.Slug), r.Label.In("de"), r.Label.In("en"), orEmpty(r.CommercialName), r.Manufacturer.Name,
		strings.Join(kinds, " "), r.Description.In("de"), r.Description.In("en"), strings.Join(details, " "),
	}
}

// called returns values of a family with their display names.
func called(v *dataset.Vocabulary, family string, values ...string) (names []string) {
	for _, value := range values {
		names = append(names, value)
		if v != nil {
			names = append(names, slices.Sorted(maps.Values(v.Families[family][value].Names))...)
		}
	}
	return names
}

// An ownSQL is a database's set-up. Its tables have columns of ownFields, and its query the text as
// parameter, escaped.
type ownSQL struct {
	name, folder string
	*dialect
	tables, indexes, query string
	escape                 func(text string) string // "": nothing can be asked
}

const (
	ftsTable = `CREATE VIRTUAL TABLE product USING fts5 (id, slug, name_de, name_en, name, manufacturer, kinds,
		text_de, text_en, details, `
	ftsIndexes = `INSERT INTO product (product, rank) VALUES ('rank', 'bm25(10, 10, 5, 5, 5, 3, 2, 1, 1, 1)');
		INSERT INTO product (product) VALUES ('optimize')`
	ftsQuery = "SELECT id FROM product WHERE product MATCH ?1 ORDER BY rank LIMIT 20"

	postgresTable = `CREATE UNLOGGED TABLE product (id text PRIMARY KEY, slug text, name_de text, name_en text,
		name text, manufacturer text, kinds text, text_de text, text_en text, details text, `
)

var ownSQLs = []*ownSQL{
	{
		"SQLite FTS5, unicode61", "own-unicode61", sqlite,
		ftsTable + "tokenize = 'unicode61 remove_diacritics 2', prefix = '2 3')", ftsIndexes, ftsQuery,
		func(text string) string { // every word, the last one as a beginning
			if words := quoted(strings.Fields(text)); words != "" {
				return words + "*"
			}
			return ""
		},
	},
	{
		"SQLite FTS5, trigram", "own-trigram", sqlite,
		ftsTable + "tokenize = 'trigram remove_diacritics 1')", ftsIndexes, ftsQuery,
		func(text string) string { // every word that has a trigram, anywhere in another
			short := func(word string) bool { return letters(word) < 3 }
			return quoted(slices.DeleteFunc(strings.Fields(text), short))
		},
	},
	{
		"PostgreSQL, german and english", "own-tsvector", postgres,
		postgresTable + `words tsvector GENERATED ALWAYS AS (
			setweight(to_tsvector('german', id || ' ' || slug || ' ' || name_de || ' ' || name), 'A') ||
			setweight(to_tsvector('english', id || ' ' || slug || ' ' || name_en || ' ' || name), 'A') ||
			setweight(to_tsvector('german', manufacturer), 'B') || setweight(to_tsvector('english', manufacturer), 'B') ||
			setweight(to_tsvector('german', kinds), 'C') || setweight(to_tsvector('english', kinds), 'C') ||
			setweight(to_tsvector('german', text_de), 'D') || setweight(to_tsvector('english', text_en), 'D') ||
			setweight(to_tsvector('simple', details), 'D')) STORED)`,
		"CREATE INDEX ON product USING gin (words) WITH (fastupdate = off)",
		`SELECT id FROM product,
			(SELECT websearch_to_tsquery('german', ?1) || websearch_to_tsquery('english', ?1) AS wanted) q
			WHERE words @@ wanted ORDER BY ts_rank(words, wanted) DESC, id LIMIT 20`,
		strings.TrimSpace,
	},
	{
		// Over descriptions too, a question took a quarter of a second at 2,000 products.
		"PostgreSQL, pg_trgm", "own-pg_trgm", postgres,
		"CREATE EXTENSION pg_trgm;" + postgresTable + `names text GENERATED ALWAYS AS (id || ' ' || slug || ' ' ||
			name_de || ' ' || name_en || ' ' || name || ' ' || manufacturer || ' ' || kinds || ' ' || details) STORED)`,
		"CREATE INDEX ON product USING gin (names gin_trgm_ops) WITH (fastupdate = off)",
		"SELECT id FROM product WHERE ?1 <% names ORDER BY ?1 <<-> names, id LIMIT 20",
		strings.TrimSpace,
	},
}

// quoted writes words as strings of FTS5, all of which have to be there.
func quoted(words []string) string {
	var all []string
	for _, word := range words {
		all = append(all, `"`+strings.ReplaceAll(word, `"`, `""`)+`"`)
	}
	return strings.Join(all, " ")
}

// ownSetups are the engines of the second table.
func ownSetups() (all []setup) {
	for _, o := range ownSQLs {
		all = append(all, setup{o.name, o.folder, o.build, o.open, true, o.dialect == postgres, false})
	}
	return append(all,
		setup{"Bleve, de and en", "own-bleve", buildOwnBleve, openOwnBleve(false), true, false, false},
		setup{"Bleve, de and en, fuzzy", "own-bleve", buildOwnBleve, openOwnBleve(true), true, false, false})
}

func (o *ownSQL) build(dir, catalogue string) {
	l := o.loader(dir, o.tables)
	for row := range published(catalogue, ownRow) {
		l.add("product", row...)
	}
	l.finish(o.indexes)
}

func (o *ownSQL) open(dir string) engine { return &ownDB{o.connected(dir, false), o} }

type ownDB struct {
	*sqlDB
	*ownSQL
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

// An ownBleve asks every field for any of the words, with the boosts of ownFields; a fuzzy one for words
// within an edit or two too.
type ownBleve struct {
	*bleveIndex
	fuzzy bool
}

func openOwnBleve(fuzzy bool) func(dir string) engine {
	return func(dir string) engine { return &ownBleve{newBleveIndex(dir), fuzzy} }
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
	result := b.find(bleve.NewDisjunctionQuery(fields...), pageSize, everyFamily(false), withScores)
	a := answer{Total: int(result.Total)}
	a.addHits(result)
	return a
}
