package products_test

import (
	"testing"

	"sabine/dataset/importers/products"
)

func TestRowsOfOneProductBecomeItsRecord(t *testing.T) {
	for _, test := range []struct {
		rule, table string
		want        string // the record without its id
	}{
		{
			rule: "one row",
			table: `
				label|manufacturer|alpha_s_octave 500
				A|X|.5`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs", "source_kind": "literature", "alpha_s_octave": {"500": 0.5}}
					]
				}
			}`,
		},
		{
			rule: "rows differ in thickness",
			table: `
				label|manufacturer|thickness_mm|alpha_s_octave 500
				A|X|40|.5
				A|X|20|.3`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs-t20", "source_kind": "literature", "thickness_mm": 20,
							"alpha_s_octave": {"500": 0.3}},
						{"id": "abs-t40", "source_kind": "literature", "thickness_mm": 40,
							"alpha_s_octave": {"500": 0.5}}
					]
				}
			}`,
		},
		{
			rule: "a text that is the same is the product's, one that differs the set-up's",
			table: `
				label|manufacturer|Farbe|Gewicht|description|alpha_s_octave 500
				A|X|rot|3 kg|hart|.5
				A|X|blau|3 kg|weich|.3`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"structured_meta": {"Gewicht": "3 kg"},
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs-35b64b9f", "source_kind": "literature",
							"measuring_option": "Farbe: blau; description: weich",
							"alpha_s_octave": {"500": 0.3}},
						{"id": "abs-44d67b45", "source_kind": "literature",
							"measuring_option": "Farbe: rot; description: hart", "alpha_s_octave": {"500": 0.5}}
					]
				}
			}`,
		},
		{
			rule: "a text that only some rows have is the product's",
			table: `
				label|manufacturer|Farbe|thickness_mm|alpha_s_octave 500
				A|X|rot|20|.5
				A|X||40|.3`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"structured_meta": {"Farbe": "rot"},
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs-t20", "source_kind": "literature", "thickness_mm": 20,
							"alpha_s_octave": {"500": 0.5}},
						{"id": "abs-t40", "source_kind": "literature", "thickness_mm": 40,
							"alpha_s_octave": {"500": 0.3}}
					]
				}
			}`,
		},
		{
			rule: "unless it separates contradicting values",
			table: `
				label|manufacturer|Farbe|thickness_mm|alpha_s_octave 500
				A|X|rot|20|.5
				A|X||20|.3`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs-t20-e3b0c442", "source_kind": "literature", "thickness_mm": 20,
							"alpha_s_octave": {"500": 0.3}},
						{"id": "abs-t20-8ddf6e16", "source_kind": "literature",
							"measuring_option": "Farbe: rot", "thickness_mm": 20,
							"alpha_s_octave": {"500": 0.5}}
					]
				}
			}`,
		},
		{
			rule: "bands of one set-up are merged",
			table: `
				label|manufacturer|alpha_s_octave 500|alpha_s_third_octave 630
				A|X|.5|
				A|X||.3`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs", "source_kind": "literature", "alpha_s_octave": {"500": 0.5},
							"alpha_s_third_octave": {"630": 0.3}}
					]
				}
			}`,
		},
		{
			rule: "a row a band: octaves",
			table: `
				label|manufacturer|thickness_mm|alpha_s 500|alpha_s 1000
				A|X|20|.5|
				A|X|20||.3
				A|X|40||.4`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs-t20", "source_kind": "literature", "thickness_mm": 20,
							"alpha_s_octave": {"500": 0.5, "1000": 0.3}},
						{"id": "abs-t40", "source_kind": "literature", "thickness_mm": 40,
							"alpha_s_octave": {"1000": 0.4}}
					]
				}
			}`,
		},
		{
			rule: "a row a band: third octaves",
			table: `
				label|manufacturer|alpha_s 500|alpha_s 630
				A|X|.5|
				A|X||.3`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs", "source_kind": "literature", "alpha_s_third_octave": {"500": 0.5,
							"630": 0.3}}
					]
				}
			}`,
		},
		{
			rule: "what differs from band to band is no set-up's",
			table: `
				label|manufacturer|Variante|U95|alpha_s 500|alpha_s 630
				A|X|glatt|0.01|.5|
				A|X|glatt|0.02||.3
				A|X|rau|0.03|.6|
				A|X|rau|0.04||.7`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"structured_meta": {"U95 (abs-100fc2de)": "500 Hz: 0.01; 630 Hz: 0.02",
					"U95 (abs-a6d2d86b)": "500 Hz: 0.03; 630 Hz: 0.04"},
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs-100fc2de", "source_kind": "literature",
							"measuring_option": "Variante: glatt", "alpha_s_third_octave": {"500": 0.5,
							"630": 0.3}},
						{"id": "abs-a6d2d86b", "source_kind": "literature",
							"measuring_option": "Variante: rau", "alpha_s_third_octave": {"500": 0.6,
							"630": 0.7}}
					]
				}
			}`,
		},
		{
			rule: "two quantities in a row",
			table: `
				label|manufacturer|mounting|thickness_mm|alpha_s_octave 500|scatter_octave 500|diffusion_octave 500|limit_frequency_hz
				A|X|E-400 (EN)|20|.5|.6|.7|800`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs-e-400-en-t20", "source_kind": "literature", "mounting": "E-400 (EN)",
							"thickness_mm": 20, "alpha_s_octave": {"500": 0.5}}
					],
					"scatter_iso_17497_1": [
						{"id": "sca-e-400-en-t20", "source_kind": "literature",
							"measuring_option": "Dicke: 20 mm; Einbauart: E-400 (EN)",
							"scatter_octave": {"500": 0.6}}
					],
					"diffusion_iso_17497_2": [
						{"id": "dif-e-400-en-t20", "source_kind": "measured",
							"measuring_option": "Dicke: 20 mm; Einbauart: E-400 (EN)",
							"limit_frequency_hz": 800, "diffusion_octave": {"500": 0.7}}
					]
				}
			}`,
		},
		{
			rule: "entries by number, then given ids, then mounting, thickness and gap",
			table: `
				label|manufacturer|entry_number|entry_id|mounting|thickness_mm|air_gap_mm|alpha_s_octave 500
				A|X||||100||.1
				A|X||||20||.1
				A|X||||20|50|.1
				A|X|||A|20||.1
				A|X||x10||||.1
				A|X||x2||||.1
				A|X|2|||||.1
				A|X|1|||||.1`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs-9675a2e9", "source_kind": "literature", "alpha_s_octave": {"500": 0.1}},
						{"id": "abs-f2086dc3", "source_kind": "literature", "alpha_s_octave": {"500": 0.1}},
						{"id": "abs-t20", "source_kind": "literature", "thickness_mm": 20,
							"alpha_s_octave": {"500": 0.1}},
						{"id": "abs-t20-g50", "source_kind": "literature", "thickness_mm": 20,
							"air_gap_mm": 50, "alpha_s_octave": {"500": 0.1}},
						{"id": "abs-t100", "source_kind": "literature", "thickness_mm": 100,
							"alpha_s_octave": {"500": 0.1}},
						{"id": "abs-a-t20", "source_kind": "literature", "mounting": "A", "thickness_mm": 20,
							"alpha_s_octave": {"500": 0.1}},
						{"id": "x2", "source_kind": "literature", "alpha_s_octave": {"500": 0.1}},
						{"id": "x10", "source_kind": "literature", "alpha_s_octave": {"500": 0.1}}
					]
				}
			}`,
		},
		{
			rule: "a mounting in several spellings is one, which other texts are not",
			table: `
				label|manufacturer|mounting|alpha_s_octave 250|alpha_s_octave 500|alpha_s_octave 1000
				A|X|Typ A|.1|.2|
				A|X|A||.2|.3
				A|X|Aufbau A||.9|
				A|X|Typ E 400|||.6
				A|X|E400||.5|
				A|X|Type E-400|.4||`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs-a", "source_kind": "literature", "mounting": "A",
							"alpha_s_octave": {"250": 0.1, "500": 0.2, "1000": 0.3}},
						{"id": "abs-aufbau-a", "source_kind": "literature", "mounting": "Aufbau A",
							"alpha_s_octave": {"500": 0.9}},
						{"id": "abs-e400", "source_kind": "literature", "mounting": "E400",
							"alpha_s_octave": {"250": 0.4, "500": 0.5, "1000": 0.6}}
					]
				}
			}`,
		},
		{
			rule: "a mounting in one spelling has its text, its id and its place",
			table: `
				label|manufacturer|mounting|alpha_s_octave 500
				A|X|B|.1
				A|X|Typ A|.2
				A|X|Typ A|.2`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs-b", "source_kind": "literature", "mounting": "B",
							"alpha_s_octave": {"500": 0.1}},
						{"id": "abs-typ-a", "source_kind": "literature", "mounting": "Typ A",
							"alpha_s_octave": {"500": 0.2}}
					]
				}
			}`,
		},
		{
			rule: "practical coefficients are the product's",
			table: `
				label|manufacturer|thickness_mm|mounting|alpha_p_octave 250|alpha_p_octave 500
				A|X|40|A|.5|.6`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"absorption_octave": {"250": 0.5, "500": 0.6},
				"structured_meta": {"Dicke": "40 mm", "mounting": "A"}
			}`,
		},
		{
			rule: "the most absorptive set-up, and all as text",
			table: `
				label|manufacturer|thickness_mm|alpha_p_octave 250|alpha_p_octave 500
				A|X|20|.3|.4
				A|X|40|.5|.6`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"absorption_octave": {"250": 0.5, "500": 0.6},
				"structured_meta": {"αp (Dicke: 20 mm)": "250 Hz 0.3, 500 Hz 0.4",
					"αp (Dicke: 40 mm)": "250 Hz 0.5, 500 Hz 0.6"}
			}`,
		},
		{
			rule: "several alpha_w",
			table: `
				label|manufacturer|thickness_mm|alpha_w|alpha_s_octave 500
				A|X|20|0.4|.5
				A|X|40|0.7|.5`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"alpha_w": 0.7,
				"alpha_w_min": 0.4,
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs-t20", "source_kind": "literature", "measuring_option": "alpha_w: 0.4",
							"thickness_mm": 20, "alpha_s_octave": {"500": 0.5}},
						{"id": "abs-t40", "source_kind": "literature", "measuring_option": "alpha_w: 0.7",
							"thickness_mm": 40, "alpha_s_octave": {"500": 0.5}}
					]
				}
			}`,
		},
		{
			rule: "shape indicators of one alpha_w of several",
			table: `
				label|manufacturer|thickness_mm|alpha_w|shape_indicators|alpha_s_octave 500
				A|X|20|0.4|MH|.5
				A|X|40|0.7||.5`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"alpha_w": 0.7,
				"alpha_w_min": 0.4,
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs-t20", "source_kind": "literature",
							"measuring_option": "alpha_w: 0.4; shape_indicators: MH", "thickness_mm": 20,
							"alpha_s_octave": {"500": 0.5}},
						{"id": "abs-t40", "source_kind": "literature", "measuring_option": "alpha_w: 0.7",
							"thickness_mm": 40, "alpha_s_octave": {"500": 0.5}}
					]
				}
			}`,
		},
		{
			rule: "the class and the shape indicators of the largest alpha_w",
			table: `
				label|manufacturer|thickness_mm|alpha_w|absorption_class|shape_indicators
				A|X|20|0.4|D|MH
				A|X|40|0.7|C|L`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"alpha_w": 0.7,
				"alpha_w_min": 0.4,
				"structured_meta": {"Absorberklasse": "C", "Formindikatoren": "L", "Aufbau": "Dicke: 20 mm; ` +
				`absorption_class: D; alpha_w: 0.4; shape_indicators: MH | Dicke: 40 mm; absorption_class: C; ` +
				`alpha_w: 0.7; shape_indicators: L"}
			}`,
		},
		{
			rule: "not those of another one",
			table: `
				label|manufacturer|thickness_mm|alpha_w|absorption_class
				A|X|20|0.4|D
				A|X|40|0.7|
				A|X|60|0.5|C`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"alpha_w": 0.7,
				"alpha_w_min": 0.4,
				"structured_meta": {"Aufbau": "Dicke: 20 mm; absorption_class: D; alpha_w: 0.4 | Dicke: 40 mm; ` +
				`alpha_w: 0.7 | Dicke: 60 mm; absorption_class: C; alpha_w: 0.5"}
			}`,
		},
		{
			rule: "alpha_w without coefficients",
			table: `
				label|manufacturer|thickness_mm|alpha_w
				A|X|20|0.4
				A|X|40|0.7`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"alpha_w": 0.7,
				"alpha_w_min": 0.4,
				"structured_meta": {"Aufbau": "Dicke: 20 mm; alpha_w: 0.4 | Dicke: 40 mm; alpha_w: 0.7"}
			}`,
		},
		{
			rule: "the words of the vocabulary",
			table: `
				label|manufacturer|material_category|absorption_character|installation_types|alpha_s_octave 500
				A|X|Rock-Wool|full-range|Decke; WAND, Dach|.5
				A|X|mineralwolle|Full Range|wall|.5`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"material_category": "mineralwolle",
				"absorption_character": "breitband",
				"installation_types": ["Dach", "ceiling", "wall"],
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs", "source_kind": "literature", "alpha_s_octave": {"500": 0.5}}
					]
				}
			}`,
		},
		{
			rule: "a shape and three lengths",
			table: `
				label|manufacturer|shape|width_mm|height_mm|depth_mm|alpha_s_octave 500
				A|X|panel|600|1200|40|.5`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"geometry": {"shape": "panel", "bounding_box_mm": {"width": 600, "height": 1200, "depth": 40}},
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs", "source_kind": "literature", "alpha_s_octave": {"500": 0.5}}
					]
				}
			}`,
		},
		{
			rule: "a shape and a size",
			table: `
				label|manufacturer|shape|size|alpha_s_octave 500
				A|X|box|600 x 1200 x 45|.5`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"geometry": {"shape": "box", "bounding_box_mm": {"width": 600, "height": 1200, "depth": 45}},
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs", "source_kind": "literature", "alpha_s_octave": {"500": 0.5}}
					]
				}
			}`,
		},
		{
			rule: "only a size",
			table: `
				label|manufacturer|size|width_mm|alpha_s_octave 500
				A|X|600 x 600 x 40|600|.5`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"structured_meta": {"Abmessungen": "600 x 600 x 40", "Breite (mm)": "600"},
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs", "source_kind": "literature", "alpha_s_octave": {"500": 0.5}}
					]
				}
			}`,
		},
		{
			rule: "images",
			table: `
				label|manufacturer|images|alpha_s_octave 500
				A|X|[{"url":"https://a.test/1.jpg"},{"url":"https://a.test/2.jpg"}]|.5`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"images": [{"url": "https://a.test/1.jpg"}, {"url": "https://a.test/2.jpg"}],
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs", "source_kind": "literature", "alpha_s_octave": {"500": 0.5}}
					]
				}
			}`,
		},
		{
			rule: "recognised fields without a field in the record",
			table: `
				label|manufacturer|article_number|material|source|laboratory|test_date|nrc|absorption_class|shape_indicators|alpha_s_octave 500
				A|X|47|Holz|Blatt|PTB|2024-05-06|0.5|C|MH|.5`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"structured_meta": {"Absorberklasse": "C", "Artikelnummer": "47", "Formindikatoren": "MH",
					"Material": "Holz", "NRC": "0.5", "Prüfdatum": "2024-05-06", "Prüfinstitut": "PTB",
					"Quelle": "Blatt"},
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs", "source_kind": "literature", "alpha_s_octave": {"500": 0.5}}
					]
				}
			}`,
		},
		{
			rule: "a material is the name where there is none",
			table: `
				material|manufacturer|alpha_s_octave 500
				A|X|.5`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"measurements": {
					"absorption_iso_354": [
						{"id": "abs", "source_kind": "literature", "alpha_s_octave": {"500": 0.5}}
					]
				}
			}`,
		},
		{
			rule: "a set-up without measurement",
			table: `
				label|manufacturer|thickness_mm|mounting|Farbe
				A|X|20|E|rot`,
			want: `{
				"label": "A",
				"manufacturer": "X",
				"structured_meta": {"Dicke": "20 mm", "Farbe": "rot", "mounting": "E"}
			}`,
		},
		{
			rule: "our own table",
			table: `
				label|manufacturer|manufacturer_slug|manufacturer_id|norm|entry_number|entry_id|structured_meta|images|geometry|installation_types|empty|published
				A|X|x-1|6ba7b810-9dad-11d1-80b4-00c04fd430c8|ISO 17497-2|1|d|{"b":1,"a":"x"}|[]|{"shape":"sheet","bounding_box_mm":{"width":1,"height":2,"depth":3}}|["wall"]|description commercial_name measuring_option diffusion_octave|true`,
			want: `{
				"label": "A",
				"commercial_name": "",
				"description": "",
				"manufacturer": {"id": "6ba7b810-9dad-11d1-80b4-00c04fd430c8", "slug": "x-1", "name": "X"},
				"installation_types": ["wall"],
				"structured_meta": {"a": "x", "b": "1"},
				"geometry": {"shape": "sheet", "bounding_box_mm": {"width": 1, "height": 2, "depth": 3}},
				"measurements": {
					"diffusion_iso_17497_2": [
						{"id": "d", "source_kind": "measured", "measuring_option": "", "diffusion_octave": {}}
					]
				}
			}`,
		}} {
		t.Run(test.rule, func(t *testing.T) {
			out := outcomeOf(t, products.Options{}, rowsOf("a.csv", test.table)...)
			if len(out.records) != 1 || len(out.faults) > 0 {
				t.Fatalf("%d records, faults %q", len(out.records), out.faults)
			}
			sameJSON(t, out.records[0], test.want)
		})
	}
}
