package main

import (
	"fmt"
	"os"
	"slices"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"sabine/dataset"
	"sabine/indexes/analysis"
)

// A product is what the peers index of one.
type product struct {
	ID, Slug         string
	ManufacturerSlug string
	Category         string // "": none
	Character        string // "": none
	Installations    []string
	Fire             int // 1 for A1 to 7 for F; 0: none
	EPD              bool
	Purchasable      bool
	AlphaW           *float64
	Updated          int64  // microseconds since 1970; 0: none
	SortKey          []byte // the label's under German collation

	// The keys of what is searched, each once.
	names        []string // labels and commercial name
	manufacturer string   // the manufacturer's name
	kinds        []string // category, character and installations
	descriptions []string // of all languages
}

// texts returns the keys of all that is searched, names first.
func (p *product) texts() []string {
	return slices.Concat(p.names, []string{p.manufacturer}, p.kinds, p.descriptions)
}

// searchedNames returns the keys by which trigrams find the product.
func (p *product) searchedNames() []string {
	if slices.Contains(p.names, p.manufacturer) {
		return p.names
	}
	return append(slices.Clone(p.names), p.manufacturer)
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
		inputs, _, err := dataset.Inputs([]string{catalogue}, os.Stdin)
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
		ID:               r.ID.String(),
		Slug:             orEmpty(r.Slug),
		ManufacturerSlug: r.Manufacturer.Slug,
		Category:         orEmpty(r.MaterialCategory),
		Character:        orEmpty(r.AbsorptionCharacter),
		Installations:    r.InstallationTypes,
		EPD:              r.HasEPD,
		Purchasable:      r.Purchasable,
		AlphaW:           r.AlphaW,
		SortKey:          order.KeyFromString(new(collate.Buffer), r.Label.In("de")),
	}
	for _, l := range r.Label {
		p.names = appendKey(p.names, l.Text)
	}
	p.names = appendKey(p.names, orEmpty(r.CommercialName))
	p.manufacturer = analysis.Key(r.Manufacturer.Name)
	for _, kind := range append([]string{p.Category, p.Character}, p.Installations...) {
		p.kinds = appendKey(p.kinds, kind)
	}
	for _, d := range r.Description {
		p.descriptions = appendKey(p.descriptions, d.Text)
	}
	if r.FireClass != nil {
		p.Fire = fireRank(r.FireClass.Class)
	}
	if r.UpdatedAt != nil {
		p.Updated = r.UpdatedAt.UnixMicro()
	}
	return p
}

func appendKey(keys []string, text string) []string {
	if key := analysis.Key(text); key != "" && !slices.Contains(keys, key) {
		keys = append(keys, key)
	}
	return keys
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
