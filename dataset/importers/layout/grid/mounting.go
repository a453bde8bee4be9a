package grid

import (
	"cmp"
	"regexp"

	"sabine/dataset/importers/columns"
)

// MountingIn returns the mounting in a title, and the distance from the wall. It skips strings longer than a
// name, which are not titles: searching 256 MiB of them would take a minute.
func MountingIn(text string, at Position) (found Facts) {
	if len(text) > columns.MaxNameBytes {
		return nil
	}
	text = InOneLine(text)
	in := columns.InTitle
	if absorptionPattern.MatchString(text) {
		in = columns.InAbsorption
	}
	mounting := in.Mounting(text)
	if mounting == "" || IsFootnote(text) {
		return nil
	}
	found.Set(FactOf(columns.Mounting, mounting, at))
	if m := distancePattern.FindStringSubmatch(text); m != nil {
		found.Set(FactOf(columns.AirGap, cmp.Or(m[1], m[2]), at))
	}
	return found
}

// SetupIn returns the set-up in a title: mounting, thickness and air gap.
func SetupIn(text string, at Position) (found Facts) {
	if IsFootnote(text) {
		return nil
	}
	found = MountingIn(text, at)
	s := columns.ParseSetup(InOneLine(text))
	if s.NamesThickness && s.Thickness != "" {
		found.Set(FactOf(columns.Thickness, s.Thickness, at))
	}
	if s.AirGap != "" && !found.Has(columns.AirGap) {
		found.Set(FactOf(columns.AirGap, s.AirGap, at))
	}
	return found
}

// absorptionPattern matches strings about absorption, in which "type" does not mean a product type.
var absorptionPattern = regexp.MustCompile(`(?i)iso 354|astm|absorpt`)

// distancePattern matches the specimens' distance from the wall.
var distancePattern = regexp.MustCompile(`(?i)\b([0-9]+ ?[mc]m) (?:vor|von|unter|from|in front of|below) |` +
	`(?:abstand|distance):? ([0-9]+ ?[mc]m)\b`)
