package analysis

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

func TestNormalize(t *testing.T) {
	tests := []struct{ rule, text, want string }{
		{"diacritics are folded", "Säule", "saule"},
		{"a spelled-out umlaut remains", "Saeule", "saeule"},
		{"capitals are folded, also with diacritics", "SÄULE", "saule"},
		{"a decomposed umlaut is equal to the composed one", "Sa\u0308ule", "saule"},
		{"ß is ss", "Weiß", "weiss"},
		{"capital ß is ss", "WEIẞ", "weiss"},
		{"letters that are not a base letter with a mark remain", "Ørsted Łódź", "ørsted łodz"},
		{"ligatures and Roman numerals become letters", "ﬁlz Ⅷ", "filz viii"},
		{"superscripts become digits", "kg/m²", "kg m2"},
		{"fractions become digits", "½", "1 2"},
		{"a slash separates", "45/600", "45 600"},
		{"a hyphen separates", "45-600", "45 600"},
		{"every hyphen separates", "a‐b‑c–d—e−f", "a b c d e f"},
		{"a decimal comma separates, like a point", "0,85 0.85", "0 85 0 85"},
		{"an underscore separates", "wall_panel", "wall panel"},
		{"blanks of all kinds become one", "  Deckensegel\t\n\u00a0\u2009Wolke  ", "deckensegel wolke"},
		{"only punctuation is empty", "…!? – “”", ""},
		{"an empty text is empty", "", ""},
		{"a soft hyphen does not separate", "Akustik\u00adpaneel", "akustikpaneel"},
		{"joiners and spaces without width do not separate", "Akustik\u200bpan\u200deel\ufeff", "akustikpaneel"},
		{"direction marks do not separate", "\u202bשלום\u202c \u200eabc", "שלום abc"},
		{"marks of other scripts are folded", "مُحَمَّد", "محمد"},
		{"syllables remain whole", "한국어", "한국어"},
		{"an emoji separates", "Ruhe🤫Raum 1️⃣", "ruhe raum 1"},
		{"a sign is a blank, not letters", "Basotect™G Baswa®Phon℠ ©2026", "basotect g baswa phon 2026"},
		{"NUL and other control characters separate", "a\x00b\x7fc", "a b c"},
		{"invalid UTF-8 separates", "a\xffb\xc3", "a b"},
		{"wide letters become narrow", "ＡＢＣ　１２", "abc 12"},
		{"a dotted capital I is an i", "İSTANBUL", "istanbul"},
		{"both sigmas are equal", "ΣΟΦΟΣ σοφος", "σοφοσ σοφοσ"},
	}
	for _, test := range tests {
		if got := Normalize(test.text); got != test.want {
			t.Errorf("%s: Normalize(%q) = %q, want %q", test.rule, test.text, got, test.want)
		}
	}
}

func TestKey(t *testing.T) {
	tests := []struct {
		rule  string
		texts []string
		want  string
	}{
		{"all spellings of an umlaut are equal", []string{"Säule", "Saeule", "Saule", "SÄULE", "Sa\u0308ule", "SAEULE"},
			"saule"},
		{"for all umlauts", []string{"Büromöbel", "Bueromoebel", "Buromobel", "BÜROMÖBEL"}, "buromobel"},
		{"also at the beginning of a word", []string{"Übung", "Uebung", "Ubung", "  Übung"}, "ubung"},
		{"ø is o, ł is l, å is a", []string{"Ørsted", "Oersted", "Orsted"}, "orsted"},
		{"ł is l", []string{"Łódź", "Lodz"}, "lodz"},
		{"å is a", []string{"Ångström", "Angstroem", "Angstrom"}, "angstrom"},
		{"ue after a vowel remains", []string{"Bauelement neue Feuer"}, "bauelement neue feuer"},
		{"ue after q remains", []string{"Quelle quer"}, "quelle quer"},
		{"ue after another letter is read as ü, even if the word has none", []string{"aktuell", "aktüll"}, "aktull"},
		{"ue at the beginning of a word after a vowel", []string{"a uebung"}, "a ubung"},
		{"one e is removed", []string{"saee", "säee"}, "sae"},
		{"of three e one is removed", []string{"Saeee"}, "saee"},
		{"a removed e is a vowel before ue", []string{"saeue"}, "saue"},
		{"numbers keep separators that are not decimal", []string{"45/600", "45-600", "45 600", " 45 / 600 "},
			"45 600"},
	}
	for _, test := range tests {
		for _, text := range test.texts {
			if got := Key(text); got != test.want {
				t.Errorf("%s: Key(%q) = %q, want %q", test.rule, text, got, test.want)
			}
		}
	}
}

func TestWordsWrittenAsOne(t *testing.T) {
	tests := []struct{ rule, first, second, want string }{
		{"two words are written as one", "decken", "segel", "deckensegel"},
		{"an e after an o is read as part of ö", "Büro", "Einrichtung", "buroinrichtung"},
		{"one e is removed", "Sa", "eecke", "saecke"},
		{"the e of a word is not removed twice", "Saee", "Wand", "saewand"},
		{"also after a u that may be an ü", "Schnu", "Ecke", "schnucke"},
		{"but not after the u of au", "Bau", "Element", "bauelement"},
	}
	for _, test := range tests {
		if got := Key(test.first) + JoinedRest(Key(test.first), Key(test.second)); got != test.want {
			t.Errorf("%s: %q and %q make %q, want %q", test.rule, test.first, test.second, got, test.want)
		}
	}
}

