package analysis

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// Words with the same stem are inflected forms of one word, such as plural, case and comparison forms.
// Derived words have other stems: Wanderer does not match Wand, and Lampert does not match Lampe.
//
// The English stem is Snowball's, except for irregular plurals and for some derived words whose endings
// Snowball would remove. The German stem follows our own rules, because Snowball removes -er, -ung and -ig
// after any letters and does not handle -eln, -ien and -een. A listed word is not a form of a shorter word,
// so Balken and Wagen keep their endings. A listed word with a possible ending is a form of that word, even
// at the end of a compound. In other words, endings are recognised by their letters.

// Stems returns the German and the English stem of a word in a key. A word is its own stem if it is too long
// or has a digit, because then it is a code or a size.
func Stems(word string) (de, en string) {
	if len(word) > maxSplit || HasDigit(word) {
		return word, word
	}
	return germanStem(word), englishStem(word)
}

// englishStem returns the English stem of a word. If the e of a German word distinguishes it from another
// word, it is retained here too: Decke is not a form of deck.
func englishStem(word string) string {
	if l, known := lexicon()[word]; known && l.is(useEnglish) {
		if word = l.word; l.is(useOwnStem) {
			return word
		}
	} else if known && strings.HasSuffix(l.stem, "e") {
		return word
	}
	singular := word
	if !strings.HasSuffix(word, "ss") {
		singular = strings.TrimSuffix(word, "s")
	}
	if endsIn(singular, englishDerivedEnds) { // organic is not a form of organ, nor modulator of module
		return strings.TrimSuffix(singular, "al") // acoustical and acoustic
	}
	if strings.HasSuffix(word, "is") || strings.HasSuffix(word, "us") {
		return word
	}
	env := snowballstem.NewEnv(word)
	english.Stem(env)
	stem := env.Current()
	if utf8.RuneCountInString(stem) >= minSure {
		return stem
	}
	if l, ok := listed(stem, useEnglish); ok && takesEnding(stem, word) {
		return l.word
	}
	return word
}

// takesEnding reports whether word consists of short and an ending, as in seas, boxes, padded and padding.
func takesEnding(short, word string) bool {
	ending, ok := strings.CutPrefix(word, short)
	double := short[len(short)-1:]
	return ok && (ending == "s" || ending == "es" || ending == double+"ed" || ending == double+"ing")
}

// germanStem returns the German stem of a word. The longest listed end of the word has the listed stem.
// Without a listed end, the stem is the word without endings.
func germanStem(word string) string {
	begins := listedBeginnings()
	for from := range word {
		if len(word)-from < MinPart || !begins.mayBegin(word[from:]) {
			continue
		}
		if from > 0 && (!isPlausible(word[:from]) || utf8.RuneCountInString(word[from:]) < minSure) {
			continue
		}
		if l, ok := inflected(word[from:]); ok && (from == 0 || endsCompounds(&l) &&
			(!l.is(useAdjective) || isHeadless(word[:from]))) {
			if strings.HasPrefix(word[from:], l.stem) {
				return word[:from+len(l.stem)]
			}
			return word[:from] + l.stem
		}
	}
	return stripped(word)
}

// endsCompounds reports whether a listed word may be the end of another word. Drehung does not end in hung, a
// form of hang, and no compound ends in Ende.
func endsCompounds(l *lexeme) bool {
	return l.word != "ende" && (!l.is(useOwnStem) || l.is(useGerman|useAdjective|usePart))
}

// inflected returns the listed word with a spelling, or otherwise the listed word with the spelling as an
// inflected form. If there are two, it returns the longer word: Decken is a form of Decke, not of Deck.
func inflected(spelling string) (lexeme, bool) {
	if l, ok := listed(spelling, useGerman|useEnglish); ok {
		return l, true
	}
	for _, ending := range nounEndings {
		if before, ok := strings.CutSuffix(spelling, ending); ok && len(before) >= MinPart {
			if l, ok := listed(before, useGerman|useEnglish); ok && l.takes(before, ending) {
				return l, true
			}
		}
	}
	for _, ending := range adjectiveEndings {
		if before, ok := strings.CutSuffix(spelling, ending); ok && len(before) >= MinPart {
			if l, ok := listed(before, useAdjective); ok {
				return l, true
			}
		}
	}
	return lexeme{}, false
}

