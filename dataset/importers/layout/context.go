package layout

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/workbook"
)

// A keyValue is what a context row says of the rows below it: "Hersteller: Acme".
type keyValue struct {
	column columns.Column
	cell   workbook.Cell
	at     position
}

// A title is what the last title above rows says of their coefficients.
type title struct {
	columns.Measurand
	percent bool // they are percentages
}

// A preface is what the context rows above a table say.
type preface struct {
	pairs   []keyValue
	title   title
	company string     // that a title names by its legal form
	likely  string     // that a title may name
	names   []keyValue // titles that may be the name of a product, see name
	unused  []string   // what is used for nothing, each with its cell
}

// inPercent matches a title that says that the coefficients below it are percentages.
var inPercent = regexp.MustCompile(`(?i)\bin ?%|\[%\]|\(%\)|\bin prozent\b|\bin per ?cent\b|\bpercentages?\b`)

// prefaceOf reads the context rows above a header.
func prefaceOf(g *grid, h *header) (p preface) {
	isSheet := (h.long || h.isCornered()) && !h.labelled // a data sheet, whose keys no rule need know
	for row := 0; row < h.first; row++ {
		if kv, ok := g.unknownKey(row); ok && isSheet && slices.ContainsFunc(p.pairs, func(o keyValue) bool {
			return isProductField(o.column.Field)
		}) {
			p.pairs = append(p.pairs, kv)
			continue
		}
		if g.isKeys(row, h) {
			for c, key := range g.texts[row] {
				if column := columns.Parse(key); isKey(&column) && g.text(row+1, c) != "" {
					p.pairs = append(p.pairs, keyValue{column, g.rows[row+1].Cells[c], g.at(row+1, c)})
				}
			}
			row++
			continue
		}
		p.readRow(g, row)
	}
	if isSheet {
		p.readTrailing(g, h)
		cols := make([]columns.Column, len(p.pairs))
		for i := range p.pairs {
			cols[i] = p.pairs[i].column
		}
		columns.Resolve(cols)
		for i := range p.pairs {
			p.pairs[i].column = cols[i]
		}
	}
	return p
}

