package identity

import (
	"cmp"
	"slices"
	"strings"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
)

// Space is the namespace of the UUIDv5 ids of products, from manufacturer and name. It must never change,
// because repeated imports would create new products.
var Space = uuid.MustParse("a2c3d1de-0b57-5f0e-8f6c-51d7a86e3b94")

// NameFields are the fields that can name a product, best first.
var NameFields = []columns.Field{columns.Label, columns.Material, columns.CommercialName, columns.Description}

// A Key identifies the product of a row: by an id, or by an article number or a name with the manufacturer.
type Key struct {
	Maker *Maker        // nil if By is ID or the rows contain none
	By    columns.Field // ID, Article or Label
	Text  string        // "" for a row that identifies no product
}

// compare orders keys.
func (k Key) compare(l Key) int {
	c := cmp.Or(cmp.Compare(k.By, l.By), strings.Compare(k.Text, l.Text))
	if c == 0 && k.Maker != nil && l.Maker != nil {
		c = strings.Compare(k.Maker.slug, l.Maker.slug)
	}
	return c
}

// id returns the id of a product: the id in its rows, or the UUIDv5 of manufacturer and name. It returns
// uuid.Nil for an invalid UUID, and if there is no manufacturer.
func (k *Key) id() (id uuid.UUID) {
	switch {
	case k.By == columns.ID && len(k.Text) == len(uuid.Nil.String()):
		id, _ = uuid.Parse(k.Text) // uuid.Nil after an error
	case k.Maker != nil && k.By == columns.Article:
		id = uuid.NewSHA1(Space, []byte(k.Maker.Name+"\x00\x00"+k.Text))
	case k.Maker != nil:
		id = uuid.NewSHA1(Space, []byte(k.Maker.Name+"\x00"+k.Text))
	}
	return id
}

// An Origin is the position of a row.
type Origin struct {
	Table        *layout.Table
	Number, Line int // numbers for Table.Place
}

// OriginOf returns the origin of a row.
func OriginOf(r *cells.Row) Origin { return Origin{r.Table, r.Number, r.Line} }

// Place returns the place of a cell by its 1-based number; 0 means the first cell.
func (o Origin) Place(cell int) dataset.Place { return o.Table.Place(o.Number, o.Line, max(cell, 1)) }

// Compare orders rows by file, sheet and number.
func (o Origin) Compare(p Origin) int {
	if o.Table != p.Table {
		c := cmp.Or(dataset.Natural(o.Table.Input, p.Table.Input), dataset.Natural(o.Table.Sheet, p.Table.Sheet))
		if c != 0 {
			return c
		}
	}
	return cmp.Compare(o.Number, p.Number)
}

// A Row is the data of a row that is retained until all rows are read.
type Row interface {
	From() Origin
	Text(f columns.Field) string // text of a field, or ""
}

// A Group contains the rows of one product.
type Group[R Row] struct {
	Key   Key
	Maker *Maker // manufacturer; with an id, the smallest slug in the rows; nil if unknown
	Rows  []R    // at most MaxRows, or MaxRows+1 if there are too many
	one   [1]R   // memory of Rows while there is one row, as in most products
	named bool   // whether a row has a string that can name the product
}

// MaxRows is the maximum number of rows of a product. A record of 1,500 entries with a row for each band
// needs 36,000 rows.
const MaxRows = 1 << 16

func (g *Group[R]) add(rows ...R) {
	g.Rows = append(g.Rows, rows[:min(len(rows), MaxRows+1-len(g.Rows))]...)
}

// First returns the origin of the first row in the order of Origin.Compare.
func (g *Group[R]) First() Origin {
	return slices.MinFunc(g.Rows, func(a, b R) int { return a.From().Compare(b.From()) }).From()
}

// Named returns the reference to the product that its rows contain.
func (g *Group[R]) Named() (named dataset.Key) {
	switch g.Key.By {
	case columns.ID:
		named.ID = g.Key.Text
	case columns.Article:
		named.Article = g.Key.Text
	default:
		named.Name = g.Key.Text
	}
	if g.Maker != nil {
		named.Manufacturer = g.Maker.Name
	}
	return named
}
