package runtime

import (
	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A rung is what matches that are given out together have in common: all that they are ordered by before the document
// order. It is filled in on the way to emit, and what the order has not asked for is not told.
type rung struct {
	strategy       Strategy
	bySynonym      bool          // of category: a curated synonym of the query names the value, and not the query
	needsCurated   bool          // some word is held by a curated synonym alone
	first, last    indexes.Field // the fields that together hold all words
	worst          MatchKind
	corrected, far int        // words that are corrected, and those of them at distance 2: of fuzzy
	similarity     similarity // of trigram
}

// A ranking gives matches out in the order of relevance, rung by rung: each rung is a set, and stands in document order.
// It keeps those of the asked-for page and stops when the page is full, so a first page costs a few sets and no
// document is ever scored.
type ranking struct {
	match
	levels levelSet
	rest   docset.Dense // matches that no rung has given out yet, as long as it is not done
	skip   int          // matches to pass over before the page begins
	need   int          // matches that the page still lacks
	page   []column.Doc
	top    Strategy // of the first match
	scores []score  // memory

	// note, unless it is nil, is told the rung of every match that is given out, by its place in the scope. Then every rung is
	// worked out, also where the page does not depend on it.
	note func(place column.Doc, r rung)
}

// rank gives out the matches that rest has.
func (r *ranking) rank() {
	r.levels = r.query.levels
	switch r.stage {
	case stageStrict:
		r.rankStrict()
	case stageFuzzy:
		r.levels.add(MatchCorrected)
		if r.misspelling.byPart {
			r.levels.add(MatchPart)
		}
		r.rankFuzzy()
	case stageSimilar, stageMostWords:
		r.rankBySimilarity()
	}
}

// isDone reports whether the page is full and the top strategy known.
func (r *ranking) isDone() bool { return r.need == 0 && r.top != StrategyNone }

// wanted is how many matches are needed until it is done.
func (r *ranking) wanted() int {
	if r.need == 0 {
		return 1 // that there is one says what the top is
	}
	return r.skip + r.need
}

// emit gives a rung out, whose documents are a subset of rest.
func (r *ranking) emit(docs docset.Dense, as *rung) { r.emitSome(docs, docs.Len(), as) }

// emitSome gives out a rung that has n documents.
func (r *ranking) emitSome(docs docset.Dense, n int, as *rung) {
	if n == 0 {
		return
	}
	if r.top == StrategyNone {
		r.top = as.strategy
	}
	if r.note != nil {
		for place, ok := docs.Next(0); ok; place, ok = docs.Next(place + 1) {
			r.note(place, *as)
		}
	}
	if n <= r.skip {
		r.skip -= n
	} else if r.need > 0 {
		before := len(r.page)
		r.page = r.scope.Append(r.page, docs, r.skip, r.need)
		r.skip, r.need = 0, r.need-(len(r.page)-before)
	}
	if !r.isDone() {
		r.rest.AndNot(docs)
	}
}

// emitOne gives a match of rest out, by its place in the scope.
func (r *ranking) emitOne(place column.Doc, as *rung) {
	r.rest.Remove(place)
	if r.top == StrategyNone {
		r.top = as.strategy
	}
	if r.note != nil {
		r.note(place, *as)
	}
	if r.skip > 0 {
		r.skip--
	} else if r.need > 0 {
		r.page = append(r.page, r.scope.At(place))
		r.need--
	}
}

// strictBuckets are the strict buckets before fts, the best first. into unites dst with a bucket's documents, or with only
// the first of those that are in of, as many as are wanted; it reports whether there may be any.
var strictBuckets = [...]struct {
	rung rung
	into func(a *arena, dst, of docset.Dense, wanted int) (some bool)
}{
	{rung{strategy: StrategyExact}, func(a *arena, dst, _ docset.Dense, _ int) bool { return a.exactInto(dst) }},
	{rung{strategy: StrategyPrefix}, func(a *arena, dst, _ docset.Dense, _ int) bool { return a.prefixInto(dst) }},
	{rung{strategy: StrategyCategory}, func(a *arena, dst, _ docset.Dense, _ int) bool {
		return a.valuesInto(dst, a.query.named)
	}},
	{rung{strategy: StrategyCategory, bySynonym: true}, func(a *arena, dst, _ docset.Dense, _ int) bool {
		return a.valuesInto(dst, a.query.namedBySynonym)
	}},
	{rung{strategy: StrategyPhrase}, (*arena).firstPhrasesInto},
}

// rankStrict gives strict matches out: bucket by bucket, and fts by field and kind. So is category: who asks for Vorhang,
// a synonym of textiles, finds the curtains before the other textiles.
func (r *ranking) rankStrict() {
	for _, b := range strictBuckets {
		docs := r.take()
		if !b.into(r.arena, docs, r.rest, r.wanted()) {
			r.give(docs)
			continue
		}
		docs.And(r.rest)
		if b.rung.strategy == StrategyCategory {
			r.rankByField(docs, &b.rung)
		} else {
			r.emit(docs, &b.rung)
			r.give(docs)
		}
		if r.isDone() {
			return
		}
	}
	r.rankByField(r.takeCopy(r.rest), &rung{strategy: StrategyFTS})
}

// rankFuzzy gives fuzzy matches out: first those with the fewest corrected words; among these, first those with the smallest
// distance, which have the fewest corrections at distance 2; then in the order of fts.
func (r *ranking) rankFuzzy() {
	m := r.misspelling
	rest, alike, docs := r.takeCopy(r.rest), r.takeDirty(), r.takeDirty()
	m.corrected.Ascend(rest, alike, func(corrected int) bool {
		return m.far.Ascend(alike, docs, func(far int) bool {
			r.rankByField(r.takeCopy(docs), &rung{strategy: StrategyFuzzy, corrected: corrected, far: far})
			return !r.isDone()
		})
	})
}
