package indexes

import (
	"bytes"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// editDistance returns the optimal string alignment distance in letters. It uses the standard algorithm.
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
	}{{"akutsik", "akustik", 1}, {"ca", "abc", 3}, {"buro", "bro", 1}, {"øre", "ore", 1}, {"", "ab", 2},
		{"same", "same", 0}} {
		if got := editDistance(test.a, test.b); got != test.want {
			t.Errorf("%q to %q: %d, want %d", test.a, test.b, got, test.want)
		}
	}
}

// openWords returns a Fuzzy for words, which must be in ascending order.
func openWords(t testing.TB, words []string) *Fuzzy {
	t.Helper()
	file := writeSection(t, func(w *snapshot.Writer) error { return writeFuzzy(w, words) })
	c := file.Cursor(KindReversed)
	terms := Terms{sortedTexts: tableOf(words)}
	z := openFuzzy(c, &terms)
	if c.Err() != nil {
		t.Fatal(c.Err())
	}
	return &z
}

func textsFrom(starts []uint32, texts []byte) column.Texts {
	return column.Texts{Lists: column.Lists[uint32, byte]{Starts: starts, Values: texts}}
}

func tableOf(texts []string) sortedTexts[Term] {
	starts := []uint32{0}
	for i := range texts {
		starts = append(starts, starts[i]+uint32(len(texts[i])))
	}
	return sortedTexts[Term]{Texts: textsFrom(starts, []byte(strings.Join(texts, "")))}
}

// checkNear compares the result of Near with the distances between a query and all words.
func checkNear(t *testing.T, z *Fuzzy, words []string, query string) {
	t.Helper()
	first := Near{Number: 7, Distance: 9}
	within := [MaxEdits + 1][]Near{}
	for i, word := range words {
		if d := editDistance(query, word); d <= MaxEdits {
			within[d] = append(within[d], Near{uint32(i), d})
		}
	}
	want := append([]Near{first}, within[0]...)
	for distance := 1; distance <= MaxEdits; distance++ {
		want = append(want, within[distance]...)
		if got := z.Near([]Near{first}, query, distance); !slices.Equal(got, want) {
			t.Errorf("within %d of %q: %v, want %v", distance, query, got[1:], want[1:])
		}
	}
}

// nearLetters includes letters of one, two, three and four bytes.
var nearLetters = []rune("aabbcdeø日𝔞")

// randomWord returns a random word that has between least and most letters.
func randomWord(random *rand.Rand, least, most int) string {
	word := make([]rune, least+random.IntN(most-least+1))
	for i := range word {
		word[i] = nearLetters[random.IntN(len(nearLetters))]
	}
	return string(word)
}

// withEdit returns a word after one random edit: a letter inserted, deleted or replaced, or two transposed.
func withEdit(random *rand.Rand, text string) string {
	word := []rune(text)
	letter := nearLetters[random.IntN(len(nearLetters))]
	at := random.IntN(len(word) + 1)
	switch edit := random.IntN(4); {
	case edit == 0 || at == len(word):
		word = slices.Insert(word, at, letter)
	case edit == 1:
		word = slices.Delete(word, at, at+1)
	case edit == 2 || at == 0:
		word[at] = letter
	default:
		word[at-1], word[at] = word[at], word[at-1]
	}
	return string(word)
}

func TestNearIsExactForRandomEdits(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 3))
	known := map[string]bool{"deckensegel": true, "akustikpaneel": true, strings.Repeat("lang", 12): true}
	for range 400 {
		word := randomWord(random, 1, 13)
		known[word] = true
		for range random.IntN(3) { // add words that are near each other
			if word = withEdit(random, word); word != "" {
				known[word] = true
			}
		}
	}
	words := slices.Sorted(maps.Keys(known))
	z := openWords(t, words)
	queries := []string{"", "dekcensegel", "deckensegl", "akutsikpanel", strings.Repeat("lang", 12),
		strings.Repeat("lang", 50), "x", "\xff"}
	for range 100 {
		query := words[random.IntN(len(words))]
		queries = append(queries, query)
		for range MaxEdits + 1 {
			query = withEdit(random, query)
			queries = append(queries, query)
		}
	}
	for _, query := range queries {
		checkNear(t, z, words, query)
	}
}

