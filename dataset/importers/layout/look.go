package layout

import (
	"slices"
	"strings"

	"sabine/dataset/importers/columns"
)

// A look is what the text of a cell may be where the names of columns are searched.
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

// lowestHz is the lowest number that is taken for a frequency, whether it is a band or not.
const lowestHz = 16

func lookOf(text string) look {
	if text == "" {
		return isBlank
	}
	c := columns.Parse(text)
	value, isNumeric := columns.PlainNumber(text)
	switch {
	case isNumeric && strings.Contains(text, "%"):
		return isNumber
	case c.BandHz > 0:
		return isBand
	case c.StrayHz >= lowestHz || isNumeric && value >= lowestHz && value == float64(int(value)):
		return isOff
	case isNumeric:
		return isNumber
	case slices.Contains(units, strings.ToLower(strings.Trim(text, "[]() "))):
		return isUnit
	case isAxis(c.Field) || c.Field == columns.None && columns.MeasurandOf(c.Header) != (columns.Measurand{}):
		return isGroup
	case c.Field != columns.None:
		return isField
	}
	return isText
}

// isAxis reports whether a field is one of a table with a row a band. Its names are those of groups in other
// tables.
func isAxis(f columns.Field) bool {
	return f == columns.Frequency || f == columns.Coefficient || f == columns.OfQuantity
}

// units are those below the names of columns, without brackets.
var units = []string{"mm", "cm", "m", "hz", "khz", "%", "-", "–", "—", "1", "/", "kg", "kg/m²", "kg/m2", "kg/m³",
	"kg/m3", "g/m²",
	"g/m2", "pa s/m", "pa·s/m", "pa s/m²", "pa·s/m²", "kpa s/m²", "kpa·s/m²", "db", "€", "eur", "m²", "m2", "m³", "m3",
	"text", "°c",
	"a–e", "a-e", "zahl", "number", "0–1", "0-1",
	"st", "stk", "anzahl", "stück", "pcs", "einheit", "einheiten", "unit", "units"}

// dashes are units of what has none.
var dashes = []string{"-", "–", "—", "/"}

// isProductField reports whether a field says which product a row is of.
func isProductField(f columns.Field) bool { return slices.Contains(productFields, f) }

var productFields = []columns.Field{columns.ID, columns.Label, columns.LabelEN, columns.Article, columns.Material,
	columns.CommercialName, columns.Description, columns.Slug}
