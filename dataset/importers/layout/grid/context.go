package grid

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/workbook"
)

// A Title is the measurand in the last title above the rows.
type Title struct {
	columns.Measurand
	Percent bool // whether the coefficients are percentages
}

// A Preface is the content of the context rows above a table.
type Preface struct {
	Pairs   Facts
	Title   Title
	Company string   // company in a title, with a legal form
	Likely  string   // likely company in a title
	Names   Facts    // titles that can be product names; see Name
	Unused  []string // unused strings, each with its cell
}

// InPercent matches a title for percentages.
var InPercent = regexp.MustCompile(`(?i)\bin ?%|\[%\]|\(%\)|\bin prozent\b|\bin per ?cent\b|\bpercentages?\b`)

// PrefaceOf reads the context rows above a header, which begins at the row with the index end. For a data
// sheet it also reads the rows from the index below onwards, and accepts unknown keys after the product is
// named. A table that is not labelled, because it has no product column, can have keys in one row and their
// values in the next row.
func PrefaceOf(g *Grid, end, below int, labelled, isSheet bool) (p Preface) {
	for row := 0; row < end; row++ {
		n, first := Filled(g.Rows[row])
		isUnknown := isSheet && n == 2 && g.Look(row, first) == IsText && p.Pairs.Has(ProductFields...)
		if column, c := Pair(g.Rows[row], first); isUnknown && column.Field == columns.None && !column.Private {
			p.Pairs = append(p.Pairs, g.FactAt(row, c, column))
			continue
		}
		if !labelled && g.IsKeys(row, end) {
			for c, key := range g.Texts[row] {
				if column := columns.Parse(key); IsKey(&column) && g.Text(row+1, c) != "" {
					p.Pairs = append(p.Pairs, g.FactAt(row+1, c, column))
				}
			}
			row++
			continue
		}
		p.readRow(g, row)
	}
	if isSheet {
		p.readTrailing(g, below)
		cols := make([]columns.Column, len(p.Pairs))
		for i := range p.Pairs {
			cols[i] = p.Pairs[i].Column
		}
		columns.Resolve(cols)
		for i := range p.Pairs {
			p.Pairs[i].Column = cols[i]
		}
	}
	return p
}

// Name returns the title that can be a product name, followed by lines that describe it. It uses the
// last block of titles. It returns nothing if no title, or more than one, can be a name.
func (p *Preface) Name() []Fact {
	from := 0
	for i := 1; i < len(p.Names); i++ {
		isLine := p.Names[i].At.Number == p.Names[i-1].At.Number+1
		text := p.Names[i].Cell.Text
		switch {
		case !isLine:
			from = i
		case !strings.Contains(text, ",") && columns.ParseSetup(text).Thickness == "" && !IsAttribute(text):
			return nil
		}
	}
	return p.Names[from:]
}

// readTrailing reads field names with their values below the bands in a data sheet, up to the first line
// without them.
func (p *Preface) readTrailing(g *Grid, below int) {
	for row := below; row < len(g.Rows); row++ {
		n, first := Filled(g.Rows[row])
		text := g.Text(row, first)
		// skip values and units
		if columns.IsNumeric(text) || g.LookOf(text) == IsBand || IsMeasurand(text) || n > 3 && row == below {
			continue
		}
		if isRating := p.readRatings(g, row, first); n == 1 && (isRating || strings.HasSuffix(text, ":")) {
			continue
		}
		f, c, ok := PairIn(g.Rows[row])
		if f.At = g.At(row, c); !ok || IsProductField(f.Column.Field) {
			return
		}
		p.Pairs = append(p.Pairs, f)
	}
}

// readRatings reads a cell with several ratings: "αw = 0,55 (H), Klasse D". It reports whether there are any.
func (p *Preface) readRatings(g *Grid, row, c int) bool {
	before := len(p.Pairs)
	for part := range strings.SplitSeq(clauses.Replace(g.Text(row, c)), "\n") {
		key, value, ok := strings.Cut(part, "=")
		if words := strings.Fields(part); !ok && len(words) > 1 {
			key, value = strings.Join(words[:len(words)-1], " "), words[len(words)-1]
		}
		column := columns.Parse(strings.Trim(key, " :"))
		if column.Field == columns.None && ClassPattern.MatchString(columns.Fold(key)) && len(p.Pairs) > before {
			column.Field = columns.Class // belongs to the preceding rating
		}
		if value = strings.TrimSpace(value); value != "" && slices.Contains(ratingFields, column.Field) {
			p.Pairs = append(p.Pairs, Fact{Column: column, Cell: workbook.Cell{Text: value}, At: g.At(row, c)})
		}
	}
	return len(p.Pairs) > before
}

