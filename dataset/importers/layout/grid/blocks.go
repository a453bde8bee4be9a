package grid

import (
	"slices"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/workbook"
)

// PartColumns splits rows at a column that repeats their keys.
func PartColumns(rows []workbook.Row, at int) (left, right []workbook.Row) {
	for _, row := range rows {
		other := slices.Clone(row.Cells)
		clear(other[:min(at, len(other))])
		if n, _ := Filled(workbook.Row{Cells: other}); n > 0 {
			right = append(right, workbook.Row{Number: row.Number, Line: row.Line, Cells: other, Cut: row.Cut})
		}
		row.Cells = row.Cells[:min(at, len(row.Cells))]
		if n, _ := Filled(row); n > 0 {
			left = append(left, row)
		}
	}
	return left, right
}

// FirstBlock returns the number of rows in the first block, whose bands are rows. The next block begins after
// the last band, or after a blank row below it. It repeats the key of a field, or the key of frequencies with
// different products.
func FirstBlock(rows []workbook.Row) int {
	keys, lastBand := map[string]int{}, -1
	for i := range rows {
		_, first := Filled(rows[i])
		key := InOneLine(rows[i].Cells[first].Text)
		switch l := LookOf(key); {
		case l == IsBand:
			lastBand = i
			continue
		case l != IsField && columns.Parse(key).Field != columns.Frequency:
			continue
		}
		before, again := keys[key]
		keys[key] = i
		if again && lastBand > before && (LookOf(key) == IsField || !slices.Equal(rows[before].Cells, rows[i].Cells)) {
			start := lastBand + 1
			for j := start + 1; j <= i; j++ {
				if rows[j].Number > rows[j-1].Number+1 {
					start = j
				}
			}
			return start
		}
	}
	return len(rows)
}

// ColumnOfKeys returns the index of a column that follows an empty one and repeats most keys in the first
// column, which are field or band names. It returns 0 if there is none.
func ColumnOfKeys(rows []workbook.Row) int {
	width, left := 0, -1
	for i := range rows {
		width = max(width, len(rows[i].Cells))
		if n, first := Filled(rows[i]); n > 1 && (left < 0 || first < left) {
			left = first
		}
	}
	for c := left + 2; left >= 0 && c < width; c++ {
		looks, keys, isApart := map[Look]int{}, 0, true
		for i := range rows {
			key := TextOf(rows[i].Cells, left)
			isApart = isApart && TextOf(rows[i].Cells, c-1) == ""
			if key == "" || TextOf(rows[i].Cells, c) == "" {
				continue
			}
			if keys++; key == TextOf(rows[i].Cells, c) {
				looks[LookOf(key)]++
			}
		}
		same := looks[IsField] + looks[IsBand] + looks[IsGroup]
		if isApart && same > 3 && 4*same > 3*(keys-looks[IsText]) && (looks[IsField] != 1 || looks[IsBand] > 3) {
			return c
		}
	}
	return 0
}
