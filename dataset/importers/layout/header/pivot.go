package header

import (
	"regexp"
	"slices"
	"strings"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
	"sabine/dataset/importers/workbook"
)

// readAttributes reads lines of a transposed table (columns in its grid) that apply to all rows: a name with
// its value in one cell, or a name with a value only in the first row. The latter kind must be above the line
// with the product names, or in a data sheet.
func (r *Resolver) readAttributes() {
	g, h, p := r.Header.Grid, r.Header, &r.Preface
	first := firstLine(h.Columns)
	isDatasheet := true // whether there is one set-up, so that no key has a value in a second row
	for i := range r.Cols {
		n, row := h.values(i)
		isDatasheet = isDatasheet && (n == 0 || n == 1 && row == h.Last+1 || !grid.IsKey(&r.Cols[i].Column))
	}
	for i := range r.Cols {
		c := &r.Cols[i]
		n, row := h.values(i)
		both, isBoth := grid.KeyAndValue(c.Header, r.Header.At(i))
		title := columns.MeasurandOf(c.Header)
		switch {
		case c.BandHz > 0:
			continue
		case n == 0 && isBoth:
			p.Pairs = append(p.Pairs, both)
		case n == 0 && title != (columns.Measurand{}) && !grid.IsFootnote(c.Header):
			p.Pairs = append(p.Pairs, grid.SetupIn(c.Header, r.Header.At(i))...)
			if i < first || first < 0 { // for the whole table; package cells decides whether to use it
				p.Title.Measurand = title
			}
		case n == 0 && c.Header != "" && !c.Known():
			names := len(p.Names)
			if p.ReadTitle(g, h.cells[i], i); i > first && first >= 0 {
				p.Names = p.Names[:names] // the text is a remark
			}
			continue
		case n == 1 && row == h.Last+1 && len(g.Rows) > h.Last+2 && grid.IsKey(&c.Column) && (i < first || isDatasheet):
			p.Pairs = append(p.Pairs, g.FactAt(row, i, c.Column))
			g.Rows[row].Cells[i] = workbook.Cell{}
		default:
			continue
		}
		c.Column = columns.Column{Header: c.Header}
	}
}

// readLineTitles takes the quantity of each band of a transposed table from the nearest line above it that has
// no values. The lines are columns of the grid. A line above all bands and product names applies to the
// whole table, and package cells decides whether it is foreign.
func (h *Header) readLineTitles() {
	var title columns.Measurand
	percent, first := false, firstLine(h.Columns)
	for i := range h.Columns {
		c := &h.Columns[i]
		if c.BandHz > 0 {
			takeMeasurand(c, title, percent)
			continue
		}
		m := columns.MeasurandOf(c.Header)
		_, isPair := grid.KeyAndValue(c.Header, grid.Position{})
		if n, _ := h.values(i); n > 0 || isPair || m == (columns.Measurand{}) || grid.IsFootnote(c.Header) {
			continue
		}
		title, percent = m, strings.Contains(c.Header, "%")
		title.Foreign = title.Foreign && first >= 0 && i > first
	}
}

// firstLine returns the index of the first column that is a band or names products, or -1.
func firstLine(cols []columns.Column) int {
	return slices.IndexFunc(cols, func(c columns.Column) bool {
		return c.BandHz > 0 || grid.IsProductField(c.Field) && c.Field != columns.Description
	})
}

// values returns the number of values in a column, and the row with the first one.
func (h *Header) values(column int) (n, first int) {
	g := h.Grid
	for row := h.Last + 1; row < len(g.Rows); row++ {
		if cells := g.Rows[row].Cells; column < len(cells) && grid.HasText(&cells[column]) {
			if n++; n == 1 {
				first = row
			}
		}
	}
	return n, first
}

// A Setup contains the columns for one of several set-ups that are side by side in a table. The group above
// their bands describes it.
type Setup struct {
	Own     []bool // whether each column belongs to this set-up or to all
	Context grid.Facts
}

