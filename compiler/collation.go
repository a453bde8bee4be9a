package compiler

import (
	"cmp"
	"strings"
	"unicode"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// newCollator returns a collator of the texts that collated makes: UCA order, digits in numeric order.
func newCollator(tag language.Tag) *collate.Collator { return collate.New(tag, collate.Numeric) }

// collated returns a text as a collator is to read it: numbers without leading zeros, and a 1 in front of
// each. That leaves them in their order and keeps package collate, v0.43.0, from ever meeting the number
// zero, to which it gives no weight of its own: 0,5 mm would stand behind 10 mm.
func collated(text string) string {
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

// isZero reports whether a digit is the zero of its script. Scripts have their digits in rows of ten, from
// zero on.
func isZero(digit rune) bool {
	before := 0
	for unicode.IsDigit(digit - rune(before) - 1) {
		before++
	}
	return before%10 == 0
}
