package importers

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sabine/dataset"
	"sabine/dataset/product"
)

// imports runs an importer and parses its output. It returns the products and the problems.
func imports(t *testing.T, run Importer, table string, o Options) (products []*product.Product, problems []string) {
	t.Helper()
	var out bytes.Buffer
	if err := run(&out, strings.NewReader(table), o); err != nil {
		problems = strings.Split(err.Error(), "\n")
	}
	checker := dataset.NewChecker()
	input := dataset.Input{Name: "imported.ndjson", Open: func() (io.ReadCloser, error) { return io.NopCloser(&out), nil }}
	for raw, err := range dataset.NewReader([]dataset.Input{input}).Records() {
		if err != nil {
			t.Fatal(err)
		}
		parsed := dataset.Parse(raw)
		for i := range parsed.Faults {
			t.Errorf("%v\nin %s", &parsed.Faults[i], raw.JSON)
		}
		if len(parsed.Unknown) > 0 {
			t.Errorf("unknown fields %q in %s", parsed.Unknown, raw.JSON)
		}
		if parsed.Product != nil {
			faults, _ := checker.Add(raw.Place, parsed.Product)
			for i := range faults {
				t.Error(&faults[i])
			}
			products = append(products, parsed.Product)
		}
	}
	return products, problems
}

const materials = `{
  "center_freqs": [125, 250, 500],
  "absorption": {
    "Walls": {
      "brick": {"description": "Brick wall", "coeffs": [0.01, 0.02, 0.03]},
      "glass": {"coeffs": [0.1, 0.2]}
    }
  },
  "scattering": {"Diffusers": {"qrd": {"description": "A QRD", "coeffs": [0.5], "center_freqs": [1250]}}}
}`

func TestPyroomacoustics(t *testing.T) {
	products, problems := imports(t, Pyroomacoustics, materials, Options{})
	if problems != nil || len(products) != 3 {
		t.Fatalf("%d products, problems %q", len(products), problems)
	}
	brick, glass, qrd := products[0], products[1], products[2]
	if got := brick.Label.In("de"); got != "Brick wall" || brick.Manufacturer.Name != "Literaturwerte (pyroomacoustics)" {
		t.Errorf("label %q of %q", got, brick.Manufacturer.Name)
	}
	if v, ok := brick.Measurements.Absorption[0].AlphaSOctave.At(500); !ok || v != 0.03 {
		t.Errorf("brick at 500 Hz: %v", v)
	}
	if glass.Label.In("de") != "glass" || len(glass.Measurements.Absorption[0].AlphaSOctave) != 2 {
		t.Errorf("glass: %+v", glass)
	}
	if v, ok := qrd.Measurements.Scatter[0].ScatterThirdOctave.At(1250); !ok || v != 0.5 {
		t.Errorf("the QRD at 1250 Hz: %v", v)
	}
}

