package serve

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
	"sabine/runtime"
)

const (
	maxExtent = 1e9    // maximum volume in m³, area in m² and height in m, so that results are finite
	standard  = "std:" // prefix of the name of a building surface
)

// surfaces reads the surfaces of the room, which are optional if there is a target.
func (p *params) surfaces(g *runtime.Generation, r *runtime.Room) {
	texts := p.repeated("surface")
	if len(texts) == 0 && !p.has("target") {
		p.fault("surface", "missing; expected a product and its area in m², such as akustikpaneel-fichte-40:30")
	}
	p.each("surface", texts, acoustics.MaxSurfaces, func(text string) error {
		what, area, err := parseSurface(text)
		if err != nil {
			return err
		}
		given := runtime.GivenSurface{Text: text, Entry: -1}
		of, err := resolveSurface(g, what, &given)
		if err != nil {
			return err
		}
		r.Surfaces = append(r.Surfaces, acoustics.Surface{AreaM2: area, Coefficients: of})
		r.Given = append(r.Given, given)
		return nil
	})
}

// resolveSurface returns the coefficients of a surface and stores their source in given.
func resolveSurface(g *runtime.Generation, what string, given *runtime.GivenSurface) (
	c acoustics.Coefficients, err error) {
	if name, isStandard := strings.CutPrefix(what, standard); isStandard {
		if s := acoustics.FindBuildingSurface(name); s != nil {
			return s.Coefficients, nil
		}
		return c, fmt.Errorf("is not a building surface%s", alternatives(name, acoustics.BuildingSurfaceNames()))
	}
	if name, _, _ := strings.Cut(what, "@"); strings.Contains(name, ":") { // a curve; ids have no colon
		return parseLiteral(what)
	}
	return resolveProduct(g, what, given)
}

// resolveProduct returns the coefficients of a product and stores its id, slug and entry in given.
func resolveProduct(g *runtime.Generation, what string, given *runtime.GivenSurface) (
	c acoustics.Coefficients, err error) {
	name, entry, hasEntry := strings.Cut(what, "@")
	d, ok := g.Lookup(name)
	if !ok {
		// The explorer recognizes these words.
		return c, fmt.Errorf("names no published product: %s is neither an id nor a slug", quote(name))
	}
	of := new(runtime.ProductReader).Simulated(g, d)
	given.ID = of.ID.String()
	if of.Slug != nil {
		given.Slug = *of.Slug
	}
	if hasEntry {
		given.Entry, c, err = namedEntry(of.AbsorptionEntries(), entry)
	} else {
		given.Entry, c, err = mostAbsorptive(of.AbsorptionEntries())
	}
	return c, err
}

// parseSurface reads a surface: a product or curve, then a colon and the area in m².
func parseSurface(text string) (what string, area float64, err error) {
	colon := strings.LastIndexByte(text, ':')
	if colon < 0 {
		return "", 0, errors.New("has no area: expected a product or a curve and, after the last colon, its area in m², " +
			"such as akustikpaneel-fichte-40:30")
	}
	what, size := strings.TrimSpace(text[:colon]), strings.TrimSpace(text[colon+1:])
	switch area, err = parseNumber(size); {
	case what == "":
		return "", 0, errors.New("has no product before the area; expected a surface such as akustikpaneel-fichte-40:30")
	case err != nil:
		return "", 0, fmt.Errorf("has an invalid area: %s %w", quote(size), err)
	case !(area > 0 && area <= maxExtent):
		return "", 0, fmt.Errorf("has the area %s, which is out of range: expected more than 0 and at most %.0f m²", quote(size), maxExtent)
	}
	return what, area, nil
}

const curveExample = "such as 125:0.02,250:0.03,500:0.03,1000:0.04,2000:0.05,4000:0.05:30"

// parseLiteral reads a curve given instead of a product. It must contain each octave from 125 to 4000 Hz
// once; 63 and 8000 Hz are optional.
func parseLiteral(text string) (c acoustics.Coefficients, err error) {
	var curve acoustics.Curve
	for item := range strings.SplitSeq(text, ",") {
		band, value, stated := strings.Cut(strings.TrimSpace(item), ":")
		hz, err := parseBand(band, octaves)
		if err != nil {
			return c, fmt.Errorf("%w: expected one curve and its area in m², %s", err, curveExample)
		}
		if !stated { // without an area, the text after the last colon was the last coefficient
			return c, errNoCoefficient(hz)
		}
		n, err := parseNumber(value)
		switch _, again := curve.At(hz); {
		case err != nil:
			return c, fmt.Errorf("has an invalid coefficient at %d Hz: %s %w", hz, quote(value), err)
		case n < product.MinCoefficient || n > product.AbsorptionLimit:
			return c, fmt.Errorf("has a coefficient at %d Hz of %s, which is out of range: expected %g to %g", hz, quote(value),
				product.MinCoefficient, product.AbsorptionLimit)
		case again:
			return c, fmt.Errorf("has %d Hz twice", hz)
		}
		curve = append(curve, acoustics.Point{BandHz: hz, Value: n})
	}
	c, missing := acoustics.RoomCoefficients(curve, nil)
	if missing != 0 {
		return c, errNoCoefficient(missing)
	}
	return c, nil
}

func errNoCoefficient(hz int) error {
	return fmt.Errorf(
		"has no coefficient at %d Hz: expected one for each octave from 125 to 4000 Hz and, after the last colon, the "+
			"area in m², %s", hz, curveExample)
}

// namedEntry returns the index and the coefficients of the ISO 354 entry with the given index or, if no index
// matches, the given id. It removes the declared absorption, which has neither, from entries.
func namedEntry(entries []product.Entry, name string) (index int, c acoustics.Coefficients, err error) {
	entries = slices.DeleteFunc(entries, func(e product.Entry) bool { return e.Index < 0 })
	i := slices.IndexFunc(entries, func(e product.Entry) bool { return strconv.Itoa(e.Index) == name })
	if i < 0 {
		i = slices.IndexFunc(entries, func(e product.Entry) bool { return e.ID == name })
	}
	if i < 0 {
		var names []string
		for _, e := range entries {
			names = append(names, strconv.Itoa(e.Index), e.ID)
		}
		return 0, c, fmt.Errorf("has no ISO 354 entry %s; %s", quote(name), allowed(names))
	}
	c, missing := acoustics.RoomCoefficients(entries[i].Octave, entries[i].Third)
	if missing != 0 {
		return 0, c, fmt.Errorf("has an entry without absorption at %d Hz; all octaves from 125 to 4000 Hz are required",
			missing)
	}
	return entries[i].Index, c, nil
}

// mostAbsorptive returns the index and the coefficients of the most absorptive entry with all bands. The
// index is -1 for the declared absorption.
func mostAbsorptive(entries []product.Entry) (index int, c acoustics.Coefficients, err error) {
	err = errors.New("has no absorption")
	ratings := make([]acoustics.Ratings, len(entries))
	for i, e := range entries {
		ratings[i] = acoustics.Rate(e.Octave, e.Third)
	}
	for n, i := range acoustics.ByAbsorption(ratings) {
		c, missing := acoustics.RoomCoefficients(entries[i].Octave, entries[i].Third)
		if missing == 0 {
			return entries[i].Index, c, nil
		}
		if n == 0 {
			err = fmt.Errorf(
				"has no entry with absorption in all octaves from 125 to 4000 Hz; the most absorptive entry has none at %d Hz", missing)
		}
	}
	return 0, c, err
}
