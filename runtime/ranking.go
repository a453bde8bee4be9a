package runtime

import (
	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// A tier is a group of matches with equal sort keys before the document order. Its fields are the sort keys;
// keys that were not needed are zero.
type tier struct {
	strategy       Strategy
	field          indexes.Field // for prefix, category and phrase: the best field that matches; NumFields: none
	inside         bool          // for prefix: whether the query ends inside a word
	bySynonym      bool          // for category: whether only a curated synonym of the query names the value
	needsCurated   bool          // whether a word matches only by a curated synonym or the dictionary
	first, last    indexes.Field // fields that together match all words
	partly         bool          // the only word is short, and no field after the names contains it as a word
	worst          MatchKind
	corrected, far int        // for fuzzy: number of corrected words, and of those at distance 2
	similarity     similarity // for trigram by similar names: the similarity
	weight         int        // for trigram by the weight of words: the weight
}

// A ranking produces matches in the order of relevance, tier by tier. A tier is a set in document order. The
// ranking stops when the page is full, so a first page needs only a few sets and no scores of documents.
type ranking struct {
	match
	levels levelSet
	rest   docset.Dense // matches not emitted yet; not maintained when done
	skip   int          // number of matches before the page
	need   int          // number of matches missing from the page
	page   []column.Doc
	top    Strategy // bucket of the first match
	scores []score  // memory that is reused
	rare   int      // number of the word that last made a set empty

	// If report is not nil, it is called for every emitted match, with the position of the match in the scope and
	// its tier. All tiers are then computed, even if the page does not depend on them.
	report func(place column.Doc, t tier)
}

// rank emits the matches in rest, in order.
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

// isDone reports whether the page is full and the top strategy is known.
func (r *ranking) isDone() bool { return r.need == 0 && r.top != StrategyNone }

// remaining returns the number of matches needed until the ranking is done.
func (r *ranking) remaining() int {
	if r.need == 0 {
		return 1 // one match is enough to determine top
	}
	return r.skip + r.need
}

// emit adds a tier, whose documents must be a subset of rest, to the page.
func (r *ranking) emit(docs docset.Dense, t *tier) { r.emitSome(docs, docs.Len(), t) }

// emitSome is like emit, for a tier with n documents.
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

// emitOne emits one document of rest, given its position in the scope.
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

// rankStrict emits strict matches by bucket.
func (r *ranking) rankStrict() {
	for _, rank := range [...]func(*ranking){(*ranking).rankWhole, (*ranking).rankValues, (*ranking).rankPhrases} {
		if rank(r); r.isDone() {
			return
		}
	}
	r.rankByField(r.takeCopy(r.rest), &tier{strategy: StrategyFTS})
}

// prefixTiers lists the tiers of prefix, best first. Queries that end at the end of a word come before other
// queries, and names before manufacturers.
var prefixTiers = [...]tier{
	{strategy: StrategyPrefix, field: indexes.FieldName},
	{strategy: StrategyPrefix, field: indexes.FieldManufacturer},
	{strategy: StrategyPrefix, field: indexes.FieldName, inside: true},
}

// rankWhole emits the matches of exact and prefix, in document order.
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

// rankValues emits the matches of category, ordered by the best field with all words, then by whether the
// query itself names the value, then as in fts. So Vorhang, a synonym of textiles, finds curtains before
// other textiles.
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
		matched := r.takeCopy(docs)
		if f < indexes.NumFields { // in the last group, no field contains all words
			r.retainMatching(matched, f, f, worstMatch)
			docs.AndNot(matched)
		}
		for i, values := range named {
			if len(values) > 0 && !r.isDone() {
				of := r.take()
				r.valuesInto(of, values)
				of.And(matched)
				matched.AndNot(of)
				r.rankByField(of, &tier{strategy: StrategyCategory, field: f, bySynonym: i == 1})
			}
		}
		r.give(matched)
	}
	r.give(docs)
}

// rankPhrases emits the matches of phrase, ordered by the best field with the phrase, then as in fts: first
// the direct matches of all words in a better field than the phrase's field.
func (r *ranking) rankPhrases() {
	var room [16]indexes.Term // allocated on the stack
	terms, ok := r.phraseTerms(room[:0])
	if !ok {
		return
	}
	left, group, found, scratch := r.takeDirty(), r.takeDirty(), r.takeDirty(), r.takeDirty()
	for f := indexes.Field(0); f < indexes.NumFields && !r.isDone(); f++ {
		if !r.mayContain(terms, f) {
			continue
		}
		// To find a phrase that is not stored, the text of a document must be read. Therefore all documents in rest
		// are candidates, and only those in a tier that the page needs are read.
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

// storedPhrases retains the documents that contain a phrase in a field, if reading the text of at most one
// document is enough to know this. Usually no document contains the phrase.
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

// rankFuzzy emits fuzzy matches, ordered by the number of corrected words, then by the number of corrections
// at distance 2, then as in fts.
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
