package dataset

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A Note is what is doubtful about several records, rows or cells alike. Its warning counts them.
type Note struct {
	Path, Problem string
	Unit          string // what is counted, such as "row" or "product"; "" for nothing
}

// Notes count notes, and keep the first places of each. The result does not depend on the order in which they
// are added.
type Notes map[Note]*occurrences

type occurrences struct {
	count  int
	places []Place // maxNamed at most
}

// MaxNamed is how many places or names a message lists.
const MaxNamed = 10

// Add counts a note once more.
func (n Notes) Add(note Note, at Place) {
	o := n[note]
	if o == nil {
		o = &occurrences{}
		n[note] = o
	}
	o.count++
	i, _ := slices.BinarySearchFunc(o.places, at, Place.Compare)
	o.places = slices.Insert(o.places, i, at)
	o.places = o.places[:min(len(o.places), MaxNamed)]
}

// Warnings returns a warning for each note, ordered by path and problem.
func (n Notes) Warnings() (all []Fault) {
	for note, o := range n {
		f := Fault{Place: o.places[0], Path: note.Path, Problem: note.Problem}
		switch {
		case note.Unit != "" && o.count == 1:
			f.Problem += " (1 " + note.Unit + ")"
		case note.Unit != "":
			f.Problem += " (" + strconv.Itoa(o.count) + " " + note.Unit + "s: " + o.listed() + ")"
		}
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b Fault) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Problem, b.Problem))
	})
	return all
}

// listed names the places, a cell without its file where the first place is in the same one.
func (o *occurrences) listed() string {
	return Listed(o.places, o.count, func(p Place) string {
		if p.Input == o.places[0].Input && p.Cell != "" {
			return p.Cell
		}
		return p.String()
	})
}

// Listed names the first MaxNamed of count things for a message: "A2, A3 and 4 more".
func Listed[T any](all []T, count int, name func(T) string) (text string) {
	var names []string
	for _, t := range all[:min(len(all), MaxNamed)] {
		names = append(names, name(t))
	}
	if text = strings.Join(names, ", "); count > MaxNamed {
		text += " and " + strconv.Itoa(count-MaxNamed) + " more"
	}
	return text
}
