package runtime

import (
	"sync"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// An engine answers the queries of one index. It holds what a query needs beside the index: the vocabulary,
// by key, and working memory for the queries that run. All of it is as large as the vocabulary and the number
// of queries that run at once, and no larger.
type engine struct {
	index      *indexes.Index
	vocabulary vocabulary
	splitter   *analysis.Splitter
	workspaces sync.Pool // of *workspace
}

func newEngine(x *indexes.Index) *engine {
	e := &engine{index: x, vocabulary: vocabulary{named: map[string][]value{},
		synonyms: synonyms{of: map[string][][]indexes.Term{}, words: map[string]int{}}}}
	e.splitter = analysis.NewSplitter(func(word string) bool {
		_, ok := x.Terms.Find(word)
		return ok
	})
	for _, v := range x.Meta.Vocabulary {
		if v.Family < indexes.NumFamilies {
			e.vocabulary.declare(x, v)
		}
	}
	e.vocabulary.addSynonyms(x.Meta.Synonyms)
	e.workspaces.New = func() any { return newWorkspace(e) }
	return e
}

// A workspace is the memory of one running query, lent from the engine's pool, so that a search allocates its
// answer and nothing that grows with its matches. Each part is of one step, which begins it anew.
type workspace struct {
	engine  *engine
	blocks  blocks
	reader  reader
	matcher matcher
	filters filterSets
	facets  facetCounter

	needCounts needCounter
	scores     []score  // of a ranking
	places     []uint32 // of a page in another order
}

func newWorkspace(e *engine) *workspace {
	w := &workspace{engine: e, blocks: blocks{index: e.index}}
	w.reader = reader{index: e.index, vocabulary: &e.vocabulary, splitter: e.splitter}
	w.matcher = matcher{index: e.index, parser: &w.reader, blocks: &w.blocks}
	return w
}

// begin takes a workspace from the pool, and returns the normalized text and what matches it.
func (e *engine) begin(text string) (w *workspace, normalized string, m match) {
	w = e.workspaces.Get().(*workspace)
	normalized, key := analysis.NormalizeAndKey(text)
	return w, normalized, w.matcher.match(w.reader.read(key))
}

// maxBlocks is how many blocks a workspace keeps for the next query. Ordinary queries need about ten, long
// sentences thirty; one of a hundred words needs more, and leaves them to the garbage collector, and the rest
// of the workspace to the next query.
const maxBlocks = 32

// end gives the workspace back. A query that panics does not: what it left half done is not used again.
func (w *workspace) end() {
	w.filters.needs.request, w.needCounts.needs.request = nil, nil // the pool must not keep a query's strings
	w.blocks.closeAll()
	if len(w.blocks.all) > maxBlocks {
		w.blocks.trim(maxBlocks)
		w.reader.parsedQuery = parsedQuery{}
		w.filters.arena, w.matcher.whole, w.matcher.misspelling.words = nil, nil, nil
	}
	w.engine.workspaces.Put(w)
}
