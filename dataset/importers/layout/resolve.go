package layout

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/workbook"
	"sabine/dataset/product"
)

// A resolver finds what the columns of a block are, what is said of all of its rows, and what names its products.
type resolver struct {
	sheet *workbook.Sheet
	input string
	name  string // of the product of a table that names none
	said  *said  // above the block

	grid     *grid
	header   *header
	below    []int // the rows of values that are held
	preface  preface
	cols     []Column
	setups   []setup
	context  facts // that are of all rows
	warnings []dataset.Fault
	err      error // the first fault

	sectioned bool // titles among the rows name the products
}

// resolve resolves a block. Each step needs those before it.
func (r *resolver) resolve() {
	g, h := r.grid, r.header
	if r.header.layout == columns.Transposed {
		if n := len(g.sheet); n > 1 && g.sheet[n-1].Cut && len(g.sheet[n-1].Cells) < len(g.sheet[n-2].Cells) {
			r.err = cutFault(r.input, r.sheet.Name, g.sheet[n-1], len(g.sheet[n-2].Cells))
			return
		}
	}
	r.below, r.preface = h.below(), h.preface()
	r.takeColumns()
	if r.header.fits == nil {
		r.findQuantities()
		r.resolveLabels()
		r.resolveMeanings(meanings[0])
		r.resolveThickness()
		r.findNames()
		r.resolveMeanings(meanings[1])
		r.leaveRowNumbers()
	}
	if r.header.layout == columns.Transposed {
		r.readAttributes()
	}
	r.preface.pairs = append(r.preface.pairs, r.groupOfAll()...)
	r.readPercent()
	setups, series := splitSetups(r.cols, h.groups), splitSeries(r.cols)
	r.setups = slices.Concat(setups, series)
	if r.resolveTwins(setups != nil, series != nil); r.err == nil {
		r.takePreface()
		r.context = slices.Concat(r.said.facts, r.label())
	}
}

// takePreface takes what the context rows above the table say.
func (r *resolver) takePreface() {
	s, p := r.said, &r.preface
	s.title = cmp.Or(p.title, s.title)
	if p.pairs.has(productFields...) || s.facts.has(productFields...) && slices.ContainsFunc(r.cols, isOfProduct) {
		s.facts.forget()
	}
	for _, f := range p.pairs {
		if s.facts.say(f); f.Column.Field != columns.None && f.Column.Field != columns.Mounting && has(r.cols, f.Column.Field) {
			p.unused = append(p.unused, namedCell(f.at, f.Cell.Text))
		}
	}
	if s.company = cmp.Or(s.company, p.company); !has(r.cols, columns.Manufacturer) {
		s.company = cmp.Or(s.company, p.likely, r.grid.footCompany())
	}
}

// at returns the position of a column's name.
func (h *header) at(column int) position { return h.grid.at(h.cells[column], column) }

// preface returns what the context rows above the table say.
func (h *header) preface() preface {
	isSheet := (h.long || h.isCornered()) && !h.labelled
	return prefaceOf(h.grid, h.first, h.last+1, h.labelled, isSheet)
}

// warn adds a warning about a column.
func (r *resolver) warn(column int, path, problem string) {
	r.warnings = append(r.warnings, dataset.Fault{Place: r.cols[column].Place, Path: path, Problem: problem})
}

// fail ends the sheet with a fault of a column, unless there is one.
func (r *resolver) fail(column int, path, problem string) {
	if r.err == nil {
		r.err = &dataset.Fault{Place: r.cols[column].Place, Path: path, Problem: problem}
	}
}

// has reports whether one of the columns is of a field.
func has(cols []Column, f columns.Field) bool {
	return slices.ContainsFunc(cols, func(c Column) bool { return c.Field == f })
}

// takeColumns takes the columns of the header, as a map has them if there is one, but for those that are left
// out.
func (r *resolver) takeColumns() {
	var hidden, private, foreign tally
	for i, c := range r.header.columns {
		column, place := Column{Column: c}, placeOf(r.input, r.sheet.Name, r.header.at(i))
		_, isHidden := slices.BinarySearch(r.sheet.HiddenColumns, i+1)
		isMapped := false
		if m := r.header.fits; m != nil {
			column.Column = m.Column(c.Header)
			_, isMapped = m.Is(c.Header)
		}
		switch {
		case isMapped:
		case isHidden && r.header.layout != columns.Transposed:
			column = Column{Column: columns.Column{Header: c.Header}, Left: "hidden"}
			hidden.add(place, c.Header)
		case r.header.long && c.Field == columns.None && columns.MeasurandOfCell(c.Header).Foreign:
			column.Left = "a quantity that no record has"
			foreign.add(place, c.Header)
		case r.isSymbol(i, &c):
			m := columns.MeasurandOfCell(c.Header)
			column.Field, column.Quantity, column.Resolution = columns.Coefficient, m.Quantity, m.Resolution
		case c.Private:
			column = Column{Column: columns.Column{Header: c.Header}, Left: "prices, discounts, stock or notes"}
			private.add(place, c.Header)
		}
		column.Place = place
		r.cols = append(r.cols, column)
	}
	r.warnings = slices.Concat(hidden.warning("hidden columns are left out"),
		foreign.warning("columns of times, areas and other quantities that no record has are left out"),
		private.warning("columns of prices, discounts, stock or notes are left out unless a map takes them"))
	if r.header.lacks != "" {
		r.warn(0, "", r.header.lacks+": read from here, where most of them are")
	}
}

