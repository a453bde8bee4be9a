package main

import (
	"slices"
	"strings"

	"sabine/bench/queries"
	"sabine/indexes/analysis"
)

// A clause asks for the products that hold each of some words in one of its forms.
type clause [][]form

// A form is terms that a product has together.
type form []string

// A plan is what a text asks for at one step of a search.
type plan struct {
	hits  clause
	key   string   // a product that has this term is a hit too; "": none
	rungs []clause // hits that come before the others, the best first
}

// A peer is what an engine can do about a text; which of it is wanted, search tells.
type peer interface {
	planned(p *plan, facets bool) (answer, error)
	near(word string, edits int) ([]string, error)   // words of the catalogue that may be within so many edits
	similar(key string, facets bool) (answer, error) // names that resemble a key
	most(words clause, facets bool) (answer, error)  // products that hold the most of some words
}

// A telling is what a peer is told about a text: which plan it carries out, and which of the steps.
type telling struct {
	plan     func(key string) plan
	from, to int
}

// The steps, each of which is taken when those before it found nothing.
const (
	strict = iota
	typos
	similar
	most
	steps
)

var (
	untold    = telling{read, strict, steps} // all that the API defines
	words     = telling{holding, strict, typos}
	misspelt  = telling{holding, typos, similar}
	resembled = telling{holding, similar, most}
)

// tellings are what a peer is told of the classes of package queries that are texts.
var tellings = map[string]telling{
	"":                      untold,
	"exact":                 words,
	"part of a name":        words,
	"prefix":                {beginning, strict, typos},
	"compound part":         {asPart, strict, typos},
	"umlaut spelling":       words,
	"one typo":              misspelt,
	"two typos":             misspelt,
	"vocabulary":            words,
	"other language":        words,
	"manufacturer and word": words,
	"phrase":                {inARow, strict, typos},
	"description words":     words,
	"numbers":               words,
	"sentence":              {holding, most, steps},
	"garbled name":          resembled,
	"nonsense":              {holding, strict, most},
}

// minAny is the number of letters from which a word counts for products that hold the most words.
const minAny = 4

// search takes step after step, as the API defines them, until one finds something; or those that are told.
func search(s peer, q *question) (answer, error) {
	told := tellings[q.Told]
	facets, key := q.Query.Facets, analysis.Key(q.Query.Text)
	p, sequence := told.plan(key), analysis.Words(key)
	for step := told.from; step < told.to; step++ {
		var a answer
		var err error
		switch step {
		case strict:
			a, err = s.planned(&p, facets)
		case typos:
			var c plan
			if c, err = p.corrected(s, distinct(sequence)); err == nil {
				a, err = s.planned(&c, facets)
			}
		case similar:
			a, err = s.similar(key, facets)
		case most:
			if slices.ContainsFunc(sequence, func(word string) bool { return letters(word) >= minAny }) {
				a, err = s.most(p.hits, facets)
			}
		}
		if err != nil || a.Total > 0 {
			return a, err
		}
	}
	return answer{}, nil
}

// read returns what a key strictly asks for, as the API defines it: the words in any order, each as it is, by its stem, as a
// part of a compound, joined with its neighbour or apart, by a synonym, the last one as a beginning; or a whole key. The
// buckets are rungs. A name that begins with the text, and a value that it names, hold its words as well, since values have
// no other names in NDJSON.
func read(key string) plan {
	sequence := analysis.Words(key)
	p := plan{key: keyTerm(termKey, key)}
	words := distinct(sequence)
	for _, word := range words {
		german, english := analysis.Stems(word)
		forms := []form{{termGerman + german}, {termEnglish + english}, {termJoint + word}}
		if letters(word) >= analysis.MinPart {
			forms = append(forms, form{termPart + german})
		}
		p.hits = append(p.hits, forms)
	}
	add := func(word string, f form) {
		i := slices.Index(words, word)
		p.hits[i] = append(p.hits[i], f)
	}
	if last := len(sequence) - 1; !slices.Contains(sequence[:last], sequence[last]) {
		add(sequence[last], form{termStart + sequence[last]})
	}
	for i := range sequence {
		for n := 1; n <= analysis.MaxSynonymWords && i+n <= len(sequence); n++ {
			stretch := sequence[i : i+n]
			for _, f := range synonyms(stretch) {
				for _, word := range distinct(stretch) {
					add(word, f)
				}
			}
		}
	}
	var phrase clause
	for i, neighbours := range joints(sequence) {
		phrase = append(phrase, []form{{neighbours}})
		joined := form{termWord + strings.TrimPrefix(neighbours, termJoint)}
		add(sequence[i], joined)
		add(sequence[i+1], joined)
	}
	p.rungs = append(p.rungs, clause{{{p.key}}})
	if letters(key) <= longestKeyFrom {
		p.rungs = append(p.rungs, clause{{{keyTerm(termKeyFrom, key)}}})
	}
	p.rungs = append(p.rungs, clause{{{keyTerm(termKind, key)}}})
	if phrase != nil {
		p.rungs = append(p.rungs, phrase)
	}
	p.rungs = append(p.rungs, asTheyAre(words).inNames(), p.hits.inNames(), asTheyAre(words))
	return p
}

