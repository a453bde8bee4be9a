package table

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"sabine/dataset/importers/workbook"
)

// A grid is rows of a sheet that are held: its first ones, or all of a table that is transposed.
type grid struct {
	rows   []workbook.Row                                                     // each with cells of its own
	merged []workbook.Range                                                   // by their first row
	origin func(row workbook.Row, column int) (at workbook.Row, atColumn int) // where a cell stands in the sheet; nil: where it is

	bytes  int        // of all cells
	widest int        // the number of cells of the widest row
	cost   int        // of the search for a header: cells, and the bytes of the texts that were taken for names, as often as they were
	texts  [][]string // what texts holds for each row, made by look
	across []bool     // for each row, whether it has cells that are merged across
	looks  map[string]look
}

// The bounds of what is held.
const (
	heldRows        = 200     // in which a table must begin
	heldBytes       = 1 << 20 // the same in bytes
	transposedRows  = 5000
	transposedBytes = 32 << 20
	heldCell        = 24 // bytes of a cell besides its text
)

// add holds a row.
func (g *grid) add(row workbook.Row) {
	if len(g.rows) == 0 {
		g.merged = mergedFrom(g.merged, row.Number)
	}
	row.Cells = slices.Clone(row.Cells)
	for i := range row.Cells {
		g.bytes += len(row.Cells[i].Text) + heldCell
	}
	g.widest = max(g.widest, len(row.Cells))
	g.rows = append(g.rows, row)
}

// blank reports whether a row has no value.
func blank(row workbook.Row) bool {
	return !slices.ContainsFunc(row.Cells, func(c workbook.Cell) bool { return strings.TrimSpace(c.Text) != "" })
}

// width is the number of columns.
func (g *grid) width() (n int) {
	for i := range g.rows {
		n = max(n, len(g.rows[i].Cells))
	}
	return n
}

// read makes the texts of the cells: blanks at the ends are cut, those inside are one, and merged cells all have the text of the first.
func (g *grid) read() {
	g.looks = map[string]look{}
	g.texts = make([][]string, len(g.rows))
	for i, row := range g.rows {
		g.texts[i] = make([]string, len(row.Cells))
		for c, cell := range row.Cells {
			g.texts[i][c] = inOneLine(cell.Text)
		}
		g.cost += len(row.Cells)
	}
	width := g.width()
	left := len(g.rows) * width // cells, since no two ranges share one
	steps := left
	g.across = make([]bool, len(g.rows))
	for _, m := range g.merged {
		first := g.index(m.FirstRow)
		if first == len(g.rows) {
			return
		}
		for i := first; i < len(g.rows) && g.rows[i].Number <= m.LastRow && m.LastColumn > m.FirstColumn && steps > 0; i++ {
			g.across[i] = true
			steps--
		}
		if g.rows[first].Number != m.FirstRow || g.text(first, m.FirstColumn-1) == "" {
			continue
		}
		text, last := g.text(first, m.FirstColumn-1), min(m.LastColumn, width)
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

// index returns the index of the first row of a number or a greater one.
func (g *grid) index(number int) int {
	i, _ := slices.BinarySearchFunc(g.rows, number, func(row workbook.Row, number int) int { return cmp.Compare(row.Number, number) })
	return i
}

// inOneLine returns a text with single blanks.
func inOneLine(text string) string {
	if isInOneLine(text) || !strings.ContainsAny(text, " \t\r\n\u00a0") {
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

// text returns the text of a cell, "" where there is none.
func (g *grid) text(row, column int) string {
	if column < 0 || column >= len(g.texts[row]) {
		return ""
	}
	return g.texts[row][column]
}

// look returns what a cell looks like.
func (g *grid) look(row, column int) look { return g.lookOf(g.text(row, column)) }

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

// at returns where a cell stands in the sheet, its column from 0.
func (g *grid) at(row, column int) (workbook.Row, int) {
	if g.origin != nil {
		return g.origin(g.rows[row], column)
	}
	return g.rows[row], column
}
