package synthetic

import (
	"slices"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// A design is one absorber construction, which can be the key of a map. It is drawn from short lists: there are fewer
// than 20,000 designs however many records are made.
type design struct {
	facing      acoustics.Facing // nil without one
	porous      acoustics.Porous // of no thickness without one
	gapMM       float64          // air behind it
	edgePerArea float64          // free edge, in 1/m
}

// absorber returns the third-octave curve of a design over all bands. It keeps the curve: a design comes up again and
// again, and its computation takes a hundred times longer than the rest of a record.
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

// standardThirds returns a curve over all third octaves in the bands that ISO 354 asks for.
func standardThirds(third acoustics.Curve) acoustics.Curve {
	return third[slices.Index(acoustics.ThirdBands, acoustics.StandardThirds[0]):][:len(acoustics.StandardThirds)]
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
