package table

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/products"
	"sabine/dataset/importers/workbook"
	"sabine/dataset/product"
)

// Options supply values that tables lack. The zero value is for complete tables.
type Options struct {
	Manufacturer string       // manufacturer of rows without one
	SourceKind   string       // of rows without one; one of product.SourceKinds; "" means DefaultSourceKind
	Sheet        string       // the only sheet to read; "" means all
	Label        string       // product name for a table that names none
	Map          *columns.Map // meaning of the columns; if nil, their names determine it

	// Partial means that the products are corrections, which can lack any field.
	Partial bool
	// Account, if not nil, receives how each column was used.
	Account *Account
}

// DefaultSourceKind is the source kind of a table that names none. Most tables are copied from books.
const DefaultSourceKind = products.DefaultSourceKind

// Inputs returns the inputs for a build. All tables together become the last input. Standard input can also
// be a table, which is converted separately.
func Inputs(all []dataset.Input, o Options) (inputs []dataset.Input) {
	var tables []dataset.Input
	for _, in := range all {
		if dataset.IsTableName(in.Name) {
			tables = append(tables, in)
			continue
		}
		if in.Name == "-" {
			in.Convert = Input([]dataset.Input{in}, o).Convert
		}
		inputs = append(inputs, in)
	}
	if len(tables) > 0 {
		inputs = append(inputs, Input(tables, o))
	}
	return inputs
}

// Input returns one input for several tables. Rows for one product are its set-ups, even in different tables.
func Input(tables []dataset.Input, o Options) dataset.Input {
	return dataset.Input{Name: tables[0].Name, Tables: tables, Convert: func(c *dataset.Conversion) error {
		im := importing{o: o, c: c, set: products.New(products.Options{
			Manufacturer: o.Manufacturer, SourceKind: o.SourceKind, Vocabulary: c.Vocabulary, Partial: o.Partial,
		})}
		for _, in := range c.Tables {
			if im.budget.Full() { // an earlier file has the fault
				break
			}
			if err := im.yieldFault(im.file(in)); err != nil {
				return err
			}
			if im.budget.Over() { // a build then uses nothing from the import
				return nil
			}
		}
		im.yield()
		return nil
	}}
}

// An importing is a conversion in progress.
type importing struct {
	o      Options
	c      *dataset.Conversion
	set    *products.Set
	budget layout.Budget
	buffer []byte // buffer for a record

	foreign         []dataset.Fault // faults in tables whose coefficients have a foreign quantity
	hasCoefficients bool            // whether a table has coefficients
}

// yield yields the products as records, and the faults. A table with a foreign quantity is a fault only if no
// other table has coefficients.
func (im *importing) yield() {
	for i := range im.foreign {
		f := &im.foreign[i]
		if im.hasCoefficients {
			f.Whole, f.Problem = false, "the table is left out: "+f.Problem
			im.c.Warn(*f)
		} else if !im.c.Yield(dataset.Raw{}, f) {
			return
		}
	}
	for r := range im.set.Products() {
		if r.Product != nil {
			if !im.c.Yield(im.raw(&r), nil) {
				return
			}
			continue
		}
		im.warn(r.Warnings)
		for i := range r.Faults {
			if !im.c.Yield(dataset.Raw{}, &r.Faults[i]) {
				return
			}
		}
	}
	im.warn(im.set.Warnings())
}

// raw returns a product's record.
func (im *importing) raw(r *products.Result) (raw dataset.Raw) {
	if im.o.Partial {
		raw = dataset.CorrectionOf(r.Place, r.Key, r.Product)
	} else {
		im.buffer = product.AppendSource(im.buffer[:0], r.Product)
		raw = dataset.Raw{Place: r.Place, JSON: slices.Clone(im.buffer)}
	}
	raw.Faults, raw.Warnings = r.Faults, r.Warnings
	return raw
}

func (im *importing) warn(warnings []dataset.Fault) {
	for _, w := range warnings {
		im.c.Warn(w)
	}
}

// yieldFault yields an error about a file or a whole sheet as a fault. It returns all other errors, and
// context.Canceled if the reader of the import needs no more records.
func (im *importing) yieldFault(err error) error {
	var fault *dataset.Fault
	if !errors.As(err, &fault) {
		return err
	}
	fault.Whole = true
	if !im.c.Yield(dataset.Raw{}, fault) {
		return context.Canceled
	}
	return nil
}

// found is the result of reading a file's sheets.
type found struct {
	sheets, tables, rows int
	unmapped             *dataset.Fault // fault of the last sheet that lacks the tables of the map
	likely               []string       // likeliest headers in the first sheet without a table
	likelySheet          string
	faulty               bool // whether a fault in a sheet was reported
}

