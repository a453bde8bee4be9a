package runtime

import (
	"math"

	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// The numbers of the fallback by weight, which are part of the contract: the minimum number of letters in a
// word that can find a document on its own, and the minimum number of words in a sentence, including function
// words. For a sentence, the search tries weights before the similarity of names; for other queries, after
// it.
const (
	LongLetters   = 4
	SentenceWords = 5
)

// weightSteps is the number of steps in a weight of 1. Weights are therefore integers with exact sums.
const weightSteps = 64

// A weighing contains the weights of the query's words, by number, and the sum of weights for each document.
type weighing struct {
	words []int
	sums  docset.Counter
	page  docset.Counter // sums for a ranking in a narrow scope
	docs  []column.Doc   // documents of this narrow scope
}

// weightOf returns the weight of a word that n of all documents contain.
func weightOf(n, all int) int {
	if n == 0 {
		return 0
	}
	return int(math.Round(weightSteps * math.Log(1+float64(all)/float64(n))))
}

// sum computes, for each document in a scope, the sum of the weights of the words that it contains.
func (w *weighing) sum(sums *docset.Counter, a *arena) {
	all := 0
	for _, weight := range w.words {
		all += weight
	}
	sums.Reset(a.scope.Len(), all)
	for i, weight := range w.words {
		if weight > 0 {
			sums.AddTimes(a.docsWith(i), weight)
		}
	}
}

// weighed finds the documents whose words have at least half of the weight of the best document's words. At
// least one of the words must be long.
func (m *matcher) weighed() match {
	if m.query.functionWords { // function words have no weight
		return match{}
	}
	m.splitCompounds()
	words, a, w := m.query.words, m.whole, &m.weighing
	docs := a.take()
	for i := range words {
		if words[i].letters >= LongLetters && words[i].weighs() {
			docs.Or(a.docsWith(i))
		}
	}
	if docs.Empty() {
		return match{}
	}
	w.words = zeros(w.words, len(words))
	for i := range words {
		if words[i].weighs() {
			w.words[i] = weightOf(a.docsWith(i).Len(), m.index.Docs)
		}
	}
	w.sum(&w.sums, a)
	w.sums.FilterAtLeast(docs, (w.sums.Nth(docs, 1)+1)/2)
	f := found(stageWeighed, a, docs)
	f.weighing = w
	return f
}
