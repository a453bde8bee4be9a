package compiler

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unique"

	"sabine/dataset"
	"sabine/indexes"
)

// maxManufacturers is the maximum number of manufacturers in a catalogue. For other families, the maximum is
// dataset.MaxFamilyValues. A response with facets lists all values, so these limits bound its cost and size.
const maxManufacturers = 20000

// families counts the products with each value, by family.
type families [indexes.NumFamilies]map[string]int

func newFamilies() families {
	var f families
	for i := range f {
		f[i] = map[string]int{}
	}
	return f
}

// count adds n, which is 1 or -1, to the counts of a product's values. It removes counts of zero.
func (f *families) count(d *indexes.Document, n int) {
	f.add(indexes.FamilyCategory, d.Category, n)
	f.add(indexes.FamilyCharacter, d.Character, n)
	for _, value := range d.Installations {
		f.add(indexes.FamilyInstallation, value, n)
	}
	f.add(indexes.FamilyManufacturer, d.Manufacturer.Slug, n)
	f.add(indexes.FamilyFireClass, d.FireClass, n)
	f.add(indexes.FamilyEPD, strconv.FormatBool(d.HasEPD), n)
	f.add(indexes.FamilyPurchasable, strconv.FormatBool(d.Purchasable), n)
}

func (f *families) add(family indexes.Family, value string, n int) {
	if value == "" {
		return
	}
	value = detached(value)
	if f[family][value] += n; f[family][value] == 0 {
		delete(f[family], value)
	}
}

// detached returns an equal text that does not share memory with a record, so that the record's memory can be
// freed. The keys of a map need this at every assignment, which also replaces an existing key.
func detached(text string) string { return unique.Make(text).Value() }

// report returns the counts for the report. Declared values without products have the count zero.
func (f *families) report(v *dataset.Vocabulary) map[string]map[string]int {
	r := make(map[string]map[string]int, len(f))
	for family, counts := range f {
		r[indexes.FamilyNames[family]] = maps.Clone(counts)
	}
	for family, values := range v.Families {
		for value := range values {
			r[family][value] += 0
		}
	}
	return r
}

// check returns an error that names all families with too many values, sorted by name.
func (f *families) check(v *dataset.Vocabulary) error {
	var faults []error
	all := f.report(v)
	for _, family := range slices.Sorted(maps.Keys(all)) {
		most := dataset.MaxFamilyValues
		if family == indexes.FamilyNames[indexes.FamilyManufacturer] {
			most = maxManufacturers
		}
		if n := len(all[family]); n > most {
			faults = append(faults, fmt.Errorf("too many different values: %s has %d in the catalogue, and the maximum is %d",
				family, n, most))
		}
	}
	return errors.Join(faults...)
}

// vocabulary returns the declared values of the three families whose values a source can declare.
func vocabulary(v *dataset.Vocabulary) []indexes.Vocabulary {
	var all []indexes.Vocabulary
	for _, family := range []indexes.Family{indexes.FamilyCategory, indexes.FamilyCharacter, indexes.FamilyInstallation} {
		terms, closed := v.Families[indexes.FamilyNames[family]]
		all = append(all, indexes.Vocabulary{Family: family, Closed: closed, Values: describe(terms)})
	}
	return all
}

// describe returns the declared values in ascending order. It sorts synonyms and removes duplicates, because
// vocabularies can be merged in any order.
func describe(terms map[string]dataset.Term) []indexes.Value {
	described := make([]indexes.Value, len(terms))
	for i, value := range slices.Sorted(maps.Keys(terms)) {
		synonyms := slices.Clone(terms[value].Synonyms)
		slices.Sort(synonyms)
		described[i] = indexes.Value{Value: value, Names: terms[value].Names, Synonyms: slices.Compact(synonyms)}
	}
	return described
}
