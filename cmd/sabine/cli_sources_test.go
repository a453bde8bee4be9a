package main_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func TestGenerate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := must(t, dir, "generate", "50", "--seed", "7")
	t.Run("N records, one a line", func(t *testing.T) {
		ids := map[string]bool{}
		for line := range strings.Lines(first) {
			if !gjson.Valid(line) {
				t.Fatalf("not JSON: %s", line)
			}
			ids[gjson.Get(line, "id").String()] = true
		}
		if len(ids) != 50 || strings.Count(first, "\n") != 50 {
			t.Errorf("got %d ids in %d lines", len(ids), strings.Count(first, "\n"))
		}
	})
	t.Run("the same for the same seed", func(t *testing.T) {
		if must(t, dir, "generate", "50", "--seed", "7") != first {
			t.Error("it differs")
		}
	})
	t.Run("more records begin with the same", func(t *testing.T) {
		if !strings.HasPrefix(must(t, dir, "generate", "60", "--seed", "7"), first) {
			t.Error("they do not")
		}
	})
	t.Run("another for another seed", func(t *testing.T) {
		if must(t, dir, "generate", "50", "--seed", "8") == first {
			t.Error("it is the same")
		}
	})
	t.Run("a build takes it without a fault", func(t *testing.T) {
		writeFile(t, filepath.Join(dir, "c.ndjson"), first)
		if out := must(t, dir, "build", "c.ndjson", "--json"); gjson.Get(out, "counts.records").Int() != 50 || gjson.Get(out, "unknown_fields").Raw != "{}" {
			t.Errorf("got %s", out)
		}
	})
}