// TestNearIsExactForEveryShortWord queries all words of up to six letters from an alphabet of two letters.
// This covers all edits at all positions and all pairs of edits.
func TestNearIsExactForEveryShortWord(t *testing.T) {
	words := []string{""}
	for i := 0; i < len(words) && utf8.RuneCountInString(words[i]) < 6; i++ {
		words = append(words, words[i]+"a", words[i]+"ß")
	}
	slices.Sort(words)
	z := openWords(t, words[1:])
	for _, query := range words {
		checkNear(t, z, words[1:], query)
		checkNear(t, z, words[1:], query+"cab") // contains a letter that is not in any word
	}
}

// TestNearIsExactForLongWords uses queries that fill or exceed the reserved memory, and even longer words.
func TestNearIsExactForLongWords(t *testing.T) {
	var words []string
	for n := range 80 {
		words = append(words, strings.Repeat("ä", n+1))
	}
	z := openWords(t, words)
	for _, query := range words {
		checkNear(t, z, words, query)
	}
}

func TestNearWithinDistanceZeroIsEmpty(t *testing.T) {
	if got := openWords(t, []string{"a"}).Near(nil, "a", 0); got != nil {
		t.Errorf("got %v, want none", got)
	}
}

func TestNearInEmptyTableIsEmpty(t *testing.T) {
	if got := openWords(t, nil).Near(nil, "abcd", 2); got != nil {
		t.Errorf("got %v, want none", got)
	}
}

func TestNearDoesNotAllocate(t *testing.T) {
	z := openWords(t, []string{"akustik", "akustikpaneel", "decke", "deckensegel"})
	near := make([]Near, 0, 8)
	if n := testing.AllocsPerRun(100, func() { near = z.Near(near[:0], "akutsikpanel", 2) }); n != 0 || len(near) != 1 {
		t.Errorf("%v allocations for %v, want none", n, near)
	}
}

func FuzzNear(f *testing.F) {
	words := []string{"akustik", "akustikpaneel", "bürostuhl", "decke", "decken", "deckensegel", "ecken", "segel",
		"segeln", "tür", "türen"}
	z := openWords(f, words)
	for _, query := range []string{"akutsik", "akustikpanele", "dekcensegel", "ckeen", "rtü", "日𝔞", "\xff", ""} {
		f.Add(query)
	}
	f.Fuzz(func(t *testing.T, query string) { checkNear(t, z, words, query) })
}

// FuzzNearOfDamagedWords checks that Near returns only valid numbers, for arbitrary words in any order.
func FuzzNearOfDamagedWords(f *testing.F) {
	words := []string{"akustik", "akustikpaneel", "decke", "decken", "deckensegel", "segel", "segeln", "tür"}
	good := openWords(f, words)
	f.Add(0, byte(0), []byte{0}, "decken")
	f.Add(3, byte(255), []byte("\xff\xff"), "segel")
	f.Add(9, byte(1), []byte("deck"), "tür")
	f.Fuzz(func(t *testing.T, at int, term byte, with []byte, word string) {
		if len(word) > 100 {
			return
		}
		at = max(at, 0) % (len(good.words.Values) + len(words))
		table := textsFrom(slices.Clone(good.words.Starts), bytes.Clone(good.words.Values))
		copy(table.Values[min(at, len(table.Values)):], with)
		table.Starts[at%len(table.Starts)] += uint32(term)
		ends := slices.Clone(good.reversed)
		ends[at%len(ends)] = uint32(term)
		z := newFuzzy(&table, ends)
		for _, near := range z.Near(nil, word, MaxEdits) {
			if near.Distance < 0 || near.Distance > MaxEdits {
				t.Errorf("a distance of %d", near.Distance)
			}
		}
	})
}
