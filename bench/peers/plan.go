package main

import (
	"slices"
	"strings"

	"sabine/bench/queries"
	"sabine/indexes/analysis"
	"sabine/runtime"
)

// A clause asks for the products that hold each of some words in one of its forms.
type clause [][]form

// A form is terms that a product has together.
type form []string

// A plan is what a text asks for at one step of a search.
type plan struct {
	hits  clause
	words []string // what each of hits asks for
	key   string   // a product that has this term is a hit too; "": none
	rungs []clause // hits that come before the others, the best first
}

// A peer is what an engine can do about a text; which of it is wanted, search tells.
type peer interface {
	planned(p *plan, facets bool) (answer, error)
	// words and parts of words of the catalogue that may be within so many edits
	near(word string, edits int) ([]string, error)
	similar(key string, facets bool) (answer, error) // names that resemble a key
	weighed(p *plan, facets bool) (answer, error)    // products that hold words of half the weight of the best at least
}

// A telling is what a peer is told about a text: which plan it carries out, and which of the steps.
type telling struct {
	plan     func(key string) plan
	from, to int
}

// The steps, each of which is taken when those before it found nothing; the last two in the other order for a
// sentence.
const (
	strict = iota
	apart
	typos
	similar
	weighed
	steps
)

var (
	untold    = telling{read, strict, steps} // all that the API defines
	words     = telling{holding, strict, apart}
	misspelt  = telling{holding, typos, similar}
	resembled = telling{holding, similar, weighed}
)

// tellings are what a peer is told of the classes of package queries that are texts.
var tellings = map[string]telling{
	"":                      untold,
	"exact":                 words,
	"part of a name":        words,
	"prefix":                {beginning, strict, apart},
	"compound part":         {asPart, strict, apart},
	"umlaut spelling":       words,
	"one typo":              misspelt,
	"two typos":             misspelt,
	"vocabulary":            words,
	"other language":        words,
	"manufacturer and word": words,
	"phrase":                {inARow, strict, apart},
	"description words":     words,
	"numbers":               words,
	"sentence":              {holding, weighed, steps},
	"garbled name":          resembled,
	"nonsense":              {holding, strict, weighed},
}

// search takes step after step, as the API defines them, until one finds something; or those that are told.
func search(s peer, q *question) (answer, error) {
	told := tellings[q.Told]
	facets, key := q.Query.Facets, analysis.Key(q.Query.Text)
	p := told.plan(key)
	order := [steps]int{strict, apart, typos, similar, weighed}
	if len(analysis.Words(key)) >= runtime.SentenceWords {
		order[similar], order[weighed] = weighed, similar
	}
	for _, step := range order {
		if step < told.from || step >= told.to {
			continue
		}
		var a answer
		var err error
		switch step {
		case strict:
			a, err = s.planned(&p, facets)
		case apart:
			var c plan
			if c, err = p.apart(s); err == nil && c.hits != nil {
				a, err = s.planned(&c, facets)
			}
		case typos:
			var c plan
			if c, err = p.corrected(s); err == nil {
				a, err = s.planned(&c, facets)
			}
		case similar:
			a, err = s.similar(key, facets)
		case weighed:
			if slices.ContainsFunc(p.words, isLong) {
				a, err = s.weighed(&p, facets)
			}
		}
		if err != nil || a.Total > 0 {
			return a, err
		}
	}
	return answer{}, nil
}

