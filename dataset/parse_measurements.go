package dataset

import (
	"strconv"

	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
)

// A standard is a kind of measurements: the array in which they stand, what an entry of it has by default, and where its
// data may come from.
type standard struct {
	array, norm, idPrefix, labelPrefix string
	kinds                              []string
}

// SourceKinds are where a measurement's data may come from.
var SourceKinds = []string{"measured", "literature", "simulated"}

var (
	absorptionStandard = standard{"absorption_iso_354", "ISO 354", "abs-", "Absorption ", SourceKinds}
	scatterStandard    = standard{"scatter_iso_17497_1", "ISO 17497-1", "sca-", "Scatter ", SourceKinds}
	diffusionStandard  = standard{"diffusion_iso_17497_2", "ISO 17497-2", "dif-", "Diffusion ", SourceKinds[:1]}
)

// measurementFields are the arrays of measurements, by standard.
var measurementFields = fields[Measurements]{
	entries(absorptionStandard, absorptionFields, sharedByAbsorption, func(m *Measurements) *[]Absorption { return &m.Absorption }),
	entries(scatterStandard, scatterFields, sharedByScatter, func(m *Measurements) *[]Scatter { return &m.Scatter }),
	entries(diffusionStandard, diffusionFields, sharedByDiffusion, func(m *Measurements) *[]Diffusion { return &m.Diffusion }),
}

func sharedByAbsorption(m *Absorption) *Measurement { return &m.Measurement }
func sharedByScatter(m *Scatter) *Measurement       { return &m.Measurement }
func sharedByDiffusion(m *Diffusion) *Measurement   { return &m.Measurement }

var absorptionFields = sharedFields(absorptionStandard, sharedByAbsorption,
	field[Absorption]{name: "mounting", read: func(p *parser, name string, v gjson.Result, m *Absorption) { m.Mounting = p.text(name, v) }},
	lengthField("thickness_mm", func(m *Absorption) **float64 { return &m.ThicknessMM }),
	lengthField("air_gap_mm", func(m *Absorption) **float64 { return &m.AirGapMM }),
	field[Absorption]{name: "calculated_absorption", read: func(p *parser, name string, v gjson.Result, m *Absorption) {
		m.CalculatedAbsorption = p.number(name, v)
	}},
	curveField("alpha_s_octave", &octaves, AbsorptionLimit, func(m *Absorption) *acoustics.Curve { return &m.AlphaSOctave }),
	curveField("alpha_s_third_octave", &thirds, AbsorptionLimit, func(m *Absorption) *acoustics.Curve { return &m.AlphaSThirdOctave }),
)

var scatterFields = sharedFields(scatterStandard, sharedByScatter,
	curveField("scatter_octave", &octaves, ScatteringLimit, func(m *Scatter) *acoustics.Curve { return &m.ScatterOctave }),
	curveField("scatter_third_octave", &thirds, ScatteringLimit, func(m *Scatter) *acoustics.Curve { return &m.ScatterThirdOctave }),
)

var diffusionFields = sharedFields(diffusionStandard, sharedByDiffusion,
	lengthField("limit_frequency_hz", func(m *Diffusion) **float64 { return &m.LimitFrequencyHz }),
	curveField("directional_diffusion_octave", &octaves, ScatteringLimit, func(m *Diffusion) *acoustics.Curve { return &m.DirectionalDiffusionOctave }),
	curveField("directional_diffusion_third_octave", &thirds, ScatteringLimit, func(m *Diffusion) *acoustics.Curve { return &m.DirectionalDiffusionThirdOctave }),
	curveField("normalized_directional_diffusion_octave", &octaves, ScatteringLimit, func(m *Diffusion) *acoustics.Curve { return &m.NormalizedDirectionalDiffusionOctave }),
	curveField("normalized_directional_diffusion_third_octave", &thirds, ScatteringLimit, func(m *Diffusion) *acoustics.Curve { return &m.NormalizedDirectionalDiffusionThirdOctave }),
	curveField("diffusion_octave", &octaves, ScatteringLimit, func(m *Diffusion) *acoustics.Curve { return &m.DiffusionOctave }),
	curveField("diffusion_third_octave", &thirds, ScatteringLimit, func(m *Diffusion) *acoustics.Curve { return &m.DiffusionThirdOctave }),
	curveField("normalized_diffusion_octave", &octaves, ScatteringLimit, func(m *Diffusion) *acoustics.Curve { return &m.NormalizedDiffusionOctave }),
	curveField("normalized_diffusion_third_octave", &thirds, ScatteringLimit, func(m *Diffusion) *acoustics.Curve { return &m.NormalizedDiffusionThirdOctave }),
)

