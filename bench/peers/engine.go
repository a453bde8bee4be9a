package main

import (
	"context"
	"os"
	"slices"
	"strconv"
	"strings"

	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/bench/step"
	"sabine/compiler"
	"sabine/dataset"
	"sabine/dataset/product"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

type setup struct {
	name   string
	folder string // folder of the index
	build  func(dir, catalogue string)
	open   func(dir string) engine // nil if the engine only builds
	own    bool                    // whether it is in the second table, set up as its users do
	server bool                    // whether a server does the work; its memory is not measured
	needs  bool                    // whether it stores a table of entries and so can answer needs
}

// setups lists all engines. The engines in the first table find what the API defines. The first one is
// compared with the others.
var setups = []setup{
	{name: results.Sabine, folder: results.Sabine, build: buildSabine, needs: true,
		open: func(dir string) engine { return sabine{openGeneration(dir)} }},
	{name: "bleve", folder: "bleve", build: buildBleve, open: func(dir string) engine { return openBleve(dir) }},
	{name: "sqlite", folder: "sqlite", build: sqlite.load, open: sqlite.open, needs: true},
	{name: "postgres", folder: "postgres", build: postgres.load, open: postgres.open, server: true, needs: true},
	ownDatabase("SQLite FTS5, unicode61", "own-unicode61", sqlite, wordsOfFTS5),
	ownDatabase("SQLite FTS5, trigram", "own-trigram", sqlite, trigramsOfFTS5),
	ownDatabase("PostgreSQL, german and english", "own-tsvector", postgres, strings.TrimSpace),
	ownDatabase("PostgreSQL, pg_trgm", "own-pg_trgm", postgres, strings.TrimSpace),
	{name: "Bleve, de and en", folder: "own-bleve", build: buildOwnBleve, open: openOwnBleve(false), own: true},
	{name: "Bleve, de and en, fuzzy", folder: "own-bleve", build: buildOwnBleve, open: openOwnBleve(true), own: true},
}

// answers reports whether the engine answers a kind of questions. Only sabine answers questions about curves.
func (s *setup) answers(kind queries.Kind) bool {
	if s.own || kind == queries.Curves {
		return kind.IsText() || s.name == results.Sabine
	}
	return s.needs || kind != queries.Needs
}

func setupOf(name string) *setup {
	if i := slices.IndexFunc(setups, func(s setup) bool { return s.name == name }); i >= 0 {
		return &setups[i]
	}
	return nil
}

// An engine answers questions about the catalogue in its index. A peer does not support filters, orders or
// later pages in a question with a text, because no class contains such a question.
type engine interface {
	Ask(*runtime.Query) answer
	Close() error
}

const pageSize = 20

// An answer contains the ids of the hits on the requested page, the exact number of hits, and the family
// counts if they were requested.
type answer struct {
	IDs    []string
	Total  int
	Facets counts

	facets func() counts // computes Facets from the engine's counts; nil without counts
}

// countFacets sets Facets. The time for this is not measured, since it is not the engine's work.
func (a *answer) countFacets() {
	if a.facets != nil {
		a.Facets = a.facets()
	}
}

// add adds a hit unless the page is full or already contains the hit.
func (a *answer) add(id string) {
	if len(a.IDs) < pageSize && !slices.Contains(a.IDs, id) {
		a.IDs = append(a.IDs, id)
	}
}

func (a *answer) full() bool { return len(a.IDs) >= min(pageSize, a.Total) }

// counts contains the numbers of hits by family and value, without zeros. The values of EPD and purchasable
// are "true" and "false".
type counts map[value]int

type value struct {
	Family family
	Name   string
}

func (c counts) add(f family, name string, n int) {
	if n > 0 && name != "" {
		c[value{f, name}] += n
	}
}

// cumulate adds the counts of all safer fire classes to each fire class.
func (c counts) cumulate() counts {
	sum := 0
	for _, class := range product.FireClasses {
		sum += c[value{fireClass, class}]
		c.add(fireClass, class, sum-c[value{fireClass, class}])
	}
	return c
}

type family int

// The families, in column order in SQLite and PostgreSQL. The API offers all of them except purchasable,
// which replaces the fire class in public requests.
const (
	category family = iota
	character
	installation
	manufacturer
	fireClass
	epd
	purchasable
	families

	// Other numeric columns in SQLite and PostgreSQL.
	mounting   = families
	sourceKind = families + 1
	numbered   = families + 2
)

// columns are the names of the families in the peers' schemas.
var columns = [families]string{"category", "character", "installation", "manufacturer", "fire", "epd", "purchasable"}

// choices returns, for each family, the values that a hit can have, or none if the family has no filter. For
// a fire class, the values include all safer classes.
func choices(f *runtime.Filters) [families][]string {
	yes := map[bool][]string{true: {strconv.FormatBool(true)}}
	return [families][]string{
		category:     f.Categories,
		character:    f.Characters,
		installation: f.Installations,
		manufacturer: f.Manufacturers,
		fireClass:    product.FireClasses[:slices.Index(product.FireClasses, f.FireClass)+1],
		epd:          yes[f.HasEPD],
		purchasable:  yes[f.Purchasable],
	}
}

// eachCount calls count once for the families without a filter, which are counted among all hits. It then
// calls count for each family with a filter, which is counted among the hits found without this filter.
func eachCount(q *runtime.Query, count func(but family, wanted func(family) bool)) {
	choices := choices(&q.Filters)
	count(families, func(f family) bool { return q.Facets && len(choices[f]) == 0 })
	for f := range families {
		if q.Facets && len(choices[f]) > 0 {
			count(f, func(other family) bool { return other == f })
		}
	}
}

func buildSabine(dir, catalogue string) {
	inputs, _, err := dataset.Inputs([]string{catalogue}, os.Stdin)
	step.Check(err)
	step.Must(compiler.Build(context.Background(), compiler.Options{Inputs: inputs, Folder: snapshot.Folder{Dir: dir}}))
}

type sabine struct{ *runtime.Generation }

func openGeneration(dir string) *runtime.Generation {
	return step.Must(runtime.Open(context.Background(), currentSnapshot(dir)))
}

func currentSnapshot(dir string) string {
	folder := snapshot.Folder{Dir: dir}
	return folder.Path(step.Must(folder.Current()))
}

func (s sabine) Ask(q *runtime.Query) answer {
	r := s.Search(q)
	a := answer{IDs: make([]string, len(r.Docs)), Total: r.Total}
	for i, d := range r.Docs {
		a.IDs[i] = s.ID(d).String()
	}
	if f := r.Facets; f != nil {
		a.facets = func() counts { return countsOf(f) }
	}
	return a
}

func countsOf(f *runtime.Facets) counts {
	c := counts{}
	for family, values := range map[family][]runtime.ValueCount{
		category: f.Categories, character: f.Characters, installation: f.Installations, fireClass: f.FireClasses,
	} {
		for _, v := range values {
			c.add(family, v.Value, v.Count)
		}
	}
	for _, m := range f.Manufacturers {
		c.add(manufacturer, m.Slug, m.Count)
	}
	for family, split := range map[family]runtime.Split{epd: f.HasEPD, purchasable: f.Purchasable} {
		c.add(family, strconv.FormatBool(true), split.True)
		c.add(family, strconv.FormatBool(false), split.False)
	}
	return c
}
