package runtime_test

import (
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"

	"sabine/indexes/analysis"
)

// What the oracle knows of keys it works out itself, slowly and by the words of the contract, so that a fault
// of package analysis shows. It shares the tables (stems, parts of compounds, curated synonyms) and the forms
// of numbers with the engine.

// naiveNormal returns the normalised form of a text: the signs to blanks, what has no width left out,
// compatibility forms and case folded as Unicode defines it for matching without case (D146), diacritics off,
// the rest to blanks.
func naiveNormal(text string) string {
	var seen strings.Builder
	for _, r := range text { // bytes that are no UTF-8 are U+FFFD, a symbol
		switch {
		case strings.ContainsRune("™℠®©", r):
			seen.WriteByte(' ')
		case !unicode.Is(unicode.Cf, r):
			seen.WriteRune(r)
		}
	}
	fold := cases.Fold()
	bare := norm.NFKD.String(fold.String(norm.NFKD.String(fold.String(norm.NFD.String(seen.String())))))
	var kept []rune
	for _, r := range bare {
		switch {
		case unicode.Is(unicode.Cherokee, r):
			kept = append(kept, unicode.ToUpper(r)) // its fold are capitals, which x/text has the wrong way round
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.Is(unicode.Mc, r):
			kept = append(kept, r)
		case !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
			kept = append(kept, ' ')
		}
	}
	return strings.Join(strings.Fields(norm.NFC.String(string(kept))), " ")
}

// spelledOut finds an umlaut that is spelled out, with the letter before a ue.
var spelledOut = regexp.MustCompile(`ae|oe|(?:^|[^aeiouyq])ue`)

// naiveKeys has the key of every text that naiveKey was asked for: tests of one catalogue ask for the same
// ones.
var naiveKeys sync.Map

// naiveKey returns the folded key of a text. A text with numbers has the key of package analysis, whose tests
// have a table of their rules.
func naiveKey(text string) string {
	if key, known := naiveKeys.Load(text); known {
		return key.(string)
	}
	key := naivelyFolded(text)
	if strings.ContainsAny(norm.NFKC.String(text), "0123456789") {
		key = analysis.Key(text)
	}
	naiveKeys.Store(text, key)
	return key
}

// naiveDetailKey returns the key of a detail, in which measures have a sign of their own.
func naiveDetailKey(text string) string {
	words := strings.Fields(naiveKey(text))
	for i, word := range words {
		if analysis.IsMeasure(word) {
			words[i] = "=" + word
		}
	}
	return strings.Join(words, " ")
}

// naivelyFolded returns the folded key of a text without numbers.
func naivelyFolded(text string) string {
	plain := strings.NewReplacer("ø", "o", "ł", "l", "å", "a").Replace(naiveNormal(text))
	return spelledOut.ReplaceAllStringFunc(plain, func(s string) string { return strings.TrimSuffix(s, "e") })
}

// openEnd finds the end of a word that an e behind it may make an umlaut of.
var openEnd = regexp.MustCompile(`(?:[ao]|(?:^|[^aeiouyq])u)$`)

// naiveJoint returns the key that two words of a key make when they are written as one: an e at the seam
// goes.
func naiveJoint(first, second string) string {
	if openEnd.MatchString(first) {
		second = strings.TrimPrefix(second, "e")
	}
	return first + second
}

// naiveJoints returns what neighbouring words of a query make when they are joined: two, or up to four of
// which one has a digit, these without the points of numbers too.
func naiveJoints(words []string) []string {
	digits := strings.ContainsFunc(strings.Join(words, ""), unicode.IsDigit)
	if len(words) < 2 || len(words) > 2 && !digits || len(words) > 4 {
		return nil
	}
	joint := words[0]
	for _, word := range words[1:] {
		joint = naiveJoint(joint, word)
	}
	if digits {
		return []string{joint, strings.ReplaceAll(joint, ".", "")}
	}
	return []string{joint}
}

// naiveTrigrams returns the distinct trigrams of a key, as pg_trgm makes them.
func naiveTrigrams(key string) []string {
	var trigrams []string
	for _, word := range strings.Fields(key) {
		letters := []rune("  " + word + " ")
		for i := range len(letters) - 2 {
			trigrams = append(trigrams, string(letters[i:i+3]))
		}
	}
	slices.Sort(trigrams)
	return slices.Compact(trigrams)
}

func TestKeysAreTheNaiveOnes(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 17))
	for range often(20_000) {
		sameKeys(t, strangeText(r))
	}
}

func FuzzKeysAreTheNaiveOnes(f *testing.F) {
	for _, text := range []string{"", "Saeee", "Basotect™ ℠ ® ©", "Bauelement Quelle aktuell", "ǆ ŉ ﬁ ½ İ ẞ",
		"a\u0308e\xff", "auee e", "Á̈e ᾳ \u0345"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) { sameKeys(t, text) })
}

// sameKeys holds what package analysis makes of a text against the naive way.
func sameKeys(t *testing.T, text string) {
	t.Helper()
	if got, want := analysis.Normalize(text), naiveNormal(text); got != want {
		t.Errorf("the normal form of %+q is %+q, want %+q", text, got, want)
	}
	key := naiveKey(text)
	if got := analysis.Key(text); got != key {
		t.Errorf("the key of %+q is %+q, want %+q", text, got, key)
	}
	if !strings.ContainsAny(norm.NFKC.String(text), "0123456789") {
		want := strings.TrimRight("a 7 b "+naivelyFolded(text), " ")
		if got := analysis.Key("a 7 b " + text); got != want {
			t.Errorf("behind a number the key of %+q is %+q, want %+q", text, got, want)
		}
	}
	words := strings.Fields(key)
	if got := analysis.Words(key); !slices.Equal(got, words) {
		t.Errorf("the words of %+q are %+q, want %+q", key, got, words)
	}
	for i := 1; i < len(words); i++ {
		if got, want := words[i-1]+analysis.JoinedRest(words[i-1], words[i]), naiveJoint(words[i-1], words[i]); got != want {
			t.Errorf("%+q and %+q make %+q, want %+q", words[i-1], words[i], got, want)
		}
	}
	trigrams := naiveTrigrams(key)
	if got := analysis.Trigrams(nil, key); !slices.EqualFunc(got, trigrams, func(g analysis.Trigram, s string) bool {
		return g.String() == s
	}) {
		t.Errorf("the trigrams of %+q are %q, want %q", key, got, trigrams)
	}
}

// strangeText returns up to a dozen characters: many that the rules name, Latin letters, and any others.
func strangeText(r *rand.Rand) string {
	named := []rune("aeouyqüßẞøłåÅäÄöÜ™℠®©-‐/.,'’ \u00a0\u00ad\u200b\u0308\u030a\u0338\u0328éſıİKΣςŉﬁ½²ⅧⓐＡ")
	letters := make([]rune, r.IntN(12))
	for i := range letters {
		switch r.IntN(4) {
		case 0, 1:
			letters[i] = named[r.IntN(len(named))]
		case 2:
			letters[i] = rune(r.IntN(0x600))
		default:
			letters[i] = rune(r.IntN(0x20000)) // of surrogates, string makes U+FFFD
		}
	}
	return string(letters)
}
