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

func ExampleRoom_Reverberation() {
	room := acoustics.Room{VolumeM3: 180, Air: &acoustics.RoomClimate, Surfaces: []acoustics.Surface{
		{AreaM2: 154, Coefficients: acoustics.Coefficients{0.02, 0.02, 0.03, 0.04, 0.05, 0.05}},
		{AreaM2: 64, Coefficients: acoustics.Coefficients{0.25, 0.6, 0.95, 1, 1, 0.95}},
	}}
	bands, err := room.Reverberation()
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, b := range bands {
		fmt.Printf("%d Hz: %.2f s (Eyring %.2f s)\n", b.BandHz, b.Sabine, b.Eyring)
	}
	// Output:
	// 125 Hz: 1.51 s (Eyring 1.45 s)
	// 250 Hz: 0.70 s (Eyring 0.63 s)
	// 500 Hz: 0.44 s (Eyring 0.37 s)
	// 1000 Hz: 0.41 s (Eyring 0.34 s)
	// 2000 Hz: 0.40 s (Eyring 0.33 s)
	// 4000 Hz: 0.39 s (Eyring 0.33 s)
}
