package runtime

import (
	"strings"

	"github.com/tidwall/gjson"

	"sabine/indexes"
	"sabine/indexes/column"
)

// Unshown is what a generation knows of a product and its MaterialDetail does not show.
type Unshown struct {
	LabelEN             string // the label in English, which is the German one where there is no other
	DescriptionEN       *string
	DataSource          string // "manufacturer", "ptb" or ""
	Purchasable         bool
	AbsorptionCharacter string
	FireClass           string  // as the record spells it, such as "B-s1,d0"
	AlphaWMin           float64 // 0 where there is none
	Manufacturer        indexes.Manufacturer
}

// Unshown returns what the detail of a product does not show: it stands in other bodies, in facets, or nowhere else. Its texts
// are copies.
func (g *Generation) Unshown(d column.Doc) Unshown {
	b := g.index.Bodies.At(d)
	compare := append(g.appendFitting(nil, d, &b, indexes.SumCompareHead, b.CompareHead), "null}"...)
	public := g.appendPublic(nil, d, English)
	unshown := g.appendFitting(nil, d, &b, indexes.SumUnshown, b.Unshown)
	shared := gjson.GetManyBytes(compare, "data_source", "absorption_character", "alphaWMin")
	own := gjson.GetManyBytes(unshown, "description_en", "fire_class")
	u := Unshown{
		LabelEN:    gjson.GetBytes(public, "label").String(),
		DataSource: shared[0].String(), AbsorptionCharacter: shared[1].String(), AlphaWMin: shared[2].Float(),
		FireClass: own[1].String(),
	}
	if own[0].Exists() {
		text := own[0].String()
		u.DescriptionEN = &text
	}
	u.Purchasable = len(g.index.Facets[indexes.FamilyPurchasable].Of(nil, d)) > 0
	manufacturers := &g.index.Facets[indexes.FamilyManufacturer]
	for _, v := range manufacturers.Of(nil, d) {
		m := manufacturers.Manufacturer(int(v))
		u.Manufacturer = indexes.Manufacturer{Slug: strings.Clone(m.Slug), ID: strings.Clone(m.ID), Name: strings.Clone(m.Name)}
	}
	return u
}
