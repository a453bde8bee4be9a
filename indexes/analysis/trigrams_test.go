package analysis

import (
	"fmt"
	"math"
	"slices"
	"testing"
)

func TestTrigrams(t *testing.T) {
	tests := []struct {
		rule, key string
		want      []string
	}{
		{"nothing has none", "", nil},
		{"a letter has two", "a", []string{"  a", " a "}},
		{"a word is padded", "word", []string{"  w", " wo", "ord", "rd ", "wor"}},
		{"each word by itself", "ab c", []string{"  a", "  c", " ab", " c ", "ab "}},
		{"each trigram once", "aaaa aaaa", []string{"  a", " aa", "aa ", "aaa"}},
		{"letters and not bytes are counted", "øł", []string{"  ø", " øł", "øł "}},
	}
	for _, test := range tests {
		if got := Trigrams(nil, test.key); !slices.Equal(got, test.want) {
			t.Errorf("%s: trigrams of %q are %q, want %q", test.rule, test.key, got, test.want)
		}
		if got := Trigrams([]string{"zzz", "aaa"}, test.key); !slices.Equal(got[2:], test.want) || got[0] != "zzz" {
			t.Errorf("%s: appended trigrams of %q are %q", test.rule, test.key, got)
		}
	}
}

// TestSimilarity compares with what PostgreSQL's similarity returns.
func TestSimilarity(t *testing.T) {
	tests := []struct {
		a, b string
		want float64
	}{
		{"word", "two words", 0.36363637},
		{"word", "word", 1},
		{"word", "xyz", 0},
		{"", "", 0},
		{"", "word", 0},
	}
	for _, test := range tests {
		a, b := Trigrams(nil, test.a), Trigrams(nil, test.b)
		if got, back := Similarity(a, b), Similarity(b, a); math.Abs(got-test.want) > 1e-6 || got != back {
			t.Errorf("Similarity of %q and %q is %v, the other way %v, want %v", test.a, test.b, got, back, test.want)
		}
	}
}

func Example() {
	fmt.Println(Normalize("Büromöbel-Säule 45/600"))
	fmt.Println(Key("Büromöbel"), Key("Bueromoebel"), Key("BUROMOBEL"))
	fmt.Println(NewSplitter(nil).Parts(nil, "deckensegel"))
	// Output:
	// buromobel saule 45 600
	// buromobel buromobel buromobel
	// [decke decken segel]
}
