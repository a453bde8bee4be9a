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

// An oracle answers queries by reading every product of a catalogue from end to end, rule by rule as they are
// written down. It shares stems, the parts of compounds, the curated synonyms, the function words and the
// forms of numbers with the engine, and nothing else. Products with the same texts are read once.
type oracle struct {
	products   []product
	alike      [][]int             // products with the same texts, ascending
	fields     [][]field           // by product
	names      [][]string          // by product: keys, the manufacturer's too
	trigrams   map[string][]string // of those keys
	identified map[string][]int    // key of a slug or id to its products
	groups     [][]string          // keys that are synonyms of each other
	named      map[string][]string // key to the values that it names, with their family
	shown      map[string][]string // of those keys the value's own and of its display names
	forms      map[string]forms    // of every word of the catalogue
	splitter   *analysis.Splitter
	words      []string                // of the query
	asked      []asked                 // of words
	kinds      []int8                  // what kind returned for them, and 1: 0 is unknown
	edits      map[[2]string]int       // editDistance of two words
	misspelt   map[string]misspeltWord // words of the query that apart was asked for
	partForms  map[string][]string     // forms of the parts of compounds, by their stem
	synonyms   analysis.SynonymTable   // of the build
	dictionary []indexes.Translation
	translated map[string][]translated // what translate returned
}

// An asked word is what one word of a query is known by beside itself, in the query.
type asked struct {
	german, english string
	numbers         []string            // that it finds
	joints          []string            // what it makes with its neighbours
	sizes           [][]string          // the rows of numbers that are the same size
	named           []string            // rows of words that it stands in, which name a value
	curated         []*analysis.Synonym // of rows of words that it stands in
	translations    []translated        // of rows of words that it stands in
	parts           []asked             // of a compound that no product holds
	spread          bool                // no field of a product holds all of them
	weighs          bool                // products that hold some of them are found by weight
	part            string              // which of these it is
}

// ask works a query out, once for all products.
func (o *oracle) ask(words []string) {
	o.words = words
	o.kinds = make([]int8, len(o.products)*int(indexes.NumFields)*len(words))
	o.asked, o.misspelt = make([]asked, len(words)), map[string]misspeltWord{}
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
		if parts := o.splitter.Split(nil, w); parts != nil && o.isHeldNowhere(i) {
			head := parts[len(parts)-1]
			a.weighs = o.isNamed(&o.askParts([]string{head})[0]) &&
				!slices.ContainsFunc(parts, func(part string) bool { return part != head && !analysis.IsNoun(part) })
			a.parts = o.askParts(slices.Compact(slices.Sorted(slices.Values(parts))))
			a.spread = o.isHeldNowhere(i)
			if slices.ContainsFunc(a.parts, o.isNoPart) {
				a.parts, a.spread = nil, false
			}
		}
	}
}

// synonymsOf returns the curated synonyms of a key and those of the build, which act in fts alone.
func (o *oracle) synonymsOf(key string) []*analysis.Synonym {
	german, english := analysis.Stems(key)
	return append(analysis.Synonyms(key), o.synonyms.Append(nil, key, german, english)...)
}

// isHeldNowhere reports whether no product holds the word at place i of the query whole.
func (o *oracle) isHeldNowhere(i int) bool {
	return !slices.ContainsFunc(o.alike, func(alike []int) bool {
		for f := range indexes.NumFields {
			if o.bestKind(alike[0], f, o.words, i) != none {
				return true
			}
		}
		return false
	})
}

// isNoPart reports whether no product holds a part of a compound.
func (o *oracle) isNoPart(part asked) bool {
	return !slices.ContainsFunc(o.alike, func(alike []int) bool {
		return holdRows(o.partRows(alike[0], []asked{part}, -1, 0))
	})
}

// isNamed reports whether the names of products have a word or the words of a synonym, or a compound that ends
// in one.
func (o *oracle) isNamed(a *asked) bool {
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

// askParts works the parts of a compound out.
func (o *oracle) askParts(parts []string) []asked {
	var all []asked
	for _, part := range parts {
		a := asked{part: part, curated: o.synonymsOf(part), numbers: analysis.QueryNumberKeys(nil, part),
			translations: o.translate(part)}
		a.german, a.english = stemsOf(part)
		if o.named[part] != nil {
			a.named = []string{part}
		}
		all = append(all, a)
	}
	return all
}

// A translated word is the stem of a translation of the dictionary.
type translated struct {
	isGerman bool
	stem     string
}

// stems are those of every word that was asked for: an oracle asks for the same ones over and over.
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

// translate returns the translations of a row of words: of its own entry, else of the entries that share its
// stem.
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

// inCatalogue returns those of all translations of a word that some product holds, none when there are too
// many.
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
			return slices.ContainsFunc(o.fields[alike[0]], t.isHeld)
		}) {
			found = append(found, t)
		}
	}
	return found
}

