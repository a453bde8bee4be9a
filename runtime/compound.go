package runtime

import (
	"slices"
	"strings"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// readCompounds takes the words apart that no document is known to hold. They come last of the reader's
// steps, when all other ways to hold a word are found.
func (r *reader) readCompounds() {
	n := len(r.words) // behind them stand the parts
	for i := range n {
		if !r.words[i].hasDocs() {
			r.readCompound(i, n)
		}
	}
	r.words, r.parts = r.words[:n], r.words[n:]
}

// readCompound takes a word of the query apart, if it is a compound. Each distinct part is a word of its own
// behind those of the query, of which there are n.
func (r *reader) readCompound(i, n int) {
	r.apart = r.splitter.Split(r.apart[:0], r.words[i].text)
	parts := r.apart[:0]
	for at, part := range r.apart {
		if !slices.Contains(r.apart[at+1:], part) { // the last one stays, so that the head is last
			parts = append(parts, part)
		}
	}
	if w, ok := r.readParts(parts, n, notAsked, nil); ok {
		r.add(i, w)
	}
}

// haveWeights reports whether the parts of a compound have weights of their own: if all but the last one, its
// head, are nouns, and products are named by the head. People make up a Schulstellwand, but not an Apfelbaum.
func (r *reader) haveWeights(parts []word) bool {
	head := len(parts) - 1
	return !slices.ContainsFunc(parts[:head], func(v word) bool { return !analysis.IsNoun(v.text) }) &&
		r.isNamed(&parts[head])
}

// isNamed reports whether products are named by a word: names have the word, or the words of a synonym, or a
// compound that ends in one. A Filzdeckensegel is named by Segel, and a Nussbaumpaneel not by Baum.
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

// readParts makes words of parts, behind those of the query, of which there are n, and returns the way to
// hold them all; ok is false when there are none, or one is known in no way. What is near stands for the
// one that is misspelt, by its place among them.
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
	r.partLevels |= r.levels
	// a compound is held no better than by all parts, however these are held
	r.levels = levels | r.levels.from(MatchAllParts)
	return way{kind: MatchAllParts, form: formParts, lo: first - n, hi: len(r.words) - n}, len(parts) > 0
}

// readPart finds the ways to hold a part, and reports whether there is any: as words are held, but not as a
// beginning, nor as two words.
func (r *reader) readPart(part string) bool {
	i := r.newWord(part)
	r.readForms(i)
	r.readMeanings([]int{i}, part)
	return r.words[i].isKnown()
}

// readMisspelt takes a word of the query apart in which nothing is known but the other parts than the
// misspelt one.
func (r *reader) readMisspelt(parts []string, misspelt int, near ways) (w way, ok bool) {
	n := len(r.words)
	r.words = r.words[:n+len(r.parts)]
	if w, ok = r.readParts(parts, n, misspelt, near); ok {
		r.levels.add(w.kind)
	}
	r.words, r.parts = r.words[:n], r.words[n:]
	return w, ok
}
