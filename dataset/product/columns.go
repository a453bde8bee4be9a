package product

import (
	"cmp"
	"iter"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset/acoustics"
)

// A Cell is a value in a table.
type Cell struct {
	Kind   CellKind
	Text   string
	Number float64
	List   []string
}

// A CellKind says which field of a Cell holds its value.
type CellKind uint8

// The kinds of cells.
const (
	EmptyCell CellKind = iota // null
	TextCell
	NumberCell
	ListCell
	JSONCell // JSON, in Text
)

func textCell(text string) Cell { return Cell{Kind: TextCell, Text: text} }

func numberCell(n float64) Cell { return Cell{Kind: NumberCell, Number: n} }

// A Column is a column of a table, or of a frequency map one for each of its bands.
type Column struct {
	Name    string
	BandsHz []int // of a frequency map; else nil
}

// A Value is what a product, or an entry, has in a Column.
type Value struct {
	Cell  Cell
	Curve acoustics.Curve
}

// extraColumns are the columns of values that stand in no member of their own.
var extraColumns = members[Product]{
	extra("label_en", 40, func(p *Product) Cell { return translated(p.Label) }),
	extra("manufacturer_slug", 70, func(p *Product) Cell { return textCell(p.Manufacturer.Slug) }),
	extra("manufacturer_id", 80, func(p *Product) Cell { return identifier.cell(p.Manufacturer.ID) }),
	extra("description_en", 100, func(p *Product) Cell { return translated(p.Description) }),
}

func extra(name string, column int, cell func(p *Product) Cell) member[Product] {
	return member[Product]{Name: name, column: column, cell: cell}
}

// translated returns the English text, an empty cell when that is the German one.
func translated(t Text) Cell {
	if english := t.In(English); english != t.In(German) {
		return textCell(english)
	}
	return Cell{}
}

var productTable = append(fieldsWith(func(*field) bool { return true }), extraColumns...).columns()

// columns returns the members that have a column, in the order of the columns.
func (all members[T]) columns() members[T] {
	with := slices.DeleteFunc(slices.Clone(all), func(m member[T]) bool { return m.column == 0 })
	slices.SortFunc(with, func(a, b member[T]) int { return cmp.Compare(a.column, b.column) })
	return with
}

// each calls add with each column and its place.
func (all members[T]) each(add func(place int, c Column)) {
	for i := range all {
		add(all[i].column, Column{all[i].Name, all[i].bandsHz})
	}
}

// ProductColumns are the columns of a product, those of frequency maps last.
var ProductColumns = func() (columns []Column) {
	productTable.each(func(_ int, c Column) { columns = append(columns, c) })
	return columns
}()

// Values appends the values of a product, in the order of ProductColumns.
func (p *Product) Values(dst []Value) []Value { return productTable.values(dst, p) }

func (all members[T]) values(dst []Value, of *T) []Value {
	for i := range all {
		dst = append(dst, all[i].value(of))
	}
	return dst
}

func (m *member[T]) value(of *T) Value {
	if m.curve != nil {
		return Value{Curve: *m.curve(of)}
	}
	return Value{Cell: m.cell(of)}
}

// A Fact is a value as text.
type Fact struct{ Name, Text string }

var detailTable = fieldsWith(func(f *field) bool { return f.part < inGeometry }).columns()

// Facts returns the texts, numbers and lists that the MaterialDetail shows of a product itself, in the order
// of the columns, the lists last. Null values and empty lists are left out.
func (p *Product) Facts() []Fact {
	var facts, lists []Fact
	for i := range detailTable {
		m := &detailTable[i]
		switch c := m.value(p).Cell; {
		case c.Kind == TextCell:
			facts = append(facts, Fact{m.Name, c.Text})
		case c.Kind == NumberCell:
			facts = append(facts, Fact{m.Name, strconv.FormatFloat(c.Number, 'f', -1, 64)})
		case len(c.List) > 0:
			lists = append(lists, Fact{m.Name, strings.Join(c.List, ", ")})
		}
	}
	return append(facts, lists...)
}

// An EntryRow is what a table has of a measurement.
type EntryRow struct {
	Norm   string // the name of the standard that its array is for
	Number int    // in its array, from 1
	Values []Value
}

// EntryColumns are the columns of a measurement, whatever its standard, those of frequency maps last. Columns
// that a product has too begin with entry_.
var EntryColumns = entryColumns

// entryPlaces are the places of the columns.
var entryPlaces, entryColumns = func() (places []int, columns []Column) {
	add := func(place int, c Column) {
		at, known := slices.BinarySearch(places, place)
		if !known {
			if slices.ContainsFunc(ProductColumns, func(of Column) bool { return of.Name == c.Name }) {
				c.Name = "entry_" + c.Name
			}
			places, columns = slices.Insert(places, at, place), slices.Insert(columns, at, c)
		}
	}
	absorptionMembers.each(add)
	scatterMembers.each(add)
	diffusionMembers.each(add)
	return places, columns
}()

// Cleared returns the row as that of no measurement.
func (r *EntryRow) Cleared() *EntryRow {
	*r = EntryRow{Values: append(r.Values[:0], noValues...)}
	return r
}

var noValues = make([]Value, len(EntryColumns))

// EntryRows yields the measurements of a product, array by array, each as the row, whose memory they take.
func (p *Product) EntryRows(row *EntryRow) iter.Seq[*EntryRow] {
	return func(yield func(*EntryRow) bool) {
		_ = yieldRows(row, ISO354, absorptionMembers, p.Measurements.Absorption, yield) &&
			yieldRows(row, ISO174971, scatterMembers, p.Measurements.Scatter, yield) &&
			yieldRows(row, ISO174972, diffusionMembers, p.Measurements.Diffusion, yield)
	}
}

func yieldRows[E any](row *EntryRow, s Standard, all members[E], list []E, yield func(*EntryRow) bool) bool {
	for i := range list {
		row.Cleared().Norm, row.Number = s.Norm, i+1
		for k := range all {
			at, _ := slices.BinarySearch(entryPlaces, all[k].column)
			row.Values[at] = all[k].value(&list[i])
		}
		if !yield(row) {
			return false
		}
	}
	return true
}
