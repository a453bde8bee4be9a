package compiler

import (
	"slices"
	"strconv"
	"strings"
	"unicode"

	"sabine/dataset/product"
	"sabine/indexes/analysis"
)

// maxDetails is the maximum number of searchable details of a product. Further values in structured_meta are
// published but not searchable. Real products have fewer than a hundred details. 500 values that look like
// article numbers result in about a thousand.
const maxDetails = 2000

// DetailTexts returns the distinct keys of the texts that are searched after the descriptions: the published
// fire class, the values of structured_meta, and the thickness of each ISO 354 entry. Values that consist
// only of numbers are omitted unless they have a unit or are article numbers. A number without its name has
// no meaning, but queries for the number would match it.
func DetailTexts(p *product.Product) []string { return new(detailKeys).of(p) }

// detailKeys computes the keys of details. It caches the keys of structured_meta values, because many
// products have equal values. The zero value is ready to use. It is not safe for concurrent use.
type detailKeys struct {
	articles cache[bool]     // results of isArticleName by key in structured_meta
	numbers  cache[[]string] // results of articleKeys by value
	values   cache[[]string] // results of valueKeys by value
}

func (k *detailKeys) of(p *product.Product) []string {
	var d details
	if p.FireClass != nil {
		key := analysis.Key(p.FireClass.Text)
		d.add(key)
		if len(analysis.Words(key)) > 2 { // two words are found as one word even without this key
			d.add(appendJoined(nil, key)...)
		}
	}
	for _, entry := range p.StructuredMeta {
		if len(d.keys) >= maxDetails {
			return d.keys
		}
		if k.articles.of(entry.Key, isArticleName) {
			d.add(k.numbers.of(entry.Value, articleKeys)...)
		} else {
			d.add(k.values.of(entry.Value, valueKeys)...)
		}
	}
	for i := range p.Measurements.Absorption {
		if thickness := p.Measurements.Absorption[i].ThicknessMM; thickness != nil {
			d.add(analysis.MarkMeasures(analysis.Key(strconv.FormatFloat(*thickness, 'f', -1, 64) + " mm")))
		}
	}
	return d.keys
}

// A cache stores the results of a function for short strings.
type cache[V any] map[string]V

const (
	maxCached     = 10_000
	maxCachedText = 100 // in bytes
)

func (c *cache[V]) of(text string, make func(string) V) V {
	if v, ok := (*c)[text]; ok {
		return v
	}
	if len(text) > maxCachedText {
		return make(text)
	}
	if *c == nil || len(*c) == maxCached {
		*c = cache[V]{}
	}
	text = strings.Clone(text) // results may share its memory, and must not retain the entire record
	v := make(text)
	(*c)[text] = v
	return v
}

type details struct {
	keys  []string
	known map[string]bool
}

// add adds keys that are neither empty nor already present, up to maxDetails keys.
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

// appendJoined appends the words of a key as one word, unless they are too long for an article number.
func appendJoined(keys []string, key string) []string {
	if joined, ok := analysis.Joined(key); ok {
		keys = append(keys, joined)
	}
	return keys
}

// articleKeys returns the keys of article numbers in all searchable spellings: as separate words, and as one
// word, both with and without the dots between digits.
func articleKeys(numbers string) (keys []string) {
	for number := range strings.FieldsFuncSeq(numbers, isArticleSeparator) {
		key := analysis.Key(number)
		keys = append(keys, key)
		keys = appendJoined(keys, key)
		keys = appendJoined(keys, strings.ReplaceAll(key, ".", ""))
	}
	return keys
}

// isArticleSeparator reports whether a character separates article numbers.
func isArticleSeparator(r rune) bool { return strings.ContainsRune(",;|\n", r) }

// valueKeys returns the keys of a value whose name does not mean an article number. If the value looks like
// an article number, the keys include the value as one word. If it consists only of numbers, the keys are the
// numbers that have a unit.
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

// isLikeArticle reports whether a value looks like an article number, such as RAL 9010 and DK-4711/B: a few
// words with letters and digits, and symbols only between them. A measure is not an article number: as one
// word, 20-50 mm Wolle would begin with 2050, and 125 mm GK would match 125mm in other products.
func isLikeArticle(value, key string) bool {
	words := analysis.Words(key)
	return len(words) <= analysis.MaxJoinedWords &&
		strings.ContainsFunc(key, unicode.IsLetter) && strings.ContainsFunc(key, unicode.IsDigit) &&
		!strings.ContainsFunc(value, isOutsideArticle) && !slices.ContainsFunc(words, analysis.IsMeasure)
}

// isOutsideArticle reports whether a character can't occur in an article number.
func isOutsideArticle(r rune) bool {
	return !unicode.In(r, unicode.L, unicode.M, unicode.Nd) && !unicode.IsSpace(r) && !strings.ContainsRune("-‐/", r)
}

// isArticleName reports whether a key in structured_meta is the name of an article number, in German or
// English: Art.-Nr., EAN, Hersteller-Artikelnummer, Part number (white).
func isArticleName(key string) bool {
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

// isArticleNoun reports whether a word before a word for number means an article. A noun with at least
// four letters may also be the last part of a compound.
func isArticleNoun(word string) bool {
	return slices.Contains(articleCodes, word) || slices.ContainsFunc(articleNouns, func(noun string) bool {
		return word == noun || len(noun) >= 4 && strings.HasSuffix(word, noun)
	})
}

// Words, as keys, that name article numbers. One of articles must be the only word. One of articleCodes may
// have other words around it. One of articleNouns must be followed by one of numberWords.
var (
	articles     = strings.Fields(`artikel article item modell model`)
	articleCodes = strings.Fields(`sku ean ean8 ean13 gtin gtin8 gtin13 gtin14 upc mpn asin`)
	articleNouns = strings.Fields(`artikel art article item part teil teile product produkt model modell bestell order ordering
		katalog catalog catalogue sach material ident typ typen type ref referenz reference`)
	numberWords = strings.Fields(`nummer nummern nr nrn nrs no nos number numbers num nums code codes id ids`)
)
