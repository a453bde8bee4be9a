package analysis

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Normalize returns the text in the form of queryMeta.normalizedQuery. It applies NFKC and Unicode case
// folding, replaces punctuation with blanks, collapses and trims blanks, removes diacritics, and replaces ß
// with ss. Säule becomes saule, and Saeule becomes saeule.
//
// All characters other than letters and numbers are punctuation, including hyphens, slashes, decimal commas,
// symbols, emoji, control characters and invalid UTF-8. Characters without width, such as soft hyphens,
// joiners and direction marks, are removed and do not separate words. A trade mark sign is treated as a
// symbol, although NFKC would change it to the letters TM. Normalize is idempotent.
func Normalize(text string) string {
	if isNormalASCII(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	table := letterForms()
	for i, r := range text {
		if r < utf8.RuneSelf {
			appendASCII(&b, text[i])
			continue
		}
		form, ok := table.of(r)
		if !ok {
			b.Reset()
			appendCollapsed(&b, foldLetters(text))
			break
		}
		appendCollapsed(&b, form)
	}
	return strings.TrimSuffix(b.String(), " ")
}

// appendASCII appends the normal form of an ASCII character, as appendCollapsed does with foldLetters.
func appendASCII(b *strings.Builder, c byte) {
	if c = toLower(c); 'a' <= c && c <= 'z' || isDigit(c) {
		b.WriteByte(c)
	} else {
		appendCollapsed(b, " ")
	}
}

// appendCollapsed appends a text without leading blanks, and with other blanks collapsed.
func appendCollapsed(b *strings.Builder, text string) {
	for i := range len(text) {
		if c := text[i]; c != ' ' || b.Len() > 0 && !strings.HasSuffix(b.String(), " ") {
			b.WriteByte(c)
		}
	}
}

// isNormalASCII reports whether a text is already in normal form because it consists of lower-case ASCII
// letters and digits, with single blanks between words.
func isNormalASCII(text string) bool {
	inWord := false
	for i := range len(text) {
		switch c := text[i]; {
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9':
			inWord = true
		case c == ' ' && inWord:
			inWord = false
		default:
			return false
		}
	}
	return inWord || text == ""
}

// isComposed reports whether text contains only ASCII and characters from À to ÿ, so NFKC does not change it.
func isComposed(text string) bool {
	for i := 0; i < len(text); i++ {
		if c := text[i]; c >= utf8.RuneSelf {
			if i++; c != 0xC3 || i == len(text) || text[i]&0xC0 != 0x80 {
				return false
			}
		}
	}
	return true
}

// foldLetters is like Normalize, but does not collapse blanks. A test verifies that one round is sufficient
// for every single Unicode character. Combinations of characters may need more rounds.
func foldLetters(text string) string {
	const rounds = 8 // limit, so that the loop ends with any future Unicode tables
	text = strings.Map(withoutWidthAndMarks, strings.ToValidUTF8(text, " "))
	for range rounds {
		folded := norm.NFKC.String(text)
		folded = cases.Fold().String(folded)
		folded = norm.NFC.String(strings.Map(withoutDiacritics, norm.NFKD.String(folded)))
		if folded == text {
			break
		}
		text = folded
	}
	return text
}

// withoutWidthAndMarks is a function for strings.Map. NFKC would change trade mark signs to letters.
func withoutWidthAndMarks(r rune) rune {
	switch {
	case r == '™' || r == '℠' || r == '®' || r == '©':
		return ' '
	case unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}

// withoutDiacritics is a function for strings.Map, for decomposed text. It removes nonspacing marks and
// invisible characters, and replaces all other characters except letters and numbers with blanks. Cherokee
// letters become capitals, as in Unicode case folding, because package cases swaps their case in every round.
func withoutDiacritics(r rune) rune {
	switch {
	case unicode.Is(unicode.Cherokee, r):
		return unicode.ToUpper(r)
	case unicode.In(r, unicode.Mn, unicode.Me, unicode.Cf):
		return -1
	case unicode.In(r, unicode.L, unicode.N, unicode.Mc):
		return r
	}
	return ' '
}

// A formTable contains the results of foldLetters for the characters in nearly all texts. None of these
// characters combines with another one, so the forms of characters can be concatenated to the form of a text.
type formTable [len(formRanges)][]string

// formRanges are the ranges of the table, from start to end-1: Latin letters up to the phonetic alphabet;
// general punctuation up to the combining marks for symbols; letterlike symbols and enclosed numbers; units
// in a square, such as ㎡; Latin ligatures; and Arabic ligatures of words, which expand to up to 18 letters.
// The last four are rare, but without them, texts with these characters took four times as long.
var formRanges = [...]struct{ start, end rune }{{0, 0x250}, {0x2000, 0x20D0}, {0x2100, 0x2500}, {0x3200, 0x3400},
	{0xFB00, 0xFB07}, {0xFDF0, 0xFDFD}}

var letterForms = sync.OnceValue(func() *formTable {
	t := &formTable{}
	for i, of := range formRanges {
		for r := of.start; r < of.end; r++ {
			t[i] = append(t[i], foldLetters(string(r)))
		}
	}
	return t
})

// of returns the form of a character. ok is false if the character is not in the table.
func (t *formTable) of(r rune) (form string, ok bool) {
	for i, of := range formRanges {
		if of.start <= r && r < of.end {
			return t[i][r-of.start], true
		}
	}
	return "", false
}
