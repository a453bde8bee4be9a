package analysis

import (
	"cmp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestNumbersOfKeys(t *testing.T) {
	tests := []struct {
		rule  string
		texts []string
		want  string
	}{
		{"a decimal comma is a point", []string{"12,5", "12.5", " 12,5.", "(12.5)", "１２，５"}, "12.5"},
		{"a decimal keeps its zeros", []string{"0,850"}, "0.850"},
		{"three digits after one sign may be thousands and are unchanged", []string{"1.200", "1,200"}, "1.200"},
		{"several separators are of thousands", []string{"1.200.000", "1,200,000"}, "1200000"},
		{"each group has three digits, the first can have fewer", []string{"12.050.000"}, "12050000"},
		{"two different separators are of thousands and of a decimal", []string{"1.200,50", "1,200.50"}, "1200.50"},
		{"digits with too many separators are words", []string{"12.05.2024", "12,05,2024", "12 05 2024"}, "12 05 2024"},
		{"including the last ones", []string{"1,2,3 mm"}, "1 2 3 mm"},
		{"no thousands after four digits", []string{"1234.567.890", "1234,567.890"}, "1234 567 890"},
		{"or after a zero", []string{"0.123.456", "0.123,456"}, "0 123 456"},
		{"or of two digits", []string{"1.20.300", "1.20,300"}, "1 20 300"},
		{"other separators are blanks", []string{"45/600", "45-600", "45:600", "45 600", "45, 600"}, "45 600"},
		{"a number and its unit are a word", []string{"50mm", "50 mm", "50-mm", "50 MM", "50\u00a0mm", "50\u202fmm", "50 ㎜",
			"50™mm"}, "50mm"},
		{"also a decimal and its unit", []string{"12,5 mm", "12.5mm"}, "12.5mm"},
		{"before any text", []string{"25-mm-Panel", "25 mm, Panel", "25mm (Panel)"}, "25mm panel"},
		{"raised digits are digits", []string{"5 m²", "5m2", "5 ㎡"}, "5m2"},
		{"micrometres have two spellings", []string{"5 µm", "5 μm", "5um"}, "5um"},
		{"a unit must end", []string{"50 mmx", "50\tmmx"}, "50 mmx"},
		{"it does not end before a letter or digit", []string{"50 mma 50 mmZ 50 mm0 50 mm9 50 MMA 50 mmz 50 mmä"},
			"50 mma 50 mmz 50 mm0 50 mm9 50 mma 50 mmz 50 mma"},
		{"nor before a sign without a size", []string{"50 mmx3b"}, "50 mmx3b"},
		{"no number begins after a letter", []string{"a50 mm Z50 mm A50 mm z50 mm ä50 mm"}, "a50 mm z50 mm a50 mm z50 mm a50 mm"},
		{"not every letter is a unit", []string{"50 %", "50°", "50"}, "50"},
		{"nor are a sign and a minus", []string{"-20", "+20", "±20"}, "20"},
		{"a size is a word", []string{"600x600mm", "600 x 600 mm", "600×600mm", "600 X 600 mm", "600 * 600 mm", "600*600mm",
			"600 mm x 600 mm",
			"600mmx600mm", "600-x-600-mm", "600\u2009×\u2009600\u00a0mm", "600‑x‑600‑mm"}, "600x600mm"},
		{"also without a unit", []string{"600x600", "600 x 600", "600 ×600", "600-x-600"}, "600x600"},
		{"of up to four numbers", []string{"1 x 2 x 3 x 4"}, "1x2x3x4"},
		{"in longer products each number is a word", []string{"1 x 2 x 3 x 4 x 5 mm", "1x2x3x4x5mm"}, "1 2 3 4 5mm"},
		{"a unit applies to the numbers before it", []string{"60 x 60 cm x 40 mm", "60 cm x 60 cm x 40 mm"}, "60x60cmx40mm"},
		{"or, if none follows, of the number before", []string{"60 cm x 120"}, "60x120cm"},
		{"decimals in a size", []string{"0,6 x 1,2 m"}, "0.6x1.2m"},
		{"a size ends where a code begins", []string{"600 x 1,2,3"}, "600 x 1 2 3"},
		{"codes have no numbers", []string{"B-s1,d0"}, "b s1 d0"},
		{"also not after a comma", []string{"AB12,5 mm"}, "ab12 5 mm"},
		{"nor before letters", []string{"12a x 3b"}, "12a x 3b"},
		{"versions too", []string{"v1.2.3"}, "v1 2 3"},
		{"a slug", []string{"panel-600-x-600", "Panel 600 x 600"}, "panel 600x600"},
		{"words around numbers are folded", []string{"Säule 12,5 mm groß", "SAEULE 12.5mm gross"}, "saule 12.5mm gross"},
		{"numbers of a list share the unit after it", []string{"20 / 30 / 50 mm", "20/30/50mm", "20, 30, 50 mm",
			"20; 30 – 50 mm", "20 mm, 30 / 50 mm"}, "20mm 30mm 50mm"},
		{"also of a range", []string{"20-50 mm", "20 - 50-mm", "20–50 mm", "20 — 50 mm", "20…50 mm", "20...50 mm",
			"20 & 50 mm"}, "20mm 50mm"},
		{"also of two hyphens", []string{"20-50, 60-80 mm"}, "20mm 50mm 60mm 80mm"},
		{"words between numbers remain", []string{"20, 30 und 50 mm", "20, 30, UND 50 mm"}, "20mm 30mm und 50mm"},
		{"in both languages", []string{"20 bis 50 mm or 60 to 80 mm"}, "20mm bis 50mm or 60mm to 80mm"},
		{"thousands and decimals", []string{"1000 und 1200,5 mm"}, "1000mm und 1200.5mm"},
		{"and sizes", []string{"600x600, 600x1200 mm", "600 x 600 / 600 × 1200 mm"}, "600x600mm 600x1200mm"},
		{"a list has one unit", []string{"2 / 3 / 50 mm x 2 kg"}, "2mm 3mm 50mmx2kg"},
		{"numbers after the unit have none", []string{"20 mm / 30"}, "20mm 30"},
		{"a blank must follow a comma", []string{"20;30;50 mm"}, "20 30 50mm"},
		{"a word needs blanks", []string{"20und 50 mm"}, "20und 50mm"},
		{"on both sides", []string{"20 und50 mm"}, "20 und50 mm"},
		{"a list may have no end", []string{"20 /", "20,", "20 - "}, "20"},
		{"blanks do not make a list", []string{"20 50 mm", "20: 50 mm", "20 + 50 mm"}, "20 50mm"},
		{"nor do the hyphens of a code", []string{"20-30-50 mm"}, "20 30 50mm"},
		{"also of letters", []string{"panel-20-50-mm"}, "panel 20 50mm"},
		{"also before the numbers", []string{"20-50-mm-panel"}, "20 50mm panel"},
		{"the diameter sign is a blank", []string{"Ø50 mm", "ø 50mm", "Ø 50 mm", "(Ø50-mm)", "\u2300 50 mm"}, "50mm"},
		{"also of a number without unit", []string{"Ø50"}, "50"},
		{"but not the letter Ø", []string{"Malmø 50, Brø5, ø"}, "malmo 50 bro5 o"},
		{"a soft hyphen does not separate digits", []string{"60\u00ad0 mm"}, "600mm"},
	}
	for _, test := range tests {
		for _, text := range test.texts {
			if got := Key(text); got != test.want {
				t.Errorf("%s: Key(%q) = %q, want %q", test.rule, text, got, test.want)
			}
		}
	}
}

