package analysis

import (
	"slices"
	"strings"
	"unicode"
)

// The numbers in a list or a range share the unit after the last number, as the numbers in a size do. But
// each number remains a word:
//
//	text                               words
//	20 / 30 / 50 mm  24/48 mm          20mm 30mm 50mm  24mm 48mm
//	20-50 mm  20 – 50 mm  20…50 mm     20mm 50mm
//	20, 30 und 50 mm  20 to 50 mm      20mm 30mm und 50mm  20mm to 50mm
//	600x600, 600x1200 mm               600x600mm 600x1200mm
//
// A comma or a semicolon must be followed by a blank, and a word must be surrounded by blanks. A hyphen
// without blanks joins exactly two numbers, which must not be part of a longer code: the groups of a UUID or
// a slug are not a range.

// listWords are the words that connect numbers in a list or a range.
var listWords = [...]string{"und", "and", "oder", "or", "bis", "to", "&"}

// A numberList is a list of numbers and sizes without units. They have the unit of the number or size that
// follows the list.
type numberList struct {
	unit *unit // nil if there is none
	end  int   // offset of the end of the list, including the number or size with the unit
}

// scanList returns the list that begins with the number without a unit from offset from to offset to in text.
func scanList(text string, from, to int) numberList {
	var buf [maxSize]quantity
	for {
		next := to + scanConnector(text[to:])
		if next == to {
			return numberList{end: to}
		}
		size, end, _ := scanSize(buf[:0], text[next:])
		before, rest := text[:from], text[next+end:]
		isCode := strings.TrimRight(before, hyphens) != before || strings.TrimLeft(rest, hyphens) != rest
		if end == 0 || isCode && strings.Trim(text[to:next], hyphens) == "" {
			return numberList{end: to}
		}
		from, to = next, next+end
		if u := unitOf(size); u != nil {
			return numberList{u, to}
		}
	}
}

// scanConnector returns the length of the connector between two numbers of a list, including blanks. It
// returns 0 if text does not begin with a connector that is followed by a digit.
func scanConnector(text string) int {
	rest := strings.TrimLeftFunc(text, unicode.IsSpace)
	if rest == "" || isDigit(rest[0]) {
		return 0
	}
	for _, sign := range [...]string{"/", "–", "—", "...", "-", "‐"} {
		if after, ok := strings.CutPrefix(rest, sign); ok {
			return untilDigit(text, strings.TrimLeftFunc(after, unicode.IsSpace))
		}
	}
	comma := rest[0] == ',' || rest[0] == ';'
	if comma {
		rest = rest[1:]
	}
	left := strings.TrimLeftFunc(rest, unicode.IsSpace)
	if comma && len(left) == len(rest) || len(left) == len(text) {
		return 0
	}
	for _, word := range listWords {
		if len(left) > len(word) && strings.EqualFold(left[:len(word)], word) {
			if number := strings.TrimLeftFunc(left[len(word):], unicode.IsSpace); len(number) < len(left)-len(word) {
				return untilDigit(text, number)
			}
		}
	}
	if !comma {
		return 0
	}
	return untilDigit(text, left)
}

// untilDigit returns the length of text without its suffix, or 0 if suffix does not begin with a digit.
func untilDigit(text, suffix string) int {
	if suffix == "" || !isDigit(suffix[0]) {
		return 0
	}
	return len(text) - len(suffix)
}

// unitOf returns the first unit in a size, or nil if the size has no units.
func unitOf(size []quantity) *unit {
	if i := slices.IndexFunc(size, func(q quantity) bool { return q.unit != nil }); i >= 0 {
		return size[i].unit
	}
	return nil
}

const hyphens = "-‐"

func isHyphen(r rune) bool { return strings.ContainsRune(hyphens, r) }
