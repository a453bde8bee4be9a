package grid

import (
	_ "embed"
	"strings"
)

//go:embed words.txt
var wordsText string

// Words returns the lines in a section of words.txt.
func Words(section string) []string {
	_, text, _ := strings.Cut(wordsText, "\n["+section+"]\n")
	text, _, _ = strings.Cut(text, "\n\n")
	return strings.Split(strings.TrimSpace(text), "\n")
}

var units, dittoMarks = Words("units"), Words("dittos")
