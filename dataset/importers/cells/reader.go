package cells

import (
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/workbook"
)

// A Reader reads the rows of one table. It counts units in the table, and collects warnings about cells.
type Reader struct {
	table           *layout.Table
	columns         []*column // columns of the table, then of the facts in a row
	evidenceColumns []int     // indexes of columns that are evidence, because a table can have 16,384 columns
	evidence        evidence  // evidence from the table and the last row
	evidenceVersion int       // number of changes to the evidence, which invalidate the columns' verdicts
	findings        []*finding

	rows        int     // number of rows with coefficients
	over, below finding // rows whose unit is doubtful; see countShares
	foreign     finding // cells with a quantity that no record contains, by evidence from the whole table

	fromWords []columns.Field // set-up fields that rows can describe in words; see wordsOf

	row     Row // current row
	pending pending
	rest    []Value // values from unknown columns
	points  []point
}

// A column is the state of a column between rows.
type column struct {
	columns.Column
	index      int  // 0-based number of the cell; for a fact, at least len(Table.Columns)
	skip       bool // whether its cells are not read
	isEvidence bool // whether its cells determine the quantity of their rows
	form       form // form of its cells; nil accepts any string
	findings   []*finding

	// last is the last cell with text, and lastForm is its result. Values in a column often repeat.
	last      cell
	lastForm  string
	measurand columns.Measurand // of the last cell, if this is a column of quantities or norms; set by gather
	setupText string            // last cell with a set-up in words; setup is the result
	setup     columns.Setup

	units          units
	verdict        verdict
	verdictVersion int // Reader.evidenceVersion when the verdict was made; 0 before the first
}

// A pending is the state of the current row, used after its last cell.
type pending struct {
	quantity, norm, depth *column // columns with a cell in this row
	sourceNorm            string  // text of the norm if it is more than a norm's name
	frequency             cell    // frequency in a long table
	words                 []cell  // words instead of coefficients
	setups                []cell  // cells that can describe the set-up
	doubted               bool    // whether the row has a warning about its quantity
	overfull              bool    // whether values in unknown columns exceed the limit, so that more are not stored
}

// A cell is a table cell that contains text.
type cell struct {
	column  *column
	text    string
	kind    workbook.Kind
	decimal byte // decimal separator if the other separator can mark thousands; 0 for a stored number
}

// NewReader returns a reader for the rows of a table.
func NewReader(t *layout.Table) *Reader {
	r := &Reader{table: t, evidence: evidenceOf(t), evidenceVersion: 1, fromWords: wordsOf(t)}
	for i := range t.Columns {
		c := r.columnOf(i, t.Columns[i].Column)
		c.skip = c.skip || t.Columns[i].LeftOut != ""
		if r.columns = append(r.columns, c); c.isEvidence {
			r.evidenceColumns = append(r.evidenceColumns, i)
		}
	}
	return r
}

func (r *Reader) columnOf(i int, c columns.Column) *column {
	made := &column{Column: c, index: i, form: forms[c.Field], skip: c.Ignored}
	made.isEvidence = c.Field == columns.OfQuantity || c.Field == columns.Norm || c.Field == columns.Frequency
	if r.table.OwnExport {
		made.skip = made.skip || c.Field == columns.NRC || c.Field == columns.SAA // computed ratings
	} else if made.form == nil {
		made.form = stringForms[c.Field]
	}
	return made
}

// Read reads a row. It returns nil for a row without values. The result is valid until the next call.
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
		if row.Line > 0 { // an additional separator has moved the cells of the row
			r.row.Faults = append(r.row.Faults, dataset.Fault{Place: s.Place,
				Problem: "more cells than columns in the header: " + dataset.Quoted(s.Text)})
		} else {
			r.storeText(-1, "", s.Text)
		}
	}
	if n := r.pending.sourceNorm; n != "" && !r.table.OwnExport && r.row.Text(columns.SourceNorm) == "" {
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

// gather collects the evidence in a row's cells, before its coefficients are read.
func (r *Reader) gather(row *layout.Row) {
	before := r.evidence
	r.evidence.cell, r.evidence.norm, r.evidence.section = columns.Measurand{}, columns.Measurand{}, row.Section
	for _, i := range r.evidenceColumns {
		if i < len(row.Cells) {
			r.take(r.columns[i], &row.Cells[i])
		}
	}
	for i := range row.Context {
		r.take(r.factColumn(i, &row.Context[i]), &row.Context[i].Cell)
	}
	if r.evidence != before {
		r.evidenceVersion++
	}
}

// take adds a cell to the row's evidence, unless it has no value.
func (r *Reader) take(c *column, from *workbook.Cell) {
	if !c.isEvidence {
		return
	}
	in, ok := r.cellOf(c, from)
	switch {
	case !ok || in.kind == workbook.Broken:
	case c.Field == columns.Norm:
		r.evidence.norm, r.pending.norm = in.measurand(), c
	case c.Field == columns.Frequency:
		r.evidence.frequency, r.pending.frequency = c.Resolution, in
	default:
		r.evidence.cell, r.pending.quantity = in.measurand(), c
	}
}

// factColumn returns the column for the n-th fact in a row. The column can differ from row to row.
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

// cellOf returns a cell in the row. ok is false if there is no value.
func (r *Reader) cellOf(c *column, from *workbook.Cell) (in cell, ok bool) {
	in = cell{column: c, text: from.Text, kind: from.Kind}
	if in.text == "" || c.skip {
		return in, false
	}
	f := c.Field
	if c.Hz() > 0 {
		f = columns.Coefficient
	}
	asIs := r.table.OwnExport && c.BandHz == 0
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

// measurand returns the measurand that a quantity or norm cell names. In a norm, "A" is a mounting, not a
// symbol.
func (in *cell) measurand() columns.Measurand {
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
		r.doubt(c, in.text, "is not a value")
	case in.kind == workbook.Broken:
		r.fault(c, "expected a value, got "+in.text)
	case c.Hz() > 0:
		r.readCoefficient(&in, c.Hz())
	case in.kind == workbook.Time && isMeasure(c.Field):
		r.fault(c, "expected "+columns.ValuesOf(c.Field)+", got the time "+in.text)
	default:
		r.readField(in)
	}
}

// readField reads a cell outside the band columns.
func (r *Reader) readField(in cell) {
	switch c := in.column; c.Field {
	case columns.None:
		r.storeText(c.index, c.Header, in.text)
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
		norm := c.measurand.Quantity.Norm() // gather has read the cell
		if norm != "" {
			r.add(in, columns.Norm, norm)
		}
		if norm != in.text && strings.ContainsAny(in.text, "0123456789") { // a norm, not words for one
			r.pending.sourceNorm = in.text
		}
	case columns.OfQuantity:
		if c.measurand.Foreign {
			r.storeText(c.index, c.Header, in.text) // readCoefficient handles the coefficients
		} else if c.measurand.Quantity == "" && c.measurand.Resolution == columns.AnyResolution {
			r.refuse(in, "is not a quantity")
		}
	case columns.Frequency, columns.Coefficient:
		if !r.table.Long {
			r.doubt(c, "", "stored as text in structured_meta: a coefficient column needs a band in its name, "+
				"or a column of frequencies next to it")
			r.storeText(c.index, c.Header, in.text)
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

// readText reads a text field's cell and converts it to its form.
func (r *Reader) readText(in cell) {
	c, f := in.column, in.column.Field
	if f == columns.HasEPD || f == columns.EPDURL { // each can contain the other's value
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
		r.doubt(c, in.text, "is stored as a date: check whether a spreadsheet program converted a string")
	}
	r.add(in, f, c.lastForm)
}
