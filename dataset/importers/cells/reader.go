package cells

import (
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/workbook"
)

// A Reader reads the rows of one table. It retains what the table shows of its units, and what was doubtful
// in cells.
type Reader struct {
	table    *layout.Table
	columns  []*column // of the table, then of the facts of a row
	evident  []int     // the columns of the table that are evidence: a table may have 16,384 others
	evidence evidence  // of the table and of the last row
	weighed  int       // how often the evidence has changed, which outdates the verdicts of columns
	findings []*finding

	rows        int     // with coefficients
	over, below finding // see countShares
	foreign     finding // cells of a quantity that no record has, as the table as a whole says

	fromWords []columns.Field // see wordsOf

	row     Row // that is being read
	pending pending
	rest    []Value // of columns that no rule knows
	points  []point
}

// A column is what a Reader retains of a column from row to row.
type column struct {
	columns.Column
	index      int
	skip       bool
	isEvidence bool // its cells say what the coefficients of their row are
	form       form // of its texts; nil for any text
	findings   []*finding

	// last is the last cell with a text, and lastForm what it became: tables repeat themselves downwards.
	last      cell
	lastForm  string
	measurand columns.Measurand // that the last cell of a quantity or a norm names
	setupText string            // the last cell of words for a set-up, and what they say
	setup     columns.Setup

	units     units
	verdict   verdict
	verdictOf int // Reader.weighed when it was made
}

// A pending is what is known of a row while its cells are read, and used when all are.
type pending struct {
	quantity, norm, depth *column // that have a cell
	sourceNorm            string  // the norm's cell where it is more than a norm's name
	frequency             cell    // of a long table
	words                 []cell  // in place of coefficients
	setups                []cell  // whose words may say how the specimen was set up
	doubted, overfull     bool
}

// A cell is one that has a text.
type cell struct {
	column  *column
	text    string
	kind    workbook.Kind
	decimal byte // the decimal sign where a sign may be one for thousands too; 0 for a stored number
}

// NewReader returns a reader of the rows of a table.
func NewReader(t *layout.Table) *Reader {
	r := &Reader{table: t, evidence: evidenceOf(t), weighed: 1, fromWords: wordsOf(t)}
	for i := range t.Columns {
		c := r.columnOf(i, t.Columns[i].Column)
		c.skip = c.skip || t.Columns[i].Left != ""
		if r.columns = append(r.columns, c); c.isEvidence {
			r.evident = append(r.evident, i)
		}
	}
	return r
}

func (r *Reader) columnOf(i int, c columns.Column) *column {
	made := &column{Column: c, index: i, form: forms[c.Field], skip: c.Ignored}
	made.isEvidence = c.Field == columns.OfQuantity || c.Field == columns.Norm || c.Field == columns.Frequency
	if r.table.Ours {
		made.skip = made.skip || c.Field == columns.NRC || c.Field == columns.SAA // which are computed
	} else if made.form == nil {
		made.form = lines[c.Field]
	}
	return made
}

// Read reads a row. It returns nil for one that says nothing. The result is valid until the next call.
func (r *Reader) Read(row *layout.Row) *Row {
	r.row = Row{Table: r.table, Number: row.Number, Line: row.Line,
		Values: r.row.Values[:0], Curves: r.row.Curves[:0]}
	r.pending = pending{words: r.pending.words[:0], setups: r.pending.setups[:0]}
	r.rest, r.points = r.rest[:0], r.points[:0]
	r.gather(row)
	for i := range min(len(row.Cells), len(r.table.Columns)) {
		r.readCell(r.columns[i], &row.Cells[i])
	}
	for i := range row.Context {
		r.readCell(r.columns[len(r.table.Columns)+i], &row.Context[i].Cell)
	}
	for _, s := range row.Surplus {
		if row.Line > 0 { // a comma too many has moved the cells of the row
			r.row.Faults = append(r.row.Faults, dataset.Fault{Place: s.Place,
				Problem: "more cells than the header has columns: " + dataset.Quoted(s.Text)})
		} else {
			r.keep(-1, "", s.Text)
		}
	}
	if n := r.pending.sourceNorm; n != "" && !r.table.Ours && r.row.Text(columns.SourceNorm) == "" {
		r.add(cell{column: r.pending.norm, text: n}, columns.SourceNorm, n)
	}
	r.readWords()
	r.readSetup()
	r.resolveDepth()
	r.makeCurves()
	r.row.Values = append(r.row.Values, r.rest...)
	if len(r.row.Values)+len(r.row.Curves)+len(r.row.Faults)+len(r.row.Warnings) == 0 &&
		!r.row.Thickness.Known && !r.row.AirGap.Known {
		return nil
	}
	return &r.row
}

// gather collects what the cells of a row say of its coefficients, before these are read.
func (r *Reader) gather(row *layout.Row) {
	before := r.evidence
	r.evidence.cell, r.evidence.norm, r.evidence.section = columns.Measurand{}, columns.Measurand{}, row.Section
	for _, i := range r.evident {
		if i < len(row.Cells) {
			r.take(r.columns[i], &row.Cells[i])
		}
	}
	for i := range row.Context {
		r.take(r.factColumn(i, &row.Context[i]), &row.Context[i].Cell)
	}
	if r.evidence != before {
		r.weighed++
	}
}

// take adds a cell to the evidence of the row, unless it has no value.
func (r *Reader) take(c *column, from *workbook.Cell) {
	if !c.isEvidence {
		return
	}
	in, ok := r.cellOf(c, from)
	switch {
	case !ok || in.kind == workbook.Broken:
	case c.Field == columns.Norm:
		r.evidence.norm, r.pending.norm = in.says(), c
	case c.Field == columns.Frequency:
		r.evidence.frequency, r.pending.frequency = c.Resolution, in
	default:
		r.evidence.cell, r.pending.quantity = in.says(), c
	}
}

