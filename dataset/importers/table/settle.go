package table

import (
	"slices"
	"strings"
)

// settleColumns settles what only the columns of a table together tell: which numbers are bands, and which of several names is meant.
func settleColumns(columns []Column) {
	settleBands(columns)
	settleTwins(columns, FieldManufacturer, []string{"hersteller", "manufacturer", "marke", "brand", "producer", "produzent"})
	settleTwins(columns, FieldLabel, []string{"bezeichnung", "name", "label", "titel", "title", "kurztext", "benennung", "designation"})
	settleClass(columns)
}

// settleClass takes a column called "Klasse" as that of absorption classes, where one of alpha_w is and none of other classes.
func settleClass(columns []Column) {
	class, rated := -1, false
	for i := range columns {
		switch name := squeeze(fold(columns[i].Header)); {
		case columns[i].Field == FieldClass, columns[i].Field == FieldFireClass:
			return
		case columns[i].Field == FieldAlphaW:
			rated = true
		case columns[i].Field == FieldNone && (name == "klasse" || name == "class"):
			class = i
		}
	}
	if rated && class >= 0 {
		columns[class].Field = FieldClass
	}
}

// settleBands settles which columns are called by bands where their names are numbers alone: thicknesses, years and article numbers are too.
// They are bands where most of them are such; numbers from 0.0315 to 20 with one below 1 are kHz where all are bands.
func settleBands(columns []Column) {
	var bare []*Column
	var ours, beyond, none, kilo, below1 int
	frequencies := map[*Column]float64{}
	for i := range columns {
		c := &columns[i]
		b, ok := bandNameOf(strings.TrimSpace(strings.ReplaceAll(fold(c.Header), "%", "")))
		if !ok || !b.bare || c.Field != FieldNone {
			continue
		}
		bare = append(bare, c)
		frequencies[c] = b.hz
		switch {
		case isOurBand(b.hz):
			ours++
		case slices.Contains(beyondBands, b.hz):
			beyond++
		default:
			none++
		}
		if isOurBand(b.hz*1000) || slices.Contains(beyondBands, b.hz*1000) {
			kilo++
		}
		if b.hz < 1 {
			below1++
		}
	}
	unit := 1.0
	if kilo == len(bare) && below1 > 0 && kilo > 2 {
		unit, ours, beyond, none = 1000, kilo, 0, 0
	}
	for _, c := range bare {
		c.BandHz, c.StrayHz = 0, 0
		if ours > none+beyond {
			c.setFrequency(frequencies[c] * unit)
		}
	}
}

// settleTwins finds the column that a field is meant by where several could be: the first whose name has one of the words. Where there is such
// a one, the others are no columns of the field: "Lieferant" beside "Hersteller" is the dealer, "Artikel" beside "Bezeichnung" the article number.
func settleTwins(columns []Column, f Field, words []string) {
	isMeant := func(c Column) bool {
		name := squeeze(fold(c.Header))
		return c.Field == f && slices.ContainsFunc(words, func(word string) bool { return strings.Contains(name, word) })
	}
	if !slices.ContainsFunc(columns, isMeant) {
		return
	}
	for i := range columns {
		c := &columns[i]
		if c.Field != f || isMeant(*c) {
			continue
		}
		c.Field = FieldNone
		if f == FieldLabel && slices.Contains([]string{"artikel", "article", "item"}, squeeze(fold(c.Header))) && !hasField(columns, FieldArticle) {
			c.Field = FieldArticle
		}
	}
}
