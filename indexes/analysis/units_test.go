package analysis

import (
	"slices"
	"strings"
	"testing"
)

func TestUnits(t *testing.T) {
	for _, word := range strings.Fields("mm m2 μm ghz kwh m2k m2a m3h mk liter litern millimeter quadratmetern kilowattstunden hertz jahr jahre jahren kilos mikrometer dezibel") {
		if !MayBeUnit(word) {
			t.Errorf("%q is no unit", word)
		}
	}
	for _, word := range strings.Fields("glas gas mal lagig wolle gk ral x m2wolle c50 2") {
		if MayBeUnit(word) {
			t.Errorf("%q is a unit", word)
		}
	}
	if MayBeUnit("") {
		t.Error("nothing is a unit")
	}
}

func TestUnitsAreListedAsKeys(t *testing.T) {
	for _, unit := range slices.Concat(unitWords["symbols"], unitWords["prefixes"], unitWords["names"]) {
		if Key(unit) != unit {
			t.Errorf("%q is no key, want %q", unit, Key(unit))
		}
	}
}
