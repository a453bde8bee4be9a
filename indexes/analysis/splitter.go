package analysis

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// A Splitter finds the parts of German compounds among known words.
//
// A compound is cut into the fewest words that fill it from end to end, two or more. A linking element may stand behind a
// part, as in Decke-n-segel or Arbeit-s-platz, and an ending behind the last one. A part counts with its linking element
// and without: decken and decke are parts of deckensegel.
//
// Two kinds of parts lack an e. A word of the package's list may drop its last one, as Wolle does in Wollfilz. And folding
// may take the first one: the key of Dekoelement is dekolement, and element is a part of it.
//
// A stretch of letters is no part unless it is a known word: Regal is not made of re and gal. And a word of the package's
// list is made of listed words only: perforated is not made of perfo and rated, even if a catalogue has both.
//
// A Splitter is safe for concurrent use.
type Splitter struct {
	isWord func(word string) bool // of the catalogue
}

// A Part is a part of a compound.
type Part struct {
	Stem string // the German stem of the word that the part is; a search finds the part by it
	Form string // the part as the compound spells it, with a linking element or without, or as the word is spelled alone
}

// A wordKind says where a Splitter knows a word from, and so how much it is trusted: a higher kind more.
type wordKind uint8

const (
	unknownWord   wordKind = iota
	catalogueWord          // from the caller
	shortenedWord          // a listed word without its last e
	listedWord             // from the package's own list
)

// MinPart is the number of letters from which a word may be a part of a compound.
const MinPart = 3

const (
	minCatalogue  = 4  // letters of a part that only the catalogue knows
	minConfident  = 5  // letters of such a part; without one of them, a split of such parts alone is not believed
	minShortened  = 4  // letters of a listed word without its last e
	maxSplit      = 96 // bytes of a word that is split: nobody has written a longer one
	linkingCost   = 1  // of each linking element; the split that costs least is taken
	unlistedCost  = 2  // of each part that is not listed
	partCost      = 8  // of each part
	linkAllowance = 4  // letters of a part behind which another linking element than s may stand
)

// linkings are the elements between parts, and the endings behind the last one.
var linkings = [...]string{"", "s", "n", "e", "en", "er", "es"}

// NewSplitter returns a splitter that knows the words of a catalogue, which isWord tells, and the package's own list of
// building and acoustics words.
func NewSplitter(isWord func(word string) bool) *Splitter { return &Splitter{isWord} }

// partTable holds what the package's own list says of words.
var partTable = sync.OnceValue(func() map[string]wordKind {
	table := make(map[string]wordKind, 2*len(compoundParts()))
	for _, part := range compoundParts() {
		table[part.key] = listedWord
		if short, ok := strings.CutSuffix(part.key, "e"); ok && len(short) >= minShortened && !part.keepsE {
			table[short] = max(table[short], shortenedWord)
		}
	}
	return table
})

// kindOf returns where a word is known from.
func (s *Splitter) kindOf(word string) wordKind {
	if kind := partTable()[word]; kind != unknownWord {
		return kind
	}
	if len(word) >= minCatalogue && utf8.RuneCountInString(word) >= minCatalogue && s.isWord(word) {
		return catalogueWord
	}
	return unknownWord
}

