package dataset

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"sabine/dataset/nearest"
)

// Words finds the values of a family by words: the values themselves, their names in any language, and their
// synonyms.
type Words struct {
	open     bool              // whether the family is undeclared, so that any word is a value
	values   map[string]string // value by folded word
	known    []string          // all words
	family   string
	meanings map[wordsKey]Meaning // cache of earlier results, because tables repeat strings
	searched int                  // number of words for which the nearest word was searched
}

// A Meaning is the result of Words.Read.
type Meaning struct {
	Values   string   // distinct values, joined by ListMark
	Unknown  string   // words that are not in the vocabulary, joined by commas
	Problems []string // a problem for each unknown word
}

// ListMark separates the values of a Meaning.
const ListMark = "\x00"

// A wordsKey contains the arguments to Words.Read.
type wordsKey struct {
	text         string
	isList, asIs bool
}

// NewWords returns the words for a family. If the vocabulary does not declare the family, the sample
// vocabulary applies. The vocabulary can be nil.
func NewWords(v *Vocabulary, family string) *Words {
	if v == nil {
		v = &Vocabulary{}
	}
	terms, declared := v.Families[family]
	if !declared {
		terms = sampleVocabulary().Families[family]
	}
	w := &Words{open: !declared, family: family, values: map[string]string{}, meanings: map[wordsKey]Meaning{}}
	values := slices.Sorted(maps.Keys(terms)) // a word for several values means the first value in this order
	for _, value := range values {
		w.add(value, value)
	}
	for _, value := range values {
		for _, locale := range slices.Sorted(maps.Keys(terms[value].Names)) {
			w.add(value, terms[value].Names[locale])
		}
	}
	for _, value := range values {
		for _, synonym := range terms[value].Synonyms {
			w.add(value, synonym)
		}
	}
	return w
}

// add adds a word for a value. A word that already has a value does not change.
func (w *Words) add(value, word string) {
	w.known = append(w.known, word)
	if word = foldWord(word); w.values[word] == "" {
		w.values[word] = value
	}
}

// maxNearest is the maximum number of searches for the nearest word. A search compares all words.
const maxNearest = 1000

// Read returns the meaning of a string. The string is a word or, if isList is true, words with separators or
// a JSON array of strings. Words match regardless of case, accents, hyphens and spaces. If asIs is true, the
// words of an open family are values without a lookup, as in an export.
func (w *Words) Read(text string, isList, asIs bool) Meaning {
	m, cached := w.meanings[wordsKey{text, isList, asIs}]
	if cached {
		return m
	}
	words := []string{text}
	if isList {
		words = splitList(text)
	}
	var known, unknown []string
	for _, word := range words {
		value := w.values[foldWord(word)]
		switch {
		case w.open && (asIs || value == ""):
			value = word
		case value == "":
			unknown = append(unknown, word)
			m.Problems = append(m.Problems, w.problem(word))
			continue
		}
		if !slices.Contains(known, value) {
			known = append(known, value)
		}
	}
	m.Values, m.Unknown = strings.Join(known, ListMark), strings.Join(unknown, ", ")
	w.meanings[wordsKey{strings.Clone(text), isList, asIs}] = m // do not retain a longer string that contains it
	return m
}

// problem returns the message for a word that is not in the vocabulary, with the nearest word.
func (w *Words) problem(word string) string {
	problem := Quoted(word) + " is not in the vocabulary of " + w.family
	if w.searched++; w.searched <= maxNearest {
		if near := nearest.Name(word, w.known); near != "" {
			problem += "; the nearest word is " + Quoted(near)
		}
	}
	return problem + "; stored as text in structured_meta"
}

// splitList splits a list of words or reads a JSON array of strings.
func splitList(text string) (words []string) {
	if strings.HasPrefix(text, "[") && json.Unmarshal([]byte(text), &words) == nil {
		return words
	}
	words = nil // Unmarshal can have decoded some of them
	isSeparator := func(r rune) bool { return strings.ContainsRune(",;|/\n", r) }
	for word := range strings.FieldsFuncSeq(text, isSeparator) {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}

func foldWord(word string) string { return strings.ReplaceAll(SlugOf(word), "-", "") }

// sampleVocabulary returns the sample vocabulary.
var sampleVocabulary = sync.OnceValue(func() *Vocabulary {
	isOther := func(in Input) bool { return !IsVocabularyName(in.Name) }
	r := NewReader(slices.DeleteFunc(Sample(), isOther))
	r.Context = context.Background()
	for _, err := range r.Records() {
		panic("read the vocabulary of the sample: " + err.Error()) // a bug in the embedded file
	}
	return r.Vocabulary()
})
