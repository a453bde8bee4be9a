package main_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/internal/xlsxtest"
)

// listRows is a typical list: a title, a German header, a product with two set-ups, a decimal comma, a
// percentage, an internal column and an unknown column.
var listRows = []string{
	"Alle Angaben ohne Gewähr;;;;;;;;;",
	"Artikel;Hersteller;Montage;Dicke [mm];125 Hz;250 Hz;500 Hz;1000 Hz;Lagerort;Farbe",
	"Filz grau;Müller & Söhne;A;40;0,10;0,20;0,45;0,70;Halle 1;grau",
	"Filz grau;Müller & Söhne;E-200;40;15 %;25 %;50 %;75 %;Halle 1;grau",
	"Beton;Baustoff AG;A;;0.01;0.01;0.02;0.02;Hof;",
}

func listOf(rows ...string) string { return strings.Join(rows, "\n") + "\n" }

// workbookOf returns a workbook with one sheet, Absorber, that contains the rows as strings.
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

// gzipped returns a text compressed with gzip.
func gzipped(t testing.TB, text string) string {
	t.Helper()
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	if _, err := w.Write([]byte(text)); err != nil || w.Close() != nil {
		t.Fatal(err)
	}
	return b.String()
}

// hashOf builds inputs and returns the snapshot's hash.
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
	t.Run("rows of one product are its entries", func(t *testing.T) {
		entries := felt.Get("measurements.absorption_iso_354")
		if gjson.Get(records, "#").Int() != 2 || entries.Get("#").Int() != 2 ||
			entries.Get(`#(mounting="E-200").alpha_s_octave.500`).Raw != "0.5" ||
			entries.Get("0.source_kind").Str != "literature" {
			t.Errorf("got %s", want)
		}
	})
	t.Run("unknown columns are published, internal columns are omitted, and both are named", func(t *testing.T) {
		if got := felt.Get("structured_meta").Raw; got != `{"Farbe":"grau"}` {
			t.Errorf("got %s", got)
		}
		const private = "columns with prices, discounts, stock or notes are left out unless a map includes them"
		const unknown = "unknown columns are published in structured_meta under their names"
		r := sabine(t, dir, "import", "table", "list.csv")
		for _, want := range []string{
			`warning: list.csv:2[I2]: ` + private + `: I2 "Lagerort"` + "\n",
			`warning: list.csv:2[A2]: ` + unknown + `: "Farbe"` + "\n",
		} {
			if !strings.Contains(r.err, want) {
				t.Errorf("got %swant %s", r.err, want)
			}
		}
	})
	t.Run("the format and the file name do not matter", func(t *testing.T) {
		writeFile(t, filepath.Join(dir, "list.xlsx"), workbookOf(listRows))
		writeFile(t, filepath.Join(dir, "list.dat"), workbookOf(listRows))
		writeFile(t, filepath.Join(dir, "list.csv.gz"), gzipped(t, list))
		for _, args := range [][]string{{"csv", "list.csv"}, {"table", "list.xlsx"}, {"table", "list.dat"},
			{"table", "list.csv.gz"}, {"table", "list.csv", "list.xlsx"}} {
			if got := must(t, dir, append([]string{"import"}, args...)...); got != want {
				t.Errorf("%q: got  %swant %s", args, got, want)
			}
		}
		r := command{dir: dir, stdin: strings.NewReader(list)}.run(t, "import", "table", "-")
		if r.out != want {
			t.Errorf("standard input: got %d %s%s", r.status, r.out, r.err)
		}
	})
	t.Run("--manufacturer and --source-kind are for rows without these values", func(t *testing.T) {
		writeFile(t, filepath.Join(dir, "nameless.csv"), "Name;Hersteller;125;250\nVorhang;;0,1;0,2\nFilz;Werk;0,1;0,2\n")
		out := must(t, dir, "import", "table", "nameless.csv", "--manufacturer", "Acme", "--source-kind", "measured")
		if strings.Count(out, `"Acme"`) != 1 || strings.Count(out, `"Werk"`) != 1 ||
			strings.Count(out, `"source_kind":"measured"`) != 2 {
			t.Errorf("got %s", out)
		}
	})
	t.Run("a product with a fault is omitted and reported with its cell", func(t *testing.T) {
		writeFile(t, filepath.Join(dir, "faulty.csv"),
			listOf(append(slices.Clone(listRows), "Vlies;Werk;A;40;85;0,2;viel;0,4;")...))
		r := sabine(t, dir, "import", "table", "faulty.csv")
		if r.status != 1 || r.out != want || !strings.Contains(r.err, "2 faults") ||
			!strings.Contains(r.err, "faulty.csv:6[E6]: ") || !strings.Contains(r.err, "faulty.csv:6[G6]: ") {
			t.Errorf("got %d %s%s", r.status, r.out, r.err)
		}
	})
	t.Run("a vocabulary in the folder of the table is used", func(t *testing.T) {
		sub := filepath.Join(dir, "sub")
		if err := os.Mkdir(sub, 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(sub, "vocabulary.json"), `{"material_category":{"felt-ish":{"de":"Filzartiges"}}}`)
		writeFile(t, filepath.Join(sub, "t.csv"), "Name;Hersteller;Kategorie;125;250\nFilz;Werk;Filzartiges;0,1;0,2\n")
		if out := must(t, dir, "import", "table", "sub/t.csv"); gjson.Get(out, "material_category").Str != "felt-ish" {
			t.Errorf("got %s", out)
		}
		if r := sabine(t, dir, "import", "table", "sub"); r.status != 1 || !strings.Contains(r.err, "sub is a folder") {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
}

func TestDryRunAndMap(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "list.xlsx"), workbookOf(listRows))
	t.Run("the meaning of each column is printed, and no record", func(t *testing.T) {
		out := must(t, dir, "import", "table", "list.xlsx", "--dry-run")
		for _, want := range []string{
			"list.xlsx, sheet Absorber\n  one row per set-up; 3 rows below row 2; alpha_s unless a column name states another quantity\n",
			"\n  Dicke [mm]  D2    thickness_mm ", "\n  Lagerort    I2    -\n",
			"\n  Farbe       J2    structured_meta  grau\n", "Alle Angaben ohne Gewähr",
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
		if gjson.Get(out, "tables.0.sheet").Str != "Absorber" ||
			gjson.Get(out, `tables.0.columns.#(cell="D2").became`).Str != "thickness_mm" ||
			gjson.Get(out, "products").Int() != 2 || gjson.Get(out, "entries.absorption_iso_354").Int() != 3 ||
			gjson.Get(out, "faults.total").Int() != 0 || strings.Contains(out, "null") {
			t.Errorf("got %s", out)
		}
	})
	t.Run("a dry run that finds faults has failed", func(t *testing.T) {
		writeFile(t, filepath.Join(dir, "faulty.csv"), listOf(listRows[0], listRows[1], "Vlies;Werk;A;40;viel;0,2;0,3;0,4;"))
		if r := sabine(t, dir, "import", "table", "faulty.csv", "--dry-run"); r.status != 1 ||
			!strings.Contains(r.out, "\nfaults    1\n") || !strings.Contains(r.err, "faulty.csv:3[E3]") {
			t.Errorf("got %d %s%s", r.status, r.out, r.err)
		}
	})
	t.Run("import and build use a written map", func(t *testing.T) {
		must(t, dir, "import", "table", "list.xlsx", "--dry-run", "--source-kind", "measured", "--write-map", "map.json")
		want := must(t, dir, "import", "table", "list.xlsx", "--source-kind", "measured")
		if got := must(t, dir, "import", "table", "list.xlsx", "--map", "map.json", "--write-map",
			"again.json"); got != want {
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
		for _, args := range [][]string{{"import", "table", "list.xlsx", "--map", "map.json"},
			{"build", "list.xlsx", "--map", "map.json"}} {
			if r := sabine(t, dir, args...); r.status != 1 || !strings.Contains(r.err, "map.json:") ||
				!strings.Contains(r.err, "thicknes") {
				t.Errorf("%q: got %d %s", args, r.status, r.err)
			}
		}
	})
	t.Run("the template can be imported", func(t *testing.T) {
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
	t.Run("a table builds to the same snapshot as its records, with any order of rows", func(t *testing.T) {
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
	t.Run("records and several tables are one catalogue, and set-ups in two tables belong to one product",
		func(t *testing.T) {
			if err := os.Mkdir(filepath.Join(dir, "catalogue"), 0o755); err != nil {
				t.Fatal(err)
			}
			write(t, dir, "catalogue/a.ndjson", aProduct(1, ""))
			write(t, dir, "catalogue/t.csv", listOf(listRows...))
			write(t, dir, "one.csv", listOf(listRows[1], listRows[2]))
			write(t, dir, "two.csv", listOf(listRows[1], listRows[3], listRows[4]))
			r := sabine(t, dir, "build", "catalogue", "one.csv", "two.csv", "--out", "mixed", "--json")
			if r.status != 0 || gjson.Get(r.out, "counts.products").Int() != 3 || gjson.Get(r.out, "inputs.#").Int() != 3 ||
				!strings.Contains(gjson.Get(r.out, "notes").Raw, `catalogue/t.csv\": a table: add --tables`) {
				t.Errorf("got %d %s%s", r.status, r.out, r.err)
			}
			write(t, dir, "both.ndjson", aProduct(1, "")+must(t, dir, "import", "table", "list.csv"))
			if want := hashOf(t, dir, "both.ndjson"); gjson.Get(r.out, "hash").Str != want {
				t.Errorf("got %s, want %s", gjson.Get(r.out, "hash").Str, want)
			}
		})
	t.Run("--tables builds the tables of folders; a table that is also named is built once", func(t *testing.T) {
		write(t, dir, "all.ndjson", aProduct(1, "")+must(t, dir, "import", "table", "list.csv"))
		want := hashOf(t, dir, "all.ndjson")
		for _, args := range []string{"@ --tables", "@ @/t.csv", "@/t.csv @ --tables"} {
			args = strings.ReplaceAll(args, "@", "catalogue")
			r := sabine(t, dir, append([]string{"build", "--json"}, strings.Fields(args)...)...)
			report := gjson.Parse(r.out)
			if report.Get("hash").Str != want || report.Get("inputs.#").Int() != 2 || report.Get("notes").Exists() {
				t.Errorf("%s: got %d %s%s, want %s", args, r.status, r.out, r.err, want)
			}
		}
		r := command{dir: dir, env: []string{"SABINE_TABLES=true"}}.run(t, "build", "catalogue")
		if !strings.Contains(r.out, want) {
			t.Errorf("by the environment: got %s%s, want %s", r.out, r.err, want)
		}
	})
	t.Run("a fault names its cell and fails the build", func(t *testing.T) {
		write(t, dir, "faulty.csv", listOf(listRows[1], "Vlies;Werk;A;40;viel;0,2;0,3;0,4;"))
		if r := sabine(t, dir, "build", "faulty.csv"); r.status != 1 || !strings.Contains(r.err, "faulty.csv:2[E2]: ") {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
}

func TestReportOfAnImport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	rows := []string{"Artikel;Hersteller;125 Hz;250 Hz"}
	for i := range 12 {
		rows = append(rows, fmt.Sprintf("A%d;Werk;%d x;0,2", i, i))
	}
	writeFile(t, filepath.Join(dir, "list.csv"), listOf(append(rows, "Gut;Werk;0,1;0,2", "Viel;Werk;0,1;viel")...))
	imported := func(t *testing.T, env string, args ...string) (r result, report gjson.Result) {
		r = command{dir: dir, env: []string{env}}.run(t, append([]string{"import", "table"}, args...)...)
		return r, gjson.Parse(readFile(t, filepath.Join(dir, "report.json")))
	}
	t.Run("each kind is a line with ten places, and the report has all places", func(t *testing.T) {
		r, report := imported(t, "", "list.csv", "--report", "report.json")
		const cells = "(and 11 more like it: C3, C4, C5, C6, C7, C8, C9, C10, C11, …)\n"
		if r.status != 1 || strings.Count(r.err, "125 Hz: ") != 1 || !strings.Contains(r.err, cells) {
			t.Errorf("got %d %s", r.status, r.err)
		}
		for path, want := range map[string]string{
			"tables.0.input": "list.csv", "products": "1", "entries.absorption_iso_354": "1",
			"faults.total": "13", "faults.kinds.#": "2", "faults.kinds.0.count": "12", "faults.kinds.0.path": "125 Hz",
			"faults.kinds.0.places.#": "10", "faults.kinds.0.places.9": "list.csv:11[C11]",
			"faults.all.#": "13", `faults.all.#(place="list.csv:13[C13]").path`: "125 Hz",
		} {
			if got := report.Get(path).String(); got != want {
				t.Errorf("%s: got %s, want %s", path, got, want)
			}
		}
		if !strings.HasSuffix(r.err, "sabine: "+report.Get("error").Str+"\n") {
			t.Errorf("the report has the error %s, but the command printed %s", report.Get("error"), r.err)
		}
	})
	t.Run("a dry run writes a report too", func(t *testing.T) {
		r, report := imported(t, "", "list.csv", "--dry-run", "--report", "report.json")
		if r.status != 1 || !strings.Contains(r.out, "faults    13\n") || report.Get("faults.total").Int() != 13 {
			t.Errorf("got %d %s%s\n%s", r.status, r.out, r.err, report)
		}
	})
	t.Run("an import that cannot start writes a report, also with the variable", func(t *testing.T) {
		r, report := imported(t, "SABINE_IMPORT_REPORT=report.json", "nowhere.csv")
		if r.status != 1 || !strings.Contains(report.Get("error").Str, "nowhere.csv") || report.Get("tables").Raw != "[]" {
			t.Errorf("got %d %s\n%s", r.status, r.err, report)
		}
	})
	t.Run("a report that cannot be written fails the import", func(t *testing.T) {
		r, _ := imported(t, "", "list.csv", "--report", "nowhere/report.json")
		if r.status != 1 || !strings.Contains(r.err, "13 faults") || !strings.Contains(r.err, "write the report: ") {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
}

func TestLabelOfACurve(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "curve.csv"), listOf("f/Hz;αs", "250;0,1", "500;0,4", "1000;0,8"))
	writeFile(t, filepath.Join(dir, "list.csv"), listOf(listRows...))
	args := []string{"import", "table", "curve.csv", "--manufacturer", "Acme", "--report", "report.json"}
	t.Run("--label names the product of a file with one curve", func(t *testing.T) {
		out := must(t, dir, append(args, "--label", " Filz 25 ")...)
		curve := gjson.Get(out, "measurements.absorption_iso_354.0.alpha_s_octave").Raw
		if gjson.Get(out, "label").Str != "Filz 25" || curve != `{"250":0.1,"500":0.4,"1000":0.8}` {
			t.Errorf("got %s", out)
		}
		report := gjson.Parse(readFile(t, filepath.Join(dir, "report.json")))
		column := report.Get(`tables.0.columns.#(header="label")`)
		if column.Get("became").Str != "label" || column.Get("value").Str != "Filz 25" || report.Get("products").Int() != 1 {
			t.Errorf("got %s", report)
		}
	})
	t.Run("without --label, the fault names the flag, also in the report", func(t *testing.T) {
		r := sabine(t, dir, args...)
		report := gjson.Parse(readFile(t, filepath.Join(dir, "report.json")))
		for _, got := range []string{r.err, report.Get("faults.all.0.problem").Str} {
			if !strings.Contains(got, "no column of product names: ") || !strings.Contains(got, "--label NAME") {
				t.Errorf("got %s", got)
			}
		}
		if r.status != 1 || r.out != "" || report.Get("faults.all.0.place").Str != "curve.csv:1[A1]" {
			t.Errorf("got %d %s\n%s", r.status, r.out, report)
		}
	})
	t.Run("--label does not apply to a table with names", func(t *testing.T) {
		want := must(t, dir, "import", "table", "list.csv")
		if got := must(t, dir, "import", "table", "list.csv", "--label", "Filz 25"); got != want {
			t.Errorf("got  %swant %s", got, want)
		}
	})
}

// TestACatalogueFolder builds a folder with records imported with --label, a list, and corrections of both.
func TestACatalogueFolder(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, "catalogue"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "curve.csv"), listOf("f/Hz;αs", "250;0,1", "500;0,4", "1000;0,8"))
	curve := must(t, dir, "import", "table", "curve.csv", "--label", "Filz 25", "--manufacturer", "Acme")
	write(t, dir, "catalogue/curve.ndjson", curve)
	write(t, dir, "catalogue/list.csv", listOf(listRows...))
	write(t, dir, "catalogue/corrections.csv", listOf("Name;Hersteller;Brandklasse;Farbe",
		"Filz 25;Acme;B-s1,d0;", "Beton;Baustoff AG;A1;grau", "Filz grau;;;weiß", "Filz rot;Acme;B;"))
	args := []string{"build", "catalogue", "--tables", "--corrections", "catalogue/corrections.csv"}
	must(t, dir, append(args, "--report", "build.json")...)
	report := gjson.Parse(readFile(t, filepath.Join(dir, "build.json")))
	for path, want := range map[string]string{
		"inputs":                  `["catalogue/curve.ndjson","catalogue/list.csv"]`,
		"counts.products":         "3",
		"corrections.inputs":      `["catalogue/corrections.csv"]`,
		"corrections.corrections": "4",
		"corrections.products":    "3",
		"corrections.fields":      "4",
		`warnings.first.#(%"*Filz rot*")`: `catalogue/corrections.csv:5[A5]: ` +
			`no product has the label "Filz rot" of "Acme": the correction has no effect`,
		"families.fire_class": `{"A1":1,"B":1}`,
	} {
		if got := report.Get(path); strings.Join(strings.Fields(got.String()), "") != strings.Join(strings.Fields(want), "") {
			t.Errorf("%s: got %s, want %s", path, got, want)
		}
	}
	var got []string
	for line := range strings.Lines(must(t, dir, "export")) {
		p := gjson.Parse(line)
		got = append(got, strings.TrimSpace(fmt.Sprint(p.Get("label"), " ", p.Get("structured_meta.Farbe"))))
	}
	slices.Sort(got)
	if want := []string{"Beton grau", "Filz 25", "Filz grau weiß"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestBuildWithCorrections(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "list.csv"), listOf(listRows...))
	must(t, dir, "build", "list.csv")
	export := must(t, dir, "export", "--format", "csv")
	rows := strings.SplitAfter(export, "\r\n")
	at := slices.Index(strings.Split(strings.TrimSpace(rows[0]), ","), "fire_class")
	for i, row := range rows {
		if cells := strings.Split(row, ","); strings.Contains(row, "Beton") {
			cells[at] = "A1"
			rows[i] = strings.Join(cells, ",")
		}
	}
	writeFile(t, filepath.Join(dir, "export.csv"), export)
	writeFile(t, filepath.Join(dir, "edited.csv"), strings.Join(rows, ""))
	t.Run("an unedited export corrects nothing", func(t *testing.T) {
		out := must(t, dir, "build", "list.csv", "--corrections", "export.csv", "--json")
		report := gjson.Get(out, "corrections")
		unchanged := gjson.Get(out, "outcome").Str == "unchanged"
		if !unchanged || report.Get("corrections").Int() != 2 || report.Get("fields").Int() != 0 {
			t.Errorf("got %s", out)
		}
	})
	t.Run("an edited export replaces the edited fields", func(t *testing.T) {
		out := must(t, dir, "build", "list.csv", "--corrections", "edited.csv")
		if !strings.Contains(out, "\ncorrected 1 product, 1 field\n") {
			t.Errorf("got %s", out)
		}
		if got, want := must(t, dir, "export", "--format", "csv"), strings.Join(rows, ""); got != want || want == export {
			t.Errorf("got %s\nwant %s", got, want)
		}
	})
	t.Run("several files, in any order; corrections in a folder are not inputs", func(t *testing.T) {
		if err := os.Mkdir(filepath.Join(dir, "c"), 0o755); err != nil {
			t.Fatal(err)
		}
		write(t, dir, "c/list.csv", listOf(listRows...))
		write(t, dir, "c/edited.csv", strings.Join(rows, ""))
		write(t, dir, "c/other.ndjson", `{"label":"Beton","structured_meta":{"Farbe":"grau"}}`+"\n"+`{"label":"Holz"}`)
		build := func(corrections ...string) gjson.Result {
			args := []string{"build", "c", "--tables", "--json"}
			for _, name := range corrections {
				args = append(args, "--corrections", name)
			}
			return gjson.Parse(must(t, dir, args...))
		}
		first, second := build("c/other.ndjson", "c/edited.csv"), build("c/edited.csv", "c/other.ndjson")
		if hash := first.Get("hash").Str; second.Get("hash").Str != hash || first.Get("counts.products").Int() != 2 {
			t.Errorf("got %s\nand %s", first, second)
		}
		if got := first.Get("corrections"); got.Get("products").Int() != 1 || got.Get("fields").Int() != 2 {
			t.Errorf("got %s", got)
		}
		const want = `c/other.ndjson:2: no product has the label "Holz": the correction has no effect`
		if got := first.Get("warnings.first.0").Str; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	})
	t.Run("a fault in a cell of another row does not name the correction", func(t *testing.T) {
		write(t, dir, "faulty.csv", listOf(append(slices.Clone(listRows), "Vlies;Werk;A;40;viel;0,2;0,3;0,4;")...))
		write(t, dir, "urls.ndjson", `{"label":"Beton","url":"https://a.example"}`+"\n"+`{"label":"Filz grau","alpha_w":1}`)
		r := sabine(t, dir, "build", "faulty.csv", "--corrections", "urls.ndjson", "--skip-invalid")
		if !strings.Contains(r.out, "\ncorrected 2 products, 2 fields\n") || strings.Contains(r.err, "corrected by") {
			t.Errorf("got %s%s", r.out, r.err)
		}
	})
	t.Run("a missing file fails the build", func(t *testing.T) {
		r := sabine(t, dir, "build", "list.csv", "--corrections", "nowhere.csv")
		if r.status != 1 || !strings.Contains(r.err, "nowhere.csv") {
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
		rule    string
		args    string
		status  int
		message string
	}{
		{"no format", "", 2, "takes a FORMAT and a FILE"},
		{"an unknown format", "xlsx t.csv", 2, "expected one of api, csv, pyroomacoustics, table, template\n"},
		{"no file", "table", 2, "got 0 files"},
		{"several files for a format that takes one", "api t.csv t.csv", 2, "got 2 files"},
		{"a file for the template", "template t.csv", 2, "takes no file"},
		{"a flag of tables", "api t.csv --dry-run", 2, "--dry-run is for tables, not for api"},
		{"a report of a format without reports", "api t.csv --report r.json", 2, "--report is for tables, not for api"},
		{"a label for another format", "api t.csv --label A", 2, "--label is for tables, not for api"},
		{"a label without a letter", "table t.csv --label=", 2, "--label must be the name of a product"},
		{"an unknown source kind", "table t.csv --source-kind guessed", 2,
			"--source-kind must be one of measured, literature, simulated"},
		{"a missing file", "table nowhere.csv", 1, "nowhere.csv"},
		{"only a vocabulary", "table vocabulary.json", 1, "expected a table"},
		{"standard input twice", "table - -", 1, "only once"},
		{"a missing map", "table t.csv --map nowhere.json", 1, "nowhere.json"},
		{"a map that cannot be written", "table t.csv --dry-run --write-map nowhere/map.json", 1, "nowhere"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			if r := sabine(t, dir, append([]string{"import"}, strings.Fields(tt.args)...)...); r.status != tt.status ||
				!strings.Contains(r.err, tt.message) {
				t.Errorf("got %d %s", r.status, r.err)
			}
		})
	}
}
