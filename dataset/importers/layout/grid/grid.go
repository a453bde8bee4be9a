package grid

import (
	"cmp"
	"iter"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/workbook"
)

// A Grid contains buffered rows of a sheet: rows to search for a header, or all rows of a transposed table.
type Grid struct {
	Rows   []workbook.Row // each with its own cells
	Sheet  []workbook.Row // rows of the sheet, which are columns of a transposed grid; otherwise nil
	Merged []workbook.Range
	Texts  [][]string // strings by row, each in one line; merged cells all have the text of the first
	Across []bool     // whether each row contains horizontally merged cells
	Cost   int        // cost of searching for a header: cells, and bytes of strings read as names
	width  int        // number of cells in the longest row
	looks  Looks
}

// The limits for the buffered rows.
const (
	BufferedRows    = 200     // number of rows within which a table must begin
	BufferedBytes   = 1 << 20 // number of bytes within which a table must begin
	TransposedRows  = 5000
	TransposedBytes = 32 << 20
	CellBytes       = 24 // bytes for a cell in addition to its text
	// MaxSearched limits Cost for rows without a header, because reading names is slow.
	MaxSearched = 4 << 20
)

// New returns the grid for at least one row, with the merged cells of the sheet.
func New(rows []workbook.Row, merged []workbook.Range) *Grid {
	byRow := func(r workbook.Range, row int) int { return cmp.Compare(r.FirstRow, row) }
	first, _ := slices.BinarySearchFunc(merged, rows[0].Number, byRow)
	g := &Grid{Rows: rows, Merged: merged[first:], looks: Looks{}}
	g.read()
	g.explain(g.legend())
	return g
}

// read sets the text of each cell.
func (g *Grid) read() {
	g.Texts, g.Across = make([][]string, len(g.Rows)), make([]bool, len(g.Rows))
	for i, row := range g.Rows {
		g.Texts[i] = make([]string, len(row.Cells))
		for c, cell := range row.Cells {
			g.Texts[i][c] = InOneLine(cell.Text)
		}
		g.Cost += len(row.Cells)
		g.width = max(g.width, len(row.Cells))
	}
	left := len(g.Rows) * g.width // maximum number of merged cells, because ranges do not overlap
	for _, m := range g.Merged {
		first := g.Index(m.FirstRow)
		if first == len(g.Rows) {
			return
		}
		text, last := g.Text(first, m.FirstColumn-1), min(m.LastColumn, g.width)
		for i := first; i < len(g.Rows) && g.Rows[i].Number <= m.LastRow; i++ {
			if left -= max(1, last-m.FirstColumn+1); left < 0 {
				return
			}
			g.Across[i] = g.Across[i] || m.LastColumn > m.FirstColumn
			if g.Rows[first].Number != m.FirstRow || text == "" {
				continue
			}
			g.Cost += last - m.FirstColumn + 1
			if missing := last - len(g.Texts[i]); missing > 0 {
				g.Texts[i] = append(g.Texts[i], make([]string, missing)...)
			}
			for c := m.FirstColumn - 1; c < last; c++ {
				g.Texts[i][c] = text
			}
		}
	}
}

// legendPattern matches an entry of a legend: "KHH = Konstruktionshöhe".
var legendPattern = regexp.MustCompile(`(?:^|[;,:] *)([^\s;,:=]{1,6}) *= *([^;=]*?)(?:$|[;.]|, *[^\s;,:=]{1,6} *=)`)

// legend maps abbreviated column names to full names.
func (g *Grid) legend() map[string]string {
	legend := map[string]string{}
	for i := range g.Rows {
		n, first := Filled(g.Rows[i])
		if n == 2 { // "SD | Schichtdicke"
			column, second := Pair(g.Rows[i], first)
			isShort := !column.Known() && len(column.Header) < 7
			if c := columns.Parse(g.Text(i, second)); isShort && len(c.Header) > 3 && c.Known() && c.BandHz == 0 {
				legend[column.Header] = c.Header
			}
		}
		if n != 1 || !strings.Contains(g.Text(i, first), "=") {
			continue
		}
		for rest := g.Text(i, first); rest != ""; {
			m := legendPattern.FindStringSubmatchIndex(rest)
			if m == nil {
				break
			}
			name, value := rest[m[2]:m[3]], rest[m[4]:m[5]]
			if c := columns.Parse(value); c.Known() && c.Field != columns.Coefficient {
				legend[name] = value
			} else if q := columns.MeasurandOf(value).Quantity; q != "" {
				legend[name] = string(q)
			}
			rest = rest[m[5]:]
		}
	}
	return legend
}

