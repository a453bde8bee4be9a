package synthetic

import (
	"bufio"
	"fmt"
	"io"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// Generate writes a synthetic catalogue of n source records as NDJSON, the same bytes for the same seed, and
// the first records of a long catalogue are those of a short one. Brands are invented, curves come from the
// models of package acoustics, and every record with coefficients says in structured_meta that they are
// computed. Memory does not grow with n.
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

// A design is one absorber construction, which can be the key of a map. It is drawn from short lists: there
// are fewer than 20,000 designs however many records are made.
type design struct {
	facing      acoustics.Facing // nil without one
	porous      acoustics.Porous // of no thickness without one
	gapMM       float64          // air behind it
	edgePerArea float64          // free edge, in 1/m
}

// absorber returns the third-octave curve of a design over all bands. It keeps the curve: a design comes up
// again and again, and its computation takes a hundred times longer than the rest of a record.
func (g *generator) absorber(d design) acoustics.Curve {
	if known, ok := g.absorbers[d]; ok {
		return known
	}
	c := acoustics.Construction{Facing: d.facing}
	if d.porous.ThicknessMM > 0 {
		c.Layers = append(c.Layers, d.porous)
	}
	if d.gapMM > 0 || len(c.Layers) == 0 {
		c.Layers = append(c.Layers, acoustics.Air{ThicknessMM: max(d.gapMM, 5)})
	}
	g.absorbers[d] = acoustics.WithEdges(c.Absorption(acoustics.ThirdBands), d.edgePerArea)
	return g.absorbers[d]
}

// A scattering is what a diffuser does, as entries that say nothing else yet.
type scattering struct {
	scatter   product.Scatter
	diffusion product.Diffusion
}

// diffuser computes the curves of a diffuser over the range of ISO 354, and keeps them as absorber does.
func (g *generator) diffuser(d acoustics.Diffuser) *scattering {
	if known := g.diffusers[d]; known != nil {
		return known
	}
	const periods = 2
	c, octaves := acoustics.Scatter(d, periods, acoustics.StandardThirds), acoustics.OctaveAverages
	g.diffusers[d] = &scattering{
		product.Scatter{ScatterOctave: octaves(c.Scatter), ScatterThirdOctave: c.Scatter},
		product.Diffusion{
			DirectionalDiffusionOctave:                octaves(c.Directional),
			DirectionalDiffusionThirdOctave:           c.Directional,
			NormalizedDirectionalDiffusionOctave:      octaves(c.NormalizedDirectional),
			NormalizedDirectionalDiffusionThirdOctave: c.NormalizedDirectional,
			DiffusionOctave:                           octaves(c.Diffusion),
			DiffusionThirdOctave:                      c.Diffusion,
			NormalizedDiffusionOctave:                 octaves(c.NormalizedDiffusion),
			NormalizedDiffusionThirdOctave:            c.NormalizedDiffusion,
		},
	}
	return g.diffusers[d]
}
