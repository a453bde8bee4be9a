package serve_test

import (
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
)

// hard is a surface for tests that do not depend on its coefficients.
const hard = "125:0.02,250:0.03,500:0.03,1000:0.04,2000:0.05,4000:0.05"

// roomBands lists the octaves of rooms.
var roomBands = []string{"125", "250", "500", "1000", "2000", "4000"}

// thirdsAround contains the third octaves of each of roomBands.
var thirdsAround = map[string][3]string{
	"125": {"100", "125", "160"}, "250": {"200", "250", "315"}, "500": {"400", "500", "630"},
	"1000": {"800", "1000", "1250"}, "2000": {"1600", "2000", "2500"}, "4000": {"3150", "4000", "5000"},
}

// exactly returns the exact value of a decimal number.
func exactly(t *testing.T, text string) *big.Rat {
	t.Helper()
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		t.Fatalf("%q is no number", text)
	}
	return r
}

// An exactCurve contains a coefficient for each of roomBands.
type exactCurve []*big.Rat

// curveOf returns the published coefficients of an ISO 354 entry, or nil if a band is missing.
func curveOf(t *testing.T, entry gjson.Result) (c exactCurve) {
	t.Helper()
	for _, band := range roomBands {
		if v := entry.Get("alpha_s_octave").Get(band); v.Exists() {
			c = append(c, exactly(t, v.Raw))
			continue
		}
		sum := new(big.Rat)
		for _, third := range thirdsAround[band] {
			v := entry.Get("alpha_s_third_octave").Get(third)
			if !v.Exists() {
				return nil
			}
			sum.Add(sum, exactly(t, v.Raw))
		}
		c = append(c, sum.Quo(sum, big.NewRat(3, 1)))
	}
	return c
}

// speaking returns the index of the entry that a room uses for a product: the most absorptive entry with all
// bands, or -1 if there is none.
func speaking(t *testing.T, entries []gjson.Result) int {
	t.Helper()
	curve := func(v gjson.Result) (c acoustics.Curve) {
		for _, hz := range acoustics.ThirdBands {
			if v := v.Get(strconv.Itoa(hz)); v.Exists() {
				c = append(c, acoustics.Point{BandHz: hz, Value: v.Num})
			}
		}
		return c
	}
	best, bestAlpha, bestNRC := -1, -2, -2
	for i, e := range entries {
		r := acoustics.Rate(curve(e.Get("alpha_s_octave")), curve(e.Get("alpha_s_third_octave")))
		alpha, nrc := -1, -1
		if r.AlphaW != nil {
			alpha = int(*r.AlphaW)
		}
		if r.NRC != nil {
			nrc = int(*r.NRC)
		}
		if curveOf(t, e) != nil && (alpha > bestAlpha || alpha == bestAlpha && nrc > bestNRC) {
			best, bestAlpha, bestNRC = i, alpha, nrc
		}
	}
	return best
}

// An exactRoom is a room with a known result.
type exactRoom struct {
	volume      string
	air         [2]float64 // temperature in °C, relative humidity in %
	airless     bool
	areas       []string
	curves      []exactCurve
	target      string
	query       []string
	ids, slugs  []gjson.Result
	entries     []string // JSON of the entries
	bands       []exactBand
	refused     string // message of the 400, or ""
	constant    float64
	seconds     float64
	volumeExact *big.Rat
}

// An exactBand is the expected result of a band, with +Inf for null.
type exactBand struct{ sabine, eyring, air, missing float64 }

// attenuation returns m of ISO 9613-1 in 1/m. Unlike the program, it uses natural logarithms and kHz.
func attenuation(bandHz string, celsius, percent float64) float64 {
	n := slices.Index(roomBands, bandHz)
	f := math.Exp((-0.9 + 0.3*float64(n)) * math.Ln10) // exact mid-band frequency
	t := celsius + 273.15
	h := percent * math.Exp(math.Ln10*(4.6151-6.8346*math.Exp(1.261*math.Log(273.16/t))))
	f *= 1000
	oxygen := 24 + 40400*h*(0.02+h)/(0.391+h)
	nitrogen := math.Sqrt(293.15/t) * (9 + 280*h*math.Exp(4.17*(1-math.Cbrt(293.15/t))))
	decibels := 8.686 * f * f * (1.84e-11*math.Sqrt(t/293.15) +
		math.Exp(-2.5*math.Log(t/293.15))*(0.01275*math.Exp(-2239.1/t)*oxygen/(oxygen*oxygen+f*f)+
			0.1068*math.Exp(-3352/t)*nitrogen/(nitrogen*nitrogen+f*f)))
	return decibels * math.Ln10 / 10
}

