package header

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout/grid"
	"sabine/dataset/importers/workbook"
)

// resolveLabels finds which of two columns of product names contains codes: "Item" next to "Product".
func (r *Resolver) resolveLabels() {
	var labels []int
	for i := range r.Cols {
		if r.Cols[i].Field == columns.Label && r.Cols[i].LeftOut == "" {
			labels = append(labels, i)
		}
	}
	r.readSetups(labels)
	if Has(r.Cols, columns.Article) || len(labels) != 2 {
		return
	}
	isCodes := func(i int) bool { return r.count(i, codeText.MatchString) > 0 }
	for k, i := range labels {
		if isCodes(i) && !isCodes(labels[1-k]) {
			r.Cols[i].Field = columns.Article
		}
	}
}

// readSetups makes the name column a set-up field if all of its cells are values of that field, as in the
// columns of a transposed table whose title names the product: "Air gap 50 mm".
func (r *Resolver) readSetups(labels []int) {
	if len(labels) != 1 || r.Header.Layout != columns.Transposed {
		return
	}
	c := &r.Cols[labels[0]]
	var field columns.Field
	values := map[string]string{}
	isSetup := func(text string) bool {
		pairs := groupContext(nil, text, grid.Position{})
		if len(pairs) != 1 || pairs.Has(columns.MeasuringOption) || field != "" && !pairs.Has(field) {
			return false
		}
		field, values[text] = pairs[0].Column.Field, pairs[0].Cell.Text
		return true
	}
	if r.count(labels[0], isSetup) <= 0 {
		return
	}
	c.Column = columns.Column{Header: c.Header, Field: field}
	for _, row := range r.below {
		r.Header.Grid.Rows[row].Cells[labels[0]].Text = values[r.Header.Grid.Text(row, labels[0])]
	}
}

// A meaning is a rule that changes the field of the first column with one of the given fields whose name and
// cells all match. It does not apply if another column already uses the new field.
type meaning struct {
	from   []columns.Field
	to     columns.Field
	name   *regexp.Regexp // matches the folded name; nil for any name
	values func(text string) bool
	least  int // minimum number of matching cells
}

var (
	resolutionText = regexp.MustCompile(`(?i)^((1/3|1/1|one[- ]third|third)[ -]?(oct(aves?)?)?|octaves?|` +
		`oktaven?|oktavband|terz(en|band)?)( ?bands?)?$`)
	codeText  = regexp.MustCompile(`^[^ \[\]():]*[0-9-][^ \[\]():]*$`)
	mixedText = regexp.MustCompile(`^[^ \[\]():]*([\pL-][^ \[\]():]*[0-9]|[0-9][^ \[\]():]*[\pL-])[^ \[\]():]*$`)

	unknown = []columns.Field{columns.None}
)

// meaningsBeforeNames do not depend on the name column. They apply in this order.
var meaningsBeforeNames = []meaning{
	{unknown, columns.Article, regexp.MustCompile(`^(nr|no|nummer|number|code|kuerzel)\.?$`), mixedText.MatchString, 1},
	{[]columns.Field{columns.Source}, columns.Article, regexp.MustCompile(`^ref\.?$`), codeText.MatchString, 1},
	{[]columns.Field{columns.EntryLabel, columns.MeasuringOption}, columns.Mounting, nil, columns.InMountings.Names, 1},
	{[]columns.Field{columns.Shape}, columns.ShapeInd, nil, grid.ShapePattern.MatchString, 1},
	{unknown, columns.Class, grid.ClassPattern, grid.ClassText.MatchString, 1},
	{unknown, columns.AlphaW, nil, regexp.MustCompile(`^[αaɑ]_?w ?[=:]? ?[01][.,]`).MatchString, 1},
	{unknown, columns.Mounting, regexp.MustCompile(`aufbau|einbau|mont|mount|pruef`), columns.InMountings.Names, 1},
	{unknown, columns.Mounting, nil, columns.InUnknown.Names, 1},
	{unknown, columns.OfQuantity, nil, resolutionText.MatchString, 1},
	{[]columns.Field{columns.ID}, columns.Article, nil, regexp.MustCompile(`^.{1,31}$`).MatchString, 1},
	{unknown, columns.Thickness, regexp.MustCompile(`^(frequen|f[ /])`),
		regexp.MustCompile(`^[0-9][0-9 ./,-]*(mm|cm|"|″|in|inch)$`).MatchString, 1},
}

// meaningsAfterNames apply once the name column is known.
var meaningsAfterNames = []meaning{
	{unknown, columns.EntryLabel, nil, isSetup, 2},
	{unknown, columns.MeasuringOption, nil, isSetup, 2},
}

