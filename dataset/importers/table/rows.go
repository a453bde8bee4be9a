package table

import (
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/workbook"
	"sabine/dataset/product"
)

// A tableReader reads the rows of one table to readings.
type tableReader struct {
	*importing
	*tableContext
	mapped  *MappedTable // nil: its columns are what their names say
	layout  Layout
	width   int             // columns that stand in the table; those of what lines say of it follow
	places  []dataset.Place // of the names of the former
	headers [][]string      // the rows that name them
	said    []said          // the cells of the latter
	merged  mergedCells
	setups  []setup // where the bands of several stand side by side

	products []int // the columns that say which product a row is of, and whose it is
	bands    []int // those of coefficients; of a long table also that of frequencies
	marks    int   // the column whose cell may mark its row as percentages, of a transposed table; -1 for none

	above   []workbook.Cell // of the row above, those of products
	cells   []workbook.Cell // of the row at hand
	surplus []surplusCell   // likewise: what stands behind the last column

	rows, continued int            // how many there are, and how many of them are of the product of the row above
	lastNote        int            // the number of the last row that is a note
	cut             *dataset.Fault // the last row lacks cells
	toldSurplus     bool           // once a table is enough

	account ToldTable
	used    []bool // by column: it has a value
	untold  int    // columns without an example
	titles  int    // of account.Unused, those above the table
	left    int    // rows that are used for nothing, of which maxLeft are named
}

// read reads a row below the header.
func (t *tableReader) read(row workbook.Row) {
	filled, texts, first := 0, 0, -1
	for i := range row.Cells {
		text := strings.TrimSpace(row.Cells[i].Text)
		if text == "" {
			continue
		}
		if filled++; first < 0 {
			first = i
		}
		if filled <= 2 && !isNumeric(text) {
			texts++
		}
	}
	note := filled == 1 && texts == 1 && row.Cells[first].Kind == workbook.Text
	lacks := len(row.Cells) < t.width && t.used[t.width-1] && (!note || t.lastNote == 0 || row.Number-t.lastNote > 1)
	switch {
	case filled == 0 || t.isHeader(row.Cells):
	case row.Cut && lacks:
		t.cut = cutFault(t.input, t.sheet, row, t.width)
	case note:
		t.lastNote = row.Number
		if !t.hear(row, first) {
			t.leave(row, first)
		}
	case t.rows == 0 && isNumbering(row.Cells):
		t.leave(row, first)
	case !t.isNamed(row.Cells, first) && isStatistic(row.Cells[first].Text):
		t.leave(row, first)
		t.warn(t.placeAt(row.Number, row.Line, first+1), "", "a row of "+dataset.Quoted(strings.TrimSpace(row.Cells[first].Text))+" is of no product, and is left out")
	default:
		t.fill(&row)
		if len(t.setups) == 0 {
			t.hand(row, 0)
		} else {
			t.eachSetup(row)
		}
	}
}

// hand reads a complete row to a reading, and hands it to the products. Of a row with several set-ups, used of which were read before, the
// first has what stands behind the columns.
func (t *tableReader) hand(row workbook.Row, used int) {
	if used > 0 {
		t.spendRow(row, 0, rowCells)
	}
	if t.tooMuch != nil {
		return
	}
	r := t.readRow(row)
	if r == nil {
		return
	}
	if used == 0 {
		t.rows++
		t.keepSurplus(r)
	}
	if t.Told != nil {
		t.tell(row, r)
	}
	t.importing.products.add(r)
}

// cutFault is the fault of a last row that lacks cells.
func cutFault(input, sheet string, row workbook.Row, width int) *dataset.Fault {
	return &dataset.Fault{Place: workbook.PlaceOf(input, sheet, row, max(1, len(row.Cells))),
		Problem: "the file ends in the middle of a row: expected " + strconv.Itoa(width) + " cells, got " + strconv.Itoa(len(row.Cells))}
}

// keepSurplus gives a reading the cells of its row that are behind the last column. In CSV they are what a comma too many has made of a row.
func (t *tableReader) keepSurplus(r *reading) {
	var texts []string
	for i, s := range t.surplus {
		switch {
		case r.line == 0:
			texts = append(texts, s.text)
		case i < maxSurplusFaults:
			r.faults = append(r.faults, dataset.Fault{Place: s.place, Problem: "more cells than the header has columns: " + dataset.Quoted(s.text)})
		}
	}
	if len(texts) == 0 {
		return
	}
	if !t.toldSurplus {
		t.toldSurplus = true
		r.warnings = append(r.warnings, dataset.Fault{Place: t.surplus[0].place, Problem: "cells behind the last column are kept in structured_meta as " + namelessKey})
	}
	r.rest = append(r.rest, product.MetaEntry{Key: namelessKey, Value: strings.Join(texts, "; ")})
}

// maxSurplusFaults is how many of the cells behind the last column of CSV are faults, each by itself.
const maxSurplusFaults = 16

// hear takes what a line between the rows says of those below: "Hersteller: Acme" in the only cell of a row, where no column says it.
func (t *tableReader) hear(row workbook.Row, column int) bool {
	c, text, ok := keyAndValue(row.Cells[column].Text)
	if !ok || hasField(t.columns[:t.width], c.Field) {
		return false
	}
	value := saidValue{from: row.Number, cell: workbook.Cell{Text: text}, row: workbook.Row{Number: row.Number, Line: row.Line}, at: column + 1}
	for i := range t.said {
		if s := &t.said[i]; s.column.Field == c.Field {
			s.values = append(s.values, value)
			return true
		}
	}
	t.addSaid(said{c, []saidValue{{from: 0}, value}})
	return true
}

