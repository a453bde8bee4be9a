package importers

import (
	"bytes"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"sabine/dataset"
)

// imports runs an importer and parses what it wrote: the products, and what was wrong with the table.
func imports(t *testing.T, run Importer, table string, o Options) (products []*dataset.Product, problems []string) {
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

func TestCSVForms(t *testing.T) {
	tests := []struct {
		rule, table, want string
	}{
		{"commas and points", "name,manufacturer,125,250 Hz,1k\nPanel,Acme,0.1,0.25,.9\n", "Panel|Acme|oct 125:0.1 250:0.25 1000:0.9"},
		{"semicolons and decimal commas", "Bezeichnung;Hersteller;125 Hz;1 kHz;2000Hz\nPlatte;Müller & Söhne;0,1;0,95;1,05\n", "Platte|Müller & Söhne|oct 125:0.1 1000:0.95 2000:1.05"},
		{"tabs", "Produkt\tFirma\tf_125\tf_250\nPlatte\tAcme\t0,1\t0.2\n", "Platte|Acme|oct 125:0.1 250:0.2"},
		{"percent in the cell", "name,brand,125,250\nPanel,Acme,85 %,28.7%\n", "Panel|Acme|oct 125:0.85 250:0.287"},
		{"percent in the header", "name,brand,125 Hz [%],250 Hz (%)\nPanel,Acme,85,7\n", "Panel|Acme|oct 125:0.85 250:0.07"},
		{"thirds when a band is no octave", "name,brand,100,125,1k25\nPanel,Acme,0.1,0.2,0.3\n", "Panel|Acme|third 100:0.1 125:0.2 1250:0.3"},
		{"octaves when only those are filled", "name,brand,100,125,160,250\nPanel,Acme,,0.2,-,0.3\n", "Panel|Acme|oct 125:0.2 250:0.3"},
		{"columns in any order, bands ascending", "2k;1,6 kHz;Name;Hersteller\n0,2;0,1;Platte;Acme\n", "Platte|Acme|third 1600:0.1 2000:0.2"},
		{"repeated names are numbered", "name,brand,125\nA,Acme,0.1\nA,Acme,0.2\nA,Other,0.3\n", "A|Acme|oct 125:0.1 / A (2)|Acme|oct 125:0.2 / A|Other|oct 125:0.3"},
		{"spellings of one manufacturer are one", "name,brand,125\nA,Acme,0.1\nB,ACME,0.2\n", "A|Acme|oct 125:0.1 / B|Acme|oct 125:0.2"},
		{"a material column is the name when there is none", "Material,brand,125\nWolle,Acme,0.1\n", "Wolle|Acme|oct 125:0.1"},
		{"blank rows and a byte-order mark", "\uFEFFname,brand,125\n\n , ,\nA,Acme,0.1\n", "A|Acme|oct 125:0.1"},
		{"quotes", "name,brand,125\n\"A, \"\"B\"\"\",Acme,\"0,1\"\n", `A, "B"|Acme|oct 125:0.1`},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			products, problems := imports(t, CSV, test.table, Options{})
			var got []string
			for _, p := range products {
				m := p.Measurements.Absorption[0]
				kind, c := "oct", m.AlphaSOctave
				if m.AlphaSThirdOctave != nil {
					kind, c = "third", m.AlphaSThirdOctave
				}
				text := p.Label.In("de") + "|" + p.Manufacturer.Name + "|" + kind
				for _, point := range c {
					text += " " + formatNumber(float64(point.BandHz)) + ":" + formatNumber(point.Value)
				}
				got = append(got, text)
			}
			if strings.Join(got, " / ") != test.want || problems != nil {
				t.Errorf("got  %q, problems %q\nwant %q", got, problems, test.want)
			}
		})
	}
}

