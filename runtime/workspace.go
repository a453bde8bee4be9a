package runtime

// A workspace is the memory of one running query, lent from the engine's pool, so that a search allocates its answer and
// nothing that grows with its matches. Each part is of one step, which begins it anew.
type workspace struct {
	engine  *engine
	blocks  blocks
	reader  reader
	matcher matcher
	filters filterSets
	facets  facetCounter
	scores  []score  // of a ranking
	places  []uint32 // of a page in another order
}

func newWorkspace(e *engine) *workspace {
	w := &workspace{engine: e, blocks: blocks{index: e.index}}
	w.reader = reader{index: e.index, vocabulary: &e.vocabulary}
	w.matcher = matcher{index: e.index, blocks: &w.blocks}
	return w
}

// begin takes a workspace from the pool.
func (e *engine) begin() *workspace { return e.workspaces.Get().(*workspace) }

// end gives it back. A query that panics does not: what it left half done is not used again.
func (w *workspace) end() {
	w.blocks.reset()
	w.engine.workspaces.Put(w)
}
