package product

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"

	"sabine/dataset/acoustics"
	"sabine/dataset/jsonwriter"
)

// A Standard is a kind of measurement.
type Standard struct {
	Array   string // member of measurements that contains the entries
	Norm    string // default source_norm
	Prefix  string // prefix of default ids
	Label   string // prefix of default labels
	Sources []string
}

// The standards of measurements.
var (
	ISO354    = Standard{"absorption_iso_354", "ISO 354", "abs-", "Absorption ", SourceKinds}
	ISO174971 = Standard{"scatter_iso_17497_1", "ISO 17497-1", "sca-", "Scatter ", SourceKinds}
	ISO174972 = Standard{"diffusion_iso_17497_2", "ISO 17497-2", "dif-", "Diffusion ", SourceKinds[:1]}
)

// measurementMembers are the arrays of measurements.
var measurementMembers = members[Measurements]{
	in(ISO354.Array, absorptionEntries, func(m *Measurements) *[]Absorption { return &m.Absorption },
		"Sound absorption in a reverberation room, an entry for each set-up."),
	in(ISO174971.Array, objects(scatterMembers), func(m *Measurements) *[]Scatter { return &m.Scatter },
		"Random-incidence scattering."),
	in(ISO174972.Array, objects(diffusionMembers), func(m *Measurements) *[]Diffusion { return &m.Diffusion },
		"Directional diffusion."),
}

// absorptionEntries is the kind of the ISO 354 entries. It records their position in the JSON, because a
// comparison uses the same bytes.
var absorptionEntries = func() kind[[]Absorption] {
	k := objects(absorptionMembers)
	write := k.write
	k.write = func(w *writer, v *[]Absorption) {
		start := w.Len()
		write(w, v)
		w.absorption = [2]int{start, w.Len()}
	}
	return k
}()

// sharedMembers returns the members of a standard's entries: the common members, then the given ones.
func sharedMembers[E any, P interface {
	*E
	Shared() *Measurement
}](s Standard, own ...member[E]) members[E] {
	of := func(e *E) *Measurement { return P(e).Shared() }
	return append(members[E]{
		in("id", filledText, func(e *E) *string { return &of(e).ID },
			"Identifies the entry within its array. Not blank. Default: "+s.Prefix+"1, "+s.Prefix+"2 and so on.").at(10),
		in("label", filledText, func(e *E) *string { return &of(e).Label },
			"A short label. Not blank. Default: "+s.Label+"1, "+s.Label+"2 and so on.").at(20),
		in("source_kind", oneOf(s.Sources...), func(e *E) *string { return &of(e).SourceKind },
			"The origin of the data.").at(30).required(),
		in("source_norm", filledText, func(e *E) *string { return &of(e).SourceNorm },
			"The standard as the test report names it. Not blank. Default: "+s.Norm+".").at(40),
		in("measuring_option", nullable(text), func(e *E) **string { return &of(e).MeasuringOption },
			"Details of the laboratory's procedure.").at(50),
	}, own...)
}

var absorptionMembers = sharedMembers(ISO354,
	in("mounting", nullable(text), func(m *Absorption) **string { return &m.Mounting },
		"How the specimen was mounted: a letter of ISO 354 such as A or E-400, or a word such as wall or ceiling.").at(60),
	in("thickness_mm", nullable(number), func(m *Absorption) **float64 { return &m.ThicknessMM },
		"The thickness of the specimen in millimetres.").at(70),
	in("air_gap_mm", nullable(number), func(m *Absorption) **float64 { return &m.AirGapMM },
		"The depth of the air between specimen and surface in millimetres. Default: 0 for the mountings A, B and I. For "+
			"E-nnn, the face of the specimen is nnn mm from the surface. For any other mounting, the depth is unknown.").at(80),
	in("calculated_absorption", nullable(number), func(m *Absorption) **float64 { return &m.CalculatedAbsorption },
		"A single-number absorption rating stated in the test report.").at(90),
	in("alpha_s_octave", absorptionOctaves, func(m *Absorption) *acoustics.Curve { return &m.AlphaSOctave },
		"Absorption coefficients by octave band.").at(110),
	in("alpha_s_third_octave", absorptionThirds, func(m *Absorption) *acoustics.Curve { return &m.AlphaSThirdOctave },
		"Absorption coefficients by third-octave band.").at(120),
)

var scatterMembers = sharedMembers(ISO174971,
	in("scatter_octave", scatteringOctaves, func(m *Scatter) *acoustics.Curve { return &m.ScatterOctave },
		"Scattering coefficients by octave band.").at(130),
	in("scatter_third_octave", scatteringThirds, func(m *Scatter) *acoustics.Curve { return &m.ScatterThirdOctave },
		"Scattering coefficients by third-octave band.").at(140),
)

