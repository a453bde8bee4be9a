package runtime

import (
	"sync"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// An engine answers the queries of one index. In addition to the index it contains the vocabulary by key and
// the working memory of running queries. Its size depends only on the vocabulary and on the number of
// concurrent queries.
type engine struct {
	index      *indexes.Index
	vocabulary vocabulary
	splitter   *analysis.Splitter
	workspaces sync.Pool // pool of *workspace values
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

// A workspace is the memory for one running query. It comes from the engine's pool, so a search allocates
// only its result. Each step initializes its own part.
type workspace struct {
	engine  *engine
	blocks  blocks
	reader  reader
	matcher matcher
	filters filterSets
	facets  facetCounter

	needCounts needCounter
	scores     []score  // scores for the ranking
	places     []uint32 // positions for a page in another order
}

func newWorkspace(e *engine) *workspace {
	w := &workspace{engine: e, blocks: blocks{index: e.index}}
	w.reader = reader{index: e.index, vocabulary: &e.vocabulary, splitter: e.splitter}
	w.matcher = matcher{index: e.index, parser: &w.reader, blocks: &w.blocks}
	return w
}

// begin takes a workspace from the pool and returns it with the match of a text's key. Both are valid until
// the caller returns the workspace with end.
func (e *engine) begin(key string) (*workspace, match) {
	w := e.workspaces.Get().(*workspace)
	return w, w.matcher.match(w.reader.read(key))
}

// maxBlocks is the number of blocks that a workspace retains for the next query. Normal queries need about
// ten, long sentences thirty. A query of a hundred words needs more; the garbage collector frees these
// blocks.
const maxBlocks = 32

// end returns the workspace to the pool. A query that panics does not return its workspace, which may be
// inconsistent.
func (w *workspace) end() {
	w.filters.needs.request, w.needCounts.needs.request = nil, nil // the pool must not retain strings of a query
	w.blocks.free, w.blocks.opened = append(w.blocks.free[:0], w.blocks.all...), 0
	if len(w.blocks.all) > maxBlocks {
		w.blocks.trim(maxBlocks)
		w.reader.parsedQuery = parsedQuery{}
		w.filters.arena, w.matcher.whole, w.matcher.misspelling.words = nil, nil, nil
	}
	w.engine.workspaces.Put(w)
}
