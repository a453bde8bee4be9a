package analysis

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// A piece is a range of a word that is one of the word's parts.
type piece struct {
	from, core, end int    // start of the part, start of its linking element or ending, and end of the part
	word            string // known word whose form the part is; empty if the letters are unknown
	lostLetter      string // first letter of the part that folding has removed: "e" or ""
}

// A cut is the best split of the beginning of a word.
type cut struct {
	cost       int // sum of the costs of the parts; 0 if the beginning cannot be split
	last       piece
	reliable   bool // whether at least one part is long or reliable enough not to be a chance match
	german     bool // whether the last part is a listed German word
	adjective  bool // whether the last part is an adjective, which must have another part after it
	restListed bool // whether the first part is a catalogue word of three letters, so all other parts must be listed
}

// cuts contains, for each offset of a word, the best split of the word up to that offset.
type cuts [maxSplit + 1]cut

// An unlistedKinds is a set of the kinds of unlisted words that may be parts.
type unlistedKinds uint8

const (
	catalogueWords unlistedKinds = 1 << iota
	derivedNouns                 // unlisted letters that have the ending of a derived noun
)

// fill computes the cuts of a word, and reports whether the entire word can be split into known words.
func (c *cuts) fill(s *Splitter, word string, unlisted unlistedKinds) bool {
	if isNeverSplit(word) {
		return false
	}
	if lexicon()[word].is(usePart) {
		unlisted = 0
	}
	c.extendAll(s, word, 0, unlisted)
	return c[len(word)].reliable
}

// extendAll computes the cuts after start as if the word began there.
func (c *cuts) extendAll(s *Splitter, word string, start int, unlisted unlistedKinds) {
	c[start].cost = 1 // not 0, so that a part may begin here
	for from := range word {
		if c[from].cost > 0 {
			c.extend(s, word, from, unlisted)
		}
	}
}

// pieces appends the pieces between two offsets of a word to dst.
func (c *cuts) pieces(dst []piece, from, end int) []piece {
	first := len(dst)
	for ; end > from; end = c[end].last.from {
		dst = append(dst, c[end].last)
	}
	slices.Reverse(dst[first:])
	return dst
}

// extend offers every part that begins at from, where a previous part must end.
func (c *cuts) extend(s *Splitter, word string, from int, unlisted unlistedKinds) {
	if len(word)-from < MinPart {
		return
	}
	before, lists, begins := &c[from], lexicon(), listedBeginnings()
	mayBeListed := begins.mayBegin(word[from:])
	mayLack := Swallows(word[:from]) && begins.mayBegin("e"+word[from:from+MinPart]) // the part may have lost its first e
	for core := from + MinPart; core <= len(word); core++ {
		spelling, rest := word[from:core], word[core:]
		if len(spelling) == len(word) {
			return // a word is not a part of itself
		}
		next := cut{cost: before.cost + partCost, reliable: true, restListed: before.restListed}
		var l lexeme
		if mayBeListed {
			l = lists[spelling]
		}
		if l.word == "" && mayLack {
			if l = lists["e"+spelling]; l.word != "" {
				next.last.lostLetter = "e"
			}
		}
		next.last.from, next.last.core, next.last.word = from, core, l.word
		if rest != "" && l.is(useAdjective) && l.word == spelling && (from == 0 || len(spelling) > MinPart) {
			adjective := next
			adjective.german, adjective.adjective = true, true
			c.offer(adjective, core, 0)
		}
		if l.word == "" && unlisted&derivedNouns != 0 {
			if end := derivedEnd(word, from, core); end > 0 { // costs more than known words inside it, instead of partCost
				derived := next
				derived.reliable, derived.german, derived.last.word = before.reliable, true, spelling
				c.offer(derived, end, derivedCost*len(spelling)-partCost)
			}
		}
		switch {
		case l.is(usePart) && mayFollow(before, &l, spelling):
			next.german = l.is(useGerman)
		case l.is(usePart): // it must not be used as a catalogue word either
			continue
		case l.is(useShortened) && next.last.lostLetter == "" && rest != "":
			next.german = true
			next.cost += unlistedCost
		case unlisted&catalogueWords != 0 && !before.restListed && s.isCataloguePart(spelling, from):
			letters := utf8.RuneCountInString(spelling)
			next.reliable, next.restListed = before.reliable || letters >= minLong, letters < minSure
			next.last.word, next.last.lostLetter, l = spelling, "", lexeme{}
			next.cost += unlistedCost
		default:
			continue
		}
		c.offerEnds(next, &l, spelling, rest, before.german)
	}
}