// isSymbol reports whether the name of a column, after that of the frequencies of a long table, is only the
// symbol of a quantity, as s beside αs, and its cells are numbers.
func (r *resolver) isSymbol(column int, c *columns.Column) bool {
	isNumber := func(text string) bool { return columns.IsNumeric(text) }
	return r.header.long && c.Field == columns.None && columns.MeasurandOfCell(c.Header).Quantity != "" &&
		has(r.cols, columns.Frequency) && r.count(column, isNumber) > 0
}

// isGiven reports whether a context row gives one of some fields.
func (r *resolver) isGiven(fields ...columns.Field) bool {
	return r.said.facts.has(fields...) || r.preface.pairs.has(fields...)
}

func isOfProduct(c Column) bool { return isProductField(c.Field) }

// count returns how many rows below the header have a text in a column, -1 where one of the texts is not
// such.
func (r *resolver) count(column int, such func(text string) bool) (filled int) {
	for _, row := range r.below {
		if text := r.grid.text(row, column); text != "" && !isDitto(text) {
			if filled++; !such(text) {
				return -1
			}
		}
	}
	return filled
}

// readPercent makes all columns of coefficients those of percentages if a title speaks of percent and one of
// their numbers can be nothing else.
func (r *resolver) readPercent() {
	if !cmp.Or(r.preface.title, r.said.title).percent || r.header.fits != nil {
		return
	}
	over := false
	for row := r.header.last + 1; row < len(r.grid.rows); row++ {
		n, first := filled(r.grid.rows[row])
		if title := r.grid.text(row, first); n == 1 && columns.MeasurandOf(title).Quantity != "" && !inPercent.MatchString(title) {
			r.fail(0, "", "the title speaks of percent, and "+dataset.Quoted(title)+" below it does not: expected \"in %\" in "+
				"both, or the tables apart, each on a sheet of its own")
		}
		for i := range r.cols {
			value, ok := columns.PlainNumber(r.grid.text(row, i))
			over = over || ok && value > product.AbsorptionLimit && (r.cols[i].BandHz > 0 || r.cols[i].Quantity != "")
		}
	}
	for i := range r.cols {
		c := &r.cols[i]
		c.Percent = c.Percent || over && (c.BandHz > 0 || c.Field == columns.Coefficient)
	}
	if !over {
		limit := strconv.Itoa(int(product.AbsorptionLimit))
		r.warn(0, "", "the title speaks of percent, and no coefficient is over "+limit+": they are taken as they are")
	}
}

