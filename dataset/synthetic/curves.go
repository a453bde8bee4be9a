package synthetic

import (
	"sabine/dataset/acoustics"
	"sabine/dataset/jsonwriter"
)

// A design is one absorber construction, in whole numbers so that it can be the key of a table. What it is drawn from are short lists, so there
// are less than 20,000 however many records are made: 16,443 in 100,000 records, 17,747 in a million, 34 MB with their curves.
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

// isoThirds are the thirds of ISO 354, 100 Hz to 5000 Hz. Some laboratories add others.
var isoThirds = acoustics.ThirdBands[3:21]

// A spectrum is a third-octave curve with its octave averages, and both as the JSON text of a frequency map.
type spectrum struct {
	third, octave         acoustics.Curve
	thirdJSON, octaveJSON []byte
}

func newSpectrum(third acoustics.Curve) spectrum {
	octave := acoustics.OctaveAverages(third)
	return spectrum{third, octave, frequencyMap(third), frequencyMap(octave)}
}

// frequencyMap writes a curve as JSON.
func frequencyMap(c acoustics.Curve) []byte {
	var t jsonwriter.Text
	t.Object(func() {
		for _, p := range c {
			t.KeyInt(p.BandHz).Number(p.Value)
		}
	})
	return t.Bytes()
}

// absorption is the spectra of a design over both ranges.
type absorption struct{ iso, wide spectrum }

// scattering is the spectra of a diffuser over the range of ISO 354.
type scattering struct {
	scatter, directional, normalizedDirectional, diffusion, normalizedDiffusion spectrum
}

// spectra computes curves and keeps them: a design comes up again and again, and its computation takes a hundred times longer than the rest of a
// record.
type spectra struct {
	absorbers map[design]*absorption
	diffusers map[acoustics.Diffuser]*scattering
}

func newSpectra() spectra {
	return spectra{map[design]*absorption{}, map[acoustics.Diffuser]*scattering{}}
}

func (s *spectra) absorber(d design) *absorption {
	if known := s.absorbers[d]; known != nil {
		return known
	}
	c := d.construction()
	wide := acoustics.WithEdges(c.Absorption(acoustics.ThirdBands), float64(d.edges)/100)
	a := &absorption{iso: newSpectrum(wide[3:21]), wide: newSpectrum(wide)}
	s.absorbers[d] = a
	return a
}

func (s *spectra) diffuser(d acoustics.Diffuser) *scattering {
	if known := s.diffusers[d]; known != nil {
		return known
	}
	const periods = 2
	c := acoustics.Scatter(d, periods, isoThirds)
	result := &scattering{
		newSpectrum(c.Scatter), newSpectrum(c.Directional), newSpectrum(c.NormalizedDirectional), newSpectrum(c.Diffusion), newSpectrum(c.NormalizedDiffusion),
	}
	s.diffusers[d] = result
	return result
}
