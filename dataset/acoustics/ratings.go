package acoustics

// Hundredths is a rating in units of 0.01: 85 is 0.85.
type Hundredths int

// Float returns the rating as a number: the float64 nearest to h/100, so that its shortest decimal form has two
// decimals at most.
func (h Hundredths) Float() float64 { return float64(h) / 100 }

// Ratings are the single-number values of one absorption measurement. A nil pointer is a value that the bands at
// hand do not give.
type Ratings struct {
	AlphaP Curve       // practical absorption coefficients, octaves 125 to 4000 Hz, those that are known; nil when none is
	AlphaW *Hundredths // weighted absorption coefficient, 0 to 100
	Shape  string      // shape indicators of alpha_w in the order L, M, H; "" when there is none
	NRC    *Hundredths // Noise Reduction Coefficient, a multiple of 5, not cut at 1
	SAA    *Hundredths // Sound Absorption Average, not cut at 1
}

// Rate computes the ratings of one measurement from its octave-band and third-octave-band absorption coefficients
// (alpha_s, ISO 354). Either may be nil.
func Rate(octave, third Curve) Ratings { panic("unwritten") }

// Class returns the sound absorption class A to E of a weighted coefficient (ISO 11654, Annex B), or "" when it is
// not classified.
func Class(alphaW Hundredths) string { panic("unwritten") }

// MostAbsorptive returns the index of the variant that speaks for a product: the highest alpha_w, then the highest
// NRC, then the first; a variant without alpha_w comes after all that have one. It returns -1 for no variants.
func MostAbsorptive(variants []Ratings) int { panic("unwritten") }
