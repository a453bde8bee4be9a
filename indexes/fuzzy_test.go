package indexes

import (
	"cmp"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sabine/indexes/snapshot"
)

// editDistance is the optimal string alignment distance in letters, found the slow way.
func editDistance(a, b string) int {
	s, u := []rune(a), []rune(b)
	rows := make([][]int, len(s)+1)
	for i := range rows {
		rows[i] = make([]int, len(u)+1)
		rows[i][0] = i
	}
	for j := range rows[0] {
		rows[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(u); j++ {
			change := 1
			if s[i-1] == u[j-1] {
				change = 0
			}
			rows[i][j] = min(rows[i-1][j]+1, rows[i][j-1]+1, rows[i-1][j-1]+change)
			if i > 1 && j > 1 && s[i-1] == u[j-2] && s[i-2] == u[j-1] {
				rows[i][j] = min(rows[i][j], rows[i-2][j-2]+1)
			}
		}
	}
	return rows[len(s)][len(u)]
}

func TestEditDistanceHere(t *testing.T) {
	for _, test := range []struct {
		a, b string
		want int
	}{{"akutsik", "akustik", 1}, {"ca", "abc", 3}, {"buro", "bro", 1}, {"øre", "ore", 1}, {"", "ab", 2}, {"same", "same", 0}} {
		if got := editDistance(test.a, test.b); got != test.want {
			t.Errorf("%q to %q: %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

// openWords returns a Fuzzy over words.
func openWords(t testing.TB, words []string) *Fuzzy {
	t.Helper()
	f := writeSection(t, func(w *snapshot.Writer) error { return writeFuzzy(w, words) })
	section, ok := f.Section(KindTermFST)
	if !ok {
		t.Fatal("no section")
	}
	z, err := openFuzzy(section)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func TestNearIsExact(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	letters := []rune("aabbcø日𝔞")
	word := func() string {
		out := make([]rune, 1+random.IntN(9))
		for i := range out {
			out[i] = letters[random.IntN(len(letters))]
		}
		return string(out)
	}
	known := map[string]bool{"deckensegel": true, "akustikpaneel": true, strings.Repeat("lang", 12): true}
	for range 1_500 {
		known[word()] = true
	}
	words := slices.Sorted(maps.Keys(known))
	z := openWords(t, words)
	queries := []string{"", "dekcensegel", "deckensegl", "akutsikpanel", strings.Repeat("lang", 12), strings.Repeat("lang", 50), "x", "\xff"}
	for range 400 {
		queries = append(queries, word())
	}
	for _, query := range queries {
		for distance := 1; distance <= maxEdits; distance++ {
			var want []Near
			for i, w := range words {
				if n := editDistance(query, w); n <= distance {
					want = append(want, Near{Term(i), n})
				}
			}
			slices.SortFunc(want, func(a, b Near) int {
				return cmp.Or(cmp.Compare(a.Distance, b.Distance), cmp.Compare(a.Term, b.Term))
			})
			first := Near{Term: 7, Distance: 9}
			got := z.Near([]Near{first}, query, distance)
			if got[0] != first || !slices.Equal(got[1:], want) {
				t.Errorf("within %d of %q: %v, want %v", distance, query, got[1:], want)
			}
		}
	}
	if got := z.Near(nil, "a", 0); got != nil {
		t.Errorf("within 0: %v, want none", got)
	}
}

func TestNoWordsHaveNoneNear(t *testing.T) {
	if got := openWords(t, nil).Near(nil, "abcd", 2); got != nil {
		t.Errorf("got %v, want none", got)
	}
}
