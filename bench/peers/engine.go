package main

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/bench/step"
	"sabine/compiler"
	"sabine/dataset"
	"sabine/dataset/product"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// A setup is how an engine is built and opened.
type setup struct {
	name   string
	folder string // of the index
	build  func(dir, catalogue string)
	open   func(dir string) engine // nil: it is only built
	own    bool                    // of the second table: set up as its users do
	server bool                    // a server does the work, and its memory is not measured
	needs  bool                    // it has a table of entries, so that it answers needs
}

// setups are all engines. Those of the first table find what the API defines; the first is compared with the
// others. The validator is only built: gjson validates each line of the catalogue.
var setups = []setup{
	{name: results.Sabine, folder: results.Sabine, build: buildSabine, needs: true,
		open: func(dir string) engine { return sabine{openGeneration(dir)} }},
	{name: "bleve", folder: "bleve", build: buildBleve, open: func(dir string) engine { return openBleve(dir) }},
	{name: "sqlite", folder: "sqlite", build: sqlite.load, open: sqlite.open, needs: true},
	{name: "postgres", folder: "postgres", build: postgres.load, open: postgres.open, server: true, needs: true},
	{name: results.Validator, folder: results.Validator, build: validate},
	ownDatabase("SQLite FTS5, unicode61", "own-unicode61", sqlite, wordsOfFTS5),
	ownDatabase("SQLite FTS5, trigram", "own-trigram", sqlite, trigramsOfFTS5),
	ownDatabase("PostgreSQL, german and english", "own-tsvector", postgres, strings.TrimSpace),
	ownDatabase("PostgreSQL, pg_trgm", "own-pg_trgm", postgres, strings.TrimSpace),
	{name: "Bleve, de and en", folder: "own-bleve", build: buildOwnBleve, open: openOwnBleve(false), own: true},
	{name: "Bleve, de and en, fuzzy", folder: "own-bleve", build: buildOwnBleve, open: openOwnBleve(true), own: true},
}

// answers reports whether the engine answers questions of a kind: those about curves only sabine does.
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

// An engine answers questions about the catalogue that it was built of. In a question with a text a peer
// expects no filter, order or later page, since no class has one.
type engine interface {
	Ask(*runtime.Query) answer
	Close() error
}

const pageSize = 20

// An answer is the requested page of hits, by id, their exact number, and the counts of the families, if
// requested.
type answer struct {
	IDs    []string
	Total  int
	Facets counts

	facets func() counts // returns Facets from what the engine has counted; nil: nothing
}

// tell fills Facets. This is no work of the engine's, and its time is not measured.
func (a *answer) tell() {
	if a.facets != nil {
		a.Facets = a.facets()
	}
}

// add adds a hit, unless it is on the page already or the page is full.
func (a *answer) add(id string) {
	if len(a.IDs) < pageSize && !slices.Contains(a.IDs, id) {
		a.IDs = append(a.IDs, id)
	}
}

func (a *answer) full() bool { return len(a.IDs) >= min(pageSize, a.Total) }

// counts are the numbers of hits by value, where there are any. EPD and purchasable have the values true and
// false.
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

// cumulate adds to each fire class all safer ones.
func (c counts) cumulate() counts {
	sum := 0
	for _, class := range product.FireClasses {
		sum += c[value{fireClass, class}]
		c.add(fireClass, class, sum-c[value{fireClass, class}])
	}
	return c
}

type family int

// The families, in the order of the columns in SQLite and PostgreSQL. The six of the API are all but
// purchasable, which the public API has in place of the fire class.
const (
	category family = iota
	character
	installation
	manufacturer
	fireClass
	epd
	purchasable
	families

	// What else has numbers in SQLite and PostgreSQL.
	mounting   = families
	sourceKind = families + 1
	numbered   = families + 2
)

// columns are the families' names in the peers' schemas.
var columns = [families]string{"category", "character", "installation", "manufacturer", "fire", "epd", "purchasable"}

// choices are the values of each family of which a hit has one; none where the query leaves the choice open.
// Fire classes are the safest one and those that follow.
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

// eachCount calls count for the families that are counted among all hits, and for each family with a choice,
// which is counted among the hits that its own filter would leave out too.
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

// validate has gjson verify that each line of the catalogue is JSON: a pace that no build on one core can
// beat.
func validate(_, catalogue string) {
	f := step.Must(os.Open(catalogue))
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(make([]byte, 1<<20), 1<<24)
	for n := 1; lines.Scan(); n++ {
		if !gjson.ValidBytes(lines.Bytes()) {
			step.Check(fmt.Errorf("%s: line %d is no JSON", catalogue, n))
		}
	}
	step.Check(lines.Err())
}
