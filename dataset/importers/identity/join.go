package identity

import (
	"bytes"
	"cmp"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
)

// Options supply values that rows lack.
type Options struct {
	Manufacturer string        // manufacturer of rows without one
	Partial      bool          // whether rows are corrections, which need no manufacturer
	Notes        dataset.Notes // receives the notes of all rows and products; required
}

// A Set collects the rows of each product. Add all rows, then read Groups once.
type Set[R Row] struct {
	o         Options
	makers    makers
	groups    map[Key]*Group[R]
	companies map[string]string // only company in each file; "" if there are several
}

// New returns an empty set.
func New[R Row](o Options) *Set[R] {
	return &Set[R]{o, makers{map[string]*Maker{}, map[[2]string]*Maker{}}, map[Key]*Group[R]{}, map[string]string{}}
}

// NoteCompany adds a company from a sheet of a file. If it is the only one in the file, it is the
// manufacturer for sheets without one.
func (s *Set[R]) NoteCompany(input, name string) {
	if before, ok := s.companies[input]; ok && before != name {
		name = ""
	}
	s.companies[input] = name
}

// Add adds a row with its key, and its manufacturer if it has one.
func (s *Set[R]) Add(k Key, named *Maker, r R) {
	if own := r.Text(k.By); own == k.Text {
		k.Text = own // avoids retaining the longer text that contains the key
	} else {
		k.Text = strings.Clone(k.Text)
	}
	g := s.group(k)
	if g.add(r); named != nil && (g.Maker == nil || named.slug < g.Maker.slug) {
		g.Maker = named
	}
	g.named = g.named || slices.ContainsFunc(NameFields, func(f columns.Field) bool { return r.Text(f) != "" })
}

// group returns the group of a key.
func (s *Set[R]) group(k Key) *Group[R] {
	g := s.groups[k]
	if g == nil {
		g = &Group[R]{Key: k, Maker: k.Maker}
		s.groups[k], g.Rows = g, g.one[:0]
	}
	return g
}

// Groups yields the products with their ids, in the order of the ids. It calls reject for each row without a
// product. The set is empty afterwards.
func (s *Set[R]) Groups(reject func(r R, problem string)) iter.Seq2[uuid.UUID, *Group[R]] {
	type identified struct {
		id    uuid.UUID
		group *Group[R]
	}
	return func(yield func(uuid.UUID, *Group[R]) bool) {
		s.makers.setNames(s.o.Notes)
		s.join(reject) // needs the names of the manufacturers
		all := make([]identified, 0, len(s.groups))
		for k, g := range s.groups {
			all = append(all, identified{k.id(), g})
		}
		s.groups = nil
		slices.SortFunc(all, func(a, b identified) int {
			if c := bytes.Compare(a.id[:], b.id[:]); c != 0 { // avoids access to the scattered groups
				return c
			}
			return a.group.Key.compare(b.group.Key)
		})
		for i, of := range all {
			all[i].group = nil // allows its rows to be freed after they are read
			if !yield(of.id, of.group) {
				return
			}
		}
	}
}

// Key returns the key of a row, and its manufacturer. The text of the key is "" if the row identifies no
// product. If neither row, map nor title contains a manufacturer, join can use other rows.
func (s *Set[R]) Key(r *cells.Row) (k Key, named *Maker) {
	from := OriginOf(r)
	named = s.makers.of(r.Text(columns.Manufacturer), r.Text(columns.ManufacturerSlug), from, 1)
	id, article, name, maker := r.Text(columns.ID), r.Text(columns.Article), "", named
	for _, f := range NameFields {
		if name == "" && (article == "" || named == nil) { // otherwise the key does not contain the name
			name = r.Text(f)
		}
	}
	if named == nil {
		rows, byDefault := 1, s.manufacturerOf(r.Table)
		if id != "" { // other rows with this id can name the manufacturer
			rows = 0
		}
		of, isOfTitle := s.makers.of(byDefault, "", from, rows), byDefault != "" && byDefault == r.Table.Company
		if isOfTitle && s.o.Manufacturer == "" {
			problem := "missing in this row; read from the title: " + dataset.Quoted(byDefault)
			s.o.Notes.Add(dataset.Note{Path: "manufacturer", Problem: problem, Unit: "row"}, from.Place(1))
		}
		if name != "" && (isOfTitle || article != "") || r.Table.Map != nil && r.Table.Map.Manufacturer != "" {
			maker = of
		}
	}
	switch {
	case id != "":
		return Key{nil, columns.ID, strings.ToLower(id)}, named
	case article != "":
		return Key{maker, columns.Article, article}, named
	}
	return Key{maker, columns.Label, name}, named
}

// manufacturerOf returns the manufacturer for rows without one.
func (s *Set[R]) manufacturerOf(t *layout.Table) string {
	if t.Map != nil && t.Map.Manufacturer != "" {
		return t.Map.Manufacturer
	}
	return cmp.Or(s.o.Manufacturer, t.Company)
}

// companyOf returns the only company in the sheets of a group's file, and adds a note to each row of the
// group. It returns "" if the group's table has a manufacturer column.
func (s *Set[R]) companyOf(g *Group[R]) string {
	t := g.First().Table
	company := s.companies[t.Input]
	if company == "" || t.Has(columns.Manufacturer) {
		return ""
	}
	s.noteRows(g, "missing in this row; read from another sheet: "+dataset.Quoted(company))
	return company
}

