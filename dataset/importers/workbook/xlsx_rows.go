package workbook

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
)

// A rowReader reads a sheet's rows from its XML.
//
//	<sheetData><row r="7"><c r="D7" s="3" t="s"><f>..</f><v>12</v></c>
//	<c r="E7" t="inlineStr"><is><t>..</t></is></c></row></sheetData>
//
// Rows and cells without a number follow the previous one. All other elements of a sheet are ignored.
type rowReader struct {
	*xlsx
	sheet  *Sheet
	yield  func(Row) bool
	inside bool // whether the reader is inside sheetData
	hidden bool
	closed bool // whether the row is hidden in a closed group
	plain  bool // whether the row has a value that is not struck out
	row    int
	column int
	cells  []Cell
	shared int // bytes of shared strings in the row

	text  []byte // other text in the row, which becomes one string
	spans []span

	// The fields of the current cell.
	kind   string // attribute t of the cell
	format format // format of the cell's style
	struck bool   // whether the cell is struck out by its font or in all pieces of its text
	start  int    // offset of the cell's text
	textState
	formula bool
	valued  bool // whether the cell contains a value element
}

// A span is the position of a cell's text in the row's text.
type span struct{ column, start, end int }

// rows yields the rows in a sheet that have a value.
func (x *xlsx) rows(sheet *Sheet, part *part, yield func(Row) bool) error {
	r := &rowReader{xlsx: x, sheet: sheet, yield: yield}
	err := part.walk(func(token xml.Token) (valued bool, err error) {
		before := len(r.cells)
		err = r.visit(token)
		return len(r.cells) > before, err
	})
	switch {
	case err == nil, errors.Is(err, errStop):
		return nil
	case isContextEnd(err):
		return err
	}
	return &dataset.Fault{Place: PlaceOf(x.input, sheet.Name, Row{Number: max(r.row, 1)}, max(r.column, 1)),
		Problem: "the sheet is truncated or damaged here: " + err.Error()}
}

// errStop ends a walk because the caller needs no more rows.
var errStop = errors.New("stop")

func (r *rowReader) visit(token xml.Token) error {
	r.follow(token)
	switch t := token.(type) {
	case xml.StartElement:
		switch name := t.Name.Local; {
		case !r.inside:
			r.inside = name == "sheetData"
		case name == "row":
			return r.openRow(t)
		case name == "c":
			return r.openCell(t)
		case name == "f":
			r.formula = true
		case name == "v":
			r.valued = true
		}
	case xml.CharData:
		if r.inText && r.inside {
			r.text = append(r.text, t...)
			return r.checkSize()
		}
		if r.formula && !r.valued {
			if link := hyperlink.FindSubmatch(t); link != nil {
				return r.addLink(r.sheet, -r.column, r.row, r.row, string(link[1]))
			}
		}
	case xml.EndElement:
		switch name := t.Name.Local; {
		case !r.inside:
		case name == "c":
			return r.closeCell()
		case name == "row":
			return r.closeRow()
		case name == "sheetData":
			r.inside = false
		}
	}
	return nil
}

func (r *rowReader) openRow(e xml.StartElement) error {
	r.row++
	r.hidden, r.plain = isTrue(attribute(e, "hidden")) || isZero(attribute(e, "ht")), false
	r.closed = r.hidden && attribute(e, "outlineLevel") != ""
	if number := attribute(e, "r"); number != "" {
		n, err := strconv.Atoi(number)
		if err != nil || n < 1 {
			return fmt.Errorf("invalid row number %s", dataset.Quoted(number))
		}
		r.row = n
	}
	if r.row > maxRows {
		return fmt.Errorf("more than %d rows", maxRows)
	}
	r.column, r.cells, r.text, r.spans, r.shared = 0, r.cells[:0], r.text[:0], r.spans[:0], 0
	return nil
}

