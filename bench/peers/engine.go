package main

import (
	"fmt"
	"iter"

	"sabine/runtime"
)

// A setup is how an engine is built and opened, each in a folder of its own.
type setup struct {
	name   string
	build  func(dir, catalogue string) error
	open   func(dir string) (engine, error)
	server bool // the work is done by a server, whose memory is not measured
}

// setups lists the engines. The first one is the one that the others are compared with; the last one only validates.
var setups = []setup{
	{"sabine", buildSabine, openSabine, false},
	{"bleve", buildBleve, openBleve, false},
	{"sqlite", buildSQLite, openSQLite, false},
	{"postgres", buildPostgres, openPostgres, true},
	{validator, validate, nil, false},
}

func setupOf(name string) (setup, error) {
	for _, s := range setups {
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

// A question is a query. Its task is what a peer is told about the text. Where there is a text, there is neither a filter nor
// an order nor a later page, since no class asks for one.
type question struct {
	Task  task
	Query runtime.Query
}

// A task is what has to be found for a text.
type task int

const (
	taskText    task = iota // nothing is told: all that the API defines
	taskWords               // products that hold every word
	taskPhrase              // products that hold the words next to each other
	taskPrefix              // names that begin with the text
	taskPart                // names with a compound that the text is a part of
	taskTypos               // products that hold every word, one of them misspelt
	taskSimilar             // names that resemble the text
	taskAny                 // products that hold the most of the words
	taskNothing             // taskWords, then, since that finds nothing, taskTypos, then taskSimilar
)

// tasks are what the classes of package queries that are texts ask for, where it is told.
var tasks = map[string]task{
	"exact":                 taskWords,
	"part of a name":        taskWords,
	"prefix":                taskPrefix,
	"compound part":         taskPart,
	"umlaut spelling":       taskWords,
	"one typo":              taskTypos,
	"two typos":             taskTypos,
	"vocabulary":            taskWords,
	"other language":        taskWords,
	"manufacturer and word": taskWords,
	"phrase":                taskPhrase,
	"description words":     taskWords,
	"numbers":               taskWords,
	"sentence":              taskAny,
	"garbled name":          taskSimilar,
	"nonsense":              taskNothing,
}

// An answer is the page of hits that the question asks for, by id, the exact number of all of them, and the counts of the six
// families, if asked for.
type answer struct {
	IDs    []string
	Total  int
	Facets []count

	facets func() []count // what the engine has counted, as Facets; nil when nothing
}

// tell fills Facets. This is no work of the engine's, and its time is not measured.
func (a *answer) tell() {
	if a.facets != nil {
		a.Facets = a.facets()
	}
}

// A count says how many hits have a value. Fire classes are cumulative; EPD and purchasable have the values true and false.
type count struct {
	Family family
	Value  string
	N      int
}

type family int

// The families, in the order of the columns in SQLite and PostgreSQL. The six of the API are all but purchasable, which
// the public API has in place of the fire class.
const (
	category family = iota
	character
	installation
	manufacturer
	fireClass
	epd
	purchasable
	families
)

// columns are the families' names in the peers' schemas.
var columns = [families]string{"category", "character", "installation", "manufacturer", "fire", "epd", "purchasable"}

// chosen reports in which families a query has a choice.
func chosen(f *runtime.Filters) [families]bool {
	return [families]bool{
		category:     len(f.Categories) > 0,
		character:    len(f.Characters) > 0,
		installation: len(f.Installations) > 0,
		manufacturer: len(f.Manufacturers) > 0,
		fireClass:    f.FireClass != "",
		epd:          f.HasEPD,
		purchasable:  f.Purchasable,
	}
}

// products is a catalogue, read as it is built.
type products = iter.Seq2[*product, error]
