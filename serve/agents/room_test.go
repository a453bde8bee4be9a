package agents_test

import (
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

// The tool returns the results of the API, with verdicts in words.
func TestRoomsOfAPlanner(t *testing.T) {
	s := connect(t, sample, true)
	_, outputs := schemas(t, s)
	const floorAndWalls = `{"standard":"parquet","area_m2":64},{"standard":"plaster","area_m2":154}`
	for _, tt := range []struct {
		rule, arguments string
		is              map[string]string
		says            []string
	}{
		{"building surfaces and people", `{"volume_m3":180,"surfaces":[` + floorAndWalls +
			`],"objects":[{"object":"pupil-primary","count":25}],"din18041":"A3"}`,
			map[string]string{"surfaces.0.standard": `"parquet"`, "surfaces.0.material": "", "objects.0.counted": "true",
				"bands.0.verdict": `"too long"`, "bands.0.lowest_s": "0.359", "notes": ""},
			[]string{"64 m² of parquet\n", "25 × pupil-primary"}},
		{"a target in seconds has a tolerance, but no verdict at 125 and 4000 Hz", `{"volume_m3":180,"surfaces":[` + floorAndWalls +
			`],"target_s":0.6}`,
			map[string]string{"bands.0.verdict": "", "bands.0.lowest_s": "", "bands.1.verdict": `"too long"`,
				"bands.1.lowest_s": "0.48", "bands.1.highest_s": "0.72", "bands.5.verdict": ""}, nil},
		{"a note states that people are left out of the empty room", `{"volume_m3":400,"surfaces":[` + floorAndWalls +
			`],"objects":{"object":"person-standing","count":3},"din18041":"A5"}`,
			map[string]string{"objects.0.counted": "false",
				"notes.0": `"people are left out: the target is for the room without them"`}, nil},
		// 0.186300 × 180 = 33.533924 m², less 64 × 0.04 + 154 × 0.02 = 5.64 m² at 250 Hz, over 0.6: 46.49
		{"group B, and the area that fills it", `{"volume_m3":180,"surfaces":[` + floorAndWalls +
			`],"din18041":"B3","height_m":3,"fill":["akustikpaneel-fichte-40"]}`,
			map[string]string{"bands.#": "4", "bands.0.required_per_m": "0.186", "bands.0.reached_per_m": "0.031",
				"bands.0.verdict": `"too little"`, "fill.0.area_m2": "46.5", "fill.0.complete": "true",
				"fill.0.bands.0.verdict": `"ok"`, "fill.0.bands.0.t_s": ""},
			[]string{"Hz | required 1/m | reached 1/m | verdict\n250 | 0.186 | 0.031 | too little\n",
				"fill: 46.5 m² of akustikpaneel-fichte-40"}},
		{"a product that cannot fill the room has a reason", `{"volume_m3":180,"surfaces":[` + floorAndWalls +
			`],"target_s":0.6,"fill":"beton-glatt","covers":0}`,
			map[string]string{"fill.0.area_m2": "null", "fill.0.complete": "false", "fill.0.reason": `"still_long"`},
			[]string{"fill: no area of beton-glatt: still_long"}},
		{"a target without surfaces returns the missing absorption", `{"volume_m3":180,"target_s":0.6}`,
			map[string]string{"surfaces": "[]", "bands.2.sabine_s": "null", "bands.2.missing_m2": "47.853",
				"bands.2.verdict": ""}, nil},
	} {
		got, said, failed := s.call(t, "reverberation_time", tt.arguments)
		if failed {
			t.Errorf("%s: %s", tt.rule, said)
			continue
		}
		for path, want := range tt.is {
			if v := got.Get(path); v.Raw != want {
				t.Errorf("%s: %s is %s, want %s", tt.rule, path, v.Raw, want)
			}
		}
		for _, want := range tt.says {
			if !strings.Contains(said, want) {
				t.Errorf("%s: the text does not contain %q:\n%s", tt.rule, want, said)
			}
		}
		if err := outputs["reverberation_time"].Validate(got.Value()); err != nil {
			t.Errorf("%s: %v", tt.rule, err)
		}
	}
}

// If an answer would become too long, it omits details and has a note.
func TestManyFillsFit(t *testing.T) {
	s := connect(t, sample, true)
	got, said, failed := s.call(t, "reverberation_time", `{"volume_m3":180,"target_s":0.6,"surfaces":[`+
		strings.Repeat(`{"standard":"concrete-block-painted","area_m2":7},`, 31)+`{"standard":"glass","area_m2":9}],"fill":[`+
		strings.Repeat(`"akustikpaneel-fichte-40",`, 23)+`"beton-glatt@0"]}`)
	if failed || got.Get("fill.#").Int() != 24 || got.Get("fill.0.bands").Exists() || got.Get("fill.0.reason").Str != "uneven" ||
		got.Get("surfaces.0.absorption_m2").Exists() || got.Get("notes.#").Int() != 2 ||
		len(got.Raw)+len(said) > maxAnswer {
		t.Errorf("%d bytes: %s", len(got.Raw)+len(said), said)
	}
	got, said, failed = s.call(t, "reverberation_time", `{"volume_m3":180,"target_s":0.6,"surfaces":[`+
		strings.Repeat(`{"material":"akustikpaneel-fichte-40","entry":0,"area_m2":0.7123456789012345},`, 31)+
		`{"standard":"glass","area_m2":9}],"fill":[`+strings.Repeat(`"akustikpaneel-fichte-40",`, 23)+`"beton-glatt@0"]}`)
	if failed || got.Get("fill.#").Int() != 24 || got.Get("surfaces").Raw != "[]" || got.Get("notes.#").Int() != 2 ||
		len(got.Raw)+len(said) > maxAnswer {
		t.Errorf("%d bytes: %s", len(got.Raw)+len(said), said)
	}
}

func TestInvalidRooms(t *testing.T) {
	s := connect(t, sample, true)
	const surface = `"surfaces":[{"standard":"parquet","area_m2":64}]`
	for _, tt := range []struct{ arguments, want string }{
		{`{"volume_m3":180,"surfaces":[{"standard":"parket","area_m2":64}]}`, "standard"},
		{`{"volume_m3":180,"surfaces":[{"standard":"parquet","material":"beton-glatt","area_m2":64}]}`,
			"surfaces[0]: expected exactly one of material, standard and curve"},
		{`{"volume_m3":180,"surfaces":[{"standard":"concrete","entry":0,"area_m2":64}]}`,
			"surfaces[0]: entry needs a material"},
		{`{"volume_m3":180,"surfaces":[{"curve":{"125":0.1},"entry":3,"area_m2":64}]}`,
			"surfaces[0]: entry needs a material"},
		{`{"volume_m3":0.0009,` + surface + `}`, "volume_m3: minimum"},
		{`{"volume_m3":180,` + surface + `,"objects":[{"object":"child","count":0}]}`, "minimum"},
		{`{"volume_m3":180,` + surface + `,"target_s":1,"fill":["beton-glat"]}`, "the nearest are beton-glatt"},
		{`{"volume_m3":180,` + surface + `,"fill":["beton-glatt"]}`, "fill: needs a target"},
		{`{"volume_m3":180,` + surface + `,"din18041":"B3"}`, "height_m: missing"},
		{`{"volume_m3":180,` + surface + `,"din18041":"A3","height_m":3}`, "height_m: is only for targets of group B"},
		{`{"volume_m3":180,` + surface + `,"target_s":1,"covers":0}`, "covers: "},
		{`{"volume_m3":180,` + surface + `,"din18041":"B1"}`, "din18041"},
	} {
		if _, got, failed := s.call(t, "reverberation_time", tt.arguments); !failed || !strings.Contains(got, tt.want) {
			t.Errorf("%s\n got %s\nwant %s", tt.arguments, got, tt.want)
		}
	}
}

// The schemas explain missing numbers for rooms without surfaces and for uneven fills.
func TestSchemasOfARoomExplainMissingNumbers(t *testing.T) {
	list, err := connect(t, sample, true).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, tool := range list.Tools {
		if tool.Name != "reverberation_time" {
			continue
		}
		schema := gjson.ParseBytes(compact(t, tool.OutputSchema)).Get("properties")
		for path, want := range map[string]string{
			"bands.items.properties.sabine_s":      "the room has no surfaces",
			"bands.items.properties.eyring_s":      "the room has no surfaces",
			"bands.items.properties.reached_per_m": "the room has no surfaces",
			"fill.items.properties.reason":         "uneven: no area in steps of 0.5 m² meets the target in all octaves",
		} {
			if got := schema.Get(path + ".description").Str; !strings.Contains(got, want) {
				t.Errorf("%s: got %q, want %q in it", path, got, want)
			}
		}
	}
}
