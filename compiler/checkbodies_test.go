package compiler

import (
	"bytes"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"sabine/dataset"
	"sabine/indexes"
)

func TestCheckOfABodyNamesWhatIsWrong(t *testing.T) {
	zeros := func(b []byte) []byte { return make([]byte, len(b)) }
	instead := func(b []byte, old, new string) []byte { return bytes.Replace(b, []byte(old), []byte(new), 1) }
	full := mustRender(t, fullProduct())
	product, err := dataset.ParsePublished(recordOf(&full)) // with the ratings that its curves give
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		rule   string
		damage func(b *indexes.Body)
		want   string // "" when nothing is wrong
	}{
		{"what the build made is right", func(*indexes.Body) {}, ""},
		{"another number in the detail", func(b *indexes.Body) { b.Detail = []byte(strings.Replace(string(b.Detail), "0.", "1.", 1)) }, "the tag of the detail is"},
		{"a detail that is no JSON", func(b *indexes.Body) { b.Detail = zeros(b.Detail) }, "the detail is no JSON"},
		{"an empty body", func(b *indexes.Body) { *b = indexes.Body{} }, "the detail is no JSON"},
		{"a geometry that is no JSON", func(b *indexes.Body) { b.Geometry = []byte("nul") }, "the detail with geometry is no JSON"},
		{"a summary that ends within a text", func(b *indexes.Body) { b.SummaryEnd-- }, "the summary is no JSON"},
		{"a label that is no string", func(b *indexes.Body) { b.LabelEN = []byte("x") }, "the public item in English is no JSON"},
		{"no absorption", func(b *indexes.Body) { b.AbsorptionEnd = b.AbsorptionStart }, "the compare item is no JSON"},
		{"the tag of another body", func(b *indexes.Body) { b.WithGeometry.ETag = b.Plain.ETag }, "the tag of the detail with geometry is"},
		{"a gzip form that is none", func(b *indexes.Body) { b.Plain.Gzip = zeros(b.Plain.Gzip) }, "the gzip form of the detail"},
		{"the gzip form of another body", func(b *indexes.Body) { b.Plain.Gzip = b.Coded(true).Gzip }, "the gzip form of the detail: it holds another body"},
		{"a zstd form that is cut off", func(b *indexes.Body) { b.Plain.Zstd = b.Plain.Zstd[:len(b.Plain.Zstd)-1] }, "the zstd form of the detail"},
		{"another EPD in the public item", func(b *indexes.Body) { b.PublicTail = instead(b.PublicTail, `"has_epd":true`, `"has_epd":false`) }, "the public item says "},
		{"another number in the compare item", func(b *indexes.Body) { b.CompareHead = instead(b.CompareHead, `"alphaW":0.85`, `"alphaW":0.8`) }, "the compare item says "},
		{"another German label in the public item", func(b *indexes.Body) { b.LabelDE = []byte(`"Wand"`) }, "the public item's German label says "},
		{"a fire class that is none", func(b *indexes.Body) { b.Unshown = instead(b.Unshown, "B-s1,d0", "G") }, "the detail is no source record: fire_class: expected a class"},
		{"a summary that is shorter", func(b *indexes.Body) { b.SummaryEnd = bytes.Index(b.Detail, []byte(`,"alpha_w"`)) }, "the summary, the acoustics and the absorption lie at "},
		{"the acoustics of other curves", func(b *indexes.Body) {
			b.Detail = instead(b.Detail, `"nrc":null`, `"nrc":0.5`)
			for _, end := range []*int{&b.AcousticsEnd, &b.AbsorptionStart, &b.AbsorptionEnd} {
				*end--
			}
			c := newCodec()
			b.Plain, b.WithGeometry = c.code(b.Detail, b.Geometry)
		}, "the detail says "},
	} {
		t.Run(test.rule, func(t *testing.T) {
			body := mustRender(t, product)
			test.damage(&body)
			decoder, err := zstd.NewReader(nil)
			if err != nil {
				t.Fatal(err)
			}
			defer decoder.Close()
			body.WithGeometry.SharedGzip = min(body.WithGeometry.SharedGzip, len(body.Plain.Gzip))
			body.WithGeometry.SharedZstd = min(body.WithGeometry.SharedZstd, len(body.Plain.Zstd))
			c := bodyCheck{zstd: decoder, renderer: newRenderer()}
			switch _, err := c.check(&body); {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)):
				t.Errorf("%v, want %q", err, test.want)
			}
		})
	}
}
