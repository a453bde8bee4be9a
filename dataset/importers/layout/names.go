package layout

import (
	"regexp"
	"slices"
	"strings"

	"sabine/dataset/importers/columns"
)

var (
	refPattern    = regexp.MustCompile(`(?i)^ref\.?$`)
	numberPattern = regexp.MustCompile(`(?i)^(nr|no|nummer|number|code|k(ü|ue)rzel)\.?$`)
)

// resolveLabels finds article numbers: the codes under "Ref.", and which of two columns with names of
// products has codes: "Item" beside "Product".
func (r *resolver) resolveLabels() {
	var labels []int
	for i := range r.cols {
		if r.cols[i].Field == columns.Label && r.cols[i].Left == "" {
			labels = append(labels, i)
		}
	}
	r.readSetups(labels)
	if has(r.cols, columns.Article) {
		return
	}
	isCode := func(text string) bool {
		return strings.ContainsAny(text, "0123456789-") && !strings.ContainsAny(text, " []():") || columns.IsNumeric(text)
	}
	isCodes := func(i int) bool { return r.count(i, isCode) > 0 }
	letters := func(text string) bool { return strings.ContainsAny(text, "0123456789") && !columns.IsNumeric(text) }
	for i := range r.cols {
		c := &r.cols[i]
		if c.Field == columns.None && c.Left == "" && numberPattern.MatchString(c.Header) && isCodes(i) && r.count(i, letters) > 0 {
			c.Field = columns.Article
			return
		}
	}
	for i := range r.cols {
		if c := &r.cols[i]; c.Field == columns.Source && refPattern.MatchString(c.Header) && isCodes(i) {
			c.Field = columns.Article
			return
		}
	}
	if len(labels) != 2 {
		return
	}
	for k, i := range labels {
		if isCodes(i) && !isCodes(labels[1-k]) {
			r.cols[i].Field = columns.Article
		}
	}
}

// readSetups makes the column of names one of a set-up where that is all that its cells say, as columns of a
// transposed table do whose product is in the title: "Air gap 50 mm".
func (r *resolver) readSetups(labels []int) {
	if len(labels) != 1 || r.block.layout != columns.Transposed {
		return
	}
	c := &r.cols[labels[0]]
	var field columns.Field
	values := map[string]string{}
	isSetup := func(text string) bool {
		pairs := groupContext(nil, text)
		if len(pairs) != 1 || pairs[0].column.Field == columns.MeasuringOption || field != "" && pairs[0].column.Field != field {
			return false
		}
		field, values[text] = pairs[0].column.Field, pairs[0].cell.Text
		return true
	}
	if r.count(labels[0], isSetup) <= 0 {
		return
	}
	c.Column = columns.Column{Header: c.Header, Field: field}
	for _, row := range r.below {
		r.grid.rows[row].Cells[labels[0]].Text = values[r.grid.text(row, labels[0])]
	}
}

// A meaning makes a column of another field if all its cells say so, and no other column is of that field.
type meaning struct {
	from   []columns.Field
	to     columns.Field
	name   *regexp.Regexp // of the folded name; nil for any
	values *regexp.Regexp
}

