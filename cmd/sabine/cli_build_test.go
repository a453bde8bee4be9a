package main_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"
)

// listing returns the names of the files in a folder.
func listing(t testing.TB, dir string) []string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var all []string
	for _, e := range entries {
		all = append(all, e.Name())
	}
	return all
}

func TestBuild(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	r := sabine(t, dir, "build", catalogueFolder(t))
	name := current(t, dir)
	hash := strings.TrimSuffix(name, ".snapshot")
	folder := filepath.Join(dir, "snapshots")
	t.Run("prints hash, products, bytes, seconds, warnings", func(t *testing.T) {
		var facts []string
		for line := range strings.Lines(r.out) {
			facts = append(facts, strings.Fields(line)[0])
		}
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil {
			t.Fatal(err)
		}
		if r.status != 0 || strings.Join(facts, " ") != "hash products bytes seconds warnings" ||
			!strings.Contains(r.out, hash) ||
			!strings.Contains(r.out, "products  15\n") ||
			!strings.Contains(r.out, fmt.Sprintf("bytes     %d\n", info.Size())) || !strings.Contains(r.out, "warnings  3\n") {
			t.Errorf("got %d %s", r.status, r.out)
		}
	})
	t.Run("the file name is the SHA-256 of its content, and the file is read-only", func(t *testing.T) {
		sum := sha256.Sum256([]byte(readFile(t, filepath.Join(folder, name))))
		info, err := os.Stat(filepath.Join(folder, name))
		if err != nil || hex.EncodeToString(sum[:]) != hash || info.Mode().Perm()&0o222 != 0 {
			t.Errorf("got %x, mode %v, %v", sum, info.Mode(), err)
		}
	})
	t.Run("CURRENT is one line, and the report is in the same folder", func(t *testing.T) {
		if got := readFile(t, filepath.Join(folder, "CURRENT")); got != name+"\n" {
			t.Errorf("got %q", got)
		}
		want := []string{".lock", hash + ".report.json", name, "CURRENT"}
		slices.Sort(want)
		if got := listing(t, folder); !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
	t.Run("the report has the inputs and the findings", func(t *testing.T) {
		report := &answer{body: readFile(t, filepath.Join(folder, hash+".report.json"))}
		for at, want := range map[string]string{
			"outcome": "built", "hash": hash, "switched": "true", "counts.records": "16", "counts.products": "15",
			"counts.unpublished": "1",
			"counts.skipped":     "0", "faults.total": "0", "warnings.total": "3", "families.material_category.glas": "0",
			"families.fire_class.B": "3",
		} {
			if got := report.json(at).String(); got != want {
				t.Errorf("%s: got %s, want %s", at, got, want)
			}
		}
		for _, want := range []string{"products.json[0]", "negative coefficients at 125 Hz", "has_epd", "epd_url"} {
			if !strings.Contains(report.json("warnings.first").Raw, want) {
				t.Errorf("the warnings lack %s: %s", want, report.json("warnings.first"))
			}
		}
		if inputs := report.json("inputs").Raw; !strings.Contains(inputs, "products.json") ||
			!strings.Contains(inputs, "vocabulary.json") {
			t.Errorf("inputs: got %s", inputs)
		}
	})
	t.Run("without a terminal, progress has no control characters", func(t *testing.T) {
		if strings.ContainsAny(r.err, "\r\x1b") {
			t.Errorf("got %q", r.err)
		}
	})
	t.Run("--json prints the report, and --report writes it elsewhere too", func(t *testing.T) {
		out := must(t, dir, "build", catalogueFolder(t), "--json", "--report", "elsewhere.json")
		elsewhere := readFile(t, filepath.Join(dir, "elsewhere.json"))
		if gjson.Get(out, "hash").String() != hash || gjson.Get(elsewhere, "hash").String() != hash ||
			gjson.Get(out, "outcome").String() != "unchanged" {
			t.Errorf("got %s and %s", out, elsewhere)
		}
	})
	t.Run("--out names the folder, which is created", func(t *testing.T) {
		must(t, dir, "build", catalogueFolder(t), "--out", "a/b")
		if got := readFile(t, filepath.Join(dir, "a", "b", "CURRENT")); got != name+"\n" {
			t.Errorf("got %q", got)
		}
	})
	t.Run("--sample", func(t *testing.T) {
		out := must(t, dir, "build", "--sample", "--out", "sample", "--json")
		if gjson.Get(out, "counts.products").Int() < 10 || gjson.Get(out, "faults.total").Int() != 0 {
			t.Errorf("got %s", out)
		}
	})
	t.Run("other files in a folder are named", func(t *testing.T) {
		one := record(t, map[string]any{"id": "10000000-0000-4000-8000-000000000001", "label": "L", "manufacturer": "M"})
		if err := os.Mkdir(filepath.Join(dir, "mixed"), 0o755); err != nil {
			t.Fatal(err)
		}
		writeFile(t, filepath.Join(dir, "mixed", "a.json"), one)
		writeFile(t, filepath.Join(dir, "mixed", ".b.json"), one)
		writeFile(t, filepath.Join(dir, "mixed", "c.csv"), "name,125\n")
		r := sabine(t, dir, "build", "mixed", "--out", "mixed-out")
		for _, want := range []string{`skipped: "mixed/.b.json": hidden`, `skipped: "mixed/c.csv": a table`} {
			if r.status != 0 || !strings.Contains(r.err, want) || !strings.Contains(r.out, "products  1\n") {
				t.Errorf("got %d %s%s, want %s", r.status, r.out, r.err, want)
			}
		}
		writeFile(t, filepath.Join(dir, "mixed", "d.json"), "{")
		if r := sabine(t, dir, "build", "mixed", "--out", "mixed-out"); r.status != 1 ||
			!strings.Contains(r.err, `skipped: "mixed/.b.json": hidden`) {
			t.Errorf("of a build that fails: got %d %s", r.status, r.err)
		}
	})
	t.Run("a pipe as an input is refused", func(t *testing.T) {
		if err := syscall.Mkfifo(filepath.Join(dir, "feed"), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, args := range [][]string{{"build", "feed"}, {"import", "table", "feed"}, {"import", "api", "/dev/null"},
			{"build", "--sample", "--dictionary", "feed"}} {
			if r := sabine(t, dir, args...); r.status != 1 ||
				!strings.Contains(r.err, "standard input (-) is accepted only as an INPUT argument") {
				t.Errorf("%q: got %d %s", args, r.status, r.err)
			}
		}
	})
	t.Run("unknown fields are counted", func(t *testing.T) {
		writeFile(t, filepath.Join(dir, "unknown.json"),
			record(t, map[string]any{"id": "10000000-0000-4000-8000-000000000001", "label": "L", "manufacturer": "M",
				"price": 3, "colour": "red"}))
		if got := gjson.Get(must(t, dir, "build", "unknown.json", "--out", "unknown", "--json"), "unknown_fields"); got.Get(
			"price").Int() != 1 || got.Get("colour").Int() != 1 {
			t.Errorf("got %s", got)
		}
	})
	t.Run("build and inspect report a dictionary, and its words find words of the catalogue", func(t *testing.T) {
		write(t, dir, "translated.ndjson", aProduct(1, `,"commercial_name":"Holzwand"`))
		write(t, dir, "de-en", "Wand {f} | Wände {pl} :: buildingthing | buildingthings\nDach :: roof\n")
		out := must(t, dir, "build", "translated.ndjson", "--dictionary", "de-en", "--out", "translated")
		if !strings.Contains(out, "\npairs     2 of 3 used\n") {
			t.Errorf("got %s", out)
		}
		if out := must(t, dir, "inspect", "--snapshots", "translated"); !strings.HasSuffix(out,
			"\nwith 2 of the 3 pairs in the dictionary de-en\n") {
			t.Errorf("got %s", out)
		}
		if out := must(t, dir, "search", "buildingthing", "--explain", "--snapshots", "translated"); !strings.Contains(out,
			`name: by the dictionary "holzwand"`) {
			t.Errorf("got %s", out)
		}
		write(t, dir, "de-en", "Wand :: wall\nDach\n")
		for name, want := range map[string]string{
			"de-en": "de-en:2", "not-there": "not-there", "translated": "translated is a folder",
		} {
			if r := sabine(t, dir, "build", "translated.ndjson", "--dictionary", name, "--out", "translated"); r.status != 1 ||
				!strings.Contains(r.err, want) {
				t.Errorf("%s: got %d %s, want %s", name, r.status, r.err, want)
			}
		}
	})
	t.Run("unknown fields are reported with their number and the nearest known name, also when the build fails",
		func(t *testing.T) {
			var catalogue strings.Builder
			for n := range 3 {
				catalogue.WriteString(record(t, map[string]any{"id": fmt.Sprintf("10000000-0000-4000-8000-%012d", n), "label": "L",
					"manufacturer": "M", "comercial_name": "C"}))
			}
			catalogue.WriteString(record(t, map[string]any{"id": "10000000-0000-4000-8000-000000000009", "label": "L",
				"manufacturer": map[string]any{"name": "M", "country": "DE"}}))
			writeFile(t, filepath.Join(dir, "meant.ndjson"), catalogue.String())
			want := "unknown field: comercial_name, 3 times; the nearest known name is commercial_name\nunknown field: " +
				"manufacturer.country, once\n"
			if r := sabine(t, dir, "build", "meant.ndjson", "--out", "meant"); r.status != 0 || !strings.HasSuffix(r.err, want) {
				t.Errorf("got %d %s", r.status, r.err)
			}
			writeFile(t, filepath.Join(dir, "lable.ndjson"),
				`{"id":"10000000-0000-4000-8000-000000000001","lable":"L","manufacturer":"M"}`+"\n")
			want = "unknown field: lable, once; the nearest known name is label\n"
			if r := sabine(t, dir, "build", "lable.ndjson", "--out", "meant"); r.status != 1 || !strings.Contains(r.err, want) {
				t.Errorf("got %d %s", r.status, r.err)
			}
		})
	t.Run("the first warnings are printed with their places, and the path of the report for the others", func(t *testing.T) {
		var catalogue strings.Builder
		for n := range 25 {
			catalogue.WriteString(record(t, map[string]any{"id": fmt.Sprintf("10000000-0000-4000-8000-%012d", n),
				"label": fmt.Sprint(n), "manufacturer": "M", "has_epd": true}))
		}
		writeFile(t, filepath.Join(dir, "warned.ndjson"), catalogue.String())
		r := sabine(t, dir, "build", "warned.ndjson", "--out", "warned")
		lines := strings.Split(r.err, "\n")
		if r.status != 0 || len(lines) != 12 || !strings.HasPrefix(lines[0], "warning: warned.ndjson:1: product ") ||
			!strings.HasPrefix(lines[9], "warning: warned.ndjson:10: product ") ||
			!strings.HasPrefix(lines[10], "warning: and 15 more; "+filepath.Join("warned",
				strings.Fields(r.out)[1]+".report.json")) {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
}

// TestTheSameContentIsTheSameFile varies names, order, split and compression of the inputs.
func TestTheSameContentIsTheSameFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var products []json.RawMessage
	if err := json.Unmarshal([]byte(readFile(t, filepath.Join(catalogueFolder(t), "products.json"))),
		&products); err != nil {
		t.Fatal(err)
	}
	vocabulary := readFile(t, filepath.Join(catalogueFolder(t), "vocabulary.json"))
	line := func(p json.RawMessage) string {
		var b bytes.Buffer
		if err := json.Compact(&b, p); err != nil {
			t.Fatal(err)
		}
		return b.String() + "\n"
	}
	var lines, reversed, published strings.Builder
	for i, p := range products {
		lines.WriteString(line(p))
		reversed.WriteString(line(products[len(products)-1-i]))
		if i < len(products)-1 { // the last product is unpublished
			published.WriteString(line(p) + "\n \n")
		}
	}
	zipped := func(text string) string {
		var b bytes.Buffer
		w := gzip.NewWriter(&b)
		if _, err := io.WriteString(w, text); err != nil {
			t.Fatal(err)
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	encoder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	object := func(key string) string {
		return `{"vocabulary":` + vocabulary + `,"` + key + `":` +
			readFile(t, filepath.Join(catalogueFolder(t), "products.json")) + `}`
	}
	tests := []struct {
		rule  string
		files map[string]string
		args  []string
		stdin string
	}{
		{"NDJSON", map[string]string{"a.ndjson": lines.String(), "vocabulary.json": vocabulary},
			[]string{"a.ndjson", "vocabulary.json"}, ""},
		{"in another order", map[string]string{"b.jsonl": reversed.String(), "vocabulary.json": vocabulary},
			[]string{"vocabulary.json", "b.jsonl"}, ""},
		{"an object with products", map[string]string{"c.json": object("products")}, []string{"c.json"}, ""},
		{"an object with items", map[string]string{"d.json": object("items")}, []string{"d.json"}, ""},
		{"a byte-order mark and blanks", map[string]string{"e.json": "\uFEFF\n " + object("products") + " \n"},
			[]string{"e.json"}, ""},
		{"without the unpublished record, with blank lines", map[string]string{"f/a.ndjson": published.String(),
			"f/vocabulary.json": vocabulary}, []string{"f"}, ""},
		{"gzip", map[string]string{"g.ndjson.gz": zipped(lines.String()), "vocabulary.json": vocabulary},
			[]string{"g.ndjson.gz", "vocabulary.json"}, ""},
		{"zstd", map[string]string{"h.json.zst": string(encoder.EncodeAll([]byte(object("products")), nil))},
			[]string{"h.json.zst"}, ""},
		{"gzip by its content", map[string]string{"i.ndjson": zipped(lines.String()), "vocabulary.json": vocabulary},
			[]string{"i.ndjson", "vocabulary.json"}, ""},
		{"split over a folder and its subfolders", map[string]string{
			"j/1.json": line(products[0]), "j/2.ndjson": line(products[1]) + line(products[2]), "j/sub/rest.json": "[" +
				strings.ReplaceAll(strings.TrimSuffix(tail(lines.String(), 3), "\n"), "\n", ",") + "]",
			"j/vocabulary.json": vocabulary,
		}, []string{"j"}, ""},
		{"standard input", nil, []string{"-"}, object("products")},
		{"standard input, NDJSON, and a file", map[string]string{"vocabulary.json": vocabulary},
			[]string{"vocabulary.json", "-"}, lines.String()},
		{"standard input, compressed", nil, []string{"-"}, zipped(object("items"))},
		{"one job", map[string]string{"k.json": object("products")}, []string{"k.json", "--jobs", "1"}, ""},
		{"many jobs", map[string]string{"l.json": object("products")}, []string{"l.json", "--jobs", "9"}, ""},
	}
	must(t, dir, "build", catalogueFolder(t))
	want := current(t, dir)
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			dir := t.TempDir()
			for name, content := range tt.files {
				if err := os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o755); err != nil {
					t.Fatal(err)
				}
				writeFile(t, filepath.Join(dir, name), content)
			}
			r := command{dir: dir, stdin: strings.NewReader(tt.stdin)}.run(t, append([]string{"build"}, tt.args...)...)
			if r.status != 0 {
				t.Fatalf("got %d %s", r.status, r.err)
			}
			if got := current(t, dir); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
}

// tail returns text without its first lines.
func tail(text string, lines int) string {
	for range lines {
		_, text, _ = strings.Cut(text, "\n")
	}
	return text
}

// TestFaultyInput checks that every error is reported with its location, that nothing is built, and that the
// previous snapshot remains current.
func TestFaultyInput(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "good.ndjson"), product(t, 1, "Gut"))
	must(t, dir, "build", "good.ndjson")
	before := current(t, dir)
	faulty := product(t, 1, "Gut") + "\n" +
		`{"id":"10000000-0000-4000-8000-000000000002","label":"Zwei","manufacturer":"M","measurements":{"absorption_iso_354":[{"source_kind":"measured","alpha_s_octave":{"300":0.5}}]}}` + "\n" +
		`{"id":"x","label":"","manufacturer":"M","alpha_w":1.5}` + "\n" +
		product(t, 4, "Vier")
	tests := []struct {
		rule, name, content string
		message             []string
	}{
		{"the line, the record's id and the field's path", "c.ndjson", faulty, []string{
			"4 faults",
			`c.ndjson:3: product 10000000-0000-4000-8000-000000000002: measurements.absorption_iso_354[0].alpha_s_octave["300"]: not the centre frequency of an octave band`,
			"c.ndjson:4: ", "id: expected a UUID", "label: ", "alpha_w: ",
		}},
		{"the index and the byte in an array", "c.json",
			`[{"id":"10000000-0000-4000-8000-000000000001","label":"A","manufacturer":"M"}, {"id":"10000000-0000-4000-8000-000000000002","label":7,"manufacturer":"M"}]`,
			[]string{"c.json[1] (byte 79): product 10000000-0000-4000-8000-000000000002: label: "}},
		{"a duplicate id", "c.ndjson", product(t, 1, "A") + product(t, 1, "B"), []string{"10000000-0000-4000-8000-000000000001",
			"id"}},
		{"a duplicate slug", "c.ndjson",
			`{"id":"10000000-0000-4000-8000-000000000001","slug":"s","label":"A","manufacturer":"M"}` + "\n" +
				`{"id":"10000000-0000-4000-8000-000000000002","slug":"s","label":"A","manufacturer":"M"}`, []string{"slug"}},
		{"a duplicate id of an unpublished record", "c.ndjson", product(t, 1, "A") +
			`{"id":"10000000-0000-4000-8000-000000000001","published":false,"label":"A","manufacturer":"M"}`,
			[]string{"10000000-0000-4000-8000-000000000001"}},
		{"the slug search is reserved", "c.ndjson",
			`{"id":"10000000-0000-4000-8000-000000000001","slug":"search","label":"A","manufacturer":"M"}`,
			[]string{"slug", "reserved"}},
		{"a slug in the form of a UUID", "c.ndjson",
			`{"id":"10000000-0000-4000-8000-000000000001","slug":"10000000-0000-4000-8000-000000000009","label":"A","manufacturer":"M"}`, []string{"slug"}},
		{"a duplicate key", "c.ndjson",
			`{"id":"10000000-0000-4000-8000-000000000001","label":"A","label":"B","manufacturer":"M"}`,
			[]string{"c.ndjson:1", "label"}},
		{"diffusion that was not measured", "c.ndjson",
			`{"id":"10000000-0000-4000-8000-000000000001","label":"A","manufacturer":"M","measurements":{"diffusion_iso_17497_2":[{"source_kind":"simulated"}]}}`, []string{"diffusion_iso_17497_2[0].source_kind", "measured"}},
		{"a number that is too large", "c.ndjson",
			`{"id":"10000000-0000-4000-8000-000000000001","label":"A","manufacturer":"M","alpha_w":1e999}`,
			[]string{"c.ndjson:1", "alpha_w"}},
		{"one slug with two names", "c.ndjson",
			`{"id":"10000000-0000-4000-8000-000000000001","label":"A","manufacturer":{"slug":"m","name":"M"}}` + "\n" +
				`{"id":"10000000-0000-4000-8000-000000000002","label":"A","manufacturer":{"slug":"m","name":"N"}}`,
			[]string{"manufacturer"}},
		{"a value that a vocabulary does not declare", "c.json",
			`{"vocabulary":{"material_category":{"holz":{}}},"products":[{"id":"10000000-0000-4000-8000-000000000001","label":"A","manufacturer":"M","material_category":"beton"}]}`, []string{"material_category", "beton"}},
		{"invalid JSON", "c.ndjson", product(t, 1, "A") + `{"id":`, []string{"c.ndjson:2"}},
		{"invalid UTF-8", "c.ndjson", `{"id":"10000000-0000-4000-8000-000000000001","label":"` + "\xff" +
			`","manufacturer":"M"}`, []string{"c.ndjson:1", "UTF-8"}},
		{"too deep nesting", "c.json", strings.Repeat("[", 200) + strings.Repeat("]", 200), []string{"c.json"}},
		{"an empty file", "c.json", "", []string{"c.json: empty input"}},
		{"an empty array", "c.json", "[]", []string{"empty"}},
		{"no published product", "c.ndjson",
			`{"id":"10000000-0000-4000-8000-000000000001","label":"A","manufacturer":"M","published":false}`, []string{"empty"}},
		{"truncated compressed input", "c.ndjson.gz", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff\xaaV",
			[]string{"c.ndjson.gz"}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			writeFile(t, filepath.Join(dir, tt.name), tt.content)
			r := sabine(t, dir, "build", tt.name, "--report", "report.json")
			if r.status != 1 || r.out != "" {
				t.Errorf("got %d %s", r.status, r.out)
			}
			for _, part := range tt.message {
				if !strings.Contains(r.err, part) {
					t.Errorf("the message lacks %q:\n%s", part, r.err)
				}
			}
			if got := current(t, dir); got != before || len(listing(t, filepath.Join(dir, "snapshots"))) != 4 {
				t.Errorf("CURRENT is %s in %v", got, listing(t, filepath.Join(dir, "snapshots")))
			}
			if report := readFile(t, filepath.Join(dir, "report.json")); gjson.Get(report, "outcome").String() != "failed" ||
				gjson.Get(report, "error").String() == "" {
				t.Errorf("the report has %s", report)
			}
		})
	}
	t.Run("--skip-invalid builds the valid records, and reports the skipped records with their faults", func(t *testing.T) {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "c.ndjson"), faulty)
		r := sabine(t, dir, "build", "c.ndjson", "--skip-invalid")
		report := readFile(t, filepath.Join(dir, "snapshots", strings.TrimSuffix(current(t, dir), ".snapshot")+
			".report.json"))
		if r.status != 0 || !strings.Contains(r.out, "products  2\n") || !strings.Contains(r.out, "skipped   2\n") ||
			!strings.Contains(r.err, "c.ndjson:3") || !strings.Contains(r.err, "c.ndjson:4") ||
			gjson.Get(report, "counts.skipped").Int() != 2 || gjson.Get(report, "faults.total").Int() != 4 {
			t.Errorf("got %d\n%s%s%s", r.status, r.out, r.err, report)
		}
	})
	t.Run("--skip-invalid without a valid record", func(t *testing.T) {
		dir := t.TempDir()
		writeFile(t, filepath.Join(dir, "c.ndjson"), `{"id":"x"}`)
		if r := sabine(t, dir, "build", "c.ndjson", "--skip-invalid"); r.status != 1 || !strings.Contains(r.err, "empty") {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
	t.Run("the first 100 faults are printed, and their total", func(t *testing.T) {
		dir := t.TempDir()
		var catalogue strings.Builder
		for n := range 150 {
			catalogue.WriteString(product(t, n, ""))
		}
		writeFile(t, filepath.Join(dir, "c.ndjson"), catalogue.String())
		r := sabine(t, dir, "build", "c.ndjson", "--report", "report.json")
		report := readFile(t, filepath.Join(dir, "report.json"))
		if gjson.Get(report, "faults.total").Int() != 150 || gjson.Get(report, "faults.first.#").Int() != 100 ||
			!strings.Contains(r.err, "150 faults") {
			t.Errorf("got %d of %d\n%s", gjson.Get(report, "faults.first.#").Int(), gjson.Get(report, "faults.total").Int(),
				r.err)
		}
	})
}

func TestMaxDrop(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	of := func(n int) string {
		var catalogue strings.Builder
		for i := range n {
			catalogue.WriteString(product(t, i, fmt.Sprintf("Produkt %d", i)))
		}
		writeFile(t, filepath.Join(dir, "c.ndjson"), catalogue.String())
		return "c.ndjson"
	}
	must(t, dir, "build", of(10))
	before := current(t, dir)
	t.Run("a catalogue that shrinks by more is built, but does not come into force", func(t *testing.T) {
		r := sabine(t, dir, "build", of(8), "--max-drop", "10", "--report", "report.json")
		report := readFile(t, filepath.Join(dir, "report.json"))
		if r.status != 1 || !strings.Contains(r.err, "from 10 to 8 products") || current(t, dir) != before ||
			gjson.Get(report, "switched").Bool() {
			t.Errorf("got %d %s %s", r.status, r.err, report)
		}
	})
	t.Run("serve and --keep ignore a refused snapshot, and the suggested command accepts it",
		func(t *testing.T) {
			r := sabine(t, dir, "build", of(5), "--max-drop", "10")
			_, command, _ := strings.Cut(r.err, " or run:\n")
			command, _, _ = strings.Cut(command, "\n")
			aside := 0
			for _, name := range listing(t, filepath.Join(dir, "snapshots")) {
				if strings.HasSuffix(name, ".snapshot") && name != before {
					t.Errorf("%s is among the generations", name)
				}
				if strings.HasSuffix(name, ".refused") {
					aside++
				}
			}
			if aside != 1 {
				t.Errorf("%d files lie aside, want the newest", aside)
			}
			shell := exec.Command("sh", "-c", command)
			shell.Dir = dir
			if out, err := shell.CombinedOutput(); err != nil {
				t.Fatalf("%s: %v\n%s", command, err, out)
			}
			if out := must(t, dir, "verify"); !strings.Contains(out, " 5 products") {
				t.Errorf("got %s", out)
			}
			must(t, dir, "build", of(10), "--max-drop", "10") // restores the previous snapshot
		})
	t.Run("--max-drop-unknown needs --max-drop", func(t *testing.T) {
		if r := sabine(t, dir, "build", of(10), "--max-drop-unknown"); r.status != 2 {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
	t.Run("a drop of exactly the limit is allowed", func(t *testing.T) {
		must(t, dir, "build", of(9), "--max-drop", "10")
		if current(t, dir) == before {
			t.Error("CURRENT was not switched")
		}
	})
	t.Run("without the flag, any drop is allowed", func(t *testing.T) {
		must(t, dir, "build", of(1))
	})
	t.Run("0 allows no drop", func(t *testing.T) {
		must(t, dir, "build", of(2))
		if r := sabine(t, dir, "build", of(1), "--max-drop", "0"); r.status != 1 {
			t.Errorf("got %d", r.status)
		}
	})
}

func TestKeep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var names []string
	build := func(n int, args ...string) {
		writeFile(t, filepath.Join(dir, "c.ndjson"), product(t, 1, fmt.Sprintf("Fassung %d", n)))
		must(t, dir, append([]string{"build", "c.ndjson"}, args...)...)
		names = append(names, current(t, dir))
	}
	kept := func() (snapshots, reports int) {
		for _, name := range listing(t, filepath.Join(dir, "snapshots")) {
			switch {
			case strings.HasSuffix(name, ".snapshot"):
				snapshots++
			case strings.HasSuffix(name, ".report.json"):
				reports++
			}
		}
		return snapshots, reports
	}
	for n := range 5 {
		build(n)
	}
	if snapshots, reports := kept(); snapshots != 3 || reports != 3 {
		t.Errorf("by default: %d snapshots, %d reports", snapshots, reports)
	}
	build(5, "--keep", "1")
	if snapshots, reports := kept(); snapshots != 1 || reports != 1 || current(t, dir) != names[5] {
		t.Errorf("--keep 1: %d snapshots, %d reports", snapshots, reports)
	}
	must(t, dir, "verify")
}

// TestInterruptedBuilds interrupts a build that waits for input. Meanwhile, another build must be refused.
func TestInterruptedBuilds(t *testing.T) {
	t.Parallel()
	for _, sig := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run(sig.String(), func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			writeFile(t, filepath.Join(dir, "good.ndjson"), product(t, 1, "Gut"))
			must(t, dir, "build", "good.ndjson")
			before := current(t, dir)
			filesBefore := listing(t, filepath.Join(dir, "snapshots"))

			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			p := command{dir: dir}.process(ctx, t, []string{"build", "-", "--report", "report.json"})
			var out, log logBuffer
			p.Stdout, p.Stderr = &out, &log
			stdin, err := p.StdinPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			for n := range 500 { // more than one read, so that the build has started after the last write
				if _, err := io.WriteString(stdin, record(t, map[string]any{"id": fmt.Sprintf("10000000-0000-4000-8000-%012d", n),
					"label": "L", "manufacturer": "M", "description": strings.Repeat("Schall ", 500)})); err != nil {
					t.Fatal(err)
				}
			}
			second := sabine(t, dir, "build", "good.ndjson")
			if second.status != 1 || !strings.Contains(second.err, "another build") {
				t.Errorf("a second build at the same time: got %d %s", second.status, second.err)
			}
			if err := p.Process.Signal(sig); err != nil {
				t.Fatal(err)
			}
			var exit *exec.ExitError
			if err := p.Wait(); !errors.As(err, &exit) || exit.ExitCode() != 1 {
				t.Errorf("got %v\n%s", err, log.String())
			}
			checkLog(t, log.String())
			if !strings.Contains(log.String(), "interrupted") || out.String() != "" {
				t.Errorf("it printed %s%s", out.String(), log.String())
			}
			if got := listing(t, filepath.Join(dir, "snapshots")); !slices.Equal(got, filesBefore) || current(t, dir) != before {
				t.Errorf("it left %v, CURRENT %s", got, current(t, dir))
			}
			if outcome := gjson.Get(readFile(t, filepath.Join(dir, "report.json")), "outcome").String(); outcome != "failed" {
				t.Errorf("the report has %s", outcome)
			}
			must(t, dir, "build", "good.ndjson")
		})
	}
}

// TestABuildIsInterruptedWhateverATableCosts interrupts a build that searches an endless text for column
// names.
func TestABuildIsInterruptedWhateverATableCosts(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"words.csv", "words.xlsx"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			lines := make([]string, 400)
			for i := range 40 * len(lines) {
				lines[i/40] += fmt.Sprintf("%s%d;", strings.Repeat("absorption ", 21), i)
			}
			text := listOf(lines...)
			if strings.HasSuffix(name, ".xlsx") {
				text = workbookOf(lines)
			}
			writeFile(t, filepath.Join(dir, name), text)
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			p := command{dir: dir}.process(ctx, t, []string{"build", name})
			var log logBuffer
			p.Stderr = &log
			if err := p.Start(); err != nil {
				t.Fatal(err)
			}
			lock := filepath.Join(dir, "snapshots", ".lock")
			eventually(t, patience, "the build begins", func() bool { _, err := os.Stat(lock); return err == nil })
			if err := p.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			_ = p.Wait()
			if p.ProcessState.ExitCode() != 1 || !strings.Contains(log.String(), "interrupted") {
				t.Errorf("status %d\n%s", p.ProcessState.ExitCode(), log.String())
			}
			if got := listing(t, filepath.Join(dir, "snapshots")); !slices.Equal(got, []string{".lock"}) {
				t.Errorf("it left %v", got)
			}
		})
	}
}
