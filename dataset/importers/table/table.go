package table

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/cells"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/layout"
	"sabine/dataset/importers/products"
	"sabine/dataset/importers/workbook"
	"sabine/dataset/product"
)

// Options say what the tables do not. The zero value is for tables that say everything.
type Options struct {
	Manufacturer string       // of rows that name none
	SourceKind   string       // of rows that name none, one of product.SourceKinds; "" is DefaultSourceKind
	Sheet        string       // the only sheet that is read; "" for all
	Label        string       // of the product of a table that names none
	Map          *columns.Map // what the columns are; nil: by their names

	// Partial makes products of rows that say only a part of one, for corrections.
	Partial bool
	// Account, when not nil, is filled with what each column became.
	Account *Account
}

// DefaultSourceKind is the source kind of a table that does not say: most tables are copied from books.
const DefaultSourceKind = products.DefaultSourceKind

// Inputs returns the inputs of a build with its tables, if any, as one input, the last. Standard input may be
// a table by itself.
func Inputs(all []dataset.Input, o Options) []dataset.Input {
	var others, tables []dataset.Input
	for _, in := range all {
		switch {
		case dataset.IsTableName(in.Name):
			tables = append(tables, in)
			continue
		case in.Name == "-":
			in.Convert = Input([]dataset.Input{in}, o).Convert
		}
		others = append(others, in)
	}
	if len(tables) == 0 {
		return others
	}
	return append(others, Input(tables, o))
}

// Input returns the input that some tables are together. Rows of one product are its set-ups, whichever table
// they are in.
func Input(tables []dataset.Input, o Options) dataset.Input {
	return dataset.Input{Name: tables[0].Name, Tables: tables, Convert: func(c *dataset.Conversion) error {
		im := importing{o: o, c: c, set: products.New(products.Options{
			Manufacturer: o.Manufacturer, SourceKind: o.SourceKind, Vocabulary: c.Vocabulary, Partial: o.Partial,
		})}
		for _, in := range c.Tables {
			if err := im.file(in); err != nil {
				return err
			}
			if im.budget.Over() { // a build takes none of it, and the limit is for what its records would cost
				return nil
			}
		}
		return im.yield()
	}}
}

// An importing is one conversion in progress.
type importing struct {
	o      Options
	c      *dataset.Conversion
	set    *products.Set
	budget layout.Budget
	buffer []byte // of a record
}

// yield yields the products as records.
func (im *importing) yield() error {
	for r := range im.set.Products() {
		raw := dataset.Raw{Place: r.Place, Faults: r.Faults, Warnings: r.Warnings}
		if r.Product != nil {
			if im.o.Partial {
				raw = dataset.CorrectionOf(r.Place, r.Key, r.Product)
				raw.Faults, raw.Warnings = r.Faults, r.Warnings
			} else {
				im.buffer = product.AppendSource(im.buffer[:0], r.Product)
				raw.JSON = slices.Clone(im.buffer)
			}
			if !im.c.Yield(raw, nil) {
				return nil
			}
			continue
		}
		for _, w := range r.Warnings {
			im.c.Warn(w)
		}
		for i := range r.Faults {
			if !im.c.Yield(dataset.Raw{}, &r.Faults[i]) {
				return nil
			}
		}
	}
	for _, w := range im.set.Warnings() {
		im.c.Warn(w)
	}
	return nil
}

// file reads one file. A fault of the file or of a whole sheet is yielded in the place of its records.
func (im *importing) file(in dataset.Input) error {
	return im.yieldFault(im.sheets(in))
}

// yieldFault yields an error if it is a fault of the content, and returns any other.
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

// A sheet is what was found in a sheet.
type sheet struct {
	name         string
	tables, rows int
	foreign      *dataset.Fault // it has no table of the map
	likely       []string       // where no table was found: the rows likeliest to name columns
}

// sheets reads the sheets of a file. One without a table is passed over and named, unless there is no table
// at all.
func (im *importing) sheets(in dataset.Input) error {
	text, err := dataset.OpenText(im.c.Context, in)
	if err != nil {
		return err
	}
	defer text.Close()
	book, err := workbook.Open(in.Name, text, workbook.Options{Context: im.c.Context, Known: im.known()})
	if err != nil {
		return err
	}
	var read []sheet
	var passed []string
	faulty := false
	for _, s := range book.Sheets {
		if im.budget.Full() || im.budget.Over() {
			break
		}
		if im.o.Sheet != "" && s.Name != im.o.Sheet {
			continue
		}
		pass := func(why string) { passed = append(passed, "sheet "+dataset.Quoted(s.Name)+" ("+why+")") }
		maps := im.o.Map.Of(in.Name, s.Name)
		if im.o.Map != nil && maps == nil {
			pass("not in the map")
			continue
		}
		if named := im.o.Sheet != "" || maps != nil && maps[0].Sheet != ""; s.Hidden && !named {
			pass("hidden")
			continue
		}
		found, err := im.sheet(in.Name, s, maps)
		faulty = faulty || err != nil
		if err := im.yieldFault(err); err != nil {
			return fmt.Errorf("%s: %w", in.Name, err)
		}
		switch {
		case found.foreign != nil:
			pass("no column of the map")
		case found.tables == 0 && err == nil:
			pass("no table")
		}
		read = append(read, found)
	}
	if !faulty {
		if err := im.nothing(in.Name, book, read); err != nil {
			return err
		}
	}
	im.pass(in.Name, passed)
	return nil
}

// known returns a function that reports whether a text is the name of a column. It remembers texts, because
// tables repeat themselves in their first rows.
func (im *importing) known() func(string) bool {
	known := map[string]bool{}
	return func(cell string) bool {
		is, ok := known[cell]
		if !ok {
			c := columns.Parse(cell)
			is = c.Known() || im.o.Map.Names(cell)
			known[cell] = is
		}
		return is
	}
}

