package acoustics

import (
	"slices"
	"sort"
)

const (
	fillStep = 0.5 // m²: the areas that are tried are multiples of it
	openFill = 1e9 // m² at most in a room without surfaces
)

// A Fill is how much of a covering a room needs to meet a target.
type Fill struct {
	AreaM2   float64    // the least area that does, 0 with a Reason
	Complete bool       // it does in each band that the target judges, else only from 250 Hz to 2000 Hz
	Reason   FillReason // why no area does, "" when one does
	Bands    []FilledBand
}

// A FillReason says why no area of a covering meets a target from 250 Hz to 2000 Hz.
type FillReason string

// The reasons, the first that holds.
const (
	StillLong    FillReason = "still_long"    // a band stays too long up to the largest area
	AlreadyShort FillReason = "already_short" // a band is too short at every area
	Uneven       FillReason = "uneven"        // no area, in steps, meets all bands at once
)

// Explain says a reason in words; "" for none.
func (r FillReason) Explain() string {
	return map[FillReason]string{
		StillLong:    "an octave stays too long up to the largest area that there is room for",
		AlreadyShort: "an octave is too short without it already",
		Uneven:       "in steps of 0.5 m² none meets all octaves at once",
	}[r]
}

// A FilledBand is a room with its covering in one band.
type FilledBand struct {
	BandHz  int
	Sabine  float64 // reverberation time in s, +Inf when nothing absorbs
	PerM    float64 // A/V in 1/m, without air
	Verdict Verdict
}

// Fill computes how much of one covering a room needs to meet a target, by Sabine, in steps of 0.5 m². covers is
// the index of the surface that the covering replaces, at most all of it: the absorption of that part is lost. With
// covers below 0, the covering is added, at most the area of all surfaces. A target of A/V gives the bands from
// 250 Hz to 2000 Hz.
func (r *Room) Fill(t Target, covering Coefficients, covers int) Fill {
	f := filling{room: r, target: t, bands: r.AbsorptionFor(t), perM2: covering}
	limit := r.SurfaceM2()
	switch {
	case covers >= 0:
		limit = r.Surfaces[covers].AreaM2
	case len(r.Surfaces) == 0:
		limit = openFill
	}
	f.most = int(limit / fillStep)
	for i := range f.perM2 {
		f.perM2[i] = max(covering[i], 0)
		if covers >= 0 {
			f.perM2[i] -= max(r.Surfaces[covers].Coefficients[i], 0)
		}
	}
	if n, ok := f.least(func(int) bool { return true }); ok {
		return Fill{float64(n) * fillStep, true, "", f.at(n)}
	}
	if n, ok := f.least(inMiddle); ok {
		return Fill{float64(n) * fillStep, false, "", f.at(n)}
	}
	return Fill{Reason: f.reason(), Bands: f.at(0)}
}

// A filling is a room to which a covering is added step by step.
type filling struct {
	room   *Room
	target Target
	bands  []Reverberation // of the room as it is
	perM2  Coefficients    // that a m² of the covering adds, in RoomBands
	most   int             // steps
}

// gain returns what a m² of the covering adds in a band, below 0 when it covers what absorbs more.
func (f *filling) gain(b *Reverberation) float64 { return f.perM2[slices.Index(RoomBands, b.BandHz)] }

// absorption returns the absorption area that counts for the target after some steps, in m². It is monotonic in
// the steps, in floating point too.
func (f *filling) absorption(b *Reverberation, steps int) float64 {
	return max(f.target.Absorption(b)+float64(steps)*fillStep*f.gain(b), 0)
}

func (f *filling) verdict(b *Reverberation, steps int) Verdict {
	return f.room.verdict(f.target, b.BandHz, f.absorption(b, steps))
}

// least returns the least number of steps with which each asked band meets the target or is not judged by it.
func (f *filling) least(asked func(bandHz int) bool) (steps int, ok bool) {
	first, last := 0, f.most
	for i := range f.bands {
		b := &f.bands[i]
		if !asked(b.BandHz) {
			continue
		}
		before, after := Long, Short // the verdicts on too few steps and on too many
		if f.gain(b) < 0 {
			before, after = Short, Long
		}
		first = max(first, sort.Search(f.most+1, func(n int) bool { return f.verdict(b, n) != before }))
		last = min(last, sort.Search(f.most+1, func(n int) bool { return f.verdict(b, n) == after })-1)
	}
	return first, first <= last
}

// reason says why no steps meet the target from 250 Hz to 2000 Hz.
func (f *filling) reason() FillReason {
	always := func(v Verdict) bool {
		return slices.ContainsFunc(f.bands, func(b Reverberation) bool {
			return inMiddle(b.BandHz) && f.verdict(&b, 0) == v && f.verdict(&b, f.most) == v
		})
	}
	switch {
	case always(Long):
		return StillLong
	case always(Short):
		return AlreadyShort
	}
	return Uneven
}

// at returns the bands of the room after some steps.
func (f *filling) at(steps int) []FilledBand {
	bands := make([]FilledBand, 0, len(f.bands))
	for i := range f.bands {
		b, a := &f.bands[i], f.absorption(&f.bands[i], steps)
		bands = append(bands, FilledBand{b.BandHz, f.room.sabine(a), a / f.room.VolumeM3, f.verdict(b, steps)})
	}
	return bands
}
