package compiler

import (
	"fmt"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/product"
	"sabine/indexes"
)

// TestDatasetAndIndexesAgree compares names that both packages define, since neither imports the other.
func TestDatasetAndIndexesAgree(t *testing.T) {
	for family, name := range map[indexes.Family]string{
		indexes.FamilyCategory:     product.FamilyCategory,
		indexes.FamilyCharacter:    product.FamilyCharacter,
		indexes.FamilyInstallation: product.FamilyInstallation,
	} {
		if indexes.FamilyNames[family] != name {
			t.Errorf("a family is %q to the indexes and %q in the source", indexes.FamilyNames[family], name)
		}
	}
	const id = "0b6f1c8e-4d2a-5e7b-9c3f-1a2b3c4d5e6f"
	// Test all forms of a UUID that package uuid accepts.
	for _, form := range []string{id, strings.ReplaceAll(id, "-", ""), "{" + id + "}", "urn:uuid:" + id} {
		record := fmt.Sprintf(`{"id":%q,"label":"A","manufacturer":"ACME"}`, form)
		taken := dataset.Parse(dataset.Raw{JSON: []byte(record)}).Product != nil
		if taken != (len(form) == indexes.UUIDLength) {
			t.Errorf("the source takes the id %s: %v, and the indexes know ids of %d characters", form, taken,
				indexes.UUIDLength)
		}
	}
}

func TestFamiliesHaveALimitOfValues(t *testing.T) {
	declared := func(n int) *dataset.Vocabulary {
		terms := map[string]dataset.Term{}
		for i := range n {
			terms[fmt.Sprint("declared ", i)] = dataset.Term{}
		}
		return &dataset.Vocabulary{Families: map[string]map[string]dataset.Term{"installation_types": terms}}
	}
	tests := []struct {
		rule       string
		family     indexes.Family
		used       int
		vocabulary *dataset.Vocabulary
		want       string
	}{
		{"the maximum number of values", indexes.FamilyCategory, 5000, declared(0), ""},
		{"one value more", indexes.FamilyCategory, 5001, declared(0),
			"too many different values: material_category has 5001 in the catalogue, and the maximum is 5000"},
		{"declared values count", indexes.FamilyInstallation, 1, declared(5000),
			"too many different values: installation_types has 5001 in the catalogue, and the maximum is 5000"},
		{"manufacturers have a higher maximum", indexes.FamilyManufacturer, 20000, declared(0), ""},
		{"one manufacturer more", indexes.FamilyManufacturer, 20001, declared(0),
			"too many different values: manufacturer has 20001 in the catalogue, and the maximum is 20000"},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			f := newFamilies()
			for i := range test.used {
				f.add(test.family, fmt.Sprint("value ", i), 1)
			}
			err := f.check(test.vocabulary)
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != test.want {
				t.Errorf("got %q, want %q", got, test.want)
			}
		})
	}
}
