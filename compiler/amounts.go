package compiler

import (
	"slices"
	"strings"
	"unicode"

	"sabine/indexes/analysis"
)

// isOnlyNumber reports whether a value consists only of numbers, with or without units, and of words such as
// ca. and bis. It returns false for sizes, and for numbers after a name, as in RAL 9010.
func isOnlyNumber(value, key string) bool {
	if !strings.ContainsFunc(key, unicode.IsNumber) || isSize(value, key) {
		return false
	}
	counted := false // whether a number has been found
	for _, word := range analysis.Words(analysis.FoldKey(analysis.Normalize(value))) {
		unit := strings.TrimLeftFunc(word, unicode.IsNumber)
		counted = counted || len(unit) < len(word)
		if unit != "" && !slices.Contains(amountWords, unit) && (!counted || !analysis.MayBeUnit(unit)) {
			return false
		}
	}
	return counted
}

// isSize reports whether a value is a size: numbers with multiplication signs, three or more numbers with
// slashes, as in 600/600/150 mm, or a value with a diameter sign.
func isSize(value, key string) bool {
	if strings.ContainsAny(value, "Øø⌀") || slices.ContainsFunc(analysis.Words(key),
		func(word string) bool {
			return analysis.CountNumbers(word) > 1
		}) {
		return true
	}
	numbers := 0
	for part := range strings.SplitSeq(value, "/") {
		if slices.ContainsFunc(strings.Fields(part), beginsWithNumber) {
			numbers++
		}
	}
	return numbers > 2
}

func beginsWithNumber(word string) bool { return strings.IndexFunc(word, unicode.IsNumber) == 0 }

// amountWords are the keys of words that occur before or after numbers.
var amountWords = strings.Fields(`
	ca circa zirka rund etwa ungefahr approx approximately about max maximal maximum min minimal minimum mindestens hochstens
	bis to ab from von up zu at least most uber unter over under zwischen between und and oder or bzw je jeweils each pro per`)
