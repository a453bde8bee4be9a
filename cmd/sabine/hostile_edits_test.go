package main

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/gzip"

	"sabine/dataset/product"
	"sabine/indexes"
	columns "sabine/indexes/column" // this file has another meaning for the name column
	"sabine/indexes/snapshot"
	"sabine/internal/sealed"
)

// run applies a program to the valid file. It makes up to six edits of sections, bodies or the description.
func (v *victim) run(t testing.TB, program []byte) {
	p := sealed.Program(program)
	d := sealed.Of(v.good)
	var done []string
	for len(p) > 0 && len(done) < 6 {
		switch p.Below(8) {
		default:
			done = append(done, d.Edit(&p, v.other))
		case 0, 1:
			done = append(done, v.editBody(d, &p))
		case 2:
			done = append(done, editMeta(d, &p))
		}
	}
	v.try(t, d, strings.Join(done, "; "))
}

// texts lists replacements for JSON values.
var texts = []string{
	"", "null", "{}", "[]", `""`, "0", "-1", "1e999", "1e-999", "4294967294", "99999999999999999999", `"\ud800"`,
	"\xff\xfe", "\x00", `"`, "{", "]", ",", "NaN",
	`{"a":1,"a":2}`, `"</script><b>\u0000"`, strings.Repeat("[", 20_000), strings.Repeat(`{"a":`, 20_000),
	`"` + strings.Repeat("x", 1<<20) + `"`,
	`[` + strings.Repeat(`{"value":"v"},`, 20_000) + `{}]`, `{"125":1e308,"250":-1e308,"x":{}}`, `[[],{},null,"a",1]`,
}

// editText replaces a JSON value with one of texts, inserts one before the value, or replaces everything.
func editText(text []byte, p *sealed.Program) ([]byte, string) {
	with := texts[p.Below(len(texts))]
	edit := fmt.Sprintf("%.20q (%d bytes)", with, len(with))
	if p.Below(8) == 0 {
		return []byte(with), edit
	}
	at := p.Below(len(text) + 1)
	if begins := bytes.IndexAny(text[at:], ":,[{"); begins >= 0 {
		at += begins + 1
	}
	end := at
	if ends := bytes.IndexAny(text[at:], ",]}"); ends >= 0 && p.Below(4) > 0 {
		end += ends
	}
	return slices.Concat(text[:at], []byte(with), text[end:]), fmt.Sprintf("%s at %d", edit, at)
}

// editMeta edits the JSON that describes the snapshot.
func editMeta(d *sealed.Draft, p *sealed.Program) (done string) {
	content := d.Content(indexes.KindMeta)
	if content == nil {
		return "nothing"
	}
	*content, done = editText(*content, p)
	return "meta: " + done
}

// A record is a body with its views.
type record struct {
	indexes.Body
	views [3]indexes.View
}

// recordsOf returns the records of a valid snapshot, with the views that its build made.
func (v *victim) recordsOf(f *snapshot.File) (records []record) {
	index, err := indexes.Open(f)
	v.must(err)
	for d := range index.Docs {
		b := index.Bodies.At(columns.Doc(d))
		detail := bytes.TrimSuffix(b.Detail(), []byte("}"))
		of := product.NewRenderer().Render(product.Read(string(detail)+string(b.Geometry())+"}", string(b.Rest()[len(","):])))
		if !bytes.Equal(of.Text, b.Text) {
			v.t.Fatalf("the record of a good file is\n%s\nand its product's\n%s", b.Text, of.Text)
		}
		records = append(records, record{
			indexes.Body{Text: b.Text, Marks: b.Marks, ETag: b.ETag, GeometryETag: b.GeometryETag, Gzip: b.Gzip},
			[...]indexes.View{of.Public[0], of.Public[1], of.Compare},
		})
	}
	return records
}

// marks returns a record's marks in ascending order.
func (r *record) marks() []*int {
	return []*int{&r.SummaryEnd, &r.AcousticsEnd, &r.AbsorptionStart, &r.AbsorptionEnd, &r.DetailEnd, &r.GeometryEnd,
		&r.RestEnd}
}

// editStretch edits a stretch of the text. It adjusts the marks and views of the text after the stretch.
func (r *record) editStretch(start, end int, p *sealed.Program) string {
	stretch, done := editText(r.Text[start:end], p)
	text := slices.Concat(r.Text[:start], stretch, r.Text[end:])
	tail, longer := len(r.Text), len(text)-len(r.Text)
	for tail > start && tail+longer > start && r.Text[tail-1] == text[tail-1+longer] {
		tail--
	}
	moved := func(at *int) {
		switch {
		case *at <= start:
		case *at >= tail:
			*at += longer
		default:
			*at = min(*at, tail+longer)
		}
	}
	for _, mark := range r.marks() {
		moved(mark)
	}
	for i := range r.views {
		r.views[i] = slices.Clone(r.views[i])
		for k := range r.views[i] {
			moved(&r.views[i][k][0])
			moved(&r.views[i][k][1])
		}
	}
	r.Text = text
	return done
}

