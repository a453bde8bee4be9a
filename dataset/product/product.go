package product

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"sabine/dataset/acoustics"
)

// A Product is one valid source record with its defaults filled in and its ratings derived. A nil pointer or
// slice is a null of the record, except where a field says otherwise.
type Product struct {
	ID                  uuid.UUID
	Slug                *string
	Published           bool
	Label               Text // never empty: German is always there
	CommercialName      *string
	Description         Text
	Manufacturer        Manufacturer
	DataSource          *string // "manufacturer" or "ptb"
	Purchasable         bool
	MaterialCategory    *string
	AbsorptionCharacter *string
	InstallationTypes   []string // each once, in the record's order; empty when there are none
	FireClass           *FireClass
	UpdatedAt           *time.Time // in UTC
	HasEPD              bool
	URL                 *string
	EPDURL              *string
	StructuredMeta      []MetaEntry // by key, ascending in bytes
	Images              []Image     // by display order ascending, null last, ties in the record's order
	Geometry            *Geometry
	Measurements        Measurements

	// AlphaW and AlphaWMin are as declared, else derived from the variants; 0 to 1.
	AlphaW, AlphaWMin *float64
	// NRC, SAA and AbsorptionOctave (alpha_p) are those of the most absorptive variant. When no variant has
	// octave values, AbsorptionOctave is as declared: DeclaredOctave says so.
	NRC, SAA         *acoustics.Hundredths
	AbsorptionOctave acoustics.Curve
	DeclaredOctave   bool
}

// A Text is a text in one or more languages, in ascending order of locale.
type Text []Localized

// Localized is a text in one language.
type Localized struct {
	Locale string // a BCP 47 language, as the record spells it
	Text   string
}

// The languages that the API answers in. Every text has German.
const (
	German  = "de"
	English = "en"
)

// Manufacturer is who makes a product. All three fields are always set.
type Manufacturer struct {
	ID   uuid.UUID
	Slug string
	Name string
}

// FireClass is a reaction-to-fire class of DIN EN 13501-1.
type FireClass struct {
	Text  string // as the record spells it, for example "Bfl-s1"
	Class string // the letter class that filters compare, one of FireClasses
}

// MetaEntry is one entry of structured_meta.
type MetaEntry struct{ Key, Value string }

// Image is one picture of a product.
type Image struct {
	ID           *string
	URL          string
	Filename     *string
	DisplayOrder *int64
}

// Geometry is the approximate solid of a product; lengths in millimetres.
type Geometry struct {
	Shape        string // one of shapes
	BoundingBox  BoxMM
	SizeVariants []SizeVariant
	// ExposedAreas is the absorbing area per mounting, by mounting ascending, as declared, else computed.
	ExposedAreas []ExposedArea
}

// BoxMM is a size in millimetres.
type BoxMM struct{ Width, Height, Depth float64 }

// SizeVariant is another size in which a product is made.
type SizeVariant struct {
	Label *string
	BoxMM
}

// ExposedArea is the area in square metres that absorbs in one mounting (Sabine's S).
type ExposedArea struct {
	Mounting string
	AreaM2   float64
}

// Measurements are a product's measured data by standard, each in the record's order.
type Measurements struct {
	Absorption []Absorption // ISO 354
	Scatter    []Scatter    // ISO 17497-1
	Diffusion  []Diffusion  // ISO 17497-2
}

// Measurement is what the entries of every standard share.
type Measurement struct {
	ID              string
	Label           string
	SourceKind      string // one of SourceKinds
	SourceNorm      string
	MeasuringOption *string
}

// Shared returns what a measurement shares with those of every standard.
func (m *Measurement) Shared() *Measurement { return m }

// Absorption is one ISO 354 measurement.
type Absorption struct {
	Measurement
	Mounting             *string
	ThicknessMM          *float64
	AirGapMM             *float64
	CalculatedAbsorption *float64
	AlphaSOctave         acoustics.Curve
	AlphaSThirdOctave    acoustics.Curve

	// Ratings is what the two curves give; it is not part of the record.
	Ratings acoustics.Ratings
}

// Scatter is one ISO 17497-1 measurement.
type Scatter struct {
	Measurement
	ScatterOctave      acoustics.Curve
	ScatterThirdOctave acoustics.Curve
}

// Diffusion is one ISO 17497-2 measurement.
type Diffusion struct {
	Measurement
	LimitFrequencyHz                          *float64
	DirectionalDiffusionOctave                acoustics.Curve
	DirectionalDiffusionThirdOctave           acoustics.Curve
	NormalizedDirectionalDiffusionOctave      acoustics.Curve
	NormalizedDirectionalDiffusionThirdOctave acoustics.Curve
	DiffusionOctave                           acoustics.Curve
	DiffusionThirdOctave                      acoustics.Curve
	NormalizedDiffusionOctave                 acoustics.Curve
	NormalizedDiffusionThirdOctave            acoustics.Curve
}

// In returns the text in the language that locale names: the entry of that locale, else the first whose
// language is the same ("en-GB" for "en"), else the German one. It returns "" for an empty Text.
func (t Text) In(locale string) string {
	for _, l := range t {
		if strings.EqualFold(l.Locale, locale) {
			return l.Text
		}
	}
	german := ""
	for _, l := range t {
		if strings.EqualFold(languageOf(l.Locale), languageOf(locale)) {
			return l.Text
		}
		if l.Locale == German {
			german = l.Text
		}
	}
	return german
}

// languageOf returns a locale's language without region, script and variants.
func languageOf(locale string) string {
	language, _, _ := strings.Cut(locale, "-")
	return language
}
