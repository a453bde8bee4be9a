package grid

import (
	"regexp"
	"slices"
	"strings"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/workbook"
)

// IsKey reports whether a context row can contain a column's field.
func IsKey(c *columns.Column) bool {
	return c.Field != columns.None && c.BandHz == 0 && !slices.Contains(noKeys, c.Field)
}

var noKeys = []columns.Field{columns.Frequency, columns.Coefficient, columns.OfQuantity, columns.Meta, columns.Empty,
	columns.EntryNumber}

// KeyAndValue reads a string with a key and its value: "Hersteller: Acme".
func KeyAndValue(text string, at Position) (f Fact, ok bool) {
	key, value, _ := strings.Cut(strings.TrimLeft(text, "# "), ":")
	if value = strings.TrimSpace(value); value == "" {
		return f, false
	}
	key = InOneLine(key)
	c := columns.Parse(key)
	if c.Field == columns.None && testPattern.MatchString(columns.Fold(key)) && IsProductName(value) {
		c.Field = columns.Label
	}
	if c.Field == columns.Manufacturer || c.Field == columns.Label {
		value = nextFact.Split(value, 2)[0]
	}
	return Fact{Column: c, Cell: workbook.Cell{Text: InOneLine(value)}, At: at}, IsKey(&c)
}

var (
	// ClassPattern matches folded names for columns of absorption classes.
	ClassPattern = regexp.MustCompile(`(^|[ /-])(klasse|class|classe|klass)( \(.*\)| (din|en|iso) .*| a ?[–-] ?e)?$`)
	// ClassText matches an absorption class.
	ClassText = regexp.MustCompile(`^([A-E]|(?i:(nicht|not|non|n\.) ?[a-z]+))$|^[-–—]$`)
	// ShapePattern matches shape indicators.
	ShapePattern = regexp.MustCompile(`^\(?[LMH](, ?|/)?[MH]?(, ?|/)?H?\)?$|^[-–—]$`)
	// testPattern matches the folded words before a product's name in reports: "Prüfung 1: Akustikplatte
	// Fjord".
	testPattern = regexp.MustCompile(`^(tab\.?|table|tabelle|pruefung|versuch|probe|muster|produkt|test|` +
		`specimen|sample|product) (no\.? ?|nr\.? ?)?([0-9]{1,3}|[a-z])$`)
	// nextFact matches the separator between several facts in one cell.
	nextFact = regexp.MustCompile(` [·|] |\s{3,}`)
)

// PairIn returns the key and the value in a context row, in one cell or in two, and the index of the cell
// with the value. A third cell can contain shape indicators: "αw | 0,55 | (MH)". ok is false for other rows.
func PairIn(row workbook.Row) (f Fact, cell int, ok bool) {
	n, first := Filled(row)
	if f, ok = KeyAndValue(row.Cells[first].Text, Position{}); ok || n < 2 || n > 3 {
		return f, first, ok
	}
	f.Column, cell = Pair(row, first)
	if f.Cell = row.Cells[cell]; n == 3 {
		shape := TextOf(row.Cells, nextText(row.Cells, cell))
		if !ShapePattern.MatchString(shape) {
			return f, first, false
		}
		f.Cell = workbook.Cell{Text: f.Cell.Text + " " + shape}
	}
	if f.Column.Field == columns.None && ClassPattern.MatchString(columns.Fold(f.Column.Header)) &&
		ClassText.MatchString(f.Cell.Text) {
		f.Column.Field = columns.Class
	}
	return f, cell, IsKey(&f.Column)
}

// Pair parses a cell of a row as a column name, and returns the index of the next cell with text.
func Pair(row workbook.Row, first int) (c columns.Column, second int) {
	second = nextText(row.Cells, first)
	return columns.Parse(strings.TrimRight(row.Cells[first].Text, ": ")), second
}

// nextText returns the index of the next cell with text, or len(cells).
func nextText(cells []workbook.Cell, after int) int {
	for after++; after < len(cells) && !HasText(&cells[after]); {
		after++
	}
	return after
}

// footnotePattern matches a footnote.
var footnotePattern = regexp.MustCompile(`^ *(\*|[¹²³⁴⁵⁶⁷⁸⁹†‡]|\(?[0-9a-z]\)|\[[0-9]\]|(?i:` +
	`hinweise?|anmerkung(en)?|fu(ß|ss)noten?|notes?|remarks?|legende?|bemerkung(en)?|n\. ?b\.)($|[^\pL]))`)

// IsFootnote reports whether a line is a footnote, which is never evidence.
func IsFootnote(text string) bool { return footnotePattern.MatchString(text) }

// titlePattern matches folded titles that name no product.
var titlePattern = regexp.MustCompile(strings.Join(Words("titles"), "|"))

// IsProductName reports whether a title can be a product's name.
func IsProductName(text string) bool {
	folded := columns.Fold(text)
	letters := strings.Trim(folded, " 0123456789.,;/()-_")
	return len(text) <= 100 && len(letters) >= 2 && !IsFootnote(text) && !titlePattern.MatchString(folded)
}

// IsAttribute reports whether a column name describes a product and does not name it.
func IsAttribute(name string) bool { return attributePattern.MatchString(columns.Fold(name)) }

var attributePattern = regexp.MustCompile(strings.Join(Words("attributes"), "|"))
