package runtime

import "sabine/indexes"

// A work is the state of one running query, lent from the engine's pool: sets of documents and lists that keep their
// memory from query to query, so that a search allocates its answer and nothing that grows with its matches.
type work struct {
	engine *engine
	index  *indexes.Index

	sets []indexes.Dense // all that were made
	free []indexes.Dense // those of them that are not in use

	text    text
	filters filterSets

	nears       []indexes.Near // fuzzy.go
	misspelling misspelling
	names       nameTally // trigram.go
	places      []uint32  // pages.go
	counts      []int32   // facets.go
	values      []uint32
}

// keptSets is how many sets a work keeps for the next query. Ordinary queries need about ten; one of a hundred words
// needs more, and gives them back.
const keptSets = 32

// begin takes a work from the pool.
func (e *engine) begin() *work {
	w := e.works.Get().(*work)
	w.free = append(w.free[:0], w.sets...)
	return w
}

// end gives it back. A query that panics does not: what it left half done goes with it.
func (w *work) end() {
	if len(w.sets) > keptSets {
		clear(w.sets[keptSets:])
		clear(w.free)
		w.sets = w.sets[:keptSets]
	}
	w.engine.works.Put(w)
}

// take lends an empty set until give, or else until the query ends.
func (w *work) take() indexes.Dense {
	s := w.takeDirty()
	s.Clear()
	return s
}

// takeCopy lends a copy of a set.
func (w *work) takeCopy(of indexes.Dense) indexes.Dense {
	s := w.takeDirty()
	s.Copy(of)
	return s
}

func (w *work) takeDirty() indexes.Dense {
	if n := len(w.free); n > 0 {
		s := w.free[n-1]
		w.free = w.free[:n-1]
		return s
	}
	s := make(indexes.Dense, indexes.DenseWords(w.index.Docs))
	w.sets = append(w.sets, s)
	return s
}

// give takes a lent set back.
func (w *work) give(s indexes.Dense) { w.free = append(w.free, s) }
