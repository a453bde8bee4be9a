package products

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
)

// Space is the namespace of the ids of products, as UUIDv5 of manufacturer and name. It never changes: what
// is imported again would give new products.
var Space = uuid.MustParse("a2c3d1de-0b57-5f0e-8f6c-51d7a86e3b94")

// A key is what the rows of one product have in common: an id, else an article number or a name, with the
// manufacturer.
type key struct {
	maker *maker        // nil with an id, and where rows name none
	by    columns.Field // ID, Article or Label
	text  string
}

// compare orders keys, which are of one manufacturer or of several.
func (k key) compare(l key) int {
	c := cmp.Or(cmp.Compare(k.by, l.by), strings.Compare(k.text, l.text))
	if c == 0 && k.maker != nil && l.maker != nil {
		c = strings.Compare(k.maker.slug, l.maker.slug)
	}
	return c
}

// id returns the id of a product: that of the rows, else the UUIDv5 of the manufacturer's name and its own;
// uuid.Nil for an id that is no UUID, and without a manufacturer.
func (k *key) id() (id uuid.UUID) {
	switch {
	case k.by == columns.ID && len(k.text) == len(uuid.Nil.String()):
		id, _ = uuid.Parse(k.text) // uuid.Nil with an error
	case k.maker != nil && k.by == columns.Article:
		id = uuid.NewSHA1(Space, []byte(k.maker.name+"\x00\x00"+k.text))
	case k.maker != nil:
		id = uuid.NewSHA1(Space, []byte(k.maker.name+"\x00"+k.text))
	}
	return id
}

// named returns what rows name the product by.
func (g *group) named() (named dataset.Key) {
	switch g.key.by {
	case columns.ID:
		named.ID = g.key.text
	case columns.Article:
		named.Article = g.key.text
	default:
		named.Name = g.key.text
	}
	if g.maker != nil {
		named.Manufacturer = g.maker.name
	}
	return named
}

// A group is the rows of one product.
type group struct {
	key   key
	maker *maker // of the product, with an id the least that its rows name; nil where nothing names one
	rows  []row  // maxRows at most, and the next one for the fault that there are more
}

// maxRows is how many rows of one product are kept. A record of 1,500 entries that has a row for each band
// has 36,000.
const maxRows = 1 << 16

func (g *group) add(rows ...row) {
	g.rows = append(g.rows, rows[:min(len(rows), maxRows+1-len(g.rows))]...)
}

// group returns the rows of a key.
func (s *Set) group(k key) *group {
	g := s.groups[k]
	if g == nil {
		k.text = strings.Clone(k.text) // a part of a row's text
		g = &group{key: k, maker: k.maker}
		s.groups[k] = g
	}
	return g
}

// A maker is a manufacturer: all spellings of one slug.
type maker struct {
	slug   string
	counts map[string]int // of rows with each spelling
	first  origin         // the first row that has one
	name   string         // the most frequent spelling, once all rows are there
}

// makers are the manufacturers of all rows, by slug, and by the name and the slug that rows have.
type makers struct {
	bySlug map[string]*maker
	byName map[[2]string]*maker
}

// of returns the manufacturer of a name, and of a slug where rows have one, and counts the rows; nil without
// a name.
func (m makers) of(name, slug string, from origin, rows int) *maker {
	if name == "" {
		return nil
	}
	of := m.byName[[2]string{name, slug}]
	if of == nil {
		bySlug := cmp.Or(slug, dataset.SlugOf(name))
		if of = m.bySlug[bySlug]; of == nil {
			of = &maker{slug: bySlug, counts: map[string]int{}, first: from, name: name}
			m.bySlug[bySlug] = of
		}
		m.byName[[2]string{name, slug}] = of
	}
	if of.counts[name] += rows; from.compare(of.first) < 0 {
		of.first = from
	}
	return of
}

// name names the manufacturers, and notes those that have several spellings.
func (m makers) name(notes dataset.Notes) {
	for _, of := range m.bySlug {
		var others []string
		if of.name, others = mostFrequent(of.counts, strings.Compare); len(others) > 0 {
			spellings := dataset.Listed(others, len(others), dataset.Quoted)
			problem := "one manufacturer as " + dataset.Quoted(of.name) + ", also spelt " + spellings
			notes.Add(dataset.Note{Path: "manufacturer", Problem: problem}, of.first.place(1))
		}
	}
}

