package runtime

import (
	"fmt"
	"slices"
	"strings"

	"sabine/indexes"
	"sabine/indexes/analysis"
)

// names returns the names of a product, and its manufacturer's, that satisfy a condition.
func (x *explainer) names(d indexes.Doc, ok func(name string) bool) []WholeMatch {
	var names []WholeMatch
	for _, f := range [...]indexes.Field{indexes.FieldName, indexes.FieldManufacturer} {
		for _, text := range x.index.Streams.Texts(d, f) {
			if name := x.spell(text); ok(name) {
				names = append(names, WholeMatch{Field: f.String(), Text: name})
			}
		}
	}
	return names
}

// spell returns a row of terms as a key.
func (x *explainer) spell(terms []indexes.Term) string {
	words := make([]string, len(terms))
	for i, t := range terms {
		words[i] = x.index.Terms.Word(t)
	}
	return strings.Join(words, " ")
}

// exact returns what of a product has the query's key.
func (x *explainer) exact(d indexes.Doc) []WholeMatch {
	key := x.text.key
	whole := x.names(d, func(name string) bool { return name == key })
	if i, ok := x.index.SlugKeys.Find(key); ok && slices.Contains(x.index.SlugKeys.Numbers(i), uint32(d)) {
		whole = append(whole, WholeMatch{Field: "slug", Text: key})
	}
	if x.text.isID && x.text.id == d {
		whole = append(whole, WholeMatch{Field: "id", Text: key})
	}
	return whole
}

// values returns the values of a product that the query's key names, or else that a curated synonym of it does.
func (x *explainer) values(d indexes.Doc) []WholeMatch {
	families := [...]string{indexes.FamilyCategory: "category", indexes.FamilyCharacter: "character", indexes.FamilyInstallation: "installation"}
	var whole []WholeMatch
	add := func(v value) {
		facet := &x.index.Facets[v.family]
		match := WholeMatch{Field: families[v.family], Text: facet.Value(v.number)}
		if facet.Set(v.number).Contains(d) && !slices.Contains(whole, match) {
			whole = append(whole, match)
		}
	}
	for _, v := range x.engine.named[x.text.key] {
		add(v)
	}
	if whole != nil {
		return whole
	}
	for _, s := range analysis.Synonyms(x.text.key) {
		for _, v := range x.engine.named[s.Key] {
			if v.shown {
				add(v)
			}
		}
	}
	return whole
}

// phrases returns the fields of a product that hold the query's words next to each other.
func (x *explainer) phrases(d indexes.Doc) []WholeMatch {
	var whole []WholeMatch
	for f := range indexes.NumFields {
		if set := x.phraseIn(&x.whole, f); set != nil && set.Has(d) {
			whole = append(whole, WholeMatch{Field: f.String(), Text: x.text.key})
		}
	}
	return whole
}

// similar returns the names of a product that are similar to the query or have it inside, and the similarity that the
// product is ordered by, which is that of its most similar name.
func (x *explainer) similar(d indexes.Doc) (whole []WholeMatch, order []OrderKey) {
	query := analysis.Trigrams(nil, x.text.key)
	var best WholeMatch
	for _, name := range x.names(d, func(string) bool { return true }) {
		own := analysis.Trigrams(nil, name.Text)
		shared := 0
		for _, trigram := range own {
			if slices.Contains(query, trigram) {
				shared++
			}
		}
		name.Similarity = float64(shared) / float64(max(len(query)+len(own)-shared, 1))
		name.Inside = x.text.letters() >= minPart && strings.Contains(name.Text, x.text.key)
		if name.Inside || name.Similarity >= 0.3 {
			whole = append(whole, name)
		}
		if name.Similarity > best.Similarity {
			best = name
		}
	}
	value := "0"
	if best.Similarity > 0 {
		value = fmt.Sprintf("%.3f to %s %q", best.Similarity, best.Field, best.Text)
	}
	return whole, []OrderKey{{"similarity", value, 0 - best.Similarity}} // -x of 0 would be -0
}

// words returns how a product holds each word of the query.
func (x *explainer) words(d indexes.Doc) []WordMatch {
	words := make([]WordMatch, len(x.text.words))
	for i := range x.text.words {
		v := &x.text.words[i]
		words[i] = WordMatch{Word: v.text, Held: []Held{}}
		for f := range indexes.NumFields {
			if held, ok := x.held(v, d, f); ok {
				words[i].Held = append(words[i].Held, held)
			}
		}
	}
	return words
}

// held returns the best way in which a field holds a word.
func (x *explainer) held(v *word, d indexes.Doc, f indexes.Field) (best Held, ok bool) {
	best = Held{Field: f, Kind: numMatchKinds}
	offer := func(kind MatchKind, distance int, by string) {
		if kind < best.Kind {
			best.Kind, best.Distance, best.By = kind, distance, nil
		}
		if kind == best.Kind && !slices.Contains(best.By, by) {
			best.By = append(best.By, by)
		}
	}
	for i := range v.sources {
		s := &v.sources[i]
		for _, by := range x.holders(s, d, f) {
			offer(s.kind, 0, by)
		}
	}
	if x.tier == tierFuzzy {
		for i, docs := range v.near.docs {
			if docs == nil || !docs.Has(d) {
				continue
			}
			for _, t := range v.near.terms[i] {
				if x.index.Terms.Set(t, f).Contains(d) {
					offer(MatchCorrected, i+1, x.index.Terms.Word(t))
				}
			}
		}
	}
	return best, best.Kind < numMatchKinds
}

// holders returns the words of a field, or the rows of words, that a source stands for.
func (x *explainer) holders(s *source, d indexes.Doc, f indexes.Field) []string {
	terms := &x.index.Terms
	var words []string
	take := func(t indexes.Term) {
		if terms.Set(t, f).Contains(d) {
			words = append(words, terms.Word(t))
		}
	}
	for _, t := range s.terms {
		take(indexes.Term(t))
	}
	lo, hi := s.lo, s.hi
	if s.short {
		lo, hi = terms.Range(x.index.Prefixes.Word(s.prefix))
	}
	for t := lo; t < hi; t++ {
		take(t)
	}
	if s.phrased {
		p := &x.text.phrases[s.phrase]
		if set := x.phraseIn(p, f); set != nil && set.Has(d) {
			words = append(words, x.spell(p.terms))
		}
	}
	return words
}
