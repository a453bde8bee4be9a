package serve

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
	"sabine/runtime"
)

const (
	minVolume = 0.001  // minimum volume in m³, one litre, so that results are finite and limits are above 0
	maxExtent = 1e9    // maximum volume in m³, area in m² and height in m, so that results are finite
	standard  = "std:" // prefix of the name of a building surface
)

// room reads a room and computes its reverberation. The result is complete only if there are no faults.
func (p *params) room(g *runtime.Generation) *runtime.Room {
	r, before := &runtime.Room{}, len(p.faults)
	if r.VolumeM3 = single(p, "volume", 0, parseVolume); r.VolumeM3 == 0 && len(p.faults) == before {
		p.fault("volume", "missing; expected the room's volume in m³, such as 180")
	}
	r.Air = p.air()
	p.surfaces(g, r)
	p.target(r)
	p.objects(r)
	p.fills(g, r)
	switch {
	case len(p.faults) > 0:
		return r
	case r.Goal.PerM > 0:
		r.Bands = r.AbsorptionFor(r.Goal)
	default:
		var err error
		if r.Bands, err = r.Reverberation(); err != nil {
			p.fault("surface", "%v", err)
		}
	}
	for i := range r.Fills {
		f := &r.Fills[i]
		f.Fill = r.Fill(r.Goal, f.Covering, r.Covers)
	}
	return r
}

var parseVolume = numberWithin(minVolume, maxExtent,
	fmt.Errorf("is not a volume in m³ from %g to %.0f", minVolume, maxExtent))

// air reads the state of the air. It returns nil for air without absorption.
func (p *params) air() *acoustics.Climate {
	var none acoustics.Climate // drier than any valid climate
	c := single(p, "air", acoustics.RoomClimate, parseClimate)
	if c == none {
		return nil
	}
	return &c
}

func parseClimate(text string) (c acoustics.Climate, err error) {
	if strings.TrimSpace(text) == "none" {
		return c, nil
	}
	temperature, humidity, _ := strings.Cut(text, ",")
	var wrong error
	c.TemperatureC, err = parseNumber(strings.TrimSpace(temperature))
	c.HumidityPercent, wrong = parseNumber(strings.TrimSpace(humidity))
	switch {
	case err != nil || wrong != nil:
		err = errors.New("is neither none nor a temperature in °C and a relative humidity in %, such as 20,50")
	case c.TemperatureC < acoustics.MinTemperatureC || c.TemperatureC > acoustics.MaxTemperatureC ||
		c.HumidityPercent < acoustics.MinHumidityPercent || c.HumidityPercent > acoustics.MaxHumidityPercent:
		err = fmt.Errorf("is out of range: expected %d to %d °C and %d to %d %%", acoustics.MinTemperatureC, acoustics.MaxTemperatureC,
			acoustics.MinHumidityPercent, acoustics.MaxHumidityPercent)
	}
	return c, err
}

func (p *params) surfaces(g *runtime.Generation, r *runtime.Room) {
	texts := p.repeated("surface")
	switch {
	case len(texts) == 0 && !p.has("target"):
		p.fault("surface", "missing; expected a product and its area in m², such as akustikpaneel-fichte-40:30")
	case len(texts) > acoustics.MaxSurfaces:
		p.fault("surface", "got %d values; the maximum is %d", len(texts), acoustics.MaxSurfaces)
		return
	}
	for _, text := range texts {
		what, area, err := parseSurface(text)
		given := runtime.GivenSurface{Text: text, Entry: -1}
		var of acoustics.Coefficients
		if err == nil {
			of, err = resolveSurface(g, what, &given)
		}
		if err != nil {
			p.fault("surface", "%s %v", quote(text), err)
			continue
		}
		r.Surfaces = append(r.Surfaces, acoustics.Surface{AreaM2: area, Coefficients: of})
		r.Given = append(r.Given, given)
	}
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
	name, entry, named := strings.Cut(what, "@")
	d, ok := g.Lookup(name)
	if !ok {
		// The explorer recognizes these words.
		return c, fmt.Errorf("names no published product: %s is neither an id nor a slug", quote(name))
	}
	product := new(runtime.ProductReader).Simulated(g, d)
	if given.ID = product.ID.String(); product.Slug != nil {
		given.Slug = *product.Slug
	}
	given.Entry, c, err = chooseEntry(product.AbsorptionEntries(), entry, named)
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

// chooseEntry returns the index and the coefficients of an entry: the entry with the given index or id or, if
// named is false, the most absorptive entry with all bands.
func chooseEntry(entries []product.Entry, name string, named bool) (index int, c acoustics.Coefficients, err error) {
	if !named {
		return mostAbsorptive(entries)
	}
	e := findEntry(entries, name)
	if e == nil {
		var ids []string
		for i := range entries {
			if entries[i].Index >= 0 {
				ids = append(ids, strconv.Itoa(entries[i].Index), entries[i].ID)
			}
		}
		return 0, c, fmt.Errorf("has no ISO 354 entry %s; %s", quote(name), allowed(ids))
	}
	c, missing := acoustics.RoomCoefficients(e.Octave, e.Third)
	if missing != 0 {
		return 0, c, fmt.Errorf("has an entry without absorption at %d Hz; all octaves from 125 to 4000 Hz are required",
			missing)
	}
	return e.Index, c, nil
}

// findEntry finds an entry by its index or, if no index matches, by its id. It returns nil if it finds none.
func findEntry(entries []product.Entry, name string) (found *product.Entry) {
	for i := range entries {
		switch e := &entries[i]; {
		case e.Index < 0:
		case strconv.Itoa(e.Index) == name:
			return e
		case e.ID == name && found == nil:
			found = e
		}
	}
	return found
}

// mostAbsorptive returns the most absorptive entry with all bands.
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
