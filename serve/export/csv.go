package export

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/tidwall/gjson"

	"sabine/indexes/column"
	"sabine/runtime"
)

// csv writes a table as RFC 4180 has it, its rows ended by CR LF: a row an entry, and one without entry for a product that has
// none.
func (p *pieces) csv(g *runtime.Generation, products *runtime.Selection, semicolon bool) error {
	t := &csvTable{
		pieces: p, separator: ',', point: '.',
		productValues: make([]gjson.Result, len(productColumns)), productMaps: make([]gjson.Result, len(productCurves)),
		entryValues: make([]gjson.Result, len(entryColumns)), entryMaps: make([]gjson.Result, len(entryCurves)),
	}
	if semicolon {
		t.separator, t.point = ';', ','
		t.b = append(t.b, "\uFEFF"...)
	}
	t.header()
	var detail []byte
	for d := range products.ByID() {
		detail = g.AppendDetail(detail[:0], d, true)
		t.product(gjson.Parse(column.String(detail)), g.Unshown(d))
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
	head             []byte   // the cells of the product, which its rows begin with
	empty            []string // the fields of the row that column empty names

	productValues, productMaps, entryValues, entryMaps []gjson.Result // by column or curve, of the product and of the entry
}

func (t *csvTable) header() {
	cell := func(name string) { t.b = append(append(t.b, name...), t.separator) }
	columns := func(names []string, curves []curve) {
		for _, name := range names {
			cell(name)
		}
		for _, c := range curves {
			for _, band := range c.bands {
				cell(c.field + " " + band + " Hz")
			}
		}
	}
	columns(productColumns, productCurves)
	columns(entryColumns, entryCurves)
	t.endRow()
}

// endRow puts the end of the row in place of the last separator.
func (t *csvTable) endRow() { t.b = append(t.b[:len(t.b)-1], "\r\n"...) }

var (
	productPlaces = places(productColumns, func(column string) string { return column })
	entryPlaces   = places(entryColumns, func(column string) string { return strings.TrimPrefix(column, "entry_") })
	emptyPlace    = slices.Index(entryColumns, "empty")
)

// product writes the rows of a product.
func (t *csvTable) product(detail gjson.Result, unshown runtime.Unshown) {
	values, curves := t.productValues, t.productMaps
	clear(values)
	clear(curves)
	var entries gjson.Result
	t.empty = t.empty[:0]
	detail.ForEach(func(key, value gjson.Result) bool {
		switch place, ok := productPlaces[key.Str]; {
		case ok:
			values[place] = value
		case key.Str == "measurements":
			entries = value
		default:
			t.keepCurve(productCurves, curves, key.Str, value)
		}
		return true
	})
	addUnshown(values, &unshown)
	start := len(t.b)
	t.cells(productColumns, values)
	t.curves(productCurves, curves)
	t.head = append(t.head[:0], t.b[start:]...)
	t.b = t.b[:start]

	ofProduct, rows := len(t.empty), 0
	for _, norm := range norms {
		number := 0
		entries.Get(norm.array).ForEach(func(_, entry gjson.Result) bool {
			t.empty = t.empty[:ofProduct]
			number++
			t.row(norm.name, number, entry)
			return true
		})
		rows += number
	}
	if rows == 0 {
		t.row("", 0, gjson.Result{})
	}
}

// addUnshown fills in the values that the detail of a product does not have.
func addUnshown(values []gjson.Result, u *runtime.Unshown) {
	add := func(column, text string) {
		if text != "" {
			values[productPlaces[column]] = textOf(text)
		}
	}
	if u.LabelEN != values[productPlaces["label"]].Str {
		add("label_en", u.LabelEN)
	}
	add("manufacturer_slug", u.Manufacturer.Slug)
	add("manufacturer_id", u.Manufacturer.ID)
	if u.DescriptionEN != nil {
		values[productPlaces["description_en"]] = textOf(*u.DescriptionEN)
	}
	add("data_source", u.DataSource)
	add("absorption_character", u.AbsorptionCharacter)
	add("fire_class", u.FireClass)
	values[productPlaces["purchasable"]] = gjson.Result{Type: gjson.False}
	if u.Purchasable {
		values[productPlaces["purchasable"]] = gjson.Result{Type: gjson.True}
	}
	if u.AlphaWMin != 0 || values[productPlaces["alpha_w"]].Type == gjson.Number { // without both it is 0 where it is shown
		values[productPlaces["alpha_w_min"]] = gjson.Result{Type: gjson.Number, Raw: strconv.FormatFloat(u.AlphaWMin, 'f', -1, 64)}
	}
}

func textOf(s string) gjson.Result { return gjson.Result{Type: gjson.String, Str: s} }

// row writes the row of an entry, which has a number within its norm.
func (t *csvTable) row(norm string, number int, entry gjson.Result) {
	values, curves := t.entryValues, t.entryMaps
	clear(values)
	clear(curves)
	entry.ForEach(func(key, value gjson.Result) bool {
		if place, ok := entryPlaces[key.Str]; ok {
			values[place] = value
		} else {
			t.keepCurve(entryCurves, curves, key.Str, value)
		}
		return true
	})
	if norm != "" {
		values[entryPlaces["norm"]] = textOf(norm)
		values[entryPlaces["number"]] = gjson.Result{Type: gjson.Number, Raw: strconv.Itoa(number)}
	}
	t.b = append(t.b, t.head...)
	t.cells(entryColumns[:emptyPlace], values)
	t.text(strings.Join(t.empty, " "))
	t.curves(entryCurves, curves)
	t.endRow()
}

// keepCurve puts a frequency map in its place, and names one without bands.
func (t *csvTable) keepCurve(curves []curve, values []gjson.Result, field string, value gjson.Result) {
	place := slices.IndexFunc(curves, func(c curve) bool { return c.field == field })
	if place < 0 {
		return
	}
	values[place] = value
	if value.Raw == "{}" {
		t.empty = append(t.empty, field)
	}
}

// cells writes the values of columns. An empty text is named by the column empty.
func (t *csvTable) cells(columns []string, values []gjson.Result) {
	for i, name := range columns {
		switch v := values[i]; v.Type {
		case gjson.String:
			if v.Str == "" {
				t.empty = append(t.empty, name)
			}
			t.text(v.Str)
		case gjson.Number:
			t.number(v)
		case gjson.True:
			t.text("true")
		case gjson.False:
			t.text("false")
		case gjson.JSON:
			if name == "installation_types" {
				t.text(listOf(v))
			} else {
				t.text(v.Raw)
			}
		default:
			t.text("")
		}
	}
}

// listOf returns a list of texts as one text.
func listOf(array gjson.Result) string {
	var list []string
	for _, v := range array.Array() {
		if strings.ContainsAny(v.Str, ",;|/[") || strings.TrimSpace(v.Str) != v.Str {
			return array.Raw
		}
		list = append(list, v.Str)
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
		t.b = append(append(t.b, strings.ReplaceAll(s, `"`, `""`)...), '"')
	} else {
		t.b = append(t.b, s...)
	}
	t.b = append(t.b, t.separator)
}

// number writes a number without an exponent.
func (t *csvTable) number(v gjson.Result) {
	start := len(t.b)
	if strings.ContainsAny(v.Raw, "eE") {
		t.b = strconv.AppendFloat(t.b, v.Num, 'f', -1, 64)
	} else {
		t.b = append(t.b, v.Raw...)
	}
	if i := slices.Index(t.b[start:], '.'); i >= 0 {
		t.b[start+i] = t.point
	}
	t.b = append(t.b, t.separator)
}

// curves writes the values of frequency maps, whose bands ascend as the columns do.
func (t *csvTable) curves(curves []curve, values []gjson.Result) {
	for i, c := range curves {
		bands := c.bands
		if values[i].IsObject() {
			values[i].ForEach(func(band, value gjson.Result) bool {
				if place := slices.Index(bands, band.Str); place >= 0 {
					t.skip(place)
					t.number(value)
					bands = bands[place+1:]
				}
				return true
			})
		}
		t.skip(len(bands))
	}
}

// skip writes cells without a value.
func (t *csvTable) skip(cells int) {
	for range cells {
		t.b = append(t.b, t.separator)
	}
}
