package workbook

import (
	"bufio"
	"bytes"
	"io"

	"github.com/xuri/excelize/v2"
)

// A Kind says how a cell's value is stored.
type Kind uint8

// The kinds of cells.
const (
	// Text is as somebody typed it: a number may have a decimal comma, a unit or a percent sign. All cells of CSV are text.
	Text Kind = iota
	// Number is a stored number: digits with a decimal point, never an exponent.
	Number
	// Percent is a stored number that is shown as a percentage: the number as it is stored, "0.85" for what is shown as 85 %.
	Percent
	// Date is a stored date: RFC 3339, "2026-01-31" or "2026-01-31T12:00:00".
	Date
	// Broken has no value: the text says why, such as "a formula without a stored value" or "#DIV/0!".
	Broken
)

// A Cell is one value of a sheet, "" where there is none.
type Cell struct {
	Text string
	Kind Kind
}

// A Row is one row of a sheet. Its cells are valid until the next row.
type Row struct {
	Number int // 1-based, as people's programs number it
	Line   int // 1-based line of its beginning in the file, for CSV; 0 in a workbook
	Cells  []Cell
}

// A Range is a rectangle of merged cells. The first one has the value, the others are empty. All are 1-based and inclusive.
type Range struct{ FirstRow, FirstColumn, LastRow, LastColumn int }

// A Sheet is one table of a file.
type Sheet struct {
	Name   string // "" in CSV
	Hidden bool
	Merged []Range

	rows func(yield func(Row) bool) error
}

// Rows yields the rows from the first on; rows without a value may be left out. It may be called once. The error is a *dataset.Fault where
// the content of the file is at fault.
func (s *Sheet) Rows(yield func(Row) bool) error { return s.rows(yield) }

// A Book is a file that was opened.
type Book struct {
	Sheets []*Sheet
	close  func() error
}

// Close removes what was unpacked.
func (b *Book) Close() error {
	if b.close == nil {
		return nil
	}
	return b.close()
}

// Options of opening a file.
type Options struct {
	// Known reports whether a text is the name of a column. What separates the columns of CSV is what makes most cells known.
	Known func(text string) bool
}

// Open reads a file, whose first bytes tell what it is. name is for messages. The error is a *dataset.Fault where the content of the file
// is at fault.
func Open(name string, r io.Reader, o Options) (*Book, error) {
	buffered := bufio.NewReaderSize(r, headBytes)
	head, _ := buffered.Peek(headBytes)
	if bytes.HasPrefix(head, []byte("PK\x03\x04")) {
		return openXLSX(name, buffered)
	}
	return openText(name, buffered, head, o)
}

// headBytes is how much of a file is looked at to find what it is, how it is encoded and what separates its columns.
const headBytes = 64 << 10

// CellName returns the name of a cell as people's programs show it, "D7" for row 7, column 4, both 1-based.
func CellName(row, column int) string {
	name, err := excelize.CoordinatesToCellName(column, row)
	if err != nil {
		return ""
	}
	return name
}
