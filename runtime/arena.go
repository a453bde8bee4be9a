package runtime

import (
	"slices"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// An arena provides the document sets for one scope. They contain positions in the scope (see docset.Scope),
// not document numbers. The arena caches the sets that the ranking uses repeatedly.
// Each scope has its own arena, so a set is never read in another scope.
type arena struct {
	index *indexes.Index
	query *parsedQuery
	scope docset.Scope

	blocks *blocks
	own    []docset.Dense // blocks that this arena uses
	rest   docset.Dense   // unused part of the last block
	free   []docset.Dense // sets that were returned for reuse
	listed []column.Doc   // documents of the scope, if the scope is a list

	words   []docset.Dense // documents that contain each word; nil if not computed
	phrases []setsByField  // documents that contain each phrase; empty until first used
}

// setsByField contains a set of an arena for each field. A set that was not computed is nil.
type setsByField [indexes.NumFields]docset.Dense

// blocks contains the memory for the sets in arenas. A block is large enough for a set of the whole
// catalogue.
type blocks struct {
	index  *indexes.Index
	all    []docset.Dense // all allocated blocks
	free   []docset.Dense // blocks that no arena uses
	arenas []*arena       // all allocated arenas; the first opened arenas are open
	opened int            // number of open arenas
}

// trim retains at most the given number of blocks, and no pointers to other memory. No arena may be open.
func (b *blocks) trim(most int) {
	b.all = slices.Clone(b.all[:most])
	b.free = slices.Clone(b.all)
	b.arenas = nil
}

// openListed returns an arena for a copy of docs, which must be ascending and without duplicates.
func (b *blocks) openListed(q *parsedQuery, docs []column.Doc) *arena {
	a := b.open(q, docset.Scope{})
	a.listed = append(a.listed[:0], docs...)
	a.scope = docset.Listed(a.listed)
	return a
}

// open returns an arena for a scope, without sets. It is valid until it is closed.
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

// zeros returns n zero values. It reuses the memory of a list that is large enough.
func zeros[S ~[]T, T any](list S, n int) S {
	list = slices.Grow(list[:0], n)[:n]
	clear(list)
	return list
}

// take returns an empty set. The set is valid until give, or until the arena is closed.
func (a *arena) take() docset.Dense {
	s := a.takeDirty()
	s.Clear()
	return s
}

// takeCopy returns a copy of a set, valid as long as a set from take.
func (a *arena) takeCopy(of docset.Dense) docset.Dense {
	s := a.takeDirty()
	s.Copy(of)
	return s
}

// takeDirty is like take, except that the set has arbitrary content.
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

// give returns a set to the arena.
func (a *arena) give(s docset.Dense) { a.free = append(a.free, s) }

// lend returns an unused block.
func (b *blocks) lend() docset.Dense {
	if last := len(b.free) - 1; last >= 0 {
		s := b.free[last]
		b.free = b.free[:last]
		return s
	}
	s := make(docset.Dense, max(1, docset.Words(b.index.Docs))) // not nil even in an empty scope
	b.all = append(b.all, s)
	return s
}