// fit moves a record's marks into the text and sorts them, because otherwise no checksum could be computed.
func (r *record) fit() {
	before := 0
	for _, mark := range r.marks() {
		*mark = min(max(*mark, before), len(r.Text))
		before = *mark
	}
}

// tag pads a text to the length of a tag.
func tag(text string) string { return fmt.Sprintf("%-32.32s", text) }

// editBody rebuilds the bodies with one changed body. Checksums are valid, and tags are sometimes valid.
func (v *victim) editBody(d *sealed.Draft, p *sealed.Program) (done string) {
	records, offsets := d.Content(indexes.KindBodies), d.Content(indexes.KindBodyOffsets)
	if records == nil || offsets == nil {
		return "nothing"
	}
	doc := p.Below(len(v.bodies))
	body := v.bodies[doc]
	stretches := [][2]int{ // the detail, its entries, its geometry, hidden fields, fields only in views
		{0, body.DetailEnd}, {0, body.DetailEnd}, {body.AbsorptionStart, body.AbsorptionEnd},
		{body.DetailEnd, body.GeometryEnd},
		{body.GeometryEnd, body.RestEnd}, {body.RestEnd, len(body.Text)},
	}
	marks := body.marks()
	n := p.Below(bodyEdits)
	switch i := n - len(stretches); {
	case i < 0:
		done = body.editStretch(stretches[n][0], stretches[n][1], p)
	case i < len(marks):
		*marks[i], done = p.Below(len(body.Text)+1), "a mark"
	case i < len(marks)+len(body.views):
		done = editView(&body.views[i-len(marks)], len(body.Text), p)
	default:
		switch i - len(marks) - len(body.views) {
		case 0:
			body.Gzip, done = editText(body.Gzip, p)
		case 1:
			body.Gzip, done = bomb(), "a bomb"
		case 2:
			body.ETag, done = tag("\r\nX-Evil: 1"+texts[p.Below(20)]), "a tag"
		case 3:
			body.GeometryETag, done = texts[p.Below(20)], "a tag with geometry" // no record has a tag of this length
		default:
			body, done = record{}, "empty"
		}
	}
	body.fit()
	if p.Below(2) == 0 {
		body.ETag = indexes.ETag(body.Detail())
	}
	*records, *offsets = nil, make([]byte, 8)
	for i := range v.bodies {
		b := &v.bodies[i]
		if i == doc {
			b = &body
		}
		*records = indexes.AppendBody(*records, &b.Body, b.views)
		*offsets = binary.LittleEndian.AppendUint64(*offsets, uint64(len(*records)))
	}
	return fmt.Sprintf("body %d, field %d: %s", doc, n, done)
}

// bodyEdits is the number of possible edits to a body: six stretches, seven marks, three views, two of gzip,
// two tags and the complete body.
const bodyEdits = 6 + 7 + 3 + 5

// editView replaces the stretches of a view with none, with some at any position in a text or after its end,
// or with so many copies of one stretch that they exceed the request limit.
func editView(view *indexes.View, text int, p *sealed.Program) string {
	switch n := p.Below(4); n {
	case 0:
		*view = indexes.View{{0, text}}
		*view = slices.Repeat(*view, hostileBytes/(text+1)+2)
	default:
		*view = make(indexes.View, n-1)
		for i := range *view {
			start := p.Below(text + 1)
			(*view)[i] = [2]int{start, start + p.Below(2*text+1)}
		}
	}
	return fmt.Sprintf("a view of %d stretches", len(*view))
}

// bomb returns more zeros than a request may contain, compressed with gzip.
var bomb = sync.OnceValue(func() []byte {
	var zipped bytes.Buffer
	w, _ := gzip.NewWriterLevel(&zipped, gzip.BestSpeed) // the level is valid
	_, _ = w.Write(make([]byte, hostileBytes+1))         // writes to a buffer do not fail
	_ = w.Close()
	return zipped.Bytes()
})

// hostileSeeds returns programs with every edit in every section and every part of a body, and random
// programs with one or a few edits.
func hostileSeeds(random int) (programs [][]byte) {
	const sections, edits = 31, 34
	for i := range max(sections, edits) {
		programs = append(programs, []byte{3, byte(i % sections), byte(i), 2, 1, 8, byte(i), 1, 0})
	}
	for i := range max(len(texts), bodyEdits) {
		text := byte(i % len(texts))
		programs = append(programs, []byte{2, text, byte(i), 1, 1, 1}, []byte{0, byte(i), byte(i % bodyEdits), text, 1, 0,
			byte(3 * i)})
	}
	rng := rand.New(rand.NewPCG(16, 1))
	for range random {
		program := make([]byte, 4+rng.IntN(16))
		for i := range program {
			program[i] = byte(rng.Uint32())
		}
		programs = append(programs, program)
	}
	return programs
}
