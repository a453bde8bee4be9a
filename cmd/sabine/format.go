package main

import (
	"strconv"
	"strings"
	"time"
	"unicode"
)

// plain escapes all control characters in a string, including newlines and tabs. Otherwise a label in the
// catalogue could clear the screen of a terminal, forge a table row or reverse the order of letters.
func plain(text string) string {
	var b strings.Builder
	for _, r := range text { // reads invalid UTF-8 as U+FFFD
		if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plainLines is like plain, but does not escape newlines.
func plainLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = plain(line)
	}
	return strings.Join(lines, "\n")
}

// number formats a number without an exponent.
func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

var yesNo = map[bool]string{true: "yes", false: "no"}

// timeOr formats a time, or returns none if t is nil.
func timeOr(t *time.Time, none string) string {
	if t == nil {
		return none
	}
	return t.Format(time.RFC3339)
}

// alphaText formats a weighted coefficient with its shape indicators as in ISO 11654, for example 0.65(MH).
func alphaText(alphaW *float64, shape string) string {
	text := orDash(alphaW, number)
	if shape != "" {
		text += "(" + shape + ")"
	}
	return text
}

// orDash formats the value of v with text, or returns a dash if v is nil.
func orDash[V any](v *V, text func(V) string) string {
	if v == nil {
		return "-"
	}
	return text(*v)
}
