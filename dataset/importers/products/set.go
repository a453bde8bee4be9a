package products

import (
	"iter"
	"slices"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/identity"
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
	topics topics
	groups *identity.Set[*row]
	stray  []Result // of rows that are of no product

	survey survey          // of one product after the other
	made   product.Product // likewise
}

// New returns a set without rows.
func New(o Options) *Set {
	notes := dataset.Notes{}
	of := identity.Options{Manufacturer: o.Manufacturer, Partial: o.Partial, Notes: notes}
	return &Set{o: o, notes: notes, survey: survey{notes: notes}, topics: newTopics(o.Vocabulary),
		groups: identity.New[*row](of)}
}

// NoteCompany takes a company that a sheet of a file names. Where it is the only one, it is the manufacturer
// of what other sheets have without one.
func (s *Set) NoteCompany(input, name string) { s.groups.NoteCompany(input, name) }

// Add adds a row of a table. It keeps the texts, points, faults and warnings of the row.
func (s *Set) Add(r *cells.Row) {
	k, maker := s.groups.Key(r)
	if k.Text == "" {
		s.leave(&row{Origin: identity.OriginOf(r), found: &findings{r.Faults, r.Warnings}},
			"no product in this row: expected a name, an article number or an id")
		return
	}
	kept := s.topics.keep(r, s.notes)
	kept.maker = maker
	s.groups.Add(k, maker, kept)
}

// leave keeps what was found in a row that is of no product.
func (s *Set) leave(r *row, problem string) {
	faults := append([]dataset.Fault{{Place: r.Place(1), Problem: problem}}, r.found.faults...)
	s.stray = append(s.stray, Result{Place: r.Place(1), Faults: faults, Warnings: r.found.warnings})
}

// Products yields the products in the order of their ids, then the faults of rows that are of no product. It
// frees the rows of each product.
func (s *Set) Products() iter.Seq[Result] {
	return func(yield func(Result) bool) {
		for id, g := range s.groups.Groups(s.leave) {
			if s.leavesOut(g) {
				continue
			}
			result := s.result(id, g)
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
func (s *Set) leavesOut(g *identity.Group[*row]) bool {
	for _, r := range g.Rows {
		t := r.Table
		isRating := func(c cell) bool { // or what a band has that is no coefficient
			n := c.column.number - 1
			return slices.Contains(ratingFields, c.column.topic.field) || n >= 0 && n < len(t.Columns) && t.Columns[n].BandHz > 0
		}
		if r.hasCurves() || s.o.Partial || t.Ours || t.Map != nil || len(r.found.faults) > 0 ||
			slices.ContainsFunc(r.cells, isRating) || !t.HasBands() {
			return false
		}
	}
	const problem = "no coefficient and no rating in a table of bands: left out"
	s.notes.Add(dataset.Note{Unit: "product", Problem: problem}, g.First().Place(1))
	return true
}

// Warnings returns what is doubtful about several rows or products alike. It is called after Products.
func (s *Set) Warnings() []dataset.Fault { return s.notes.Warnings() }
