package analysis

import (
	"cmp"
	"slices"
	"unicode/utf8"
)

// A gap is a stretch of a compound that is no known word, where known words fill all that is before it and behind it.
type gap struct{ from, to int }

const (
	maxGapped = 48 // bytes of a word that gaps are looked for in
	maxGaps   = 8  // that are tried
)

// Gaps calls try with the ways to take a compound apart that leave one stretch of least letters or more unknown, until it
// returns true: the parts in order, of which that at a place is the stretch as the word spells it. The shortest stretches come
// first, and no more than a few. A word that Apart takes apart has no gaps.
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
