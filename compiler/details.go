package compiler

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sabine/dataset/product"
	"sabine/indexes/analysis"
)

// maxDetails is how many details of a product are searched. What is behind them in structured_meta is
// published, but finds nothing. Real products have below a hundred; 500 values that are spelled like article
// numbers have half of it.
const maxDetails = 2000

// DetailTexts returns the distinct keys of the texts that are searched after the descriptions: the fire class
// as published, the values of structured_meta, and the thickness of each ISO 354 entry. Without its key, a bare
// number means nothing, yet a query for a number would find it. So a value of numbers only is left out, except
// for the numbers with a unit, unless it is an article number.
func DetailTexts(p *product.Product) []string { return new(detailKeys).of(p) }

// detailKeys returns the keys of details. It caches those of the values of structured_meta, many of which are
// the same in many products. The zero value is ready. It is for one goroutine.
type detailKeys struct {
	articles cache[bool]     // namesArticle of a key of structured_meta
	numbers  cache[[]string] // articleKeys of a value
	values   cache[[]string] // valueKeys of a value
}

func (k *detailKeys) of(p *product.Product) []string {
	var d details
	if p.FireClass != nil {
		key := analysis.Key(p.FireClass.Text)
		d.add(key)
		if len(analysis.Words(key)) > 2 { // a query finds two words as one without that, and nothing is corrected to them
			d.add(appendJoined(nil, key)...)
		}
	}
	for _, entry := range p.StructuredMeta {
		if len(d.keys) >= maxDetails {
			return d.keys
		}
		if k.articles.of(entry.Key, namesArticle) {
			d.add(k.numbers.of(entry.Value, articleKeys)...)
		} else {
			d.add(k.values.of(entry.Value, valueKeys)...)
		}
	}
	for i := range p.Measurements.Absorption {
		if thickness := p.Measurements.Absorption[i].ThicknessMM; thickness != nil {
			d.add(analysis.DetailKey(strconv.FormatFloat(*thickness, 'f', -1, 64) + " mm"))
		}
	}
	return d.keys
}

// A cache has what a function returns for short texts.
type cache[V any] map[string]V

const (
	maxCached     = 10_000
	maxCachedText = 100 // bytes
)

func (c *cache[V]) of(text string, make func(string) V) V {
	if v, ok := (*c)[text]; ok {
		return v
	}
	v := make(text)
	if len(text) <= maxCachedText {
		if *c == nil || len(*c) == maxCached {
			*c = cache[V]{}
		}
		(*c)[strings.Clone(text)] = v
	}
	return v
}

// details are the keys that were found so far.
type details struct {
	keys  []string
	known map[string]bool
}

// add adds the keys that are neither empty, nor known, nor one too many.
func (d *details) add(keys ...string) {
	for _, key := range keys {
		if key == "" || d.known[key] || len(d.keys) >= maxDetails {
			continue
		}
		if d.known == nil {
			d.known = map[string]bool{}
		}
		d.known[key] = true
		d.keys = append(d.keys, key)
	}
}

// appendJoined appends the words of a key as one word, if that is no longer than an article number.
func appendJoined(keys []string, key string) []string {
	if joined, ok := analysis.Joined(key); ok {
		keys = append(keys, joined)
	}
	return keys
}

// articleKeys returns the keys of article numbers in the spellings in which they are found: their words, and
// these as one word, with the points between digits and without.
func articleKeys(numbers string) (keys []string) {
	for number := range strings.FieldsFuncSeq(numbers, separatesArticles) {
		key := analysis.Key(number)
		keys = append(keys, key)
		keys = appendJoined(keys, key)
		keys = appendJoined(keys, strings.ReplaceAll(key, ".", ""))
	}
	return keys
}

// separatesArticles reports whether a letter separates two article numbers.
func separatesArticles(r rune) bool { return strings.ContainsRune(",;|\n", r) }

// valueKeys returns the keys of a value that is not an article number by its name. A value that is spelled like
// one is also a key as one word. Of a value of numbers only, those with a unit are keys.
func valueKeys(value string) (keys []string) {
	key := analysis.Key(value)
	measured := analysis.MarkMeasures(key)
	if !isOnlyNumber(value, key) {
		keys = append(keys, measured)
		if isLikeArticle(value, key) {
			keys = appendJoined(keys, key)
		}
		return keys
	}
	for _, word := range analysis.Words(measured) {
		if strings.HasPrefix(word, analysis.MeasureSign) {
			keys = append(keys, word)
		}
	}
	return keys
}

// isLikeArticle reports whether a value is spelled like an article number, as RAL 9010 and DK-4711/B are: a
// few words with letters and digits, and no signs but those between them. What is measured is none: as one
// word, 20-50 mm Wolle would begin with 2050, and 125 mm GK with the 125mm of others.
func isLikeArticle(value, key string) bool {
	words := analysis.Words(key)
	return len(words) <= analysis.MaxJoinedWords &&
		strings.ContainsFunc(key, unicode.IsLetter) && strings.ContainsFunc(key, unicode.IsDigit) &&
		!strings.ContainsFunc(value, isNotOfArticle) && !slices.ContainsFunc(words, analysis.IsMeasure)
}

// isNotOfArticle reports whether a letter has no place in what is spelled like an article number.
func isNotOfArticle(r rune) bool {
	return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) && !unicode.IsSpace(r) && !strings.ContainsRune("-‐/", r)
}

// namesArticle reports whether the key of a value names an article number, in German or in English: Art.-Nr.,
// EAN, Hersteller-Artikelnummer, Part number (white).
func namesArticle(key string) bool {
	words := analysis.Words(analysis.Key(key))
	if len(words) == 1 && slices.Contains(articles, words[0]) {
		return true
	}
	for i, word := range words {
		if slices.Contains(articleCodes, strings.TrimSuffix(word, "s")) ||
			i > 0 && slices.Contains(numberWords, word) && isArticleNoun(words[i-1]) {
			return true
		}
		for _, number := range numberWords {
			if noun, ok := strings.CutSuffix(word, number); ok && isArticleNoun(noun) {
				return true
			}
		}
	}
	return false
}

// isArticleNoun reports whether a word, before a word for number, says that it is one of articles: itself or,
// when it is long enough to be told from other words, as the end of a compound.
func isArticleNoun(word string) bool {
	return slices.Contains(articleCodes, word) || slices.ContainsFunc(articleNouns, func(noun string) bool {
		return word == noun || len(noun) >= 4 && strings.HasSuffix(word, noun)
	})
}

// The words of the names of article numbers, as keys: those that are a name alone, without other words or
// with any, and those that make one together.
var (
	articles     = strings.Fields(`artikel article item modell model`)
	articleCodes = strings.Fields(`sku ean ean8 ean13 gtin gtin8 gtin13 gtin14 upc mpn asin`)
	articleNouns = strings.Fields(`artikel art article item part teil teile product produkt model modell bestell order ordering
		katalog catalog catalogue sach material ident typ typen type ref referenz reference`)
	numberWords = strings.Fields(`nummer nummern nr nrn nrs no nos number numbers num nums code codes id ids`)
)
