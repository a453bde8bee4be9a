package analysis

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// texts returns the letters of each trigram.
func texts(trigrams []Trigram) (texts []string) {
	for _, t := range trigrams {
		texts = append(texts, t.String())
	}
	return texts
}

func TestTrigrams(t *testing.T) {
	tests := []struct {
		rule, key   string
		want, inner []string
	}{
		{"an empty text has none", "", nil, nil},
		{"a letter has two", "a", []string{"  a", " a "}, nil},
		{"two letters have three", "ab", []string{"  a", " ab", "ab "}, nil},
		{"a word is padded", "word", []string{"  w", " wo", "ord", "rd ", "wor"}, []string{"ord", "wor"}},
		{"each word by itself", "ab c", []string{"  a", "  c", " ab", " c ", "ab "}, []string{"  c", "ab "}},
		{"each trigram once", "aaaa aaaa", []string{"  a", " aa", "aa ", "aaa"}, []string{"  a", " aa", "aa ", "aaa"}},
		{"letters are counted, not bytes", "øł", []string{"  ø", " øł", "øł "}, nil},
		{"a single letter between words", "a b c", []string{"  a", "  b", "  c", " a ", " b ", " c "},
			[]string{"  b", "  c", " b "}},
		{"the last letter of all", "a\U0010ffff\U0010ffff", []string{"  a", " a\U0010ffff", "a\U0010ffff\U0010ffff",
			"\U0010ffff\U0010ffff "},
			[]string{"a\U0010ffff\U0010ffff"}},
	}
	for _, test := range tests {
		for _, f := range []struct {
			name     string
			trigrams func([]Trigram, string) []Trigram
			want     []string
		}{{"trigrams", Trigrams, test.want}, {"inner trigrams", InnerTrigrams, test.inner}} {
			if got := texts(f.trigrams(nil, test.key)); !slices.Equal(got, f.want) {
				t.Errorf("%s: %s of %q are %q, want %q", test.rule, f.name, test.key, got, f.want)
			}
			if got := f.trigrams([]Trigram{9, 1}, test.key); !slices.Equal(texts(got[2:]), f.want) || got[0] != 9 ||
				got[1] != 1 {
				t.Errorf("%s: appended %s of %q are %q", test.rule, f.name, test.key, got)
			}
		}
	}
}

// TestInnerTrigramsAreThoseOfEveryLongerKey adds letters and words around a key. The trigrams that all
// results have in common must be exactly the inner trigrams of the key.
func TestInnerTrigramsAreThoseOfEveryLongerKey(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for range 2000 {
		key := ""
		for range 1 + r.IntN(9) {
			key += string("abc   "[r.IntN(6)])
		}
		key = Key(key)
		if key == "" {
			continue
		}
		common := Trigrams(nil, "x"+key+"x")
		common = slices.DeleteFunc(common, func(tri Trigram) bool {
			return !slices.Contains(Trigrams(nil, "yy "+key+" yy"), tri)
		})
		common = slices.DeleteFunc(common, func(tri Trigram) bool { return !slices.Contains(Trigrams(nil, key), tri) })
		if got := InnerTrigrams(nil, key); !slices.Equal(got, common) {
			t.Errorf("inner trigrams of %q are %q, want %q", key, got, common)
		}
	}
}

func Example() {
	fmt.Println(Normalize("Büromöbel-Säule 45/600"))
	fmt.Println(Key("Büromöbel"), Key("Bueromoebel"), Key("BUROMOBEL"))
	fmt.Println(formsOf(NewSplitter(wordsOf("")).Parts(nil, "deckensegel")))
	// Output:
	// buromobel saule 45 600
	// buromobel buromobel buromobel
	// [decke decken segel]
}
