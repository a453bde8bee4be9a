package serve

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/runtime"
)

// Names of the parameters of needs, in all operations with needs: with one value and with several values.
var (
	needSingles = []string{"thickness_max", "depth_max", "depth_unknown", "like"}
	needLists   = []string{
		"absorption_min", "absorption_max", "scattering_min", "diffusion_min", "mounting", "source_kind", "absorption_class",
		"curve",
	}
	answerSingles = []string{"match", "need_facets", "near"} // read by needAnswers, only in searches
)

// needAnswers reads which data about needs a search returns in addition to the hits.
func (p *params) needAnswers(q *runtime.Query) {
	q.Match, q.NeedFacets, q.Near = p.boolean("match"), p.boolean("need_facets"), p.boolean("near")
}

// needs reads the needs of one tested set-up. If closed is true, an unknown mounting, source kind or class is
// a fault; otherwise it matches nothing.
func (p *params) needs(g *runtime.Generation, closed bool) runtime.Needs {
	n := runtime.Needs{
		AbsorptionMin:     p.coefficients("absorption_min", octaves),
		AbsorptionMax:     p.coefficients("absorption_max", octaves),
		ScatteringMin:     p.coefficients("scattering_min", octavesAndThirds),
		DiffusionMin:      p.coefficients("diffusion_min", octavesAndThirds),
		ThicknessMax:      optional(p, "thickness_max", parseLength),
		DepthMax:          optional(p, "depth_max", parseLength),
		DepthUnknown:      p.boolean("depth_unknown"),
		Mountings:         p.mountings(g, closed),
		SourceKinds:       p.list("source_kind"),
		AbsorptionClasses: p.list("absorption_class"),
		Like:              p.like(g),
		Curve:             p.coefficients("curve", octaves),
	}
	if len(n.Curve) == 1 {
		p.fault("curve", "%s has one band; expected at least two, such as 125:0.3,250:0.6", quote(formatBound(n.Curve[0])))
	}
	p.rejectCrossed(n.AbsorptionMin, n.AbsorptionMax)
	if closed {
		p.rejectUnknown("source_kind", n.SourceKinds, product.SourceKinds)
		p.rejectUnknown("absorption_class", n.AbsorptionClasses, acoustics.Classes)
	}
	if like, curve := p.items("like"), p.items("curve"); like != nil && curve != nil {
		p.fault("like", "%s conflicts with %s, %s: both are targets; use only one", quote(like[0]), p.displayName("curve"),
			quote(curve[0]))
	}
	return n
}

// mountings reads mountings in any spelling and returns distinct mountings in the catalogue's spelling. If
// closed is true, an unknown mounting is a fault.
func (p *params) mountings(g *runtime.Generation, closed bool) []string {
	asked := p.items("mounting")
	for i, text := range asked {
		if g.HasMounting(text) { // snapshots from older versions may contain the spelling of the record
			continue
		}
		asked[i] = acoustics.Mounting(text)
		if closed && !g.HasMounting(asked[i]) {
			p.faultUnknown("mounting", text, g.Mountings())
			closed = false // report only the first unknown mounting
		}
	}
	return distinct(asked)
}

// rejectUnknown adds a fault only for the first unknown value.
func (p *params) rejectUnknown(name string, values, known []string) {
	if i := slices.IndexFunc(values, func(v string) bool { return !slices.Contains(known, v) }); i >= 0 {
		p.faultUnknown(name, values[i], known)
	}
}

// rejectCrossed adds a fault for the first band whose minimum is greater than its maximum.
func (p *params) rejectCrossed(least, most []runtime.Bound) {
	for _, low := range least {
		for _, high := range most {
			if low.BandHz == high.BandHz && low.Thousandths > high.Thousandths {
				p.fault("absorption_min", "%s is larger than %s, %s", quote(formatBound(low)), p.displayName("absorption_max"),
					quote(formatBound(high)))
				return
			}
		}
	}
}

// formatBound formats a bound as in a query string.
func formatBound(b runtime.Bound) string {
	return fmt.Sprintf("%d:%g", b.BandHz, float64(b.Thousandths)/thousandthsPerUnit)
}

// like reads the product whose curve is the target. It returns nil if the parameter is absent or invalid.
func (p *params) like(g *runtime.Generation) *column.Doc {
	return optional(p, "like", func(text string) (column.Doc, error) {
		d, ok := g.Lookup(text)
		if !ok {
			return d, errors.New("is not the id or slug of a published product")
		}
		if n := g.CurveBands(d); n < runtime.MinShared {
			return d, fmt.Errorf("has absorption at %d of the six octaves from 125 to 4000 Hz; a target needs at least %d",
				n, runtime.MinShared)
		}
		return d, nil
	})
}

