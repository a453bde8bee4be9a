package measurements_test

import (
	"fmt"
	"testing"

	"sabine/dataset/acoustics"
	"sabine/serve/measurements"
)

func TestOfDetail(t *testing.T) {
	const octave, third = `{"125":0.1,"250":0.2}`, `{"100":0.3,"125":0.4,"160":0.5}`
	for _, test := range []struct{ rule, detail, want string }{
		{"the entries in their order", `{"absorption_octave":` + octave + `,"measurements":{"absorption_iso_354":[{"id":"a","alpha_s_octave":` + octave + `,"alpha_s_third_octave":null},{"id":"b","alpha_s_octave":null,"alpha_s_third_octave":` + third + `}]}}`,
			"0 a [{125 0.1} {250 0.2}] []; 1 b [] [{100 0.3} {125 0.4} {160 0.5}]; "},
		{"the declared curve of a product that has no other", `{"absorption_octave":` + octave + `,"measurements":{"absorption_iso_354":[{"id":"a","alpha_s_octave":{},"alpha_s_third_octave":{"100":0.3}}]}}`,
			"0 a [] [{100 0.3}]; -1  [{125 0.1} {250 0.2}] []; "},
		{"without an entry", `{"absorption_octave":` + octave + `,"measurements":{"absorption_iso_354":[]}}`, "-1  [{125 0.1} {250 0.2}] []; "},
		{"without a curve", `{"absorption_octave":null,"measurements":{"absorption_iso_354":[]}}`, ""},
		{"bands ascend", `{"absorption_octave":{"250":0.2,"125":0.1}}`, "-1  [{125 0.1} {250 0.2}] []; "},
	} {
		got := ""
		for _, a := range measurements.OfDetail([]byte(test.detail)) {
			got += fmt.Sprint(a.Index, " ", a.ID, " ", a.Octave, " ", a.Third, "; ")
		}
		if got != test.want {
			t.Errorf("%s: got %q, want %q", test.rule, got, test.want)
		}
	}
}

func FuzzOfDetail(f *testing.F) {
	f.Add([]byte(`{"absorption_octave":{"125":0.1},"measurements":{"absorption_iso_354":[{"id":"a","alpha_s_octave":{"250":1}}]}}`))
	f.Add([]byte(`{"absorption_octave":{"":null,"125":"0.1","x":1},"measurements":{"absorption_iso_354":{"a":[]}}`))
	f.Fuzz(func(_ *testing.T, detail []byte) {
		for _, a := range measurements.OfDetail(detail) {
			for _, hz := range acoustics.OctaveBands {
				_, _ = acoustics.OctaveCoefficient(a.Octave, a.Third, hz)
			}
		}
	})
}
