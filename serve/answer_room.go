package serve

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"sabine/dataset/acoustics"
	"sabine/dataset/jsonwriter"
	"sabine/dataset/product"
	"sabine/runtime"
)

const (
	// maxExtent is the largest volume in m³ and the largest area in m². What they give is finite.
	maxExtent = 1e9
	// minSeconds and maxSeconds bound a target that is given as a reverberation time.
	minSeconds, maxSeconds = 0.001, 1000
	// din18041 is what stands before the use that a target is for.
	din18041 = "din18041:"
)

var getReverberation = &operation{
	name: "getReverberation", access: public, cache: cachePublic, answer: answerReverberation,
	singles: []string{"volume", "air", "target"},
	lists:   []string{"surface"},
}

func answerReverberation(x *exchange) (r representation, p *problem) {
	room := x.params.room(x.generation)
	if p = x.params.problem(); p != nil {
		return r, p
	}
	x.body = appendRoom(x.body, room)
	return x.hashed(), nil
}

// Reverberation answers a query string of the reverberation operation from a generation, for the command line: see Search.
func Reverberation(g *runtime.Generation, rawQuery string, spell func(parameter string) string) (*runtime.Room, error) {
	var r *runtime.Room
	err := readQuery(getReverberation, rawQuery, spell, func(p *params) { r = p.room(g) })
	return r, err
}

// RoomJSON returns the API's answer to a reverberation.
func RoomJSON(r *runtime.Room) []byte { return appendRoom(nil, r) }

// room reads the parameters of a reverberation and computes it. What it returns is whole only when there is no fault.
func (p *params) room(g *runtime.Generation) *runtime.Room {
	r, before := &runtime.Room{}, len(p.faults)
	if r.VolumeM3 = single(p, "volume", 0, parseVolume); r.VolumeM3 == 0 && len(p.faults) == before {
		p.fault("volume", "none is given; expected the room's volume in m³, such as 180")
	}
	r.Air = p.air()
	p.surfaces(g, r)
	p.target(r)
	if len(p.faults) > 0 {
		return r
	}
	var err error
	if r.Bands, err = r.Reverberation(); err != nil {
		p.fault("surface", "%v", err)
	}
	return r
}

var errVolume = fmt.Errorf("is not a volume in m³ above 0 and at most %.0f", maxExtent)

func parseVolume(text string) (float64, error) {
	n, err := parseNumber(text)
	if err == nil && !(n > 0 && n <= maxExtent) {
		err = errVolume
	}
	return n, err
}

var (
	errAir = errors.New("is not a temperature in °C and a relative humidity in %, such as 20,50, nor none")

	errClimate = fmt.Errorf("is outside of %d to %d °C and %d to %d %%",
		acoustics.MinTemperatureC, acoustics.MaxTemperatureC, acoustics.MinHumidityPercent, acoustics.MaxHumidityPercent)
)

// air reads the state of the air; nil when it shall absorb nothing.
func (p *params) air() *acoustics.Climate {
	type air struct {
		acoustics.Climate
		none bool
	}
	a := single(p, "air", air{Climate: acoustics.RoomClimate}, func(text string) (a air, err error) {
		if strings.TrimSpace(text) == "none" {
			return air{none: true}, nil
		}
		temperature, humidity, _ := strings.Cut(text, ",")
		var errs [2]error
		a.TemperatureC, errs[0] = parseNumber(strings.TrimSpace(temperature))
		a.HumidityPercent, errs[1] = parseNumber(strings.TrimSpace(humidity))
		switch {
		case errors.Join(errs[:]...) != nil:
			return a, errAir
		case a.TemperatureC < acoustics.MinTemperatureC || a.TemperatureC > acoustics.MaxTemperatureC ||
			a.HumidityPercent < acoustics.MinHumidityPercent || a.HumidityPercent > acoustics.MaxHumidityPercent:
			return a, errClimate
		}
		return a, nil
	})
	if a.none {
		return nil
	}
	return &a.Climate
}

// target reads the target: a use of DIN 18041, of which the room's volume is known by now, or seconds.
func (p *params) target(r *runtime.Room) {
	r.TargetS = single(p, "target", 0, func(text string) (seconds float64, err error) {
		r.Target = text
		if use, isUse := strings.CutPrefix(text, din18041); isUse {
			return din18041Target(use, r.VolumeM3)
		}
		if seconds, err = parseNumber(text); err != nil || seconds < minSeconds || seconds > maxSeconds {
			err = fmt.Errorf("is not a target: neither a reverberation time of %g to %d s, such as 0.6, nor one of %s", minSeconds, maxSeconds, useNames())
		}
		return seconds, err
	})
}

