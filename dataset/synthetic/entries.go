package synthetic

import (
	"strconv"

	"sabine/dataset/acoustics"
)

func (j *recordText) absorptionEntries(p *invention, d *dice) {
	if p.diffuser != nil && d.percent(50) {
		return // absent is as good as empty
	}
	j.Key("absorption_iso_354").Array(func() {
		implicit := d.percent(5) // leaves id, label and norm to the reader
		for i := range p.variants {
			j.Object(func() { j.absorptionEntry(p, &p.variants[i], i+1, implicit, d) })
		}
	})
}

func (j *recordText) absorptionEntry(p *invention, v *variant, number int, implicit bool, d *dice) {
	if !implicit {
		j.text("id", p.article+"-A"+strconv.Itoa(number))
		j.text("label", "Absorption "+strconv.Itoa(number))
	}
	j.text("source_kind", "simulated")
	if !implicit {
		j.text("source_norm", "ISO 354")
	}
	option := ""
	if d.percent(35) {
		option = "unendliche Fläche"
		if v.design.edges > 0 {
			option = "Beugung an den Kanten eingerechnet"
		}
	}
	j.text("measuring_option", option)
	mounting := p.kind.mounting[0]
	if v.gapMM > 0 {
		mounting = p.kind.mounting[1]
	}
	if d.percent(5) {
		mounting = ""
	}
	j.text("mounting", mounting)
	j.Key("thickness_mm")
	if d.percent(3) {
		j.Null()
	} else {
		j.Number(float64(v.thicknessMM))
	}
	j.Key("air_gap_mm")
	if v.gapMM == 0 && d.percent(40) {
		j.Null()
	} else {
		j.Number(float64(v.gapMM))
	}
	j.Key("calculated_absorption")
	if alphaW := summary(v, d); alphaW != nil {
		j.Number(alphaW.Float())
	} else {
		j.Null()
	}
	j.Key("alpha_s_octave")
	j.spectrum(v.octave, v.spectrum.octaveJSON)
	j.Key("alpha_s_third_octave")
	j.spectrum(v.third, v.spectrum.thirdJSON)
}

// summary is the single value that some laboratories report beside the bands: alpha_w.
func summary(v *variant, d *dice) *acoustics.Hundredths {
	if !d.percent(20) {
		return nil
	}
	return v.ratings().AlphaW
}

func (j *recordText) spectrum(has bool, frequencyMap []byte) {
	if has {
		j.Raw(frequencyMap)
	} else {
		j.Null()
	}
}

func (j *recordText) scatterEntries(s *scattering, d *dice) {
	j.Key("scatter_iso_17497_1").Array(func() {
		j.Object(func() {
			j.arrangement("sca-1", "Scatter 1", "simulated", "ISO 17497-1", d)
			j.Key("scatter_octave")
			j.spectrum(true, s.scatter.octaveJSON)
			j.Key("scatter_third_octave")
			j.spectrum(!d.percent(15), s.scatter.thirdJSON)
		})
	})
}

// arrangement writes how scattering or diffusion was found. Some entries have no name.
func (j *recordText) arrangement(id, label, kind, norm string, d *dice) {
	if !d.percent(20) {
		j.text("id", id)
		j.text("label", label)
	}
	j.text("source_kind", kind)
	j.text("source_norm", norm)
	if d.percent(50) {
		j.text("measuring_option", "zwei Perioden nebeneinander")
	} else {
		j.text("measuring_option", "")
	}
}

// diffusionEntries writes what the contract knows only as measured; structured_meta says that it is computed.
func (j *recordText) diffusionEntries(p *invention, s *scattering, d *dice) {
	if d.percent(20) {
		return
	}
	j.Key("diffusion_iso_17497_2").Array(func() {
		j.Object(func() {
			j.arrangement("dif-1", "Diffusion 1", "measured", "ISO 17497-2", d)
			j.Key("limit_frequency_hz")
			if p.designHz > 0 && d.percent(70) {
				j.Number(float64(p.designHz))
			} else {
				j.Null()
			}
			thirds := !d.percent(15)
			for _, m := range []struct {
				name     string
				spectrum *spectrum
			}{
				{"directional_diffusion", &s.directional},
				{"normalized_directional_diffusion", &s.normalizedDirectional},
				{"diffusion", &s.diffusion},
				{"normalized_diffusion", &s.normalizedDiffusion},
			} {
				j.Key(m.name + "_octave")
				j.spectrum(true, m.spectrum.octaveJSON)
				j.Key(m.name + "_third_octave")
				j.spectrum(thirds, m.spectrum.thirdJSON)
			}
		})
	})
}
