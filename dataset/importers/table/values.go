package table

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/importers/workbook"
)

// readRow reads the cells of a row.
func (im *importing) readRow(input string, s *workbook.Sheet, columns []Column, row workbook.Row) *reading {
	r := &reading{place: placeOf(input, s.Name, row, 1)}
	var points acoustics.Curve
	for i, cell := range row.Cells {
		text := strings.TrimSpace(cell.Text)
		if text == "" || i >= len(columns) {
			continue
		}
		c := &columns[i]
		place := placeOf(input, s.Name, row, i+1)
		switch {
		case c.BandHz > 0:
			v, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64)
			if err != nil {
				r.faults = append(r.faults, dataset.Fault{Place: place, Path: c.Header, Problem: "expected a coefficient such as 0.85, 0,85 or 85 %, got " + dataset.Quoted(text)})
				continue
			}
			points = append(points, acoustics.Point{BandHz: c.BandHz, Value: v})
		case c.Field == FieldThickness:
			if mm, err := strconv.ParseFloat(strings.Replace(text, ",", ".", 1), 64); err == nil {
				r.thicknessMM = &mm
			}
		case c.Field == FieldNone:
			r.rest = append(r.rest, dataset.MetaEntry{Key: c.Header, Value: text})
		default:
			r.texts = append(r.texts, fieldText{c.Field, text, c.Header, place})
		}
	}
	slices.SortFunc(points, func(a, b acoustics.Point) int { return cmp.Compare(a.BandHz, b.BandHz) })
	if len(points) > 0 {
		resolution := Octave
		for _, p := range points {
			if !slices.Contains(acoustics.OctaveBands, p.BandHz) {
				resolution = ThirdOctave
			}
		}
		r.curves = []curve{{AlphaS, resolution, points}}
	}
	return r
}