// A bandSet is the set of allowed bands of a parameter.
type bandSet struct {
	hz   []int // nominal centre frequencies, ascending
	name string
}

var (
	octaves          = bandSet{indexes.NormAbsorption.Bands(), "octave"}
	octavesAndThirds = bandSet{indexes.NormScattering.Bands(), "octave or third-octave"}
)

// coefficients reads a list of bands with coefficients, such as 125:0.8,250:0.6, and sorts it by band.
func (p *params) coefficients(name string, of bandSet) []runtime.Bound {
	var bounds []runtime.Bound
	for _, item := range p.items(name) {
		b, err := parseBound(item, of)
		if err != nil {
			p.fault(name, "%s %v", quote(item), err)
			return nil
		}
		if i := slices.IndexFunc(bounds, func(before runtime.Bound) bool { return before.BandHz == b.BandHz }); i >= 0 {
			p.fault(name, "%s repeats the band of %s; list each band only once", quote(item), quote(formatBound(bounds[i])))
			return nil
		}
		bounds = append(bounds, b)
	}
	slices.SortFunc(bounds, func(a, b runtime.Bound) int { return cmp.Compare(a.BandHz, b.BandHz) })
	return bounds
}

var (
	errNoValue  = errors.New("has no coefficient after the colon; expected a number as in 125:0.8")
	errValue    = errors.New("has a coefficient out of range; expected -0.1 to 2")
	errDecimals = errors.New("has a coefficient with more than three decimals; expected a number as in 125:0.855")
)

// parseBound reads a band and its coefficient.
func parseBound(text string, of bandSet) (runtime.Bound, error) {
	band, value, ok := strings.Cut(text, ":")
	if !ok {
		return runtime.Bound{}, errors.New("is not a band and its coefficient, such as 125:0.8; " +
			"separate bands with commas, and use a decimal point")
	}
	hz, err := parseBand(band, of)
	if err != nil {
		return runtime.Bound{}, err
	}
	n, err := parseThousandths(value)
	return runtime.Bound{BandHz: hz, Thousandths: n}, err
}

// parseBand reads the nominal centre frequency of a band, written as digits. The error for an unknown band
// lists the nearest bands.
func parseBand(text string, of bandSet) (int, error) {
	if text == "" || text[0] == '0' || strings.Trim(text, "0123456789") != "" {
		return 0, errors.New("has no band before the colon; expected a whole number in Hz, as in 125:0.8")
	}
	hz, _ := strconv.Atoi(text) // for larger numbers, Atoi returns the largest integer
	i, ok := slices.BinarySearch(of.hz, hz)
	if ok {
		return hz, nil
	}
	next := fmt.Sprint("is ", of.hz[min(i, len(of.hz)-1)])
	if i > 0 && i < len(of.hz) {
		next = fmt.Sprint("are ", of.hz[i-1], " and ", of.hz[i])
	}
	return 0, fmt.Errorf("has %s, which is not a nominal %s band; the nearest %s", clip(text), of.name, next)
}

// Coefficients are read in thousandths.
const (
	thousandthsPerUnit = 1000
	coefficientPlaces  = 3 // maximum number of decimals
	minCoefficient     = -100
	maxCoefficient     = 2000
)

// parseThousandths reads a coefficient, a JSON number, and returns it in thousandths. It reads the digits,
// because a float64 is not exact. Trailing zeros are not decimals: 0.8000 is 0.8.
func parseThousandths(text string) (int, error) {
	if !isNumber(text) {
		return 0, errNoValue
	}
	mantissa, power, _ := strings.Cut(strings.ToLower(text), "e")
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, decimals, _ := strings.Cut(mantissa, ".")
	exponent, _ := strconv.Atoi(power)                               // 0 for "", the largest integer for larger numbers
	exponent = min(max(exponent, -2*maxQueryBytes), 2*maxQueryBytes) // more than any number of digits

	// The number is 0.digits times ten to the power of point. The first and the last digit are not 0.
	digits, point := whole+decimals, len(whole)+exponent
	point -= len(digits) - len(strings.TrimLeft(digits, "0"))
	digits = strings.Trim(digits, "0")
	switch {
	case digits == "":
		return 0, nil
	case point > 1:
		return 0, errValue
	case len(digits)-point > coefficientPlaces:
		return 0, errDecimals
	}
	n, _ := strconv.Atoi(digits + strings.Repeat("0", coefficientPlaces+point-len(digits))) // up to four digits
	if negative {
		n = -n
	}
	if n < minCoefficient || n > maxCoefficient {
		return 0, errValue
	}
	return n, nil
}

// parseLength reads a length in mm.
var parseLength = numberWithin(0, math.MaxFloat64, errors.New("is not a length in mm of 0 or more, such as 62.5"))
