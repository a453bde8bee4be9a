package runtime

import (
	"fmt"
	"slices"
	"strings"

	"sabine/indexes"
	"sabine/indexes/column"
)

// names returns the names of a product, and its manufacturer's, that satisfy a condition.
func (x *explainer) names(d column.Doc, ok func(name string) bool) []WholeMatch {
	var names []WholeMatch
	for _, f := range [...]indexes.Field{indexes.FieldName, indexes.FieldManufacturer} {
		for _, text := range x.index.Forward.Texts(d, f) {
			if name := x.spell(text); ok(name) {
				names = append(names, WholeMatch{Field: f.String(), Text: name})
			}
		}
	}
	return names
}

// beginnings returns the names that begin with the query's key; the manufacturer's only when that ends at the end of a word.
func (x *explainer) beginnings(h *notedHit) []WholeMatch {
	names := x.names(h.doc, func(name string) bool { return strings.HasPrefix(name, x.query.key) })
	return slices.DeleteFunc(names, func(m WholeMatch) bool {
		return m.Field == indexes.FieldManufacturer.String() && !strings.HasPrefix(m.Text, x.query.key+" ")
	})
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
func (x *explainer) exact(d column.Doc) []WholeMatch {
	key := x.query.key
	whole := x.names(d, func(name string) bool { return name == key })
	if i, ok := x.index.SlugKeys.Find(key); ok && slices.Contains(x.index.SlugKeys.Numbers(i), uint32(d)) {
		whole = append(whole, WholeMatch{Field: "slug", Text: key})
	}
	if x.query.isID && x.query.id == d {
		whole = append(whole, WholeMatch{Field: "id", Text: key})
	}
	return whole
}

// values returns the values of a product that the query's key names, or a curated synonym of it.
func (x *explainer) values(h *notedHit) []WholeMatch {
	families := [...]string{indexes.FamilyCategory: "category", indexes.FamilyCharacter: "character", indexes.FamilyInstallation: "installation"}
	values := x.query.named
	if h.rung.bySynonym {
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

// phrases returns the fields of a product that hold the query's words next to each other.
func (x *explainer) phrases(h *notedHit) []WholeMatch {
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

// similar returns the names of a product that are similar to the query or have it inside, and the similarity that the
// product is ordered by, which is that of its most similar name.
func (x *explainer) similar(h *notedHit) (whole []WholeMatch, order []OrderKey) {
	x.match.names.count(anyNames)
	best := "0"
	for _, name := range x.names(h.doc, func(string) bool { return true }) {
		s := x.similarityOf(h.doc, name)
		name.Similarity = s.float()
		name.Inside = x.query.standsInside() && strings.Contains(name.Text, x.query.key)
		if name.Inside || s.atLeast(similar) {
			whole = append(whole, name)
		}
		if best == "0" && s.shared > 0 && s.compare(h.rung.similarity) == 0 {
			best = fmt.Sprintf("%.3f to %s %q", name.Similarity, name.Field, name.Text)
		}
	}
	return whole, []OrderKey{{"similarity", best, 0 - h.rung.similarity.float()}} // -x of 0 would be -0
}

// similarityOf returns the similarity of a name of a product, or of its manufacturer.
func (x *explainer) similarityOf(d column.Doc, name WholeMatch) similarity {
	for _, n := range x.index.DocNames.Of(d) {
		names, place, ofManufacturer := nameAt(x.index, int(n))
		if ofManufacturer == (name.Field == indexes.FieldManufacturer.String()) && names.Key(place) == name.Text {
			return x.match.names.of(int(n))
		}
	}
	return similarity{0, 1}
}

// words returns how a product holds each distinct word of the query, in order of first appearance.
func (x *explainer) words(h *notedHit) []WordMatch {
	var words []WordMatch
	for at, word := range x.query.sequence {
		if slices.Contains(x.query.sequence[:at], word) {
			continue
		}
		w := WordMatch{Word: word, Held: []Held{}}
		if i := x.query.places[at]; i == notAsked {
			w.Function = true
		} else {
			for f := range indexes.NumFields {
				if held := x.held(i, h, f); held.By != nil {
					w.Held = append(w.Held, held)
				}
			}
		}
		words = append(words, w)
	}
	return words
}

// held returns the best way in which a field holds a word, by its number; By is nil when it does not.
func (x *explainer) held(i int, h *notedHit, f indexes.Field) Held {
	v := &x.query.words[i]
	best := x.heldWhole(v, h, f)
	if parts, kind := x.heldParts(v.parts, h, f); kind < best.Kind {
		best.Kind, best.By, best.Parts = kind, nil, parts
		for _, part := range parts {
			best.By = append(best.By, part.By...)
		}
	}
	if s := x.misspelling; s != nil {
		for distance, docs := range s.words[i].docs {
			if docs != nil && docs.Has(h.place) {
				x.offerNear(&best, &s.words[i].near[distance], distance+1, h)
			}
		}
	}
	return best
}

// offerNear offers what a word may be corrected to: the words of the field, and if there is none the parts of its compounds.
func (x *explainer) offerNear(best *Held, n *nearby, distance int, h *notedHit) {
	for _, t := range n.terms {
		x.offerTerm(best, MatchCorrected, distance, t, h.doc)
	}
	if best.Kind <= MatchCorrected {
		return
	}
	for _, p := range n.parts {
		compounds := Held{Field: best.Field, Kind: numMatchKinds}
		for _, t := range x.index.Parts.Numbers(p.number) {
			x.offerTerm(&compounds, MatchPart, 0, indexes.Term(t), h.doc)
		}
		for _, by := range compounds.By {
			best.offer(MatchCorrected, distance, by)
		}
		if compounds.By != nil {
			best.Parts = append(best.Parts, HeldPart{x.index.PartForms.At(p.form), MatchPart, compounds.By})
		}
	}
	if parts, kind := x.heldParts(n.apart, h, best.Field); kind < numMatchKinds {
		for _, part := range parts {
			for _, by := range part.By {
				best.offer(MatchCorrected, distance, by)
			}
		}
		best.Parts = parts
	}
}

// heldParts returns the best ways in which a field holds the words of a range, and the kind that they make together:
// numMatchKinds when there are none, or it does not hold them all.
func (x *explainer) heldParts(words wordRange, h *notedHit, f indexes.Field) (held []HeldPart, kind MatchKind) {
	kind = numMatchKinds
	for i, parts := 0, x.query.partsOf(words); i < len(parts); i++ {
		part := x.heldWhole(&parts[i], h, f)
		if part.By == nil {
			return nil, numMatchKinds
		}
		if i == 0 {
			kind = MatchAllParts
		}
		kind = max(kind, part.Kind)
		held = append(held, HeldPart{parts[i].text, part.Kind, part.By})
	}
	return held, kind
}

// offer notes words of a field that hold a word, if they are as good as the best so far.
func (best *Held) offer(kind MatchKind, distance int, by string) {
	if kind < best.Kind {
		best.Kind, best.Distance, best.By, best.Parts = kind, distance, nil, nil
	}
	if kind == best.Kind && !slices.Contains(best.By, by) {
		best.By = append(best.By, by)
	}
}

// offerTerm offers a term if the field of a product has it.
func (x *explainer) offerTerm(best *Held, kind MatchKind, distance int, t indexes.Term, d column.Doc) {
	if x.index.Terms.Set(t, best.Field).Contains(d) {
		best.offer(kind, distance, x.index.Terms.Word(t))
	}
}

// heldWhole returns the best way in which a field holds a word that is neither corrected nor taken apart.
func (x *explainer) heldWhole(v *word, h *notedHit, f indexes.Field) Held {
	best := Held{Field: f, Kind: numMatchKinds}
	offerTerm := func(kind MatchKind, t indexes.Term) { x.offerTerm(&best, kind, 0, t, h.doc) }
	for _, g := range v.groups {
		for _, t := range g.terms.Numbers(g.number) {
			offerTerm(g.kind, indexes.Term(t))
		}
	}
	for _, p := range v.phrases {
		if x.phrase(p.number, f).Has(h.place) {
			best.offer(p.kind, 0, x.spell(x.query.phrases[p.number]))
		}
	}
	for _, t := range slices.Concat(v.terms, v.synonyms) {
		offerTerm(t.kind, t.term)
	}
	if v.beginning.len() > 0 {
		lo, hi := x.index.Terms.Range(v.text)
		for t := lo; t < hi; t++ {
			offerTerm(MatchBeginning, t)
		}
	}
	return best
}