// isSetup reports whether a string describes a specimen's set-up.
func isSetup(text string) bool {
	return columns.ParseSetup(text) != columns.Setup{} && grid.IsWord(text)
}

// resolveMeanings sets the fields of columns by their cells.
func (r *Resolver) resolveMeanings(meanings []meaning) {
	for _, m := range meanings {
		if Has(r.Cols, m.to) {
			continue
		}
		for i := range r.Cols {
			c := &r.Cols[i]
			if slices.Contains(m.from, c.Field) && c.BandHz == 0 && c.LeftOut == "" &&
				(m.name == nil || m.name.MatchString(columns.Fold(c.Header))) && r.count(i, m.values) >= m.least {
				c.Column = columns.Column{Header: c.Header, Field: m.to}
				break
			}
		}
	}
}

// leaveRowNumbers omits the id column of a long table with product names if each row has a different id,
// because such ids number the rows and not the products.
func (r *Resolver) leaveRowNumbers() {
	if !r.Header.Long || !Has(r.Cols, columns.Label) {
		return
	}
	for i := range r.Cols {
		seen := map[string]bool{}
		isNew := func(text string) bool { before := seen[text]; seen[text] = true; return !before }
		if slices.Contains(numbers, r.Cols[i].Field) && r.count(i, isNew) > 3 {
			r.Cols[i].Column, r.Cols[i].LeftOut = columns.Column{Header: r.Cols[i].Header}, "row numbers"
			r.warn(i, r.Cols[i].Header, "the column contains row numbers instead of product numbers: left out")
		}
	}
}

// kindPattern matches folded column names that describe a product. Such a column names the product if there
// is no name column.
var kindPattern = regexp.MustCompile(`^(design|dekor|lochbild|lochung|perforation|struktur|pattern|muster)$`)

// findNames finds product names if no column name indicates them. It uses a column before the bands with no
// name or with two axes, "Produkt / Frequenz", or else the first column of words that differ between rows. If
// article numbers identify products, each must have one name in that column.
func (r *Resolver) findNames() {
	isName := func(c Column) bool {
		return grid.IsProductField(c.Field) && !slices.Contains(numbers, c.Field) && c.Field != columns.Material
	}
	if r.isGiven(columns.Label) || slices.ContainsFunc(r.Cols, isName) {
		return
	}
	if r.Header.Long { // the first column in which each name fills one row per band
		c := &r.Cols[0]
		if c.Field == columns.None && c.Header != "" && c.LeftOut == "" && len(r.below) > 0 &&
			r.count(0, grid.IsWord) == len(r.below) && columns.MeasurandOfCell(c.Header) == (columns.Measurand{}) &&
			!grid.IsAttribute(c.Header) {
			r.nameBy(0)
		}
		return
	}
	numbered := Has(r.Cols, numbers...)
	end := len(r.Cols) // a material is not a name if a column before it contains names
	if i := IndexOf(r.Cols, columns.Material); i >= 0 && !numbered {
		end = i
	}
	isAxes := func(header string) bool {
		parts := strings.FieldsFunc(header, func(r rune) bool { return strings.ContainsRune(`/\|`, r) })
		return slices.ContainsFunc(parts, func(part string) bool { return grid.IsProductField(columns.Parse(part).Field) })
	}
	find := func(isCandidate func(c *Column) bool, distinct bool) bool {
		for i := range end {
			c, texts := &r.Cols[i], map[string]bool{}
			if c.BandHz > 0 && !distinct {
				return false
			}
			isUnknown := c.Field == columns.None || c.Field == columns.Series
			if !isUnknown || c.Hz() >= 1 || c.LeftOut != "" || !isCandidate(c) {
				continue
			}
			filled := r.count(i, func(text string) bool { texts[text] = true; return grid.IsWord(text) })
			isUnique := 2*len(texts) >= filled && (filled == 1 || len(texts) > 1) && (!numbered || r.isNameOf(i))
			if 2*filled >= len(r.below) && filled > 0 && (!distinct || isUnique) && (!numbered || filled == len(r.below)) {
				return r.nameBy(i)
			}
		}
		return false
	}
	_ = find(func(c *Column) bool { return c.Header == "" || !numbered && isAxes(c.Header) }, false) ||
		find(func(c *Column) bool { return c.Header != "" && !grid.IsAttribute(c.Header) }, true) ||
		find(func(c *Column) bool { return kindPattern.MatchString(columns.Fold(c.Header)) }, true) ||
		r.nameByMaterial(numbered)
}

// nameByMaterial uses the material column for names if each article number has its own material.
func (r *Resolver) nameByMaterial(numbered bool) bool {
	i := IndexOf(r.Cols, columns.Material)
	return i >= 0 && numbered && r.count(i, grid.IsWord) == len(r.below) && r.isNameOf(i) && r.nameBy(i)
}