// din18041Target returns the target of a use for a volume in m³; 0 is a volume that is a fault itself.
func din18041Target(use string, volumeM3 float64) (float64, error) {
	for i := range acoustics.DIN18041Uses {
		u := &acoustics.DIN18041Uses[i]
		if u.Name != use {
			continue
		}
		seconds, ok := u.Target(volumeM3)
		if !ok && volumeM3 != 0 {
			return 0, fmt.Errorf("has no target for %g m³, only for volumes %s", volumeM3, volumes(u))
		}
		return seconds, nil
	}
	return 0, fmt.Errorf("is not a use of DIN 18041; allowed: %s", useNames())
}

// useNames lists the targets of DIN 18041.
func useNames() string {
	var names []string
	for _, u := range acoustics.DIN18041Uses {
		names = append(names, din18041+u.Name)
	}
	return strings.Join(names, ", ")
}

// volumes says which volumes a use has a target for.
func volumes(u *acoustics.DIN18041Use) string {
	if math.IsInf(u.Below, 1) {
		return fmt.Sprintf("from %g m³", u.From)
	}
	return fmt.Sprintf("from %g to below %g m³", u.From, u.Below)
}

// surfaces reads the surfaces.
func (p *params) surfaces(g *runtime.Generation, r *runtime.Room) {
	texts := p.repeated("surface")
	switch {
	case len(texts) == 0:
		p.fault("surface", "none is given; expected a product and its area in m², such as akustikpaneel-fichte-40:30")
	case len(texts) > acoustics.MaxSurfaces:
		p.fault("surface", "%d are given; a room has at most %d", len(texts), acoustics.MaxSurfaces)
		return
	}
	for _, text := range texts {
		what, area, err := parseSurface(text)
		given := runtime.GivenSurface{Text: text, Entry: -1}
		var of acoustics.Coefficients
		switch name, entry, named := strings.Cut(what, "@"); {
		case err != nil:
		case strings.Contains(name, ":"): // no id and no slug holds a colon
			of, err = parseLiteral(what)
		default:
			d, ok := g.Lookup(name)
			if !ok {
				err = fmt.Errorf("names no published product: %s is neither an id nor a slug", quote(name))
				break
			}
			product := new(runtime.ProductReader).Simulated(g, d)
			if given.ID = product.ID.String(); product.Slug != nil {
				given.Slug = *product.Slug
			}
			given.Entry, of, err = chooseEntry(product.AbsorptionEntries(), entry, named)
		}
		if err != nil {
			p.fault("surface", "%s %v", quote(text), err)
			continue
		}
		r.Surfaces = append(r.Surfaces, acoustics.Surface{AreaM2: area, Coefficients: of})
		r.Given = append(r.Given, given)
	}
}

var errNoArea = errors.New("has no area: expected a product, or a curve, and behind the last colon its area in m², such as akustikpaneel-fichte-40:30")

// parseSurface reads a surface: what it is of, not empty, and behind the last colon its area in m².
func parseSurface(text string) (what string, area float64, err error) {
	colon := strings.LastIndexByte(text, ':')
	if colon < 0 {
		return "", 0, errNoArea
	}
	what, size := strings.TrimSpace(text[:colon]), strings.TrimSpace(text[colon+1:])
	switch area, err = parseNumber(size); {
	case what == "":
		return "", 0, errors.New("names no product before the area, such as akustikpaneel-fichte-40:30")
	case err != nil:
		return "", 0, fmt.Errorf("has an area, %s, that %w", quote(size), err)
	case !(area > 0 && area <= maxExtent):
		return "", 0, fmt.Errorf("has an area, %s, that is not above 0 and at most %.0f m²", quote(size), maxExtent)
	}
	return what, area, nil
}

// literalForm is how a surface of a literal curve looks.
const literalForm = "such as 125:0.02,250:0.03,500:0.03,1000:0.04,2000:0.05,4000:0.05:30"

