package export_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/indexes/column"
	"sabine/runtime"
	"sabine/serve/export"
)

// A pyroomMaterial is a row in the library's tables.
type pyroomMaterial struct {
	Description *string
	Coeffs      []float64
	CenterFreqs []float64
}

// loadPyroomacoustics reads materials like pyroomacoustics/parameters.py, which reads materials.json and
// creates a Material for each entry: both tables are required, the last of duplicate keywords is used, and a
// curve with more than one band must have as many centres as coefficients. members counts the members of all
// sections, including duplicates.
func loadPyroomacoustics(t testing.TB, text []byte) (absorption, scattering map[string]pyroomMaterial, members int) {
	t.Helper()
	var data struct {
		CenterFreqs *[]float64                            `json:"center_freqs"`
		Absorption  *map[string]map[string]pyroomMaterial `json:"absorption"`
		Scattering  *map[string]map[string]pyroomMaterial `json:"scattering"`
	}
	if err := json.Unmarshal(text, &data); err != nil {
		t.Fatal(err)
	}
	if data.CenterFreqs == nil || data.Absorption == nil || data.Scattering == nil {
		t.Fatal("KeyError: center_freqs, absorption and scattering are required")
	}
	absorption, scattering = map[string]pyroomMaterial{"anechoic": {Coeffs: []float64{1}}}, map[string]pyroomMaterial{}
	for table, sections := range map[*map[string]pyroomMaterial]map[string]map[string]pyroomMaterial{
		&absorption: *data.Absorption, &scattering: *data.Scattering} {
		for _, contents := range sections {
			for keyword, m := range contents {
				if m.Description == nil || m.Coeffs == nil {
					t.Errorf("KeyError: %s", keyword)
				}
				m.CenterFreqs = (*data.CenterFreqs)[:min(len(m.Coeffs), len(*data.CenterFreqs))]
				if len(m.Coeffs) > 1 && len(m.Coeffs) != len(m.CenterFreqs) {
					t.Errorf("AssertionError: %s: length of coeffs and center_freqs must match", keyword)
				}
				(*table)[keyword] = m
			}
		}
	}
	for _, table := range []string{"absorption", "scattering"} {
		for _, section := range gjson.GetBytes(text, table).ForEach {
			for range section.ForEach {
				members++
			}
		}
	}
	return absorption, scattering, members
}

func TestTheReaderOfPyroomacousticsReadsItsOwnFile(t *testing.T) {
	// This table is from the library's data/materials.json (MIT licence).
	table, _, members := loadPyroomacoustics(t, []byte(`{"center_freqs": [125, 250, 500, 1000, 2000, 4000, 8000], "absorption": {"Massive constructions and hard surfaces":
		{"hard_surface": {"description": "Walls, hard surfaces average (brick walls, plaster, hard floors, etc.)", "coeffs": [0.02, 0.02, 0.03, 0.03, 0.04, 0.05, 0.05]},
		"brickwork": {"description": "Walls, rendered brickwork", "coeffs": [0.01, 0.02, 0.02, 0.03, 0.03, 0.04]}}}, "scattering": {}}`))
	if members != 2 || len(table["brickwork"].CenterFreqs) != 6 || table["hard_surface"].CenterFreqs[6] != 8000 {
		t.Errorf("%d members, %v", members, table)
	}
}

// iso354 returns the number of ISO 354 entries and declared curves in a generation.
func iso354(g *runtime.Generation) (n int) {
	for d := range column.Doc(g.Products()) {
		detail := gjson.ParseBytes(g.AppendDetail(nil, d, false))
		rated := false
		for _, e := range detail.Get("measurements.absorption_iso_354").Array() {
			n++
			octave, third := e.Get("alpha_s_octave"), e.Get("alpha_s_third_octave")
			for i := range 6 {
				hz := []string{"125", "250", "500", "1000", "2000", "4000"}[i]
				thirds := [][]string{{"100", "125", "160"}, {"200", "250", "315"}, {"400", "500", "630"}, {"800", "1000", "1250"},
					{"1600", "2000", "2500"}, {"3150", "4000", "5000"}}[i]
				all := true
				for _, hz := range thirds {
					all = all && third.Get(hz).Exists()
				}
				rated = rated || all || octave.Get(hz).Exists()
			}
		}
		if !rated && detail.Get("absorption_octave").IsObject() {
			n++
		}
	}
	return n
}