// din contains the targets of DIN 18041: the factor of lg V, the constant term, and the limits of the volume.
var din = map[string][4]float64{
	"A1": {0.45, 0.07, 30, 1000}, "A2": {0.37, -0.14, 50, 5000}, "A3": {0.32, -0.17, 30, 5000},
	"A4": {0.26, -0.14, 30, 500}, "A5": {0.75, -1, 200, math.Inf(1)},
}

// solve computes the expected result exactly, with fractions.
func (r *exactRoom) solve(t *testing.T) {
	t.Helper()
	volume, _ := r.volumeExact.Float64()
	switch name, isUse := strings.CutPrefix(r.target, "din18041:"); {
	case isUse && (volume < din[name][2] || volume >= din[name][3]):
		r.refused = r.target
		return
	case isUse && volume >= 10000:
		r.seconds = 2
	case isUse:
		r.seconds = din[name][0]*math.Log(volume)/math.Ln10 + din[name][1]
	case r.target != "":
		r.seconds, _ = exactly(t, r.target).Float64()
	}
	celsius := r.air[0]
	if r.airless {
		celsius = 20
	}
	r.constant = 24 * math.Ln10 / (343.2 * math.Sqrt((celsius+273.15)/293.15))
	for b, band := range roomBands {
		total, absorbed := new(big.Rat), new(big.Rat)
		for i, area := range r.areas {
			a := exactly(t, area)
			total.Add(total, a)
			if r.curves[i][b].Sign() > 0 {
				absorbed.Add(absorbed, new(big.Rat).Mul(a, r.curves[i][b]))
			}
		}
		if absorbed.Cmp(total) >= 0 {
			r.refused = band + " Hz"
			return
		}
		var e exactBand
		if !r.airless {
			e.air = 4 * attenuation(band, r.air[0], r.air[1]) * volume
		}
		mean, _ := new(big.Rat).Quo(absorbed, total).Float64()
		s, _ := total.Float64()
		a, _ := absorbed.Float64()
		e.sabine = r.constant * volume / (a + e.air)
		e.eyring = r.constant * volume / (s*math.Log1p(-mean)*-1 + e.air)
		if r.target != "" {
			e.missing = r.constant*volume/r.seconds - a - e.air
		}
		r.bands = append(r.bands, e)
	}
}

// shows reports whether a number in a response equals want to three decimals.
func shows(got gjson.Result, want float64) bool {
	if math.IsInf(want, 1) {
		return got.Type == gjson.Null
	}
	_, decimals, _ := strings.Cut(got.Raw, ".")
	return got.Type == gjson.Number && len(decimals) <= 3 && math.Abs(got.Num-want) <= 0.0005000001+1e-9*math.Abs(want)
}

// check compares a response with the expected result of the room.
func (r *exactRoom) check(t *testing.T, a *answer) {
	t.Helper()
	if r.refused != "" {
		if a.status != 400 || a.code() != "invalid_request" || !strings.Contains(a.message(), r.refused) {
			t.Fatalf("%v: got %d %s, want it refused for %s", r.query, a.status, a.body, r.refused)
		}
		return
	}
	bad := func(what string) { t.Fatalf("%v: %s\n%s\nwant %+v", r.query, what, a.body, r) }
	if a.status != 200 || a.json("volume_m3").Num == 0 || exactly(t, a.json("volume_m3").Raw).Cmp(r.volumeExact) != 0 {
		bad("volume")
	}
	if air := a.json("air"); r.airless != (air.Type == gjson.Null) || !r.airless &&
		(air.Get("temperature_c").Num != r.air[0] || air.Get("humidity_percent").Num != r.air[1]) {
		bad("air")
	}
	if target := a.json("target"); target.String() != r.target || (target.Type == gjson.Null) != (r.target == "") {
		bad("target")
	}
	if len(a.json("bands").Array()) != len(roomBands) || len(a.json("surfaces").Array()) != len(r.areas) {
		bad("lengths")
	}
	for i, b := range a.json("bands").Array() {
		want := r.bands[i]
		noTarget := r.target == "" && b.Get("target_s").Type == gjson.Null && b.Get("missing_m2").Type == gjson.Null
		if b.Get("band").Raw != roomBands[i] || !shows(b.Get("sabine_s"), want.sabine) ||
			!shows(b.Get("eyring_s"), want.eyring) || !shows(b.Get("air_m2"), want.air) ||
			!noTarget && (!shows(b.Get("target_s"), r.seconds) || !shows(b.Get("missing_m2"), want.missing)) {
			bad("band " + roomBands[i] + fmt.Sprintf(": %+v", want))
		}
	}
	for i, s := range a.json("surfaces").Array() {
		if s.Get("entry").Raw != r.entries[i] || s.Get("id").String() != r.ids[i].String() ||
			s.Get("slug").Raw != rawOrNull(r.slugs[i]) || exactly(t, s.Get("area_m2").Raw).Cmp(exactly(t, r.areas[i])) != 0 {
			bad(fmt.Sprintf("surface %d", i))
		}
		for b, band := range roomBands {
			want, _ := new(big.Rat).Mul(exactly(t, r.areas[i]), r.curves[i][b]).Float64()
			if !shows(s.Get("absorption_m2").Get(band), max(want, 0)) {
				bad(fmt.Sprintf("surface %d at %s Hz", i, band))
			}
		}
	}
}

