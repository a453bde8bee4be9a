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

// DetailTexts returns the keys of what is searched behind the descriptions, each once: the fire class as it
// is published, the values of structured_meta, and the thickness of each ISO 354 entry. A bare number says
// nothing without its key, and whoever types a number would find it, so a value that is only numbers is left
// out but for those with a unit, unless it is an article number.
func DetailTexts(p *product.Product) []string {
	var d details
	if p.FireClass != nil {
		key := analysis.Key(p.FireClass.Text)
		d.add(key)
		if len(analysis.Words(key)) > 2 { // two words are found as one without that, and nothing is corrected to them
			d.addJoined(key)
		}
	}
	for _, entry := range p.StructuredMeta {
		switch {
		case d.isFull():
			return d.keys
		case namesArticle(entry.Key):
			d.addArticles(entry.Value)
		case isOnlyNumber(entry.Value):
			d.addMeasures(entry.Value)
		default:
			d.addValue(entry.Value)
		}
	}
	for i := range p.Measurements.Absorption {
		if thickness := p.Measurements.Absorption[i].ThicknessMM; thickness != nil {
			d.add(analysis.DetailKey(strconv.FormatFloat(*thickness, 'f', -1, 64) + " mm"))
		}
	}
	return d.keys
}

// details are the keys that were found so far.
type details struct {
	keys  []string
	known map[string]bool
}

func (d *details) isFull() bool { return len(d.keys) >= maxDetails }

// add adds a key, unless it is empty, known, or one too many.
func (d *details) add(key string) {
	if key == "" || d.known[key] || d.isFull() {
		return
	}
	if d.known == nil {
		d.known = map[string]bool{}
	}
	d.known[key] = true
	d.keys = append(d.keys, key)
}

// addJoined adds the words of a key as one, if that is no longer than an article number.
func (d *details) addJoined(key string) {
	if joined, ok := analysis.Joined(key); ok {
		d.add(joined)
	}
}

// addArticles adds article numbers in the spellings in which they are found: their words, and these as one,
// with the points between digits and without.
func (d *details) addArticles(numbers string) {
	for number := range strings.FieldsFuncSeq(numbers, separatesArticles) {
		if d.isFull() {
			return
		}
		key := analysis.Key(number)
		d.add(key)
		d.addJoined(key)
		d.addJoined(strings.ReplaceAll(key, ".", ""))
	}
}

// separatesArticles reports whether a letter stands between two article numbers.
func separatesArticles(r rune) bool { return strings.ContainsRune(",;|\n", r) }

// addValue adds a value, also as one word if it is spelled like an article number.
func (d *details) addValue(value string) {
	d.add(analysis.DetailKey(value))
	if key := analysis.Key(value); isLikeArticle(value, key) {
		d.addJoined(key)
	}
}

// addMeasures adds the numbers with a unit of a value that is only numbers.
func (d *details) addMeasures(value string) {
	for _, word := range analysis.Words(analysis.DetailKey(value)) {
		if strings.HasPrefix(word, analysis.MeasureSign) {
			d.add(word)
		}
	}
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
