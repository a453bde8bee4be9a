package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A work is the state of one running query, lent from the engine's pool: sets of documents and lists that keep their
// memory from query to query, so that a search allocates its answer and nothing that grows with its matches.
type work struct {
	engine *engine
	index  *indexes.Index

	scope      docset.Scope   // of all sets in use
	candidates []column.Doc   // the documents of a narrow scope
	allHold    bool           // all documents of the scope hold every word
	rarest     []*word        // the words of the text by reach
	sets       []docset.Dense // all that were made, each as long as the whole catalogue needs
	free       []docset.Dense // those of them that are not in use

	text    text
	filters filterSets

	nears       []indexes.Near // fuzzy.go
	misspelling misspelling
	names       nameTally // trigram.go
	held        docset.Counter
	places      []uint32 // pages.go

	counts       []int32 // facets.go
	columnCounts []int32
	listed       listing
	shown        shownValues
}

// maxSets is how many sets a work takes back to the pool. Ordinary queries need about ten; one of a hundred words needs
// more, which are left to the garbage collector.
const maxSets = 32

// begin takes a work from the pool.
func (e *engine) begin() *work {
	w := e.works.Get().(*work)
	w.free = append(w.free[:0], w.sets...)
	w.scope, w.allHold = docset.All(e.index.Docs), false
	return w
}

// end gives it back. A query that panics does not: what it left half done is not used again.
func (w *work) end() {
	if len(w.sets) > maxSets { // also let go of what refers to them
		w.sets, w.free = slices.Clone(w.sets[:maxSets]), nil
		w.text, w.filters, w.misspelling = text{}, filterSets{}, misspelling{}
	}
	w.engine.works.Put(w)
}

// take lends an empty set until give, or else until the query ends.
func (w *work) take() docset.Dense {
	s := w.takeDirty()
	s.Clear()
	return s
}

// takeCopy lends a copy of a set.
func (w *work) takeCopy(of docset.Dense) docset.Dense {
	s := w.takeDirty()
	s.Copy(of)
	return s
}

func (w *work) takeDirty() docset.Dense {
	if n := len(w.free); n > 0 {
		s := w.free[n-1]
		w.free = w.free[:n-1]
		return s[:docset.Words(w.scope.Len())]
	}
	s := make(docset.Dense, docset.Words(w.index.Docs))
	w.sets = append(w.sets, s)
	return s[:docset.Words(w.scope.Len())]
}

// give takes a lent set back.
func (w *work) give(s docset.Dense) { w.free = append(w.free, s[:cap(s)]) }
