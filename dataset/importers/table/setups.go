package table

import (
	"slices"
	"strings"

	"sabine/dataset/importers/workbook"
)

// A setup is the bands of one set-up, in a table that has several side by side: the group above them says which.
type setup struct {
	mine []bool          // by column: its cells are read, as they are not another set-up's
	said []workbook.Cell // what the group says, by the columns that are added for it
}

// splitSetups finds the set-ups of bands that stand side by side: groups above columns that would be the same without them.
func (t *tableReader) splitSetups(g *grid, h *header) {
	seen, twice := map[curveBand]string{}, false
	for i := range t.columns[:t.width] {
		if c := &t.columns[i]; c.BandHz > 0 {
			k := curveBand{c.BandHz, c.Quantity, c.Resolution}
			other, ok := seen[k]
			if ok && (other == h.groups[i] || other == "" || h.groups[i] == "") {
				return // the same twice
			}
			twice = twice || ok
			seen[k] = h.groups[i]
		}
	}
	if !twice {
		return
	}
	var groups []string
	for i, name := range h.groups {
		if t.columns[i].BandHz > 0 && !slices.Contains(groups, name) {
			groups = append(groups, name)
		}
	}
	for _, name := range groups {
		s := setup{mine: make([]bool, t.width)}
		first := -1
		for i := range t.width {
			s.mine[i] = t.columns[i].BandHz == 0 || h.groups[i] == name
			if first < 0 && t.columns[i].BandHz > 0 && h.groups[i] == name {
				first = i
			}
		}
		for _, f := range setupFields(name) {
			if hasField(t.columns[:t.width], f.field) {
				f.field = FieldMeasuringOption
			}
			column := slices.IndexFunc(t.said, func(o said) bool { return o.column.Field == f.field })
			value := saidValue{row: workbook.Row{Number: g.rows[h.first].Number, Line: g.rows[h.first].Line}, at: first + 1}
			if column < 0 {
				column = len(t.said)
				t.addSaid(said{Column{Header: string(f.field), Field: f.field}, []saidValue{value}})
			}
			for len(s.said) <= column {
				s.said = append(s.said, workbook.Cell{})
			}
			s.said[column] = workbook.Cell{Text: f.text}
		}
		t.setups = append(t.setups, s)
	}
}

// eachSetup reads a row once for each set-up that has a coefficient in it, or once for all where none has.
func (t *tableReader) eachSetup(row workbook.Row) {
	all := slices.Clone(row.Cells)
	used := 0
	for i := range t.setups {
		s := &t.setups[i]
		some := false
		for c := range all {
			row.Cells[c] = all[c]
			switch {
			case c >= t.width && c-t.width < len(s.said) && s.said[c-t.width].Text != "":
				row.Cells[c] = s.said[c-t.width]
			case c >= t.width:
			case !s.mine[c]:
				row.Cells[c] = workbook.Cell{}
			case t.columns[c].BandHz > 0 && strings.TrimSpace(all[c].Text) != "":
				some = true
			}
		}
		if some {
			t.hand(row, used)
			used++
		}
	}
	if used == 0 {
		copy(row.Cells, all)
		t.hand(row, used)
	}
}

// setupFields reads what the name of a group says of a set-up, such as "αs, mounting E-400" or "Luftspalt 200 mm": what names no field is its
// measuring option.
func setupFields(name string) (fields []fieldText) {
	for part := range strings.FieldsFuncSeq(dashes.Replace(name), func(r rune) bool { return strings.ContainsRune(",;|()", r) }) {
		part = strings.TrimSpace(part)
		quantity, resolution := quantityOf(part)
		if part == "" || len(strings.Fields(part)) < 2 && (quantity != "" || resolution != AnyResolution) {
			continue
		}
		f := fieldText{field: FieldMeasuringOption, text: part}
		words := strings.Fields(part)
		for i := len(words) - 1; i > 0; i-- {
			c := columnOf(strings.Trim(strings.Join(words[:i], " "), ":="))
			value := strings.Trim(strings.Join(words[i:], " "), ":= ")
			if slices.Contains(setupSaid, c.Field) && value != "" {
				f = fieldText{field: c.Field, text: value}
				break
			}
		}
		if !slices.ContainsFunc(fields, func(o fieldText) bool { return o.field == f.field }) {
			fields = append(fields, f)
		}
	}
	return fields
}

// dashes are what parts words as a comma does.
var dashes = strings.NewReplacer(" – ", ",", " — ", ",", " - ", ",")

// setupSaid are the fields that the name of a group may give.
var setupSaid = []Field{FieldMounting, FieldThickness, FieldAirGap, FieldOverallDepth, FieldSourceKind, FieldMeasuringOption}
