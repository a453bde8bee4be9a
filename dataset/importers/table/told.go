package table

import (
	"cmp"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/workbook"
)

// account begins the account of the table. What lines say of it has accounts already.
func (r *sheetReader) account(t *tableReader, g *grid, h *header) {
	t.used = make([]bool, t.width)
	a := &t.account
	a.Quantity, a.Unused = cmp.Or(t.quantity, AlphaS), r.preface.unused
	t.titles = len(a.Unused)
	for row := h.first; row <= h.last; row++ {
		a.Header = append(a.Header, g.rows[row].Number)
	}
	var columns []ToldColumn
	for i := range t.width {
		c := &t.columns[i]
		columns = append(columns, ToldColumn{Header: c.Header, Cell: unsheeted(t.places[i].Cell), Became: cmp.Or(c.String(), MapMeta)})
	}
	a.Columns = append(columns, a.Columns...)
	a.Manufacturer, a.SourceKind = cmp.Or(t.manufacturer, r.Manufacturer), t.sourceKind
	if a.SourceKind == "" && r.SourceKind != DefaultSourceKind {
		a.SourceKind = r.SourceKind
	}
	t.untold = len(t.columns)
}

// tell keeps the first value of each column for the account, and what became of it.
func (t *tableReader) tell(row workbook.Row, r *reading) {
	if t.untold == 0 {
		return
	}
	for i := range t.account.Columns {
		a, c := &t.account.Columns[i], &t.columns[i]
		text := strings.TrimSpace(row.Cells[i].Text)
		if a.Example != "" || text == "" {
			continue
		}
		t.untold--
		a.Example, a.Value = text, r.valueOf(c)
	}
}

// valueOf returns what the reading has of a column, "" for nothing.
func (r *reading) valueOf(c *Column) string {
	number := func(v *float64) string {
		if v == nil {
			return ""
		}
		return formatNumber(*v)
	}
	switch {
	case c.BandHz > 0:
		for i := range r.curves {
			if k := &r.curves[i]; (c.Quantity == "" || c.Quantity == k.quantity) && (c.Resolution == AnyResolution || c.Resolution == k.resolution) {
				if v, ok := k.points.At(c.BandHz); ok {
					return number(&v)
				}
			}
		}
		return ""
	case c.Field == FieldThickness:
		return number(r.thicknessMM)
	case c.Field == FieldAirGap:
		return number(r.airGapMM)
	case c.Field == FieldOverallDepth:
		return number(r.overallDepthMM)
	case c.Field == FieldCoefficient && len(r.curves) == 1 && len(r.curves[0].points) == 1:
		return number(&r.curves[0].points[0].Value)
	case c.Field == FieldFrequency && len(r.curves) > 0 && len(r.curves[0].points) == 1:
		return strconv.Itoa(r.curves[0].points[0].BandHz)
	case c.Field != FieldNone && r.text(c.Field) != "":
		return r.text(c.Field)
	}
	for _, m := range r.rest {
		if m.Key == c.Header {
			return m.Value
		}
	}
	return ""
}

// maxLeft is how many unused cells of a table are named.
const maxLeft = 100

// leave notes that a row is used for nothing.
func (t *tableReader) leave(row workbook.Row, column int) {
	if t.left++; t.left > maxLeft {
		return
	}
	place := t.placeAt(row.Number, row.Line, column+1)
	t.account.Unused = append(t.account.Unused, unsheeted(place.Cell)+" "+dataset.Quoted(inOneLine(row.Cells[column].Text)))
}

// unsheeted returns the name of a cell without its sheet.
func unsheeted(cell string) string { return cell[strings.LastIndexByte(cell, '!')+1:] }

// namedCell names a cell and its text.
func namedCell(row, column int, text string) string {
	return workbook.CellName(row, column) + " " + dataset.Quoted(inOneLine(text))
}

func (t *tableReader) warn(place dataset.Place, path, problem string) {
	t.Warn(dataset.Fault{Place: place, Path: path, Problem: problem})
}

// end tells what the table as a whole left, and returns its account.
func (t *tableReader) end() ToldTable {
	first := dataset.Place{Input: t.input, Index: -1, Offset: -1}
	if len(t.places) > 0 {
		first = t.places[0]
	}
	var kept []string
	for i := range t.width {
		if c := &t.columns[i]; t.used[i] && !c.known() && c.Header != "" && !t.isWish(c) && t.account.Columns[i].Became == MapMeta {
			kept = append(kept, dataset.Quoted(c.Header))
		}
	}
	if len(kept) > 0 {
		t.warn(first, "", "kept in structured_meta: "+strings.Join(kept, ", "))
	}
	if t.continued > 0 {
		t.warn(first, "", "rows without a product of their own, which are of that of the row above: "+strconv.Itoa(t.continued))
	}
	if unused := t.account.Unused; len(unused) > 0 {
		more := ""
		if t.left > maxLeft {
			more = " and " + strconv.Itoa(t.left-maxLeft) + " more"
		}
		t.warn(first, "", "used for nothing: "+strings.Join(unused, ", ")+more)
	}
	t.account.Rows, t.account.said = t.rows, len(t.account.Columns)-t.width
	return t.account
}
