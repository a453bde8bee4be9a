package runtime

import (
	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A tier is what matches that are given out together have in common: all that they are ordered by before the
// document order. It is filled in on the way to emit, and what the order has not asked for is not told.
type tier struct {
	strategy       Strategy
	field          indexes.Field // of prefix, category and phrase: the best that holds the query so
	inside         bool          // of prefix: the query ends inside a word
	bySynonym      bool          // of category: a curated synonym of the query names the value, and not the query
	needsCurated   bool          // some word is held by a curated synonym alone, or by the dictionary
	first, last    indexes.Field // the fields that together hold all words
	partly         bool          // the only word is short, and stands in no field after the names whole
	worst          MatchKind
	corrected, far int        // words that are corrected, and those of them at distance 2: of fuzzy
	similarity     similarity // of trigram by similar names
	weight         int        // of trigram by the weight of words
}

// A ranking gives matches out in the order of relevance, tier by tier: each tier is a set, and stands in
// document order. It keeps those of the asked-for page and stops when the page is full, so a first page costs
// a few sets and no document is ever scored.
type ranking struct {
	match
	levels levelSet
	rest   docset.Dense // matches that no tier has given out yet, as long as it is not done
	skip   int          // matches to pass over before the page begins
	need   int          // matches that the page still lacks
	page   []column.Doc
	top    Strategy // of the first match
	scores []score  // memory
	rare   int      // the word, by its number, that has emptied a set last

	// note, unless it is nil, is told the tier of every match that is given out, by its place in the scope. Then
	// every tier is worked out, also where the page does not depend on it.
	report func(place column.Doc, r tier)
}

// rank gives out the matches that rest has.
func (r *ranking) rank() {
	r.levels = r.query.levels
	switch r.stage {
	case stageStrict:
		r.rankStrict()
	case stageFuzzy:
		r.levels.add(MatchCorrected)
		r.levels |= r.misspelling.levels
		r.rankFuzzy()
	case stageSimilar:
		r.rankBySimilarity()
	case stageWeighed:
		r.rankByWeight()
	}
}

// isDone reports whether the page is full and the top strategy known.
func (r *ranking) isDone() bool { return r.need == 0 && r.top != StrategyNone }

// wanted is how many matches are needed until it is done.
func (r *ranking) remaining() int {
	if r.need == 0 {
		return 1 // that there is one says what the top is
	}
	return r.skip + r.need
}

// emit gives a tier out, whose documents are a subset of rest.
func (r *ranking) emit(docs docset.Dense, t *tier) { r.emitSome(docs, docs.Len(), t) }

// emitSome gives out a tier that has n documents.
func (r *ranking) emitSome(docs docset.Dense, n int, t *tier) {
	if n == 0 {
		return
	}
	if r.top == StrategyNone {
		r.top = t.strategy
	}
	if r.report != nil {
		for place, ok := docs.Next(0); ok; place, ok = docs.Next(place + 1) {
			r.report(place, *t)
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
func (r *ranking) emitOne(place column.Doc, t *tier) {
	r.rest.Remove(place)
	if r.top == StrategyNone {
		r.top = t.strategy
	}
	if r.report != nil {
		r.report(place, *t)
	}
	if r.skip > 0 {
		r.skip--
	} else if r.need > 0 {
		r.page = append(r.page, r.scope.At(place))
		r.need--
	}
}

// rankStrict gives strict matches out, bucket by bucket.
func (r *ranking) rankStrict() {
	for _, rank := range [...]func(*ranking){(*ranking).rankWhole, (*ranking).rankValues, (*ranking).rankPhrases} {
		if rank(r); r.isDone() {
			return
		}
	}
	r.rankByField(r.takeCopy(r.rest), &tier{strategy: StrategyFTS})
}

// prefixTiers are those of prefix, the best first: the ends of words before the others, and names before
// manufacturers.
var prefixTiers = [...]tier{
	{strategy: StrategyPrefix, field: indexes.FieldName},
	{strategy: StrategyPrefix, field: indexes.FieldManufacturer},
	{strategy: StrategyPrefix, field: indexes.FieldName, inside: true},
}

// rankWhole gives the matches of exact and prefix out, in document order.
func (r *ranking) rankWhole() {
	docs := r.take()
	defer r.give(docs)
	if r.exactInto(docs) {
		docs.And(r.rest)
		r.emit(docs, &tier{strategy: StrategyExact})
	}
	for i := range prefixTiers {
		if r.isDone() {
			return
		}
		t := &prefixTiers[i]
		if docs.Clear(); r.beginningInto(docs, t.field, t.inside) {
			docs.And(r.rest)
			r.emit(docs, t)
		}
	}
}

// rankValues gives the matches of category out: by the best field that holds all words, then those whose
// value the query itself names, then in the order of fts. So who asks for Vorhang, a synonym of textiles,
// finds the curtains before the other textiles.
func (r *ranking) rankValues() {
	named := [...][]value{r.query.named, r.query.namedBySynonym}
	if len(named[0])+len(named[1]) == 0 {
		return
	}
	docs := r.take()
	for _, values := range named {
		r.valuesInto(docs, values)
	}
	docs.And(r.rest)
	for f := indexes.Field(0); f <= indexes.NumFields && !r.isDone() && !docs.Empty(); f++ {
		held := r.takeCopy(docs)
		if f < indexes.NumFields { // behind the last stands what no field holds
			r.retainMatching(held, f, f, worstMatch)
			docs.AndNot(held)
		}
		for i, values := range named {
			if len(values) > 0 && !r.isDone() {
				of := r.take()
				r.valuesInto(of, values)
				of.And(held)
				held.AndNot(of)
				r.rankByField(of, &tier{strategy: StrategyCategory, field: f, bySynonym: i == 1})
			}
		}
		r.give(held)
	}
	r.give(docs)
}

// rankPhrases gives the matches of phrase out: by the best field that holds the phrase, then in the order of
// fts. By that all words are by any own kind in a better field than the phrase's, or else in that, as they
// are.
func (r *ranking) rankPhrases() {
	var room [16]indexes.Term // on the stack
	terms, ok := r.phraseTerms(room[:0])
	if !ok {
		return
	}
	left, group, found, scratch := r.takeDirty(), r.takeDirty(), r.takeDirty(), r.takeDirty()
	for f := indexes.Field(0); f < indexes.NumFields && !r.isDone(); f++ {
		if !r.mayContain(terms, f) {
			continue
		}
		// To find the phrase in a document, its text has to be read, but for phrases that are stored. So
		// all of rest are candidates, and of each tier only those are read that the page needs.
		left.Copy(r.rest)
		confirm := func(of docset.Dense) {
			found.Clear()
			r.index.FirstPhrasesInto(found, scratch, r.scope, f, terms, of, r.remaining())
			of.And(found)
		}
		if f > 0 && r.storedPhrases(left, found, scratch, f, terms) {
			confirm = nil
		}
		for better := indexes.Field(0); better < f && r.need > 0 && !left.Empty(); better++ {
			group.Copy(left)
			if r.retainMatching(group, better, better, worstDirect); group.Empty() {
				continue
			}
			left.AndNot(group)
			r.rankByKind(group, &tier{strategy: StrategyPhrase, field: f, first: better, last: better}, confirm)
		}
		if confirm != nil && !r.isDone() {
			confirm(left)
		}
		r.emit(left, &tier{strategy: StrategyPhrase, field: f, first: f, last: f, worst: MatchCorrected})
	}
	for _, set := range [...]docset.Dense{left, group, found, scratch} {
		r.give(set)
	}
}

// storedPhrases keeps of a set the documents that hold a phrase in a field, if they are known without
// reading texts of more than one. Most often there are none.
func (r *ranking) storedPhrases(docs, found, scratch docset.Dense, f indexes.Field, terms []indexes.Term) (known bool) {
	wanted := 0
	if !r.scope.All() {
		wanted = 1
	}
	found.Clear()
	if known = r.index.FirstPhrasesInto(found, scratch, r.scope, f, terms, docs, wanted); known {
		docs.And(found)
	}
	return known
}

// rankFuzzy gives fuzzy matches out: first those with the fewest corrected words; among these, first those
// with the smallest distance, which have the fewest corrections at distance 2; then in the order of fts.
func (r *ranking) rankFuzzy() {
	m := r.misspelling
	rest, alike, docs := r.takeCopy(r.rest), r.takeDirty(), r.takeDirty()
	m.corrected.Ascend(rest, alike, func(corrected int) bool {
		return m.far.Ascend(alike, docs, func(far int) bool {
			r.rankByField(r.takeCopy(docs), &tier{strategy: StrategyFuzzy, corrected: corrected, far: far})
			return !r.isDone()
		})
	})
}
