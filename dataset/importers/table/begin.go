package table

import (
	"cmp"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/workbook"
	"sabine/dataset/product"
)

// begin begins the reading of a table.
func (r *sheetReader) begin(g *grid, h *header, layout Layout) {
	r.preface.unused = nil
	for row := range h.first {
		r.preface.readLine(g, row)
	}
	t := &tableReader{importing: r.importing, mapped: r.mapped, layout: layout, marks: -1, merged: mergedCells{ranges: g.merged},
		tableContext: &tableContext{input: r.input, sheet: r.sheet.Name, columns: h.columns}, width: len(h.columns)}
	r.origin(t, g)
	for c, row := range h.cells {
		t.places = append(t.places, t.placeAt(g.rows[row].Number, g.rows[row].Line, c+1))
	}
	for row := h.first; row <= h.last; row++ {
		t.headers = append(t.headers, g.texts[row])
	}
	t.account = ToldTable{Input: r.input, Sheet: r.sheet.Name, Layout: layout}
	if layout == Transposed {
		g.joinUnits(h)
	}
	r.nameless(t, g, h)
	for i := range t.columns {
		if t.mapped != nil {
			t.columns[i] = t.mapped.columnOf(t.columns[i].Header)
		}
	}
	r.apply(t, g, h)
	r.quantity(t)
	if t.mapped == nil {
		r.percent(t, g, h)
	}
	t.comma = g.comma(h)
	t.splitSetups(g, h)
	if r.err = t.once(h); r.err != nil {
		return
	}
	if !t.labelled(g, h) {
		r.err = &dataset.Fault{Place: t.places[0], Problem: `no column of names: expected one called "name", "label", "product", "Bezeichnung", "Produkt" or "Material"`}
		return
	}
	t.index()
	r.account(t, g, h)
	r.table = t
	r.tables++
	if r.allTables++; r.allTables > maxTables {
		r.err = &dataset.Fault{Place: t.places[0], Problem: "more than " + strconv.Itoa(maxTables) + " tables: what follows is not read"}
	}
}

// maxTables is how many tables are read together.
const maxTables = 10_000

// origin has the table tell where its cells stand in the sheet.
func (r *sheetReader) origin(t *tableReader, g *grid) {
	t.origin = func(row, line, cell int) (int, int, int) {
		if cell > t.width && cell <= t.width+len(t.said) {
			s := t.said[cell-t.width-1].in(row)
			return s.row.Number, s.row.Line, s.at
		}
		if t.layout == Transposed {
			at, column := g.origin(workbook.Row{Number: row}, cell-1)
			return at.Number, at.Line, column + 1
		}
		return row, line, cell
	}
}

// nameless finds what columns are for whose name is that of the bands beside them, or that have none: products, or quantities.
func (r *sheetReader) nameless(t *tableReader, g *grid, h *header) {
	for c := range t.columns {
		column := &t.columns[c]
		if column.Field == FieldFrequency && h.bands > 0 {
			*column = Column{Header: column.Header}
			quantities, _ := g.all(h, c, len(g.rows), isQuantity)
			if none, _ := g.all(h, c, len(g.rows), func(text string) bool { return !isOurs(text) }); quantities && !none {
				column.Field = FieldQuantity
			} else if !h.labelled && !r.says(FieldLabel) {
				column.Field, h.labelled = FieldLabel, true
			}
		}
	}
	for c := range t.columns {
		column := &t.columns[c]
		if column.BandHz > 0 || h.labelled || h.long || r.says(FieldLabel) {
			break
		}
		words, some := g.all(h, c, fitRows, isWord)
		if column.Field == FieldNone && words && some && (column.Header == "" || hasNamePart(column.Header)) {
			column.Field, h.labelled = FieldLabel, true
			t.warn(t.places[c], column.Header, "read as the names of the products")
		}
	}
}