// iso17497 returns the number of ISO 17497-1 entries in a generation.
func iso17497(g *runtime.Generation) (n int) {
	for d := range column.Doc(g.Products()) {
		n += len(gjson.GetBytes(g.AppendDetail(nil, d, false), "measurements.scatter_iso_17497_1").Array())
	}
	return n
}

func TestPyroomacousticsLoadsTheExport(t *testing.T) {
	for name, inputs := range catalogues(t) {
		g := build(t, inputs...)
		for _, o := range []export.Options{{}, {Hold: true}, {Bands: []int{63, 125, 250, 500, 1000, 2000, 4000, 8000}},
			{Bands: []int{500}, Hold: true}} {
			o.Format = export.Pyroomacoustics
			text, notes := written(t, g, o)
			table, scattering, members := loadPyroomacoustics(t, text)
			if len(table)+len(scattering) != members+1 {
				t.Errorf("%s, %+v: %d keywords of %d materials", name, o, len(table)+len(scattering)-1, members)
			}
			if want := iso354(g) + iso17497(g); members+notes.LeftOut != want {
				t.Errorf("%s, %+v: %d materials and %v, want %d entries", name, o, members, notes, want)
			}
			if strings.Contains(string(text), "}\n\"") { // two sections have the same name
				t.Errorf("%s: %s", name, text)
			}
			for _, of := range []string{"absorption", "scattering"} {
				var sections []string
				for section := range gjson.GetBytes(text, of).ForEach {
					sections = append(sections, section.Str)
				}
				if !slices.IsSorted(sections) || len(slices.Compact(slices.Clone(sections))) != len(sections) ||
					slices.Contains(sections, "") {
					t.Errorf("%s: sections of %s %q", name, of, sections)
				}
			}
			for _, table := range []map[string]pyroomMaterial{table, scattering} {
				for keyword, m := range table {
					for _, v := range m.Coeffs {
						if v < 0 || v > 1 {
							t.Errorf("%s: %s: %v", name, keyword, m.Coeffs)
						}
					}
				}
			}
		}
	}
}

