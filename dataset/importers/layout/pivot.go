package layout

import (
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/workbook"
)

// cutFault is the fault of a last row that lacks cells.
func (s *Scanner) cutFault(row workbook.Row, width int) *dataset.Fault {
	return s.fault(position{row.Number, row.Line, max(1, len(row.Cells))},
		"the file ends in the middle of a row: expected "+
			strconv.Itoa(width)+" cells, got "+strconv.Itoa(len(row.Cells)))
}

// joinUnits takes a line of units below the names of a transposed table, which is a column of its grid, for a
// part of the names.
func (g *grid) joinUnits(h *header) {
	for c := 1; c < len(h.columns); c++ {
		if c >= len(g.texts[h.leaf]) || g.look(h.leaf, c) != isUnit {
			continue
		}
		isUnits := true
		for row := h.last + 1; row < len(g.rows); row++ {
			isUnits = isUnits && (g.look(row, c) == isUnit || g.look(row, c) == isBlank)
		}
		joined := columns.Parse(h.columns[c-1].Header + " " + h.columns[c].Header)
		if !isUnits || !joined.Known() {
			continue
		}
		h.columns[c-1], h.columns[c] = joined, columns.Column{}
		for row := h.last + 1; row < len(g.rows); row++ {
			if cells := g.rows[row].Cells; c < len(cells) {
				if strings.Contains(cells[c].Text, "%") {
					cells[c-1].Text += " %"
				}
				cells[c] = workbook.Cell{}
			}
		}
	}
}

// readAttributes takes what lines of a transposed table, which are columns of its grid, say of all rows:
// names with their values in one cell, and names with a value in the first row alone, above the line that
// names the products or where the lines are those of a datasheet.
func (r *resolver) readAttributes() {
	g, h, p := r.grid, r.header, &r.preface
	first := firstLine(h.columns)
	isDatasheet := true // of one set-up: its lines say nothing of a second row
	for i := range r.cols {
		n, row := g.values(h, i)
		isDatasheet = isDatasheet && (n == 0 || n == 1 && row == h.last+1 || !isKey(&r.cols[i].Column))
	}
	for i := range r.cols {
		c := &r.cols[i]
		n, row := g.values(h, i)
		of, value, isBoth := keyAndValue(c.Header)
		title := columns.MeasurandOf(c.Header)
		switch {
		case c.BandHz > 0:
			continue
		case n == 0 && isBoth:
			p.pairs = append(p.pairs, keyValue{of, workbook.Cell{Text: value}, r.block.at(i)})
		case n == 0 && title != (columns.Measurand{}) && !isFootnote(c.Header):
			p.pairs = append(p.pairs, setupIn(c.Header, r.block.at(i))...)
			if i < first || first < 0 { // of the whole table, which cells decides on
				p.title.Measurand = title
			}
		case n == 0 && c.Header != "" && !c.Known():
			names := len(p.names)
			if p.readTitle(g, h.cells[i], i); i > first && first >= 0 {
				p.names = p.names[:names] // a remark
			}
			continue
		case n == 1 && row == h.last+1 && len(g.rows) > h.last+2 && isKey(&c.Column) && (i < first || isDatasheet):
			p.pairs = append(p.pairs, keyValue{c.Column, g.rows[row].Cells[i], g.at(row, i)})
			g.rows[row].Cells[i] = workbook.Cell{}
		default:
			continue
		}
		c.Column = columns.Column{Header: c.Header}
	}
}

// readLineTitles gives the bands of a transposed table, whose lines are columns of its grid, what the nearest
// line above them without values says of their quantity. A line above all bands and names of products is of the
// whole table: whether it is foreign is for cells to decide.
func (g *grid) readLineTitles(h *header) {
	var title columns.Measurand
	percent, first := false, firstLine(h.columns)
	for i := range h.columns {
		c := &h.columns[i]
		if c.BandHz > 0 {
			takeMeasurand(c, title, percent)
			continue
		}
		m := columns.MeasurandOf(c.Header)
		_, _, isPair := keyAndValue(c.Header)
		if n, _ := g.values(h, i); n > 0 || isPair || m == (columns.Measurand{}) || isFootnote(c.Header) {
			continue
		}
		title, percent = m, strings.Contains(c.Header, "%")
		title.Foreign = title.Foreign && first >= 0 && i > first
	}
}