// file reads the sheets in a file. It reports sheets without a table as skipped, or a fault if no sheet has a
// table.
func (im *importing) file(in dataset.Input) error {
	text, err := dataset.OpenText(im.c.Context, in)
	if err != nil {
		return err
	}
	defer text.Close()
	book, err := workbook.Open(in.Name, text, workbook.Options{Context: im.c.Context, Known: im.known()})
	if err != nil {
		return err
	}
	var f found
	var passed []string
	for _, s := range book.Sheets {
		if im.budget.Full() || im.budget.Over() {
			break
		}
		if im.o.Sheet != "" && s.Name != im.o.Sheet {
			continue
		}
		why, err := im.sheet(in.Name, s, &f)
		if err != nil {
			return fmt.Errorf("%s: %w", in.Name, err)
		}
		if why != "" {
			passed = append(passed, "sheet "+dataset.Quoted(s.Name)+" ("+why+")")
		}
	}
	if f.rows == 0 && !f.faulty {
		return im.emptyFault(in.Name, book, &f)
	}
	if len(passed) > 0 {
		im.c.Warn(*workbook.FileFault(in.Name, "skipped: "+strings.Join(passed, ", ")))
		if a := im.o.Account; a != nil && len(a.Tables) > 0 {
			last := &a.Tables[len(a.Tables)-1]
			last.Unused = append(last.Unused, passed...)
		}
	}
	return nil
}

// known returns a function that reports whether a string is a column name. The function caches its results,
// because the first rows of tables contain many equal strings.
func (im *importing) known() func(string) bool {
	known := map[string]bool{}
	return func(cell string) bool {
		if _, ok := known[cell]; !ok {
			c := columns.Parse(cell)
			known[cell] = c.Known() || im.o.Map.HasColumn(cell)
		}
		return known[cell]
	}
}

// sheet reads the tables in a sheet, with the map if there is one. why is the reason for skipping the sheet,
// or "".
func (im *importing) sheet(input string, s *workbook.Sheet, f *found) (why string, err error) {
	maps := im.o.Map.Of(input, s.Name)
	named := im.o.Sheet != "" || maps != nil && maps[0].Sheet != ""
	switch {
	case im.o.Map != nil && maps == nil:
		return "not in the map", nil
	case s.Hidden && !named:
		return "hidden", nil
	}
	scan := layout.NewScanner(s, layout.Options{
		Input: input, Maps: maps, Named: named, Label: im.o.Label, Budget: &im.budget,
	})
	defer scan.Close()
	before := f.tables
	t, err := scan.Next()
	for ; t != nil && err == nil; t, err = scan.Next() {
		if err = im.table(t, f); err != nil {
			break
		}
	}
	if company := scan.Company(); company != "" {
		im.set.NoteCompany(input, company)
	}
	f.sheets, f.faulty = f.sheets+1, f.faulty || err != nil
	if f.likely == nil {
		f.likely, f.likelySheet = scan.Likely, s.Name
	}
	switch {
	case scan.Unmapped != nil:
		f.unmapped, why = scan.Unmapped, "no columns from the map"
	case f.tables == before && err == nil:
		why = "no table"
	}
	return why, im.yieldFault(err)
}

// table reads the rows in a table. It skips them if the table has a foreign quantity.
func (im *importing) table(t *layout.Table, f *found) error {
	reader, accounts, missing := cells.NewReader(t), columnsOf(t), len(t.Columns)
	foreign := cells.Foreign(t)
	end := t.Rows(func(row *layout.Row) bool {
		if foreign != nil {
			return true
		}
		if r := reader.Read(row); r != nil {
			if missing > 0 {
				missing = addExamples(accounts, row, r)
			}
			im.set.Add(r)
		}
		return true
	})
	f.tables, f.rows = f.tables+1, f.rows+end.Rows
	if foreign != nil {
		im.foreign = append(im.foreign, *foreign)
		return end.Err
	}
	im.hasCoefficients = im.hasCoefficients || reader.HasCoefficients()
	faults, warnings := reader.End()
	im.warn(slices.Concat(end.Warnings, warnings, unknown(t, &end)))
	if im.o.Account != nil {
		im.o.Account.Tables = append(im.o.Account.Tables, im.o.accountOf(t, accounts, &end))
	}
	for _, fault := range append(end.Faults, faults...) {
		if err := im.yieldFault(&fault); err != nil {
			return err
		}
	}
	return end.Err
}
