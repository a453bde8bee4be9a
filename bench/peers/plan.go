package main

import (
	"slices"
	"strings"

	"sabine/bench/queries"
	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/runtime"
)

// A clause matches the products that contain every word in a list, each word in one of its forms.
type clause [][]form

// A form is a list of terms. A product matches a form if it contains all its terms.
type form []string

// A plan is one step in the search for a text.
type plan struct {
	hits  clause
	words []string // word for each element of hits
	key   string   // term whose products are hits even without the words; "" if none
	tiers []tier   // hits that precede all others, best tier first
}

// A tier is a clause with a prefix before its terms.
type tier struct {
	clause
	prefix string // inName if only names count; otherwise ""
}

type peer interface {
	planned(p *plan, facets bool) answer
	near(word string, edits int) []string   // candidates for words and parts within some edits
	similar(key string, facets bool) answer // products with similar names
	weighed(p *plan, facets bool) answer    // products with at least half the weight of the best product
}

// search performs the steps that the API defines until a step finds something. For a sentence, the last two
// steps are swapped.
func search(s peer, q *runtime.Query) answer {
	facets, key := q.Facets, analysis.Key(q.Text)
	p := read(key)
	planned := func(p *plan) (a answer) {
		if p != nil {
			a = s.planned(p, facets)
		}
		return a
	}
	similar := func() answer { return s.similar(key, facets) }
	weighed := func() (a answer) {
		if slices.ContainsFunc(p.words, isLong) {
			a = s.weighed(&p, facets)
		}
		return a
	}
	steps := []func() answer{func() answer { return planned(&p) }, func() answer { return planned(p.apart(s)) },
		func() answer { return planned(p.corrected(s)) }, similar, weighed}
	if len(analysis.Words(key)) >= runtime.SentenceWords {
		steps[3], steps[4] = weighed, similar
	}
	for _, do := range steps {
		if a := do(); a.Total > 0 {
			return a
		}
	}
	return answer{}
}

// read returns the strict search for a key, as the API defines it. The words, in any order, match unchanged,
// by stem, as a part of a compound, as a number, joined, split or by a synonym; the last word also as a
// beginning. The key can also match as a whole. The buckets are tiers. If a name begins with the text, or a
// value has this name, the product also contains the words, since values have no other names in NDJSON.
func read(key string) plan {
	sequence := analysis.Words(key)
	p := plan{key: keyTerm(termKey, key)}
	for i, word := range sequence {
		if analysis.IsRequired(sequence, i) && !slices.Contains(p.words, word) {
			p.words = append(p.words, word)
		}
	}
	if len(p.words) == 0 { // function words are required if there are no other words
		p.words = distinct(sequence)
	}
	for _, word := range p.words {
		forms := append(formsOf(word), form{termJoint + word})
		if whole, fraction, ok := analysis.CutDecimal(word); ok {
			forms = append(forms, form{joint(whole, fraction)})
		}
		for _, key := range analysis.AppendSplitSize(nil, word) {
			forms = append(forms, joints(analysis.Words(key)))
		}
		p.hits = append(p.hits, forms)
	}
	if last := len(sequence) - 1; !slices.Contains(sequence[:last], sequence[last]) {
		p.add(sequence[last:], form{termStart + sequence[last]})
	}
	eachRun(sequence, 1, analysis.MaxSynonymWords, func(run []string) {
		p.add(distinct(run), synonyms(run)...)
	})
	eachRun(sequence, 2, analysis.MaxJoinedWords, func(run []string) {
		joined := string(analysis.AppendJoined(nil, run...))
		if len(run) > 2 && !analysis.HasDigit(joined) {
			return
		}
		for _, spelling := range distinct([]string{joined, strings.ReplaceAll(joined, ".", "")}) {
			p.add(run, form{termWord + spelling})
		}
	})
	var phrase clause
	for _, neighbours := range joints(sequence) {
		phrase = append(phrase, []form{{neighbours}})
	}
	p.tiers = append(p.tiers, tier{clause: clause{{{p.key}}}})
	if letters(key) <= longestKeyFrom {
		p.tiers = append(p.tiers, tier{clause: clause{{{keyTerm(termKeyFrom, key)}}}})
	}
	p.tiers = append(p.tiers, tier{clause: clause{{{keyTerm(termKind, key)}}}})
	if phrase != nil {
		p.tiers = append(p.tiers, tier{clause: phrase})
	}
	var same clause // words in unchanged form
	for _, word := range p.words {
		same = append(same, []form{{termWord + word}})
	}
	p.tiers = append(p.tiers, tier{same, inName}, tier{p.hits, inName}, tier{clause: same})
	return p
}

