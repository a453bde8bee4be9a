package runtime_test

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/runtime"
)

// An oracle answers queries by reading every product of a catalogue, following the written rules. It shares
// with the engine only stems, the parts of compounds, the curated synonyms, the function words and the forms
// of numbers. It reads products with the same texts only once.
type oracle struct {
	products   []product
	alike      [][]int             // groups of products with the same texts, ascending
	fields     [][]field           // fields of each product
	names      [][]string          // keys of each product's names, including the manufacturer's
	trigrams   map[string][]string // trigrams of these keys
	identified map[string][]int    // products by the key of their slug or id
	groups     [][]string          // keys that are synonyms of each other
	named      map[string][]string // values, with their family, by the keys that name them
	shown      map[string][]string // keys of a value's name and of its display names
	forms      map[string]forms    // related forms of every word of the catalogue
	splitter   *analysis.Splitter
	words      []string                // words of the query
	asked      []queryWord             // details of words
	kinds      []int8                  // results of kind plus 1; 0 means unknown
	edits      map[[2]string]int       // results of editDistance
	misspelt   map[string]misspeltWord // results of apart
	partForms  map[string][]string     // forms of the parts of compounds, by stem
	synonyms   analysis.SynonymTable   // synonyms of the build
	dictionary []indexes.Translation
	translated map[string][]translated // results of translate
}

// A queryWord is a word of the query with its related forms.
type queryWord struct {
	german, english string
	numbers         []string            // numbers that it finds
	joints          []string            // words that it forms with adjacent words
	sizes           [][]string          // sequences of numbers of the same size
	named           []string            // sequences of words that contain the word and name a value
	curated         []*analysis.Synonym // curated synonyms of sequences of words that contain the word
	translations    []translated        // translations of sequences of words that contain the word
	parts           []queryWord         // parts of a compound that no product contains
	spread          bool                // whether no field contains all parts
	weighs          bool                // whether products with some of the parts are found by weight
	part            string              // text of the part, if the word is a part
}

// analyse parses a query once for all products.
func (o *oracle) analyse(words []string) {
	o.words = words
	o.kinds = make([]int8, len(o.products)*int(indexes.NumFields)*len(words))
	o.asked, o.misspelt = make([]queryWord, len(words)), map[string]misspeltWord{}
	for i, w := range words {
		a := &o.asked[i]
		a.german, a.english = stemsOf(w)
		a.numbers = analysis.QueryNumberKeys(nil, w)
		for _, size := range analysis.AppendSplitSize(nil, w) {
			a.sizes = append(a.sizes, strings.Fields(size))
		}
		for from := range words {
			for to := from + 1; to <= len(words); to++ {
				if !slices.Contains(words[from:to], w) {
					continue
				}
				a.joints = append(a.joints, naiveJoints(words[from:to])...)
				key := strings.Join(words[from:to], " ")
				if o.named[key] != nil {
					a.named = append(a.named, key)
				}
				a.curated = append(a.curated, o.synonymsOf(key)...)
				a.translations = append(a.translations, o.translate(key)...)
			}
		}
		if parts := o.splitter.Split(nil, w); parts != nil && o.isMatchedNowhere(i) {
			head := parts[len(parts)-1]
			a.weighs = o.isNamed(&o.analyseParts([]string{head})[0]) &&
				!slices.ContainsFunc(parts, func(part string) bool { return part != head && !analysis.IsNoun(part) })
			a.parts = o.analyseParts(slices.Compact(slices.Sorted(slices.Values(parts))))
			a.spread = o.isMatchedNowhere(i)
			if slices.ContainsFunc(a.parts, o.isUnknownPart) {
				a.parts, a.spread = nil, false
			}
		}
	}
}

// synonymsOf returns the curated synonyms of a key and its synonyms from the build. They apply only to fts.
func (o *oracle) synonymsOf(key string) []*analysis.Synonym {
	german, english := analysis.Stems(key)
	return append(analysis.Synonyms(key), o.synonyms.Append(nil, key, german, english)...)
}

// isMatchedNowhere reports whether no product matches word i of the query as a whole.
func (o *oracle) isMatchedNowhere(i int) bool {
	return !slices.ContainsFunc(o.alike, func(alike []int) bool {
		for f := range indexes.NumFields {
			if o.bestKind(alike[0], f, o.words, i) != none {
				return true
			}
		}
		return false
	})
}

// isUnknownPart reports whether no product contains a part of a compound.
func (o *oracle) isUnknownPart(part queryWord) bool {
	return !slices.ContainsFunc(o.alike, func(alike []int) bool {
		return matchRows(o.partRows(alike[0], []queryWord{part}, -1, 0))
	})
}

