package table

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"

	"sabine/dataset"
	"sabine/dataset/importers/workbook"
	"sabine/dataset/product"
)

// A rowReader reads the cells of one row.
type rowReader struct {
	*tableContext
	*reading

	named, byNorm   Quantity // by the row's cell for the quantity, and for the norm
	namedResolution Resolution
	other           bool // either names what is none of our quantities

	norm     int // the column of norms, and its cell where that is more than a norm's name
	normText string

	frequency     int // the column of a long table's frequencies, and the row's cell there
	frequencyText string

	overfull bool // the rest is
	shared   bool // the cell's text is, see workbook.Cell
}

// kept returns a text that is kept beyond its row: a shared string as it is, since many cells may have it.
func (r *rowReader) kept(text string) string {
	if r.shared {
		return text
	}
	return strings.Clone(text)
}

// readRow reads the cells of a row; nil for one without a value. The reading is valid until the next row; its faults and warnings are its own,
// and the points of its curves.
func (t *tableContext) readRow(row workbook.Row) *reading {
	if len(t.states) < len(t.columns) {
		t.begin()
	}
	t.coefficients, t.longCells = t.coefficients[:0], t.longCells[:0]
	t.atHand = reading{table: t, row: row.Number, line: row.Line, texts: t.atHand.texts[:0], rest: t.atHand.rest[:0], curves: t.atHand.curves[:0]}
	r := rowReader{tableContext: t, reading: &t.atHand}
	for i := range row.Cells {
		cell := &row.Cells[i]
		if cell.Text == "" {
			continue
		}
		r.shared = cell.Shared
		text := cell.Text
		if !t.ours || i >= len(t.columns) || t.columns[i].BandHz > 0 {
			if text = strings.TrimSpace(text); text == "" {
				continue
			}
		}
		switch {
		case i >= len(t.columns):
			r.surplus(i+1, text)
		case t.columns[i].Ignored:
		case cell.Kind == workbook.Broken:
			r.broken(i, text)
		case t.columns[i].BandHz > 0:
			r.coefficient(i, cell.Kind, text, t.columns[i].BandHz)
		default:
			r.field(i, cell.Kind, text)
		}
	}
	if t.long {
		r.settleFrequency()
	}
	r.settleNorm()
	r.settleCurves()
	if r.isEmpty() {
		return nil
	}
	return r.reading
}

// isEmpty reports whether a row says nothing.
func (r *reading) isEmpty() bool {
	return len(r.texts) == 0 && len(r.rest) == 0 && len(r.curves) == 0 && len(r.faults) == 0 && len(r.warnings) == 0 &&
		r.thicknessMM == nil && r.airGapMM == nil && r.overallDepthMM == nil
}

// fault notes what is wrong with a cell, by the index of its column.
func (r *rowReader) fault(i int, problem string) {
	r.faults = append(r.faults, dataset.Fault{Place: r.reading.placeAt(i + 1), Path: r.header(i), Problem: problem})
}

// tell notes what is doubtful about a column, once a table.
func (r *rowReader) tell(i int, problem string) {
	if !r.states[i].told {
		r.states[i].told = true
		r.warnings = append(r.warnings, dataset.Fault{Place: r.reading.placeAt(i + 1), Path: r.header(i), Problem: problem})
	}
}

// header returns a column's name, "" for one that has none.
func (r *rowReader) header(i int) string {
	if i >= len(r.columns) {
		return ""
	}
	return r.columns[i].Header
}

// namelessKey is where a cell is kept whose column has no name.
const namelessKey = "remark"

// keep puts a text in the rest, under its column's name. Columns with the same name share an entry.
func (r *rowReader) keep(key, text string) {
	if r.overfull {
		return
	}
	key, text = cmp.Or(key, namelessKey), r.kept(text)
	for i := range r.rest {
		if r.rest[i].Key == key {
			r.rest[i].Value += "; " + text
			r.full(len(r.rest[i].Value) > maxRestBytes)
			return
		}
	}
	if r.full(len(r.rest) == maxRest) {
		return
	}
	r.rest = append(r.rest, product.MetaEntry{Key: key, Value: text})
}

// The bounds of a row's rest, which are over those of a record: to gather far more would take a row long in which it has no place.
const (
	maxRest      = 1000
	maxRestBytes = 1 << 20
)

// full notes whether the rest is over its bounds, which is a fault.
func (r *rowReader) full(over bool) bool {
	if r.overfull = over; over {
		r.faults = append(r.faults, dataset.Fault{Place: r.reading.placeAt(1), Path: "structured_meta",
			Problem: "more cells of columns that no rule knows than a product can have"})
	}
	return over
}