// sharedFields are the fields of an entry of a standard: those that the entries of all standards have, then its own.
func sharedFields[E any](s standard, of func(*E) *Measurement, own ...field[E]) fields[E] {
	return append(fields[E]{
		{name: "id", read: func(p *parser, name string, v gjson.Result, e *E) { setText(&of(e).ID, p.filledText(name, v)) }},
		{name: "label", read: func(p *parser, name string, v gjson.Result, e *E) { setText(&of(e).Label, p.filledText(name, v)) }},
		{name: "source_kind", read: func(p *parser, name string, v gjson.Result, e *E) {
			if p.required(name, v, OrList(s.kinds)) {
				setText(&of(e).SourceKind, p.oneOf(name, v, s.kinds...))
			}
		}},
		{name: "source_norm", read: func(p *parser, name string, v gjson.Result, e *E) { setText(&of(e).SourceNorm, p.filledText(name, v)) }},
		{name: "measuring_option", read: func(p *parser, name string, v gjson.Result, e *E) { of(e).MeasuringOption = p.text(name, v) }},
	}, own...)
}

// lengthField is a field that holds a length or a frequency.
func lengthField[E any](name string, of func(*E) **float64) field[E] {
	return field[E]{name: name, read: func(p *parser, name string, v gjson.Result, e *E) { *of(e) = p.measure(name, v) }}
}

// curveField is a field that holds a frequency map.
func curveField[E any](name string, s *series, limit float64, of func(*E) *acoustics.Curve) field[E] {
	return field[E]{name: name, read: func(p *parser, name string, v gjson.Result, e *E) { *of(e) = p.curve(name, v, s, limit) }}
}

// measurements reads the measured data; null is no data.
func (p *parser) measurements(name string, v gjson.Result, to *Measurements) {
	if p.object(name, v, "an object or null") {
		p.enter(member(name))
		measurementFields.read(p, v, to)
		p.leave()
	}
}

// entries is the field that holds the array of a standard's measurements.
func entries[E any](s standard, entry fields[E], shared func(*E) *Measurement, of func(*Measurements) *[]E) field[Measurements] {
	return field[Measurements]{name: s.array, inside: entry, read: func(p *parser, name string, v gjson.Result, to *Measurements) {
		if !p.array(name, v, "an array of measurements, or null") {
			return
		}
		list := of(to)
		seen := map[string]int{}
		p.elements(name, v, func(index int, object gjson.Result) {
			*list = append(*list, *new(E))
			e := &(*list)[len(*list)-1]
			m := shared(e)
			number := strconv.Itoa(index + 1)
			m.ID, m.Label, m.SourceNorm = s.idPrefix+number, s.labelPrefix+number, s.norm
			entry.read(p, object, e)
			if before, twice := seen[m.ID]; twice {
				p.warn("id", Quoted(m.ID)+" is the id of entry ["+strconv.Itoa(before)+"] too")
			} else {
				seen[m.ID] = index
			}
		})
	}}
}

// measure reads a length or frequency, or null, and doubts a negative one.
func (p *parser) measure(name string, v gjson.Result) *float64 {
	n := p.number(name, v)
	if n != nil && *n < 0 {
		p.warn(name, "negative: "+v.Raw)
	}
	return n
}
