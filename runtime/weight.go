package runtime

import (
	"math"

	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// The numbers of the fallback by weight, which are the contract's: the letters from which a word alone may be
// what a document is found by, and the words of a sentence. Of that many, function words too, the weight of
// the words is asked for before the similarity of names, of fewer after it.
const (
	LongLetters   = 4
	SentenceWords = 5
)

// weightSteps is how many steps of weight there are to one: so weights are whole numbers, and sums of them
// exact.
const weightSteps = 64

// A weighing is what the words of the query weigh, by number, and what those weigh that each document holds.
type weighing struct {
	words []int
	sums  docset.Counter
	page  docset.Counter // the same of a ranking in a narrow scope
	docs  []column.Doc   // of that
}

// weightOf returns what a word weighs that n of all documents hold.
func weightOf(n, all int) int {
	if n == 0 {
		return 0
	}
	return int(math.Round(weightSteps * math.Log(1+float64(all)/float64(n))))
}

// sum makes sums what the words weigh that each document of a scope holds.
func (w *weighing) sum(sums *docset.Counter, a *arena) {
	all := 0
	for _, weight := range w.words {
		all += weight
	}
	sums.Reset(a.scope.Len(), all)
	for i, weight := range w.words {
		if weight > 0 {
			sums.AddTimes(a.holding(i), weight)
		}
	}
}

// weighed finds the documents that hold words of the query which together weigh at least half of what those
// of the best document do. One of these words has to be a long one.
func (m *matcher) weighed() match {
	if m.query.functionWords { // which weigh nothing
		return match{}
	}
	m.takeApart()
	words, a, w := m.query.words, m.whole, &m.weighing
	docs := a.take()
	for i := range words {
		if words[i].letters >= LongLetters && words[i].weighs() {
			docs.Or(a.holding(i))
		}
	}
	if docs.Empty() {
		return match{}
	}
	w.words = zeros(w.words, len(words))
	for i := range words {
		if words[i].weighs() {
			w.words[i] = weightOf(a.holding(i).Len(), m.index.Docs)
		}
	}
	w.sum(&w.sums, a)
	w.sums.FilterAtLeast(docs, (w.sums.Nth(docs, 1)+1)/2)
	f := found(stageWeighed, a, docs)
	f.weighing = w
	return f
}
