package dataset

import (
	"strconv"

	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// measurementFields are the arrays of measurements, by standard.
var measurementFields = fields[product.Measurements]{
	entries(product.ISO354, absorptionFields,
		func(m *product.Measurements) *[]product.Absorption { return &m.Absorption }),
	entries(product.ISO174971, scatterFields, func(m *product.Measurements) *[]product.Scatter { return &m.Scatter }),
	entries(product.ISO174972, diffusionFields,
		func(m *product.Measurements) *[]product.Diffusion { return &m.Diffusion }),
}

// An entry is a measurement according to a standard. It embeds the fields that all standards have in common.
type entry[E any] interface {
	*E
	Shared() *product.Measurement
}

var absorptionFields = sharedFields(product.ISO354,
	into("mounting", (*parser).text, func(m *product.Absorption) **string { return &m.Mounting }),
	into("thickness_mm", (*parser).measure, func(m *product.Absorption) **float64 { return &m.ThicknessMM }),
	field[product.Absorption]{name: "air_gap_mm", read: (*parser).airGap},
	into("calculated_absorption", (*parser).number,
		func(m *product.Absorption) **float64 { return &m.CalculatedAbsorption }),
	into("alpha_s_octave", absorptionOctave, func(m *product.Absorption) *acoustics.Curve { return &m.AlphaSOctave }),
	into("alpha_s_third_octave", absorptionThird,
		func(m *product.Absorption) *acoustics.Curve { return &m.AlphaSThirdOctave }),
)

var scatterFields = sharedFields(product.ISO174971,
	into("scatter_octave", scatteringOctave, func(m *product.Scatter) *acoustics.Curve { return &m.ScatterOctave }),
	into("scatter_third_octave", scatteringThird,
		func(m *product.Scatter) *acoustics.Curve { return &m.ScatterThirdOctave }),
)

var diffusionFields = sharedFields(product.ISO174972,
	into("limit_frequency_hz", (*parser).measure, func(m *product.Diffusion) **float64 { return &m.LimitFrequencyHz }),
	into("directional_diffusion_octave", scatteringOctave,
		func(m *product.Diffusion) *acoustics.Curve { return &m.DirectionalDiffusionOctave }),
	into("directional_diffusion_third_octave", scatteringThird,
		func(m *product.Diffusion) *acoustics.Curve { return &m.DirectionalDiffusionThirdOctave }),
	into("normalized_directional_diffusion_octave", scatteringOctave,
		func(m *product.Diffusion) *acoustics.Curve { return &m.NormalizedDirectionalDiffusionOctave }),
	into("normalized_directional_diffusion_third_octave", scatteringThird,
		func(m *product.Diffusion) *acoustics.Curve { return &m.NormalizedDirectionalDiffusionThirdOctave }),
	into("diffusion_octave", scatteringOctave, func(m *product.Diffusion) *acoustics.Curve { return &m.DiffusionOctave }),
	into("diffusion_third_octave", scatteringThird,
		func(m *product.Diffusion) *acoustics.Curve { return &m.DiffusionThirdOctave }),
	into("normalized_diffusion_octave", scatteringOctave,
		func(m *product.Diffusion) *acoustics.Curve { return &m.NormalizedDiffusionOctave }),
	into("normalized_diffusion_third_octave", scatteringThird,
		func(m *product.Diffusion) *acoustics.Curve { return &m.NormalizedDiffusionThirdOctave }),
)

// sharedFields returns the fields of a standard's entries: the common fields, then the given ones.
func sharedFields[E any, P entry[E]](s product.Standard, own ...field[E]) fields[E] {
	return append(fields[E]{
		intoDefault("id", (*parser).filledText, func(e *E) *string { return &P(e).Shared().ID }),
		intoDefault("label", (*parser).filledText, func(e *E) *string { return &P(e).Shared().Label }),
		into("source_kind", mandatory(OrList(s.Sources), oneOf(s.Sources...)),
			func(e *E) *string { return &P(e).Shared().SourceKind }),
		intoDefault("source_norm", (*parser).filledText, func(e *E) *string { return &P(e).Shared().SourceNorm }),
		into("measuring_option", (*parser).text, func(e *E) **string { return &P(e).Shared().MeasuringOption }),
	}, own...)
}

// entries returns the field for a standard's array of measurements.
func entries[E any, P entry[E]](s product.Standard, nested fields[E],
	ptr func(*product.Measurements) *[]E) field[product.Measurements] {
	return field[product.Measurements]{name: s.Array, nested: nested, read: func(p *parser, name string, v gjson.Result,
		to *product.Measurements) {
		if !p.array(name, v, "an array of measurements, or null") {
			return
		}
		list := ptr(to)
		seen := map[string]int{}
		p.eachObject(name, v, func(index int, object gjson.Result) {
			*list = append(*list, *new(E))
			e := &(*list)[len(*list)-1]
			m := P(e).Shared()
			number := strconv.Itoa(index + 1)
			m.ID, m.Label, m.SourceNorm = s.Prefix+number, s.Label+number, s.Norm
			nested.read(p, object, e)
			if before, twice := seen[m.ID]; twice {
				p.warn("id", Quoted(m.ID)+" is also the id of entry ["+strconv.Itoa(before)+"]")
			} else {
				seen[m.ID] = index
			}
		})
	}}
}

// airGap reads the air gap of an entry whose mounting and thickness were already read. It warns if the
// mounting contradicts the air gap.
func (p *parser) airGap(name string, v gjson.Result, m *product.Absorption) {
	m.AirGapMM = p.measure(name, v)
	if m.AirGapMM == nil || m.Mounting == nil {
		return
	}
	distance, contradicts := acoustics.AirGapContradicts(*m.Mounting, m.ThicknessMM, *m.AirGapMM)
	if !contradicts {
		return
	}
	verb := " contradicts"
	if m.ThicknessMM != nil {
		verb = " and the thickness of " + formatNumber(*m.ThicknessMM) + " mm contradict"
	}
	p.warn(name, v.Raw+verb+" the mounting "+Quoted(*m.Mounting)+", in which the face of the specimen is "+formatNumber(distance)+
		" mm from the surface; the air gap is used")
}

// measure reads a length, a frequency or null, and warns about a negative number.
func (p *parser) measure(name string, v gjson.Result) *float64 {
	n := p.number(name, v)
	if n != nil && *n < 0 {
		p.warn(name, "negative: "+v.Raw)
	}
	return n
}
