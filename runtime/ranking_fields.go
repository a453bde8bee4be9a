package runtime

import (
	"sabine/indexes"
	"sabine/indexes/docset"
)

// rankByField emits a group of matches by field and kind. Matches that need a curated synonym or the
// dictionary come last. It returns the set to the arena.
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

// rankFields emits the documents that match every word with kinds up to worst. First come matches of all
// words in one field, best field first, then matches in several fields, ordered by the last field that they
// need. It returns the set to the arena.
func (r *ranking) rankFields(group docset.Dense, worst MatchKind, t *tier) {
	const last = indexes.NumFields - 1
	defer r.give(group)
	if n := group.Len(); n <= r.skip || n == 1 && r.report == nil { // the order does not matter
		r.emitSome(group, n, t)
		return
	}
	if r.isDone() {
		return
	}
	single := len(r.query.words) == 1 && !r.isSpread() // a single word is in one field, unless it is spread
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

// isSpread reports whether the parts of the only word may be in different fields.
func (r *ranking) isSpread() bool {
	ws := r.query.words[0].ways
	if c := r.correction(0); c != nil {
		ws = c.near[0]
	}
	return len(ws) > 0 && ws[len(ws)-1].form == formSpread
}

// rankShort emits, and removes from the group, the matches in which a field after the names contains a short
// word or its stem. Longer words may contain a short word by chance: a Mittelton is not a Ton.
func (r *ranking) rankShort(group docset.Dense, t *tier) {
	for f := indexes.FieldCategory; f < indexes.NumFields && !r.isDone(); f++ {
		t.first, t.last = f, f
		r.rankMatching(group, MatchStem, t)
	}
	t.partly = true
}

// fieldsRank returns the position of the tier's fields in the order of rankFields.
func (t *tier) fieldsRank() int {
	if t.first == t.last && !t.partly {
		return int(t.last)
	}
	return int(indexes.NumFields + t.last)
}

// rankMatching emits, and removes from the group, the documents that match all words in the tier's fields
// with kinds up to worst.
func (r *ranking) rankMatching(group docset.Dense, worst MatchKind, t *tier) {
	matched := r.takeCopy(group)
	r.retainMatching(matched, t.first, t.last, worst)
	group.AndNot(matched)
	r.rankByKind(matched, t, nil)
	r.give(matched)
}

// rankByKind emits matches of all words in the tier's fields, by the worst kind of match, best first. It
// overwrites the set, which the caller still owns. If confirm is not nil, it removes from a set the documents
// that do not match or that the page does not need.
func (r *ranking) rankByKind(matched docset.Dense, t *tier, confirm func(docset.Dense)) {
	n, worst := matched.Len(), r.levels.worst()
	t.worst = worst
	if n <= r.skip || n == 1 && r.report == nil || worst == MatchCorrected {
		if confirm != nil {
			confirm(matched)
			n = matched.Len()
		}
		r.emitSome(matched, n, t) // the order does not matter
		return
	}
	docs := r.takeDirty()
	for level := MatchCorrected; level <= worst && !r.isDone(); level++ {
		if !r.levels.has(level) {
			continue
		}
		docs.Copy(matched)
		if level < worst { // documents in matched match at the worst level
			r.retainMatching(docs, t.first, t.last, level)
			matched.AndNot(docs)
		}
		if confirm != nil && !docs.Empty() {
			confirm(docs)
		}
		t.worst = level
		r.emit(docs, t)
	}
	r.give(docs)
}

// retainMatching removes from a set the documents that do not match every word in the fields first to last
// with kinds up to worst. In a search by weight, it ignores words that a document does not contain. It begins
// with the word that made the previous set empty, because this word usually makes this set empty too.
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

// correction returns the correction of word i if a match needs it, and otherwise nil.
func (r *ranking) correction(i int) *correction {
	if s := r.misspelling; s != nil && s.words[i].isNeeded() {
		return &s.words[i]
	}
	return nil
}
