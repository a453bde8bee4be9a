package main

import (
	"fmt"
	"slices"
	"strconv"

	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/dataset/product"
	"sabine/runtime"
)

// A setup is how an engine is built and opened.
type setup struct {
	name   string
	folder string // of the index
	build  func(dir, catalogue string) error
	open   func(dir string) (engine, error) // nil: it is only built
	server bool                             // the work is done by a server, whose memory is not measured
	needs  bool                             // it has a table of entries, so that it can be asked for needs
}

// setups are the engines of the first table, all of which find what the API defines; the first one is the one
// that the others are compared with.
var setups = []setup{
	{results.Sabine, results.Sabine, buildSabine, openSabine, false, true},
	{"bleve", "bleve", buildBleve, openBleve, false, false},
	{"sqlite", "sqlite", buildSQLite, openSQLite, false, true},
	{"postgres", "postgres", buildPostgres, openPostgres, true, true},
}

// validation is measured like a build: gjson telling of each line of the catalogue that it is JSON.
var validation = setup{results.Validator, results.Validator, validate, nil, false, false}

// answers reports whether questions of a kind can be put to the engine: those about curves to no peer.
func (s *setup) answers(kind queries.Kind) bool {
	return s.name == results.Sabine || kind != queries.Curves && (s.needs || kind != queries.Needs)
}

func setupOf(name string) (setup, error) {
	for _, s := range slices.Concat(setups, ownSetups(), []setup{validation}) {
		if s.name == name {
			return s, nil
		}
	}
	return setup{}, fmt.Errorf("engine %q: there is none of that name", name)
}

// An engine answers questions about the catalogue that it was built of.
type engine interface {
	Ask(*question) (answer, error)
	Close() error
}

// pageSize is how many hits a page has.
const pageSize = 20

// A question is a query. Where a peer is asked for a text, there is neither a filter nor an order nor a later
// page, since no class asks for one.
type question struct {
	Told  string // the class of the text, where a peer is told it: a key of tellings
	Query runtime.Query
}

// An answer is the page of hits that the question asks for, by id, the exact number of all of them, and the
// counts of the six families, if asked for.
type answer struct {
	IDs    []string
	Total  int
	Facets counts

	facets func() counts // what the engine has counted, as Facets; nil when nothing
}

// tell fills Facets. This is no work of the engine's, and its time is not measured.
func (a *answer) tell() {
	if a.facets != nil {
		a.Facets = a.facets()
	}
}

// add takes a hit, unless it is on the page already or the page is full.
func (a *answer) add(id string) {
	if len(a.IDs) < pageSize && !slices.Contains(a.IDs, id) {
		a.IDs = append(a.IDs, id)
	}
}

// full reports whether the page has all the hits that it can have.
func (a *answer) full() bool { return len(a.IDs) >= min(pageSize, a.Total) }

// counts say how many hits have a value, of those that some have. EPD and purchasable have the values true
// and false.
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
		if sum > 0 {
			c[value{fireClass, class}] = sum
		}
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
	yes := func(wanted bool) []string {
		if wanted {
			return []string{strconv.FormatBool(true)}
		}
		return nil
	}
	return [families][]string{
		category:     f.Categories,
		character:    f.Characters,
		installation: f.Installations,
		manufacturer: f.Manufacturers,
		fireClass:    product.FireClasses[:slices.Index(product.FireClasses, f.FireClass)+1],
		epd:          yes(f.HasEPD),
		purchasable:  yes(f.Purchasable),
	}
}