// isNamed reports whether the names of products contain a word, the words of a synonym, or a compound that
// ends in the word.
func (o *oracle) isNamed(a *queryWord) bool {
	isInName := func(is func(word string) bool) bool {
		return slices.ContainsFunc(o.alike, func(alike []int) bool {
			return slices.ContainsFunc(o.fields[alike[0]][indexes.FieldName].each, is)
		})
	}
	areInNames := func(words []string) bool {
		return !slices.ContainsFunc(words, func(word string) bool {
			return !isInName(func(other string) bool { return other == word })
		})
	}
	isEnd := func(word, stem string) bool {
		return slices.Contains(o.forms[word].parts, stem) && strings.HasSuffix(o.forms[word].german, stem)
	}
	return isInName(func(word string) bool {
		f := o.forms[word]
		return word == a.part || f.german == a.german || f.english == a.english || isEnd(word, a.german)
	}) || slices.ContainsFunc(a.named, func(key string) bool {
		return slices.ContainsFunc(o.groups, func(group []string) bool {
			return slices.Contains(group, key) && slices.ContainsFunc(group, func(other string) bool {
				return other != key && areInNames(strings.Fields(other))
			})
		})
	}) || slices.ContainsFunc(a.curated, func(s *analysis.Synonym) bool {
		words := strings.Fields(s.Key)
		before, last := words[:len(words)-1], words[len(words)-1]
		return areInNames(before) && isInName(func(word string) bool {
			return word == last || isInflected(word, last) || len(before) == 0 && !s.Whole && isEnd(word, germanStem(s))
		})
	}) || slices.ContainsFunc(a.translations, func(t translated) bool {
		return isInName(func(word string) bool {
			if t.isGerman {
				return o.forms[word].german == t.stem || isEnd(word, t.stem)
			}
			return o.forms[word].english == t.stem
		})
	})
}

// analyseParts analyses the parts of a compound.
func (o *oracle) analyseParts(parts []string) []queryWord {
	var all []queryWord
	for _, part := range parts {
		a := queryWord{part: part, curated: o.synonymsOf(part), numbers: analysis.QueryNumberKeys(nil, part),
			translations: o.translate(part)}
		a.german, a.english = stemsOf(part)
		if o.named[part] != nil {
			a.named = []string{part}
		}
		all = append(all, a)
	}
	return all
}

// A translated word is the stem of a translation from the dictionary.
type translated struct {
	isGerman bool
	stem     string
}

// stems caches the stems of words.
var stems sync.Map

func stemsOf(word string) (german, english string) {
	if known, ok := stems.Load(word); ok {
		both := known.([2]string)
		return both[0], both[1]
	}
	german, english = analysis.Stems(word)
	stems.Store(word, [2]string{german, english})
	return german, english
}

// translate returns the translations of a sequence of words: those of its own entry or, if there is none,
// those of the entries with the same stem.
func (o *oracle) translate(key string) []translated {
	if known, ok := o.translated[key]; ok {
		return known
	}
	before, last := "", key
	if i := strings.LastIndex(key, " "); i >= 0 {
		before, last = key[:i+1], key[i+1:]
	}
	german, english := stemsOf(last)
	var all []translated
	for _, toGerman := range []bool{false, true} {
		whole, stemmed := []translated{}, []translated{}
		for _, t := range o.dictionary {
			from, into := t.German, t.English
			if toGerman {
				from, into = into, from
			}
			if strings.Contains(into, " ") {
				continue
			}
			fromWords := strings.Fields(from)
			fromGerman, fromEnglish := stemsOf(fromWords[len(fromWords)-1])
			fromBefore := strings.TrimSuffix(from, fromWords[len(fromWords)-1])
			intoGerman, intoEnglish := stemsOf(into)
			target := translated{toGerman, intoEnglish}
			sharesStem := fromGerman == german
			if toGerman {
				target.stem, sharesStem = intoGerman, fromEnglish == english
			}
			if from == key {
				whole = append(whole, target)
			}
			if fromBefore == before && sharesStem {
				stemmed = append(stemmed, target)
			}
		}
		if found := o.inCatalogue(whole); found != nil {
			all = append(all, found...)
		} else {
			all = append(all, o.inCatalogue(stemmed)...)
		}
	}
	o.translated[key] = all
	return all
}

// inCatalogue returns the translations of a word that some product contains, or none if they are too many.
func (o *oracle) inCatalogue(all []translated) (found []translated) {
	distinct := map[translated]bool{}
	for _, t := range all {
		distinct[t] = true
	}
	if len(distinct) > 24 {
		return nil
	}
	for t := range distinct {
		if slices.ContainsFunc(o.alike, func(alike []int) bool {
			return slices.ContainsFunc(o.fields[alike[0]], t.containsTranslation)
		}) {
			found = append(found, t)
		}
	}
	return found
}

// containsTranslation reports whether a field contains a translation.
func (t translated) containsTranslation(of field) bool {
	if t.isGerman {
		return of.german[t.stem] || of.parts[t.stem]
	}
	return of.english[t.stem]
}

// A field is a product's field: the words of its texts, and all words that match in it directly, as two
// joined words, by stem, as part of a compound, and as a number.
type field struct {
	texts                                          [][]string
	each                                           []string // words of each text
	words, joined, german, english, parts, numbers map[string]bool
}

