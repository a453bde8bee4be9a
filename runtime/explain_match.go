package runtime

import (
	"fmt"
	"slices"
	"strings"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
)

// names returns the names of a product and of its manufacturer that satisfy ok.
func (x *explainer) names(d column.Doc, ok func(name string, f indexes.Field) bool) []WholeMatch {
	var names []WholeMatch
	for _, f := range [...]indexes.Field{indexes.FieldName, indexes.FieldManufacturer} {
		for _, text := range x.index.Forward.Texts(d, f) {
			if name := x.spell(text); ok(name, f) {
				names = append(names, WholeMatch{Field: f.String(), Text: name})
			}
		}
	}
	return names
}

// beginnings returns the names that begin with the query's key. In a manufacturer's name the key must end at
// the end of a word.
func (x *explainer) beginnings(d column.Doc) []WholeMatch {
	return x.names(d, func(name string, f indexes.Field) bool {
		rest, ok := strings.CutPrefix(name, x.query.key)
		return ok && (f == indexes.FieldName || strings.HasPrefix(rest, " "))
	})
}

// spell returns the key that consists of the terms.
func (x *explainer) spell(terms []indexes.Term) string {
	words := make([]string, len(terms))
	for i, t := range terms {
		words[i] = x.word(t)
	}
	return strings.Join(words, " ")
}

// word returns a term without the character that marks measures in details.
func (x *explainer) word(t indexes.Term) string {
	return strings.TrimPrefix(x.index.Terms.Word(t), analysis.MeasureSign)
}

// exact returns the texts of a product that are equal to the query's key.
func (x *explainer) exact(d column.Doc) []WholeMatch {
	key := x.query.key
	whole := x.names(d, func(name string, _ indexes.Field) bool { return name == key })
	if i, ok := x.index.SlugKeys.Find(key); ok && slices.Contains(x.index.SlugKeys.Numbers(i), uint32(d)) {
		whole = append(whole, WholeMatch{Field: "slug", Text: key})
	}
	if x.query.isID && x.query.id == d {
		whole = append(whole, WholeMatch{Field: "id", Text: key})
	}
	return whole
}

// values returns the values of a product that the query names, directly or by a curated synonym.
func (x *explainer) values(h *rankedHit) []WholeMatch {
	families := [...]string{indexes.FamilyCategory: "category", indexes.FamilyCharacter: "character",
		indexes.FamilyInstallation: "installation"}
	values := x.query.named
	if h.tier.bySynonym {
		values = x.query.namedBySynonym
	}
	var whole []WholeMatch
	for _, v := range values {
		facet := &x.index.Facets[v.family]
		match := WholeMatch{Field: families[v.family], Text: facet.Value(v.number)}
		if facet.Set(v.number).Contains(h.doc) && !slices.Contains(whole, match) {
			whole = append(whole, match)
		}
	}
	return whole
}

// phrases returns the fields of a product that contain the query's words next to each other.
func (x *explainer) phrases(h *rankedHit) []WholeMatch {
	var whole []WholeMatch
	for f := range indexes.NumFields {
		if x.whole[f] == nil {
			terms, _ := x.index.AppendTerms(nil, x.query.key)
			x.whole[f] = x.findPhrase(terms, f)
		}
		if x.whole[f].Has(h.place) {
			whole = append(whole, WholeMatch{Field: f.String(), Text: x.query.key})
		}
	}
	return whole
}

// similar returns the names of a product that are similar to the query or contain it. order is the highest of
// these similarities, as text.
func (x *explainer) similar(h *rankedHit) (whole []WholeMatch, order string) {
	order = "0"
	for _, name := range x.names(h.doc, func(string, indexes.Field) bool { return true }) {
		s := x.similarityOf(name.Text)
		name.Similarity = s.float()
		name.Inside = x.query.mayBeSubstring() && strings.Contains(name.Text, x.query.key)
		if name.Inside || s.atLeast(similar) {
			whole = append(whole, name)
		}
		if order == "0" && s.shared > 0 && s.compare(h.tier.similarity) == 0 {
			order = fmt.Sprintf("%.3f to %s %q", name.Similarity, name.Field, name.Text)
		}
	}
	return whole, order
}

// similarityOf returns the similarity of a name to the query.
func (x *explainer) similarityOf(name string) similarity {
	query, of := x.match.names.query, analysis.Trigrams(nil, name)
	shared := 0
	for _, t := range of {
		if slices.Contains(query, t) {
			shared++
		}
	}
	return similarity{shared, len(query) + len(of) - shared}
}

