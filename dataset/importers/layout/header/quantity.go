package header

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
)

// findQuantities finds the column whose cells name the quantity in their rows. If there are several, it uses
// the column with the smallest name, so that their order does not matter. A column whose name means
// frequencies, in a table with band columns, contains quantities or products.
func (r *Resolver) findQuantities() {
	best := -1
	for i := range r.Cols {
		c := &r.Cols[i]
		if c.Field == columns.Frequency && r.Header.Bands > 0 {
			c.Column = columns.Column{Header: c.Header}
			foreign := r.count(i, func(text string) bool { return columns.MeasurandOfCell(text).Quantity == "" })
			isKnown := func(text string) bool {
				column := columns.Parse(text)
				return grid.IsMeasurand(text) || r.Header.IsCornered() && column.Known()
			}
			if r.count(i, isKnown) > 0 && foreign < 0 {
				c.Field = columns.OfQuantity
			} else if !r.isGiven(columns.Label) && !Has(r.Cols, grid.ProductFields...) {
				c.Field = columns.Label
			}
		}
		if !isOfCoefficients(&c.Column) && c.LeftOut == "" && !slices.Contains(neverOfQuantity, c.Field) &&
			(best < 0 || c.Header < r.Cols[best].Header) && r.namesQuantities(i) {
			best = i
		}
	}
	if best >= 0 && !Has(r.Cols, columns.OfQuantity) && !r.Header.plain {
		r.Cols[best].Column = columns.Column{Header: r.Cols[best].Header, Field: columns.OfQuantity}
	}
}

// neverOfQuantity are fields whose cells can name a quantity, but do not show what the coefficients are.
var neverOfQuantity = []columns.Field{columns.Norm, columns.SourceNorm, columns.Source, columns.ID, columns.EntryID,
	columns.EntryNumber, columns.Frequency, columns.Manufacturer, columns.Category, columns.Character, columns.Empty,
	columns.Class, columns.FireClass, columns.Series, columns.CommercialName, columns.Article}

var (
	normPattern        = regexp.MustCompile(`(?i)[ ,(]*\b(nach )?(DIN|EN|ISO|ASTM)\b.*$`)
	coefficientPattern = regexp.MustCompile(`(?i)α|alpha|grad|koef|coef`)
)

// namesQuantities reports whether the cells in a column name the quantity in their rows. One letter is not
// enough, because it is ambiguous: sizes include S. In a column with a known field, only symbols and
// coefficients count, because "Absorption" can be a use. The only column of product names contains no
// quantities.
func (r *Resolver) namesQuantities(column int) bool {
	c := &r.Cols[column]
	isOther := func(o Column) bool { return grid.IsProductField(o.Field) && o.Field != c.Field }
	if grid.IsProductField(c.Field) && !r.isGiven(grid.ProductFields...) && !slices.ContainsFunc(r.Cols, isOther) {
		return false
	}
	letters, sure := map[string]bool{}, false
	filled := r.count(column, func(text string) bool {
		name := strings.TrimSpace(normPattern.ReplaceAllString(text, ""))
		m := columns.MeasurandOfCell(name)
		switch {
		case m.Foreign:
			return true
		case utf8.RuneCountInString(name) > 1:
			sure = sure || m.Quantity != ""
		case name == strings.ToLower(name):
			letters[name] = true
		}
		return m.Quantity != "" && (c.Field == columns.None || len(name) <= 8 || coefficientPattern.MatchString(name))
	})
	return filled > 0 && (sure || len(letters) > 1)
}
