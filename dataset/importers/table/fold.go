package table

import (
	"strings"
	"unicode"

	unicodenorm "golang.org/x/text/unicode/norm"
)

// maxNameBytes is how long a column's name or a title may be; a longer text tells a story.
const maxNameBytes = 250

// foldings are the letters that are written as others in fold; "" for the signs of footnotes.
var foldings = map[rune]string{
	'ä': "ae", 'ö': "oe", 'ü': "ue",
	'α': "alpha", 'ɑ': "alpha", '∝': "alpha", '𝛼': "alpha", '𝜶': "alpha", '𝝰': "alpha", '𝞪': "alpha", 'δ': "delta", 'θ': "theta", 'ϑ': "theta", 'ψ': "psi",
	'ₛ': "s", 'ₚ': "p", 'ₙ': "n", '⅓': "1/3", '–': "-", '—': "-", '−': "-", '‐': "-", '‑': "-", '\u00AD': "", '\u200B': "", '\uFEFF': "",
	'″': `"`, '”': `"`, '’': "'", '#': " no", '*': "", '†': "", '‡': "", '¹': "", '²': "", '³': "", '⁴': "", '⁵': "", '⁶': "", '⁾': "",
}

// fold writes a text as its other spellings are written too: in lower case, ä as ae, Greek letters as words, each run of blanks as one,
// without the signs of footnotes.
func fold(text string) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(unicodenorm.NFC.String(text)), " ") {
		r = unicode.ToLower(r)
		if letters, ok := foldings[r]; ok {
			b.WriteString(letters)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// squeeze drops all but letters and digits.
func squeeze(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// wordsOf returns the runs of letters of a text; ok is false where it has more than letters and what parts them.
func wordsOf(text string) (words []string, ok bool) {
	words = strings.FieldsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	return words, !strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsLetter(r) && !strings.ContainsRune(" _-.,:;=@/()[]{}|", r) })
}
