package grid

import (
	"cmp"
	"regexp"
	"slices"

	"sabine/dataset/importers/columns"
)

// MountingIn returns how a title says that all specimens were mounted, and how far from the wall.
func MountingIn(text string, at Position) (found Facts) {
	text = InOneLine(text)
	m := mountingPattern.FindStringSubmatch(text)
	if m == nil && absorptionPattern.MatchString(text) {
		m = append(typePattern.FindStringSubmatch(text), "", "")
	} else if m == nil {
		m = append(apartPattern.FindStringSubmatch(text), "", "")
	}
	isOther := func(code string) bool { return code != cmp.Or(m[1], m[2], m[3]) } // "Montage A und E-400"
	if len(m) < 4 || IsFootnote(text) || slices.ContainsFunc(mountingCode.FindAllString(text, -1), isOther) {
		return nil
	}
	found.Say(FactOf(columns.Mounting, cmp.Or(m[1], m[2], m[3]), at))
	if m := distancePattern.FindStringSubmatch(text); m != nil {
		found.Say(FactOf(columns.AirGap, cmp.Or(m[1], m[2]), at))
	}
	return found
}

// SetupIn returns how a title says that all specimens were set up: mounted, how thick, and how far from the
// wall.
func SetupIn(text string, at Position) (found Facts) {
	if IsFootnote(text) {
		return nil
	}
	found = MountingIn(text, at)
	s := columns.ParseSetup(InOneLine(text))
	if s.Sure && s.Thickness != "" {
		found.Say(FactOf(columns.Thickness, s.Thickness, at))
	}
	if s.AirGap != "" && !found.Has(columns.AirGap) {
		found.Say(FactOf(columns.AirGap, s.AirGap, at))
	}
	return found
}

// mountingPattern matches a title that says how all specimens were mounted: "Aufhängung Typ G-100", "mounting
// type E-400", "EN ISO 354, E-200".
var mountingPattern = regexp.MustCompile(`(?i)(?:\b(?:(?:(?:auf|ab)h(?:ä|ae)ngung|montage(?:art|typ)?|montaggio|` +
	`mounting|mounted|einbau(?:art)?|` +
	`(?:pr(?:ü|ue)f)?anordnung|arrangement|aufstellung|suspension|aufbau)[ :/]+(?:(?:nach|as|as per|to|in|type|` +
	`typ|mounting|(?:din )?(?:en )?iso 354)[ :]+)*((?-i:[A-M])(?:-[0-9]{1,4})?)|` +
	`(?:typ|type) ((?-i:[A-M])(?:-[0-9]{1,4})?)(?: mounting| nach (?:din )?(?:en )?iso 354))|(?:^|[(,;/] ?|` +
	`\b(?:typ|type) )((?-i:[EG])-[0-9]{2,4}))(?:$|[^\pL0-9-])`)

// typePattern matches a mounting where a title is of absorption: "αs nach ISO 354 Typ A"; apartPattern one
// that is set apart from the name of a product: "Wandabsorber (Typ A)".
var (
	absorptionPattern = regexp.MustCompile(`(?i)iso 354|astm|absorpt`)
	apartPattern      = regexp.MustCompile(`(?i)(?:[,;:(–—-] ?|montage |mounting )(?:typ|` +
		`type) ((?-i:[A-M])(?:-[0-9]{2,4})?)(?:$|[ ,;.)])`)
	typePattern = regexp.MustCompile(`(?i)(?:^|[ ,(;])(?:(?:typ|type) ((?-i:[A-M])(?:-[0-9]{2,4})?)|` +
		`((?-i:[EG])-[0-9]{2,4}))(?:$|[ ,;.)])`)
)

// mountingCode matches the mountings that have a distance.
var mountingCode = regexp.MustCompile(`\b[EG]-[0-9]{2,4}\b`)

// distancePattern matches how far such specimens were from the wall.
var distancePattern = regexp.MustCompile(`(?i)\b([0-9]+ ?[mc]m) (?:vor|von|unter|from|in front of|below) |` +
	`(?:abstand|distance):? ([0-9]+ ?[mc]m)\b`)
