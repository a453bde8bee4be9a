package runtime

import (
	"testing"

	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// TestArenasShareNothingButMemory checks that sets in an arena never overlap, even if they share a block. A
// closed arena returns all its blocks. No set is nil, because nil means all documents.
func TestArenasShareNothingButMemory(t *testing.T) {
	const docs = 1000
	b := &blocks{index: &indexes.Index{Docs: docs}}
	q := &parsedQuery{words: make([]word, 3)}
	listed := []column.Doc{3, 70, 71, 500, 999}
	for _, scope := range []struct {
		name         string
		open         func() *arena
		docs, blocks int
	}{
		{"the whole catalogue", func() *arena { return b.open(q, docset.All(docs)) }, docs, 4},
		{"listed documents", func() *arena { return b.openListed(q, listed) }, len(listed), 1},
		{"no document", func() *arena { return b.openListed(q, nil) }, 0, 1},
	} {
		for range 2 {
			a := scope.open()
			var sets []docset.Dense
			for range 4 {
				set := a.take()
				set.Fill(scope.docs)
				sets = append(sets, set)
			}
			for i, set := range sets {
				if set == nil || set.Len() != scope.docs {
					t.Errorf("%s: set %d has %d documents, want %d", scope.name, i, set.Len(), scope.docs)
				}
				set.Clear()
			}
			a.give(sets[0])
			if again := a.take(); len(a.own) != scope.blocks || len(again) > 0 && &again[0] != &sets[0][0] {
				t.Errorf("%s: four sets and one returned set take %d blocks, want %d", scope.name, len(a.own), scope.blocks)
			}
			b.closeLast()
		}
	}
	if len(b.free) != len(b.all) || len(b.all) != 4 || len(b.arenas) != 1 {
		t.Errorf("%d of %d blocks are free, %d arenas were made; want 4 of 4 and 1", len(b.free), len(b.all), len(b.arenas))
	}
}

// TestBlocksAreThereForTheNextQuery checks that a query returns all its blocks, and that the workspace
// retains at most maxBlocks.
func TestBlocksAreThereForTheNextQuery(t *testing.T) {
	e := newEngine(&indexes.Index{Docs: 100})
	for _, sets := range []int{3, maxBlocks, maxBlocks + 1} {
		w := newWorkspace(e)
		b := &w.blocks
		for range 2 {
			a, other := b.open(&parsedQuery{}, docset.All(100)), b.open(&parsedQuery{}, docset.All(100))
			for range sets - 1 {
				a.take()
			}
			other.take()
			w.end()
		}
		if kept := min(sets, maxBlocks); len(b.all) != kept || len(b.free) != kept || b.opened != 0 {
			t.Errorf("after %d sets: %d blocks of %d are free, %d arenas open", sets, len(b.free), len(b.all), b.opened)
		}
	}
}
