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

// An analyser turns products into what the indexes know of them. It is for one goroutine, since collators
// are.
type analyser struct {
	german, english *collate.Collator
	keys            collate.Buffer
	details         detailKeys
}

func newAnalyser() *analyser {
	return &analyser{
		german:  newCollator(language.German),
		english: newCollator(language.English),
	}
}

// document returns what the indexes know of a product. Its collation keys are valid until the next call.
func (a *analyser) document(p *product.Product) indexes.Document {
	a.keys.Reset()
	d := a.documentOf(p)
	d.CollationDE = a.german.KeyFromString(&a.keys, collated(p.Label.In(product.German)))
	d.CollationEN = a.english.KeyFromString(&a.keys, collated(p.Label.In(product.English)))
	return d
}

// documentOf is document without the collation keys.
func (a *analyser) documentOf(p *product.Product) indexes.Document {
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
		AlphaW:       math.NaN(),
		Measurements: measurements(p),
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

// appendKey appends the key of a text, unless it is there already, as a label that is not translated would
// be, or has no words.
func appendKey(keys []string, text string) []string { return appendNew(keys, analysis.Key(text)) }

// appendNew is appendKey for the key of a text.
func appendNew(keys []string, key string) []string {
	if key == "" || slices.Contains(keys, key) {
		return keys
	}
	return append(keys, key)
}

// orZero is a value where there is no null, as with the ratings that the contract always has.
func orZero[T any](v *T) T {
	if v == nil {
		var zero T
		return zero
	}
	return *v
}
