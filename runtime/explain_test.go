package runtime_test

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/runtime"
)

// explainedText returns a randomText or, sometimes, a display name or a text with a compound as two words.
func explainedText(r *rand.Rand, c catalogue) string {
	switch text := randomText(r, c); r.IntN(20) {
	case 0:
		return pick(r, []string{"breitbandig", "woven cloth", "freistehend"})
	case 1, 2, 3, 4:
		return strings.NewReplacer("deckensegel", "decken segel", "akustikpaneel", "akustik paneel").Replace(text)
	default:
		return text
	}
}

// TestExplanationsAreTheOrderOfTheHits compares explanations of random queries with the results: the products
// must be the same, the keys ascending, the buckets those of the oracle, and the first bucket in order of
// relevance the strategy of the result.
func TestExplanationsAreTheOrderOfTheHits(t *testing.T) {
	t.Parallel()
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 11))
		c := randomCatalogue(r, 40+r.IntN(60))
		g, o := c.open(t), newOracle(c)
		for range often(120) {
			q := runtime.Query{Text: explainedText(r, c), Limit: 1000}
			if r.IntN(2) == 0 {
				q.Filters, q.Sort, q.Locale = randomFilters(r), runtime.Sort(r.IntN(6)), runtime.Locale(r.IntN(2))
			}
			result, explanations := g.Search(&q), g.Explain(&q)
			buckets := map[int]runtime.Strategy{}
			for _, hit := range o.search(q.Text) {
				buckets[hit.doc] = hit.strategy()
			}
			if len(explanations) != len(result.Docs) {
				t.Fatalf("%+v: %d explanations of %d hits", q, len(explanations), len(result.Docs))
			}
			for i, e := range explanations {
				d := int(result.Docs[i])
				if e.ID != c.products[d].id || e.Bucket != buckets[d] {
					t.Fatalf("%+v: hit %d is %d by %v, explained is %s by %v\n%s", q, i, d, buckets[d], e.ID, e.Bucket, c)
				}
				if i > 0 && slices.Compare(ranks(explanations[i-1]), ranks(e)) >= 0 {
					t.Fatalf("%+v: %v is before %v\n%s", q, explanations[i-1], e, c)
				}
			}
			if q.Sort <= runtime.SortRelevance && len(explanations) > 0 && explanations[0].Bucket != result.Strategy {
				t.Fatalf("%+v: the first hit is explained by %v, the result has %v", q, explanations[0].Bucket, result.Strategy)
			}
		}
	}
}

func ranks(e runtime.Explanation) []float64 {
	var ranks []float64
	for _, key := range e.Order {
		ranks = append(ranks, key.Rank)
	}
	return ranks
}

// TestExplanationsAreTrue verifies, for random queries, that each product contains the texts and words
// of its explanation, and that the oracle finds the same kind of match in each field.
func TestExplanationsAreTrue(t *testing.T) {
	t.Parallel()
	seen := map[string]int{}
	for seed := range uint64(3) {
		r := rand.New(rand.NewPCG(seed, 12))
		c := randomCatalogue(r, 40+r.IntN(60))
		g, o := c.open(t), newOracle(c)
		for range often(150) {
			q := runtime.Query{Text: explainedText(r, c), Limit: 30}
			docs := g.Search(&q).Docs
			for i, e := range g.Explain(&q) {
				for _, whole := range e.Whole {
					seen["whole "+whole.Field]++
					o.verifyWhole(t, int(docs[i]), q.Text, e.Bucket, whole)
				}
				for at, w := range e.Words {
					o.verifyWord(t, int(docs[i]), q.Text, at, w, seen)
				}
				if both := e.Bucket == runtime.StrategyCategory || e.Bucket == runtime.StrategyPhrase; (len(e.Whole) > 0) == (len(e.Words) > 0) != both {
					t.Errorf("%q: %v has %v as a whole and %v word by word", q.Text, e.Bucket, e.Whole, e.Words)
				}
			}
		}
	}
	if testing.Short() {
		return // there are too few queries to cover all kinds
	}
	for _, what := range strings.Split("as it is,joined,apart,corrected,corrected part,corrected apart,stem,part,beginning,synonym,all parts,curated synonym,dictionary,function word,whole name,whole manufacturer,"+
		"whole description,whole details,whole category,whole character,whole installation", ",") {
		if seen[what] == 0 {
			t.Errorf("no explanation contains %q: %v", what, seen)
		}
	}
}

