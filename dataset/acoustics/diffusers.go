package acoustics

import (
	"math"
	"math/cmplx"
)

// A Diffuser is a rigid surface, the same along its height, whose profile repeats along its width.
type Diffuser interface {
	// profile cuts one period into strips from side to side.
	profile() []strip
	// width returns the width of one period in metres.
	width() float64
}

// A strip is a flat part of a profile.
type strip struct {
	at    float64 // its middle from the left end of the period, in metres
	width float64 // in metres
	// depth behind the front plane in metres. Sound runs it down and up again; in a well, whose walls lead it,
	// the way is twice the depth whatever the angle, on an open surface it shortens with the cosines of the
	// angles in and out.
	depth float64
	well  bool
}

// QRD is a quadratic-residue diffuser: wells of depth n² mod N, times the design wavelength over 2N. Source:
// M. R. Schroeder, Binaural dissimilarity and optimum ceilings for concert halls, J. Acoust. Soc. Am. 65, 958
// (1979).
type QRD struct {
	Prime       int     // N, wells of a period
	WellWidthMM float64 // between two fins, whose own thickness is left out
	DesignHz    float64 // lowest frequency that is scattered by the full sequence
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
			at:    (float64(n) + 0.5) * well,
			width: well,
			depth: residue * speedOfSound / q.DesignHz / (2 * float64(q.Prime)),
			well:  true,
		}
	}
	return strips
}

// Polycylinder is a convex cylinder segment. Source of the treatment as a surface of varying depth, and of
// the measures: T. J. Cox and P. D'Antonio, Acoustic Absorbers and Diffusers, 3rd ed. (2017).
type Polycylinder struct {
	ChordMM float64 // width of the segment
	RiseMM  float64 // height of its middle over the chord, at most half of it
}

func (p Polycylinder) width() float64 { return p.ChordMM / 1000 }

func (p Polycylinder) profile() []strip {
	const strips = 24
	chord, rise := p.ChordMM/1000, p.RiseMM/1000
	radius := (chord*chord/4 + rise*rise) / (2 * rise)
	profile := make([]strip, strips)
	for i := range profile {
		at := (float64(i) + 0.5) * chord / strips
		profile[i] = strip{at: at, width: chord / strips, depth: radius - math.Sqrt(radius*radius-(at-chord/2)*(at-chord/2))}
	}
	return profile
}

// Scattering holds what a diffuser does to sound, in third-octave bands; no unit, 0 to 1.
type Scattering struct {
	Scatter               Curve // random-incidence scattering coefficient (ISO 17497-1)
	Directional           Curve // diffusion coefficient for normal incidence (ISO 17497-2)
	NormalizedDirectional Curve // the same against a flat surface of the same size
	Diffusion             Curve // diffusion coefficient, mean over the angles of incidence
	NormalizedDiffusion   Curve
}

const arrayStep = 5 // degrees between two receivers, as ISO 17497-2 has it

// incidences are the angles from which sound comes, in degrees; by symmetry those on the other side add
// nothing, and by the cosine of each as its weight their mean stands for random incidence in the plane.
var incidences = [...]float64{0, 20, 40, 60}

// Scatter computes the coefficients of some periods of a diffuser side by side. The far field is the Fourier
// sum over the strips' reflection factors (Schroeder 1979). The scattering coefficient is one less the
// squared correlation of the polar response with that of a flat surface (E. Mommertz, Determination of
// scattering coefficients from the reflection directivity of architectural surfaces, Applied Acoustics 60,
// 201 (2000)), the diffusion coefficient the autocorrelation of the polar response (ISO 17497-2).
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

// A sample is some periods of a diffuser side by side.
type sample struct {
	strips  []strip // of one period
	width   float64 // of one period
	periods int
}

// polar returns the far-field pressures on the half circle of receivers, for sound from the given angle, of
// the sample and of a flat surface as wide as it.
func (s sample) polar(hz, degrees float64) (rough, flat []complex128) {
	k := airWavenumber(hz)
	sinIn, cosIn := math.Sincos(degrees * math.Pi / 180)
	for receiver := -90; receiver <= 90; receiver += arrayStep {
		sinOut, cosOut := math.Sincos(float64(receiver) * math.Pi / 180)
		trace := k * (sinIn + sinOut)
		var period complex128
		for _, strip := range s.strips {
			way := cosIn + cosOut
			if strip.well {
				way = 2
			}
			period += complex(strip.width*sinc(trace*strip.width/2), 0) * cmplx.Rect(1, trace*strip.at-k*strip.depth*way)
		}
		var repeated complex128
		for i := range s.periods {
			repeated += cmplx.Rect(1, trace*s.width*float64(i))
		}
		// The flat surface is one strip as wide as the period.
		plain := complex(s.width*sinc(trace*s.width/2), 0) * cmplx.Rect(1, trace*s.width/2)
		rough, flat = append(rough, period*repeated), append(flat, plain*repeated)
	}
	return rough, flat
}

// correlation returns the squared correlation of two polar responses, 0 to 1.
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

// autocorrelation returns the diffusion coefficient of a polar response: 1 when all receivers get the same
// energy, 0 when one gets all.
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