var (
	classPattern   = regexp.MustCompile(`(^|[ /-])(klasse|class|classe|klass)( \(.*\)| (din|en|iso) .*| a ?[–-] ?e)?$`)
	classText      = regexp.MustCompile(`^([A-E]|(?i:(nicht|not|non|n\.) ?[a-z]+))$|^[-–—]$`)
	resolutionText = regexp.MustCompile(`(?i)^((1/3|1/1|one[- ]third|third)[ -]?(oct(aves?)?)?|octaves?|` +
		`oktaven?|oktavband|terz(en|band)?)( ?bands?)?$`)
	shapePattern = regexp.MustCompile(`^\(?[LMH](, ?|/)?[MH]?(, ?|/)?H?\)?$|^[-–—]$`)
	meanings     = []meaning{
		{[]columns.Field{columns.EntryLabel, columns.MeasuringOption}, columns.Mounting, nil,
			columns.InMountings.Pattern()},
		{[]columns.Field{columns.Shape}, columns.ShapeInd, nil, shapePattern},
		{[]columns.Field{columns.None}, columns.Class, classPattern, classText},
		{[]columns.Field{columns.None}, columns.AlphaW, nil, regexp.MustCompile(`^[αaɑ]_?w ?[=:]? ?[01][.,]`)},
		{[]columns.Field{columns.None}, columns.Mounting, regexp.MustCompile(`aufbau|einbau|mont|mount|pruef`),
			columns.InMountings.Pattern()},
		{[]columns.Field{columns.None}, columns.Mounting, nil, columns.InUnknown.Pattern()},
		{[]columns.Field{columns.None}, columns.OfQuantity, nil, resolutionText},
		{[]columns.Field{columns.ID}, columns.Article, nil, regexp.MustCompile(`^.{1,31}$`)},
		{[]columns.Field{columns.None}, columns.Thickness, regexp.MustCompile(`^(frequen|f[ /])`), regexp.MustCompile(`^[0-9][0-9 ./,-]*(mm|cm|"|″|in|inch)$`)},
	}
)

// resolveMeanings gives columns the field that their cells say.
func (r *resolver) resolveMeanings() {
	for _, m := range meanings {
		if has(r.cols, m.to) {
			continue
		}
		for i := range r.cols {
			c := &r.cols[i]
			if slices.Contains(m.from, c.Field) && c.BandHz == 0 && c.Left == "" &&
				(m.name == nil || m.name.MatchString(columns.Fold(c.Header))) && r.count(i, m.values.MatchString) > 0 {
				c.Column = columns.Column{Header: c.Header, Field: m.to}
				break
			}
		}
	}
}

// attributePattern matches the folded names of columns that describe a product and do not name it.
var attributePattern = regexp.MustCompile(`farbe|farbton|colou?r|surface|oberflaeche|finish|dekor|design|` +
	`groesse|format|perforation|` +
	`lochung|loch|struktur|kern|core|gewicht|weight|dichte|density|bemerk|remark|note|notiz|comment|hinweis|` +
	`pruef|test|report|bericht|` +
	`^pos\b|^nr\b|^no\b|^lfd|^rang\b|^stand\b|` +
	`datum|date|status|stand|montage|mount|aufbau|set-?up|drapierung|norm|quelle|source|hersteller|kante|edge`)

// findSetups makes an unknown column whose cells all say how a specimen was set up one of the words for it.
func (r *resolver) findSetups() {
	for i := range r.cols {
		c := &r.cols[i]
		says := func(text string) bool { return columns.ParseSetup(text) != columns.Setup{} && isWord(text) }
		if c.Field != columns.None || c.BandHz > 0 || c.Left != "" || r.count(i, says) < 2 {
			continue
		}
		for _, f := range []columns.Field{columns.EntryLabel, columns.MeasuringOption} {
			if !has(r.cols, f) {
				c.Field = f
				break
			}
		}
	}
}

// leaveRowNumbers leaves out a column of ids in a table with a row a band that has another one in each row: they tell
// rows apart and not products, which have names.
func (r *resolver) leaveRowNumbers() {
	if !r.header.long || !has(r.cols, columns.Label) {
		return
	}
	for i := range r.cols {
		seen := map[string]bool{}
		isNew := func(text string) bool { before := seen[text]; seen[text] = true; return !before }
		if isNumbered(r.cols[i]) && r.count(i, isNew) > 3 {
			r.cols[i].Column, r.cols[i].Left = columns.Column{Header: r.cols[i].Header}, "numbers of rows"
			r.warn(i, r.cols[i].Header, "numbers the rows, not the products: left out")
		}
	}
}

// kindPattern matches the folded names of columns that describe a product, and name it where nothing else does.
var kindPattern = regexp.MustCompile(`^(design|dekor|lochbild|lochung|perforation|struktur|pattern|muster)$`)

