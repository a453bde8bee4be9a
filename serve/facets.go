package serve

import (
	"sabine/dataset/jsonwriter"
	"sabine/runtime"
)

// appendFacets appends the facets of authenticated search.
func appendFacets(dst []byte, f *runtime.Facets) []byte {
	dst = appendValueCounts(append(dst, `{"categories":`...), f.Categories)
	dst = appendValueCounts(append(dst, `,"characters":`...), f.Characters)
	dst = appendValueCounts(append(dst, `,"installations":`...), f.Installations)
	dst = appendManufacturers(append(dst, `,"manufacturers":`...), f.Manufacturers)
	dst = appendValueCounts(append(dst, `,"fire_classes":`...), f.FireClasses)
	dst = appendSplit(append(dst, `,"has_epd":`...), f.HasEPD)
	return append(dst, '}')
}

// appendPublicFacets appends the facets of public search.
func appendPublicFacets(dst []byte, f *runtime.Facets) []byte {
	dst = appendValueCounts(append(dst, `{"materialCategories":`...), f.Categories)
	dst = appendValueCounts(append(dst, `,"absorptionCharacters":`...), f.Characters)
	dst = appendValueCounts(append(dst, `,"installationTypes":`...), f.Installations)
	dst = appendManufacturers(append(dst, `,"manufacturers":`...), f.Manufacturers)
	dst = appendSplit(append(dst, `,"hasEPD":`...), f.HasEPD)
	dst = appendSplit(append(dst, `,"purchasableOnly":`...), f.Purchasable)
	return append(dst, '}')
}

// appendValueCounts appends an array of {value, count}.
func appendValueCounts(dst []byte, counts []runtime.ValueCount) []byte {
	return appendArray(dst, len(counts), func(dst []byte, i int) []byte {
		dst = jsonwriter.AppendString(append(dst, `{"value":`...), counts[i].Value)
		return append(appendInt(dst, `,"count":`, counts[i].Count), '}')
	})
}

// appendManufacturers appends an array of {id, slug, name, count}.
func appendManufacturers(dst []byte, manufacturers []runtime.ManufacturerCount) []byte {
	return appendArray(dst, len(manufacturers), func(dst []byte, i int) []byte {
		dst = jsonwriter.AppendString(append(dst, `{"id":`...), manufacturers[i].ID)
		dst = jsonwriter.AppendString(append(dst, `,"slug":`...), manufacturers[i].Slug)
		dst = jsonwriter.AppendString(append(dst, `,"name":`...), manufacturers[i].Name)
		return append(appendInt(dst, `,"count":`, manufacturers[i].Count), '}')
	})
}

// appendSplit appends {"true", "false"}.
func appendSplit(dst []byte, s runtime.Split) []byte {
	dst = appendInt(dst, `{"true":`, s.True)
	return append(appendInt(dst, `,"false":`, s.False), '}')
}
