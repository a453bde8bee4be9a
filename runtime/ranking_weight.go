package runtime

import (
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// rankByWeight gives matches out by the weight of the words that they hold, the heaviest first, then in the
// order of fts. Most often the page has few of them: then they are ranked in a scope of their own, in which
// sets cost next to nothing.
func (r *ranking) rankByWeight() {
	if r.need == 0 {
		r.emit(r.takeCopy(r.rest), &rung{strategy: StrategyTrigram})
		return
	}
	sums := &r.weighing.sums
	page := r.takeCopy(r.rest)
	if r.skip > 0 {
		before := r.takeCopy(r.rest)
		sums.FilterAtLeast(before, sums.Nth(r.rest, r.skip+1)+1)
		r.emit(before, &rung{strategy: StrategyTrigram}) // in whatever order: they are before the page
		page.AndNot(before)
	}
	sums.FilterAtLeast(page, sums.Nth(page, r.wanted()))
	if n := page.Len(); n <= r.blocks.mostNarrow(narrowShare) {
		r.narrowTo(page, n)
		sums = &r.weighing.page
		r.weighing.sum(sums, r.arena)
		page = r.takeCopy(r.rest)
	}
	alike := r.takeDirty()
	sums.Descend(page, alike, func(weight int) bool {
		r.rankByField(r.takeCopy(alike), &rung{strategy: StrategyTrigram, weight: weight})
		return !r.isDone()
	})
}

// narrowTo makes n documents of rest, among which the page is, the scope.
func (r *ranking) narrowTo(docs docset.Dense, n int) {
	r.weighing.docs = r.scope.Append(r.weighing.docs[:0], docs, 0, n)
	r.arena = r.blocks.openListed(r.query, r.weighing.docs)
	r.rest = r.take()
	r.rest.Fill(n)
	if note, scope := r.note, r.scope; note != nil {
		r.note = func(place column.Doc, as rung) { note(scope.At(place), as) } // its place in the whole catalogue
	}
}
