package runtime

import (
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// rankByWeight emits matches by the weight of the words that they contain, heaviest first, then as in fts.
// Usually few matches compete for the page. They are ranked in a scope of these matches, in which sets are
// very small.
func (r *ranking) rankByWeight() {
	if r.need == 0 {
		r.emit(r.takeCopy(r.rest), &tier{strategy: StrategyTrigram})
		return
	}
	sums := &r.weighing.sums
	page := r.takeCopy(r.rest)
	if r.skip > 0 {
		before := r.takeCopy(r.rest)
		sums.FilterAtLeast(before, sums.Nth(r.rest, r.skip+1)+1)
		r.emit(before, &tier{strategy: StrategyTrigram}) // matches before the page, in any order
		page.AndNot(before)
	}
	sums.FilterAtLeast(page, sums.Nth(page, r.remaining()))
	if n := page.Len(); n <= r.blocks.maxNarrow(narrowShare) {
		r.narrowTo(page, n)
		sums = &r.weighing.page
		r.weighing.sum(sums, r.arena)
		page = r.takeCopy(r.rest)
	}
	alike := r.takeDirty()
	sums.Descend(page, alike, func(weight int) bool {
		r.rankByField(r.takeCopy(alike), &tier{strategy: StrategyTrigram, weight: weight})
		return !r.isDone()
	})
}

// narrowTo narrows the scope to n documents, which include the page.
func (r *ranking) narrowTo(docs docset.Dense, n int) {
	r.weighing.docs = r.scope.Append(r.weighing.docs[:0], docs, 0, n)
	r.arena = r.blocks.openListed(r.query, r.weighing.docs)
	r.rest = r.take()
	r.rest.Fill(n)
	if report, scope := r.report, r.scope; report != nil {
		r.report = func(place column.Doc, t tier) { report(scope.At(place), t) } // number in the whole catalogue
	}
}
