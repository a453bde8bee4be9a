package acoustics

import (
	"regexp"
	"strings"
)

// mountingText matches the spellings of a mounting type A to M of ISO 354 (annex B) or ASTM E795, with words
// such as "type" and a distance in mm. A distance has two to four digits, because E1 can be a variant of a
// laboratory.
var mountingText = regexp.MustCompile(`^(?i)((?:(?:typ|type|mounting|montage|montageart) )*)([a-m])` +
	`(?: ?[-‐‑–−]? ?([1-9][0-9]{1,3}))?$`)

// Mounting returns the canonical spelling of a mounting: A for "Typ A"; E-400 for "E400", "e 400" and "Type
// E-400". It does not change other texts. Examples are a single small letter, which can be a footnote, and a
// distance with a type that has no distance, such as "A 200".
func Mounting(text string) string {
	m := mountingText.FindStringSubmatch(strings.Join(strings.Fields(text), " "))
	if m == nil {
		return text
	}
	letter, distance := strings.ToUpper(m[2]), m[3]
	switch {
	case distance == "" && (m[1] != "" || letter == m[2]):
		return letter
	case distance != "" && letter >= "C" && letter <= "H":
		return letter + "-" + distance
	}
	return text
}
