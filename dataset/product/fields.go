package product

import (
	"time"

	"github.com/google/uuid"

	"sabine/dataset/acoustics"
)

// A part identifies a part of a stored record. The first three parts, in this order, form the MaterialDetail.
type part uint8

const (
	inSummary   part = iota // the MaterialSummary
	inAcoustics             // added to a summary by include=acoustics
	inDetail                // the rest of the MaterialDetail
	inGeometry              // added to a detail by include=geometry
	inRest                  // stored, but not in a detail
	inViews                 // not stored, because it is computed for a view, or equal in all stored records
)

// A searchedText identifies the searched text that contains a field. Package compiler builds these texts.
type searchedText uint8

// The searched texts. A match in an earlier text ranks higher.
const (
	inName searchedText = iota + 1
	inManufacturer
	inCategory
	inDescription
	inDetails
)

// A field is a field of a product with all of its rules.
type field struct {
	member[Product]
	part part
	// sort keys of the field in a PublicSearchProduct and in a CompareProduct; 0 if it is absent there
	public, compare int
	search          searchedText
	// writes the data that a detail does not show, and reports whether there is any; nil: none
	rest    func(w *writer, p *Product) bool
	derived bool                  // computed by the build and absent from source records
	when    func(p *Product) bool // reports whether views show the field; nil: always
}