// verifyWhole verifies that a product contains a text that matches the query's key as the bucket requires.
func (o *oracle) verifyWhole(t *testing.T, d int, query string, bucket runtime.Strategy, whole runtime.WholeMatch) {
	t.Helper()
	p, key := &o.products[d], naiveKey(query)
	texts := map[string][]string{
		"name": p.names(naiveKey), "manufacturer": {naiveKey(p.manufacturer)}, "slug": {naiveKey(p.slug)},
		"id": {naiveKey(p.id)},
	}[whole.Field]
	ok := slices.Contains(texts, whole.Text)
	switch bucket {
	case runtime.StrategyExact:
		ok = ok && whole.Text == key
	case runtime.StrategyPrefix:
		ok = ok && strings.HasPrefix(whole.Text, key) && (whole.Field != "manufacturer" ||
			strings.HasPrefix(whole.Text, key+" "))
	case runtime.StrategyCategory:
		family := slices.Index([]string{"category", "character", "installation"}, whole.Field)
		id := familyValue(indexes.Family(family), whole.Text)
		ok = slices.Contains(p.values(), id) && (slices.Contains(o.named[key], id) ||
			slices.ContainsFunc(analysis.Synonyms(key), func(s *analysis.Synonym) bool {
				return slices.Contains(o.shown[s.Key], id)
			}))
	case runtime.StrategyPhrase:
		ok = whole.Text == key && o.phrase(d, fieldOf(whole.Field), strings.Fields(key))
	case runtime.StrategyTrigram:
		ok = ok && whole.Similarity == similarity(naiveTrigrams(key), naiveTrigrams(whole.Text)) &&
			(whole.Similarity >= 0.3 || whole.Inside) && (!whole.Inside || strings.Contains(whole.Text, key))
	}
	if !ok {
		t.Errorf("%q does not match product %d by %v in %v", query, d, bucket, whole)
	}
}

func fieldOf(name string) indexes.Field {
	for f := range indexes.NumFields {
		if f.String() == name {
			return f
		}
	}
	return indexes.NumFields
}

// verifyWord verifies the fields that match the query's word at index at, and counts the kinds of matches.
func (o *oracle) verifyWord(t *testing.T, d int, query string, at int, w runtime.WordMatch, seen map[string]int) {
	t.Helper()
	words := strings.Fields(naiveKey(query))
	place := slices.Index(words, w.Word)
	if place < at {
		t.Fatalf("%q: %q is explained as word %d", query, w.Word, at)
	}
	if w.Function {
		seen["function word"]++
		if demanded(words)[place] || len(w.Fields) > 0 {
			t.Errorf("%q: %q is explained as an optional function word", query, w.Word)
		}
		return
	}
	for f := range indexes.NumFields {
		kind := o.kind(d, f, words, place)
		i := slices.IndexFunc(w.Fields, func(h runtime.FieldMatch) bool { return h.Field == f })
		switch {
		case i < 0 && kind != none:
			t.Errorf("%q: product %d has %q in %v, missing in %v", query, d, w.Word, f, w.Fields)
		case i < 0:
		case len(w.Fields[i].By) == 0:
			t.Errorf("%q: product %d contains %q in %v by no word", query, d, w.Word, f)
		case w.Fields[i].Kind == runtime.MatchCorrected && kind != none:
			t.Errorf("%q: product %d needs no correction of %q in %v", query, d, w.Word, f)
		default:
			seen[w.Fields[i].Kind.String()]++
			if held := w.Fields[i]; held.Parts != nil && held.Kind == runtime.MatchCorrected {
				seen["corrected part"]++
				o.verifyCorrections(t, d, f, w.Word, held, seen)
				continue
			} else if held.Parts != nil {
				o.verifyParts(t, d, f, words, place, w.Fields[i], kind)
				continue
			}
			for _, by := range w.Fields[i].By {
				if f == indexes.FieldDetails && analysis.IsMeasure(by) {
					by = "=" + by
				}
				if !o.phrase(d, f, strings.Fields(by)) || !o.stands(words, place, w.Fields[i], by, kind) {
					t.Errorf("%q: %q is not a word of product %d in %v for %q: %v, the oracle has %d", query, by, d, f, w.Word,
						w.Fields[i], kind)
				}
			}
		}
	}
}

