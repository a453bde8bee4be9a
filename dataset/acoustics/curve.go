package acoustics

import (
	"cmp"
	"slices"
)

// A Point is the value of one frequency band.
type Point struct {
	BandHz int     // nominal centre frequency of the band, in Hz
	Value  float64 // coefficient without unit
}

// A Curve is a frequency map: points in ascending order of band, without duplicate bands. Unlike an empty
// Curve, a nil Curve means that the map is absent.
type Curve []Point

// The bands of the frequency maps: nominal centre frequencies in Hz (IEC 61260-1), ascending.
var (
	OctaveBands = []int{63, 125, 250, 500, 1000, 2000, 4000, 8000}
	ThirdBands  = []int{
		50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630,
		800, 1000, 1250, 1600, 2000, 2500, 3150, 4000, 5000, 6300, 8000, 10000,
	}
	// StandardThirds are the bands from 100 Hz to 5000 Hz, which ISO 354 and ISO 17497 require.
	StandardThirds = ThirdBands[3:21]
)

// At returns the value of the band with the nominal centre frequency bandHz.
func (c Curve) At(bandHz int) (value float64, ok bool) {
	for _, p := range c {
		if p.BandHz == bandHz {
			return p.Value, true
		}
	}
	return 0, false
}

// Compare compares curves band by band.
func (c Curve) Compare(d Curve) int {
	return slices.CompareFunc(c, d, func(p, q Point) int {
		return cmp.Or(cmp.Compare(p.BandHz, q.BandHz), cmp.Compare(p.Value, q.Value))
	})
}
