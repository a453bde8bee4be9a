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
	"github.com/klauspost/compress/zstd"

	"sabine/indexes"
	"sabine/internal/sealed"
)

// run tries the file that a program makes of the good one: up to six edits of sections, bodies or the description.
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

// texts are what may stand where JSON is expected.
var texts = []string{
	"", "null", "{}", "[]", `""`, "0", "-1", "1e999", "1e-999", "4294967294", "99999999999999999999", `"\ud800"`,
	"\xff\xfe", "\x00", `"`, "{", "]", ",", "NaN",
	`{"a":1,"a":2}`, `"</script><b>\u0000"`, strings.Repeat("[", 20_000), strings.Repeat(`{"a":`, 20_000), `"` + strings.Repeat("x", 1<<20) + `"`,
	`[` + strings.Repeat(`{"value":"v"},`, 20_000) + `{}]`, `{"125":1e308,"250":-1e308,"x":{}}`, `[[],{},null,"a",1]`,
}

// editText puts one of texts in the place of a value of JSON, before it, or in the place of all.
func editText(text []byte, p *sealed.Program) ([]byte, string) {
	with := texts[p.Below(len(texts))]
	said := fmt.Sprintf("%.20q (%d bytes)", with, len(with))
	if p.Below(8) == 0 {
		return []byte(with), said
	}
	at := p.Below(len(text) + 1)
	if begins := bytes.IndexAny(text[at:], ":,[{"); begins >= 0 {
		at += begins + 1
	}
	end := at
	if ends := bytes.IndexAny(text[at:], ",]}"); ends >= 0 && p.Below(4) > 0 {
		end += ends
	}
	return slices.Concat(text[:at], []byte(with), text[end:]), fmt.Sprintf("%s at %d", said, at)
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

// editBody makes the bodies anew with one that says something else, under checksums and perhaps a tag that fit.
func (v *victim) editBody(d *sealed.Draft, p *sealed.Program) (done string) {
	records, offsets := d.Content(indexes.KindBodies), d.Content(indexes.KindBodyOffsets)
	if records == nil || offsets == nil {
		return "nothing"
	}
	doc := p.Below(len(v.bodies))
	body := v.bodies[doc]
	parts := []*[]byte{
		&body.Detail, &body.Detail, &body.Geometry, &body.PublicHead, &body.LabelDE, &body.LabelEN, &body.PublicTail, &body.CompareHead, &body.Unshown,
		&body.Plain.Gzip, &body.Plain.Zstd, &body.WithGeometry.Gzip, &body.WithGeometry.Zstd,
	}
	ends := []*int{&body.SummaryEnd, &body.AcousticsEnd, &body.AbsorptionStart, &body.AbsorptionEnd}
	n := p.Below(len(parts) + len(ends) + 2)
	switch {
	case n < len(parts) && n >= len(parts)-4 && p.Below(2) == 0: // of the compressed ones, in turn gzip and zstd
		*parts[n], done = bombs()[(len(parts)-n)%2], "a bomb"
	case n < len(parts):
		*parts[n], done = editText(*parts[n], p)
	case n < len(parts)+len(ends):
		*ends[n-len(parts)] = p.Below(len(body.Detail) + 1)
		done = "an end"
	case n == len(parts)+len(ends):
		body.Plain.ETag, done = texts[p.Below(20)]+"\r\nX-Evil: 1", "a tag"
	default:
		body, done = indexes.Body{}, "empty"
	}
	if p.Below(2) == 0 {
		body.Plain.ETag = indexes.ETag(body.Detail)
	}
	fit(&body)
	*records, *offsets = nil, make([]byte, 8)
	for i := range v.bodies {
		b := &v.bodies[i]
		if i == doc {
			b = &body
		}
		*records = indexes.AppendBody(*records, b)
		*offsets = binary.LittleEndian.AppendUint64(*offsets, uint64(len(*records)))
	}
	return fmt.Sprintf("body %d, field %d: %s", doc, n, done)
}

// fit brings the ends of a body into its bytes, since no checksum could be made else.
func fit(b *indexes.Body) {
	for _, end := range []*int{&b.SummaryEnd, &b.AcousticsEnd, &b.AbsorptionEnd} {
		*end = min(*end, len(b.Detail))
	}
	b.AbsorptionStart = min(b.AbsorptionStart, b.AbsorptionEnd)
	b.WithGeometry.SharedGzip = min(b.WithGeometry.SharedGzip, len(b.Plain.Gzip))
	b.WithGeometry.SharedZstd = min(b.WithGeometry.SharedZstd, len(b.Plain.Zstd))
}

// bombs are more zeros than a request may take, in gzip and in zstd.
var bombs = sync.OnceValue(func() (b [2][]byte) {
	var zipped bytes.Buffer
	w, _ := gzip.NewWriterLevel(&zipped, gzip.BestSpeed) // the level is a constant
	e, _ := zstd.NewWriter(nil)                          // there are no options
	zeros := make([]byte, hostileBytes+1)
	_, _ = w.Write(zeros) // a buffer takes everything
	_ = w.Close()
	return [2][]byte{zipped.Bytes(), e.EncodeAll(zeros, nil)}
})

// hostileSeeds are programs that do every edit, to every section and to every part of a body, and random ones, of one edit or a
// few.
func hostileSeeds(random int) (programs [][]byte) {
	const sections, edits, fields = 31, 34, 19
	for i := range max(sections, edits) {
		programs = append(programs, []byte{3, byte(i % sections), byte(i), 2, 1, 8, byte(i), 1, 0})
	}
	for i := range max(len(texts), fields) {
		text := byte(i % len(texts))
		programs = append(programs, []byte{2, text, byte(i), 1, 1, 1}, []byte{0, byte(i), byte(i % fields), text, 1, 0, byte(3 * i)})
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
