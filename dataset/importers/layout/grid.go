package layout

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

// A grid is rows of a sheet that are held: those in which a header is searched, or all of a table that is
// transposed.
type grid struct {
	rows   []workbook.Row // each with cells of its own
	sheet  []workbook.Row // of a transposed grid: the rows of the sheet, which are its columns; else nil
	merged []workbook.Range
	texts  [][]string // of each row, in one line; merged cells all have the text of the first
	across []bool     // by row: it has cells that are merged across
	width  int
	cost   int // of the search for a header: cells, and the bytes of texts each time that they were taken for names
	looks  map[string]look
}

// The bounds of what is held.
const (
	heldRows        = 200     // in which a table must begin
	heldBytes       = 1 << 20 // the same in bytes
	transposedRows  = 5000
	transposedBytes = 32 << 20
	heldCell        = 24 // bytes of a cell besides its text
	// maxSearched bounds the search for headers in rows that have none, as grid.cost counts it: names are
	// read slowly.
	maxSearched = 4 << 20
)

// newGrid returns the grid of some rows, one at least, and of the merged cells of the sheet.
func newGrid(rows []workbook.Row, merged []workbook.Range) *grid {
	byRow := func(r workbook.Range, row int) int { return cmp.Compare(r.FirstRow, row) }
	first, _ := slices.BinarySearchFunc(merged, rows[0].Number, byRow)
	g := &grid{rows: rows, merged: merged[first:], looks: map[string]look{}}
	g.read()
	g.explain(g.legend())
	return g
}

// read makes the texts of the cells.
func (g *grid) read() {
	g.texts, g.across = make([][]string, len(g.rows)), make([]bool, len(g.rows))
	for i, row := range g.rows {
		g.texts[i] = make([]string, len(row.Cells))
		for c, cell := range row.Cells {
			g.texts[i][c] = inOneLine(cell.Text)
		}
		g.cost += len(row.Cells)
		g.width = max(g.width, len(row.Cells))
	}
	left := len(g.rows) * g.width // cells, since no two ranges share one
	steps := left
	for _, m := range g.merged {
		first := g.index(m.FirstRow)
		if first == len(g.rows) {
			return
		}
		for i := first; i < len(g.rows) && g.rows[i].Number <= m.LastRow && m.LastColumn > m.FirstColumn && steps > 0; i++ {
			g.across[i] = true
			steps--
		}
		text, last := g.text(first, m.FirstColumn-1), min(m.LastColumn, g.width)
		if g.rows[first].Number != m.FirstRow || text == "" {
			continue
		}
		for i := first; i < len(g.rows) && g.rows[i].Number <= m.LastRow; i++ {
			g.cost += last - m.FirstColumn + 1
			if left -= last - m.FirstColumn + 1; left < 0 {
				return
			}
			if missing := last - len(g.texts[i]); missing > 0 {
				g.texts[i] = append(g.texts[i], make([]string, missing)...)
			}
			for c := m.FirstColumn - 1; c < last; c++ {
				g.texts[i][c] = text
			}
		}
	}
}

// legendPattern matches what a legend says of an abbreviation: "KHH = Konstruktionshöhe".
var legendPattern = regexp.MustCompile(`(?:^|[;,:] *)([^\s;,:=]{1,6}) *= *([^;=]*?)(?:$|[;.]|, *[^\s;,:=]{1,6} *=)`)