// hasNamePart reports whether a name is of two axes, one of them that of products: "Produkt / Frequenz".
func hasNamePart(header string) bool {
	return slices.ContainsFunc(strings.FieldsFunc(header, func(r rune) bool { return strings.ContainsRune(`/\|`, r) }), func(part string) bool {
		c := columnOf(part)
		return isProductField(c.Field)
	})
}

// says reports whether a line above the table gives a field.
func (r *sheetReader) says(f Field) bool {
	return slices.ContainsFunc(r.preface.said, func(s said) bool { return s.column.Field == f })
}

// all reports whether all cells of a column in the first rows below a header are such, and whether there are any.
func (g *grid) all(h *header, column, rows int, such func(text string) bool) (all, some bool) {
	for row := h.last + 1; row < min(len(g.rows), h.last+1+rows); row++ {
		if text := g.text(row, column); text != "" {
			if some = true; !such(text) {
				return false, true
			}
		}
	}
	return true, some
}

// isQuantity reports whether a cell names a quantity of ours, or what stands beside one in test reports: a time, an area.
func isQuantity(text string) bool { return isOurs(text) || isOtherCell(text) }

func isOurs(text string) bool {
	quantity, _ := quantityOfCell(text)
	return quantity != ""
}

func isWord(text string) bool { return !isNumeric(text) }

// apply gives the table what the lines above it say, as far as no column says it.
func (r *sheetReader) apply(t *tableReader, g *grid, h *header) {
	if t.layout == Transposed {
		r.applyAttributes(t.columns, g, h)
	}
	for _, s := range r.preface.said {
		if hasField(t.columns, s.column.Field) {
			v := s.values[0]
			r.preface.unused = append(r.preface.unused, namedCell(v.row.Number, v.at, v.cell.Text))
			continue
		}
		t.addSaid(s)
	}
}

// quantity finds what the coefficients are whose column and row do not say: what the lines above the table say, the name of the sheet, or that
// of the file. Where these name what is none of our quantities, such columns are read as texts.
func (r *sheetReader) quantity(t *tableReader) {
	p := &r.preface
	t.quantity, t.resolution = p.quantity, p.resolution
	if m := t.mapped; m != nil {
		t.quantity, t.manufacturer, t.sourceKind = cmp.Or(m.Quantity, AlphaS), m.Manufacturer, m.SourceKind
	}
	other := p.other
	for _, name := range []string{r.sheet.Name, strings.TrimSuffix(filepath.Base(r.input), filepath.Ext(r.input))} {
		quantity, resolution := quantityOf(name)
		if t.quantity == "" && isOther(name) {
			quantity, other = "", cmp.Or(other, name)
		}
		t.quantity = cmp.Or(t.quantity, quantity)
		t.resolution = cmp.Or(t.resolution, resolution)
	}
	if other == "" || t.quantity != "" {
		return
	}
	for i := range t.columns {
		if c := &t.columns[i]; c.Quantity == "" && (c.BandHz > 0 || c.StrayHz > 0 || c.Field == FieldCoefficient) {
			*c = Column{Header: c.Header}
		}
	}
	t.warn(t.places[0], "", dataset.Quoted(other)+" is none of the coefficients that a record has: columns that do not say otherwise are kept as text")
}

// percent takes coefficients for percentages where a line above the table says so and one of them can be nothing else.
func (r *sheetReader) percent(t *tableReader, g *grid, h *header) {
	if !r.preface.percent {
		return
	}
	over := false
	for row := h.last + 1; row < len(g.rows); row++ {
		for c := range t.columns[:t.width] {
			if value, ok := plainNumber(g.text(row, c)); ok && t.columns[c].BandHz+len(t.columns[c].Quantity) > 0 && value > product.AbsorptionLimit {
				over = true
			}
		}
	}
	if !over {
		t.warn(t.places[0], "", "the title speaks of percent, and no coefficient is over "+strconv.Itoa(int(product.AbsorptionLimit))+": they are taken as they stand")
		return
	}
	for i := range t.columns {
		if c := &t.columns[i]; c.BandHz > 0 || c.Field == FieldCoefficient {
			c.Percent = true
		}
	}
}

