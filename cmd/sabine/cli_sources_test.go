package main_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/tidwall/gjson"
)

func TestGenerate(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first := must(t, dir, "generate", "50", "--seed", "7")
	t.Run("N records, one on each line", func(t *testing.T) {
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
	t.Run("the same records for the same seed", func(t *testing.T) {
		if must(t, dir, "generate", "50", "--seed", "7") != first {
			t.Error("it differs")
		}
	})
	t.Run("more records begin with the same records", func(t *testing.T) {
		if !strings.HasPrefix(must(t, dir, "generate", "60", "--seed", "7"), first) {
			t.Error("they do not")
		}
	})
	t.Run("other records for another seed", func(t *testing.T) {
		if must(t, dir, "generate", "50", "--seed", "8") == first {
			t.Error("it is the same")
		}
	})
	t.Run("the catalogue builds without a fault", func(t *testing.T) {
		writeFile(t, filepath.Join(dir, "c.ndjson"), first)
		if out := must(t, dir, "build", "c.ndjson", "--json"); gjson.Get(out, "counts.records").Int() != 50 ||
			gjson.Get(out, "unknown_fields").Raw != "{}" {
			t.Errorf("got %s", out)
		}
	})
}

// TestImport imports files of other programs and builds the records. cli_tables_test.go tests tables.
func TestImport(t *testing.T) {
	t.Parallel()
	const pyroomacoustics = `{"center_freqs":[125,250,500,1000,2000,4000],
		"absorption":{"Curtains":{"velvet":{"description":"Velvet curtain","coeffs":[0.05,0.12,0.35,0.45,0.38,0.36]}}},
		"scattering":{"Diffusers":{"steps":{"description":"Steps","coeffs":[0.05,0.1,0.2,0.3,0.4,0.5]}}}}`
	t.Run("pyroomacoustics: absorption and scattering", func(t *testing.T) {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "materials"), pyroomacoustics)
		out := must(t, dir, "import", "pyroomacoustics", "materials", "--source-kind", "measured")
		lines := strings.SplitAfter(out, "\n")
		if gjson.Get(lines[0],
			"measurements.absorption_iso_354.0").Raw != `{"source_kind":"measured","alpha_s_octave":{"125":0.05,"250":0.12,"500":0.35,"1000":0.45,"2000":0.38,"4000":0.36}}` ||
			gjson.Get(lines[1], "measurements.scatter_iso_17497_1.0.scatter_octave.4000").Raw != "0.5" {
			t.Errorf("got %s", out)
		}
		again := command{dir: dir, stdin: strings.NewReader(pyroomacoustics)}.run(t, "import", "pyroomacoustics", "-",
			"--source-kind", "measured")
		if again.out != out {
			t.Errorf("from standard input: got %d %s %s", again.status, again.out, again.err)
		}
		writeFile(t, filepath.Join(dir, "c.ndjson"), out)
		if built := must(t, dir, "build", "c.ndjson", "--json"); gjson.Get(built, "counts.products").Int() != 2 {
			t.Errorf("built: %s", built)
		}
	})
	t.Run("api: a response of the API becomes a source record, which builds to the same responses", func(t *testing.T) {
		s, key := served(t)
		batch := s.getAs(t, key,
			"/v1/materials?include=geometry&ids=akustikpaneel-fichte-40,qrd-diffusor-7,stahlbeton-glatt,00000000-0000-4000-8000-000000000015")
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
	for _, tt := range []struct{ rule, format, input, message string }{
		{"a file that is not JSON", "pyroomacoustics", "name,125\n", "table:1"},
		{"an invalid record", "api", `{"id":"x","label":"A","manufacturer":"M"}`, "id"},
	} {
		t.Run("refused: "+tt.rule, func(t *testing.T) {
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "table"), tt.input)
			if r := sabine(t, dir, "import", tt.format, "table"); r.status != 1 || !strings.Contains(r.err, tt.message) {
				t.Errorf("got %d %s", r.status, r.err)
			}
		})
	}
}
