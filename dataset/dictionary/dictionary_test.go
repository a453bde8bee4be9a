package dictionary

import (
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/encoding/charmap"

	"sabine/dataset"
)

const maxWords = 3

// pairsOf returns the pairs of a dictionary as "German=English", and its errors.
func pairsOf(name string, text []byte) (pairs, faults []string) {
	in := dataset.Input{Name: name, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(text)), nil
	}}
	for pair, err := range Pairs(context.Background(), in, maxWords) {
		if err != nil {
			faults = append(faults, err.Error())
			continue
		}
		pairs = append(pairs, pair.German+"="+pair.English)
	}
	return pairs, faults
}

func TestPairs(t *testing.T) {
	tests := []struct {
		rule, line string
		want       []string
	}{
		{"a word and its translation", "Teppich :: carpet", []string{"Teppich=carpet"}},
		{"synonyms, all combinations", "Teppich; Läufer :: carpet; rug",
			[]string{"Teppich=carpet", "Teppich=rug", "Läufer=carpet", "Läufer=rug"}},
		{"parts in the same order", "Wand | Wände :: wall | walls", []string{"Wand=wall", "Wände=walls"}},
		{"grammar, remarks, fields and other spellings are ignored",
			"Platte {f} [techn.] (aus Holz; dünn) <Platine> :: (thin) board [Br.]", []string{"Platte=board"}},
		{"brackets within brackets are ignored", "Lamelle (dünn (wie Holz)) :: slat", []string{"Lamelle=slat"}},
		{"abbreviations between slashes are ignored", "Lüftungsgerät {n} /RLT/ :: air handler /AHU/",
			[]string{"Lüftungsgerät=air handler"}},
		{"articles and to are removed", "der Schaum; ein Filz :: the foam; a felt", []string{"Schaum=foam", "Schaum=felt",
			"Filz=foam", "Filz=felt"}},
		{"an article without other words is not removed", "Eine :: to", []string{"Eine=to"}},
		{"placeholders are removed", "mit etw. gefüllt {adj} :: filled with sth.",
			[]string{"mit gefüllt=filled with"}},
		{"at most three words", "Tisch am Fenster | Tisch an dem Fenster :: table by window | table by the window",
			[]string{"Tisch am Fenster=table by window"}},
		{"words can contain hyphens and apostrophes", "Akustik-Decke :: Sabine’s ceiling",
			[]string{"Akustik-Decke=Sabine’s ceiling"}},
		{"words cannot contain other characters", "Wand/Decke; Sitz :: a+b; seat; seat!; 2; seat...", []string{"Sitz=seat"}},
		{"a bracket inside a word affects only its text", "Farbe :: colo(u)r; paint; (re)paint; coat(",
			[]string{"Farbe=paint"}},
		{"of verbs the participles in -ed",
			"etw. lochen {vt} | lochend | gelocht | locht :: to punch sth.; to perforate sth. | punching; perforating | " +
				"punched; perforated | punches",
			[]string{"gelocht=punched", "gelocht=perforated"}},
		{"duplicate texts are removed", "Kork; Kork {m} :: cork; cork (material)", []string{"Kork=cork"}},
		{"a comment has no pairs", "# Kork :: cork", nil},
		{"a blank line has no pairs", "  ", nil},
		{"a side without words has no pairs", "Kork {m} :: (cork)", nil},
	}
	for _, test := range tests {
		pairs, faults := pairsOf("d", []byte(test.line+"\nFilz :: felt\n"))
		if want := append(slices.Clone(test.want), "Filz=felt"); !slices.Equal(pairs, want) || faults != nil {
			t.Errorf("%s: %s: got %q, %q, want %q", test.rule, test.line, pairs, faults, want)
		}
	}
}

