package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A stage is the part of the search that found the matches.
type stage uint8

const (
	stageAll     stage = iota // empty text, which matches everything
	stageNone                 // no matches
	stageStrict               // buckets from exact to fts
	stageFuzzy                // first fallback, by corrections
	stageSimilar              // fallback by similar names
	stageWeighed              // fallback by the weight of words
)

// isFallback reports whether no strict bucket has a match.
func (s stage) isFallback() bool { return s >= stageFuzzy }

// A match contains the documents that match a text, with data for the ranking. Filters are not applied. Its
// sets belong to its arena. It is valid until the query ends.
type match struct {
	selection
	*arena
	stage       stage
	misspelling *misspelling // used in stageFuzzy
	names       *nameTally   // used in stageSimilar, where the arena covers all documents, as in stageWeighed
	weighing    *weighing    // used in stageWeighed
}

// A selection is a set of documents with its size.
type selection struct {
	docs docset.Dense // positions in the scope; nil if the scope is the catalogue and all of it is selected
	n    int
}

// A matcher finds the matches of a parsed query. A match points to misspelling, names and weighing. The
// fields after these are scratch memory: each step initializes what it uses.
type matcher struct {
	index  *indexes.Index
	query  *parsedQuery
	parser *reader // creator of query; also reads the parts of misspelt compounds
	*blocks
	whole *arena // arena of the whole catalogue

	misspelling misspelling
	names       nameTally
	weighing    weighing

	candidates []column.Doc
	bounds     []boundedWord
	nears      []indexes.Near
	inner      []analysis.Trigram
	substring  docset.Dense // a set of names, not of documents
}

// match returns the match of a text. It runs a fallback only if all earlier steps find nothing.
func (m *matcher) match(q *parsedQuery) match {
	m.query, m.whole = q, m.open(q, docset.All(m.index.Docs))
	if q.key == "" {
		return match{stage: stageAll, arena: m.whole, selection: selection{n: m.index.Docs}}
	}
	m.chooseParts()
	if found := m.strict(); found.n > 0 {
		return found
	}
	if len(q.sequence) == 1 && analysis.IsListed(q.key) { // Hockey is listed, not a misspelt Hocker
		return match{stage: stageNone, arena: m.whole, selection: selection{docs: m.whole.take()}}
	}
	if found := m.fuzzy(); found.n > 0 {
		return found
	}
	fallbacks := [...]func(*matcher) match{(*matcher).similar, (*matcher).weighed}
	if len(q.sequence) >= SentenceWords {
		slices.Reverse(fallbacks[:])
	}
	for _, find := range fallbacks {
		if found := find(m); found.n > 0 {
			return found
		}
	}
	return match{stage: stageNone, arena: m.whole, selection: selection{docs: m.whole.take()}}
}

// found returns a match with a set of documents of an arena.
func found(s stage, a *arena, docs docset.Dense) match {
	return match{stage: s, arena: a, selection: selection{docs, docs.Len()}}
}

// chooseParts drops the parts of each word that occurs in some document as a phrase. The reader cannot decide
// this: it knows the words of a phrase, but not whether they are adjacent in a document. If no document has
// all parts in one field, chooseParts allows different fields.
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

// splitCompounds turns the parts of compounds into words of the query; the compounds no longer match. A
// compound that cannot match by the weight of its parts remains a word; its parts are marked weightless.
func (m *matcher) splitCompounds() {
	q, parts := m.query, 0
	for i := range q.words {
		ways := q.words[i].ways
		last := len(ways) - 1
		if last < 0 || ways[last].form < formParts {
			continue
		}
		if own := q.partsOf(&ways[last]); !m.parser.canMatchInPart(own) {
			for at := range own {
				own[at].weightless = true
			}
			continue
		}
		ways[last].form, m.whole.words[i] = formSplit, nil
		parts = max(parts, ways[last].hi) // the parts of misspelt compounds come after these
	}
	q.words = q.words[:len(q.words)+parts] // appends the parts, which come after the words in the same array
	q.levels |= q.partLevels
	for range parts {
		m.whole.words = append(m.whole.words, nil)
	}
}