// rawOrNull returns the JSON of a value, or null for a missing value.
func rawOrNull(v gjson.Result) string {
	if !v.Exists() {
		return "null"
	}
	return v.Raw
}

// TestRandomRooms requests rooms with products from the sample catalogue and with curves. It compares all
// numbers in the responses with exact sums over the details that the API serves.
func TestRandomRooms(t *testing.T) {
	t.Parallel()
	s := sample(t)
	var details []gjson.Result
	for page := range 4 {
		ids := s.get(t, "/v1/materials/search?limit=50&page="+strconv.Itoa(page)).json("items.#.id").Array()
		var list []string
		for _, id := range ids {
			list = append(list, id.String())
		}
		if len(list) > 0 {
			details = append(details, s.get(t, "/v1/materials?ids="+strings.Join(list, ",")).json("items").Array()...)
		}
	}
	random := rand.New(rand.NewPCG(12, 3))
	one := func(n int) bool { return random.IntN(n) == 0 }
	computed, refused, products := 0, 0, 0
	for range 200 {
		r := &exactRoom{volume: fmt.Sprintf("%.*f", random.IntN(4), math.Exp(3+7*random.Float64())), air: [2]float64{20, 50}}
		r.volumeExact = exactly(t, r.volume)
		r.query = []string{"volume=" + r.volume}
		switch random.IntN(3) {
		case 0:
			r.airless = true
			r.query = append(r.query, "air=none")
		case 1:
			r.air = [2]float64{math.Round(random.Float64()*700-200) / 10, math.Round(random.Float64()*900+100) / 10}
			r.query = append(r.query, fmt.Sprintf("air=%v,%v", r.air[0], r.air[1]))
		}
		switch random.IntN(3) {
		case 0:
			r.target = "din18041:A" + strconv.Itoa(1+random.IntN(5))
		case 1:
			r.target = fmt.Sprintf("%.2f", 0.1+4*random.Float64())
		}
		if r.target != "" {
			r.query = append(r.query, "target="+r.target)
		}
		for range 1 + random.IntN(12) {
			area := fmt.Sprintf("%.*f", random.IntN(4), 0.5+300*random.Float64()*random.Float64())
			if exactly(t, area).Sign() == 0 {
				area = "1"
			}
			var what string
			var curve exactCurve
			var id, slug gjson.Result
			entry := "null"
			if one(3) {
				var items []string
				for _, i := range random.Perm(len(roomBands)) {
					items = append(items, fmt.Sprintf("%s:%.*f", roomBands[i], 1+random.IntN(4), random.Float64()*1.2-0.1))
				}
				what = strings.Join(items, ",")
				for _, band := range roomBands {
					for _, item := range items {
						if at, v, _ := strings.Cut(item, ":"); at == band {
							curve = append(curve, exactly(t, v))
						}
					}
				}
			} else {
				d := details[random.IntN(len(details))]
				entries := d.Get("measurements.absorption_iso_354").Array()
				i := speaking(t, entries)
				if i < 0 {
					continue
				}
				products++
				id, slug = d.Get("id"), d.Get("slug")
				what = id.String()
				switch {
				case one(2) && slug.Type == gjson.String:
					what = slug.String()
				case one(2):
					what = strings.ToUpper(what)
				}
				if one(2) {
					if named := random.IntN(len(entries)); curveOf(t, entries[named]) != nil {
						i = named
					}
					what += "@" + []string{strconv.Itoa(i), entries[i].Get("id").String()}[random.IntN(2)]
				}
				curve, entry = curveOf(t, entries[i]), strconv.Itoa(i)
			}
			r.areas, r.curves, r.entries = append(r.areas, area), append(r.curves, curve), append(r.entries, entry)
			r.ids, r.slugs = append(r.ids, id), append(r.slugs, slug)
			r.query = append(r.query, []string{"surface=", "surface[]="}[random.IntN(2)]+url.QueryEscape(what+":"+area))
		}
		if len(r.areas) == 0 {
			continue
		}
		r.solve(t)
		r.check(t, s.open(t, "/public/reverberation?"+strings.Join(r.query, "&")))
		if computed++; r.refused != "" {
			refused++
		}
	}
	if computed < 175 || refused < 10 || refused > 100 || products < 500 {
		t.Errorf("%d rooms of %d products, %d of them refused", computed, products, refused)
	}
}

