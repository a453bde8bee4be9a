package main_test

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/internal/xlsxtest"
)

// A list as people keep it: a title, a header in German, a product in two set-ups, a decimal comma, a percentage, a column for themselves.
var listRows = []string{
	"Alle Angaben ohne Gewähr;;;;;;;;",
	"Artikel;Hersteller;Montage;Dicke [mm];125 Hz;250 Hz;500 Hz;1000 Hz;Lagerort",
	"Filz grau;Müller & Söhne;A;40;0,10;0,20;0,45;0,70;Halle 1",
	"Filz grau;Müller & Söhne;E-200;40;15 %;25 %;50 %;75 %;Halle 1",
	"Beton;Baustoff AG;A;;0.01;0.01;0.02;0.02;Hof",
}

func listOf(rows ...string) string { return strings.Join(rows, "\n") + "\n" }

// workbookOf returns a workbook whose only sheet, Absorber, has the rows, as texts.
func workbookOf(rows []string) string {
	sheet := xlsxtest.Sheet{Name: "Absorber"}
	for _, row := range rows {
		var cells []any
		for text := range strings.SplitSeq(row, ";") {
			cells = append(cells, text)
		}
		sheet.Rows = append(sheet.Rows, cells)
	}
	return string(xlsxtest.Book{Sheets: []xlsxtest.Sheet{sheet}}.Bytes())
}

// gzipped returns a text compressed.
func gzipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hashOf builds inputs and returns the hash of the snapshot.
func hashOf(t testing.TB, dir string, inputs ...string) string {
	t.Helper()
	return gjson.Get(must(t, dir, append([]string{"build", "--json"}, inputs...)...), "hash").String()
}

