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

// A Kind is the form in which a cell's value is stored.
type Kind uint8

// The kinds of cells.
const (
	// Text is a string as typed: a number can have a decimal comma, a unit or a percent sign. All cells of
	// CSV are text.
	Text Kind = iota
	// Number is a stored number: digits with a decimal point, never an exponent.
	Number
	// Percent is a stored number that is shown as a percentage: the text "0.85" is shown as 85 %.
	Percent
	// Date is a stored date in RFC 3339: "2026-01-31" or "2026-01-31T12:00:00".
	Date
	// Time is a stored number that is shown as a time of day or a duration, without a date. The text is the
	// stored number of days: "0.5" for 12:00.
	Time
	// Broken has no value. The text is the reason, such as "a formula without a stored value" or "#DIV/0!".
	Broken
)

// A Cell is a value in a sheet, "" for none.
type Cell struct {
	Text   string
	Kind   Kind
	Shared bool // whether the text is a shared string, which remains in memory
}

// The maximum numbers of rows and columns in a sheet.
const (
	maxRows    = 1 << 20
	maxColumns = 1 << 14
)

// A Row is a row in a sheet. Its cells are valid until the next row.
type Row struct {
	Number int // 1-based, as in spreadsheet programs
	Line   int // 1-based line of its beginning in CSV; 0 in a workbook
	Cells  []Cell
	Hidden bool // whether the row is not shown: hidden, filtered, in a closed group, or of zero height
	Closed bool // whether the row is hidden in a closed group
	// Struck reports whether all cells with a value are struck out: by their font or, for a shared string, in
	// all of its pieces. Neither the pieces of a string stored in its cell, nor pieces without a strike in a
	// cell whose font has one, are examined.
	Struck bool
	Cut    bool // whether it is the last CSV row, without a line end: missing cells mean a truncated file
}

// A Range is a rectangle of merged cells, 1-based and inclusive. The first cell contains the value, and the
// other cells are empty.
type Range struct{ FirstRow, FirstColumn, LastRow, LastColumn int }

// A Sheet is one table in a file.
type Sheet struct {
	Name          string // sheet name; "" in CSV
	Hidden        bool
	Filtered      bool      // whether a filter or a table can hide rows
	HiddenColumns []int     // 1-based, ascending: hidden, in a closed group, or of zero width
	Merged        []Range   // ranges sorted by first row
	Comments      []Comment // comments sorted by row and column

	// Rows yields the rows. It can skip rows without a value. Call Rows once. The error is a *dataset.Fault if
	// the content of the file is invalid.
	Rows func(yield func(Row) bool) error

	links map[int][]link // links by column, ascending by first row; links from formulas are at -column
}

// A Book is an open file.
type Book struct{ Sheets []*Sheet }

// Options for opening a file.
type Options struct {
	// Known reports whether a string is a column name. It determines the separator in CSV.
	Known func(text string) bool
	// Context, if not nil, ends reading a workbook. Reading text ends with its reader.
	Context context.Context
}

// Open reads a file, and recognises its format by its first bytes. name is for messages. The error is a
// *dataset.Fault if the content of the file is invalid. A workbook is read into memory as a whole. For text,
// Rows reads from r and holds only one row at a time.
func Open(name string, r io.Reader, o Options) (*Book, error) {
	buffered := bufio.NewReaderSize(r, headBytes)
	head, err := buffered.Peek(headBytes)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	workbook, old := bytes.HasPrefix(head, []byte("PK")), bytes.HasPrefix(head, []byte("\xD0\xCF\x11\xE0\xA1\xB1\x1A\xE1"))
	if !workbook && !old {
		if problem := notTable(head); problem != "" {
			return nil, FileFault(name, problem)
		}
		return openText(name, buffered, head, o)
	}
	data, err := io.ReadAll(io.LimitReader(buffered, maxFile+1))
	switch {
	case err != nil:
		return nil, err
	case len(data) > maxFile:
		return nil, FileFault(name, fmt.Sprintf("the file is larger than %d MiB, the limit for a workbook", maxFile>>20))
	case old:
		return nil, FileFault(name, oldFile(data))
	}
	return openXLSX(o.Context, name, data)
}

// headBytes is the number of bytes that determine format, encoding and separator.
const headBytes = 64 << 10

// notTable returns the reason why a file is not a table, judging by its beginning, or "".
func notTable(head []byte) string {
	start := strings.ToLower(string(bytes.TrimSpace(bytes.TrimPrefix(head[:min(len(head), 512)], []byte("\xEF\xBB\xBF")))))
	switch {
	case len(head) == 0:
		return "the file is empty"
	case strings.HasPrefix(start, "%pdf-"):
		return "PDF files are not supported: request the table as .xlsx or CSV"
	case strings.HasPrefix(start, "<?xml"), strings.HasPrefix(start, "<html"), strings.HasPrefix(start, "<!doctype html"),
		strings.HasPrefix(start, "<table"):
		return "the file is HTML or XML: open it in a spreadsheet program and save it as .xlsx"
	}
	return ""
}

// oldFile returns the problem with a file in the Office format before 2007, whose stream names are in UTF-16.
func oldFile(data []byte) string {
	has := func(stream string) bool {
		return bytes.Contains(data, []byte(strings.Join(strings.Split(stream, ""), "\x00")+"\x00"))
	}
	switch {
	case has("EncryptedPackage"):
		return "the workbook is encrypted: save it without a password"
	case has("Workbook"), has("Book"):
		return "Excel 97 files (.xls) are not supported: save the file as .xlsx or CSV"
	}
	return "an Office file that is not a workbook: expected .xlsx, CSV or TSV"
}

// FileFault returns a fault that concerns a whole file.
func FileFault(name, problem string) *dataset.Fault {
	return &dataset.Fault{Place: dataset.Place{Input: name, Index: -1, Offset: -1}, Problem: problem}
}

// isContextEnd reports whether an error was caused by the end of a context.
func isContextEnd(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// CellName returns a cell's name, "D7" for row 7, column 4, both 1-based. It returns "" for other numbers.
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

// PlaceOf returns the location of a cell in a row. column is 1-based, and sheet is "" in CSV. Sheet names are
// quoted as in formulas.
func PlaceOf(input, sheet string, row Row, column int) dataset.Place {
	cell := CellName(row.Number, column)
	if sheet != "" {
		cell = quotedSheet(sheet) + "!" + cell
	}
	return dataset.Place{Input: input, Line: row.Line, Cell: cell, Index: -1, Offset: -1}
}

// WithoutSheet removes the sheet name from the cell name of a place.
func WithoutSheet(cell string) string { return cell[strings.LastIndexByte(cell, '!')+1:] }

// quotedSheet returns a sheet name as written before a cell name: Absorber, 'Tabelle 1', 'A1'.
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
