package layout

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/workbook"
)

// A title is what the last title above rows says of their coefficients.
type title struct {
	columns.Measurand
	percent bool // they are percentages
}

// A preface is what the context rows above a table say.
type preface struct {
	pairs   facts
	title   title
	company string   // that a title names by its legal form
	likely  string   // that a title may name
	names   facts    // titles that may be the name of a product, see name
	unused  []string // what is used for nothing, each with its cell
}

// inPercent matches a title that says that the coefficients below it are percentages.
var inPercent = regexp.MustCompile(`(?i)\bin ?%|\[%\]|\(%\)|\bin prozent\b|\bin per ?cent\b|\bpercentages?\b`)

// prefaceOf reads the context rows of a grid above one that names columns, and for a data sheet, whose keys no rule
// need know, what is from another one on of its product. A table of which no column names products may have keys in one
// row, and their values in the next.
func prefaceOf(g *grid, end, below int, labelled, isSheet bool) (p preface) {
	for row := 0; row < end; row++ {
		if f, ok := g.unknownKey(row); ok && isSheet && p.pairs.has(productFields...) {
			p.pairs = append(p.pairs, f)
			continue
		}
		if !labelled && g.isKeys(row, end) {
			for c, key := range g.texts[row] {
				if column := columns.Parse(key); isKey(&column) && g.text(row+1, c) != "" {
					p.pairs = append(p.pairs, Fact{Column: column, Cell: g.rows[row+1].Cells[c], at: g.at(row+1, c)})
				}
			}
			row++
			continue
		}
		p.readRow(g, row)
	}
	if isSheet {
		p.readTrailing(g, below)
		cols := make([]columns.Column, len(p.pairs))
		for i := range p.pairs {
			cols[i] = p.pairs[i].Column
		}
		columns.Resolve(cols)
		for i := range p.pairs {
			p.pairs[i].Column = cols[i]
		}
	}
	return p
}

// name returns the title that may be the name of a product, with the lines that describe it: of the titles that
// are below one another the last ones. It is empty where there are none, or where several may be names.
func (p *preface) name() []Fact {
	from := 0
	for i := 1; i < len(p.names); i++ {
		isLine := p.names[i].at.number == p.names[i-1].at.number+1
		text := p.names[i].Cell.Text
		switch {
		case !isLine:
			from = i
		case !strings.Contains(text, ",") && columns.ParseSetup(text).Thickness == "" &&
			!attributePattern.MatchString(columns.Fold(text)):
			return nil
		}
	}
	return p.names[from:]
}

// unknownKey returns what a row says that has two texts, the first an unknown name.
func (g *grid) unknownKey(row int) (f Fact, ok bool) {
	n, first := filled(g.rows[row])
	if n != 2 || g.look(row, first) != isText {
		return f, false
	}
	column, c := pair(g.rows[row], first)
	f = Fact{Column: column, Cell: g.rows[row].Cells[c], at: g.at(row, c)}
	return f, column.Field == columns.None && !column.Private
}

// readTrailing reads what a data sheet says of its product below its bands: names of fields with their
// values, up to the next line that is none.
func (p *preface) readTrailing(g *grid, below int) {
	for row := below; row < len(g.rows); row++ {
		n, first := filled(g.rows[row])
		if columns.IsNumeric(g.text(row, first)) || g.look(row, first) == isBand || isMeasurand(g.text(row, first)) {
			continue
		}
		isHeading := strings.HasSuffix(g.text(row, first), ":")
		if isRating := p.readRatings(g, row, first); n == 1 && (isRating || isHeading) {
			continue
		}
		if f, ok := keyAndValue(g.text(row, first), g.at(row, first)); n == 1 && ok && !isProductField(f.Column.Field) {
			p.pairs = append(p.pairs, f)
			continue
		}
		if n > 3 && row == below {
			continue // the units
		} else if n != 2 && n != 3 {
			return
		}
		column, c := pair(g.rows[row], first)
		value := g.rows[row].Cells[c]
		if n == 3 { // "αw | 0,55 | (MH)"
			_, last := pair(g.rows[row], c)
			if !shapePattern.MatchString(g.text(row, last)) {
				return
			}
			value = workbook.Cell{Text: value.Text + " " + g.text(row, last)}
		}
		if column.Field == columns.None && classPattern.MatchString(columns.Fold(column.Header)) && classText.MatchString(value.Text) {
			column.Field = columns.Class
		}
		if !isKey(&column) || isProductField(column.Field) {
			return
		}
		p.pairs = append(p.pairs, Fact{Column: column, Cell: value, at: g.at(row, c)})
	}
}

// readRatings reads a cell that says several things: "αw = 0,55 (H), Klasse D". It reports whether it is
// such.
func (p *preface) readRatings(g *grid, row, c int) bool {
	var found facts
	for part := range strings.FieldsFuncSeq(clauses.Replace(g.text(row, c)), func(r rune) bool { return r == '\n' }) {
		key, value, ok := strings.Cut(part, "=")
		if words := strings.Fields(part); !ok && len(words) > 1 {
			key, value = strings.Join(words[:len(words)-1], " "), words[len(words)-1]
		}
		column := columns.Parse(strings.Trim(key, " :"))
		if column.Field == columns.None && classPattern.MatchString(columns.Fold(key)) && len(found) > 0 {
			column.Field = columns.Class // of the rating before it
		}
		if isRating := slices.Contains(ratingFields, column.Field); isRating && strings.TrimSpace(value) != "" {
			found = append(found, Fact{Column: column, Cell: workbook.Cell{Text: strings.TrimSpace(value)}, at: g.at(row, c)})
		}
	}
	p.pairs = append(p.pairs, found...)
	return len(found) > 0
}

