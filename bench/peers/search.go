package main

import (
	"slices"

	"sabine/indexes/analysis"
)

// A searcher is what a peer can do about a text.
type searcher interface {
	planned(p *plan, facets bool) (answer, error)
	near(word string, edits int) ([]string, error)   // words of the catalogue within so many edits
	similar(key string, facets bool) (answer, error) // names that resemble a key
	most(words clause, facets bool) (answer, error)  // products that hold the most of some words
}

// minAny is the number of letters from which a word counts for products that hold the most words.
const minAny = 4

// search takes step after step, as the API defines them, until one finds something; or those that the task tells.
func search(s searcher, q *question) (answer, error) {
	text, facets := q.Query.Text, q.Query.Facets
	key := analysis.Key(text)
	var p plan
	if q.Task == taskText {
		p = read(text)
	} else {
		p = narrow(text, q.Task)
	}
	strict := func() (answer, error) { return s.planned(&p, facets) }
	typos := func() (answer, error) {
		c, err := corrected(s, &p, distinct(analysis.Words(key)))
		if err != nil {
			return answer{}, err
		}
		return s.planned(&c, facets)
	}
	similar := func() (answer, error) { return s.similar(key, facets) }
	most := func() (answer, error) {
		if !slices.ContainsFunc(analysis.Words(key), func(word string) bool { return letters(word) >= minAny }) {
			return answer{}, nil
		}
		return s.most(p.hits, facets)
	}

	steps := []func() (answer, error){strict, typos, similar, most}
	switch q.Task {
	case taskWords, taskPhrase, taskPrefix, taskPart:
		steps = steps[:1]
	case taskTypos:
		steps = steps[1:2]
	case taskSimilar:
		steps = steps[2:3]
	case taskAny:
		steps = steps[3:]
	case taskNothing:
		steps = steps[:3]
	}
	for _, step := range steps {
		if a, err := step(); err != nil || a.Total > 0 {
			return a, err
		}
	}
	return answer{}, nil
}

// corrected adds to every word of a plan those that it may be a misspelling of.
func corrected(s searcher, p *plan, words []string) (plan, error) {
	near := make([][]string, len(words))
	for i, word := range words {
		if most := maxEdits(word); most > 0 {
			var err error
			if near[i], err = s.near(word, most); err != nil {
				return plan{}, err
			}
			slices.Sort(near[i])
		}
	}
	return p.corrected(near), nil
}
