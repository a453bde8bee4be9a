package main

import (
	"strconv"
	"strings"
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
