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

// The oracle computes keys with separate, slow code that follows the text of the contract, to detect errors
// in package analysis. It shares the tables (stems, parts of compounds, curated synonyms) and the forms of
// numbers with the engine.

// naiveNormal returns the normalized form of a text: it replaces symbols by spaces, drops characters without
// width, folds compatibility forms and case by Unicode's rule for caseless matching (D146), drops diacritics,
// and replaces all other characters by spaces.
func naiveNormal(text string) string {
	var seen strings.Builder
	for _, r := range text { // invalid UTF-8 becomes U+FFFD, a symbol
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
			kept = append(kept, unicode.ToUpper(r)) // its fold is uppercase, unlike in x/text
		case unicode.IsLetter(r), unicode.IsNumber(r), unicode.Is(unicode.Mc, r):
			kept = append(kept, r)
		case !unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
			kept = append(kept, ' ')
		}
	}
	return strings.Join(strings.Fields(norm.NFC.String(string(kept))), " ")
}

// spelledOut matches an umlaut that is spelled with e, and the letter before a ue.
var spelledOut = regexp.MustCompile(`ae|oe|(?:^|[^aeiouyq])ue`)

// naiveKeys caches the results of naiveKey.
var naiveKeys sync.Map

// naiveKey returns the folded key of a text. For a text with numbers it uses package analysis, which has
// separate tests of the rules for numbers.
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

// naiveDetailKey returns the key of a detail, in which measures are marked by a special character.
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

// openEnd matches the end of a word that forms an umlaut with a following e.
var openEnd = regexp.MustCompile(`(?:[ao]|(?:^|[^aeiouyq])u)$`)

// naiveJoint returns the key of two words written as one. It drops an e that forms an umlaut at the seam.
func naiveJoint(first, second string) string {
	if openEnd.MatchString(first) {
		second = strings.TrimPrefix(second, "e")
	}
	return first + second
}

// naiveJoints returns the joined forms of adjacent words in a query: of two words or, with a digit, of up to
// four. Words with a digit are also joined without decimal points.
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

// naiveTrigrams returns the distinct trigrams of a key, as defined by pg_trgm.
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

// sameKeys compares the results of package analysis with the naive ones.
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
			t.Errorf("after a number the key of %+q is %+q, want %+q", text, got, want)
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

// strangeText returns up to a dozen characters: many that the rules mention, Latin letters, and any others.
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
			letters[i] = rune(r.IntN(0x20000)) // string converts surrogates to U+FFFD
		}
	}
	return string(letters)
}
