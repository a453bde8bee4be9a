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

// A CellKind identifies the field of a Cell that contains the value.
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

// A Column is a column of a table. A frequency map is one Column that a CSV file prints as a column per band.
type Column struct {
	Name    string
	BandsHz []int // the bands of a frequency map; otherwise nil
}

// A Value is the value of a product or an entry in a Column.
type Value struct {
	Cell  Cell            // empty in the column of a frequency map
	Curve acoustics.Curve // nil in any other column
}

// extraColumns are the columns of values that are inside other members of a record.
var extraColumns = members[Product]{
	extra("label_en", 40, func(p *Product) Cell { return translated(p.Label) }),
	extra("manufacturer_slug", 70, func(p *Product) Cell { return textCell(p.Manufacturer.Slug) }),
	extra("manufacturer_id", 80, func(p *Product) Cell { return identifier.cell(p.Manufacturer.ID) }),
	extra("description_en", 100, func(p *Product) Cell { return translated(p.Description) }),
}

func extra(name string, column int, cell func(p *Product) Cell) member[Product] {
	return member[Product]{Name: name, column: column, cell: cell}
}

// translated returns the English text, or an empty cell when it is the same as the German text.
func translated(t Text) Cell {
	if english := t.In(English); english != t.In(German) {
		return textCell(english)
	}
	return Cell{}
}

var productTable = append(fieldsWith(func(*field) bool { return true }), extraColumns...).columns()

// columns returns the members that have a column, sorted by column.
func (all members[T]) columns() members[T] {
	sorted := slices.DeleteFunc(slices.Clone(all), func(m member[T]) bool { return m.column == 0 })
	slices.SortFunc(sorted, func(a, b member[T]) int { return cmp.Compare(a.column, b.column) })
	return sorted
}

// eachColumn calls visit for each column with its sort key.
func (all members[T]) eachColumn(visit func(key int, c Column)) {
	for i := range all {
		visit(all[i].column, Column{all[i].Name, all[i].bandsHz})
	}
}

// ProductColumns are the columns of a product. Frequency maps come last.
var ProductColumns = func() (columns []Column) {
	productTable.eachColumn(func(_ int, c Column) { columns = append(columns, c) })
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

// Facts returns the strings, numbers and lists of the MaterialDetail as text, in column order with the lists
// last. It omits null values, empty lists, measurements and geometry.
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

// An EntryRow is the row of a measurement in a table.
type EntryRow struct {
	Norm   string  // name of the standard
	Number int     // number of the entry in its array, from 1
	Values []Value // in the order of EntryColumns; empty in the columns of other standards
}

// EntryColumns are the columns for measurements of all standards. Frequency maps come last. The prefix entry_
// marks names that are also in ProductColumns.
var EntryColumns = entryColumns

// entryKeys are the sort keys of entryColumns, in ascending order.
var entryKeys, entryColumns = func() (keys []int, columns []Column) {
	add := func(key int, c Column) {
		at, found := slices.BinarySearch(keys, key)
		if !found {
			if slices.ContainsFunc(ProductColumns, func(p Column) bool { return p.Name == c.Name }) {
				c.Name = "entry_" + c.Name
			}
			keys, columns = slices.Insert(keys, at, key), slices.Insert(columns, at, c)
		}
	}
	absorptionMembers.eachColumn(add)
	scatterMembers.eachColumn(add)
	diffusionMembers.eachColumn(add)
	return keys, columns
}()

// Clear empties the row and returns it.
func (r *EntryRow) Clear() *EntryRow {
	*r = EntryRow{Values: append(r.Values[:0], noValues...)}
	return r
}

var noValues = make([]Value, len(EntryColumns))

// EntryRows yields a row for each measurement of a product, array by array. It reuses the given row.
func (p *Product) EntryRows(row *EntryRow) iter.Seq[*EntryRow] {
	return func(yield func(*EntryRow) bool) {
		_ = yieldRows(row, ISO354, absorptionMembers, p.Measurements.Absorption, yield) &&
			yieldRows(row, ISO174971, scatterMembers, p.Measurements.Scatter, yield) &&
			yieldRows(row, ISO174972, diffusionMembers, p.Measurements.Diffusion, yield)
	}
}

func yieldRows[E any](row *EntryRow, s Standard, all members[E], list []E, yield func(*EntryRow) bool) bool {
	for i := range list {
		row.Clear().Norm, row.Number = s.Norm, i+1
		for k := range all {
			at, _ := slices.BinarySearch(entryKeys, all[k].column)
			row.Values[at] = all[k].value(&list[i])
		}
		if !yield(row) {
			return false
		}
	}
	return true
}
