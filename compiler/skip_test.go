package compiler_test

import (
	"strings"
	"testing"

	"sabine/compiler"
	"sabine/dataset"
)

// This test builds two records with one slug, the first of which has another fault. For every kind of fault,
// the second record must be reported as a duplicate, and both must be skipped.
func TestSkipInvalidDecidesAlikeForEveryFault(t *testing.T) {
	vocabulary := input("vocabulary.json", []byte(`{"material_category":{"holz":{"de":"Holz"}}}`))
	tests := []struct {
		fault string
		first record
	}{
		{"of a field", record{"alpha_w": 2}},
		{"of the id itself", record{"id": "none"}},
		{"an id twice", record{"id": idOf(1)}},
		{"a manufacturer's second name", record{"manufacturer": "Acme"}},
		{"a value that is not in the vocabulary", record{"material_category": "gold"}},
	}
	for _, test := range tests {
		t.Run(test.fault, func(t *testing.T) {
			test.first["slug"] = "wanted"
			in := catalogue(t, newRecord(1, nil), newRecord(2, test.first), newRecord(3, record{"slug": "wanted"}))
			r := mustBuild(t, compiler.Options{Inputs: []dataset.Input{in[0], vocabulary}, SkipInvalid: true})
			if want := (compiler.Counts{Records: 3, Products: 1, Skipped: 2}); r.Counts != want {
				t.Errorf("counts %+v, want %+v", r.Counts, want)
			}
			if r.Faults.Total != 2 || !strings.Contains(r.Faults.First[0], ".ndjson:2: ") ||
				!strings.Contains(r.Faults.First[1], `.ndjson:3: product `+idOf(3)+
					`: slug: "wanted" is a duplicate slug, first used in`) {
				t.Errorf("faults %q", r.Faults.First)
			}
		})
	}
}
