package indexes

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// translatedWords returns products whose only words are those in their names.
func translatedWords(names ...string) []Document {
	docs := make([]Document, len(names))
	for i, name := range names {
		docs[i] = Document{ID: [16]byte{byte(i)}, Names: []string{name}, Manufacturer: Manufacturer{ID: "i", Slug: "s"}}
	}
	return docs
}

// writeTranslated writes a snapshot of documents with a dictionary. It also returns the number of stored
// translations.
func writeTranslated(t testing.TB, docs []Document, translations []Translation) (*snapshot.File, int) {
	t.Helper()
	w, err := snapshot.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	b := NewBuilder(Meta{}, fireClasses)
	b.Translate(translations)
	if err := fill(w, b, docs); err != nil {
		t.Fatal(err)
	}
	return commit(t, w), b.Translated()
}

// TestDictionarySectionBytes compares the section with bytes written by hand. The terms are holzwande 0 and
// wall 1. Keys 0 and 1 of KindStems are their German stems, and keys 2 and 3 are their English stems. The
// keys of KindParts are holz 0 and wand 1.
func TestDictionarySectionBytes(t *testing.T) {
	file, used := writeTranslated(t, translatedWords("holzwande", "wall"), []Translation{
		{"wand", "wall"}, {"wande", "walls"}, {"mauer", "brick wall"}, {"decke", "ceiling"},
	})
	if used != 2 {
		t.Errorf("%d translations are used, want 2", used)
	}
	small := func(n string) string { return n + "000000" }
	number := func(n string) string { return n + "00000000000000" }
	want := bytesOf(t, number("06")+number("06")+
		small("00")+small("01")+small("02")+small("03")+small("04")+small("05")+small("06")+small("00")+
		small("03")+small("03")+small("03")+small("05")+small("05")+small("05")+ // wall; the part wand, which is number 5
		small("00")+small("06")+small("0d")+small("12")+small("18")+small("1f")+small("24")+small("00")+
		text("d=wand"+"d=wande"+"dwand"+"e=wall"+"e=walls"+"ewall")+"00000000"+slotsFor("d=wand", "d=wande", "dwand",
		"e=wall", "e=walls", "ewall"))
	if got, _ := file.Section(KindDictionary); !bytes.Equal(got, want) {
		t.Errorf("got  %x\nwant %x", got, want)
	}
}

// TestDamagedDictionary checks that a rebuild copies the dictionary without data that a build cannot write.
func TestDamagedDictionary(t *testing.T) {
	docs := translatedWords("holzwande", "wall")
	file, _ := writeTranslated(t, docs, []Translation{{"wand", "wall"}})
	x, err := Open(file)
	if err == nil {
		err = again(x, docs)
	}
	if err != nil {
		t.Error(err)
	}
	numbersAt := 16 + column.Size[uint32](5) // numbers of four keys
	for _, test := range []damage{
		{"more keys than fit", KindDictionary, 0, []byte("\xff\xff\xff\xff\xff"),
			"keys and numbers"},
		{"a stem or a part that is not there", KindDictionary, numbersAt, []byte("\xff\xff"), ""},
		{"a list that begins late", KindDictionary, 16, []byte{1}, ""},
		{"a key of no language", KindDictionary, numbersAt + column.Size[uint32](4) + column.Size[uint32](5), []byte("f"),
			""},
	} {
		test.check(t, file, docs)
	}
}

// TestTranslations checks which translations in a dictionary are found in a catalogue.
func TestTranslations(t *testing.T) {
	var many []Translation
	for i := range maxTranslations {
		many = append(many, Translation{"satz", fmt.Sprintf("thing%cq", 'a'+rune(i))},
			Translation{"gruppe", fmt.Sprintf("thing%cq", 'a'+rune(i))})
	}
	many = append(many, Translation{"satz", "thingaq"}, Translation{"gruppe", "wall"})
	translations := append(many, Translation{"wand", "wall"}, Translation{"raum", "waiting room"},
		Translation{"holzerne wand", "wall"},
		Translation{"teppich", "carpet"})
	file, _ := writeTranslated(t, translatedWords("wall walls thingaq", "holzwand", "raume"), translations)
	x, err := Open(file)
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		rule, language, stem, whole string
		want                        []string // keys of stems and of compound parts
	}{
		{"a word", StemGerman, "wand", "wand", []string{"ewall"}},
		{"in the other direction, also a part of compounds", StemEnglish, "wall", "wall", []string{"wand"}},
		{"words of which the last is a stem", StemEnglish, "waiting room", "waiting room", []string{"draum"}},
		{"words with a single one for them", StemGerman, "holzerne wand", "holzerne wand", []string{"ewall"}},
		{"no words for a single one", StemGerman, "raum", "raum", nil},
		{"no word that the catalogue has not", StemGerman, "teppich", "teppich", nil},
		{"as many translations as there may be", StemGerman, "satz", "satz", []string{"ethingaq"}},
		{"no word with one more", StemGerman, "grupp", "gruppe", nil},
	}
	for _, test := range tests {
		stem, _ := x.Dictionary.FindJoined(test.language, test.stem)
		whole, ok := x.Dictionary.WholeWords(test.language, test.whole)
		if ok != (test.want != nil) {
			t.Errorf("%s: %q is there: %t", test.rule, test.whole, ok)
		}
		if !ok {
			continue
		}
		for _, place := range []int{stem, whole} {
			var got []string
			x.EachTranslation(place, func(terms *Groups, _ *FieldSets, key int) { got = append(got, terms.Key(key)) })
			if !slices.Equal(got, test.want) {
				t.Errorf("%s: %q leads to %q, want %q", test.rule, x.Dictionary.Key(place), got, test.want)
			}
		}
	}
}
