package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/docset"
)

// A misspelling is what has to be corrected of a query in the documents of a fuzzy match.
type misspelling struct {
	words     []correction   // by word
	corrected docset.Counter // for every document, the words that are corrected
	far       docset.Counter // those of them at distance 2
	levels    levelSet       // of the corrections
}

// A correction is what a word of the query may be a misspelling of, its edit-distance matches, and the
// documents that hold one. A document that holds the word itself needs no correction, and one that holds a
// nearer match has that.
type correction struct {
	searched bool // for what is near

	// near are at distance 1 and 2 words of the catalogue, parts of its compounds, or, when there are none
	// at any, the parts of a compound of which one is misspelt.
	near [indexes.MaxEdits]ways
	docs [indexes.MaxEdits]docset.Dense // of matches: hold one of near, no nearer match, not the word; nil: none
}

// isNeeded reports whether a match has to be corrected in this word.
func (c *correction) isNeeded() bool { return c.docs[0] != nil || c.docs[1] != nil }

// correctedInto unites dst with the documents that hold a correction of a word in one of the fields from
// first to last, by a match no worse than worst. A word of the catalogue stands for the word as it is, a part
// of a compound for a part.
func (c *correction) correctedInto(dst docset.Dense, a *arena, first, last indexes.Field, worst MatchKind) {
	held := a.takeDirty()
	for i, docs := range c.docs {
		if docs == nil {
			continue
		}
		held.Clear()
		a.waysInto(held, c.near[i], first, last, worst)
		held.And(docs)
		dst.Or(held)
	}
	a.give(held)
}

// near returns what a word, by its number, may be corrected to. It is looked for once, when it is first
// needed: few words are misspelt.
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

// nearCompound finds the part of a compound that may be misspelt, where the others are known words: the first
// stretch of it with anything at distance 1.
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

// nearTerms finds the words of the catalogue that a word may be corrected to.
func (m *matcher) nearTerms(c *correction, word string, tolerance int) {
	m.nears = m.index.Fuzzy.Near(m.nears[:0], word, tolerance)
	for _, n := range m.nears {
		if n.Distance > 0 {
			near, t := &c.near[n.Distance-1], indexes.Term(n.Number)
			*near = append(*near, termsWay(MatchCorrected, &m.index.Terms, t, t+1))
		}
	}
}

// nearParts finds the parts of compounds that a word may be corrected to. Of the forms of a part the nearest
// counts.
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

// fuzzy finds the documents that hold every word, corrected where it may be and must.
func (m *matcher) fuzzy() match {
	words, s := m.query.words, &m.misspelling
	s.words = slices.Grow(s.words[:0], len(words))[:len(words)]
	for i := range s.words { // of an earlier query keep the memory alone
		c := &s.words[i]
		c.searched, c.docs = false, [indexes.MaxEdits]docset.Dense{}
		for distance, near := range c.near {
			c.near[distance] = near[:0]
		}
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
		for distance, near := range s.words[i].docs {
			if near == nil {
				continue
			}
			s.corrected.Add(near)
			for _, w := range s.words[i].near[distance] {
				s.levels.add(w.kind)
			}
			if distance > 0 {
				s.far.Add(near)
			}
		}
	}
	f := found(stageFuzzy, a, docs)
	f.misspelling = s
	return f
}

// retainNear takes from a set the documents that hold neither a word nor a correction of it. It looks for
// corrections when a document needs one, and keeps those that help.
func (m *matcher) retainNear(a *arena, set docset.Dense, i int) {
	lacking := a.takeCopy(set)
	if m.query.words[i].isKnown() {
		lacking.AndNot(a.docsWith(i))
	}
	if !lacking.Empty() {
		m.correct(a, lacking, i)
	}
	set.AndNot(lacking)
	a.give(lacking)
}

// correct finds the corrections of a word and takes from lacking the documents that hold one.
func (m *matcher) correct(a *arena, lacking docset.Dense, i int) {
	near := m.near(i)
	for distance := range near {
		if len(near[distance]) == 0 {
			continue
		}
		docs := a.take()
		a.waysInto(docs, near[distance], indexes.FieldAny, indexes.FieldAny, worstMatch)
		docs.And(lacking)
		if docs.Empty() {
			a.give(docs)
			continue
		}
		lacking.AndNot(docs)
		m.misspelling.words[i].docs[distance] = docs
	}
}

// narrowNear returns an arena of the documents that can match fuzzily, when these are few: those that hold
// every word, or a correction of it; that of the whole catalogue when they are many, nil when there is none.
// Like narrow it begins with the rarest word, but a word that is known and may be corrected comes after all
// others, and only as long as documents are many: most often it needs no correction in those that are left.
func (m *matcher) narrowNear() *arena {
	most := m.maxNarrow(nearShare)
	optional := most + 2 // added to the bound of a word that may wait: it is greater then than all others
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
	held, near := m.whole.take(), m.whole.takeDirty()
	defer m.whole.give(held)
	defer m.whole.give(near)
	m.nearInto(m.whole, held, words[0].number)
	for words = words[1:]; len(words) > 0 && held.Len() > most; words = words[1:] {
		near.Clear()
		m.nearInto(m.whole, near, words[0].number)
		held.And(near)
	}
	if held.Len() > most {
		return m.whole
	}
	docs := m.whole.scope.Append(m.candidates[:0], held, 0, m.index.Docs)
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

// isOptional reports whether a word most often needs no correction, though it may be corrected. A compound
// that only its parts can hold is none: hardly a document holds them all.
func (v *word) isOptional() bool { return v.hasWholeWay() && v.tolerance() > 0 }

// nearBound is frequencyBound of a word, by its number; of one that is not optional, of what it may be
// corrected to too.
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

// nearInto unites dst with the documents that hold a word or a correction of it.
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
