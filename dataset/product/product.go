package product

import (
	"strings"
	"time"

	"github.com/google/uuid"

	"sabine/dataset/acoustics"
)

// A Product is a valid source record with default values and computed ratings. A nil pointer or slice is a
// null in the record unless the comment of a field states otherwise.
type Product struct {
	ID                  uuid.UUID
	Slug                *string
	Published           bool
	Label               Text // never empty, because it always contains German
	CommercialName      *string
	Description         Text
	Manufacturer        Manufacturer
	DataSource          *string // "manufacturer" or "ptb"
	Purchasable         bool
	MaterialCategory    *string
	AbsorptionCharacter *string
	InstallationTypes   []string // without duplicates, in the order of the record; can be empty
	FireClass           *FireClass
	UpdatedAt           *time.Time // time in UTC
	HasEPD              bool
	URL                 *string
	EPDURL              *string
	StructuredMeta      []MetaEntry // sorted by the bytes of the keys
	Images              []Image     // sorted by display order, null last, otherwise in the order of the record
	Geometry            *Geometry
	Measurements        Measurements

	// AlphaW and AlphaWMin are the declared values, or are computed from the ISO 354 entries. Range: 0 to 1.
	AlphaW, AlphaWMin *float64
	// NRC, SAA and AbsorptionOctave (alpha_p) are computed from the most absorptive ISO 354 entry. If no
	// entry has octave values, AbsorptionOctave is the declared curve and DeclaredOctave is true.
	NRC, SAA         *acoustics.Hundredths
	AbsorptionOctave acoustics.Curve
	DeclaredOctave   bool
}

// A Text is a string in one or more languages, in ascending order of locale.
type Text []Localized

// Localized is a string in one language.
type Localized struct {
	Locale string // a BCP 47 language, as the record spells it
	Text   string
}

// The languages of the API. Every Text contains German.
const (
	German  = "de"
	English = "en"
)

// Manufacturer is the manufacturer of a product. Package dataset computes an ID and a Slug that a record
// lacks, so all three fields are set. Only the generator writes products without them.
type Manufacturer struct {
	ID   uuid.UUID
	Slug string
	Name string
}

// FireClass is a reaction-to-fire class of DIN EN 13501-1.
type FireClass struct {
	Text  string // class as spelled in the record, for example "Bfl-s1"
	Class string // main class, which filters compare: one of FireClasses
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

// Geometry describes the approximate shape of a product. Lengths are in millimetres.
type Geometry struct {
	Shape        string // one of Shapes
	BoundingBox  BoxMM
	SizeVariants []SizeVariant
	ExposedAreas []ExposedArea // declared or computed areas, sorted by mounting
}

// BoxMM contains dimensions in millimetres.
type BoxMM struct{ Width, Height, Depth float64 }

// SizeVariant is another size in which a product is made.
type SizeVariant struct {
	Label *string
	BoxMM
}

// ExposedArea is the absorbing area of a mounting in square metres. It is S in Sabine's formula.
type ExposedArea struct {
	Mounting string
	AreaM2   float64
}

// Measurements are the measured data of a product by standard, in the order of the record.
type Measurements struct {
	Absorption []Absorption // ISO 354
	Scatter    []Scatter    // ISO 17497-1
	Diffusion  []Diffusion  // ISO 17497-2
}

// Measurement contains the common fields of entries for all standards.
type Measurement struct {
	ID              string
	Label           string
	SourceKind      string // one of SourceKinds
	SourceNorm      string
	MeasuringOption *string
}

// Shared returns the common fields. Generic code uses it for entries of any standard.
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

	// Ratings are computed from the two curves by dataset.Parse. They are not stored: a product that is read
	// from a snapshot has none.
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

// SlugOrID returns the slug, or the id of a product without a slug.
func (p *Product) SlugOrID() string {
	if p.Slug == nil {
		return p.ID.String()
	}
	return *p.Slug
}

// SoldByDefault reports whether a product can be bought if its record lacks the field purchasable.
func (p *Product) SoldByDefault() bool { return p.DataSource == nil || *p.DataSource != Reference }

// In returns the text of a locale. Without this locale it returns the first text in the same language
// ("en-GB" for "en"), and otherwise the German text. It returns "" for an empty Text.
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

// languageOf returns the language of a locale, without region, script or variants.
func languageOf(locale string) string {
	language, _, _ := strings.Cut(locale, "-")
	return language
}