func TestPyroomacousticsProblems(t *testing.T) {
	tests := []struct {
		rule, old, new string
		want           []string
	}{
		{"broken JSON", "[0.1, 0.2]", "[0.1, 0.2",
			[]string{"m.json:6:36: invalid JSON: expected a comma or the end of the array"}},
		{"a key twice", `"glass"`, `"brick"`, []string{"m.json: absorption.Walls.brick: duplicate key"}},
		{"too many coefficients", "[0.1, 0.2]", "[0.1, 0.2, 0.3, 0.4]",
			[]string{"m.json:6:43: more coefficients than the 3 center_freqs"}},
		{"a percentage", "[0.1, 0.2]", "[0.1, 20]", []string{"m.json:6:33: coefficient 20 is out of range: expected -0.1 to 2"}},
		{"no coefficient", "[0.1, 0.2]", "[]", []string{"m.json:6:27: expected at least one coefficient, got an array"}},
		{"a frequency that is no band", "[1250]", "[1234]",
			[]string{
				"m.json:9:98: expected the centre of an octave or third-octave band from 50 to 10000 Hz, got the number 1234"}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			table := strings.Replace(materials, test.old, test.new, 1)
			if _, got := imports(t, Pyroomacoustics, table, Options{Name: "m.json"}); !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
	if _, got := imports(t, Pyroomacoustics, `[]`, Options{Name: "m.json"}); !slices.Equal(got,
		[]string{"m.json:1:1: expected an object with absorption or scattering, got an array"}) {
		t.Errorf("an array: %q", got)
	}
}

func TestPyroomacousticsRealTable(t *testing.T) {
	text, err := os.ReadFile(needRealData(t, "pyroomacoustics/materials.json"))
	if err != nil {
		t.Fatal(err)
	}
	if products, problems := imports(t, Pyroomacoustics, string(text), Options{}); len(products) != 97 || problems != nil {
		t.Errorf("%d products, want 97; problems %q", len(products), problems)
	}
}

func TestAPI(t *testing.T) {
	detail := `{"id": "0B6F0D1E-0000-4000-8000-000000000001", "label": "A \"panel\"", "manufacturer": "Acme",
		"nrc": 0.5, "saa": null, "absorption_octave": {"250": 0.3},
		"measurements": {"absorption_iso_354": [ {"source_kind": "measured", "alpha_s_octave": {"250": 0.3}} ]}}`
	for name, file := range map[string]string{
		"one":    detail,
		"array":  "[" + detail + "]",
		"batch":  `{"items": [` + detail + `], "missing": ["x"]}`,
		"ndjson": strings.ReplaceAll(detail, "\n", " ") + "\n",
	} {
		t.Run(name, func(t *testing.T) {
			var out bytes.Buffer
			if err := API(&out, strings.NewReader(file), Options{}); err != nil {
				t.Fatal(err)
			}
			want := dataset.Parse(dataset.Raw{JSON: []byte(detail)}).Product
			if got := dataset.Parse(dataset.Raw{JSON: out.Bytes()}).Product; !reflect.DeepEqual(got, want) ||
				strings.Count(out.String(), "\n") != 1 {
				t.Errorf("%s\ngot  %+v\nwant %+v", out.String(), got, want)
			}
		})
	}
	_, problems := imports(t, API, "["+detail+`, {"label": 1}]`, Options{Name: "a.json"})
	if len(problems) != 3 || problems[0] != "a.json[1] (byte 266): id: missing, expected a UUID" {
		t.Errorf("problems %q", problems)
	}
}

func TestImportersReportIgnoredData(t *testing.T) {
	const id = `"id":"0b6f0d1e-0000-4000-8000-000000000001"`
	tests := []struct {
		rule  string
		run   Importer
		table string
		want  []string
	}{
		{"members of a material", Pyroomacoustics,
			`{"version":2,"center_freqs":[125],"absorption":{"S":{"a":{"coeffs":[0.1],"cost":1},"b":{"coeffs":[0.1],"cost":2,"description":7}}}}`,
			[]string{`t: ignored fields (with the number of occurrences): "cost" (2), "description" (1), "version" (1)`}},
		{"fields that a build ignores, and data outside the records", API,
			`{"items":[{` + id +
				`,"label":"L","manufacturer":"M","nrc":0.5,"saa":null,"images":[{"url":"https://m.example/1","alt":"1"},{"url":"https://m.example/2","alt":"2"}]}],"missing":[],"vocabulary":{"material_category":{}}}`,
			[]string{`t: the vocabulary is ignored: to use it, save it as vocabulary.json next to the records`,
				`t: ignored fields (with the number of occurrences): "images.alt" (1), "missing" (1), "nrc" (1), "saa" (1)`}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			var notes []string
			products, problems := imports(t, test.run, test.table, Options{Name: "t", Warn: func(note string) {
				notes = append(notes, note)
			}})
			if !slices.Equal(notes, test.want) || len(products) == 0 || problems != nil {
				t.Errorf("%d products, problems %q\ngot  %q\nwant %q", len(products), problems, notes, test.want)
			}
		})
	}
}

func TestPyroomacousticsSkipsRecordsThatABuildWouldRefuse(t *testing.T) {
	const dump = `{"center_freqs":[125],"absorption":{"S":{"a":{"coeffs":[0.1]},
"b":{"coeffs":[0.1],"description":"%s"}}}}`
	products, problems := imports(t, Pyroomacoustics, fmt.Sprintf(dump, strings.Repeat("a", 1001)), Options{Name: "t"})
	if want := "t:2:5: label: expected a string of at most 1000 bytes, got 1001"; len(products) != 1 ||
		!slices.Equal(problems, []string{want}) {
		t.Errorf("%d products, problems %q, want %q", len(products), problems, want)
	}
}

func TestABlankManufacturerIsNone(t *testing.T) {
	products, problems := imports(t, Pyroomacoustics, materials, Options{Manufacturer: "  "})
	if len(products) != 3 || problems != nil || products[0].Manufacturer.Name != defaultManufacturer {
		t.Errorf("%d products, problems %q", len(products), problems)
	}
}

func TestEntriesOfOneNameAreNumbered(t *testing.T) {
	const dump = `{"center_freqs":[125],"absorption":{"S":{"a":{"coeffs":[0.1],"description":"A"},"b":{"coeffs":[0.2],"description":"A"}}}}`
	products, problems := imports(t, Pyroomacoustics, dump, Options{Manufacturer: " Acme "})
	if len(products) != 2 || problems != nil || products[1].Label.In("de") != "A (2)" {
		t.Fatalf("%d products, problems %q", len(products), problems)
	}
	// UUIDv5 of "Acme", a zero byte and the name, computed elsewhere.
	if got := products[0].ID.String() + " " +
		products[1].ID.String(); got != "d99457b9-c73d-5760-8a7e-94faffaa0d2c 1ce95420-3c05-5ff4-b854-53f35ee0e024" {
		t.Errorf("ids %s", got)
	}
}

func TestImportOfATableWithoutEntriesFails(t *testing.T) {
	for table, run := range map[string]Importer{
		`{"absorption":{"Walls":{}}}`:  Pyroomacoustics,
		`{"items":[],"missing":["x"]}`: API,
		"[]":                           API,
	} {
		_, problems := imports(t, run, table, Options{Name: "t"})
		if len(problems) != 1 || !strings.HasPrefix(problems[0], "t: no ") {
			t.Errorf("%q: problems %q", table, problems)
		}
	}
}

func FuzzPyroomacoustics(f *testing.F) {
	f.Add(materials)
	f.Fuzz(func(t *testing.T, table string) { imports(t, Pyroomacoustics, table, Options{}) })
}

// realData is the folder of real tables next to the project. Tests that need them are skipped without it.
const realData = "../../../shared/data/"

func needRealData(t *testing.T, name string) string {
	t.Helper()
	if _, err := os.Stat(realData + name); err != nil {
		t.Skipf("%s is not here: %s was not tested on it", realData+name, t.Name())
	}
	return realData + name
}
