package runtime

import (
	"math/bits"

	"sabine/indexes"
)

// A ladder gives matches out in the order of relevance, rung by rung: each rung is a set, and stands in document order.
// It keeps those of the asked-for page and stops when the page is full, so a first page costs a few sets and no
// document is ever scored.
type ladder struct {
	scope indexes.Scope
	rest  indexes.Dense // matches that no rung has given out yet, as long as it is not done
	skip  int           // matches to pass over before the page begins
	need  int           // matches that the page still lacks
	docs  []indexes.Doc // the page
	top   Strategy      // of the first match
}

// done reports whether the page is full and the top strategy known.
func (l *ladder) done() bool { return l.need == 0 && l.top != StrategyNone }

// wanted is how many matches are needed until it is done.
func (l *ladder) wanted() int {
	if l.need == 0 {
		return 1 // that there is one says what the top is
	}
	return l.skip + l.need
}

// give gives a rung out, a subset of rest.
func (l *ladder) give(rung indexes.Dense, s Strategy) { l.giveSome(rung, rung.Len(), s) }

// giveSome gives out a rung that has n documents.
func (l *ladder) giveSome(rung indexes.Dense, n int, s Strategy) {
	if n == 0 {
		return
	}
	if l.top == StrategyNone {
		l.top = s
	}
	if n <= l.skip {
		l.skip -= n
	} else if l.need > 0 {
		before := len(l.docs)
		l.docs = appendDocs(l.docs, l.scope, rung, l.skip, l.need)
		l.skip, l.need = 0, l.need-(len(l.docs)-before)
	}
	if !l.done() {
		l.rest.AndNot(rung)
	}
}

// giveRow gives matches out in the order of the row: documents of rest, each once.
func (l *ladder) giveRow(row []indexes.Doc, s Strategy) {
	for _, d := range row {
		l.rest.Remove(d)
	}
	if len(row) > 0 && l.top == StrategyNone {
		l.top = s
	}
	passed := min(l.skip, len(row))
	row = row[passed:]
	row = row[:min(l.need, len(row))]
	l.docs = append(l.docs, row...)
	l.skip, l.need = l.skip-passed, l.need-len(row)
}

// appendDocs appends up to need documents of a set, in order, after the first skip.
func appendDocs(dst []indexes.Doc, scope indexes.Scope, set indexes.Dense, skip, need int) []indexes.Doc {
	start := len(dst)
	for i, word := range set {
		if skip > 0 {
			n := bits.OnesCount64(word)
			if n <= skip {
				skip -= n
				continue
			}
			for ; skip > 0; skip-- {
				word &= word - 1
			}
		}
		for ; word != 0 && len(dst)-start < need; word &= word - 1 {
			dst = append(dst, indexes.Doc(i*64+bits.TrailingZeros64(word)))
		}
		if len(dst)-start == need {
			break
		}
	}
	scope.Name(dst[start:])
	return dst
}

// strictBuckets are the strict buckets before fts, best first. Of category, what the query itself names comes before
// what a curated synonym of it names.
var strictBuckets = [...]struct {
	strategy Strategy
	into     func(*work, indexes.Dense) (some bool)
}{
	{StrategyExact, (*work).exactInto},
	{StrategyPrefix, (*work).prefixInto},
	{StrategyCategory, (*work).categoryInto},
	{StrategyCategory, (*work).curatedCategoryInto},
	{StrategyPhrase, (*work).phraseInto},
}

// rankStrict gives strict matches out: bucket by bucket, and fts by field and kind. So is category: who asks for Vorhang,
// a synonym of textiles, finds the curtains before the other textiles.
func (w *work) rankStrict(l *ladder) {
	for _, b := range strictBuckets {
		rung, some := w.take(), false
		if b.strategy == StrategyPhrase {
			some = w.firstPhrasesInto(rung, l.rest, l.wanted())
		} else {
			some = b.into(w, rung)
		}
		if !some {
			w.give(rung)
			continue
		}
		rung.And(l.rest)
		if b.strategy == StrategyCategory {
			w.rankByField(l, rung, b.strategy)
		} else {
			l.give(rung, b.strategy)
			w.give(rung)
		}
		if l.done() {
			return
		}
	}
	w.rankByField(l, w.takeCopy(l.rest), StrategyFTS)
}

