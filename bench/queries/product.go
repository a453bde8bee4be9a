package queries

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"unique"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// A Product contains the fields that questions and rules use. A string that the record lacks is "".
type Product struct {
	ID               string
	Slug             string
	Labels           product.Text
	CommercialName   string
	Descriptions     product.Text
	Manufacturer     string
	ManufacturerSlug string
	Category         string
	Character        string
	Installations    []string
	FireClass        string   // the letter of the class
	AlphaW           *float64 // nil if there is none
	HasEPD           bool
	Purchasable      bool
	Absorption       []Entry // entries measured to ISO 354
	Scattering       []Entry // entries measured to ISO 17497-1
}

// Read reads the published products from a catalogue in NDJSON, in order.
func Read(ndjson io.Reader) (products []Product, err error) {
	input := dataset.Input{Name: "catalogue.ndjson", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(ndjson), nil
	}}
	err = Published([]dataset.Input{input}, func(r *product.Product, _ *dataset.Vocabulary) {
		products = append(products, productOf(r))
	})
	return products, err
}

// Published calls each for each published record in inputs, with the vocabulary read so far. It returns an
// error if a record is invalid.
func Published(inputs []dataset.Input, each func(*product.Product, *dataset.Vocabulary)) error {
	reader := dataset.NewReader(inputs)
	for raw, err := range reader.Records() {
		if err != nil {
			return fmt.Errorf("reading products: %w", err)
		}
		switch parsed := dataset.Parse(raw); {
		case parsed.Product == nil:
			return fmt.Errorf("reading products: %w", &parsed.Faults[0])
		case parsed.Product.Published:
			each(parsed.Product, reader.Vocabulary())
		}
	}
	return nil
}

// productOf copies the fields of a record, so that the record's text, mostly curves, can be freed.
func productOf(r *product.Product) Product {
	p := Product{
		ID:               r.ID.String(),
		Slug:             TextOf(r.Slug),
		Labels:           cloned(r.Label),
		CommercialName:   TextOf(r.CommercialName),
		Descriptions:     cloned(r.Description),
		Manufacturer:     strings.Clone(r.Manufacturer.Name),
		ManufacturerSlug: strings.Clone(r.Manufacturer.Slug),
		Category:         TextOf(r.MaterialCategory),
		Character:        TextOf(r.AbsorptionCharacter),
		AlphaW:           r.AlphaW,
		HasEPD:           r.HasEPD,
		Purchasable:      r.Purchasable,
	}
	p.Absorption, p.Scattering = EntriesOf(r)
	for _, v := range r.InstallationTypes {
		p.Installations = append(p.Installations, strings.Clone(v))
	}
	if r.FireClass != nil {
		p.FireClass = strings.Clone(r.FireClass.Class)
	}
	return p
}

// TextOf returns a copy of a string, or "" for nil.
func TextOf(s *string) string {
	if s == nil {
		return ""
	}
	return strings.Clone(*s)
}

func cloned(t product.Text) product.Text {
	t = slices.Clone(t)
	for i := range t {
		t[i].Text = strings.Clone(t[i].Text)
	}
	return t
}

func (p *Product) names() []string { return append(TextsOf(p.Labels), NonEmpty(p.CommercialName)...) }

func (p *Product) labelWords() []string { return words(strings.Join(TextsOf(p.Labels), " ")) }

func (p *Product) texts() []string {
	return slices.Concat(p.names(), []string{p.Manufacturer}, TextsOf(p.Descriptions))
}

// TextsOf returns the strings of a text in all languages.
func TextsOf(t product.Text) (texts []string) {
	for _, l := range t {
		texts = append(texts, l.Text)
	}
	return texts
}

// NonEmpty returns a list that contains the string, or an empty list for "".
func NonEmpty(text string) []string {
	if text == "" {
		return nil
	}
	return []string{text}
}

// An Entry is a tested set-up of a product. A string that the record lacks is "".
type Entry struct {
	Levels     [8]int16 // for the octaves 63 to 8000 Hz, in thirds of a thousandth, or NoLevel
	DepthMM    float64  // thickness plus air gap; NaN if unknown
	Mounting   string
	SourceKind string
}

// NoLevel is the level of an octave without a value.
const NoLevel = math.MinInt16

// EntriesOf returns the record's entries measured to ISO 354, and those measured to ISO 17497-1. If a product
// has none, its declared curve becomes an entry.
func EntriesOf(r *product.Product) (absorption, scattering []Entry) {
	for _, a := range r.Measurements.Absorption {
		e := entryOf(a.AlphaSOctave, a.AlphaSThirdOctave)
		e.SourceKind = unique.Make(a.SourceKind).Value() // shared, since there are few different values
		if a.Mounting != nil {
			e.Mounting = unique.Make(acoustics.Mounting(*a.Mounting)).Value()
		}
		if depth, ok := acoustics.Depth(e.Mounting, a.ThicknessMM, a.AirGapMM); ok {
			e.DepthMM = depth
		}
		absorption = append(absorption, e)
	}
	if r.DeclaredOctave {
		absorption = append(absorption, entryOf(r.AbsorptionOctave, nil))
	}
	for _, s := range r.Measurements.Scatter {
		scattering = append(scattering, entryOf(s.ScatterOctave, s.ScatterThirdOctave))
	}
	return absorption, scattering
}

func entryOf(octave, third acoustics.Curve) Entry {
	e := Entry{DepthMM: math.NaN()}
	for i, hz := range acoustics.OctaveBands {
		e.Levels[i] = NoLevel
		if v, ok := acoustics.OctaveValue(octave, third, hz); ok {
			e.Levels[i] = int16(v)
		}
	}
	return e
}

func (e *Entry) bands() (places []int) {
	for i, v := range e.Levels {
		if v != NoLevel {
			places = append(places, i)
		}
	}
	return places
}