func isAlphabetic(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

// A cut is the best way to split the beginning of a word.
type cut struct {
	cost     int    // 0: no way
	from     int    // where the last part begins
	core     int    // where the last part ends, before its linking element
	lost     string // the first letter of the last part if folding took it: e
	believed bool   // a part is long or trusted enough to be none by chance
}

// Parts appends the parts of a word and the parts of those, each once. They have three letters or more. A word that is not
// a compound of known words has none.
func (s *Splitter) Parts(dst []Part, word string) []Part {
	start := len(dst)
	dst = s.split(dst, start, word)
	for i := start; i < len(dst); i++ {
		dst = s.split(dst, start, dst[i].Form)
	}
	return dst
}

// split appends the parts of a word, in order, leaving out those that dst holds from start on.
func (s *Splitter) split(dst []Part, start int, word string) []Part {
	best, ok := s.cuts(word)
	if !ok {
		return dst
	}
	first := len(dst)
	for end := len(word); end > 0; end = best[end].from {
		last := best[end]
		dst = s.appendForms(dst, start, last.lost+word[last.from:last.core], word[last.core:end])
	}
	slices.Reverse(dst[first:])
	return dst
}

// Apart appends the words that a compound is made of, in order, each as it is when it stands alone: decke and segel of
// deckensegel, wolle and filz of wollfilz.
func (s *Splitter) Apart(dst []string, word string) []string {
	best, ok := s.cuts(word)
	if !ok {
		return dst
	}
	first := len(dst)
	for end := len(word); end > 0; end = best[end].from {
		last := &best[end]
		part := last.lost + word[last.from:last.core]
		if s.kindOf(part) == shortenedWord {
			part += "e"
		}
		dst = append(dst, part)
	}
	slices.Reverse(dst[first:])
	return dst
}

// cuts returns the best way to split each beginning of a word; ok is false when the word is none of known words.
func (s *Splitter) cuts(word string) (best [maxSplit + 1]cut, ok bool) {
	if len(word) < 2*MinPart || len(word) > maxSplit || !isAlphabetic(word) {
		return best, false
	}
	worst := catalogueWord
	if partTable()[word] == listedWord {
		worst = shortenedWord
	}
	best[0].cost = 1
	for from := range word {
		if best[from].cost > 0 {
			s.extend(best[:], word, from, worst)
		}
	}
	return best, best[len(word)].believed
}

// extend cuts off every part that begins at from and is of the kind worst or a better one. Where two parts and their linking
// elements fill the same letters at the same cost, the longer part is kept: Hallen is Halle and n, not Hall and en.
func (s *Splitter) extend(best []cut, word string, from int, worst wordKind) {
	folded := Swallows(word[:from]) // an e that stood here is gone
	for core := from + MinPart; core <= len(word); core++ {
		if from == 0 && core == len(word) {
			return // a word is not a part of itself
		}
		kind, lost := s.kindOf(word[from:core]), ""
		if kind == unknownWord && folded {
			kind, lost = s.kindOf("e"+word[from:core]), "e"
		}
		if kind < worst {
			continue
		}
		for _, linking := range linkings {
			if !strings.HasPrefix(word[core:], linking) || !mayLink(word[from:core], linking) {
				continue
			}
			end := core + len(linking)
			if from == 0 && end == len(word) {
				continue // one part with an ending is not a compound
			}
			next := cut{cost: best[from].cost + partCost, from: from, core: core, lost: lost}
			if linking != "" {
				next.cost += linkingCost
			}
			if kind != listedWord {
				next.cost += unlistedCost
			}
			next.believed = best[from].believed || kind != catalogueWord || core-from >= minConfident
			if now := best[end]; now.cost == 0 || next.cost < now.cost || next.cost == now.cost && now.from == from {
				best[end] = next
			}
		}
	}
}

// mayLink reports whether a linking element may stand behind a word. Behind the shortest words only s may: too many words
// begin with the letters of a short word and n or er, as Turnhalle does, which has nothing to do with Tür. And n stands
// only behind e, l and r, as in Decken: Spann- is not of Span.
func mayLink(word, linking string) bool {
	switch linking {
	case "", "s":
		return true
	case "n":
		return len(word) >= linkAllowance && strings.ContainsRune("elr", rune(word[len(word)-1]))
	}
	return len(word) >= linkAllowance
}

// appendForms appends all the forms in which people may ask for a part, leaving out those that dst holds from start on.
func (s *Splitter) appendForms(dst []Part, start int, core, linking string) []Part {
	appendNew := func(form string) {
		if !slices.ContainsFunc(dst[start:], func(p Part) bool { return p.Form == form }) {
			stem, _ := Stems(form)
			dst = append(dst, Part{stem, form})
		}
	}
	kind := s.kindOf(core)
	if linking != "" {
		appendNew(core + linking)
	}
	if kind == shortenedWord && linking != "e" {
		appendNew(core + "e")
	}
	for _, l := range linkings[1:] {
		if kind == listedWord && (l == "er" || l == "e") {
			continue // the ending is part of the word: a Teiler is not a Teil, a Fläche is not flach
		}
		if stem, ok := strings.CutSuffix(core, l); ok && utf8.RuneCountInString(stem) > MinPart && mayLink(stem, l) {
			if k := s.kindOf(stem); k == listedWord || k == catalogueWord {
				appendNew(stem)
			}
		}
	}
	appendNew(core)
	return dst
}
