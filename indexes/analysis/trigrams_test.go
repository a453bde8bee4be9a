package analysis

import (
	"fmt"
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

func Example() {
	fmt.Println(Normalize("Büromöbel-Säule 45/600"))
	fmt.Println(Key("Büromöbel"), Key("Bueromoebel"), Key("BUROMOBEL"))
	fmt.Println(NewSplitter(nil).Parts(nil, "deckensegel"))
	// Output:
	// buromobel saule 45 600
	// buromobel buromobel buromobel
	// [decke decken segel]
}
