package indexes

import (
	"maps"
	"slices"
	"strings"

	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/docset"
	"sabine/indexes/snapshot"
)

// A textBuilder collects the words and names of documents. It writes the sections KindTerms, KindPrefixes,
// KindPhrases, KindReversed, KindStems, KindTermStems, KindStemSets, KindParts, KindPartSets, KindPartForms,
// KindDictionary, KindForward, KindPairs, KindNames, KindManufacturers, KindSlugKeys, KindNameTrigrams and
// KindDocNames.
//
// A word gets a number when it first appears. When all words are known, they are renumbered in ascending
// order. Postings are built from the forward index after the last document was added. The forward index needs
// only a few bytes for each word.
type textBuilder struct {
	docs          int // number of documents
	meta          *Meta
	numbers       map[string]uint32 // numbers of words, in the order of first appearance
	forward       forwardBuilder
	names         groupBuilder // documents by name
	slugKeys      groupBuilder // documents by key of the slug
	manufacturers map[manufacturerName]struct{}
	dictionary    []Translation
	translated    int    // number of stored translations
	original      *Index // source of the dictionary in a rebuild, or nil
}

type manufacturerName struct{ key, slug string }

func (t *textBuilder) add(d column.Doc, doc *Document) {
	t.docs = int(d) + 1
	t.addStream(doc.Names...)
	t.addStream(doc.ManufacturerKey)
	t.addStream(doc.Descriptions...)
	t.addStream(doc.Details...)
	t.forward.records = append(t.forward.records, t.forward.endRecord())

	for _, key := range doc.Names {
		if key != "" {
			t.names.add(strings.Clone(key), uint32(d))
		}
	}
	if key := analysis.Key(doc.Slug); key != "" {
		t.slugKeys.add(strings.Clone(key), uint32(d))
	}
	if name := (manufacturerName{doc.ManufacturerKey, doc.Manufacturer.Slug}); name.key != "" {
		if _, known := t.manufacturers[name]; !known {
			t.manufacturers[manufacturerName{strings.Clone(name.key), strings.Clone(name.slug)}] = struct{}{}
		}
	}
}

// addStream writes the texts of a field as the next stream of the current record.
func (t *textBuilder) addStream(texts ...string) {
	first := true
	for _, text := range texts {
		if text == "" {
			continue
		}
		if !first {
			t.forward.word(textEnd)
		}
		first = false
		for word := range strings.SplitSeq(text, " ") {
			t.forward.word(uint64(t.number(word)) + 1)
		}
	}
	t.forward.endStream()
}

// number returns the number of a word, from 0 in the order of first appearance.
func (t *textBuilder) number(word string) uint32 {
	n, ok := t.numbers[word]
	if !ok {
		n = uint32(len(t.numbers))
		t.numbers[strings.Clone(word)] = n
	}
	return n
}

// categoryDocs returns, for each word in a text of FieldCategory, the documents with the text. It numbers new
// words, so it must be called before writeWords.
func (t *textBuilder) categoryDocs(facets *[NumFamilies]facetBuilder) map[uint32]docset.Dense {
	docs := map[uint32]docset.Dense{}
	for _, family := range [...]Family{FamilyCategory, FamilyCharacter, FamilyInstallation} {
		byValue := facets[family].byValue()
		for i, value := range facets[family].values {
			if len(byValue.At(i)) == 0 {
				continue
			}
			for _, text := range valueTexts(t.meta.value(family, value)) {
				for _, word := range analysis.Words(text) {
					n := t.number(word)
					if docs[n] == nil {
						docs[n] = make(docset.Dense, docset.Words(t.docs))
					}
					docs[n].AddAll(byValue.At(i))
				}
			}
		}
	}
	return docs
}