func TestNumberKeys(t *testing.T) {
	tests := []struct{ rule, word, filed, asked string }{
		{"a number", "600", "", "600"},
		{"a length is also in mm", "60cm", "60 600mm cm", "60cm 600mm"},
		{"a length in mm", "600mm", "600 mm", "600mm"},
		{"a decimal length", "0.60m", "0.60 0.6 600mm m", "0.60m 600mm"},
		{"less than a mm", "50um", "50 0.05mm um", "50um 0.05mm"},
		{"without redundant zeros", "012.50mm", "012.50 012.5 12.5mm mm", "012.50mm 12.5mm"},
		{"possibly thousands", "1.200mm", "1.200 1.2 1.2mm 1200 1200mm mm", "1.200mm 1.2mm 1200mm"},
		{"of up to three digits", "120.250mm", "120.250 120.25 120.25mm 120250 120250mm mm", "120.250mm 120.25mm 120250mm"},
		{"not of more digits", "1200.250mm", "1200.250 1200.25 1200.25mm mm", "1200.250mm 1200.25mm"},
		{"not thousands", "0.200mm", "0.200 0.2 0.2mm mm", "0.200mm 0.2mm"},
		{"possibly an article number", "4711.12", "4711 12", "4711.12"},
		{"zero", "0.0", "0", "0.0"},
		{"another unit", "5.0kg", "5.0 5kg kg", "5.0kg 5kg"},
		{"another name of a unit", "5qm", "5 5m2 qm", "5qm 5m2"},
		{"a size", "60x120cm", "60 600mm 60x120 600x1200mm 120 1200mm cm x", "60x120cm 600x1200mm"},
		{"a size without unit is in mm", "60x120", "60 60mm 60x120mm 120 120mm x", "60x120 60x120mm"},
		{"runs of three", "1x2x3mm", "1 1mm 1x2 1x2mm 1x2x3 2 2mm 2x3 2x3mm 3 3mm mm x", "1x2x3mm"},
		{"of several units", "60cmx1.2m", "60 600mm 60x1.2 600x1200mm 1.2 1200mm cm m x", "60cmx1.2m 600x1200mm"},
		{"of incompatible units", "2kgx3mm", "2 2kg 2x3 3 3mm kg mm x", "2kgx3mm"},
		{"a unit", "mm", "", "mm"},
		{"the sign of sizes", "x", "", "x"},
		{"a word", "panel", "", ""},
		{"a code", "12ab", "", ""},
		{"not in the form of a key", "1x2x3x4x5", "", ""},
		{"nothing", "", "", ""},
		{"a measure of a detail", "=60cm", "=600mm", ""},
		{"and a size", "=60x120cm", "=600mm =60x120 =600x1200mm =1200mm", ""},
	}
	for _, test := range tests {
		filed, asked := NumberKeys([]string{"before"}, test.word), QueryNumberKeys([]string{"before"}, test.word)
		if got := strings.Join(filed[1:], " "); got != test.filed {
			t.Errorf("%s: %q is filed under %q, want %q", test.rule, test.word, got, test.filed)
		}
		if got := strings.Join(asked[1:], " "); got != test.asked {
			t.Errorf("%s: %q is asked as %q, want %q", test.rule, test.word, got, test.asked)
		}
	}
}