// TestImport turns foreign tables into source records and builds them.
func TestImport(t *testing.T) {
	t.Parallel()
	const table = "Name;Hersteller;Kategorie;125 Hz;250 Hz;500 Hz;1000 Hz;2000 Hz;4000 Hz;Bemerkung\n" +
		"Filz grau;Müller & Söhne;textil;0,10;0,20;0,45;0,70;0,85;0,90;weich\n" +
		"Filz grau;Müller & Söhne;textil;15 %;25 %;50 %;75 %;90 %;95 %;\n" +
		"Beton;Baustoff AG;;0.01;0.01;0.02;0.02;0.02;0.03;\n"
	const percent = "name,manufacturer,500 (%),1000 (%)\nVlies,Werk,45,70\n"
	const nameless = "name,125,250\nVorhang,0.1,0.2\n"
	const pyroomacoustics = `{"center_freqs":[125,250,500,1000,2000,4000],
		"absorption":{"Curtains":{"velvet":{"description":"Velvet curtain","coeffs":[0.05,0.12,0.35,0.45,0.38,0.36]}}},
		"scattering":{"Diffusers":{"steps":{"description":"Steps","coeffs":[0.05,0.1,0.2,0.3,0.4,0.5]}}}}`
	tests := []struct {
		rule          string
		format, input string
		args          []string
		records       int
		at, want      string // of the lines as an array
	}{
		{"csv: a decimal comma", "csv", table, nil, 3, "0.measurements.absorption_iso_354.0.alpha_s_octave", `{"125":0.1,"250":0.2,"500":0.45,"1000":0.7,"2000":0.85,"4000":0.9}`},
		{"csv: percent where the cell has %", "csv", table, nil, 3, "1.measurements.absorption_iso_354.0.alpha_s_octave.500", "0.5"},
		{"csv: a decimal point in the same table", "csv", table, nil, 3, "2.measurements.absorption_iso_354.0.alpha_s_octave.4000", "0.03"},
		{"csv: repeated names are numbered", "csv", table, nil, 3, "1.label.de", `"Filz grau (2)"`},
		{"csv: the manufacturer's column", "csv", table, []string{"--manufacturer", "Niemand"}, 3, "2.manufacturer", `"Baustoff AG"`},
		{"csv: a category", "csv", table, nil, 3, "0.material_category", `"textil"`},
		{"csv: what has no field goes to structured_meta", "csv", table, nil, 3, "0.structured_meta", `{"Bemerkung":"weich"}`},
		{"csv: source kind literature by default", "csv", table, nil, 3, "0.measurements.absorption_iso_354.0.source_kind", `"literature"`},
		{"csv: --source-kind", "csv", table, []string{"--source-kind", "measured"}, 3, "0.measurements.absorption_iso_354.0.source_kind", `"measured"`},
		{"csv: percent where the header has %", "csv", percent, nil, 1, "0.measurements.absorption_iso_354.0.alpha_s_octave", `{"500":0.45,"1000":0.7}`},
		{"csv: --manufacturer where no column has it", "csv", nameless, []string{"--manufacturer", "Werk"}, 1, "0.manufacturer", `"Werk"`},
		{"pyroomacoustics: absorption", "pyroomacoustics", pyroomacoustics, nil, 2, "0.measurements.absorption_iso_354.0.alpha_s_octave.500", "0.35"},
		{"pyroomacoustics: scattering", "pyroomacoustics", pyroomacoustics, nil, 2, "1.measurements.scatter_iso_17497_1.0.scatter_octave.4000", "0.5"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "table"), tt.input)
			out := must(t, dir, append([]string{"import", tt.format, "table"}, tt.args...)...)
			records := "[" + strings.ReplaceAll(strings.TrimSuffix(out, "\n"), "\n", ",") + "]"
			if got := gjson.Get(records, tt.at).Raw; got != tt.want || gjson.Get(records, "#").Int() != int64(tt.records) {
				t.Errorf("got %s in\n%s", got, out)
			}
			for _, id := range gjson.Get(records, "#.id").Array() {
				if !regexp.MustCompile(`^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$`).MatchString(id.String()) {
					t.Errorf("%s is no UUIDv5", id)
				}
			}
			again := command{dir: dir, stdin: strings.NewReader(tt.input)}.run(t, append([]string{"import", tt.format, "-"}, tt.args...)...)
			if again.out != out {
				t.Errorf("from standard input: got %d %s %s", again.status, again.out, again.err)
			}
			writeFile(t, filepath.Join(dir, "c.ndjson"), out)
			if built := must(t, dir, "build", "c.ndjson", "--json"); gjson.Get(built, "counts.products").Int() != int64(tt.records) {
				t.Errorf("built: %s", built)
			}
		})
	}
	t.Run("ids are those of manufacturer and name, whatever stands around", func(t *testing.T) {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "one.csv"), "name,manufacturer,125\nB,M,0.1\nA,M,0.2\n")
		writeFile(t, filepath.Join(dir, "two.csv"), "manufacturer;name;250\nM;A;0,5\n")
		one, two := must(t, dir, "import", "csv", "one.csv"), must(t, dir, "import", "csv", "two.csv")
		if id := gjson.Get(two, "id").String(); gjson.Get(strings.Split(one, "\n")[1], "id").String() != id {
			t.Errorf("got\n%s%s", one, two)
		}
	})
	t.Run("api: what the API returned is a source record, and builds to the same answers", func(t *testing.T) {
		s, key := served(t)
		batch := s.getAs(t, key, "/v1/materials?include=geometry&ids=akustikpaneel-fichte-40,qrd-diffusor-7,stahlbeton-glatt,00000000-0000-4000-8000-000000000015")
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "batch.json"), batch.body)
		writeFile(t, filepath.Join(dir, "c.ndjson"), must(t, dir, "import", "api", "batch.json"))
		must(t, dir, "build", "c.ndjson")
		for _, item := range batch.json("items").Array() {
			if got := must(t, dir, "show", item.Get("id").String(), "--json"); got != item.Raw+"\n" {
				t.Errorf("got  %swant %s", got, item.Raw)
			}
		}
	})
	t.Run("columns that become no field of their own are named on standard error", func(t *testing.T) {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "table"), table)
		if r := sabine(t, dir, "import", "csv", "table"); r.status != 0 || r.err != "table: kept as text in structured_meta, and used for nothing else: \"Bemerkung\"\n" {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
	for _, tt := range []struct{ rule, format, input, says string }{
		{"a coefficient that is none; row and column are told", "csv", "name,manufacturer,125\nA,M,0.1\nB,M,high\n", "table:3:5"},
		{"a percentage without a sign", "csv", "name,manufacturer,125\nA,M,45\n", "%"},
		{"no column of names", "csv", "manufacturer,125\nM,0.1\n", "name"},
		{"no manufacturer", "csv", nameless, "manufacturer"},
		{"an empty table", "csv", "", "table:1:1"},
		{"a table without rows", "csv", "name,manufacturer,125\n", "no row"},
		{"scattering that would become absorption", "csv", "name,manufacturer,s_125\nA,M,0.1\n", "scattering"},
		{"a table that is no JSON", "pyroomacoustics", "name,125\n", "table:1"},
		{"a record that is faulty", "api", `{"id":"x","label":"A","manufacturer":"M"}`, "id"},
	} {
		t.Run("refused: "+tt.rule, func(t *testing.T) {
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "table"), tt.input)
			if r := sabine(t, dir, "import", tt.format, "table"); r.status != 1 || !strings.Contains(r.err, tt.says) {
				t.Errorf("got %d %s", r.status, r.err)
			}
		})
	}
}
