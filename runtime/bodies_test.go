package runtime_test

import (
	"testing"

	"sabine/indexes/column"
	"sabine/runtime"
)

func TestBodies(t *testing.T) {
	const id = "0b6f1234-0000-4000-8000-0000000000aa"
	c := catalogue{products: []product{{label: "Säule", labelEN: "Column", id: id}, {label: "Wand"}}}
	g := c.open(t)
	detail, plain := g.Detail(0)
	geometry := g.DetailGeometry(0)
	first := []column.Doc{0}
	const head = `{"id":"` + id + `"`
	const measurements = `,"measurements":{"absorption_iso_354":[]}`
	tests := []struct {
		name string
		got  []byte
		want string
	}{
		{"summary", g.AppendSummaries(nil, &runtime.Result{Docs: first}, runtime.Include{}), `[` + head + `}]`},
		{"summary with acoustics", g.AppendSummaries(nil, &runtime.Result{Docs: first}, runtime.Include{Acoustics: true}), `[` + head + `,"nrc":null}]`},
		{"summary with geometry", g.AppendSummaries(nil, &runtime.Result{Docs: first}, runtime.Include{Geometry: true}), `[` + head + `,"geometry":{"shape":"box"}}]`},
		{
			"summary with both", g.AppendSummaries(nil, &runtime.Result{Docs: first}, runtime.Include{Acoustics: true, Geometry: true}),
			`[` + head + `,"nrc":null,"geometry":{"shape":"box"}}]`,
		},
		{"detail", g.AppendDetail(nil, 0, false), head + `,"nrc":null` + measurements + `}`},
		{"detail where it lies", detail, head + `,"nrc":null` + measurements + `}`},
		{"detail with geometry", g.AppendDetail(nil, 0, true), head + `,"nrc":null` + measurements + `,"geometry":{"shape":"box"}}`},
		{"public item", g.AppendPublics(nil, &runtime.Result{Docs: first}, runtime.German), `[` + head + `,"label":"Säule","alphaW":0}]`},
		{"public item in English", g.AppendPublics(nil, &runtime.Result{Docs: first}, runtime.English), `[` + head + `,"label":"Column","alphaW":0}]`},
		{
			"public detail", g.AppendPublicDetail([]byte("{"), 0, runtime.English),
			`{` + head + `,"label":"Column","alphaW":0` + measurements + `,"geometry":{"shape":"box"}}`,
		},
		{"compare", g.AppendCompare(nil, 0), head + `,"absorption_iso354":[]}`},
		{"a page of summaries", g.AppendSummaries(nil, &runtime.Result{Docs: []column.Doc{0, 1, 0}}, runtime.Include{}), `[` + head + `},{"id":"00000000-0000-4000-8000-000000000001"},` + head + `}]`},
		{"an empty page", g.AppendSummaries(nil, &runtime.Result{}, runtime.Include{}), `[]`},
		{"append keeps what is there", g.AppendSummaries([]byte("{"), &runtime.Result{Docs: first}, runtime.Include{}), `{[` + head + `}]`},
	}
	for _, test := range tests {
		if string(test.got) != test.want {
			t.Errorf("%s: got %s, want %s", test.name, test.got, test.want)
		}
	}
	if plain.ETag != "0123456789abcdef0123456789abcdef" || string(plain.Gzip) != "gz" || string(plain.Zstd) != "zs" ||
		geometry.ETag != "fedcba9876543210fedcba9876543210" || geometry.Gzip != nil || geometry.Zstd != nil {
		t.Errorf("coded forms: got %+v and %+v", plain, geometry)
	}
	buf, page := make([]byte, 0, 1024), &runtime.Result{Docs: first}
	if n := testing.AllocsPerRun(100, func() {
		g.AppendDetail(buf, 0, true)
		g.AppendSummaries(buf, page, runtime.Include{Acoustics: true})
		g.Detail(0)
	}); n != 0 {
		t.Errorf("bodies allocate %v times", n)
	}
}