// verifyParts verifies the matches in a field of the parts of the query's compound.
func (o *oracle) verifyParts(t *testing.T, d int, f indexes.Field, words []string, place int, held runtime.FieldMatch,
	kind int) {
	t.Helper()
	parts := o.asked[place].parts
	if kind != none && (len(held.Parts) != len(parts) || kind != kindsOf[held.Kind]) {
		t.Errorf("%q in %v of product %d: got %v, the oracle has %d by %v", words[place], f, d, held, kind, parts)
		return
	}
	seen := map[string]runtime.PartMatch{}
	for _, part := range held.Parts {
		seen[part.Part] = part
		for _, by := range part.By {
			if !o.phrase(d, f, strings.Fields(by)) || !slices.Contains(held.By, by) {
				t.Errorf("%q is explained by %v for %q, which product %d does not have in %v", by, held, part.Part, d, f)
			}
		}
	}
	for i := range parts { // all parts that the field contains; for a spread compound, some of the parts
		part, isListed := seen[parts[i].part]
		if want := o.partKind(d, f, &parts[i]); isListed != (want != none) || isListed && kindsOf[part.Kind] != want {
			t.Errorf("%q in %v of product %d: got %v, the oracle has %d by %v", words[place], f, d, part, want, parts[i])
		}
	}
}

// verifyCorrections verifies the corrections of a word to parts of the field's compounds.
func (o *oracle) verifyCorrections(t *testing.T, d int, f indexes.Field, word string, held runtime.FieldMatch, seen map[string]int) {
	t.Helper()
	if parts, misspelt := o.apart(word); parts != nil {
		seen["corrected apart"]++
		if o.misspelt[word].spread {
			for _, part := range held.Parts {
				at := slices.IndexFunc(parts, func(a queryWord) bool { return a.part == part.Part })
				if at < 0 || o.partRows(d, parts, misspelt, 0)[at][f] == none {
					t.Errorf("%q in %v of product %d: got %v, the oracle has %v", word, f, d, part, parts)
				}
			}
			return
		}
		part := held.Parts[misspelt]
		if o.apartKind(d, f, word) == none || held.Distance != 1 || len(held.Parts) != len(parts) ||
			part.Part != parts[misspelt].part ||
			part.Kind != runtime.MatchCorrected {
			t.Errorf("%q in %v of product %d: got %v, the oracle has %v", word, f, d, held, parts)
		}
		for _, by := range held.By {
			if !o.phrase(d, f, strings.Fields(by)) {
				t.Errorf("%q is explained by %v, which product %d does not have in %v", by, held, d, f)
			}
		}
		return
	}
	if near := o.distance(d, f, word); near <= held.Distance || o.partDistance(d, f, word) != held.Distance {
		t.Errorf("%q in %v of product %d: got %v, a word of the field is at distance %d, a part at %d", word, f, d, held,
			near,
			o.partDistance(d, f, word))
	}
	for _, part := range held.Parts {
		german := ""
		for stem, forms := range o.partForms {
			if slices.Contains(forms, part.Part) {
				german = stem
			}
		}
		if editDistance([]rune(word), []rune(part.Part)) != held.Distance || part.Kind != runtime.MatchPart ||
			len(part.By) == 0 {
			t.Errorf("%q is explained as %v, at distance %d", word, part, held.Distance)
		}
		for _, by := range part.By {
			if !slices.Contains(o.forms[by].parts, german) || !o.fields[d][f].words[by] || !slices.Contains(held.By, by) {
				t.Errorf("%q is explained as %v, which product %d does not have in %v", word, part, d, f)
			}
		}
	}
}

