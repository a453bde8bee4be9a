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

// Words find the values of a family of the vocabulary by the words that people have for them: the values
// themselves, their names in any language, and their synonyms.
type Words struct {
	open     bool              // the inputs do not declare the family: any other word is a value as well
	values   map[string]string // by folded word
	known    []string          // the words
	family   string
	meanings map[meant]Meaning // of texts that were read: tables repeat themselves
	searched int               // for how many words the nearest was searched
}

// A Meaning is what a text means.
type Meaning struct {
	Values   string   // each once, joined by ListMark
	Unknown  string   // the words that the vocabulary lacks, joined by commas
	Problems []string // one for each of these
}

// ListMark separates the values of a Meaning.
const ListMark = "\x00"

// meant is a text that was read, and how.
type meant struct {
	text         string
	isList, asIs bool
}

// NewWords returns the words of a family. A family that the vocabulary does not declare has those of the
// sample. The vocabulary may be nil.
func NewWords(v *Vocabulary, family string) *Words {
	if v == nil {
		v = &Vocabulary{}
	}
	terms, declared := v.Families[family]
	if !declared {
		terms = sampleVocabulary().Families[family]
	}
	w := &Words{open: !declared, family: family, values: map[string]string{}, meanings: map[meant]Meaning{}}
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

// maxNearest is for how many words the nearest known one is searched: each is compared with all.
const maxNearest = 1000

// Read returns what a text means: a word or, if isList, several words with separators between them or a JSON
// array of texts. Case, accents, hyphens and blanks of a word do not count. If asIs, the words of an open
// family are values as they are, as in our own export.
func (w *Words) Read(text string, isList, asIs bool) Meaning {
	m, again := w.meanings[meant{text, isList, asIs}]
	if again {
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
	w.meanings[meant{strings.Clone(text), isList, asIs}] = m // the text may be a part of a long one
	return m
}

// problem says that a word is not in the vocabulary, and which word is the nearest.
func (w *Words) problem(word string) string {
	problem := Quoted(word) + " is not in the vocabulary of " + w.family
	if w.searched++; w.searched <= maxNearest {
		if near := nearest.Name(word, w.known); near != "" {
			problem += ", the nearest word is " + Quoted(near)
		}
	}
	return problem + ": kept in structured_meta"
}

// splitList splits a list of words, which may be a JSON array of texts.
func splitList(text string) (words []string) {
	if strings.HasPrefix(text, "[") && json.Unmarshal([]byte(text), &words) == nil {
		return words
	}
	words = nil
	isSeparator := func(r rune) bool { return strings.ContainsRune(",;|/\n", r) }
	for word := range strings.FieldsFuncSeq(text, isSeparator) {
		if word = strings.TrimSpace(word); word != "" {
			words = append(words, word)
		}
	}
	return words
}

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
