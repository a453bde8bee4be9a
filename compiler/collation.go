package compiler

import (
	"strings"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
)

// newCollator returns a collator of the texts that collated makes: UCA order, digits in numeric order.
func newCollator(tag language.Tag) *collate.Collator { return collate.New(tag, collate.Numeric) }

// collated returns a text as a collator is to read it: numbers without leading zeros, and a 1 in front of each. That
// leaves them in their order and keeps package collate, v0.43.0, from ever meeting the number zero, to which it gives no
// weight of its own: 0,5 mm would stand behind 10 mm.
func collated(text string) string {
	if !strings.ContainsAny(text, "0123456789") {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		if !isDigit(text[i]) {
			b.WriteByte(text[i])
			i++
			continue
		}
		end := i + 1
		for end < len(text) && isDigit(text[end]) {
			end++
		}
		for i < end-1 && text[i] == '0' {
			i++
		}
		b.WriteByte('1')
		b.WriteString(text[i:end])
		i = end
	}
	return b.String()
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