// read returns what a key strictly asks for, as the API defines it: the words in any order, each as it is, by
// its stem, as a part of a compound, as a number, joined with its neighbours or apart, by a synonym, the last
// one as a beginning; or a whole key. The buckets are rungs. A name that begins with the text, and a value
// that it names, hold its words as well, since values have no other names in NDJSON.
func read(key string) plan {
	sequence := analysis.Words(key)
	p := plan{key: keyTerm(termKey, key), words: demanded(sequence)}
	for _, word := range p.words {
		forms := append(formsOf(word), form{termJoint + word})
		if whole, fraction, ok := analysis.CutDecimal(word); ok {
			forms = append(forms, form{joint(whole, fraction)})
		}
		for _, key := range analysis.AppendSizeApart(nil, word) {
			forms = append(forms, joints(analysis.Words(key)))
		}
		p.hits = append(p.hits, forms)
	}
	add := func(word string, f form) {
		if i := slices.Index(p.words, word); i >= 0 {
			p.hits[i] = append(p.hits[i], f)
		}
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
	for _, neighbours := range joints(sequence) {
		phrase = append(phrase, []form{{neighbours}})
	}
	for i := range sequence {
		for n := 2; n <= analysis.MaxJoinedWords && i+n <= len(sequence); n++ {
			run := sequence[i : i+n]
			joined := string(analysis.AppendJoined(nil, run...))
			if n > 2 && !hasDigit(joined) {
				continue
			}
			for _, spelling := range distinct([]string{joined, strings.ReplaceAll(joined, ".", "")}) {
				for _, word := range run {
					add(word, form{termWord + spelling})
				}
			}
		}
	}
	p.rungs = append(p.rungs, clause{{{p.key}}})
	if letters(key) <= longestKeyFrom {
		p.rungs = append(p.rungs, clause{{{keyTerm(termKeyFrom, key)}}})
	}
	p.rungs = append(p.rungs, clause{{{keyTerm(termKind, key)}}})
	if phrase != nil {
		p.rungs = append(p.rungs, phrase)
	}
	p.rungs = append(p.rungs, asTheyAre(p.words).inNames(), p.hits.inNames(), asTheyAre(p.words))
	return p
}

// demanded returns the words of a text that a product has to hold, each once: no function words, unless there
// is no other.
func demanded(sequence []string) []string {
	if words := slices.DeleteFunc(distinct(sequence), analysis.IsFunctionWord); len(words) > 0 {
		return words
	}
	return distinct(sequence)
}

// formsOf returns the forms of a word that need no other word: its stems, a part of a compound, numbers.
func formsOf(word string) []form {
	german, english := analysis.Stems(word)
	forms := []form{{termGerman + german}, {termEnglish + english}}
	numbers := analysis.AskedNumberKeys(nil, word)
	for _, number := range numbers {
		forms = append(forms, form{termWord + number}, form{termPart + number})
	}
	if len(numbers) == 0 && letters(word) >= analysis.MinPart {
		forms = append(forms, form{termPart + german})
	}
	return forms
}

func isLong(word string) bool { return letters(word) >= runtime.LongLetters }

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
			for _, ending := range []string{"", "s", "n", "e", "en"} {
				if s.HasForm(s.Last + ending) {
					forms = append(forms, joints(analysis.Words(s.Key+ending)))
				}
			}
			continue
		}
		// Of the words that share a stem with it those that begin with it: flooring has coverings for synonyms, and
		// floor none.
		german, english := s.Stems()
		forms = append(forms, form{termGerman + german, termStart + s.Key}, form{termEnglish + english, termStart + s.Key})
		if !s.Whole {
			forms = append(forms, form{termPart + german})
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

// apart returns the plan with its parts in place of each word that no product holds, when it is a compound;
// no hits when there is none. A peer does not know the words of the catalogue before it asks, so that
// compounds are those of listed words alone; and its terms do not tell whether one field holds all parts, so
// that a product does.
func (p *plan) apart(s peer) (plan, error) {
	var c plan
	some := false
	for i, word := range p.words {
		hits := p.hits[i : i+1]
		if parts := listed.Apart(nil, word); parts != nil {
			whole, err := s.planned(&plan{hits: hits}, false)
			if err != nil {
				return plan{}, err
			}
			if whole.Total == 0 {
				hits, some = nil, true
				for _, part := range parts {
					hits = append(hits, append(formsOf(part), synonyms([]string{part})...))
				}
			}
		}
		c.hits = append(c.hits, hits...)
	}
	if !some {
		return plan{}, nil
	}
	c.rungs = []clause{c.hits.inNames()}
	return c, nil
}

var listed = analysis.NewSplitter(func(string) bool { return false })

// corrected returns the plan with what each of its words may be a misspelling of added to its forms.
// Compounds that are no words of the catalogue are not corrected part by part: a peer would have to ask for
// every stretch of them.
func (p *plan) corrected(s peer) (plan, error) {
	c := plan{hits: slices.Clone(p.hits)}
	for i, word := range p.words {
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
			if edits := queries.Edits([]rune(other), []rune(word)); edits == 0 || edits > most {
				continue
			}
			forms = append(forms, form{termWord + other})
			if german, _ := analysis.Stems(other); letters(word) >= runtime.MinPartCorrected {
				forms = append(forms, form{termPart + german})
			}
		}
		c.hits[i] = forms
	}
	c.rungs = []clause{c.hits.inNames()}
	return c, nil
}

// The plans of who is told more of a key, each the least that finds what it asks for: names that begin with
// it, names with a compound that it is a part of, its words next to each other, and its words.

func beginning(key string) plan { return plan{hits: clause{{{keyTerm(termKeyFrom, key)}}}} }

func asPart(key string) plan {
	german, _ := analysis.Stems(key)
	return plan{hits: clause{{{inName + termPart + german}}}}
}

func inARow(key string) plan {
	words := analysis.Words(key)
	if len(words) == 1 { // 50 mm is one
		return plan{hits: asTheyAre(words)}
	}
	return plan{hits: clause{{joints(words)}}}
}

func holding(key string) plan {
	p := plan{key: keyTerm(termKey, key), words: demanded(analysis.Words(key))}
	for _, word := range p.words {
		german, _ := analysis.Stems(word)
		p.hits = append(p.hits, []form{{termGerman + german}})
	}
	p.rungs = []clause{{{{p.key}}}, asTheyAre(p.words).inNames()}
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
