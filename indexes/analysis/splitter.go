package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Splitter finds the parts of German compounds among known words: those of the package's lists and those of a catalogue.
//
// A compound is cut into the fewest words that fill it from end to end, two or more. A linking element may stand behind a
// part, as in Decke-n-segel or Arbeit-s-platz, and an ending behind the last one. Of the word of a list also its irregular
// forms are parts, as in Bücher-regal. A part that is a compound is cut in turn.
//
// Two kinds of parts lack an e. A word of the package's list may drop its last one, as Wolle does in Wollfilz. And folding
// may take the first one: the key of Dekoelement is dekolement, and element is a part of it.
//
// A stretch of letters is no part unless it is a known word: Regal is not made of re and gal. And a word of the package's
// list is made of listed words only: perforated is not made of perfo and rated, even if a catalogue has both. But what
// ends in a listed German word of five letters or more, a head, is of its kind whatever stands before: a Xylogipsplatte is
// a Platte. The words of whole_words.txt are cut in no way.
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
	minCatalogue  = 4  // letters of a part that only the catalogue knows, but for a first one before listed ones
	minConfident  = 5  // letters of such a part; without one of them, a split of such parts alone is not believed
	minShortened  = 4  // letters of a listed word without its last e
	minHead       = 5  // letters of a listed word that is a head whatever stands before it
	maxSplit      = 96 // bytes of a word that is split: nobody has written a longer one
	linkingCost   = 1  // of each linking element; the split that costs least is taken
	unlistedCost  = 2  // of each part that is not listed
	partCost      = 8  // of each part
	missingCost   = 3  // of a linking element that is missing where it is the rule
	maxLinking    = 5  // letters of a linking element or an ending
	linkAllowance = 4  // letters of a part behind which another linking element than s may stand
)

// NewSplitter returns a splitter that knows the words of a catalogue, which isWord tells, and those of the package's lists.
func NewSplitter(isWord func(word string) bool) *Splitter { return &Splitter{isWord} }

func isAlphabetic(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

// A piece is a stretch of a word that is a part of it.
type piece struct {
	from, core, end int    // where it begins, where its linking element or ending does, and where that ends
	word            string // what it is a form of
	lost            string // its first letter if folding took it: e
}

// A cut is the best way to split the beginning of a word.
type cut struct {
	cost      int // 0: no way
	last      piece
	believed  bool // a part is long or trusted enough to be none by chance
	german    bool // the last part is a listed German word
	sheltered bool // the first part is of three letters of the catalogue, and all others are listed
}

// cuts are the best ways to split the beginnings of a word, by their ends.
type cuts [maxSplit + 1]cut

// Apart appends the words that a compound is made of, in order, each as it is spelled alone: decke and segel of deckensegel,
// wolle and filz of wollfilz. A word of which no more than the head is known has none.
func (s *Splitter) Apart(dst []string, word string) []string {
	if isWhole(word) {
		return dst
	}
	var best cuts
	if !s.cut(&best, word) {
		return dst
	}
	return appendWords(dst, best[:], 0, len(word))
}

// appendWords appends the words that a split has between two places of a word.
func appendWords(dst []string, best []cut, from, end int) []string {
	first := len(dst)
	for ; end > from; end = best[end].last.from {
		dst = append(dst, best[end].last.word)
	}
	slices.Reverse(dst[first:])
	return dst
}

// maxPieces is for how many parts of a word there is room without an allocation.
const maxPieces = 12

// Parts appends the parts of a word, the parts of those, and every run of them that is not the whole word, each in every
// form, and each form once. They have three letters or more. A word that is not a compound of known words has none.
func (s *Splitter) Parts(dst []Part, word string) []Part {
	var room [maxPieces]piece
	pieces := s.pieces(room[:0], word)
	for i := 0; i < len(pieces); {
		p := pieces[i]
		var own []piece
		if p.lost == "" && strings.HasPrefix(p.word, word[p.from:p.core]) { // the whole word where this has lost an e
			own = s.pieces(nil, p.word)
		}
		if own != nil {
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
			if first, last := pieces[i], pieces[j]; first.from > 0 || last.end < len(word) {
				dst = appendForms(dst, start, word, first, last)
			}
		}
	}
	return dst
}

// appendForms appends the forms in which people may ask for a run of parts, leaving out those that dst holds from start on.
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
	for _, form := range [...]string{alone, first.lost + word[first.from:last.core], first.lost + word[first.from:last.end]} {
		if !slices.ContainsFunc(dst[start:], func(p Part) bool { return p.Form == form }) {
			dst = append(dst, Part{stem, form})
		}
	}
	return dst
}