// nameBy makes a column the name column.
func (r *Resolver) nameBy(column int) bool {
	r.Cols[column].Field = columns.Label
	r.warn(column, r.Cols[column].Header, "the column is read as product names")
	return true
}

// numbers are the fields that identify products without naming them.
var numbers = []columns.Field{columns.Article, columns.ID, columns.Slug}

// isNameOf reports whether a column contains one string for each article number, and different strings for
// different numbers.
func (r *Resolver) isNameOf(column int) bool {
	number := IndexOf(r.Cols, numbers...)
	nameOf, numberOf := map[string]string{}, map[string]string{}
	for _, row := range r.below {
		key, name := r.Header.Grid.Text(row, number), r.Header.Grid.Text(row, column)
		otherName, hasName := nameOf[key]
		otherKey, hasNumber := numberOf[name]
		if hasName && otherName != name || hasNumber && otherKey != key {
			return false
		}
		nameOf[key], numberOf[name] = name, key
	}
	return true
}

// nameFields are the product fields that are names.
var nameFields = []columns.Field{columns.Label, columns.LabelEN, columns.CommercialName}

// section returns the first of several section titles, each of which names the products in the rows below it.
// The first title must be directly below the header, and each title must be above a row with at least
// two filled cells. section returns "" if there are fewer than two titles.
func (r *Resolver) section() (first string) {
	g, named := r.Header.Grid, 0
	for row := r.Header.Last + 1; row+1 < len(g.Rows) && r.Header.Layout == columns.Across; row++ {
		n, c := grid.Filled(g.Rows[row])
		below, _ := grid.Filled(g.Rows[row+1])
		switch isTitle := n == 1 && below > 1 && grid.IsWord(g.Text(row, c)) && grid.IsProductName(g.Text(row, c)); {
		case row == r.Header.Last+1 && !isTitle:
			return ""
		case isTitle:
			first = cmp.Or(first, g.Text(row, c))
			named++
		}
	}
	if named < 2 {
		return ""
	}
	return first
}

// quotedName matches a product name in a title: "Versuchsreihe „Fjord 40“".
var quotedName = regexp.MustCompile(`[„“«»‚]\s*([^„“”«»‚‘]{3,80}?)\s*[“”«»‘]`)

// label returns the product name from the options, or from the only title, for a table whose columns and
// context rows contain none.
func (r *Resolver) label() grid.Facts {
	s, g := r.Above, r.Header.Grid
	isGiven := r.Header.Layout != columns.Transposed && slices.ContainsFunc(g.Rows[r.Header.Last+1:],
		func(row workbook.Row) bool {
			return slices.ContainsFunc(row.Cells, func(cell workbook.Cell) bool {
				f, ok := grid.KeyAndValue(cell.Text, grid.Position{})
				return ok && grid.IsProductField(f.Column.Field)
			})
		})
	name, titles := r.Name, r.Preface.Name()
	if m := r.Header.Map; m != nil {
		name = cmp.Or(m.Label, name)
	}
	switch {
	case isGiven || s.Facts.Has(grid.ProductFields...) && (len(titles) == 0 || s.Facts.Has(nameFields...)),
		Has(r.Cols, grid.ProductFields...):
		return nil
	case name != "":
		return grid.Facts{grid.FactOf(columns.Label, name, r.Header.At(0))}
	case len(titles) > 0:
		label := titles[0]
		if m := quotedName.FindStringSubmatch(label.Cell.Text); m != nil {
			label.Cell.Text = m[1]
		}
		r.Warnings = append(r.Warnings, grid.FaultOf(r.Input, r.Sheet.Name, label.At,
			"the title is read as the product name: "+dataset.Quoted(label.Cell.Text)))
		facts := grid.Facts{label}
		if len(titles) > 1 && !r.isGiven(columns.Description) && !Has(r.Cols, columns.Description) {
			facts = append(facts, grid.FactOf(columns.Description, titles[1].Cell.Text, titles[1].At))
		}
		for _, f := range titles[:len(facts)] {
			isTitle := func(text string) bool { return text == grid.NamedCell(f.At, f.Cell.Text) }
			r.Preface.Unused = slices.DeleteFunc(r.Preface.Unused, isTitle)
		}
		return facts
	}
	if text := r.section(); text != "" {
		r.Sectioned = true
		return grid.Facts{grid.FactOf(columns.Label, text, r.Header.At(0))}
	}
	r.Fail(0, "", `no column of product names: expected a column called "name", "label", "product", "Bezeichnung", "Produkt" or `+
		`"Material", a row "Produkt: NAME" above the table, or --label NAME`)
	return nil
}
