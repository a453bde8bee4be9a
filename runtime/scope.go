package runtime

import (
	"cmp"
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A narrow scope has at most one in narrowShare documents, or in nearShare where words are misspelt, since
// not every document there will match. It may have narrowMin in any catalogue, so that the queries of a
// small one, and of a test, go the way of those of a large one.
const (
	narrowShare = 128
	nearShare   = 512
	narrowMin   = 64
)

// maxNarrow is how many documents a narrow scope may have: one in share.
func (b *blocks) maxNarrow(share int) int { return max(narrowMin, b.index.Docs/share) }

// narrow returns an arena of the documents that can match strictly, when these are few: those that hold every
// word of the text, found from the rarest word on, and those whose slug, id or vocabulary value it names.
// When they are many it is that of the whole catalogue. A single word gains little: its documents are the
// matches already. holding is how many documents of a narrow scope hold every word.
func (m *matcher) narrow() (a *arena, holding int) {
	q, most := m.query, m.maxNarrow(narrowShare)
	if len(q.words) == 1 {
		most = narrowMin
	}
	words := m.byBound(most + 1)
	bound := words[0].bound
	for _, v := range q.named {
		bound += m.index.Facets[v.family].Set(v.number).Len()
	}
	if bound > most {
		return m.whole, 0
	}
	docs := m.gather(m.candidates[:0], words[0])
	for _, w := range words[1:] {
		if len(docs) == 0 {
			break
		}
		docs = m.filterList(docs, func(a *arena) docset.Dense { return a.docsWith(w.number) })
	}
	holding = len(docs)
	for _, v := range q.named {
		docs = m.index.Facets[v.family].Set(v.number).Docs(docs)
	}
	if i, ok := m.index.SlugKeys.Find(q.key); ok {
		for _, d := range m.index.SlugKeys.Numbers(i) {
			docs = append(docs, column.Doc(d))
		}
	}
	if q.isID {
		docs = append(docs, q.id)
	}
	m.candidates = ascending(docs)
	return m.openListed(q, m.candidates), holding
}

// rescoped returns strict matches in a narrow scope of their own when they are few in the whole catalogue. A
// single word has too few tiers for that: it took 1.2 times as long.
func (m *matcher) rescoped(found match) match {
	if !found.scope.All() || len(m.query.words) == 1 || found.n == 0 || found.n > m.maxNarrow(narrowShare) {
		return found
	}
	m.candidates = found.scope.Append(m.candidates[:0], found.docs, 0, found.n)
	found.arena = m.openListed(m.query, m.candidates)
	found.docs = found.take()
	found.docs.Fill(found.n)
	return found
}

// listMax is the number of documents up to which those of a word are gathered set by set, and sorted; more
// are faster united in a set of the whole catalogue, and read off that.
const listMax = 512

// gather appends the documents that hold a word, which its bound says are few, in order.
func (m *matcher) gather(dst []column.Doc, w boundedWord) []column.Doc {
	v := &m.query.words[w.number]
	hasNoSets := func(w way) bool { return w.form != formTerms && w.form != formGroup }
	if w.bound > listMax || slices.ContainsFunc(v.ways, hasNoSets) {
		return m.whole.scope.Append(dst, m.whole.docsWith(w.number), 0, m.index.Docs)
	}
	sets := 0
	for i := range v.ways {
		v.ways[i].eachSet(indexes.FieldAny, func(set docset.Set) {
			dst = set.Docs(dst)
			sets++
		})
	}
	if sets == 1 {
		return dst
	}
	return ascending(dst)
}

// kept returns the documents of a list that find returns, in the scope of these alone. It writes over the
// list.
func (m *matcher) filterList(docs []column.Doc, find func(*arena) docset.Dense) []column.Doc {
	a := m.open(m.query, docset.Listed(docs)) // and not a copy
	defer m.closeLast()
	places, kept := find(a), docs[:0]
	for i, ok := places.Next(0); ok; i, ok = places.Next(i + 1) {
		kept = append(kept, docs[i])
	}
	return kept
}

// ascending sorts documents and takes out doubles.
func ascending(docs []column.Doc) []column.Doc {
	slices.Sort(docs)
	return slices.Compact(docs)
}

// A boundedWord is a word, by its number, with a bound of the documents that it is found in.
type boundedWord struct{ number, bound int }

func (w boundedWord) compare(other boundedWord) int { return cmp.Compare(w.bound, other.bound) }

// byBound returns the words by the bounds of their document frequencies, the rarest first. All that reach
// limit count alike.
func (m *matcher) byBound(limit int) []boundedWord {
	m.bounds = m.bounds[:0]
	for i := range m.query.words {
		m.bounds = append(m.bounds, boundedWord{i, m.frequencyBound(m.query.words[i].ways, limit)})
	}
	slices.SortFunc(m.bounds, boundedWord.compare)
	return m.bounds
}

// frequencyBound returns how many documents hold one of the ways at most, or limit when that may be as many.
func (m *matcher) frequencyBound(ws ways, limit int) int {
	n := 0
	for i := 0; i < len(ws) && n < limit; i++ {
		switch w := &ws[i]; w.form {
		case formTerms, formGroup:
			if w.hi-w.lo >= limit { // each of the terms has a document
				return limit
			}
			w.eachSet(indexes.FieldAny, func(set docset.Set) { n += set.Len() })
		case formPhrase:
			least := m.index.Docs
			for _, t := range m.query.phrases[w.lo] {
				least = min(least, m.index.Terms.Set(t, indexes.FieldAny).Len())
			}
			n += least
		case formParts, formSpread: // of which all are needed
			least, parts := limit, m.query.partsOf(w)
			for i := range parts {
				least = min(least, m.frequencyBound(parts[i].ways, least))
			}
			n += least
		}
	}
	return min(n, limit)
}