// factColumn returns the column of the n-th fact of a row. It may be another one than in the row before.
func (r *Reader) factColumn(n int, f *layout.Fact) *column {
	if n += len(r.table.Columns); n == len(r.columns) {
		r.columns = append(r.columns, r.columnOf(n, f.Column))
	} else if c := r.columns[n]; c.Column != f.Column {
		r.columns[n] = r.columnOf(n, f.Column)
		r.columns[n].findings = c.findings
	}
	r.columns[n].index = f.Number - 1
	return r.columns[n]
}

// cellOf returns a cell of the row. It is not ok for one that has no value.
func (r *Reader) cellOf(c *column, from *workbook.Cell) (in cell, ok bool) {
	in = cell{column: c, text: from.Text, kind: from.Kind}
	if in.text == "" || c.skip {
		return in, false
	}
	f := c.Field
	if c.BandHz > 0 || c.StrayHz > 0 {
		f = columns.Coefficient
	}
	asIs := r.table.Ours && c.BandHz == 0
	if !asIs {
		in.text = strings.TrimSpace(in.text)
	}
	switch from.Kind {
	case workbook.Time:
		in.text = clock(in.text)
	case workbook.Text:
		in.text, in.decimal = withoutApostrophe(in.text), '.'
		if r.table.DecimalComma {
			in.decimal = ','
		}
	}
	return in, in.text != "" && (asIs || in.kind == workbook.Broken || !isAbsent(in.text, f))
}

// says returns what a cell of a quantity or a norm names. A norm is no symbol: "A" is a mounting there.
func (in *cell) says() columns.Measurand {
	c := in.column
	if in.text != c.last.text {
		c.last, c.measurand = *in, columns.MeasurandOfCell(strings.TrimSpace(in.text))
		if c.Field == columns.Norm && c.measurand.Foreign && !columns.MeasurandOf(in.text).Foreign {
			c.measurand = columns.Measurand{}
		}
	}
	return c.measurand
}

// readCell reads a cell, unless it has no value.
func (r *Reader) readCell(c *column, from *workbook.Cell) {
	in, ok := r.cellOf(c, from)
	switch {
	case !ok:
	case in.kind == workbook.Broken && (!c.Known() || c.BandHz > 0 && r.verdictOf(c).Foreign):
		r.doubt(c, in.text, "is no value")
	case in.kind == workbook.Broken:
		r.fault(c, "expected a value, got "+in.text)
	case c.BandHz > 0 || c.StrayHz > 0:
		r.readCoefficient(&in, float64(c.BandHz)+c.StrayHz)
	case in.kind == workbook.Time && isMeasure(c.Field):
		r.fault(c, "expected "+columns.ValuesOf(c.Field)+", got the time "+in.text)
	default:
		r.readField(in)
	}
}

// readField reads a cell of a column that is not one of a band.
func (r *Reader) readField(in cell) {
	switch c := in.column; c.Field {
	case columns.None:
		r.keep(c.index, c.Header, in.text)
	case columns.Thickness:
		r.readLength(in, &r.row.Thickness)
	case columns.AirGap:
		r.readLength(in, &r.row.AirGap)
	case columns.OverallDepth:
		r.pending.depth = c
		r.readLength(in, &r.row.Depth)
	case columns.Width, columns.Height, columns.Depth:
		r.readLength(in, nil)
	case columns.Mounting:
		r.readMounting(in)
	case columns.AlphaW, columns.AlphaWMin, columns.NRC, columns.SAA:
		r.readRating(in)
	case columns.Norm:
		norm := c.measurand.Quantity.Norm()
		if norm != "" {
			r.add(in, columns.Norm, norm)
		}
		if norm != in.text && strings.ContainsAny(in.text, "0123456789") { // a norm, not words for one
			r.pending.sourceNorm = in.text
		}
	case columns.OfQuantity:
		if c.measurand.Foreign {
			r.keep(c.index, c.Header, in.text) // the coefficients say the rest
		} else if c.measurand.Quantity == "" && c.measurand.Resolution == columns.AnyResolution {
			r.refuse(in, "names no quantity")
		}
	case columns.Frequency, columns.Coefficient:
		if !r.table.Long {
			r.doubt(c, "", "kept as text in structured_meta: a coefficient needs a band in its column's name, "+
				"or a column of frequencies beside it")
			r.keep(c.index, c.Header, in.text)
		} else if c.Field == columns.Coefficient {
			r.readLong(&in)
		}
	default:
		r.readText(in)
	}
	if r.isOfSetup(in.column) {
		r.pending.setups = append(r.pending.setups, in)
	}
}

// readText reads a cell of a field that is a text, in its form.
func (r *Reader) readText(in cell) {
	c, f := in.column, in.column.Field
	if f == columns.HasEPD || f == columns.EPDURL { // either may be under the other's name
		c.form, f = addressOf, columns.EPDURL
		if _, ok := booleanOf(in); ok {
			c.form, f = booleanOf, columns.HasEPD
		}
	}
	if in != c.last {
		formed, ok := in.text, true
		if c.form != nil {
			formed, ok = c.form(in)
		}
		if !ok {
			r.refuse(in, "is not "+columns.ValuesOf(c.Field))
			return
		}
		c.last, c.lastForm = in, formed
	}
	if in.kind == workbook.Date && (f == columns.Article || f == columns.Label) {
		r.doubt(c, in.text, "is stored as a date: a spreadsheet may have made one of what was typed")
	}
	r.add(in, f, c.lastForm)
}