// legend returns the names that legends explain abbreviated names of columns by.
func (g *grid) legend() map[string]string {
	legend := map[string]string{}
	for i := range g.rows {
		n, first := filled(g.rows[i])
		if n == 2 { // "SD | Schichtdicke"
			column, second := pair(g.rows[i], first)
			if c := columns.Parse(g.text(i, second)); !column.Known() && len(column.Header) < 7 && len(c.Header) > 3 && c.Known() && c.BandHz == 0 {
				legend[column.Header] = c.Header
			}
		}
		if n != 1 || !strings.Contains(g.text(i, first), "=") {
			continue
		}
		for rest := g.text(i, first); rest != ""; {
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

// explain gives abbreviated names of columns those of a legend.
func (g *grid) explain(legend map[string]string) {
	for i := range g.texts {
		if n, _ := filled(g.rows[i]); n < 2 || len(legend) == 0 {
			continue
		}
		for c, text := range g.texts[i] {
			symbol, band, _ := strings.Cut(text, " ") // "α 125"
			if name := legend[text]; name != "" {
				g.texts[i][c] = name
			} else if name = legend[symbol]; name != "" && columns.Parse(band).BandHz > 0 {
				g.texts[i][c] = name + " " + band
			}
		}
	}
}

// transposed returns the grid with its columns as rows.
func (g *grid) transposed() *grid {
	t := &grid{rows: make([]workbook.Row, g.width), sheet: g.rows, looks: map[string]look{}}
	for c := range t.rows {
		t.rows[c] = workbook.Row{Number: c + 1, Cells: make([]workbook.Cell, len(g.rows))}
		for i := range g.rows {
			if c < len(g.rows[i].Cells) {
				t.rows[c].Cells[i] = g.rows[i].Cells[c]
			}
		}
	}
	for _, m := range g.merged {
		if first, end := g.index(m.FirstRow), g.index(m.LastRow+1); first < end {
			t.merged = append(t.merged, workbook.Range{
				FirstRow: m.FirstColumn, FirstColumn: first + 1, LastRow: m.LastColumn, LastColumn: end})
		}
	}
	slices.SortFunc(t.merged, func(a, b workbook.Range) int { return cmp.Compare(a.FirstRow, b.FirstRow) })
	t.read()
	t.explain(g.legend())
	return t
}

// at returns the position of a cell.
func (g *grid) at(row, column int) position {
	if g.sheet != nil {
		return position{g.sheet[column].Number, g.sheet[column].Line, g.rows[row].Number}
	}
	return position{g.rows[row].Number, g.rows[row].Line, column + 1}
}

// index returns the index of the first row of a number or a greater one.
func (g *grid) index(number int) int {
	byNumber := func(row workbook.Row, number int) int { return cmp.Compare(row.Number, number) }
	i, _ := slices.BinarySearchFunc(g.rows, number, byNumber)
	return i
}

// text returns the text of a cell, "" where there is none.
func (g *grid) text(row, column int) string {
	if column < 0 || column >= len(g.texts[row]) {
		return ""
	}
	return g.texts[row][column]
}

func (g *grid) look(row, column int) look { return g.lookOf(g.text(row, column)) }

// cells yields the cells of a row that are not blank, and what they look like.
func (g *grid) cells(row int) iter.Seq2[int, look] {
	return func(yield func(int, look) bool) {
		for c := range g.texts[row] {
			if l := g.look(row, c); l != isBlank && !yield(c, l) {
				return
			}
		}
	}
}

// lookOf returns what a text looks like.
func (g *grid) lookOf(text string) look {
	l, ok := g.looks[text]
	if !ok {
		l = lookOf(text)
		g.looks[text] = l
		if l != isNumber && l != isOff {
			g.cost += len(text)
		}
	}
	return l
}

// filled returns how many cells of a row have a text of their own, and the first of them.
func filled(row workbook.Row) (n, first int) {
	for i := range row.Cells {
		if hasText(&row.Cells[i]) {
			if n++; n == 1 {
				first = i
			}
		}
	}
	return n, first
}

// hasText reports whether a cell has more than blanks.
func hasText(cell *workbook.Cell) bool {
	t := cell.Text
	return t != "" && (t[0] > ' ' && t[0] < utf8.RuneSelf || strings.TrimSpace(t) != "")
}

// inOneLine returns a text with single blanks.
func inOneLine(text string) string {
	if !strings.ContainsAny(text, " \t\r\n\u00a0") || isInOneLine(text) {
		return text
	}
	return strings.Join(strings.Fields(text), " ")
}

// isInOneLine reports whether a text is ASCII and has single blanks, as most have.
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