// addSaid adds a column of what lines say.
func (t *tableReader) addSaid(s said) {
	last := s.values[len(s.values)-1]
	t.said = append(t.said, s)
	t.columns = append(t.columns, s.column)
	if t.states != nil {
		t.states = append(t.states, columnState{form: forms[s.column.Field]})
	}
	t.account.Columns = append(t.account.Columns, ToldColumn{
		Header: s.column.Header, Cell: workbook.CellName(last.row.Number, last.at), Became: s.column.String(),
	})
	t.untold++
}

// fill completes the cells of a row: with those that are merged with one above, the product of the row above where it has none of its own,
// and what lines say of it.
func (t *tableReader) fill(row *workbook.Row) {
	t.surplus = t.surplus[:0]
	for i := t.width; i < len(row.Cells) && t.tooMuch == nil; i++ {
		if text := strings.TrimSpace(row.Cells[i].Text); text != "" && len(t.surplus) == maxRest {
			t.tooMuch = &dataset.Fault{Place: t.placeAt(row.Number, row.Line, i+1),
				Problem: "more than " + strconv.Itoa(maxRest) + " cells behind the last column that has a name"}
		} else if text != "" {
			t.surplus = append(t.surplus, surplusCell{t.placeAt(row.Number, row.Line, i+1), text})
		}
	}
	t.cells = append(t.cells[:0], row.Cells[:min(t.width, len(row.Cells))]...)
	spentText, spentCells := textBytes(t.cells), len(t.cells)
	for len(t.cells) < t.width {
		t.cells = append(t.cells, workbook.Cell{})
	}
	t.merged.fill(row.Number, t.cells, t.columns)
	for i := range t.cells {
		if !t.used[i] && strings.TrimSpace(t.cells[i].Text) != "" {
			t.used[i] = true
		}
	}
	t.continueProduct()
	t.markPercent()
	for i := range t.said {
		t.cells = append(t.cells, t.said[i].in(row.Number).cell)
	}
	row.Cells = t.cells
	t.spendRow(*row, -spentText, -spentCells)
}

// spendRow adds a complete row, or that of one of its set-ups, to the cells of the import, and other bytes and cells.
func (t *tableReader) spendRow(row workbook.Row, otherText, otherCells int) {
	for i := range row.Cells {
		if len(t.columns[i].Header) > maxPlainName && row.Cells[i].Text != "" {
			otherText += len(t.columns[i].Header) - maxPlainName
		}
	}
	t.spend(row.Cells, otherText, otherCells, func(cell int) dataset.Place { return t.placeAt(row.Number, row.Line, cell) })
}

// continueProduct gives a row without a product that of the row above.
func (t *tableReader) continueProduct() {
	if len(t.products) == 0 {
		return
	}
	has := false
	for _, c := range t.products {
		if t.columns[c].Field != FieldManufacturer && strings.TrimSpace(t.cells[c].Text) != "" {
			has = true
			break
		}
	}
	if has || t.above == nil {
		t.above = t.above[:0]
		for _, c := range t.products {
			t.above = append(t.above, t.cells[c])
		}
		return
	}
	t.continued++
	for i, c := range t.products {
		if strings.TrimSpace(t.cells[c].Text) == "" {
			t.cells[c] = t.above[i]
		}
	}
}

// A surplusCell stands behind the last column that has a name.
type surplusCell struct {
	place dataset.Place // as the origin of cells knows only those of columns
	text  string
}

// isHeader reports whether a row repeats one that names the columns, as printed pages do. It looks from behind: there most rows have numbers.
func (t *tableReader) isHeader(cells []workbook.Cell) bool {
	return slices.ContainsFunc(t.headers, func(header []string) bool {
		for i := max(len(cells), len(header)) - 1; i >= 0; i-- {
			if i >= len(header) || i >= len(cells) {
				if i < len(header) && header[i] != "" || i < len(cells) && strings.TrimSpace(cells[i].Text) != "" {
					return false
				}
			} else if header[i] != cells[i].Text && header[i] != inOneLine(cells[i].Text) {
				return false
			}
		}
		return true
	})
}

// isNamed reports whether another cell than the given one says which product a row is of.
func (t *tableReader) isNamed(cells []workbook.Cell, but int) bool {
	return slices.ContainsFunc(t.products, func(c int) bool { return c != but && c < len(cells) && strings.TrimSpace(cells[c].Text) != "" })
}

// isNumbering reports whether a row numbers the columns: 1, 2, 3.
func isNumbering(cells []workbook.Cell) bool {
	number := 0
	for i := range cells {
		text := strings.TrimSpace(cells[i].Text)
		if text == "" {
			continue
		}
		if number++; text != strconv.Itoa(number) {
			return false
		}
	}
	return number >= 3
}

// statistics begin rows that sum up the ones above.
var statistics = []string{"mittelwert", "mittel", "mittelwerte", "durchschnitt", "summe", "gesamt", "standardabweichung", "median", "anzahl",
	"mean", "mean value", "average", "avg", "total", "sum", "std dev", "standard deviation", "stdev", "count", "minimum", "maximum", "min", "max"}

func isStatistic(text string) bool {
	if len(text) > 24 {
		return false
	}
	name := strings.ToLower(strings.Trim(text, " :.\u00d8ø"))
	return slices.Contains(statistics, name)
}
