package table

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

// readingsOf reads a table of this test: cells parted by "|", the first line naming fields, bands such as "alpha_s_octave 125", or anything
// else. Nothing of how people write numbers and names is known here.
func readingsOf(name, text string) (list []*reading) {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	t := &tableContext{input: name, long: strings.Contains(text, "alpha_s ")} // a band without a resolution
	for _, header := range cellsOf(lines[0]) {
		c := Column{Header: header}
		if what, hz, ok := strings.Cut(header, " "); ok && strings.Trim(hz, "0123456789") == "" {
			c.BandHz, _ = strconv.Atoi(hz)
			for _, r := range []Resolution{Octave, ThirdOctave} { // "_octave" ends "_third_octave" too
				if base, ok := strings.CutSuffix(what, "_"+string(r)); ok {
					c.Quantity, c.Resolution = Quantity(base), r
				}
			}
			if c.Quantity == "" {
				c.Quantity = Quantity(what)
			}
		} else if _, known := topicKinds[Field(header)]; known || metaKeys[Field(header)] != "" || slices.Contains([]string{"thickness_mm", "air_gap_mm", "overall_depth_mm"}, header) {
			c.Field = Field(header)
		}
		t.columns = append(t.columns, c)
	}
	for i, line := range lines[1:] {
		if r := t.testReading(i+2, cellsOf(line)); r != nil {
			list = append(list, r)
		}
	}
	return list
}

func cellsOf(line string) []string {
	list := strings.Split(line, "|")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	return list
}

func (t *tableContext) testReading(number int, cells []string) *reading {
	r := &reading{table: t, row: number, line: number}
	for i, text := range cells {
		if text == "" {
			continue
		}
		c := &t.columns[i]
		v, _ := strconv.ParseFloat(text, 64)
		switch {
		case c.BandHz > 0:
			n := slices.IndexFunc(r.curves, func(k curve) bool { return k.quantity == c.Quantity && k.resolution == c.Resolution })
			if n < 0 {
				n, r.curves = len(r.curves), append(r.curves, curve{quantity: c.Quantity, resolution: c.Resolution})
			}
			r.curves[n].points = append(r.curves[n].points, acoustics.Point{BandHz: c.BandHz, Value: v})
		case c.Field == FieldThickness:
			r.thicknessMM = &v
		case c.Field == FieldAirGap:
			r.airGapMM = &v
		case c.Field == FieldOverallDepth:
			r.overallDepthMM = &v
		case c.Field == FieldNone:
			r.rest = append(r.rest, product.MetaEntry{Key: c.Header, Value: text})
		default:
			r.texts = append(r.texts, fieldText{c.Field, text, c.Header, i + 1})
		}
	}
	return r
}

// made is what readings became.
type made struct {
	records          []string // JSON
	faults, warnings []string // with their places, those of the records and those of the conversion
}