func (p *plan) add(words []string, forms ...form) {
	for _, word := range words {
		if i := slices.Index(p.words, word); i >= 0 {
			p.hits[i] = append(p.hits[i], forms...)
		}
	}
}

func eachRun(sequence []string, least, most int, do func(run []string)) {
	for i := range sequence {
		for n := least; n <= most && i+n <= len(sequence); n++ {
			do(sequence[i : i+n])
		}
	}
}

// formsOf returns the forms of a word that do not depend on other words: its stems, a compound part, numbers.
func formsOf(word string) []form {
	german, english := analysis.Stems(word)
	forms := []form{{termGerman + german}, {termEnglish + english}}
	numbers := analysis.QueryNumberKeys(nil, word)
	for _, number := range numbers {
		forms = append(forms, form{termWord + number}, form{termPart + number})
		if analysis.IsMeasure(number) { // details contain measures with the sign
			number = measureSign + number
			forms = append(forms, form{termWord + number}, form{termPart + number})
		}
	}
	if len(numbers) == 0 && letters(word) >= analysis.MinPart {
		forms = append(forms, form{termPart + german})
	}
	return forms
}

func isLong(word string) bool { return letters(word) >= runtime.LongLetters }

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
		// Require words that begin with the synonym, not all words with the same stem: flooring has the
		// synonym coverings, but floor does not.
		german, english := s.Stems()
		forms = append(forms, form{termGerman + german, termStart + s.Key}, form{termEnglish + english, termStart + s.Key})
		if !s.Whole {
			forms = append(forms, form{termPart + german})
		}
	}
	return forms
}

// joints returns the terms of each two consecutive words.
func joints(words []string) form {
	var f form
	for i := 1; i < len(words); i++ {
		f = append(f, joint(words[i-1], words[i]))
	}
	return f
}

// apart returns a plan in which each compound that no product contains is replaced by its parts, or nil if
// there is no such compound. It splits only compounds of listed words, because a peer does not know the words
// in the catalogue before it searches. A product must contain all parts, but not in the same field.
func (p *plan) apart(s peer) *plan {
	c, some := plan{}, false
	for i, word := range p.words {
		hits := p.hits[i : i+1]
		if parts := listed.Split(nil, word); parts != nil && s.planned(&plan{hits: hits}, false).Total == 0 {
			hits, some = nil, true
			for _, part := range parts {
				hits = append(hits, append(formsOf(part), synonyms([]string{part})...))
			}
		}
		c.hits = append(c.hits, hits...)
	}
	if !some {
		return nil
	}
	c.tiers = []tier{{c.hits, inName}}
	return &c
}

var listed = analysis.NewSplitter(func(string) bool { return false })

// corrected returns the plan with the corrections of each word added to its forms. It does not correct the
// parts of a compound that is not a word in the catalogue, because a peer would have to search for each
// substring of the compound.
func (p *plan) corrected(s peer) *plan {
	c := plan{hits: slices.Clone(p.hits)}
	for i, word := range p.words {
		n, most := letters(word), indexes.MaxEdits
		if n < runtime.MinCorrected || analysis.HasDigit(word) {
			continue
		}
		if n < runtime.MinTwice {
			most = 1
		}
		forms := slices.Clone(p.hits[i])
		for _, other := range slices.Sorted(slices.Values(s.near(word, most))) {
			if edits := queries.Edits([]rune(other), []rune(word)); edits == 0 || edits > most {
				continue
			}
			forms = append(forms, form{termWord + other})
			if german, _ := analysis.Stems(other); n >= runtime.MinPartCorrected {
				forms = append(forms, form{termPart + german})
			}
		}
		c.hits[i] = forms
	}
	c.tiers = []tier{{c.hits, inName}}
	return &c
}

// written returns a tier in a query language. The function and joins words and terms; or joins forms.
func written[T any](r tier, and, or func([]T) T, term func(string) T) T {
	var words []T
	for _, forms := range r.clause {
		var alternatives []T
		for _, f := range forms {
			var together []T
			for _, t := range f {
				together = append(together, term(r.prefix+t))
			}
			alternatives = append(alternatives, and(together))
		}
		words = append(words, or(alternatives))
	}
	return and(words)
}

func distinct(words []string) []string {
	var own []string
	for _, word := range words {
		own = appendOnce(own, word)
	}
	return own
}
