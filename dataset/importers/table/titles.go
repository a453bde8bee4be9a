package table

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sabine/dataset/importers/workbook"
)

// A said is what lines above a table, or between its rows, say of the rows below: it is read as one more cell of each.
type said struct {
	column Column
	values []saidValue // in the order of the rows
}

// A saidValue is what one line says.
type saidValue struct {
	from int // the row from which on it is said
	cell workbook.Cell
	row  workbook.Row // where it stands in the sheet, by number and line
	at   int          // 1-based
}

// in returns what is said of a row.
func (s *said) in(row int) *saidValue {
	for i := len(s.values) - 1; i > 0; i-- {
		if s.values[i].from <= row {
			return &s.values[i]
		}
	}
	return &s.values[0]
}

// A preface is what the lines above a table say.
type preface struct {
	said       []said
	quantity   Quantity
	resolution Resolution
	other      string   // the line that says that the numbers are none of our coefficients, if any
	percent    bool     // coefficients are said to be percentages
	unused     []string // what says nothing, each with its cell
}

// inPercent matches a line that says that the coefficients below are percentages.
var inPercent = regexp.MustCompile(`(?i)\bin ?%|\[%\]|\(%\)|\bin prozent\b|\bin per ?cent\b|\bpercentages?\b`)

// readLine reads a line above a table: names of fields with their values, in one cell ("Hersteller: Acme") or in two, and quantities.
func (p *preface) readLine(g *grid, row int) {
	cells := g.rows[row].Cells
	for c := 0; c < len(cells); c++ {
		text := inOneLine(cells[c].Text)
		if text == "" {
			continue
		}
		if column, value, ok := keyAndValue(text); ok {
			p.say(column, g.saidValue(row, c, value))
			continue
		}
		if column := columnOf(strings.TrimRight(text, ": ")); isSayable(&column) {
			next := c + 1
			for next < len(cells) && strings.TrimSpace(cells[next].Text) == "" {
				next++
			}
			if next < len(cells) && (strings.HasSuffix(text, ":") || g.look(row, next) != isField && !isOther(cells[next].Text)) {
				said := g.saidValue(row, next, "")
				said.cell = cells[next]
				p.say(column, said)
				c = next
				continue
			}
		}
		quantity, resolution := quantityOf(text)
		if isOther(text) {
			quantity, p.other = "", cmp.Or(p.other, text)
		}
		if quantity == "" {
			p.unused = append(p.unused, g.named(row, c))
			continue
		}
		p.quantity, p.resolution, p.percent = quantity, resolution, inPercent.MatchString(text)
	}
}

// isSayable reports whether a line above a table can say what a column of it would.
func isSayable(c *Column) bool {
	return c.Field != FieldNone && c.BandHz == 0 &&
		!slices.Contains([]Field{FieldFrequency, FieldCoefficient, FieldQuantity, FieldMeta, FieldEmpty, FieldEntryNumber}, c.Field)
}

// say takes a value of a field. Above a table the last one counts.
func (p *preface) say(c Column, value saidValue) {
	p.said = slices.DeleteFunc(p.said, func(s said) bool { return s.column.Field == c.Field })
	p.said = append(p.said, said{c, []saidValue{value}})
}

// saidValue returns a text that a cell of the grid says of all rows.
func (g *grid) saidValue(row, column int, text string) saidValue {
	at, c := g.at(row, column)
	return saidValue{cell: workbook.Cell{Text: text}, row: workbook.Row{Number: at.Number, Line: at.Line}, at: c + 1}
}

// named names a cell and its text, for what is used for nothing.
func (g *grid) named(row, column int) string {
	at, c := g.at(row, column)
	return namedCell(at.Number, c+1, g.rows[row].Cells[column].Text)
}

// keyAndValue returns what a line says in one cell, "Hersteller: Acme".
func keyAndValue(text string) (c Column, value string, ok bool) {
	key, value, ok := strings.Cut(inOneLine(text), ":")
	if value = strings.TrimSpace(value); !ok || value == "" {
		return c, "", false
	}
	c = columnOf(key)
	return c, value, isSayable(&c)
}
