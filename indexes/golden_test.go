package indexes

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/zeebo/xxh3"

	"sabine/indexes/snapshot"
)

// goldenDocuments returns two products. The second one has only the required data.
func goldenDocuments() []Document {
	return []Document{
		{
			ID: [16]byte{0x0b, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15}, Slug: "felt",
			Category: "textil", Installations: []string{"wall", "ceiling"}, Manufacturer: Manufacturer{ID: "id-b", Slug: "b",
				Name: "Bee"},
			FireClass: "B", HasEPD: true, AlphaW: 0.5, CollationDE: []byte("b"), CollationEN: []byte("a"),
			Measurements: [NumNorms][]Measurement{NormAbsorption: {
				{Levels: []Level{0, 1, 301, 0, 0, 0, 0, 0}, Texts: [...]string{"A", "measured", ""}, Lengths: [...]float64{20, 20},
					Rank: 1, Rating: RatingOf(95, "LH")},
				{Levels: []Level{0, 0, 302, 3301, 0, 0, 0, 0}, Texts: [...]string{"E-400", "measured", "A"},
					Lengths: [...]float64{20, 220}},
			}},
		},
		{
			ID: [16]byte{0xff}, Manufacturer: Manufacturer{ID: "id-a", Slug: "c", Name: "Cee"}, Purchasable: true,
			AlphaW:      math.NaN(),
			CollationDE: []byte("a"), CollationEN: []byte("a"),
			Measurements: [NumNorms][]Measurement{
				NormAbsorption: {{Levels: []Level{0, 0, 0, 0, 0, 0, 0, 3}, Texts: [...]string{"", "", "A"},
					Lengths: [...]float64{math.NaN(), math.NaN()}, Rating: RatingOf(90, "")}},
				NormScattering: {{Levels: append([]Level{2}, make([]Level, 23)...)}},
			},
		},
	}
}