// firstLine returns the index of the first column that is of a band or names products, -1 for none.
func firstLine(cols []columns.Column) int {
	return slices.IndexFunc(cols, func(c columns.Column) bool {
		return c.BandHz > 0 || isProductField(c.Field) && c.Field != columns.Description
	})
}

// values returns how many cells of a column have a value, and the row of the first one.
func (g *grid) values(h *header, column int) (n, first int) {
	for row := h.last + 1; row < len(g.rows); row++ {
		if cells := g.rows[row].Cells; column < len(cells) && hasText(&cells[column]) {
			if n++; n == 1 {
				first = row
			}
		}
	}
	return n, first
}

// A setup is the bands of one set-up in a table that has those of several side by side: the group above them
// says which.
type setup struct {
	own     []bool // by column: its cells are read, as they are not another set-up's
	context []keyValue
	facts   []Fact
	at      int // the first column of its bands
}

// splitSetups returns the set-ups whose bands are side by side: groups above columns that would be the same
// without them.
func splitSetups(cols []Column, groups []string) (setups []setup) {
	seen, twice := map[curveBand]string{}, false
	var names []string
	for i := range cols {
		if cols[i].BandHz == 0 {
			continue
		}
		k, name := curveBandOf(&cols[i].Column), groups[i]
		other, ok := seen[k]
		if ok && (other == name || other == "" || name == "") {
			return nil // the same twice
		}
		if twice, seen[k] = twice || ok, name; !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		s := setup{at: -1, context: groupContext(cols, name)}
		for i := range cols {
			s.own = append(s.own, cols[i].BandHz == 0 || groups[i] == name)
			if s.at < 0 && cols[i].BandHz > 0 && s.own[i] {
				s.at = i
			}
		}
		setups = append(setups, s)
	}
	if !twice {
		return nil
	}
	return setups
}

// splitSeries returns the parts of a table with a row a band that has several columns of frequencies, each with the
// coefficients on its right: octaves beside third octaves, or the higher bands beside the lower ones.
func splitSeries(cols []Column) (series []setup) {
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
		if len(starts) < 2 || !has(cols[start:end], columns.Coefficient) {
			return nil
		}
		s := setup{at: start}
		for i := range cols {
			s.own = append(s.own, i < starts[0] || start <= i && i < end)
		}
		series = append(series, s)
	}
	return series
}

// groupContext reads what the name of a group says of a set-up, such as "αs, mounting E-400" or "Luftspalt
// 200 mm": what names no field is its measuring option.
func groupContext(cols []Column, name string) (context []keyValue) {
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
		isLabel := field == columns.EntryLabel || field == columns.MeasuringOption && len(text) > 1
		if isLabel && columns.InMountings.Mounting(text) != "" {
			field = columns.Mounting
		}
		if has(cols, field) {
			field = columns.MeasuringOption
		}
		column := columns.Column{Header: string(field), Field: field}
		if has(cols, field) { // of two columns of a field the first counts
			column.Field = columns.None
		}
		if !slices.ContainsFunc(context, func(kv keyValue) bool { return kv.column.Header == column.Header }) {
			context = append(context, keyValue{column: column, cell: workbook.Cell{Text: text}})
		}
	}
	return context
}

// A bare length in the name of a group is the air gap where the name says where the product hangs: "direkt
// auf der Wand (0 mm)".
var (
	bareLength = regexp.MustCompile(`^\d+([.,]\d+)? ?(mm|cm)$`)
	gapPattern = regexp.MustCompile(`(?i)\b(auf|an|vor|unter|von) (der )?(wand|decke)|abgeh|abstand|direkt|` +
		`on (the )?wall|ceiling|suspended|spacing`)
)

// separators are what parts words as a comma does.
var separators = strings.NewReplacer(" – ", ",", " — ", ",", " - ", ",")

// groupFields are the fields that the name of a group may give.
var groupFields = []columns.Field{columns.Mounting, columns.Thickness, columns.AirGap, columns.OverallDepth,
	columns.SourceKind,
	columns.MeasuringOption}