func newField() field {
	return field{
		words: map[string]bool{}, joined: map[string]bool{},
		german: map[string]bool{}, english: map[string]bool{}, parts: map[string]bool{}, numbers: map[string]bool{},
	}
}

// containsNumber reports whether the field contains one of the numbers that a word of a query finds.
func (of *field) containsNumber(a *queryWord) bool {
	return slices.ContainsFunc(a.numbers, func(number string) bool {
		return of.numbers[number] || analysis.IsMeasure(number) && of.numbers["="+number]
	})
}

// isDecimal reports whether a word is a decimal without a unit.
func isDecimal(word string) bool {
	_, _, ok := analysis.CutDecimal(word)
	return ok
}

// forms contains the related forms of a word.
type forms struct {
	german, english string
	parts, numbers  []string
}

func newOracle(c catalogue) *oracle {
	o := &oracle{
		products: c.products, fields: make([][]field, len(c.products)), names: make([][]string, len(c.products)),
		trigrams: map[string][]string{}, identified: map[string][]int{}, edits: map[[2]string]int{},
		partForms:  map[string][]string{},
		synonyms:   analysis.NewSynonymTable(c.synonyms),
		dictionary: c.dictionary, translated: map[string][]translated{}, named: map[string][]string{},
		shown: map[string][]string{}, forms: map[string]forms{},
	}
	names := map[string][]string{} // keys of the value and its display names, by the value with its family
	for _, v := range c.vocabulary() {
		for _, value := range v.Values {
			id := familyValue(v.Family, value.Value)
			names[id] = []string{naiveKey(value.Value)}
			for _, name := range value.Names {
				names[id] = append(names[id], naiveKey(name))
			}
			for _, key := range names[id] {
				o.shown[key] = append(o.shown[key], id)
			}
			all := slices.Clone(names[id])
			o.groups = append(o.groups, names[id])
			for _, synonym := range value.Synonyms {
				key := naiveKey(synonym)
				o.groups = append(o.groups, append(slices.Clone(names[id]), key)) // not synonyms of each other
				all = append(all, key)
			}
			for _, key := range all {
				o.named[key] = append(o.named[key], id)
			}
		}
	}
	group := map[string]int{} // index in alike by text
	for d, p := range c.products {
		o.identified[naiveKey(p.id)] = append(o.identified[naiveKey(p.id)], d)
		if slug := naiveKey(p.slug); slug != "" {
			o.identified[slug] = append(o.identified[slug], d)
		}
		texts := strings.Join(slices.Concat(
			[]string{p.label, p.labelEN, p.commercial, p.manufacturer, p.description, p.descriptionEN,
				strings.Join(p.details, "\t")}, p.values()), "\n")
		at, known := group[texts]
		if !known {
			at = len(o.alike)
			group[texts] = at
			o.alike = append(o.alike, nil)
			o.read(d, names)
		}
		o.alike[at] = append(o.alike[at], d)
		first := o.alike[at][0]
		o.fields[d], o.names[d] = o.fields[first], o.names[first]
	}
	o.splitter = analysis.NewSplitter(func(word string) bool { _, ok := o.forms[word]; return ok })
	for word, f := range o.forms {
		for _, part := range o.splitter.Parts(nil, word) {
			f.parts = append(f.parts, part.Stem)
			if forms := o.partForms[part.Stem]; !slices.Contains(forms, part.Form) {
				o.partForms[part.Stem] = append(forms, part.Form)
			}
		}
		o.forms[word] = f
	}
	for _, alike := range o.alike {
		fields := o.fields[alike[0]]
		for f := range fields {
			for word := range fields[f].words {
				for _, part := range o.forms[word].parts {
					fields[f].parts[part] = true
				}
			}
		}
	}
	return o
}

// read parses the texts of a product. names contains the display names of values.
func (o *oracle) read(d int, names map[string][]string) {
	p := &o.products[d]
	o.names[d] = append(p.names(naiveKey), naiveKey(p.manufacturer))
	for _, name := range o.names[d] {
		o.trigrams[name] = naiveTrigrams(name)
	}
	var texts [indexes.NumFields][]string
	texts[indexes.FieldName] = p.names(naiveKey)
	texts[indexes.FieldManufacturer] = []string{naiveKey(p.manufacturer)}
	for _, id := range p.values() {
		texts[indexes.FieldCategory] = append(texts[indexes.FieldCategory], names[id]...)
	}
	slices.Sort(texts[indexes.FieldCategory]) // the names of a value are unordered
	texts[indexes.FieldDescription] = p.descriptions(naiveKey)
	texts[indexes.FieldDetails] = keys(naiveDetailKey, p.details...)
	for f := range texts {
		of := newField()
		for _, text := range texts[f] {
			words := strings.Fields(text)
			of.texts = append(of.texts, words)
			for i, word := range words {
				german, english := stemsOf(word)
				if _, known := o.forms[word]; !known {
					o.forms[word] = forms{german: german, english: english, numbers: analysis.NumberKeys([]string{word}, word)}
				}
				for _, number := range o.forms[word].numbers {
					of.numbers[number] = true
				}
				if !of.words[word] {
					of.each = append(of.each, word)
				}
				of.words[word], of.german[german], of.english[english] = true, true, true
				if i > 0 {
					of.joined[naiveJoint(words[i-1], word)] = true
					if decimal := words[i-1] + "." + word; isDecimal(decimal) {
						of.joined[decimal] = true
					}
				}
			}
		}
		o.fields[d] = append(o.fields[d], of)
	}
}