// clauses parts a text at the commas that are no decimal signs.
var clauses = strings.NewReplacer(", ", "\n", "; ", "\n", " | ", "\n", " / ", "\n")

var ratingFields = []columns.Field{columns.AlphaW, columns.Class, columns.NRC, columns.SAA}

// isKeys reports whether a row has keys, with their values in the row below, the only one up to the end.
func (g *grid) isKeys(row, end int) bool {
	if row+1 >= end || !g.isPlain(row) || g.isPlain(row+1) {
		return false
	}
	values := 0
	for below := row + 1; below < end; below++ {
		if n, _ := filled(g.rows[below]); n > 1 {
			values++
		}
	}
	return values == 1 && len(g.rows[row+1].Cells) >= len(g.texts[row])
}

// readRow reads a context row: names of fields with their values, in one cell or in two, and titles.
func (p *preface) readRow(g *grid, row int) {
	cells := g.rows[row].Cells
	for c := 0; c < len(cells); c++ {
		text, at := inOneLine(cells[c].Text), g.at(row, c)
		column, next := pair(g.rows[row], c)
		both, isBoth := keyAndValue(cells[c].Text, at)
		for _, part := range nextFact.Split(cells[c].Text, -1)[1:] { // "Auftraggeber: Acme   Datum: 1.2.2024"
			if f, ok := keyAndValue(part, at); ok {
				p.add(f)
			}
		}
		isKeyCell := isKey(&column) && next < len(cells)
		switch {
		case text == "", !isKeyCell && p.readRatings(g, row, c):
		case isBoth && both.Column.Field == columns.Mounting && mountingIn(text, at) != nil:
			p.pairs = append(p.pairs, mountingIn(text, at)...)
		case isBoth:
			p.add(both)
		case isKeyCell && (strings.HasSuffix(text, ":") ||
			g.look(row, next) != isField && !columns.MeasurandOf(cells[next].Text).Foreign):
			c = next
			value := cells[c]
			if after := nextText(cells, c); after < len(cells) && g.look(row, c) == isUnit { // the unit is before the value
				value = workbook.Cell{Text: strings.TrimRight(cells[after].Text+" "+strings.Trim(value.Text, "[]()-–"), " ")}
				c = after
			}
			p.add(Fact{Column: column, Cell: value, at: g.at(row, c)})
		default:
			p.readTitle(g, row, c)
		}
	}
}

// add adds a key with its value, and the mounting that the value names after its norm: "ISO 354, Montage Typ A".
func (p *preface) add(f Fact) {
	p.pairs = append(p.pairs, f)
	if f.Column.Field != columns.Mounting && absorptionPattern.MatchString(f.Cell.Text) {
		p.pairs = append(p.pairs, mountingIn(f.Cell.Text, f.at)...)
	}
}

// readTitle reads a cell that is no key or value: the last one that names a quantity is the title.
func (p *preface) readTitle(g *grid, row, c int) {
	text, at := strings.TrimLeft(g.rows[row].Cells[c].Text, "# "), g.at(row, c)
	says := columns.MeasurandOf(inOneLine(text))
	if isFootnote(text) {
		says = columns.Measurand{}
	}
	mounting, company := setupIn(text, at), columns.Company(text)
	likely := columns.LikelyCompany(inOneLine(text))
	isUsed := mounting != nil || company != "" && p.company == "" || likely != "" && p.likely == ""
	p.pairs, p.company = append(p.pairs, mounting...), cmp.Or(p.company, company)
	p.likely = cmp.Or(p.likely, likely)
	if says.Foreign {
		p.title = title{Measurand: says}
	}
	if says.Quantity == "" {
		if !isUsed {
			p.unused = append(p.unused, namedCell(at, text))
		}
		if n, first := filled(g.rows[row]); (n == 1 || g.sheet != nil || n == 2 && c == first && g.endsInSetup(row)) && company == "" && isProductName(text) {
			p.names = append(p.names, Fact{Column: columns.Column{Header: text, Field: columns.Label},
				Cell: workbook.Cell{Text: inOneLine(text)}, at: at})
		}
		return
	}
	p.title = title{says, inPercent.MatchString(text)}
}

// endsInSetup reports whether the last text of a row says how a product was set up.
func (g *grid) endsInSetup(row int) bool {
	for c := len(g.texts[row]) - 1; c >= 0; c-- {
		if text := g.texts[row][c]; text != "" {
			return columns.ParseSetup(text) != columns.Setup{}
		}
	}
	return false
}

// footCompany returns the company that a line of the sheet names with its address or a sign of copyright, "" for none.
func (g *grid) footCompany() (name string) {
	for row := range g.rows {
		if n, first := filled(g.rows[row]); n == 1 && name == "" {
			name = columns.FootCompany(g.text(row, first))
		}
	}
	return name
}