// refuse keeps a cell that its field cannot hold.
func (r *rowReader) refuse(i int, text, why string) {
	r.tell(i, dataset.Quoted(text)+" "+why+", and is kept as text in structured_meta, as are others like it")
	r.keep(r.header(i), text)
}

// surplus takes a cell behind the last column that has a name. In CSV it is what a comma too many has made of a row.
func (r *rowReader) surplus(cell int, text string) {
	if r.line > 0 {
		r.fault(cell-1, "more cells than the header has columns: "+dataset.Quoted(text))
		return
	}
	r.keep("", text)
}

// broken takes a cell whose value is not stored. In a column that no rule knows it is nothing worse than lost.
func (r *rowReader) broken(i int, why string) {
	if !r.columns[i].known() {
		r.tell(i, "no value: "+why)
		return
	}
	r.fault(i, "expected a value, got "+why)
}

// add adds a text of a field. Of two columns of one field the first speaks, the other is kept under its name.
func (r *rowReader) add(i int, f Field, text string) {
	for k := range r.texts {
		if before := &r.texts[k]; before.field == f {
			switch {
			case f == FieldImages && before.text[0] == '[' && text[0] == '[':
				before.text = strings.TrimSuffix(before.text, "]") + "," + text[1:]
			case before.text != text:
				r.refuse(i, text, "is not what "+dataset.Quoted(before.header)+" says")
			}
			return
		}
	}
	r.texts = append(r.texts, fieldText{f, text, r.columns[i].Header, i + 1})
}

// field reads a cell of a column that is not one of bands.
func (r *rowReader) field(i int, kind workbook.Kind, text string) {
	c, s := &r.columns[i], &r.states[i]
	if kind == workbook.Text {
		text = withoutApostrophe(text)
	}
	if !r.ours && isAbsent(text, c.Field) {
		return
	}
	switch c.Field {
	case FieldNone:
		if c.StrayHz > 0 {
			r.stray(i, c.StrayHz, c.Header, text)
		} else {
			r.keep(c.Header, text)
		}
	case FieldThickness:
		r.length(i, kind, text, &r.thicknessMM, &r.lengths[0])
	case FieldAirGap:
		r.length(i, kind, text, &r.airGapMM, &r.lengths[1])
	case FieldOverallDepth:
		r.length(i, kind, text, &r.overallDepthMM, &r.lengths[2])
	case FieldWidth, FieldHeight, FieldDepth:
		if mm, ok := r.readLength(i, kind, text); ok && mm > 0 {
			r.add(i, c.Field, formatNumber(mm))
		} else if ok {
			r.refuse(i, text, "is no length over 0")
		}
	case FieldSize:
		if size, ok := sizeOf(c, kind, text, r.comma); ok {
			r.add(i, c.Field, r.kept(size))
		} else {
			r.refuse(i, text, `is no size such as "600 x 600 x 40 mm"`)
		}
	case FieldAlphaW:
		r.alphaW(i, kind, text)
	case FieldNRC, FieldSAA, FieldAlphaWMin:
		if c.Field != FieldAlphaWMin && r.ours {
			return
		}
		if rating, ok := ratingOf(c, kind, text); ok {
			r.rating(i, c.Field, rating)
		} else {
			r.refuse(i, text, "is no number")
		}
	case FieldHasEPD, FieldEPDURL:
		r.declaration(i, kind, text)
	case FieldNorm:
		r.readNorm(i, text)
	case FieldQuantity:
		if q, resolution := s.quantityOf(text); q != "" && !s.foreign {
			r.named, r.namedResolution = q, resolution
		} else {
			r.other = r.other || isOtherCell(text)
			r.refuse(i, text, "names no quantity")
		}
	case FieldFrequency, FieldCoefficient:
		r.longCell(i, kind, text)
	default:
		r.formed(i, kind, text)
	}
}

// declaration reads whether there is an environmental product declaration, or where: either may stand under the other's name.
func (r *rowReader) declaration(i int, kind workbook.Kind, text string) {
	c := &r.columns[i]
	if _, ok := isAddress(c, kind, text); ok {
		r.add(i, FieldEPDURL, r.kept(text))
	} else if has, ok := booleanOf(c, kind, text); ok {
		r.add(i, FieldHasEPD, has)
	} else {
		r.refuse(i, text, "is neither yes nor no nor an address with https://")
	}
}

// formed reads a cell of a field that is a text, in its form.
func (r *rowReader) formed(i int, kind workbook.Kind, text string) {
	c, s := &r.columns[i], &r.states[i]
	if text != s.lastText {
		formed, ok := text, true
		if s.form != nil {
			formed, ok = s.form(c, kind, text)
		}
		if !ok {
			r.refuse(i, text, "is not "+valuesOf(c.Field))
			return
		}
		s.lastForm = r.kept(formed)
		if s.lastText = s.lastForm; formed != text {
			s.lastText = strings.Clone(text)
		}
	}
	r.add(i, c.Field, s.lastForm)
}

