package runtime

import (
	"slices"
	"strings"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// readCompounds splits the words that no document is known to contain. It must run after all other steps of
// the reader, which find the other ways to match a word.
func (r *reader) readCompounds() {
	n := len(r.words) // the parts are appended after these
	for i := range n {
		if !r.words[i].hasDocs() {
			r.readCompound(i, n)
		}
	}
	r.words, r.parts = r.words[:n], r.words[n:]
}

// readCompound splits a word of the query if it is a compound. Each distinct part becomes a word after the n
// words of the query.
func (r *reader) readCompound(i, n int) {
	r.compoundParts = r.splitter.Split(r.compoundParts[:0], r.words[i].text)
	parts := r.compoundParts[:0]
	for at, part := range r.compoundParts {
		if !slices.Contains(r.compoundParts[at+1:], part) { // retain the last of equal parts: the head must be last
			parts = append(parts, part)
		}
	}
	if w, ok := r.readParts(parts, n, -1, nil); ok {
		r.add(i, w)
	}
}

// canMatchInPart reports whether a product with only some of a compound's parts can match, based on the
// weight of those parts. All parts before the last one (the head) must be nouns, and the head must occur in
// product names. Users invent words like Schulstellwand, but not words like Apfelbaum.
func (r *reader) canMatchInPart(parts []word) bool {
	head := len(parts) - 1
	return !slices.ContainsFunc(parts[:head], func(v word) bool { return !analysis.IsNoun(v.text) }) &&
		r.isNamed(&parts[head])
}

// isNamed reports whether a word names products. The name of a product must contain the word, the words of a
// synonym, or a compound that ends in the word. Segel names a Filzdeckensegel, but Baum does not name a
// Nussbaumpaneel.
func (r *reader) isNamed(v *word) bool {
	x := r.index
	isInName := func(t indexes.Term) bool { return x.Terms.IsIn(t, indexes.FieldName) }
	return slices.ContainsFunc(v.ways, func(w way) bool {
		switch w.form {
		case formPhrase:
			return !slices.ContainsFunc(r.phrases[w.lo], func(t indexes.Term) bool { return !isInName(t) })
		case formGroup:
			return slices.ContainsFunc(w.groups.Numbers(w.lo), func(number uint32) bool {
				t := indexes.Term(number)
				german, _ := x.Stemmed.Of(t)
				return isInName(t) && (w.groups != &x.Parts || strings.HasSuffix(x.Stems.Key(german), w.groups.Key(w.lo)))
			})
		}
		for t := w.lo; t < w.hi; t++ {
			if isInName(indexes.Term(t)) {
				return true
			}
		}
		return false
	})
}

// readParts adds parts as words after the n words of the query, and returns the way to match them all. The
// part at index misspelt, or no part if misspelt is -1, can match by the corrections in near. ok is false if
// parts is empty or a part is unknown.
func (r *reader) readParts(parts []string, n, misspelt int, near ways) (w way, ok bool) {
	first, levels := len(r.words), r.levels
	r.levels = 0
	for at, part := range parts {
		if at == misspelt {
			i := r.newWord(part)
			for _, w := range near {
				w.kind = MatchCorrected
				r.add(i, w)
			}
		} else if !r.readPart(part) {
			r.words, r.levels = r.words[:first], levels
			return w, false
		}
	}
	r.partLevels |= r.levels // r.levels now contains only the levels of the parts
	// the level of a compound is never better than MatchAllParts
	r.levels = levels | r.levels.from(MatchAllParts)
	return way{kind: MatchAllParts, form: formParts, lo: first - n, hi: len(r.words) - n}, len(parts) > 0
}

// readPart finds the ways to match a part, as for a word, but not as a prefix or as two words. It reports
// whether it found any.
func (r *reader) readPart(part string) bool {
	i := r.newWord(part)
	r.readForms(i)
	r.readMeanings([]int{i}, part)
	return r.words[i].isKnown()
}

// readMisspelt splits a word of the query if all parts except the one at index misspelt are known.
func (r *reader) readMisspelt(parts []string, misspelt int, near ways) (w way, ok bool) {
	n := len(r.words)
	r.words = r.words[:n+len(r.parts)] // parts of other compounds, which readCompounds stored after the words
	if w, ok = r.readParts(parts, n, misspelt, near); ok {
		r.levels.add(w.kind)
	}
	r.words, r.parts = r.words[:n], r.words[n:]
	return w, ok
}
