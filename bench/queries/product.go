package queries

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"sabine/dataset"
	"sabine/dataset/product"
)

// A Product is what questions and rules know of one. A text that the record lacks is "".
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
	FireClass        string   // the letter class
	AlphaW           *float64 // nil: none
	HasEPD           bool
	Purchasable      bool
	Absorption       []Entry // after ISO 354
	Scattering       []Entry // after ISO 17497-1
}

// Read reads the published products of a catalogue as NDJSON, in its order. A record with a fault is an
// error.
func Read(ndjson io.Reader) ([]Product, error) {
	input := dataset.Input{Name: "catalogue.ndjson", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(ndjson), nil
	}}
	var products []Product
	for raw, err := range dataset.NewReader([]dataset.Input{input}).Records() {
		if err != nil {
			return nil, fmt.Errorf("reading products to ask for: %w", err)
		}
		parsed := dataset.Parse(raw)
		if parsed.Product == nil {
			return nil, fmt.Errorf("reading products to ask for: %w", &parsed.Faults[0])
		}
		if parsed.Product.Published {
			products = append(products, productOf(parsed.Product))
		}
	}
	return products, nil
}

// productOf copies what is kept of a record, so that the record's text, most of it curves, is not kept with
// it.
func productOf(r *product.Product) Product {
	p := Product{
		ID:               r.ID.String(),
		Slug:             textOf(r.Slug),
		Labels:           cloned(r.Label),
		CommercialName:   textOf(r.CommercialName),
		Descriptions:     cloned(r.Description),
		Manufacturer:     strings.Clone(r.Manufacturer.Name),
		ManufacturerSlug: strings.Clone(r.Manufacturer.Slug),
		Category:         textOf(r.MaterialCategory),
		Character:        textOf(r.AbsorptionCharacter),
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

func textOf(s *string) string {
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

// names returns the labels and the commercial name.
func (p *Product) names() []string {
	var names []string
	for _, l := range p.Labels {
		names = append(names, l.Text)
	}
	if p.CommercialName != "" {
		names = append(names, p.CommercialName)
	}
	return names
}

// labelWords returns the words of the labels in small letters.
func (p *Product) labelWords() []string {
	var all []string
	for _, label := range p.Labels {
		all = append(all, words(label.Text)...)
	}
	return all
}

// texts returns everything about the product that is written in words: names, manufacturer, descriptions.
func (p *Product) texts() []string {
	texts := append(p.names(), p.Manufacturer)
	for _, d := range p.Descriptions {
		texts = append(texts, d.Text)
	}
	return texts
}
