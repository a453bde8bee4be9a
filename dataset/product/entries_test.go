package product_test

import (
	"fmt"
	"testing"

	"sabine/dataset/product"
)

func TestAbsorptionEntries(t *testing.T) {
	const octave, third = `{"125":0.1,"250":0.2}`, `{"100":0.3,"125":0.4,"160":0.5}`
	for _, test := range []struct{ rule, detail, want string }{
		{"entries in the order of the record", `{"absorption_octave":` + octave +
			`,"measurements":{"absorption_iso_354":[{"id":"a","alpha_s_octave":` + octave +
			`,"alpha_s_third_octave":null},{"id":"b","alpha_s_octave":null,"alpha_s_third_octave":` + third + `}]}}`,
			"0 a [{125 0.1} {250 0.2}] []; 1 b [] [{100 0.3} {125 0.4} {160 0.5}]; "},
		{"a declared octave curve follows entries without octave values", `{"absorption_octave":` + octave +
			`,"measurements":{"absorption_iso_354":[{"id":"a","alpha_s_octave":{},"alpha_s_third_octave":{"100":0.3}}]}}`,
			"0 a [] [{100 0.3}]; -1  [{125 0.1} {250 0.2}] []; "},
		{"without an entry", `{"absorption_octave":` + octave + `,"measurements":{"absorption_iso_354":[]}}`,
			"-1  [{125 0.1} {250 0.2}] []; "},
		{"without a curve", `{"absorption_octave":null,"measurements":{"absorption_iso_354":[]}}`, ""},
	} {
		p, got := product.Read(test.detail), ""
		for _, e := range p.AbsorptionEntries() {
			got += fmt.Sprint(e.Index, " ", e.ID, " ", e.Octave, " ", e.Third, "; ")
			if e.Index < 0 != (e.SetUp == nil) || e.Index >= 0 && e.SetUp != &p.Measurements.Absorption[e.Index] {
				t.Errorf("%s: entry %d has the wrong set-up", test.rule, e.Index)
			}
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.rule, got, test.want)
		}
	}
}

func TestScatteringEntries(t *testing.T) {
	p := product.Read(
		`{"absorption_octave":{"125":0.1},"measurements":{"scatter_iso_17497_1":[{"id":"a","scatter_octave":{"500":0.4}},` +
			`{"id":"b","scatter_third_octave":{"630":0.5}}],"diffusion_iso_17497_2":[{"id":"c","diffusion_octave":{"500":0.4}}]}}`)
	got := ""
	for _, e := range p.ScatteringEntries() {
		got += fmt.Sprint(e.Index, " ", e.ID, " ", e.Octave, " ", e.Third, " ", e.SetUp == nil, "; ")
	}
	if want := "0 a [{500 0.4}] [] true; 1 b [] [{630 0.5}] true; "; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
