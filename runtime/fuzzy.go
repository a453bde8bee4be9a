package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/docset"
)

// A misspelling contains the corrections that the documents of a fuzzy match need.
type misspelling struct {
	words     []correction   // corrections by word number
	corrected docset.Counter // number of corrected words, by document
	far       docset.Counter // number of words corrected at distance 2, by document
	levels    levelSet       // levels of the corrections
}

// A correction contains the possible corrections of a word and the documents that contain them. A document
// that contains the word itself needs no correction. Only the nearest correction in a document counts. The
// indexes of near and docs are the edit distance minus 1.
type correction struct {
	searched bool // whether near is complete

	// words of the catalogue and parts of its compounds. If there are none, near may contain the parts of a
	// compound with one misspelt part.
	near [indexes.MaxEdits]ways
	docs [indexes.MaxEdits]docset.Dense // documents whose nearest correction has this distance; nil: none
}

// isNeeded reports whether a document needs a correction of this word.
func (c *correction) isNeeded() bool { return c.docs[0] != nil || c.docs[1] != nil }

// correctedInto adds to dst the documents with a correction of the word in the fields first to last, with
// kinds up to worst. A word of the catalogue counts as a verbatim match, and a part of a compound counts as a
// part.
func (c *correction) correctedInto(dst docset.Dense, a *arena, first, last indexes.Field, worst MatchKind) {
	matched := a.takeDirty()
	for i, docs := range c.docs {
		if docs == nil {
			continue
		}
		matched.Clear()
		a.waysInto(matched, c.near[i], first, last, worst)
		matched.And(docs)
		dst.Or(matched)
	}
	a.give(matched)
}

// near returns the possible corrections of word i. It searches for them on the first call, because few words
// are misspelt.
func (m *matcher) near(i int) *[indexes.MaxEdits]ways {
	c, v := &m.misspelling.words[i], &m.query.words[i]
	if c.searched {
		return &c.near
	}
	c.searched = true
	m.nearTerms(c, v.text, v.tolerance())
	if v.letters >= MinPartCorrected {
		m.nearParts(c, v.text, v.tolerance())
	}
	if len(c.near[0])+len(c.near[1]) == 0 && !v.hasDocs() && !m.whole.hasPhrase(v.ways) {
		m.nearCompound(c, v)
	}
	return &c.near
}

// nearCompound finds a compound with one misspelt part whose other parts are known. It uses the first
// candidate with a correction at distance 1.
func (m *matcher) nearCompound(c *correction, v *word) {
	if v.tolerance() == 0 {
		return
	}
	near := &c.near[0]
	m.parser.splitter.Gaps(v.text, MinPartCorrected, func(parts []string, unknown int) bool {
		m.nearTerms(c, parts[unknown], 1)
		m.nearParts(c, parts[unknown], 1)
		if len(*near) == 0 {
			return false
		}
		w, ok := m.parser.readMisspelt(parts, unknown, *near)
		if *near = (*near)[:0]; !ok {
			return true
		}
		*near = append(*near, w)
		docs := m.whole.take()
		if m.whole.waysInto(docs, *near, indexes.FieldAny, indexes.FieldAny, worstMatch); docs.Empty() {
			(*near)[0].form = formSpread
		}
		m.whole.give(docs)
		return true
	})
}

// nearTerms adds the words of the catalogue that are corrections of a word.
func (m *matcher) nearTerms(c *correction, word string, tolerance int) {
	m.nears = m.index.Fuzzy.Near(m.nears[:0], word, tolerance)
	for _, n := range m.nears {
		if n.Distance > 0 {
			near, t := &c.near[n.Distance-1], indexes.Term(n.Number)
			*near = append(*near, termsWay(MatchCorrected, &m.index.Terms, t, t+1))
		}
	}
}

// nearParts adds the parts of compounds that are corrections of a word, each part by its nearest form.
func (m *matcher) nearParts(c *correction, word string, tolerance int) {
	forms := &m.index.PartForms
	m.nears = forms.Near(m.nears[:0], word, tolerance)
	for i, n := range m.nears {
		part := forms.Part(int(n.Number))
		isSame := func(other indexes.Near) bool { return forms.Part(int(other.Number)) == part }
		if n.Distance > 0 && !slices.ContainsFunc(m.nears[:i], isSame) {
			near := &c.near[n.Distance-1]
			w := way{kind: MatchPart, groups: &m.index.Parts, sets: &m.index.PartSets, lo: part}
			w.spelt = int(n.Number)
			*near = append(*near, w)
		}
	}
}