// noteRows reports the source of the manufacturer of a group's rows.
func (s *Set[R]) noteRows(g *Group[R], problem string) {
	for _, r := range g.Rows {
		s.o.Notes.Add(dataset.Note{Path: "manufacturer", Problem: problem, Unit: "row"}, r.From().Place(1))
	}
}

// join adds rows that identify their product only partly to the product whose rows have the same article
// number or name, so that master data and values in two tables become one product. First it joins rows with
// an article number and no name to a product with an id, then rows with only a name to a product with an id
// or an article number, then rows without a manufacturer.
func (s *Set[R]) join(reject func(r R, problem string)) {
	for k, g := range s.groups {
		if k.By == columns.ID && g.Maker == nil {
			g.Maker = s.makers.of(s.manufacturerOf(g.First().Table), "", g.First(), 0)
		}
	}
	asProduct := dataset.Note{Path: "label", Unit: "product",
		Problem: "missing article number in this row; assigned to the product with this name"}
	found := s.candidates()
	keys := slices.SortedFunc(maps.Keys(found), Key.compare)
	better := func(k Key) []*Group[R] {
		return slices.DeleteFunc(found[k], func(g *Group[R]) bool {
			isSame := g.Key.By == k.By || g.Key.By == columns.Label
			return s.groups[g.Key] != g || k.Maker != nil && isSame // already joined, or identified no better
		})
	}
	for _, k := range keys {
		if k.Maker == nil {
			continue
		}
		if to := better(k); len(to) == 1 {
			if k.By == columns.Label {
				s.o.Notes.Add(asProduct, s.groups[k].First().Place(1))
			}
			s.move(k, to[0])
		}
	}
	for _, k := range keys {
		if k.Maker == nil {
			s.joinUnnamed(s.groups[k], better(k), reject)
		}
	}
}

// MakerExpected is the end of the message about a product without a manufacturer.
const MakerExpected = ": add a column such as Hersteller or manufacturer, use sabine import --manufacturer, or " +
	"name a manufacturer in the map"

// joinUnnamed joins rows without a manufacturer to one of the products found with their article number or
// name, or to the product of the default manufacturer. It rejects the rows if there is neither.
func (s *Set[R]) joinUnnamed(g *Group[R], found []*Group[R], reject func(r R, problem string)) {
	k, what := g.Key, strings.ReplaceAll(string(g.Key.By), "_", " ")
	name := s.manufacturerOf(g.First().Table)
	if name == "" && len(found) == 0 {
		name = s.companyOf(g)
	}
	byDefault := s.makers.of(name, "", g.First(), 0)
	if slices.ContainsFunc(found, func(f *Group[R]) bool { return f.Maker == byDefault }) {
		found = slices.DeleteFunc(found, func(f *Group[R]) bool { return f.Maker != byDefault })
	}
	isOfOther := func(f *Group[R]) bool { return f.Maker != found[0].Maker }
	isExact := func(f *Group[R]) bool { return f.Key.By == k.By && f.Key.Text == k.Text }
	if i := slices.IndexFunc(found, isExact); i >= 0 && !slices.ContainsFunc(found, isOfOther) {
		found = found[i : i+1]
	}
	problem := "missing manufacturer in this row" + MakerExpected
	switch {
	case len(found) == 1:
		s.noteRows(g, "missing in this row; copied from other rows with the same "+what)
		s.move(k, found[0])
		return
	case len(found) > 1:
		slices.SortFunc(found, func(a, b *Group[R]) int { return a.First().Compare(b.First()) })
		nameOf := func(f *Group[R]) string {
			return "one by " + dataset.Quoted(f.Maker.Name) + " in " + f.First().Place(1).String()
		}
		problem = "missing manufacturer in this row, and several products have the " + what + " " +
			dataset.Quoted(k.Text) + ": " + dataset.Listed(found, len(found), nameOf)
	case byDefault != nil:
		s.move(k, s.group(Key{byDefault, k.By, k.Text}))
		return
	case s.o.Partial:
		return
	}
	delete(s.groups, k)
	for _, r := range g.Rows {
		reject(r, problem)
	}
}

// candidates maps the key of each group that join reads to the products whose rows have the article number or
// the name, and the manufacturer if the key contains one.
func (s *Set[R]) candidates() map[Key][]*Group[R] {
	found := map[Key][]*Group[R]{}
	for k, g := range s.groups {
		if k.By == columns.Label || k.By == columns.Article && (k.Maker == nil || !g.named) {
			found[k] = nil
		}
	}
	for _, g := range s.groups {
		if len(found) == 0 || s.o.Partial {
			break
		}
		add := func(by columns.Field, text string) {
			for _, k := range []Key{{nil, by, text}, {g.Maker, by, text}} {
				if of, ok := found[k]; ok && g.Maker != nil && (len(of) == 0 || of[len(of)-1] != g) {
					found[k] = append(of, g)
				}
			}
		}
		add(g.Key.By, g.Key.Text)
		for _, r := range g.Rows {
			for _, f := range []columns.Field{columns.Article, columns.Label} {
				if text := r.Text(f); text != "" {
					add(f, text)
				}
			}
		}
	}
	return found
}

// move moves the rows of a key to another product.
func (s *Set[R]) move(k Key, to *Group[R]) {
	to.add(s.groups[k].Rows...)
	delete(s.groups, k)
}
