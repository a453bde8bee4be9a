package analysis

import (
	"slices"
	"strings"
)

// Words other than those in numbers.go may also be units. MayBeUnit accepts symbols, names with a prefix and
// an ending, such as Quadratmetern, and products whose first factor has a power, such as m2k in W/(m²K). Most
// symbols can also be names, as in C 50, so they are units only after a number.
var (
	unitWords   = namedLists("units.txt")
	unitEndings = []string{"", "e", "n", "en", "s", "es"}
)

// MayBeUnit reports whether a word in a key may be a unit, or a part of one, for the preceding number.
func MayBeUnit(word string) bool {
	if isUnitSymbol(word) || isUnitName(word) {
		return true
	}
	power := strings.IndexAny(word, "23") + 1
	return 0 < power && power < len(word) && isUnitSymbol(word[:power]) && isUnitSymbol(word[power:])
}

// IsRequired reports whether a product must contain word i of a query. Function words are optional. So are
// names of dimensions next to a length, as in 60 cm breit.
func IsRequired(words []string, i int) bool {
	isNextToLength := i > 0 && isLength(words[i-1]) || i+1 < len(words) && isLength(words[i+1])
	isDimension := isNextToLength && slices.Contains(unitWords["dimensions"], words[i])
	return !isDimension && !IsFunctionWord(words[i])
}

// isLength reports whether a word is a length or a size.
func isLength(word string) bool {
	var buf [maxSize]quantity
	size := sizeOf(&buf, word)
	return len(size) > 1 || len(size) == 1 && size[0].unit != nil && size[0].unit.base == "mm"
}

// isUnitSymbol reports whether a word is a unit of numbers.go or a symbol in units.txt.
func isUnitSymbol(word string) bool {
	return isUnit(word) || slices.Contains(unitWords["symbols"], word)
}

// isUnitName reports whether a word is the name of a unit, with or without a prefix.
func isUnitName(word string) bool {
	return isInflectedUnit(word) || slices.ContainsFunc(unitWords["prefixes"], func(prefix string) bool {
		name, ok := strings.CutPrefix(word, prefix)
		return ok && isInflectedUnit(name)
	})
}

// isInflectedUnit reports whether a word is the name of a unit without a prefix, with or without an ending.
func isInflectedUnit(word string) bool {
	return slices.ContainsFunc(unitEndings, func(ending string) bool {
		name, ok := strings.CutSuffix(word, ending)
		return ok && slices.Contains(unitWords["names"], name)
	})
}
