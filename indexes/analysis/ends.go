package analysis

import (
	"cmp"
	"slices"
	"strings"
	"unicode/utf8"
)

// appendEnd appends the longest end of a word that consists of at least two listed words, or only its head.
func (s *Splitter) appendEnd(dst []piece, word string) []piece {
	var head piece
	last := 0 // start of the shortest part at the end of the word
	for from := range word {
		if from < minAbbreviation || len(word)-from < MinPart {
			continue
		}
		l, _ := inflected(word[from:])
		if !l.is(useHead) {
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

// appendRun appends the longest end of a word that consists of at least two listed words. The end must begin
// at or before latest.
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

// isSureRun reports whether pieces after unknown letters are reliable: three pieces of at least four letters,
// one of them longer; two pieces of at least five letters; or pieces that form a known word.
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
	return len(run) > 2 && long > 0 || long == 2 || s.isWord(whole) || ListedSynonyms()[whole] != nil
}

// endsInPrefix reports whether the letters before a head end in a prefix that forms a different word:
// Filmvorschau is not a kind of Schau, and Wandauskleidung is not related to Kleidung. Some prefixes are also
// common word endings. These count as prefixes only after a known word, as in Not-aus-leitung but not in
// Oberhaus-leitung, or before a head in -ung.
func (s *Splitter) endsInPrefix(letters, head string) bool {
	afterWord := func(prefix string) bool {
		before, ok := strings.CutSuffix(letters, prefix)
		return ok && isPlausible(before)
	}
	return slices.ContainsFunc(clearPrefixes, afterWord) ||
		slices.ContainsFunc(commonPrefixes, func(prefix string) bool {
			before := strings.TrimSuffix(letters, prefix)
			return afterWord(prefix) && (s.isKnown(before) || len(prefix) > 2 && strings.HasSuffix(head, "ung") ||
				s.isKnown(before[:len(before)-1]) && strings.IndexByte("ns", before[len(before)-1]) >= 0)
		})
}

// isKnown reports whether letters are a word with which a compound can begin.
func (s *Splitter) isKnown(letters string) bool {
	return lexicon()[letters].is(usePart|useAdjective) || s.isCataloguePart(letters, 0)
}

// appendBeginning appends the longest beginning of a word that consists of at least two known words, provided
// that the letters after it may be a noun.
func appendBeginning(dst []piece, word string, best *cuts) []piece {
	for end := len(word) - minLong; end >= minRun; end-- {
		c := &best[end]
		isHead := c.cost > 0 && c.reliable && c.last.from > 0 && c.last.core == end && end-c.last.from > minLong &&
			lexicon()[word[c.last.from:end]].is(useHead)
		if isHead && mayBeNoun(word[end:]) {
			return best.pieces(dst, 0, end)
		}
	}
	return dst
}

// A gap is a range of a compound that is not a known word. The letters before and after it are known words.
type gap struct{ from, to int }

const (
	maxGapped = 48 // maximum length of a word in bytes
	maxGaps   = 8  // maximum number of gaps that are tried
)

// Gaps splits a compound so that one range of at least minLetters letters remains unknown. It calls try for a
// few splits, shortest unknown range first, until try returns true. parts are in order, and parts[unknown] is
// the unknown range as spelled in word. A word that Split can split has no gaps.
func (s *Splitter) Gaps(word string, minLetters int, try func(parts []string, unknown int) bool) {
	if len(word) < minLetters+MinPart || len(word) > maxGapped || !isAlphabetic(word) {
		return
	}
	var before, after cuts
	if before.fill(s, word, catalogueWords) {
		return
	}
	before[0].cost = 1 // fill does not set it if the word is too short to be a compound
	var gaps []gap
	var filled, reliable [maxGapped + 1]bool // by offset: whether known words fill the rest; whether one is reliable
	filled[len(word)] = true
	for to := len(word); to >= minLetters; to-- {
		if to < len(word) && utf8.RuneStart(word[to]) {
			clear(after[:len(word)+1])
			after[to].cost = 1
			after.extend(s, word, to, catalogueWords)
			for end := to + 1; end <= len(word); end++ {
				if filled[end] && after[end].cost > 0 {
					filled[to] = true
					reliable[to] = reliable[to] || reliable[end] || after[end].reliable
				}
			}
		}
		for from := 0; filled[to] && from < to; from++ {
			isSure := before[from].reliable || reliable[to]
			if isSure && before[from].cost > 0 && utf8.RuneCountInString(word[from:to]) >= minLetters {
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
		clear(after[:len(word)+1])
		after.extendAll(s, word, g.to, catalogueWords)
		parts = appendWords(append(parts, word[g.from:g.to]), after.pieces(nil, g.to, len(word)))
		if try(parts, unknown) {
			return
		}
	}
}