// kindsOf maps kinds of matches to the oracle's numbers.
var kindsOf = map[runtime.MatchKind]int{
	runtime.MatchStem: 1, runtime.MatchPart: 2, runtime.MatchBeginning: 3, runtime.MatchSynonym: 4,
	runtime.MatchAllParts: allParts,
	runtime.MatchCurated:  curated, runtime.MatchDictionary: dictionary,
}

// stands reports whether words of a product match words[place] of the query by the given kind, which is one
// of the oracle's kinds.
func (o *oracle) stands(words []string, place int, held runtime.FieldMatch, by string, kind int) bool {
	w := words[place]
	switch held.Kind {
	case runtime.MatchVerbatim:
		return kind == 0 && strings.TrimPrefix(by, "=") == w
	case runtime.MatchJoined:
		return kind == 0 && slices.Contains(o.asked[place].joints, by)
	case runtime.MatchSplit:
		first, second, _ := strings.Cut(by, " ")
		return kind == 0 && (w == naiveJoint(first, second) || w == first+"."+second && isDecimal(w) ||
			slices.ContainsFunc(o.asked[place].sizes, func(numbers []string) bool { return strings.Join(numbers, " ") == by }))
	case runtime.MatchCorrected:
		return held.Distance == editDistance([]rune(w), []rune(by))
	case runtime.MatchStem:
		german, english := stemsOf(w)
		return kind == 1 && (o.forms[by].german == german || o.forms[by].english == english)
	case runtime.MatchPart:
		german, _ := stemsOf(w)
		return kind == 2 && (slices.Contains(o.forms[by].parts, german) ||
			slices.ContainsFunc(analysis.QueryNumberKeys(nil, w), func(number string) bool {
				return slices.Contains(o.forms[by].numbers, number) || slices.Contains(o.forms[by].numbers, "="+number)
			}))
	case runtime.MatchBeginning:
		return kind == 3 && strings.HasPrefix(by, w)
	case runtime.MatchSynonym:
		return kind == 4 && slices.ContainsFunc(o.groups, func(group []string) bool {
			return slices.Contains(group, by) && slices.ContainsFunc(group, func(key string) bool {
				return slices.Contains(strings.Fields(key), w) && strings.Contains(" "+strings.Join(words, " ")+" ", " "+key+" ")
			})
		})
	case runtime.MatchCurated:
		return kind == curated && o.curatedFor(words, place, by)
	case runtime.MatchDictionary:
		return kind == dictionary && o.translatedFor(o.asked[place].translations, by)
	}
	return false
}

// translatedFor reports whether by is one of the translations, or a compound that contains one.
func (o *oracle) translatedFor(translations []translated, by string) bool {
	forms := o.forms[by]
	return slices.ContainsFunc(translations, func(t translated) bool {
		return t.isGerman && (forms.german == t.stem || slices.Contains(forms.parts, t.stem)) || !t.isGerman &&
			forms.english == t.stem
	})
}

// curatedFor reports whether by is a curated synonym of a part of the query that contains words[place].
func (o *oracle) curatedFor(words []string, place int, by string) bool {
	for from := range words {
		for to := from + 1; to <= len(words); to++ {
			if !slices.Contains(words[from:to], words[place]) {
				continue
			}
			for _, s := range o.synonymsOf(strings.Join(words[from:to], " ")) {
				if by == s.Key || isInflected(by, s.Key) || !s.Whole && slices.Contains(o.forms[by].parts, germanStem(s)) {
					return true
				}
			}
		}
	}
	return false
}

