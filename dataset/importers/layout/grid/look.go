package grid

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
)

// A Look is the possible meaning of a cell's text during the search for column names.
type Look uint8

// The looks of a string.
const (
	IsBlank   Look = iota
	IsField        // name of a field
	IsBand         // a band, or a number that is the centre of one
	IsGroup        // a word for coefficients: a quantity, "Terz", "Frequenz in Hz"
	IsUnit         // "mm", "[%]", "-"
	IsNumber       // a number that is not a band; a row with such a number names no columns
	IsOffBand      // a number that can be a frequency outside the bands of records
	IsText
)

// LowestHz is the lowest number that can be a frequency, whether it is a band or not.
const LowestHz = 16

// LookOf returns the look of a string.
func LookOf(text string) Look {
	if text == "" {
		return IsBlank
	}
	c := columns.Parse(text)
	value, isNumeric := columns.PlainNumber(text)
	switch {
	case isNumeric && strings.Contains(text, "%"):
		return IsNumber
	case c.BandHz > 0:
		return IsBand
	case c.StrayHz >= LowestHz || isNumeric && value >= LowestHz && value == float64(int(value)):
		return IsOffBand
	case isNumeric:
		return IsNumber
	case slices.Contains(units, strings.ToLower(strings.Trim(text, "[]() "))):
		return IsUnit
	case IsAxis(c.Field) || c.Field == columns.None && columns.MeasurandOf(c.Header) != (columns.Measurand{}):
		return IsGroup
	case c.Field != columns.None:
		return IsField
	}
	return IsText
}

// Looks caches the looks of strings, because computing them is slow and strings repeat.
type Looks map[string]Look

// Of returns the look of a string. isNew reports whether it was not cached.
func (looks Looks) Of(text string) (l Look, isNew bool) {
	l, ok := looks[text]
	if !ok {
		if len(looks) >= 4096 {
			clear(looks)
		}
		l = LookOf(text)
		looks[strings.Clone(text)] = l
	}
	return l, !ok
}

// IsAxis reports whether a field is an axis of a long table. In other tables, names of axes are group names.
func IsAxis(f columns.Field) bool {
	return f == columns.Frequency || f == columns.Coefficient || f == columns.OfQuantity
}

// dashes are the strings written in place of a unit when a value has none.
var dashes = []string{"-", "–", "—", "/"}

// IsDash reports whether a string is a dash, with or without brackets.
func IsDash(text string) bool { return slices.Contains(dashes, strings.Trim(text, "[]() ")) }

// IsProductField reports whether a field identifies the product of a row.
func IsProductField(f columns.Field) bool { return slices.Contains(ProductFields, f) }

// ProductFields are the fields that identify the product of a row.
var ProductFields = []columns.Field{columns.ID, columns.Label, columns.LabelEN, columns.Article, columns.Material,
	columns.CommercialName, columns.Description, columns.Slug}

// MinFields is the minimum number of fields in a header without bands.
const MinFields = 3

// IsPlain reports whether a row names at least MinFields fields, in at least a third of its cells, and no
// cell is a number. In the first row of a sheet, two fields are enough if the row contains nothing else.
func (g *Grid) IsPlain(row int) bool {
	fields, texts := map[columns.Field]bool{}, 0
	for c := range g.Texts[row] {
		switch g.Look(row, c) {
		case IsNumber, IsOffBand, IsBand:
			return false
		case IsText, IsGroup:
			texts++
		case IsField:
			fields[columns.Parse(g.Text(row, c)).Field] = true
		}
	}
	least := MinFields
	if g.Rows[row].Number == 1 && texts == 0 {
		least = 2
	}
	return len(fields) >= least && 2*len(fields) >= texts && slices.ContainsFunc(ProductFields,
		func(f columns.Field) bool { return fields[f] })
}

// MayName reports whether a row can name columns: it contains a name, and all its numbers are frequencies in
// Hz, or in kHz next to a field name. bands reports whether one of the columns can contain coefficients.
func (g *Grid) MayName(row int) (names, bands bool) {
	fields, kilo, others := false, 0, false
	for c := range g.Texts[row] {
		switch l := g.Look(row, c); l {
		case IsNumber, IsOffBand, IsBand:
			if value, ok := columns.PlainNumber(g.Text(row, c)); ok && columns.IsBand(value*1000) {
				kilo++
			} else {
				others = others || l == IsNumber
			}
			bands = bands || l != IsNumber
			names = names || l == IsBand
		case IsField:
			names, fields = true, true
		case IsGroup:
			names, bands = true, true
		}
	}
	if kilo >= 3 && fields {
		return !others, !others
	}
	return names && !others && kilo == 0, bands
}

// maxShown is the maximum length in bytes for a cell that Likeliest shows unquoted.
const maxShown = 40

// Likeliest returns the three likeliest headers with their cells.
func (g *Grid) Likeliest() (rows []string) {
	weights := map[Look]int{IsField: 3, IsBand: 3, IsGroup: 3, IsText: 1, IsOffBand: 1, IsNumber: -1}
	names, order := make([]int, len(g.Rows)), make([]int, len(g.Rows))
	for row := range g.Rows {
		order[row] = row
		for c := range g.Texts[row] {
			names[row] += weights[g.Look(row, c)]
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(names[b], names[a]) })
	for _, row := range order[:min(3, len(order))] {
		var cells []string
		for c, text := range g.Texts[row] {
			if text == "" {
				continue
			}
			if len(text) > maxShown {
				text = strings.Trim(dataset.Quoted(text), `"`)
			}
			if weights[g.Look(row, c)] < 3 {
				text += "?"
			}
			if cells = append(cells, text); len(cells) == 8 {
				cells = append(cells, "…")
				break
			}
		}
		rows = append(rows, "row "+strconv.Itoa(g.Rows[row].Number)+": "+strings.Join(cells, ", "))
	}
	return rows
}

// IsDitto reports whether a cell is a ditto mark.
func IsDitto(text string) bool {
	const longest = len("see above") + 3
	if text == "" || text[0] >= '0' && text[0] <= '9' || len(text) > longest ||
		strings.IndexByte("\"\xE2\xE3'-/dDeEiIsSwWaA ", text[0]) < 0 {
		return false
	}
	text = strings.TrimSpace(text)
	return slices.ContainsFunc(dittoMarks, func(mark string) bool {
		return len(mark) == len(text) && strings.EqualFold(mark, text)
	})
}

// IsWord reports whether a string is not a number.
func IsWord(text string) bool { return !columns.IsNumeric(text) }

// IsMeasurand reports whether a string names a quantity.
func IsMeasurand(text string) bool { return columns.MeasurandOfCell(text) != columns.Measurand{} }