func recordsOf(t testing.TB, o Options, v *dataset.Vocabulary, readings []*reading) (m made) {
	t.Helper()
	c := &dataset.Conversion{Vocabulary: v, Warn: func(f dataset.Fault) { m.warnings = append(m.warnings, f.Error()) }}
	p := newProducts(&o, c)
	for _, r := range readings {
		p.add(r)
	}
	checker := dataset.NewChecker()
	err := p.yield(func(raw dataset.Raw, fault *dataset.Fault) bool {
		if fault != nil {
			m.faults = append(m.faults, fault.Error())
			return true
		}
		if !json.Valid(raw.JSON) {
			t.Errorf("no JSON: %s", raw.JSON)
		}
		parsed := dataset.Parse(raw)
		for i := range parsed.Faults {
			m.faults = append(m.faults, parsed.Faults[i].Error())
		}
		for i := range parsed.Warnings {
			m.warnings = append(m.warnings, parsed.Warnings[i].Error())
		}
		if len(parsed.Unknown) > 0 {
			t.Errorf("unknown fields %q in %s", parsed.Unknown, raw.JSON)
		}
		if parsed.Product != nil {
			faults, _ := checker.Add(raw.Place, parsed.Product)
			for i := range faults {
				m.faults = append(m.faults, faults[i].Error())
			}
		}
		m.records = append(m.records, string(raw.JSON))
		return true
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestRowsOfOneProductBecomeItsRecord(t *testing.T) {
	for _, test := range []struct {
		rule, table string
		want        string // the one record behind its label
	}{
		{"one row", `label|manufacturer|alpha_s_octave 500
A|X|.5`,
			`{"de":"A"},"manufacturer":"X","measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"literature","alpha_s_octave":{"500":0.5}}]}}`},
		{"rows differ in thickness", `label|manufacturer|thickness_mm|alpha_s_octave 500
A|X|40|.5
A|X|20|.3`,
			`{"de":"A"},"manufacturer":"X","measurements":{"absorption_iso_354":[{"id":"abs-t20","source_kind":"literature","thickness_mm":20,"alpha_s_octave":{"500":0.3}},{"id":"abs-t40","source_kind":"literature","thickness_mm":40,"alpha_s_octave":{"500":0.5}}]}}`},
		{"a text that is the same is the product's, one that differs the set-up's", `label|manufacturer|Farbe|Gewicht|description|alpha_s_octave 500
A|X|rot|3 kg|hart|.5
A|X|blau|3 kg|weich|.3`,
			`{"de":"A"},"manufacturer":"X","structured_meta":{"Gewicht":"3 kg"},"measurements":{"absorption_iso_354":[{"id":"abs-35b64b9f","source_kind":"literature","measuring_option":"Farbe: blau; description: weich","alpha_s_octave":{"500":0.3}},{"id":"abs-44d67b45","source_kind":"literature","measuring_option":"Farbe: rot; description: hart","alpha_s_octave":{"500":0.5}}]}}`},
		{"a text that only some rows have is the product's", `label|manufacturer|Farbe|thickness_mm|alpha_s_octave 500
A|X|rot|20|.5
A|X||40|.3`,
			`{"de":"A"},"manufacturer":"X","structured_meta":{"Farbe":"rot"},"measurements":{"absorption_iso_354":[{"id":"abs-t20","source_kind":"literature","thickness_mm":20,"alpha_s_octave":{"500":0.5}},{"id":"abs-t40","source_kind":"literature","thickness_mm":40,"alpha_s_octave":{"500":0.3}}]}}`},
		{"unless it tells apart what contradicts each other", `label|manufacturer|Farbe|thickness_mm|alpha_s_octave 500
A|X|rot|20|.5
A|X||20|.3`,
			`{"de":"A"},"manufacturer":"X","measurements":{"absorption_iso_354":[{"id":"abs-t20-e3b0c442","source_kind":"literature","thickness_mm":20,"alpha_s_octave":{"500":0.3}},{"id":"abs-t20-8ddf6e16","source_kind":"literature","measuring_option":"Farbe: rot","thickness_mm":20,"alpha_s_octave":{"500":0.5}}]}}`},
		{"bands of one set-up unite", `label|manufacturer|alpha_s_octave 500|alpha_s_third_octave 630
A|X|.5|
A|X||.3`,
			`{"de":"A"},"manufacturer":"X","measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"literature","alpha_s_octave":{"500":0.5},"alpha_s_third_octave":{"630":0.3}}]}}`},
		{"a row a band: octaves", `label|manufacturer|thickness_mm|alpha_s 500|alpha_s 1000
A|X|20|.5|
A|X|20||.3
A|X|40||.4`,
			`{"de":"A"},"manufacturer":"X","measurements":{"absorption_iso_354":[{"id":"abs-t20","source_kind":"literature","thickness_mm":20,"alpha_s_octave":{"500":0.5,"1000":0.3}},{"id":"abs-t40","source_kind":"literature","thickness_mm":40,"alpha_s_octave":{"1000":0.4}}]}}`},
		{"a row a band: third octaves", `label|manufacturer|alpha_s 500|alpha_s 630
A|X|.5|
A|X||.3`,
			`{"de":"A"},"manufacturer":"X","measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"literature","alpha_s_third_octave":{"500":0.5,"630":0.3}}]}}`},
		{"what differs from band to band is no set-up's", `label|manufacturer|Variante|U95|alpha_s 500|alpha_s 630
A|X|glatt|0.01|.5|
A|X|glatt|0.02||.3
A|X|rau|0.03|.6|
A|X|rau|0.04||.7`,
			`{"de":"A"},"manufacturer":"X","structured_meta":{"U95 (abs-100fc2de)":"500 Hz: 0.01; 630 Hz: 0.02","U95 (abs-a6d2d86b)":"500 Hz: 0.03; 630 Hz: 0.04"},"measurements":{"absorption_iso_354":[{"id":"abs-100fc2de","source_kind":"literature","measuring_option":"Variante: glatt","alpha_s_third_octave":{"500":0.5,"630":0.3}},{"id":"abs-a6d2d86b","source_kind":"literature","measuring_option":"Variante: rau","alpha_s_third_octave":{"500":0.6,"630":0.7}}]}}`},
		{"two quantities in a row", `label|manufacturer|mounting|thickness_mm|alpha_s_octave 500|scatter_octave 500|diffusion_octave 500|limit_frequency_hz
A|X|E-400 (EN)|20|.5|.6|.7|800`,
			`{"de":"A"},"manufacturer":"X","measurements":{"absorption_iso_354":[{"id":"abs-e-400-en-t20","source_kind":"literature","mounting":"E-400 (EN)","thickness_mm":20,"alpha_s_octave":{"500":0.5}}],"scatter_iso_17497_1":[{"id":"sca-e-400-en-t20","source_kind":"literature","measuring_option":"Dicke: 20 mm; Einbauart: E-400 (EN)","scatter_octave":{"500":0.6}}],"diffusion_iso_17497_2":[{"id":"dif-e-400-en-t20","source_kind":"measured","measuring_option":"Dicke: 20 mm; Einbauart: E-400 (EN)","limit_frequency_hz":800,"diffusion_octave":{"500":0.7}}]}}`},
		{"entries by number, then given ids, then mounting, thickness and gap", `label|manufacturer|entry_number|entry_id|mounting|thickness_mm|air_gap_mm|alpha_s_octave 500
A|X||||100||.1
A|X||||20||.1
A|X||||20|50|.1
A|X|||A|20||.1
A|X||x10||||.1
A|X||x2||||.1
A|X|2|||||.1
A|X|1|||||.1`,
			`{"de":"A"},"manufacturer":"X","measurements":{"absorption_iso_354":[{"id":"abs-9675a2e9","source_kind":"literature","alpha_s_octave":{"500":0.1}},{"id":"abs-f2086dc3","source_kind":"literature","alpha_s_octave":{"500":0.1}},{"id":"abs-t20","source_kind":"literature","thickness_mm":20,"alpha_s_octave":{"500":0.1}},{"id":"abs-t20-g50","source_kind":"literature","thickness_mm":20,"air_gap_mm":50,"alpha_s_octave":{"500":0.1}},{"id":"abs-t100","source_kind":"literature","thickness_mm":100,"alpha_s_octave":{"500":0.1}},{"id":"abs-a-t20","source_kind":"literature","mounting":"A","thickness_mm":20,"alpha_s_octave":{"500":0.1}},{"id":"x2","source_kind":"literature","alpha_s_octave":{"500":0.1}},{"id":"x10","source_kind":"literature","alpha_s_octave":{"500":0.1}}]}}`},
		{"a mounting in several spellings is one, which other texts are not", `label|manufacturer|mounting|alpha_s_octave 250|alpha_s_octave 500|alpha_s_octave 1000
A|X|Typ A|.1|.2|
A|X|A||.2|.3
A|X|Aufbau A||.9|
A|X|Typ E 400|||.6
A|X|E400||.5|
A|X|Type E-400|.4||`,
			`{"de":"A"},"manufacturer":"X","measurements":{"absorption_iso_354":[{"id":"abs-a","source_kind":"literature","mounting":"A","alpha_s_octave":{"250":0.1,"500":0.2,"1000":0.3}},{"id":"abs-aufbau-a","source_kind":"literature","mounting":"Aufbau A","alpha_s_octave":{"500":0.9}},{"id":"abs-e400","source_kind":"literature","mounting":"E400","alpha_s_octave":{"250":0.4,"500":0.5,"1000":0.6}}]}}`},
		{"a mounting in one spelling has its text, its id and its place", `label|manufacturer|mounting|alpha_s_octave 500
A|X|B|.1
A|X|Typ A|.2
A|X|Typ A|.2`,
			`{"de":"A"},"manufacturer":"X","measurements":{"absorption_iso_354":[{"id":"abs-b","source_kind":"literature","mounting":"B","alpha_s_octave":{"500":0.1}},{"id":"abs-typ-a","source_kind":"literature","mounting":"Typ A","alpha_s_octave":{"500":0.2}}]}}`},
		{"an overall depth gives the air gap", `label|manufacturer|thickness_mm|overall_depth_mm|alpha_s_octave 500
A|X|20.1|60|.5`,
			`{"de":"A"},"manufacturer":"X","measurements":{"absorption_iso_354":[{"id":"abs-t20.1-g39.9","source_kind":"literature","thickness_mm":20.1,"air_gap_mm":39.9,"alpha_s_octave":{"500":0.5}}]}}`},
		{"alone it goes to structured_meta", `label|manufacturer|overall_depth_mm|alpha_s_octave 500
A|X|60|.5`,
			`{"de":"A"},"manufacturer":"X","structured_meta":{"Aufbauhöhe":"60 mm"},"measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"literature","alpha_s_octave":{"500":0.5}}]}}`},
		{"practical coefficients are the product's", `label|manufacturer|thickness_mm|mounting|alpha_p_octave 250|alpha_p_octave 500
A|X|40|A|.5|.6`,
			`{"de":"A"},"manufacturer":"X","absorption_octave":{"250":0.5,"500":0.6},"structured_meta":{"Dicke":"40 mm","mounting":"A"}}`},
		{"those of the most absorptive set-up, and all as text", `label|manufacturer|thickness_mm|alpha_p_octave 250|alpha_p_octave 500
A|X|20|.3|.4
A|X|40|.5|.6`,
			`{"de":"A"},"manufacturer":"X","absorption_octave":{"250":0.5,"500":0.6},"structured_meta":{"αp (Dicke: 20 mm)":"250 Hz 0.3, 500 Hz 0.4","αp (Dicke: 40 mm)":"250 Hz 0.5, 500 Hz 0.6"}}`},
		{"several alpha_w", `label|manufacturer|thickness_mm|alpha_w|alpha_s_octave 500
A|X|20|0.4|.5
A|X|40|0.7|.5`,
			`{"de":"A"},"manufacturer":"X","alpha_w":0.7,"alpha_w_min":0.4,"measurements":{"absorption_iso_354":[{"id":"abs-t20","source_kind":"literature","measuring_option":"alpha_w: 0.4","thickness_mm":20,"alpha_s_octave":{"500":0.5}},{"id":"abs-t40","source_kind":"literature","measuring_option":"alpha_w: 0.7","thickness_mm":40,"alpha_s_octave":{"500":0.5}}]}}`},
		{"shape indicators of one alpha_w of several", `label|manufacturer|thickness_mm|alpha_w|shape_indicators|alpha_s_octave 500
A|X|20|0.4|MH|.5
A|X|40|0.7||.5`,
			`{"de":"A"},"manufacturer":"X","alpha_w":0.7,"alpha_w_min":0.4,"measurements":{"absorption_iso_354":[{"id":"abs-t20","source_kind":"literature","measuring_option":"alpha_w: 0.4; shape_indicators: MH","thickness_mm":20,"alpha_s_octave":{"500":0.5}},{"id":"abs-t40","source_kind":"literature","measuring_option":"alpha_w: 0.7","thickness_mm":40,"alpha_s_octave":{"500":0.5}}]}}`},
		{"alpha_w without coefficients", `label|manufacturer|thickness_mm|alpha_w
A|X|20|0.4
A|X|40|0.7`,
			`{"de":"A"},"manufacturer":"X","alpha_w":0.7,"alpha_w_min":0.4,"structured_meta":{"Aufbau":"Dicke: 20 mm; alpha_w: 0.4 | Dicke: 40 mm; alpha_w: 0.7"}}`},
		{"the words of the vocabulary", `label|manufacturer|material_category|absorption_character|installation_types|alpha_s_octave 500
A|X|Rock-Wool|full-range|Decke; WAND, Dach|.5
A|X|mineralwolle|Full Range|wall|.5`,
			`{"de":"A"},"manufacturer":"X","material_category":"mineralwolle","absorption_character":"breitband","installation_types":["Dach","ceiling","wall"],"measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"literature","alpha_s_octave":{"500":0.5}}]}}`},
		{"a shape and three lengths", `label|manufacturer|shape|width_mm|height_mm|depth_mm|alpha_s_octave 500
A|X|panel|600|1200|40|.5`,
			`{"de":"A"},"manufacturer":"X","geometry":{"shape":"panel","bounding_box_mm":{"width":600,"height":1200,"depth":40}},"measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"literature","alpha_s_octave":{"500":0.5}}]}}`},
		{"a shape and a size", `label|manufacturer|shape|size|alpha_s_octave 500
A|X|box|600 x 1200 x 45|.5`,
			`{"de":"A"},"manufacturer":"X","geometry":{"shape":"box","bounding_box_mm":{"width":600,"height":1200,"depth":45}},"measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"literature","alpha_s_octave":{"500":0.5}}]}}`},
		{"a size alone", `label|manufacturer|size|width_mm|alpha_s_octave 500
A|X|600 x 600 x 40|600|.5`,
			`{"de":"A"},"manufacturer":"X","structured_meta":{"Abmessungen":"600 x 600 x 40","Breite (mm)":"600"},"measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"literature","alpha_s_octave":{"500":0.5}}]}}`},
		{"images", `label|manufacturer|images|alpha_s_octave 500
A|X|[{"url":"https://a.test/1.jpg"},{"url":"https://a.test/2.jpg"}]|.5`,
			`{"de":"A"},"manufacturer":"X","images":[{"url":"https://a.test/1.jpg"},{"url":"https://a.test/2.jpg"}],"measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"literature","alpha_s_octave":{"500":0.5}}]}}`},
		{"recognised fields without a field in the record", `label|manufacturer|article_number|material|source|laboratory|test_date|nrc|absorption_class|shape_indicators|alpha_s_octave 500
A|X|47|Holz|Blatt|PTB|2024-05-06|0.5|C|MH|.5`,
			`{"de":"A"},"manufacturer":"X","structured_meta":{"Absorberklasse":"C","Artikelnummer":"47","Formindikatoren":"MH","Material":"Holz","NRC":"0.5","Prüfdatum":"2024-05-06","Prüfinstitut":"PTB","Quelle":"Blatt"},"measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"literature","alpha_s_octave":{"500":0.5}}]}}`},
		{"a material is the name where there is none", `material|manufacturer|alpha_s_octave 500
A|X|.5`,
			`{"de":"A"},"manufacturer":"X","measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"literature","alpha_s_octave":{"500":0.5}}]}}`},
		{"a set-up without measurement", `label|manufacturer|thickness_mm|mounting|Farbe
A|X|20|E|rot`,
			`{"de":"A"},"manufacturer":"X","structured_meta":{"Dicke":"20 mm","Farbe":"rot","mounting":"E"}}`},
		{"our own table", `label|manufacturer|manufacturer_slug|manufacturer_id|norm|entry_number|entry_id|structured_meta|images|geometry|installation_types|empty|published
A|X|x-1|6ba7b810-9dad-11d1-80b4-00c04fd430c8|ISO 17497-2|1|d|{"b":1,"a":"x"}|[]|{"shape":"sheet","bounding_box_mm":{"width":1,"height":2,"depth":3}}|["wall"]|description commercial_name measuring_option diffusion_octave|true`,
			`{"de":"A"},"commercial_name":"","description":{"de":""},"manufacturer":{"id":"6ba7b810-9dad-11d1-80b4-00c04fd430c8","slug":"x-1","name":"X"},"installation_types":["wall"],"structured_meta":{"b":1,"a":"x"},"images":[],"geometry":{"shape":"sheet","bounding_box_mm":{"width":1,"height":2,"depth":3}},"measurements":{"diffusion_iso_17497_2":[{"id":"d","source_kind":"measured","measuring_option":"","diffusion_octave":{}}]}}`},
	} {
		m := recordsOf(t, Options{}, nil, readingsOf("a.csv", test.table))
		if len(m.records) != 1 {
			t.Errorf("%s: %d records", test.rule, len(m.records))
			continue
		}
		_, got, _ := strings.Cut(m.records[0], `"label":`)
		if got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.rule, got, test.want)
		}
		if len(m.faults) > 0 {
			t.Errorf("%s: faults %q", test.rule, m.faults)
		}
	}
}

func TestFaultsAndWarningsOfProducts(t *testing.T) {
	for _, test := range []struct {
		rule, table      string
		faults, warnings []string
	}{
		{"a row without a product", `label|manufacturer|alpha_s_octave 500
|X|.5`, []string{
			`a.csv:2[A2]: no product in this row: expected a name, an article number or an id`,
		}, nil},
		{"a row without a manufacturer", `label|alpha_s_octave 500
A|.5`, []string{
			`a.csv:2[A2]: no manufacturer in this row: expected a column such as Hersteller or manufacturer, --manufacturer of sabine import, or a manufacturer in the map`,
		}, nil},
		{"an id without a manufacturer", `id|label|alpha_s_octave 500
6ba7b810-9dad-11d1-80b4-00c04fd430c8|A|.5`, []string{
			`a.csv:2[A2]: product 6ba7b810-9dad-11d1-80b4-00c04fd430c8: manufacturer: none in the rows of this product: expected a column such as Hersteller or manufacturer, --manufacturer of sabine import, or a manufacturer in the map`,
		}, nil},
		{"an id with two", `id|label|manufacturer|alpha_s_octave 500
6ba7b810-9dad-11d1-80b4-00c04fd430c8|A|X|.5
6BA7B810-9dad-11d1-80b4-00c04fd430c8|A|Y|.5`, []string{
			`a.csv:3[A3]: product 6ba7b810-9dad-11d1-80b4-00c04fd430c8: manufacturer: "Y", but "X" in a.csv:2[A2]: expected one for a product`,
		}, []string{
			`a.csv:3[A3]: says nothing new of its set-up (1 row)`,
		}},
		{"two values for one set-up and band", `label|manufacturer|thickness_mm|alpha_s_octave 500
A|X|20|.5
A|X|20|.6
A|X|40|.6`, []string{
			`a.csv:3[D3]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: alpha_s_octave 500: 0.6 at 500 Hz, but 0.5 in a.csv:2[D2]: expected one value for a set-up and band`,
		}, nil},
		{"in a table with a row a band", `label|manufacturer|alpha_s 500
A|X|.5
A|X|.5
A|X|.7
A|X|.6`, []string{
			`a.csv:4[C4]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: alpha_s 500: 0.7 at 500 Hz, but 0.5 in a.csv:2[C2]: expected one value for a set-up and band`,
		}, []string{
			`a.csv:4[A4]: says nothing new of its set-up (1 row)`,
		}},
		{"rows that say nothing new", `label|manufacturer|thickness_mm|alpha_s_octave 500
A|X|20|.5
A|X|20|.5
A|X|20|.5
A|X|40|.6`, nil, []string{
			`a.csv:4[A4]: says nothing new of its set-up (2 rows)`,
		}},
		{"spellings of a mounting, and values that contradict each other in two", `label|manufacturer|mounting|alpha_s_octave 500
A|X|Typ A|.5
A|X|A|.5
B|X|Typ A|.5
B|X|A|.6`, []string{
			`a.csv:5[D5]: product af62290b-10c9-57df-8b93-1330cec3a42d: alpha_s_octave 500: 0.6 at 500 Hz, but 0.5 in a.csv:4[D4]: expected one value for a set-up and band`,
		}, []string{
			`a.csv:2[A2]: says nothing new of its set-up (1 row)`,
			`a.csv:2[A2]: mounting: one mounting as "A", also spelt "Typ A" (2 rows)`,
		}},
		{"two values of a field of which there is one", `label|manufacturer|published|alpha_s_octave 500
A|X|true|.5
A|X|false|.5`, []string{
			`a.csv:2[C2]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: published: "true", but "false" in a.csv:3[C3]: expected one for a product`,
		}, []string{
			`a.csv:3[A3]: says nothing new of its set-up (1 row)`,
		}},
		{"diffusion that is not measured", `label|manufacturer|source_kind|diffusion_octave 500
A|X|simulated|.5`, []string{
			`a.csv:2[C2]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: source_kind: expected measured, as all diffusion is, got "simulated"`,
		}, nil},
		{"several names of an article", `article_number|label|manufacturer|alpha_s_octave 500
47|Absorber|X|.5
47|Absorber groß|X|.5
47|Absorber|X|.5`, nil, []string{
			`a.csv:2[A2]: product d67145fd-06b0-5295-a381-765c10c0756a: label: "Absorber", in other rows "Absorber groß"`,
			`a.csv:4[A4]: says nothing new of its set-up (2 rows)`,
		}},
		{"several spellings of a manufacturer, and texts that differ", `label|manufacturer|Farbe|thickness_mm|alpha_s_octave 500
A|Müller|rot|20|.5
A|MÜLLER|blau|40|.5
B|Müller|rot|20|.5
B|Müller|blau|40|.5`, nil, []string{
			`a.csv:4[A4]: Farbe: differs between rows of a product: kept in the measuring_option of its set-ups (2 products)`,
			`a.csv:2[A2]: manufacturer: one manufacturer as "Müller", also spelt "MÜLLER"`,
		}},
		{"an overall depth that does not agree", `label|manufacturer|thickness_mm|air_gap_mm|overall_depth_mm|alpha_s_octave 500
A|X|20|30|60|.5
B|X|20||10|.5
C|X|20|30|50|.5`, nil, []string{
			`a.csv:2[A2]: overall_depth_mm: an overall depth of 60 mm, but a thickness of 20 mm and an air gap of 30 mm`,
			`a.csv:3[A3]: overall_depth_mm: an overall depth of 10 mm, but a thickness of 20 mm`,
		}},
		{"ratings of set-ups that differ", `label|manufacturer|thickness_mm|alpha_w|nrc|absorption_class|alpha_s_octave 250|alpha_s_octave 500|alpha_s_octave 1000|alpha_s_octave 2000|alpha_s_octave 4000
A|X|20|0.5|0.5|D|.5|.5|.5|.5|.5
A|X|40|0.7|0.5|C|.5|.5|.5|.5|.5
B|X|20|0.3|0.9|D|.5|.5|.5|.5|.5
B|X|40|0.8|0.8|A|.8|.8|.8|.8|.8`, nil, []string{
			`a.csv:2[A2]: product 984ffe3c-377e-5867-a3ea-779ffe3d1a78: alpha_w: declared as 0.7, but the most absorptive variant gives 0.5`,
			`a.csv:4[D4]: product af62290b-10c9-57df-8b93-1330cec3a42d: alpha_w: declared as 0.3, but the coefficients give 0.5`,
			`a.csv:4[E4]: product af62290b-10c9-57df-8b93-1330cec3a42d: nrc: declared as 0.9, but the coefficients give 0.5`,
			`a.csv:5[F5]: product af62290b-10c9-57df-8b93-1330cec3a42d: absorption_class: declared as A, but the coefficients give B`,
			`a.csv:2[F2]: absorption_class: differs between rows of a product: kept in the measuring_option of its set-ups (2 products)`,
			`a.csv:2[D2]: alpha_w: differs between rows of a product: kept in the measuring_option of its set-ups (2 products)`,
			`a.csv:4[E4]: nrc: differs between rows of a product: kept in the measuring_option of its set-ups (1 product)`,
		}},
	} {
		m := recordsOf(t, Options{}, nil, readingsOf("a.csv", test.table))
		if !slices.Equal(m.faults, test.faults) {
			t.Errorf("%s: faults\n%s", test.rule, strings.Join(m.faults, "\n"))
		}
		if !slices.Equal(m.warnings, test.warnings) {
			t.Errorf("%s: warnings\n%s", test.rule, strings.Join(m.warnings, "\n"))
		}
	}
}

func TestWordsOfTheVocabulary(t *testing.T) {
	v := &dataset.Vocabulary{Families: map[string]map[string]dataset.Term{
		product.FamilyCategory: {
			"gewebe": {Names: map[string]string{"de": "Gewebe", "en": "Woven fabric"}, Synonyms: []string{"Stoff", "Filz"}},
			"filz":   {Names: map[string]string{"de": "Filz"}},
		},
		product.FamilyInstallation: {"dach": {Names: map[string]string{"de": "Dachüberstand"}}},
	}}
	w := newWords(v)
	for _, test := range []struct {
		rule       string
		field      Field
		text       string
		asItStands bool
		want       string
		ok         bool
	}{
		{"the value itself", FieldCategory, "gewebe", false, "gewebe", true},
		{"its name in any language, in any case, with any hyphens", FieldCategory, "WOVEN-FABRIC", false, "gewebe", true},
		{"a synonym", FieldCategory, "stoff", false, "gewebe", true},
		{"a name comes before a synonym", FieldCategory, "Filz", false, "filz", true},
		{"umlauts as letters", FieldInstallation, "Dachueberstand", false, "dach", true},
		{"what a declared family lacks", FieldCategory, "Holz", false, "Holz", false},
		{"also in our own tables", FieldCategory, "Holz", true, "Holz", false},
		{"the sample's words where the inputs declare none", FieldCharacter, "Full range", false, "breitband", true},
		{"else it stands as it is", FieldCharacter, "Resonator", false, "Resonator", true},
		{"as in our own tables", FieldCharacter, "Full range", true, "Full range", true},
	} {
		if got, ok := w.value(test.field, test.text, test.asItStands); got != test.want || ok != test.ok {
			t.Errorf("%s: %s %q: got %q, %t", test.rule, test.field, test.text, got, ok)
		}
	}
	m := recordsOf(t, Options{}, v, readingsOf("a.csv", `label|manufacturer|material_category|installation_types
A|X|Holz|Dachüberstand; Keller
B|X|Holz|dach`))
	for i, want := range []string{
		`"installation_types":["dach"],"structured_meta":{"installation_types":"Keller","material_category":"Holz"}}`,
		`"installation_types":["dach"],"structured_meta":{"material_category":"Holz"}}`,
	} {
		if !strings.HasSuffix(m.records[i], want) {
			t.Errorf("got %s, want %s", m.records[i], want)
		}
	}
	if want := []string{
		`a.csv:2[D2]: installation_types: "Keller" is not in the vocabulary of installation_types: kept in structured_meta (1 row)`,
		`a.csv:2[C2]: material_category: "Holz" is not in the vocabulary of material_category: kept in structured_meta (2 rows)`,
	}; !slices.Equal(m.warnings, want) {
		t.Errorf("warnings %q", m.warnings)
	}
}

func TestOptionsSayWhatTablesDoNot(t *testing.T) {
	m := recordsOf(t, Options{Manufacturer: "Sonst", SourceKind: "simulated"}, nil, readingsOf("a.csv", `label|manufacturer|source_kind|alpha_s_octave 500|diffusion_octave 500
A|||.5|.6
B|X|measured|.5|`))
	for i, want := range []string{
		`"manufacturer":"X","measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"measured","alpha_s_octave":{"500":0.5}}]}}`,
		`"manufacturer":"Sonst","measurements":{"absorption_iso_354":[{"id":"abs","source_kind":"simulated","alpha_s_octave":{"500":0.5}}],` +
			`"diffusion_iso_17497_2":[{"id":"dif","source_kind":"measured","diffusion_octave":{"500":0.6}}]}}`,
	} {
		if !slices.ContainsFunc(m.records, func(r string) bool { return strings.HasSuffix(r, want) }) {
			t.Errorf("%d: got %q, want %s", i, m.records, want)
		}
	}
	if len(m.faults) > 0 || len(m.records) != 2 {
		t.Errorf("faults %q, %d records", m.faults, len(m.records))
	}
}

func TestTextsThatAreTooLongForTheirFieldAreKept(t *testing.T) {
	long := strings.Repeat("lang ", 250)
	m := recordsOf(t, Options{}, nil, readingsOf("a.csv", "label|manufacturer|description|alpha_s_octave 500|alpha_p_octave 500\nA|X|"+long+"1|.5|.5\nA|X|"+long+"2|.6|.6"))
	if len(m.faults) > 0 {
		t.Error(m.faults)
	}
	for _, want := range []string{long + "1", long + "2", `"Messoption abs-`, `"αp `} {
		if !strings.Contains(m.records[0], want) {
			t.Errorf("no %.20q in %s", want, m.records[0])
		}
	}
}

func TestTheIdOfAProductIsThatOfItsMakerAndName(t *testing.T) {
	for _, test := range []struct{ rule, table, want string }{
		{"as imports of CSV have always made it", "label|manufacturer\nA|X", uuid.NewSHA1(ProductSpace, []byte("X\x00A")).String()},
		{"by the article number where there is one", "label|manufacturer|article_number\nA|X|4711", uuid.NewSHA1(ProductSpace, []byte("X\x00\x004711")).String()},
		{"an id is taken as it is", "id|label|manufacturer\n6BA7B810-9dad-11d1-80b4-00c04fd430c8|A|X", "6ba7b810-9dad-11d1-80b4-00c04fd430c8"},
	} {
		m := recordsOf(t, Options{}, nil, readingsOf("a.csv", test.table))
		if got := m.records[0]; !strings.HasPrefix(got, `{"id":"`+test.want+`"`) {
			t.Errorf("%s: got %s, want %s", test.rule, got, test.want)
		}
	}
}
