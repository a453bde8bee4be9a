package compiler

import (
	"cmp"
	"strings"
	"unicode"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// newCollator returns a collator for results of collationText: UCA order, with numbers in numeric order.
func newCollator(tag language.Tag) *collate.Collator { return collate.New(tag, collate.Numeric) }

// collationText returns a text for a collator: numbers lose their leading zeros and get a 1 in front. The order of
// numbers does not change, and the number zero never reaches package collate. Version 0.43.0 gives zero no
// weight, so that 0,5 mm would sort after 10 mm.
func collationText(text string) string {
	var b strings.Builder
	for {
		from := strings.IndexFunc(text, unicode.IsDigit)
		if from < 0 {
			break
		}
		rest := strings.TrimLeftFunc(text[from:], unicode.IsDigit)
		number := text[from : len(text)-len(rest)]
		b.WriteString(text[:from] + "1" + cmp.Or(strings.TrimLeftFunc(number, isZero), "0"))
		text = rest
	}
	b.WriteString(text)
	return b.String()
}

// isZero reports whether a digit is the zero of its script. The digits of a script are in rows of ten that
// start with zero.
func isZero(digit rune) bool {
	before := 0
	for unicode.IsDigit(digit - rune(before) - 1) {
		before++
	}
	return before%10 == 0
}
