package compiler_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sabine/compiler"
	"sabine/dataset"
)

func TestCorrectionsAreContent(t *testing.T) {
	const url = "https://example.com"
	hidden := newRecord(3, record{"published": false})
	in := catalogue(t, newRecord(1, record{"fire_class": "Q"}), newRecord(2, nil), hidden)
	one := ndjson(t, record{"id": idOf(1), "fire_class": "B", "url": url}, record{"id": idOf(2), "label": "L"})
	two := ndjson(t, record{"id": idOf(1), "fire_class": "B", "published": true}, record{"id": idOf(9)})
	corrections := []dataset.Input{input("one.ndjson", one), input("two.ndjson", two)}
	mended := catalogue(t, newRecord(1, record{"fire_class": "B", "url": url}), newRecord(2, record{"label": "L"}), hidden)
	want := mustBuild(t, compiler.Options{Inputs: mended})
	for range 2 {
		r := mustBuild(t, compiler.Options{Inputs: in, Corrections: corrections})
		if r.Hash != want.Hash {
			t.Errorf("hash %s, want the hash of the catalogue with these values, %s", r.Hash, want.Hash)
		}
		names := []string{corrections[0].Name, corrections[1].Name}
		want := &compiler.CorrectionsReport{Inputs: names, Read: 4, Products: 2, Fields: 3}
		if !reflect.DeepEqual(r.Corrections, want) {
			t.Errorf("the report has %+v, want %+v", r.Corrections, want)
		}
		if r.Warnings.Total != 1 || !strings.Contains(r.Warnings.First[0], "two.ndjson:2: no product has the id "+idOf(9)) {
			t.Errorf("warnings %q", r.Warnings.First)
		}
		slices.Reverse(corrections)
	}
	if want.Corrections != nil {
		t.Errorf("without corrections the report has %+v", want.Corrections)
	}
}

func TestFaultsOfCorrectionsAreNeverSkipped(t *testing.T) {
	in := append(catalogue(t, newRecord(1, nil), newRecord(2, record{"label": newRecord(1, nil)["label"]})),
		input("vocabulary.json", []byte(`{"material_category":{"holz":{"de":"Holz"}}}`)))
	tests := []struct {
		rule, corrections string
		want              string
		damaged           bool // whether no snapshot is built
	}{
		{"a fault in the correction", `{"id":"` + idOf(1) + `","fire_class":"Q"}`, "c.ndjson:1: fire_class: expected a class", true},
		{"no record", `{"id":"` + idOf(1), "c.ndjson:1: invalid JSON", true},
		{"a contradiction", `{"id":"` + idOf(1) + `","alpha_w":0.5}` + "\n" + `{"id":"` + idOf(1) + `","alpha_w":0.6}`,
			"c.ndjson:2: product " + idOf(1) + ": alpha_w: conflicting values", true},
		{"several products", fmt.Sprintf(`{"label":%q}`, newRecord(1, nil)["label"]),
			"c.ndjson:1: several products have the label", true},
		{"of a product, which names the correction", `{"id":"` + idOf(1) + `","material_category":"gold"}`,
			idOf(1) + `: material_category: "gold" is not in the vocabulary (corrected by c.ndjson:1)`, false},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			r, err := build(t, compiler.Options{Inputs: in, SkipInvalid: true,
				Corrections: []dataset.Input{input("c.ndjson", []byte(test.corrections))}})
			if (err != nil) != test.damaged || r.Faults.Total != 1 || !strings.Contains(r.Faults.First[0], test.want) {
				t.Errorf("%v\ngot  %q\nwant %s", err, r.Faults.First, test.want)
			}
		})
	}
}
