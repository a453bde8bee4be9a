package identity

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"sabine/dataset"
)

// A Maker is a manufacturer: all spellings with the same slug.
type Maker struct {
	Name   string // the first spelling; after setNames, the most frequent one
	slug   string
	counts map[string]int // number of rows with each spelling
	first  Origin         // first row with this manufacturer, even by default
}

// makers are the manufacturers of all rows, by slug, and by name and slug as in rows.
type makers struct {
	bySlug map[string]*Maker
	byName map[[2]string]*Maker
}

// of returns the manufacturer with the given name and optional slug. It adds rows to the count of the
// spelling; 0 is for rows that are already counted, or must not influence the name. It returns nil if name is
// empty.
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

// setNames sets the names of the manufacturers, and reports manufacturers with several spellings.
func (m makers) setNames(notes dataset.Notes) {
	for _, of := range m.bySlug {
		var others []string
		if of.Name, others = MostFrequent(of.counts, strings.Compare); len(others) > 0 {
			spellings := dataset.Listed(others, len(others), dataset.Quoted)
			problem := "several spellings of one manufacturer: " + dataset.Quoted(of.Name) + " (used), " + spellings
			notes.Add(dataset.Note{Path: "manufacturer", Problem: problem}, of.first.Place(1))
		}
	}
}

// MostFrequent returns the string with the highest count, and the other strings in byte order. If several
// strings have the highest count, most is the first of them according to order.
func MostFrequent(counts map[string]int, order func(a, b string) int) (most string, others []string) {
	others = slices.Sorted(maps.Keys(counts))
	most = slices.MinFunc(others, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), order(a, b))
	})
	return most, slices.DeleteFunc(others, func(text string) bool { return text == most })
}