func TestFaultsNameTheirLine(t *testing.T) {
	long := strings.Repeat("x", maxLineBytes)
	tests := []struct {
		done, text string
		want       []string
	}{
		{"no sides", "Filz :: felt\nKork\n", []string{`d.txt:2: expected two sides separated by one "::"`}},
		{"three sides", "Filz :: felt :: feutre\n", []string{`d.txt:1: expected two sides separated by one "::"`}},
		{"more parts on one side", "Filz :: felt\nWand | Wände :: wall\nKork :: cork\n| :: x\n", []string{
			"d.txt:2: expected the same number of parts (separated by |) on both sides, got 2 and 1",
			"d.txt:4: expected the same number of parts (separated by |) on both sides, got 2 and 1"}},
		{"no UTF-8", "Filz :: felt\nW\xe4nde :: walls\n",
			[]string{`d.txt:2: expected UTF-8; for Latin-1, add the comment "# ISO-8859-1" at the beginning of the file`}},
		{"no end of a line", "Filz :: felt\n" + long, []string{"d.txt:2: expected a line of at most 1048576 bytes"}},
		{"nothing", "", []string{"d.txt: no entries: expected lines of the form German :: English"}},
		{"only comments", "# Filz :: felt\n",
			[]string{"d.txt: no entries: expected lines of the form German :: English"}},
		{"truncated compressed data", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff",
			[]string{"d.txt (byte 0): the compressed data is truncated here"}},
	}
	for _, test := range tests {
		if _, faults := pairsOf("d.txt", []byte(test.text)); !slices.Equal(faults, test.want) {
			t.Errorf("%s: got %q, want %q", test.done, faults, test.want)
		}
	}
}

// TestEncodings reads the same dictionary in all encodings and compressions.
func TestEncodings(t *testing.T) {
	text, err := os.ReadFile("testdata/de-en")
	if err != nil {
		t.Fatal(err)
	}
	want, faults := pairsOf("de-en", text)
	if len(want) < 30 || faults != nil {
		t.Fatalf("%d pairs, %q", len(want), faults)
	}
	latin, err := charmap.ISO8859_1.NewEncoder().Bytes(append([]byte("# Charset :: ISO-8859-1\n"), text...))
	if err != nil {
		t.Fatal(err)
	}
	var gzipped bytes.Buffer
	w := gzip.NewWriter(&gzipped)
	fmt.Fprintf(w, "%s", text)
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string][]byte{
		"Latin-1, which a comment says": latin, "de-en.gz": gzipped.Bytes(), "a byte-order mark": append([]byte("\ufeff"),
			text...),
		"lines of Windows": bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")),
	} {
		if pairs, faults := pairsOf(name, text); !slices.Equal(pairs, want) || faults != nil {
			t.Errorf("%s: got %q, %q, want %q", name, pairs, faults, want)
		}
	}
}

func TestUnreadableInputEndsTheSequence(t *testing.T) {
	failed := errors.New("no such disk")
	in := dataset.Input{Name: "d", Open: func() (io.ReadCloser, error) { return nil, failed }}
	for _, err := range Pairs(context.Background(), in, maxWords) {
		if !errors.Is(err, failed) {
			t.Errorf("got %v, want %v", err, failed)
		}
	}
}

func TestReadingEndsWithTheConsumer(t *testing.T) {
	in := dataset.Input{Name: "d", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("Filz; Vlies :: felt; fleece\nKork :: cork\nno entry\n")), nil
	}}
	for stop := range 6 {
		n := 0
		for _, err := range Pairs(context.Background(), in, maxWords) {
			if n++; n > stop {
				break
			}
			if err != nil && n != 4 {
				t.Errorf("pair %d: %v", n, err)
			}
		}
	}
}

