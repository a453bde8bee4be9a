package columns

import (
	"strings"
	"testing"
)

func TestMountings(t *testing.T) {
	tests := []struct {
		rule  string
		in    Mention
		texts string // separated by "|"
		want  string
	}{
		{"only a letter, where mountings are expected", InMountings, "A|Typ A|type A|Mounting A|Montage A", "A"},
		{"with a distance", InMountings, "E-400|Typ E-400|Montage E-400", "E-400"},
		{"but nothing else", InMountings, "Typ A, direkt|E400|N|Abgehängt|A-", ""},
		{"only a code, where anything is expected", InUnknown, "E400|Typ E400|typ E400", "E400"},
		{"no letter without a distance", InUnknown, "A|Typ A|E|B-400|E-4", ""},
		{"before more text", BeforeMore, "Typ A, direkt auf dem Boden|Typ A nach ISO 354", "Typ A"},
		{"a code before a remark", BeforeMore, "E-400 (mit Vlies)|E-400 nach ISO 354", "E-400"},
		{"not before nothing, or a number", BeforeMore, "Typ A|Typ A (2)|Abgehängt, mit Vlies", ""},
		{"in words for a set-up, after a word for it", InSetup,
			"16 mm Paneel, Typ A|ISO 354, Montagetyp A|A mounting", "A"},
		{"a letter without a word is none", InSetup, "Wand A|Fjord-E-400-W", ""},
		{"two are none", InSetup, "Typ A oder Typ B|E-200, Typ A", ""},
		{"one twice", InSetup, "Typ A, Typ A", "A"},
		{"in a title, after a word for it", InTitle, "Montage Typ A|mounting: A|Aufstellung nach ISO 354: A", "A"},
		{"set apart from a name", InTitle, "Wandabsorber (Typ A)|Wandabsorber, Typ A", "A"},
		{"a code after a comma", InTitle, "Prüfung 2026, E-400|Aufhängung Typ E-400", "E-400"},
		{"a type in a name is none", InTitle, "Paneel Typ A weiß|Paneel G-200 weiß", ""},
		{"a letter and a code are two", InTitle, "Montage A und E-400", ""},
		{"in a title of absorption, any type", InAbsorption,
			"αs nach ISO 354 Typ A|Absorption Typ A|ISO 354, Montage A", "A"},
		{"and any code", InAbsorption, "Absorption E-400 2026", "E-400"},
	}
	for _, test := range tests {
		for text := range strings.SplitSeq(test.texts, "|") {
			if got := test.in.Mounting(text); got != test.want {
				t.Errorf("%s: %q has the mounting %q, want %q", test.rule, text, got, test.want)
			}
		}
	}
}
