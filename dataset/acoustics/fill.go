package acoustics

import (
	"slices"
	"sort"
)

const (
	fillStep  = 0.5 // step of the area in m²
	maxFillM2 = 1e9 // maximum area in a room without surfaces
)

// A Fill is the area of a covering that a room needs to meet a target.
type Fill struct {
	AreaM2   float64    // minimum area that meets the target; 0 if there is a Reason
	Complete bool       // whether the area meets the target in all its bands, not only from 250 Hz to 2000 Hz
	Reason   FillReason // reason why no area meets the target; "" if an area does
	Bands    []FilledBand
}

// A FillReason is the reason why no area of a covering meets a target from 250 Hz to 2000 Hz.
type FillReason string

// The reasons. The first one that applies is reported.
const (
	StillLong    FillReason = "still_long"    // a band is too long even at the maximum area
	AlreadyShort FillReason = "already_short" // a band is too short at any area
	Uneven       FillReason = "uneven"        // no area in steps of fillStep meets the target in all bands
)

// Explain describes a reason in words. It returns "" for no reason.
func (r FillReason) Explain() string {
	return map[FillReason]string{
		StillLong:    "the reverberation time of an octave is too long even at the largest possible area",
		AlreadyShort: "the reverberation time of an octave is too short even without the covering",
		Uneven:       "no area in steps of 0.5 m² meets the target in all octaves",
	}[r]
}

// A FilledBand is the result for a room with its covering in a band.
type FilledBand struct {
	BandHz  int
	Sabine  float64 // reverberation time in s; +Inf without absorption
	PerM    float64 // A/V in 1/m, without air
	Verdict Verdict
}

// Fill computes the area of a covering that a room needs to meet a target (Sabine's formula), in steps of 0.5
// m². covers is the index of the surface that the covering replaces. The covered part of this surface absorbs
// nothing, and the covering cannot be larger than the surface. If covers is negative, the covering is added
// to the room and can be as large as all surfaces. For a target of A/V, the bands are 250 Hz to 2000 Hz.
func (r *Room) Fill(t Target, covering Coefficients, covers int) Fill {
	f := filling{room: r, target: t, bands: r.AbsorptionFor(t)}
	limit := r.SurfaceM2()
	switch {
	case covers >= 0:
		limit = r.Surfaces[covers].AreaM2
	case len(r.Surfaces) == 0:
		limit = maxFillM2
	}
	f.maxSteps = int(limit / fillStep)
	for i := range f.perM2 {
		f.perM2[i] = max(covering[i], 0)
		if covers >= 0 {
			f.perM2[i] -= max(r.Surfaces[covers].Coefficients[i], 0)
		}
	}
	if n, ok := f.minSteps(func(int) bool { return true }); ok {
		return Fill{float64(n) * fillStep, true, "", f.at(n)}
	}
	if n, ok := f.minSteps(isMidBand); ok {
		return Fill{float64(n) * fillStep, false, "", f.at(n)}
	}
	return Fill{Reason: f.reason(), Bands: f.at(0)}
}

// A filling is a room to which a covering is added in steps.
type filling struct {
	room     *Room
	target   Target
	bands    []Reverberation // bands of the room without the covering
	perM2    Coefficients    // absorption that 1 m² of the covering adds, in RoomBands
	maxSteps int             // steps that fit on the covered surface, or in the room
}

// gain returns the absorption that 1 m² of the covering adds in a band. It is negative if the covered surface
// absorbs more.
func (f *filling) gain(b *Reverberation) float64 { return f.perM2[slices.Index(RoomBands, b.BandHz)] }

// absorption returns the absorption area in m² after a number of steps, as defined by the target. It is
// monotonic in steps, even in floating-point arithmetic.
func (f *filling) absorption(b *Reverberation, steps int) float64 {
	return max(f.target.Absorption(b)+float64(steps)*fillStep*f.gain(b), 0)
}

func (f *filling) verdict(b *Reverberation, steps int) Verdict {
	return f.room.verdict(f.target, b.BandHz, f.absorption(b, steps))
}

// minSteps returns the minimum number of steps at which the target is met in each selected band it covers.
func (f *filling) minSteps(selected func(bandHz int) bool) (steps int, ok bool) {
	first, last := 0, f.maxSteps
	for i := range f.bands {
		b := &f.bands[i]
		if !selected(b.BandHz) {
			continue
		}
		before, after := Long, Short // verdicts on too few and on too many steps
		if f.gain(b) < 0 {
			before, after = Short, Long
		}
		// A band that the target does not cover has neither verdict and excludes no number of steps.
		first = max(first, sort.Search(f.maxSteps+1, func(n int) bool { return f.verdict(b, n) != before }))
		last = min(last, sort.Search(f.maxSteps+1, func(n int) bool { return f.verdict(b, n) == after })-1)
	}
	return first, first <= last
}

// reason returns the reason why no number of steps meets the target from 250 Hz to 2000 Hz.
func (f *filling) reason() FillReason {
	always := func(v Verdict) bool {
		return slices.ContainsFunc(f.bands, func(b Reverberation) bool {
			return isMidBand(b.BandHz) && f.verdict(&b, 0) == v && f.verdict(&b, f.maxSteps) == v
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

// at returns the bands of the room after a number of steps.
func (f *filling) at(steps int) []FilledBand {
	bands := make([]FilledBand, 0, len(f.bands))
	for i := range f.bands {
		b, a := &f.bands[i], f.absorption(&f.bands[i], steps)
		bands = append(bands, FilledBand{b.BandHz, f.room.sabine(a), a / f.room.VolumeM3, f.verdict(b, steps)})
	}
	return bands
}