// rankByField gives a group of matches out, which it consumes, by field and kind: those that hold a word only by a
// curated synonym after all others.
func (w *work) rankByField(l *ladder, group indexes.Dense, s Strategy) {
	if w.text.kinds.has(MatchCurated) {
		own := w.takeCopy(group)
		w.keepHolding(own, 0, indexes.NumFields-1, MatchSynonym)
		group.AndNot(own)
		w.rankFields(l, own, s, MatchSynonym)
	}
	w.rankFields(l, group, s, worstMatch)
}

// rankFields gives matches out, which it consumes, that hold every word in a way no worse than worst: first those in
// which one field holds all words, the better field first, then those in which fields together do, the fewer of the
// lesser ones the earlier.
func (w *work) rankFields(l *ladder, group indexes.Dense, s Strategy, worst MatchKind) {
	const last = indexes.NumFields - 1
	defer w.give(group)
	if n := group.Len(); n <= 1 { // there is no order
		l.giveSome(group, n, s)
		return
	}
	if l.done() {
		return
	}
	single := len(w.text.words) == 1 // whatever holds a single word, one field holds it
	for f := range indexes.NumFields {
		if single && f == last {
			w.rankByKind(l, group, f, f, s)
			return
		}
		w.rankHeld(l, group, f, f, s, worst)
		if l.done() {
			return
		}
	}
	for f := indexes.Field(1); f < last && !l.done(); f++ {
		w.rankHeld(l, group, 0, f, s, worst)
	}
	if !l.done() {
		w.rankByKind(l, group, 0, last, s)
	}
}

// rankHeld gives out, and takes from the group, the matches in which the fields from first to last hold all words in a
// way no worse than worst.
func (w *work) rankHeld(l *ladder, group indexes.Dense, first, last indexes.Field, s Strategy, worst MatchKind) {
	if !w.someHold(first, last) {
		return
	}
	held := w.takeCopy(group)
	w.keepHolding(held, first, last, worst)
	group.AndNot(held)
	w.rankByKind(l, held, first, last, s)
	w.give(held)
}

// someHold reports whether every word is in the fields from first to last of some document.
func (w *work) someHold(first, last indexes.Field) bool {
	for i := range w.text.words {
		if !w.someHoldWord(&w.text.words[i], first, last) {
			return false
		}
	}
	return true
}

func (w *work) someHoldWord(v *word, first, last indexes.Field) (some bool) {
	if v.near.wanted {
		return true
	}
	for i := range v.sources {
		s := &v.sources[i]
		if s.phrased || s.many {
			return true
		}
		for f := first; f <= last; f++ {
			if w.eachSet(s, f, func(set indexes.Set) { some = some || set.Len() > 0 }); some {
				return true
			}
		}
	}
	return false
}

// rankByKind gives matches out in which the fields from first to last hold all words, and consumes them: first those
// that hold every word as it is, and so on to the worst kind.
func (w *work) rankByKind(l *ladder, held indexes.Dense, first, last indexes.Field, s Strategy) {
	n := held.Len()
	if n <= max(l.skip, 1) || !w.text.kinds.beyond(MatchCorrected) { // there is no order, or, when the page is not here, it does not matter
		l.giveSome(held, n, s)
		return
	}
	rung := w.takeDirty()
	for k := MatchCorrected; w.text.kinds.beyond(k); k++ {
		if !w.text.kinds.has(k) {
			continue
		}
		rung.Copy(held)
		w.keepHolding(rung, first, last, k)
		held.AndNot(rung)
		l.give(rung, s)
		if l.done() {
			break
		}
	}
	w.give(rung)
	l.give(held, s)
}

// keepHolding takes from a set the documents that do not hold every word in the fields from first to last in a way no
// worse than worst.
func (w *work) keepHolding(set indexes.Dense, first, last indexes.Field, worst MatchKind) {
	holding := w.takeDirty()
	for i := range w.text.words {
		holding.Clear()
		w.wordInto(holding, &w.text.words[i], first, last, worst)
		set.And(holding)
		if set.Empty() {
			break
		}
	}
	w.give(holding)
}
