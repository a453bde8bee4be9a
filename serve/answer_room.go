package serve

import (
	"math"

	"sabine/dataset/acoustics"
	"sabine/dataset/jsonwriter"
	"sabine/runtime"
)

var getReverberation = &operation{
	name: "getReverberation", access: public, cache: cachePublic, answer: answerReverberation,
	singles: []string{"volume", "air", "target", "height", "covers"},
	lists:   []string{"surface", "object", "fill"},
}

func answerReverberation(x *exchange) (r representation, p *problem) {
	room := x.params.room(x.generation)
	if p = x.params.problem(); p != nil {
		return r, p
	}
	x.body = RoomJSON(x.body, room)
	return x.hashed(), nil
}

// Reverberation runs the reverberation operation with a query string on a generation, for the command line,
// in the same way as Search.
func Reverberation(g *runtime.Generation, rawQuery string, nameOf func(parameter string) string) (*runtime.Room, error) {
	var r *runtime.Room
	err := readQuery(getReverberation, rawQuery, nameOf, func(p *params) { r = p.room(g) })
	return r, err
}

// RoomJSON returns the API's response for a room, a Reverberation object, in the memory of buffer.
func RoomJSON(buffer []byte, r *runtime.Room) []byte {
	var t jsonwriter.Text
	t.Reuse(buffer)
	t.Object(func() {
		t.Key("volume_m3").Number(r.VolumeM3)
		if t.Key("air"); r.Air == nil {
			t.Null()
		} else {
			t.Object(func() {
				t.Key("temperature_c").Number(r.Air.TemperatureC)
				t.Key("humidity_percent").Number(r.Air.HumidityPercent)
			})
		}
		t.Key("bands").Array(func() {
			for i := range r.Bands {
				writeBand(&t, r, &r.Bands[i])
			}
		})
		t.Key("surfaces").Array(func() {
			for i := range r.Surfaces {
				t.Object(func() { writeSurface(&t, &r.Given[i], &r.Surfaces[i]) })
			}
		})
		t.Key("objects").Array(func() {
			for i := range r.Placed {
				t.Object(func() { writeObjects(&t, &r.Placed[i]) })
			}
		})
		writeText(t.Key("target"), r.Target)
		if r.Fills != nil {
			t.Key("fill").Array(func() {
				for i := range r.Fills {
					t.Object(func() { writeFill(&t, r, &r.Fills[i]) })
				}
			})
		}
	})
	return t.Bytes()
}

// writeBand writes a band: the reverberation times or, for a target A/V, the required and reached values.
func writeBand(t *jsonwriter.Text, r *runtime.Room, b *acoustics.Reverberation) {
	t.Object(func() {
		t.Key("band").Int(int64(b.BandHz))
		if r.Goal.PerM > 0 {
			writeRounded(t.Key("required_per_m"), r.Goal.PerM)
			writeRounded(t.Key("reached_per_m"), r.PerM(b))
			return
		}
		writeRounded(t.Key("sabine_s"), b.Sabine)
		writeRounded(t.Key("eyring_s"), b.Eyring)
		writeRounded(t.Key("air_m2"), b.AirM2)
		target, missing := math.NaN(), math.NaN() // null
		if r.Target != "" {
			target, missing = r.Goal.Seconds, r.Missing(b, r.Goal.Seconds)
		}
		writeRounded(t.Key("target_s"), target)
		writeRounded(t.Key("missing_m2"), missing)
	})
}

func writeSurface(t *jsonwriter.Text, given *runtime.GivenSurface, s *acoustics.Surface) {
	t.Key("surface").String(given.Text)
	writeGiven(t, given)
	t.Key("area_m2").Number(s.AreaM2)
	writeAbsorption(t, s.Absorption)
}

// writeGiven writes the product and the entry of a surface.
func writeGiven(t *jsonwriter.Text, given *runtime.GivenSurface) {
	writeText(t.Key("id"), given.ID)
	writeText(t.Key("slug"), given.Slug)
	if t.Key("entry"); given.Entry < 0 {
		t.Null()
	} else {
		t.Int(int64(given.Entry))
	}
}

func writeObjects(t *jsonwriter.Text, o *runtime.PlacedObjects) {
	t.Key("object").String(o.Name)
	t.Key("count").Int(int64(o.Count))
	t.Key("counted").Bool(o.Counted)
	writeAbsorption(t, o.Absorption)
}

// writeAbsorption writes equivalent absorption areas by band. areaM2 returns the area for a band's index in
// acoustics.RoomBands.
func writeAbsorption(t *jsonwriter.Text, areaM2 func(band int) float64) {
	t.Key("absorption_m2").Object(func() {
		for i, hz := range acoustics.RoomBands {
			writeRounded(t.KeyInt(hz), areaM2(i))
		}
	})
}

func writeFill(t *jsonwriter.Text, r *runtime.Room, f *runtime.Fill) {
	writeGiven(t, &f.GivenSurface)
	area := f.AreaM2
	if f.Reason != "" { // no area meets the target
		area = math.NaN()
	}
	writeRounded(t.Key("area_m2"), area)
	t.Key("complete").Bool(f.Complete)
	t.Key("bands").Array(func() {
		for _, b := range f.Bands {
			t.Object(func() {
				if t.Key("band").Int(int64(b.BandHz)); r.Goal.PerM > 0 {
					writeRounded(t.Key("reached_per_m"), b.PerM)
				} else {
					writeRounded(t.Key("t_s"), b.Sabine)
				}
				writeText(t.Key("verdict"), string(b.Verdict))
			})
		}
	})
	writeText(t.Key("reason"), string(f.Reason))
}

// writeText writes a text, or null when it is empty.
func writeText(t *jsonwriter.Text, text string) {
	if text == "" {
		t.Null()
		return
	}
	t.String(text)
}

// writeRounded writes a number with three decimals, or null when it is NaN or infinite.
func writeRounded(t *jsonwriter.Text, v float64) {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		t.Null()
		return
	}
	t.Number(acoustics.Rounded(v))
}
