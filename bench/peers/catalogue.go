package main

import (
	"fmt"
	"os"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"sabine/dataset"
)

// A product is what the peers index of one.
type product struct {
	ID, Slug      string
	Names         []string // labels and commercial name
	Manufacturer  string
	Maker         string   // the manufacturer's slug
	Descriptions  []string // of all languages
	Category      string   // "": none
	Character     string   // "": none
	Installations []string
	Fire          int // 1 for A1 to 7 for F; 0: none
	EPD           bool
	Purchasable   bool
	AlphaW        *float64
	Updated       int64  // microseconds since 1970; 0: none
	SortKey       []byte // the label's under German collation
}

// kinds returns the values by which one would call the product.
func (p *product) kinds() string {
	return strings.Join(append([]string{p.Category, p.Character}, p.Installations...), " ")
}

// readProducts reads the published products of a catalogue. Reading runs ahead in a goroutine, so that a peer's build spends
// its time on the index.
func readProducts(catalogue string) products {
	return func(yield func(*product, error) bool) {
		type parsed struct {
			product *product
			err     error
		}
		ahead, done := make(chan parsed, 256), make(chan struct{})
		defer close(done)
		go func() {
			defer close(ahead)
			for p, err := range parseProducts(catalogue) {
				select {
				case ahead <- parsed{p, err}:
				case <-done:
					return
				}
			}
		}()
		for p := range ahead {
			if !yield(p.product, p.err) {
				return
			}
		}
	}
}

func parseProducts(catalogue string) products {
	return func(yield func(*product, error) bool) {
		inputs, err := dataset.Inputs([]string{catalogue}, os.Stdin)
		if err != nil {
			yield(nil, err)
			return
		}
		order := collate.New(language.German)
		for raw, err := range dataset.NewReader(inputs, nil).Records() {
			if err != nil {
				yield(nil, err)
				return
			}
			parsed := dataset.Parse(raw)
			switch {
			case parsed.Product == nil:
				yield(nil, fmt.Errorf("%s: %w", catalogue, &parsed.Faults[0]))
				return
			case !parsed.Product.Published:
			case !yield(newProduct(parsed.Product, order), nil):
				return
			}
		}
	}
}

func newProduct(r *dataset.Product, order *collate.Collator) *product {
	p := &product{
		ID:            r.ID.String(),
		Slug:          orEmpty(r.Slug),
		Manufacturer:  r.Manufacturer.Name,
		Maker:         r.Manufacturer.Slug,
		Category:      orEmpty(r.MaterialCategory),
		Character:     orEmpty(r.AbsorptionCharacter),
		Installations: r.InstallationTypes,
		EPD:           r.HasEPD,
		Purchasable:   r.Purchasable,
		AlphaW:        r.AlphaW,
		SortKey:       order.KeyFromString(new(collate.Buffer), r.Label.In("de")),
	}
	for _, l := range r.Label {
		p.Names = append(p.Names, l.Text)
	}
	if r.CommercialName != nil {
		p.Names = append(p.Names, *r.CommercialName)
	}
	for _, d := range r.Description {
		p.Descriptions = append(p.Descriptions, d.Text)
	}
	if r.FireClass != nil {
		p.Fire = fireRank(r.FireClass.Class)
	}
	if r.UpdatedAt != nil {
		p.Updated = r.UpdatedAt.UnixMicro()
	}
	return p
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
