package table

import (
	"slices"
	"strings"
)

// A look is what the text of a cell looks like to somebody who searches for the names of columns.
type look uint8

const (
	isBlank  look = iota
	isField       // the name of a field
	isBand        // a band, or a number that is the centre of one
	isGroup       // what the coefficients below are: a quantity, "Terz", "Frequenz in Hz"
	isUnit        // "mm", "[%]", "-"
	isNumber      // a number that is no band: such rows name no columns
	isOff         // a number that may be a frequency beyond our bands
	isText
)

// lowestHz is the lowest number that is taken for a frequency, whether we know the band or not.
const lowestHz = 16

func lookOf(text string) look {
	if text == "" {
		return isBlank
	}
	c := columnOf(text)
	value, isNumeric := plainNumber(text)
	switch {
	case isNumeric && strings.Contains(text, "%"):
		return isNumber
	case c.BandHz > 0:
		return isBand
	case c.StrayHz >= lowestHz || isNumeric && value >= lowestHz && value == float64(int(value)):
		return isOff
	case isNumeric:
		return isNumber
	case isUnitText(text):
		return isUnit
	case isGroupText(&c):
		return isGroup
	case c.Field != FieldNone:
		return isField
	}
	return isText
}

// isGroupText reports whether a name says what the coefficients beside or below it are.
func isGroupText(c *Column) bool {
	if isAxis(c.Field) {
		return true
	}
	quantity, resolution := quantityOf(c.Header)
	return c.Field == FieldNone && (quantity != "" || resolution != AnyResolution || isOther(c.Header))
}

// units are those that stand below the names of columns, without brackets.
var units = []string{"mm", "cm", "m", "hz", "khz", "%", "-", "–", "—", "1", "/", "kg", "kg/m²", "kg/m2", "kg/m³", "kg/m3", "g/m²", "g/m2",
	"pa s/m", "pa·s/m", "pa s/m²", "pa·s/m²", "kpa s/m²", "kpa·s/m²", "db", "€", "eur", "m²", "m2", "m³", "m3", "text", "°c", "st", "stk", "einheit", "einheiten", "unit", "units"}

func isUnitText(text string) bool {
	return slices.Contains(units, strings.ToLower(strings.Trim(text, "[]() ")))
}

func isDash(text string) bool {
	return slices.Contains([]string{"-", "–", "—", "/"}, strings.Trim(text, "[]()"))
}
