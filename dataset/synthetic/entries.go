package synthetic

import (
	"strconv"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

func (p *invention) absorption(d *dice) []product.Absorption {
	entries := make([]product.Absorption, len(p.variants))
	implicit := p.diffuser != nil && d.percent(50) || d.percent(5) // leaves id, label and norm to the reader; a diffuser has no entry
	for i := range p.variants {
		v, e, number := &p.variants[i], &entries[i], strconv.Itoa(i+1)
		e.SourceKind = "simulated"
		if !implicit {
			e.ID, e.Label, e.SourceNorm = p.article+"-A"+number, product.ISO354.Label+number, product.ISO354.Norm
		}
		if d.percent(35) {
			e.MeasuringOption = new("unendliche Fläche")
			if v.design.edgePerArea > 0 {
				e.MeasuringOption = new("Beugung an den Kanten eingerechnet")
			}
		}
		mounting := p.kind.Mountings[0]
		if v.gapMM > 0 {
			mounting = p.kind.Mountings[1]
		}
		e.Mounting = unless(d, 5, mounting)
		e.ThicknessMM = unless(d, 3, float64(v.thicknessMM))
		if v.gapMM > 0 || !d.percent(40) {
			e.AirGapMM = new(float64(v.gapMM))
		}
		if d.percent(20) { // beside the bands, as some laboratories do
			if alphaW := v.alphaW(); alphaW != nil {
				e.CalculatedAbsorption = new(alphaW.Float())
			}
		}
		e.AlphaSOctave, e.AlphaSThirdOctave = v.octave, v.third
	}
	return entries
}

func (s *scattering) scatterEntries(d *dice) []product.Scatter {
	e := s.scatter
	e.Measurement = arrangement(product.ISO174971, "simulated", d)
	if d.percent(15) {
		e.ScatterThirdOctave = nil
	}
	return []product.Scatter{e}
}

// arrangement returns how scattering or diffusion was found. Some entries have no name.
func arrangement(s product.Standard, sourceKind string, d *dice) product.Measurement {
	m := product.Measurement{SourceKind: sourceKind, SourceNorm: s.Norm}
	if !d.percent(20) {
		m.ID, m.Label = s.Prefix+"1", s.Label+"1"
	}
	if d.percent(50) {
		m.MeasuringOption = new("zwei Perioden nebeneinander")
	}
	return m
}

// diffusionEntries returns what the contract knows only as measured; structured_meta says that it is computed.
func (p *invention) diffusionEntries(s *scattering, d *dice) []product.Diffusion {
	if d.percent(20) {
		return nil
	}
	e := s.diffusion
	e.Measurement = arrangement(product.ISO174972, product.Measured, d)
	if q, ok := p.diffuser.(acoustics.QRD); ok && d.percent(70) {
		e.LimitFrequencyHz = &q.DesignHz
	}
	if d.percent(15) {
		e.DirectionalDiffusionThirdOctave, e.NormalizedDirectionalDiffusionThirdOctave = nil, nil
		e.DiffusionThirdOctave, e.NormalizedDiffusionThirdOctave = nil, nil
	}
	return []product.Diffusion{e}
}