// asTheyAre asks for words in no other form.
func asTheyAre(words []string) clause {
	var c clause
	for _, word := range words {
		c = append(c, []form{{termWord + word}})
	}
	return c
}

// synonyms returns what stands for a stretch of words by the analyser's list.
func synonyms(stretch []string) []form {
	var forms []form
	for _, s := range analysis.Synonyms(strings.Join(stretch, " ")) {
		if s.Last != s.Key {
			forms = append(forms, joints(analysis.Words(s.Key)))
			continue
		}
		// Of the words that share a stem with it those that begin with it: flooring has coverings for synonyms, and floor none.
		forms = append(forms, form{termGerman + s.German, termStart + s.Key}, form{termEnglish + s.English, termStart + s.Key})
		if !s.Whole {
			forms = append(forms, form{termPart + s.Key})
		}
	}
	return forms
}

// joints returns the terms of words, two or more, that are neighbours in a row.
func joints(words []string) form {
	var f form
	for i := 1; i < len(words); i++ {
		f = append(f, joint(words[i-1], words[i]))
	}
	return f
}

// inNames returns the clause as it asks for names alone.
func (c clause) inNames() clause {
	named := make(clause, len(c))
	for i, forms := range c {
		for _, f := range forms {
			own := make(form, len(f))
			for j, term := range f {
				own[j] = inName + term
			}
			named[i] = append(named[i], own)
		}
	}
	return named
}

// corrected returns the plan with those words added to the forms of each that it may be a misspelling of.
func (p *plan) corrected(s peer, words []string) (plan, error) {
	c := plan{hits: slices.Clone(p.hits)}
	for i, word := range words {
		most := maxEdits(word)
		if most == 0 {
			continue
		}
		near, err := s.near(word, most)
		if err != nil {
			return plan{}, err
		}
		forms := slices.Clone(p.hits[i])
		slices.Sort(near)
		for _, other := range near {
			if queries.Edits([]rune(other), []rune(word)) <= most {
				forms = append(forms, form{termWord + other})
			}
		}
		c.hits[i] = forms
	}
	c.rungs = []clause{c.hits.inNames()}
	return c, nil
}

// The plans of who is told more of a key, each the least that finds what it asks for: names that begin with it, names with a
// compound that it is a part of, its words next to each other, and its words.

func beginning(key string) plan { return plan{hits: clause{{{keyTerm(termKeyFrom, key)}}}} }

func asPart(key string) plan {
	german, _ := analysis.Stems(key)
	return plan{hits: clause{{{inName + termPart + german}}}}
}

func inARow(key string) plan { return plan{hits: clause{{joints(analysis.Words(key))}}} }

func holding(key string) plan {
	p := plan{key: keyTerm(termKey, key)}
	words := distinct(analysis.Words(key))
	for _, word := range words {
		german, _ := analysis.Stems(word)
		p.hits = append(p.hits, []form{{termGerman + german}})
	}
	p.rungs = []clause{{{{p.key}}}, asTheyAre(words).inNames()}
	return p
}

// written writes a clause with its signs for and and or, and quotes around terms.
func (c clause) written(and, or, quote string) string {
	var b strings.Builder
	for i, forms := range c {
		if i > 0 {
			b.WriteString(and)
		}
		b.WriteString("(")
		for j, f := range forms {
			if j > 0 {
				b.WriteString(or)
			}
			b.WriteString("(" + quote + strings.Join(f, quote+and+quote) + quote + ")")
		}
		b.WriteString(")")
	}
	return b.String()
}

// distinct returns words, each once, in order of first appearance.
func distinct(words []string) []string {
	var own []string
	for _, word := range words {
		own = appendOnce(own, word)
	}
	return own
}
