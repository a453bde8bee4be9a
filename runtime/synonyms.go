package runtime

import (
	"maps"
	"slices"
	"strings"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
)

// A vocabulary maps keys to values and to synonyms.
type vocabulary struct {
	named    map[string][]value // values by the key of their name, display name or synonym
	synonyms synonyms

	added analysis.SynonymTable // synonyms from synonym files, ranked like curated synonyms
}

// addSynonyms adds the groups from synonym files.
func (o *vocabulary) addSynonyms(groups []analysis.SynonymGroup) {
	o.added = analysis.NewSynonymTable(groups)
	o.added.Each(func(s *analysis.Synonym) { o.synonyms.countWords(s.Key) })
}

// A value is a value of a family that a key names, by its number in the facet.
type value struct {
	family indexes.Family
	number int
	shown  bool // whether the key is the value itself or a display name, rather than a synonym
}

// declare adds the values of a family.
func (o *vocabulary) declare(x *indexes.Index, v indexes.Vocabulary) {
	for i := range v.Values {
		names := slices.AppendSeq([]string{v.Values[i].Value}, maps.Values(v.Values[i].Names))
		shown, all := keysOf(names), keysOf(append(names, v.Values[i].Synonyms...))
		o.synonyms.add(x, all, shown)
		if number, ok := x.Facets[v.Family].Find(v.Values[i].Value); ok {
			for _, key := range all {
				o.named[key] = append(o.named[key], value{v.Family, number, slices.Contains(shown, key)})
			}
		}
	}
}

