package dataset

import (
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// A series is the bands of a frequency map.
type series struct {
	name    string // as messages call one band: "an octave band"
	bandsHz []int
	usualHz []int // those that a standard test report gives: a map without one of them is doubtful; nil for none
}

var (
	octaves = series{name: "an octave band", bandsHz: acoustics.OctaveBands}
	thirds  = series{name: "a third-octave band", bandsHz: acoustics.ThirdBands, usualHz: acoustics.StandardThirds}
)

// The readers of curves, by quantity and series. Diffusion has the limit of scattering.
var (
	absorptionOctave = curveReader(&octaves, product.AbsorptionLimit)
	absorptionThird  = curveReader(&thirds, product.AbsorptionLimit)
	scatteringOctave = curveReader(&octaves, product.ScatteringLimit)
	scatteringThird  = curveReader(&thirds, product.ScatteringLimit)
)

func curveReader(s *series, limit float64) func(*parser, string, gjson.Result) acoustics.Curve {
	return func(p *parser, name string, v gjson.Result) acoustics.Curve { return p.curve(name, v, s, limit) }
}

// maxBands is how many bands the longest series has.
const maxBands = 24

// curve reads a frequency map, or null.
func (p *parser) curve(name string, v gjson.Result, s *series, limit float64) acoustics.Curve {
	if !p.object(name, v, "an object of band to coefficient, or null") {
		return nil
	}
	p.enter(member(name))
	var values [maxBands]float64
	var known [maxBands]bool
	count, negative := 0, false
	for key, value := range v.ForEach {
		band := s.index(key.Str)
		switch {
		case band < 0:
			p.bandFault(key.Str, "not the centre frequency of "+s.name)
		case isNull(value):
		case value.Type != gjson.Number:
			p.bandFault(key.Str, "expected a number, got "+KindOf(value))
		case !(value.Num >= product.MinCoefficient && value.Num <= limit):
			p.bandFault(key.Str, "expected a coefficient from "+formatNumber(product.MinCoefficient)+" to "+
				formatNumber(limit)+", got "+shortened(value.Raw))
		case !known[band]:
			values[band], known[band] = value.Num, true
			negative = negative || value.Num < 0
			count++
		}
	}
	c := make(acoustics.Curve, 0, count)
	for i, hz := range s.bandsHz {
		if known[i] {
			c = append(c, acoustics.Point{BandHz: hz, Value: values[i]})
		}
	}
	if negative {
		p.warnNegative(c)
	}
	if s.usualHz != nil && count < maxBands {
		p.warnMissing(c, s)
	}
	p.leave()
	return c
}

// index returns which band of the series a key names, or -1. Only the nominal centre frequency names a band.
func (s *series) index(key string) int {
	hz, err := strconv.Atoi(key)
	if err != nil || key[0] < '1' { // a sign, or a zero before it
		return -1
	}
	band, ok := slices.BinarySearch(s.bandsHz, hz)
	if !ok {
		return -1
	}
	return band
}

func (p *parser) bandFault(key, problem string) {
	p.enter(member(key))
	p.fault("", problem)
	p.leave()
}

// warnNegative names the bands with negative coefficients.
func (p *parser) warnNegative(c acoustics.Curve) {
	var bands []string
	for _, point := range c {
		if point.Value < 0 {
			bands = append(bands, strconv.Itoa(point.BandHz))
		}
	}
	p.warn("", "negative coefficients at "+strings.Join(bands, ", ")+" Hz")
}

// warnMissing names the bands that are missing: usual ones, and gaps between the bands that are there.
func (p *parser) warnMissing(c acoustics.Curve, s *series) {
	from, to := s.usualHz[0], s.usualHz[len(s.usualHz)-1]
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
