package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Splitter finds the parts of German compounds. They are words from the lists or from a catalogue.
//
// A compound is split into the smallest number of words, at least two, that fill it. A linking element may
// follow a part, as in Decke-n-segel or Arbeit-s-platz, and an ending may follow the last part. Irregular
// forms of listed words are also parts, as in Bücher-regal. Parts that are compounds are split too.
//
// Unknown letters are a noun, and a part, if their end marks them as a noun and an s follows, as in
// Auskleidung-s-platte. After other parts they must have a prefix and end in -ung, as in Wandauskleidung.
//
// Two kinds of parts lack an e. A listed word may drop its last e, like Wolle in Wollfilz. And folding may
// remove the first e: the key of Dekoelement is dekolement, which contains the part element.
//
// A listed adjective is a part only if something follows, as in Grauton. If it has three letters, it must be
// at the beginning: too many words contain -eng- or -neu-.
//
// Only known words are parts: Regal does not consist of re and gal. A listed word consists of listed words
// only: perforated does not consist of perfo and rated, even if a catalogue has both. A word that ends in a
// listed German word of at least five letters, its head, is of that kind after any letters: a Xylogipsplatte
// and an MDFPlatte are a Platte, and a Barhocker is a Hocker. But a prefix directly before the head forms a
// different word: a Filmvorschau is not a Schau. Several listed words at the end are also parts, as in
// Weidenruten-lärm-schutz-zaun, and so are several known words at the beginning, as in Molton-vorhang-schal,
// if they are long enough to be reliable. The words of whole_words.txt and their forms are never split.
//
// A Splitter is safe for concurrent use.
type Splitter struct {
	isWord func(word string) bool // reports whether the catalogue contains a word
}

// A Part is a part of a compound, or a sequence of parts that is not the whole compound.
type Part struct {
	Stem string // German stem of the part's word; searches use it
	Form string // the part as spelled in the compound, with or without linking element, or as a separate word
}

// MinPart is the minimum number of letters in a compound part.
const MinPart = 3

const (
	minSure         = 4  // letters in stems that join words, and in parts that are not listed in this spelling
	minLong         = 5  // letters of a part that is reliable
	minAbbreviation = 2  // letters without a vowel before a head: an abbreviation
	maxAbbreviation = 4  // maximum length of an abbreviation
	maxSplit        = 96 // bytes in a word that is split; real words are shorter
	minRun          = 8  // letters of known parts next to unknown letters
	minDerived      = 7  // letters of a noun recognised by its end, without the prefix that it has after other parts

	// A word is split in the way with the lowest cost.
	partCost     = 8 // for each part
	unlistedCost = 2 // for each part that is not listed, or not in this spelling
	linkingCost  = 1 // for each linking element or ending
	missingCost  = 3 // for a missing linking element where one is usual
	derivedCost  = 3 // for each letter of a noun recognised by its end
)

// NewSplitter returns a splitter for the listed words and the words of a catalogue, for which isWord must
// return true.
func NewSplitter(isWord func(word string) bool) *Splitter { return &Splitter{isWord} }

