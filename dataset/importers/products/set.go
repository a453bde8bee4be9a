package products

import (
	"bytes"
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/product"
)

// DefaultSourceKind is that of set-ups whose rows, map and options name none: most tables are copied from
// books.
const DefaultSourceKind = "literature"

// Options say what the tables do not. The zero value is for tables that say everything.
type Options struct {
	Manufacturer string              // of rows that name none
	SourceKind   string              // of rows that name none, one of product.SourceKinds; "": DefaultSourceKind
	Vocabulary   *dataset.Vocabulary // of the inputs; a family that is not in it has the words of the sample
	// Partial says that rows are corrections: a product has only what they say, be it without a name.
	Partial bool
}

// A Result is what the rows of one product became.
type Result struct {
	Place    dataset.Place // of its first row
	Key      Key
	Product  *product.Product // nil: the faults are of rows that are of no product
	Faults   []dataset.Fault  // a product with one makes no record
	Warnings []dataset.Fault
}

// A Key is what rows name their product by: an id, else an article number, else a name.
type Key struct{ ID, Article, Name, Manufacturer string }

// A Set collects rows by the product that they are of. Add all rows, read Products once, then Warnings.
type Set struct {
	o      Options
	words  words
	notes  notes
	makers makers
	topics topics
	groups map[key]*group
	facts  []fact   // in which those of a product are gathered
	stray  []Result // of rows that are of no product
}

// New returns a set without rows.
func New(o Options) *Set {
	return &Set{o: o, words: newWords(o.Vocabulary), notes: notes{}, groups: map[key]*group{},
		makers: makers{map[string]*maker{}, map[[2]string]*maker{}}, topics: topics{all: map[[2]string]*topic{}}}
}

// Add adds a row of a table. It keeps the texts, points, faults and warnings of the row.
func (s *Set) Add(r *cells.Row) {
	from := origin{r.Table, r.Number, r.Line}
	named := s.makers.of(r.Text(columns.Manufacturer), r.Text(columns.ManufacturerSlug), from, 1)
	k := s.keyOf(r, named)
	if k.text == "" {
		s.leave(from, "no product in this row: expected a name, an article number or an id", r.Faults, r.Warnings)
		return
	}
	kept, doubts := s.topics.keep(r, &s.words)
	kept.maker = named
	s.notes.add(doubts...)
	s.group(k).add(kept)
}

// identified is a group with the id of its product.
type identified struct {
	id    uuid.UUID
	group *group
}

func (i identified) compare(j identified) int {
	if c := bytes.Compare(i.id[:], j.id[:]); c != 0 {
		return c // without a look at the groups, which are all over the memory
	}
	return i.group.key.compare(j.group.key)
}

// leave keeps the faults and warnings of a row that is of no product.
func (s *Set) leave(from origin, problem string, faults, warnings []dataset.Fault) {
	faults = append([]dataset.Fault{{Place: from.place(1), Problem: problem}}, faults...)
	s.stray = append(s.stray, Result{Place: from.place(1), Faults: faults, Warnings: warnings})
}

// Products yields the products in the order of their ids, then the faults of rows that are of no product. It
// frees the rows of each product.
func (s *Set) Products() iter.Seq[Result] {
	return func(yield func(Result) bool) {
		s.notes.add(s.makers.name()...)
		s.join()
		all := make([]identified, 0, len(s.groups))
		for k, g := range s.groups {
			all = append(all, identified{k.id(), g})
		}
		s.groups = nil
		slices.SortFunc(all, identified.compare)
		for i, of := range all {
			all[i].group = nil
			result, doubts := s.result(of.id, of.group)
			s.notes.add(doubts...)
			if result.Product == nil {
				s.stray = append(s.stray, result)
			} else if !yield(result) {
				return
			}
		}
		slices.SortStableFunc(s.stray, func(a, b Result) int { return comparePlaces(a.Place, b.Place) })
		for _, result := range s.stray {
			if !yield(result) {
				return
			}
		}
	}
}

// Warnings returns what is doubtful about several rows or products alike. It is called after Products.
func (s *Set) Warnings() []dataset.Fault { return s.notes.warnings() }

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

// maxNamed is how many places or names a message lists.
const maxNamed = 10

func (n notes) add(doubts ...doubt) {
	for _, d := range doubts {
		o := n[d.note]
		if o == nil {
			o = &occurrences{}
			n[d.note] = o
		}
		o.count++
		at, _ := slices.BinarySearchFunc(o.places, d.place, comparePlaces)
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

func comparePlaces(a, b dataset.Place) int {
	return cmp.Or(natural(a.Input, b.Input), cmp.Compare(a.Line, b.Line), natural(a.Cell, b.Cell))
}
