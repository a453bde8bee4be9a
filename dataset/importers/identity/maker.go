package identity

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sabine/dataset"
)

// A Maker is a manufacturer: all spellings of one slug.
type Maker struct {
	Name   string // the most frequent spelling, once all rows are there
	slug   string
	counts map[string]int // of rows with each spelling
	first  Origin         // the first row that has one
}

// makers are the manufacturers of all rows, by slug, and by the name and the slug that rows have.
type makers struct {
	bySlug map[string]*Maker
	byName map[[2]string]*Maker
}

// of returns the manufacturer of a name, and of a slug where rows have one, and counts the rows; nil without
// a name.
func (m makers) of(name, slug string, from Origin, rows int) *Maker {
	if name == "" {
		return nil
	}
	of := m.byName[[2]string{name, slug}]
	if of == nil {
		bySlug := cmp.Or(slug, dataset.SlugOf(name))
		if of = m.bySlug[bySlug]; of == nil {
			of = &Maker{slug: bySlug, counts: map[string]int{}, first: from, Name: name}
			m.bySlug[bySlug] = of
		}
		m.byName[[2]string{name, slug}] = of
	}
	if of.counts[name] += rows; from.Compare(of.first) < 0 {
		of.first = from
	}
	return of
}

// name names the manufacturers, and notes those that have several spellings.
func (m makers) name(notes dataset.Notes) {
	for _, of := range m.bySlug {
		var others []string
		if of.Name, others = MostFrequent(of.counts, strings.Compare); len(others) > 0 {
			spellings := dataset.Listed(others, len(others), dataset.Quoted)
			problem := "one manufacturer as " + dataset.Quoted(of.Name) + ", also spelt " + spellings
			notes.Add(dataset.Note{Path: "manufacturer", Problem: problem}, of.first.Place(1))
		}
	}
}

// MostFrequent returns the text that was counted most, of several the first in an order, and the others,
// ascending in bytes.
func MostFrequent(counts map[string]int, order func(a, b string) int) (most string, others []string) {
	others = slices.Sorted(maps.Keys(counts))
	most = slices.MinFunc(others, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), order(a, b))
	})
	return most, slices.DeleteFunc(others, func(text string) bool { return text == most })
}
