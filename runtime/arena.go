package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// An arena is the sets of documents of one scope: it lends them, and remembers those that ranking asks for
// again and again. Another scope has another arena, so that no set is ever read in a scope that it was not
// made in.
type arena struct {
	index *indexes.Index
	query *parsedQuery
	scope docset.Scope

	blocks *blocks
	own    []docset.Dense // its blocks
	rest   docset.Dense   // what of the last of them is in no set yet
	free   []docset.Dense // sets that were given back
	listed []column.Doc   // documents of a listed scope

	words   []docset.Dense // that hold each word; nil: not asked for yet
	phrases []setsByField  // that hold each phrase; none at all before one is asked for
}

// setsByField are sets of an arena by field; nil: not asked for yet.
type setsByField [indexes.NumFields]docset.Dense

// blocks is memory for the sets of arenas, in pieces of which each has room for a set of the whole catalogue.
type blocks struct {
	index  *indexes.Index
	all    []docset.Dense // that were made
	free   []docset.Dense // that no arena has
	arenas []*arena       // that were made; the first
	opened int            // of them are open
}

// closeAll closes all arenas.
func (b *blocks) closeAll() {
	b.free, b.opened = append(b.free[:0], b.all...), 0
}

// trim keeps so many blocks and nothing that points to another. All arenas are closed.
func (b *blocks) trim(most int) {
	b.all = slices.Clone(b.all[:most])
	b.free = slices.Clone(b.all)
	b.arenas = nil
}

// openAll returns an arena of the whole catalogue, without sets. It is good until it is closed.
func (b *blocks) openAll(q *parsedQuery) *arena { return b.open(q, docset.All(b.index.Docs)) }

// openListed returns one of listed documents, ascending, each once, of which it keeps a copy.
func (b *blocks) openListed(q *parsedQuery, docs []column.Doc) *arena {
	a := b.open(q, docset.Scope{})
	a.listed = append(a.listed[:0], docs...)
	a.scope = docset.Listed(a.listed)
	return a
}

// open returns an arena of a scope.
func (b *blocks) open(q *parsedQuery, scope docset.Scope) *arena {
	if b.opened == len(b.arenas) {
		b.arenas = append(b.arenas, &arena{index: b.index, blocks: b})
	}
	a := b.arenas[b.opened]
	b.opened++
	a.query, a.scope = q, scope
	a.own, a.rest, a.free = a.own[:0], nil, a.free[:0]
	a.words, a.phrases = zeros(a.words, len(q.words)), a.phrases[:0]
	return a
}

// closeLast closes the arena that was opened last.
func (b *blocks) closeLast() {
	b.opened--
	b.free = append(b.free, b.arenas[b.opened].own...)
}

// zeros returns n zeros, in the memory of a list if it has room.
func zeros[S ~[]T, T any](list S, n int) S {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}

// take lends an empty set until give, or else until the arena is closed.
func (a *arena) take() docset.Dense {
	s := a.takeDirty()
	s.Clear()
	return s
}

// takeCopy lends a copy of a set.
func (a *arena) takeCopy(of docset.Dense) docset.Dense {
	s := a.takeDirty()
	s.Copy(of)
	return s
}

// takeDirty lends a set of which nobody knows what is in it.
func (a *arena) takeDirty() docset.Dense {
	if last := len(a.free) - 1; last >= 0 {
		s := a.free[last]
		a.free = a.free[:last]
		return s
	}
	words := docset.Words(a.scope.Len())
	if a.rest == nil || len(a.rest) < words {
		a.rest = a.blocks.lend()
		a.own = append(a.own, a.rest)
	}
	s := a.rest[:words:words]
	a.rest = a.rest[words:]
	return s
}

// give takes a lent set back.
func (a *arena) give(s docset.Dense) { a.free = append(a.free, s) }

// lend lends a block.
func (b *blocks) lend() docset.Dense {
	if last := len(b.free) - 1; last >= 0 {
		s := b.free[last]
		b.free = b.free[:last]
		return s
	}
	s := make(docset.Dense, max(1, docset.Words(b.index.Docs))) // of an empty scope too a set is not nil
	b.all = append(b.all, s)
	return s
}