func familyValue(f indexes.Family, value string) string { return string(rune('0'+f)) + value }

// A hit is a match with its sort keys, in ascending order.
type hit struct {
	doc  int
	rank [7]float64
}

func (h hit) strategy() runtime.Strategy { return runtime.Strategy(h.rank[0]) }

// search returns the matches of a text in the order of relevance.
func (o *oracle) search(text string) []hit {
	key := naiveKey(text)
	each := func(match func(string, int) (hit, bool)) func(string) []hit {
		return func(key string) []hit {
			hits := map[int]hit{}
			for _, alike := range o.alike {
				if h, ok := match(key, alike[0]); ok {
					for _, h.doc = range alike {
						hits[h.doc] = h
					}
				}
			}
			for _, d := range o.identified[key] { // if there are any, the search is strict
				hits[d] = hit{doc: d, rank: [7]float64{float64(runtime.StrategyExact)}}
			}
			return slices.Collect(maps.Values(hits))
		}
	}
	steps := []func(string) []hit{each(o.strict), each(o.fuzzy), each(o.similar), o.byWeight}
	if len(strings.Fields(key)) >= 5 {
		steps[2], steps[3] = steps[3], steps[2]
	}
	for _, step := range steps {
		if hits := step(key); len(hits) > 0 {
			return ordered(hits)
		}
		if analysis.IsListed(key) { // a listed key is spelled correctly
			break
		}
	}
	return nil
}

func ordered(hits []hit) []hit {
	slices.SortFunc(hits, func(a, b hit) int {
		return cmp.Or(slices.Compare(a.rank[:], b.rank[:]), cmp.Compare(a.doc, b.doc))
	})
	return hits
}

// strict finds the matches of the strict buckets, except by slugs and ids.
func (o *oracle) strict(key string, d int) (hit, bool) {
	p := &o.products[d]
	names := o.names[d]
	bucket := func(s runtime.Strategy) (hit, bool) { return hit{doc: d, rank: [7]float64{float64(s)}}, true }
	if slices.Contains(names, key) {
		return bucket(runtime.StrategyExact)
	}
	own := names[:len(names)-1] // without the manufacturer's name, which is last
	begins := func(beginning string) func(string) bool {
		return func(name string) bool { return strings.HasPrefix(name, beginning) }
	}
	for rank, ok := range []bool{
		slices.ContainsFunc(own, begins(key+" ")), begins(key + " ")(names[len(own)]), slices.ContainsFunc(own, begins(key)),
	} {
		if ok {
			return hit{doc: d, rank: [7]float64{float64(runtime.StrategyPrefix), float64(rank)}}, true
		}
	}
	words := strings.Fields(key)
	asFTS := func(h hit, place int) (hit, bool) {
		return o.ranked(d, words, demanded(words), make([]int, len(words)), h, place)
	}
	// ordered by the best field with the words, then by how the value is named, then as in fts; matches without
	// such a field come last
	category := func(synonym float64) (hit, bool) {
		field := float64(indexes.NumFields)
		for f := range indexes.NumFields {
			if o.holdsAll(d, f, words) {
				field = min(field, float64(f))
			}
		}
		h := hit{doc: d, rank: [7]float64{float64(runtime.StrategyCategory), field, synonym}}
		if ranked, ok := asFTS(h, 3); ok {
			return ranked, true
		}
		h.rank[3] = 2
		return h, true
	}
	for _, id := range p.values() {
		if slices.Contains(o.named[key], id) {
			return category(0)
		}
	}
	for _, s := range analysis.Synonyms(key) {
		for _, id := range p.values() {
			if slices.Contains(o.shown[s.Key], id) {
				return category(1)
			}
		}
	}
	if len(words) >= 2 {
		for f := range indexes.NumFields {
			if o.phrase(d, f, words) {
				return asFTS(hit{rank: [7]float64{float64(runtime.StrategyPhrase), float64(f)}}, 2)
			}
		}
	}
	return asFTS(hit{rank: [7]float64{float64(runtime.StrategyFTS)}}, 1)
}

// dictionary is the worst kind. none means that the word is missing, and is worse than every kind.
const allParts, curated, dictionary, none = 5, 6, 7, 8

// demanded reports for each word whether a product must match it. This is true except for function words, and
// for all words if there are only function words.
func demanded(words []string) []bool {
	counts := make([]bool, len(words))
	for i := range words {
		counts[i] = analysis.IsRequired(words, i)
	}
	if !slices.Contains(counts, true) {
		return slices.Repeat([]bool{true}, len(words))
	}
	return counts
}

