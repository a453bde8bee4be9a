package analysis

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Splitter finds the parts of German compounds among known words.
//
// A compound is cut into the fewest words that it is made of from end to end, two or more. Behind a part may stand a
// linking element, as in Decke-n-segel or Arbeit-s-platz, and behind the last one an ending. Where a part can be read
// with its element and without, both count: decken and decke are parts of deckensegel. A word that drops its last e, as
// Wolle does in Wollfilz, is known without it too when the package lists it. Neither is the first e of a part missed that
// folding took, as it does in the key of Dekoelement, dekolement. Nothing is a part by its letters alone: Regal is not
// made of re and gal, nor perforated of perfo and rated, since a word that the package lists is made of such words alone.
type Splitter struct {
	words   map[string]wordKind
	longest int // bytes of the longest one
}

// A wordKind says where a Splitter knows a word from, and so how far to trust it.
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
	minConfident  = 5  // letters from which such a part makes a split believable
	minShortened  = 4  // letters that are left of a listed word without its e
	maxSplit      = 96 // bytes of a word that is split; a longer one is no word that anybody wrote
	linkingCost   = 1  // of a split, for each linking element
	unlistedCost  = 2  // for each part that is not listed
	partCost      = 8  // for each part
	linkAllowance = 4  // letters of a part behind which an element other than s may stand
)

// linkings are the elements between parts, and the endings behind the last one.
var linkings = [...]string{"", "s", "n", "e", "en", "er", "es"}

// NewSplitter returns a splitter that knows the given words and the package's own list of building and acoustics words.
func NewSplitter(words []string) *Splitter {
	s := &Splitter{words: make(map[string]wordKind, len(words)+2*len(buildingWords()))}
	know := func(word string, kind wordKind) {
		s.words[word] = max(s.words[word], kind)
		s.longest = max(s.longest, len(word))
	}
	for _, word := range words {
		if len(word) <= maxSplit && utf8.RuneCountInString(word) >= minCatalogue && isAlphabetic(word) {
			know(word, catalogueWord)
		}
	}
	for _, word := range buildingWords() {
		know(word, listedWord)
		if short, ok := strings.CutSuffix(word, "e"); ok && len(short) >= minShortened && !keepsE(word) {
			know(short, shortenedWord)
		}
	}
	return s
}

func isAlphabetic(word string) bool {
	return !strings.ContainsFunc(word, func(r rune) bool { return !unicode.IsLetter(r) })
}

// A cut is the best way to split the beginning of a word.
type cut struct {
	cost     int    // 0: no way
	from     int    // where the last part begins
	core     int    // where it ends, before its linking element
	lost     string // its first letter, when folding took it: e
	believed bool
}

// Parts appends the parts, of three letters or more, of a word, each once, and the parts of its parts; none when the
// word is no compound of known words.
func (s *Splitter) Parts(dst []string, word string) []string {
	start := len(dst)
	dst = s.split(dst, start, word)
	for i := start; i < len(dst); i++ {
		dst = s.split(dst, start, dst[i])
	}
	return dst
}

// split appends the parts of a word, in order, that are not in dst from start on.
func (s *Splitter) split(dst []string, start int, word string) []string {
	if len(word) < 2*MinPart || len(word) > maxSplit || !isAlphabetic(word) {
		return dst
	}
	worst := catalogueWord
	if s.words[word] == listedWord {
		worst = shortenedWord
	}
	var best [maxSplit + 1]cut
	best[0].cost = 1
	for from := range word {
		if best[from].cost > 0 {
			s.extend(best[:], word, from, worst)
		}
	}
	if !best[len(word)].believed {
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

// extend cuts off every part that begins at a place of the word and is of a kind no worse than worst. Of two as good
// ones the longer is kept: Hallen are Halle and n, not Hall and en.
func (s *Splitter) extend(best []cut, word string, from int, worst wordKind) {
	folded := Swallows(word[:from]) // an e that stood here is gone
	for core := from + MinPart; core <= min(len(word), from+s.longest); core++ {
		if from == 0 && core == len(word) {
			return // the word is no part of itself
		}
		kind, lost := s.words[word[from:core]], ""
		if kind == unknownWord && folded {
			kind, lost = s.words["e"+word[from:core]], "e"
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
				continue // one part with an ending is no compound
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

// mayLink reports whether a linking element may stand behind a word. Behind the shortest ones only s does: too many words
// begin with three letters and n or er, as Turnhalle does, which is no Tür. And n alone stands behind e, el and er, as
// in Decken; Spann- is no Span.
func mayLink(word, linking string) bool {
	switch linking {
	case "", "s":
		return true
	case "n":
		return len(word) >= linkAllowance && strings.ContainsRune("elr", rune(word[len(word)-1]))
	}
	return len(word) >= linkAllowance
}

// appendForms appends a part in all the forms in which it may be asked for, unless they are there from start on.
func (s *Splitter) appendForms(dst []string, start int, core, linking string) []string {
	appendNew := func(form string) {
		if !slices.Contains(dst[start:], form) {
			dst = append(dst, form)
		}
	}
	kind := s.words[core]
	if linking != "" {
		appendNew(core + linking)
	}
	if kind == shortenedWord && linking != "e" {
		appendNew(core + "e")
	}
	for _, l := range linkings[1:] {
		if kind == listedWord && (l == "er" || l == "e") {
			continue // it is the word's own: a Teiler is no Teil, a Fläche not flach
		}
		if stem, ok := strings.CutSuffix(core, l); ok && utf8.RuneCountInString(stem) > MinPart && mayLink(stem, l) {
			if k := s.words[stem]; k == listedWord || k == catalogueWord {
				appendNew(stem)
			}
		}
	}
	appendNew(core)
	return dst
}
