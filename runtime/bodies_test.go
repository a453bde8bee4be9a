package runtime_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"sabine/dataset"
	source "sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/runtime"
)

func TestBodies(t *testing.T) {
	const id = "0b6f1234-0000-4000-8000-0000000000aa"
	c := catalogue{products: []product{{label: "Säule", labelEN: "Column", id: id}, {label: "Wand"}}}
	g := c.open(t)
	detail := g.Detail(0)
	first := []column.Doc{0}
	const start = `{"id":"` + id + `"`
	const head = start + `,"label":"Säule"`
	const measurements = `,"measurements":{"absorption_iso_354":[]}`
	tests := []struct {
		name string
		got  []byte
		want string
	}{
		{"summary", g.AppendSummaries(nil, &runtime.Result{Docs: first}, runtime.Include{}), `[` + head + `}]`},
		{"summary with acoustics", g.AppendSummaries(nil, &runtime.Result{Docs: first}, runtime.Include{Acoustics: true}),
			`[` + head + `,"nrc":null}]`},
		{"summary with geometry", g.AppendSummaries(nil, &runtime.Result{Docs: first}, runtime.Include{Geometry: true}),
			`[` + head + `,"geometry":{"shape":"box"}}]`},
		{
			"summary with both", g.AppendSummaries(nil, &runtime.Result{Docs: first},
				runtime.Include{Acoustics: true, Geometry: true}),
			`[` + head + `,"nrc":null,"geometry":{"shape":"box"}}]`,
		},
		{"detail", g.AppendDetail(nil, 0, false), head + `,"nrc":null` + measurements + `}`},
		{"stored detail", detail.Body, head + `,"nrc":null` + measurements + `}`},
		{"detail with geometry", g.AppendDetail(nil, 0, true), head + `,"nrc":null` + measurements +
			`,"geometry":{"shape":"box"}}`},
		{"public item", g.AppendPublics(nil, &runtime.Result{Docs: first}, runtime.German), `[` + head + `,"alphaW":0}]`},
		{"public item in English", g.AppendPublics(nil, &runtime.Result{Docs: first}, runtime.English), `[` + start +
			`,"label":"Column","alphaW":0}]`},
		{
			"public detail", g.AppendPublicDetail([]byte("{"), 0, runtime.English),
			`{` + start + `,"label":"Column","alphaW":0,"description":null` + measurements +
				`,"geometry":{"shape":"box"}}`,
		},
		{"compare", g.AppendCompare(nil, 0), start + `,"absorption_iso354":[]}`},
		{"a page of summaries", g.AppendSummaries(nil, &runtime.Result{Docs: []column.Doc{0, 1, 0}}, runtime.Include{}),
			`[` + head + `},{"id":"00000000-0000-4000-8000-000000000001","label":"Wand"},` + head + `}]`},
		{"an empty page", g.AppendSummaries(nil, &runtime.Result{}, runtime.Include{}), `[]`},
		{"append retains the prefix", g.AppendSummaries([]byte("{"), &runtime.Result{Docs: first}, runtime.Include{}),
			`{[` + head + `}]`},
	}
	for _, test := range tests {
		if string(test.got) != test.want {
			t.Errorf("%s: got %s, want %s", test.name, test.got, test.want)
		}
	}
	if detail.ETag != "0123456789abcdef0123456789abcdef" || g.GeometryETag(0) != "fedcba9876543210fedcba9876543210" ||
		string(detail.Gzip) != "gz" ||
		detail.BodySum != indexes.Checksum(detail.Body) || detail.GzipSum != indexes.Checksum(detail.Gzip) {
		t.Errorf("got %+v and the tag %s", detail, g.GeometryETag(0))
	}
	buf, page := make([]byte, 0, 1024), &runtime.Result{Docs: first}
	if n := testing.AllocsPerRun(100, func() {
		g.AppendDetail(buf, 0, true)
		g.AppendSummaries(buf, page, runtime.Include{Acoustics: true})
		g.Detail(0)
		g.GeometryETag(0)
	}); n != 0 {
		t.Errorf("bodies allocate %v times", n)
	}
}

// everything is a record with every field that a detail does not contain.
const everything = `{"id":"00000000-0000-4000-8000-000000000001","slug":"all","label":{"de":"Wand","en":"Wall","fr":"Mur"},"manufacturer":{"id":"12345678-1234-4234-8234-123456789abc","slug":"acme-gmbh","name":"Acme GmbH"},"alpha_w":0.5,"description":{"de":"deutsch","en":"","fr":"français"},"data_source":"ptb","purchasable":true,"absorption_character":"tiefton","fire_class":"Bfl-s1","alpha_w_min":0.25}`

