package products

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
)

// ratingFields are ratings that a source can declare for each set-up.
var ratingFields = []columns.Field{columns.AlphaW, columns.NRC, columns.SAA, columns.Class, columns.ShapeInd}

// isOfAlphaW reports whether a cell is a rating that ISO 11654 defines together with alpha_w.
func (c *cell) isOfAlphaW() bool {
	return c.column.topic.field == columns.Class || c.column.topic.field == columns.ShapeInd
}

// doubtRatings compares ratings that differ between rows with the coefficients of their own set-ups. The
// build compares the ratings of the product.
func (v *survey) doubtRatings(entries []entry) {
	differs := func(of fact) bool { return of.role != agreed && slices.Contains(ratingFields, of.topic.field) }
	if !slices.ContainsFunc(v.facts, differs) {
		return
	}
	setUps := make([]dataset.SetUp, len(entries))
	_, largest, best := v.extremes(columns.AlphaW)
	for i := range entries {
		e, s := &entries[i], &setUps[i]
		s.Octave, s.Third = e.curve(columns.AlphaS, columns.Octave), e.curve(columns.AlphaS, columns.ThirdOctave)
		s.Practical = e.curve(columns.AlphaP, columns.Octave)
		if e.array() != absorption && (e.array() != practical || e.isMeasured()) {
			continue
		}
		var ratings []located // without duplicates
		for _, l := range e.cells() {
			f := l.cell.column.field
			if f == columns.AlphaW && s.AlphaW == nil {
				s.AlphaW = number(l.cell.text)
			}
			isOfProduct := l.row == best && l.cell.isOfAlphaW()
			if !differs(*v.factOf(l.cell)) || isOfProduct || slices.ContainsFunc(ratings, l.isSame) {
				continue
			}
			ratings = append(ratings, l)
			s.Declared = append(s.Declared, dataset.Declared{Key: cmp.Or(metaKeys[f], string(f)), Text: l.cell.text,
				Fault: dataset.Fault{Place: l.place(), Path: l.cell.column.header}})
		}
	}
	v.found.warnings = append(v.found.warnings, dataset.RatingDoubts(setUps, largest)...)
}

// extremes returns the smallest and the largest number that rows have for a field, and the first row with the
// largest. It returns infinities and nil if there are none.
func (v *survey) extremes(f columns.Field) (least, most float64, best *row) {
	least, most = math.Inf(1), math.Inf(-1)
	for _, l := range v.fact(f).cells {
		n := number(l.cell.text)
		if n != nil && *n > most {
			most, best = *n, l.row
		}
		if n != nil {
			least = min(least, *n)
		}
	}
	return least, most, best
}

// number parses a number. It returns nil for other strings.
func number(text string) *float64 {
	if v, err := strconv.ParseFloat(text, 64); err == nil && !math.IsNaN(v) {
		return &v
	}
	return nil
}
