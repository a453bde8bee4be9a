package acoustics_test

import (
	"fmt"

	"sabine/dataset/acoustics"
)

func ExampleRate() {
	octave := acoustics.Curve{{BandHz: 125, Value: 0.2}, {BandHz: 250, Value: 0.35}, {BandHz: 500, Value: 0.7},
		{BandHz: 1000, Value: 0.65}, {BandHz: 2000, Value: 0.6}, {BandHz: 4000, Value: 0.55}}
	r := acoustics.Rate(octave, nil)
	fmt.Printf("alpha_w %v, class %s, NRC %v\n", r.AlphaW.Float(), acoustics.Class(*r.AlphaW), r.NRC.Float())
	// Output: alpha_w 0.6, class C, NRC 0.6
}