// words returns the matches of the query's distinct words, in order.
func (x *explainer) words(h *rankedHit) []WordMatch {
	var words []WordMatch
	for at, word := range x.query.sequence {
		if slices.Contains(x.query.sequence[:at], word) {
			continue
		}
		w := WordMatch{Word: word, Fields: []FieldMatch{}}
		if i := x.query.places[at]; i == notRequired {
			w.Function = true
		} else {
			for f := range indexes.NumFields {
				if matched := x.fieldMatch(i, h, f); matched.By != nil {
					w.Fields = append(w.Fields, matched)
				}
			}
		}
		words = append(words, w)
	}
	return words
}

// fieldMatch returns the best match of word i in a field; By is nil if there is no match.
func (x *explainer) fieldMatch(i int, h *rankedHit, f indexes.Field) FieldMatch {
	ws := x.query.words[i].ways
	best := x.matchWhole(ws, h, f)
	for i := range ws {
		if parts, kind := x.matchParts(&ws[i], h, f); kind < best.Kind {
			best.Kind, best.By, best.Parts = kind, nil, parts
			for _, part := range parts {
				best.By = append(best.By, part.By...)
			}
		}
	}
	if s := x.misspelling; s != nil {
		for extra, docs := range s.words[i].docs { // extra: edits after the first
			if docs != nil && docs.Has(h.place) {
				x.offerNear(&best, s.words[i].near[extra], extra+1, h)
			}
		}
	}
	return best
}

// offerNear offers the corrections of a word that are words of the field or, failing that, parts of its
// words.
func (x *explainer) offerNear(best *FieldMatch, near ways, distance int, h *rankedHit) {
	for i := range near {
		if w := &near[i]; w.form == formTerms {
			x.offerTerm(best, MatchCorrected, distance, indexes.Term(w.lo), h.doc)
		}
	}
	if best.Kind <= MatchCorrected {
		return
	}
	for i := range near {
		parts, _ := x.matchParts(&near[i], h, best.Field)
		if whole := x.matchWhole(near[i:i+1], h, best.Field); whole.By != nil {
			parts = []PartMatch{{x.index.PartForms.At(near[i].spelt), MatchPart, whole.By}}
		}
		for _, part := range parts {
			for _, by := range part.By {
				best.offer(MatchCorrected, distance, by)
			}
		}
		best.Parts = append(best.Parts, parts...)
	}
}

// matchParts returns the best match in a field for each part of a way, and the kind of the match of the
// compound. The kind is numMatchKinds if the way has no parts, or if the field lacks a required part.
func (x *explainer) matchParts(w *way, h *rankedHit, f indexes.Field) (matched []PartMatch, kind MatchKind) {
	if w.form < formParts {
		return nil, numMatchKinds
	}
	kind = MatchAllParts
	for _, v := range x.query.partsOf(w) {
		part := x.matchWhole(v.ways, h, f)
		if part.By != nil {
			kind = max(kind, part.Kind)
			matched = append(matched, PartMatch{v.text, part.Kind, part.By})
		} else if w.form == formParts {
			return nil, numMatchKinds
		}
	}
	if matched == nil {
		kind = numMatchKinds
	}
	return matched, kind
}

// offer adds a word of a field unless the best match so far is better.
func (best *FieldMatch) offer(kind MatchKind, distance int, by string) {
	if kind < best.Kind {
		best.Kind, best.Distance, best.By, best.Parts = kind, distance, nil, nil
	}
	if kind == best.Kind && !slices.Contains(best.By, by) {
		best.By = append(best.By, by)
	}
}

// offerTerm offers a term if the field of the product contains it.
func (x *explainer) offerTerm(best *FieldMatch, kind MatchKind, distance int, t indexes.Term, d column.Doc) {
	if x.index.Terms.Set(t, best.Field).Contains(d) {
		best.offer(kind, distance, x.word(t))
	}
}

// matchWhole returns the best match of a word in a field, without corrections and parts.
func (x *explainer) matchWhole(ws ways, h *rankedHit, f indexes.Field) FieldMatch {
	best := FieldMatch{Field: f, Kind: numMatchKinds}
	for form := range formParts {
		for i := range ws {
			w := &ws[i]
			switch {
			case w.form != form:
			case form == formGroup:
				for _, t := range w.groups.Numbers(w.lo) {
					x.offerTerm(&best, w.kind, 0, indexes.Term(t), h.doc)
				}
			case form == formPhrase:
				if x.phrase(w.lo, f).Has(h.place) {
					best.offer(w.kind, 0, x.spell(x.query.phrases[w.lo]))
				}
			default:
				lo, hi := indexes.Term(w.lo), indexes.Term(w.hi)
				if w.terms != &x.index.Terms { // these are the terms of a prefix
					lo, hi = x.index.Terms.Range(w.terms.Word(lo))
				}
				for t := lo; t < hi; t++ {
					x.offerTerm(&best, w.kind, 0, t, h.doc)
				}
			}
		}
	}
	return best
}
