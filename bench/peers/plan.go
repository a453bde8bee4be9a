package main

import (
	"slices"
	"strings"

	"sabine/indexes/analysis"
)

// A clause asks for the products that hold each of some words in one of its forms.
type clause [][]form

// A form is terms that a product has together.
type form []string

// A plan is what a text asks for at one step of a search: a step is taken when those before it found nothing.
type plan struct {
	hits  clause
	key   string   // a product that has this term is a hit too; "": none
	rungs []clause // hits that come before the others, the best first
}

// read returns what a text strictly asks for, as the API defines it: the words in any order, each as it is, by its stem, as a
// part of a compound, joined with its neighbour or apart, by a synonym, the last one as a beginning; or a whole key. The
// buckets are rungs. A name that begins with the text, and a value that it names, hold its words as well, since values have
// no other names in NDJSON.
func read(text string) plan {
	key := analysis.Key(text)
	sequence := analysis.Words(key)
	p := plan{key: keyTerm(termKey, key)}
	words := distinct(sequence)
	for _, word := range words {
		german, english := analysis.Stems(word)
		forms := []form{{termGerman + german}, {termEnglish + english}, {termJoint + word}}
		if letters(word) >= analysis.MinPart {
			forms = append(forms, form{termPart + word})
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
	for i := 1; i < len(sequence); i++ {
		neighbours := joint(sequence[i-1], sequence[i])
		phrase = append(phrase, []form{{neighbours}})
		joined := form{termWord + strings.TrimPrefix(neighbours, termJoint)}
		add(sequence[i-1], joined)
		add(sequence[i], joined)
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

// corrected returns the plan with the words near each word added to its forms.
func (p *plan) corrected(near [][]string) plan {
	c := plan{}
	for i, forms := range p.hits {
		forms = slices.Clone(forms)
		for _, word := range near[i] {
			forms = append(forms, form{termWord + word})
		}
		c.hits = append(c.hits, forms)
	}
	c.rungs = []clause{c.hits.inNames()}
	return c
}

// narrow returns what a text asks for when a task is told: the least that finds its words.
func narrow(text string, t task) plan {
	key := analysis.Key(text)
	words := distinct(analysis.Words(key))
	switch t {
	case taskPrefix:
		return plan{hits: clause{{{keyTerm(termKeyFrom, key)}}}}
	case taskPart:
		return plan{hits: clause{{{inName + termPart + key}}}}
	case taskPhrase:
		return plan{hits: clause{{joints(analysis.Words(key))}}}
	}
	p := plan{key: keyTerm(termKey, key)}
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
		if !slices.Contains(own, word) {
			own = append(own, word)
		}
	}
	return own
}
