package dataset

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// A Note is a warning that can occur in several records, rows or cells. It is reported once, with a count.
type Note struct {
	Path, Problem string
	Unit          string // the counted unit, such as "row" or "product"; "" omits the count
}

// Notes counts notes and retains the first places of each note. The result does not depend on the order of
// Add.
type Notes map[Note]*occurrences

type occurrences struct {
	count  int
	places []Place // at most MaxListed places
}

// MaxListed is the maximum number of places or names that a message lists.
const MaxListed = 10

// Add counts an occurrence of a note.
func (n Notes) Add(note Note, at Place) {
	o := n[note]
	if o == nil {
		o = &occurrences{}
		n[note] = o
	}
	o.count++
	i, _ := slices.BinarySearchFunc(o.places, at, Place.Compare)
	o.places = slices.Insert(o.places, i, at)
	o.places = o.places[:min(len(o.places), MaxListed)]
}

// Warnings returns a warning for each note, sorted by path and problem.
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

// listed lists the places. A cell in the same input as the first place is listed without the input.
func (o *occurrences) listed() string {
	return Listed(o.places, o.count, func(p Place) string {
		if p.Input == o.places[0].Input && p.Cell != "" {
			return p.Cell
		}
		return p.String()
	})
}

// Listed returns the names of the first MaxListed elements and counts the others: "A2, A3 and 4 more".
func Listed[T any](all []T, count int, name func(T) string) (text string) {
	var names []string
	for _, t := range all[:min(len(all), MaxListed)] {
		names = append(names, name(t))
	}
	if text = strings.Join(names, ", "); count > MaxListed {
		text += " and " + strconv.Itoa(count-MaxListed) + " more"
	}
	return text
}
