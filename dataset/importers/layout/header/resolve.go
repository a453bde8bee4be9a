package header

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
	"sabine/dataset/importers/workbook"
	"sabine/dataset/product"
)

// A Column is a column in a table.
type Column struct {
	columns.Column
	Place   dataset.Place // location of its name
	LeftOut string        // reason for leaving it out, such as "hidden"; "" if it is not left out
}

// A Resolver resolves a table's columns, the facts for all of its rows, and its product names.
type Resolver struct {
	Sheet  *workbook.Sheet
	Input  string
	Name   string        // product name for a table that names none
	Above  *grid.Context // context of the sheet above the table; Resolve adds the context of the table
	Header *Header

	// Set by Resolve.
	below     []int // buffered rows of values: indexes of grid rows
	Preface   grid.Preface
	Cols      []Column
	Setups    []Setup    // set-ups or series that are side by side; nil if each row is one set-up
	Context   grid.Facts // facts for all rows
	Sectioned bool       // whether titles among the rows name the products
	Warnings  []dataset.Fault
	Err       error // the first fault
}

// Resolve resolves a table. Each step depends on the previous steps.
func (r *Resolver) Resolve() {
	g, h := r.Header.Grid, r.Header
	if h.Layout == columns.Transposed {
		if n := len(g.Sheet); n > 1 && g.Sheet[n-1].Cut && len(g.Sheet[n-1].Cells) < len(g.Sheet[n-2].Cells) {
			r.Err = grid.CutFault(r.Input, r.Sheet.Name, g.Sheet[n-1], len(g.Sheet[n-2].Cells))
			return
		}
	}
	r.below, r.Preface = h.below(), h.Preface()
	r.takeColumns()
	if h.Map == nil {
		r.findQuantities()
		r.resolveLabels()
		r.resolveMeanings(meaningsBeforeNames)
		r.resolveThickness()
		r.findNames()
		r.resolveMeanings(meaningsAfterNames)
		r.leaveRowNumbers()
	}
	if h.Layout == columns.Transposed {
		r.readAttributes()
	}
	r.Preface.Pairs = append(r.Preface.Pairs, r.groupOfAll()...)
	r.readPercent()
	setups, series := h.splitSetups(r.Cols), splitSeries(r.Cols)
	r.Setups = slices.Concat(setups, series)
	if r.resolveDuplicates(setups != nil, series != nil); r.Err == nil {
		r.takePreface()
		r.Context = slices.Concat(r.Above.Facts, r.label())
	}
}

// takePreface adds the facts from the context rows above the table.
func (r *Resolver) takePreface() {
	s, p := r.Above, &r.Preface
	s.Title = cmp.Or(p.Title, s.Title)
	if p.Pairs.Has(grid.ProductFields...) || s.Facts.Has(grid.ProductFields...) && Has(r.Cols, grid.ProductFields...) {
		s.Facts.Forget()
	}
	for _, f := range p.Pairs {
		if s.Facts.Set(f); f.Column.Field != columns.Mounting && Has(r.Cols, f.Column.Field) {
			p.Unused = append(p.Unused, grid.NamedCell(f.At, f.Cell.Text))
		}
	}
	if s.Company = cmp.Or(s.Company, p.Company); !Has(r.Cols, columns.Manufacturer) {
		s.Company = cmp.Or(s.Company, p.Likely, r.Header.Grid.FootCompany())
	}
}

// At returns the position of a column's name.
func (h *Header) At(column int) grid.Position { return h.Grid.At(h.cells[column], column) }

// Preface reads the context rows above the table.
func (h *Header) Preface() grid.Preface {
	isDataSheet := (h.Long || h.IsCornered()) && !h.Labelled
	return grid.PrefaceOf(h.Grid, h.First, h.Last+1, h.Labelled, isDataSheet)
}

func (r *Resolver) warn(column int, path, problem string) {
	r.Warnings = append(r.Warnings, dataset.Fault{Place: r.Cols[column].Place, Path: path, Problem: problem})
}