// fuzzy finds the documents that contain every word, corrected if necessary and possible.
func (m *matcher) fuzzy() match {
	words, s := m.query.words, &m.misspelling
	s.words = slices.Grow(s.words[:0], len(words))[:len(words)]
	for i := range s.words { // reuse the memory of an earlier query
		near := s.words[i].near
		s.words[i] = correction{near: [...]ways{near[0][:0], near[1][:0]}}
	}
	s.levels = 0
	a := m.narrowNear()
	if a == nil {
		return match{}
	}
	docs := a.take()
	docs.Fill(a.scope.Len())
	for i := range words {
		if m.retainNear(a, docs, i); docs.Empty() {
			return match{}
		}
	}
	s.corrected.Reset(a.scope.Len(), len(words))
	s.far.Reset(a.scope.Len(), len(words))
	for i := range words {
		for extra, docs := range s.words[i].docs { // extra: edits after the first
			if docs == nil {
				continue
			}
			s.corrected.Add(docs)
			for _, w := range s.words[i].near[extra] {
				s.levels.add(w.kind)
			}
			if extra > 0 {
				s.far.Add(docs)
			}
		}
	}
	f := found(stageFuzzy, a, docs)
	f.misspelling = s
	return f
}

// retainNear removes from a set the documents that contain neither a word nor a correction of it. It searches
// for corrections only if a document needs one.
func (m *matcher) retainNear(a *arena, set docset.Dense, i int) {
	missing := a.takeCopy(set)
	if m.query.words[i].isKnown() {
		missing.AndNot(a.docsWith(i))
	}
	if !missing.Empty() {
		m.correct(a, missing, i)
	}
	set.AndNot(missing)
	a.give(missing)
}

// correct finds the corrections of a word, and removes from missing the documents that contain one.
func (m *matcher) correct(a *arena, missing docset.Dense, i int) {
	for extra, near := range m.near(i) { // extra: edits after the first
		if len(near) == 0 {
			continue
		}
		docs := a.take()
		a.waysInto(docs, near, indexes.FieldAny, indexes.FieldAny, worstMatch)
		docs.And(missing)
		if docs.Empty() {
			a.give(docs)
			continue
		}
		missing.AndNot(docs)
		m.misspelling.words[i].docs[extra] = docs
	}
}

// narrowNear returns an arena for the documents that can match with corrections if they are few, the arena
// for the whole catalogue if they are many, and nil if there are none. Each document contains every word or a
// correction of it. Like narrow it starts with the rarest word. Known words with possible corrections come
// last, and only while there are many documents: most remaining documents do not need them.
func (m *matcher) narrowNear() *arena {
	most := m.maxNarrow(nearShare)
	optional := most + 2 // added to the bounds of optional words, which sorts them after all others
	m.bounds = m.bounds[:0]
	for i := range m.query.words {
		bound := m.nearBound(i, most+1)
		if m.query.words[i].isOptional() {
			bound += optional
		} else if bound == 0 {
			return nil
		}
		m.bounds = append(m.bounds, boundedWord{i, bound})
	}
	words := m.bounds
	slices.SortFunc(words, boundedWord.compare)
	if len(words) == 1 && words[0].bound > most {
		return m.whole
	}
	matched, near := m.whole.take(), m.whole.takeDirty()
	defer m.whole.give(matched)
	defer m.whole.give(near)
	m.nearInto(m.whole, matched, words[0].number)
	for words = words[1:]; len(words) > 0 && matched.Len() > most; words = words[1:] {
		near.Clear()
		m.nearInto(m.whole, near, words[0].number)
		matched.And(near)
	}
	if matched.Len() > most {
		return m.whole
	}
	docs := m.whole.scope.Append(m.candidates[:0], matched, 0, m.index.Docs)
	for _, w := range words {
		if w.bound >= optional {
			break
		}
		docs = m.filterList(docs, func(a *arena) docset.Dense {
			places := a.take()
			m.nearInto(a, places, w.number)
			return places
		})
	}
	m.candidates = docs
	return m.openListed(m.query, docs)
}

// isOptional reports whether a known word can also be corrected, which is rarely necessary. A word that
// matches only by parts is not optional, because very few documents contain all parts.
func (v *word) isOptional() bool { return v.hasWholeWay() && v.tolerance() > 0 }

// nearBound is like frequencyBound, and includes the corrections of word i unless the word is optional.
func (m *matcher) nearBound(i, limit int) int {
	v := &m.query.words[i]
	n := m.frequencyBound(v.ways, limit)
	if v.hasWholeWay() || n == limit {
		return n
	}
	for _, near := range m.near(i) {
		n += m.frequencyBound(near, limit)
	}
	return min(n, limit)
}

// nearInto adds to dst the documents that contain a word or a correction of it.
func (m *matcher) nearInto(a *arena, dst docset.Dense, i int) {
	v := &m.query.words[i]
	if v.isKnown() {
		dst.Or(a.docsWith(i))
	}
	if v.tolerance() == 0 {
		return
	}
	for _, near := range m.near(i) {
		a.waysInto(dst, near, indexes.FieldAny, indexes.FieldAny, worstMatch)
	}
}