// isShort reports whether a query has a single required word that is short.
func isShort(words []string) bool {
	only, counts := "", demanded(words)
	for i, word := range words {
		if counts[i] && only != "" && word != only {
			return false
		} else if counts[i] {
			only = word
		}
	}
	return utf8.RuneCountInString(only) <= runtime.ShortLetters
}

// ranked sets the sort keys, starting at index place, for the match of all required words at given edit
// distances. It first tries to match without curated synonyms and the dictionary.
func (o *oracle) ranked(d int, words []string, counts []bool, distances []int, h hit, place int) (hit, bool) {
	h.doc = d
	for worst, needed := range []int{allParts, dictionary} {
		if h, ok := o.rankedWithin(d, words, counts, distances, h, place+1, needed); ok {
			h.rank[place] = float64(worst)
			return h, true
		}
	}
	return hit{}, false
}

// A row contains, for each field of a product, how a word or a part of a spread compound matches.
type row [indexes.NumFields]int

// rankedWithin is like ranked, but accepts only kinds up to within.
func (o *oracle) rankedWithin(d int, words []string, counts []bool, distances []int, h hit, place, within int) (hit,
	bool) {
	var rows []row
	for i, word := range words {
		if !counts[i] {
			continue
		}
		o.kind(d, 0, words, i) // fills the cache
		switch m := o.misspelt[word]; {
		case distances[i] > 0 && m.spread:
			rows = append(rows, o.partRows(d, m.parts, m.place, allParts)...)
		case distances[i] > 0:
			rows = append(rows, o.correctedRow(d, word, distances[i]))
		case o.asked[i].spread:
			rows = append(rows, o.partRows(d, o.asked[i].parts, -1, allParts)...)
		default:
			var r row
			for f := range indexes.NumFields {
				r[f] = o.kind(d, f, words, i)
			}
			rows = append(rows, r)
		}
	}
	return rankRows(rows, isShort(words), h, place, within)
}

// correctedRow returns how a word matches at an edit distance in each field.
func (o *oracle) correctedRow(d int, word string, distance int) (r row) {
	for f := range indexes.NumFields {
		switch distance {
		case o.distance(d, f, word):
			r[f] = 0
		case o.partDistance(d, f, word):
			r[f] = 2
		default:
			r[f] = none
			if distance == 1 {
				r[f] = o.apartKind(d, f, word)
			}
		}
	}
	return r
}

// partRows returns how parts, one of which may be misspelt, match in each field. No kind is better than best.
func (o *oracle) partRows(d int, parts []queryWord, misspelt, best int) []row {
	rows := make([]row, len(parts))
	for i := range parts {
		for f := range indexes.NumFields {
			rows[i][f] = max(best, o.partKind(d, f, &parts[i]))
			if i == misspelt {
				rows[i][f] = none
				if o.distance(d, f, parts[i].part) == 1 || o.partDistance(d, f, parts[i].part) == 1 {
					rows[i][f] = best
				}
			}
		}
	}
	return rows
}

// rankRows sets the sort keys, starting at index place, for the match of all rows with kinds up to within.
func rankRows(rows []row, short bool, h hit, place, within int) (hit, bool) {
	worst := func(fields ...indexes.Field) int {
		worst := 0
		for _, r := range rows {
			best := none
			for _, f := range fields {
				if r[f] <= within {
					best = min(best, r[f])
				}
			}
			worst = max(worst, best)
		}
		return worst
	}
	// after the names, whole matches of a short word come first
	for f := indexes.FieldCategory; short && worst(indexes.FieldName, indexes.FieldManufacturer) == none &&
		f < indexes.NumFields; f++ {
		if k := worst(f); k <= 1 {
			h.rank[place], h.rank[place+1], h.rank[place+2] = 0, float64(f), float64(k)
			return h, true
		}
	}
	for f := range indexes.NumFields {
		if k := worst(f); k != none {
			h.rank[place], h.rank[place+1], h.rank[place+2] = 0, float64(f), float64(k)
			if short && f >= indexes.FieldCategory {
				h.rank[place] = 1
			}
			return h, true
		}
	}
	fields := []indexes.Field{}
	for f := range indexes.NumFields {
		fields = append(fields, f)
		if k := worst(fields...); k != none {
			h.rank[place], h.rank[place+1], h.rank[place+2] = 1, float64(f), float64(k)
			return h, true
		}
	}
	return hit{}, false
}

// matchRows reports whether a product matches each of the rows in some field.
func matchRows(rows []row) bool {
	return !slices.ContainsFunc(rows, func(r row) bool { return slices.Min(r[:]) == none })
}

func (o *oracle) phrase(d int, f indexes.Field, words []string) bool {
	of := &o.fields[d][f]
	if !of.words[words[0]] {
		return false
	}
	for _, text := range of.texts {
		for i := 0; i+len(words) <= len(text); i++ {
			if slices.Equal(text[i:i+len(words)], words) {
				return true
			}
		}
	}
	return false
}

