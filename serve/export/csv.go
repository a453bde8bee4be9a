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

// csv writes a table as RFC 4180 has it, its rows ended by CR LF: a row an entry, and one without entry for a
// product that has none. The columns are those of package product, and of an entry:
//
//	entry_number  counts the entries of a norm from 1, so that their order can be read back
//	norm          the standard that the array is for, whatever source_norm says
//	empty         the columns of the row that hold an empty text or a curve without bands, since an empty cell is null
//
// A curve has a column a band, called after the field, the band and its unit: "alpha_s_third_octave 630 Hz".
// structured_meta, images and geometry are JSON. installation_types are separated by ", "; they are a JSON
// array when one of them has a character that separates values in tables. label_en and description_en are
// empty where they are the German ones.
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

// A csvTable is a CSV table being written.
type csvTable struct {
	*pieces
	separator, point byte
	head             []byte          // the cells of the product, which its rows begin with
	values           []product.Value // of the product
	entry            product.EntryRow
	empty            []string // the columns of the row that column empty names
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

// firstCurve is the place of the first frequency map among the columns of an entry.
var firstCurve = slices.IndexFunc(product.EntryColumns, func(c product.Column) bool { return c.BandsHz != nil })

// names writes the names of columns.
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

// endRow puts the end of the row in place of the last separator.
func (t *csvTable) endRow() { t.b = append(t.b[:len(t.b)-1], "\r\n"...) }

// product writes the rows of a product.
func (t *csvTable) product(p *product.Product) {
	t.values = p.Values(t.values[:0])
	t.empty = appendEmpty(t.empty[:0], product.ProductColumns, t.values)
	start := len(t.b)
	t.cells(product.ProductColumns, t.values)
	t.head = append(t.head[:0], t.b[start:]...)
	t.b = t.b[:start]

	ofProduct, rows := len(t.empty), 0
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

// appendEmpty appends the names of the columns that hold a curve without bands, then of those that hold an
// empty text.
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

// cells writes the values of columns.
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

// listOf returns a list of texts as one text.
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

// formulas are what a text may begin with that a spreadsheet would run, and what keeps it from that.
// Some spreadsheets read full-width signs as the others.
const formulas = "=+-@＝＋－＠\t\r'"

// text writes a text. An apostrophe comes before what a spreadsheet would run.
func (t *csvTable) text(s string) {
	quoted := strings.IndexByte(s, t.separator) >= 0 || strings.ContainsAny(s, "\"\r\n")
	if quoted {
		t.b = append(t.b, '"')
	}
	if first, _ := utf8.DecodeRuneInString(s); s != "" && strings.ContainsRune(formulas, first) {
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

// curve writes the values of a frequency map, whose bands ascend as the columns do.
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
