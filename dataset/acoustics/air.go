package acoustics

import "math"

// Climate is the state of the air in a room, at a pressure of 101.325 kPa.
type Climate struct {
	TemperatureC    float64 // °C
	HumidityPercent float64 // relative humidity
}

// The ranges of the tables in ISO 9613-1.
const (
	MinTemperatureC    = -20
	MaxTemperatureC    = 50
	MinHumidityPercent = 10
	MaxHumidityPercent = 100
)

// RoomClimate is the default climate of a room.
var RoomClimate = Climate{TemperatureC: 20, HumidityPercent: 50}

const (
	zeroCelsius = 273.15 // 0 °C in K
	reference   = 293.15 // T0, in K
	triplePoint = 273.16 // T01 of water, in K
)

func (c Climate) kelvin() float64 { return c.TemperatureC + zeroCelsius }

// SpeedOfSound returns the speed of sound in m/s (ISO 9613-1, annex A). It is 343.2 m/s at 20 °C.
func (c Climate) SpeedOfSound() float64 { return speedOfSound * math.Sqrt(c.kelvin()/reference) }

// Attenuation returns the attenuation coefficient of air in dB/m for a pure tone at the exact mid-band
// frequency.
//
// Source: ISO 9613-1:1993, formulas (3) to (5), with the saturation vapour pressure from annex B, as quoted
// by public programs (github.com/Universite-Gustave-Eiffel/WAPE, atmos.m;
// www.sengpielaudio.com/AirdampingFormula.htm).
func (c Climate) Attenuation(bandHz int) float64 {
	f, t := exactHz(bandHz), c.kelvin()
	warm := t / reference
	// h is the molar concentration of water vapour in percent. At 101.325 kPa, the pressure ratio is 1 in all
	// formulas.
	h := c.HumidityPercent * math.Pow(10, -6.8346*math.Pow(triplePoint/t, 1.261)+4.6151)
	oxygen := 24 + 4.04e4*h*(0.02+h)/(0.391+h) // relaxation frequency in Hz
	nitrogen := math.Pow(warm, -0.5) * (9 + 280*h*math.Exp(-4.170*(math.Pow(warm, -1.0/3)-1)))
	classical := 1.84e-11 * math.Sqrt(warm)
	relaxation := math.Pow(warm, -2.5) *
		(0.01275*math.Exp(-2239.1/t)/(oxygen+f*f/oxygen) + 0.1068*math.Exp(-3352.0/t)/(nitrogen+f*f/nitrogen))
	return 8.686 * f * f * (classical + relaxation)
}

// EnergyAttenuation returns the energy attenuation constant m of air in 1/m: the attenuation in dB/m divided
// by 10 lg e.
func (c Climate) EnergyAttenuation(bandHz int) float64 {
	return c.Attenuation(bandHz) / (10 * math.Log10E)
}
