package analysis

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// Normalize returns the text as queryMeta.normalizedQuery shows it: NFKC, Unicode case folding, punctuation
// to blanks, blanks collapsed and trimmed, diacritics folded, ß to ss. Säule gives saule, Saeule stays
// saeule.
//
// Whatever is neither a letter nor a number is punctuation: hyphens, slashes, decimal commas, symbols, emoji,
// control characters, bytes that are not UTF-8. Characters without width, such as soft hyphens, joiners and
// direction marks, are left out and do not separate. A trade mark sign is a symbol here, and not the letters
// TM that NFKC makes of it. The normal form of a normal form is itself.
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

// appendASCII appends what foldLetters makes of an ASCII character, as appendCollapsed does.
func appendASCII(b *strings.Builder, c byte) {
	if isWord := 'a' <= c && c <= 'z' || '0' <= c && c <= '9'; !isWord {
		if c = toLower(c); c < 'a' || c > 'z' {
			appendCollapsed(b, " ")
			return
		}
	}
	b.WriteByte(c)
}

// appendCollapsed appends a text without blanks at the beginning, and with one blank where several meet.
func appendCollapsed(b *strings.Builder, text string) {
	for i := range len(text) {
		if c := text[i]; c != ' ' || b.Len() > 0 && !strings.HasSuffix(b.String(), " ") {
			b.WriteByte(c)
		}
	}
}

// isNormalASCII reports whether a text is nothing but small ASCII letters, digits and single blanks between
// them, and so its own normal form.
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

// isComposed reports whether a text is of ASCII and the letters with their signs up to ÿ alone, and so its
// own NFKC.
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

// foldLetters does what Normalize does, but leaves the blanks uncollapsed. One round is enough for every
// character of Unicode by itself, as a test shows. Where characters combine, a round may leave something to
// compose or to fold, and the next one does that.
func foldLetters(text string) string {
	const rounds = 8 // so that it ends, whatever the tables of a future version of Unicode hold
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

// withoutWidthAndMarks is for strings.Map. It comes before NFKC, which turns the signs of marks into letters.
func withoutWidthAndMarks(r rune) rune {
	switch {
	case r == '™' || r == '℠' || r == '®' || r == '©':
		return ' '
	case unicode.Is(unicode.Cf, r):
		return -1
	}
	return r
}

// withoutDiacritics is for strings.Map, over decomposed text: letters and numbers stay, marks without a width
// of their own and invisible characters go, the rest is punctuation. Cherokee letters become capitals, as
// Unicode folds them: package cases would make small letters of the capitals and capitals of the small ones,
// in every round anew.
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

// A formTable holds what foldLetters makes of the characters of which nearly all texts consist. None of them
// combines with another, so the form of a text is the forms of its characters, one after the other.
type formTable [len(formRanges)][]string

// formRanges are the ranges of the table, up to end-1: Latin letters up to the phonetic alphabet; general
// punctuation up to where the marks for symbols begin; signs and numbers in circles; words and units in a
// square as ㎡; Latin ligatures; Arabic ones of whole words, which stand for up to 18 letters each. The last
// four are rare, but a text of them took four times as long as one that has none.
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

// of returns the form of a character; ok is false when it is not in the table.
func (t *formTable) of(r rune) (form string, ok bool) {
	for i := range formRanges {
		if of := &formRanges[i]; r < of.end {
			if r < of.start {
				break
			}
			return t[i][r-of.start], true
		}
	}
	return "", false
}
