package acoustics

import "math"

// A DIN18041Use is a use of rooms in group A of DIN 18041:2016, whose target is a reverberation time for the
// room's volume, slope lg V + offset. Source: the formulas and volumes as a manufacturer's handbook of
// building physics and public programs quote them (github.com/moritzxt/raumakustik, room_calc.py and
// Berechnungen.py), and for A1 to A3 a manufacturer's page
// (www.setaplast.de/setaplast-abacustica/vorschriften-und-normen). The standard itself was not at hand.
type DIN18041Use struct {
	Name          string  // A1 to A5
	From, Below   float64 // volumes in m³ that it has a target for; +Inf where there is no upper end
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

// largestSport is the volume in m³ from which the target of sports halls is 2 s, whatever their size.
const largestSport = 10000

// Target returns the target for a volume in m³, in s. ok is false for volumes that the use has none for.
func (u *DIN18041Use) Target(volumeM3 float64) (seconds float64, ok bool) {
	if !(u.From <= volumeM3 && volumeM3 < u.Below) {
		return 0, false
	}
	return u.slope*math.Log10(min(volumeM3, largestSport)) + u.offset, true
}

// IsEmpty reports whether the target is of the room without people, as in sports halls; else people are in it.
func (u *DIN18041Use) IsEmpty() bool { return u.Name == "A5" }

// DIN18041Tolerance returns how far a reverberation time in a band of RoomBands may lie from the target, as
// ratios to it (DIN 18041:2016, figure 2, as github.com/moritzxt/raumakustik quotes it).
func DIN18041Tolerance(bandHz int) (low, high float64) {
	switch bandHz {
	case 125:
		return 0.65, 1.45
	case 4000:
		return 0.65, 1.2
	}
	return 0.8, 1.2
}

// A DIN18041Ratio is a use of rooms in group B of DIN 18041:2016, which asks for an equivalent absorption area
// for the room's volume, A/V, at 250 Hz to 2000 Hz, without air and people. B1 asks for nothing. Source: a
// manufacturer's handbook of building physics, equations (7) to (10)
// (medien.rigips.de/downloads/0bb374f4-748a-4566-a0cc-def7905cebf0/flipbook_bauphysik.zip, page 53), with which
// two public calculators agree. The standard itself was not at hand.
type DIN18041Ratio struct {
	Name   string  // B2 to B5
	low    float64 // 1/m, in rooms that are no higher than lowRoom
	offset float64 // of 1 / (offset + 4.69 lg h) in higher ones
}

// DIN18041Ratios are rooms to be for a short time (B2), for longer (B3), with much noise to be reduced (B4) and
// with the most (B5).
var DIN18041Ratios = []DIN18041Ratio{{"B2", 0.15, 4.80}, {"B3", 0.20, 3.13}, {"B4", 0.25, 2.13}, {"B5", 0.30, 1.47}}

// lowRoom is the clear height in m up to which the ratio is the same.
const lowRoom = 2.5

// PerM returns the least A/V for a clear height in m, in 1/m.
func (u *DIN18041Ratio) PerM(heightM float64) float64 {
	if heightM <= lowRoom {
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
