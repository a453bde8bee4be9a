package acoustics

import "math"

// A DIN18041Use is a use of rooms in group A of DIN 18041:2016. Its target is a reverberation time that
// depends on the volume of the room: slope lg V + offset. Sources of the formulas and volumes: a
// manufacturer's handbook of building physics, public programs (github.com/moritzxt/raumakustik, room_calc.py
// and Berechnungen.py), and for A1 to A3 a manufacturer's page
// (www.setaplast.de/setaplast-abacustica/vorschriften-und-normen). The standard itself was not available.
type DIN18041Use struct {
	Name          string  // A1 to A5
	From, Below   float64 // range of volumes in m³ with a target; +Inf for no upper limit
	slope, offset float64
}

// DIN18041Uses are music (A1), speech (A2), speech or teaching for all (A3), teaching for all (A4) and sport
// (A5).
var DIN18041Uses = []DIN18041Use{
	{"A1", 30, 1000, 0.45, 0.07},
	{"A2", 50, 5000, 0.37, -0.14},
	{"A3", 30, 5000, 0.32, -0.17},
	{"A4", 30, 500, 0.26, -0.14},
	{"A5", 200, math.Inf(1), 0.75, -1.00},
}

// maxSportVolumeM3 is the volume in m³ from which the target of sports halls is constant: 2 s.
const maxSportVolumeM3 = 10000

// Target returns the target in s for a volume in m³. ok is false if the use has no target for the volume.
func (u *DIN18041Use) Target(volumeM3 float64) (seconds float64, ok bool) {
	if !(u.From <= volumeM3 && volumeM3 < u.Below) {
		return 0, false
	}
	return u.slope*math.Log10(min(volumeM3, maxSportVolumeM3)) + u.offset, true
}

// IsForEmptyRoom reports whether the target applies to the room without people, as in sports halls. Other
// targets apply to the room with people.
func (u *DIN18041Use) IsForEmptyRoom() bool { return u.Name == "A5" }

// DIN18041Tolerance returns the tolerance of a reverberation time in a band of RoomBands, as ratios to the
// target (DIN 18041:2016, figure 2, as quoted by github.com/moritzxt/raumakustik).
func DIN18041Tolerance(bandHz int) (low, high float64) {
	switch bandHz {
	case 125:
		return 0.65, 1.45
	case 4000:
		return 0.65, 1.2
	}
	return 0.8, 1.2
}

// A DIN18041Ratio is a room use in group B of DIN 18041:2016. It requires a minimum ratio A/V of equivalent
// absorption area to volume from 250 to 2000 Hz, without air and people. B1 requires nothing.
// Source: a manufacturer's handbook of building physics, equations (7) to (10)
// (medien.rigips.de/downloads/0bb374f4-748a-4566-a0cc-def7905cebf0/flipbook_bauphysik.zip, page 53). Two
// public calculators agree with it. The standard itself was not available.
type DIN18041Ratio struct {
	Name   string  // B2 to B5
	low    float64 // ratio in 1/m for rooms of at most lowRoomHeightM
	offset float64 // the ratio for higher rooms is 1 / (offset + 4.69 lg h)
}

// DIN18041Ratios are rooms for short stays (B2), for longer stays (B3), with a need for noise reduction (B4)
// and with a high need for noise reduction (B5).
var DIN18041Ratios = []DIN18041Ratio{{"B2", 0.15, 4.80}, {"B3", 0.20, 3.13}, {"B4", 0.25, 2.13}, {"B5", 0.30, 1.47}}

// lowRoomHeightM is the clear height in m up to which the ratio is constant.
const lowRoomHeightM = 2.5

// PerM returns the minimum A/V in 1/m for a clear height in m.
func (u *DIN18041Ratio) PerM(heightM float64) float64 {
	if heightM <= lowRoomHeightM {
		return u.low
	}
	return 1 / (u.offset + 4.69*math.Log10(heightM))
}

// DIN18041Names returns the names of DIN18041Uses and DIN18041Ratios.
func DIN18041Names() (names []string) {
	for _, u := range DIN18041Uses {
		names = append(names, u.Name)
	}
	for _, u := range DIN18041Ratios {
		names = append(names, u.Name)
	}
	return names
}