var diffusionMembers = sharedMembers(ISO174972,
	in("limit_frequency_hz", nullable(number), func(m *Diffusion) **float64 { return &m.LimitFrequencyHz },
		"The lower limit of validity in Hz.").at(100),
	in("directional_diffusion_octave", scatteringOctaves,
		func(m *Diffusion) *acoustics.Curve { return &m.DirectionalDiffusionOctave },
		"Directional diffusion coefficients by octave band.").at(190),
	in("directional_diffusion_third_octave", scatteringThirds,
		func(m *Diffusion) *acoustics.Curve { return &m.DirectionalDiffusionThirdOctave },
		"Directional diffusion coefficients by third-octave band.").at(200),
	in("normalized_directional_diffusion_octave", scatteringOctaves,
		func(m *Diffusion) *acoustics.Curve { return &m.NormalizedDirectionalDiffusionOctave },
		"Directional diffusion coefficients by octave band, relative to a flat reference.").at(210),
	in("normalized_directional_diffusion_third_octave", scatteringThirds,
		func(m *Diffusion) *acoustics.Curve { return &m.NormalizedDirectionalDiffusionThirdOctave },
		"Directional diffusion coefficients by third-octave band, relative to a flat reference.").at(220),
	in("diffusion_octave", scatteringOctaves, func(m *Diffusion) *acoustics.Curve { return &m.DiffusionOctave },
		"Random-incidence diffusion coefficients by octave band.").at(150),
	in("diffusion_third_octave", scatteringThirds, func(m *Diffusion) *acoustics.Curve { return &m.DiffusionThirdOctave },
		"Random-incidence diffusion coefficients by third-octave band.").at(160),
	in("normalized_diffusion_octave", scatteringOctaves,
		func(m *Diffusion) *acoustics.Curve { return &m.NormalizedDiffusionOctave },
		"Random-incidence diffusion coefficients by octave band, relative to a flat reference.").at(170),
	in("normalized_diffusion_third_octave", scatteringThirds,
		func(m *Diffusion) *acoustics.Curve { return &m.NormalizedDiffusionThirdOctave },
		"Random-incidence diffusion coefficients by third-octave band, relative to a flat reference.").at(180),
)

// Curves yields the frequency maps of a measurement that are not null, by name.
func (m *Absorption) Curves() iter.Seq2[string, acoustics.Curve] { return absorptionMembers.curves(m) }

// Curves yields the frequency maps of a measurement that are not null, by name.
func (m *Scatter) Curves() iter.Seq2[string, acoustics.Curve] { return scatterMembers.curves(m) }

// Curves yields the frequency maps of a measurement that are not null, by name.
func (m *Diffusion) Curves() iter.Seq2[string, acoustics.Curve] { return diffusionMembers.curves(m) }

func (all members[E]) curves(of *E) iter.Seq2[string, acoustics.Curve] {
	return func(yield func(string, acoustics.Curve) bool) {
		for i := range all {
			if m := &all[i]; m.curve != nil && *m.curve(of) != nil && !yield(m.Name, *m.curve(of)) {
				return
			}
		}
	}
}

// Curve returns the frequency map with a name such as alpha_s_octave, or nil for other names.
func (m *Absorption) Curve(name string) *acoustics.Curve { return absorptionMembers.curveOf(m, name) }

// Curve returns the frequency map with a name such as scatter_octave, or nil for other names.
func (m *Scatter) Curve(name string) *acoustics.Curve { return scatterMembers.curveOf(m, name) }

// Curve returns the frequency map with a name such as diffusion_octave, or nil for other names.
func (m *Diffusion) Curve(name string) *acoustics.Curve { return diffusionMembers.curveOf(m, name) }

func (all members[E]) curveOf(of *E, name string) *acoustics.Curve {
	for i := range all {
		if m := &all[i]; m.curve != nil && m.Name == name {
			return m.curve(of)
		}
	}
	return nil
}

// EntryID returns an id for an entry without one. It describes the set-up, for example "abs-e-400-t40-g200".
func (s *Standard) EntryID(mounting string, thicknessMM, airGapMM *float64) string {
	id := append(make([]byte, 0, 64), strings.TrimSuffix(s.Prefix, "-")...)
	gap := true
	for _, r := range mounting {
		isWord := unicode.IsLetter(r) || unicode.IsDigit(r)
		if isWord && gap {
			id = append(id, '-')
		}
		if gap = !isWord; isWord {
			id = utf8.AppendRune(id, unicode.ToLower(r))
		}
	}
	if thicknessMM != nil {
		id = jsonwriter.AppendPlain(append(id, "-t"...), *thicknessMM)
	}
	if airGapMM != nil {
		id = jsonwriter.AppendPlain(append(id, "-g"...), *airGapMM)
	}
	return string(id)
}

// AlphaWShape returns the shape indicators, such as LM, of the most absorptive set-up that has the alpha_w of
// the product. It returns "" if this set-up has no indicator or if no set-up has this alpha_w.
func (p *Product) AlphaWShape() string {
	if p.AlphaW == nil {
		return ""
	}
	entries := p.Measurements.Absorption
	ratings := make([]acoustics.Ratings, len(entries))
	for i := range entries {
		ratings[i] = acoustics.Rate(entries[i].AlphaSOctave, entries[i].AlphaSThirdOctave)
	}
	for _, i := range acoustics.ByAbsorption(ratings) {
		if r := &ratings[i]; r.AlphaW != nil && r.AlphaW.Float() == *p.AlphaW {
			return r.Shape
		}
	}
	return ""
}
