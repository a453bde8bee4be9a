package dataset

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// A series is a series of frequency bands.
type series struct {
	name       string // name of a band in messages, such as "an octave band"
	bandsHz    []int
	standardHz []int // bands of a standard test report, which should not be missing; nil for none
}

var (
	octaves = series{name: "an octave band", bandsHz: acoustics.OctaveBands}
	thirds  = series{name: "a third-octave band", bandsHz: acoustics.ThirdBands, standardHz: acoustics.StandardThirds}
)

// The readers of curves. Those for scattering also read diffusion coefficients, which have the same limit.
var (
	absorptionOctave = curveReader(&octaves, product.AbsorptionLimit)
	absorptionThird  = curveReader(&thirds, product.AbsorptionLimit)
	scatteringOctave = curveReader(&octaves, product.ScatteringLimit)
	scatteringThird  = curveReader(&thirds, product.ScatteringLimit)
)

func curveReader(s *series, limit float64) func(*parser, string, gjson.Result) acoustics.Curve {
	return func(p *parser, name string, v gjson.Result) acoustics.Curve { return p.curve(name, v, s, limit) }
}

// maxBands is the number of bands of the longest series, the third octaves.
const maxBands = 24

// curve reads a frequency map or null.
func (p *parser) curve(name string, v gjson.Result, s *series, limit float64) acoustics.Curve {
	if !p.object(name, v, "an object that maps bands to coefficients, or null") {
		return nil
	}
	p.enter(member(name))
	var values [maxBands]float64 // by index in s.bandsHz
	var known [maxBands]bool
	count := 0
	for key, value := range v.ForEach {
		band := s.index(key.Str)
		p.enter(member(key.Str))
		switch {
		case band < 0:
			p.fault("", "not the centre frequency of "+s.name)
		case isNull(value):
		case value.Type != gjson.Number:
			p.wrongType("", value, "a number")
		case !(value.Num >= product.MinCoefficient && value.Num <= limit):
			p.fault("", "expected a coefficient from "+formatNumber(product.MinCoefficient)+" to "+
				formatNumber(limit)+", got "+shortened(value.Raw))
		case !known[band]:
			values[band], known[band] = value.Num, true
			count++
		}
		p.leave()
	}
	c := make(acoustics.Curve, 0, count)
	for i, hz := range s.bandsHz {
		if known[i] {
			c = append(c, acoustics.Point{BandHz: hz, Value: values[i]})
		}
	}
	p.warnNegative(c)
	if s.standardHz != nil {
		p.warnMissing(c, s)
	}
	p.leave()
	return c
}

// index returns the index of the band with the given nominal centre frequency, or -1 for any other key.
func (s *series) index(key string) int {
	hz, err := strconv.Atoi(key)
	if err != nil || key[0] < '1' { // reject a sign or a leading zero
		return -1
	}
	band, ok := slices.BinarySearch(s.bandsHz, hz)
	if !ok {
		return -1
	}
	return band
}

// warnNegative warns about bands with negative coefficients.
func (p *parser) warnNegative(c acoustics.Curve) {
	var bands []string
	for _, point := range c {
		if point.Value < 0 {
			bands = append(bands, strconv.Itoa(point.BandHz))
		}
	}
	if len(bands) > 0 {
		p.warn("", "negative coefficients at "+strings.Join(bands, ", ")+" Hz")
	}
}

// warnMissing warns about missing bands: bands of a standard test report, and gaps between other bands.
func (p *parser) warnMissing(c acoustics.Curve, s *series) {
	from, to := s.standardHz[0], s.standardHz[len(s.standardHz)-1]
	if len(c) > 0 {
		from, to = min(from, c[0].BandHz), max(to, c[len(c)-1].BandHz)
	}
	var bands []string
	next := 0
	for _, hz := range s.bandsHz {
		switch {
		case next < len(c) && c[next].BandHz == hz:
			next++
		case hz >= from && hz <= to:
			bands = append(bands, strconv.Itoa(hz))
		}
	}
	if len(bands) > 0 {
		p.warn("", "no coefficients at "+strings.Join(bands, ", ")+" Hz")
	}
}
