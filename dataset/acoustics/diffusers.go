package acoustics

import (
	"math"
	"math/cmplx"
)

// A Diffuser is a rigid surface whose profile is constant along its height and periodic along its width.
type Diffuser interface {
	// profile returns the strips of one period from left to right.
	profile() []strip
	// width returns the width of one period in metres.
	width() float64
}

// A strip is a flat part of a profile.
type strip struct {
	centre float64 // distance of the centre from the left end of the period, in metres
	width  float64 // width in metres
	// depth below the front plane in metres. Sound travels down and up again. The walls of a well guide the
	// sound, so the path is twice the depth at any angle. On an open surface, the path decreases with the
	// cosines of the angles of incidence and reflection.
	depth float64
	well  bool
}

// QRD is a quadratic-residue diffuser. The depth of well n is n² mod N times the design wavelength over 2N.
// Source: M. R. Schroeder, Binaural dissimilarity and optimum ceilings for concert halls, J. Acoust. Soc. Am.
// 65, 958 (1979).
type QRD struct {
	Prime       int     // N, the number of wells in a period
	WellWidthMM float64 // distance between two fins; the thickness of the fins is neglected
	DesignHz    float64 // lowest frequency that the full sequence scatters
}

func (q QRD) width() float64 { return float64(q.Prime) * q.WellWidthMM / 1000 }

// DepthMM returns the depth of the deepest well.
func (q QRD) DepthMM() float64 {
	deepest := 0.0
	for _, s := range q.profile() {
		deepest = max(deepest, s.depth*1000)
	}
	return deepest
}

func (q QRD) profile() []strip {
	well := q.WellWidthMM / 1000
	strips := make([]strip, q.Prime)
	for n := range strips {
		residue := float64(n * n % q.Prime)
		strips[n] = strip{
			centre: (float64(n) + 0.5) * well,
			width:  well,
			depth:  residue * speedOfSound / q.DesignHz / (2 * float64(q.Prime)),
			well:   true,
		}
	}
	return strips
}

// Polycylinder is a convex cylinder segment, modelled as a surface of varying depth. Source of the model and
// of typical sizes: T. J. Cox and P. D'Antonio, Acoustic Absorbers and Diffusers, 3rd ed. (2017).
type Polycylinder struct {
	ChordMM float64 // width of the segment
	RiseMM  float64 // height of its centre above the chord, at most half the chord
}

func (p Polycylinder) width() float64 { return p.ChordMM / 1000 }

func (p Polycylinder) profile() []strip {
	const strips = 24
	chord, rise := p.ChordMM/1000, p.RiseMM/1000
	radius := (chord*chord/4 + rise*rise) / (2 * rise)
	profile := make([]strip, strips)
	for i := range profile {
		x := (float64(i) + 0.5) * chord / strips
		profile[i] = strip{centre: x, width: chord / strips, depth: radius - math.Sqrt(radius*radius-(x-chord/2)*(x-chord/2))}
	}
	return profile
}

// Scattering contains the coefficients of a diffuser, from 0 to 1, in third-octave bands.
type Scattering struct {
	Scatter               Curve // random-incidence scattering coefficient (ISO 17497-1)
	Directional           Curve // diffusion coefficient for normal incidence (ISO 17497-2)
	NormalizedDirectional Curve // Directional, relative to a flat surface of the same size
	Diffusion             Curve // diffusion coefficient, mean over the angles of incidence
	NormalizedDiffusion   Curve
}

const arrayStep = 5 // angle between two receivers in degrees (ISO 17497-2)

// incidences are the angles of incidence in degrees. By symmetry, angles from the other side add no
// information. The mean, weighted by the cosines of the angles, represents random incidence in the plane.
var incidences = [...]float64{0, 20, 40, 60}

