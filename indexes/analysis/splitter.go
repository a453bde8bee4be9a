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
// Letters of which nothing is known are a noun, and a part, where their end and an s behind it say so, as in
// Auskleidung-s-platte, and behind other parts where they have a prefix and end in -ung, as in Wandauskleidung.
//
// Two kinds of parts lack an e. A word of the package's list may drop its last one, as Wolle does in Wollfilz. And folding
// may take the first one: the key of Dekoelement is dekolement, and element is a part of it.
//
// An adjective of the package's list is a part too where something follows it, as in Grauton; one of three letters at the
// beginning alone, since too many words have an -eng- and a -neu-.
//
// A stretch of letters is no part unless it is a known word: Regal is not made of re and gal. And a word of the package's
// list is made of listed words only: perforated is not made of perfo and rated, even if a catalogue has both. But what
// ends in a listed German word of five letters or more, a head, is of its kind whatever stands before, as is a listed word:
// a Xylogipsplatte and an MDFPlatte are a Platte, and a Barhocker is a Hocker. A prefix right before it makes another word
// of it: a Filmvorschau is no Schau. So several listed words at the end are parts, as in Weidenruten-lärm-schutz-zaun, and
// several known ones at the beginning, as in Molton-vorhang-schal, where they are long enough to be none by chance. The
// words of whole_words.txt are cut in no way.
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
	minCatalogue    = 4  // letters of a part that only the catalogue knows, but for a first one before listed ones
	minConfident    = 5  // letters of such a part; without one of them, a split of such parts alone is not believed
	minShortened    = 4  // letters of a listed word without its last e
	minHead         = 5  // letters of a listed word that is a head whatever stands before it
	minAbbreviation = 2  // letters without a vowel that may stand before a head: an abbreviation
	maxAbbreviation = 4  // the same
	maxSplit        = 96 // bytes of a word that is split: nobody has written a longer one
	linkingCost     = 1  // of each linking element; the split that costs least is taken
	unlistedCost    = 2  // of each part that is not listed
	partCost        = 8  // of each part
	minRun          = 8  // letters of parts that are known though something unknown stands beside them
	minDerived      = 7  // letters of a noun that its end alone tells, without the prefix that it has behind others
	derivedCost     = 3  // of each of its letters
	missingCost     = 3  // of a linking element that is missing where it is the rule
	maxLinking      = 5  // letters of a linking element or an ending
	linkAllowance   = 4  // letters of a part behind which another linking element than s may stand
)

// NewSplitter returns a splitter that knows the words of a catalogue, which isWord tells, and those of the package's lists.
func NewSplitter(isWord func(word string) bool) *Splitter { return &Splitter{isWord} }