// clauses splits a string at separators that are not decimal commas.
var clauses = strings.NewReplacer(", ", "\n", "; ", "\n", " | ", "\n", " / ", "\n")

var ratingFields = []columns.Field{columns.AlphaW, columns.Class, columns.NRC, columns.SAA}

// IsKeys reports whether a row contains keys and only the row below, up to end, contains their values.
func (g *Grid) IsKeys(row, end int) bool {
	if row+1 >= end || !g.IsPlain(row) || g.IsPlain(row+1) {
		return false
	}
	values := 0
	for below := row + 1; below < end; below++ {
		if n, _ := Filled(g.Rows[below]); n > 1 {
			values++
		}
	}
	return values == 1 && len(g.Rows[row+1].Cells) >= len(g.Texts[row])
}

// readRow reads a context row: titles, and field names with their values, in one cell or in two.
func (p *Preface) readRow(g *Grid, row int) {
	cells := g.Rows[row].Cells
	for c := 0; c < len(cells); c++ {
		text, at := InOneLine(cells[c].Text), g.At(row, c)
		column, next := Pair(g.Rows[row], c)
		both, isBoth := KeyAndValue(cells[c].Text, at)
		for _, part := range nextFact.Split(cells[c].Text, -1)[1:] { // "Auftraggeber: Acme   Datum: 1.2.2024"
			if f, ok := KeyAndValue(part, at); ok {
				p.add(f)
			}
		}
		isKeyCell := IsKey(&column) && next < len(cells)
		switch {
		case text == "", !isKeyCell && p.readRatings(g, row, c):
		case isBoth && both.Column.Field == columns.Mounting && MountingIn(text, at) != nil:
			p.Pairs = append(p.Pairs, MountingIn(text, at)...)
		case isBoth:
			p.add(both)
		case isKeyCell && (strings.HasSuffix(text, ":") ||
			g.Look(row, next) != IsField && !columns.MeasurandOf(cells[next].Text).Foreign):
			c = next
			value := cells[c]
			if after := nextText(cells, c); after < len(cells) && g.Look(row, c) == IsUnit { // the unit precedes the value
				value = workbook.Cell{Text: strings.TrimRight(cells[after].Text+" "+strings.Trim(value.Text, "[]()-–"), " ")}
				c = after
			}
			p.add(Fact{Column: column, Cell: value, At: g.At(row, c)})
		default:
			p.ReadTitle(g, row, c)
		}
	}
}

// add adds a key with its value, and the mounting after the norm in the value: "ISO 354, Montage Typ A".
func (p *Preface) add(f Fact) {
	p.Pairs = append(p.Pairs, f)
	if f.Column.Field != columns.Mounting && absorptionPattern.MatchString(f.Cell.Text) {
		p.Pairs = append(p.Pairs, MountingIn(f.Cell.Text, f.At)...)
	}
}

// ReadTitle reads a cell that is neither key nor value. The last one with a measurand is the title, and a cell
// without a quantity can be a product name.
func (p *Preface) ReadTitle(g *Grid, row, c int) {
	text, at := strings.TrimLeft(g.Rows[row].Cells[c].Text, "# "), g.At(row, c)
	measurand := columns.MeasurandOf(InOneLine(text))
	if IsFootnote(text) {
		measurand = columns.Measurand{}
	}
	mounting, company := SetupIn(text, at), columns.Company(text)
	likely := columns.LikelyCompany(InOneLine(text))
	isUsed := mounting != nil || company != "" && p.Company == "" || likely != "" && p.Likely == ""
	p.Pairs, p.Company = append(p.Pairs, mounting...), cmp.Or(p.Company, company)
	p.Likely = cmp.Or(p.Likely, likely)
	if measurand.Foreign {
		p.Title = Title{Measurand: measurand}
	}
	if measurand.Quantity == "" {
		if !isUsed {
			p.Unused = append(p.Unused, NamedCell(at, text))
		}
		n, first := Filled(g.Rows[row])
		_, next := Pair(g.Rows[row], c)
		isAlone := n == 1 || g.IsTransposed() || n == 2 && c == first &&
			columns.ParseSetup(g.Text(row, next)) != columns.Setup{}
		if isAlone && company == "" && IsProductName(text) {
			p.Names = append(p.Names, Fact{Column: columns.Column{Header: text, Field: columns.Label},
				Cell: workbook.Cell{Text: InOneLine(text)}, At: at})
		}
		return
	}
	p.Title = Title{measurand, InPercent.MatchString(text)}
}

// FootCompany returns the company in the first line with an address or a copyright symbol, or "".
func (g *Grid) FootCompany() (name string) {
	for row := range g.Rows {
		if n, first := Filled(g.Rows[row]); n == 1 && name == "" {
			name = columns.FootCompany(g.Text(row, first))
		}
	}
	return name
}
