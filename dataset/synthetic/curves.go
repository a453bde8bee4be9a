package synthetic

import (
	"slices"

	"sabine/dataset/acoustics"
)

// A design is one absorber construction, in whole numbers so that it can be the key of a table. It is drawn from short lists: there are fewer
// than 20,000 designs however many records are made, 16,448 in 100,000 records and 17,512 in a million, which take 17 MB with their curves.
type design struct {
	family      family
	sheetTenths int // thickness of a perforated sheet in 0.1 mm
	holeTenths  int // hole diameter in 0.1 mm; of a micro-perforation in 0.01 mm
	openPerMil  int // open area
	massTenths  int // mass of a membrane in 0.1 kg/m²
	porousMM    int // thickness of the porous layer; 0 without one
	resistivity int // its flow resistivity in Pa s/m²
	gapMM       int // air behind it
	edges       int // free edge per area in 0.01/m
}

// fleeceResistance is that of the fleece behind wide holes, per open area, in Pa s/m: close to the impedance of air.
const fleeceResistance = 350

func (d design) construction() acoustics.Construction {
	var c acoustics.Construction
	open := float64(d.openPerMil) / 1000
	switch d.family {
	case perforated:
		c.Facing = acoustics.Perforated{
			ThicknessMM: float64(d.sheetTenths) / 10, HoleMM: float64(d.holeTenths) / 10, OpenRatio: open, FleeceResistance: fleeceResistance * open,
		}
	case microperforated:
		c.Facing = acoustics.Perforated{ThicknessMM: float64(d.sheetTenths) / 10, HoleMM: float64(d.holeTenths) / 100, OpenRatio: open}
	case membrane:
		c.Facing = acoustics.Membrane{MassKgM2: float64(d.massTenths) / 10, Resistance: 250}
	}
	if d.porousMM > 0 {
		c.Layers = append(c.Layers, acoustics.Porous{ThicknessMM: float64(d.porousMM), FlowResistivity: float64(d.resistivity)})
	}
	if d.gapMM > 0 || d.porousMM == 0 {
		c.Layers = append(c.Layers, acoustics.Air{ThicknessMM: float64(max(d.gapMM, 5))})
	}
	return c
}

// A spectrum is a third-octave curve with its octave averages.
type spectrum struct{ third, octave acoustics.Curve }

func newSpectrum(third acoustics.Curve) spectrum {
	return spectrum{third, acoustics.OctaveAverages(third)}
}

// curves returns the octave averages, and the third-octave curve if that is wanted.
func (s *spectrum) curves(withThirds bool) (octave, third acoustics.Curve) {
	if withThirds {
		return s.octave, s.third
	}
	return s.octave, nil
}

// absorption is the spectra of a design over the bands that ISO 354 asks for, and over all, which some laboratories add.
type absorption struct{ iso, wide spectrum }

// scattering is the spectra of a diffuser over the range of ISO 354.
type scattering struct {
	scatter, directional, normalizedDirectional, diffusion, normalizedDiffusion spectrum
}

// absorber computes the spectra of a design and keeps them: a design comes up again and again, and its computation takes a hundred times longer
// than the rest of a record.
func (g *generator) absorber(d design) *absorption {
	if known := g.absorbers[d]; known != nil {
		return known
	}
	c := d.construction()
	wide := acoustics.WithEdges(c.Absorption(acoustics.ThirdBands), float64(d.edges)/100)
	iso := wide[slices.Index(acoustics.ThirdBands, acoustics.StandardThirds[0]):][:len(acoustics.StandardThirds)]
	a := &absorption{iso: newSpectrum(iso), wide: newSpectrum(wide)}
	g.absorbers[d] = a
	return a
}

// diffuser is absorber for a diffuser.
func (g *generator) diffuser(d acoustics.Diffuser) *scattering {
	if known := g.diffusers[d]; known != nil {
		return known
	}
	const periods = 2
	c := acoustics.Scatter(d, periods, acoustics.StandardThirds)
	result := &scattering{
		newSpectrum(c.Scatter), newSpectrum(c.Directional), newSpectrum(c.NormalizedDirectional), newSpectrum(c.Diffusion), newSpectrum(c.NormalizedDiffusion),
	}
	g.diffusers[d] = result
	return result
}
