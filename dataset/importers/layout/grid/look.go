package grid

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
)

// A Look is what the text of a cell may be where the names of columns are searched.
type Look uint8

// What a text may look like.
const (
	IsBlank  Look = iota
	IsField       // the name of a field
	IsBand        // a band, or a number that is the centre of one
	IsGroup       // what the coefficients below are: a quantity, "Terz", "Frequenz in Hz"
	IsUnit        // "mm", "[%]", "-"
	IsNumber      // a number that is no band: such rows name no columns
	IsOff         // a number that may be a frequency beyond our bands
	IsText
)

// LowestHz is the lowest number that is taken for a frequency, whether it is a band or not.
const LowestHz = 16

// LookOf returns what a text looks like.
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
		return IsOff
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

// Looks are those of texts, which are read slowly and come again.
type Looks map[string]Look

// Of returns what a text looks like, and whether that is new.
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

// IsAxis reports whether a field is one of a table with a row a band. Its names are those of groups in other
// tables.
func IsAxis(f columns.Field) bool {
	return f == columns.Frequency || f == columns.Coefficient || f == columns.OfQuantity
}

// dashes are units of what has none.
var dashes = []string{"-", "–", "—", "/"}

// IsDash reports whether a text is such, in brackets or not.
func IsDash(text string) bool { return slices.Contains(dashes, strings.Trim(text, "[]() ")) }

// IsProductField reports whether a field says which product a row is of.
func IsProductField(f columns.Field) bool { return slices.Contains(ProductFields, f) }

// ProductFields are the fields that say which product a row is of.
var ProductFields = []columns.Field{columns.ID, columns.Label, columns.LabelEN, columns.Article, columns.Material,
	columns.CommercialName, columns.Description, columns.Slug}

// LeastFields is how many fields a header without bands names.
const LeastFields = 3

// IsPlain reports whether a row names at least leastFields fields, which are a third of its cells or more,
// and has no number. The first row of a sheet may name two and nothing else.
func (g *Grid) IsPlain(row int) bool {
	fields, texts := map[columns.Field]bool{}, 0
	for c := range g.Texts[row] {
		switch g.Look(row, c) {
		case IsNumber, IsOff, IsBand:
			return false
		case IsText, IsGroup:
			texts++
		case IsField:
			fields[columns.Parse(g.Text(row, c)).Field] = true
		}
	}
	least := LeastFields
	if g.Rows[row].Number == 1 && texts == 0 {
		least = 2
	}
	return len(fields) >= least && 2*len(fields) >= texts && slices.ContainsFunc(ProductFields,
		func(f columns.Field) bool { return fields[f] })
}

// MayName reports whether a row may name columns: it has something that does, and no number that is none of a
// frequency in Hz, or in kHz beside the name of a field; and whether one of them may be of coefficients.
func (g *Grid) MayName(row int) (names, bands bool) {
	fields, kilo, others := false, 0, false
	for c := range g.Texts[row] {
		switch l := g.Look(row, c); l {
		case IsNumber, IsOff, IsBand:
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

// maxShown is the length of a cell in bytes up to which likeliest shows it as it is.
const maxShown = 40

// Likeliest returns the three rows that are likest to name columns, with their cells.
func (g *Grid) Likeliest() (rows []string) {
	weights := map[Look]int{IsField: 3, IsBand: 3, IsGroup: 3, IsText: 1, IsOff: 1, IsNumber: -1}
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

// IsWord reports whether a text is no number.
func IsWord(text string) bool { return !columns.IsNumeric(text) }

// IsMeasurand reports whether a text is the name of a quantity.
func IsMeasurand(text string) bool { return columns.MeasurandOfCell(text) != columns.Measurand{} }
