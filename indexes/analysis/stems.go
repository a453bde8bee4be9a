package analysis

import (
	"strings"
	"unicode/utf8"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
)

// A stem stands for the inflected forms of a word, and for them alone: plural, case, comparison. What is
// derived from the word has another: a Wanderer needs no Wand, and a Lampert makes no Lampe.
//
// The English stem is that of Snowball, but for irregular plurals and for what is derived by an end that
// Snowball's stem would take off. The German one is of rules of our own, since Snowball's takes -er, -ung and
// -ig off whatever stands before them and knows no -eln, -ien and -een. They know the package's words: a
// listed word is no form of a shorter one, so that Balken and Wagen keep their ends, and what is a listed
// word and an ending that it may take is a form of it. So is a compound that ends so. Of other words an
// ending is taken off by its letters.

// Stems returns the German and the English stem of a word of a key. A word with a digit in it is a code or a
// size, and is its own stem; so is one that is too long to be a word.
func Stems(word string) (de, en string) {
	if len(word) > maxSplit || HasDigit(word) {
		return word, word
	}
	return germanStem(word), englishStem(word)
}

// englishStem returns the English stem. A German word that must keep its e keeps it here too: a Decke is no
// deck.
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
	if endsIn(singular, englishDerivedEnds) { // organic is not organ, nor modulator module
		return strings.TrimSuffix(singular, "al") // acoustical
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

// takesEnding reports whether a word is a short one and an ending: seas, boxes, padded and padding.
func takesEnding(short, word string) bool {
	ending, ok := strings.CutPrefix(word, short)
	double := short[len(short)-1:]
	return ok && (ending == "s" || ending == "es" || ending == double+"ed" || ending == double+"ing")
}

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

// endsCompounds reports whether a listed word may be the end of another: a Drehung does not end in hung,
// which is of hang, nor is any word that ends so of Ende.
func endsCompounds(l *lexeme) bool {
	return l.word != "ende" && (!l.is(useOwnStem) || l.is(useGerman|useAdjective|usePart))
}

// inflected returns the listed word that a spelling is, or else the one that it is an inflected form of by
// its ending; the longer one where it could be of two, as Decken of Decke and Deck.
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

// takes reports whether a listed spelling that is a noun may have an ending.
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

// isUnstressed reports whether a word ends so behind a consonant, as Tafel does and Paneel does not.
func isUnstressed(word, end string) bool {
	before, ok := strings.CutSuffix(word, end)
	return ok && before != "" && strings.IndexByte("aeiouy", before[len(before)-1]) < 0
}

// stripped returns a word without the endings that it has by its letters.
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

// foreignEndings are those of plurals that change the end of the word, and of its singular, and what both
// become: Podium and Podien, Material and Materialien, Museum and Museen.
var foreignEndings = []struct{ ending, becomes string }{
	{"alien", "al"}, {"alie", "al"}, {"ilien", "il"}, {"ilie", "il"},
	{"ium", "i"}, {"iums", "i"}, {"ien", "i"}, {"ie", "i"}, {"ius", "i"},
	{"eum", "ee"}, {"eums", "ee"}, {"een", "ee"}, {"ees", "ee"}, {"ee", "ee"},
}

// withoutForeignEnding returns a word with what its foreign ending becomes.
func withoutForeignEnding(word string) (string, bool) {
	for _, rule := range foreignEndings {
		if stem, ok := strings.CutSuffix(word, rule.ending); ok && utf8.RuneCountInString(stem) >= MinPart {
			return stem + rule.becomes, true
		}
	}
	return "", false
}

// withoutAdjectiveEnding returns an adjective without its ending.
func withoutAdjectiveEnding(word string) (string, bool) {
	for _, ending := range adjectiveEndings {
		stem, ok := strings.CutSuffix(word, ending)
		if ok && utf8.RuneCountInString(stem) > minSure && endsIn(stem, inflectedEnds) {
			return stem, true
		}
	}
	return "", false
}

// mayEndInS reports whether the s at the end of a word may be an ending: one behind a consonant that German
// puts it behind, or behind a, o and y, as in Sofas.
func mayEndInS(word string) bool {
	if len(word) < 2 {
		return false
	}
	return strings.IndexByte("bdfghklmnrtaoyp", word[len(word)-2]) >= 0
}
