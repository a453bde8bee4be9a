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

// The names of the parameters of needs, on every operation that has them: those of one value and those of
// several.
var (
	needSingles = []string{"thickness_max", "depth_max", "depth_unknown", "like"}
	needLists   = []string{
		"absorption_min", "absorption_max", "scattering_min", "diffusion_min", "mounting", "source_kind", "absorption_class",
		"curve",
	}
	answerSingles = []string{"match", "need_facets", "near"} // of the searches alone
)

// needAnswers reads what a search answers of needs beside the hits.
func (p *params) needAnswers(q *runtime.Query) {
	q.Match, q.NeedFacets, q.Near = p.boolean("match"), p.boolean("need_facets"), p.boolean("near")
}

// needs reads what one tested set-up of a product has to meet. closed says that a mounting, a source kind or
// a class that is not known is a fault; else it matches nothing.
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
		p.fault("curve", "%s is one band; a target has two or more, such as 125:0.3,250:0.6", quote(written(n.Curve[0])))
	}
	p.refuseCrossed(n.AbsorptionMin, n.AbsorptionMax)
	if closed {
		p.refuseUnknown("source_kind", n.SourceKinds, product.SourceKinds)
		p.refuseUnknown("absorption_class", n.AbsorptionClasses, acoustics.Classes)
	}
	if like, curve := p.items("like"), p.items("curve"); like != nil && curve != nil {
		p.fault("like", "%s is a target, and so is %s, %s; give one of them", quote(like[0]), p.spelt("curve"),
			quote(curve[0]))
	}
	return n
}

// mountings reads mountings in any spelling, and returns each once in the catalogue's. closed says that one that
// is not known is a fault.
func (p *params) mountings(g *runtime.Generation, closed bool) []string {
	asked := p.items("mounting")
	for i, text := range asked {
		if g.HasMounting(text) { // also in the record's spelling, which an older program has built in
			continue
		}
		asked[i] = acoustics.Mounting(text)
		if closed && !g.HasMounting(asked[i]) {
			p.faultUnknown("mounting", text, g.Mountings())
			closed = false
		}
	}
	return distinct(asked)
}

// refuseUnknown notes the first of the values that is not among the known ones.
func (p *params) refuseUnknown(name string, values, known []string) {
	if i := slices.IndexFunc(values, func(v string) bool { return !slices.Contains(known, v) }); i >= 0 {
		p.faultUnknown(name, values[i], known)
	}
}

// refuseCrossed notes the first band whose least absorption is more than its largest.
func (p *params) refuseCrossed(least, most []runtime.Bound) {
	for _, low := range least {
		for _, high := range most {
			if low.BandHz == high.BandHz && low.Thousandths > high.Thousandths {
				p.fault("absorption_min", "%s is more than %s, %s", quote(written(low)), p.spelt("absorption_max"),
					quote(written(high)))
				return
			}
		}
	}
}

// written is a bound as it may be asked.
func written(b runtime.Bound) string {
	return fmt.Sprintf("%d:%g", b.BandHz, float64(b.Thousandths)/thousandthsPerUnit)
}

// like reads the product whose curve is the target; nil when there is none.
func (p *params) like(g *runtime.Generation) *column.Doc {
	return optional(p, "like", func(text string) (column.Doc, error) {
		d, ok := g.Lookup(text)
		if !ok {
			return d, errors.New("is not the id or slug of a published product")
		}
		if n := g.CurveBands(d); n < runtime.MinShared {
			return d, fmt.Errorf("has absorption at %d of the six octaves from 125 to 4000 Hz; a target needs %d of them",
				n, runtime.MinShared)
		}
		return d, nil
	})
}

// bands are those that a parameter may name.
type bands struct {
	hz   []int // nominal centres, ascending
	name string
}

var (
	octaves          = bands{indexes.NormAbsorption.Bands(), "octave"}
	octavesAndThirds = bands{indexes.NormScattering.Bands(), "octave or third-octave"}
)

