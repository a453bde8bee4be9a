package analysis

import (
	"slices"
	"strings"
	"testing"
)

// TestSplit splits compounds that are not in any catalogue.
func TestSplit(t *testing.T) {
	s := NewSplitter(func(word string) bool { return slices.Contains([]string{"zebra", "streifen", "deckensegel"}, word) })
	tests := []struct{ rule, word, want string }{
		{"a linking element is removed", "deckenfilz", "decke filz"},
		{"a dropped e is restored", "wollfilz", "wolle filz"},
		{"words of the catalogue", "zebrastreifen", "zebra streifen"},
		{"the fewest words", "filzdeckensegel", "filz deckensegel"},
		{"a known word is not a compound", "zebra", ""},
		{"known words must fill it", "zebrastreifxx", ""},
		{"only letters are split", "filz2decke", ""},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			if got := strings.Join(s.Split(nil, test.word), " "); got != test.want {
				t.Errorf("%q is made of %q, want %q", test.word, got, test.want)
			}
		})
	}
}

// TestGaps lists the splits that Gaps tries, with the unknown range in brackets.
func TestGaps(t *testing.T) {
	s := NewSplitter(func(string) bool { return false })
	tests := []struct {
		rule, word string
		want       []string
	}{
		{"in the middle, the shortest first", "filzlamelenwand", []string{"filz [lamelen] wand", "[filzlamelen] wand",
			"filz [lamelenwand]"}},
		{"at the beginning", "ecihewand", []string{"[ecihe] wand"}},
		{"at the end", "wandlamelen", []string{"wand [lamelen]"}},
		{"no gap of less than five letters", "wandflzdecke", []string{"[wandflz] decke", "[wandflzd] ecke", "wand [flzdecke]"}},
		{"no gap if nothing is unknown", "deckenfilz", nil},
		{"no gap if nothing is known", "qwertzuiop", nil},
		{"no gap in a word of digits", "wand12345", nil},
		{"no gap in a long word", strings.Repeat("qwert", 9) + "wand", nil},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			var got []string
			s.Gaps(test.word, 5, func(parts []string, unknown int) bool {
				parts[unknown] = "[" + parts[unknown] + "]"
				got = append(got, strings.Join(parts, " "))
				return false
			})
			if !slices.Equal(got, test.want) {
				t.Errorf("got %q, want %q", got, test.want)
			}
			if len(got) > 1 {
				n := 0
				if s.Gaps(test.word, 5, func([]string, int) bool { n++; return true }); n != 1 {
					t.Errorf("tried %d gaps, want only the first", n)
				}
			}
		})
	}
}