// takes reports whether a listed spelling may have an ending, if it is a noun.
func (l *lexeme) takes(spelling, ending string) bool {
	last := spelling[len(spelling)-1]
	switch {
	case !l.is(useGerman):
		return ending == "s" || ending == "es" && strings.IndexByte("sxzh", last) >= 0
	case last == 'e':
		return ending == "n" || ending == "s" && (strings.HasPrefix(spelling, "ge") || strings.HasSuffix(spelling, "ee"))
	case ending == "n" && (strings.HasSuffix(spelling, "el") || strings.HasSuffix(spelling, "er")):
		return true
	case isUnstressed(spelling, "el"), isUnstressed(spelling, "er"), isUnstressed(spelling, "en"):
		return ending == "s"
	case last == 's' || last == 'x' || last == 'z':
		return ending != "s" && ending != "n"
	}
	return ending != "n" || strings.IndexByte("aiouy", last) >= 0
}

// isUnstressed reports whether a word ends in a consonant and end, as Tafel does and Paneel does not.
func isUnstressed(word, end string) bool {
	before, ok := strings.CutSuffix(word, end)
	return ok && before != "" && strings.IndexByte("aeiouy", before[len(before)-1]) < 0
}

// stripped returns a word without endings, which are recognised only by their letters.
func stripped(word string) string {
	if stem, ok := withoutAdjectiveEnding(word); ok {
		return stem
	}
	if stem, ok := withoutForeignEnding(word); ok {
		return stem
	}
	cut := func(ending string) bool {
		stem, ok := strings.CutSuffix(word, ending)
		if ok = ok && utf8.RuneCountInString(stem) >= minSure; ok {
			word = stem
		}
		return ok
	}
	switch {
	case strings.HasSuffix(word, "nisse"), strings.HasSuffix(word, "nissen"), strings.HasSuffix(word, "nisses"):
		return word[:strings.LastIndex(word, "nis")+3]
	case strings.HasSuffix(word, "eln"), strings.HasSuffix(word, "ern"):
		cut("n")
	case strings.HasSuffix(word, "ens"), strings.HasSuffix(word, "es"):
		_ = cut("ens") || cut("es")
	case strings.HasSuffix(word, "s") && mayEndInS(word):
		cut("s")
	}
	_ = cut("en") || cut("e")
	return word
}

// foreignEndings are the endings of foreign plurals and of their singulars, with the common ending of their
// stem: Podium and Podien, Material and Materialien, Museum and Museen.
var foreignEndings = []struct{ ending, becomes string }{
	{"alien", "al"}, {"alie", "al"}, {"ilien", "il"}, {"ilie", "il"},
	{"ium", "i"}, {"iums", "i"}, {"ien", "i"}, {"ie", "i"}, {"ius", "i"},
	{"eum", "ee"}, {"eums", "ee"}, {"een", "ee"}, {"ees", "ee"}, {"ee", "ee"},
}

// withoutForeignEnding returns a word with its foreign ending replaced.
func withoutForeignEnding(word string) (string, bool) {
	for _, rule := range foreignEndings {
		if stem, ok := strings.CutSuffix(word, rule.ending); ok && utf8.RuneCountInString(stem) >= MinPart {
			return stem + rule.becomes, true
		}
	}
	return "", false
}

// withoutAdjectiveEnding returns an adjective without its inflectional ending.
func withoutAdjectiveEnding(word string) (string, bool) {
	for _, ending := range adjectiveEndings {
		stem, ok := strings.CutSuffix(word, ending)
		if ok && utf8.RuneCountInString(stem) > minSure && endsIn(stem, inflectedEnds) {
			return stem, true
		}
	}
	return "", false
}

// mayEndInS reports whether the s at the end of a word may be an ending. It must follow a consonant after
// which German allows it, or a, o or y, as in Sofas.
func mayEndInS(word string) bool {
	return len(word) > 1 && strings.IndexByte("bdfghklmnrtaoyp", word[len(word)-2]) >= 0
}
