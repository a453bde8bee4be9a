package analysis

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// A lexeme describes a spelling in the lists.
type lexeme struct {
	word string // listed word whose form the spelling is
	stem string // German stem of the word
	uses lexemeUse
}

// A lexemeUse is a set of the uses of a spelling.
type lexemeUse uint8

const (
	useGerman    lexemeUse = 1 << iota // a German word, or an irregular form of one
	useEnglish                         // an English word, or one of its forms
	useAdjective                       // a German adjective
	usePart                            // a part of compounds
	useHead                            // a part that may be the head after unknown letters
	useOwnStem                         // an English word that is its own stem, or a form of that word
	useShortened                       // a word without its final e, a part only if another one follows
)

// is reports whether the spelling has at least one of the uses.
func (l lexeme) is(uses lexemeUse) bool { return l.uses&uses != 0 }

// lexicon contains the spellings in all lists. It is built when a stem is needed for the first time.
//
// The step that adds a spelling first sets its word. Later steps only add uses, so their order matters.
var lexicon = sync.OnceValue(func() map[string]lexeme {
	b := &lexiconBuilder{make(map[string]lexeme, 3*len(compoundParts())), map[string]compoundPart{},
		keySetOf("adjectives.txt")()}
	for _, part := range compoundParts() {
		b.parts[part.key] = part
	}
	b.addAdjectives()
	b.addInflections() // must precede the parts, since Kinder is a form of Kind although it is also a part
	b.addParts()
	b.joinEnglishForms() // needs the parts of both languages
	b.addShortSynonyms()
	b.addShortenedParts() // must come last, since it must not change the word of a listed spelling
	return b.table
})

// A lexiconBuilder builds the lexicon from the lists.
type lexiconBuilder struct {
	table      map[string]lexeme
	parts      map[string]compoundPart // compound parts by key
	adjectives map[string]bool
}

// isNoun reports whether a key belongs to a German compound part other than an adjective.
func (b *lexiconBuilder) isNoun(key string) bool {
	part, ok := b.parts[key]
	return ok && !part.english && !b.adjectives[key]
}

// partUses returns the uses of a compound part. An adjective is not a head.
func (b *lexiconBuilder) partUses(key string) lexemeUse {
	part, ok := b.parts[key]
	switch {
	case !ok:
		return 0
	case part.english:
		return useEnglish | usePart
	case part.noHead || b.table[key].is(useAdjective):
		return useGerman | usePart
	}
	return useGerman | usePart | useHead
}

// add adds uses to a spelling. If the spelling is new, add also sets the word and the stem.
func (b *lexiconBuilder) add(spelling, word, stem string, uses lexemeUse) {
	if old, known := b.table[spelling]; known {
		word, stem, uses = old.word, old.stem, old.uses|uses
	}
	b.table[spelling] = lexeme{word, stem, uses}
}

// stemOf returns the German stem of a listed word with the given uses. A word that is not German is its own
// stem.
func (b *lexiconBuilder) stemOf(key string, uses lexemeUse) string {
	if uses&useGerman == 0 {
		return key
	}
	if stem, ok := withoutForeignEnding(key); ok && !b.parts[key].keepsE {
		return stem
	}
	if short, ok := strings.CutSuffix(key, "e"); ok && len(short) >= minSure && !b.parts[key].keepsE && !b.isNoun(short) {
		return short
	}
	return key
}

func (b *lexiconBuilder) addAdjectives() {
	for _, adjective := range keysOf("adjectives.txt") {
		stem := b.stemOf(adjective, useGerman)
		b.add(adjective, adjective, stem, useGerman|useAdjective)
		if short, ok := strings.CutSuffix(adjective, "e"); ok { // leise, leises
			b.add(short, adjective, stem, useAdjective)
		}
		if n := len(adjective) - 2; n > 2 && (adjective[n:] == "el" || adjective[n:] == "er") { // dunkel, dunkles
			b.add(adjective[:n]+adjective[n+1:], adjective, adjective, useAdjective)
		}
	}
}

func (b *lexiconBuilder) addInflections() {
	for _, group := range inflections() {
		word, uses := group.forms[0], useGerman
		if group.english {
			uses = useEnglish | useOwnStem
		} else {
			uses |= b.partUses(word)
		}
		for _, form := range group.forms {
			b.add(form, word, b.stemOf(word, uses|b.partUses(word)), uses)
		}
	}
}

func (b *lexiconBuilder) addParts() {
	for _, part := range compoundParts() {
		uses := b.partUses(part.key)
		b.add(part.key, part.key, b.stemOf(part.key, uses), uses)
	}
}

// joinEnglishForms sets the stem of English parts that are also forms of a German word to the stem of that
// word: granite gets the stem of Granit.
func (b *lexiconBuilder) joinEnglishForms() {
	for _, part := range compoundParts() {
		if short, ok := strings.CutSuffix(part.key, "e"); ok && part.english {
			if german := b.table[short]; german.is(useGerman) && german.word == short && german.takes(short, "e") {
				l := b.table[part.key]
				l.stem = german.stem
				b.table[part.key] = l
			}
		}
	}
}

// addShortSynonyms adds synonyms that are too short for the stemming rules, such as rug.
func (b *lexiconBuilder) addShortSynonyms() {
	for key := range ListedSynonyms() {
		if utf8.RuneCountInString(key) < minSure && !strings.Contains(key, " ") {
			b.add(key, key, key, useEnglish)
		}
	}
}

// addShortenedParts adds the parts without a final e, which is their form in compounds: Woll- for Wolle.
func (b *lexiconBuilder) addShortenedParts() {
	for _, part := range compoundParts() {
		short, ok := strings.CutSuffix(part.key, "e")
		if ok && len(short) >= minSure && !part.keepsE && !part.english {
			b.add(short, part.key, b.stemOf(part.key, useGerman), useShortened)
		}
	}
}

// A beginnings has a bit for the first three letters of each spelling in the lexicon. Since few ranges of a
// word begin with such letters, it saves most lookups.
type beginnings [1 << 15 / 64]uint64

var listedBeginnings = sync.OnceValue(func() *beginnings {
	var b beginnings
	for spelling := range lexicon() {
		if len(spelling) >= MinPart {
			at := beginningOf(spelling)
			b[at/64] |= 1 << (at % 64)
		}
	}
	return &b
})

func beginningOf(spelling string) uint {
	return uint(spelling[0]&31)<<10 | uint(spelling[1]&31)<<5 | uint(spelling[2]&31)
}

// mayBegin reports whether a listed spelling may begin with the first three letters of text.
func (b *beginnings) mayBegin(text string) bool {
	at := beginningOf(text)
	return b[at/64]>>(at%64)&1 != 0
}

// listed returns the lexeme of a spelling if the lexeme has one of the given uses.
func listed(spelling string, uses lexemeUse) (lexeme, bool) {
	l, ok := lexicon()[spelling]
	return l, ok && l.is(uses)
}

// IsListed reports whether a word is a listed part of compounds, German or English, or a whole word or one of
// its forms. Listed words are not treated as misspelled.
func IsListed(word string) bool {
	l, ok := listed(word, usePart)
	return ok && l.word == word || isWholeWord(word)
}

// IsNoun reports whether a word is a German part of compounds, in its spelling as a separate word, and not an
// adjective.
func IsNoun(word string) bool {
	l, ok := listed(word, usePart)
	return ok && l.is(useGerman) && !l.is(useAdjective) && !IsFunctionWord(word)
}
