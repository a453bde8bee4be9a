package table

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sabine/dataset"
	"sabine/dataset/importers/workbook"
)

// Options say what the tables do not. The zero value is for tables that say everything.
type Options struct {
	Manufacturer string // of rows that name none
	SourceKind   string // of rows that name none, one of product.SourceKinds; "" is DefaultSourceKind
	Sheet        string // the only sheet that is read; "" for all
	Map          *Map   // what the columns are; nil: by their names

	// Told, when not nil, is filled with what each column became.
	Told *Account
}

// DefaultSourceKind is the source kind of a table that does not say: most tables are copied from books.
const DefaultSourceKind = "literature"

// Inputs returns the inputs of a build with its tables, if any, as one input, the last. Standard input may be a table by itself.
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

// Input returns the input that some tables are together. Rows of one product are its set-ups, whichever table they stand in.
func Input(tables []dataset.Input, o Options) dataset.Input {
	return dataset.Input{Name: tables[0].Name, Tables: tables, Convert: func(c *dataset.Conversion) error {
		im := &importing{Options: o, Conversion: c, products: newProducts(&o, c)}
		for _, in := range c.Tables {
			if im.allTables > maxTables {
				break
			}
			if err := im.file(in); err != nil {
				return err
			}
			if im.tooMuch != nil { // a build takes none of it, and records of so much text are the cost that the limit is for
				return nil
			}
		}
		return im.products.yield(c.Yield)
	}}
}

// An importing is one conversion in progress.
type importing struct {
	Options
	*dataset.Conversion
	products *products

	allTables int // begun so far
	text      int // bytes of the cells so far
	cells     int // how many they are
	tooMuch   *dataset.Fault
	searched  int // of sheetReader.settle, in vain: as grid.cost counts it
}

// The limits of an import. A list of a million rows with 26 columns is below them.
const (
	// maxText is how much text the cells may have, in bytes. A shared string, the suffix of a number format and the value of merged cells count
	// each time that a cell has them, as what is beyond 64 bytes of its column's name: a few KiB of a workbook may stand for gigabytes.
	maxText = 256 << 20
	// maxCells is how many cells the rows may have, empty ones included. A row counts as rowCells more.
	maxCells = 1 << 27
	rowCells = 64
)

// maxPlainName is how long a column's name may be before it counts as text of its cells.
const maxPlainName = 64

func textBytes(cells []workbook.Cell) (bytes int) {
	for i := range cells {
		bytes += len(cells[i].Text)
	}
	return bytes
}

// spend adds cells to those of the import, and other bytes and cells. Over a limit it returns false, and tooMuch is the fault of the cell;
// place returns the place of a cell by its 1-based number.
func (im *importing) spend(cells []workbook.Cell, otherText, otherCells int, place func(cell int) dataset.Place) bool {
	im.text, im.cells = im.text+textBytes(cells)+otherText, im.cells+len(cells)+otherCells
	cell, problem := len(cells), ""
	switch {
	case im.text > maxText:
		for over := im.text - maxText; cell > 1 && over > len(cells[cell-1].Text); cell-- {
			over -= len(cells[cell-1].Text)
		}
		problem = "more than " + strconv.Itoa(maxText>>20) + " MiB of text: split the table, or shorten what many cells repeat"
	case im.cells > maxCells:
		problem = "more than " + strconv.Itoa(maxCells) + " cells, empty ones included: split the table"
	default:
		return true
	}
	im.tooMuch = cmp.Or(im.tooMuch, &dataset.Fault{Place: place(cell), Problem: "the cells of the import up to here are over its limit, " + problem})
	return false
}

// file reads one file. What is wrong with the file or a sheet as a whole is yielded in the place of its records.
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
	if !im.Yield(dataset.Raw{}, fault) {
		return context.Canceled
	}
	return nil
}

