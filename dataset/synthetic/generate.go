package synthetic

import (
	"bufio"
	"fmt"
	"io"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// Generate writes a synthetic catalogue of n source records as NDJSON, the same bytes for the same seed, and the first records of a long
// catalogue are those of a short one. Brands are invented, curves come from the models of package acoustics, and every record with coefficients
// says in structured_meta that they are computed. Memory does not grow with n.
func Generate(w io.Writer, n int, seed uint64) error {
	if n < 0 {
		return fmt.Errorf("generate: %d records asked for, want 0 or more", n)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	g := generator{seed: seed, absorbers: map[design]*absorption{}, diffusers: map[acoustics.Diffuser]*scattering{}}
	for i := range n {
		if _, err := out.Write(g.line(i)); err != nil {
			return fmt.Errorf("generate: record %d: %w", i, err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("generate: %w", err)
	}
	return nil
}

// A generator makes records by number, each from its own dice, so that none depends on those before it.
type generator struct {
	seed      uint64
	absorbers map[design]*absorption             // those computed so far
	diffusers map[acoustics.Diffuser]*scattering // those computed so far
	text      []byte                             // of the record at hand; its memory is used again
}

// line returns the text of record i with its newline, valid until the next call.
func (g *generator) line(i int) []byte {
	d := newDice(g.seed, uint64(i))
	g.text = append(product.AppendSource(g.text[:0], g.record(g.invent(i, &d), &d)), '\n')
	return g.text
}
