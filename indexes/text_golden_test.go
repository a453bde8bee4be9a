package indexes

import (
	"bytes"
	"encoding/hex"
	"strings"
	"testing"

	"sabine/indexes/snapshot"
)

// textGoldenDocuments returns two products with few words. The category of the second one adds words from the
// vocabulary.
func textGoldenDocuments() []Document {
	return []Document{
		{ID: [16]byte{1}, Names: []string{"wand b", "b"}, ManufacturerKey: "b", Descriptions: []string{"deckensegel"},
			Details: []string{"c"}, Slug: "B-b", Manufacturer: Manufacturer{ID: "i", Slug: "s", Name: "B"}},
		{ID: [16]byte{2}, Names: []string{"b"}, ManufacturerKey: "c", Category: "h", Manufacturer: Manufacturer{ID: "j",
			Slug: "r", Name: "C"}},
	}
}

// This test compares the smallest text sections with bytes written by hand, in the order of the format
// comments. The terms are b 0, c 1, deckensegel 2, h 3, holz 4 and wand 5.
func TestTextSectionsAreTheBytesThatTheirCommentsSay(t *testing.T) {
	file := writeIndexOf(t, Meta{Vocabulary: []Vocabulary{
		{Family: FamilyCategory, Closed: true, Values: []Value{{Value: "h", Names: map[string]string{"de": "Holz"},
			Synonyms: []string{"timber", "b wand b", "b, wand"}}}},
	}}, textGoldenDocuments())

	const none, zero4 = "0000000000000000", "00000000"
	one := func(d string) string { return d + "000000 00000040" } // reference of a set with one document
	// reference of the array of both documents, which is at index 0
	both := "00000000 00040080"
	number := func(n string) string { return n + "00000000000000" } // number of 8 bytes
	small := func(n string) string { return n + "000000" }          // number of 4 bytes
	// bitmap of one name, followed by padding
	of1 := func(n string) string { return n + "00 0000 0000 02 c6b50000 0000000000" }
	const of3 = "0000 0100 0300 0000 0200 02 c6b50000" // bitmap of the names 0, 1 and 3
	for kind, want := range map[snapshot.Kind]string{
		KindTerms: number("06") +
			both + one("00") + none + none + none + both + // b: name of both, manufacturer of the first
			none + one("01") + none + none + one("00") + both + // c: manufacturer of the second, details of the first
			none + none + none + one("00") + none + one("00") + // deckensegel
			none + none + one("01") + none + none + one("01") + // h
			none + none + one("01") + none + none + one("01") + // holz
			one("00") + none + none + none + none + one("00") + // wand
			small("00") + small("01") + small("02") + small("0d") + small("0e") + small("12") + small("16") + zero4 +
			text("bcdeckensegelhholzwand") + "0000" + slotsFor("b", "c", "deckensegel", "h", "holz", "wand"),

		KindPrefixes: none + zero4 + zero4,

		KindPhrases: number("01") + none + none + none + none + none + none + small("00") + small("08") + text("b wand b") +
			slotsFor("b wand b"),

		// The order is b, c, wand, h, deckensegel, holz.
		KindReversed: small("00") + small("01") + small("05") + small("03") + small("02") + small("04"),

		KindStems: number("0c") + number("0c") +
			small("00") + small("01") + small("02") + small("03") + small("04") + small("05") + small("06") + small("07") +
			small("08") + small("09") + small("0a") + small("0b") + small("0c") + zero4 +
			small("00") + small("01") + small("02") + small("03") + small("04") + small("05") +
			small("00") + small("01") + small("02") + small("03") + small("04") + small("05") +
			small("00") + small("02") + small("04") + small("10") + small("12") + small("17") + small("1c") + small("1e") +
			small("20") + small("2c") + small("2e") + small("33") + small("38") + zero4 +
			text("db"+"dc"+"ddeckensegel"+"dh"+"dholz"+"dwand"+"eb"+"ec"+"edeckensegel"+"eh"+"eholz"+"ewand") +
			slotsFor("db", "dc", "ddeckensegel", "dh", "dholz", "dwand", "eb", "ec", "edeckensegel", "eh", "eholz", "ewand"),

		KindTermStems: small("00") + small("06") + small("01") + small("07") + small("02") + small("08") + small("03") +
			small("09") +
			small("04") + small("0a") + small("05") + small("0b"),

		KindStemSets: strings.Repeat( // for b, c, deckensegel, h, holz and wand, in German and in English
			both+one("00")+none+none+none+both+none+one("01")+none+none+one("00")+both+none+none+none+one("00")+none+one("00")+
				none+none+one("01")+none+none+one("01")+none+none+one("01")+none+none+one("01")+one("00")+none+none+none+none+
				one("00"), 2),

		KindPartSets: strings.Repeat(none+none+none+one("00")+none+one("00"), 2),

		KindParts: number("02") + number("02") +
			small("00") + small("01") + small("02") + zero4 +
			small("02") + small("02") +
			small("00") + small("05") + small("0a") + zero4 + text("decke"+"segel") + "000000000000" +
			slotsFor("decke", "segel"),

		KindPartForms: number("03") +
			small("00") + small("00") + small("01") + zero4 + // parts of decke, decken and segel
			small("00") + small("02") + small("01") + zero4 + // the order is decke, segel, decken
			small("00") + small("05") + small("0b") + small("10") + text("decke"+"decken"+"segel") + slotsFor("decke", "decken",
			"segel"),

		KindForward: number("02") + number("11") + none + number("0b") + number("11") +
			"04 06 01 00 01" + "01 01" + "01 03" + "01 02" + // the texts wand b, b; b; deckensegel; c
			"01 01" + "01 02" + "00" + "00" + "00000000000000",

		KindPairs: none + none + none + none + none,

		KindNames: number("02") + number("03") +
			small("00") + small("02") + small("03") + zero4 +
			small("00") + small("01") + small("00") + zero4 +
			small("00") + small("01") + small("07") + zero4 + text("b"+"wand b") + "00" + slotsFor("b", "wand b"),

		KindManufacturers: number("02") + number("02") + // s is number 1 of its family, r is number 0
			small("00") + small("01") + small("02") + zero4 +
			small("01") + small("00") +
			small("00") + small("01") + small("02") + zero4 + text("bc") + "000000000000" + slotsFor("b", "c"),

		KindSlugKeys: number("01") + number("01") +
			small("00") + small("01") + small("00") + zero4 + small("00") + small("03") + text("b b") + "0000000000" +
			slotsFor("b b"),

		KindNameTrigrams: number("04") + number("09") +
			small("00") + small("02") + small("03") + small("01") + // b, the manufacturers b and c, wand b
			"0200 0200 0200 0700" +
			"62 000004 008000 00" + "63 000004 008000 00" + "77 000004 008000 00" + // "  b", "  c", "  w"
			"20 00400c 008000 00" + "20 00600c 008000 00" + "61 00e00e 008000 00" + // " b ", " c ", " wa"
			"64 00c00d 008401 00" + "20 00800c 00b801 00" + "6e 00200c 00dc01 00" + // "and", "nd ", "wan"
			number("0f") + number("1b") + number("2b") + number("3f") + number("4b") + number("5b") + number("6b") +
			number("7b") + number("8b") +
			of3 + "00" + of1("02") + of1("03") + of3 + "00" + of1("02") + of1("03") + of1("03") + of1("03") + of1("03"),

		KindDocNames: number("05") + small("00") + small("03") + small("05") + zero4 +
			small("00") + small("01") + small("03") + // b, the manufacturer b, wand b
			small("00") + small("02") + zero4, // b, the manufacturer c
	} {
		got, _ := file.Section(kind)
		if want := bytesOf(t, want); !bytes.Equal(got, want) {
			t.Errorf("%s:\n got %s\nwant %s", kind, hex.EncodeToString(got), hex.EncodeToString(want))
		}
	}
}

