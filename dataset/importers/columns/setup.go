package columns

import "strings"

// A Setup contains the values from a set-up in words: "16 mm Paneel + 184 mm Luftraum, Typ E-200". Lengths
// are strings with their unit. Values that are missing or contradict each other are "".
type Setup struct {
	Mounting, Thickness, AirGap, OverallDepth string

	NamesThickness bool // whether words such as "dick" or "Paneel" mark the length that is read as Thickness
}

// ParseSetup reads a set-up in words. Each part has at most one length, and its words determine the use of
// the length. The thickness is the length in the only part that is neither air nor a filling.
func ParseSetup(text string) (s Setup) {
	once := func(to *string, seen map[*string]bool, value string) {
		if seen[to] && *to != value {
			value = ""
		}
		*to, seen[to] = value, true
	}
	seen := map[*string]bool{}
	s.Mounting = InSetup.Mounting(text)
	if noGap.MatchString(Fold(text)) {
		once(&s.AirGap, seen, "0 mm")
	}
	text = beforeLength.ReplaceAllString(bareBrackets.ReplaceAllString(text, " $1"), "; $1")
	before := "" // words in the previous part
	for _, part := range setupParts.Split(text, -1) {
		lengths, words := setupLength.FindAllStringSubmatch(part, -1), Fold(part)
		isBare := strings.Trim(words, " 0123456789.,mc") == ""
		if isBare && setupGap.MatchString(before) {
			words = before // "abgehängt, 200 mm"
		}
		before = words
		switch {
		case len(lengths) != 1 || setupSize.MatchString(part):
		case isBare && isDistanceOf(s.Mounting, lengths[0][1]):
		case setupGap.MatchString(words), setupBatten.MatchString(words) && setupEmpty.MatchString(Fold(text)):
			once(&s.AirGap, seen, lengths[0][1])
		case setupDepth.MatchString(words):
			once(&s.OverallDepth, seen, lengths[0][1])
		case setupSide.MatchString(words), setupFilling.MatchString(words) && !setupPanel.MatchString(words):
		default:
			once(&s.Thickness, seen, lengths[0][1])
			s.NamesThickness = s.NamesThickness || setupThick.MatchString(words) || setupPanel.MatchString(words)
		}
	}
	return s
}

// isDistanceOf reports whether a length is the distance in a mounting such as E-400.
func isDistanceOf(mounting, length string) bool {
	mm, _, _ := ParseLength(length, "", 0)
	return strings.HasSuffix(mounting, "-"+FormatNumber(mm))
}

var (
	beforeLength = re(` (?:in front of|vor|over|above|über) ([0-9])`) // "20 mm panel in front of 100 mm air"
	bareBrackets = re(` \(([0-9]+(?:[.,][0-9]+)? ?[mc]m)\)`)          // "ohne Abstand (0 mm)"
	setupParts   = re(`(?i)[;+()|&]|, | / | (?:mit|with|auf|on|und|and|davon|plus|bei|at) `)
	setupLength  = re(`(?i)(?:^|[^0-9.,])([0-9]+(?:[.,][0-9]+)? ?[mc]m)(?:$|[^\pL0-9²³])`)
	setupSize    = re(`(?i)[0-9] ?(?:mm|cm)? ?[x×/*–-] ?[0-9]|[ø⌀±≥≤<>]|[mc]m ?/ ?(?:m|s)|achs(?:en|abst|` +
		`ma|weite)`) // edges, holes and tolerances
)

// Patterns for the folded words around a length.
var (
	setupGap     = re(patternsOf("air gap"))
	noGap        = re(patternsOf("no air gap"))
	setupDepth   = re(patternsOf("overall depth"))
	setupFilling = re(patternsOf("filling"))
	setupBatten  = re(patternsOf("batten")) // without a filling between them, battens make an air gap
	setupEmpty   = re(patternsOf("empty"))
	setupThick   = re(patternsOf("thick"))
	setupSide    = re(patternsOf("side"))
	setupPanel   = re(patternsOf("panel"))
)