// Scatter computes the coefficients of adjacent periods of a diffuser. The far field is the Fourier sum over
// the reflection factors of the strips (Schroeder 1979). The scattering coefficient is 1 minus the squared
// correlation between the polar responses of the diffuser and of a flat surface (E. Mommertz, Determination
// of scattering coefficients from the reflection directivity of architectural surfaces, Applied Acoustics 60,
// 201 (2000)). The diffusion coefficient is the autocorrelation of the polar response (ISO 17497-2).
func Scatter(d Diffuser, periods int, thirdBandsHz []int) Scattering {
	var result Scattering
	sample := sample{d.profile(), d.width(), periods}
	for _, band := range thirdBandsHz {
		hz := exactHz(band)
		var scatter, diffusion, normalized, weights float64
		for i, degrees := range incidences {
			polar, flat := sample.polar(hz, degrees)
			s := 1 - correlation(polar, flat)
			spread, flatSpread := autocorrelation(polar), autocorrelation(flat)
			relative := max((spread-flatSpread)/(1-flatSpread), 0)
			if i == 0 {
				result.Directional = append(result.Directional, Point{band, toHundredths(spread)})
				result.NormalizedDirectional = append(result.NormalizedDirectional, Point{band, toHundredths(relative)})
			}
			weight := math.Cos(degrees * math.Pi / 180)
			scatter += weight * s
			diffusion += weight * spread
			normalized += weight * relative
			weights += weight
		}
		result.Scatter = append(result.Scatter, Point{band, toHundredths(scatter / weights)})
		result.Diffusion = append(result.Diffusion, Point{band, toHundredths(diffusion / weights)})
		result.NormalizedDiffusion = append(result.NormalizedDiffusion, Point{band, toHundredths(normalized / weights)})
	}
	return result
}

// A sample consists of adjacent periods of a diffuser.
type sample struct {
	strips  []strip // strips of one period
	width   float64 // width of one period in metres
	periods int
}

// polar returns the far-field pressures at receivers on a half circle for sound from the given angle. rough
// is the response of the sample, and flat is the response of a flat surface of the same width.
func (s sample) polar(hz, degrees float64) (rough, flat []complex128) {
	k := airWavenumber(hz)
	sinIn, cosIn := math.Sincos(degrees * math.Pi / 180)
	for receiver := -90; receiver <= 90; receiver += arrayStep {
		sinOut, cosOut := math.Sincos(float64(receiver) * math.Pi / 180)
		trace := k * (sinIn + sinOut)
		var period complex128
		for _, strip := range s.strips {
			path := cosIn + cosOut
			if strip.well {
				path = 2
			}
			period += complex(strip.width*sinc(trace*strip.width/2), 0) * cmplx.Rect(1, trace*strip.centre-k*strip.depth*path)
		}
		var repeated complex128
		for i := range s.periods {
			repeated += cmplx.Rect(1, trace*s.width*float64(i))
		}
		// The flat surface is a single strip with the width of the period.
		plain := complex(s.width*sinc(trace*s.width/2), 0) * cmplx.Rect(1, trace*s.width/2)
		rough, flat = append(rough, period*repeated), append(flat, plain*repeated)
	}
	return rough, flat
}

// correlation returns the squared correlation of two polar responses, from 0 to 1.
func correlation(a, b []complex128) float64 {
	var cross complex128
	var powerA, powerB float64
	for i := range a {
		cross += a[i] * cmplx.Conj(b[i])
		powerA += power(a[i])
		powerB += power(b[i])
	}
	return power(cross) / (powerA * powerB)
}

// autocorrelation returns the diffusion coefficient of a polar response. It is 1 if all receivers get the
// same energy, and 0 if one receiver gets all energy.
func autocorrelation(polar []complex128) float64 {
	var sum, squares float64
	for _, p := range polar {
		e := power(p)
		sum += e
		squares += e * e
	}
	return (sum*sum - squares) / (float64(len(polar)-1) * squares)
}

func power(p complex128) float64 { return real(p)*real(p) + imag(p)*imag(p) }

func sinc(x float64) float64 {
	if x == 0 {
		return 1
	}
	return math.Sin(x) / x
}
