package main

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"sabine/bench/queries"
	"sabine/compiler"
	"sabine/dataset"
	"sabine/dataset/product"
	"sabine/indexes/analysis"
)

// A document is what the peers of the first table index of a product.
type document struct {
	id, slug string
	values   [families][]string
	alphaW   *float64
	updated  int64  // microseconds since 1970; 0: none
	sortKey  []byte // the label's under German collation

	// The keys of what is searched, each once.
	names        []string // labels and commercial name
	manufacturer string   // the manufacturer's name
	kinds        []string // category, character and installations
	descriptions []string // of all languages
	details      []string

	entries []queries.Entry // after ISO 354
}

// texts returns the keys of all that is searched, names first.
func (p *document) texts() []string {
	return slices.Concat(p.names, []string{p.manufacturer}, p.kinds, p.descriptions, p.details)
}

// searchedNames returns the keys by which trigrams find the product.
func (p *document) searchedNames() []string {
	return appendOnce(slices.Clone(p.names), p.manufacturer)
}

// published reads the published products of a catalogue, after its vocabulary if it has one. A goroutine
// reads ahead, so that a peer's build spends its time on the index; a build that fails leaves it behind.
func published[T any](catalogue string, convert func(*product.Product, *dataset.Vocabulary) T) iter.Seq[T] {
	return func(yield func(T) bool) {
		ahead, failed := make(chan T, 256), error(nil)
		go func() {
			defer close(ahead)
			inputs, _, err := dataset.Inputs([]string{catalogue}, os.Stdin)
			for i, in := range inputs {
				if strings.HasPrefix(filepath.Base(in.Name), "vocabulary.json") {
					inputs[0], inputs[i] = inputs[i], inputs[0]
				}
			}
			failed = errors.Join(err, queries.Published(inputs, func(p *product.Product, v *dataset.Vocabulary) {
				ahead <- convert(p, v)
			}))
		}()
		for next := range ahead {
			if !yield(next) {
				return
			}
		}
		check(failed, catalogue)
	}
}

// readProducts reads a catalogue as the peers of the first table index it.
func readProducts(catalogue string) iter.Seq[*document] {
	order := collate.New(language.German)
	return published(catalogue, func(r *product.Product, _ *dataset.Vocabulary) *document {
		p := &document{
			id: r.ID.String(), slug: orEmpty(r.Slug), alphaW: r.AlphaW, manufacturer: analysis.Key(r.Manufacturer.Name),
			sortKey: order.KeyFromString(new(collate.Buffer), r.Label.In("de")),
			values: [families][]string{
				category:     appendOnce(nil, orEmpty(r.MaterialCategory)),
				character:    appendOnce(nil, orEmpty(r.AbsorptionCharacter)),
				installation: r.InstallationTypes,
				manufacturer: {r.Manufacturer.Slug},
				epd:          {strconv.FormatBool(r.HasEPD)},
				purchasable:  {strconv.FormatBool(r.Purchasable)},
			},
		}
		for _, detail := range compiler.DetailTexts(r) {
			p.details = append(p.details, strings.ReplaceAll(detail, analysis.MeasureSign, ""))
		}
		p.entries, _ = queries.EntriesOf(r)
		if r.FireClass != nil {
			p.values[fireClass] = []string{r.FireClass.Class}
		}
		if r.UpdatedAt != nil {
			p.updated = r.UpdatedAt.UnixMicro()
		}
		for _, label := range r.Label {
			p.names = appendOnce(p.names, analysis.Key(label.Text))
		}
		p.names = appendOnce(p.names, analysis.Key(orEmpty(r.CommercialName)))
		for _, kind := range slices.Concat(p.values[category], p.values[character], p.values[installation]) {
			p.kinds = appendOnce(p.kinds, analysis.Key(kind))
		}
		for _, d := range r.Description {
			p.descriptions = appendOnce(p.descriptions, analysis.Key(d.Text))
		}
		return p
	})
}

// appendOnce appends what is not there yet and not "".
func appendOnce(keys []string, key string) []string {
	if key == "" || slices.Contains(keys, key) {
		return keys
	}
	return append(keys, key)
}

func orEmpty(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
