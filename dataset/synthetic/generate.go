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
	g := generator{absorbers: map[design]acoustics.Curve{}, diffusers: map[acoustics.Diffuser]*scattering{}}
	for i := range n {
		d := newDice(seed, uint64(i)) // of this record alone, so that none depends on those before it
		line := append(product.AppendSource(out.AvailableBuffer(), g.record(g.invent(i, &d), &d)), '\n')
		if _, err := out.Write(line); err != nil {
			return fmt.Errorf("generate: record %d: %w", i, err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("generate: %w", err)
	}
	return nil
}

// A generator makes records, and keeps the curves that it has computed.
type generator struct {
	absorbers map[design]acoustics.Curve
	diffusers map[acoustics.Diffuser]*scattering
}
