package analysis

import (
	"slices"
	"strings"
	"unicode/utf8"
)

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

// cuts are the best ways to split a word up to each of its places.
type cuts [maxSplit + 1]cut

// unknown says which words besides listed ones may be parts.
type unknown uint8

const (
	catalogueWords unknown = 1 << iota
	derivedNouns           // letters that are a noun by their end, though no list has it
)

// fill finds the cuts of a word, and reports whether known words fill all of it.
func (c *cuts) fill(s *Splitter, word string, more unknown) bool {
	if isWhole(word) {
		return false
	}
	if lexicon()[word].is(usePart) {
		more = 0
	}
	c.extendAll(s, word, 0, more)
	return c[len(word)].believed
}

// extendAll finds the cuts behind a place, as if the word began there.
func (c *cuts) extendAll(s *Splitter, word string, start int, more unknown) {
	c[start].cost = 1
	for from := range word {
		if c[from].cost > 0 {
			c.extend(s, word, from, more)
		}
	}
}

// pieces appends the pieces of the split between two places of a word.
func (c *cuts) pieces(dst []piece, from, end int) []piece {
	first := len(dst)
	for ; end > from; end = c[end].last.from {
		dst = append(dst, c[end].last)
	}
	slices.Reverse(dst[first:])
	return dst
}

// extend offers every part that begins at a place, which a cut leads to.
func (c *cuts) extend(s *Splitter, word string, from int, more unknown) {
	if len(word)-from < MinPart {
		return
	}
	before, lists, begins := &c[from], lexicon(), listedBeginnings()
	mayBeListed := begins.mayBegin(word[from:])
	mayLack := Swallows(word[:from]) && begins.mayBegin("e"+word[from:from+MinPart]) // an e that stood here is gone
	for core := from + MinPart; core <= len(word); core++ {
		spelling, behind := word[from:core], word[core:]
		if len(spelling) == len(word) {
			return // a word is not a part of itself
		}
		next := cut{cost: before.cost + partCost, believed: true, sheltered: before.sheltered}
		var l lexeme
		if mayBeListed {
			l = lists[spelling]
		}
		if l.word == "" && mayLack {
			if l = lists["e"+spelling]; l.word != "" {
				next.last.lost = "e"
			}
		}
		next.last.from, next.last.core, next.last.word = from, core, l.word
		if behind != "" && l.is(useAdjective) && l.word == spelling && (from == 0 || len(spelling) > MinPart) {
			adjective := next
			adjective.german, adjective.adjective = true, true
			c.offer(adjective, core, 0)
		}
		if l.word == "" && more&derivedNouns != 0 {
			if end := derivedEnd(word, from, core); end > 0 { // known words, whose letters cost less, are cut off it
				derived := next
				derived.believed, derived.german, derived.last.word = before.believed, true, spelling
				c.offer(derived, end, derivedCost*len(spelling)-partCost)
			}
		}
		switch {
		case l.is(usePart) && mayStandBehind(before, &l, spelling):
			next.german = l.is(useGerman)
		case l.is(usePart):
			continue
		case l.is(useShortened) && next.last.lost == "" && behind != "":
			next.german = true
			next.cost += unlistedCost
		case more&catalogueWords != 0 && !before.sheltered && s.isPart(spelling, from):
			letters := utf8.RuneCountInString(spelling)
			next.believed, next.sheltered = before.believed || letters >= minLong, letters < minSure
			next.last.word, next.last.lost, l = spelling, "", lexeme{}
			next.cost += unlistedCost
		default:
			continue
		}
		c.offerEnds(next, &l, spelling, behind, before.german)
	}
}

// mayStandBehind reports whether a listed part may follow a cut. It may not as an English word behind a
// plural, or one by chance; nor as a short one behind another of the catalogue; nor as the end of a noun
// behind an adjective, as in Eigen-schaft.
func mayStandBehind(before *cut, l *lexeme, spelling string) bool {
	return (l.is(useGerman) || before.last.end <= before.last.core) &&
		(!before.sheltered || utf8.RuneCountInString(spelling) >= minLong) &&
		(!before.adjective || !isSuffix(spelling))
}

// offerEnds offers a cut up to its core, and up to each end of a linking element or an ending that may stand
// behind it.
func (c *cuts) offerEnds(next cut, l *lexeme, spelling, behind string, germanBefore bool) {
	missing := 0
	if behind != "" && endsIn(spelling, endsLinkedByS) { // a Dämpfungsteil is a Teil, and nothing steil
		missing = missingCost
	}
	c.offer(next, next.last.core, missing)
	for _, linking := range nounEndings {
		if strings.HasPrefix(behind, linking) && len(behind) > len(linking) && mayLink(l, spelling, linking) {
			cost := linkingCost
			if linking == "e" && strings.HasPrefix(behind, "es") { // a Land-es-amt is of no Samt
				cost += linkingCost
			}
			c.offer(next, next.last.core+len(linking), cost)
		}
	}
	if behind != "" && next.last.from > 0 && mayEnd(l, spelling, behind, germanBefore) {
		c.offer(next, next.last.core+len(behind), linkingCost)
	}
}

// offer takes a way to split a word up to end if it is the best one. Where two parts and their linking
// elements fill the same letters at the same cost, the longer part is kept: Hallen is Halle and n, not Hall
// and en.
func (c *cuts) offer(next cut, end, cost int) {
	next.cost += cost
	next.last.end = end
	if now := &c[end]; now.cost == 0 || next.cost < now.cost || next.cost == now.cost && now.last.from == next.last.from {
		*now = next
	}
}

// derivedEnd returns where a noun that no list has ends with its linking element or ending, if the letters
// between two places are one by their end, and else 0.
func derivedEnd(word string, from, core int) int {
	behind := word[core:]
	isLast := from > 0 && (behind == "" || behind == "en") && strings.HasSuffix(word[:core], "ung")
	isLinked := len(behind) > MinPart && behind[0] == 's'
	switch {
	case !isLast && !isLinked || !isDerived(word[from:core], from > 0):
		return 0
	case isLast:
		return len(word)
	}
	return core + 1
}

// mayLink reports whether a linking element may stand behind a word. Behind the shortest words only s may:
// too many words begin with the letters of a short word and n or er, as Turnhalle does, which has nothing to
// do with Tür. And n stands only behind e, l and r, as in Decken: Spann- is not of Span. English words take
// none.
func mayLink(l *lexeme, spelling, linking string) bool {
	if l.is(usePart|useShortened) && !l.is(useGerman|useShortened) {
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

// mayEnd reports whether an ending may stand behind the last part. One behind three letters is by chance
// unless what stands before is a listed German word: a Hochton has Hochtöne, and a Spintone is of no Ton.
func mayEnd(l *lexeme, spelling, ending string, germanBefore bool) bool {
	if !l.is(usePart) {
		return mayLink(l, spelling, ending)
	}
	return l.is(useGerman|useEnglish) && slices.Contains(nounEndings, ending) && l.takes(spelling, ending) &&
		(ending == "s" || len(spelling) > MinPart || germanBefore) ||
		l.is(useAdjective) && slices.Contains(adjectiveEndings, ending)
}
