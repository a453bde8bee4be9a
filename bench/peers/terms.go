package main

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"sabine/bench/queries"
	"sabine/bench/step"
	"sabine/compiler"
	"sabine/dataset"
	"sabine/dataset/product"
	"sabine/indexes/analysis"
)

// The peers index a product as a set of terms: the product's words in all forms that a text can search for.
// sabine's analyser makes the terms, since no peer folds umlauts, splits compounds and stems two languages.
// The first letter of a term is its kind.
const (
	termWord    = "w" // an unchanged word
	termGerman  = "d" // the German stem of a word
	termEnglish = "e" // the English stem of a word
	termPart    = "p" // the German stem of a compound part; a number in a size, in mm or without a unit
	termStart   = "b" // a beginning of a word
	termJoint   = "j" // two neighbouring words of a text, joined
	termKey     = "k" // a complete name, manufacturer's name, slug or id
	termKeyFrom = "s" // the beginning of a name, or the first words of a manufacturer's name
	termKind    = "v" // a value of a category, character or installation
	inName      = "n" // prefix for terms of the kinds w, d, e, p, b and j that occur in a name
)

// measureSign replaces analysis.MeasureSign, which is not a letter in the peers' query languages.
const measureSign = "_"

// longestKeyFrom is the maximum number of letters in a term for the beginning of a name.
const longestKeyFrom = 12

type glossary map[string]entry

// An entry contains the terms of a word and the spellings of which other words can be misspellings: the word
// and its compound parts.
type entry struct{ terms, forms []string }

// newGlossary collects the words from all products before it computes their terms, since any word can be part
// of a compound.
func newGlossary(products iter.Seq[*document]) glossary {
	g := glossary{}
	for p := range products {
		for _, word := range p.words() {
			g[word] = entry{}
		}
	}
	splitter := analysis.NewSplitter(func(word string) bool { _, ok := g[word]; return ok })
	for word := range g {
		german, english := analysis.Stems(word)
		terms, forms := []string{termWord + word, termGerman + german, termEnglish + english}, []string{word}
		for _, part := range splitter.Parts(nil, word) {
			terms, forms = append(terms, termPart+part.Stem), append(forms, part.Form)
		}
		for _, key := range analysis.NumberKeys(nil, word) {
			terms = append(terms, termPart+key)
		}
		g[word] = entry{append(terms, beginnings(termStart, word)...), forms}
	}
	return g
}

// beginnings returns every prefix of a text, including the complete text, each after a tag.
func beginnings(tag, text string) []string {
	var all []string
	for i := range text {
		if i > 0 {
			all = append(all, tag+text[:i])
		}
	}
	return append(all, tag+text)
}

func (g glossary) terms(p *document) []string {
	terms := make([]string, 0, 2048)
	for i, text := range p.texts {
		start := len(terms)
		words := analysis.Words(text)
		for at, word := range words {
			terms = append(terms, g[word].terms...)
			if at > 0 {
				terms = append(terms, joint(words[at-1], word))
			}
		}
		if i < p.named {
			for _, term := range terms[start:] {
				terms = append(terms, inName+term)
			}
		}
	}
	for _, key := range p.searchedNames() {
		terms = append(terms, keyTerm(termKey, key))
	}
	for _, key := range p.texts[:p.named] {
		first := []rune(key)[:min(letters(key), longestKeyFrom)]
		terms = append(terms, beginnings(termKeyFrom, keyTerm("", string(first)))...)
	}
	for i, letter := range p.texts[p.named] {
		if letter == ' ' {
			terms = append(terms, keyTerm(termKeyFrom, p.texts[p.named][:i]))
		}
	}
	terms = append(terms, keyTerm(termKey, analysis.Key(p.slug)), keyTerm(termKey, analysis.Key(p.id)))
	for _, kind := range slices.Concat(p.values[category], p.values[character], p.values[installation]) {
		terms = append(terms, keyTerm(termKind, analysis.Key(kind)))
	}
	for i, term := range terms {
		terms[i] = strings.ReplaceAll(term, analysis.MeasureSign, measureSign)
	}
	slices.Sort(terms)
	return slices.Compact(terms)
}

// gramsOf returns the same trigrams of keys as pg_trgm, as terms without blanks or duplicates.
func gramsOf(keys []string) []string {
	var grams []string
	for _, key := range keys {
		for _, gram := range analysis.Trigrams(nil, key) {
			grams = append(grams, keyTerm("", gram.String()))
		}
	}
	slices.Sort(grams)
	return slices.Compact(grams)
}