// Fail ends the sheet with a fault about a column, unless there already is a fault.
func (r *Resolver) Fail(column int, path, problem string) {
	if r.Err == nil {
		r.Err = &dataset.Fault{Place: r.Cols[column].Place, Path: path, Problem: problem}
	}
}

// IndexOf returns the index of the first column with one of the given fields, or -1.
func IndexOf(cols []Column, fields ...columns.Field) int {
	for i := range cols {
		if f := cols[i].Field; f != columns.None && slices.Contains(fields, f) {
			return i
		}
	}
	return -1
}

// Has reports whether there is a column with one of the given fields.
func Has(cols []Column, fields ...columns.Field) bool { return IndexOf(cols, fields...) >= 0 }

// takeColumns sets Cols to the columns from the header, or from the map if there is one, and marks columns
// that are left out.
func (r *Resolver) takeColumns() {
	var hidden, private, foreign grid.Tally
	for i, c := range r.Header.Columns {
		column, place := Column{Column: c}, grid.PlaceOf(r.Input, r.Sheet.Name, r.Header.At(i))
		_, isHidden := slices.BinarySearch(r.Sheet.HiddenColumns, i+1)
		_, isMapped := r.Header.Map.Lookup(c.Header)
		if r.Header.Map != nil {
			column.Column = r.Header.Map.Column(c.Header)
		}
		var m columns.Measurand // measurand in the name of an additional column in a long table
		if r.Header.Long && c.Field == columns.None {
			m = columns.MeasurandOfCell(c.Header)
		}
		switch {
		case isMapped:
		case isHidden && r.Header.Layout != columns.Transposed:
			column = Column{Column: columns.Column{Header: c.Header}, LeftOut: "hidden"}
			hidden.Add(place, c.Header)
		case m.Foreign:
			column.LeftOut = "unsupported quantity"
			foreign.Add(place, c.Header)
		case m.Quantity != "" && Has(r.Cols, columns.Frequency) && r.count(i, columns.IsNumeric) > 0: // s, next to αs
			column.Field, column.Quantity, column.Resolution = columns.Coefficient, m.Quantity, m.Resolution
		case c.Private:
			column = Column{Column: columns.Column{Header: c.Header}, LeftOut: "prices, discounts, stock or notes"}
			private.Add(place, c.Header)
		}
		column.Place = place
		r.Cols = append(r.Cols, column)
	}
	r.Warnings = slices.Concat(hidden.Warning("hidden columns are left out"),
		foreign.Warning("columns of unsupported quantities, such as times or areas, are left out"),
		private.Warning("columns with prices, discounts, stock or notes are left out unless a map includes them"))
	if r.Header.MapProblem != "" {
		r.warn(0, "", r.Header.MapProblem+"; these rows are used because they match the most columns")
	}
}

// isGiven reports whether a context row contains one of the given fields.
func (r *Resolver) isGiven(fields ...columns.Field) bool {
	return r.Above.Facts.Has(fields...) || r.Preface.Pairs.Has(fields...)
}

// count returns the number of strings in a column below the header, or -1 if one of them does not match.
func (r *Resolver) count(column int, matches func(text string) bool) (filled int) {
	for _, row := range r.below {
		if text := r.Header.Grid.Text(row, column); text != "" && !grid.IsDitto(text) {
			if filled++; !matches(text) {
				return -1
			}
		}
	}
	return filled
}