// TestRooms tests how rooms are computed and how parameters can be written.
func TestRooms(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{folder: built(t, roomRecords)})
	const rest = "&surface=" + hard + ":200&volume=180"
	absorbs := func(t *testing.T, query string) gjson.Result {
		t.Helper()
		a := s.open(t, "/public/reverberation?"+query+rest)
		if a.status != 200 {
			t.Fatalf("%s: %d %s", query, a.status, a.body)
		}
		return a.json("surfaces.0")
	}
	for _, tt := range []struct {
		rule, surface string
		entry         string
		at500         float64 // absorption area in m² of a surface of 10 m²
	}{
		{"the most absorptive entry", "drei", "2", 8},
		{"the most absorptive that has all bands", "luecke", "0", 1},
		{"an index", "drei@0", "0", 2},
		{"an id", "drei@wand:b@c", "1", 4},
		{"an index before an id of its digits", "drei@2", "2", 8},
		{"an id of digits that is no index", "drei@7", "2", 8},
		{"the declared absorption of a product without entries", "erklaert", "null", 3},
		{"the mean of thirds, unrounded", "terz", "0", 10 * (0.1 + 0.2 + 0.2) / 3},
		{"over 1 as published, and the octave before the thirds", "kante", "0", 12.5},
		{"below 0 absorbs nothing", "minus", "0", 0},
		{"a UUID in capitals", "10000000-0000-4000-8000-00000000000A", "2", 8},
		{"blanks around the parts", "+drei+:+", "2", 8},
		{"a curve, with bands that do not count, in any order", "8000:1,500:0.6,63:2,125:0,250:0,1000:0,2000:0,4000:0",
			"null", 6},
		{"a curve with blanks", "125:0,+250:0,+500:0.7,+1000:0,+2000:0,+4000:0", "null", 7},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			got := absorbs(t, "surface="+strings.TrimSuffix(tt.surface, ":+")+":10")
			if got.Get("entry").Raw != tt.entry || !shows(got.Get("absorption_m2.500"), tt.at500) {
				t.Errorf("got %s", got)
			}
		})
	}
	t.Run("doubles count twice", func(t *testing.T) {
		once, twice := s.open(t, "/public/reverberation?surface=drei:10"+rest),
			s.open(t, "/public/reverberation?surface=drei:10&surface=drei:10"+rest)
		if once.json("surfaces.#").Int() != 2 || twice.json("surfaces.#").Int() != 3 ||
			twice.json("bands.2.sabine_s").Num >= once.json("bands.2.sabine_s").Num {
			t.Errorf("got %s and %s", once.body, twice.body)
		}
	})
	t.Run("without any absorption there is no time", func(t *testing.T) {
		a := s.open(t,
			"/public/reverberation?volume=180&air=none&target=1&surface=125:0,250:0,500:-0.1,1000:0,2000:0,4000:1e-2:10")
		if a.status != 200 || a.json("bands.0.sabine_s").Raw != "null" || a.json("bands.2.eyring_s").Raw != "null" ||
			a.json("bands.5.sabine_s").Num == 0 || a.json("bands.0.missing_m2").Num <= 0 {
			t.Errorf("got %d %s", a.status, a.body)
		}
	})
	t.Run("the keys are in order", func(t *testing.T) {
		a := s.open(t, "/public/reverberation?surface=drei:10"+rest)
		for path, want := range map[string]string{
			"@this": "volume_m3 air bands surfaces objects target", "air": "temperature_c humidity_percent",
			"bands.0":                  "band sabine_s eyring_s air_m2 target_s missing_m2",
			"surfaces.0":               "surface id slug entry area_m2 absorption_m2",
			"surfaces.0.absorption_m2": "125 250 500 1000 2000 4000",
		} {
			if got := keysOf(a.json(path)); got != want {
				t.Errorf("%s has %s, want %s", path, got, want)
			}
		}
	})
	t.Run("the largest and the smallest of what is allowed is finite", func(t *testing.T) {
		for _, volume := range []string{"1e9", "0.001"} {
			for _, area := range []string{"1e9", "1e-300", "5e-324"} {
				for _, alpha := range []string{"0", "1e-300", "0.999999999"} {
					for _, rest := range []string{"", "&air=none", "&air=none&target=0.001&fill=drei", "&target=1e3&fill=drei",
						"&target=din18041:B5&height=1e9&fill=drei"} {
						curve := strings.ReplaceAll("125:x,250:x,500:x,1000:x,2000:x,4000:x", "x", alpha)
						query := "/public/reverberation?volume=" + volume + rest + strings.Repeat("&surface="+curve+":"+area, 32)
						// 5e-324 × 0.999999999 rounds to 5e-324, so the mean coefficient is 1, and the request gets 400.
						if a := s.open(t, query); a.status != 200 && (a.status != 400 || area != "5e-324") {
							t.Errorf("%s: %d %.300s", query, a.status, a.body)
						}
					}
				}
			}
		}
	})
	t.Run("the same room has the same tag, and is not sent again", func(t *testing.T) {
		path := "/public/reverberation?surface=drei:10" + rest
		first := s.open(t, path)
		if a := s.open(t, path, "If-None-Match", first.header.Get("ETag")); a.status != 304 {
			t.Errorf("got %d", a.status)
		}
	})
	t.Run("unknown parameters are ignored and listed", func(t *testing.T) {
		if a := s.open(t, "/public/reverberation?surface=drei:10&depth=3"+rest); a.status != 200 ||
			a.header.Get("X-Ignored-Parameters") != "depth" {
			t.Errorf("got %d %s", a.status, a.header.Get("X-Ignored-Parameters"))
		}
	})
}