// withoutApostrophe takes off the apostrophe by which a text is kept from being run as a formula, or from becoming a number.
func withoutApostrophe(text string) string {
	const kept = "=+-@＝＋－＠\t\r'0123456789"
	rest, ok := strings.CutPrefix(text, "'")
	if first, _ := utf8.DecodeRuneInString(rest); ok && rest != "" && strings.ContainsRune(kept, first) {
		return rest
	}
	return text
}

// absentCells are cells that say that there is no value.
var absentCells = []string{
	"-", "--", "---", "–", "—", "/", "n/a", "na", "n.a.", "k.a.", "k. a.", "null", "nan", "npd", "keine angabe", "n. a.", "#n/a", "#nv", "n.v.", "n.b.",
}

// isAbsent reports whether a cell says that there is no value. In a column that no rule knows only dashes do.
func isAbsent(text string, f Field) bool {
	if len(text) > 12 {
		return false
	}
	switch text[0] {
	case '-', '/', "–"[0]:
		return slices.Contains(absentCells, text)
	case 'n', 'N', 'k', 'K', '#':
		return f != FieldNone && slices.ContainsFunc(absentCells, func(absent string) bool { return strings.EqualFold(absent, text) })
	}
	return false
}

// length reads a length to its place. Of two columns of one length the first speaks.
func (r *rowReader) length(i int, kind workbook.Kind, text string, to **float64, value *float64) {
	mm, ok := r.readLength(i, kind, text)
	switch {
	case !ok:
	case *to == nil:
		*to, *value = value, mm
	case **to != mm:
		r.refuse(i, text, "is not what another column says")
	}
}

// readLength reads a length in millimetres, and notes what units its column has.
func (r *rowReader) readLength(i int, kind workbook.Kind, text string) (mm float64, ok bool) {
	c, s := &r.columns[i], &r.states[i]
	mm, own, ok := lengthOf(c, kind, text, r.comma)
	switch {
	case !ok:
		r.refuse(i, text, "is no length in mm, cm, m or inches")
	case own != "" && c.Unit != "" && own != c.Unit:
		r.fault(i, "mixed units: the column's name says "+c.Unit+", got "+dataset.Quoted(text))
		return 0, false
	case c.Unit == "" && own == "" && mm != 0 && s.bare.text == "":
		s.bare = lengthCell{r.reading.placeAt(i + 1), r.kept(text)}
	case c.Unit == "" && own == "mm":
		s.inMM++
	case c.Unit == "" && own != "":
		if s.inOther++; s.other.text == "" {
			s.other = lengthCell{r.reading.placeAt(i + 1), r.kept(text)}
		}
	}
	return mm, ok
}

// unmarked ends what is said of a number that is too large.
const unmarked = "; a percentage needs a % in its cell or in its column's name"

// rating adds a rating of absorption. One over the limit is a percentage that does not say so.
func (r *rowReader) rating(i int, f Field, rating string) {
	limit := 1.0
	if f != FieldAlphaW && f != FieldAlphaWMin {
		limit = product.AbsorptionLimit
	}
	if n, ok := parseNumber(rating); !ok || n.value(false) > limit {
		r.fault(i, rating+" is no rating: expected 0 to "+formatNumber(limit)+unmarked)
		return
	}
	r.add(i, f, r.kept(rating))
}

// alphaW reads a weighted coefficient; its shape letters are a field of their own.
func (r *rowReader) alphaW(i int, kind workbook.Kind, text string) {
	rating, letters, ok := alphaWOf(&r.columns[i], kind, text)
	if !ok {
		r.refuse(i, text, `is no rating such as "0.55 (MH)"`)
		return
	}
	r.rating(i, FieldAlphaW, rating)
	if letters != "" {
		r.add(i, FieldShapeInd, letters)
	}
}

// readNorm reads the norm of a row, which says what its coefficients are.
func (r *rowReader) readNorm(i int, text string) {
	r.byNorm, _ = r.states[i].quantityOf(text)
	r.other = r.other || r.states[i].foreign
	if norm := r.byNorm.norm(); norm != "" {
		r.add(i, FieldNorm, norm)
		if norm == text {
			return
		}
	}
	if strings.ContainsAny(text, "0123456789") { // a norm, not words for one
		r.norm, r.normText = i, text
	}
}

// settleNorm makes the cell of a norm that is more than the norm's name the source norm, if the row has no other.
func (r *rowReader) settleNorm() {
	hasOwn := slices.ContainsFunc(r.texts, func(t fieldText) bool { return t.field == FieldSourceNorm })
	if r.normText != "" && !hasOwn && !r.ours {
		r.add(r.norm, FieldSourceNorm, r.kept(r.normText))
	}
}