// parseLiteral reads a curve that stands for a product, each octave from 125 to 4000 Hz once; 63 and 8000 Hz may be there.
func parseLiteral(text string) (c acoustics.Coefficients, err error) {
	var curve acoustics.Curve
	for item := range strings.SplitSeq(text, ",") {
		band, value, stated := strings.Cut(strings.TrimSpace(item), ":")
		hz, err := parseBand(band, octaves)
		if err != nil {
			return c, fmt.Errorf("%w: expected a curve and its area in m², %s, and each surface by itself", err, literalForm)
		}
		if !stated { // the colon of the last band, where the area is forgotten
			return c, errNoCoefficient(hz)
		}
		n, err := parseNumber(value)
		switch _, again := curve.At(hz); {
		case err != nil:
			return c, fmt.Errorf("has a coefficient at %d Hz, %s, that %w", hz, quote(value), err)
		case n < product.LeastCoefficient || n > product.AbsorptionLimit:
			return c, fmt.Errorf("has a coefficient at %d Hz, %s, that is not between %g and %g", hz, quote(value), product.LeastCoefficient, product.AbsorptionLimit)
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
	return fmt.Errorf("has no coefficient at %d Hz: a curve has one for each octave from 125 to 4000 Hz, and behind the last colon its area in m², %s", hz, literalForm)
}

// chooseEntry returns the index and the coefficients of a product's entry: of the one that is named, by its index, else by its
// id, or of the most absorptive that has all bands.
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
		return 0, c, fmt.Errorf("has an entry without absorption at %d Hz; each octave from 125 to 4000 Hz is needed", missing)
	}
	return e.Index, c, nil
}

// findEntry finds an entry by its index or, when that is none, by its id; nil when there is none.
func findEntry(entries []product.Entry, name string) *product.Entry {
	for i := range entries {
		if e := &entries[i]; e.Index >= 0 && strconv.Itoa(e.Index) == name {
			return e
		}
	}
	for i := range entries {
		if e := &entries[i]; e.Index >= 0 && e.ID == name {
			return e
		}
	}
	return nil
}

// mostAbsorptive returns the most absorptive entry that has all bands.
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
			err = fmt.Errorf("has no entry with absorption in each octave from 125 to 4000 Hz; its most absorptive has none at %d Hz", missing)
		}
	}
	return 0, c, err
}

// appendRoom appends the Reverberation of the API.
func appendRoom(dst []byte, r *runtime.Room) []byte {
	var t jsonwriter.Text
	t.Object(func() {
		t.Key("volume_m3").Number(r.VolumeM3)
		t.Key("air")
		if r.Air == nil {
			t.Null()
		} else {
			t.Object(func() {
				t.Key("temperature_c").Number(r.Air.TemperatureC)
				t.Key("humidity_percent").Number(r.Air.HumidityPercent)
			})
		}
		t.Key("bands").Array(func() {
			for i := range r.Bands {
				t.Object(func() { writeBand(&t, r, &r.Bands[i]) })
			}
		})
		t.Key("surfaces").Array(func() {
			for i := range r.Surfaces {
				t.Object(func() { writeSurface(&t, &r.Given[i], &r.Surfaces[i]) })
			}
		})
		writeText(t.Key("target"), r.Target)
	})
	return append(dst, t.Bytes()...)
}

// writeBand writes the members of a band.
func writeBand(t *jsonwriter.Text, r *runtime.Room, b *acoustics.Reverberation) {
	t.Key("band").Int(int64(b.BandHz))
	writeRounded(t.Key("sabine_s"), b.Sabine)
	writeRounded(t.Key("eyring_s"), b.Eyring)
	writeRounded(t.Key("air_m2"), b.AirM2)
	target, missing := math.NaN(), math.NaN()
	if r.Target != "" {
		target, missing = r.TargetS, r.Missing(b, r.TargetS)
	}
	writeRounded(t.Key("target_s"), target)
	writeRounded(t.Key("missing_m2"), missing)
}

// writeSurface writes the members of a surface.
func writeSurface(t *jsonwriter.Text, given *runtime.GivenSurface, s *acoustics.Surface) {
	t.Key("surface").String(given.Text)
	writeText(t.Key("id"), given.ID)
	writeText(t.Key("slug"), given.Slug)
	if t.Key("entry"); given.Entry < 0 {
		t.Null()
	} else {
		t.Int(int64(given.Entry))
	}
	t.Key("area_m2").Number(s.AreaM2)
	t.Key("absorption_m2").Object(func() {
		for i, hz := range acoustics.RoomBands {
			writeRounded(t.KeyInt(hz), s.Absorption(i))
		}
	})
}

// writeText writes a text; null when it is empty.
func writeText(t *jsonwriter.Text, text string) {
	if text == "" {
		t.Null()
		return
	}
	t.String(text)
}

// writeRounded writes a number with three decimals; null for one that is none or has no end.
func writeRounded(t *jsonwriter.Text, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		t.Null()
		return
	}
	t.Number(acoustics.Rounded(v))
}
