package acoustics

import (
	"regexp"
	"strings"
)

// mountingText matches the spellings of a mounting type A to M of ISO 354 (annex B) or ASTM E795, with words
// such as "type" and a distance in mm. A distance has two to four digits, because a single digit, as in E1,
// can denote a variant of a laboratory.
var mountingText = regexp.MustCompile(`^(?i)((?:(?:typ|type|mounting|montage|montageart) )*)([a-m])` +
	`(?: ?[-‐‑–−]? ?([1-9][0-9]{1,3}))?$`)

// Mounting returns the canonical spelling of a mounting: A for "Typ A"; E-400 for "E400", "e 400" and "Type
// E-400". It returns any other string unchanged, such as a single small letter, which can be a footnote, or
// "A 200", because type A has no distance.
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
