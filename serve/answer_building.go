package serve

import (
	"sync"

	"sabine/dataset/acoustics"
	"sabine/dataset/jsonwriter"
)

var getBuildingSurfaces = &operation{
	name: "getBuildingSurfaces", access: public, cache: cachePublic, builtIn: true,
	answer: func(*exchange) (representation, *problem) { return buildingSurfaces(), nil },
}

// buildingSurfaces returns the building surfaces and objects that can be named in room requests.
var buildingSurfaces = sync.OnceValue(func() representation {
	var t jsonwriter.Text
	names := func(name, german, english string) {
		t.Key("name").String(name)
		t.Key("label").Object(func() {
			t.Key("de").String(german)
			t.Key("en").String(english)
		})
	}
	figures := func(key string, of [6]float64) { // by octave, as in acoustics.RoomBands
		t.Key(key).Object(func() {
			for i, hz := range acoustics.RoomBands {
				t.KeyInt(hz).Number(of[i])
			}
		})
	}
	t.Object(func() {
		t.Key("surfaces").Array(func() {
			for i := range acoustics.BuildingSurfaces {
				s := &acoustics.BuildingSurfaces[i]
				t.Object(func() {
					names(s.Name, s.German, s.English)
					figures("absorption_octave", s.Coefficients)
					t.Key("source").String(s.Sources.String())
				})
			}
		})
		t.Key("objects").Array(func() {
			for i := range acoustics.RoomObjects {
				o := &acoustics.RoomObjects[i]
				t.Object(func() {
					names(o.Name, o.German, o.English)
					figures("absorption_area_m2", o.EachM2)
					t.Key("person").Bool(o.IsPerson)
					t.Key("source").String(o.Sources.String())
				})
			}
		})
	})
	return coded(t.Bytes(), applicationJSON[0])
})