// TestAProductIsItsSource checks that a product equals its source, even in fields that no detail contains.
func TestAProductIsItsSource(t *testing.T) {
	const little = `{"id":"00000000-0000-4000-8000-000000000002","label":"Decke","manufacturer":"Müller & Söhne","purchasable":false}`
	g := ofRecords(t, everything+"\n"+little)
	for d, line := range []string{everything, little} {
		p := g.Product(column.Doc(d))
		want := dataset.Parse(dataset.Raw{JSON: []byte(line)}).Product
		if got := dataset.Parse(dataset.Raw{JSON: source.AppendSource(nil, p)}).Product; !reflect.DeepEqual(got, want) {
			t.Errorf("%s\ngot  %+v\nwant %+v", line, got, want)
		}
	}
	all, few := g.Product(0), g.Product(1)
	if got := string(source.AppendSource(nil, all)); got != everything {
		t.Errorf("got  %s\nwant %s", got, everything)
	}
	if m := few.Manufacturer; m.Slug != "mueller-soehne" || m.Name != "Müller & Söhne" ||
		few.Label.In(source.English) != "Decke" {
		t.Errorf("got %+v, %v", m, few.Label)
	}
}

// TestAPublicDetailHasTheDescriptionInItsLanguage checks the description and its escapes.
func TestAPublicDetailHasTheDescriptionInItsLanguage(t *testing.T) {
	record := func(n int, description string) string {
		return fmt.Sprintf(`{"id":"00000000-0000-4000-8000-%012d","label":"L","manufacturer":"M"%s}`+"\n", n, description)
	}
	tests := []struct{ rule, source, german, english string }{
		{"none is null", ``, `null`, `null`},
		{"a German one is used for both", `,"description":"eins\nzwei \"<b>\""`, `"eins\nzwei \"<b>\""`, `"eins\nzwei \"<b>\""`},
		{"each its own", `,"description":{"de":"eins","en":"one\n\"two\"","fr":"un"}`, `"eins"`, `"one\n\"two\""`},
		{"any variant of English is used", `,"description":{"de":"eins","en-GB":"one"}`, `"eins"`, `"one"`},
		{"another language is not used", `,"description":{"de":"eins","fr":"un"}`, `"eins"`, `"eins"`},
	}
	records := ""
	for i, test := range tests {
		records += record(i+1, test.source)
	}
	g := ofRecords(t, records)
	for i, test := range tests {
		for l, want := range map[runtime.Locale]string{runtime.German: test.german, runtime.English: test.english} {
			whole := string(g.AppendPublicDetail(nil, column.Doc(i), l))
			_, got, _ := strings.Cut(whole, `,"structured_meta":null,"description":`)
			got, _, _ = strings.Cut(got, `,"measurements":`)
			if got != want {
				t.Errorf("%s, %s: got %s, want %s in %s", test.rule, l.Language(), got, want, whole)
			}
		}
	}
}

// TestARecordOfAnotherProductIsAnError checks that a record of another product, or of no product, is an error
// although its checksum is correct, and that all other records can be read.
func TestARecordOfAnotherProductIsAnError(t *testing.T) {
	const other, id = `{"id":"00000000-0000-4000-8000-000000000000"}`, `{"id":"00000000-0000-4000-8000-000000000001"}`
	for detail, isRead := range map[string]bool{
		"": false, "}": false, "null": false, "{}": false, "[]": false, ",}": false, `{"id":1}`: false,
		`{"label":"Wand"}`: false, "[" + id + "]": false,
		other: false, id + "," + other: false, other + "," + id: false, id + ",{}": false, id: true,
		id[:len(id)-1] +
			`,"label":[],"manufacturer":1,"alpha_w":"x","updated_at":{},"images":{"0":1},"measurements":[{}],"absorption_octave":{"x":nan,"125":[]},"label":{"de":"x","de":{}}}`: true,
	} {
		b := indexes.Body{Text: []byte(detail + `,"geometry":null,{}`), ETag: strings.Repeat("0", 32),
			GeometryETag: strings.Repeat("0", 32)}
		end, all := len(detail), len(b.Text)
		b.Marks = indexes.Marks{SummaryEnd: end, AcousticsEnd: end, AbsorptionStart: end, AbsorptionEnd: end, DetailEnd: end,
			GeometryEnd: all - len(",{}"), RestEnd: all}
		c := catalogue{products: []product{{label: "a"},
			{label: "b", stored: indexes.AppendBody(nil, &b, [3]indexes.View{})}}}
		g := c.open(t)
		err := g.Guard(func() error {
			source.AppendSource(nil, g.Product(1))
			return nil
		})
		if errors.As(err, new(*runtime.DamagedBody)) == isRead || isRead && err != nil {
			t.Errorf("%s: got %v", detail, err)
		}
		for view, of := range map[string]func(){
			"public":  func() { g.AppendPublics(nil, &runtime.Result{Docs: []column.Doc{1}}, runtime.German) },
			"compare": func() { g.AppendCompare(nil, 1) },
		} {
			if err := g.Guard(func() error { of(); return nil }); !errors.As(err, new(*runtime.DamagedBody)) {
				t.Errorf("%s view of nothing: got %v", view, err)
			}
		}
	}
}
