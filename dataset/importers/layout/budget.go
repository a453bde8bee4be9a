package layout

import (
	"strconv"

	"sabine/dataset/importers/workbook"
)

// The limits for an import. A list with a million rows and 26 columns is below them.
const (
	// maxText is the maximum number of text bytes in cells. A shared string, the suffix of a number format
	// and the value of merged cells count for each cell, because a few KiB in a workbook can expand to
	// gigabytes. Bytes of column names beyond maxPlainName also count for each cell.
	maxText      = 256 << 20
	maxPlainName = 64
	// maxCells is the maximum number of cells, including empty ones. A row counts as rowCells more cells.
	maxCells  = 1 << 27
	rowCells  = 64
	maxTables = 10_000
)

// A Budget is the limit for all tables in an import together. The zero value is a full budget.
type Budget struct {
	text, cells, searched, tables int
}

// Spend subtracts the given cells, and additional text bytes and cells. If a limit is exceeded, it returns a
// problem and the 1-based number of the cell that exceeds it.
func (b *Budget) Spend(cells []workbook.Cell, otherText, otherCells int) (cell int, problem string) {
	b.text, b.cells = b.text+textBytes(cells)+otherText, b.cells+len(cells)+otherCells
	if !b.Over() {
		return 0, ""
	}
	const over = "the import exceeds the limit of "
	cell = len(cells)
	if b.text <= maxText {
		return cell, over + strconv.Itoa(maxCells) + " cells, including empty ones: split the table"
	}
	for rest := b.text - maxText; cell > 1 && rest > len(cells[cell-1].Text); cell-- {
		rest -= len(cells[cell-1].Text)
	}
	return cell, over + strconv.Itoa(maxText>>20) + " MiB of text: split the table, or shorten repeated values"
}

// Over reports whether the cell or text limit is exceeded, so that reading must stop.
func (b *Budget) Over() bool { return b.text > maxText || b.cells > maxCells }

// Full reports whether there are too many tables, so that reading must stop.
func (b *Budget) Full() bool { return b.tables > maxTables }

func textBytes(cells []workbook.Cell) (bytes int) {
	for i := range cells {
		bytes += len(cells[i].Text)
	}
	return bytes
}
