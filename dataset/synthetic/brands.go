package synthetic

import (
	"strings"

	"sabine/dataset"
	"sabine/dataset/product"
)

// A brand is an invented manufacturer. Most give a name alone in their records, and leave slug and id to the reader.
type brand struct {
	manufacturer product.Manufacturer
	slug         string
	series       []string
	kinds        []int // of the table of kinds: what it makes most
}

// The syllables of series names.
var (
	seriesStarts = []string{"Lu", "Ta", "Ve", "Mo", "Si", "Or", "Ka", "Ne", "Fi", "Ar", "So", "Ri", "Be", "Cu", "Da", "El", "Ju", "Pa", "Wi", "Zo"}
	seriesMiddle = []string{"ma", "vel", "ri", "no", "lan", "so", "ber", "dri", "cu", "the", "ga", "lo", "quin", "sta", "mi"}
	seriesEnds   = []string{"ro", "na", "lis", "ton", "da", "vo", "rix", "um", "ell", "ant", "ea", "is"}
)

const seriesPerBrand = 9

// inventBrands makes the brands of brands.csv, the same for every seed.
func inventBrands() []brand {
	var brands []brand
	for i, r := range rows("brands.csv") {
		d, name := newDice(0x5ab1e, uint64(i)), r["name"]
		b := brand{manufacturer: product.Manufacturer{Name: name}, slug: dataset.SlugOf(name)}
		if id := inventUUID(&d); i%3 == 2 {
			b.manufacturer.ID, b.manufacturer.Slug = id, b.slug
		}
		for range seriesPerBrand {
			b.series = append(b.series, pick(&d, seriesStarts)+pick(&d, seriesMiddle)+pick(&d, seriesEnds))
			b.kinds = append(b.kinds, pickKind(&d))
		}
		brands = append(brands, b)
	}
	return brands
}

// domain is where the brand's pages would be: under example, which no one can own (RFC 2606).
func (b *brand) domain() string { return b.slug + ".example" }

// mark is the beginning of the brand's article numbers.
func (b *brand) mark() string { return strings.ToUpper(strings.ReplaceAll(b.slug, "-", "")[:2]) }
