package export_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"testing"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/dataset/synthetic"
	"sabine/indexes/snapshot"
	"sabine/runtime"
	"sabine/serve/export"
)

// build compiles inputs and opens the snapshot.
func build(t testing.TB, inputs ...dataset.Input) *runtime.Generation {
	t.Helper()
	g, _ := buildFile(t, inputs...)
	return g
}

// buildFile is like build, and also returns the path of the snapshot.
func buildFile(t testing.TB, inputs ...dataset.Input) (*runtime.Generation, string) {
	t.Helper()
	folder := snapshot.Folder{Dir: t.TempDir()}
	report, err := compiler.Build(context.Background(), compiler.Options{Inputs: inputs, Folder: folder})
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(folder.Dir, report.File)
	g, err := runtime.Open(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g, path
}

func input(name string, text []byte) dataset.Input {
	return dataset.Input{Name: name, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(text)), nil
	}}
}

// record is a source record or an object in one.
type record = map[string]any

// records returns a catalogue with the given records, adding defaults for missing required fields.
func records(t testing.TB, list ...record) dataset.Input {
	t.Helper()
	var text bytes.Buffer
	for i, r := range list {
		full := record{
			"id": fmt.Sprintf("00000000-0000-4000-8000-%012d", i), "slug": fmt.Sprintf("product-%d", i),
			"label": fmt.Sprint("Product ", i), "manufacturer": "Acme",
		}
		for key, value := range r {
			full[key] = value
		}
		line, err := json.Marshal(full)
		if err != nil {
			t.Fatal(err)
		}
		text.Write(append(line, '\n'))
	}
	return input("records.ndjson", text.Bytes())
}

// absorption returns measurements with the given ISO 354 entries.
func absorption(entries ...record) record {
	for _, e := range entries {
		if e["source_kind"] == nil {
			e["source_kind"] = "measured"
		}
	}
	return record{"absorption_iso_354": entries}
}

// octaves returns a curve with the octaves from 125 Hz upwards.
func octaves(values ...float64) record {
	m := record{}
	for i, v := range values {
		m[fmt.Sprint(125<<i)] = v
	}
	return m
}

func generated(t testing.TB, n int, seed uint64) dataset.Input {
	t.Helper()
	var text bytes.Buffer
	if err := synthetic.Generate(&text, n, seed); err != nil {
		t.Fatal(err)
	}
	return input("generated.ndjson", text.Bytes())
}

// written returns the export of all products, and the notes of the export.
func written(t testing.TB, g *runtime.Generation, o export.Options) ([]byte, export.Notes) {
	t.Helper()
	products := g.Select(&runtime.Query{})
	n, err := export.NotesOf(products, &o, context.Background().Err)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := export.Write(&out, products, &o, n); err != nil {
		t.Fatal(err)
	}
	return out.Bytes(), n
}

// hard returns a catalogue with values that are difficult to represent in a table.
func hard(t testing.TB) dataset.Input {
	return records(t,
		record{"slug": nil, "label": "=1+1", "manufacturer": "@home", "commercial_name": "", "description": "",
			"structured_meta": record{}},
		record{
			"label": record{"de": "'zitiert'", "en": "+49, \"quoted\"; semicolon"}, "description": record{"de": "zwei\nZeilen",
				"en": ""},
			"commercial_name": "\ttab", "installation_types": []string{"wall", "a,b", " c ", "=d"}, "fire_class": "Bfl-s1",
			"data_source": "ptb", "purchasable": true,
			"material_category": "-holz", "absorption_character": "tief ton",
			"updated_at":   "2026-01-31T12:00:00.123456789+02:00",
			"manufacturer": record{"id": "12345678-1234-4234-8234-123456789abc", "slug": "acme-gmbh", "name": "Acme GmbH"},
			"alpha_w":      0.3, "alpha_w_min": 0, "has_epd": true, "url": "https://example.org/?a=1;b=2,3",
			"epd_url":         "https://example.org/epd",
			"structured_meta": record{"Gewicht; kg": "1,5", "=x": "\"\""},
			"images": []record{{"url": "https://example.org/a.jpg", "filename": "a.jpg", "display_order": 2},
				{"id": "b", "url": "https://example.org/b.jpg"}},
			"geometry": record{"shape": "panel", "bounding_box_mm": record{"width": 600, "height": 600.5,
				"depth": 0.0000001}},
			"measurements": record{
				"absorption_iso_354": []record{
					{"id": "-x", "label": "@1", "source_kind": "measured", "mounting": "", "measuring_option": "＝a\"b",
						"thickness_mm": 1e-7, "air_gap_mm": 1e22, "calculated_absorption": -0.5, "alpha_s_octave": record{}},
					{"id": "-x", "source_kind": "simulated", "measuring_option": "'＋1", "source_norm": "ISO 354:2003",
						"mounting": "E-400", "alpha_s_octave": octaves(-0.05, 1.2, 0.333333), "alpha_s_third_octave": record{"50": 0.1,
							"10000": 2}},
				},
				"scatter_iso_17497_1": []record{{"source_kind": "literature", "scatter_octave": octaves(0.1, 0.2),
					"scatter_third_octave": record{"630": 1.17}}},
				"diffusion_iso_17497_2": []record{
					{"source_kind": "measured", "limit_frequency_hz": 400, "diffusion_octave": octaves(0.1),
						"diffusion_third_octave":      octaves(0.2),
						"normalized_diffusion_octave": octaves(0.3), "normalized_diffusion_third_octave": octaves(0.4),
						"directional_diffusion_octave":       octaves(0.5),
						"directional_diffusion_third_octave": octaves(0.6), "normalized_directional_diffusion_octave": octaves(0.7),
						"normalized_directional_diffusion_third_octave": record{}},
				},
			},
		},
		record{"absorption_octave": octaves(0.1, 0.15, 0.2, 0.25, 0.3, 0.35), "has_epd": false, "images": []record{},
			"installation_types": []string{"wall", "ceiling"}},
		record{"absorption_octave": record{}, "measurements": absorption(record{"mounting": "A"}), "alpha_w_min": 0.4,
			"purchasable": false},
		record{"description": record{"de": "deutsch", "en": "English", "fr": "français"},
			"measurements": absorption(record{"alpha_s_octave": record{"63": 0.1, "8000": 0.2}})},
	)
}

// catalogues returns the catalogues for testing every format. With -short, it omits the largest one.
func catalogues(t testing.TB) map[string][]dataset.Input {
	all := map[string][]dataset.Input{"generated": {generated(t, 60, 1)}, "hard": {hard(t)}}
	if !testing.Short() {
		all["sample"] = dataset.Sample()
	}
	return all
}
