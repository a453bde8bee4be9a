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

// A question is a query with the task that it sets.
type question struct {
	Task  task
	Query runtime.Query
}

// A task is what has to be found for a text.
type task int

const (
	taskAll     task = iota // no text: everything
	taskWords               // products that hold every word
	taskPhrase              // products that hold the words next to each other
	taskPrefix              // names that begin with the text
	taskPart                // names that hold the text somewhere, as compounds hold their parts
	taskTypos               // products that hold every word, one of them misspelt
	taskSimilar             // names that resemble the text
	taskAny                 // products that hold some of the words, those with most of them first
	taskNothing             // taskWords, then, since that finds nothing, taskTypos, then taskSimilar
)

// tasks are what the classes of package queries ask for; a class that is not listed has no text.
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
	"text, facets":          taskWords,
}

// An answer is the page of hits that the question asks for, by id, the exact number of all of them, and the counts of the six
// families, if asked for.
type answer struct {
	IDs    []string
	Total  int
	Facets []count
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

// firstFound asks for one task after the other until one finds something.
func firstFound(ask func(task) (answer, error), tasks ...task) (a answer, err error) {
	for _, t := range tasks {
		if a, err = ask(t); err != nil || a.Total > 0 {
			break
		}
	}
	return a, err
}

// products is a catalogue, read as it is built.
type products = iter.Seq2[*product, error]
