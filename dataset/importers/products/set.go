package products

import (
	"bytes"
	"iter"
	"slices"

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
	Place    dataset.Place    // of its first row
	Key      dataset.Key      // what its rows name it by
	Product  *product.Product // valid until the next result; nil: the faults are of rows that are of no product
	Faults   []dataset.Fault  // a product with one makes no record
	Warnings []dataset.Fault
}

// A Set collects rows by the product that they are of. Add all rows, read Products once, then Warnings.
type Set struct {
	o      Options
	notes  dataset.Notes
	makers makers
	topics topics
	groups map[key]*group
	stray  []Result // of rows that are of no product

	companies map[string]string // by file: the only one that its sheets name, "" for several

	survey survey          // of one product after the other
	made   product.Product // likewise
}

// New returns a set without rows.
func New(o Options) *Set {
	notes := dataset.Notes{}
	return &Set{o: o, notes: notes, survey: survey{notes: notes}, groups: map[key]*group{},
		makers: makers{map[string]*maker{}, map[[2]string]*maker{}}, topics: newTopics(o.Vocabulary),
		companies: map[string]string{}}
}

// NoteCompany takes a company that a sheet of a file names. Where it is the only one, it is the manufacturer of what
// other sheets have without one.
func (s *Set) NoteCompany(input, name string) {
	if before, ok := s.companies[input]; ok && before != name {
		name = ""
	}
	s.companies[input] = name
}

// Add adds a row of a table. It keeps the texts, points, faults and warnings of the row.
func (s *Set) Add(r *cells.Row) {
	from := origin{r.Table, r.Number, r.Line}
	named := s.makers.of(r.Text(columns.Manufacturer), r.Text(columns.ManufacturerSlug), from, 1)
	k := s.keyOf(r, named)
	if k.text == "" {
		s.leave(from, "no product in this row: expected a name, an article number or an id",
			&findings{r.Faults, r.Warnings})
		return
	}
	kept := s.topics.keep(r, s.notes)
	kept.maker = named
	g := s.group(k)
	if g.add(kept); named != nil && (g.maker == nil || named.slug < g.maker.slug) {
		g.maker = named
	}
}

// identified is a group with the id of its product.
type identified struct {
	id    uuid.UUID
	group *group
}

func (i identified) compare(j identified) int {
	if c := bytes.Compare(i.id[:], j.id[:]); c != 0 { // without a look at the groups, which are all over the memory
		return c
	}
	return i.group.key.compare(j.group.key)
}

// leave keeps what was found in a row that is of no product.
func (s *Set) leave(from origin, problem string, found *findings) {
	faults := append([]dataset.Fault{{Place: from.place(1), Problem: problem}}, found.faults...)
	s.stray = append(s.stray, Result{Place: from.place(1), Faults: faults, Warnings: found.warnings})
}

// Products yields the products in the order of their ids, then the faults of rows that are of no product. It
// frees the rows of each product.
func (s *Set) Products() iter.Seq[Result] {
	return func(yield func(Result) bool) {
		s.makers.name(s.notes)
		s.join()
		all := make([]identified, 0, len(s.groups))
		for k, g := range s.groups {
			all = append(all, identified{k.id(), g})
		}
		s.groups = nil
		slices.SortFunc(all, identified.compare)
		for i, of := range all {
			all[i].group = nil
			if s.leavesOut(of.group) {
				continue
			}
			result := s.result(of.id, of.group)
			if result.Product == nil {
				s.stray = append(s.stray, result)
			} else if !yield(result) {
				return
			}
		}
		slices.SortStableFunc(s.stray, func(a, b Result) int { return a.Place.Compare(b.Place) })
		for _, result := range s.stray {
			if !yield(result) {
				return
			}
		}
	}
}

// leavesOut reports whether a product is left out, and notes it: tables of bands have it, and no row says a
// coefficient or a rating of it. What was faulty in its rows is reported all the same.
func (s *Set) leavesOut(g *group) bool {
	for i := range g.rows {
		r, t := &g.rows[i], g.rows[i].table
		isRating := func(c cell) bool { // or what a band has that is no coefficient
			n := c.column.number - 1
			return slices.Contains(ratingFields, c.column.topic.field) || n >= 0 && n < len(t.Columns) && t.Columns[n].BandHz > 0
		}
		if r.hasCurves() || s.o.Partial || t.Ours || t.Map != nil || len(r.found.faults) > 0 ||
			slices.ContainsFunc(r.cells, isRating) || !t.HasBands() {
			return false
		}
	}
	s.notes.Add(dataset.Note{Unit: "product", Problem: "no coefficient and no rating in a table of bands: left out"}, g.first().place(1))
	return true
}

// Warnings returns what is doubtful about several rows or products alike. It is called after Products.
func (s *Set) Warnings() []dataset.Fault { return s.notes.Warnings() }
