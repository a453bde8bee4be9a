package product

import (
	"bytes"
	"cmp"
	"slices"
	"strconv"

	"github.com/tidwall/gjson"

	"sabine/dataset/jsonwriter"
)

// A Record is a product as a snapshot stores it: one text, and where in that each view lies.
//
// The text is the MaterialDetail; the member geometry of a detail that has one, with its comma; after a
// comma, an object of what no detail shows; and the members that views alone have.
type Record struct {
	Text []byte
	Marks
	Public  [2]View // the PublicSearchProduct in German and in English; the English one is empty when it is the German one
	Compare View    // the CompareProduct
}

// Marks are offsets in the text of a record, in ascending order.
type Marks struct {
	SummaryEnd, AcousticsEnd       int // of the beginnings of the detail
	AbsorptionStart, AbsorptionEnd int // of the array of ISO 354 entries
	DetailEnd, GeometryEnd         int
	RestEnd                        int // of what no detail shows
}

// A View is the stretches of a record's text that make an object, one after the other, up to the brace that
// ends it: of each its offset and its end.
type View = [][2]int

// extended returns a view with one more stretch, which lengthens the last one when it follows that.
func extended(v View, start, end int) View {
	if n := len(v); n > 0 && v[n-1][1] == start {
		v[n-1][1] = end
		return v
	}
	return append(v, [2]int{start, end})
}

// A Renderer makes the records of one product after the other. It is for one goroutine, and keeps its memory.
type Renderer struct {
	w      writer
	places [][2]int // by field: where its member lies, from the comma before it on
	record Record
	shown  []int // the fields of the view in the making
}

// NewRenderer returns a renderer.
func NewRenderer() *Renderer {
	return &Renderer{w: newWriter(), places: make([][2]int, len(fields))}
}

func newWriter() writer { return writer{Text: jsonwriter.Text{ShortEscapes: true}} }

// The orders of the keys of views: indexes of fields.
var (
	publicOrder  = orderBy(func(f *field) int { return f.public })
	compareOrder = orderBy(func(f *field) int { return f.compare })
)

// orderBy returns the fields that have a place, in the order of the places.
func orderBy(place func(*field) int) (order []int) {
	for i := range fields {
		if place(&fields[i]) > 0 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(place(&fields[a]), place(&fields[b])) })
	return order
}

// Render returns the record of a product. It is valid until the next call.
func (r *Renderer) Render(p *Product) *Record {
	w, record := &r.w, &r.record
	w.Reset()
	clear(r.places)
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
	record.Public[0] = r.view(record.Public[0][:0], publicOrder, p, shortRun)
	record.Public[1] = record.Public[1][:0]
	if english := p.Label.In(English); english != p.Label.In(German) {
		record.Public[1] = r.translated(record.Public[1], record.Public[0], english)
	}
	record.Compare = r.view(record.Compare[:0], compareOrder, p, 0)
	key := w.Len()
	w.Key("absorption_iso354") // its value is a stretch of the detail
	record.Compare = extended(record.Compare, key, w.Len())
	record.Compare = extended(record.Compare, record.AbsorptionStart, record.AbsorptionEnd)
	record.Text = w.Bytes()
	return record
}

// writeRest writes what no detail shows. Views show null, which else is left out.
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

// writeMember writes a field and notes its place.
func (r *Renderer) writeMember(i int, p *Product) {
	start := r.w.Len()
	r.w.QuotedKey(fields[i].key)
	fields[i].write(&r.w, p)
	r.places[i] = [2]int{start, r.w.Len()}
}

// shortRun is from which length members that stand together are a stretch of a public item. Shorter ones are
// written again, so that an item is made of few stretches.
const shortRun = 128

// view appends the stretches of a view. What it alone has is written at the end of the text; so are runs of
// members that are shorter than shortest, whose place that is from then on.
func (r *Renderer) view(v View, order []int, p *Product, shortest int) View {
	w := &r.w
	r.shown = r.shown[:0]
	for _, i := range order {
		if f := &fields[i]; f.when == nil || f.when(p) {
			r.shown = append(r.shown, i)
		}
	}
	for first := 0; first < len(r.shown); {
		if i := r.shown[first]; fields[i].part == inViews && r.places[i] == [2]int{} {
			r.writeMember(i, p)
		}
		start, end := r.places[r.shown[first]][0], r.places[r.shown[first]][1]
		run := first + 1
		for ; run < len(r.shown) && r.places[r.shown[run]][0] == end; run++ {
			end = r.places[r.shown[run]][1]
		}
		if w.Bytes()[start] != ',' { // the first member of its object, whose brace begins the view
			start--
		}
		if end-start < shortest && end != w.Len() {
			by := w.Again(start, end) - start
			start, end = start+by, end+by
			for _, i := range r.shown[first:run] {
				r.places[i][0] += by
				r.places[i][1] += by
			}
		}
		v, first = extended(v, start, end), run
	}
	return v
}

// translated appends the stretches of a view with another label, which lies in what no detail shows.
func (r *Renderer) translated(v, of View, label string) View {
	quoted := newWriter()
	quoted.String(label)
	at := r.record.GeometryEnd + bytes.Index(r.w.Bytes()[r.record.GeometryEnd:], quoted.Bytes())
	german := r.places[labelField]
	for _, s := range of {
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

// AppendSetUp appends what a match repeats of the set-up of an ISO 354 entry: members with their comma, null
// where the entry has none. absorption is the array of the entries, as a record has it. depthMM, which is not
// in the record, stands after the air gap; nil is null.
func AppendSetUp(dst []byte, absorption string, entry int, depthMM *float64) []byte {
	var values [len(setUp)]string
	left := len(setUp)
	for key, value := range gjson.Get(absorption, strconv.Itoa(entry)).ForEach {
		if i := slices.Index(setUp[:], key.Str); i >= 0 {
			values[i] = value.Raw
			left--
		}
		if left == 0 { // the curves are after these
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

// setUp are the members of an entry that a match repeats.
var setUp = [...]string{"id", "mounting", "thickness_mm", "air_gap_mm", "source_kind"}

// AppendDescription appends the description of a stored record in a language as JSON. detail is its
// MaterialDetail and rest the object of what that does not show.
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

// AppendSource appends the source record of a product, without what has its default.
func AppendSource(dst []byte, p *Product) []byte {
	w := newWriter()
	w.sparse = true
	w.Reuse(dst[len(dst):])
	w.Object(func() {
		for i := range fields {
			f := &fields[i]
			if f.derived || f.absent(p) {
				continue
			}
			w.QuotedKey(f.key)
			if f.source != nil {
				f.source(&w, p)
			} else {
				f.write(&w, p)
			}
		}
	})
	return append(dst, w.Bytes()...)
}

// JSON returns the value of a field as the MaterialDetail shows it.
func (p *Product) JSON(name string) []byte {
	w := newWriter()
	fields[slices.IndexFunc(fields, func(f field) bool { return f.Name == name })].write(&w, p)
	return w.Bytes()
}

// Stored are all fields of stored records, and Simulated those that simulators take, which the MaterialDetail
// has.
var (
	Stored    = Fields{fieldsWith(func(f *field) bool { return f.read != nil })}
	Simulated = Fields{fieldsWith(func(f *field) bool {
		return slices.Contains([]string{"id", "slug", "label", "manufacturer", "material_category", "absorption_octave",
			"measurements"}, f.Name) && f.read != nil
	})}
)