// sheets reads the sheets of a file. One without a table is passed over, and named, unless there is no table at all.
func (im *importing) sheets(in dataset.Input) error {
	text, err := dataset.OpenText(im.Context, in)
	if err != nil {
		return err
	}
	defer text.Close()
	known := map[string]bool{} // of the first rows: tables repeat themselves
	book, err := workbook.Open(in.Name, text, workbook.Options{Context: im.Context, Known: func(cell string) bool {
		is, ok := known[cell]
		if !ok {
			c := columnOf(cell)
			is = c.known() || im.Map.names(cell)
			known[cell] = is
		}
		return is
	}})
	if err != nil {
		return err
	}
	var read []*sheetReader
	var passed []string
	faulty := false
	for _, s := range book.Sheets {
		if im.allTables > maxTables || im.tooMuch != nil {
			break
		}
		if im.Sheet != "" && s.Name != im.Sheet {
			continue
		}
		pass := func(why string) { passed = append(passed, "sheet "+dataset.Quoted(s.Name)+" ("+why+")") }
		maps := im.Map.of(in.Name, s.Name)
		if im.Map != nil && maps == nil {
			pass("not in the map")
			continue
		}
		if named := im.Sheet != "" || maps != nil && maps[0].Sheet != ""; s.Hidden && !named {
			pass("hidden")
			continue
		}
		r, err := im.readSheet(in.Name, s, maps)
		faulty = faulty || err != nil
		if err := im.yieldFault(err); err != nil {
			return fmt.Errorf("%s: %w", in.Name, err)
		}
		if r.foreign != nil {
			pass("no column of the map")
		} else if r.tables == 0 && err == nil {
			pass("no table")
		}
		read = append(read, r)
	}
	if !faulty {
		if err := im.nothing(in.Name, book, read); err != nil {
			return err
		}
	}
	im.pass(in.Name, passed)
	return nil
}

// nothing returns the fault of a file in which there is nothing to read.
func (im *importing) nothing(input string, book *workbook.Book, read []*sheetReader) error {
	fault := &dataset.Fault{Place: dataset.Place{Input: input, Index: -1, Offset: -1}}
	if len(read) == 0 {
		var names []string
		for _, s := range book.Sheets {
			names = append(names, s.Name)
		}
		switch sheets := quotedList(names); {
		case im.Map != nil && names[0] == "": // a table that is text has no sheets
			fault.Problem = "no table of the map is for this file"
		case im.Map != nil:
			fault.Problem = "no table of the map is for this file, nor for a sheet of it: " + sheets
		case im.Sheet != "" && names[0] == "":
			fault.Problem = "no sheet is called " + dataset.Quoted(im.Sheet) + ": a file of text has none"
		case im.Sheet != "":
			fault.Problem = "no sheet is called " + dataset.Quoted(im.Sheet) + ", there are: " + sheets
		default:
			fault.Problem = "all sheets are hidden: " + sheets + "; name one of them to read it"
		}
		return fault
	}
	var likely *sheetReader
	for _, r := range read {
		switch {
		case r.rows > 0:
			return nil
		case r.foreign != nil:
			fault = r.foreign
		case r.tables > 0:
			fault.Problem = "no row below the one that names the columns"
		case likely == nil && len(r.likely) > 0:
			likely = r
		}
	}
	switch {
	case fault.Problem != "":
	case likely == nil:
		fault.Problem = "nothing in it, expected a row that names the columns"
	default:
		if likely.sheet.Name != "" {
			fault.Place.Cell = likely.sheet.Name
		}
		fault.Problem = "no header, which is a row that names the columns: expected one with a name or an article number, and bands such as 125 Hz or 1k; the likeliest, with ? behind what is no known name: " +
			strings.Join(likely.likely, "; ")
	}
	return fault
}

// pass tells which sheets were passed over.
func (im *importing) pass(input string, passed []string) {
	if len(passed) == 0 {
		return
	}
	im.Warn(dataset.Fault{Place: dataset.Place{Input: input, Index: -1, Offset: -1}, Problem: "passed over: " + strings.Join(passed, ", ")})
	if im.Told != nil && len(im.Told.Tables) > 0 {
		last := &im.Told.Tables[len(im.Told.Tables)-1]
		last.Unused = append(last.Unused, passed...)
	}
}
