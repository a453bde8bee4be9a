package compiler

import (
	"time"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/jsonwriter"
)

// bodyText is the JSON of a body in the making: the members that may be null, and below what several bodies or members are
// made of.
type bodyText struct{ jsonwriter.Text }

// has writes the key of a member, and null when there is no value: the value is the caller's to write when has is true.
func (t *bodyText) has(key string, value bool) bool {
	t.Key(key)
	if !value {
		t.Null()
	}
	return value
}

func (t *bodyText) stringOrNull(key string, value *string) {
	if t.has(key, value != nil) {
		t.String(*value)
	}
}

func (t *bodyText) numberOrNull(key string, value *float64) {
	if t.has(key, value != nil) {
		t.Number(*value)
	}
}

func (t *bodyText) integerOrNull(key string, value *int64) {
	if t.has(key, value != nil) {
		t.Int(*value)
	}
}

func (t *bodyText) ratingOrNull(key string, value *acoustics.Hundredths) {
	if t.has(key, value != nil) {
		t.Number(value.Float())
	}
}

// timeOrNull writes a moment as RFC 3339 in UTC, with as many decimals of the second as it has.
func (t *bodyText) timeOrNull(key string, at *time.Time) {
	if t.has(key, at != nil) {
		t.String(at.UTC().Format(time.RFC3339Nano))
	}
}

// textOrNull writes a text in German.
func (t *bodyText) textOrNull(key string, text dataset.Text) {
	if t.has(key, len(text) > 0) {
		t.String(text.In(dataset.German))
	}
}

func (t *bodyText) curveOrNull(key string, c acoustics.Curve) {
	if t.has(key, c != nil) {
		dataset.WriteCurve(&t.Text, c)
	}
}

// objects writes an array of n objects, the members of each as members writes them.
func (t *bodyText) objects(n int, members func(i int)) {
	t.Array(func() {
		for i := range n {
			t.Object(func() { members(i) })
		}
	})
}

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

// solid writes a geometry.
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