func joint(first, second string) string {
	return termJoint + first + analysis.JoinedRest(first, second)
}

// keyTerm returns the term for a key, with blanks replaced.
func keyTerm(tag, key string) string {
	return tag + strings.ReplaceAll(key, " ", "_")
}

func letters(text string) int { return utf8.RuneCountInString(text) }

// correctable returns the words of a product and the parts of its compounds, without duplicates. It omits
// words with digits, because other words cannot be misspellings of them.
func (g glossary) correctable(p *document) []string {
	var forms []string
	for _, word := range p.words() {
		forms = append(forms, g[word].forms...)
	}
	slices.Sort(forms)
	return slices.DeleteFunc(slices.Compact(forms), analysis.HasDigit)
}

// shortened returns the variants of a word with up to the given number of letters removed, without
// duplicates. Two words within that number of edits have a common variant, by which a database finds them.
func shortened(word string, without int) []string {
	all := []string{word}
	for range without {
		for _, longer := range all {
			runes := []rune(longer)
			for i := range runes {
				all = append(all, string(runes[:i])+string(runes[i+1:]))
			}
		}
		slices.Sort(all)
		all = slices.Compact(all)
	}
	return all
}

// A document contains the product fields that the peers index for the first table.
type document struct {
	id, slug string
	values   [families][]string
	alphaW   *float64
	updated  int64  // microseconds since 1970; 0 if unknown
	sortKey  []byte // sort key of the label in the German collation

	// Keys of the searched strings: the names (labels and the commercial name), then the manufacturer's name,
	// the category, the character, installations, descriptions in all languages and details.
	texts []string
	named int

	entries []queries.Entry // entries measured to ISO 354
}

func (p *document) words() (words []string) {
	for _, text := range p.texts {
		words = analysis.AppendWords(words, text)
	}
	return words
}

// searchedNames returns the keys whose trigrams find the product.
func (p *document) searchedNames() []string { return distinct(p.texts[:p.named+1]) }

// published reads a catalogue's published products, after its vocabulary if there is one. A separate
// goroutine reads ahead, so that a peer's build time is spent on the index. If a build fails, the goroutine
// does not end.
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
		step.Check(failed, catalogue)
	}
}

// readProducts reads documents from a catalogue.
func readProducts(catalogue string) iter.Seq[*document] {
	order := collate.New(language.German)
	return published(catalogue, func(r *product.Product, _ *dataset.Vocabulary) *document {
		p := &document{
			id: r.ID.String(), slug: queries.TextOf(r.Slug), alphaW: r.AlphaW,
			sortKey: order.KeyFromString(new(collate.Buffer), r.Label.In("de")),
			values: [families][]string{
				category:     appendOnce(nil, queries.TextOf(r.MaterialCategory)),
				character:    appendOnce(nil, queries.TextOf(r.AbsorptionCharacter)),
				installation: r.InstallationTypes,
				manufacturer: {r.Manufacturer.Slug},
				epd:          {strconv.FormatBool(r.HasEPD)},
				purchasable:  {strconv.FormatBool(r.Purchasable)},
			},
		}
		p.entries, _ = queries.EntriesOf(r)
		if r.FireClass != nil {
			p.values[fireClass] = []string{r.FireClass.Class}
		}
		if r.UpdatedAt != nil {
			p.updated = r.UpdatedAt.UnixMicro()
		}
		for _, label := range r.Label {
			p.texts = appendOnce(p.texts, analysis.Key(label.Text))
		}
		p.texts = appendOnce(p.texts, analysis.Key(queries.TextOf(r.CommercialName)))
		p.named = len(p.texts)
		for _, text := range slices.Concat([]string{r.Manufacturer.Name}, p.values[category], p.values[character],
			p.values[installation], queries.TextsOf(r.Description)) {
			p.texts = append(p.texts, analysis.Key(text))
		}
		p.texts = append(p.texts, compiler.DetailTexts(r)...)
		return p
	})
}

// appendOnce appends key to keys unless key is "" or already in keys.
func appendOnce(keys []string, key string) []string {
	if key == "" || slices.Contains(keys, key) {
		return keys
	}
	return append(keys, key)
}
