package dataset

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"sabine/dataset/nearest"
)

// Words find the values of a family of the vocabulary by the words that people have for them: the values themselves,
// their names in any language, and their synonyms.
type Words struct {
	Open   bool              // the inputs do not declare the family: any other word is a value as well
	values map[string]string // by folded word
	known  []string          // the words
}

// NewWords returns the words of a family. A family that the vocabulary does not declare has those of the sample. The
// vocabulary may be nil.
func NewWords(v *Vocabulary, family string) *Words {
	if v == nil {
		v = &Vocabulary{}
	}
	terms, declared := v.Families[family]
	if !declared {
		terms = sampleVocabulary().Families[family]
	}
	w := &Words{Open: !declared, values: map[string]string{}}
	values := slices.Sorted(maps.Keys(terms)) // a word of several values is that of the least
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

// add adds a word for a value. The first value of a word stays.
func (w *Words) add(value, word string) {
	w.known = append(w.known, word)
	if word = foldWord(word); w.values[word] == "" {
		w.values[word] = value
	}
}

// Value returns the value of a word, whatever its case, accents, hyphens and blanks; "" for an unknown word.
func (w *Words) Value(word string) string { return w.values[foldWord(word)] }

// Nearest returns the known word that is nearest to another, "" if none is near. It compares the word with all.
func (w *Words) Nearest(word string) string { return nearest.Name(word, w.known) }

func foldWord(word string) string { return strings.ReplaceAll(SlugOf(word), "-", "") }

// sampleVocabulary is the vocabulary inside the binary.
var sampleVocabulary = sync.OnceValue(func() *Vocabulary {
	isOther := func(in Input) bool { return !strings.HasSuffix(in.Name, "vocabulary.json") }
	r := NewReader(slices.DeleteFunc(Sample(), isOther))
	r.Context = context.Background()
	for _, err := range r.Records() {
		panic("the sample's vocabulary: " + err.Error()) // a bug of ours
	}
	return r.Vocabulary()
})