// sheet reads the tables of a sheet. The maps say where they are, if there are any.
func (im *importing) sheet(input string, s *workbook.Sheet, maps []*columns.TableMap) (found sheet, err error) {
	found.name = s.Name
	scan := layout.NewScanner(s, layout.Options{
		Input: input, Maps: maps, Named: im.o.Sheet != "" || maps != nil && maps[0].Sheet != "",
		Label: im.o.Label, Budget: &im.budget,
	})
	defer scan.Close()
	for {
		t, err := scan.Next()
		if t == nil || err != nil {
			found.foreign, found.likely = scan.Foreign(), scan.Likely()
			return found, err
		}
		found.tables++
		rows, err := im.table(t)
		found.rows += rows
		if err != nil {
			return found, err
		}
	}
}

// table reads the rows of a table.
func (im *importing) table(t *layout.Table) (rows int, err error) {
	reader, examples := cells.NewReader(t), newExample(t)
	end := t.Rows(func(row *layout.Row) bool {
		if r := reader.Read(row); r != nil {
			examples.add(t, row, r)
			im.set.Add(r)
		}
		return true
	})
	faults, warnings := reader.End()
	for _, w := range slices.Concat(end.Warnings, warnings, unknown(t, &end)) {
		im.c.Warn(w)
	}
	if im.o.Account != nil {
		im.o.Account.Tables = append(im.o.Account.Tables, im.o.accountOf(t, examples, &end))
	}
	for _, f := range append(end.Faults, faults...) {
		if err := im.yieldFault(&f); err != nil {
			return end.Rows, err
		}
	}
	return end.Rows, end.Err
}

// unknown returns the warning of the columns that no rule knows and that are published, if there are any.
func unknown(t *layout.Table, end *layout.End) []dataset.Fault {
	var headers []string
	for i := range t.Columns {
		c := &t.Columns[i]
		if end.HasValue[i] && c.Left == "" && !c.Ignored && !c.Known() && c.Header != "" && !inMap(t.Map, c.Header) {
			headers = append(headers, c.Header)
		}
	}
	if len(headers) == 0 {
		return nil
	}
	return []dataset.Fault{{
		Place:   t.Columns[0].Place,
		Problem: "unknown columns, published in structured_meta under their names: " + quotedList(headers),
	}}
}

// inMap reports whether a map has a column: then what becomes of it is no news.
func inMap(m *columns.TableMap, header string) bool {
	if m == nil {
		return false
	}
	_, ok := m.Is(header)
	return ok
}

// quotedList joins texts for a message.
func quotedList(list []string) string {
	quoted := make([]string, min(len(list), maxQuoted))
	for i := range quoted {
		quoted[i] = dataset.Quoted(list[i])
	}
	all := strings.Join(quoted, ", ")
	if more := len(list) - len(quoted); more > 0 {
		all += " and " + strconv.Itoa(more) + " more"
	}
	return all
}

// maxQuoted is how many texts a message quotes.
const maxQuoted = 100

// nothing returns the fault of a file in which there is nothing to read.
func (im *importing) nothing(input string, book *workbook.Book, read []sheet) error {
	fault := &dataset.Fault{Place: dataset.Place{Input: input, Index: -1, Offset: -1}}
	if len(read) == 0 {
		fault.Problem = im.noSheet(book)
		return fault
	}
	var likely *sheet
	tables := 0
	for i := range read {
		r := &read[i]
		tables += r.tables
		switch {
		case r.rows > 0:
			return nil
		case r.foreign != nil:
			fault = r.foreign
		case likely == nil && len(r.likely) > 0:
			likely = r
		}
	}
	switch {
	case fault.Problem != "":
	case tables > 0:
		fault.Problem = "no row below the one that names the columns"
	case likely == nil:
		fault.Problem = "nothing in it, expected a row that names the columns"
	default:
		fault.Place.Cell = likely.name
		fault.Problem = "no header, which is a row that names the columns: expected one with a name or an article " +
			"number, and bands such as 125 Hz or 1k; the likeliest, with ? after what is no known name: " +
			strings.Join(likely.likely, "; ")
	}
	return fault
}

// noSheet returns the problem of a file of which no sheet is to be read.
func (im *importing) noSheet(book *workbook.Book) string {
	var names []string
	for _, s := range book.Sheets {
		names = append(names, s.Name)
	}
	sheets, isText := quotedList(names), names[0] == ""
	switch {
	case im.o.Map != nil && isText:
		return "no table of the map is for this file"
	case im.o.Map != nil:
		return "no table of the map is for this file, nor for a sheet of it: " + sheets
	case im.o.Sheet != "" && isText:
		return "no sheet is called " + dataset.Quoted(im.o.Sheet) + ": a file of text has none"
	case im.o.Sheet != "":
		return "no sheet is called " + dataset.Quoted(im.o.Sheet) + ", there are: " + sheets
	}
	return "all sheets are hidden: " + sheets + "; name one of them to read it"
}

// pass reports which sheets were passed over.
func (im *importing) pass(input string, passed []string) {
	if len(passed) == 0 {
		return
	}
	place := dataset.Place{Input: input, Index: -1, Offset: -1}
	im.c.Warn(dataset.Fault{Place: place, Problem: "passed over: " + strings.Join(passed, ", ")})
	if a := im.o.Account; a != nil && len(a.Tables) > 0 {
		last := &a.Tables[len(a.Tables)-1]
		last.Unused = append(last.Unused, passed...)
	}
}
