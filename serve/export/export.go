package export

import (
	"fmt"
	"io"

	"sabine/runtime"
)

// A Format is a file format for exports.
type Format string

// All formats.
const (
	NDJSON          Format = "ndjson"
	CSV             Format = "csv"
	Pyroomacoustics Format = "pyroomacoustics"
	CATT            Format = "catt"
)

// Options select the format of an export and its details.
type Options struct {
	Format    Format
	Semicolon bool  // only for CSV: separate cells by semicolons, and write decimal commas and a byte-order mark
	Bands     []int // only for Pyroomacoustics: octaves in Hz, ascending; nil: 125 to 4000, as in CATT
	Hold      bool  // only for simulators: fill a missing band with the value of the nearest band
}

// Notes contains the numbers of values and entries that were changed or left out for a simulator's format.
// They are zero for other formats.
type Notes struct {
	Clipped int // values above 1, which were reduced to 1
	Raised  int // values below 0, which were raised to 0
	LeftOut int // entries that were left out because a band is missing
	Held    int // missing values, which were replaced by the value of the nearest band
}

// String returns the text for the header field X-Export-Notes, which is also the last line of a CATT export.
func (n Notes) String() string {
	return fmt.Sprintf("clipped=%d; raised=%d; left_out=%d; held=%d", n.Clipped, n.Raised, n.LeftOut, n.Held)
}

// Write writes the products in the order of their ids; for Pyroomacoustics, it sorts them by category first.
// n must be the result of NotesOf for the same products and options. Write writes in pieces. Its memory does
// not depend on the number of products, except for four bytes per product in Selection.ByCategory.
func Write(w io.Writer, products *runtime.Selection, o *Options, n Notes) error {
	out, g := &pieces{w: w}, products.Generation()
	var err error
	switch o.Format {
	case NDJSON:
		err = out.ndjson(g, products)
	case CSV:
		err = out.csv(g, products, o.Semicolon)
	case Pyroomacoustics:
		err = out.pyroomacoustics(g, products, o)
	case CATT:
		err = out.catt(g, products, o, n)
	default:
		err = fmt.Errorf("export: unsupported format %q", o.Format)
	}
	if err != nil {
		return err
	}
	return out.flush()
}

// pieceBytes is the number of buffered bytes after which a piece is written.
const pieceBytes = 128 << 10

// pieces buffers the output of an export. A format appends to b, and calls next after each product.
type pieces struct {
	w io.Writer
	b []byte
}

// next writes the buffer if it contains at least pieceBytes bytes.
func (p *pieces) next() error {
	if len(p.b) < pieceBytes {
		return nil
	}
	return p.flush()
}

func (p *pieces) flush() error {
	_, err := p.w.Write(p.b)
	p.b = p.b[:0]
	return err
}

// ndjson writes the JSON of each product with its geometry on one line.
func (p *pieces) ndjson(g *runtime.Generation, products *runtime.Selection) error {
	for d := range products.ByIDFetched() {
		p.b = append(g.AppendDetail(p.b, d, true), '\n')
		if err := p.next(); err != nil {
			return err
		}
	}
	return nil
}