// TestExplanations checks, for each rule, the explanation of a product for a query: the bucket with its
// matches, and the order.
func TestExplanations(t *testing.T) {
	tests := []struct {
		rule, query string
		product     product
		want        string
	}{
		{"no text was given", "", product{label: "X"}, `none`},
		{"exact: names, slug and manufacturer", "wave 3", product{label: "Wave 3", slug: "wave-3", manufacturer: "WAVE 3"},
			`exact: name "wave 3", manufacturer "wave 3", slug "wave 3"`},
		{"exact: the id", "0B6F1234-0000-4000-8000-0000000000AA",
			product{label: "A", id: "0b6f1234-0000-4000-8000-0000000000aa"},
			`exact: id "0b6f1234 0000 4000 8000 0000000000aa"`},
		{"prefix: only the names with the prefix", "acoustic pan", product{label: "Acoustic Panel", labelEN: "Panel",
			commercial: "Acoustic Panorama"},
			`prefix: name "acoustic panel", name "acoustic panorama"; ends inside a word; best field name`},
		{"prefix: the manufacturer's name up to the end of a word", "wave",
			product{label: "X wave", manufacturer: "Wave Berlin"},
			`prefix: manufacturer "wave berlin"; ends at the end of a word; best field manufacturer`},
		{"prefix: not the manufacturer's name inside of a word", "wave", product{label: "Waves", manufacturer: "Wavelet"},
			`prefix: name "waves"; ends inside a word; best field name`},
		{"category: the value, and the words as in fts", "woven cloth", product{label: "A", category: "textil"},
			`category: category "textil"; woven: category synonym textil, textile; cloth: category synonym textil, textile; ` +
				`best field category; fields all in category; worst way synonym`},
		{"phrase: the fields", "quiet room", product{label: "A quiet room", description: "In a quiet room"},
			`phrase: name "quiet room", description "quiet room"; quiet: name as it is quiet, description as it is quiet; ` +
				`room: name as it is room, description as it is room; best field name; fields all in name; worst way as it is`},
		{"phrase: a better field that holds the words apart", "quiet room",
			product{label: "Rooms, quiet", description: "quiet room"},
			`phrase: description "quiet room"; quiet: name as it is quiet, description as it is quiet; ` +
				`room: name stem rooms, description as it is room; best field description; fields all in name; worst way stem`},
		{"fts: the word itself, in any field", "rot filz", product{label: "Filz in rot", description: "Rot"},
			`fts; rot: name as it is rot, description as it is rot; filz: name as it is filz; fields all in name; worst way as it is`},
		{"fts: only the best match of a field", "panel x", product{label: "X: Panels Panel"},
			`fts; panel: name as it is panel; x: name as it is x; fields all in name; worst way as it is`},
		{"fts: by its stem", "wand klangs", product{label: "Klang einer Wand"},
			`fts; wand: name as it is wand; klangs: name stem klang; fields all in name; worst way stem`},
		{"fts: as a part", "segel rot", product{label: "Deckensegel rot"},
			`fts; segel: name part deckensegel; rot: name as it is rot; fields all in name; worst way part`},
		{"fts: as a beginning", "rot fil", product{label: "Filz und Filter in rot"},
			`fts; rot: name as it is rot; fil: name beginning filter, filz; fields all in name; worst way beginning`},
		{"fts: by a synonym, of several words too", "rot textile", product{label: "Rot", description: "woven cloth"},
			`fts; rot: name as it is rot; textile: description synonym woven cloth; fields spread down to description; worst way synonym`},
		{"fts: by a curated synonym, which is needed", "carpet rot", product{label: "Teppiche in rot"},
			`fts; carpet: name curated synonym teppiche; rot: name as it is rot; curated synonym needed; fields all in name; worst way curated synonym`},
		{"fts: by all parts of a compound, and the words that hold them", "rot deckenfilz",
			product{label: "Filze für rote Holzdecken in rot"},
			`fts; rot: name as it is rot; deckenfilz: name all parts holzdecken, filze (decke part, filz stem); fields all in name; worst way all parts`},
		{"fts: a part by a curated synonym", "rot teppichstreifen", product{label: "Streifen, rot, carpet"},
			`fts; rot: name as it is rot; teppichstreifen: name curated synonym carpet, streifen (teppich curated synonym, streifen as it is); ` +
				`curated synonym needed; fields all in name; worst way curated synonym`},
		{"fts: by the dictionary, which is needed", "rot dictionaryword", product{label: "Rote Holzvorhänge, rot"},
			`fts; rot: name as it is rot; dictionaryword: name dictionary holzvorhange; dictionary needed; fields all in name; worst way dictionary`},
		{"category: by a curated synonym", "timber", product{label: "X", category: "holz"},
			`category: category "holz"; timber: category curated synonym holz, wood; best field category; named by a curated synonym; curated synonym needed; fields all in category; ` +
				`worst way curated synonym`},
		{"fts: a function word with others", "rot für die Decke", product{label: "Decke rot für"},
			`fts; rot: name as it is rot; fur:; die:; decke: name as it is decke; fields all in name; worst way as it is`},
		{"fts: only function words", "für die", product{label: "Die für"},
			`fts; fur: name as it is fur; die: name as it is die; fields all in name; worst way as it is`},
		{"fts: neighbours joined", "rot decken segel", product{label: "Deckensegel, rot"},
			`fts; rot: name as it is rot; decken: name joined deckensegel; segel: name joined deckensegel; fields all in name; worst way as it is`},
		{"fts: the groups of an article number joined", "rot dk 4711 b", product{label: "Rot", details: []string{"DK4711B"}},
			`fts; rot: name as it is rot; dk: details joined dk4711b; 4711: details joined dk4711b; b: details joined dk4711b; ` +
				`fields spread down to details; worst way as it is`},
		{"fts: a word apart", "rot Büroeinrichtung", product{label: "Büro-Einrichtung rot"},
			`fts; rot: name as it is rot; buroinrichtung: name apart buro einrichtung; fields all in name; worst way as it is`},
		{"fts: a size apart", "rot 600x1200 mm", product{label: "Raster 600/1200/50 rot"},
			`fts; rot: name as it is rot; 600x1200mm: name apart 600 1200; fields all in name; worst way as it is`},
		{"fts: a better way in a field that is not needed counts for nothing", "segel rot", product{label: "Deckensegel rot",
			description: "Segel"},
			`fts; segel: name part deckensegel, description as it is segel; rot: name as it is rot; fields all in name; worst way part`},
		{"fts: the last of several fields that is needed", "felt berlin", product{label: "Felt", manufacturer: "Berlin",
			description: "felt"},
			`fts; felt: name as it is felt, description as it is felt; berlin: manufacturer as it is berlin; fields spread down to manufacturer; worst way as it is`},
		{"fuzzy: a transposition", "akutsik", product{label: "X Akustik"},
			`fuzzy; akutsik: name corrected akustik 1; corrected words 1; distance 1; fields all in name; worst way as it is`},
		{"fuzzy: only the nearer word; other words as in fts", "abdorber segel",
			product{label: "Deckensegel", description: "Absorber oder Absorbers"},
			`fuzzy; abdorber: description corrected absorber 1; segel: name part deckensegel; corrected words 1; distance 1; ` +
				`fields spread down to description; worst way part`},
		{"fuzzy: parts of compounds, after words", "akutsik rot", product{label: "Akustikpaneel rot",
			description: "Akustik"},
			`fuzzy; akutsik: name corrected akustikpaneel 1 (akustik part), description corrected akustik 1; rot: name as it is rot; corrected words 1; ` +
				`distance 1; fields all in name; worst way part`},
		{"fuzzy: a misspelt part of a compound of the query", "rot eichenlamelenwand",
			product{label: "Lamellen aus Eiche für rote Wände, rot"},
			`fuzzy; rot: name as it is rot; eichenlamelenwand: name corrected eiche, lamellen, wande 1 (eiche as it is, lamelen corrected, wand stem); ` +
				`corrected words 1; distance 1; fields all in name; worst way all parts`},
		{"trigram: the similar names", "xabsorberx", product{label: "absorberab", commercial: "Vorhang"},
			`trigram: name "absorberab" 0.375; similarity 0.375 to name "absorberab"`},
		{"trigram: the name that has the query inside", "sor", product{label: "Ein Absorber aus vielen weichen Teilen"},
			`trigram: name "ein absorber aus vielen weichen teilen" 0.026 inside; similarity 0.026 to name "ein absorber aus vielen weichen teilen"`},
		{"trigram: the weight of the words held", "fire rated panel",
			product{label: "Some panel with a long name in front of it"},
			`trigram; fire:; rated:; panel: name as it is panel; weight 0.69; fields all in name; worst way as it is`},
		{"trigram: of a sentence, not the similar name", "some panel with a curtain",
			product{label: "Some panel with a ceiling"},
			`trigram; some:; panel: name as it is panel; with:; a:; curtain:; weight 0.69; fields all in name; worst way as it is`},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			c := catalogue{words: words, declared: declared, products: []product{test.product},
				dictionary: []indexes.Translation{{German: "vorhang", English: "dictionaryword"}}}
			got := c.open(t).Explain(&runtime.Query{Text: test.query, Limit: 1})
			if len(got) != 1 {
				t.Fatalf("%d explanations", len(got))
			}
			if got := brief(got[0]); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// TestExplanationsAsJSON verifies the format that sabine search --json --explain prints.
func TestExplanationsAsJSON(t *testing.T) {
	c := catalogue{products: []product{{id: "00000000-0000-4000-8000-000000000001", label: "Deckensegel",
		manufacturer: "Stillwerk", description: "Segel"}}}
	got, err := json.Marshal(c.open(t).Explain(&runtime.Query{Text: "stilwerk segel", Limit: 1}))
	const want = `[{"id":"00000000-0000-4000-8000-000000000001","bucket":"fuzzy","words":[` +
		`{"word":"stilwerk","held":[{"field":"manufacturer","way":"corrected","distance":1,"by":["stillwerk"]}]},` +
		`{"word":"segel","held":[{"field":"name","way":"part","by":["deckensegel"]},{"field":"description","way":"as it is","by":["segel"]}]}],` +
		`"order":[{"key":"bucket","value":"fuzzy","rank":6},{"key":"corrected words","value":"1","rank":1},{"key":"distance","value":"1","rank":1},` +
		`{"key":"fields","value":"spread down to manufacturer","rank":6},{"key":"worst way","value":"part","rank":2},` +
		`{"key":"document order","value":"updated_at none, id 00000000-0000-4000-8000-000000000001","rank":0}]}]`
	if err != nil || string(got) != want {
		t.Errorf("got %v\n%s\nwant\n%s", err, got, want)
	}
}

// TestExplainedBeginningsOfManyWords checks that an explanation lists the words that begin with a prefix,
// although the index stores only one set for a prefix of many words.
func TestExplainedBeginningsOfManyWords(t *testing.T) {
	var many strings.Builder
	for letter := 'a'; letter <= 'z'; letter++ {
		fmt.Fprintf(&many, "fi%c ", letter)
	}
	c := catalogue{products: []product{{label: "Filz, Filter, Vorhang in rot"}, {label: "X", description: many.String()}}}
	got := c.open(t).Explain(&runtime.Query{Text: "rot fi", Limit: 1})
	const want = `fts; rot: name as it is rot; fi: name beginning filter, filz; fields all in name; worst way beginning`
	if len(got) != 1 || brief(got[0]) != want {
		t.Errorf("got %v, want %s", got, want)
	}
}

// brief formats an explanation as one line, including the keys between the bucket and the document order.
func brief(e runtime.Explanation) string {
	var parts []string
	for _, w := range e.Whole {
		part := fmt.Sprintf("%s %q", w.Field, w.Text)
		if w.Similarity > 0 {
			part += fmt.Sprintf(" %.3f", w.Similarity)
		}
		if w.Inside {
			part += " inside"
		}
		parts = append(parts, part)
	}
	s := e.Bucket.String()
	if parts != nil {
		s += ": " + strings.Join(parts, ", ")
	}
	for _, w := range e.Words {
		parts = nil
		for _, h := range w.Fields {
			part := fmt.Sprintf(" %v %v %s", h.Field, h.Kind, strings.Join(h.By, ", "))
			if h.Distance > 0 {
				part += fmt.Sprintf(" %d", h.Distance)
			}
			var ways []string
			for _, p := range h.Parts {
				ways = append(ways, fmt.Sprintf("%s %v", p.Part, p.Kind))
			}
			if ways != nil {
				part += " (" + strings.Join(ways, ", ") + ")"
			}
			parts = append(parts, part)
		}
		s += "; " + w.Word + ":" + strings.Join(parts, ",")
	}
	for _, key := range e.Order {
		if key.Key != "bucket" && key.Key != "document order" {
			s += "; " + key.Key + " " + key.Value
		}
	}
	return s
}

func TestHostileTextsAreExplained(t *testing.T) {
	c := randomCatalogue(rand.New(rand.NewPCG(11, 11)), 200)
	g := c.open(t)
	for _, text := range hostile {
		q := &runtime.Query{Text: text, Limit: 50}
		if got, want := len(g.Explain(q)), len(g.Search(q).Docs); got != want {
			t.Errorf("%q: %d explanations of %d hits", text, got, want)
		}
	}
}

// TestKeysOfSorts checks that the key of the sort (for relevance, the bucket) precedes the document order.
func TestKeysOfSorts(t *testing.T) {
	c := catalogue{products: []product{{label: "Rot B", alpha: 0.35}, {label: "A rot"}}}
	g := c.open(t)
	tests := []struct {
		rule string
		sort runtime.Sort
		text string
		want string // sort keys of the first hit
	}{
		{"relevance", runtime.SortRelevance, "rot", `bucket prefix, ends at the end of a word, best field name`},
		{"relevance without a text", runtime.SortRelevance, "", ``},
		{"alphaW_desc", runtime.SortAlphaDesc, "rot", `alpha_w 0.35`},
		{"alphaW_asc", runtime.SortAlphaAsc, "", `alpha_w 0.35`},
		{"date_desc", runtime.SortDate, "rot", ``},
		{"name_asc", runtime.SortName, "rot", `label A rot`},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			order := g.Explain(&runtime.Query{Text: test.text, Sort: test.sort, Limit: 2})[0].Order
			var keys []string
			for _, key := range order[:len(order)-1] {
				keys = append(keys, key.Key+" "+key.Value)
			}
			got := strings.Join(keys, ", ")
			if last := order[len(order)-1].Key; got != test.want || last != "document order" {
				t.Errorf("got %q and %q, want %q", got, last, test.want)
			}
		})
	}
}

// TestRankOfNoMarginIsZero checks that the rank of a margin of 0 is not -0, as for the other keys.
func TestRankOfNoMarginIsZero(t *testing.T) {
	g := openCompiled(t, needingInputs([]string{absorbing(flat("0.5"))}))
	q := runtime.Query{Sort: runtime.SortMargin, Limit: 1}
	q.Filters.Needs.AbsorptionMin = bounds("125:0.5")
	got, err := json.Marshal(g.Explain(&q)[0].Order[0])
	if want := `{"key":"margin","value":"0.0000","rank":0}`; err != nil || string(got) != want {
		t.Errorf("got %s, %v, want %s", got, err, want)
	}
}
