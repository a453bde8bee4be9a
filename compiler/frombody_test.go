package compiler

import (
	"bytes"
	"fmt"
	"os"
	"slices"
	"testing"

	"sabine/dataset"
	"sabine/indexes"
)

// A body tells of its product what the record did: no check of a body that a build made finds a fault, and what the indexes are
// held against is what a build put there.
func FuzzABodyTellsItsProduct(f *testing.F) {
	sample, err := os.ReadFile("../dataset/sample/products.ndjson")
	if err != nil {
		f.Fatal(err)
	}
	for _, record := range bytes.SplitN(sample, []byte("\n"), 9)[:8] {
		f.Add(record)
	}
	full := mustRender(f, fullProduct())
	f.Add(recordOf(&full))
	for _, fields := range []string{
		`"label":{"cs":"Zeď","de":"Wand","en-GB":"wall"},"description":{"de":"","en":"x"},"commercial_name":""`,
		`"label":{"de":"Wand","fr":"mur","it":"Wand"},"commercial_name":"Mur","description":{"de":"a","fr":"b"}`,
		`"label":"\u2028<\"\\\t\u0001ß","fire_class":"A2fl-s1","data_source":"ptb","slug":null,"updated_at":"2026-01-01T00:00:00.123456789+14:00"`,
		`"label":"x","alpha_w":-0.0,"alpha_w_min":1e-9,"structured_meta":{"b":1e3,"a":true,"":null,"Nr":"DK-4711/B"},"images":[{"url":"http://x"}]`,
		`"label":"x","absorption_octave":{"125":0.005},"measurements":{"absorption_iso_354":[{"source_kind":"measured","thickness_mm":-0.0,"alpha_s_octave":{}}]}`,
		`"label":"x","geometry":{"shape":"baffle","bounding_box_mm":{"width":1e21,"height":1,"depth":0.1}},"installation_types":["a","b,"]`,
	} {
		f.Add([]byte(`{"id":"0b6f4c3e-58a8-52eb-852b-be809a01c8e0","manufacturer":"ACME",` + fields + `}`))
	}
	r := newRenderer()
	check, err := newBodyCheck(nil, nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, record []byte) {
		if len(record) > 1<<16 {
			return
		}
		p := dataset.Parse(dataset.Raw{JSON: record}).Product
		if p == nil {
			return
		}
		body := r.render(p)
		told, err := check.check(&body)
		if err != nil {
			t.Fatal(err)
		}
		want, got := documentOf(p), documentOf(told)
		for name, texts := range map[string][2][]string{"names": {got.Names, want.Names}, "descriptions": {got.Descriptions, want.Descriptions}} {
			for _, text := range texts[0] {
				if !slices.Contains(texts[1], text) {
					t.Errorf("%s: %q is not among %q", name, text, texts[1])
				}
			}
		}
		for _, d := range []*indexes.Document{&want, &got} { // what no body tells
			d.AlphaW += 0 // a negative zero is zero in a body
			for i := range d.Measurements[indexes.NormAbsorption] {
				d.Measurements[indexes.NormAbsorption][i].Lengths[0] += 0
				d.Measurements[indexes.NormAbsorption][i].Lengths[1] += 0
			}
			d.Names, d.Descriptions, d.Purchasable, d.Manufacturer = nil, nil, false, indexes.Manufacturer{Name: d.Manufacturer.Name}
		}
		if got, want := fmt.Sprintf("%q", []any{got, told.UpdatedAt}), fmt.Sprintf("%q", []any{want, p.UpdatedAt}); got != want {
			t.Errorf("the body tells of\n%s\nwant\n%s", got, want)
		}
	})
}