func TestAppendSplitSize(t *testing.T) {
	for word, want := range map[string]string{
		"600x1200":     "600mm 1200mm|600 1200mm|600 1200", // a size without a unit is in mm
		"600x1200mm":   "600mm 1200mm|600 1200mm|600 1200",
		"60x120cm":     "60cm 120cm|60 120cm",
		"60x60cmx40mm": "60cm 60cm 40mm|60 60cm 40mm",
		"1x2x3x4um":    "1um 2um 3um 4um|1 2 3 4um",
		"600mm":        "", "600": "", "panel": "", "x": "", "1x2x3x4x5": "", "": "",
	} {
		if got := strings.Join(AppendSplitSize([]string{"before"}, word)[1:], "|"); got != want {
			t.Errorf("%q apart is %q, want %q", word, got, want)
		}
	}
}

func TestCutDecimal(t *testing.T) {
	for word, want := range map[string][2]string{"4711.12": {"4711", "12"}, "0.5": {"0", "5"}, "12": {}, "12.5mm": {},
		"a.5": {}, "1.2x3": {}} {
		whole, fraction, ok := CutDecimal(word)
		if ok != (want[0] != "") || ok && (whole != want[0] || fraction != want[1]) {
			t.Errorf("%q is %q and %q, %v, want %q", word, whole, fraction, ok, want)
		}
	}
}

// TestComposedTextsAreTheirNFKC checks that isComposed accepts only texts that NFKC does not change.
func TestComposedTextsAreTheirNFKC(t *testing.T) {
	for r := range rune(utf8.MaxRune + 1) {
		text := string(r)
		if isComposed(text) && (norm.NFKC.String(text) != text || withoutWidthAndMarks(r) != r) {
			t.Errorf("%U is not as it will be", r)
		}
	}
}

// TestUnitsAreWords checks that a unit in a key is one word, that of two units with the same beginning the
// longer one is found, that lengths are also searched in mm, and that keys contain only one name of each
// unit.
func TestUnitsAreWords(t *testing.T) {
	measured := map[string]string{"um": "0.005mm", "cm": "50mm", "dm": "500mm", "m": "5000mm", "km": "5000000mm",
		"qm": "5m2", "zoll": "5inch"}
	for _, u := range units {
		word := "5" + u.word()
		if got, want := QueryNumberKeys(nil, word),
			slices.Compact([]string{word, cmp.Or(measured[u.word()], word)}); !slices.Equal(got, want) {
			t.Errorf("%q is asked as %q, want %q", word, got, want)
		}
		for _, text := range []string{"5 " + u.name, "5" + u.name, "5-" + strings.ToUpper(u.name), "5 " + u.name + " x 7 " +
			u.name} {
			words := Words(Key(text))
			if len(words) != 1 || !slices.Contains(NumberKeys(nil, words[0]), u.word()) {
				t.Errorf("Key(%q) has the words %q, want one with the unit %q", text, words, u.word())
			}
		}
	}
}

// TestLongRowsOfNumbers is fast only if each digit in a long row is read just a few times.
func TestLongRowsOfNumbers(*testing.T) {
	for _, row := range []string{"1x ", "1 x ", "1,2", "1.", "1 mm x", "1x1 ", "1-", "1", "1     ", "1/", "1, ", "1x1-",
		"1 to ", "1 /     ", "ø   "} {
		text := strings.Repeat(row, 100_000) + "1b"
		Key(text)
		Key(strings.ReplaceAll(text, "b", ""))
	}
}
