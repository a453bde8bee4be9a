package indexes

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"sabine/indexes/analysis"
)

// longPhrase is the number of words from which on a phrase may have a row in section KindPhrases: the documents of two
// words are a pair, or few have to be read.
const longPhrase = 3

// A phraseBuilder finds the documents of the phrases of section KindPhrases. Without it a query for Großraumbüro, which
// is a curated synonym of open plan office, read the streams of a tenth of the catalogue.
type phraseBuilder struct {
	texts   []string // ascending
	words   [][]byte // of each text, as a stream has them
	refs    []fieldRefs
	byFirst map[uint64][]int // the first word of texts, as a stream has it, to their places
	begins  []bool           // by word as a stream has it: it is the first of a text
}

// newPhraseBuilder returns a builder for a vocabulary and the words of a catalogue, which ascend.
func newPhraseBuilder(vocabulary []Vocabulary, words []string) *phraseBuilder {
	b := &phraseBuilder{byFirst: map[uint64][]int{}, begins: make([]bool, len(words)+1)}
	add := func(text string) {
		if strings.Count(text, " ")+1 >= longPhrase {
			b.texts = append(b.texts, text)
		}
	}
	for _, v := range vocabulary {
		for i := range v.Values {
			for _, text := range valueTexts(&v.Values[i]) {
				add(text)
			}
			for _, synonym := range v.Values[i].Synonyms {
				add(analysis.Key(synonym))
			}
		}
	}
	analysis.Listed(func(s *analysis.Synonym) {
		if strings.Count(s.Key, " ")+1 < longPhrase {
			return
		}
		start, _ := slices.BinarySearch(words, s.Last)
		for _, word := range words[start:] {
			if !strings.HasPrefix(word, s.Last) {
				break
			}
			if s.HasForm(word) {
				add(strings.TrimSuffix(s.Key, s.Last) + word)
			}
		}
	})
	slices.Sort(b.texts)
	b.texts = slices.DeleteFunc(slices.Compact(b.texts), func(text string) bool { return !b.place(text, words) })
	b.refs = make([]fieldRefs, len(b.texts))
	return b
}

// place puts a text behind those that are in their places; ok is false when one of its words is not among the words.
func (b *phraseBuilder) place(text string, words []string) (ok bool) {
	var terms []Term
	for word := range strings.SplitSeq(text, " ") {
		t, ok := slices.BinarySearch(words, word)
		if !ok {
			return false
		}
		terms = append(terms, Term(t))
	}
	first := uint64(terms[0]) + 1
	b.byFirst[first] = append(b.byFirst[first], len(b.words))
	b.begins[first] = true
	b.words = append(b.words, appendWords(nil, terms))
	return true
}

// addStreams makes the sets of a field that has streams.
func (b *phraseBuilder) addStreams(f Field, streams *streamBuilder, sets *setBuilder) {
	docs := make([][]Doc, len(b.texts))
	streams.each(f, func(d Doc, stream []byte) {
		for len(stream) > 0 {
			word, n := binary.Uvarint(stream)
			if b.begins[word] {
				for _, i := range b.byFirst[word] {
					if k := len(docs[i]); bytes.HasPrefix(stream, b.words[i]) && (k == 0 || docs[i][k-1] != d) {
						docs[i] = append(docs[i], d)
					}
				}
			}
			stream = stream[n:]
		}
	})
	for i := range docs {
		b.refs[i][f] = sets.add(docs[i])
	}
}