// isHeld reports whether a field holds a translation.
func (t translated) isHeld(of field) bool {
	if t.isGerman {
		return of.german[t.stem] || of.parts[t.stem]
	}
	return of.english[t.stem]
}

// A field is the texts of a product's field as words, and every word that is held in them by itself, as two
// neighbours that make it together, by its stems, as a part of a compound, and as a number.
type field struct {
	texts                                          [][]string
	each                                           []string // of words
	words, joined, german, english, parts, numbers map[string]bool
}

func newField() field {
	return field{
		words: map[string]bool{}, joined: map[string]bool{},
		german: map[string]bool{}, english: map[string]bool{}, parts: map[string]bool{}, numbers: map[string]bool{},
	}
}

// holdsNumber reports whether the field holds one of the numbers that a word of a query finds.
func (of *field) holdsNumber(a *asked) bool {
	return slices.ContainsFunc(a.numbers, func(number string) bool {
		return of.numbers[number] || analysis.IsMeasure(number) && of.numbers["="+number]
	})
}

// isDecimal reports whether a word is a decimal without a unit.
func isDecimal(word string) bool {
	_, _, ok := analysis.CutDecimal(word)
	return ok
}

// forms are what a word is known by beside itself.
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
	names := map[string][]string{} // value with its family to the keys of the value and its display names
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
				o.groups = append(o.groups, append(slices.Clone(names[id]), key)) // of the value, not of its other synonyms
				all = append(all, key)
			}
			for _, key := range all {
				o.named[key] = append(o.named[key], id)
			}
		}
	}
	group := map[string]int{} // texts to the place in alike
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

// read takes the texts of a product apart. names has those of the values.
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
	slices.Sort(texts[indexes.FieldCategory]) // names of a value are in no order
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

