package product

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"sabine/dataset/jsonwriter"
)

// A Record is the stored form of a product in a snapshot: its JSON text, and the positions of the views.
//
// The text consists of four parts: the MaterialDetail; the member geometry with its comma, if there is one; a
// comma and an object with the data that a detail does not show; the members of single views.
type Record struct {
	Text []byte
	Marks
	Public  [2]View // the PublicSearchProduct in German and English; the English view is empty if the two are equal
	Compare View    // the CompareProduct
}

// Marks are offsets in the text of a record, in ascending order.
type Marks struct {
	SummaryEnd, AcousticsEnd       int // ends of the summary, a prefix of the detail, without and with acoustics
	AbsorptionStart, AbsorptionEnd int // the array of ISO 354 entries
	DetailEnd, GeometryEnd         int
	RestEnd                        int // end of the object with the data that a detail does not show
}

// A View is a list of spans in the text of a record. A span is an offset and an end. All spans together form
// a JSON object without its closing brace.
type View = [][2]int

// appendSpan appends a span to a view, or extends the last span if the two are adjacent.
func appendSpan(v View, start, end int) View {
	if n := len(v); n > 0 && v[n-1][1] == start {
		v[n-1][1] = end
		return v
	}
	return append(v, [2]int{start, end})
}

// A Renderer makes the records of products and reuses its memory. It is not safe for concurrent use.
type Renderer struct {
	w      writer
	spans  [][2]int // span of each field's member, including the comma before it
	record Record
	shown  []int // fields of the current view
}

// NewRenderer returns a renderer.
func NewRenderer() *Renderer {
	return &Renderer{w: newWriter(), spans: make([][2]int, len(fields))}
}

func newWriter() writer { return writer{Text: jsonwriter.Text{ShortEscapes: true}} }

// The orders of the keys in views, as indexes in fields.
var (
	publicOrder  = orderBy(func(f *field) int { return f.public })
	compareOrder = orderBy(func(f *field) int { return f.compare })
)

// orderBy returns the fields with a positive sort key, in ascending order.
func orderBy(key func(*field) int) (order []int) {
	for i := range fields {
		if key(&fields[i]) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(key(&fields[a]), key(&fields[b])) })
	return order
}

// Render returns the record of a product. The record is valid until the next call.
func (r *Renderer) Render(p *Product) *Record {
	w, record := &r.w, &r.record
	w.Reset()
	clear(r.spans)
	w.Object(func() {
		r.writeMembers(p, inSummary)
		record.SummaryEnd = w.Len()
		r.writeMembers(p, inAcoustics)
		record.AcousticsEnd = w.Len()
		r.writeMembers(p, inDetail)
	})
	record.AbsorptionStart, record.AbsorptionEnd, record.DetailEnd = w.absorption[0], w.absorption[1], w.Len()
	r.writeMembers(p, inGeometry)
	record.GeometryEnd = w.Len()
	w.Object(func() { r.writeRest(p) })
	record.RestEnd = w.Len()
	record.Public[0] = r.view(record.Public[0][:0], publicOrder, p, minSpan)
	record.Public[1] = record.Public[1][:0]
	if english := p.Label.In(English); english != p.Label.In(German) {
		record.Public[1] = r.translated(record.Public[1], record.Public[0], english)
	}
	record.Compare = r.view(record.Compare[:0], compareOrder, p, 0)
	key := w.Len()
	w.Key("absorption_iso354") // the value is a span of the detail
	record.Compare = appendSpan(record.Compare, key, w.Len())
	record.Compare = appendSpan(record.Compare, record.AbsorptionStart, record.AbsorptionEnd)
	record.Text = w.Bytes()
	return record
}

// writeRest writes the data that a detail does not show. It omits a null unless a view shows it.
func (r *Renderer) writeRest(p *Product) {
	w := &r.w
	for i := range fields {
		f, before := &fields[i], w.Len()
		switch {
		case f.part == inRest:
			r.writeMember(i, p)
			if f.public == 0 && f.compare == 0 && bytes.HasSuffix(w.Bytes(), null) {
				w.Truncate(before)
			}
		case f.rest != nil:
			w.QuotedKey(f.key)
			if !f.rest(w, p) {
				w.Truncate(before)
			}
		}
	}
}

var null = []byte(":null")

// writeMembers writes the fields of a part.
func (r *Renderer) writeMembers(p *Product, of part) {
	for i := range fields {
		if fields[i].part == of {
			r.writeMember(i, p)
		}
	}
}

// writeMember writes a field and records its span.
func (r *Renderer) writeMember(i int, p *Product) {
	start := r.w.Len()
	r.w.QuotedKey(fields[i].key)
	fields[i].write(&r.w, p)
	r.spans[i] = [2]int{start, r.w.Len()}
}

// minSpan is the minimum length of a span in a public item, in bytes. Shorter runs of members are copied to
// the end of the text, so that an item consists of few spans.
const minSpan = 128

