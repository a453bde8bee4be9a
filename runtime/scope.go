package runtime

import (
	"cmp"
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A narrow scope contains at most 1/narrowShare of all documents. For misspelt words the limit is
// 1/nearShare, because not all documents of the scope match. Up to narrowMin documents are always allowed, so
// that queries on small catalogues, as in tests, use the same code as on large ones.
const (
	narrowShare = 128
	nearShare   = 512
	narrowMin   = 64
)

// maxNarrow returns the maximum size of a narrow scope, 1/share of all documents.
func (b *blocks) maxNarrow(share int) int { return max(narrowMin, b.index.Docs/share) }

// narrow returns an arena for the documents that can match strictly if they are few, and otherwise for the
// whole catalogue. These are the documents that match every word (narrow begins with the rarest word) and the
// documents whose slug, id or vocabulary value the text names. For a single word, a narrow scope gains
// little, because the documents of the word are already the matches. holding is the number of documents in a
// narrow scope that match every word.
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

// rescoped narrows the scope of strict matches from the whole catalogue to the matches, if they are few. It
// does not narrow the scope of a single word, which has few tiers: the search would take 1.2 times as long.
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

// listMax is the maximum number of documents for which gather lists and sorts the sets of a word. More
// documents are listed faster from their union in a set for the whole catalogue.
const listMax = 512

// gather appends the documents that match a word, in order. The bound of the word must be small.
func (m *matcher) gather(dst []column.Doc, w boundedWord) []column.Doc {
	v := &m.query.words[w.number]
	if w.bound > listMax || slices.ContainsFunc(v.ways, func(w way) bool { return !w.hasSets() }) {
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

// filterList calls find in a scope of docs, and returns the documents that find returns. It overwrites docs.
func (m *matcher) filterList(docs []column.Doc, find func(*arena) docset.Dense) []column.Doc {
	a := m.open(m.query, docset.Listed(docs)) // docset.Listed does not copy docs
	defer m.closeLast()
	places, retained := find(a), docs[:0]
	for i, ok := places.Next(0); ok; i, ok = places.Next(i + 1) {
		retained = append(retained, docs[i])
	}
	return retained
}

// ascending sorts documents and removes duplicates.
func ascending(docs []column.Doc) []column.Doc {
	slices.Sort(docs)
	return slices.Compact(docs)
}

// A boundedWord is a word, by its index in parsedQuery.words, with an upper bound of its document frequency.
type boundedWord struct{ number, bound int }

func (w boundedWord) compare(other boundedWord) int { return cmp.Compare(w.bound, other.bound) }

// byBound returns the words in ascending order of their bounds. A bound is at most limit.
func (m *matcher) byBound(limit int) []boundedWord {
	m.bounds = m.bounds[:0]
	for i := range m.query.words {
		m.bounds = append(m.bounds, boundedWord{i, m.frequencyBound(m.query.words[i].ways, limit)})
	}
	slices.SortFunc(m.bounds, boundedWord.compare)
	return m.bounds
}

// frequencyBound returns an upper bound, at most limit, for the documents that match one of the ways.
func (m *matcher) frequencyBound(ws ways, limit int) int {
	n := 0
	for i := 0; i < len(ws) && n < limit; i++ {
		switch w := &ws[i]; w.form {
		case formTerms, formGroup:
			if w.hi-w.lo >= limit { // each term occurs in at least one document
				return limit
			}
			w.eachSet(indexes.FieldAny, func(set docset.Set) { n += set.Len() })
		case formPhrase:
			least := m.index.Docs
			for _, t := range m.query.phrases[w.lo] {
				least = min(least, m.index.Terms.Set(t, indexes.FieldAny).Len())
			}
			n += least
		case formParts, formSpread: // all parts are required
			least, parts := limit, m.query.partsOf(w)
			for i := range parts {
				least = min(least, m.frequencyBound(parts[i].ways, least))
			}
			n += least
		}
	}
	return min(n, limit)
}
