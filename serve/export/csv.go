package export

import (
	"bytes"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sabine/dataset/acoustics"
	"sabine/dataset/jsonwriter"
	"sabine/dataset/product"
	"sabine/runtime"
)

// csv writes a table according to RFC 4180 with a row for each entry, or one row for a product without
// entries. Rows end with CR LF. The columns are the columns of package product and these columns of an entry:
//
//	entry_number  the number of the entry in its norm, from 1, so that an import can restore the order
//	norm          the standard of the array that contains the entry, independent of source_norm
//	empty         the columns of the row with an empty text or a curve without bands: an empty cell is null
//
// A curve has a column for each band, named by field, band and unit: "alpha_s_third_octave 630 Hz".
// structured_meta, images and geometry are JSON. installation_types are separated by ", ", or are a JSON
// array if one of them contains a character that separates values in tables. label_en and description_en are
// empty if they are equal to the German texts.
func (p *pieces) csv(g *runtime.Generation, products *runtime.Selection, semicolon bool) error {
	t := &csvTable{pieces: p, separator: ',', point: '.'}
	if semicolon {
		t.separator, t.point = ';', ','
		t.b = append(t.b, "\uFEFF"...)
	}
	t.header()
	var r runtime.ProductReader
	for d := range products.ByID() {
		t.product(r.Product(g, d))
		if err := p.next(); err != nil {
			return err
		}
	}
	return nil
}

// A csvTable is a CSV table that is being written.
type csvTable struct {
	*pieces
	separator, point byte
	head             []byte          // cells of the product, with which all its rows begin
	values           []product.Value // values of the product
	entry            product.EntryRow
	empty            []string // names of columns to list in the column empty of the current row
}

func (t *csvTable) header() {
	t.names(product.ProductColumns)
	t.text("entry_number")
	t.text("norm")
	t.names(product.EntryColumns[:firstCurve])
	t.text("empty")
	t.names(product.EntryColumns[firstCurve:])
	t.endRow()
}

// firstCurve is the index of the first curve among the columns of an entry.
var firstCurve = slices.IndexFunc(product.EntryColumns, func(c product.Column) bool { return c.BandsHz != nil })

// names writes the names of the given columns.
func (t *csvTable) names(columns []product.Column) {
	for _, c := range columns {
		for _, hz := range c.BandsHz {
			t.text(c.Name + " " + strconv.Itoa(hz) + " Hz")
		}
		if c.BandsHz == nil {
			t.text(c.Name)
		}
	}
}

// endRow replaces the last separator by the end of the row.
func (t *csvTable) endRow() { t.b = append(t.b[:len(t.b)-1], "\r\n"...) }

// product writes the rows of a product.
func (t *csvTable) product(p *product.Product) {
	t.values = p.Values(t.values[:0])
	t.empty = appendEmpty(t.empty[:0], product.ProductColumns, t.values)
	start := len(t.b) // the cells are written here only to be moved to head
	t.cells(product.ProductColumns, t.values)
	t.head = append(t.head[:0], t.b[start:]...)
	t.b = t.b[:start]

	ofProduct, rows := len(t.empty), 0 // ofProduct is the number of the product's columns in empty
	for row := range p.EntryRows(&t.entry) {
		t.empty = t.empty[:ofProduct]
		t.row(row)
		rows++
	}
	if rows == 0 {
		t.row(t.entry.Clear())
	}
}

// row writes the row of an entry.
func (t *csvTable) row(row *product.EntryRow) {
	t.empty = appendEmpty(t.empty, product.EntryColumns, row.Values)
	t.b = append(t.b, t.head...)
	number := ""
	if row.Number > 0 {
		number = strconv.Itoa(row.Number)
	}
	t.text(number)
	t.text(row.Norm)
	t.cells(product.EntryColumns[:firstCurve], row.Values)
	t.text(strings.Join(t.empty, " "))
	t.cells(product.EntryColumns[firstCurve:], row.Values[firstCurve:])
	t.endRow()
}

// appendEmpty appends the names of the columns that have a curve without bands, then the names of the columns
// that have an empty text.
func appendEmpty(dst []string, columns []product.Column, values []product.Value) []string {
	for i, v := range values {
		if v.Curve != nil && len(v.Curve) == 0 {
			dst = append(dst, columns[i].Name)
		}
	}
	for i, v := range values {
		if v.Cell.Kind == product.TextCell && v.Cell.Text == "" {
			dst = append(dst, columns[i].Name)
		}
	}
	return dst
}

// cells writes the values in the given columns.
func (t *csvTable) cells(columns []product.Column, values []product.Value) {
	for i, c := range columns {
		switch cell := &values[i].Cell; {
		case c.BandsHz != nil:
			t.curve(c.BandsHz, values[i].Curve)
		case cell.Kind == product.NumberCell:
			t.number(cell.Number)
		case cell.Kind == product.ListCell:
			t.text(listOf(cell.List))
		default:
			t.text(cell.Text)
		}
	}
}

// listOf joins the items of a list.
func listOf(list []string) string {
	for _, text := range list {
		if strings.ContainsAny(text, ",;|/[") || strings.TrimSpace(text) != text {
			array := jsonwriter.Text{ShortEscapes: true}
			array.Strings(list)
			return string(array.Bytes())
		}
	}
	return strings.Join(list, ", ")
}

// formulaStarts contains the first characters of texts that spreadsheets evaluate as formulas, and the
// apostrophe, which prevents this. Some spreadsheets interpret full-width characters as ASCII characters.
const formulaStarts = "=+-@＝＋－＠\t\r'"

// text writes a text, preceded by an apostrophe if it begins with one of formulaStarts.
func (t *csvTable) text(s string) {
	quoted := strings.IndexByte(s, t.separator) >= 0 || strings.ContainsAny(s, "\"\r\n")
	if quoted {
		t.b = append(t.b, '"')
	}
	if first, _ := utf8.DecodeRuneInString(s); strings.ContainsRune(formulaStarts, first) {
		t.b = append(t.b, '\'')
	}
	if quoted {
		for i := strings.IndexByte(s, '"'); i >= 0; i = strings.IndexByte(s, '"') {
			t.b = append(append(t.b, s[:i+1]...), '"')
			s = s[i+1:]
		}
		t.b = append(append(t.b, s...), '"')
	} else {
		t.b = append(t.b, s...)
	}
	t.b = append(t.b, t.separator)
}

// number writes a number without an exponent.
func (t *csvTable) number(v float64) {
	start := len(t.b)
	t.b = jsonwriter.AppendPlain(t.b, v)
	if i := bytes.IndexByte(t.b[start:], '.'); i >= 0 {
		t.b[start+i] = t.point
	}
	t.b = append(t.b, t.separator)
}

// curve writes the values of a curve. The bands of the curve and of the columns are in ascending order.
func (t *csvTable) curve(bandsHz []int, c acoustics.Curve) {
	for _, hz := range bandsHz {
		if len(c) > 0 && c[0].BandHz == hz {
			t.number(c[0].Value)
			c = c[1:]
		} else {
			t.b = append(t.b, t.separator)
		}
	}
}