// coefficients reads a list of bands with their coefficients, 125:0.8,250:0.6, into the ascending order of
// the bands.
func (p *params) coefficients(name string, of bands) []runtime.Bound {
	var bounds []runtime.Bound
	for _, item := range p.items(name) {
		b, err := parseBound(item, of)
		if err != nil {
			p.fault(name, "%s %v", quote(item), err)
			return nil
		}
		if i := slices.IndexFunc(bounds, func(before runtime.Bound) bool { return before.BandHz == b.BandHz }); i >= 0 {
			p.fault(name, "%s names a band again, after %s; give each band once", quote(item), quote(written(bounds[i])))
			return nil
		}
		bounds = append(bounds, b)
	}
	slices.SortFunc(bounds, func(a, b runtime.Bound) int { return cmp.Compare(a.BandHz, b.BandHz) })
	return bounds
}

var (
	errNoValue  = errors.New("has no coefficient behind the colon, a number as in 125:0.8")
	errValue    = errors.New("has a coefficient that is not between -0.1 and 2")
	errDecimals = errors.New("has a coefficient with more than three decimals; give three at most, as in 125:0.855")
)

// parseBound reads a band and its coefficient.
func parseBound(text string, of bands) (runtime.Bound, error) {
	band, value, ok := strings.Cut(text, ":")
	if !ok {
		return runtime.Bound{}, errors.New("is not a band and its coefficient, such as 125:0.8; " +
			"a comma separates bands, and decimals have a point")
	}
	hz, err := parseBand(band, of)
	if err != nil {
		return runtime.Bound{}, err
	}
	n, err := parseThousandths(value)
	return runtime.Bound{BandHz: hz, Thousandths: n}, err
}

// parseBand reads the nominal centre of a band, digits alone. The error names the bands beside one that there
// is not.
func parseBand(text string, of bands) (int, error) {
	if text == "" || text[0] == '0' || strings.Trim(text, "0123456789") != "" {
		return 0, errors.New("has no band in Hz before the colon, a whole number as in 125:0.8")
	}
	hz, _ := strconv.Atoi(text) // one too large is the largest integer
	i, ok := slices.BinarySearch(of.hz, hz)
	if ok {
		return hz, nil
	}
	next := fmt.Sprint("is ", of.hz[min(i, len(of.hz)-1)])
	if i > 0 && i < len(of.hz) {
		next = fmt.Sprint("are ", of.hz[i-1], " and ", of.hz[i])
	}
	return 0, fmt.Errorf("has %s, which is no %s band; next to it %s", clip(text), of.name, next)
}

// Coefficients are read in thousandths.
const (
	thousandthsPerUnit = 1000
	coefficientPlaces  = 3 // decimals
	minCoefficient     = -100
	maxCoefficient     = 2000
)

// parseThousandths reads a coefficient, a number of JSON's grammar, from its digits: exactly, which a float64
// is not. Zeros at the end are no decimals: 0.8000 is 0.8.
func parseThousandths(text string) (int, error) {
	if !isNumber(text) {
		return 0, errNoValue
	}
	mantissa, power, _ := strings.Cut(strings.ToLower(text), "e")
	mantissa, negative := strings.CutPrefix(mantissa, "-")
	whole, decimals, _ := strings.Cut(mantissa, ".")
	exponent, _ := strconv.Atoi(power) // 0 without one; one too large is the largest integer
	exponent = min(max(exponent, -2*maxQueryBytes), 2*maxQueryBytes)

	// The number is 0.digits times ten to the power of point, and its first and its last digit are not 0.
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
	n, _ := strconv.Atoi(digits + strings.Repeat("0", coefficientPlaces+point-len(digits))) // four digits at most
	if negative {
		n = -n
	}
	if n < minCoefficient || n > maxCoefficient {
		return 0, errValue
	}
	return n, nil
}

// parseLength reads a length in mm.
var parseLength = numberWithin(0, math.MaxFloat64, errors.New("is not a length in mm, 0 or more, such as 62.5"))