// A hit is a match with what it is ranked by: the smaller the earlier, from the first number on.
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
			for _, d := range o.identified[key] { // then it is a strict search
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
		if analysis.IsListed(key) { // which is spelled right
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

// strict is the strict buckets, but for slugs and ids.
func (o *oracle) strict(key string, d int) (hit, bool) {
	p := &o.products[d]
	names := o.names[d]
	bucket := func(s runtime.Strategy) (hit, bool) { return hit{doc: d, rank: [7]float64{float64(s)}}, true }
	if slices.Contains(names, key) {
		return bucket(runtime.StrategyExact)
	}
	own := names[:len(names)-1] // and behind them the manufacturer's
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
	// of a vocabulary value: by the best field that holds the words, then by what names the value, then as fts;
	// last those that hold the words nowhere
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

// dictionary is the worst kind, and none is worse than every kind: the word is not there.
const allParts, curated, dictionary, none = 5, 6, 7, 8

// demanded reports of each word whether a product has to hold it: all but function words, or all when there
// is no other.
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

// isShort reports whether a query has a single word that counts, and a short one.
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

// ranked fills in, from place on, how a product holds all words that count, each at a given edit distance:
// without the curated synonyms and the dictionary first, and with them when it needs one.
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

// A row is how each field of a product holds a word, or a part of a compound that any fields may hold.
type row [indexes.NumFields]int

// rankedWithin is ranked with the ways to hold a word that are no worse than a kind.
func (o *oracle) rankedWithin(d int, words []string, counts []bool, distances []int, h hit, place, within int) (hit,
	bool) {
	var rows []row
	for i, word := range words {
		if !counts[i] {
			continue
		}
		o.kind(d, 0, words, i) // asks
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

// correctedRow is how the fields of a product hold a word at an edit distance.
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

// partRows is how the fields of a product hold parts, of which one may be misspelt; no better than a kind.
func (o *oracle) partRows(d int, parts []asked, misspelt, best int) []row {
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

// rankRows fills in, from place on, how a product holds all rows by kinds no worse than one.
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
	// of a short word, what holds it whole is before what does not, after the names
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

// holdRows reports whether a product holds each of some rows in a field.
func holdRows(rows []row) bool {
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

// kind is the best way in which a field holds the word at place i of the query, none when it does not.
func (o *oracle) kind(d int, f indexes.Field, words []string, i int) int {
	if !slices.Equal(words, o.words) {
		o.ask(words)
	}
	known := &o.kinds[(d*int(indexes.NumFields)+int(f))*len(words)+i]
	if *known == 0 {
		*known = int8(1 + o.bestKind(d, f, words, i))
	}
	return int(*known) - 1
}

func (o *oracle) bestKind(d int, f indexes.Field, words []string, i int) int {
	w, asked, of := words[i], &o.asked[i], &o.fields[d][f]
	if of.words[w] || analysis.IsMeasure(w) && of.words["="+w] || of.joined[w] || slices.ContainsFunc(asked.joints, func(joint string) bool {
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
	if utf8.RuneCountInString(w) >= 3 && of.parts[asked.german] || of.holdsNumber(asked) {
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
	} else if slices.ContainsFunc(asked.translations, func(t translated) bool { return t.isHeld(*of) }) {
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

// partKind is the best way in which a field holds a part of the query's compound.
func (o *oracle) partKind(d int, f indexes.Field, a *asked) int {
	of := &o.fields[d][f]
	switch {
	case of.words[a.part]:
		return 0
	case of.german[a.german] || of.english[a.english]:
		return 1
	case of.parts[a.german] || of.holdsNumber(a):
		return 2
	case slices.ContainsFunc(a.named, func(key string) bool { return o.synonym(d, f, key) }):
		return 4
	case slices.ContainsFunc(a.curated, func(s *analysis.Synonym) bool { return o.curated(d, f, s) }):
		return curated
	case slices.ContainsFunc(a.translations, func(t translated) bool { return t.isHeld(*of) }):
		return dictionary
	}
	return none
}

// isInflected reports whether a word is an inflected form of another: it begins with that and shares a stem
// with it.
func isInflected(form, word string) bool {
	germanForm, englishForm := stemsOf(form)
	german, english := stemsOf(word)
	return len(form) > len(word) && strings.HasPrefix(form, word) && (germanForm == german || englishForm == english)
}

func germanStem(s *analysis.Synonym) string {
	german, _ := s.Stems()
	return german
}

// curated reports whether a field holds a curated synonym, its last word inflected perhaps, or a compound of
// it.
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

// holdsAll reports whether a field holds all words that count.
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
		return holdRows(o.partRows(d, o.asked[i].parts, -1, allParts))
	}
	for f := range indexes.NumFields {
		if o.kind(d, f, words, i) != none {
			return true
		}
	}
	return false
}

// distance is the least edit distance between a word and those of a field, 9 when it is more than allowed.
func (o *oracle) distance(d int, f indexes.Field, word string) int {
	return o.least(word, o.fields[d][f].each)
}

// partDistance is the least edit distance between a word and a part of the compounds of a field, in any form
// in which a compound has it; 9 when it is more than allowed. The word itself is no error.
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

// apart takes a word apart that has nothing near it in the catalogue, but for one stretch that has.
func (o *oracle) apart(word string) (parts []asked, misspelt int) {
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
	if i := slices.Index(o.words, word); o.isHeldNowhere(i) && o.least(word, []string{word}) == 0 &&
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
			parts, misspelt = o.askParts(words), unknown
			return true
		})
	}
	o.misspelt[word] = misspeltWord{parts, misspelt, false}
	spread := parts != nil && !nearby(word, o.apartDistance)
	o.misspelt[word] = misspeltWord{parts, misspelt, spread}
	return parts, misspelt
}

// apartDistance is 1 when a field holds all parts of a word, of which one is misspelt, and else 9.
func (o *oracle) apartDistance(d int, f indexes.Field, word string) int {
	if o.apartKind(d, f, word) == none {
		return 9
	}
	return 1
}

// apartKind is the kind by which a field holds them.
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

// A misspeltWord is what apart returned.
type misspeltWord struct {
	parts  []asked
	place  int
	spread bool // no field holds all of them
}

// least is the least edit distance between a word and some others, 9 when it is more than allowed.
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

// editDistance counts insertions, deletions, replacements and transpositions of neighbours.
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
		if parts, misspelt := o.apart(word); o.misspelt[word].spread && holdRows(o.partRows(d, parts, misspelt, allParts)) {
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

// similarity is the best of a product's names and its manufacturer's name.
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

// byWeight is the second fallback's other half: products that hold words which together weigh at least half
// of what those of the best product do. A word weighs ln(1+N/n), in steps of 1/64, when n of N products hold
// it; a function word nothing, and of a compound that weighs by its parts each part.
func (o *oracle) byWeight(key string) []hit {
	words := strings.Fields(key)
	if !slices.ContainsFunc(words, func(w string) bool { return !analysis.IsFunctionWord(w) }) {
		return nil // they weigh nothing
	}
	counts := demanded(words)
	o.kind(0, 0, words, 0) // asks
	type unit struct {     // what weighs: a word, or a part of a compound
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
	holding := make([]int, 8*len(words)) // how many products hold each unit
	for at, alike := range o.alike {
		all[at] = unitsOf(alike[0])
		for i, u := range all[at] {
			if holdRows(u.rows) {
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
			if holdRows(u.rows) {
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

// similarity is pg_trgm's: distinct trigrams shared over those united; 0 to 1, and 0 when there are none.
// Both lists are as naiveTrigrams returns them.
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

// TestSimilarityIsPostgreSQLs compares with what PostgreSQL's similarity returns.
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
