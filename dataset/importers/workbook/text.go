package workbook

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"unicode/utf8"

	"sabine/dataset"
)

// openText opens CSV or TSV.
func openText(name string, r *bufio.Reader, head []byte, o Options) (*Book, error) {
	decoded, utf16 := utf8Reader(r, head)
	text := bufio.NewReaderSize(decoded, headBytes)
	head, _ = text.Peek(headBytes) // an error is reported when the rows are read
	separator, declared := declaredSeparator(head)
	if declared > 0 {
		_, _ = text.Discard(declared)
	} else {
		separator = separatorOf(head, o.Known)
	}
	rows := newRecords(text, separator)
	if declared > 0 {
		rows.next++
	}
	return &Book{Sheets: []*Sheet{{Rows: func(yield func(Row) bool) error {
		return textRows(name, rows, utf16, yield)
	}}}}, nil
}

// textRows yields the rows that contain text, even if it is only blanks.
func textRows(name string, rows *records, utf16 bool, yield func(Row) bool) error {
	var blanks blanks
	for row := (Row{Number: 1}); ; row.Number++ {
		cells, err := rows.read()
		row.Cells, row.Line, row.Cut = cells, rows.line, rows.cut
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return textError(name, row, err)
		}
		if column, problem := damage(rows.text, row.Cells, utf16); column > 0 {
			return &dataset.Fault{Place: PlaceOf(name, "", row, column), Problem: problem}
		}
		if len(bytes.TrimSpace(rows.text)) > 0 {
			blanks.value()
		} else if !blanks.add(1 + (len(row.Cells)+len(rows.text))/32) {
			return &dataset.Fault{Place: PlaceOf(name, "", row, 1), Problem: tooBlank("lines or 32-byte blocks")}
		}
		if len(rows.text) > 0 && !yield(row) {
			return nil
		}
	}
}

// textError converts an error in a row to a fault. It returns an error from reading the file unchanged.
func textError(name string, row Row, err error) error {
	column := 1
	var cell *cellError
	switch {
	case errors.As(err, &cell):
		column, row.Line = cell.column, cell.line
	case !errors.Is(err, errLongRow):
		return err
	}
	return &dataset.Fault{Place: PlaceOf(name, "", row, column), Problem: err.Error()}
}

// damage returns the 1-based column of the first damaged text, or 0. all is the text in all cells.
func damage(all []byte, cells []Cell, utf16 bool) (column int, problem string) {
	if utf8.Valid(all) && bytes.IndexByte(all, 0) < 0 && (!utf16 || !bytes.Contains(all, []byte("\uFFFD"))) {
		return 0, ""
	}
	for i, c := range cells {
		switch {
		case !utf8.ValidString(c.Text):
			return i + 1, "invalid UTF-8, the encoding of the preceding text: " + dataset.Quoted(c.Text)
		case strings.IndexByte(c.Text, 0) >= 0:
			return i + 1, "unexpected zero byte: the file is damaged or is not a text file"
		case utf16 && strings.ContainsRune(c.Text, utf8.RuneError):
			return i + 1, "invalid UTF-16, the encoding of the preceding text: " + dataset.Quoted(c.Text)
		}
	}
	return 0, ""
}