// comma reports whether the decimal sign of most numbers is a comma.
func (g *grid) comma(h *header) bool {
	commas, points := 0, 0
	for row := h.last + 1; row < len(g.rows); row++ {
		for i := range g.rows[row].Cells {
			cell := &g.rows[row].Cells[i]
			if cell.Kind != workbook.Text || !isNumeric(strings.TrimSpace(cell.Text)) {
				continue
			}
			if strings.Contains(cell.Text, ",") {
				commas++
			} else if strings.Contains(cell.Text, ".") {
				points++
			}
		}
	}
	return commas > points
}

// A curveBand is what only one column of a table, or of one of its set-ups, may be of.
type curveBand struct {
	bandHz     int
	quantity   Quantity
	resolution Resolution
}

// once has each field and each band once: of two columns of one field the first speaks, two of one band are a fault.
func (t *tableReader) once(h *header) error {
	type groupBand struct {
		curveBand
		group string
	}
	fields, bands := map[Field]bool{}, map[groupBand]int{}
	for i := range t.columns {
		c := &t.columns[i]
		switch {
		case c.BandHz > 0:
			k := groupBand{curveBand: curveBand{c.BandHz, c.Quantity, c.Resolution}}
			if len(t.setups) > 0 {
				k.group = h.groups[i]
			}
			if other, ok := bands[k]; ok {
				return &dataset.Fault{Place: t.places[i], Path: c.Header, Problem: "a second column for " + strconv.Itoa(c.BandHz) + " Hz, the first is " +
					unsheeted(t.places[other].Cell)}
			}
			bands[k] = i
		case c.StrayHz > 0 && !slices.Contains(beyondBands, c.StrayHz):
			return &dataset.Fault{Place: t.places[i], Path: c.Header, Problem: noBandProblem(c.StrayHz)}
		case c.Field != FieldNone && c.Field != FieldCoefficient && fields[c.Field]:
			*c = Column{Header: c.Header}
		default:
			fields[c.Field] = true
		}
		t.ours = t.ours || c.Field == FieldEmpty
	}
	return nil
}

// labelled reports whether a column, or a line between the rows, says which product a row is of.
func (t *tableReader) labelled(g *grid, h *header) bool {
	if slices.ContainsFunc(t.columns, func(c Column) bool { return isProductField(c.Field) }) {
		return true
	}
	return t.layout != Transposed && slices.ContainsFunc(g.rows[h.last+1:], func(row workbook.Row) bool {
		return slices.ContainsFunc(row.Cells, func(cell workbook.Cell) bool {
			c, _, ok := keyAndValue(cell.Text)
			return ok && isProductField(c.Field)
		})
	})
}

// index finds the columns that are looked at in each row.
func (t *tableReader) index() {
	t.marks = -1
	if t.layout == Transposed {
		t.marks = slices.IndexFunc(t.columns[:t.width], func(c Column) bool { return c.Field == FieldQuantity })
		if t.marks < 0 {
			t.marks = slices.IndexFunc(t.columns[:t.width], func(c Column) bool { return c.Field == FieldLabel })
		}
	}
	var names, others []int
	for i := range t.width {
		switch c := &t.columns[i]; {
		case c.BandHz > 0 || c.Field == FieldCoefficient || c.Field == FieldFrequency:
			t.bands = append(t.bands, i)
		case c.Field == FieldMaterial || c.Field == FieldCommercialName || c.Field == FieldDescription: // each may name a product where another is blank
			others = append(others, i)
		case isProductField(c.Field):
			names = append(names, i)
		case c.Field == FieldManufacturer:
			t.products = append(t.products, i)
		}
	}
	if len(names) == 0 {
		names = others
	}
	if len(names) == 0 {
		t.products = nil
		return
	}
	t.products = append(names, t.products...)
}
