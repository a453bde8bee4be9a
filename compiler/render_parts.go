package compiler

import (
	"sabine/dataset"
	"sabine/indexes"
)

// meta writes structured_meta.
func (t *jsonText) meta(entries []dataset.MetaEntry) {
	t.key("structured_meta")
	if entries == nil {
		t.null()
		return
	}
	t.open('{')
	for _, e := range entries {
		t.string(e.Key, e.Value)
	}
	t.close('}')
}

// images writes the pictures, null when there are none.
func (t *jsonText) images(images []dataset.Image) {
	t.key("images")
	if len(images) == 0 {
		t.null()
		return
	}
	t.objects(len(images), func(i int) {
		m := &images[i]
		if m.ID != nil { // the only key that may be absent
			t.string("id", *m.ID)
		}
		t.string("url", m.URL)
		t.stringOrNull("filename", m.Filename)
		t.integerOrNull("display_order", m.DisplayOrder)
	})
}

// measurement writes the fields that the entries of every standard begin with.
func (t *jsonText) measurement(m *dataset.Measurement) {
	t.string("id", m.ID)
	t.string("label", m.Label)
	t.string("source_kind", m.SourceKind)
	t.string("source_norm", m.SourceNorm)
	t.stringOrNull("measuring_option", m.MeasuringOption)
}

// absorption writes MaterialAbsorptionMeasurements.
func (t *jsonText) absorption(entries []dataset.Absorption) {
	t.objects(len(entries), func(i int) {
		m := &entries[i]
		t.measurement(&m.Measurement)
		t.stringOrNull("mounting", m.Mounting)
		t.numberOrNull("thickness_mm", m.ThicknessMM)
		t.numberOrNull("air_gap_mm", m.AirGapMM)
		t.numberOrNull("calculated_absorption", m.CalculatedAbsorption)
		t.curve("alpha_s_octave", m.AlphaSOctave)
		t.curve("alpha_s_third_octave", m.AlphaSThirdOctave)
	})
}

// scatter writes MaterialScatterMeasurements.
func (t *jsonText) scatter(entries []dataset.Scatter) {
	t.objects(len(entries), func(i int) {
		m := &entries[i]
		t.measurement(&m.Measurement)
		t.curve("scatter_octave", m.ScatterOctave)
		t.curve("scatter_third_octave", m.ScatterThirdOctave)
	})
}

// diffusion writes MaterialDiffusionMeasurements.
func (t *jsonText) diffusion(entries []dataset.Diffusion) {
	t.objects(len(entries), func(i int) {
		m := &entries[i]
		t.measurement(&m.Measurement)
		t.numberOrNull("limit_frequency_hz", m.LimitFrequencyHz)
		t.curve("directional_diffusion_octave", m.DirectionalDiffusionOctave)
		t.curve("directional_diffusion_third_octave", m.DirectionalDiffusionThirdOctave)
		t.curve("normalized_directional_diffusion_octave", m.NormalizedDirectionalDiffusionOctave)
		t.curve("normalized_directional_diffusion_third_octave", m.NormalizedDirectionalDiffusionThirdOctave)
		t.curve("diffusion_octave", m.DiffusionOctave)
		t.curve("diffusion_third_octave", m.DiffusionThirdOctave)
		t.curve("normalized_diffusion_octave", m.NormalizedDiffusionOctave)
		t.curve("normalized_diffusion_third_octave", m.NormalizedDiffusionThirdOctave)
	})
}

// renderGeometry renders what include=geometry adds: an object, or null.
func (r *renderer) renderGeometry(body *indexes.Body, g *dataset.Geometry) {
	t := &r.geometry
	t.b = t.b[:0]
	if g == nil {
		t.null()
	} else {
		t.solid(g)
	}
	body.Geometry = t.b
}

func (t *jsonText) solid(g *dataset.Geometry) {
	t.open('{')
	t.string("shape", g.Shape)
	t.key("bounding_box_mm")
	t.open('{')
	t.box(g.BoundingBox)
	t.close('}')
	t.key("size_variants")
	t.objects(len(g.SizeVariants), func(i int) {
		t.stringOrNull("label", g.SizeVariants[i].Label)
		t.box(g.SizeVariants[i].BoxMM)
	})
	t.key("exposed_area_m2")
	t.open('{')
	for _, area := range g.ExposedAreas {
		t.number(area.Mounting, area.AreaM2)
	}
	t.close('}')
	t.close('}')
}

func (t *jsonText) box(b dataset.BoxMM) {
	t.number("width", b.Width)
	t.number("height", b.Height)
	t.number("depth", b.Depth)
}
