package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Splitter finds the parts of German compounds. The parts are words from the lists or from a catalogue.
//
// A compound is split into as few words as possible, at least two. A linking element may follow a part, as in
// Decke-n-segel and Arbeit-s-platz, and an ending may follow the last part. Irregular forms of listed words
// may be parts, as in Bücher-regal. If a part is itself a compound, it is also split.
//
// Unknown letters may be a part if they end like a derived noun and an s follows, as in Auskleidung-s-platte.
// After other parts, they must begin with a prefix and end in -ung, as in Wandauskleidung.
//
// A part may lack an e in two cases. A listed word may lose its final e, as Wolle does in Wollfilz. And
// folding may remove the first e: the key of Dekoelement is dekolement, which contains the part element.
//
// A listed adjective is a part only if another part follows, as in Grauton. An adjective of three letters
// must be at the beginning, because too many words contain -eng- or -neu-.
//
// Other letters are not parts: Regal does not consist of re and gal. A listed word is split only into listed
// words: perforated does not consist of perfo and rated, even if a catalogue contains both. If a word ends in
// a listed German word of at least five letters, that word is its head even after unknown letters: the head
// of Xylogipsplatte and MDFPlatte is Platte. But a prefix directly before the head forms a different word: a
// Filmvorschau is not a Schau. Next to unknown letters, several listed words at the end are parts, as in
// Weidenruten-lärm-schutz-zaun, as are several known words at the beginning, as in Molton-vorhang-schal, if
// they are long enough to be reliable. Words in whole_words.txt and their forms are never split.
//
// A Splitter is safe for concurrent use.
type Splitter struct {
	isWord func(word string) bool // reports whether the catalogue contains a word
}

// A Part is a part of a compound, or several consecutive parts that are not the entire compound.
type Part struct {
	Stem string // German stem of the part's word, which is used in searches
	Form string // spelling in the compound, with or without linking element, or as a separate word
}

// MinPart is the minimum number of letters in a part of a compound.
const MinPart = 3

const (
	minSure         = 4  // minimum number of letters in common stems, and in parts not listed in this spelling
	minLong         = 5  // minimum number of letters in a reliable part
	minAbbreviation = 2  // minimum length of a vowelless abbreviation before a head
	maxAbbreviation = 4  // maximum length of an abbreviation
	maxSplit        = 96 // maximum number of bytes in a word that is split; real words are shorter
	minRun          = 8  // minimum number of letters in known parts next to unknown letters
	minDerived      = 7  // minimum number of letters in a derived noun, without a prefix that it must have

	// A word is split so that the sum of these costs is minimal.
	partCost     = 8 // for each part
	unlistedCost = 2 // for each part that is not listed, or not in this spelling
	linkingCost  = 1 // for each linking element or ending
	missingCost  = 3 // for a missing linking element where it is usual
	derivedCost  = 3 // for each letter of a noun that is recognised by its ending
)

// NewSplitter returns a Splitter for the listed words and the words of a catalogue. isWord must report
// whether the catalogue contains a word.
func NewSplitter(isWord func(word string) bool) *Splitter { return &Splitter{isWord} }

func isAlphabetic(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

// Split appends the words of a compound in order, as spelled separately: decke and segel for deckensegel,
// wolle and filz for wollfilz. It appends none if at most the head of the word is known.
func (s *Splitter) Split(dst []string, word string) []string {
	if isNeverSplit(word) { // checked before cuts is allocated, which takes longer
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

// maxPieces is the number of parts that need no allocation.
const maxPieces = 12

// Parts appends the parts of a word, the parts of these parts, and every sequence of consecutive parts except
// the entire word. It appends each of them in all forms. Forms are distinct and have at least three letters.
// A word that is not a compound of known words has no parts.
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
			if rest := own[0].from; rest > 0 { // unknown beginning of a sequence, such as Bar- of Barhocker
				own = slices.Insert(own, 0, piece{core: rest, end: rest})
			}
			for k := range own { // offsets in p.word become offsets in word
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
			if isEntire := first.from == 0 && last.end == len(word); last.word != "" && !isEntire {
				dst = appendForms(dst, start, word, first, last)
			}
		}
		dst = appendHidden(dst, start, word, pieces[i])
	}
	return dst
}

// appendForms appends the forms in which users may search for a sequence of parts, except those already in
// dst[start:].
func appendForms(dst []Part, start int, word string, first, last piece) []Part {
	before := first.lostLetter + word[first.from:last.from] // sequence without its last part
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

// appendHidden appends the listed noun for a piece that can be one of its forms, because a linking element
// or an ending follows the noun. For example, Küche-n is folded to the same key as Kuchen.
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

// pieces appends the parts of a word. If it does not consist of known words, pieces appends those at its end,
// or otherwise those at its beginning.
func (s *Splitter) pieces(dst []piece, word string) []piece {
	if isNeverSplit(word) {
		return dst
	}
	first := len(dst)
	if l, ok := formOf(word); ok { // a form has the parts of the listed word
		if dst = s.pieces(dst, l.word); len(dst) > first {
			dst[len(dst)-1].end = len(word)
		}
		return dst
	}
	var best cuts
	if best.fill(s, word, catalogueWords|derivedNouns) {
		return best.pieces(dst, 0, len(word))
	}
	if l, ok := inflected(word); !ok || l.is(usePart) && l.is(useGerman) { // other listed words have no head
		dst = s.appendEnd(dst, word)
	}
	if len(dst) > first {
		return dst
	}
	return appendBeginning(dst, word, &best)
}

// formOf returns the listed word for a form that only adds an ending to it.
func formOf(word string) (l lexeme, ok bool) {
	if _, isListed := lexicon()[word]; isListed {
		return lexeme{}, false
	}
	l, ok = inflected(word)
	return l, ok && strings.HasPrefix(word, l.word)
}

// isNeverSplit reports whether a word cannot have parts, whatever words are known.
func isNeverSplit(word string) bool {
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

// isCataloguePart reports whether a spelling is a catalogue word that may be a part. It must have at least
// four letters. At the beginning three are enough if it is not a prefix: an Übergang is not a Gang.
func (s *Splitter) isCataloguePart(spelling string, from int) bool {
	letters := utf8.RuneCountInString(spelling)
	return (letters >= minSure || letters == MinPart && from == 0 && isHeadless(spelling)) && s.isWord(spelling) &&
		!isSuffix(spelling) && !IsFunctionWord(spelling)
}