// pieces appends the pieces that a word is split into, in order.
func (s *Splitter) pieces(dst []piece, word string) []piece {
	if isWhole(word) {
		return dst
	}
	first := len(dst)
	_, isListed := lexicon()[word]
	if l, ok := inflected(word); ok && !isListed && strings.HasPrefix(word, l.word) { // a form, which has the parts of the word
		if dst = s.pieces(dst, l.word); len(dst) > first {
			dst[len(dst)-1].end = len(word)
		}
		return dst
	}
	var best cuts
	if !s.cut(&best, word) {
		return appendHead(dst, word)
	}
	for end := len(word); end > 0; end = best[end].last.from {
		dst = append(dst, best[end].last)
	}
	slices.Reverse(dst[first:])
	return dst
}

// isWhole reports whether a word is cut in no way.
func isWhole(word string) bool {
	return len(word) < 2*MinPart || len(word) > maxSplit || !isAlphabetic(word) || strings.HasSuffix(word, "innen") || wholeWords()[word]
}

// cut finds the best way to split each beginning of a word that may be cut. It reports whether the word is one of known words.
func (s *Splitter) cut(best *cuts, word string) bool {
	s.extendAll(best, word, 0, lexicon()[word].is(usePart))
	return best[len(word)].believed
}

// extendAll cuts off the parts that fill a word from a place on.
func (s *Splitter) extendAll(best *cuts, word string, start int, listedOnly bool) {
	best[start].cost = 1
	for from := range word {
		if best[from].cost > 0 {
			s.extend(best, word, from, listedOnly)
		}
	}
}

// appendHead appends the head of a word when something stands before it that is no prefix.
func appendHead(dst []piece, word string) []piece {
	if _, isListed := inflected(word); isListed || isWhole(word) {
		return dst
	}
	for from := range word {
		if from < MinPart || len(word)-from < minHead {
			continue
		}
		l, ok := inflected(word[from:])
		if ok && l.is(useHead) && utf8.RuneCountInString(l.word) >= minHead && isHeadless(word[:from]) && mayHaveHead(word, l.word) {
			core := len(word)
			if strings.HasPrefix(word[from:], l.word) {
				core = from + len(l.word)
			}
			return append(dst, piece{from: from, core: core, end: len(word), word: l.word})
		}
	}
	return dst
}

// mayHaveHead reports whether a word may be one whose head alone is known, by its end: an adjective is none, as synthetisch
// has nothing to do with a Tisch, nor is a Verletzung with a Zunge, unless the head ends so itself.
func mayHaveHead(word, head string) bool {
	for _, end := range [...]string{"isch", "ig", "lich", "reich", "los", "bar", "sam", "haft"} {
		if strings.HasSuffix(word, end) {
			return false
		}
		for _, ending := range adjectiveEndings {
			if before, ok := strings.CutSuffix(word, ending); ok && strings.HasSuffix(before, end) {
				return false
			}
		}
	}
	return strings.HasSuffix(head, "ung") || !strings.HasSuffix(word, "ung") && !strings.HasSuffix(word, "ungen")
}

// isHeadless reports whether letters may stand before a head though nothing is known of them. Prefixes make another word
// of it, as a Verstand is no Stand; and behind a prefix and the beginning of a syllable there is none, as in aufp-latten.
func isHeadless(letters string) bool {
	return isPlausible(letters) && !isPrefix(letters) && !strings.HasSuffix(letters, "zu")
}

// isPrefix reports whether letters are prefixes of a word, and perhaps consonants behind them.
func isPrefix(letters string) bool {
	if !strings.ContainsAny(letters, "aeiouy") {
		return true
	}
	return slices.ContainsFunc(prefixes, func(prefix string) bool {
		rest, ok := strings.CutPrefix(letters, prefix)
		return ok && isPrefix(rest)
	})
}

var prefixes = []string{
	"ab", "an", "auf", "aus", "be", "bei", "da", "dar", "dis", "durch", "ein", "emp", "ent", "er", "fort", "ge", "gegen", "her", "hin", "hinter",
	"in", "los", "miss", "mit", "nach", "re", "sub", "uber", "um", "un", "unter", "ver", "vor", "weg", "weiter", "wider", "wieder", "zer", "zu", "zuruck", "zusammen",
}

