package export

import (
	"fmt"
	"io"

	"sabine/runtime"
)

// A Format is a form that products are written in.
type Format string

// The formats.
const (
	NDJSON          Format = "ndjson"
	CSV             Format = "csv"
	Pyroomacoustics Format = "pyroomacoustics"
	CATT            Format = "catt"
)

// Options are how products are written.
type Options struct {
	Format    Format
	Semicolon bool  // of CSV: semicolons between cells, decimal commas and a byte-order mark
	Bands     []int // of the simulators' formats: octaves in Hz, ascending; nil: 125 to 4000
	Hold      bool  // of these: a missing band has the value of the nearest one
}

// Notes count what a simulator's format could not take as it is. Other formats have none.
type Notes struct {
	Clipped int // values that were over 1 or below 0
	LeftOut int // entries that miss a band
	Held    int // values that are the nearest band's
}

// String returns the notes as the header of an export has them.
func (n Notes) String() string {
	return fmt.Sprintf("clipped=%d; left_out=%d; held=%d", n.Clipped, n.LeftOut, n.Held)
}

// NotesOf goes through the products without writing any.
func NotesOf(products *runtime.Selection, o *Options) Notes { return Notes{} }

// Write writes the products in the order of their ids, piece by piece: its memory does not grow with their number. n is what
// NotesOf returns for the same products and options.
func Write(w io.Writer, g *runtime.Generation, products *runtime.Selection, o *Options, n Notes) error {
	if o.Format != NDJSON {
		return fmt.Errorf("export: no format %q", o.Format)
	}
	var line []byte
	for d := range products.ByID() {
		line = append(g.AppendDetail(line[:0], d, true), '\n')
		if _, err := w.Write(line); err != nil {
			return err
		}
	}
	return nil
}
