package indexes

import (
	"bytes"
	"encoding/binary"
	"slices"
	"strings"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
)

// longPhrase is the number of words from which on a phrase may have a row in section KindPhrases: the documents of two
// words are a pair, or few have to be read.
const longPhrase = 3

// A phraseBuilder finds the documents of the phrases of section KindPhrases. Without it a query for Großraumbüro, which
// is a curated synonym of open plan office, read the words of a tenth of the catalogue.
type phraseBuilder struct {
	texts   []string // ascending
	placed  int      // how many of them have their place
	refs    []fieldRefs
	byFirst [][]phrase // by the first word, as a stream has it
}

// A phrase is the words of a text, as a stream has them, and the place of the text.
type phrase struct {
	words []byte
	place int
}

// newPhraseBuilder returns a builder for a vocabulary and the words of a catalogue, which ascend.
func newPhraseBuilder(vocabulary []Vocabulary, words []string) *phraseBuilder {
	b := &phraseBuilder{byFirst: make([][]phrase, len(words)+1)}
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
	first := terms[0] + 1
	b.byFirst[first] = append(b.byFirst[first], phrase{appendWords(nil, terms), b.placed})
	b.placed++
	return true
}

// addStreams makes the sets of a field that has streams.
func (b *phraseBuilder) addStreams(f Field, forward *forwardBuilder, sets *docset.Builder) {
	docs := make([][]column.Doc, len(b.texts))
	forward.each(f, func(d column.Doc, stream []byte) {
		for len(stream) > 0 {
			word, n := binary.Uvarint(stream)
			for _, phrase := range b.byFirst[word] {
				if k := len(docs[phrase.place]); bytes.HasPrefix(stream, phrase.words) && (k == 0 || docs[phrase.place][k-1] != d) {
					docs[phrase.place] = append(docs[phrase.place], d)
				}
			}
			stream = stream[n:]
		}
	})
	for i := range docs {
		b.refs[i][f] = sets.Add(docs[i])
	}
}