func isAlphabetic(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

// Split appends the words of a compound, in order, each in its separate spelling: decke and segel for
// deckensegel, wolle and filz for wollfilz. It appends none if at most the head of the word is known.
func (s *Splitter) Split(dst []string, word string) []string {
	if isWhole(word) { // before cuts is allocated, which takes longer
		return dst
	}
	if l, ok := formOf(word); ok {
		word = l.word
	}
	var best cuts
	if !best.fill(s, word, catalogueWords|derivedNouns) {
		return dst
	}
	var buf [maxPieces]piece
	return appendWords(dst, best.pieces(buf[:0], 0, len(word)))
}

func appendWords(dst []string, pieces []piece) []string {
	for i := range pieces {
		dst = append(dst, pieces[i].word)
	}
	return dst
}

// maxPieces is the number of parts that fit without an allocation.
const maxPieces = 12

// Parts appends the parts of a word, their parts, and every sequence of these that is not the whole word, in
// all forms. Forms are distinct and have at least three letters. A word that is not a compound of known words
// has no parts.
func (s *Splitter) Parts(dst []Part, word string) []Part {
	var buf [maxPieces]piece
	pieces := s.pieces(buf[:0], word)
	for i := 0; i < len(pieces); {
		p := pieces[i]
		var own []piece
		if p.lostLetter == "" && strings.HasPrefix(p.word, word[p.from:p.core]) { // otherwise it has lost an e
			own = s.pieces(nil, p.word)
		}
		if len(own) > 0 {
			if unknown := own[0].from; unknown > 0 { // Bar- of Barhocker, so that sequences can begin with it
				own = slices.Insert(own, 0, piece{core: unknown, end: unknown})
			}
			for k := range own {
				own[k].from, own[k].core, own[k].end = own[k].from+p.from, own[k].core+p.from, own[k].end+p.from
			}
			last := &own[len(own)-1]
			last.core, last.end = min(last.core, p.core), p.end
			pieces = slices.Replace(pieces, i, i+1, own...)
		} else {
			i++
		}
	}
	start := len(dst)
	for i := range pieces {
		for j := i; j < len(pieces); j++ {
			first, last := pieces[i], pieces[j]
			if last.word != "" && (first.from > 0 || last.end < len(word)) {
				dst = appendForms(dst, start, word, first, last)
			}
		}
		dst = appendHidden(dst, start, word, pieces[i])
	}
	return dst
}

// appendForms appends the forms in which users may search for a sequence of parts, except forms in
// dst[start:].
func appendForms(dst []Part, start int, word string, first, last piece) []Part {
	before := first.lostLetter + word[first.from:last.from] // the sequence without its last part
	alone, stem := last.word, ""
	if before != first.lostLetter {
		alone = before + last.lostLetter + last.word
	}
	if l, ok := lexicon()[alone]; ok && l.word == alone {
		stem = l.stem
	} else {
		stem = germanStem(alone)
	}
	for _, form := range [...]string{alone, first.lostLetter + word[first.from:last.core],
		first.lostLetter + word[first.from:last.end]} {
		if !slices.ContainsFunc(dst[start:], func(p Part) bool { return p.Form == form }) {
			dst = append(dst, Part{stem, form})
		}
	}
	return dst
}

// appendHidden appends a listed noun that a piece may also be, if a linking element or an ending makes the
// noun longer: folded, Küche-n is Kuchen.
func appendHidden(dst []Part, start int, word string, p piece) []Part {
	for _, ending := range [...]string{"n", "en"} {
		short, ok := strings.CutSuffix(word[p.from:p.core], ending)
		if !ok || short == p.word || len(short) < minSure || p.lostLetter != "" {
			continue
		}
		l, ok := listed(short, usePart)
		fits := mayLink(&l, short, ending) || p.end == len(word) && l.takes(short, ending)
		if ok && l.is(useGerman) && l.word == short && fits && !slices.ContainsFunc(dst[start:], func(p Part) bool {
			return p.Form == short
		}) {
			dst = append(dst, Part{l.stem, short})
		}
	}
	return dst
}

func (s *Splitter) pieces(dst []piece, word string) []piece {
	if isWhole(word) {
		return dst
	}
	first := len(dst)
	l, isForm := inflected(word)
	if _, ok := formOf(word); ok { // it has the parts of the listed word
		if dst = s.pieces(dst, l.word); len(dst) > first {
			dst[len(dst)-1].end = len(word)
		}
		return dst
	}
	var best cuts
	if best.fill(s, word, catalogueWords|derivedNouns) {
		return best.pieces(dst, 0, len(word))
	}
	if !isForm || l.is(usePart) && l.is(useGerman) {
		dst = s.appendEnd(dst, word)
	}
	if len(dst) > first {
		return dst
	}
	return appendBeginning(dst, word, &best)
}

// formOf returns the listed word of a form that only adds an ending.
func formOf(word string) (l lexeme, ok bool) {
	if _, isListed := lexicon()[word]; isListed {
		return lexeme{}, false
	}
	l, ok = inflected(word)
	return l, ok && strings.HasPrefix(word, l.word)
}

func isWhole(word string) bool {
	return len(word) < 2*MinPart || len(word) > maxSplit || !isAlphabetic(word) || endsIn(word, wholeEnds) ||
		isWholeWord(word)
}

// isWholeWord reports whether a word is in whole_words.txt or is a form of such a word.
func isWholeWord(word string) bool {
	whole := wholeWords()
	return whole[word] || slices.ContainsFunc(wholeEndings, func(ending string) bool {
		before, ok := strings.CutSuffix(word, ending)
		return ok && whole[before]
	})
}

// isPart reports whether a spelling is a catalogue word that may be a part. It must have at least four
// letters, or three at the beginning if it is not a prefix: an Übergang is not a Gang.
func (s *Splitter) isPart(spelling string, from int) bool {
	letters := utf8.RuneCountInString(spelling)
	return (letters >= minSure || letters == MinPart && from == 0 && isHeadless(spelling)) && s.isWord(spelling) &&
		!isSuffix(spelling) && !IsFunctionWord(spelling)
}
