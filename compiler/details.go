package compiler

import (
	"slices"
	"strings"
	"unicode"

	"sabine/dataset"
	"sabine/indexes/analysis"
)

// DetailTexts returns the keys of what is searched behind the descriptions: the values of structured_meta, and the fire class
// as it is published. A value that is only a number says nothing without its key, and whoever types a number would find it, so
// it is left out, unless it is an article number.
func DetailTexts(p *dataset.Product) []string {
	var keys []string
	for _, entry := range p.StructuredMeta {
		switch {
		case namesArticle(entry.Key):
			for number := range strings.FieldsFuncSeq(entry.Value, separatesArticles) {
				keys = appendArticle(keys, analysis.Key(number))
			}
		case !isOnlyNumber(entry.Value):
			keys = appendValue(keys, entry.Value)
		}
	}
	if p.FireClass != nil {
		keys = appendValue(keys, p.FireClass.Text)
	}
	return keys
}

// separatesArticles reports whether a letter stands between two article numbers.
func separatesArticles(r rune) bool { return strings.ContainsRune(",;|\n", r) }

// appendValue appends the key of a value, which is spelled like an article number when it has letters and digits and is as
// short as one.
func appendValue(keys []string, value string) []string {
	key := analysis.Key(value)
	if strings.Count(key, " ") < analysis.MaxJoinedWords &&
		strings.ContainsFunc(key, unicode.IsLetter) && strings.ContainsFunc(key, unicode.IsDigit) {
		return appendArticle(keys, key)
	}
	return appendNew(keys, key)
}

// appendArticle appends the key of an article number in the spellings in which it is found: its words, and these as one, with
// the points of its numbers and without.
func appendArticle(keys []string, key string) []string {
	keys = appendNew(keys, key)
	if joined, ok := analysis.Joined(key); ok {
		keys = appendNew(keys, joined)
		keys = appendNew(keys, strings.ReplaceAll(joined, ".", ""))
	}
	return keys
}

// isOnlyNumber reports whether a value is a number, or several, with or without units. A size is more, however it is signed, and
// so are three numbers with slashes between them.
func isOnlyNumber(value string) bool {
	if strings.ContainsAny(value, "x×*X") && strings.Contains(analysis.Key(value), "x") || isSlashed(value) {
		return false
	}
	some := false
	for _, word := range analysis.Words(analysis.Normalize(value)) {
		behind := strings.TrimLeftFunc(word, unicode.IsNumber)
		some = some || len(behind) < len(word)
		if behind != "" && !slices.Contains(amounts, behind) && (!some || !slices.Contains(units, behind)) {
			return false
		}
	}
	return some
}

// isSlashed reports whether a value has three numbers or more with slashes between them, as 600/600/150 mm.
func isSlashed(value string) bool {
	numbers := 0
	for part := range strings.SplitSeq(value, "/") {
		if strings.ContainsFunc(part, unicode.IsNumber) {
			numbers++
		}
	}
	return numbers > 2
}

// units are the words that stand behind a number, and amounts those that stand before one too, normalised.
var (
	units = strings.Fields(`
		mm cm dm m km mm2 cm2 m2 mm3 cm3 m3 qm cbm lfm in inch inches zoll ft ft2 ft3 foot feet yd
		mg g kg t gr lb lbs oz pa kpa mpa hpa bar n kn nm s ms min h d a hz khz db dba w kw wh kwh mw k c f v mv ma lx lm l ml
		rayl sone phon prozent percent grad degrees
		sekunden seconds minuten minutes stunden hours tage days wochen weeks monate months jahr jahre year years
		stuck stk st pcs pc piece pieces paar pairs punkte points eur euro usd chf`)
	amounts = strings.Fields(`ca circa etwa approx about max min maximal minimal mindestens bis to ab from von up`)
)

// namesArticle reports whether the key of a value names an article number, in German or in English: Art.-Nr., EAN,
// Hersteller-Artikelnummer, Part number (white).
func namesArticle(key string) bool {
	words := analysis.Words(analysis.Key(key))
	if len(words) == 1 && slices.Contains(articles, words[0]) {
		return true
	}
	for i, word := range words {
		if slices.Contains(articleCodes, word) ||
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

// isArticleNoun reports whether a word, before a word for number, says that it is one of articles: itself or, when it is long
// enough to be told from other words, as the end of a compound.
func isArticleNoun(word string) bool {
	return slices.Contains(articleCodes, word) || slices.ContainsFunc(articleNouns, func(noun string) bool {
		return word == noun || len(noun) >= 4 && strings.HasSuffix(word, noun)
	})
}

// The words of the names of article numbers, as keys: those that are a name alone, without other words or with any, and those
// that make one together.
var (
	articles     = strings.Fields(`artikel article item modell model`)
	articleCodes = strings.Fields(`sku ean ean8 ean13 gtin gtin8 gtin13 gtin14 upc mpn asin`)
	articleNouns = strings.Fields(`artikel art article item part teil teile product produkt model modell bestell order ordering
		katalog catalog catalogue sach material ident typ typen type ref referenz reference`)
	numberWords = strings.Fields(`nummer nr no number num code id`)
)
