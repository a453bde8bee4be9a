package columns

import (
	"slices"
	"strings"
)

// Resolve resolves what only the columns of a table together show: which numbers are bands, and which of
// several columns of one field is meant.
func Resolve(columns []Column) {
	resolveBands(columns)
	resolveTwins(columns, Manufacturer, strings.Fields("hersteller manufacturer marke brand producer produzent"))
	resolveTwins(columns, Label, strings.Fields("bezeichnung name label titel title kurztext benennung designation"))
	resolveClass(columns)
	resolveOverallDepth(columns)
	resolveDepth(columns)
}

// resolveOverallDepth gives an overall depth without a unit that of the thickness, of which it is the whole.
func resolveOverallDepth(columns []Column) {
	thickness := slices.IndexFunc(columns, func(c Column) bool { return c.Field == Thickness })
	for i := range columns {
		if c := &columns[i]; thickness >= 0 && c.Field == OverallDepth && c.Unit == "" {
			c.Unit = columns[thickness].Unit
		}
	}
}

// resolveDepth makes a column of depths one of thicknesses if no other says the size of the product: the
// depth of a panel or a diffuser is how thick it is.
func resolveDepth(columns []Column) {
	for _, f := range []Field{Thickness, Width, Height, Size, Shape, Geometry} {
		if Has(columns, f) {
			return
		}
	}
	for i := range columns {
		if c := &columns[i]; c.Field == Depth {
			c.Field = Thickness
		}
	}
}

// resolveClass makes a column "Klasse" one of absorption classes beside alpha_w, if no other has classes.
func resolveClass(columns []Column) {
	if !Has(columns, AlphaW) || Has(columns, Class) {
		return
	}
	for i := len(columns) - 1; i >= 0; i-- {
		if c := &columns[i]; c.Field == None && isCalled(c, "klasse", "class", "klasseclass", "classklasse") {
			c.Field = Class
			return
		}
	}
}

// isCalled reports whether the name of a column is one of some words.
func isCalled(c *Column, words ...string) bool {
	return slices.Contains(words, keyOf(Fold(c.Header)))
}

// resolveBands decides whether the columns whose names are numbers alone are bands: thicknesses, years and
// article numbers are not. They are bands if most of the numbers are. Numbers from 0.0315 to 20 with one
// below 1 are kHz if all of them are bands then.
func resolveBands(columns []Column) {
	var bare []*Column
	var hz []float64 // of each of them
	for i := range columns {
		c := &columns[i]
		b, isBare, ok := parseBand(strings.TrimSpace(strings.ReplaceAll(Fold(c.Header), "%", "")))
		if ok && isBare && c.Field == None {
			bare, hz = append(bare, c), append(hz, float64(b.BandHz)+b.StrayHz)
		}
	}
	isBeyond := func(hz float64) bool { return slices.Contains(Beyond, hz) }
	isKilo := func(hz float64) bool { return IsBand(hz*1000) || isBeyond(hz*1000) }
	isNoKilo := func(hz float64) bool { return !isKilo(hz) }
	bands := slices.DeleteFunc(slices.Clone(hz), func(hz float64) bool { return !IsBand(hz) })
	factor := 0.0 // no bands
	switch {
	case len(hz) > 2 && slices.Min(hz) < 1 && !slices.ContainsFunc(hz, isNoKilo):
		factor = 1000
	case 2*len(bands) > len(hz):
		factor = 1
	}
	for i, c := range bare {
		c.setFrequency(hz[i] * factor)
	}
}

// resolveTwins finds the columns that a field is meant by if several could be: those whose names have one of
// the words. The others are no columns of the field then: "Lieferant" beside "Hersteller" is the dealer,
// "Artikel" beside "Bezeichnung" the article number.
func resolveTwins(columns []Column, f Field, words []string) {
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
