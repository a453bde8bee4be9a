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
	Bands     []int // of Pyroomacoustics: octaves in Hz, ascending; nil: 125 to 4000, which CATT always has
	Hold      bool  // of these two: a missing band has the value of the nearest one
}

// Notes count what a simulator's format could not take as it is. Other formats have none.
type Notes struct {
	Clipped int // values over 1 that were cut to 1
	Raised  int // values below 0 that were raised to 0
	LeftOut int // entries that miss a band
	Held    int // values that are the nearest band's
}

// String returns the notes as the header X-Export-Notes and the last line of CATT have them.
func (n Notes) String() string {
	return fmt.Sprintf("clipped=%d; raised=%d; left_out=%d; held=%d", n.Clipped, n.Raised, n.LeftOut, n.Held)
}

// Write writes the products in the order of their ids, those of Pyroomacoustics category by category, piece
// by piece: its memory does not grow with them, but for the four bytes a product that Selection.ByCategory
// takes. n is what NotesOf returns for the same products and options.
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
		err = fmt.Errorf("export: no format %q", o.Format)
	}
	if err != nil {
		return err
	}
	return out.flush()
}

// pieceBytes is from which size a piece is written.
const pieceBytes = 128 << 10

// pieces is what is written, the next piece in memory: whoever appends to it calls next between two products.
type pieces struct {
	w io.Writer
	b []byte
}

// next writes what is there once it is a piece.
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

// ndjson writes the details with geometry as they are, a line each.
func (p *pieces) ndjson(g *runtime.Generation, products *runtime.Selection) error {
	for d := range products.ByIDFetched() {
		p.b = append(g.AppendDetail(p.b, d, true), '\n')
		if err := p.next(); err != nil {
			return err
		}
	}
	return nil
}
