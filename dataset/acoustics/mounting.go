package acoustics

import (
	"regexp"
	"strings"
)

// mountingText is a type of ISO 354 (annex B) or ASTM E795, A to M, as people write it: after words that only
// say that it is a type, and with its distance in mm. A distance has two to four digits: E1 may be a
// laboratory's variant.
var mountingText = regexp.MustCompile(`^(?i)((?:(?:typ|type|mounting|montage|montageart) )*)([a-m])` +
	`(?: ?[-‐‑–−]? ?([1-9][0-9]{1,3}))?$`)

// Mounting returns the spelling in which mountings are compared: A for "Typ A", E-400 for "E400", "e 400" and
// "Type E-400". Any other text is its own spelling. So are a small letter alone, which may be a footnote, and
// a distance with a type that has none, such as "A 200".
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