// kind returns the best kind of match in a field for words[i], or none.
func (o *oracle) kind(d int, f indexes.Field, words []string, i int) int {
	if !slices.Equal(words, o.words) {
		o.analyse(words)
	}
	known := &o.kinds[(d*int(indexes.NumFields)+int(f))*len(words)+i]
	if *known == 0 {
		*known = int8(1 + o.bestKind(d, f, words, i))
	}
	return int(*known) - 1
}

func (o *oracle) bestKind(d int, f indexes.Field, words []string, i int) int {
	w, asked, of := words[i], &o.asked[i], &o.fields[d][f]
	if of.words[w] || analysis.IsMeasure(w) && of.words["="+w] || of.joined[w] || slices.ContainsFunc(asked.joints,
		func(joint string) bool {
			return of.words[joint]
		}) {
		return 0
	}
	if slices.ContainsFunc(asked.sizes, func(numbers []string) bool { return o.phrase(d, f, numbers) }) {
		return 0
	}
	if of.german[asked.german] || of.english[asked.english] {
		return 1
	}
	if utf8.RuneCountInString(w) >= 3 && of.parts[asked.german] || of.containsNumber(asked) {
		return 2
	}
	if slices.Index(words, w) == len(words)-1 && slices.ContainsFunc(of.each, func(word string) bool {
		return strings.HasPrefix(word, w)
	}) {
		return 3
	}
	if slices.ContainsFunc(asked.named, func(key string) bool { return o.synonym(d, f, key) }) {
		return 4
	}
	best := none
	if slices.ContainsFunc(asked.curated, func(s *analysis.Synonym) bool { return o.curated(d, f, s) }) {
		best = curated
	} else if slices.ContainsFunc(asked.translations, func(t translated) bool { return t.containsTranslation(*of) }) {
		best = dictionary
	}
	if asked.parts != nil {
		worst := allParts
		for i := range asked.parts {
			worst = max(worst, o.partKind(d, f, &asked.parts[i]))
		}
		best = min(best, worst)
	}
	return best
}

// partKind returns the best kind of match in a field for a part of the query's compound.
func (o *oracle) partKind(d int, f indexes.Field, a *queryWord) int {
	of := &o.fields[d][f]
	switch {
	case of.words[a.part]:
		return 0
	case of.german[a.german] || of.english[a.english]:
		return 1
	case of.parts[a.german] || of.containsNumber(a):
		return 2
	case slices.ContainsFunc(a.named, func(key string) bool { return o.synonym(d, f, key) }):
		return 4
	case slices.ContainsFunc(a.curated, func(s *analysis.Synonym) bool { return o.curated(d, f, s) }):
		return curated
	case slices.ContainsFunc(a.translations, func(t translated) bool { return t.containsTranslation(*of) }):
		return dictionary
	}
	return none
}

// isInflected reports whether form is an inflected form of word: it begins with word and has the same stem.
func isInflected(form, word string) bool {
	germanForm, englishForm := stemsOf(form)
	german, english := stemsOf(word)
	return len(form) > len(word) && strings.HasPrefix(form, word) && (germanForm == german || englishForm == english)
}

func germanStem(s *analysis.Synonym) string {
	german, _ := s.Stems()
	return german
}

// curated reports whether a field contains a curated synonym, with its last word perhaps inflected, or a
// compound that contains it.
func (o *oracle) curated(d int, f indexes.Field, s *analysis.Synonym) bool {
	words := strings.Fields(s.Key)
	before, last := words[:len(words)-1], words[len(words)-1]
	for _, text := range o.fields[d][f].texts {
		for i, word := range text {
			behind := i >= len(before) && slices.Equal(text[i-len(before):i], before)
			if behind && strings.HasPrefix(word, last) && (word == last || isInflected(word, last)) {
				return true
			}
			if len(words) == 1 && !s.Whole && slices.Contains(o.forms[word].parts, germanStem(s)) {
				return true
			}
		}
	}
	return false
}

func (o *oracle) synonym(d int, f indexes.Field, key string) bool {
	for _, group := range o.groups {
		if !slices.Contains(group, key) {
			continue
		}
		for _, other := range group {
			if other != key && o.phrase(d, f, strings.Fields(other)) {
				return true
			}
		}
	}
	return false
}

// holdsAll reports whether a field matches all required words.
func (o *oracle) holdsAll(d int, f indexes.Field, words []string) bool {
	for i, counts := range demanded(words) {
		if counts && o.kind(d, f, words, i) == none {
			return false
		}
	}
	return true
}

func (o *oracle) holds(d int, words []string, i int) bool {
	if o.kind(d, 0, words, i); o.asked[i].spread {
		return matchRows(o.partRows(d, o.asked[i].parts, -1, allParts))
	}
	for f := range indexes.NumFields {
		if o.kind(d, f, words, i) != none {
			return true
		}
	}
	return false
}

// distance returns the smallest edit distance between a word and the words of a field, or 9 if no correction
// is allowed.
func (o *oracle) distance(d int, f indexes.Field, word string) int {
	return o.least(word, o.fields[d][f].each)
}