// explain expands abbreviated column names.
func (g *Grid) explain(legend map[string]string) {
	for i := range g.Texts {
		if n, _ := Filled(g.Rows[i]); n < 2 || len(legend) == 0 {
			continue
		}
		for c, text := range g.Texts[i] {
			symbol, band, _ := strings.Cut(text, " ") // "α 125"
			if name := legend[text]; name != "" {
				g.Texts[i][c] = name
			} else if name = legend[symbol]; name != "" && columns.Parse(band).BandHz > 0 {
				g.Texts[i][c] = name + " " + band
			}
		}
	}
}

// Transposed returns the grid with its columns as rows.
func (g *Grid) Transposed() *Grid {
	t := &Grid{Rows: make([]workbook.Row, g.width), Sheet: g.Rows, looks: Looks{}}
	for c := range t.Rows {
		t.Rows[c] = workbook.Row{Number: c + 1, Cells: make([]workbook.Cell, len(g.Rows))}
		for i := range g.Rows {
			if c < len(g.Rows[i].Cells) {
				t.Rows[c].Cells[i] = g.Rows[i].Cells[c]
			}
		}
	}
	for _, m := range g.Merged {
		if first, end := g.Index(m.FirstRow), g.Index(m.LastRow+1); first < end {
			t.Merged = append(t.Merged, workbook.Range{
				FirstRow: m.FirstColumn, FirstColumn: first + 1, LastRow: m.LastColumn, LastColumn: end})
		}
	}
	slices.SortFunc(t.Merged, func(a, b workbook.Range) int { return cmp.Compare(a.FirstRow, b.FirstRow) })
	t.read()
	t.explain(g.legend())
	return t
}

// IsTransposed reports whether the rows of the grid are columns of the sheet.
func (g *Grid) IsTransposed() bool { return g.Sheet != nil }

// At returns the position of a cell.
func (g *Grid) At(row, column int) Position {
	if g.IsTransposed() {
		return Position{g.Sheet[column].Number, g.Sheet[column].Line, g.Rows[row].Number}
	}
	return Position{g.Rows[row].Number, g.Rows[row].Line, column + 1}
}

// FactAt returns a cell as a fact for a column.
func (g *Grid) FactAt(row, column int, c columns.Column) Fact {
	return Fact{Column: c, Cell: g.Rows[row].Cells[column], At: g.At(row, column)}
}

// Index returns the index of the first row with the given or a higher number.
func (g *Grid) Index(number int) int {
	byNumber := func(row workbook.Row, number int) int { return cmp.Compare(row.Number, number) }
	i, _ := slices.BinarySearchFunc(g.Rows, number, byNumber)
	return i
}

// Text returns the text in a cell, or "" if there is none.
func (g *Grid) Text(row, column int) string {
	if column < 0 || column >= len(g.Texts[row]) {
		return ""
	}
	return g.Texts[row][column]
}

// Look returns the look of a cell.
func (g *Grid) Look(row, column int) Look { return g.LookOf(g.Text(row, column)) }

// Cells yields the non-blank cells in a row, with their looks.
func (g *Grid) Cells(row int) iter.Seq2[int, Look] {
	return func(yield func(int, Look) bool) {
		for c := range g.Texts[row] {
			if l := g.Look(row, c); l != IsBlank && !yield(c, l) {
				return
			}
		}
	}
}

// LookOf returns the look of a string.
func (g *Grid) LookOf(text string) Look {
	l, isNew := g.looks.Of(text)
	if isNew && l != IsNumber && l != IsOffBand {
		g.Cost += len(text)
	}
	return l
}

// Filled returns the number of cells in a row that have text, not counting merged cells, and the index of the
// first one.
func Filled(row workbook.Row) (n, first int) {
	for i := range row.Cells {
		if HasText(&row.Cells[i]) {
			if n++; n == 1 {
				first = i
			}
		}
	}
	return n, first
}

// TextOf returns the text of a row's cell in one line, or "" if there is no cell.
func TextOf(cells []workbook.Cell, column int) string {
	if column >= len(cells) {
		return ""
	}
	return InOneLine(cells[column].Text)
}

// HasText reports whether a cell contains more than blanks.
func HasText(cell *workbook.Cell) bool {
	t := cell.Text
	return t != "" && (t[0] > ' ' && t[0] < utf8.RuneSelf || strings.TrimSpace(t) != "")
}

// InOneLine returns a string with single blanks.
func InOneLine(text string) string {
	if !strings.ContainsAny(text, " \t\r\n\u00a0") || isInOneLine(text) {
		return text
	}
	return strings.Join(strings.Fields(text), " ")
}

// isInOneLine reports whether a string is ASCII and contains only single blanks, as most do.
func isInOneLine(text string) bool {
	before := byte(' ')
	for i := range len(text) {
		c := text[i]
		if c < ' ' || c >= utf8.RuneSelf || c == ' ' && before == ' ' {
			return false
		}
		before = c
	}
	return before != ' '
}