// mostFrequent returns the text that was counted most, of several the first in an order, and the others,
// ascending in bytes.
func mostFrequent(counts map[string]int, order func(a, b string) int) (most string, others []string) {
	others = slices.Sorted(maps.Keys(counts))
	most = slices.MinFunc(others, func(a, b string) int {
		return cmp.Or(cmp.Compare(counts[b], counts[a]), order(a, b))
	})
	return most, slices.DeleteFunc(others, func(text string) bool { return text == most })
}

// nameFields are those that can name a product, the best first.
var nameFields = []columns.Field{columns.Label, columns.Material, columns.CommercialName, columns.Description}

// keyOf returns the product that a row is of, whose text is "" where the row names none. Where neither row nor map nor
// title name a manufacturer, other rows may, see join.
func (s *Set) keyOf(r *cells.Row, named *maker) key {
	id, article, name := r.Text(columns.ID), r.Text(columns.Article), ""
	for _, f := range nameFields {
		name = cmp.Or(name, r.Text(f))
	}
	if named == nil {
		rows, from, byDefault := 1, origin{r.Table, r.Number, r.Line}, s.manufacturerOf(r.Table)
		if id != "" {
			rows = 0
		}
		of, isOfTitle := s.makers.of(byDefault, "", from, rows), byDefault != "" && byDefault == r.Table.Company
		if isOfTitle && s.o.Manufacturer == "" {
			problem := "no row names one: read from the title: " + dataset.Quoted(byDefault)
			s.notes.Add(dataset.Note{Path: "manufacturer", Problem: problem, Unit: "row"}, from.place(1))
		}
		if name != "" && (isOfTitle || article != "") || r.Table.Map != nil && r.Table.Map.Manufacturer != "" {
			named = of
		}
	}
	switch {
	case id != "":
		return key{nil, columns.ID, strings.ToLower(id)}
	case article != "":
		return key{named, columns.Article, article}
	}
	return key{named, columns.Label, name}
}

// manufacturerOf returns the manufacturer of rows that name none.
func (s *Set) manufacturerOf(t *layout.Table) string {
	if t.Map != nil && t.Map.Manufacturer != "" {
		return t.Map.Manufacturer
	}
	return cmp.Or(s.o.Manufacturer, t.Company)
}

// companyOf returns the only company that the sheets of the file of a group name, if its table has no column of
// manufacturers.
func (s *Set) companyOf(g *group) string {
	t := g.first().table
	if t.Has(columns.Manufacturer) || s.companies[t.Input] == "" {
		return ""
	}
	s.noteRows(g, "no row names one: read from another sheet: "+dataset.Quoted(s.companies[t.Input]))
	return s.companies[t.Input]
}

// noteRows notes where the manufacturer of the rows of a group is from.
func (s *Set) noteRows(g *group, problem string) {
	for _, r := range g.rows {
		s.notes.Add(dataset.Note{Path: "manufacturer", Problem: problem, Unit: "row"}, r.place(1))
	}
}

// join adds rows that do not name their product whole to the product that other rows have under the same
// article number or name, so that master data and values in two tables are one product: first the rows with
// an article number and no name to the product with an id, then the rows with a name alone to the product
// with an id or an article number, then the rows without a manufacturer.
func (s *Set) join() {
	for k, g := range s.groups {
		if k.by == columns.ID && g.maker == nil {
			g.maker = s.makers.of(s.manufacturerOf(g.first().table), "", g.first(), 0)
		}
	}
	asProduct := dataset.Note{Path: "label", Unit: "product",
		Problem: "no article number in this row: read as the product with this name"}
	found := s.find()
	keys := slices.SortedFunc(maps.Keys(found), key.compare)
	better := func(k key) []*group {
		return slices.DeleteFunc(found[k], func(g *group) bool {
			isSame := g.key.by == k.by || g.key.by == columns.Label
			return s.groups[g.key] != g || k.maker != nil && isSame // it has been joined, or is no better
		})
	}
	for _, k := range keys {
		if k.maker == nil {
			continue
		}
		if to := better(k); len(to) == 1 {
			if k.by == columns.Label {
				s.notes.Add(asProduct, s.groups[k].first().place(1))
			}
			s.move(k, to[0])
		}
	}
	for _, k := range keys {
		if k.maker == nil {
			s.joinUnnamed(s.groups[k], better(k))
		}
	}
}

