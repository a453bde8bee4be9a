package importers

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sabine/dataset"
	"sabine/dataset/importers/table"
	"sabine/dataset/product"
)

// Options supply values that a foreign dump lacks. The zero value is for a complete dump.
type Options struct {
	Name         string // name of the input in messages; "" means "-"
	Manufacturer string // manufacturer of entries without one
	SourceKind   string // one of product.SourceKinds; "" means table.DefaultSourceKind

	// Warn, if not nil, is called with a line about data in the dump that no record contains.
	Warn func(note string)
}

// An Importer reads a foreign dump and writes source records as NDJSON. It reports entries that it cannot
// convert, and skips them. The returned error joins the first 100 problems, each an *Error or *dataset.Fault,
// and the number of further ones. A dump without entries is an error.
type Importer func(w io.Writer, r io.Reader, o Options) error

// Formats are the formats of sabine import that are single files and not tables.
var Formats = map[string]Importer{
	"pyroomacoustics": Pyroomacoustics,
	"api":             API,
}

// An Error is a part of a foreign dump that cannot become a record.
type Error struct {
	Input        string
	Line, Column int // 1-based, the column in bytes; 0 for the whole dump
	Problem      string
}

func (e *Error) Error() string {
	place := e.Input
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", e.Input, e.Line, e.Column)
	}
	return place + ": " + e.Problem
}

// maxErrors is the maximum number of errors that an import lists.
const maxErrors = 100

// An importing is an import in progress.
type importing struct {
	Options
	w        io.Writer
	written  int            // number of records
	leftOut  map[string]int // number of occurrences of each name that no record contains
	found    int            // number of problems
	problems []error        // the first maxErrors problems
	writeErr error          // first error from writing to w, which ends the import
}

func newImporting(w io.Writer, o Options) (*importing, error) {
	o.Name = cmp.Or(o.Name, "-")
	o.SourceKind = cmp.Or(o.SourceKind, table.DefaultSourceKind)
	o.Manufacturer = strings.TrimSpace(o.Manufacturer)
	switch {
	case !slices.Contains(product.SourceKinds, o.SourceKind):
		return nil, fmt.Errorf("source kind %q is invalid: expected %s", o.SourceKind, dataset.OrList(product.SourceKinds))
	case !utf8.ValidString(o.Manufacturer):
		return nil, fmt.Errorf("manufacturer %q is not valid UTF-8", o.Manufacturer)
	}
	return &importing{Options: o, w: w, leftOut: map[string]int{}}, nil
}

// problem records the reason why an entry cannot become a record.
func (im *importing) problem(err error) {
	im.found++
	if im.found <= maxErrors {
		im.problems = append(im.problems, err)
	}
}

// problemAt records a problem at a position in the dump.
func (im *importing) problemAt(line, column int, problem string) {
	im.problem(&Error{im.Name, line, column, problem})
}

// warn reports a note about the dump.
func (im *importing) warn(note string) {
	if im.Warn != nil {
		im.Warn(im.Name + ": " + note)
	}
}

// end returns all problems as one error. It adds the problem noEntry if the dump contains no entries.
func (im *importing) end(noEntry string) error {
	if im.writeErr != nil {
		return im.writeErr
	}
	if len(im.leftOut) > 0 {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(im.leftOut)) {
			names = append(names, dataset.Quoted(name)+" ("+strconv.Itoa(im.leftOut[name])+")")
		}
		im.warn("ignored fields (with the number of occurrences): " + strings.Join(names, ", "))
	}
	if im.written == 0 && im.found == 0 {
		im.problemAt(0, 0, noEntry)
	}
	if unlisted := im.found - len(im.problems); unlisted > 0 {
		im.problems = append(im.problems, fmt.Errorf("and %d more", unlisted))
	}
	return errors.Join(im.problems...)
}

// writeLine writes a record, unless an earlier write has failed.
func (im *importing) writeLine(record []byte) {
	if im.writeErr == nil {
		_, im.writeErr = im.w.Write(append(record, '\n'))
		im.written++
	}
}