// roomRecords contains products whose entries differ at 500 Hz.
var roomRecords = func() string {
	octaves := func(alpha float64, bands ...string) string {
		var items []string
		for _, b := range bands {
			items = append(items, fmt.Sprintf("%q:%v", b, alpha))
		}
		return "{" + strings.Join(items, ",") + "}"
	}
	entry := func(id, curve string) string {
		return fmt.Sprintf(`{"id":%q,"source_kind":"measured","alpha_s_octave":%s}`, id, curve)
	}
	record := func(n int, slug, rest string) string {
		return fmt.Sprintf(`{"id":"10000000-0000-4000-8000-%012x","slug":%q,"label":%q,"manufacturer":"Werk",%s}`+"\n", n,
			slug, slug, rest)
	}
	entries := func(all ...string) string {
		return `"measurements":{"absorption_iso_354":[` + strings.Join(all, ",") + `]}`
	}
	return record(10, "drei", entries(entry("2", octaves(0.2, roomBands...)),
		entry("wand:b@c", octaves(0.4, roomBands...)), entry("7", octaves(0.8, roomBands...)))) +
		record(11, "luecke", entries(entry("a", octaves(0.1, roomBands...)), entry("b", octaves(0.9, roomBands[1:]...)))) +
		record(12, "erklaert", `"absorption_octave":`+octaves(0.3, roomBands...)) +
		record(13, "terz",
			entries(
				`{"id":"a","source_kind":"measured","alpha_s_third_octave":{"100":0.1,"125":0.1,"160":0.1,"200":0.1,"250":0.1,"315":0.1,"400":0.1,"500":0.2,"630":0.2,`+
					`"800":0.1,"1000":0.1,"1250":0.1,"1600":0.1,"2000":0.1,"2500":0.1,"3150":0.1,"4000":0.1,"5000":0.1}}`)) +
		record(14, "kante", entries(`{"id":"a","source_kind":"measured","alpha_s_octave":`+octaves(1.25, roomBands...)+
			`,"alpha_s_third_octave":{"400":0.1,"500":0.2,"630":0.2}}`)) +
		record(15, "minus", entries(entry("a", octaves(-0.05, roomBands...)))) +
		record(16, "nichts", `"material_category":null`) +
		record(17, "nurhoch", entries(entry("a", octaves(0.5, roomBands[1:]...))))
}()

