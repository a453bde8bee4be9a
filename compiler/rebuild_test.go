package compiler

import (
	"bytes"
	"os"
	"testing"

	"sabine/dataset"
	"sabine/dataset/product"
	"sabine/indexes"
)

// FuzzAStoredRecordMakesTheSame checks that a stored record has the same body and document as its source.
func FuzzAStoredRecordMakesTheSame(f *testing.F) {
	sample, err := os.ReadFile("../dataset/sample/products.ndjson")
	if err != nil {
		f.Fatal(err)
	}
	for _, record := range bytes.SplitN(sample, []byte("\n"), 9)[:8] {
		f.Add(record)
	}
	f.Add(records(fullRecord))
	for _, fields := range []string{
		`"label":{"cs":"Zeď","de":"Wand","en-GB":"wall"},"description":{"de":"","en":"x"},"commercial_name":""`,
		`"label":{"de":"Wand","fr":"mur","it":"Wand"},"commercial_name":"Mur","description":{"de":"a","fr":"b"}`,
		`"label":"\u2028<\"\\\t\u0001ß","fire_class":"A2fl-s1","data_source":"ptb","slug":null,"updated_at":"2026-01-01T00:00:00.123456789+14:00"`,
		`"label":"x","alpha_w":-0.0,"alpha_w_min":1e-9,"structured_meta":{"b":1e3,"a":true,"":null,"Nr":"DK-4711/B"},"images":[{"url":"http://x"}]`,
		`"label":"x","images":[{"url":"http://x","display_order":9007199254740993},{"url":"http://x","display_order":-9223372036854775808}]`,
		`"label":"x","absorption_octave":{"125":0.005},"measurements":{"absorption_iso_354":[{"source_kind":"measured","thickness_mm":-0.0,"alpha_s_octave":{}}]}`,
		`"label":"x","geometry":{"shape":"baffle","bounding_box_mm":{"width":1e21,"height":1,"depth":0.1}},"installation_types":["a","b,"]`,
	} {
		f.Add([]byte(`{"id":"0b6f4c3e-58a8-52eb-852b-be809a01c8e0","manufacturer":"ACME",` + fields + `}`))
	}
	w := newWorker()
	f.Fuzz(func(t *testing.T, record []byte) {
		if len(record) > 1<<16 {
			return
		}
		p := dataset.Parse(dataset.Raw{JSON: record}).Product
		if p == nil {
			return
		}
		made, want := w.renderer.appendRecord(nil, p), documentWithoutKeys(w.analyser, p)
		stored := dataset.Parse(dataset.Raw{JSON: storedRecord(&w.renderer.body), Stored: true})
		if stored.Product == nil {
			t.Fatalf("%v\n%s", stored.Faults, storedRecord(&w.renderer.body))
		}
		again, got := w.renderer.appendRecord(nil, stored.Product), documentWithoutKeys(w.analyser, stored.Product)
		if !bytes.Equal(again, made) {
			t.Errorf("the body\n%q\nwant\n%q", again, made)
		}
		for _, d := range []*indexes.Document{&want, &got} {
			d.AlphaW += 0 // records contain a negative zero as 0
			for i := range d.Measurements[indexes.NormAbsorption] {
				d.Measurements[indexes.NormAbsorption][i].Lengths[0] += 0
				d.Measurements[indexes.NormAbsorption][i].Lengths[1] += 0
			}
		}
		if !bytes.Equal(appendDocument(nil, &got), appendDocument(nil, &want)) {
			t.Errorf("the document\n%+v\nwant\n%+v", got, want)
		}
	})
}

// documentWithoutKeys returns a document without the collation keys, which the next document overwrites.
func documentWithoutKeys(a *analyser, p *product.Product) indexes.Document {
	d := a.document(p)
	d.CollationDE, d.CollationEN = nil, nil
	return d
}
