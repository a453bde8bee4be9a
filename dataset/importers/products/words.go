package products

import (
	"context"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/nearest"
)

// words find the values of the vocabulary by the words that tables have for them.
type words struct {
	families map[columns.Field]family
	meanings map[cellWords]meaning // of cells that were looked up: tables repeat themselves
	searched int                   // for how many words the nearest was searched
}

// A family is the values of a field of the vocabulary.
type family struct {
	values map[string]string // by folded word
	known  []string          // the words
	open   bool              // the inputs do not declare it: any other word is a value as it is
}

// A cellWords is a cell with values of a family; ours: of our own export, which has values of open families
// as they are.
type cellWords struct {
	field columns.Field
	text  string
	ours  bool
}

// A meaning is what a cell means.
type meaning struct {
	known    string   // the values, joined by listMark
	others   string   // the words that the vocabulary lacks
	problems []string // one for each of these
}

// listMark separates the values of a list.
const listMark = "\x00"

// newWords takes the families that a vocabulary declares, and those of the sample that it does not.
func newWords(v *dataset.Vocabulary) words {
	w := words{families: map[columns.Field]family{}, meanings: map[cellWords]meaning{}}
	if v == nil {
		v = &dataset.Vocabulary{}
	}
	for _, f := range []columns.Field{columns.Category, columns.Character, columns.Installation} {
		terms, declared := v.Families[string(f)]
		if !declared {
			terms = sampleVocabulary().Families[string(f)]
		}
		w.families[f] = newFamily(terms, !declared)
	}
	return w
}

// sampleVocabulary is the vocabulary inside the binary.
var sampleVocabulary = sync.OnceValue(func() *dataset.Vocabulary {
	isOther := func(in dataset.Input) bool { return !strings.HasSuffix(in.Name, "vocabulary.json") }
	inputs := slices.DeleteFunc(dataset.Sample(), isOther)
	r := dataset.NewReader(inputs)
	r.Context = context.Background()
	for _, err := range r.Records() {
		panic("the sample's vocabulary: " + err.Error()) // a bug of ours
	}
	return r.Vocabulary()
})

// newFamily takes values before names and names before synonyms. A word of several values is that of the
// least.
func newFamily(terms map[string]dataset.Term, open bool) family {
	f := family{values: map[string]string{}, open: open}
	take := func(value, word string) {
		f.known = append(f.known, word)
		if word = foldWord(word); f.values[word] == "" {
			f.values[word] = value
		}
	}
	values := slices.Sorted(maps.Keys(terms))
	for _, value := range values {
		take(value, value)
	}
	for _, value := range values {
		for _, locale := range slices.Sorted(maps.Keys(terms[value].Names)) {
			take(value, terms[value].Names[locale])
		}
	}
	for _, value := range values {
		for _, synonym := range terms[value].Synonyms {
			take(value, synonym)
		}
	}
	return f
}

// foldWord drops case, marks, hyphens and blanks of a word.
func foldWord(word string) string { return strings.ReplaceAll(dataset.SlugOf(word), "-", "") }

// maxNearest is for how many words the nearest known one is searched: each is compared with all.
const maxNearest = 1000

// of returns what a cell means.
func (w *words) of(c cellWords) meaning {
	m, again := w.meanings[c]
	if again {
		return m
	}
	var known, others []string
	f := w.families[c.field]
	for _, word := range c.split() {
		value := f.values[foldWord(word)]
		switch {
		case f.open && (c.ours || value == ""):
			value = word
		case value == "":
			others = append(others, word)
			problem := dataset.Quoted(word) + " is not in the vocabulary of " + string(c.field)
			if w.searched++; w.searched <= maxNearest {
				if near := nearest.Name(word, f.known); near != "" {
					problem += ", the nearest word is " + dataset.Quoted(near)
				}
			}
			m.problems = append(m.problems, problem+": kept in structured_meta")
			continue
		}
		if !slices.Contains(known, value) {
			known = append(known, value)
		}
	}
	m.known, m.others = strings.Join(known, listMark), strings.Join(others, ", ")
	w.meanings[c] = m
	return m
}

// split splits a cell of installation types, which may be a JSON array of texts.
func (c *cellWords) split() (values []string) {
	if c.field != columns.Installation {
		return []string{c.text}
	}
	if strings.HasPrefix(c.text, "[") && json.Unmarshal([]byte(c.text), &values) == nil {
		return values
	}
	isSeparator := func(r rune) bool { return strings.ContainsRune(",;|/\n", r) }
	for value := range strings.FieldsFuncSeq(c.text, isSeparator) {
		if value = strings.TrimSpace(value); value != "" {
			values = append(values, value)
		}
	}
	return values
}