func TestCSVKeepsEveryColumn(t *testing.T) {
	table := "Name;Name (EN);Hersteller;Kategorie;Beschreibung;Dicke [cm];Luftspalt;Stärke;Montage;Quelle;Einbauort;Brandklasse;Link;125;31,5 Hz\n" +
		"Platte;Panel;Acme;holz;Aus Holz;2,5;5 cm;4 mm + Vlies;E;Handbuch;wall, ceiling;B-s1,d0;https://acme.example/p;0,4;0,05\n"
	products, problems := imports(t, CSV, table, Options{SourceKind: "measured"})
	if problems != nil || len(products) != 1 {
		t.Fatalf("%d products, problems %q", len(products), problems)
	}
	p := products[0]
	m := p.Measurements.Absorption[0]
	got := []string{p.Label.In("en"), *p.MaterialCategory, p.Description.In("de"), formatNumber(*m.ThicknessMM), formatNumber(*m.AirGapMM),
		*m.Mounting, m.SourceKind, strings.Join(p.InstallationTypes, "+"), p.FireClass.Text, *p.URL}
	for _, e := range p.StructuredMeta {
		got = append(got, e.Key+"="+e.Value)
	}
	want := []string{"Panel", "holz", "Aus Holz", "25", "50", "E", "measured", "wall+ceiling", "B-s1,d0", "https://acme.example/p", "31,5 Hz=0,05", "Quelle=Handbuch", "Stärke=4 mm + Vlies"}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

func TestCSVProblems(t *testing.T) {
	tests := []struct {
		rule, table string
		want        []string
	}{
		{"nothing", "", []string{"t.csv:1:1: nothing in it, expected a row that names the columns"}},
		{"no name", "125,250\n0.1,0.2\n", []string{`t.csv:1:1: no column of names: expected one called "name", "label", "product", "Bezeichnung", "Produkt" or "Material"`}},
		{"no band", "name,brand\na,b\n", []string{`t.csv:1:1: no column of coefficients: expected columns called "125", "125 Hz", "1k" or so`}},
		{"no manufacturer", "name,125\na,0.1\n", []string{`t.csv:1:1: no column of manufacturers: expected one called "manufacturer" or "Hersteller", or the manufacturer as an option`}},
		{"a band twice", "name,brand,125,125 Hz\n", []string{"t.csv:1:16: a second column for 125 Hz"}},
		{"percentages that do not say so", "name,brand,125\na,b,0.1\na,b,85\n", []string{
			"t.csv:3:5: 125: 85 is no coefficient: expected -0.1 to 2; a percentage needs a % in its cell or in its column's name"}},
		{"words for numbers", "name,brand,125,250\na,b,viel,0x1\n", []string{
			`t.csv:2:5: 125: expected a coefficient such as 0.85, 0,85 or 85 %, got "viel"`,
			`t.csv:2:10: 250: expected a coefficient such as 0.85, 0,85 or 85 %, got "0x1"`}},
		{"no value", "name,brand,125\na,b,\n,b,0.1\na,,0.1\n", []string{
			"t.csv:2:1: no coefficient in this row", "t.csv:3:1: no name in this row", "t.csv:4:1: no manufacturer in this row, and none as an option"}},
		{"too many cells", "name,brand,125\na,b,0.1,7\n", []string{`t.csv:2:9: more cells than the first row has columns: "7"`}},
		{"a bare quote", "name,brand,125\na\"b,c,0.1\nd,e,0.2\n", []string{`t.csv:2:2: not CSV: bare " in non-quoted-field`}},
		{"another encoding", "name,brand,125\nM\xfcller,b,0.1\n", []string{"t.csv:2:1: name: not valid UTF-8: save the table as CSV UTF-8"}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			if _, got := imports(t, CSV, test.table, Options{Name: "t.csv"}); !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
	if err := CSV(&bytes.Buffer{}, strings.NewReader("x"), Options{SourceKind: "guessed"}); err == nil ||
		err.Error() != `source kind "guessed": expected measured, literature or simulated` {
		t.Errorf("an unknown source kind: %v", err)
	}
}

func TestImportIsTheSameEachTime(t *testing.T) {
	table := "name,brand,125\nA,Acme,0.1\nA,Acme,0.2\n"
	first, _ := imports(t, CSV, table, Options{})
	second, _ := imports(t, CSV, table, Options{})
	if len(first) != 2 || first[0].ID != second[0].ID || first[1].ID != second[1].ID || first[0].ID == first[1].ID {
		t.Errorf("ids %v and %v", first, second)
	}
	// UUIDv5 of "Acme", a zero byte and the name, computed elsewhere.
	if got := first[0].ID.String() + " " + first[1].ID.String(); got != "d99457b9-c73d-5760-8a7e-94faffaa0d2c 1ce95420-3c05-5ff4-b854-53f35ee0e024" {
		t.Errorf("ids %s", got)
	}
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
		{"broken JSON", "[0.1, 0.2]", "[0.1, 0.2", []string{"m.json:6:36: invalid JSON: expected a comma or the end of the array"}},
		{"a key twice", `"glass"`, `"brick"`, []string{"m.json: absorption.Walls.brick: the key stands twice"}},
		{"too many coefficients", "[0.1, 0.2]", "[0.1, 0.2, 0.3, 0.4]", []string{"m.json:6:43: more coefficients than the 3 center_freqs"}},
		{"a percentage", "[0.1, 0.2]", "[0.1, 20]", []string{"m.json:6:33: 20 is no coefficient: expected -0.1 to 2"}},
		{"no coefficient", "[0.1, 0.2]", "[]", []string{"m.json:6:27: expected at least one coefficient, got an array"}},
		{"a frequency that is no band", "[1250]", "[1234]", []string{"m.json:9:98: expected the centre of an octave or third-octave band from 50 to 10000 Hz, got the number 1234"}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			table := strings.Replace(materials, test.old, test.new, 1)
			if _, got := imports(t, Pyroomacoustics, table, Options{Name: "m.json"}); !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
	if _, got := imports(t, Pyroomacoustics, `[]`, Options{Name: "m.json"}); !slices.Equal(got, []string{"m.json:1:1: expected an object with absorption or scattering, got an array"}) {
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

func TestCSVRealTables(t *testing.T) {
	for name, o := range map[string]Options{
		"ptb-absorption/selection-table.csv": {Manufacturer: "PTB-Referenzmaterial"},
	} {
		t.Run(name, func(t *testing.T) {
			text, err := os.ReadFile(needRealData(t, name))
			if err != nil {
				t.Fatal(err)
			}
			products, problems := imports(t, CSV, string(text), o)
			t.Logf("%d products, %d problems, first %q", len(products), len(problems), problems[:min(len(problems), 3)])
			if len(products) < 40 {
				t.Errorf("%d products", len(products))
			}
		})
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
			want := `{"id":"0B6F0D1E-0000-4000-8000-000000000001","label":"A \"panel\"","manufacturer":"Acme",` +
				`"absorption_octave":{"250":0.3},"measurements":{"absorption_iso_354":[{"source_kind":"measured","alpha_s_octave":{"250":0.3}}]}}` + "\n"
			if out.String() != want {
				t.Errorf("got  %swant %s", out.String(), want)
			}
		})
	}
	_, problems := imports(t, API, "["+detail+`, {"label": 1}]`, Options{Name: "a.json"})
	if len(problems) != 3 || problems[0] != "a.json[1] (byte 266): id: required: a UUID" {
		t.Errorf("problems %q", problems)
	}
}

func FuzzCSV(f *testing.F) {
	f.Add("name,manufacturer,125,250 Hz,1k\nPanel,Acme,0.1,0.25,.9\n", "")
	f.Add("Bezeichnung;Dicke [cm];125 Hz;1 kHz\nPlatte;2,5;85 %;-\n", "Acme")
	f.Add("name,125\n0,0", " ")
	f.Add("Produkt\tFirma\tf_125\nPlatte\tAcme\t0,1\n\"x\n", "\xff")
	f.Fuzz(func(t *testing.T, table, manufacturer string) {
		imports(t, CSV, table, Options{Manufacturer: manufacturer})
	})
}

func FuzzPyroomacoustics(f *testing.F) {
	f.Add(materials)
	f.Fuzz(func(t *testing.T, table string) { imports(t, Pyroomacoustics, table, Options{}) })
}

// realData is where real tables may lie beside the project; tests that need them are skipped where they are not.
const realData = "../../../shared/data/"

func needRealData(t *testing.T, name string) string {
	t.Helper()
	if _, err := os.Stat(realData + name); err != nil {
		t.Skipf("%s is not here: %s was not tested on it", realData+name, t.Name())
	}
	return realData + name
}