// partDistance returns the smallest edit distance between a word and a part of a field's compounds, in any
// form in the compound, or 9 if no correction is allowed. An equal part needs no correction.
func (o *oracle) partDistance(d int, f indexes.Field, word string) int {
	if utf8.RuneCountInString(word) < 5 {
		return 9
	}
	least := 9
	for part := range o.fields[d][f].parts {
		if n := o.least(word, o.partForms[part]); n > 0 {
			least = min(least, n)
		}
	}
	return least
}

// apart splits a word that has no corrections in the catalogue into parts, one of which has corrections.
func (o *oracle) apart(word string) (parts []queryWord, misspelt int) {
	if a, known := o.misspelt[word]; known {
		return a.parts, a.place
	}
	nearby := func(word string, distance func(int, indexes.Field, string) int) bool {
		return slices.ContainsFunc(o.alike, func(alike []int) bool {
			for f := range indexes.NumFields {
				if n := distance(alike[0], f, word); 0 < n && n < 9 {
					return true
				}
			}
			return false
		})
	}
	if i := slices.Index(o.words, word); o.isMatchedNowhere(i) && o.least(word, []string{word}) == 0 &&
		!nearby(word, o.distance) && !nearby(word, o.partDistance) {
		o.splitter.Gaps(word, 5, func(words []string, unknown int) bool {
			near := func(d int, f indexes.Field, word string) int {
				return min(o.distance(d, f, word), o.partDistance(d, f, word))
			}
			if !nearby(words[unknown], func(d int, f indexes.Field, word string) int {
				if near(d, f, word) == 1 {
					return 1
				}
				return 9
			}) {
				return false
			}
			parts, misspelt = o.analyseParts(words), unknown
			return true
		})
	}
	o.misspelt[word] = misspeltWord{parts, misspelt, false}
	spread := parts != nil && !nearby(word, o.apartDistance)
	o.misspelt[word] = misspeltWord{parts, misspelt, spread}
	return parts, misspelt
}

// apartDistance returns 1 if a field contains all parts of a word, one of them misspelt, and otherwise 9.
func (o *oracle) apartDistance(d int, f indexes.Field, word string) int {
	if o.apartKind(d, f, word) == none {
		return 9
	}
	return 1
}

// apartKind returns the kind of match for these parts.
func (o *oracle) apartKind(d int, f indexes.Field, word string) int {
	parts, misspelt := o.apart(word)
	if parts == nil {
		return none
	}
	worst := allParts
	for i := range parts {
		kind := o.partKind(d, f, &parts[i])
		if i == misspelt {
			kind = none
			if o.distance(d, f, parts[i].part) == 1 || o.partDistance(d, f, parts[i].part) == 1 {
				kind = 0
			}
		}
		worst = max(worst, kind)
	}
	return worst
}

// A misspeltWord is a result of apart.
type misspeltWord struct {
	parts  []queryWord
	place  int
	spread bool // whether no field contains all parts
}

// least returns the smallest edit distance between a word and other words, or 9 if no correction is allowed.
func (o *oracle) least(word string, others []string) int {
	letters := []rune(word)
	allowed := 2
	if len(letters) < 8 {
		allowed = 1
	}
	if len(letters) < 4 || slices.ContainsFunc(letters, unicode.IsDigit) {
		return 9
	}
	least := 9
	for _, other := range others {
		if n := len(letters) - utf8.RuneCountInString(other); n > allowed || n < -allowed {
			continue
		}
		pair := [2]string{word, other}
		n, known := o.edits[pair]
		if !known {
			n = editDistance(letters, []rune(other))
			o.edits[pair] = n
		}
		if n <= allowed {
			least = min(least, n)
		}
	}
	return least
}