// mayFollow reports whether a listed part may follow a cut. An English word must not follow an ending. A
// short word must not follow a catalogue word of three letters. A noun suffix must not follow an adjective,
// as in Eigen-schaft.
func mayFollow(before *cut, l *lexeme, spelling string) bool {
	return (l.is(useGerman) || before.last.end <= before.last.core) &&
		(!before.restListed || utf8.RuneCountInString(spelling) >= minLong) &&
		(!before.adjective || !isSuffix(spelling))
}

// offerEnds offers a cut at the end of the core, and after each linking element or ending that may follow the
// core.
func (c *cuts) offerEnds(next cut, l *lexeme, spelling, rest string, germanBefore bool) {
	missing := 0
	if rest != "" && endsIn(spelling, endsLinkedByS) { // Dämpfungsteil contains Teil rather than steil
		missing = missingCost
	}
	c.offer(next, next.last.core, missing)
	for _, linking := range nounEndings {
		if strings.HasPrefix(rest, linking) && len(rest) > len(linking) && mayLink(l, spelling, linking) {
			cost := linkingCost
			if linking == "e" && strings.HasPrefix(rest, "es") { // Landesamt does not contain Samt
				cost += linkingCost
			}
			c.offer(next, next.last.core+len(linking), cost)
		}
	}
	if rest != "" && next.last.from > 0 && mayEnd(l, spelling, rest, germanBefore) {
		c.offer(next, next.last.core+len(rest), linkingCost)
	}
}

// offer stores a split of a word up to end, with an extra cost, if it is the best one so far. If two last
// parts with their linking elements cover the same letters at the same cost, the longer part wins: Hallen is
// Halle and n, not Hall and en.
func (c *cuts) offer(next cut, end, extra int) {
	next.cost += extra
	next.last.end = end
	if now := &c[end]; now.cost == 0 || next.cost < now.cost || next.cost == now.cost && now.last.from == next.last.from {
		*now = next
	}
}

// derivedEnd returns the end of an unlisted noun, including its linking element or ending. It returns 0
// unless word[from:core] has the ending of a derived noun.
func derivedEnd(word string, from, core int) int {
	rest := word[core:]
	isLast := from > 0 && (rest == "" || rest == "en") && strings.HasSuffix(word[:core], "ung")
	isLinked := len(rest) > MinPart && rest[0] == 's'
	switch {
	case !isLast && !isLinked || !isDerived(word[from:core], from > 0):
		return 0
	case isLast:
		return len(word)
	}
	return core + 1
}

// mayLink reports whether a linking element may follow a word. The shortest words allow only s, since too
// many words begin with a short word and n or er: Turnhalle is not related to Tür. n must follow e, l or r:
// Spann- is not a form of Span. English words have no linking elements.
func mayLink(l *lexeme, spelling, linking string) bool {
	if l.is(usePart) && !l.is(useGerman|useShortened) { // an English part
		return false
	}
	last := spelling[len(spelling)-1]
	switch linking {
	case "s":
		return last != 'e' || !l.is(useGerman)
	case "n":
		return len(spelling) >= minSure && strings.IndexByte("elr", last) >= 0
	case "e", "en", "es":
		return len(spelling) >= minSure && last != 'e'
	}
	return false
}

// mayEnd reports whether an ending may follow the last part. If the part has only three letters, an ending is
// a chance match unless the previous part is a listed German word: Hochtöne is a form of Hochton, but
// Spintone does not contain Ton.
func mayEnd(l *lexeme, spelling, ending string, germanBefore bool) bool {
	if !l.is(usePart) {
		return mayLink(l, spelling, ending)
	}
	return l.is(useGerman|useEnglish) && slices.Contains(nounEndings, ending) && l.takes(spelling, ending) &&
		(ending == "s" || len(spelling) > MinPart || germanBefore) ||
		l.is(useAdjective) && slices.Contains(adjectiveEndings, ending)
}