// extend cuts off every part that begins at from; of words of the package's lists only if so asked.
func (s *Splitter) extend(best *cuts, word string, from int, listedOnly bool) {
	if len(word)-from < MinPart {
		return
	}
	lists, begins, before := lexicon(), listedBeginnings(), &best[from]
	mayBeListed := begins.mayBegin(word[from:])
	folded := Swallows(word[:from]) && begins.mayBegin("e"+word[from:from+MinPart]) // an e that stood here is gone
	for core := from + MinPart; core <= len(word); core++ {
		if from == 0 && core == len(word) {
			return // a word is not a part of itself
		}
		next := cut{cost: before.cost + partCost, believed: true, sheltered: before.sheltered, last: piece{from: from, core: core}}
		spelling := word[from:core]
		l, known := lexeme{}, false
		if mayBeListed {
			l, known = lists[spelling]
		}
		if !known && folded {
			if l, known = lists["e"+spelling]; known {
				next.last.lost = "e"
			}
		}
		english := known && l.is(usePart) && !l.is(useGerman)
		switch {
		case english && before.last.end > before.last.core:
			continue // a plural before an English word, or a word by chance
		case known && l.is(usePart):
			if before.sheltered && utf8.RuneCountInString(spelling) < minHead {
				continue
			}
			next.last.word, next.german = l.word, !english
		case known && l.is(useShortened) && next.last.lost == "" && core < len(word):
			next.last.word, next.german = l.word, true
			next.cost += unlistedCost
		case listedOnly || before.sheltered || !s.isPart(spelling, from):
			continue
		default:
			next.last.word, next.last.lost, l = spelling, "", lexeme{}
			next.cost += unlistedCost
			letters := utf8.RuneCountInString(spelling)
			next.believed = before.believed || letters >= minConfident
			next.sheltered = letters < minCatalogue
		}
		if core < len(word) && takesS(spelling) {
			next.cost += missingCost
			offer(best, next, core)
			next.cost -= missingCost
		} else {
			offer(best, next, core)
		}
		for end := core + 1; end <= min(len(word), core+maxLinking); end++ {
			if linking := word[core:end]; end < len(word) && mayLink(&l, spelling, linking) || end == len(word) && from > 0 && mayEnd(&l, spelling, linking, before.german) {
				next.cost += linkingCost
				offer(best, next, end)
				next.cost -= linkingCost
			}
		}
	}
}

// takesS reports whether an s links a word, by its end: a Dämpfungsteil is a Teil, and nothing steil.
func takesS(spelling string) bool {
	for _, end := range [...]string{"ung", "heit", "keit", "schaft", "ion", "tat", "ling", "tum"} {
		if strings.HasSuffix(spelling, end) {
			return true
		}
	}
	return false
}

// isPart reports whether a spelling is a word of the catalogue that may be a part: one of four letters or more, or of
// three at the beginning.
func (s *Splitter) isPart(spelling string, from int) bool {
	letters := utf8.RuneCountInString(spelling)
	return (letters >= minCatalogue || letters == MinPart && from == 0 && isHeadless(spelling)) && !isSuffix(spelling) && s.isWord(spelling)
}

// isSuffix reports whether a spelling is one that words end in by the rules of the language: the end of an absorbierende
// material is no Ende.
func isSuffix(spelling string) bool {
	switch spelling {
	case "bare", "bares", "chen", "ende", "enden", "ender", "endes", "enten", "ente", "erin", "haft", "heit", "heiten", "iere", "ieren", "ismus",
		"keit", "keiten", "lein", "lich", "ling", "nisse", "schaft", "tion", "ungen", "ante", "able", "ible", "less", "ment", "ness", "ring", "sion", "ward":
		return true
	}
	return false
}

// offer takes a way to split a word up to end if it is the best one. Where two parts and their linking elements fill the same
// letters at the same cost, the longer part is kept: Hallen is Halle and n, not Hall and en.
func offer(best *cuts, next cut, end int) {
	next.last.end = end
	if now := &best[end]; now.cost == 0 || next.cost < now.cost || next.cost == now.cost && now.last.from == next.last.from {
		*now = next
	}
}

// mayLink reports whether a linking element may stand behind a word. Behind the shortest words only s may: too many words
// begin with the letters of a short word and n or er, as Turnhalle does, which has nothing to do with Tür. And n stands
// only behind e, l and r, as in Decken: Spann- is not of Span. English words take none.
func mayLink(l *lexeme, spelling, linking string) bool {
	if l.is(usePart|useShortened) && !l.is(useGerman|useShortened) {
		return false
	}
	last := spelling[len(spelling)-1]
	switch linking {
	case "s":
		return last != 'e' || !l.is(useGerman)
	case "n":
		return len(spelling) >= linkAllowance && strings.IndexByte("elr", last) >= 0
	case "e", "en", "es":
		return len(spelling) >= linkAllowance && last != 'e'
	}
	return false
}

// mayEnd reports whether an ending may stand behind the last part. One behind three letters is by chance unless what stands
// before is a listed German word: a Hochton has Hochtöne, and a Spintone is of no Ton.
func mayEnd(l *lexeme, spelling, ending string, listedBefore bool) bool {
	if !l.is(usePart) {
		return mayLink(l, spelling, ending)
	}
	return l.is(useGerman|useEnglish) && slices.Contains(nounEndings[:], ending) && l.takes(spelling, ending) && (ending == "s" || len(spelling) > MinPart || listedBefore) ||
		l.is(useAdjective) && slices.Contains(adjectiveEndings[:], ending)
}