// findNames finds the names of products where no column is called by them: in a column before the bands that
// has no name or one of two axes, "Produkt / Frequenz", or else in the first column of words that differ from
// row to row, whatever it is called. Where numbers of articles say which product a row is of, each must have
// a name there.
func (r *resolver) findNames() {
	isName := func(c Column) bool { return isOfProduct(c) && !isNumbered(c) && c.Field != columns.Material }
	if r.isGiven(columns.Label) || slices.ContainsFunc(r.cols, isName) {
		return
	}
	if r.header.long { // the first column, in which a name is in as many rows as it has bands
		c := &r.cols[0]
		if c.Field == columns.None && c.Header != "" && c.Left == "" && r.count(0, isWord) == len(r.below) && len(r.below) > 0 &&
			columns.MeasurandOfCell(c.Header) == (columns.Measurand{}) && !attributePattern.MatchString(columns.Fold(c.Header)) {
			c.Field = columns.Label
			r.warn(0, c.Header, "read as the names of the products")
		}
		return
	}
	numbered := slices.ContainsFunc(r.cols, isNumbered)
	end := len(r.cols) // a material is no name where a column before it has names
	if i := slices.IndexFunc(r.cols, func(c Column) bool { return c.Field == columns.Material }); i >= 0 && !numbered {
		end = i
	}
	isAxes := func(header string) bool {
		parts := strings.FieldsFunc(header, func(r rune) bool { return strings.ContainsRune(`/\|`, r) })
		return slices.ContainsFunc(parts, func(part string) bool { return isProductField(columns.Parse(part).Field) })
	}
	find := func(isCandidate func(c *Column) bool, distinct bool) bool {
		for i := range end {
			c, texts := &r.cols[i], map[string]bool{}
			if c.BandHz > 0 && !distinct {
				return false
			}
			if c.Field != columns.None && c.Field != columns.Series || c.BandHz+int(c.StrayHz) > 0 || c.Left != "" || !isCandidate(c) {
				continue
			}
			filled := r.count(i, func(text string) bool { texts[text] = true; return isWord(text) })
			isUnique := !distinct || 2*len(texts) >= filled && (filled == 1 || len(texts) > 1) && (!numbered || r.isNameOf(i))
			if 2*filled >= len(r.below) && filled > 0 && isUnique && (!numbered || filled == len(r.below)) {
				c.Field = columns.Label
				r.warn(i, c.Header, "read as the names of the products")
				return true
			}
		}
		return false
	}
	if end == 0 || r.header.plain {
		return
	}
	_ = find(func(c *Column) bool { return c.Header == "" || !numbered && isAxes(c.Header) }, false) ||
		find(func(c *Column) bool { return c.Header != "" && !attributePattern.MatchString(columns.Fold(c.Header)) }, true) ||
		find(func(c *Column) bool { return kindPattern.MatchString(columns.Fold(c.Header)) }, true) || r.nameByMaterial(numbered)
}

// nameByMaterial makes the column of materials that of names where each article number has one of its own.
func (r *resolver) nameByMaterial(numbered bool) bool {
	i := slices.IndexFunc(r.cols, func(c Column) bool { return c.Field == columns.Material })
	if i < 0 || !numbered || r.count(i, isWord) != len(r.below) || !r.isNameOf(i) {
		return false
	}
	r.cols[i].Field = columns.Label
	r.warn(i, r.cols[i].Header, "read as the names of the products")
	return true
}

// isNumbered reports whether a column has what tells products apart and is no name.
func isNumbered(c Column) bool {
	return c.Field == columns.Article || c.Field == columns.ID || c.Field == columns.Slug
}

// isNameOf reports whether a column has one text for each article number, and another one for each other.
func (r *resolver) isNameOf(column int) bool {
	number := slices.IndexFunc(r.cols, isNumbered)
	names, numbers := map[string]string{}, map[string]string{}
	for _, row := range r.below {
		key, name := r.grid.text(row, number), r.grid.text(row, column)
		otherName, ok := names[key]
		otherKey, ok2 := numbers[name]
		if ok && otherName != name || ok2 && otherKey != key {
			return false
		}
		names[key], numbers[name] = name, key
	}
	return true
}
