package layout

import (
	"strconv"

	"sabine/dataset/importers/workbook"
)

// The limits of an import. A list of a million rows with 26 columns is below them.
const (
	// maxText is how many bytes of text the cells may have. A shared string, the suffix of a number format
	// and the value of merged cells count each time that a cell has them, and so does what is beyond 64 bytes
	// of a column's name: a few KiB of a workbook may unpack to gigabytes.
	maxText      = 256 << 20
	maxPlainName = 64
	// maxCells is how many cells the rows may have, empty ones included. A row counts as rowCells more.
	maxCells  = 1 << 27
	rowCells  = 64
	maxTables = 10_000
)

// A Budget is what the tables of one import may take together. The zero value is a whole one.
type Budget struct {
	text, cells, searched, tables int
}

// Spend takes cells off the budget, and other bytes and cells. Over a limit, problem is not "" and cell is
// the 1-based number of the cell that is over it.
func (b *Budget) Spend(cells []workbook.Cell, otherText, otherCells int) (cell int, problem string) {
	b.text, b.cells = b.text+textBytes(cells)+otherText, b.cells+len(cells)+otherCells
	if !b.Over() {
		return 0, ""
	}
	const over = "the cells of the import up to here are over its limit, more than "
	cell = len(cells)
	if b.text <= maxText {
		return cell, over + strconv.Itoa(maxCells) + " cells, empty ones included: split the table"
	}
	for rest := b.text - maxText; cell > 1 && rest > len(cells[cell-1].Text); cell-- {
		rest -= len(cells[cell-1].Text)
	}
	return cell, over + strconv.Itoa(maxText>>20) + " MiB of text: split the table, or shorten what many cells repeat"
}

// Over reports whether a limit of cells or text was exceeded. Nothing more is read then.
func (b *Budget) Over() bool { return b.text > maxText || b.cells > maxCells }

// Full reports whether there were too many tables. Nothing more is read then.
func (b *Budget) Full() bool { return b.tables > maxTables }

func textBytes(cells []workbook.Cell) (bytes int) {
	for i := range cells {
		bytes += len(cells[i].Text)
	}
	return bytes
}
