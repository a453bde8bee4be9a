package runtime

import (
	"slices"
	"unicode/utf8"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
)

// A reader parses texts. It looks up words, but does not read documents. The result of read is valid until
// the next call of read.
type reader struct {
	index      *indexes.Index
	vocabulary *vocabulary
	splitter   *analysis.Splitter // splits unknown compounds into known words
	parsedQuery
	terms         []indexes.Term // terms of all phrases, concatenated
	required      []int          // indexes of the required words in a sequence of words
	curated       []*analysis.Synonym
	added         []*analysis.Synonym // synonyms from synonym files
	forms         []indexes.Term      // terms of curated synonyms and split sizes
	compoundParts []string            // parts of a compound
	numbers       []string            // keys under which numbers are indexed

	joined []byte // words of the query as one word
}

// read parses the key of a text. An empty key has no words.
func (r *reader) read(key string) *parsedQuery {
	q := &r.parsedQuery
	*q = parsedQuery{key: key, sequence: q.sequence[:0], places: q.places[:0], words: q.words[:0],
		phrases: q.phrases[:0], namedBySynonym: q.namedBySynonym[:0]} // reuses the memory of an earlier query
	r.terms = r.terms[:0]
	if q.key == "" {
		return q
	}
	q.sequence = analysis.AppendWords(q.sequence, q.key)
	q.functionWords = !slices.ContainsFunc(q.sequence, func(s string) bool { return !analysis.IsFunctionWord(s) })
	for i, s := range q.sequence {
		place := notRequired
		if q.functionWords || analysis.IsRequired(q.sequence, i) {
			place = r.wordOf(s)
		}
		q.places = append(q.places, place)
	}
	for i := range q.words {
		r.readForms(i) // forms that depend only on this word
		r.readSplit(i)
	}
	q.id, q.isID = r.index.IDKeys.Find(column.StringBytes(q.key))
	q.named = r.vocabulary.named[q.key]
	r.readNeighbours()
	r.readBeginning()
	r.readSynonyms()
	r.readCompounds()
	return q
}

// wordOf returns the index of the distinct word s, and adds s if necessary.
func (r *reader) wordOf(s string) int {
	if i := slices.IndexFunc(r.words, func(v word) bool { return v.text == s }); i >= 0 {
		return i
	}
	return r.newWord(s)
}

// newWord adds a word and returns its index.
func (r *reader) newWord(s string) int {
	i := len(r.words)
	r.words = slices.Grow(r.words, 1)[:i+1]
	v := &r.words[i]
	*v = word{text: s, letters: utf8.RuneCountInString(s), ways: v.ways[:0]} // reuse the list of an earlier query
	return i
}

// add adds a way to match word i.
func (r *reader) add(i int, w way) {
	r.words[i].ways = append(r.words[i].ways, w)
	r.levels.add(w.kind)
}

// addTerm adds a term as a way to match word i.
func (r *reader) addTerm(i int, k MatchKind, t indexes.Term) {
	r.add(i, termsWay(k, &r.index.Terms, t, t+1))
}

// addStem adds the terms of a stem.
func (r *reader) addStem(i, stem int) {
	r.add(i, way{kind: MatchStem, groups: &r.index.Stems, sets: &r.index.StemSets, lo: stem})
}

// addPart adds the compounds with a part.
func (r *reader) addPart(i int, k MatchKind, part int) {
	r.add(i, way{kind: k, groups: &r.index.Parts, sets: &r.index.PartSets, lo: part})
}

// addPhrase adds a phrase, or a single term, as a way to match each of the words.
func (r *reader) addPhrase(words []int, k MatchKind, terms ...indexes.Term) {
	if len(terms) == 1 {
		for _, i := range words {
			r.addTerm(i, k, terms[0])
		}
		return
	}
	start := len(r.terms)
	r.terms = append(r.terms, terms...)
	for _, i := range words {
		r.add(i, way{kind: k, form: formPhrase, lo: len(r.phrases)})
	}
	r.phrases = append(r.phrases, r.terms[start:len(r.terms):len(r.terms)])
}

// readSplit finds the two words whose joined form is word i. For a decimal it also finds the digits without
// the point, as in article numbers. For a size it finds the numbers.
func (r *reader) readSplit(i int) {
	x, s := r.index, r.words[i].text
	x.Terms.Beginnings(s, func(first indexes.Term, cut int) {
		swallows := analysis.Swallows(s[:cut])
		if !swallows || s[cut] != 'e' {
			if second, ok := x.Terms.Find(s[cut:]); ok {
				r.addPhrase([]int{i}, MatchSplit, first, second)
			}
		}
		if swallows {
			if second, ok := x.Terms.FindJoined("e", s[cut:]); ok {
				r.addPhrase([]int{i}, MatchSplit, first, second)
			}
		}
	})
	if whole, fraction, ok := analysis.CutDecimal(s); ok {
		first, known := x.Terms.Find(whole)
		if second, ok := x.Terms.Find(fraction); ok && known {
			r.addPhrase([]int{i}, MatchSplit, first, second)
		}
	}
	r.numbers = analysis.AppendSplitSize(r.numbers[:0], s)
	for _, key := range r.numbers {
		var ok bool
		if r.forms, ok = x.AppendTerms(r.forms[:0], key); ok {
			r.addPhrase([]int{i}, MatchSplit, r.forms...)
		}
	}
}