// TestLimitOfPairsInALine reads lines of the maximum length.
func TestLimitOfPairsInALine(t *testing.T) {
	side := func(text string) string { return strings.Repeat(text, (maxLineBytes/2-10)/len(text)) }
	var words strings.Builder // distinct words
	for i := range maxTexts {
		fmt.Fprintf(&words, "%c%c;", 'a'+i/26, 'a'+i%26)
	}
	many := side(words.String() + "|")
	for what, test := range map[string]struct {
		line  string
		pairs int
		fault string
	}{
		"parts": {many + " :: " + many, maxPairs, "d:1: expected an entry of at most 10000 pairs"},
		"texts": {strings.ReplaceAll(many, "|", "") + " :: " + strings.ReplaceAll(many, "|", ""),
			maxTexts * maxTexts, ""},
		"open brackets": {side("(") + " :: " + side("<["), 0, ""},
		"brackets":      {side("(") + " :: " + side(")"), 0, ""},
		"bars":          {side("|") + " :: " + side("|"), 0, ""},
		"semicolons":    {side(";") + " :: " + side(";"), 0, ""},
		"slashes":       {side("/ ") + " :: " + side("/a/ "), 0, ""},
	} {
		pairs, faults := pairsOf("d", []byte(test.line+"\nFilz :: felt\n"))
		if len(pairs) != test.pairs+1 || strings.Join(faults, "\n") != test.fault {
			t.Errorf("%s: got %d pairs and %q, want %d and %q", what, len(pairs), faults, test.pairs+1, test.fault)
		}
	}
}

// TestLimitsOfDictionaries reads repetitive input, because a small compressed file can expand to gigabytes.
func TestLimitsOfDictionaries(t *testing.T) {
	var texts []string
	for i := range maxTexts {
		texts = append(texts, "w"+string(rune('a'+i/26))+string(rune('a'+i%26)))
	}
	synonyms := strings.Join(texts, ";")
	for what, test := range map[string]struct {
		line  string
		pairs int
		fault string
	}{
		"pairs": {synonyms + " :: " + synonyms + "\n", maxAllPairs,
			"d:626: expected a dictionary of at most 1000000 pairs"},
		"comments": {"Filz :: felt\n#" + strings.Repeat("x", 1<<16-15) + "\n", 1024,
			"d:2049: expected a dictionary of at most 64 MiB"},
	} {
		var faults []string
		pairs := 0
		in := dataset.Input{Name: "d", Open: func() (io.ReadCloser, error) {
			return io.NopCloser(&endless{line: test.line}), nil
		}}
		for _, err := range Pairs(context.Background(), in, maxWords) {
			if err != nil {
				faults = append(faults, err.Error())
			} else {
				pairs++
			}
		}
		if strings.Join(faults, "\n") != test.fault || pairs < test.pairs || pairs > test.pairs+maxTexts*maxTexts {
			t.Errorf("%s: got %d pairs and %q, want %d and %q", what, pairs, faults, test.pairs, test.fault)
		}
	}
}

// endless is a reader that repeats a string up to 128 MiB, so that the test ends even if the limit does not
// work.
type endless struct {
	line string
	read int
}

func (e *endless) Read(b []byte) (int, error) {
	if e.read > 2*maxTextBytes {
		return 0, io.EOF
	}
	n := copy(b, e.line[e.read%len(e.line):])
	e.read += n
	return n, nil
}

func FuzzPairs(f *testing.F) {
	text, err := os.ReadFile("testdata/de-en")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	for _, s := range []string{"a ( b :: c)", "a {b [c} d] :: e", "# latin1\n\xff :: \xfe", "a;;b|| :: ;|;|", ":: ::",
		"(((a) :: <b", "\x28\xb5\x2f\xfd\x00"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		pairs, _ := pairsOf("d", text)
		for _, pair := range pairs {
			de, en, _ := strings.Cut(pair, "=")
			for _, text := range []string{de, en} {
				if n := len(strings.Fields(text)); n == 0 || n > maxWords || strings.ContainsAny(text, "(){}[]<>;|:/") {
					t.Errorf("%q has the text %q", pair, text)
				}
			}
		}
	})
}
