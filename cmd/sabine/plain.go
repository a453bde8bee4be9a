package main

import (
	"strconv"
	"strings"
	"unicode"
)

// The texts of a catalogue reach a terminal as text and never as orders: a label may hold sequences that
// clear the screen, forge a row of a table or turn the order of the letters around.

// plain returns a text with every character escaped that a terminal might act upon, newlines and tabs too.
func plain(text string) string {
	var b strings.Builder
	for _, r := range text { // U+FFFD for a byte that is not UTF-8
		if unicode.In(r, unicode.Cc, unicode.Zl, unicode.Zp, unicode.Bidi_Control) {
			b.WriteString(strings.Trim(strconv.QuoteRuneToASCII(r), "'"))
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// plainLines is plain for a text of several lines, which stay.
func plainLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = plain(line)
	}
	return strings.Join(lines, "\n")
}
