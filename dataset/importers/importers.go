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

// Options say what a foreign dump does not. The zero value is for one that says everything.
type Options struct {
	Name         string // of the input, for messages; "" is "-"
	Manufacturer string // of entries that name none
	SourceKind   string // one of product.SourceKinds; "" is table.DefaultSourceKind

	// Warn, if not nil, is called with a line for what goes into no field of its own, or into no record at all.
	Warn func(note string)
}

// An Importer reads a foreign dump and writes source records as NDJSON. An entry that makes no record is left
// out and reported; the error joins all that was found, each an *Error or *dataset.Fault. A dump without
// entries is an error.
type Importer func(w io.Writer, r io.Reader, o Options) error

// Formats are the formats of sabine import that are one file each and no table.
var Formats = map[string]Importer{
	"pyroomacoustics": Pyroomacoustics,
	"api":             API,
}

// An Error is something in a foreign dump from which no record can be made.
type Error struct {
	Input        string
	Line, Column int // 1-based, the column in bytes; 0 for the dump as a whole
	Problem      string
}

func (e *Error) Error() string {
	place := e.Input
	if e.Line > 0 {
		place = fmt.Sprintf("%s:%d:%d", e.Input, e.Line, e.Column)
	}
	return place + ": " + e.Problem
}

// maxErrors is how many errors an import reports one by one.
const maxErrors = 100

// An importing is one import in progress.
type importing struct {
	Options
	w         io.Writer
	written   int            // records
	leftOut   map[string]int // names of what goes into no record, and how often they stood there
	found     int            // problems
	problems  []error        // the first of them
	cancelled error          // of w
}

func newImporting(w io.Writer, o Options) (*importing, error) {
	o.Name = cmp.Or(o.Name, "-")
	o.SourceKind = cmp.Or(o.SourceKind, table.DefaultSourceKind)
	o.Manufacturer = strings.TrimSpace(o.Manufacturer)
	switch {
	case !slices.Contains(product.SourceKinds, o.SourceKind):
		return nil, fmt.Errorf("source kind %q: expected %s", o.SourceKind, dataset.OrList(product.SourceKinds))
	case !utf8.ValidString(o.Manufacturer):
		return nil, fmt.Errorf("manufacturer %q: not valid UTF-8", o.Manufacturer)
	}
	return &importing{Options: o, w: w, leftOut: map[string]int{}}, nil
}

// problem notes why an entry makes no record.
func (im *importing) problem(err error) {
	im.found++
	if im.found <= maxErrors {
		im.problems = append(im.problems, err)
	}
}

// problemAt notes a problem at a place of the dump.
func (im *importing) problemAt(line, column int, problem string) {
	im.problem(&Error{im.Name, line, column, problem})
}

// warn passes on a note about the dump that is no error.
func (im *importing) warn(note string) {
	if im.Warn != nil {
		im.Warn(im.Name + ": " + note)
	}
}

// end returns all problems, joined. noEntry is the problem of a dump without entries.
func (im *importing) end(noEntry string) error {
	if im.cancelled != nil {
		return im.cancelled
	}
	if len(im.leftOut) > 0 {
		var names []string
		for _, name := range slices.Sorted(maps.Keys(im.leftOut)) {
			names = append(names, dataset.Quoted(name)+" ("+strconv.Itoa(im.leftOut[name])+")")
		}
		im.warn("left out, with how often they stand there: " + strings.Join(names, ", "))
	}
	if im.written == 0 && im.found == 0 {
		im.problemAt(0, 0, noEntry)
	}
	if unlisted := im.found - len(im.problems); unlisted > 0 {
		im.problems = append(im.problems, fmt.Errorf("and %d more", unlisted))
	}
	return errors.Join(im.problems...)
}

// writeLine writes a record.
func (im *importing) writeLine(record []byte) {
	if im.cancelled == nil {
		_, im.cancelled = im.w.Write(append(record, '\n'))
		im.written++
	}
}
