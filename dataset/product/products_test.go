package product_test

import (
	"time"

	"github.com/google/uuid"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

func ptr[T any](v T) *T { return &v }

// fullProduct returns a product with a value in every field.
func fullProduct() *product.Product {
	return &product.Product{
		ID:        uuid.MustParse("0b6f4c3e-58a8-52eb-852b-be809a01c8e0"),
		Slug:      ptr("wellenpanel-45-600"),
		Published: true,
		Label: product.Text{{Locale: "de", Text: `Wellenpanel "45/600"`},
			{Locale: "en-GB", Text: "Wave panel <45/600>"}},
		CommercialName: ptr("Undula\t45"),
		Description: product.Text{{Locale: "de", Text: "Paneel aus Holzwolle.\nFür Wände."},
			{Locale: "en", Text: "Wood wool panel."}},
		Manufacturer: product.Manufacturer{ID: uuid.MustParse("11111111-2222-5333-8444-555555555555"),
			Slug: "mueller-soehne", Name: "Müller & Söhne"},
		DataSource:          ptr("manufacturer"),
		Purchasable:         true,
		MaterialCategory:    ptr("holz"),
		AbsorptionCharacter: ptr("breitband"),
		InstallationTypes:   []string{"wall", "free-standing"},
		FireClass:           &product.FireClass{Text: "B-s1,d0", Class: "B"},
		UpdatedAt:           ptr(time.Date(2026, 3, 1, 23, 30, 0, 120_000_000, time.FixedZone("", 3600))),
		HasEPD:              true,
		URL:                 ptr("https://example.com/p?a=1&b=2"),
		EPDURL:              ptr("https://example.com/epd.pdf"),
		StructuredMeta:      []product.MetaEntry{{Key: "Brandklasse", Value: "B-s1,d0"}, {Key: "Dicke \"mm\"", Value: "45"}},
		Images: []product.Image{
			{ID: ptr("img-1"), URL: "https://example.com/1.jpg", Filename: ptr("eins.jpg"), DisplayOrder: ptr(int64(-1))},
			{URL: "https://example.com/2.jpg"},
		},
		Geometry: &product.Geometry{
			Shape:       "panel",
			BoundingBox: product.BoxMM{Width: 600, Height: 1200, Depth: 45.5},
			SizeVariants: []product.SizeVariant{{Label: ptr("klein"), BoxMM: product.BoxMM{Width: 300, Height: 600,
				Depth: 45.5}}, {BoxMM: product.BoxMM{Width: 1, Height: 2, Depth: 3}}},
			ExposedAreas: []product.ExposedArea{{Mounting: "free-standing", AreaM2: 1.6038}, {Mounting: "wall", AreaM2: 0.72}},
		},
		Measurements: product.Measurements{
			Absorption: []product.Absorption{
				{
					Measurement: product.Measurement{ID: "abs-1", Label: "Absorption 1", SourceKind: "measured",
						SourceNorm: "ISO 354", MeasuringOption: ptr("Hallraum")},
					Mounting:             ptr("E"),
					ThicknessMM:          ptr(45.5),
					AirGapMM:             ptr(200.0),
					CalculatedAbsorption: ptr(0.85),
					AlphaSOctave: acoustics.Curve{{BandHz: 63, Value: -0.05}, {BandHz: 125, Value: 0.2},
						{BandHz: 1000, Value: 1.15}},
					AlphaSThirdOctave: acoustics.Curve{{BandHz: 100, Value: 0.15}, {BandHz: 1000, Value: 1}},
				},
				{Measurement: product.Measurement{ID: "abs-2", Label: "Absorption 2", SourceKind: "literature",
					SourceNorm: "ISO 354"}, AlphaSOctave: acoustics.Curve{}},
			},
			Scatter: []product.Scatter{{
				Measurement: product.Measurement{ID: "sca-1", Label: "Scatter 1", SourceKind: "simulated",
					SourceNorm: "ISO 17497-1"},
				ScatterOctave:      acoustics.Curve{{BandHz: 500, Value: 0.4}},
				ScatterThirdOctave: acoustics.Curve{{BandHz: 500, Value: 0.41}},
			}},
			Diffusion: []product.Diffusion{{
				Measurement: product.Measurement{ID: "dif-1", Label: "Diffusion 1",
					SourceKind: "measured", SourceNorm: "ISO 17497-2"},
				LimitFrequencyHz:                          ptr(315.0),
				DirectionalDiffusionOctave:                acoustics.Curve{{BandHz: 500, Value: 0.1}},
				DirectionalDiffusionThirdOctave:           acoustics.Curve{{BandHz: 500, Value: 0.2}},
				NormalizedDirectionalDiffusionOctave:      acoustics.Curve{{BandHz: 500, Value: 0.3}},
				NormalizedDirectionalDiffusionThirdOctave: acoustics.Curve{{BandHz: 500, Value: 0.4}},
				DiffusionOctave:                           acoustics.Curve{{BandHz: 500, Value: 0.5}},
				DiffusionThirdOctave:                      acoustics.Curve{{BandHz: 500, Value: 0.6}},
				NormalizedDiffusionOctave:                 acoustics.Curve{{BandHz: 500, Value: 0.7}},
				NormalizedDiffusionThirdOctave:            acoustics.Curve{{BandHz: 500, Value: 0.8}},
			}},
		},
		AlphaW:           ptr(0.85),
		AlphaWMin:        ptr(0.1),
		NRC:              ptr(acoustics.Hundredths(115)),
		SAA:              ptr(acoustics.Hundredths(87)),
		AbsorptionOctave: acoustics.Curve{{BandHz: 125, Value: 0.2}, {BandHz: 250, Value: 1}},
	}
}

// bareProduct returns a product with only the required fields.
func bareProduct() *product.Product {
	return &product.Product{
		ID:        uuid.MustParse("0b6f4c3e-58a8-52eb-852b-be809a01c8e1"),
		Published: true,
		Label:     product.Text{{Locale: "de", Text: "Vorhang"}},
		Manufacturer: product.Manufacturer{ID: uuid.MustParse("11111111-2222-5333-8444-555555555556"), Slug: "acme",
			Name: "ACME"},
		Purchasable: true,
	}
}
