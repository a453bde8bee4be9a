package synthetic

import (
	"bufio"
	"fmt"
	"io"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// Generate writes a synthetic catalogue of n source records as NDJSON. The same seed produces the same bytes,
// and a short catalogue is a prefix of a long one. Brands are invented, and the curves are from the models of
// package acoustics. Each record with coefficients states in structured_meta that they are computed. Memory
// use does not grow with n.
func Generate(w io.Writer, n int, seed uint64) error {
	if n < 0 {
		return fmt.Errorf("generate: invalid number of records %d, expected 0 or more", n)
	}
	out := bufio.NewWriterSize(w, 1<<16)
	g := generator{absorbers: map[design]acoustics.Curve{}, diffusers: map[acoustics.Diffuser]*scattering{}}
	for i := range n {
		d := newDice(seed, uint64(i)) // one per record, so that a record does not depend on earlier records
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

// A generator makes records and caches the computed curves.
type generator struct {
	absorbers map[design]acoustics.Curve
	diffusers map[acoustics.Diffuser]*scattering
}

// A design is an absorber construction as a map key. Its fields are picked from short lists, so a catalogue
// of any size has fewer than 20,000 designs.
type design struct {
	facing      acoustics.Facing // nil without a facing
	porous      acoustics.Porous // ThicknessMM is 0 without a porous layer
	gapMM       float64          // depth of the air between absorber and surface
	edgePerArea float64          // length of free edges per area in 1/m
}

// absorber returns the third-octave curve of a design in all bands. It caches the curve, because designs
// repeat and the computation takes 100 times longer than the rest of a record.
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

// A scattering contains the curves of a diffuser, as entries without other data.
type scattering struct {
	scatter   product.Scatter
	diffusion product.Diffusion
}

// diffuser returns the curves of a diffuser in the bands of ISO 354, and caches them.
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