// view appends the spans of a view. It writes members of single views to the end of the text. It also copies
// runs of members with fewer than shortest bytes there, and later views use the copies.
func (r *Renderer) view(v View, order []int, p *Product, shortest int) View {
	w := &r.w
	r.shown = r.shown[:0]
	for _, i := range order {
		if f := &fields[i]; f.when == nil || f.when(p) {
			r.shown = append(r.shown, i)
		}
	}
	for first := 0; first < len(r.shown); {
		if i := r.shown[first]; fields[i].part == inViews && r.spans[i] == [2]int{} {
			r.writeMember(i, p)
		}
		start, end := r.spans[r.shown[first]][0], r.spans[r.shown[first]][1]
		run := first + 1
		for ; run < len(r.shown) && r.spans[r.shown[run]][0] == end; run++ {
			end = r.spans[r.shown[run]][1]
		}
		if w.Bytes()[start] != ',' { // the first member of the record: include its brace, which opens the view
			start--
		}
		if end-start < shortest && end != w.Len() {
			by := w.Again(start, end) - start
			start, end = start+by, end+by
			for _, i := range r.shown[first:run] {
				r.spans[i][0] += by
				r.spans[i][1] += by
			}
		}
		v, first = appendSpan(v, start, end), run
	}
	return v
}

// translated appends the spans of a German view with a translated label. The object after the geometry
// contains that label.
func (r *Renderer) translated(v, germanView View, label string) View {
	quoted := newWriter()
	quoted.String(label)
	at := r.record.GeometryEnd + bytes.Index(r.w.Bytes()[r.record.GeometryEnd:], quoted.Bytes())
	german := r.spans[labelField]
	for _, s := range germanView {
		if s[0] <= german[0] && german[1] <= s[1] {
			v = append(v, [2]int{s[0], german[0] + len(`,"label":`)}, [2]int{at, at + quoted.Len()})
			s[0] = german[1]
		}
		if s[0] < s[1] {
			v = append(v, s)
		}
	}
	return v
}

var labelField = slices.IndexFunc(fields, func(f field) bool { return f.Name == "label" })

// AppendSetUp appends the members of an ISO 354 entry that a match shows. A comma precedes each member, and a
// missing value is null. absorption is the array of entries in a record. depthMM follows the air gap, because
// the record does not contain the depth. A nil depthMM is null.
func AppendSetUp(dst []byte, absorption string, entry int, depthMM *float64) []byte {
	var values [len(setUp)]string
	left := len(setUp)
	for key, value := range gjson.Get(absorption, strconv.Itoa(entry)).ForEach {
		if i := slices.Index(setUp[:], key.Str); i >= 0 {
			values[i] = value.Raw
			left--
		}
		if left == 0 { // skip the curves, which follow
			break
		}
	}
	for i, name := range setUp {
		if name == "source_kind" {
			dst = appendLength(append(dst, `,"depth_mm":`...), depthMM)
		}
		dst = append(append(append(append(dst, `,"`...), name...), `":`...), cmp.Or(values[i], "null")...)
	}
	return dst
}

func appendLength(dst []byte, mm *float64) []byte {
	if mm == nil {
		return append(dst, "null"...)
	}
	return jsonwriter.AppendNumber(dst, *mm)
}

// setUp are the members of an ISO 354 entry that a match shows.
var setUp = [...]string{"id", "mounting", "thickness_mm", "air_gap_mm", "source_kind"}

// AppendDescription appends the description from a stored record, in the given locale, as JSON. detail is the
// MaterialDetail of the record, and rest is the object with the data that a detail does not show.
func AppendDescription(dst []byte, detail, rest, locale string) []byte {
	german := gjson.Get(detail, "description").Raw
	others := gjson.Get(rest, "description").Raw
	if others == "" || locale == German {
		return append(dst, cmp.Or(german, "null")...)
	}
	var t Text
	for _, stored := range []string{german, others} {
		t.read(&reader{json: stored})
	}
	w := newWriter()
	w.String(t.In(locale))
	return append(dst, w.Bytes()...)
}

// AppendSource appends the source record of a product without members that have their default value.
func AppendSource(dst []byte, p *Product) []byte {
	w := newWriter()
	w.isSource = true
	w.Reuse(dst[len(dst):])
	w.Object(func() {
		for i := range fields {
			f := &fields[i]
			if f.derived || f.absent(p) {
				continue
			}
			w.QuotedKey(f.key)
			f.write(&w, p)
		}
	})
	return append(dst, w.Bytes()...)
}

// JSON returns the value of a field in the MaterialDetail.
func (p *Product) JSON(name string) []byte {
	w := newWriter()
	fields[slices.IndexFunc(fields, func(f field) bool { return f.Name == name })].write(&w, p)
	return w.Bytes()
}
