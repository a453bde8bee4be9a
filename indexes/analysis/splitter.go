package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Splitter finds the parts of German compounds among known words: those of the package's lists and those of
// a catalogue.
//
// A compound is cut into the fewest words that fill it from end to end, two or more. A linking element may
// stand behind a part, as in Decke-n-segel or Arbeit-s-platz, and an ending behind the last one. Of the word
// of a list also its irregular forms are parts, as in Bücher-regal. A part that is a compound is cut in turn.
//
// Letters of which nothing is known are a noun, and a part, where their end and an s behind it say so, as in
// Auskleidung-s-platte, and behind other parts where they have a prefix and end in -ung, as in
// Wandauskleidung.
//
// Two kinds of parts lack an e. A word of the package's list may drop its last one, as Wolle does in
// Wollfilz. And folding may take the first one: the key of Dekoelement is dekolement, and element is a part
// of it.
//
// An adjective of the package's list is a part too where something follows it, as in Grauton; one of three
// letters at the beginning alone, since too many words have an -eng- and a -neu-.
//
// A stretch of letters is no part unless it is a known word: Regal is not made of re and gal. And a word of
// the package's list is made of listed words only: perforated is not made of perfo and rated, even if a
// catalogue has both. But what ends in a listed German word of five letters or more, a head, is of its kind
// whatever stands before, as is a listed word: a Xylogipsplatte and an MDFPlatte are a Platte, and a
// Barhocker is a Hocker. A prefix right before it makes another word of it: a Filmvorschau is no Schau. So
// several listed words at the end are parts, as in Weidenruten-lärm-schutz-zaun, and several known ones at
// the beginning, as in Molton-vorhang-schal, where they are long enough to be none by chance. The words of
// whole_words.txt and their forms are cut in no way.
//
// A Splitter is safe for concurrent use.
type Splitter struct {
	isWord func(word string) bool // of the catalogue
}

// A Part is a part of a compound, or a run of parts that is not all of it.
type Part struct {
	Stem string // the German stem of the word that the part is; a search finds the part by it
	Form string // the part as the compound spells it, with a linking element or without, or as the word is spelled alone
}

// MinPart is the number of letters from which a word may be a part of a compound.
const MinPart = 3

const (
	minSure         = 4  // letters of a stem that joins words, and of a part, that are not listed as they are spelled
	minLong         = 5  // letters of a part that is none by chance
	minAbbreviation = 2  // letters without a vowel that may stand before a head: an abbreviation
	maxAbbreviation = 4  // the same
	maxSplit        = 96 // bytes of a word that is split: nobody has written a longer one
	minRun          = 8  // letters of parts that are known though something unknown stands beside them
	minDerived      = 7  // letters of a noun that its end alone tells, without the prefix that it has behind others

	// Of the splits of a word the one is taken that costs least.
	partCost     = 8 // of each part
	unlistedCost = 2 // of each part that is not listed, or not as it is spelled
	linkingCost  = 1 // of each linking element or ending
	missingCost  = 3 // of a linking element that is missing where it is the rule
	derivedCost  = 3 // of each letter of a noun that its end alone tells
)

// NewSplitter returns a splitter that knows the words of a catalogue, which isWord tells, and those of the
// package's lists.
func NewSplitter(isWord func(word string) bool) *Splitter { return &Splitter{isWord} }

func isAlphabetic(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

// Apart appends the words that a compound is made of, in order, each as it is spelled alone: decke and segel
// of deckensegel, wolle and filz of wollfilz. A word of which no more than the head is known has none.
func (s *Splitter) Apart(dst []string, word string) []string {
	if isWhole(word) { // before there is room for cuts, which takes longer than this
		return dst
	}
	if l, ok := formOf(word); ok {
		word = l.word
	}
	var best cuts
	if !best.fill(s, word, catalogueWords|derivedNouns) {
		return dst
	}
	var room [maxPieces]piece
	return appendWords(dst, best.pieces(room[:0], 0, len(word)))
}

func appendWords(dst []string, pieces []piece) []string {
	for i := range pieces {
		dst = append(dst, pieces[i].word)
	}
	return dst
}

// maxPieces is for how many parts of a word there is room without an allocation.
const maxPieces = 12

// Parts appends the parts of a word, the parts of those, and every run of them that is not the whole word,
// each in every form, and each form once. They have three letters or more. A word that is not a compound of
// known words has none.
func (s *Splitter) Parts(dst []Part, word string) []Part {
	var room [maxPieces]piece
	pieces := s.pieces(room[:0], word)
	for i := 0; i < len(pieces); {
		p := pieces[i]
		var own []piece
		if p.lost == "" && strings.HasPrefix(p.word, word[p.from:p.core]) { // the whole word where this has lost an e
			own = s.pieces(nil, p.word)
		}
		if len(own) > 0 {
			if unknown := own[0].from; unknown > 0 { // Bar- of Barhocker, so that runs may begin with it
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

// appendForms appends the forms in which people may ask for a run of parts, leaving out those that dst holds
// from start on.
func appendForms(dst []Part, start int, word string, first, last piece) []Part {
	before := first.lost + word[first.from:last.from] // of the run, before its last part
	alone, stem := last.word, ""
	if before != first.lost {
		alone = before + last.lost + last.word
	}
	if l, ok := lexicon()[alone]; ok && l.word == alone {
		stem = l.stem
	} else {
		stem = germanStem(alone)
	}
	for _, form := range [...]string{alone, first.lost + word[first.from:last.core],
		first.lost + word[first.from:last.end]} {
		if !slices.ContainsFunc(dst[start:], func(p Part) bool { return p.Form == form }) {
			dst = append(dst, Part{stem, form})
		}
	}
	return dst
}

// appendHidden appends the listed noun that a piece may be as well, with a linking element or an ending that
// make a longer one of it: folded, Küche-n is Kuchen.
func appendHidden(dst []Part, start int, word string, p piece) []Part {
	for _, ending := range [...]string{"n", "en"} {
		short, ok := strings.CutSuffix(word[p.from:p.core], ending)
		if !ok || short == p.word || len(short) < minSure || p.lost != "" {
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
	if _, ok := formOf(word); ok { // which has the parts of the word
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

// formOf returns the listed word that a word is a form of, with an ending and nothing else.
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

// isWholeWord reports whether a word is one of whole_words.txt or a form of it.
func isWholeWord(word string) bool {
	whole := wholeWords()
	return whole[word] || slices.ContainsFunc(wholeEndings, func(ending string) bool {
		before, ok := strings.CutSuffix(word, ending)
		return ok && whole[before]
	})
}

// isPart reports whether a spelling is a word of the catalogue that may be a part: one of four letters or
// more, or of three at the beginning. That it has an über makes no part of it: an Übergang is no Gang.
func (s *Splitter) isPart(spelling string, from int) bool {
	letters := utf8.RuneCountInString(spelling)
	return (letters >= minSure || letters == MinPart && from == 0 && isHeadless(spelling)) && s.isWord(spelling) &&
		!isSuffix(spelling) && !IsFunctionWord(spelling)
}
