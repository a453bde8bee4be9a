package table

import (
	"context"
	"errors"
	"fmt"

	"sabine/dataset"
	"sabine/dataset/importers/workbook"
)

// Options say what the tables do not. The zero value is for tables that say everything.
type Options struct {
	Manufacturer string // of rows that name none
	SourceKind   string // of rows that name none, one of dataset.SourceKinds; "" is DefaultSourceKind
	Sheet        string // the only sheet that is read; "" for all
	Map          *Map   // what the columns are; nil: by their names

	// Told, when not nil, is filled with what each column became.
	Told *Account
}

// DefaultSourceKind is the source kind of a table that does not say: most tables are copied from books.
const DefaultSourceKind = "literature"

// Inputs returns the inputs of a build with its tables, if any, as one input, the last.
func Inputs(all []dataset.Input, o Options) []dataset.Input {
	var others, tables []dataset.Input
	for _, in := range all {
		if dataset.IsTableName(in.Name) {
			tables = append(tables, in)
		} else {
			others = append(others, in)
		}
	}
	if len(tables) == 0 {
		return others
	}
	return append(others, Input(tables, o))
}

// Input returns the input that some tables are together. Rows of one product are its set-ups, whichever table they stand in.
func Input(tables []dataset.Input, o Options) dataset.Input {
	return dataset.Input{Name: tables[0].Name, Tables: tables, Convert: func(c *dataset.Conversion) error {
		im := &importing{Options: o, Conversion: c, products: newProducts(&o, c.Vocabulary)}
		for _, in := range c.Tables {
			if err := im.file(in); err != nil {
				return err
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
}

// file reads one file. What is wrong with the file as a whole is yielded in the place of its records.
func (im *importing) file(in dataset.Input) error {
	err := im.sheets(in)
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

func (im *importing) sheets(in dataset.Input) error {
	text, err := dataset.OpenText(im.Context, in)
	if err != nil {
		return err
	}
	defer text.Close()
	book, err := workbook.Open(in.Name, text, workbook.Options{Known: func(cell string) bool {
		c := columnOf(cell)
		return c.known()
	}})
	if err != nil {
		return err
	}
	defer book.Close()
	for _, s := range book.Sheets {
		if im.Sheet != "" && s.Name != im.Sheet {
			continue
		}
		if err := im.readSheet(in.Name, s); err != nil {
			return fmt.Errorf("%s: %w", in.Name, err)
		}
	}
	return nil
}