// name returns the title that may be the name of a product, with the lines that describe it: of the titles that
// are below one another the last ones. It is empty where there are none, or where several may be names.
func (p *preface) name() []keyValue {
	from := 0
	for i := 1; i < len(p.names); i++ {
		isLine := p.names[i].at.number == p.names[i-1].at.number+1
		text := p.names[i].cell.Text
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
func (g *grid) unknownKey(row int) (kv keyValue, ok bool) {
	n, first := filled(g.rows[row])
	if n != 2 || g.look(row, first) != isText {
		return kv, false
	}
	column, c := pair(g.rows[row], first)
	return keyValue{column, g.rows[row].Cells[c], g.at(row, c)}, column.Field == columns.None && !column.Private
}

// readTrailing reads what a data sheet says of its product below its bands: names of fields with their
// values, up to the next line that is none.
func (p *preface) readTrailing(g *grid, h *header) {
	for row := h.last + 1; row < len(g.rows); row++ {
		n, first := filled(g.rows[row])
		if columns.IsNumeric(g.text(row, first)) || g.look(row, first) == isBand || isMeasurand(g.text(row, first)) {
			continue
		}
		isHeading := strings.HasSuffix(g.text(row, first), ":")
		if isRating := p.readRatings(g, row, first); n == 1 && (isRating || isHeading) {
			continue
		}
		if column, value, ok := keyAndValue(g.text(row, first)); n == 1 && ok && !isProductField(column.Field) {
			p.pairs = append(p.pairs, keyValue{column, workbook.Cell{Text: value}, g.at(row, first)})
			continue
		}
		if n > 3 && row == h.last+1 {
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
		p.pairs = append(p.pairs, keyValue{column, value, g.at(row, c)})
	}
}

// readRatings reads a cell that says several things: "αw = 0,55 (H), Klasse D". It reports whether it is
// such.
func (p *preface) readRatings(g *grid, row, c int) bool {
	var pairs []keyValue
	for part := range strings.FieldsFuncSeq(clauses.Replace(g.text(row, c)), func(r rune) bool { return r == '\n' }) {
		key, value, ok := strings.Cut(part, "=")
		if words := strings.Fields(part); !ok && len(words) > 1 {
			key, value = strings.Join(words[:len(words)-1], " "), words[len(words)-1]
		}
		column := columns.Parse(strings.Trim(key, " :"))
		if column.Field == columns.None && classPattern.MatchString(columns.Fold(key)) && len(pairs) > 0 {
			column.Field = columns.Class // of the rating before it
		}
		if isRating := slices.Contains(ratingFields, column.Field); isRating && strings.TrimSpace(value) != "" {
			pairs = append(pairs, keyValue{column, workbook.Cell{Text: strings.TrimSpace(value)}, g.at(row, c)})
		}
	}
	p.pairs = append(p.pairs, pairs...)
	return len(pairs) > 0
}

// clauses parts a text at the commas that are no decimal signs.
var clauses = strings.NewReplacer(", ", "\n", "; ", "\n", " | ", "\n", " / ", "\n")

var ratingFields = []columns.Field{columns.AlphaW, columns.Class, columns.NRC, columns.SAA}

// isKeys reports whether a row above a header that names no product has keys, with their values in the row
// below.
func (g *grid) isKeys(row int, h *header) bool {
	if h.labelled || row+1 >= h.first || !g.isPlain(row) || g.isPlain(row+1) {
		return false
	}
	values := 0
	for below := row + 1; below < h.first; below++ {
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
		text := inOneLine(cells[c].Text)
		column := columns.Parse(strings.TrimRight(text, ": "))
		next := c + 1
		for next < len(cells) && !hasText(&cells[next]) {
			next++
		}
		of, value, isBoth := keyAndValue(cells[c].Text)
		p.readOthers(cells[c].Text, g.at(row, c))
		isKeyCell := isKey(&column) && next < len(cells)
		switch {
		case text == "", !isKeyCell && p.readRatings(g, row, c):
		case isBoth && of.Field == columns.Mounting && mountingIn(text, g.at(row, c)) != nil:
			p.pairs = append(p.pairs, mountingIn(text, g.at(row, c))...)
		case isBoth:
			p.pairs = append(p.pairs, keyValue{of, workbook.Cell{Text: value}, g.at(row, c)})
			p.readNorm(of.Field, value, g.at(row, c))
		case isKeyCell && (strings.HasSuffix(text, ":") ||
			g.look(row, next) != isField && !columns.MeasurandOf(cells[next].Text).Foreign):
			c = next
			value := cells[c]
			for after := c + 1; after < len(cells) && g.look(row, c) == isUnit; after++ { // the unit is before the value
				if hasText(&cells[after]) {
					value = workbook.Cell{Text: strings.TrimRight(cells[after].Text+" "+strings.Trim(value.Text, "[]()-–"), " ")}
					c = after
				}
			}
			p.pairs = append(p.pairs, keyValue{column, value, g.at(row, c)})
			p.readNorm(column.Field, value.Text, g.at(row, c))
		default:
			p.readTitle(g, row, c)
		}
	}
}

// readOthers reads the keys with their values after the first ones in a cell: "Auftraggeber: Acme   Datum: 1.2.2024".
func (p *preface) readOthers(text string, at position) {
	for i, part := range nextFact.Split(text, -1) {
		if c, value, ok := keyAndValue(part); ok && i > 0 {
			p.pairs = append(p.pairs, keyValue{c, workbook.Cell{Text: value}, at})
			p.readNorm(c.Field, value, at)
		}
	}
}

// readNorm reads the mounting that a value names after its norm: "ISO 354, Montage Typ A".
func (p *preface) readNorm(f columns.Field, value string, at position) {
	if f != columns.Mounting && absorptionPattern.MatchString(value) {
		p.pairs = append(p.pairs, mountingIn(value, at)...)
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
			p.names = append(p.names, keyValue{columns.Column{Header: text, Field: columns.Label},
				workbook.Cell{Text: inOneLine(text)}, at})
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

// mountingIn returns how a title says that all specimens were mounted, and how far from the wall.
func mountingIn(text string, at position) (pairs []keyValue) {
	text = inOneLine(text)
	in := columns.InTitle
	if absorptionPattern.MatchString(text) {
		in = columns.InAbsorption
	}
	mounting := in.Mounting(text)
	if mounting == "" || isFootnote(text) {
		return nil
	}
	say := func(f columns.Field, value string) {
		pairs = append(pairs, keyValue{columns.Column{Header: string(f), Field: f}, workbook.Cell{Text: value}, at})
	}
	say(columns.Mounting, mounting)
	if m := distancePattern.FindStringSubmatch(text); m != nil {
		say(columns.AirGap, cmp.Or(m[1], m[2]))
	}
	return pairs
}

// setupIn returns how a title says that all specimens were set up: mounted, how thick, and how far from the wall.
func setupIn(text string, at position) (pairs []keyValue) {
	pairs = mountingIn(text, at)
	s := columns.ParseSetup(inOneLine(text))
	if !s.Sure {
		s.Thickness = ""
	}
	for _, said := range []struct {
		field columns.Field
		text  string
	}{{columns.Thickness, s.Thickness}, {columns.AirGap, s.AirGap}} {
		isSaid := slices.ContainsFunc(pairs, func(kv keyValue) bool { return kv.column.Field == said.field })
		if said.text != "" && !isSaid && !isFootnote(text) {
			pairs = append(pairs, keyValue{columns.Column{Header: string(said.field), Field: said.field},
				workbook.Cell{Text: said.text}, at})
		}
	}
	return pairs
}

// absorptionPattern matches what is of absorption, where a type is no product's.
var absorptionPattern = regexp.MustCompile(`(?i)iso 354|astm|absorpt`)

// distancePattern matches how far such specimens were from the wall.
var distancePattern = regexp.MustCompile(`(?i)\b([0-9]+ ?[mc]m) (?:vor|von|unter|from|in front of|below) |` +
	`(?:abstand|distance):? ([0-9]+ ?[mc]m)\b`)

// isKey reports whether a context row can say what a column of it would.
func isKey(c *columns.Column) bool {
	return c.Field != columns.None && c.BandHz == 0 && !slices.Contains([]columns.Field{columns.Frequency,
		columns.Coefficient,
		columns.OfQuantity, columns.Meta, columns.Empty, columns.EntryNumber}, c.Field)
}

// keyAndValue returns what a cell says that has both: "Hersteller: Acme".
func keyAndValue(text string) (c columns.Column, value string, ok bool) {
	if strings.IndexByte(text, ':') < 0 {
		return c, "", false
	}
	key, value, _ := strings.Cut(strings.TrimLeft(text, "# "), ":")
	if value = strings.TrimSpace(value); value == "" {
		return c, "", false
	}
	key = inOneLine(key)
	if c = columns.Parse(key); c.Field == columns.None && testPattern.MatchString(columns.Fold(key)) && isProductName(value) {
		c.Field = columns.Label
	}
	if c.Field == columns.Manufacturer || c.Field == columns.Label {
		if at := nextFact.FindStringIndex(value); at != nil {
			value = value[:at[0]]
		}
	}
	return c, inOneLine(value), isKey(&c)
}

var (
	// testPattern matches the folded words before the name of a product in reports: "Prüfung 1: Akustikplatte Fjord".
	testPattern = regexp.MustCompile(`^(tab\.?|table|tabelle|pruefung|versuch|probe|muster|produkt|test|` +
		`specimen|sample|product) (no\.? ?|nr\.? ?)?([0-9]{1,3}|[a-z])$`)
	// nextFact matches what parts a name from the next thing that is said in the same cell.
	nextFact = regexp.MustCompile(` [·|] |\s{3,}`)
)

// footnotePattern matches a line that explains others.
var footnotePattern = regexp.MustCompile(`^ *(\*|[¹²³⁴⁵⁶⁷⁸⁹†‡]|\(?[0-9a-z]\)|\[[0-9]\]|(?i:` +
	`hinweise?|anmerkung(en)?|fu(ß|ss)noten?|notes?|remarks?|legende?|bemerkung(en)?|n\. ?b\.)($|[^\pL]))`)

// isFootnote reports whether a line decides nothing, wherever it is.
func isFootnote(text string) bool { return footnotePattern.MatchString(text) }

// generalPattern matches folded titles that name no product: norms, quantities, companies, and what any
// report is called.
var generalPattern = regexp.MustCompile(`\b(din|en|iso|astm)\b.*[0-9]|:|=|absorption|streu|diffus|schall|sound|` +
	`\b(gmbh|ag|kg|ltd|inc|llc|institut|university|universitaet|hochschule|date|page|seite|sheet|data|daten|test)\b|` +
	`ergebnis|bericht|datenblatt|messung|vergleich|comparison|matrix|preis|price|montage|\blist\b|(19|` +
	`20)[0-9][0-9]|messwert|pruefung|liste\b|uebersicht|tabelle|katalog|anlage\b|anhang|\bstand\b|` +
	`gegenueberstellung|technische|laborato|versuchsanstalt|pruefanstalt|ingenieurbuero|\bdept\b|department|` +
	`vertraulich|result|report|data ?sheet|measure|overview|\btable|catalogue|catalog\b|technical|appendix|` +
	`ministerium|ministry|behoerde|verwaltung|projekt|\bproject|auftrag|leitfaden|guideline|richtlinie`)

// isProductName reports whether a title may be the name of a product.
func isProductName(text string) bool {
	folded := columns.Fold(text)
	letters := strings.Trim(folded, " 0123456789.,;/()-_")
	return len(text) <= 100 && len(letters) >= 2 && !isFootnote(text) && !generalPattern.MatchString(folded)
}

// say adds what a context row says. Of one field the last value counts.
func (s *Scanner) say(kv keyValue) {
	s.context = slices.DeleteFunc(s.context, func(o keyValue) bool {
		return o.column.Field == kv.column.Field && (o.column.Field != columns.None || o.column.Header == kv.column.Header)
	})
	s.context = append(s.context, kv)
}

// lastingFields are those that a context row says of all products below it, whatever product is named then.
var lastingFields = []columns.Field{columns.Manufacturer, columns.ManufacturerSlug, columns.ManufacturerID, columns.Laboratory,
	columns.Norm, columns.SourceNorm, columns.SourceKind, columns.DataSource, columns.Source}

// forget drops what was said of another product: what stood with its name or below it.
func (s *Scanner) forget() {
	first := firstOfProduct(s.context, func(kv keyValue) (columns.Field, int) { return kv.column.Field, kv.at.number })
	s.context = slices.DeleteFunc(s.context, func(kv keyValue) bool {
		return kv.at.number >= first && !slices.Contains(lastingFields, kv.column.Field)
	})
}

// firstOfProduct returns the first row that names a product, 0 where none does.
func firstOfProduct[T any](context []T, of func(T) (columns.Field, int)) (first int) {
	for _, fact := range context {
		if field, row := of(fact); isProductField(field) && (first == 0 || row < first) {
			first = row
		}
	}
	return first
}

// says reports whether a context row gives one of some fields.
func (s *Scanner) says(fields ...columns.Field) bool {
	return slices.ContainsFunc(s.context, func(kv keyValue) bool { return slices.Contains(fields, kv.column.Field) })
}

// namedCell names a cell and its text.
func namedCell(at position, text string) string {
	return workbook.CellName(at.number, at.cell) + " " + dataset.Quoted(inOneLine(text))
}

// A tally counts cells and names the first ten.
type tally struct {
	first dataset.Place
	names []string
	count int
}

const maxNamed = 10

// add counts a cell with a text.
func (t *tally) add(place dataset.Place, text string) {
	if t.count++; t.count > maxNamed {
		return
	}
	if t.count == 1 {
		t.first = place
	}
	if text != "" {
		text = " " + dataset.Quoted(inOneLine(text))
	}
	t.names = append(t.names, unsheeted(place.Cell)+text)
}

// warning returns the warning that names the cells, after what is said of them all; none where there is no
// cell.
func (t *tally) warning(problem string) []dataset.Fault {
	if t.count == 0 {
		return nil
	}
	return []dataset.Fault{{Place: t.first, Problem: problem + ": " + listed(t.names, t.count)}}
}

// listed joins names, and says how many there are more.
func listed(names []string, count int) string {
	text := strings.Join(names, ", ")
	if more := count - len(names); more > 0 {
		text += " and " + columns.FormatNumber(float64(more)) + " more"
	}
	return text
}

// unsheeted returns the name of a cell without its sheet.
func unsheeted(cell string) string { return cell[strings.LastIndexByte(cell, '!')+1:] }
