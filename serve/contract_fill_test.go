package serve_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
)

// roomOf requests a room and fails the test if the status is not 200.
func roomOf(t *testing.T, s *site, query string) *answer {
	t.Helper()
	a := s.open(t, "/public/reverberation?"+query)
	if a.status != 200 {
		t.Fatalf("%s: %d %s", query, a.status, a.body)
	}
	return a
}

// even returns a curve with the same coefficient in each band.
func even(alpha string) string {
	return strings.ReplaceAll("125:x,250:x,500:x,1000:x,2000:x,4000:x", "x", alpha)
}

// TestObjectsOfARoom uses 25 pupils aged 12 or older: 8.75 m² at 500 Hz. Without air, k is 0.1610199 s/m.
func TestObjectsOfARoom(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{folder: built(t, roomRecords)})
	const room, pupils = "volume=180&air=none&surface=std:concrete:218", "&object=pupil-secondary:25&object=chair-wood:4"
	bare, full := roomOf(t, s, room), roomOf(t, s, room+pupils+"&target=0.6")
	if bare.json("objects").Raw != "[]" {
		t.Errorf("without objects: %s", bare.body)
	}
	for i, want := range []string{
		`{"object":"pupil-secondary","count":25,"counted":true,"absorption_m2":{"125":2.5,"250":3.75,"500":8.75,"1000":12.5,"2000":12.5,"4000":13.75}}`,
		`{"object":"chair-wood","count":4,"counted":true,"absorption_m2":{"125":0.1,"250":0.16,"500":0.2,"1000":0.24,"2000":0.24,"4000":0.24}}`,
	} {
		if got := full.json(fmt.Sprintf("objects.%d", i)).Raw; got != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
	// A = 218 × 0.03 + 8.75 + 0.2 = 15.49 m², k V = 28.983589; S = 218 m², -S ln(1 - 0.03) = 6.640124 m².
	at500 := full.json("bands.2")
	for key, want := range map[string]float64{"sabine_s": 28.983589 / 15.49, "eyring_s": 28.983589 / (6.640124 + 8.95),
		"missing_m2": 28.983589/0.6 - 15.49} {
		if !shows(at500.Get(key), want) {
			t.Errorf("%s is %s, want %v", key, at500.Get(key).Raw, want)
		}
	}
	for target, counted := range map[string]string{"": "true", "&target=0.6": "true", "&target=din18041:A3": "true",
		"&target=din18041:A5": "false", "&target=din18041:B3&height=3": "false"} {
		a := roomOf(t, s, strings.Replace(room, "180", "240", 1)+pupils+target)
		if a.json("objects.0.counted").Raw != counted || a.json("objects.1.counted").Raw != "true" {
			t.Errorf("%q: %s", target, a.json("objects").Raw)
		}
		alone := roomOf(t, s, strings.Replace(room, "180", "240", 1)+"&object=chair-wood:4"+target)
		if same := a.json("bands").Raw == alone.json("bands").Raw; same != (counted == "false") {
			t.Errorf("%q: pupils make no difference: %t", target, same)
		}
	}
}

// TestARoomWithoutSurfaces checks that a room with only a target has the required absorption. It is 0.1610199
// × 180 / 0.6 = 48.305981 m², minus 4mV for the air and the absorption of the objects.
func TestARoomWithoutSurfaces(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{folder: built(t, roomRecords)})
	a := roomOf(t, s, "volume=180&target=0.6&object=pupil-secondary:25")
	b := a.json("bands.2")
	if a.json("surfaces").Raw != "[]" || b.Get("sabine_s").Raw != "null" || b.Get("eyring_s").Raw != "null" ||
		!shows(b.Get("missing_m2"), 48.305981-0.453170-8.75) {
		t.Errorf("got %s", a.body)
	}
	a = roomOf(t, s, "volume=180&target=din18041:B2&height=2.5")
	if got := a.json("bands").Raw; !strings.HasPrefix(got, `[{"band":250,"required_per_m":0.15,"reached_per_m":null},`) {
		t.Errorf("got %s", got)
	}
}

