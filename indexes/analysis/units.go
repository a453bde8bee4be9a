package analysis

import (
	"slices"
	"strings"
)

// What a number may count is told by more than the units that make one word with it. MayBeUnit knows symbols,
// names with a prefix before and an ending behind, such as Quadratmetern, and products of which the first has
// a power, such as m2k of W/(m²K). Most symbols are names too, as in C 50: only behind a number are they
// units.
var (
	unitWords   = namedLists("units.txt")
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

func isUnitSymbol(word string) bool {
	return isUnit(word) || slices.Contains(unitWords["symbols"], word)
}

// isUnitName reports whether a word is the name of a unit, with a prefix or without.
func isUnitName(word string) bool {
	return isInflectedUnit(word) || slices.ContainsFunc(unitWords["prefixes"], func(prefix string) bool {
		name, ok := strings.CutPrefix(word, prefix)
		return ok && isInflectedUnit(name)
	})
}

func isInflectedUnit(word string) bool {
	return slices.ContainsFunc(unitEndings, func(ending string) bool {
		name, ok := strings.CutSuffix(word, ending)
		return ok && slices.Contains(unitWords["names"], name)
	})
}