// editDistance counts insertions, deletions, replacements and transpositions of adjacent letters.
func editDistance(a, b []rune) int {
	rows := make([][]int, len(a)+1)
	for i := range rows {
		rows[i] = make([]int, len(b)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(a); i++ {
		for j := 1; j <= len(b); j++ {
			same := 1
			if a[i-1] == b[j-1] {
				same = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+same)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(a)][len(b)]
}

func (o *oracle) fuzzy(key string, d int) (hit, bool) {
	words := strings.Fields(key)
	counts, distances := demanded(words), make([]int, len(words))
	corrected, sum := map[string]bool{}, 0
	for i, word := range words {
		if !counts[i] || o.holds(d, words, i) {
			continue
		}
		distances[i] = 9
		for f := range indexes.NumFields {
			distances[i] = min(distances[i], o.distance(d, f, word), o.partDistance(d, f, word), o.apartDistance(d, f, word))
		}
		if parts, misspelt := o.apart(word); o.misspelt[word].spread && matchRows(o.partRows(d, parts, misspelt, allParts)) {
			distances[i] = 1
		}
		if distances[i] == 9 {
			return hit{}, false
		}
		if !corrected[word] {
			sum += distances[i]
		}
		corrected[word] = true
	}
	h := hit{rank: [7]float64{float64(runtime.StrategyFuzzy), float64(len(corrected)), float64(sum)}}
	return o.ranked(d, words, counts, distances, h, 3)
}

// similarity returns the similarity of the most similar name of a product or its manufacturer.
func (o *oracle) similarity(key string, d int) float64 {
	best, own := 0.0, naiveTrigrams(key)
	for _, name := range o.names[d] {
		best = max(best, similarity(own, o.trigrams[name]))
	}
	return best
}

func (o *oracle) similar(key string, d int) (hit, bool) {
	best := o.similarity(key, d)
	within := utf8.RuneCountInString(strings.ReplaceAll(key, " ", "")) >= 3 &&
		slices.ContainsFunc(o.names[d], func(name string) bool { return strings.Contains(name, key) })
	return hit{doc: d, rank: [7]float64{float64(runtime.StrategyTrigram), -best}}, best >= 0.3-1e-12 || within
}

// byWeight is the fallback by weight. It finds products whose words have at least half of the weight of those
// of the best product. The weight of a word that n of N products contain is ln(1+N/n), in steps of 1/64, and
// that of a function word is 0. If a compound can match by its parts, each part has a weight.
func (o *oracle) byWeight(key string) []hit {
	words := strings.Fields(key)
	if !slices.ContainsFunc(words, func(w string) bool { return !analysis.IsFunctionWord(w) }) {
		return nil // function words have no weight
	}
	counts := demanded(words)
	o.kind(0, 0, words, 0) // fills the cache
	type unit struct {     // a word, or a part of a compound, with a weight
		rows    []row
		letters int
	}
	unitsOf := func(d int) (units []unit) {
		for i, word := range words {
			a := &o.asked[i]
			switch {
			case !counts[i] || slices.Index(words, word) != i:
			case a.parts != nil && a.weighs:
				for at, r := range o.partRows(d, a.parts, -1, 0) {
					units = append(units, unit{[]row{r}, utf8.RuneCountInString(a.parts[at].part)})
				}
			case a.spread:
				units = append(units, unit{o.partRows(d, a.parts, -1, allParts), utf8.RuneCountInString(word)})
			default:
				var r row
				for f := range indexes.NumFields {
					r[f] = o.kind(d, f, words, i)
				}
				units = append(units, unit{[]row{r}, utf8.RuneCountInString(word)})
			}
		}
		return units
	}
	all := make([][]unit, len(o.alike))
	holding := make([]int, 8*len(words)) // number of products that contain each unit
	for at, alike := range o.alike {
		all[at] = unitsOf(alike[0])
		for i, u := range all[at] {
			if matchRows(u.rows) {
				holding[i] += len(alike)
			}
		}
	}
	best := 0.0
	var hits []hit
	for at, alike := range o.alike {
		sum, long := 0.0, false
		var held []row
		for i, u := range all[at] {
			if matchRows(u.rows) {
				sum += math.Round(64 * math.Log(1+float64(len(o.products))/float64(holding[i])))
				long = long || u.letters >= 4
				held = append(held, u.rows...)
			}
		}
		if !long {
			continue
		}
		best = max(best, sum)
		h, ok := rankRows(held, isShort(words), hit{}, 3, allParts)
		if !ok {
			h, ok = rankRows(held, isShort(words), hit{rank: [7]float64{2: 1}}, 3, dictionary)
		}
		h.rank[0], h.rank[1] = float64(runtime.StrategyTrigram), -sum
		if !ok {
			panic("a product holds words, and no field does")
		}
		for _, h.doc = range alike {
			hits = append(hits, h)
		}
	}
	return slices.DeleteFunc(hits, func(h hit) bool { return -h.rank[1] < best/2 })
}

// similarity returns the similarity as pg_trgm defines it: the number of shared distinct trigrams divided by
// the size of the union, from 0 to 1, and 0 if there are no trigrams. Both lists are results of naiveTrigrams.
func similarity(a, b []string) float64 {
	shared, i, j := 0, 0, 0
	for i < len(a) && j < len(b) {
		switch cmp.Compare(a[i], b[j]) {
		case -1:
			i++
		case 1:
			j++
		default:
			shared, i, j = shared+1, i+1, j+1
		}
	}
	if united := len(a) + len(b) - shared; united > 0 {
		return float64(shared) / float64(united)
	}
	return 0
}

// TestSimilarityIsPostgreSQLs compares similarity with results of PostgreSQL's function.
func TestSimilarityIsPostgreSQLs(t *testing.T) {
	tests := []struct {
		a, b string
		want float64
	}{
		{"word", "two words", 0.36363637},
		{"word", "word", 1},
		{"word", "xyz", 0},
		{"", "", 0},
		{"", "word", 0},
	}
	for _, test := range tests {
		a, b := naiveTrigrams(test.a), naiveTrigrams(test.b)
		if got, back := similarity(a, b), similarity(b, a); math.Abs(got-test.want) > 1e-6 || got != back {
			t.Errorf("Similarity of %q and %q is %v, the other way %v, want %v", test.a, test.b, got, back, test.want)
		}
	}
}
