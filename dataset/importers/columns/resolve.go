package columns

import (
	"slices"
	"strings"
)

// Resolve resolves what only the columns of a table together show: which numbers are bands, and which of
// several columns for a field is the correct one.
func Resolve(columns []Column) {
	resolveBands(columns)
	resolveDuplicates(columns, Manufacturer, strings.Fields("hersteller manufacturer marke brand producer produzent"))
	resolveDuplicates(columns, Label, strings.Fields("bezeichnung name label titel title kurztext benennung designation"))
	hasClasses := Has(columns, Class) || !Has(columns, AlphaW)
	hasSize := Has(columns, Thickness, Width, Height, Size, Shape, Geometry)
	thickness := slices.IndexFunc(columns, func(c Column) bool { return c.Field == Thickness })
	for i := range slices.Backward(columns) {
		c := &columns[i]
		switch {
		case c.Field == None && !hasClasses && isCalled(c, "klasse", "class", "klasseclass", "classklasse"):
			c.Field, hasClasses = Class, true // class column next to alpha_w
		case c.Field == OverallDepth && c.Unit == "" && thickness >= 0:
			c.Unit = columns[thickness].Unit // an overall depth includes the thickness
		case c.Field == Depth && !hasSize:
			c.Field = Thickness // the depth of a panel or a diffuser is its thickness
		}
	}
}

// Has reports whether a column has one of the given fields.
func Has(columns []Column, fields ...Field) bool {
	return slices.ContainsFunc(columns, func(c Column) bool { return slices.Contains(fields, c.Field) })
}

// isCalled reports whether a column's name is one of the given words.
func isCalled(c *Column, words ...string) bool {
	return slices.Contains(words, keyOf(Fold(c.Header)))
}

// resolveBands decides whether columns whose names are only numbers are bands, or thicknesses, years or
// article numbers. They are bands if most of the numbers are. Numbers from 0.0315 to 20, at least one of them
// below 1, are in kHz if that makes all of them bands.
func resolveBands(columns []Column) {
	var bare []*Column
	var hz []float64 // frequency of each column in bare
	bands := 0
	for i := range columns {
		c := &columns[i]
		b, isBare, ok := parseBand(strings.TrimSpace(strings.ReplaceAll(Fold(c.Header), "%", "")))
		if ok && isBare {
			bare, hz = append(bare, c), append(hz, b.Hz())
			if b.BandHz > 0 {
				bands++
			}
		}
	}
	isNoKilo := func(hz float64) bool { return !isCentre(hz * 1000) }
	factor := 0.0 // to Hz; 0 if the columns are not bands
	if len(hz) > 2 && slices.Min(hz) < 1 && !slices.ContainsFunc(hz, isNoKilo) {
		factor = 1000
	} else if 2*bands > len(hz) {
		factor = 1
	}
	for i, c := range bare {
		c.setFrequency(hz[i] * factor)
	}
}

// resolveDuplicates removes a field from columns whose names contain none of the words, if another column's
// name contains one. For example, "Lieferant" next to "Hersteller" is the dealer, and "Artikel" next to
// "Bezeichnung" is the article number.
func resolveDuplicates(columns []Column, f Field, words []string) {
	isMeant := func(c Column) bool {
		return c.Field == f && hasPart(keyOf(Fold(c.Header)), words)
	}
	if !slices.ContainsFunc(columns, isMeant) {
		return
	}
	for i := range columns {
		c := &columns[i]
		if c.Field != f || isMeant(*c) {
			continue
		}
		c.Field = None
		if f == Label && isCalled(c, "artikel", "article", "item") && !Has(columns, Article) {
			c.Field = Article
		}
	}
}
