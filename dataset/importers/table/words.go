package table

import (
	"context"
	"maps"
	"slices"
	"strings"
	"sync"

	"sabine/dataset"
	"sabine/dataset/jsonwriter"
)

// words find the values of the vocabulary's families by the words that tables have for them.
type words struct {
	families map[Field]map[string]string // the value of each folded word
	open     map[Field]bool              // families that the inputs do not declare: the sample's words, and any others as they stand
	lists    map[listKey][2]string       // what list gave
	folded   map[string]string
}

type listKey struct {
	text       string
	asItStands bool
}

// newWords takes the families that a vocabulary declares, and those of the sample that it does not.
func newWords(v *dataset.Vocabulary) *words {
	w := &words{families: map[Field]map[string]string{}, open: map[Field]bool{}, lists: map[listKey][2]string{}, folded: map[string]string{}}
	for _, f := range []Field{FieldCategory, FieldCharacter, FieldInstallation} {
		terms, declared := map[string]dataset.Term(nil), false
		if v != nil {
			terms, declared = v.Families[string(f)]
		}
		if !declared {
			terms = sampleVocabulary().Families[string(f)]
		}
		w.open[f], w.families[f] = !declared, familyWords(terms)
	}
	return w
}

// sampleVocabulary is the vocabulary inside the binary.
var sampleVocabulary = sync.OnceValue(func() *dataset.Vocabulary {
	inputs := slices.DeleteFunc(dataset.Sample(), func(in dataset.Input) bool { return !strings.HasSuffix(in.Name, "vocabulary.json") })
	r := dataset.NewReader(inputs)
	r.Context = context.Background()
	for _, err := range r.Records() {
		panic("the sample's vocabulary: " + err.Error()) // a bug of ours
	}
	return r.Vocabulary()
})

// familyWords returns the value of each word: the values themselves come before names, names before synonyms. A word of several values is that
// of the least.
func familyWords(terms map[string]dataset.Term) map[string]string {
	of := map[string]string{}
	take := func(value, word string) {
		if word = bare(word); of[word] == "" {
			of[word] = value
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
	return of
}

// bare drops case, marks, hyphens and blanks of a word.
func bare(word string) string { return strings.ReplaceAll(dataset.SlugOf(word), "-", "") }

// value returns the value that a text means. ok is false if the family is declared without it. asItStands takes what no declared family
// changes as it stands: the values of our own tables.
func (w *words) value(f Field, text string, asItStands bool) (value string, ok bool) {
	if w.open[f] && asItStands {
		return text, true
	}
	folded, known := w.folded[text]
	if !known {
		folded = bare(text)
		w.folded[text] = folded
	}
	if value := w.families[f][folded]; value != "" {
		return value, true
	}
	return text, w.open[f]
}

// list returns the installation types that a cell means, as the JSON of an array, and those that the vocabulary lacks, as a text. Each is "" for
// none.
func (w *words) list(text string, asItStands bool) (known, others string) {
	key := listKey{text, asItStands}
	if got, again := w.lists[key]; again {
		return got[0], got[1]
	}
	var types, lacking []string
	for _, word := range listOf(text) {
		value, ok := w.value(FieldInstallation, word, asItStands)
		switch {
		case !ok:
			lacking = append(lacking, word)
		case !slices.Contains(types, value):
			types = append(types, value)
		}
	}
	known, others = jsonList(types), strings.Join(lacking, ", ")
	w.lists[key] = [2]string{known, others}
	return known, others
}

// jsonList returns texts as the JSON of an array, "" for none.
func jsonList(list []string) string {
	if len(list) == 0 {
		return ""
	}
	var j jsonwriter.Text
	j.Strings(list)
	return string(j.Bytes())
}
