package main

import (
	"time"

	"sabine/bench/results"
)

// A group is classes of texts that somebody who chooses between set-ups may look at together.
type group struct {
	Name    string
	classes []string
}

var groups = []group{
	{"names and their beginnings", []string{"exact", "part of a name", "prefix", "manufacturer and word", "numbers"}},
	{"umlauts, parts of compounds", []string{"umlaut spelling", "compound part"}},
	{"vocabulary, other language", []string{"vocabulary", "other language"}},
	{"descriptions", []string{"phrase", "description words"}},
	{"typing errors", []string{"one typo", "two typos", "garbled name"}},
	{"sentences", []string{"sentence"}},
	{"nonsense", []string{"nonsense"}},
}

// A setup is an engine as its users set it up, or sabine, with the means over the classes of each group.
type setup struct {
	Name   string
	Groups []outcome
	Build  results.Line // without figures where the index is another's
}

// An outcome is how well questions were answered, and how soon.
type outcome struct {
	Found float64 // percent, with a good answer
	P50   time.Duration
}

// Setups returns what the engines of the second table did.
func (r *report) Setups() (setups []setup) {
	for _, name := range engines(r.Own) {
		s := setup{Name: name, Build: first(r.builds(), func(l results.Line) bool { return l.Engine == name })}
		for _, g := range groups {
			s.Groups = append(s.Groups, outcomeOf(name, chosen(r.Own, g.classes, middle)))
		}
		setups = append(setups, s)
	}
	return setups
}

// outcomeOf returns the means of an engine over classes.
func outcomeOf(engine string, classes []class) (o outcome) {
	for _, c := range classes {
		if l := c.Of(engine); l.Success10 != nil {
			o.Found += 100 * *l.Success10 / float64(len(classes))
			o.P50 += l.P50 / time.Duration(len(classes))
		}
	}
	return o
}

// Outcome is that of an engine in one class.
func (c *class) Outcome(engine string) outcome { return outcomeOf(engine, []class{*c}) }