func TestKeywordsSectionsAndDescriptions(t *testing.T) {
	full := octaves(0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
	entry := func(r record) record { r["alpha_s_octave"] = full; return r }
	g := build(t, records(t,
		record{"material_category": "textil",
			"measurements": absorption(entry(record{"mounting": "E-400", "thickness_mm": 20, "air_gap_mm": 380.5}))},
		record{"slug": nil, "measurements": absorption(entry(record{}))},
		record{"material_category": "holz", "measurements": absorption(entry(record{"id": "a"}), entry(record{"id": "a"}),
			entry(record{"id": "A"}), entry(record{"id": "a--2"}), entry(record{"id": "ä b:\n\""}))},
		record{"slug": "anechoic", "measurements": absorption(entry(record{}))},
		record{"material_category": "textil", "absorption_octave": full, "measurements": absorption(record{"id": "without"})},
		record{"absorption_octave": full},
		record{"material_category": "glas"},
		record{"material_category": "uncategorised", "measurements": record{"scatter_iso_17497_1": []record{
			{"id": "a", "source_kind": "measured", "scatter_octave": full}, {"id": "b", "source_kind": "measured",
				"scatter_octave": full}}}},
		record{"measurements": record{"scatter_iso_17497_1": []record{{"source_kind": "measured", "scatter_octave": full}}}},
	))
	for _, test := range []struct {
		format export.Format
		want   string
	}{
		{export.Pyroomacoustics, `{
"center_freqs": [125, 250, 500, 1000, 2000, 4000],
"absorption": {
"holz": {
"product-2--a": {"description": "Product 2, Acme", "coeffs": COEFFS},
"product-2--a--2": {"description": "Product 2, Acme", "coeffs": COEFFS},
"product-2--A": {"description": "Product 2, Acme", "coeffs": COEFFS},
"product-2--a--2--2": {"description": "Product 2, Acme", "coeffs": COEFFS},
"product-2--ä b:\u000a\"": {"description": "Product 2, Acme", "coeffs": COEFFS}
},
"textil": {
"product-0": {"description": "Product 0, Acme, mounting E-400, thickness 20 mm, air gap 380.5 mm", "coeffs": COEFFS},
"product-4": {"description": "Product 4, Acme", "coeffs": COEFFS}
},
"uncategorised": {
"00000000-0000-4000-8000-000000000001": {"description": "Product 1, Acme", "coeffs": COEFFS},
"anechoic--2": {"description": "Product 3, Acme", "coeffs": COEFFS},
"product-5": {"description": "Product 5, Acme", "coeffs": COEFFS}
}
},
"scattering": {
"uncategorised": {
"product-7--a": {"description": "Product 7, Acme", "coeffs": COEFFS},
"product-7--b": {"description": "Product 7, Acme", "coeffs": COEFFS},
"product-8": {"description": "Product 8, Acme", "coeffs": COEFFS}
}
}
}
`},
		{export.CATT, `; absorption in percent at 125 250 500 1000 2000 4000 Hz
product-0 = COEFFS
 C:textil
 D:Product 0, Acme, mounting E-400, thickness 20 mm, air gap 380.5 mm
00000000-0000-4000-8000-000000000001 = COEFFS
 C:uncategorised
 D:Product 1, Acme
product-2--a = COEFFS
 C:holz
 D:Product 2, Acme
product-2--a--2 = COEFFS
 C:holz
 D:Product 2, Acme
product-2--A--3 = COEFFS
 C:holz
 D:Product 2, Acme
product-2--a--2--2 = COEFFS
 C:holz
 D:Product 2, Acme
product-2--__b___ = COEFFS
 C:holz
 D:Product 2, Acme
anechoic = COEFFS
 C:uncategorised
 D:Product 3, Acme
product-4 = COEFFS
 C:textil
 D:Product 4, Acme
product-5 = COEFFS
 C:uncategorised
 D:Product 5, Acme
; clipped=0; raised=0; left_out=1; held=0
`},
	} {
		coeffs := map[export.Format]string{export.Pyroomacoustics: "[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]",
			export.CATT: "<10.0 20.0 30.0 40.0 50.0 60.0>"}[test.format]
		got, _ := written(t, g, export.Options{Format: test.format})
		if want := strings.ReplaceAll(test.want, "COEFFS", coeffs); string(got) != want {
			t.Errorf("got\n%s\nwant\n%s", got, want)
		}
	}
}

func TestCoefficientsOfAnEntry(t *testing.T) {
	full := func(change record) record {
		m := octaves(0.1, 0.2, 0.3, 0.4, 0.5, 0.6)
		maps.Copy(m, change)
		maps.DeleteFunc(m, func(_ string, v any) bool { return v == nil })
		return m
	}
	for _, test := range []struct {
		rule          string
		octave, third record
		bands         []int
		hold          bool
		want, percent string // "" means that the entry is left out
		notes         export.Notes
	}{
		{"a stated octave is used", full(nil), record{"100": 0.9, "125": 0.9, "160": 0.9}, nil, false,
			"[0.1, 0.2, 0.3, 0.4, 0.5, 0.6]", "<10.0 20.0 30.0 40.0 50.0 60.0>", export.Notes{}},
		{"a missing octave is the mean of its third octaves, with four decimals", full(record{"125": nil}),
			record{"100": 0.1, "125": 0.1, "160": 0.12}, nil, false, "[0.1067, 0.2, 0.3, 0.4, 0.5, 0.6]",
			"<10.7 20.0 30.0 40.0 50.0 60.0>", export.Notes{}},
		{"a mean of 1 is not over 1", full(record{"125": nil}), record{"100": 1.1, "125": 1.0, "160": 0.9}, nil, false,
			"[1, 0.2, 0.3, 0.4, 0.5, 0.6]", "<100.0 20.0 30.0 40.0 50.0 60.0>", export.Notes{}},
		{"over 1 is clipped, below 0 is raised", full(record{"125": 1.25, "250": 1, "500": -0.05, "1000": 0}), nil, nil,
			false, "[1, 1, 0, 0, 0.5, 0.6]", "<100.0 100.0 0.0 0.0 50.0 60.0>", export.Notes{Clipped: 1, Raised: 1}},
		{"half of a tenth of a percent goes up", full(record{"125": 0.0005, "250": 0.7225}), nil, nil, false,
			"[0.0005, 0.7225, 0.3, 0.4, 0.5, 0.6]", "<0.1 72.3 30.0 40.0 50.0 60.0>", export.Notes{}},
		{"an entry with a missing band is left out, and its clipped values are not counted", full(record{"125": 1.2, "500": nil}), nil, nil, false,
			"", "", export.Notes{LeftOut: 1}},
		{"two of three third octaves give no octave", full(record{"125": nil}), record{"100": 0.1, "125": 0.1}, nil, false, "", "",
			export.Notes{LeftOut: 1}},
		{"held: of two equally near bands the lower one", full(record{"500": nil}), nil, nil, true,
			"[0.1, 0.2, 0.2, 0.4, 0.5, 0.6]", "<10.0 20.0 20.0 40.0 50.0 60.0>", export.Notes{Held: 1}},
		{"held: the upper band if it is nearer", full(record{"125": nil, "250": nil}), nil, nil, true,
			"[0.3, 0.3, 0.3, 0.4, 0.5, 0.6]", "<30.0 30.0 30.0 40.0 50.0 60.0>", export.Notes{Held: 2}},
		{"held: a band outside of the requested bands can be the nearest", full(record{"125": nil, "63": 0.05}), nil, nil, true,
			"[0.05, 0.2, 0.3, 0.4, 0.5, 0.6]", "<5.0 20.0 30.0 40.0 50.0 60.0>", export.Notes{Held: 1}},
		{"a value that is held and clipped is counted twice", full(record{"2000": 1.1, "4000": nil}), nil, nil, true, "[0.1, 0.2, 0.3, 0.4, 1, 1]",
			"<10.0 20.0 30.0 40.0 100.0 100.0>", export.Notes{Clipped: 2, Held: 1}},
		{"an entry without bands is left out, also with hold", record{}, nil, nil, true, "", "", export.Notes{LeftOut: 1}},
		{"other bands, which CATT ignores", full(record{"63": 0.05}), nil, []int{63, 4000}, false, "[0.05, 0.6]",
			"<10.0 20.0 30.0 40.0 50.0 60.0>", export.Notes{}},
		{"other bands that are held", full(nil), nil, []int{63, 125, 8000}, true, "[0.1, 0.1, 0.6]", "",
			export.Notes{Held: 2}},
	} {
		e := record{"alpha_s_octave": test.octave}
		if test.third != nil {
			e["alpha_s_third_octave"] = test.third
		}
		scattering := record{"source_kind": "measured", "scatter_octave": test.octave,
			"scatter_third_octave": e["alpha_s_third_octave"]}
		if test.want == "" || test.notes.Clipped == 0 { // scattering coefficients may be up to 1.2
			o := export.Options{Format: export.Pyroomacoustics, Bands: test.bands, Hold: test.hold}
			text,
				notes := written(t,
				build(t, records(t, record{"measurements": record{"scatter_iso_17497_1": []record{scattering}}})), o)
			if _, table, _ := loadPyroomacoustics(t, text); notes != test.notes || len(table) != min(len(test.want), 1) ||
				!strings.Contains(string(text), test.want) {
				t.Errorf("%s, of scattering: %v, no %s in %s", test.rule, notes, test.want, text)
			}
		}
		g := build(t, records(t, record{"measurements": absorption(e)}))
		for format, want := range map[export.Format]string{export.Pyroomacoustics: test.want, export.CATT: test.percent} {
			o := export.Options{Format: format, Bands: test.bands, Hold: test.hold}
			if format == export.CATT && test.bands != nil && test.hold {
				continue // the expected values are for other bands
			}
			text, notes := written(t, g, o)
			if notes != test.notes {
				t.Errorf("%s, %s: %v, want %v", test.rule, format, notes, test.notes)
			}
			if found := strings.Contains(string(text), "product-0"); found != (want != "") ||
				!strings.Contains(string(text), want) {
				t.Errorf("%s: no %s in %s", test.rule, want, text)
			}
		}
	}
}

func TestOnlySimulatorsHaveNotes(t *testing.T) {
	g := build(t, hard(t))
	for _, o := range formats {
		_, notes := written(t, g, o)
		simulator := o.Format == export.Pyroomacoustics || o.Format == export.CATT
		if (notes != export.Notes{}) != simulator {
			t.Errorf("%+v: %v", o, notes)
		}
	}
	if got, want := fmt.Sprint(export.Notes{Clipped: 12, Raised: 1, LeftOut: 3}),
		"clipped=12; raised=1; left_out=3; held=0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
