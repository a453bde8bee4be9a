package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A stage says which part of the search found the matches.
type stage uint8

const (
	stageAll     stage = iota // no text was given: everything matches
	stageNone                 // nothing matches
	stageStrict               // the buckets exact to fts
	stageFuzzy                // the first fallback
	stageSimilar              // the second, by similar names
	stageWeighed              // or by the weight of words
)

// isFallback reports whether no strict bucket has a match.
func (s stage) isFallback() bool { return s >= stageFuzzy }

// A match is the documents that match a text alone, and what was found out on the way that they are ranked
// by. All its sets are of its arena, and all of it is good until the query ends: the workspace lends it.
type match struct {
	selection
	*arena
	stage       stage
	misspelling *misspelling // of stageFuzzy
	names       *nameTally   // of stageSimilar; of this and the next the arena is always the whole catalogue's
	weighing    *weighing    // of stageWeighed
}

// A selection is a set of documents with its size.
type selection struct {
	docs docset.Dense // nil: all
	n    int
}

// A matcher finds what a parsed query matches. misspelling, names and weighing are memory for what a match
// points to; from candidates on each is of one step, which begins it anew.
type matcher struct {
	index  *indexes.Index
	query  *parsedQuery
	parser *reader // that made the query; for parts of misspelt compounds
	*blocks
	whole *arena // of the whole catalogue

	misspelling misspelling
	names       nameTally
	weighing    weighing

	candidates []column.Doc
	bounds     []boundedWord
	nears      []indexes.Near
	inner      []analysis.Trigram
	substring  docset.Dense // names, and not documents
}

// match returns what a text matches. A fallback runs only when all before it found nothing.
func (m *matcher) match(q *parsedQuery) match {
	m.query, m.whole = q, m.openAll(q)
	if q.key == "" {
		return match{stage: stageAll, arena: m.whole, selection: selection{n: m.index.Docs}}
	}
	m.chooseParts()
	if found := m.strict(); found.n > 0 {
		return found
	}
	if len(q.sequence) == 1 && analysis.IsListed(q.key) { // it is spelled right: Hockey is no Hocker
		return match{stage: stageNone, arena: m.whole, selection: selection{docs: m.whole.take()}}
	}
	if found := m.fuzzy(); found.n > 0 {
		return found
	}
	last := [...]func(*matcher) match{(*matcher).similar, (*matcher).weighed}
	if len(q.sequence) >= SentenceWords {
		slices.Reverse(last[:])
	}
	for _, find := range last {
		if found := find(m); found.n > 0 {
			return found
		}
	}
	return match{stage: stageNone, arena: m.whole, selection: selection{docs: m.whole.take()}}
}

// found returns the match that a set of documents is.
func found(s stage, a *arena, docs docset.Dense) match {
	return match{stage: s, arena: a, selection: selection{docs, docs.Len()}}
}

// chooseParts takes from words that a phrase is held for in some document their parts. The reader cannot know:
// the words of a phrase are words of the catalogue, but may stand side by side nowhere. Where no document holds
// all parts in one field, any fields may hold them.
func (m *matcher) chooseParts() {
	for i := range m.query.words {
		v := &m.query.words[i]
		last := len(v.ways) - 1
		if last < 0 || v.ways[last].form != formParts {
			continue
		}
		if m.whole.hasPhrase(v.ways) {
			v.ways = v.ways[:last]
		} else if m.whole.docsWith(i).Empty() {
			v.ways[last].form, m.whole.words[i] = formSpread, nil
		}
	}
}

// splitCompounds makes the parts of compounds words of the query, and the compounds words that no document holds. A
// compound whose parts have no weights of their own stays a word, and its parts are silent.
func (m *matcher) splitCompounds() {
	q, parts := m.query, 0
	for i := range q.words {
		ways := q.words[i].ways
		last := len(ways) - 1
		if last < 0 || ways[last].form < formParts {
			continue
		}
		if own := q.partsOf(&ways[last]); !m.parser.haveWeights(own) {
			for at := range own {
				own[at].weightless = true
			}
			continue
		}
		ways[last].form, m.whole.words[i] = formSplit, nil
		parts = max(parts, ways[last].hi) // behind these stand those of misspelt compounds
	}
	q.words, q.levels = q.words[:len(q.words)+parts], q.levels|q.partLevels
	for range parts {
		m.whole.words = append(m.whole.words, nil)
	}
}
