package analysis

import (
	"slices"
	"strings"
)

// What a number may count is told by more than the units that make one word with it. MayBeUnit knows symbols, names with a prefix
// before and an ending behind, such as Quadratmetern, and products of which the first has a power, such as m2k of W/(m²K). Most
// symbols are names too, as in C 50: only behind a number are they units.
var (
	unitSymbols = strings.Fields(`
		nm um μm mil mi yd ft in sq dm2 km2 ft2 ha a ar mm3 cm3 dm3 ft3 ccm qcm qmm cbm rm lfm lfdm cl dl hl
		μg ug mg gr lb lbs oz gsm den dtex tex mol mmol
		pas mpas kpas hpa gpa mbar bar psi mn knm kgk mk
		d h min s sek sec ms us μs ns std rpm upm fps ghz thz dba dbc rayl rayls mks
		c f mw gw va kva wh kwh mwh gwh ah mah ma kv mv j kj mj cal kcal ohm kohm cd bit mbit gbit kb mb gb tb ppm ppb vol
		st stk pcs pc eur usd chf gbp rad deg pct`)
	unitPrefixes = strings.Fields(`quadrat kubik square cubic nano mikro micro milli zenti centi dezi deci hekto hecto kilo mega giga`)
	unitNames    = strings.Fields(`
		meter metre feet foot inch yard micron zoll fuss liter litre gramm gram kilo tonne ton pound unze ounce
		sekunde second minute stunde hour tag day woche week monat month jahr year
		hertz pascal newton volt watt ampere joule ohm dezibel decibel bel sone phon lux lumen candela kelvin celsius fahrenheit grad
		degree wattstunde amperestunde pascalsekunde prozent percent promille
		stuck piece paar pair punkt point euro dollar`)
	unitEndings = []string{"", "e", "n", "en", "s", "es"}
)

// MayBeUnit reports whether a word of a key may be what a number before it counts, or a piece of that.
func MayBeUnit(word string) bool {
	if isUnitSymbol(word) || isUnitName(word) {
		return true
	}
	power := strings.IndexAny(word, "23") + 1
	return 0 < power && power < len(word) && isUnitSymbol(word[:power]) && isUnitSymbol(word[power:])
}

func isUnitSymbol(word string) bool { return isUnit(word) || slices.Contains(unitSymbols, word) }

// isUnitName reports whether a word is the name of a unit, with a prefix or without.
func isUnitName(word string) bool {
	return isInflectedUnit(word) || slices.ContainsFunc(unitPrefixes, func(prefix string) bool {
		name, ok := strings.CutPrefix(word, prefix)
		return ok && isInflectedUnit(name)
	})
}

func isInflectedUnit(word string) bool {
	return slices.ContainsFunc(unitEndings, func(ending string) bool {
		name, ok := strings.CutSuffix(word, ending)
		return ok && slices.Contains(unitNames, name)
	})
}
