package columns

import (
	"regexp"
	"slices"
	"strings"
)

// A Mention is a context in which a string names a mounting from ISO 354 or ASTM E795. The mounting is a
// letter, with a distance for E and G.
type Mention int

// The mentions, most certain first. Contexts that allow more text have a stricter pattern for the letter.
const (
	InMountings  Mention = iota // a cell with nothing else, in a mounting column: "A", "Typ E-400"
	InUnknown                   // a cell with nothing else, in any column: "E400"
	BeforeMore                  // a mounting cell with more text: "Typ A, direkt auf dem Boden"
	InSetup                     // words for a set-up: "16 mm Paneel, Typ A"
	InAbsorption                // a title about absorption, where a type is a mounting: "αs nach ISO 354 Typ A"
	InTitle                     // any other title: "Aufhängung Typ G-100", "EN 13501-1, E-200", "Wandabsorber (Typ A)"
)

// mentions lists the patterns for mountings. For a title, the first pattern that matches is used.
var mentions = [...][]*regexp.Regexp{
	InMountings: {re(`^(?i:typ|type|mounting|montage)? ?([A-M](?:-[0-9]{1,4})?)$`)},
	InUnknown:   {re(`^(?i:typ|type)? ?([EG]-?[0-9]{2,4})$`)},
	BeforeMore: {re(`^((?:[Tt]yp |[Tt]ype )?[A-M](?:-?[0-9]{2,4})?)(?: ?[,;:(–—-] ?|` +
		` (?:nach|auf|on|to|per|according) )\S.*\pL`)},
	InSetup: {re(`(?:^|[^\pL\pN])(?:([EG]-[0-9]{2,4})|(?i:(?:montage|einbau)?(?:typ|art|lage)|` +
		`(?:mounting )?type|mounting|montage|anordnung) ([A-M])|([A-M]) (?i:mounting))(?:$|[^\pL\pN-])`)},
	InAbsorption: {mountedPattern, re(`(?i)(?:^|[ ,(;])(?:(?:typ|type) ((?-i:[A-M])(?:-[0-9]{2,4})?)|` +
		`((?-i:[EG])-[0-9]{2,4}))(?:$|[ ,;.)])`)},
	InTitle: {mountedPattern, re(`(?i)(?:[,;:(–—-] ?|montage |mounting )(?:typ|type) ` +
		`((?-i:[A-M])(?:-[0-9]{2,4})?)(?:$|[ ,;.)])`)},
}

var (
	// mountedPattern matches the mounting for all specimens in any title.
	mountedPattern = re(`(?i)(?:\b(?:(?:(?:auf|ab)h(?:ä|ae)ngung|montage(?:art|typ)?|montaggio|mounting|mounted|` +
		`einbau(?:art)?|(?:pr(?:ü|ue)f)?anordnung|arrangement|aufstellung|suspension|aufbau)[ :/]+` +
		`(?:(?:nach|as|as per|to|in|type|typ|mounting|(?:din )?(?:en )?iso 354)[ :]+)*((?-i:[A-M])(?:-[0-9]{1,4})?)|` +
		`(?:typ|type) ((?-i:[A-M])(?:-[0-9]{1,4})?)(?: mounting| nach (?:din )?(?:en )?iso 354))|(?:^|[(,;/] ?|` +
		`\b(?:typ|type) )((?-i:[EG])-[0-9]{2,4}))(?:$|[^\pL0-9-])`)
	// mountingCode matches mountings with a distance.
	mountingCode = re(`\b[EG]-[0-9]{2,4}\b`)
)

// Mounting returns the mounting in a string, or "" if there is none or more than one.
func (in Mention) Mounting(text string) string {
	var found []string
	for _, pattern := range mentions[in] {
		for _, m := range pattern.FindAllStringSubmatch(text, -1) {
			found = append(found, strings.Join(m[1:], ""))
		}
		if found != nil {
			break
		}
	}
	if found != nil && in >= InAbsorption { // "Montage A und E-400"
		found = append(found, mountingCode.FindAllString(text, -1)...)
	}
	if found = slices.Compact(found); len(found) != 1 {
		return ""
	}
	return found[0]
}

// Names reports whether a string names one mounting.
func (in Mention) Names(text string) bool { return in.Mounting(text) != "" }