// readPercent makes all coefficient columns percentages if a title states percentages and one of the numbers
// exceeds the limit for fractions.
func (r *Resolver) readPercent() {
	if !cmp.Or(r.Preface.Title, r.Above.Title).Percent || r.Header.Map != nil {
		return
	}
	g, over := r.Header.Grid, false
	for row := r.Header.Last + 1; row < len(g.Rows); row++ {
		n, first := grid.Filled(g.Rows[row])
		title := g.Text(row, first)
		if n == 1 && columns.MeasurandOf(title).Quantity != "" && !grid.InPercent.MatchString(title) {
			r.Fail(0, "", "the title indicates percentages, but "+dataset.Quoted(title)+" below the title does not: expected \"in %\" in "+
				"both, or each table on its own sheet")
		}
		for i := range r.Cols {
			value, ok := columns.PlainNumber(g.Text(row, i))
			over = over || ok && value > product.AbsorptionLimit && (r.Cols[i].BandHz > 0 || r.Cols[i].Quantity != "")
		}
	}
	for i := range r.Cols {
		c := &r.Cols[i]
		c.Percent = c.Percent || over && (c.BandHz > 0 || c.Field == columns.Coefficient)
	}
	if !over {
		limit := strconv.Itoa(int(product.AbsorptionLimit))
		r.warn(0, "", "the title indicates percentages, but no coefficient exceeds "+limit+": the coefficients are read unchanged")
	}
}

// HasDecimalComma reports whether most numbers have a decimal comma.
func (h *Header) HasDecimalComma() bool {
	g := h.Grid
	commas := 0
	for row := h.Last + 1; row < len(g.Rows); row++ {
		for _, cell := range g.Rows[row].Cells {
			switch text := strings.TrimSpace(cell.Text); {
			case cell.Kind != workbook.Text || !columns.IsNumeric(text):
			case strings.Contains(text, ","):
				commas++
			case strings.Contains(text, "."):
				commas--
			}
		}
	}
	return commas > 0
}

// resolveDuplicates makes fields and bands unique. The first of two columns with a field is used. Two columns
// for one band are a fault.
func (r *Resolver) resolveDuplicates(grouped, inSeries bool) {
	type groupBand struct {
		curveBand
		group string
	}
	fields, bands := map[columns.Field]bool{}, map[groupBand]int{}
	for i := range r.Cols {
		switch c := &r.Cols[i]; {
		case c.BandHz > 0:
			k := groupBand{curveBand: curveBandOf(&c.Column)}
			if grouped {
				k.group = r.Header.groups[i]
			}
			if other, ok := bands[k]; ok {
				first := workbook.WithoutSheet(r.Cols[other].Place.Cell)
				r.Fail(i, c.Header, "duplicate column for "+strconv.Itoa(c.BandHz)+" Hz; the first is "+first)
			}
			bands[k] = i
		case c.StrayHz > 0 && !slices.Contains(columns.OuterBands, c.StrayHz):
			r.Fail(i, c.Header, columns.NoBand(c.StrayHz))
		case c.Field == columns.Frequency && inSeries:
		case c.Field == columns.EntryLabel && fields[c.Field] && !Has(r.Cols, columns.MeasuringOption):
			c.Field = columns.MeasuringOption
		case c.Field != columns.None && c.Field != columns.Coefficient && fields[c.Field]:
			c.Column = columns.Column{Header: c.Header}
		default:
			fields[c.Field] = true
		}
	}
}

// groupOfAll returns the set-up in the text above all bands, such as "αs (Luftraum 50 mm)".
func (r *Resolver) groupOfAll() grid.Facts {
	groups := r.Header.groups
	at := slices.IndexFunc(r.Cols, func(c Column) bool { return c.BandHz > 0 })
	for i := range r.Cols {
		if at >= 0 && r.Cols[i].BandHz > 0 && groups[i] != groups[at] {
			return nil
		}
	}
	if at < 0 || groups[at] == "" {
		return nil
	}
	return grid.SetupIn(groups[at], r.Header.Grid.At(r.Header.First, at))
}

// resolveThickness uses an overall thickness as the thickness, unless another column gives the thickness or
// an air gap. It does not apply to an overall depth.
func (r *Resolver) resolveThickness() {
	i := IndexOf(r.Cols, columns.OverallDepth)
	if i >= 0 && thickPattern.MatchString(r.Cols[i].Header) && !Has(r.Cols, columns.Thickness, columns.AirGap) {
		r.Cols[i].Field = columns.Thickness
	}
}

var thickPattern = regexp.MustCompile(`(?i)dicke|stärke|staerke|thick`)
