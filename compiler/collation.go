package compiler

import (
	"cmp"
	"strings"
	"unicode"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// newCollator returns a collator for results of collationText. It uses UCA order and sorts numbers by value.
func newCollator(tag language.Tag) *collate.Collator { return collate.New(tag, collate.Numeric) }

// collationText prepares a text for a collator. It removes the leading zeros of numbers and puts a 1 before
// them. The order of numbers does not change, but package collate never sees the number zero. In version
// 0.43.0, zero has no weight, so 0,5 mm would sort after 10 mm.
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

// isZero reports whether a digit is the zero of its script. Each script has its ten digits in a row that
// starts with zero.
func isZero(digit rune) bool {
	before := 0
	for unicode.IsDigit(digit - rune(before) - 1) {
		before++
	}
	return before%10 == 0
}
