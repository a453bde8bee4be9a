package compiler

import (
	"math"
	"slices"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/analysis"
)

// An analyser extracts the data for the indexes from products. It is not safe for concurrent use, since its
// collators are not.
type analyser struct {
	german, english *collate.Collator
	keys            collate.Buffer
	details         detailKeys
}

func newAnalyser() *analyser {
	return &analyser{german: newCollator(language.German), english: newCollator(language.English)}
}

// document returns a product's data for the indexes. The collation keys are valid until the next call.
func (a *analyser) document(p *product.Product) indexes.Document {
	a.keys.Reset()
	d := indexes.Document{
		ID:              p.ID,
		Slug:            orZero(p.Slug),
		Names:           appendKeys(nil, p.Label),
		ManufacturerKey: analysis.Key(p.Manufacturer.Name),
		Descriptions:    appendKeys(nil, p.Description),
		Details:         a.details.of(p),
		Category:        orZero(p.MaterialCategory),
		Character:       orZero(p.AbsorptionCharacter),
		Installations:   p.InstallationTypes,
		Manufacturer: indexes.Manufacturer{ID: p.Manufacturer.ID.String(), Slug: p.Manufacturer.Slug,
			Name: p.Manufacturer.Name},
		HasEPD:       p.HasEPD,
		Purchasable:  p.Purchasable,
		AlphaW:       math.NaN(), // none
		Measurements: measurements(p),
		CollationDE:  a.german.KeyFromString(&a.keys, collationText(p.Label.In(product.German))),
		CollationEN:  a.english.KeyFromString(&a.keys, collationText(p.Label.In(product.English))),
	}
	if p.CommercialName != nil {
		d.Names = appendKey(d.Names, *p.CommercialName)
	}
	if p.FireClass != nil {
		d.FireClass = p.FireClass.Class
	}
	if p.AlphaW != nil {
		d.AlphaW = *p.AlphaW
	}
	return d
}

// appendKeys appends the keys of a text in all its languages.
func appendKeys(keys []string, text product.Text) []string {
	for _, t := range text {
		keys = appendKey(keys, t.Text)
	}
	return keys
}

// appendKey appends the key of a text unless it is empty or already present, as for an untranslated label.
func appendKey(keys []string, text string) []string {
	key := analysis.Key(text)
	if key == "" || slices.Contains(keys, key) {
		return keys
	}
	return append(keys, key)
}

// orZero returns *v, or the zero value if v is nil.
func orZero[T any](v *T) T {
	if v == nil {
		var zero T
		return zero
	}
	return *v
}
