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

// IsAsked reports whether a product has to hold a word of a key, beside others. It need not hold a function
// word, nor the name of a dimension beside a length, as in 60 cm breit.
func IsAsked(words []string, i int) bool {
	if i > 0 && isLength(words[i-1]) || i+1 < len(words) && isLength(words[i+1]) {
		return !IsFunctionWord(words[i]) && !slices.Contains(unitWords["dimensions"], words[i])
	}
	return !IsFunctionWord(words[i])
}

// isLength reports whether a word is a length or a size.
func isLength(word string) bool {
	var room [maxSize]quantity
	size := sizeOf(&room, word)
	return len(size) > 1 || len(size) == 1 && size[0].unit != nil && size[0].unit.means == "mm"
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
