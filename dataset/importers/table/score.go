package table

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
)

// judge finds what the columns make together, and how well the rows below fit them.
func (h *header) judge(g *grid) {
	h.labelled, h.long, h.bands = false, false, 0
	frequency, coefficient := false, false
	for i := range h.columns {
		c := &h.columns[i]
		switch {
		case c.BandHz > 0:
			h.bands++
		case isProductField(c.Field):
			h.labelled = true
		case c.Field == FieldFrequency:
			frequency = true
		case c.Field == FieldCoefficient:
			coefficient = true
		}
	}
	for i := range h.columns { // a name of one letter counts only among others
		if c := &h.columns[i]; c.Field == FieldNone && !frequency && (coefficient || h.bands > 0) && (c.Header == "f" || c.Header == "F") {
			c.Field, frequency = FieldFrequency, true
		}
	}
	h.long = h.bands == 0 && frequency && coefficient
	h.fit = g.fit(h)
}

// isProductField reports whether a field says which product a row is of.
func isProductField(f Field) bool {
	return slices.Contains([]Field{FieldID, FieldLabel, FieldLabelEN, FieldArticle, FieldMaterial, FieldCommercialName, FieldDescription, FieldSlug}, f)
}

// fitRows is how many rows below a header are looked at.
const fitRows = 50

// fit is the share of the cells below bands that may be coefficients, or of those below the frequency that may be one.
func (g *grid) fit(h *header) float64 {
	filled, fitting := 0, 0
	for row := h.last + 1; row < min(len(g.rows), h.last+1+fitRows); row++ {
		for c := range h.columns {
			text := g.text(row, c)
			looked := h.columns[c].BandHz > 0 || h.long && h.columns[c].Field == FieldFrequency
			if text == "" || !looked {
				continue
			}
			filled++
			value, ok := plainNumber(text)
			if ok && (h.long || value <= 2 || h.columns[c].Percent || strings.Contains(text, "%")) {
				fitting++
			}
		}
	}
	if filled == 0 {
		return 0.5
	}
	return float64(fitting) / float64(filled)
}

// isSure reports whether a header is that of a table which need not be tried turned: it names products, and bands by more than numbers.
func (h *header) isSure() bool {
	if h == nil || !h.labelled {
		return false
	}
	bands := 0
	for i := range h.columns {
		if c := &h.columns[i]; c.BandHz > 0 && !isNumeric(c.Header) {
			bands++
		}
	}
	return bands >= 6
}

// repeats reports whether a band stands there twice: in groups, or as a value.
func (h *header) repeats() bool {
	seen := map[curveBand]bool{}
	return slices.ContainsFunc(h.columns, func(c Column) bool {
		k := curveBand{c.BandHz, c.Quantity, c.Resolution}
		twice := c.BandHz > 0 && seen[k]
		seen[k] = true
		return twice
	})
}

// score says how much of a table the columns of a header make.
func (h *header) score() float64 {
	if h == nil {
		return 0
	}
	n, seen := 0, map[curveBand]bool{}
	for i := range h.columns {
		c := &h.columns[i]
		k := curveBand{c.BandHz, c.Quantity, c.Resolution}
		if c.Field != FieldNone || c.BandHz > 0 && !seen[k] { // values that happen to be bands repeat
			n++
		}
		seen[k] = true
	}
	if !h.labelled {
		n = n/2 + 1
	}
	return float64(n) * (h.fit*h.fit + 0.01)
}

// maxShown is the length of a cell in bytes up to which likeliest shows it as it stands.
const maxShown = 40

// likeliest returns the three rows that are likest to name columns, with their cells.
func (g *grid) likeliest() (rows []string) {
	type candidate struct{ row, names int }
	var candidates []candidate
	for row := range g.rows {
		n := 0
		for c := range g.texts[row] {
			switch g.look(row, c) {
			case isField, isBand, isGroup:
				n += 3
			case isText, isOff:
				n++
			case isNumber:
				n--
			}
		}
		candidates = append(candidates, candidate{row, n})
	}
	slices.SortStableFunc(candidates, func(a, b candidate) int { return cmp.Compare(b.names, a.names) })
	for _, c := range candidates[:min(3, len(candidates))] {
		var cells []string
		for i, text := range g.texts[c.row] {
			if text == "" {
				continue
			}
			if len(text) > maxShown {
				text = strings.Trim(dataset.Quoted(text), `"`)
			}
			if l := g.look(c.row, i); l != isField && l != isBand && l != isGroup {
				text += "?"
			}
			if cells = append(cells, text); len(cells) == 8 {
				cells = append(cells, "…")
				break
			}
		}
		rows = append(rows, "row "+strconv.Itoa(g.rows[c.row].Number)+": "+strings.Join(cells, ", "))
	}
	return rows
}
