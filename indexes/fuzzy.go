package indexes

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/blevesearch/vellum"
	"github.com/blevesearch/vellum/levenshtein"

	"sabine/indexes/snapshot"
)

// Section KindTermFST is a finite state transducer from every word of KindTerms to its Term, as package vellum writes
// it, version 1 of its format.

// Fuzzy finds the words within an edit distance.
type Fuzzy struct{ fst *vellum.FST }

// A Near is a word and its distance from the word asked for.
type Near struct {
	Term     Term
	Distance int
}

// maxEdits is the largest distance that is asked for.
const maxEdits = 2

// automata makes the Levenshtein automata of each distance. Preparing them is the dear part and done once.
var automata = sync.OnceValues(func() (builders [maxEdits]*levenshtein.LevenshteinAutomatonBuilder, err error) {
	for i := range builders {
		builder, e := levenshtein.NewLevenshteinAutomatonBuilder(uint8(i+1), true)
		builders[i], err = builder, errors.Join(err, e)
	}
	return builders, err
})

// openFuzzy reads section KindTermFST.
func openFuzzy(section []byte) (z *Fuzzy, err error) {
	defer onDamage(func(cause any) {
		err = corrupt(KindTermFST, 0, fmt.Sprintf("a transducer of the words: %v", cause))
	})
	fst, err := vellum.Load(section)
	if err != nil {
		return nil, corrupt(KindTermFST, 0, "a transducer of the words: "+err.Error())
	}
	return &Fuzzy{fst}, nil
}

// onDamage calls damaged when package vellum panics, which reads a damaged transducer without checking bounds. To be
// deferred. A fault in the mapping is not for it: that is the reader's who holds the file.
func onDamage(damaged func(cause any)) {
	cause := recover()
	if cause == nil {
		return
	}
	if _, isFault := cause.(interface{ Addr() uintptr }); isFault {
		panic(cause)
	}
	damaged(cause)
}

// Near appends the words within distance (1 or 2; a transposition of neighbours counts 1) of word, by distance, then
// term. The word itself is at distance 0. Letters are counted, not bytes. A damaged transducer has no words.
func (z *Fuzzy) Near(dst []Near, word string, distance int) (near []Near) {
	defer onDamage(func(any) { near = dst })
	builders, err := automata()
	if err != nil || distance < 1 {
		return dst
	}
	automaton, err := builders[min(distance, maxEdits)-1].BuildDfa(word, uint8(min(distance, maxEdits)))
	if err != nil {
		return dst
	}
	near = dst
	found, err := z.fst.Search(automaton, nil, nil)
	for ; err == nil; err = found.Next() {
		key, term := found.Current()
		if ok, edits := automaton.MatchAndDistance(byteString(key)); ok {
			near = append(near, Near{Term(term), int(edits)})
		}
	}
	slices.SortFunc(near[len(dst):], func(a, b Near) int {
		return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Term, b.Term))
	})
	return near
}

// check holds the transducer against the words.
func (z *Fuzzy) check(terms *Terms) (err error) {
	defer onDamage(func(cause any) { err = corrupt(KindTermFST, 0, fmt.Sprintf("a transducer: %v", cause)) })
	if n := z.fst.Len(); n != terms.Len() {
		return corrupt(KindTermFST, 0, fmt.Sprintf("%d words, not %d", terms.Len(), n))
	}
	var faults faultList
	for i := range Term(terms.Len()) {
		number, ok, err := z.fst.Get([]byte(terms.Word(i)))
		if err != nil || !ok || number != uint64(i) {
			faults.add(KindTermFST, 0, fmt.Sprintf("the word %q with number %d", terms.Word(i), i))
		}
	}
	return faults.err()
}

// writeFuzzy writes section KindTermFST for words in ascending order.
func writeFuzzy(w *snapshot.Writer, words []string) error {
	section, err := w.Section(KindTermFST, columnAlign)
	if err != nil {
		return err
	}
	builder, err := vellum.New(section, nil)
	if err != nil {
		return err
	}
	for i, word := range words {
		if err := builder.Insert([]byte(word), uint64(i)); err != nil {
			return err
		}
	}
	return builder.Close()
}