func isAlphabetic(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

// A piece is a stretch of a word that is a part of it.
type piece struct {
	from, core, end int    // where it begins, where its linking element or ending does, and where that ends
	word            string // what it is a form of; empty if the letters are unknown
	lost            string // its first letter if folding took it: e
}

// A cut is the best way to split the beginning of a word.
type cut struct {
	cost      int // 0: no way
	last      piece
	believed  bool // a part is long or trusted enough to be none by chance
	german    bool // the last part is a listed German word
	adjective bool // the last part is an adjective, behind which something has to follow
	sheltered bool // the first part is of three letters of the catalogue, and all others are listed
}

// Apart appends the words that a compound is made of, in order, each as it is spelled alone: decke and segel of deckensegel,
// wolle and filz of wollfilz. A word of which no more than the head is known has none.
func (s *Splitter) Apart(dst []string, word string) []string {
	var best [maxSplit + 1]cut
	if !s.cuts(&best, word, catalogueWords|derivedNouns) {
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

// appendHidden appends the listed noun that a piece may be as well, with a linking element or an ending that make a longer one
// of it: folded, Küche-n is Kuchen.
func appendHidden(dst []Part, start int, word string, p piece) []Part {
	for _, ending := range [...]string{"n", "en"} {
		short, ok := strings.CutSuffix(word[p.from:p.core], ending)
		if !ok || short == p.word || len(short) < minStem || p.lost != "" {
			continue
		}
		l, ok := listed(short, usePart)
		fits := mayLink(&l, short, ending) || p.end == len(word) && l.takes(short, ending)
		if ok && l.is(useGerman) && l.word == short && fits && !slices.ContainsFunc(dst[start:], func(p Part) bool { return p.Form == short }) {
			dst = append(dst, Part{l.stem, short})
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
	l, isForm := inflected(word)
	if isForm && !isListed && strings.HasPrefix(word, l.word) { // a form, which has the parts of the word
		if dst = s.pieces(dst, l.word); len(dst) > first {
			dst[len(dst)-1].end = len(word)
		}
		return dst
	}
	var best [maxSplit + 1]cut
	if s.cuts(&best, word, catalogueWords|derivedNouns) {
		return appendPieces(dst, &best, 0, len(word))
	}
	if !isForm || l.is(usePart) && l.is(useGerman) {
		dst = s.appendEnd(dst, word)
	}
	if len(dst) > first {
		return dst
	}
	return appendBeginning(dst, word, &best)
}

// appendPieces appends the pieces that a split has between two places of a word.
func appendPieces(dst []piece, best *[maxSplit + 1]cut, from, end int) []piece {
	first := len(dst)
	for ; end > from; end = best[end].last.from {
		dst = append(dst, best[end].last)
	}
	slices.Reverse(dst[first:])
	return dst
}

// appendEnd appends the longest end of a word that listed words fill, two or more, or else its head.
func (s *Splitter) appendEnd(dst []piece, word string) []piece {
	var head piece
	last := 0 // where the shortest part begins that ends the word
	for from := range word {
		if from < minAbbreviation || len(word)-from < MinPart {
			continue
		}
		l, ok := inflected(word[from:])
		if !ok || !l.is(usePart) || !l.is(useHead) {
			continue
		}
		last = from
		if head.word == "" && len(word)-from >= minHead && utf8.RuneCountInString(l.word) >= minHead &&
			isHeadless(word[:from]) && mayHaveHead(word, l.word) {
			head = piece{from: from, core: len(word), end: len(word), word: l.word}
			if strings.HasPrefix(word[from:], l.word) {
				head.core = from + len(l.word)
			}
		}
	}
	if first := len(dst); last >= MinPart+minCatalogue {
		if dst = s.appendRun(dst, word, min(last-minCatalogue, len(word)-minRun)); len(dst) > first {
			return dst
		}
	}
	if head.word == "" || s.endsInPrefix(word[:head.from], head.word) {
		return dst
	}
	return append(dst, head)
}

// appendRun appends the longest end of a word that listed words fill, two or more, and that begins no later than at a place.
func (s *Splitter) appendRun(dst []piece, word string, latest int) []piece {
	var best [maxSplit + 1]cut
	first := len(dst)
	for from := range word[:max(0, latest)+1] {
		if from < MinPart || !isHeadless(word[:from]) || s.endsInPrefix(word[:from], word[from:]) {
			continue
		}
		clear(best[from : len(word)+1])
		s.extendAll(&best, word, from, 0)
		if end := &best[len(word)]; end.cost > 0 && end.last.from > from && end.german {
			if dst = appendPieces(dst, &best, from, len(word)); s.isSureRun(word, dst[first:]) {
				return dst
			}
			dst = dst[:first]
		}
	}
	return dst
}

// isSureRun reports whether pieces behind unknown letters are none by chance: three of four letters or more, one of them
// longer, two of five, or such as make a word that is known itself.
func (s *Splitter) isSureRun(word string, run []piece) bool {
	long := 0
	for _, p := range run {
		spelling := word[p.from:p.core]
		if !lexicon()[spelling].is(usePart|useShortened) || len(spelling) < minCatalogue || isSuffix(spelling) || slices.Contains(chanceParts[:], spelling) {
			return false
		}
		if len(spelling) >= minHead {
			long++
		}
	}
	last := run[len(run)-1]
	if !lexicon()[last.word].is(useHead) {
		return false
	}
	whole := word[run[0].from:last.from] + last.word
	return len(run) > 2 && long > 0 || long == 2 || s.isWord(whole) || synonymTable()[whole] != nil
}

// chanceParts are listed words that others end in, as in Journa-listen, For-scher, sech-stage and mon-tier-test.
var chanceParts = [...]string{"innen", "liste", "nisch", "rinne", "scher", "stage", "test", "tier"}

// appendBeginning appends the longest beginning of a word that known words fill, two or more, when a noun may stand behind it.
func appendBeginning(dst []piece, word string, best *[maxSplit + 1]cut) []piece {
	for end := len(word) - minHead; end >= minRun; end-- {
		c := &best[end]
		isHead := c.cost > 0 && c.believed && c.last.from > 0 && c.last.core == end && end-c.last.from > minHead &&
			lexicon()[word[c.last.from:end]].is(useHead)
		if isHead && mayBeNoun(word[end:]) {
			return appendPieces(dst, best, 0, end)
		}
	}
	return dst
}

// mayBeNoun reports whether unknown letters behind known words may be a noun of their own, and no ending of the word before.
func mayBeNoun(letters string) bool {
	hasOnset := strings.IndexByte("aeiouy", letters[0]) < 0 && (letters[0] != 's' || strings.IndexByte("cpt", letters[1]) >= 0)
	if !hasOnset || !beginsAsWord(letters) || !isPlausible(letters) {
		return false
	}
	for _, begin := range [...]string{"chen", "lich", "ling", "nis", "schaft", "tum"} {
		if strings.HasPrefix(letters, begin) {
			return false
		}
	}
	for _, end := range [...]string{"bar", "e", "em", "en", "end", "er", "erin", "ern", "ers", "es", "haft", "ig", "isch", "keit", "konform", "lich", "los", "reich", "sam", "t", "ung", "voll"} {
		if strings.HasSuffix(letters, end) {
			return false
		}
	}
	return true
}

// isWhole reports whether a word is cut in no way.
func isWhole(word string) bool {
	return len(word) < 2*MinPart || len(word) > maxSplit || !isAlphabetic(word) || strings.HasSuffix(word, "innen") || wholeWords()[word]
}

// allowed says which words besides listed ones may be parts.
type allowed uint8

const (
	catalogueWords allowed = 1 << iota
	derivedNouns           // letters that are a noun by their end, though nobody lists it
)

// cuts finds the best way to split each beginning of a word, and reports whether known words fill all of it.
func (s *Splitter) cuts(best *[maxSplit + 1]cut, word string, more allowed) bool {
	if isWhole(word) {
		return false
	}
	if lexicon()[word].is(usePart) {
		more = 0
	}
	s.extendAll(best, word, 0, more)
	return best[len(word)].believed
}

// extendAll cuts off the parts that fill a word from a place on.
func (s *Splitter) extendAll(best *[maxSplit + 1]cut, word string, start int, more allowed) {
	best[start].cost = 1
	for from := range word {
		if best[from].cost > 0 {
			s.extend(best, word, from, more)
		}
	}
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
	return isAbbreviation(letters) || isPlausible(letters) && !isPrefix(letters) && !strings.HasSuffix(letters, "zu")
}

// isAbbreviation reports whether letters are one, as of an MDFPlatte: two to four consonants that no German word begins with.
func isAbbreviation(letters string) bool {
	return len(letters) >= minAbbreviation && len(letters) <= maxAbbreviation && !strings.ContainsAny(letters, "aeiouy") &&
		!slices.Contains(onsets, letters[:2])
}

// onsets are the two consonants that words begin with.
var onsets = strings.Fields("bl br ch cl cr dr ds fl fr gh gl gn gr kh kl kn kr ph pf pl pn pr ps rh sc sh sk sl sm sn sp sr st sw sz th tr ts tw wh wr zw")

// endsInPrefix reports whether what stands before a head ends in a prefix that makes another word of it: a Filmvorschau is no
// Schau, nor has a Wand-auskleidung to do with Kleidung. Of prefixes that many words end in this is so only where a known word
// stands before them, as in Not-aus-leitung and not in Oberhaus-leitung, or where the head is one in -ung.
func (s *Splitter) endsInPrefix(letters, head string) bool {
	for _, prefix := range clearPrefixes {
		if before, ok := strings.CutSuffix(letters, prefix); ok && isPlausible(before) {
			return true
		}
	}
	for _, prefix := range commonPrefixes {
		if before, ok := strings.CutSuffix(letters, prefix); ok && isPlausible(before) &&
			(s.isKnown(before) ||
				s.isKnown(before[:len(before)-1]) && strings.IndexByte("ns", before[len(before)-1]) >= 0 ||
				len(prefix) > 2 && strings.HasSuffix(head, "ung")) {
			return true
		}
	}
	return false
}

// isKnown reports whether letters are a word that a compound may begin with.
func (s *Splitter) isKnown(letters string) bool {
	return lexicon()[letters].is(usePart|useAdjective) || s.isPart(letters, 0)
}

// The prefixes that stand between words: those that few words end in, and those that many do.
var (
	clearPrefixes  = [...]string{"ab", "durch", "fort", "gegen", "nach", "uber", "unter", "ver", "vor", "wieder", "zuruck", "zusammen"}
	commonPrefixes = [...]string{"an", "auf", "aus", "be", "ein", "ge", "her", "hin", "um"}
)

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

// extend cuts off every part that begins at from.
func (s *Splitter) extend(best *[maxSplit + 1]cut, word string, from int, more allowed) {
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
		if core < len(word) && l.is(useAdjective) && l.word == spelling && (from == 0 || len(spelling) > MinPart) {
			adjective := next
			adjective.last.word, adjective.german, adjective.adjective = l.word, true, true
			offer(best, adjective, core)
		}
		if !known && more&derivedNouns != 0 {
			if end := derivedEnd(word, from, core); end > 0 { // its letters cost more each than those of known words, which are cut off
				derived := next
				derived.cost += derivedCost*len(spelling) - partCost
				derived.believed, derived.german, derived.last.word = before.believed, true, spelling
				offer(best, derived, end)
			}
		}
		english := known && l.is(usePart) && !l.is(useGerman)
		switch {
		case english && before.last.end > before.last.core:
			continue // a plural before an English word, or a word by chance
		case known && l.is(usePart):
			if before.sheltered && utf8.RuneCountInString(spelling) < minHead || before.adjective && isSuffix(spelling) {
				continue // Eigen-schaft
			}
			next.last.word, next.german = l.word, !english
		case known && l.is(useShortened) && next.last.lost == "" && core < len(word):
			next.last.word, next.german = l.word, true
			next.cost += unlistedCost
		case more&catalogueWords == 0 || before.sheltered || !s.isPart(spelling, from):
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
			linking := word[core:end]
			if end < len(word) && mayLink(&l, spelling, linking) ||
				end == len(word) && from > 0 && mayEnd(&l, spelling, linking, before.german) {
				next.cost += linkingCost
				offer(best, next, end)
				next.cost -= linkingCost
			}
		}
	}
}

// derivedEnd returns where a noun that nobody lists ends with its linking element or ending, if the letters between two places
// are one by their end, and else 0.
func derivedEnd(word string, from, core int) int {
	end, behind := core+1, word[core:]
	switch {
	case len(behind) > MinPart && behind[0] == 's':
	case from > 0 && (behind == "" || behind == "en") && strings.HasSuffix(word[:core], "ung"):
		end = len(word)
	default:
		return 0
	}
	if !isDerived(word[from:core], from > 0) {
		return 0
	}
	return end
}

// isDerived reports whether letters are a noun by their end. Inside of a compound it has to begin with a prefix, as in
// Wand-auskleidung.
func isDerived(spelling string, inside bool) bool {
	if len(spelling) < minDerived || !isPlausible(spelling[:MinPart]) ||
		!slices.ContainsFunc(derivedNounEnds[:], func(end string) bool { return strings.HasSuffix(spelling, end) }) {
		return false
	}
	return !inside || slices.ContainsFunc(prefixes, func(prefix string) bool {
		rest, ok := strings.CutPrefix(spelling, prefix)
		isClear := prefix != "er" && prefix != "in" && prefix != "un" && prefix != "sub" // Alter-s-sicherung, Schlichtung-s-plan
		return ok && isClear && len(rest) >= minDerived && beginsAsWord(rest)
	})
}

// beginsAsWord reports whether German words begin with the first two letters of some: none does with a letter twice, nor with
// l, m, n or r before a consonant.
func beginsAsWord(letters string) bool {
	return letters[0] != letters[1] && (strings.IndexByte("lmnr", letters[0]) < 0 || strings.IndexByte("aeiouy", letters[1]) >= 0)
}

// derivedNounEnds are those by which letters are a noun that an s links.
var derivedNounEnds = [...]string{"ung", "heit", "keit", "schaft", "tion", "itat", "ling"}

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
		"keit", "keiten", "lein", "lich", "ling", "nisse", "schaft", "tion", "ungen", "ante", "able", "ible", "less", "ment", "ness", "ring", "sion", "ward",
		"tier", "test":
		return true
	}
	return false
}

// offer takes a way to split a word up to end if it is the best one. Where two parts and their linking elements fill the same
// letters at the same cost, the longer part is kept: Hallen is Halle and n, not Hall and en.
func offer(best *[maxSplit + 1]cut, next cut, end int) {
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
