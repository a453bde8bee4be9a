package dataset

import (
	"strconv"

	"github.com/tidwall/gjson"
)

// A standard is a kind of measurements: the array in which they stand, and what an entry of it has by default.
type standard struct{ array, norm, idPrefix, labelPrefix string }

var (
	absorptionStandard = standard{"absorption_iso_354", "ISO 354", "abs-", "Absorption "}
	scatterStandard    = standard{"scatter_iso_17497_1", "ISO 17497-1", "sca-", "Scatter "}
	diffusionStandard  = standard{"diffusion_iso_17497_2", "ISO 17497-2", "dif-", "Diffusion "}
)

// The fields of a measurement, in the order in which their faults are reported; those that all standards share first.
var (
	measurementFields = []string{absorptionStandard.array, scatterStandard.array, diffusionStandard.array}

	absorptionFields = []string{
		"id", "label", "source_kind", "source_norm", "measuring_option",
		"mounting", "thickness_mm", "air_gap_mm", "calculated_absorption", "alpha_s_octave", "alpha_s_third_octave",
	}
	scatterFields = []string{
		"id", "label", "source_kind", "source_norm", "measuring_option", "scatter_octave", "scatter_third_octave",
	}
	diffusionFields = []string{
		"id", "label", "source_kind", "source_norm", "measuring_option", "limit_frequency_hz",
		"directional_diffusion_octave", "directional_diffusion_third_octave",
		"normalized_directional_diffusion_octave", "normalized_directional_diffusion_third_octave",
		"diffusion_octave", "diffusion_third_octave", "normalized_diffusion_octave", "normalized_diffusion_third_octave",
	}
)

const (
	sharedFields   = 5
	maxEntryFields = 14 // of a diffusion measurement
)

// SourceKinds are where a measurement's data may come from; diffusion entries are always the first of them.
var SourceKinds = []string{"measured", "literature", "simulated"}

// measurements reads the measured data; null is no data.
func (p *parser) measurements(v gjson.Result) (m Measurements) {
	if !p.object("measurements", v, "an object or null") {
		return m
	}
	p.enter(member("measurements"))
	defer p.leave()
	var arrays [3]gjson.Result
	p.fields(v, measurementFields, arrays[:])
	p.entries(absorptionStandard, arrays[0], absorptionFields, func(shared Measurement, v []gjson.Result) {
		m.Absorption = append(m.Absorption, Absorption{
			Measurement:          shared,
			Mounting:             p.text("mounting", v[0]),
			ThicknessMM:          p.measure("thickness_mm", v[1]),
			AirGapMM:             p.measure("air_gap_mm", v[2]),
			CalculatedAbsorption: p.number("calculated_absorption", v[3]),
			AlphaSOctave:         p.curve("alpha_s_octave", v[4], &octaves, AbsorptionLimit),
			AlphaSThirdOctave:    p.curve("alpha_s_third_octave", v[5], &thirds, AbsorptionLimit),
		})
	})
	p.entries(scatterStandard, arrays[1], scatterFields, func(shared Measurement, v []gjson.Result) {
		m.Scatter = append(m.Scatter, Scatter{
			Measurement:        shared,
			ScatterOctave:      p.curve("scatter_octave", v[0], &octaves, ScatteringLimit),
			ScatterThirdOctave: p.curve("scatter_third_octave", v[1], &thirds, ScatteringLimit),
		})
	})
	p.entries(diffusionStandard, arrays[2], diffusionFields, func(shared Measurement, v []gjson.Result) {
		m.Diffusion = append(m.Diffusion, p.diffusion(shared, v))
	})
	return m
}

func (p *parser) diffusion(shared Measurement, v []gjson.Result) Diffusion {
	name := func(i int) string { return diffusionFields[sharedFields+i] }
	d := Diffusion{Measurement: shared, LimitFrequencyHz: p.measure(name(0), v[0])}
	d.DirectionalDiffusionOctave = p.curve(name(1), v[1], &octaves, ScatteringLimit)
	d.DirectionalDiffusionThirdOctave = p.curve(name(2), v[2], &thirds, ScatteringLimit)
	d.NormalizedDirectionalDiffusionOctave = p.curve(name(3), v[3], &octaves, ScatteringLimit)
	d.NormalizedDirectionalDiffusionThirdOctave = p.curve(name(4), v[4], &thirds, ScatteringLimit)
	d.DiffusionOctave = p.curve(name(5), v[5], &octaves, ScatteringLimit)
	d.DiffusionThirdOctave = p.curve(name(6), v[6], &thirds, ScatteringLimit)
	d.NormalizedDiffusionOctave = p.curve(name(7), v[7], &octaves, ScatteringLimit)
	d.NormalizedDiffusionThirdOctave = p.curve(name(8), v[8], &thirds, ScatteringLimit)
	return d
}

// entries reads the entries of one standard: what they share, then own with the values of the other fields.
func (p *parser) entries(s standard, v gjson.Result, fields []string, own func(shared Measurement, values []gjson.Result)) {
	if !p.array(s.array, v, "an array of measurements, or null") {
		return
	}
	values := p.entryValues[:len(fields)]
	seen := map[string]int{}
	p.elements(s.array, v, func(index int, entry gjson.Result) {
		clear(values)
		p.fields(entry, fields, values)
		shared := p.shared(s, index, values[:sharedFields])
		if before, twice := seen[shared.ID]; twice {
			p.warn("id", Quoted(shared.ID)+" is the id of entry ["+strconv.Itoa(before)+"] too")
		} else {
			seen[shared.ID] = index
		}
		own(shared, values[sharedFields:])
	})
}

// shared reads what the entries of every standard have.
func (p *parser) shared(s standard, index int, v []gjson.Result) Measurement {
	number := strconv.Itoa(index + 1)
	m := Measurement{
		ID:              s.idPrefix + number,
		Label:           s.labelPrefix + number,
		SourceNorm:      s.norm,
		MeasuringOption: p.text("measuring_option", v[4]),
	}
	if id := p.filledText("id", v[0]); id != nil {
		m.ID = *id
	}
	if label := p.filledText("label", v[1]); label != nil {
		m.Label = *label
	}
	kinds := SourceKinds
	if s == diffusionStandard {
		kinds = kinds[:1]
	}
	if p.required("source_kind", v[2], OrList(kinds)) {
		if kind := p.oneOf("source_kind", v[2], kinds...); kind != nil {
			m.SourceKind = *kind
		}
	}
	if norm := p.filledText("source_norm", v[3]); norm != nil {
		m.SourceNorm = *norm
	}
	return m
}

// measure reads a length or frequency, or null, and doubts a negative one.
func (p *parser) measure(name string, v gjson.Result) *float64 {
	n := p.number(name, v)
	if n != nil && *n < 0 {
		p.warn(name, "negative: "+v.Raw)
	}
	return n
}
