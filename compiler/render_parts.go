package compiler

import (
	"sabine/dataset"
	"sabine/indexes"
)

// meta writes structured_meta.
func (t *bodyText) meta(entries []dataset.MetaEntry) {
	if t.has("structured_meta", entries != nil) {
		t.Object(func() {
			for _, e := range entries {
				t.Key(e.Key).String(e.Value)
			}
		})
	}
}

// images writes the pictures, null when there are none.
func (t *bodyText) images(images []dataset.Image) {
	if !t.has("images", len(images) > 0) {
		return
	}
	t.objects(len(images), func(i int) {
		m := &images[i]
		if m.ID != nil { // the only key that may be absent
			t.Key("id").String(*m.ID)
		}
		t.Key("url").String(m.URL)
		t.stringOrNull("filename", m.Filename)
		t.integerOrNull("display_order", m.DisplayOrder)
	})
}

// measurement writes the fields that the entries of every standard begin with.
func (t *bodyText) measurement(m *dataset.Measurement) {
	t.Key("id").String(m.ID)
	t.Key("label").String(m.Label)
	t.Key("source_kind").String(m.SourceKind)
	t.Key("source_norm").String(m.SourceNorm)
	t.stringOrNull("measuring_option", m.MeasuringOption)
}

// absorption writes MaterialAbsorptionMeasurements.
func (t *bodyText) absorption(entries []dataset.Absorption) {
	t.objects(len(entries), func(i int) {
		m := &entries[i]
		t.measurement(&m.Measurement)
		t.stringOrNull("mounting", m.Mounting)
		t.numberOrNull("thickness_mm", m.ThicknessMM)
		t.numberOrNull("air_gap_mm", m.AirGapMM)
		t.numberOrNull("calculated_absorption", m.CalculatedAbsorption)
		t.curveOrNull("alpha_s_octave", m.AlphaSOctave)
		t.curveOrNull("alpha_s_third_octave", m.AlphaSThirdOctave)
	})
}

// scatter writes MaterialScatterMeasurements.
func (t *bodyText) scatter(entries []dataset.Scatter) {
	t.objects(len(entries), func(i int) {
		m := &entries[i]
		t.measurement(&m.Measurement)
		t.curveOrNull("scatter_octave", m.ScatterOctave)
		t.curveOrNull("scatter_third_octave", m.ScatterThirdOctave)
	})
}

// diffusion writes MaterialDiffusionMeasurements.
func (t *bodyText) diffusion(entries []dataset.Diffusion) {
	t.objects(len(entries), func(i int) {
		m := &entries[i]
		t.measurement(&m.Measurement)
		t.numberOrNull("limit_frequency_hz", m.LimitFrequencyHz)
		t.curveOrNull("directional_diffusion_octave", m.DirectionalDiffusionOctave)
		t.curveOrNull("directional_diffusion_third_octave", m.DirectionalDiffusionThirdOctave)
		t.curveOrNull("normalized_directional_diffusion_octave", m.NormalizedDirectionalDiffusionOctave)
		t.curveOrNull("normalized_directional_diffusion_third_octave", m.NormalizedDirectionalDiffusionThirdOctave)
		t.curveOrNull("diffusion_octave", m.DiffusionOctave)
		t.curveOrNull("diffusion_third_octave", m.DiffusionThirdOctave)
		t.curveOrNull("normalized_diffusion_octave", m.NormalizedDiffusionOctave)
		t.curveOrNull("normalized_diffusion_third_octave", m.NormalizedDiffusionThirdOctave)
	})
}

// renderGeometry renders what include=geometry adds: an object, or null.
func (r *renderer) renderGeometry(body *indexes.Body, g *dataset.Geometry) {
	t := &r.geometry
	t.Reset()
	if g == nil {
		t.Null()
	} else {
		t.solid(g)
	}
	body.Geometry = t.Bytes()
}

func (t *bodyText) solid(g *dataset.Geometry) {
	t.Object(func() {
		t.Key("shape").String(g.Shape)
		t.Key("bounding_box_mm").Object(func() {
			t.box(g.BoundingBox)
		})
		t.Key("size_variants")
		t.objects(len(g.SizeVariants), func(i int) {
			t.stringOrNull("label", g.SizeVariants[i].Label)
			t.box(g.SizeVariants[i].BoxMM)
		})
		t.Key("exposed_area_m2").Object(func() {
			for _, area := range g.ExposedAreas {
				t.Key(area.Mounting).Number(area.AreaM2)
			}
		})
	})
}

func (t *bodyText) box(b dataset.BoxMM) {
	t.Key("width").Number(b.Width)
	t.Key("height").Number(b.Height)
	t.Key("depth").Number(b.Depth)
}
