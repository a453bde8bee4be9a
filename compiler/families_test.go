package compiler

import (
	"fmt"
	"strings"
	"testing"
	"unsafe"

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

// Assigning to an existing key of a map replaces the key's string, so the map would retain the latest record.
func TestCountsDoNotRetainRecords(t *testing.T) {
	record := strings.Repeat(`{"material_category":"absorber"}`, 2)
	value := record[22:30]
	c := &collector{unknown: map[string]int{}, families: newFamilies()}
	for range 2 {
		c.families.count(&indexes.Document{Category: value}, 1)
		if err := c.takeItem(nil, &item{parsed: dataset.Parsed{Unknown: []string{value}}}); err != nil {
			t.Fatal(err)
		}
	}
	for name, counts := range map[string]map[string]int{"families": c.families[indexes.FamilyCategory], "unknown": c.unknown} {
		for key, n := range counts {
			if key != value || n != 2 {
				t.Errorf("%s: got %d of %q, want 2 of %q", name, n, key, value)
			}
			if unsafe.StringData(key) == unsafe.StringData(value) {
				t.Errorf("%s: the key %q is part of the record's memory", name, key)
			}
		}
	}
}
