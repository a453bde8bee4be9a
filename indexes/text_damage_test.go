package indexes

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"strings"
	"testing"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Every structure of texts is made to fail in turn: by its head, and by content that only Check walks.
func TestDamageOfTextsIsNamed(t *testing.T) {
	file := writeIndexOf(t, Meta{Vocabulary: textVocabulary}, textDocuments(900, 11))
	good, err := os.ReadFile(file.Path())
	if err != nil {
		t.Fatal(err)
	}
	offset, length := map[snapshot.Kind]int64{}, map[snapshot.Kind]int64{}
	for _, s := range file.Sections() {
		offset[s.Kind], length[s.Kind] = s.Offset, s.Length
	}
	huge := bytes.Repeat([]byte{0xff}, 8)
	section, _ := file.Section(KindNameTrigrams)
	names, trigrams := int64(binary.LittleEndian.Uint64(section)), int64(binary.LittleEndian.Uint64(section[8:]))
	sizesAt := trigramsHead + column.Size[uint32](int(names))
	trigramsAt := sizesAt + column.Size[uint16](int(names))
	endsAt := trigramsAt + 8*trigrams
	section, _ = file.Section(KindTerms)
	slotsOfTerms := 2 * 4 * int64(binary.LittleEndian.Uint64(section))
	section, _ = file.Section(KindPartForms)
	formsReversedAt := partFormsHead + column.Size[uint32](int(binary.LittleEndian.Uint64(section)))
	type damage struct {
		done    string
		section snapshot.Kind
		at      int64 // from the section's start, or from its end when below zero
		with    []byte
		want    string // what is missed
	}
	tests := []damage{
		{"more words than fit", KindTerms, 0, huge, "words whose number fits into 32 bits"},
		{"more words than there are", KindTerms, 0, []byte{0, 0, 1}, "bytes, not the end"},
		{"a reference of no set", KindTerms, 8, huge, "a set"},
		{"a word in a document without it", KindTerms, termsHead + 8*int64(FieldAny), make([]byte, 8), "in any field"},
		{"a word without its slot", KindTerms, -slotsOfTerms, make([]byte, slotsOfTerms), "a slot of"},
		{"padding that is not zero", KindTerms, -1, []byte{1}, ""},
		{"a beginning without its set", KindPrefixes, 8, huge, "a set"},
		{"a phrase with a document that lacks it", KindPhrases, 8, []byte{0, 0, 0, 0, 0, 0, 0, 0x40}, "the documents of the phrase"},
		{"a phrase of a word that is not there", KindPhrases, termsHead + 4*fieldRow + 24, []byte("c"), "the documents of the phrase \"croad"},
		{"a term that is not there", KindReversed, 0, huge[:4], "a word below"},
		{"terms in another order", KindReversed, 0, make([]byte, 8), "words in ascending order of their letters"},
		{"a stem without documents", KindStemSets, 0, make([]byte, 32), "the documents of the terms of"},
		{"a part with the documents of nothing", KindPartSets, 0, huge, "the documents of the terms of"},
		{"more forms of parts than there are", KindPartForms, 0, huge, "forms whose number fits into 32 bits"},
		{"a form of a part that is not there", KindPartForms, partFormsHead, huge[:4], "a part below"},
		{"a part without a form", KindPartForms, partFormsHead, make([]byte, 64), "a form of"},
		{"forms in another order", KindPartForms, formsReversedAt, make([]byte, 8), "words in ascending order of their letters"},
		{"a term with the stem of another", KindTermStems, 8, []byte{0, 0, 0, 0}, "the stems of"},
		{"a stem that is not there", KindTermStems, 0, huge, "the stems of"},
		{"words in another order", KindForward, -9, []byte{0xff, 0xff, 0x7f}, "a record of words"},
		{"another number of documents", KindForward, 0, []byte{1, 0}, "records of 900 documents, not 1"},
		{"a record before the first", KindForward, 16, []byte{1}, "records one behind the other"},
		{"more pairs than fit", KindPairs, 0, huge, "a number of pairs"},
		{"a pair of rare words", KindPairs, pairsHead, huge, ""},
		{"more names than fit", KindNameTrigrams, 0, huge, "bytes, not the end"},
		{"fewer names than there are", KindNameTrigrams, 0, []byte{8, 0}, ""},
		{"more trigrams than fit", KindNameTrigrams, 8, huge, "bytes, not the end"},
		{"a name that is not there", KindNameTrigrams, trigramsHead, huge[:4], "a place of a name below"},
		{"a name of another size", KindNameTrigrams, sizesAt, []byte{1}, "trigrams of name 0"},
		{"trigrams in another order", KindNameTrigrams, trigramsAt, huge, "trigrams in ascending order"},
		{"a bitmap that ends late", KindNameTrigrams, endsAt, huge[:4], "the end of a bitmap"},
		{"more names of documents than fit", KindDocNames, 0, huge, "names whose number fits into 32 bits"},
		{"names of documents that begin late", KindDocNames, docNamesHead, []byte{1}, "lists one behind the other"},
		{"a name of another document", KindDocNames, -16, huge, "the names of document 898"},
		{"a bitmap of names that are not there", KindNameTrigrams, endsAt + 8*trigrams, huge, "the end of a bitmap"},
	}
	for _, kind := range []snapshot.Kind{KindStems, KindParts, KindNames, KindManufacturers, KindSlugKeys} {
		tests = append(tests,
			damage{"more keys than fit", kind, 0, huge, "keys and numbers whose number fits into 32 bits"},
			damage{"more numbers than there are", kind, 11, []byte{1}, "bytes, not the end"},
			damage{"lists that begin late", kind, groupsHead, []byte{1}, "lists one behind the other"},
			damage{"an empty list", kind, groupsHead + 4, []byte{0, 0, 0, 0}, "a list that is not empty"},
		)
	}
	for _, test := range tests {
		at := offset[test.section] + test.at
		if test.at < 0 {
			at += length[test.section]
		}
		b := bytes.Clone(good)
		copy(b[at:], test.with)
		damaged, err := snapshot.OpenBytes("damaged", b)
		if err != nil {
			t.Fatal(err)
		}
		x, err := Open(damaged)
		if err == nil {
			useAll(x)
			err = x.Check()
		}
		if want := fmt.Sprintf("damaged: section %s damaged at byte ", test.section); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s, %s: %.300v, want %q and %q", test.section, test.done, err, want, test.want)
		}
	}
}
