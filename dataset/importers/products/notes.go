package products

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
)

// findings are what is wrong or doubtful about a row or a product.
type findings struct {
	faults, warnings []dataset.Fault
	doubts           []doubt
}

func (f *findings) add(g findings) {
	f.faults, f.warnings = append(f.faults, g.faults...), append(f.warnings, g.warnings...)
	f.doubts = append(f.doubts, g.doubts...)
}

func (f *findings) fault(place dataset.Place, path, problem string) {
	f.faults = append(f.faults, dataset.Fault{Place: place, Path: path, Problem: problem})
}

func (f *findings) warn(place dataset.Place, path, problem string) {
	f.warnings = append(f.warnings, dataset.Fault{Place: place, Path: path, Problem: problem})
}

// A note is what is doubtful about several rows or products alike. Its warning counts them.
type note struct {
	path, problem string
	unit          string // what is counted: "row", "set-up" or "product"; "" for nothing
}

// A doubt is one occurrence of a note.
type doubt struct {
	note  note
	place dataset.Place
}

// notes has the count and the first places of each note, maxNamed at most.
type notes map[note]*occurrences

type occurrences struct {
	count  int
	places []dataset.Place
}

func (n notes) add(doubts ...doubt) {
	for _, d := range doubts {
		o := n[d.note]
		if o == nil {
			o = &occurrences{}
			n[d.note] = o
		}
		o.count++
		at, _ := slices.BinarySearchFunc(o.places, d.place, dataset.Place.Compare)
		o.places = slices.Insert(o.places, at, d.place)
		o.places = o.places[:min(len(o.places), maxNamed)]
	}
}

// warnings returns a warning for each note, ordered by path and problem.
func (n notes) warnings() (all []dataset.Fault) {
	for of, o := range n {
		nameOf := func(p dataset.Place) string {
			if p.Input == o.places[0].Input && p.Cell != "" {
				return p.Cell
			}
			return p.String()
		}
		f := dataset.Fault{Place: o.places[0], Path: of.path, Problem: of.problem}
		switch {
		case of.unit != "" && o.count == 1:
			f.Problem += " (1 " + of.unit + ")"
		case of.unit != "":
			f.Problem += " (" + strconv.Itoa(o.count) + " " + of.unit + "s: " + listed(o.places, o.count, nameOf) + ")"
		}
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b dataset.Fault) int {
		return cmp.Or(strings.Compare(a.Path, b.Path), strings.Compare(a.Problem, b.Problem))
	})
	return all
}

// maxNamed is how many places or names a message lists.
const maxNamed = 10

// listed names the first of count things for a message: "A2, A3 and 4 more".
func listed[T any](all []T, count int, name func(T) string) (text string) {
	var names []string
	for _, t := range all[:min(len(all), maxNamed)] {
		names = append(names, name(t))
	}
	if text = strings.Join(names, ", "); count > maxNamed {
		text += " and " + strconv.Itoa(count-maxNamed) + " more"
	}
	return text
}
