package analysis

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The lists of affixes.txt. Words are asked for them all the time, so they are read at once.
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
	for _, end := range ends {
		if strings.HasSuffix(word, end) {
			return true
		}
	}
	return false
}

func hasVowel(letters string) bool { return strings.ContainsAny(letters, "aeiouy") }

// isPlausible reports whether letters may be the first part of a compound: three, with a vowel.
func isPlausible(letters string) bool {
	return utf8.RuneCountInString(letters) >= MinPart && hasVowel(letters)
}

// beginsAsWord reports whether German words begin with the first two letters of some: none does with a letter
// twice, nor with l, m, n or r before a consonant.
func beginsAsWord(letters string) bool {
	return letters[0] != letters[1] && (strings.IndexByte("lmnr", letters[0]) < 0 || hasVowel(letters[1:2]))
}

// isPrefix reports whether letters are prefixes of a word, and perhaps consonants behind them.
func isPrefix(letters string) bool {
	return !hasVowel(letters) || slices.ContainsFunc(prefixes, func(prefix string) bool {
		rest, ok := strings.CutPrefix(letters, prefix)
		return ok && isPrefix(rest)
	})
}

// isAbbreviation reports whether letters are one, as of an MDFPlatte: two to four consonants that no German
// word begins with.
func isAbbreviation(letters string) bool {
	return len(letters) >= minAbbreviation && len(letters) <= maxAbbreviation && !hasVowel(letters) &&
		!slices.Contains(onsets, letters[:2])
}

// isHeadless reports whether letters may stand before a head though nothing is known of them. Prefixes make
// another word of it, as a Verstand is no Stand; and behind a prefix and the beginning of a syllable there is
// none, as in aufp-latten.
func isHeadless(letters string) bool {
	return isAbbreviation(letters) || isPlausible(letters) && !isPrefix(letters) && !strings.HasSuffix(letters, "zu")
}

// isSuffix reports whether a spelling is one that words end in by the rules of the language: the end of an
// absorbierende material is no Ende.
func isSuffix(spelling string) bool { return slices.Contains(suffixes, spelling) }

// isDerived reports whether letters are a noun by their end. Inside of a compound it has to begin with a
// prefix, as in Wand-auskleidung.
func isDerived(spelling string, inside bool) bool {
	if len(spelling) < minDerived || !isPlausible(spelling[:MinPart]) || !endsIn(spelling, derivedNounEnds) {
		return false
	}
	return !inside || slices.ContainsFunc(prefixes, func(prefix string) bool {
		rest, ok := strings.CutPrefix(spelling, prefix)
		return ok && len(rest) >= minDerived && beginsAsWord(rest) && !slices.Contains(unclearPrefixes, prefix)
	})
}

// mayBeNoun reports whether unknown letters behind known words may be a noun of their own, and no ending of
// the word before.
func mayBeNoun(letters string) bool {
	hasOnset := !hasVowel(letters[:1]) && (letters[0] != 's' || strings.IndexByte("cpt", letters[1]) >= 0)
	return hasOnset && beginsAsWord(letters) && isPlausible(letters) &&
		!endsIn(letters, noNounEnds) &&
		!slices.ContainsFunc(noNounBegins, func(begin string) bool { return strings.HasPrefix(letters, begin) })
}

// mayHaveHead reports whether a word may be one whose head alone is known, by its end: an adjective is none,
// as synthetisch has nothing to do with a Tisch, nor is a Verletzung with a Zunge, unless the head ends so
// itself.
func mayHaveHead(word, head string) bool {
	if endsIn(word, adjectiveEnds) || slices.ContainsFunc(adjectiveEndings, func(ending string) bool {
		before, ok := strings.CutSuffix(word, ending)
		return ok && endsIn(before, adjectiveEnds)
	}) {
		return false
	}
	return strings.HasSuffix(head, "ung") || !strings.HasSuffix(word, "ung") && !strings.HasSuffix(word, "ungen")
}
