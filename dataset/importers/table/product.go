package table

import (
	"cmp"
	"crypto/sha1"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"

	"sabine/dataset"
)

// products gathers readings by the product that they are of.
type products struct {
	o      *Options
	warn   func(dataset.Fault)
	words  *words
	makers map[string]*maker // by slug
	spelt  map[spelling]*maker
	byKey  map[productKey]*gathered
	all    []*gathered // of byKey, in the order in which they came
	notes  notes

	subjects map[subjectKey]*subject
	topics   map[subjectKey]*topic
	room     []cell // in which those of a row are gathered
	last     []cell // of the row before: most rows of a table speak of the same
	taken    int    // rows

	// What is kept.

	homeless []dataset.Fault // of rows that are of no product
}

func newProducts(o *Options, c *dataset.Conversion) *products {
	return &products{
		o: o, warn: c.Warn, words: newWords(c.Vocabulary), notes: notes{},
		makers: map[string]*maker{}, spelt: map[spelling]*maker{}, byKey: map[productKey]*gathered{},
		subjects: map[subjectKey]*subject{}, topics: map[subjectKey]*topic{},
	}
}

// A productKey is what the rows of one product have in common: an id, else an article number or a name and who makes it.
type productKey struct {
	maker *maker // nil with an id
	by    Field  // FieldID, FieldArticle or FieldLabel
	text  string
}

// A spelling is what a row says of a manufacturer.
type spelling struct{ name, slug string }

// A maker is a manufacturer: all spellings of one slug.
type maker struct {
	slug      string
	spellings map[string]int // and how many rows have them
	best      string         // of them, once name was asked for
	place     dataset.Place  // of the first row that has one
}

// name returns the most frequent spelling, of several the least in bytes. It is asked for when all rows are there.
func (m *maker) name() string {
	if m.best == "" {
		m.best = mostFrequent(m.spellings, strings.Compare)
	}
	return m.best
}

// mostFrequent returns the text that was counted most, of several the first in an order.
func mostFrequent(counts map[string]int, order func(a, b string) int) string {
	best := ""
	for text, n := range counts {
		if m := counts[best]; m == 0 || n > m || n == m && order(text, best) < 0 {
			best = text
		}
	}
	return best
}

// makerOf returns the manufacturer of a name, and of a slug where it has one of its own; nil without a name.
func (p *products) makerOf(name, slug string, place func() dataset.Place) *maker {
	if name == "" {
		return nil
	}
	m := p.spelt[spelling{name, slug}]
	if m == nil {
		bySlug := cmp.Or(slug, dataset.SlugOf(name))
		if m = p.makers[bySlug]; m == nil {
			m = &maker{slug: bySlug, spellings: map[string]int{}, place: place()}
			p.makers[bySlug] = m
		}
		p.spelt[spelling{name, slug}] = m
	}
	m.spellings[name]++
	return m
}

// nameFields are those that can name a product, the best first.
var nameFields = []Field{FieldLabel, FieldMaterial, FieldCommercialName, FieldDescription}

// keyOf returns which product a row is of, or why that is not known.
func (p *products) keyOf(r *reading, m *maker) (key productKey, problem string) {
	if id := r.text(FieldID); id != "" {
		return productKey{nil, FieldID, strings.ToLower(id)}, ""
	}
	if m == nil {
		m = p.makerOf(cmp.Or(r.table.manufacturer, p.o.Manufacturer), "", r.place)
	}
	key = productKey{m, FieldArticle, r.text(FieldArticle)}
	for _, f := range nameFields {
		if key.text == "" {
			key.by, key.text = FieldLabel, r.text(f)
		}
	}
	switch {
	case key.text == "":
		return key, "no product in this row: expected a name, an article number or an id"
	case m == nil:
		return key, "no manufacturer in this row" + makerExpected
	}
	return key, ""
}

const makerExpected = ": expected a column such as Hersteller or manufacturer, --manufacturer of sabine import, or a manufacturer in the map"

// gathered is the rows of one product.
type gathered struct {
	key  productKey
	rows []row
	room [1]row // for rows: most products have one

	overfull bool // there are more than maxRows
}

// add takes the reading of a row.
func (p *products) add(r *reading) {
	m := p.makerOf(r.text(FieldManufacturer), r.text(FieldManufacturerSlug), r.place)
	key, problem := p.keyOf(r, m)
	if problem != "" {
		p.homeless = append(append(p.homeless, dataset.Fault{Place: r.place(), Problem: problem}), r.faults...)
		for _, w := range r.warnings {
			p.warn(w)
		}
		return
	}
	g := p.byKey[key]
	if g == nil {
		g = &gathered{key: key}
		g.rows = g.room[:0]
		p.byKey[key], p.all = g, append(p.all, g)
	}
	switch {
	case len(g.rows) < maxRows:
		g.rows = append(g.rows, p.keep(r, m))
	case !g.overfull:
		g.overfull = true
		last := &g.rows[len(g.rows)-1]
		last.faults = append(last.faults, dataset.Fault{Place: r.place(), Problem: "more than " + strconv.Itoa(maxRows) + " rows of one product"})
	}
}

// maxRows is how many rows of one product are kept. A record of 1,500 entries that has a row for each band has 36,000.
const maxRows = 1 << 16

// ProductSpace is the namespace of the ids of products, as UUIDv5 of manufacturer and name. It never changes, or what is imported again would
// give new products.
var ProductSpace = uuid.MustParse("a2c3d1de-0b57-5f0e-8f6c-51d7a86e3b94")

// id returns the id of a product: that which was given, else the UUIDv5 of its maker's name and its own.
func (k *productKey) id() string {
	if k.by == FieldID {
		return k.text
	}
	separator := "\x00"
	if k.by == FieldArticle {
		separator = "\x00\x00"
	}
	of := append(append(append(append(make([]byte, 0, 256), ProductSpace[:]...), k.maker.name()...), separator...), k.text...)
	sum := sha1.Sum(of)
	id := uuid.UUID(sum[:16])
	id[6], id[8] = id[6]&0x0F|0x50, id[8]&0x3F|0x80
	return id.String()
}

// yield yields the records in the order of their ids.
func (p *products) yield(yield func(dataset.Raw, *dataset.Fault) bool) error {
	type product struct {
		id string
		*gathered
	}
	all := make([]product, len(p.all))
	for i, g := range p.all {
		all[i] = product{g.key.id(), g}
	}
	p.byKey, p.all = nil, nil
	slices.SortFunc(all, func(a, b product) int {
		if c := strings.Compare(a.id, b.id); c != 0 {
			return c
		}
		return strings.Compare(string(a.key.by), string(b.key.by))
	})
	u := union{products: p}
	for i, g := range all {
		raw := u.record(g.id, g.gathered)
		all[i] = product{}
		if u.maker == nil { // without one it is no record
			p.homeless = append(p.homeless, raw.Faults...)
			continue
		}
		if !yield(raw, nil) {
			return nil
		}
	}
	for i := range p.homeless {
		if !yield(dataset.Raw{}, &p.homeless[i]) {
			return nil
		}
	}
	p.tell()
	return nil
}

// tell warns of what was noted of several products, and of the spellings of manufacturers.
func (p *products) tell() {
	for _, m := range p.makers {
		if name := m.name(); len(m.spellings) > 1 {
			others := slices.DeleteFunc(slices.Sorted(maps.Keys(m.spellings)), func(s string) bool { return s == name })
			p.notes.add("manufacturer", "one manufacturer as "+dataset.Quoted(name)+", also spelt "+quotedList(others), "", m.place)
		}
	}
	p.notes.tell(p.warn)
}