// slotsFor returns the slots of a sorted table of texts, and their padding.
func slotsFor(texts ...string) string {
	keys := make([]string, len(texts))
	for i, s := range texts {
		keys[i] = text(s)
	}
	return slots(2*len(texts), keys...)
}

// TestPairSectionBytes compares the pairs of 256 documents that contain b c with bytes written by hand.
func TestPairSectionBytes(t *testing.T) {
	docs := make([]Document, docFrequencyBound)
	for i := range docs {
		docs[i] = Document{ID: [16]byte{byte(i)}, Names: []string{"b c"}, Manufacturer: Manufacturer{ID: "i", Slug: "s"}}
	}
	docs[9].Names = []string{"b c", "c b"}
	file := writeIndexOf(t, Meta{}, docs)
	got, _ := file.Section(KindPairs)
	want := bytesOf(t, "0200000000000000 0000000000000000 0000000000000000 0000000000000000 0000000000000000"+
		"01000000 00000000"+ // pair b c: terms 0 and 1
		"00000000 01000000"+ // pair c b
		"00000000 00000280"+ // reference of the array of all 256 documents, which is at index 0
		"09000000 00000040") // reference of document 9
	if !bytes.Equal(got, want) {
		t.Errorf("got %x\nwant %x", got, want)
	}
}