// keysOf returns the keys of texts, sorted and without duplicates.
func keysOf(texts []string) []string {
	var keys []string
	for _, text := range texts {
		if key := analysis.Key(text); key != "" {
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	return slices.Compact(keys)
}

// synonyms maps a key of one or more words to its synonyms in the vocabulary, which are phrases. A value, its
// display names and its synonyms are synonyms of each other, but two synonyms of one value are not synonyms
// of each other: Glaswolle and Steinwolle are both mineral wool, but Glaswolle is not Steinwolle. A key that
// belongs to several values has the synonyms of all of them.
type synonyms struct {
	of    map[string][][]indexes.Term // synonyms of each key: phrases that consist of known words
	words map[string]int              // number of words of the longest key that begins with each word
}

// add adds the keys of a value. shown contains its own name and its display names; keys also contains its
// synonyms.
func (s *synonyms) add(x *indexes.Index, keys, shown []string) {
	for i, meaning := range keys {
		s.countWords(meaning)
		terms, ok := x.AppendTerms(nil, meaning)
		if !ok {
			continue
		}
		isShown := slices.Contains(shown, meaning)
		for j, key := range keys {
			known := func() bool {
				return slices.ContainsFunc(s.of[key], func(other []indexes.Term) bool { return slices.Equal(other, terms) })
			}
			if i != j && (isShown || slices.Contains(shown, key)) && !known() {
				s.of[key] = append(s.of[key], terms)
			}
		}
	}
}

// countWords records the number of words of a key with synonyms.
func (s *synonyms) countWords(key string) {
	first, _, _ := strings.Cut(key, " ")
	s.words[first] = max(s.words[first], strings.Count(key, " ")+1)
}

// readSynonyms finds the synonyms of every sequence of adjacent words in the query, including function words.
// A synonym matches all words of its sequence.
func (r *reader) readSynonyms() {
	begin := 0
	for i, first := range r.sequence {
		most, end := max(1, r.vocabulary.synonyms.words[first], analysis.SynonymWords(first)), begin-1
		if r.index.Dictionary.Len() > 0 {
			most = max(most, analysis.MaxSynonymWords)
		}
		r.required = r.required[:0]
		for n := 1; n <= most && i+n <= len(r.sequence); n++ {
			end += 1 + len(r.sequence[i+n-1])
			if place := r.places[i+n-1]; place != notRequired {
				r.required = append(r.required, place)
			}
			if len(r.required) == 0 {
				continue
			}
			curated := r.readMeanings(r.required, r.key[begin:end])
			if n == len(r.sequence) {
				r.readNamed(curated)
			}
		}
		begin += len(first) + 1
	}
}

// readMeanings adds the synonyms of a key, which consists of the words at places. It returns the key's
// curated synonyms, valid until the next call.
func (r *reader) readMeanings(places []int, key string) []*analysis.Synonym {
	for _, terms := range r.vocabulary.synonyms.of[key] {
		r.addPhrase(places, MatchSynonym, terms...)
	}
	var german, english string
	if !strings.Contains(key, " ") {
		v := &r.words[places[0]]
		german, english = v.german, v.english
	}
	r.curated = analysis.ListedSynonyms().Append(r.curated[:0], key, german, english)
	r.readCurated(places, r.curated)
	if r.vocabulary.added != nil {
		r.added = r.vocabulary.added.Append(r.added[:0], key, german, english)
		r.readCurated(places, r.added)
	}
	r.readTranslations(places, key)
	return r.curated
}

// readTranslations adds the translations of a key, which consists of the words at places. It uses the
// dictionary entry of the key itself or, if there is none, the entries with the same stem: Wand is wall, not
// walk (wandern).
func (r *reader) readTranslations(places []int, key string) {
	x := r.index
	if x.Dictionary.Len() == 0 {
		return
	}
	last := strings.LastIndexByte(key, ' ') + 1
	german, english := r.stemsOf(key[last:])
	for _, of := range stems(german, english) {
		place, ok := x.Dictionary.WholeWords(of.language, key)
		if !ok {
			r.joined = append(append(r.joined[:0], of.language...), key[:last]...)
			place, ok = x.Dictionary.FindJoined(column.String(r.joined), of.stem)
		}
		if !ok {
			continue
		}
		x.EachTranslation(place, func(terms *indexes.Groups, sets *indexes.FieldSets, number int) {
			for _, i := range places {
				r.add(i, way{kind: MatchDictionary, groups: terms, sets: sets, lo: number})
			}
		})
	}
}

// A stem is a stem with the prefix of its language, as Index.Stems and Index.Dictionary store it.
type stem struct{ language, stem string }

// stems returns the stem of a word in each language.
func stems(german, english string) [2]stem {
	return [...]stem{{indexes.StemGerman, german}, {indexes.StemEnglish, english}}
}

// stemsOf returns the stems of a word, for a word of the catalogue those that the snapshot stores.
func (r *reader) stemsOf(word string) (german, english string) {
	own, known := r.index.Terms.Find(word)
	if !known {
		return analysis.Stems(word)
	}
	return r.stemTexts(r.index.Stemmed.Of(own))
}

// stemTexts returns the texts of a German and an English stem.
func (r *reader) stemTexts(german, english int) (de, en string) {
	stems := &r.index.Stems
	return strings.TrimPrefix(stems.Key(german), indexes.StemGerman), strings.TrimPrefix(stems.Key(english),
		indexes.StemEnglish)
}

// readNamed finds the values that curated synonyms of the key name. It ignores the vocabulary's synonyms: a
// synonym of a synonym does not apply to the query.
func (r *reader) readNamed(synonyms []*analysis.Synonym) {
	for i := range synonyms {
		for _, v := range r.vocabulary.named[synonyms[i].Key] {
			if v.shown {
				r.namedBySynonym = append(r.namedBySynonym, v)
			}
		}
	}
}

// readCurated adds curated synonyms. A synonym of one word also matches its inflected forms and compounds
// that contain it: the German word for ceiling baffle is Deckenbaffel, which a query for ceiling must find. A
// synonym of several words matches as a phrase; its last word may be inflected.
func (r *reader) readCurated(places []int, synonyms []*analysis.Synonym) {
	r.forms = r.forms[:0]
	for i := range synonyms {
		s, start := synonyms[i], len(r.forms) // r.forms[:start]: forms of the synonyms of one word so far
		r.addForms(s)
		if s.Last == s.Key {
			german, _ := s.Stems()
			if n, ok := r.index.Parts.Find(german); ok && !s.Whole {
				for _, i := range places {
					r.addPart(i, MatchCurated, n)
				}
			}
			continue
		}
		var room [analysis.MaxSynonymWords]indexes.Term
		if terms, ok := r.index.AppendTerms(room[:0], s.Key[:len(s.Key)-len(s.Last)-1]); ok {
			for _, form := range r.forms[start:] {
				r.addPhrase(places, MatchCurated, append(terms, form)...)
			}
		}
		r.forms = r.forms[:start]
	}
	slices.Sort(r.forms)
	for _, form := range slices.Compact(r.forms) {
		r.addPhrase(places, MatchCurated, form)
	}
}

// addForms appends to forms the known inflected forms of the last word of a synonym. An inflected form begins
// with this word and has the same stem.
func (r *reader) addForms(of *analysis.Synonym) {
	x, start := r.index, len(r.forms)
	german, english := of.Stems()
	for _, s := range stems(german, english) {
		n, ok := x.Stems.FindJoined(s.language, s.stem)
		if !ok {
			continue
		}
		for _, number := range x.Stems.Numbers(n) {
			form := indexes.Term(number)
			if strings.HasPrefix(x.Terms.Word(form), of.Last) && !slices.Contains(r.forms[start:], form) {
				r.forms = append(r.forms, form)
			}
		}
	}
}