// This test compares the smallest sections with bytes written by hand, in the order of their format comments.
func TestSectionsAreTheBytesThatTheirCommentsSay(t *testing.T) {
	w, err := snapshot.Create(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer w.Abort()
	bodies, err := NewBodyWriter(w)
	if err != nil {
		t.Fatal(err)
	}
	builder := NewBuilder(Meta{Vocabulary: []Vocabulary{
		{Family: FamilyCharacter, Closed: true,
			Values: []Value{{Value: "x", Names: map[string]string{"en": "X", "de": "Ix"}}}},
	}}, fireClasses)
	for _, d := range goldenDocuments() {
		body := Body{
			Text: []byte(`{"label":"L"}` + ",g" + `,{"E"}` + ",h"),
			Marks: Marks{SummaryEnd: 1, AcousticsEnd: 2, AbsorptionStart: 3, AbsorptionEnd: 4, DetailEnd: 13, GeometryEnd: 15,
				RestEnd: 21},
			ETag: strings.Repeat("1", 32), GeometryETag: strings.Repeat("2", 32), Gzip: []byte("z"),
		}
		record := AppendBody(nil, &body, [numViews]View{
			ViewPublicDE: {{0, 12}, {21, 23}}, ViewPublicEN: {{0, 9}, {17, 20}}, ViewCompare: {{21, 23}, {3, 4}, {22, 23}},
		})
		if err := bodies.Add(record); err != nil {
			t.Fatal(err)
		}
		builder.Add(&d)
	}
	if err := bodies.Close(); err != nil {
		t.Fatal(err)
	}
	if err := builder.Write(w); err != nil {
		t.Fatal(err)
	}
	file := commit(t, w)

	tag, geometryTag := strings.Repeat("1", 32), strings.Repeat("2", 32)
	record := sums("{", `{"`, `{"label":"L"}`, "a", ",g", `{"label":"L",h}`, `{"label":"E"}`, ",hah}", `,{"E"}`, tag,
		geometryTag, "z") +
		"01 01 01 01 09 02 06 02" + // the marks, and the length of the remaining text
		"01" + // the length of the gzip form
		// the public items in German and in English
		"10 00000000 0c000000 15000000 02000000" + "10 00000000 09000000 11000000 03000000" +
		"18 15000000 02000000 03000000 01000000 16000000 01000000" + // the compare item
		text(`{"label":"L"}`+",g"+`,{"E"}`+",h"+tag+geometryTag+"z")
	single := func(d string) string { return d + "000000 00000040" }
	yes := single
	depth := func(d string) string { return d + "00000000000000" }
	plane := func(first string) string { return first + strings.Repeat("00", 63) } // plane of 512 numbers
	for kind, want := range map[snapshot.Kind]string{
		KindMeta: text(
			`{"products":2,"rules":2,"vocabulary":[{"family":1,"closed":true,"values":[{"value":"x","names":{"de":"Ix","en":"X"}}]}]}`),

		KindBodies:      record + record,
		KindBodyOffsets: "0000000000000000 cc00000000000000 9801000000000000",

		KindIDs: "0400000000000000" + slots(4, "0b0102030405060708090a0b0c0d0e0f", "ff000000000000000000000000000000") +
			"0b0102030405060708090a0b0c0d0e0f ff000000000000000000000000000000",
		KindSlugs: "0200000000000000" + slots(2, hex.EncodeToString([]byte("felt"))) +
			"00000000 04000000 04000000 00000000" + text("felt") + "00000000",

		KindOrders: "00000000 01000000  00000000 01000000" + // alpha_w descending: documents, then places
			"00000000 01000000  00000000 01000000" + // alpha_w ascending
			"01000000 00000000  01000000 00000000" + // German labels
			"00000000 01000000  00000000 01000000" + // English labels, with equal collation keys
			"00000000 01000000  00000000 01000000" + // ids
			"00000000 01000000  00000000 01000000" + // thickness
			"00000000 01000000  00000000 01000000", // depth

		KindAlpha: "0100000000000000" +
			strings.Repeat(single("00"), 11) + strings.Repeat("0000000000000000", 10) + // thresholds 0 to 0.5, and 0.55 to 1
			"000000000000e03f" + // the value 0.5
			"00000000 01000000" +
			"01 00 000000000000",

		KindEntries: "0300000000000000" + "00000000 00000000 01000000 00000000" + // absorption: documents of the entries
			"0000 0100 2d01 0000 0000 0000 0000 0000" + // levels from 63 to 8000 Hz: none, -0.1, 0
			"0000 0000 2e01 e50c 0000 0000 0000 0000" + // levels of a third of a thousandth, and of 1
			"0000 0000 0000 0000 0000 0000 0000 0300" +
			// mountings
			"0200000000000000" + "00000000 01000000 06000000 00000000" + text("AE-400") + "0000" + "01 02 00 0000000000" +
			"01000000 01000000" + // number of documents with each mounting
			"0100000000000000" + "00000000 08000000" + text("measured") + "01 01 00 0000000000" + // source kinds
			"01000000 00000000" +
			"0100000000000000" + "00000000 01000000" + text("A") + "00000000000000" + "00 01 01 0000000000" + // classes
			"02000000 00000000" +
			"0100000000000000" + "0000000000003440" + "01 01 00 0000000000" + // thickness: 20
			"0200000000000000" + "0000000000003440 0000000000806b40" + "01 02 00 0000000000" + // depth: 20, 220
			"0100 0000 0000 0000" + // ranks
			"9e 00 91 0000000000" + // ratings: 1 + 8*19 + L + H; none; 1 + 8*18
			"0100000000000000" + "01000000 00000000" + "0200" + strings.Repeat("0000", 23) + // scattering
			"0000000000000000", // empty table of diffusion

		KindEntrySlices: depth("00") + // absorption at 63 Hz
			depth("01") + plane("01") + // 125 Hz: levels 1, 0, 0
			// 250 Hz: levels 301, 302, 0
			depth("09") + plane("01") + plane("02") + plane("03") + plane("03") + plane("00") + plane("03") + plane("00") +
			plane("00") + plane("03") +
			depth("0c") + plane("02") + plane("00") + plane("02") + strings.Repeat(plane("00"), 2) + strings.Repeat(plane("02"),
			3) +
			strings.Repeat(plane("00"), 2) + strings.Repeat(plane("02"), 2) + // 500 Hz: levels 0, 3301, 0
			strings.Repeat(depth("00"), 3) +
			depth("02") + strings.Repeat(plane("04"), 2) + // 8000 Hz: levels 0, 0, 3
			depth("02") + plane("01") + plane("02") + // mountings 1, 2, 0
			depth("01") + plane("03") + depth("01") + plane("06") + // source kinds 1, 1, 0; classes 0, 1, 1
			depth("01") + plane("03") + depth("02") + plane("01") + plane("02") + // thickness 1, 1, 0; depth 1, 2, 0
			depth("02") + plane("00") + plane("01") + strings.Repeat(depth("00"), 23) + // scattering: level 2 at 50 Hz
			strings.Repeat(depth("00"), 24), // diffusion

		KindFacets: "0700000000000000" +
			"01000000 00000000 00000000 00000000" + // category
			"01000000 00000000 00000000 00000000" + // character
			"02000000 01000000 02000000 00000000" + // installation
			"02000000 00000000 00000000 00000000" + // manufacturer
			"07000000 00000000 00000000 00000000" + // fire class
			"01000000 00000000 00000000 00000000" + // EPD
			"01000000 00000000 00000000 00000000" + // purchasable
			single("00") + "00000000 06000000" + text("textil") + "0000" + "01 00 000000000000" +
			"0000000000000000" + "00000000 01000000" + text("x") + "00000000000000" + "00 00 000000000000" +
			single("00") + single("00") + "00000000 07000000 0b000000 00000000" + text("ceilingwall") + "0000000000" +
			"01 00 000000000000" + "00000000 02000000" + "00000000 01000000" +
			single("00") + single("01") + "00000000 01000000 05000000 08000000 09000000 0d000000 10000000 00000000" +
			text("bid-bBee"+"cid-aCee") + "01 02 000000000000" + "01000000 00000000" +
			strings.Repeat("0000000000000000", 2) + strings.Repeat(single("00"), 5) +
			"00000000 02000000 04000000 05000000 06000000 07000000 08000000 09000000" + text("A1A2BCDEF") + "00000000000000" +
			"03 00 000000000000" +
			yes("00") + "00000000 04000000" + text("true") + "00000000" + "01 00 000000000000" +
			yes("01") + "00000000 04000000" + text("true") + "00000000" + "00 01 000000000000",
	} {
		got, _ := file.Section(kind)
		if want := bytesOf(t, want); !bytes.Equal(got, want) {
			t.Errorf("%s:\n got %x\nwant %x", kind, got, want)
		}
	}
}

// slots returns the slots of a table with n slots for the documents 0, 1, ..., whose keys are given in hex.
func slots(n int, keys ...string) string {
	table := make([]byte, 4*n)
	for d, key := range keys {
		b, _ := hex.DecodeString(key)
		hash := xxh3.Hash(b)
		at := int(uint64(n) * (hash >> 32) >> 32) // the high bits of n times the hash; n is small
		for table[4*at] != 0 {
			at = (at + 1) % n
		}
		table[4*at] = byte(d + 1)
	}
	return hex.EncodeToString(table)
}

// sums returns the checksums of texts in hex.
func sums(texts ...string) string {
	var b []byte
	for _, t := range texts {
		b = binary.LittleEndian.AppendUint32(b, uint32(xxh3.HashString(t)))
	}
	return hex.EncodeToString(b)
}

// text returns the bytes of a string in hex.
func text(s string) string { return hex.EncodeToString([]byte(s)) }

// bytesOf returns the bytes for hex digits. It ignores blanks.
func bytesOf(t *testing.T, digits string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(digits, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}