func (r *rowReader) openCell(e xml.StartElement) error {
	r.column++
	r.kind, r.format, r.start = "", format{kind: Number}, len(r.text)
	r.formula, r.valued = false, false
	style := 0
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "r":
			row, column, ok := cellRef(a.Value)
			if !ok || row != r.row {
				return fmt.Errorf("invalid cell %s in row %d", dataset.Quoted(a.Value), r.row)
			}
			r.column = column
		case "s":
			style, _ = strconv.Atoi(a.Value)
		case "t":
			r.kind = a.Value
		}
	}
	if style >= 0 && style < len(r.formats) {
		r.format = r.formats[style]
	}
	r.struck = r.format.struck
	if r.column > maxColumns {
		return fmt.Errorf("more than %d columns", maxColumns)
	}
	return nil
}

func (r *rowReader) closeRow() error {
	all := string(r.text)
	for _, s := range r.spans {
		r.cells[s.column-1].Text = all[s.start:s.end]
	}
	if len(r.cells) > 0 && !r.yield(Row{Number: r.row, Cells: r.cells, Hidden: r.hidden, Closed: r.closed,
		Struck: !r.plain}) {
		return errStop
	}
	r.cells = r.cells[:0]
	return nil
}

// closeCell adds a cell to the row.
func (r *rowReader) closeCell() error {
	text := r.text[r.start:]
	if r.kind != "str" && r.kind != "inlineStr" {
		text = bytes.TrimSpace(text)
	}
	if len(text) == 0 {
		if r.formula && (r.kind != "str" || !r.valued) { // a formula with an empty result has a value
			return r.put(Cell{Text: "a formula without a stored value (open the file in a spreadsheet program and save it)",
				Kind: Broken})
		}
		return nil
	}
	switch r.kind {
	case "s":
		i, err := strconv.Atoi(string(text))
		if err != nil || i < 0 || i >= r.strings.n {
			return r.put(Cell{Text: "a reference to a missing shared string", Kind: Broken})
		}
		shared := r.strings.at(i)
		if shared == "" {
			return nil
		}
		if !r.struck && len(r.strings.struck) > 0 {
			_, r.struck = slices.BinarySearch(r.strings.struck, i)
		}
		r.shared += len(shared)
		return r.put(Cell{Text: shared, Shared: true})
	case "b":
		if truth, err := strconv.ParseBool(string(text)); err == nil {
			return r.put(Cell{Text: strings.ToUpper(strconv.FormatBool(truth))})
		}
		return r.putText(Text)
	case "d":
		return r.put(dateCell(string(text)))
	case "e":
		return r.putText(Broken)
	case "str", "inlineStr":
		if s := unescaped(string(text)); len(s) != len(text) {
			r.text = append(r.text[:r.start], s...)
		}
		return r.putText(Text)
	}
	return r.closeNumber(text)
}

// closeNumber adds a cell with a number in its style's format, with all digits.
func (r *rowReader) closeNumber(text []byte) error {
	f := r.format
	if f.kind == Date {
		if date, ok := r.date(string(text)); ok {
			return r.put(Cell{Text: date, Kind: Date})
		}
		f.kind = Number
	}
	short, ok := decimal(text)
	if !ok {
		return r.putText(Text)
	}
	if zeros := f.digits - len(short); zeros > 0 && !bytes.ContainsAny(short, "-.") {
		short = append(bytes.Repeat([]byte{'0'}, zeros), short...)
		f.kind = Text
	}
	if f.suffix != "" {
		f.kind = Text
	}
	r.text = append(append(r.text[:r.start], short...), f.suffix...)
	return r.putText(f.kind)
}

// putText adds the cell whose text is at the end of the row's text.
func (r *rowReader) putText(kind Kind) error {
	r.spans = append(r.spans, span{r.column, r.start, len(r.text)})
	return r.put(Cell{Kind: kind})
}

// put adds a cell at its column.
func (r *rowReader) put(c Cell) error {
	if r.column <= len(r.cells) {
		return errors.New("a cell is to the left of the previous cell")
	}
	for len(r.cells) < r.column-1 {
		r.cells = append(r.cells, Cell{})
	}
	r.cells = append(r.cells, c)
	r.plain = r.plain || !r.struck
	return r.checkSize()
}

// checkSize returns an error if the row contains too much text.
func (r *rowReader) checkSize() error {
	if len(r.text)+r.shared > maxRow {
		return fmt.Errorf("a row of more than %d MiB", maxRow>>20)
	}
	return nil
}