// splitSetups returns the set-ups whose bands are side by side: groups that separate otherwise equal columns.
func (h *Header) splitSetups(cols []Column) (setups []Setup) {
	seen, twice := map[curveBand]string{}, false
	var names []string
	for i := range cols {
		if cols[i].BandHz == 0 {
			continue
		}
		k, name := curveBandOf(&cols[i].Column), h.groups[i]
		other, ok := seen[k]
		if ok && (other == name || other == "" || name == "") {
			return nil // two columns have the same group and band
		}
		if twice, seen[k] = twice || ok, name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		own, first := make([]bool, len(cols)), -1
		for i := range cols {
			if own[i] = cols[i].BandHz == 0 || h.groups[i] == name; own[i] && cols[i].BandHz > 0 && first < 0 {
				first = i
			}
		}
		setups = append(setups, Setup{own, groupContext(cols, name, h.Grid.At(h.First, first))})
	}
	if !twice {
		return nil
	}
	return setups
}

// splitSeries splits a long table at its columns of frequencies, if there are several. Each part has the
// coefficients on its right: octaves next to third octaves, or higher bands next to lower ones.
func splitSeries(cols []Column) (series []Setup) {
	var starts []int
	for i := range cols {
		if cols[i].Field == columns.Frequency {
			starts = append(starts, i)
		}
	}
	for k, start := range starts {
		end := len(cols)
		if k+1 < len(starts) {
			end = starts[k+1]
		}
		if len(starts) < 2 || !Has(cols[start:end], columns.Coefficient) {
			return nil
		}
		var s Setup
		for i := range cols {
			s.Own = append(s.Own, i < starts[0] || start <= i && i < end)
		}
		series = append(series, s)
	}
	return series
}

// groupContext reads the set-up in a group name, such as "αs, mounting E-400" or "Luftspalt 200 mm". Strings
// that name no field become its measuring option.
func groupContext(cols []Column, name string, at grid.Position) (context grid.Facts) {
	isComma := func(r rune) bool { return strings.ContainsRune(",;|()", r) }
	for part := range strings.FieldsFuncSeq(separators.Replace(name), isComma) {
		words := strings.Fields(part)
		m := columns.MeasurandOf(strings.TrimSpace(part))
		if len(words) == 0 || len(words) < 2 && m != (columns.Measurand{}) {
			continue
		}
		field, text := columns.MeasuringOption, strings.TrimSpace(part)
		if bareLength.MatchString(text) && gapPattern.MatchString(name) {
			field = columns.AirGap
		}
		for i := len(words) - 1; i > 0; i-- {
			c := columns.Parse(strings.Trim(strings.Join(words[:i], " "), ":="))
			value := strings.Trim(strings.Join(words[i:], " "), ":= ")
			if slices.Contains(groupFields, c.Field) && value != "" {
				field, text = c.Field, value
				break
			}
		}
		if field == columns.MeasuringOption && len(text) > 1 && columns.InMountings.Names(text) {
			field = columns.Mounting
		}
		if Has(cols, field) {
			field = columns.MeasuringOption
		}
		if !context.Has(field) {
			context.Set(grid.FactOf(field, text, at))
		}
	}
	return context
}

// A length in a group name is the air gap if the name describes a distance: "direkt auf der Wand (0 mm)".
var (
	bareLength = regexp.MustCompile(`^\d+([.,]\d+)? ?(mm|cm)$`)
	gapPattern = regexp.MustCompile(`(?i)\b(auf|an|vor|unter|von) (der )?(wand|decke)|abgeh|abstand|direkt|` +
		`on (the )?wall|ceiling|suspended|spacing`)
)

// separators separate words as a comma does.
var separators = strings.NewReplacer(" – ", ",", " — ", ",", " - ", ",")

// groupFields are the fields that a group name can contain.
var groupFields = []columns.Field{columns.Mounting, columns.Thickness, columns.AirGap, columns.OverallDepth,
	columns.SourceKind, columns.MeasuringOption}