// write writes the sections and releases data that it has written. Call finish on the facets before write.
func (t *textBuilder) write(w *snapshot.Writer, sets *docset.Builder, facets *[NumFamilies]facetBuilder) error {
	frequent, err := t.writeWords(w, sets, t.categoryDocs(facets))
	if err == nil {
		err = writePairs(w, sets, &t.forward, frequent)
	}
	if err != nil {
		return err
	}
	t.forward = forwardBuilder{}
	var byKey groupBuilder
	facet := &facets[FamilyManufacturer]
	for name := range t.manufacturers {
		byKey.add(name.key, facet.number(name.slug))
	}
	labels, manufacturers := t.names.groups(), byKey.groups()
	var places []uint32 // places of the names
	return column.RunSteps(w,
		func() error { return labels.write(w, KindNames) },
		func() error { return manufacturers.write(w, KindManufacturers) },
		func() error { return t.slugKeys.groups().write(w, KindSlugKeys) },
		func() (err error) {
			places, err = writeNameTrigrams(w, slices.Concat(labels.keys, manufacturers.keys))
			return err
		},
		func() error { return writeDocNames(w, t.docs, places, labels, manufacturers, facet.byValue()) },
	)
}

// writeWords writes the sections of words, except KindPairs. For each field, it returns whether each term is
// frequent in the field. category contains documents by the number of a word before the renumbering.
func (t *textBuilder) writeWords(w *snapshot.Writer, sets *docset.Builder,
	category map[uint32]docset.Dense) (frequent [NumFields][]bool, err error) {
	words := slices.Sorted(maps.Keys(t.numbers))
	place := make([]uint32, len(words)) // new number of each word by old number
	for at, word := range words {
		place[t.numbers[word]] = uint32(at)
	}
	t.numbers = nil
	byTerm := make([]docset.Dense, len(words))
	for number, docs := range category {
		byTerm[place[number]] = docs
	}
	t.forward.renumber(place)

	prefixes, stems := prefixesOf(words), stemsOf(words)
	parts, forms := partsOf(words)
	dictionary, used := dictionaryOf(t.dictionary, stems, parts)
	if t.original != nil {
		dictionary = t.original.Dictionary.groupsForRebuild(stems, parts)
	}
	t.dictionary, t.translated = nil, used
	p := newPostings(len(words), t.docs, sets, prefixes, stems, parts)
	phrases := newPhraseBuilder(t.meta, words)
	for _, f := range streamFields {
		if err := column.ContextErr(w); err != nil {
			return frequent, err
		}
		p.addStreams(f, &t.forward)
		phrases.addStreams(f, &t.forward, sets)
	}
	p.addCategories(byTerm)
	for _, rows := range [][]fieldRefs{p.refs, prefixes.refs, phrases.refs, stems.refs, parts.refs} {
		p.addAnyField(rows)
	}

	return p.frequent, column.RunSteps(w,
		func() error { return writeTerms(w, KindTerms, words, p.refs) },
		func() error { return writeTerms(w, KindPrefixes, prefixes.keys, prefixes.refs) },
		func() error { return writeTerms(w, KindPhrases, phrases.texts, phrases.refs) },
		func() error { return writeFuzzy(w, words) },
		func() error { return stems.write(w, KindStems) },
		func() error { return writeTermStems(w, stems, len(words)) },
		func() error { return stems.writeSets(w, KindStemSets) },
		func() error { return parts.write(w, KindParts) },
		func() error { return parts.writeSets(w, KindPartSets) },
		func() error { return writePartForms(w, parts, forms) },
		func() error { return dictionary.write(w, KindDictionary) },
		func() error { return t.forward.write(w) },
	)
}

// partsOf returns the groups of compound parts. A key is the German stem of a part, or the key of a number or
// size. Its numbers are the terms that contain the part. forms maps the forms of parts to their stems.
func partsOf(words []string) (parts *groupLists, forms map[string]string) {
	splitter := analysis.NewSplitter(func(word string) bool { _, ok := slices.BinarySearch(words, word); return ok })
	var byStem groupBuilder
	forms = map[string]string{}
	var own []analysis.Part // parts of one word
	var numbers []string    // number keys of one word
	for term, word := range words {
		own = splitter.Parts(own[:0], word)
		for _, part := range own {
			byStem.add(part.Stem, uint32(term))
			forms[part.Form] = part.Stem
		}
		numbers = analysis.NumberKeys(numbers[:0], word)
		for _, key := range numbers {
			byStem.add(key, uint32(term))
		}
	}
	return byStem.groups(), forms
}
