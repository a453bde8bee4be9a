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
	mounting := p.kind.mountings[0]
	if v.gapMM > 0 {
		mounting = p.kind.mountings[1]
	}
	j.text("mounting", d.unless(5, mounting))
	j.number("thickness_mm", float64(v.thicknessMM), !d.percent(3))
	j.number("air_gap_mm", float64(v.gapMM), v.gapMM > 0 || !d.percent(40))
	var reported *acoustics.Hundredths // beside the bands, as some laboratories do
	if d.percent(20) {
		reported = v.ratings().AlphaW
	}
	if j.Key("calculated_absorption"); reported != nil {
		j.Number(reported.Float())
	} else {
		j.Null()
	}
	j.spectrum("alpha_s", v.spectrum, v.octave, v.third)
}

// spectrum writes the two frequency maps of a quantity, those that it has.
func (j *recordText) spectrum(quantity string, s *spectrum, octave, third bool) {
	if j.Key(quantity + "_octave"); octave {
		j.Raw(s.octaveJSON)
	} else {
		j.Null()
	}
	if j.Key(quantity + "_third_octave"); third {
		j.Raw(s.thirdJSON)
	} else {
		j.Null()
	}
}

func (j *recordText) scatterEntries(s *scattering, d *dice) {
	j.Key("scatter_iso_17497_1").Array(func() {
		j.Object(func() {
			j.arrangement("sca-1", "Scatter 1", "simulated", "ISO 17497-1", d)
			j.spectrum("scatter", &s.scatter, true, !d.percent(15))
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
	option := ""
	if d.percent(50) {
		option = "zwei Perioden nebeneinander"
	}
	j.text("measuring_option", option)
}

// diffusionEntries writes what the contract knows only as measured; structured_meta says that it is computed.
func (j *recordText) diffusionEntries(p *invention, s *scattering, d *dice) {
	if d.percent(20) {
		return
	}
	j.Key("diffusion_iso_17497_2").Array(func() {
		j.Object(func() {
			j.arrangement("dif-1", "Diffusion 1", "measured", "ISO 17497-2", d)
			j.number("limit_frequency_hz", float64(p.designHz), p.designHz > 0 && d.percent(70))
			thirds := !d.percent(15)
			j.spectrum("directional_diffusion", &s.directional, true, thirds)
			j.spectrum("normalized_directional_diffusion", &s.normalizedDirectional, true, thirds)
			j.spectrum("diffusion", &s.diffusion, true, thirds)
			j.spectrum("normalized_diffusion", &s.normalizedDiffusion, true, thirds)
		})
	})
}
