package workbook

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sabine/dataset"
)

// A Kind says how a cell's value is stored.
type Kind uint8

// The kinds of cells.
const (
	// Text is as somebody typed it: a number may have a decimal comma, a unit or a percent sign. All cells of
	// CSV are text.
	Text Kind = iota
	// Number is a stored number: digits with a decimal point, never an exponent.
	Number
	// Percent is a stored number that is shown as a percentage: the number as it is stored, "0.85" for what is
	// shown as 85 %.
	Percent
	// Date is a stored date: RFC 3339, "2026-01-31" or "2026-01-31T12:00:00".
	Date
	// Time is a stored number that is shown as a time of day or a duration, without a date: the number as it is
	// stored, in days, "0.5" for what is shown as 12:00.
	Time
	// Broken has no value: the text says why, such as "a formula without a stored value" or "#DIV/0!".
	Broken
)

// A Cell is one value of a sheet, "" where there is none.
type Cell struct {
	Text   string
	Kind   Kind
	Shared bool // the text is one of the workbook's shared strings, which stay in memory whatever becomes of the row
}

// The rows and columns that a sheet may have.
const (
	maxRows    = 1 << 20
	maxColumns = 1 << 14
)

// A Row is one row of a sheet. Its cells are valid until the next row.
type Row struct {
	Number int // 1-based, as people's programs number it
	Line   int // 1-based line of its beginning in the file, for CSV; 0 in a workbook
	Cells  []Cell
	Hidden bool // not shown: hidden itself, by a filter or in a closed group, or of no height
	Closed bool // hidden in a closed group
	// Struck reports whether each cell that has a value is struck out: by its font, or, for a shared string, in
	// all of its pieces. Pieces of a text that is stored in its cell are not examined, and neither are pieces
	// that are not struck out where the font of the cell is.
	Struck bool
	Cut    bool // the last row of CSV, without a line end: if cells are missing, the file ends in the middle of it
}

// A Range is a rectangle of merged cells. The first one has the value, the others are empty. All are 1-based
// and inclusive.
type Range struct{ FirstRow, FirstColumn, LastRow, LastColumn int }

// A Sheet is one table of a file.
type Sheet struct {
	Name          string // "" in CSV
	Hidden        bool
	Filtered      bool      // it has a filter or a table, which may have hidden rows
	HiddenColumns []int     // 1-based, in ascending order: hidden themselves or in a closed group, or of no width
	Merged        []Range   // by their first row
	Comments      []Comment // by their row and column

	rows  func(yield func(Row) bool) error
	links map[int][]link // by column, in ascending order of their first row; those of formulas by -column
}

// Rows yields the rows from the first on; rows without a value may be left out. It may be called once. The
// error is a *dataset.Fault where the content of the file is at fault.
func (s *Sheet) Rows(yield func(Row) bool) error { return s.rows(yield) }

// A Book is a file that was opened.
type Book struct{ Sheets []*Sheet }

// Options of opening a file.
type Options struct {
	// Known reports whether a text is the name of a column. What separates the columns of CSV is what makes most
	// cells known.
	Known func(text string) bool
	// Context, when not nil, ends the reading of a workbook. That of text ends with its reader.
	Context context.Context
}

// Open reads a file, whose first bytes tell what it is. name is for messages. The error is a *dataset.Fault
// where the content of the file is at fault. A workbook is read from memory; of text no more than a row is
// kept, and r is read by Rows.
func Open(name string, r io.Reader, o Options) (*Book, error) {
	buffered := bufio.NewReaderSize(r, headBytes)
	head, err := buffered.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	workbook, old := bytes.HasPrefix(head, []byte("PK")), bytes.HasPrefix(head, []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"))
	if !workbook && !old {
		if problem := notTable(head); problem != "" {
			return nil, faultOf(name, errors.New(problem))
		}
		return openText(name, buffered, head, o)
	}
	data, err := io.ReadAll(io.LimitReader(buffered, maxFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxFile:
		return nil, faultOf(name, fmt.Errorf("more than %d MiB, the limit for a workbook", maxFile>>20))
	case old:
		return nil, faultOf(name, errors.New(oldFile(data)))
	}
	return openXLSX(o.Context, name, data)
}

// headBytes is how much of a file is looked at to find what it is, how it is encoded and what separates its
// columns.
const headBytes = 64 << 10

// notTable says what a file is that is no table, by how it begins, or "".
func notTable(head []byte) string {
	start := strings.ToLower(string(bytes.TrimSpace(bytes.TrimPrefix(head[:min(len(head), 512)], []byte("\xEF\xBB\xBF")))))
	switch {
	case len(head) == 0:
		return "an empty file"
	case strings.HasPrefix(start, "%pdf-"):
		return "a PDF, from which no table is read: ask for the table as .xlsx or CSV"
	case strings.HasPrefix(start, "<?xml"), strings.HasPrefix(start, "<html"), strings.HasPrefix(start, "<!doctype html"),
		strings.HasPrefix(start, "<table"):
		return "HTML or XML under the name of a table: open it in a spreadsheet program and save it as .xlsx"
	}
	return ""
}

// oldFile says what a file in the container of Office before 2007 is: the names of its streams are in UTF-16.
func oldFile(data []byte) string {
	has := func(stream string) bool {
		return bytes.Contains(data, []byte(strings.Join(strings.Split(stream, ""), "\x00")+"\x00"))
	}
	switch {
	case has("EncryptedPackage"):
		return "encrypted, as it is protected by a password: save it without one"
	case has("Workbook"), has("Book"):
		return "an Excel 97 file (.xls), which is not read: save it as .xlsx or CSV"
	}
	return "a file of Office before 2007 that is no workbook: a table is .xlsx, CSV or TSV"
}

// faultOf makes an error a fault of the file as a whole.
func faultOf(name string, err error) *dataset.Fault {
	return &dataset.Fault{Place: dataset.Place{Input: name, Index: -1, Offset: -1}, Problem: err.Error()}
}

// isEnd reports whether an error is that of a context that has ended, and no fault of the file.
func isEnd(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// CellName returns the name of a cell as people's programs show it, "D7" for row 7, column 4, both 1-based;
// "" where they have none.
func CellName(row, column int) string {
	if row < 1 || column < 1 {
		return ""
	}
	name := make([]byte, 0, 32)
	for n := column; n > 0; n = (n - 1) / 26 {
		name = append(name, byte('A'+(n-1)%26))
	}
	slices.Reverse(name)
	return string(strconv.AppendInt(name, int64(row), 10))
}

// PlaceOf returns the place of a cell of a row: column is 1-based, sheet "" in CSV. Names of sheets are
// quoted where a formula would have to.
func PlaceOf(input, sheet string, row Row, column int) dataset.Place {
	cell := CellName(row.Number, column)
	if sheet != "" {
		cell = quotedSheet(sheet) + "!" + cell
	}
	return dataset.Place{Input: input, Line: row.Line, Cell: cell, Index: -1, Offset: -1}
}

// quotedSheet returns the name of a sheet as it stands before the name of a cell: Absorber, 'Tabelle 1',
// 'A1'.
func quotedSheet(name string) string {
	_, _, isCell := cellRef(name)
	plain := !isCell && !unicode.IsDigit(rune(name[0])) && name[0] != '.'
	for _, r := range name {
		plain = plain && (unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' || r == '.')
	}
	if plain {
		return name
	}
	return "'" + strings.ReplaceAll(name, "'", "''") + "'"
}
