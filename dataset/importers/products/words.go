package products

import (
	"encoding/json"
	"slices"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
)

// words find the values of the vocabulary by the words that tables have for them.
type words struct {
	families map[columns.Field]*dataset.Words
	meanings map[cellWords]meaning // of cells that were looked up: tables repeat themselves
	searched int                   // for how many words the nearest was searched
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

func newWords(v *dataset.Vocabulary) words {
	w := words{families: map[columns.Field]*dataset.Words{}, meanings: map[cellWords]meaning{}}
	for _, f := range []columns.Field{columns.Category, columns.Character, columns.Installation} {
		w.families[f] = dataset.NewWords(v, string(f))
	}
	return w
}

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
		value := f.Value(word)
		switch {
		case f.Open && (c.ours || value == ""):
			value = word
		case value == "":
			others = append(others, word)
			problem := dataset.Quoted(word) + " is not in the vocabulary of " + string(c.field)
			if w.searched++; w.searched <= maxNearest {
				if near := f.Nearest(word); near != "" {
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
	c.text = strings.Clone(c.text) // a part of a row's text
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