func TestImportOfATable(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	list := listOf(listRows...)
	writeFile(t, filepath.Join(dir, "list.csv"), list)
	want := must(t, dir, "import", "table", "list.csv")
	records := "[" + strings.ReplaceAll(strings.TrimSuffix(want, "\n"), "\n", ",") + "]"
	felt := gjson.Get(records, `#(label="Filz grau")`)
	if !felt.Exists() {
		felt = gjson.Get(records, `#(label.de="Filz grau")`)
	}
	t.Run("rows of one product are its entries", func(t *testing.T) {
		entries := felt.Get("measurements.absorption_iso_354")
		if gjson.Get(records, "#").Int() != 2 || entries.Get("#").Int() != 2 || entries.Get(`#(mounting="E-200").alpha_s_octave.500`).Raw != "0.5" ||
			entries.Get("0.source_kind").Str != "literature" || felt.Get("structured_meta.Lagerort").Str != "Halle 1" {
			t.Errorf("got %s", want)
		}
	})
	t.Run("columns that become no field of their own are named on standard error", func(t *testing.T) {
		if r := sabine(t, dir, "import", "table", "list.csv"); !strings.Contains(r.err, "warning: ") || !strings.Contains(r.err, `"Lagerort"`) {
			t.Errorf("got %s", r.err)
		}
	})
	t.Run("the file's form and name change nothing", func(t *testing.T) {
		writeFile(t, filepath.Join(dir, "list.xlsx"), workbookOf(listRows))
		writeFile(t, filepath.Join(dir, "list.dat"), workbookOf(listRows))
		writeFile(t, filepath.Join(dir, "list.csv.gz"), gzipped(t, list))
		for _, args := range [][]string{{"csv", "list.csv"}, {"table", "list.xlsx"}, {"table", "list.dat"}, {"table", "list.csv.gz"}, {"table", "list.csv", "list.xlsx"}} {
			if got := must(t, dir, append([]string{"import"}, args...)...); got != want {
				t.Errorf("%q: got  %swant %s", args, got, want)
			}
		}
		r := command{dir: dir, stdin: strings.NewReader(list)}.run(t, "import", "table", "-")
		if r.out != want {
			t.Errorf("standard input: got %d %s%s", r.status, r.out, r.err)
		}
	})
	t.Run("--manufacturer and --source-kind stand for what rows do not say", func(t *testing.T) {
		writeFile(t, filepath.Join(dir, "nameless.csv"), "Name;Hersteller;125;250\nVorhang;;0,1;0,2\nFilz;Werk;0,1;0,2\n")
		out := must(t, dir, "import", "table", "nameless.csv", "--manufacturer", "Acme", "--source-kind", "measured")
		if strings.Count(out, `"Acme"`) != 1 || strings.Count(out, `"Werk"`) != 1 || strings.Count(out, `"source_kind":"measured"`) != 2 {
			t.Errorf("got %s", out)
		}
	})
	t.Run("a product with a fault is left out and told, with its cell", func(t *testing.T) {
		writeFile(t, filepath.Join(dir, "faulty.csv"), listOf(append(slices.Clone(listRows), "Vlies;Werk;A;40;85;0,2;viel;0,4;")...))
		r := sabine(t, dir, "import", "table", "faulty.csv")
		if r.status != 1 || r.out != want || !strings.Contains(r.err, "2 faults") || !strings.Contains(r.err, "faulty.csv:6[E6]: ") || !strings.Contains(r.err, "faulty.csv:6[G6]: ") {
			t.Errorf("got %d %s%s", r.status, r.out, r.err)
		}
	})
	t.Run("a vocabulary beside the table gives the words", func(t *testing.T) {
		sub := filepath.Join(dir, "sub")
		if err := os.Mkdir(sub, 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(sub, "vocabulary.json"), `{"material_category":{"felt-ish":{"de":"Filzartiges"}}}`)
		writeFile(t, filepath.Join(sub, "t.csv"), "Name;Hersteller;Kategorie;125;250\nFilz;Werk;Filzartiges;0,1;0,2\n")
		if out := must(t, dir, "import", "table", "sub/t.csv"); gjson.Get(out, "material_category").Str != "felt-ish" {
			t.Errorf("got %s", out)
		}
		if r := sabine(t, dir, "import", "table", "sub"); r.status != 1 || !strings.Contains(r.err, "sub: a folder") {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
}

func TestDryRunAndMap(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "list.xlsx"), workbookOf(listRows))
	t.Run("what each column became is told, and no record", func(t *testing.T) {
		out := must(t, dir, "import", "table", "list.xlsx", "--dry-run")
		for _, want := range []string{
			"list.xlsx, sheet Absorber\n  a row a set-up; 3 rows below row 2; alpha_s unless a name says otherwise\n",
			"\n  Dicke [mm]  D2    thickness_mm ", "\n  Lagerort    I2    structured_meta  Halle 1\n", "Alle Angaben ohne Gewähr",
			"\nproducts  2\nentries   3 of ISO 354, 0 of ISO 17497-1, 0 of ISO 17497-2\n",
		} {
			if !strings.Contains(out, want) {
				t.Errorf("got\n%swant %q", out, want)
			}
		}
		if strings.Contains(out, `"label"`) {
			t.Errorf("a record:\n%s", out)
		}
	})
	t.Run("as JSON", func(t *testing.T) {
		out := must(t, dir, "import", "table", "list.xlsx", "--dry-run", "--json")
		if gjson.Get(out, "tables.0.sheet").Str != "Absorber" || gjson.Get(out, `tables.0.columns.#(cell="D2").became`).Str != "thickness_mm" ||
			gjson.Get(out, "products").Int() != 2 || gjson.Get(out, "entries.absorption_iso_354").Int() != 3 || gjson.Get(out, "faults.total").Int() != 0 || strings.Contains(out, "null") {
			t.Errorf("got %s", out)
		}
	})
	t.Run("a dry run that finds faults has failed", func(t *testing.T) {
		writeFile(t, filepath.Join(dir, "faulty.csv"), listOf(listRows[0], listRows[1], "Vlies;Werk;A;40;viel;0,2;0,3;0,4;"))
		if r := sabine(t, dir, "import", "table", "faulty.csv", "--dry-run"); r.status != 1 || !strings.Contains(r.out, "\nfaults    1\n") || !strings.Contains(r.err, "faulty.csv:3[E3]") {
			t.Errorf("got %d %s%s", r.status, r.out, r.err)
		}
	})
	t.Run("a map holds the guess for import and build", func(t *testing.T) {
		must(t, dir, "import", "table", "list.xlsx", "--dry-run", "--source-kind", "measured", "--write-map", "map.json")
		want := must(t, dir, "import", "table", "list.xlsx", "--source-kind", "measured")
		if got := must(t, dir, "import", "table", "list.xlsx", "--map", "map.json", "--write-map", "again.json"); got != want {
			t.Errorf("got  %swant %s", got, want)
		}
		first, err1 := os.ReadFile(filepath.Join(dir, "map.json"))
		again, err2 := os.ReadFile(filepath.Join(dir, "again.json"))
		if err1 != nil || err2 != nil || !bytes.Equal(first, again) {
			t.Errorf("the map of a map: %s, %v\nwant %s, %v", again, err2, first, err1)
		}
		writeFile(t, filepath.Join(dir, "c.ndjson"), want)
		if got, want := hashOf(t, dir, "list.xlsx", "--map", "map.json"), hashOf(t, dir, "c.ndjson"); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
		writeFile(t, filepath.Join(dir, "map.json"), strings.Replace(string(first), "thickness_mm", "thicknes", 1))
		for _, args := range [][]string{{"import", "table", "list.xlsx", "--map", "map.json"}, {"build", "list.xlsx", "--map", "map.json"}} {
			if r := sabine(t, dir, args...); r.status != 1 || !strings.Contains(r.err, "map.json:") || !strings.Contains(r.err, "thicknes") {
				t.Errorf("%q: got %d %s", args, r.status, r.err)
			}
		}
	})
	t.Run("the template reads back", func(t *testing.T) {
		r := command{dir: dir, stdin: strings.NewReader(must(t, dir, "import", "template"))}.run(t, "import", "table", "-")
		if r.status != 0 || r.err != "" || strings.Count(r.out, "\n") != 1 {
			t.Errorf("got %d %s%s", r.status, r.out, r.err)
		}
	})
}

func TestBuildOfTables(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "list.csv"), listOf(listRows...))
	writeFile(t, filepath.Join(dir, "c.ndjson"), must(t, dir, "import", "table", "list.csv"))
	want := hashOf(t, dir, "c.ndjson")
	t.Run("a table is built as its records are, whatever the order of its rows", func(t *testing.T) {
		shuffled := slices.Clone(listRows)
		slices.Reverse(shuffled[2:])
		writeFile(t, filepath.Join(dir, "shuffled.xlsx"), workbookOf(shuffled))
		for _, name := range []string{"list.csv", "shuffled.xlsx"} {
			if got := hashOf(t, dir, name); got != want {
				t.Errorf("%s: got %s, want %s", name, got, want)
			}
		}
		for _, list := range []string{"\n" + listOf(listRows...), workbookOf(shuffled)} {
			r := command{dir: dir, stdin: strings.NewReader(list)}.run(t, "build", "-", "--json")
			if gjson.Get(r.out, "hash").Str != want || gjson.Get(r.out, "inputs.0").Str != "-" {
				t.Errorf("standard input: got %d %s%s, want %s", r.status, r.out, r.err, want)
			}
		}
	})
	t.Run("records and several tables are one catalogue, and set-ups of one product in two tables are of one", func(t *testing.T) {
		if err := os.Mkdir(filepath.Join(dir, "catalogue"), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, dir, "catalogue/a.ndjson", aProduct(1, ""))
		write(t, dir, "catalogue/t.csv", listOf(listRows...))
		write(t, dir, "one.csv", listOf(listRows[1], listRows[2]))
		write(t, dir, "two.csv", listOf(listRows[1], listRows[3], listRows[4]))
		r := sabine(t, dir, "build", "catalogue", "one.csv", "two.csv", "--out", "mixed", "--json")
		if r.status != 0 || gjson.Get(r.out, "counts.products").Int() != 3 || gjson.Get(r.out, "inputs.#").Int() != 3 ||
			!strings.Contains(gjson.Get(r.out, "notes").Raw, "catalogue/t.csv") {
			t.Errorf("got %d %s%s", r.status, r.out, r.err)
		}
		write(t, dir, "both.ndjson", aProduct(1, "")+must(t, dir, "import", "table", "list.csv"))
		if want := hashOf(t, dir, "both.ndjson"); gjson.Get(r.out, "hash").Str != want {
			t.Errorf("got %s, want %s", gjson.Get(r.out, "hash").Str, want)
		}
	})
	t.Run("a fault names its cell and fails the build", func(t *testing.T) {
		write(t, dir, "faulty.csv", listOf(listRows[1], "Vlies;Werk;A;40;viel;0,2;0,3;0,4;"))
		if r := sabine(t, dir, "build", "faulty.csv"); r.status != 1 || !strings.Contains(r.err, "faulty.csv:2[E2]: ") {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
}

func TestMistakesOfAnImport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "t.csv"), listOf(listRows...))
	writeFile(t, filepath.Join(dir, "vocabulary.json"), "{}")
	for _, tt := range []struct {
		rule   string
		args   string
		status int
		says   string
	}{
		{"no format", "", 2, "takes a FORMAT and a FILE"},
		{"a format that is not there", "xlsx t.csv", 2, "the formats are api, csv, pyroomacoustics, table, template\n"},
		{"no file", "table", 2, "got 0 files"},
		{"several files of a format that takes one", "api t.csv t.csv", 2, "got 2 files"},
		{"a file for the template", "template t.csv", 2, "takes no file"},
		{"a flag of tables", "api t.csv --dry-run", 2, "--dry-run is for tables, not for api"},
		{"a source kind that is none", "table t.csv --source-kind guessed", 2, "--source-kind must be one of measured, literature, simulated"},
		{"a file that is not there", "table nowhere.csv", 1, "nowhere.csv"},
		{"a vocabulary alone", "table vocabulary.json", 1, "expected a table"},
		{"standard input twice", "table - -", 1, "only once"},
		{"a map that is not there", "table t.csv --map nowhere.json", 1, "nowhere.json"},
		{"a map that cannot be written", "table t.csv --dry-run --write-map nowhere/map.json", 1, "nowhere"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			if r := sabine(t, dir, append([]string{"import"}, strings.Fields(tt.args)...)...); r.status != tt.status || !strings.Contains(r.err, tt.says) {
				t.Errorf("got %d %s", r.status, r.err)
			}
		})
	}
}