// TestFormTableMatchesFoldLetters compares Normalize, which uses a table for most texts, with x/text.
func TestFormTableMatchesFoldLetters(t *testing.T) {
	for r := range rune(0xFF00) {
		if !utf8.ValidRune(r) || 0x3400 <= r && r < 0xFB00 {
			continue
		}
		for _, text := range []string{string(r), "a" + string(r) + "b", string(r) + string(r), "ü" + string(r)} {
			if got, want := Normalize(text), strings.Join(strings.Fields(foldLetters(text)), " "); got != want {
				t.Errorf("Normalize(%q) = %q, want %q", text, got, want)
			}
		}
	}
}

func BenchmarkNormalize(b *testing.B) {
	const text = "Akustikpaneel für Büroräume, 45/600 mm"
	b.Run("key", func(b *testing.B) {
		for b.Loop() {
			Key(text)
		}
	})
	b.Run("table", func(b *testing.B) {
		for b.Loop() {
			Normalize(text)
		}
	})
	b.Run("x_text", func(b *testing.B) {
		for b.Loop() {
			foldLetters(text)
		}
	})
}

// TestNormalFormOfEveryCharacter verifies that normalizing a normal form does not change it, and that a
// character in lower and upper case has the same normal form.
func TestNormalFormOfEveryCharacter(t *testing.T) {
	for r := range rune(0x30000) {
		if !utf8.ValidRune(r) {
			continue
		}
		text := "a" + string(r)
		got := Normalize(text)
		if again := Normalize(got); again != got {
			t.Errorf("Normalize(%q) = %q, and of that %q", text, got, again)
		}
		if small := unicode.ToLower(r); unicode.ToUpper(small) == r && Normalize("a"+string(small)) != got {
			t.Errorf("Normalize(%q) = %q, with a small letter %q", text, got, Normalize("a"+string(small)))
		}
	}
}

func TestWords(t *testing.T) {
	for key, want := range map[string][]string{"": nil, "a": {"a"}, "45 600": {"45", "600"}} {
		if got := Words(key); !slices.Equal(got, want) {
			t.Errorf("Words(%q) = %q, want %q", key, got, want)
		}
	}
}

// TestConcurrentUse makes concurrent calls, for the race detector.
func TestConcurrentUse(t *testing.T) {
	var wg sync.WaitGroup
	splitter := NewSplitter(wordsOf("segel"))
	for range 8 {
		wg.Go(func() {
			if got := Key("Büromöbel für ﬁlz e\u0301"); got != "buromobel fur filz e" {
				t.Errorf("got %q", got)
			}
			if german, _ := Stems("decken"); german != "decke" {
				t.Errorf("got %q", german)
			}
			if got := splitter.Parts(nil, "deckensegel"); len(got) != 3 {
				t.Errorf("got %q", got)
			}
		})
	}
	wg.Wait()
}

var seeds = []string{
	"", " ", "Säule", "Saeule", "45/600", "a\u0308\u0301b", "\u00ad\u200b", "½™", "ﷺ", "ŉ", "\xff\xfe", "İıſß", "qüe",
	"aeeue", "oe\u0338", "\u1100\u1161\u11a8",
	"한", "\u0344", "ΐ", "\ufb01", "🤫️1️⃣", "\u115f\u3164", "ǅ", "ᾳ", "\u1e9e", "\u0f77", "e\u0328\u0301", "\U0001d15e",
	"がガｶﾞ", "\u0345ᾼ", "öe", "ɐe",
}

func FuzzNormalize(f *testing.F) {
	for _, seed := range seeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Normalize(text)
		if again := Normalize(got); again != got {
			t.Errorf("Normalize(%q) = %q, and of that %q", text, got, again)
		}
		if want := strings.Join(strings.Fields(got), " "); want != got || !utf8.ValidString(got) {
			t.Errorf("Normalize(%q) = %q, which is not UTF-8 with single blanks", text, got)
		}
		for _, r := range got {
			if r != ' ' && !unicode.In(r, unicode.L, unicode.N, unicode.Mc) {
				t.Errorf("Normalize(%q) = %q, which holds %U", text, got, r)
			}
		}
	})
}

func FuzzKey(f *testing.F) {
	for _, seed := range append(seeds, "1.200,50 mm", "60 cm x 1,2 m", "1x2x3x4x5", "50-mm ５０㎜", "4711.12", "½ x 3\xff") {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got := Key(text)
		if of := Key(Normalize(text)); of != got && !strings.ContainsAny(norm.NFKC.String(text), "0123456789") {
			t.Errorf("Key(%q) = %q, of its normal form %q", text, got, of)
		}
		if normalized, key := NormalizeAndKey(text); normalized != Normalize(text) || key != got {
			t.Errorf("NormalizeAndKey(%q) = %q, %q, want what Normalize and Key return, %q", text, normalized, key, got)
		}
		if joined := strings.Join(Words(got), " "); joined != got || slices.Contains(Words(got), "") {
			t.Errorf("Key(%q) = %q, which has the words %q", text, got, Words(got))
		}
		if upper := Key(strings.ToUpper(text)); isASCII(text) && upper != got {
			t.Errorf("Key(%q) = %q, in capitals %q", text, got, upper)
		}
		for _, word := range Words(got) {
			if len(NumberKeys(nil, word)) > 0 && Key(word) != word {
				t.Errorf("Key(%q) = %q, of its number %q %q", text, got, word, Key(word))
			}
			german, english := Stems(word)
			if !utf8.ValidString(german) || !utf8.ValidString(english) {
				t.Errorf("stems of %q are %q and %q", word, german, english)
			}
		}
	})
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r >= utf8.RuneSelf })
}