// readForms finds the word itself, its stems, and compounds with the word as a part.
func (r *reader) readForms(i int) {
	x, s := r.index, r.words[i].text
	own, known := x.Terms.Find(s)
	v := &r.words[i]
	if known {
		r.addTerm(i, MatchVerbatim, own)
		german, english := x.Stemmed.Of(own)
		v.german, v.english = r.stemTexts(german, english)
		for _, stem := range [...]int{german, english} {
			if len(x.Stems.Numbers(stem)) > 1 { // the stem has terms other than the word itself
				r.addStem(i, stem)
			}
		}
	} else if v.german, v.english = analysis.Stems(s); !analysis.HasDigit(s) { // with a digit, no other word has the stem
		for _, s := range stems(v.german, v.english) {
			if n, ok := x.Stems.FindJoined(s.language, s.stem); ok {
				r.addStem(i, n)
			}
		}
	}
	if !r.readNumber(i) && v.letters >= analysis.MinPart {
		if n, ok := x.Parts.Find(v.german); ok {
			r.addPart(i, MatchPart, n)
		}
	}
}

// readNumber finds numbers and sizes that contain the word, even in another unit or spelling. It reports
// whether the word is a number, a unit or the symbol between numbers.
func (r *reader) readNumber(i int) bool {
	s := r.words[i].text
	r.numbers = analysis.QueryNumberKeys(r.numbers[:0], s)
	for _, key := range r.numbers {
		kind := MatchPart
		if key == s {
			kind = MatchVerbatim
		} else if t, ok := r.index.Terms.Find(key); ok {
			r.addTerm(i, MatchPart, t)
		}
		if n, ok := r.index.Parts.Find(key); ok {
			r.addPart(i, MatchPart, n)
		}
		if !analysis.IsMeasure(key) {
			continue
		}
		if t, ok := r.index.Terms.FindJoined(analysis.MeasureSign, key); ok { // spelled as in details
			r.addTerm(i, kind, t)
		}
		if n, ok := r.index.Parts.FindJoined(analysis.MeasureSign, key); ok {
			r.addPart(i, MatchPart, n)
		}
	}
	return len(r.numbers) > 0
}

// readNeighbours finds catalogue words that consist of adjacent words of the query. It joins two words, or
// several if one contains a digit, as in the groups of an article number. The joined word matches each of
// these words.
func (r *reader) readNeighbours() {
	most := 2
	if analysis.HasDigit(r.key) {
		most = analysis.MaxJoinedWords
	}
	for i, first := range r.sequence {
		run := r.sequence[i:min(i+most, len(r.sequence))]
		joined, hasDigit := append(r.joined[:0], first...), analysis.HasDigit(first)
		for n := 2; n <= len(run); n++ {
			joined, hasDigit = analysis.AppendJoined(joined, run[n-1]), hasDigit || analysis.HasDigit(run[n-1])
			if n > 2 && !hasDigit {
				continue
			}
			r.addJoint(i, n, joined)
			// article numbers are written with or without points
			if hasDigit && slices.Contains(joined, '.') {
				with := len(joined)
				joined = append(joined, joined...)
				r.addJoint(i, n, slices.DeleteFunc(joined[with:], func(c byte) bool { return c == '.' }))
				joined = joined[:with]
			}
		}
		r.joined = joined
	}
}

// addJoint adds the joined word as a way to match n words, starting at place.
func (r *reader) addJoint(place, n int, joined []byte) {
	if joint, ok := r.index.Terms.Find(column.String(joined)); ok {
		for _, i := range r.places[place : place+n] {
			if i != notRequired {
				r.addTerm(i, MatchJoined, joint)
			}
		}
	}
}

// readBeginning finds the words that begin with the last word of the query. If the last word also occurs
// earlier, the complete word must match there, so a prefix adds nothing.
func (r *reader) readBeginning() {
	end := len(r.sequence) - 1
	last, s := r.places[end], r.sequence[end]
	if last == notRequired || slices.Contains(r.places[:end], last) {
		return
	}
	if prefix, ok := r.index.Prefixes.Find(s); ok {
		r.add(last, termsWay(MatchBeginning, &r.index.Prefixes, prefix, prefix+1))
		return
	}
	lo, hi := r.index.Terms.Range(s)
	own, known := r.index.Terms.Find(s)
	if lo < hi && (!known || lo != own || hi != own+1) {
		r.add(last, termsWay(MatchBeginning, &r.index.Terms, lo, hi))
	}
}
