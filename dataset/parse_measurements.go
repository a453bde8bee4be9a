package dataset

import (
	"strconv"

	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
)

// A standard describes one kind of measurement: the record's array of them, the defaults of an entry, and where its data
// may come from.
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
	entries(absorptionStandard, absorptionFields, func(m *Measurements) *[]Absorption { return &m.Absorption }),
	entries(scatterStandard, scatterFields, func(m *Measurements) *[]Scatter { return &m.Scatter }),
	entries(diffusionStandard, diffusionFields, func(m *Measurements) *[]Diffusion { return &m.Diffusion }),
}

// An entry is a measurement of one standard; it embeds what all standards share.
type entry[E any] interface {
	*E
	shared() *Measurement
}

func (m *Measurement) shared() *Measurement { return m }

var absorptionFields = sharedFields(absorptionStandard,
	into("mounting", (*parser).text, func(m *Absorption) **string { return &m.Mounting }),
	into("thickness_mm", (*parser).measure, func(m *Absorption) **float64 { return &m.ThicknessMM }),
	into("air_gap_mm", (*parser).measure, func(m *Absorption) **float64 { return &m.AirGapMM }),
	into("calculated_absorption", (*parser).number, func(m *Absorption) **float64 { return &m.CalculatedAbsorption }),
	into("alpha_s_octave", absorptionOctave, func(m *Absorption) *acoustics.Curve { return &m.AlphaSOctave }),
	into("alpha_s_third_octave", absorptionThird, func(m *Absorption) *acoustics.Curve { return &m.AlphaSThirdOctave }),
)

var scatterFields = sharedFields(scatterStandard,
	into("scatter_octave", scatteringOctave, func(m *Scatter) *acoustics.Curve { return &m.ScatterOctave }),
	into("scatter_third_octave", scatteringThird, func(m *Scatter) *acoustics.Curve { return &m.ScatterThirdOctave }),
)

var diffusionFields = sharedFields(diffusionStandard,
	into("limit_frequency_hz", (*parser).measure, func(m *Diffusion) **float64 { return &m.LimitFrequencyHz }),
	into("directional_diffusion_octave", scatteringOctave, func(m *Diffusion) *acoustics.Curve { return &m.DirectionalDiffusionOctave }),
	into("directional_diffusion_third_octave", scatteringThird,
		func(m *Diffusion) *acoustics.Curve { return &m.DirectionalDiffusionThirdOctave }),
	into("normalized_directional_diffusion_octave", scatteringOctave,
		func(m *Diffusion) *acoustics.Curve { return &m.NormalizedDirectionalDiffusionOctave }),
	into("normalized_directional_diffusion_third_octave", scatteringThird,
		func(m *Diffusion) *acoustics.Curve { return &m.NormalizedDirectionalDiffusionThirdOctave }),
	into("diffusion_octave", scatteringOctave, func(m *Diffusion) *acoustics.Curve { return &m.DiffusionOctave }),
	into("diffusion_third_octave", scatteringThird, func(m *Diffusion) *acoustics.Curve { return &m.DiffusionThirdOctave }),
	into("normalized_diffusion_octave", scatteringOctave, func(m *Diffusion) *acoustics.Curve { return &m.NormalizedDiffusionOctave }),
	into("normalized_diffusion_third_octave", scatteringThird,
		func(m *Diffusion) *acoustics.Curve { return &m.NormalizedDiffusionThirdOctave }),
)

// sharedFields returns the fields of a standard's entries: first those that all standards share, then its own.
func sharedFields[E any, P entry[E]](s standard, own ...field[E]) fields[E] {
	kinds := OrList(s.kinds)
	return append(fields[E]{
		unlessNull("id", (*parser).filledText, func(e *E) *string { return &P(e).shared().ID }),
		unlessNull("label", (*parser).filledText, func(e *E) *string { return &P(e).shared().Label }),
		{name: "source_kind", read: func(p *parser, name string, v gjson.Result, e *E) {
			if p.required(name, v, kinds) {
				setText(&P(e).shared().SourceKind, p.oneOf(name, v, s.kinds...))
			}
		}},
		unlessNull("source_norm", (*parser).filledText, func(e *E) *string { return &P(e).shared().SourceNorm }),
		into("measuring_option", (*parser).text, func(e *E) **string { return &P(e).shared().MeasuringOption }),
	}, own...)
}

// measurements reads the measured data; null is no data.
func (p *parser) measurements(name string, v gjson.Result, to *Measurements) {
	if p.object(name, v, "an object or null") {
		p.enter(member(name))
		measurementFields.read(p, v, to)
		p.leave()
	}
}

// entries returns the field that holds the array of a standard's measurements.
func entries[E any, P entry[E]](s standard, inside fields[E], of func(*Measurements) *[]E) field[Measurements] {
	return field[Measurements]{name: s.array, inside: inside, read: func(p *parser, name string, v gjson.Result, to *Measurements) {
		if !p.array(name, v, "an array of measurements, or null") {
			return
		}
		list := of(to)
		seen := map[string]int{}
		p.elements(name, v, func(index int, object gjson.Result) {
			*list = append(*list, *new(E))
			e := &(*list)[len(*list)-1]
			m := P(e).shared()
			number := strconv.Itoa(index + 1)
			m.ID, m.Label, m.SourceNorm = s.idPrefix+number, s.labelPrefix+number, s.norm
			inside.read(p, object, e)
			if before, twice := seen[m.ID]; twice {
				p.warn("id", Quoted(m.ID)+" is the id of entry ["+strconv.Itoa(before)+"] too")
			} else {
				seen[m.ID] = index
			}
		})
	}}
}

// measure reads a length or a frequency, or null, and warns of a negative one.
func (p *parser) measure(name string, v gjson.Result) *float64 {
	n := p.number(name, v)
	if n != nil && *n < 0 {
		p.warn(name, "negative: "+v.Raw)
	}
	return n
}
