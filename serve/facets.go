package serve

import (
	"sabine/dataset/jsonwriter"
	"sabine/runtime"
)

// appendFacets appends the facets of authenticated search.
func appendFacets(dst []byte, f *runtime.Facets) []byte {
	dst = appendBuckets(append(dst, `{"categories":`...), f.Categories)
	dst = appendBuckets(append(dst, `,"characters":`...), f.Characters)
	dst = appendBuckets(append(dst, `,"installations":`...), f.Installations)
	dst = appendManufacturers(append(dst, `,"manufacturers":`...), f.Manufacturers)
	dst = appendBuckets(append(dst, `,"fire_classes":`...), f.FireClasses)
	dst = appendSplit(append(dst, `,"has_epd":`...), f.HasEPD)
	return append(dst, '}')
}

// appendPublicFacets appends the facets of public search.
func appendPublicFacets(dst []byte, f *runtime.Facets) []byte {
	dst = appendBuckets(append(dst, `{"materialCategories":`...), f.Categories)
	dst = appendBuckets(append(dst, `,"absorptionCharacters":`...), f.Characters)
	dst = appendBuckets(append(dst, `,"installationTypes":`...), f.Installations)
	dst = appendManufacturers(append(dst, `,"manufacturers":`...), f.Manufacturers)
	dst = appendSplit(append(dst, `,"hasEPD":`...), f.HasEPD)
	dst = appendSplit(append(dst, `,"purchasableOnly":`...), f.Purchasable)
	return append(dst, '}')
}

// appendBuckets appends an array of {value, count}.
func appendBuckets(dst []byte, buckets []runtime.ValueCount) []byte {
	return appendArray(dst, len(buckets), func(dst []byte, i int) []byte {
		dst = jsonwriter.AppendString(append(dst, `{"value":`...), buckets[i].Value)
		return append(appendInt(dst, `,"count":`, buckets[i].Count), '}')
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
