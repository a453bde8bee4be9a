package products

import (
	"iter"
	"slices"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/identity"
	"sabine/dataset/product"
)

// DefaultSourceKind applies to set-ups whose rows, map and options have no source kind, because most tables
// are copied from books.
const DefaultSourceKind = "literature"

// Options supply values that tables lack. The zero value is for complete tables.
type Options struct {
	Manufacturer string              // manufacturer of rows without one
	SourceKind   string              // of rows without one; one of product.SourceKinds; "" means DefaultSourceKind
	Vocabulary   *dataset.Vocabulary // vocabulary of the inputs; the sample supplies missing families
	// Partial means that rows are corrections: a product can lack any field, even the name.
	Partial bool
}

// A Result is the product from some rows, or the faults in rows without a product.
type Result struct {
	Place    dataset.Place    // place of the first row
	Key      dataset.Key      // reference to the product in its rows
	Product  *product.Product // valid until the next result; nil if the rows have no product
	Faults   []dataset.Fault  // a product with a fault does not become a record
	Warnings []dataset.Fault
}

// A Set collects the rows of each product. Add all rows, read Products once, then read Warnings.
type Set struct {
	o      Options
	notes  dataset.Notes
	topics topics
	groups *identity.Set[*row]
	stray  []Result // results of rows without a product

	survey survey          // reused for each product
	made   product.Product // reused for each product
}

// New returns an empty set.
func New(o Options) *Set {
	notes := dataset.Notes{}
	of := identity.Options{Manufacturer: o.Manufacturer, Partial: o.Partial, Notes: notes}
	return &Set{o: o, notes: notes, survey: survey{notes: notes}, topics: newTopics(o.Vocabulary),
		groups: identity.New[*row](of)}
}

// NoteCompany adds a company from a sheet of a file. If a file contains only one company, it is the
// manufacturer for sheets without one.
func (s *Set) NoteCompany(input, name string) { s.groups.NoteCompany(input, name) }

// Add adds a row of a table. It retains the strings, points, faults and warnings of the row.
func (s *Set) Add(r *cells.Row) {
	k, maker := s.groups.Key(r)
	if k.Text == "" {
		s.reject(&row{Origin: identity.OriginOf(r), found: &findings{r.Faults, r.Warnings}},
			"this row names no product: expected a name, an article number or an id")
		return
	}
	kept := s.topics.retain(r, s.notes)
	kept.maker = maker
	s.groups.Add(k, maker, kept)
}

// reject adds the findings about a row without a product.
func (s *Set) reject(r *row, problem string) {
	faults := append([]dataset.Fault{{Place: r.Place(1), Problem: problem}}, r.found.faults...)
	s.stray = append(s.stray, Result{Place: r.Place(1), Faults: faults, Warnings: r.found.warnings})
}

// Products yields the products in the order of their ids, then the faults in rows without a product. It frees
// the rows of each product.
func (s *Set) Products() iter.Seq[Result] {
	return func(yield func(Result) bool) {
		for id, g := range s.groups.Groups(s.reject) {
			if s.isLeftOut(g) {
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

// isLeftOut reports whether a product is skipped, and adds a note in this case. A product is skipped if its
// tables have bands, but its rows have no coefficient, no rating and no fault.
func (s *Set) isLeftOut(g *identity.Group[*row]) bool {
	for _, r := range g.Rows {
		t := r.Table
		isRating := func(c cell) bool { // or whether it is a string in a band column
			n := c.column.number - 1
			return slices.Contains(ratingFields, c.column.topic.field) || n >= 0 && n < len(t.Columns) && t.Columns[n].BandHz > 0
		}
		if r.hasCurves() || s.o.Partial || t.OwnExport || t.Map != nil || len(r.found.faults) > 0 ||
			slices.ContainsFunc(r.cells, isRating) || !t.HasBands() {
			return false
		}
	}
	const problem = "product without a coefficient or rating in a table of bands: left out"
	s.notes.Add(dataset.Note{Unit: "product", Problem: problem}, g.First().Place(1))
	return true
}

// Warnings returns the warnings about several rows or products. Call it after Products.
func (s *Set) Warnings() []dataset.Fault { return s.notes.Warnings() }
