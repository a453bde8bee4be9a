package workbook

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// A records reads rows of text: cells between separators, one row per line, ending with LF, CR LF or CR. A
// quoted cell can contain separators, line ends and doubled quotes.
//
// encoding/csv rejects the quote of `12" Panel` in an unquoted cell. With LazyQuotes it accepts an unclosed
// quote and reads the following rows as part of the cell. Here a quote inside an unquoted cell is a
// character, and an unclosed quote is a fault.
type records struct {
	r         io.Reader
	separator byte
	buf       []byte // bytes read from r
	pos, end  int    // unread range of buf
	err       error  // error from r

	line   int  // line of the row
	next   int  // number of the following line
	afterR bool // whether the row ended with CR, so that a following LF belongs to it
	cut    bool // whether the row has no line end

	text  []byte // text of all cells in the row
	ends  []int
	cells []Cell
}

// A cellError is the error of an invalid cell.
type cellError struct {
	column, line int // line where the cell begins
	problem      string
}

func (e *cellError) Error() string { return e.problem }

// errLongRow is returned for a row with more than maxRow bytes.
var errLongRow = fmt.Errorf("a row of more than %d MiB: check for an unclosed quote", maxRow>>20)

func newRecords(r io.Reader, separator byte) *records {
	return &records{r: r, separator: separator, buf: make([]byte, 64<<10), next: 1}
}

// more reports whether there is another byte at pos.
func (d *records) more() bool {
	for d.pos == d.end && d.err == nil {
		d.pos = 0
		d.end, d.err = d.r.Read(d.buf)
	}
	return d.pos < d.end
}

// read returns the cells of the next row, at least one. They are valid until the next call. The error is
// io.EOF at the end, a *cellError, errLongRow, or an error from the reader.
func (d *records) read() ([]Cell, error) {
	if d.afterR && d.more() && d.buf[d.pos] == '\n' {
		d.pos++
	}
	d.line, d.afterR, d.text, d.ends, d.cells = d.next, false, d.text[:0], d.ends[:0], d.cells[:0]
	if !d.more() {
		return nil, d.err
	}
	for {
		last, err := d.cell()
		if err != nil {
			return nil, err
		}
		if d.ends = append(d.ends, len(d.text)); last {
			break
		}
		if len(d.ends) == maxColumns {
			return nil, &cellError{maxColumns, d.next, fmt.Sprintf("more than %d columns", maxColumns)}
		}
	}
	all, start := string(d.text), 0
	for _, end := range d.ends {
		d.cells = append(d.cells, Cell{Text: all[start:end]})
		start = end
	}
	return d.cells, nil
}

// cell reads a cell and its end. It reports whether it is the last cell of the row.
func (d *records) cell() (last bool, err error) {
	start := len(d.text)
	for len(d.text) <= maxRow && d.more() && d.buf[d.pos] == ' ' {
		d.text = append(d.text, ' ')
		d.pos++
	}
	if d.more() && d.buf[d.pos] == '"' { // blanks before a quote do not belong to the cell
		d.text = d.text[:start]
		if err := d.quoted(); err != nil {
			return false, err
		}
		return d.afterQuotes()
	}
	for d.more() {
		rest := d.buf[d.pos:d.end]
		n := 0
		for n < len(rest) && rest[n] != d.separator && rest[n] != '\n' && rest[n] != '\r' {
			n++
		}
		d.text = append(d.text, rest[:n]...)
		if d.pos += n; len(d.text) > maxRow {
			return false, errLongRow
		}
		if n < len(rest) {
			return d.ended(), nil
		}
	}
	return true, d.atEnd()
}

// ended skips the end of a cell. It reports whether it also ends the row.
func (d *records) ended() bool {
	b := d.buf[d.pos]
	d.pos++
	if b == d.separator {
		return false
	}
	d.next++
	d.afterR = b == '\r'
	return true
}

// atEnd registers a row that ends with the file.
func (d *records) atEnd() error {
	d.cut = true
	if errors.Is(d.err, io.EOF) {
		return nil
	}
	return d.err
}

// quoted reads a quoted cell, from its opening to its closing quote.
func (d *records) quoted() error {
	d.pos++
	line := d.next
	for d.more() {
		rest := d.buf[d.pos:d.end]
		n := bytes.IndexByte(rest, '"')
		if n < 0 {
			n = len(rest)
		}
		d.next += bytes.Count(rest[:n], []byte("\n"))
		d.text = append(d.text, rest[:n]...)
		if d.pos += n; len(d.text) > maxRow {
			return errLongRow
		}
		if n == len(rest) {
			continue
		}
		if d.pos++; !d.more() || d.buf[d.pos] != '"' {
			return nil
		}
		d.pos++
		d.text = append(d.text, '"')
	}
	if !errors.Is(d.err, io.EOF) {
		return d.err
	}
	return &cellError{len(d.ends) + 1, line, "unclosed quote: the file ends in the cell that begins here"}
}

// afterQuotes reads blanks after a quoted cell, and its end.
func (d *records) afterQuotes() (last bool, err error) {
	for d.more() {
		switch b := d.buf[d.pos]; {
		case b == d.separator, b == '\n', b == '\r':
			return d.ended(), nil
		case b != ' ':
			return false, &cellError{len(d.ends) + 1, d.next,
				"text after the closing quote of a cell: double each quote within a quoted cell"}
		}
		d.pos++
	}
	return true, d.atEnd()
}