// fields are all fields of a record: first the MaterialDetail in its order, then the other fields.
var fields = []field{
	{member: in("id", identifier, func(p *Product) *uuid.UUID { return &p.ID },
		"Identifies the product: a UUID, unique in the catalogue.").at(10).required(),
		part: inSummary, public: 10, compare: 10},
	{member: in("slug", nullable(productSlug), func(p *Product) **string { return &p.Slug },
		"A readable name for addresses: groups of a-z and 0-9 joined by single hyphens, unique in the catalogue and "+
			"stable for the life of the product. A UUID and the word "+
			ReservedSlug+" are invalid.").at(20), part: inSummary, public: 20, compare: 20,
		when: func(p *Product) bool { return p.Slug != nil }},
	{member: in("label", localized(visiblePattern, MaxNameBytes), func(p *Product) *Text { return &p.Label },
		"The name that lists show: a German text, or an object of texts by language (BCP 47, such as de, en or pt-BR) "+
			"that contains a German text. Not blank.").at(30).required(),
		part: inSummary, public: 30, compare: 30, search: inName,
		rest: otherLanguages(func(p *Product) Text { return p.Label })},
	{member: in("commercial_name", nullable(text), func(p *Product) **string { return &p.CommercialName },
		"The marketing name.").at(50),
		part: inSummary, public: 40, compare: 40, search: inName},
	{member: manufacturer.at(60), part: inSummary, search: inManufacturer, rest: writeManufacturerID},
	{member: in("material_category", nullable(filledText), func(p *Product) **string { return &p.MaterialCategory },
		"The broad category of the material: a value such as textil, metall or holz. A vocabulary may list the allowed "+
			"values.").at(130), part: inSummary, public: 60, compare: 50, search: inCategory},
	{member: in("installation_types", list, func(p *Product) *[]string { return &p.InstallationTypes },
		"Where the product is installed: values such as wall, ceiling or free-standing. Duplicates are removed. A "+
			"vocabulary may list the allowed values.").at(150), part: inSummary, public: 80, compare: 140, search: inCategory},
	{member: in("alpha_w", nullable(fraction), func(p *Product) **float64 { return &p.AlphaW },
		"The weighted sound absorption coefficient (ISO 11654) as the source declares it. Default: computed from the most "+
			"absorptive ISO 354 entry or, if no entry has octave values, from absorption_octave. This default is null unless "+
			"all octaves from 250 Hz to 4000 Hz are known.").at(170),
		part: inSummary},
	{member: in("updated_at", nullable(dateTime), func(p *Product) **time.Time { return &p.UpdatedAt },
		"When the record was last changed: a date-time of RFC 3339 such as 2026-01-31T12:00:00Z.").at(210),
		part: inSummary},
	{member: in("nrc", nullable(rating), func(p *Product) **acoustics.Hundredths { return &p.NRC },
		"The Noise Reduction Coefficient (ASTM C423).").at(190),
		part: inAcoustics, derived: true},
	{member: in("saa", nullable(rating), func(p *Product) **acoustics.Hundredths { return &p.SAA },
		"The Sound Absorption Average (ASTM C423).").at(200),
		part: inAcoustics, derived: true},
	{member: in("absorption_octave", absorptionOctaves, func(p *Product) *acoustics.Curve { return &p.AbsorptionOctave },
		"Practical sound absorption coefficients (ISO 11654) by octave band. The build computes them from an ISO 354 "+
			"entry. It uses declared values only if no entry has enough data.").at(280),
		part: inAcoustics},
	{member: in("description", localized("", MaxDescriptionBytes), func(p *Product) *Text { return &p.Description },
		"Free text from the manufacturer: a German text, or an object of texts by language (BCP 47) that contains a German "+
			"text.").at(90), part: inDetail, search: inDescription,
		rest: otherLanguages(func(p *Product) Text { return p.Description })},
	{member: in("has_epd", boolean, func(p *Product) *bool { return &p.HasEPD },
		"Whether the product has an Environmental Product Declaration. Default: true if the record has an epd_url.").at(220).
		omitIf(func(p *Product) bool { return p.HasEPD == (p.EPDURL != nil) }), part: inDetail, public: 90, compare: 110},
	{member: in("url", nullable(address), func(p *Product) **string { return &p.URL },
		"The manufacturer's page about the product, an address with http:// or https://.").at(230),
		part: inDetail, public: 140, compare: 120},
	{member: in("epd_url", nullable(address), func(p *Product) **string { return &p.EPDURL },
		"The Environmental Product Declaration, an address with http:// or https://.").at(240),
		part: inDetail, public: 150, compare: 130},
	{member: in("structured_meta", meta, func(p *Product) *[]MetaEntry { return &p.StructuredMeta },
		"Further specifications by name, such as weight or article number: texts, numbers or booleans. The build stores "+
			"them as text. At most 500 entries.").at(250), part: inDetail, public: 170, compare: 150, search: inDetails},
	{member: in("images", orNull(objects(imageMembers)), func(p *Product) *[]Image { return &p.Images },
		"Pictures of the product.").at(260), part: inDetail},
	{member: in("measurements", object(measurementMembers), func(p *Product) *Measurements { return &p.Measurements },
		"Measured data by standard.").omitIf(func(p *Product) bool {
		return len(p.Measurements.Absorption)+len(p.Measurements.Scatter)+len(p.Measurements.Diffusion) == 0
	}), part: inDetail, search: inDetails},
	{member: in("geometry", nullable(object(geometryMembers)), func(p *Product) **Geometry { return &p.Geometry },
		"A simple solid with the size of the product.").at(270), part: inGeometry},

	{member: in("data_source", nullable(oneOf(Manufactured, Reference)),
		func(p *Product) **string { return &p.DataSource },
		"The source of the data: the manufacturer, or PTB, Germany's national metrology institute. PTB measures reference "+
			"materials that are not for sale.").at(110), part: inRest, public: 50, compare: 70},
	{member: in("purchasable", boolean, func(p *Product) *bool { return &p.Purchasable },
		"Whether the product can be bought. Default: false for reference materials, otherwise true.").at(120).
		omitIf(func(p *Product) bool { return p.Purchasable == p.SoldByDefault() }), part: inRest},
	{member: in("absorption_character", nullable(filledText), func(p *Product) **string { return &p.AbsorptionCharacter },
		"The part of the spectrum that the product absorbs: a value such as breitband, tiefton or hochton. A vocabulary "+
			"may list the allowed values.").at(140), part: inRest, public: 70, compare: 60, search: inCategory},
	{member: in("fire_class", nullable(fireClass), func(p *Product) **FireClass { return &p.FireClass },
		"The reaction-to-fire class (DIN EN 13501-1), such as A1, B-s1,d0, Bfl-s1 or E-d2. Filters compare only the "+
			"main class (A1, A2, B to F): B for Bfl-s1.").at(160), part: inRest, search: inDetails},
	{member: in("alpha_w_min", nullable(fraction), func(p *Product) **float64 { return &p.AlphaWMin },
		"The lowest weighted sound absorption coefficient of the set-ups. Default: the minimum of alpha_w and the "+
			"coefficients of the ISO 354 entries.").at(180), part: inRest},
	{member: in("published", boolean, func(p *Product) *bool { return &p.Published },
		"Whether the product is published. The build validates an unpublished record and omits it. Default: true.").
		omitIf(func(p *Product) bool { return p.Published }), part: inViews},

	// Members of a single view, computed from the fields above.
	{member: computed("slug", func(w *writer, p *Product) { w.String(p.ID.String()) }),
		part: inViews, public: 20, compare: 20, derived: true,
		when: func(p *Product) bool { return p.Slug == nil }},
	{member: computed("manufacturerName", func(w *writer, p *Product) { w.String(p.Manufacturer.Name) }),
		part: inViews, public: 100, compare: 100, derived: true},
	{member: computed("alphaW", func(w *writer, p *Product) { w.Number(orZero(p.AlphaW)) }),
		part: inViews, public: 110, compare: 80, derived: true},
	{member: computed("alphaWMin", func(w *writer, p *Product) { w.Number(orZero(p.AlphaWMin)) }),
		part: inViews, public: 120, compare: 90, derived: true},
	{member: computed("imageUrl", writeFirstImage), part: inViews, public: 130, derived: true},
	{member: computed("variant_count", writeVariantCount), part: inViews, public: 160, derived: true},
}

// fieldsWith returns the members of the fields that match.
func fieldsWith(match func(*field) bool) (matching members[Product]) {
	for i := range fields {
		if match(&fields[i]) {
			matching = append(matching, fields[i].member)
		}
	}
	return matching
}

// writeFirstImage writes the address of the first picture. The pictures are in display order.
func writeFirstImage(w *writer, p *Product) {
	if len(p.Images) == 0 {
		w.Null()
	} else {
		w.String(p.Images[0].URL)
	}
}

// writeVariantCount writes the number of ISO 354 entries, or null for 0.
func writeVariantCount(w *writer, p *Product) {
	if n := len(p.Measurements.Absorption); n > 0 {
		w.Int(int64(n))
	} else {
		w.Null()
	}
}

// orZero returns a rating, or 0 for nil, because the API never returns null in these members.
func orZero(v *float64) float64 {
	if v == nil {
		return 0
	}
	return *v
}
