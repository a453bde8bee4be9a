package main

import (
	"strconv"
	"strings"
	"unicode"
)

// plain returns a text with all control characters escaped, including newlines and tabs. Catalogue texts must
// not control a terminal: a label could clear the screen, forge a table row or reverse the order of letters.
func plain(text string) string {
	var b strings.Builder
	for _, r := range text { // invalid UTF-8 becomes U+FFFD
		if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plainLines is like plain, but keeps newlines.
func plainLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = plain(line)
	}
	return strings.Join(lines, "\n")
}
