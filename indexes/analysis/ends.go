package analysis

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

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
		if head.word == "" && len(word)-from >= minLong && utf8.RuneCountInString(l.word) >= minLong &&
			isHeadless(word[:from]) && mayHaveHead(word, l.word) {
			head = piece{from: from, core: len(word), end: len(word), word: l.word}
			if strings.HasPrefix(word[from:], l.word) {
				head.core = from + len(l.word)
			}
		}
	}
	if first := len(dst); last >= MinPart+minSure {
		if dst = s.appendRun(dst, word, min(last-minSure, len(word)-minRun)); len(dst) > first {
			return dst
		}
	}
	if head.word == "" || s.endsInPrefix(word[:head.from], head.word) {
		return dst
	}
	return append(dst, head)
}

// appendRun appends the longest end of a word that listed words fill, two or more, and that begins no later
// than at a place.
func (s *Splitter) appendRun(dst []piece, word string, latest int) []piece {
	var best cuts
	for from := range word[:max(0, latest)+1] {
		if from < MinPart || !isHeadless(word[:from]) || s.endsInPrefix(word[:from], word[from:]) {
			continue
		}
		clear(best[from : len(word)+1])
		best.extendAll(s, word, from, 0)
		if end := &best[len(word)]; end.cost > 0 && end.last.from > from && end.german {
			if run := best.pieces(nil, from, len(word)); s.isSureRun(word, run) {
				return append(dst, run...)
			}
		}
	}
	return dst
}

// isSureRun reports whether pieces behind unknown letters are none by chance: three of four letters or more,
// one of them longer, two of five, or such as make a word that is known itself.
func (s *Splitter) isSureRun(word string, run []piece) bool {
	long := 0
	for _, p := range run {
		spelling := word[p.from:p.core]
		if !lexicon()[spelling].is(usePart|useShortened) || len(spelling) < minSure || isSuffix(spelling) ||
			slices.Contains(chanceParts, spelling) {
			return false
		}
		if len(spelling) >= minLong {
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

// endsInPrefix reports whether what stands before a head ends in a prefix that makes another word of it: a
// Filmvorschau is no Schau, nor has a Wand-auskleidung to do with Kleidung. Of prefixes that many words end
// in this is so only where a known word stands before them, as in Not-aus-leitung and not in
// Oberhaus-leitung, or where the head is one in -ung.
func (s *Splitter) endsInPrefix(letters, head string) bool {
	behindWord := func(prefix string) bool {
		before, ok := strings.CutSuffix(letters, prefix)
		return ok && isPlausible(before)
	}
	return slices.ContainsFunc(clearPrefixes, behindWord) ||
		slices.ContainsFunc(commonPrefixes, func(prefix string) bool {
			before := strings.TrimSuffix(letters, prefix)
			return behindWord(prefix) && (s.isKnown(before) || len(prefix) > 2 && strings.HasSuffix(head, "ung") ||
				s.isKnown(before[:len(before)-1]) && strings.IndexByte("ns", before[len(before)-1]) >= 0)
		})
}

// isKnown reports whether letters are a word that a compound may begin with.
func (s *Splitter) isKnown(letters string) bool {
	return lexicon()[letters].is(usePart|useAdjective) || s.isPart(letters, 0)
}

// appendBeginning appends the longest beginning of a word that known words fill, two or more, when a noun may
// stand behind it.
func appendBeginning(dst []piece, word string, best *cuts) []piece {
	for end := len(word) - minLong; end >= minRun; end-- {
		c := &best[end]
		isHead := c.cost > 0 && c.believed && c.last.from > 0 && c.last.core == end && end-c.last.from > minLong &&
			lexicon()[word[c.last.from:end]].is(useHead)
		if isHead && mayBeNoun(word[end:]) {
			return best.pieces(dst, 0, end)
		}
	}
	return dst
}

// A gap is a stretch of a compound that is no known word, where known words fill all that is before it and
// behind it.
type gap struct{ from, to int }

const (
	maxGapped = 48 // bytes of a word that gaps are looked for in
	maxGaps   = 8  // that are tried
)

// Gaps calls try with the ways to take a compound apart that leave one stretch of least letters or more
// unknown, until it returns true: the parts in order, of which that at a place is the stretch as the word
// spells it. The shortest stretches come first, and no more than a few. A word that Apart takes apart has no
// gaps.
func (s *Splitter) Gaps(word string, least int, try func(parts []string, unknown int) bool) {
	if len(word) < least+MinPart || len(word) > maxGapped || !isAlphabetic(word) {
		return
	}
	var before, behind cuts
	if before.fill(s, word, catalogueWords) {
		return
	}
	before[0].cost = 1 // also where the word is too short to be a compound of two known words
	var gaps []gap
	var filled, believed [maxGapped + 1]bool // known words fill the word from here on, and one of them is none by chance
	filled[len(word)] = true
	for to := len(word); to >= least; to-- {
		if to < len(word) && utf8.RuneStart(word[to]) {
			clear(behind[:len(word)+1])
			behind[to].cost = 1
			behind.extend(s, word, to, catalogueWords)
			for end := to + 1; end <= len(word); end++ {
				if filled[end] && behind[end].cost > 0 {
					filled[to] = true
					believed[to] = believed[to] || believed[end] || behind[end].believed
				}
			}
		}
		for from := 0; filled[to] && from < to; from++ {
			isSure := before[from].believed || believed[to]
			if isSure && before[from].cost > 0 && utf8.RuneCountInString(word[from:to]) >= least {
				gaps = append(gaps, gap{from, to})
			}
		}
	}
	slices.SortFunc(gaps, func(a, b gap) int {
		return cmp.Or(cmp.Compare(a.to-a.from, b.to-b.from), cmp.Compare(a.from, b.from))
	})
	for _, g := range gaps[:min(maxGaps, len(gaps))] {
		parts := appendWords(nil, before.pieces(nil, 0, g.from))
		unknown := len(parts)
		clear(behind[:len(word)+1])
		behind.extendAll(s, word, g.to, catalogueWords)
		parts = appendWords(append(parts, word[g.from:g.to]), behind.pieces(nil, g.to, len(word)))
		if try(parts, unknown) {
			return
		}
	}
}