// TestGroupB checks the required ratio 1 / (3.13 + 4.69 lg 3) = 0.186300 / m at a height of 3 m.
func TestGroupB(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{folder: built(t, roomRecords)})
	a := roomOf(t, s, "volume=200&target=din18041:B3&height=3&fill=erklaert&object=chair-wood:10&surface="+even("0.02")+":240")
	// A/V = (4.8 + 0.6) / 200 at 1000 Hz; at 250 Hz, the minimum, (37.25992 - 4.8 - 0.4) / 0.3 = 106.87 m².
	if got := a.json("bands.#.band").Raw; got != "[250,500,1000,2000]" {
		t.Errorf("bands %s", got)
	}
	if got, want := a.json("bands.2").Raw, `{"band":1000,"required_per_m":0.186,"reached_per_m":0.027}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	want := `{"id":"10000000-0000-4000-8000-00000000000c","slug":"erklaert","entry":null,"area_m2":107,"complete":true,"bands":[` +
		`{"band":250,"reached_per_m":0.187,"verdict":"within"},{"band":500,"reached_per_m":0.187,"verdict":"within"},` +
		`{"band":1000,"reached_per_m":0.188,"verdict":"within"},{"band":2000,"reached_per_m":0.188,"verdict":"within"}],"reason":null}`
	if got := a.json("fill.0").Raw; got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if loud := roomOf(t, s, "volume=9&target=din18041:B5&height=2&surface="+even("1")+":9"); loud.json(
		"bands.0.reached_per_m").Raw != "1" {
		t.Errorf("a mean coefficient of 1 has an A/V: %s", loud.body)
	}
}

// TestFill checks parameters and responses. The limits are calculated by hand in dataset/acoustics.
func TestFill(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{folder: built(t, roomRecords)})
	room := "volume=200&air=none&target=0.8" + strings.Repeat("&surface="+even("0.02")+":70", 2) +
		"&surface=" + even("0.02") + ":100"
	a := roomOf(t, s, room+"&fill=drei&fill=drei@1&fill[]=10000000-0000-4000-8000-00000000000A@0&fill=minus")
	// 28.74582 m² over 0.8, 0.4 and 0.2.
	for i, want := range [][3]string{{"36", "2", "null"}, {"72", "1", "null"}, {"144", "0", "null"},
		{"null", "0", `"still_long"`}} {
		f := a.json(fmt.Sprintf("fill.%d", i))
		if f.Get("area_m2").Raw != want[0] || f.Get("entry").Raw != want[1] || f.Get("reason").Raw != want[2] ||
			f.Get("complete").Bool() != (want[0] != "null") || len(f.Get("bands").Array()) != 6 {
			t.Errorf("got %s, want %v", f.Raw, want)
		}
	}
	b := a.json("fill.0.bands")
	if got := b.Get("#.verdict").Raw; got != `[null,"within","within","within","within",null]` ||
		!shows(b.Get("2.t_s"), 32.203987/(4.8+36*0.8)) {
		t.Errorf("got %s", b.Raw)
	}
	if b = a.json("fill.3.bands"); !shows(b.Get("2.t_s"), 32.203987/4.8) || b.Get("2.verdict").Str != "long" {
		t.Errorf("without an area: %s", b.Raw)
	}
	// 28.74582 / 0.78 = 36.85; 28.74582 / 0.38 = 75.65, which is more than the area of the surface.
	covered := roomOf(t, s, room+"&fill=drei&fill=drei@1&covers=1")
	if got := covered.json("fill.0.area_m2").Raw + " " + covered.json("fill.1.area_m2").Raw; got != "37 null" {
		t.Errorf("in place of a surface: %s", got)
	}
	plain := roomOf(t, s, room)
	if plain.json("fill").Exists() || keysOf(a.json("@this")) != "volume_m3 air bands surfaces objects target fill" ||
		keysOf(a.json("fill.0")) != "id slug entry area_m2 complete bands reason" {
		t.Errorf("keys %s of %s", keysOf(a.json("@this")), plain.body)
	}
	if one := strings.TrimSuffix(plain.body, "}"); !strings.HasPrefix(a.body, one) {
		t.Errorf("fill changes the rest:\n%s\n%s", plain.body, a.body)
	}
}

// TestBuildingSurfaces checks that the list equals the tables, and that rooms accept the names in the list.
func TestBuildingSurfaces(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{folder: built(t, roomRecords)})
	a := s.open(t, "/public/building-surfaces")
	if a.status != 200 || keysOf(a.json("@this")) != "surfaces objects" ||
		keysOf(a.json("surfaces.0")) != "name label absorption_octave source" ||
		keysOf(a.json("objects.0")) != "name label absorption_area_m2 person source" ||
		keysOf(a.json("objects.0.label")) != "de en" ||
		len(a.json("surfaces").Array()) != len(acoustics.BuildingSurfaces) ||
		len(a.json("objects").Array()) != len(acoustics.RoomObjects) {
		t.Fatalf("got %d %s", a.status, a.body)
	}
	check := func(got, figures gjson.Result, times float64) {
		t.Helper()
		for _, band := range roomBands {
			if math.Abs(got.Get(band).Num-times*figures.Get(band).Num) > 1e-9 || figures.Get(band).Num <= 0 {
				t.Errorf("%s at %s Hz is not %v times %s", got.Raw, band, times, figures.Raw)
			}
		}
	}
	for _, row := range a.json("surfaces").Array() {
		room := roomOf(t, s, "volume=100&surface=std:"+row.Get("name").Str+":10")
		check(room.json("surfaces.0.absorption_m2"), row.Get("absorption_octave"), 10)
		if given := room.json("surfaces.0"); given.Get("surface").Str != "std:"+row.Get("name").Str+":10" ||
			given.Get("id").Raw != "null" || given.Get("slug").Raw != "null" || given.Get("entry").Raw != "null" {
			t.Errorf("got %s", given.Raw)
		}
	}
	for _, row := range a.json("objects").Array() {
		room := roomOf(t, s, "volume=100&target=din18041:B2&height=3&object="+row.Get("name").Str+":20")
		check(room.json("objects.0.absorption_m2"), row.Get("absorption_area_m2"), 20)
		if room.json("objects.0.counted").Bool() == row.Get("person").Bool() {
			t.Errorf("%s: %s", row.Get("name").Str, room.json("objects.0").Raw)
		}
	}
	if again := s.open(t, "/public/building-surfaces", "If-None-Match", a.header.Get("ETag")); again.status != 304 {
		t.Errorf("asked again: %d", again.status)
	}
}

// TestInvalidFills checks that each message contains the parameter, the value and the expected values.
func TestInvalidFills(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{folder: built(t, roomRecords)})
	const room, target = "volume=240&surface=drei:10", "&target=0.6"
	for _, tt := range []struct{ rule, query, message string }{
		{"an unknown building surface", "volume=180&surface=std:parket:10",
			`surface: "std:parket:10" is not a building surface; the nearest is "parquet"; allowed: "concrete", "plaster", "wallpaper", "brick", "brick-painted", "concrete-block", "concrete-block-painted", "gypsum-board", "gypsum-board-double", "gypsum-ceiling" and 26 more`},
		{"one without an area", "volume=180&surface=std:parquet",
			`surface: "std:parquet" has an invalid area: "parquet" is not a number such as 0.85`},
		{"no object of that name", room + "&object=persons-seated:1",
			`object: "persons-seated:1" is not an object; the nearest is "person-seated"; allowed: "person-standing", "person-seated", "person-light-upholstery", "person-heavy-upholstery", "child", "pupil-primary", "pupil-secondary", "chair-wood", "chair-upholstered"`},
		{"an object without a count", room + "&object=child",
			`object: "child" has no count: expected an object and its count, such as person-seated:25`},
		{"a count of 0", room + "&object=child:0",
			`object: "child:0" has the invalid count "0": expected an integer from 1 to 10000`},
		{"too many", room + "&object=child:10001",
			`object: "child:10001" has the invalid count "10001": expected an integer from 1 to 10000`},
		{"half a child", room + "&object=child:1.5",
			`object: "child:1.5" has the invalid count "1.5": expected an integer from 1 to 10000`},
		{"17 objects", room + strings.Repeat("&object=child:1", 17), `object: got 17 values; the maximum is 16`},
		{"fill without a target", room + "&fill=drei", `fill: needs a target, such as target=din18041:A3`},
		{"25 fills", room + target + strings.Repeat("&fill=drei", 25), `fill: got 25 values; the maximum is 24`},
		{"fill of no product", room + target + "&fill=x",
			`fill: "x" names no published product: "x" is neither an id nor a slug`},
		{"nor of a building surface", room + target + "&fill=std:parquet",
			`fill: "std:parquet" names no published product: "std:parquet" is neither an id nor a slug`},
		{"fill of a product that misses a band", room + target + "&fill=nurhoch",
			`fill: "nurhoch" has no entry with absorption in all octaves from 125 to 4000 Hz; the most absorptive entry has none at 125 Hz`},
		{"covers without fill", room + target + "&covers=0", `covers: "0" needs fill, which is missing`},
		{"covers is out of range", room + target + "&fill=drei&covers=1",
			`covers: "1" is out of range: the room has 1 surfaces, numbered from 0`},
		{"covers below 0", room + target + "&fill=drei&covers=-1",
			`covers: "-1" is out of range: the room has 1 surfaces, numbered from 0`},
		{"covers no number", room + target + "&fill=drei&covers=drei", `covers: "drei" is not a 64-bit integer`},
		{"group B without a height", room + "&target=din18041:B2",
			`height: missing; din18041:B2 needs the room's clear height in m, such as 3`},
		{"a height of 0", room + "&target=din18041:B2&height=0",
			`height: "0" is out of range: expected a height in m above 0 and at most 1000000000`},
		{"a height with group A", room + "&target=din18041:A3&height=3",
			`height: is only for targets of group B of DIN 18041, din18041:B2 to din18041:B5`},
		{"with seconds", room + target + "&height=3",
			`height: is only for targets of group B of DIN 18041, din18041:B2 to din18041:B5`},
		{"or without a target", room + "&height=3",
			`height: is only for targets of group B of DIN 18041, din18041:B2 to din18041:B5`},
	} {
		if a := s.open(t, "/public/reverberation?"+tt.query); a.status != 400 || a.message() != tt.message {
			t.Errorf("%s:\ngot  %d %s\nwant %s", tt.rule, a.status, a.message(), tt.message)
		}
	}
}
