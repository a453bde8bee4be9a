package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/docset"
)

// readCompounds takes the words apart that no document is known to hold. They come last of the reader's steps, when all
// other ways to hold a word are found.
func (r *reader) readCompounds() {
	n := len(r.words) // behind them stand the parts
	for i := range n {
		if !r.words[i].hasDocs() {
			r.readCompound(i, n)
		}
	}
	r.words, r.parts = r.words[:n], r.words[n:]
}

// readCompound takes a word of the query apart, if it is a compound. Each distinct part is a word of its own behind those of the
// query, of which there are n. When no document is known to hold one of them, none holds the word.
func (r *reader) readCompound(i, n int) {
	first, levels := len(r.words), r.levels
	r.levels = 0
	r.apart = r.splitter.Apart(r.apart[:0], r.words[i].text)
	for at, part := range r.apart {
		if slices.Contains(r.apart[:at], part) {
			continue
		}
		if !r.readPart(part) {
			r.words, r.levels = r.words[:first], levels
			return
		}
	}
	if len(r.apart) > 0 {
		r.words[i].parts = wordRange{first - n, len(r.words) - n}
		r.levels.add(MatchAllParts)
	}
	r.levels = levels | r.levels.from(MatchAllParts) // a compound is held no better than by all parts, however these are held
}

// readPart finds the ways to hold a part, and reports whether there is any: as words are held, but not as a beginning,
// nor as two words.
func (r *reader) readPart(part string) bool {
	i := r.newWord(part)
	r.readForms(i)
	r.readMeanings([]int{i}, part)
	return r.words[i].isKnown()
}

// joinPhrased takes from words that a phrase is held for in some document their parts. The reader cannot know: the words of
// a phrase are words of the catalogue, but may stand side by side nowhere.
func (m *matcher) joinPhrased() {
	for i := range m.query.words {
		if v := &m.query.words[i]; v.parts.len() > 0 && m.whole.holdsPhrase(v) {
			v.parts = wordRange{}
		}
	}
}

// holdsPhrase reports whether a document of the scope holds a phrase of a word in any field.
func (a *arena) holdsPhrase(v *word) bool {
	return slices.ContainsFunc(v.phrases, func(p phrase) bool {
		for f := range indexes.NumFields {
			if set := a.phrase(p.number, f); !set.Empty() {
				return true
			}
		}
		return false
	})
}

// readMisspelt takes a word of the query apart in which nothing is known but the other parts: the part that is near, by its
// place among them, stands for what it may be corrected to. It returns the parts, none when a part is known in no way.
func (r *reader) readMisspelt(parts []string, misspelt int, near *nearby) wordRange {
	n, start := len(r.words), len(r.parts)
	r.words = r.words[:n+start]
	defer func() { r.words, r.parts = r.words[:n], r.words[n:] }()
	levels := r.levels
	r.levels = 0
	for i, part := range parts {
		if i != misspelt {
			if !r.readPart(part) {
				r.words, r.levels = r.words[:n+start], levels
				return wordRange{}
			}
			continue
		}
		at := r.newWord(part)
		for _, t := range near.terms {
			r.addTerm(at, MatchCorrected, t)
		}
		for _, p := range near.parts {
			r.addPart(at, MatchCorrected, p.number)
		}
	}
	r.levels.add(MatchAllParts)
	r.levels = levels | r.levels.from(MatchAllParts)
	return wordRange{start, len(r.words) - n}
}

// compoundInto unites dst with the documents that hold all words of a range in one of the fields from first to last, or in
// FieldAny, each by a match no worse than worst.
func (a *arena) compoundInto(dst docset.Dense, words wordRange, first, last indexes.Field, worst MatchKind) {
	if first == indexes.FieldAny {
		first, last = 0, indexes.NumFields-1
	}
	all, held := a.takeDirty(), a.takeDirty()
	for f := first; f <= last; f++ {
		parts := a.query.partsOf(words)
		all.Clear()
		a.wordInto(all, &parts[0], f, f, worst)
		for i := range parts[1:] {
			if all.Empty() {
				break
			}
			held.Clear()
			a.wordInto(held, &parts[1+i], f, f, worst)
			all.And(held)
		}
		dst.Or(all)
	}
	a.give(all)
	a.give(held)
}

// compoundBound is frequencyBound of the words of a range: that of the rarest of them.
func (m *matcher) compoundBound(words wordRange, limit int) int {
	parts := m.query.partsOf(words)
	for i := range parts {
		limit = min(limit, m.frequencyBound(&parts[i], limit))
	}
	return limit
}
