package analysis

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The lists in affixes.txt are parsed when the program starts because almost every word needs them.
var (
	affixes = namedLists("affixes.txt")

	prefixes           = affixes["prefixes"]
	clearPrefixes      = affixes["clear prefixes"]
	commonPrefixes     = affixes["common prefixes"]
	unclearPrefixes    = affixes["unclear prefixes"]
	onsets             = affixes["onsets"]
	suffixes           = affixes["suffixes"]
	chanceParts        = affixes["by chance"]
	derivedNounEnds    = affixes["derived nouns"]
	endsLinkedByS      = affixes["linked by s"]
	adjectiveEnds      = affixes["adjectives"]
	noNounBegins       = affixes["no noun begins"]
	noNounEnds         = affixes["no noun ends"]
	wholeEnds          = affixes["whole"]
	wholeEndings       = affixes["whole endings"]
	nounEndings        = affixes["noun endings"]
	adjectiveEndings   = affixes["adjective endings"]
	inflectedEnds      = affixes["inflected adjectives"]
	englishDerivedEnds = affixes["english derived"]
)

func endsIn(word string, ends []string) bool {
	for _, end := range ends { // takes half the time of slices.ContainsFunc
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}

func hasVowel(letters string) bool { return strings.ContainsAny(letters, "aeiouy") }

// isPlausible reports whether letters may be the first part of a compound: at least three, with a vowel.
func isPlausible(letters string) bool {
	return utf8.RuneCountInString(letters) >= MinPart && hasVowel(letters)
}

// beginsAsWord reports whether the first two letters can begin a German word. No German word begins with a
// double letter, or with l, m, n or r before a consonant.
func beginsAsWord(letters string) bool {
	return letters[0] != letters[1] && (strings.IndexByte("lmnr", letters[0]) < 0 || hasVowel(letters[1:2]))
}

// isPrefix reports whether letters consist of prefixes, which consonants may follow.
func isPrefix(letters string) bool {
	return !hasVowel(letters) || slices.ContainsFunc(prefixes, func(prefix string) bool {
		rest, ok := strings.CutPrefix(letters, prefix)
		return ok && isPrefix(rest)
	})
}

// isAbbreviation reports whether letters look like an abbreviation, such as MDF in MDFPlatte: two to four
// consonants that cannot begin a German word.
func isAbbreviation(letters string) bool {
	return len(letters) >= minAbbreviation && len(letters) <= maxAbbreviation && !hasVowel(letters) &&
		!slices.Contains(onsets, letters[:2])
}

// isHeadless reports whether unknown letters may precede a head. Prefixes may not, because they form a
// different word: a Verstand is not a Stand. The same applies to a prefix with consonants after it, as in
// aufp-latten.
func isHeadless(letters string) bool {
	return isAbbreviation(letters) || isPlausible(letters) && !isPrefix(letters) && !strings.HasSuffix(letters, "zu")
}

// isSuffix reports whether a spelling is a common word ending, which is not a part: absorbierende does not
// contain the word Ende.
func isSuffix(spelling string) bool { return slices.Contains(suffixes, spelling) }

// isDerived reports whether a spelling has the ending of a derived noun. Inside a compound, it must also
// begin with a prefix, as in Wand-auskleidung.
func isDerived(spelling string, inside bool) bool {
	if len(spelling) < minDerived || !isPlausible(spelling[:MinPart]) || !endsIn(spelling, derivedNounEnds) {
		return false
	}
	return !inside || slices.ContainsFunc(prefixes, func(prefix string) bool {
		rest, ok := strings.CutPrefix(spelling, prefix)
		return ok && len(rest) >= minDerived && beginsAsWord(rest) && !slices.Contains(unclearPrefixes, prefix)
	})
}

// mayBeNoun reports whether unknown letters after known words may be a separate noun rather than an ending of
// the previous word.
func mayBeNoun(letters string) bool {
	hasOnset := !hasVowel(letters[:1]) && (letters[0] != 's' || strings.IndexByte("cpt", letters[1]) >= 0)
	return hasOnset && beginsAsWord(letters) && isPlausible(letters) &&
		!endsIn(letters, noNounEnds) &&
		!slices.ContainsFunc(noNounBegins, func(begin string) bool { return strings.HasPrefix(letters, begin) })
}

// mayHaveHead reports whether a word with unknown first letters may have the given head. An adjective may
// not: synthetisch is not related to Tisch. A word that ends in -ung may only if the head itself ends in
// -ung: Verletzung is not related to Zunge.
func mayHaveHead(word, head string) bool {
	if endsIn(word, adjectiveEnds) || slices.ContainsFunc(adjectiveEndings, func(ending string) bool {
		before, ok := strings.CutSuffix(word, ending)
		return ok && endsIn(before, adjectiveEnds)
	}) {
		return false
	}
	return strings.HasSuffix(head, "ung") || !strings.HasSuffix(word, "ung") && !strings.HasSuffix(word, "ungen")
}