// TestInvalidParametersOfRooms checks that each message contains the parameter, the value and the expected
// values.
func TestInvalidParametersOfRooms(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{folder: built(t, roomRecords)})
	const (
		volume    = ` is not a volume in m³ from 0.001 to 1000000000`
		air       = ` is neither none nor a temperature in °C and a relative humidity in %, such as 20,50`
		climate   = ` is out of range: expected -20 to 50 °C and 10 to 100 %`
		uses      = `din18041:A1, din18041:A2, din18041:A3, din18041:A4, din18041:A5, din18041:B2, din18041:B3, din18041:B4, din18041:B5`
		target    = ` is not a target: expected a reverberation time of 0.001 to 1000 s, such as 0.6, or one of ` + uses
		form      = `such as 125:0.02,250:0.03,500:0.03,1000:0.04,2000:0.05,4000:0.05:30`
		noArea    = ` has no area: expected a product or a curve and, after the last colon, its area in m², such as akustikpaneel-fichte-40:30`
		areaRange = `, which is out of range: expected more than 0 and at most 1000000000 m²`
		number    = ` is not a number such as 0.85`
		comma     = ` has a comma where a decimal point is expected, as in 0.85`
		octave    = `: expected one curve and its area in m², ` + form + ``
		noBand    = ` has no band before the colon; expected a whole number in Hz, as in 125:0.8` + octave
	)
	tests := []struct{ rule, name, value, message string }{
		{"no volume", "volume", "", `volume: missing; expected the room's volume in m³, such as 180`},
		{"a volume of 0", "volume", "0", `volume: "0"` + volume},
		{"a negative one", "volume", "-180", `volume: "-180"` + volume},
		{"less than a litre, for which limits would be 0", "volume", "0.00099", `volume: "0.00099"` + volume},
		{"as good as 0", "volume", "1e-400", `volume: "1e-400"` + volume},
		{"no end", "volume", "1e999", `volume: "1e999"` + volume},
		{"too large", "volume", "1000000001", `volume: "1000000001"` + volume},
		{"no number", "volume", "NaN", `volume: "NaN"` + number},
		{"infinity", "volume", "Infinity", `volume: "Infinity"` + number},
		{"a unit", "volume", "180m3", `volume: "180m3"` + number},
		{"a comma in it", "volume", "180,5", `volume: "180,5"` + comma},
		{"only a blank", "volume", " ", `volume: " "` + number},

		{"no surface", "surface", "",
			`surface: missing; expected a product and its area in m², such as akustikpaneel-fichte-40:30`},
		{"a product that is not there", "surface", "gibt-es-nicht:10",
			`surface: "gibt-es-nicht:10" names no published product: "gibt-es-nicht" is neither an id nor a slug`},
		{"also with an entry", "surface", "Drei@0:10",
			`surface: "Drei@0:10" names no published product: "Drei" is neither an id nor a slug`},
		{"an unknown UUID", "surface", "10000000-0000-4000-8000-00000000ffff:1",
			`surface: "10000000-0000-4000-8000-00000000ffff:1" names no published product: "10000000-0000-4000-8000-00000000ffff" is neither an id nor a slug`},
		{"no area", "surface", "drei", `surface: "drei"` + noArea},
		{"no product", "surface", ":10",
			`surface: ":10" has no product before the area; expected a surface such as akustikpaneel-fichte-40:30`},
		{"an area of 0", "surface", "drei:0", `surface: "drei:0" has the area "0"` + areaRange},
		{"a negative one", "surface", "drei:-1", `surface: "drei:-1" has the area "-1"` + areaRange},
		{"without end", "surface", "drei:1e999", `surface: "drei:1e999" has the area "1e999"` + areaRange},
		{"not a number", "surface", "drei:NaN", `surface: "drei:NaN" has an invalid area: "NaN"` + number},
		{"an empty one", "surface", "drei:", `surface: "drei:" has an invalid area: ""` + number},
		{"a comma in it", "surface", "drei:10,5", `surface: "drei:10,5" has an invalid area: "10,5"` + comma},
		{"a comma list", "surface", "drei:10,minus:5", `surface: "drei:10,minus:5"` + noBand},
		{"an index that is none", "surface", "drei@3:10",
			`surface: "drei@3:10" has no ISO 354 entry "3"; allowed: "0", "2", "1", "wand:b@c", "2", "7"`},
		{"an index below 0", "surface", "drei@-1:10",
			`surface: "drei@-1:10" has no ISO 354 entry "-1"; allowed: "0", "2", "1", "wand:b@c", "2", "7"`},
		{"an empty entry", "surface", "minus@:10", `surface: "minus@:10" has no ISO 354 entry ""; allowed: "0", "a"`},
		{"an index written another way", "surface", "minus@00:10",
			`surface: "minus@00:10" has no ISO 354 entry "00"; allowed: "0", "a"`},
		{"an entry of a product with none", "surface", "erklaert@0:10",
			`surface: "erklaert@0:10" has no ISO 354 entry "0"; no values are known`},
		{"a product without absorption", "surface", "nichts:10", `surface: "nichts:10" has no absorption`},
		{"a product that misses a band", "surface", "nurhoch:10",
			`surface: "nurhoch:10" has no entry with absorption in all octaves from 125 to 4000 Hz; the most absorptive entry has none at 125 Hz`},
		{"an entry that misses a band", "surface", "luecke@b:10",
			`surface: "luecke@b:10" has an entry without absorption at 125 Hz; all octaves from 125 to 4000 Hz are required`},
		{"a curve that misses a band", "surface", "125:0.1,250:0.1,500:0.1,1000:0.1,2000:0.1:5",
			`surface: "125:0.1,250:0.1,500:0.1,1000:0.1,2000:0.1:5" has no coefficient at 4000 Hz: expected one for each octave from 125 to 4000 Hz and, after the last colon, the area in m², ` + form},
		{"a curve without an area", "surface", hard,
			`surface: "125:0.02,250:0.03,500:0.03,1000:0.04,2000:0.05,4000:0.05" has no coefficient at 4000 Hz: expected one for each octave from 125 to 4000 Hz and, after the last colon, the area in m², ` + form},
		{"a band twice", "surface", "125:0.1,125:0.1:5", `surface: "125:0.1,125:0.1:5" has 125 Hz twice`},
		{"a third octave", "surface", "125:0.1,160:0.1:5",
			`surface: "125:0.1,160:0.1:5" has 160, which is not a nominal octave band; the nearest are 125 and 250` + octave},
		{"no band", "surface", "125:0.1,:5", `surface: "125:0.1,:5"` + noBand},
		{"a coefficient over 2", "surface", "125:2.01:5",
			`surface: "125:2.01:5" has a coefficient at 125 Hz of "2.01", which is out of range: expected -0.1 to 2`},
		{"one under -0.1", "surface", "125:-0.11:5",
			`surface: "125:-0.11:5" has a coefficient at 125 Hz of "-0.11", which is out of range: expected -0.1 to 2`},
		{"percent", "surface", "125:10%:5", `surface: "125:10%:5" has an invalid coefficient at 125 Hz: "10%"` + number},
		{"an @ in a curve", "surface", "125:0.1@0:5", `surface: "125:0.1@0:5" has an invalid coefficient at 125 Hz: "0.1@0"` +
			number},
		{"control characters", "surface", "a\n:5",
			`surface: "a\n:5" names no published product: "a" is neither an id nor a slug`},

		{"no pair", "air", "20", `air: "20"` + air},
		{"a semicolon", "air", "20;50", `air: "20;50"` + air},
		{"three numbers", "air", "20,50,1", `air: "20,50,1"` + air},
		{"a word", "air", "dry", `air: "dry"` + air},
		{"none in capitals", "air", "None", `air: "None"` + air},
		{"only a comma", "air", ",", `air: ","` + air},
		{"too cold", "air", "-20.1,50", `air: "-20.1,50"` + climate},
		{"too hot", "air", "50.5,50", `air: "50.5,50"` + climate},
		{"too dry", "air", "20,9.9", `air: "20,9.9"` + climate},
		{"too moist", "air", "20,100.1", `air: "20,100.1"` + climate},
		{"without end", "air", "1e999,50", `air: "1e999,50"` + climate},

		{"a word", "target", "school", `target: "school"` + target},
		{"no time", "target", "0", `target: "0"` + target},
		{"a negative one", "target", "-0.6", `target: "-0.6"` + target},
		{"one without end", "target", "1e999", `target: "1e999"` + target},
		{"one too long", "target", "1001", `target: "1001"` + target},
		{"a comma", "target", "0,6", `target: "0,6"` + target},
		{"a unit", "target", "0.6s", `target: "0.6s"` + target},
		{"a use without its standard", "target", "A3", `target: "A3"` + target},
		{"the standard in capitals", "target", "DIN18041:A3", `target: "DIN18041:A3"` + target},
		{"a use that is none", "target", "din18041:B6", `target: "din18041:B6" is not a use of DIN 18041; allowed: ` + uses},
		{"a use that asks for nothing", "target", "din18041:B1",
			`target: "din18041:B1" has no requirement in DIN 18041; allowed: ` + uses},
		{"no use", "target", "din18041:", `target: "din18041:" is not a use of DIN 18041; allowed: ` + uses},
		{"a use whose rooms are larger", "target", "din18041:A5",
			`target: "din18041:A5" has no target for 180 m³, only for volumes from 200 m³`},
	}
	good := map[string][]string{"volume": {"180"}, "surface": {hard + ":200", "drei:10"}, "air": {"20,50"},
		"target": {"0.6"}}
	asked := 0
	for _, tt := range tests {
		t.Run(tt.name+": "+tt.rule, func(t *testing.T) {
			for _, beside := range [][]string{{"volume", "surface"}, {"volume", "surface", "air"},
				{"volume", "surface", "target"}, {"volume", "surface", "air", "target"}, {"volume", "surface", "surface"}} {
				query := url.Values{}
				if tt.name == "surface" && tt.value == "" && slices.Contains(beside, "target") {
					continue // with a target, no surface is required
				}
				for _, name := range beside {
					query[name] = append(query[name], good[name]...)
				}
				query[tt.name] = []string{tt.value}
				if tt.name == "surface" && tt.value != "" {
					query.Add("surface", good["surface"][0])
				}
				a := s.open(t, "/public/reverberation?"+query.Encode())
				if a.status != 400 || a.code() != "invalid_request" || a.message() != tt.message {
					t.Errorf("%v\ngot  %d %s\nwant %s", query, a.status, a.message(), tt.message)
				}
				asked++
			}
		})
	}
	if asked < 300 {
		t.Errorf("%d requests", asked)
	}
	for _, tt := range []struct{ rule, query, message string }{
		{"33 surfaces", "volume=180" + strings.Repeat("&surface=drei:1", 33), `surface: got 33 values; the maximum is 32`},
		{"two volumes", "volume=180&volume=181&surface=drei:1", `volume: conflicting values "180" and "181"; use only one`},
		{"a mean coefficient of 1", "volume=180&surface=125:0.5,250:0.5,500:0.5,1000:1,2000:0.5,4000:0.5:10",
			`surface: the mean coefficient of all surfaces at 1000 Hz is 1.000; Eyring's formula requires less than 1`},
		{"more than 1, of a product", "volume=180&surface=kante:10&surface=" + hard + ":1",
			`surface: the mean coefficient of all surfaces at 125 Hz is 1.138; Eyring's formula requires less than 1`},
		{"a volume below the range of a use", "volume=29.9&target=din18041:A3&surface=drei:1",
			`target: "din18041:A3" has no target for 29.9 m³, only for volumes from 30 to below 5000 m³`},
		{"a volume above them", "volume=1000&target=din18041:A1&surface=drei:1",
			`target: "din18041:A1" has no target for 1000 m³, only for volumes from 30 to below 1000 m³`},
		{"several faults at once", "volume=0&surface=x:1&surface=drei:0&air=x&target=din18041:A1",
			`volume: "0"` + volume + `; air: "x"` + air +
				`; surface: "x:1" names no published product: "x" is neither an id nor a slug; surface: "drei:0" has the area "0"` + areaRange},
		{"nothing", "",
			`volume: missing; expected the room's volume in m³, such as 180; surface: missing; expected a product and its area in m², such as akustikpaneel-fichte-40:30`},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			if a := s.open(t, "/public/reverberation?"+tt.query); a.status != 400 || a.message() != tt.message {
				t.Errorf("got  %d %s\nwant %s", a.status, a.message(), tt.message)
			}
		})
	}
}
