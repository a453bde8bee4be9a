package layout

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
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
	"a–e", "a-e", "zahl", "number", "zahl [-", "länge [mm", "0–1", "0-1",
	"st", "stk", "anzahl", "stück", "pcs", "einheit", "einheiten", "unit", "units"}

// dashes are units of what has none.
var dashes = []string{"-", "–", "—", "/"}

// isDash reports whether a text is such, in brackets or not.
func isDash(text string) bool { return slices.Contains(dashes, strings.Trim(text, "[]() ")) }

// isProductField reports whether a field says which product a row is of.
func isProductField(f columns.Field) bool { return slices.Contains(productFields, f) }

var productFields = []columns.Field{columns.ID, columns.Label, columns.LabelEN, columns.Article, columns.Material,
	columns.CommercialName, columns.Description, columns.Slug}

// leastFields is how many fields a header without bands names.
const leastFields = 3

// isPlain reports whether a row names at least leastFields fields, which are a third of its cells or more, and
// has no number. The first row of a sheet may name two and nothing else.
func (g *grid) isPlain(row int) bool {
	fields, texts := map[columns.Field]bool{}, 0
	for c := range g.texts[row] {
		switch g.look(row, c) {
		case isNumber, isOff, isBand:
			return false
		case isText, isGroup:
			texts++
		case isField:
			fields[columns.Parse(g.text(row, c)).Field] = true
		}
	}
	least := leastFields
	if g.rows[row].Number == 1 && texts == 0 {
		least = 2
	}
	return len(fields) >= least && 2*len(fields) >= texts && slices.ContainsFunc(productFields,
		func(f columns.Field) bool { return fields[f] })
}

// mayName reports whether a row may name columns: it has something that does, and no number that is none of a
// frequency in Hz, or in kHz beside the name of a field; and whether one of them may be of coefficients.
func (g *grid) mayName(row int) (names, bands bool) {
	fields, kilo, others := false, 0, false
	for c := range g.texts[row] {
		switch l := g.look(row, c); l {
		case isNumber, isOff, isBand:
			if value, ok := columns.PlainNumber(g.text(row, c)); ok && columns.IsBand(value*1000) {
				kilo++
			} else {
				others = others || l == isNumber
			}
			bands = bands || l != isNumber
			names = names || l == isBand
		case isField:
			names, fields = true, true
		case isGroup:
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

// likeliest returns the three rows that are likest to name columns, with their cells.
func (g *grid) likeliest() (rows []string) {
	weights := map[look]int{isField: 3, isBand: 3, isGroup: 3, isText: 1, isOff: 1, isNumber: -1}
	names, order := make([]int, len(g.rows)), make([]int, len(g.rows))
	for row := range g.rows {
		order[row] = row
		for c := range g.texts[row] {
			names[row] += weights[g.look(row, c)]
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(names[b], names[a]) })
	for _, row := range order[:min(3, len(order))] {
		var cells []string
		for c, text := range g.texts[row] {
			if text == "" {
				continue
			}
			if len(text) > maxShown {
				text = strings.Trim(dataset.Quoted(text), `"`)
			}
			if weights[g.look(row, c)] < 3 {
				text += "?"
			}
			if cells = append(cells, text); len(cells) == 8 {
				cells = append(cells, "…")
				break
			}
		}
		rows = append(rows, "row "+strconv.Itoa(g.rows[row].Number)+": "+strings.Join(cells, ", "))
	}
	return rows
}

// dittoMarks take the cell above.
var dittoMarks = []string{`"`, "″", "〃", "”", "“", "„", "''", "//", `-"-`, "-″-", "-”-", "-''-", "-,,-", `- " -`,
	"dto.", "dto",
	"dito", "ditto", "do.", "id.", "idem", "ebenso",
	"s.o.", "s. o.", "s.o", "wie oben", "see above", "as above"}

// isDitto reports whether a cell is a ditto mark.
func isDitto(text string) bool {
	const longest = len("see above") + 3
	if text == "" || text[0] >= '0' && text[0] <= '9' || len(text) > longest ||
		strings.IndexByte("\"\xE2\xE3'-/dDeEiIsSwWaA ", text[0]) < 0 {
		return false
	}
	text = strings.TrimSpace(text)
	return slices.ContainsFunc(dittoMarks, func(mark string) bool {
		return len(mark) == len(text) &&
			strings.EqualFold(mark, text)
	})
}

func isWord(text string) bool { return !columns.IsNumeric(text) }

func isMeasurand(text string) bool { return columns.MeasurandOfCell(text) != columns.Measurand{} }