const makerExpected = ": expected a column such as Hersteller or manufacturer, --manufacturer of " +
	"sabine import, or a manufacturer in the map"

// joinUnnamed finds the product of rows without a manufacturer among those with their article number or name.
func (s *Set) joinUnnamed(g *group, found []*group) {
	k, what := g.key, strings.ReplaceAll(string(g.key.by), "_", " ")
	name := s.manufacturerOf(g.first().table)
	if name == "" && len(found) == 0 {
		name = s.companyOf(g)
	}
	byDefault := s.makers.of(name, "", g.first(), 0)
	if slices.ContainsFunc(found, func(f *group) bool { return f.maker == byDefault }) {
		found = slices.DeleteFunc(found, func(f *group) bool { return f.maker != byDefault })
	}
	isOfOther := func(f *group) bool { return f.maker != found[0].maker }
	isExact := func(f *group) bool { return f.key.by == k.by && f.key.text == k.text }
	if i := slices.IndexFunc(found, isExact); i >= 0 && !slices.ContainsFunc(found, isOfOther) {
		found = found[i : i+1]
	}
	problem := "no manufacturer in this row" + makerExpected
	switch {
	case len(found) == 1:
		s.noteRows(g, "none in this row: taken from the other rows with its "+what)
		s.move(k, found[0])
		return
	case len(found) > 1:
		slices.SortFunc(found, func(a, b *group) int { return a.first().compare(b.first()) })
		nameOf := func(f *group) string {
			return "one of " + dataset.Quoted(f.maker.name) + " in " + f.first().place(1).String()
		}
		problem = "no manufacturer in this row, and several products have the " + what + " " +
			dataset.Quoted(k.text) + ": " + dataset.Listed(found, len(found), nameOf)
	case byDefault != nil:
		s.move(k, s.group(key{byDefault, k.by, k.text}))
		return
	case s.o.Partial:
		return
	}
	delete(s.groups, k)
	for _, r := range g.rows {
		s.leave(r.origin, problem, r.found)
	}
}

// find returns the keys of the groups that join looks at, each with the products whose rows have the article
// number or the name: of the manufacturer of the key, where it has one.
func (s *Set) find() map[key][]*group {
	found := map[key][]*group{}
	for k, g := range s.groups {
		if k.by == columns.Label || k.by == columns.Article && (k.maker == nil || !g.has(nameFields...)) {
			found[k] = nil
		}
	}
	for _, g := range s.groups {
		if len(found) == 0 || s.o.Partial {
			break
		}
		add := func(by columns.Field, text string) {
			for _, k := range []key{{nil, by, text}, {g.maker, by, text}} {
				if of, ok := found[k]; ok && g.maker != nil && (len(of) == 0 || of[len(of)-1] != g) {
					found[k] = append(of, g)
				}
			}
		}
		add(g.key.by, g.key.text)
		for i := range g.rows {
			for _, c := range g.rows[i].cells {
				if f := c.column.field; f == columns.Article || f == columns.Label {
					add(f, c.text)
				}
			}
		}
	}
	return found
}

// has reports whether a row has a cell of one of some fields.
func (g *group) has(fields ...columns.Field) bool {
	for i := range g.rows {
		isOne := func(c cell) bool { return slices.Contains(fields, c.column.field) }
		if slices.ContainsFunc(g.rows[i].cells, isOne) {
			return true
		}
	}
	return false
}

// first returns the first row.
func (g *group) first() origin {
	return slices.MinFunc(g.rows, func(a, b row) int { return a.compare(b.origin) }).origin
}

// move moves the rows of a key to another product.
func (s *Set) move(k key, to *group) {
	to.add(s.groups[k].rows...)
	delete(s.groups, k)
}
