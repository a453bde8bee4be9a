package indexes

import (
	"bytes"
	"encoding/binary"
	"testing"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// TestDamagedTextSections damages the head of every text structure, and content that Open does not verify.
func TestDamagedTextSections(t *testing.T) {
	docs := textDocuments(900, 11)
	file := writeIndexOf(t, Meta{Vocabulary: textVocabulary}, docs)
	huge := bytes.Repeat([]byte{0xff}, 8)
	section, _ := file.Section(KindNameTrigrams)
	names, trigrams := int64(binary.LittleEndian.Uint64(section)), int64(binary.LittleEndian.Uint64(section[8:]))
	sizesAt := 16 + column.Size[uint32](int(names))
	trigramsAt := sizesAt + column.Size[uint16](int(names))
	endsAt := trigramsAt + 8*trigrams
	section, _ = file.Section(KindTerms)
	slotsOfTerms := 2 * 4 * int64(binary.LittleEndian.Uint64(section))
	section, _ = file.Section(KindPartForms)
	formsReversedAt := 8 + column.Size[uint32](int(binary.LittleEndian.Uint64(section)))
	tests := []damage{
		{"more words than fit", KindTerms, 0, huge, "2^32 words"},
		{"more words than there are", KindTerms, 0, []byte{0, 0, 1}, "are left"},
		{"a reference of no set", KindTerms, 8, huge, ""},
		{"a word in a document without it", KindTerms, 8 + 8*int64(FieldAny), make([]byte, 8), ""},
		{"a word without its slot", KindTerms, -slotsOfTerms, make([]byte, slotsOfTerms), ""},
		{"padding that is not zero", KindTerms, -1, []byte{1}, ""},
		{"a beginning without its set", KindPrefixes, 8, huge, ""},
		{"a phrase with a document that lacks it", KindPhrases, 8, []byte{0, 0, 0, 0, 0, 0, 0, 0x40}, ""},
		{"a phrase of a word that is not there", KindPhrases, 8 + 4*48 + 24, []byte("c"), ""},
		{"a term that is not there", KindReversed, 0, huge[:4], ""},
		{"terms in another order", KindReversed, 0, make([]byte, 8), ""},
		{"a stem without documents", KindStemSets, 0, make([]byte, 32), ""},
		{"a part with the documents of nothing", KindPartSets, 0, huge, ""},
		{"more forms of parts than there are", KindPartForms, 0, huge, "2^32 forms"},
		{"a form of a part that is not there", KindPartForms, 8, huge[:4], ""},
		{"a part without a form", KindPartForms, 8, make([]byte, 64), ""},
		{"forms in another order", KindPartForms, formsReversedAt, make([]byte, 8), ""},
		{"a term with the stem of another", KindTermStems, 8, []byte{0, 0, 0, 0}, ""},
		{"a stem that is not there", KindTermStems, 0, huge, ""},
		{"words in another order", KindForward, -9, []byte{0xff, 0xff, 0x7f}, ""},
		{"another number of documents", KindForward, 0, []byte{1, 0}, "records of 900 documents, not 1"},
		{"a record before the first", KindForward, 16, []byte{1}, ""},
		{"more pairs than fit", KindPairs, 0, huge, "2^40 pairs"},
		{"a pair of rare words", KindPairs, 40, huge, ""},
		{"more names than fit", KindNameTrigrams, 0, huge, "are left"},
		{"fewer names than there are", KindNameTrigrams, 0, []byte{8, 0}, "zero padding"},
		{"more trigrams than fit", KindNameTrigrams, 8, huge, "are left"},
		{"a name that is not there", KindNameTrigrams, 16, huge[:4], ""},
		{"a name of another size", KindNameTrigrams, sizesAt, []byte{1}, ""},
		{"trigrams in another order", KindNameTrigrams, trigramsAt, huge, ""},
		{"a bitmap that ends late", KindNameTrigrams, endsAt, huge[:4], ""},
		{"more names of documents than fit", KindDocNames, 0, huge, "2^32-1 names"},
		{"names of documents that begin late", KindDocNames, 8, []byte{1}, ""},
		{"a name of another document", KindDocNames, -16, huge, ""},
		{"a bitmap of names that are not there", KindNameTrigrams, endsAt + 8*trigrams, huge, ""},
	}
	for _, kind := range []snapshot.Kind{KindStems, KindParts, KindNames, KindManufacturers, KindSlugKeys} {
		tests = append(tests,
			damage{"more keys than fit", kind, 0, huge, "keys and numbers"},
			damage{"more numbers than there are", kind, 11, []byte{1}, "are left"},
			damage{"lists that begin late", kind, 16, []byte{1}, ""},
			damage{"an empty list", kind, 16 + 4, []byte{0, 0, 0, 0}, ""},
		)
	}
	for _, test := range tests {
		test.check(t, file, docs)
	}
}