// hasDecimalComma reports whether the decimal sign of most numbers is a comma.
func (h *header) hasDecimalComma() bool {
	g := h.grid
	commas := 0
	for row := h.last + 1; row < len(g.rows); row++ {
		for _, cell := range g.rows[row].Cells {
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

// resolveTwins has each field and each band once: of two columns of one field the first counts, two of one
// band are a fault.
func (r *resolver) resolveTwins(grouped, inSeries bool) {
	type groupBand struct {
		curveBand
		group string
	}
	fields, bands := map[columns.Field]bool{}, map[groupBand]int{}
	for i := range r.cols {
		switch c := &r.cols[i]; {
		case c.BandHz > 0:
			k := groupBand{curveBand: curveBandOf(&c.Column)}
			if grouped {
				k.group = r.header.groups[i]
			}
			if other, ok := bands[k]; ok {
				first := unsheeted(r.cols[other].Place.Cell)
				r.fail(i, c.Header, "a second column for "+strconv.Itoa(c.BandHz)+" Hz, the first is "+first)
			}
			bands[k] = i
		case c.StrayHz > 0 && !slices.Contains(columns.Beyond, c.StrayHz):
			r.fail(i, c.Header, columns.NoBand(c.StrayHz))
		case c.Field == columns.Frequency && inSeries:
		case c.Field == columns.EntryLabel && fields[c.Field] && !has(r.cols, columns.MeasuringOption):
			c.Field = columns.MeasuringOption
		case c.Field != columns.None && c.Field != columns.Coefficient && fields[c.Field]:
			c.Column = columns.Column{Header: c.Header}
		default:
			fields[c.Field] = true
		}
	}
}

// nameFields are the product fields that are names.
var nameFields = []columns.Field{columns.Label, columns.LabelEN, columns.CommercialName}

// section returns the first of the titles among the rows that name the products of the rows below them, ""
// where these do not: the row below the header is one, and another one is among the others, each above a row
// with a coefficient.
func (r *resolver) section() (first string) {
	g, named := r.grid, 0
	if r.header.layout != columns.Across {
		return ""
	}
	for row := r.header.last + 1; row+1 < len(g.rows); row++ {
		n, c := filled(g.rows[row])
		below, _ := filled(g.rows[row+1])
		switch isTitle := n == 1 && below > 1 && isWord(g.text(row, c)) && isProductName(g.text(row, c)); {
		case row == r.header.last+1 && !isTitle:
			return ""
		case isTitle:
			first = cmp.Or(first, g.text(row, c))
			named++
		}
	}
	if named < 2 {
		return ""
	}
	return first
}

// quotedName matches the name of a product in a title: "Versuchsreihe „Fjord 40“".
var quotedName = regexp.MustCompile(`[„“«»‚]\s*([^„“”«»‚‘]{3,80}?)\s*[“”«»‘]`)

// groupOfAll returns how the text above all bands says that the specimens were set up: "αs (Luftraum 50 mm)".
func (r *resolver) groupOfAll() facts {
	at := -1
	for i := range r.cols {
		switch {
		case r.cols[i].BandHz == 0:
		case r.header.groups[i] == "" || at >= 0 && r.header.groups[i] != r.header.groups[at]:
			return nil
		case at < 0:
			at = i
		}
	}
	if at < 0 {
		return nil
	}
	return setupIn(r.header.groups[at], r.grid.at(r.header.first, at))
}

// resolveThickness takes an overall thickness, which is no overall depth, for the thickness where no column has that or
// an air gap.
func (r *resolver) resolveThickness() {
	i := slices.IndexFunc(r.cols, func(c Column) bool { return c.Field == columns.OverallDepth })
	if i >= 0 && thickPattern.MatchString(r.cols[i].Header) && !has(r.cols, columns.Thickness) && !has(r.cols, columns.AirGap) {
		r.cols[i].Field = columns.Thickness
	}
}

var thickPattern = regexp.MustCompile(`(?i)dicke|stärke|staerke|thick`)

// label returns what names the product of a table in which neither a column nor a context row does: the
// options, or the only title.
func (r *resolver) label() facts {
	s, g := r.said, r.grid
	isGiven := r.header.layout != columns.Transposed && slices.ContainsFunc(g.rows[r.header.last+1:],
		func(row workbook.Row) bool {
			return slices.ContainsFunc(row.Cells, func(cell workbook.Cell) bool {
				f, ok := keyAndValue(cell.Text, position{})
				return ok && isProductField(f.Column.Field)
			})
		})
	name := r.name
	titles := r.preface.name()
	if m := r.header.fits; m != nil {
		name = cmp.Or(m.Label, name)
	}
	switch {
	case isGiven || s.facts.has(productFields...) && (len(titles) == 0 || s.facts.has(nameFields...)) || slices.ContainsFunc(r.cols, isOfProduct):
		return nil
	case name != "":
		return facts{factOf(columns.Label, name, r.header.at(0))}
	case len(titles) > 0:
		label := titles[0]
		if m := quotedName.FindStringSubmatch(label.Cell.Text); m != nil {
			label.Cell.Text = m[1]
		}
		r.warnings = append(r.warnings, faultOf(r.input, r.sheet.Name, label.at,
			"the title is read as the name of the product: "+dataset.Quoted(label.Cell.Text)))
		said := facts{label}
		if len(titles) > 1 && !r.isGiven(columns.Description) && !has(r.cols, columns.Description) {
			line := titles[1]
			line.Column = columns.Column{Header: string(columns.Description), Field: columns.Description}
			said = append(said, line)
		}
		r.preface.unused = slices.DeleteFunc(r.preface.unused, func(text string) bool {
			return slices.ContainsFunc(titles[:len(said)], func(f Fact) bool { return text == namedCell(f.at, f.Cell.Text) })
		})
		return said
	}
	if text := r.section(); text != "" {
		r.sectioned = true
		return facts{factOf(columns.Label, text, r.header.at(0))}
	}
	r.fail(0, "", `no column of names: expected one called "name", "label", "product", "Bezeichnung", "Produkt" or `+
		`"Material", or `+
		`a row "Produkt: NAME" above the table; or give --label NAME`)
	return nil
}

// A Column is a column of a table.
type Column struct {
	columns.Column
	Place dataset.Place // of its name
	Left  string        // why it is left out, such as "hidden" or "prices, discounts, stock or notes"; or ""
}
