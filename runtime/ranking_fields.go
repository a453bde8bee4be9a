package runtime

import (
	"sabine/indexes"
	"sabine/indexes/docset"
)

// rankByField gives a group of matches out by field and kind: those that hold a word only by a curated
// synonym, or by the dictionary, after all others. It takes the set over, and gives it back to the arena.
func (r *ranking) rankByField(group docset.Dense, t *tier) {
	if r.levels.worst() > worstDirect {
		own := r.takeCopy(group)
		r.retainMatching(own, 0, indexes.NumFields-1, worstDirect)
		group.AndNot(own)
		r.rankFields(own, worstDirect, t)
		t.needsCurated = true
	}
	r.rankFields(group, worstMatch, t)
}

// rankFields gives matches out that hold every word by a match no worse than worst: first those in which one
// field holds all words, the better field first, then those in which several fields together do, first those
// that need the fewest of the lesser fields. It takes the set over, and gives it back to the arena.
func (r *ranking) rankFields(group docset.Dense, worst MatchKind, t *tier) {
	const last = indexes.NumFields - 1
	defer r.give(group)
	if n := group.Len(); n <= r.skip || n == 1 && r.report == nil { // there is no order, or it does not matter
		r.emitSome(group, n, t)
		return
	}
	if r.isDone() {
		return
	}
	single := len(r.query.words) == 1 && !r.isSpread() // whatever holds a single word, one field holds it
	t.partly = false
	for f := range indexes.NumFields {
		if f == indexes.FieldCategory && single && r.query.words[0].letters <= ShortLetters {
			if r.rankShort(group, t); r.isDone() {
				return
			}
		}
		t.first, t.last = f, f
		if single && f == last {
			r.rankByKind(group, t, nil)
			return
		}
		r.rankMatching(group, worst, t)
		if r.isDone() {
			return
		}
	}
	t.first = 0
	for t.last = 1; t.last < last && !r.isDone(); t.last++ {
		r.rankMatching(group, worst, t)
	}
	if !r.isDone() {
		r.rankByKind(group, t, nil)
	}
}

// isSpread reports whether the parts of the only word may stand in different fields.
func (r *ranking) isSpread() bool {
	ws := r.query.words[0].ways
	if c := r.correction(0); c != nil {
		ws = c.near[0]
	}
	return len(ws) > 0 && ws[len(ws)-1].form == formSpread
}

// rankShort gives out, and takes from the group, the matches in which a field after the names holds a short
// word as it is or by its stem. Any word may have a short one in it or begin with it: a Mittelton is no Ton.
func (r *ranking) rankShort(group docset.Dense, t *tier) {
	for f := indexes.FieldCategory; f < indexes.NumFields && !r.isDone(); f++ {
		t.first, t.last = f, f
		r.rankMatching(group, MatchStem, t)
	}
	t.partly = true
}

// fieldsRank returns the place of the tier's fields in the order of rankFields.
func (r *tier) fieldsRank() int {
	if r.first == r.last && !r.partly {
		return int(r.last)
	}
	return int(indexes.NumFields + r.last)
}

// rankMatching gives out, and takes from the group, the matches in which the tier's fields hold all words by a
// match no worse than worst.
func (r *ranking) rankMatching(group docset.Dense, worst MatchKind, t *tier) {
	held := r.takeCopy(group)
	r.retainMatching(held, t.first, t.last, worst)
	group.AndNot(held)
	r.rankByKind(held, t, nil)
	r.give(held)
}

// rankByKind gives matches out in which the tier's fields hold all words: first those that hold every word as
// it is, and so on to the worst kind. It writes over the set, which stays the caller's. confirm, unless it is
// nil, removes documents that do not match from a set, and those that the page does not need.
func (r *ranking) rankByKind(held docset.Dense, t *tier, confirm func(docset.Dense)) {
	n, worst := held.Len(), r.levels.worst()
	t.worst = worst
	if n <= r.skip || n == 1 && r.report == nil || worst == MatchCorrected {
		if confirm != nil {
			confirm(held)
			n = held.Len()
		}
		r.emitSome(held, n, t) // there is no order, or, when the page is not here, it does not matter
		return
	}
	docs := r.takeDirty()
	for level := MatchCorrected; level <= worst && !r.isDone(); level++ {
		if !r.levels.has(level) {
			continue
		}
		docs.Copy(held)
		if level < worst { // held has all words by the worst
			r.retainMatching(docs, t.first, t.last, level)
			held.AndNot(docs)
		}
		if confirm != nil && !docs.Empty() {
			confirm(docs)
		}
		t.worst = level
		r.emit(docs, t)
	}
	r.give(docs)
}

// retainMatching takes from a set the documents that do not hold every word in the fields from first to last by
// a match no worse than worst; of matches by weight, every word that they hold at all. It begins with the
// word that has left none of another set: most often that leaves none of this one either, and the others need
// not be asked.
func (r *ranking) retainMatching(set docset.Dense, first, last indexes.Field, worst MatchKind) {
	holding := r.takeDirty()
	for at, n := r.rare, len(r.query.words); at < r.rare+n; at++ {
		i := at % n
		if r.stage == stageWeighed && (!r.query.words[i].weighs() || r.docsWith(i).AndLen(set) == 0) {
			continue
		}
		holding.Clear()
		r.waysInto(holding, r.query.words[i].ways, first, last, worst)
		if c := r.correction(i); c != nil {
			c.correctedInto(holding, r.arena, first, last, worst)
		}
		if r.stage == stageWeighed {
			lesser := r.takeCopy(r.docsWith(i))
			lesser.AndNot(holding)
			set.AndNot(lesser)
			r.give(lesser)
		} else {
			set.And(holding)
		}
		if set.Empty() {
			r.rare = i
			break
		}
	}
	r.give(holding)
}

// correction returns the correction of a word, by its number, that some match needs; nil when there is none.
func (r *ranking) correction(i int) *correction {
	if s := r.misspelling; s != nil && s.words[i].isNeeded() {
		return &s.words[i]
	}
	return nil
}
