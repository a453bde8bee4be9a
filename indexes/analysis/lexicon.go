package analysis

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// A lexeme is what the package's lists say of a spelling: the word that it is, and of what use it is.
type lexeme struct {
	word string // the listed one, which this is a form of
	stem string // its German stem
	uses lexemeUse
}

// A lexemeUse says what a spelling may be taken for. A spelling may have several.
type lexemeUse uint8

const (
	useGerman    lexemeUse = 1 << iota // a German word, or an irregular form of one
	useEnglish                         // an English one
	useAdjective                       // a German adjective
	usePart                            // a part of compounds
	useHead                            // a part that is known as a head whatever stands before it
	useOwnStem                         // an English word that is its own stem, or a form of it
	useShortened                       // a part of compounds if something follows: a word without its last e
)

// is reports whether a spelling has one of the uses.
func (l lexeme) is(uses lexemeUse) bool { return l.uses&uses != 0 }

// lexicon holds the spellings of all lists. It is made when somebody first asks for a stem.
var lexicon = sync.OnceValue(func() map[string]lexeme {
	table := make(map[string]lexeme, 3*len(compoundParts()))
	add := func(spelling, word, stem string, uses lexemeUse) {
		if old, known := table[spelling]; known {
			word, stem, uses = old.word, old.stem, old.uses|uses
		}
		table[spelling] = lexeme{word, stem, uses}
	}
	keepsE, nouns := map[string]bool{}, map[string]bool{}
	for _, part := range compoundParts() {
		keepsE[part.key], nouns[part.key] = part.keepsE, !part.english
	}
	for _, adjective := range adjectives() {
		nouns[adjective] = false
	}
	stemOf := func(key string, uses lexemeUse) string {
		if uses&useGerman == 0 {
			return key
		}
		if stem, ok := withoutForeignEnding(key); ok && !keepsE[key] {
			return stem
		}
		if short, ok := strings.CutSuffix(key, "e"); ok && len(short) >= minStem && !keepsE[key] && !nouns[short] {
			return short
		}
		return key
	}
	for _, adjective := range adjectives() {
		add(adjective, adjective, stemOf(adjective, useGerman), useGerman|useAdjective)
		if short, ok := strings.CutSuffix(adjective, "e"); ok { // leise, leises
			add(short, adjective, stemOf(adjective, useGerman), useAdjective)
		}
		if n := len(adjective) - 2; n > 2 && (adjective[n:] == "el" || adjective[n:] == "er") { // dunkel, dunkles
			add(adjective[:n]+adjective[n+1:], adjective, adjective, useAdjective)
		}
	}
	partUses := map[string]lexemeUse{}
	for _, part := range compoundParts() {
		uses := useGerman | usePart
		if part.english {
			uses = useEnglish | usePart
		} else if !part.noHead && !table[part.key].is(useAdjective) {
			uses |= useHead
		}
		partUses[part.key] = uses
	}
	for _, group := range inflections() { // before the parts, so that Kinder is of Kind though it is a part itself
		word, uses := group.forms[0], useGerman
		if group.english {
			uses = useEnglish | useOwnStem
		} else {
			uses |= partUses[word]
		}
		for _, form := range group.forms {
			add(form, word, stemOf(word, uses|partUses[word]), uses)
		}
	}
	for _, part := range compoundParts() {
		add(part.key, part.key, stemOf(part.key, partUses[part.key]), partUses[part.key])
	}
	for _, part := range compoundParts() { // granite is Granite too, of Granit
		if short, ok := strings.CutSuffix(part.key, "e"); ok && part.english {
			if german := table[short]; german.is(useGerman) && german.word == short && german.takes(short, "e") {
				l := table[part.key]
				l.stem = german.stem
				table[part.key] = l
			}
		}
	}
	for key := range synonymKeys() { // a rug, which is too short to be anything else
		if utf8.RuneCountInString(key) < minStem && !strings.Contains(key, " ") {
			add(key, key, key, useEnglish)
		}
	}
	for _, part := range compoundParts() {
		short, ok := strings.CutSuffix(part.key, "e")
		if ok && len(short) >= minShortened && !part.keepsE && !part.english {
			add(short, part.key, stemOf(part.key, useGerman), useShortened)
		}
	}
	return table
})

// beginnings are the first three letters of the spellings of the lexicon, a bit for each three. Few stretches of a word begin so,
// and so few need be looked up.
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

// mayBegin reports whether a listed spelling of three letters or more may begin like a text of as many.
func (b *beginnings) mayBegin(text string) bool {
	at := beginningOf(text)
	return b[at/64]>>(at%64)&1 != 0
}

// listed returns what the lists say of a spelling that is used in one of some ways.
func listed(spelling string, uses lexemeUse) (lexeme, bool) {
	l, ok := lexicon()[spelling]
	return l, ok && l.is(uses)
}
