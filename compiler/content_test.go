package compiler_test

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/uuid"
	"github.com/klauspost/compress/zstd"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

func gzipped(t testing.TB, b []byte) []byte {
	t.Helper()
	var out bytes.Buffer
	w := gzip.NewWriter(&out)
	if _, err := w.Write(b); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func zstandard(t testing.TB, b []byte) []byte {
	t.Helper()
	w, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = w.Close() }()
	return w.EncodeAll(b, nil)
}

func shuffled(lines [][]byte, seed uint64) [][]byte {
	lines = append([][]byte(nil), lines...)
	rand.New(rand.NewPCG(seed, 0)).Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
	return lines
}

func TestTheSnapshotDependsOnlyOnTheContent(t *testing.T) {
	n := 300
	if testing.Short() {
		n = 60
	}
	lines := generated(t, n, 7)
	text := func(lines ...[]byte) []byte { return bytes.Join(lines, []byte("\n")) }
	array := append(append([]byte("["), bytes.Join(lines, []byte(","))...), ']')
	hidden := ndjson(t, newRecord(1, record{"published": false, "material_category": "seltsam", "manufacturer": "Nobody"}),
		newRecord(2, record{"published": false, "slug": nil}))
	base := mustBuild(t, compiler.Options{Inputs: []dataset.Input{input("base.ndjson", text(lines...))}, Jobs: 1})
	for _, test := range []struct {
		what   string
		inputs []dataset.Input
		jobs   int
	}{
		{"two workers", []dataset.Input{input("base.ndjson", text(lines...))}, 2},
		{"eight workers", []dataset.Input{input("base.ndjson", text(lines...))}, 8},
		{"another name", []dataset.Input{input("other.jsonl", text(lines...))}, 2},
		{"another order", []dataset.Input{input("base.ndjson", text(shuffled(lines, 1)...))}, 2},
		{"a third order", []dataset.Input{input("base.ndjson", text(shuffled(lines, 2)...))}, 3},
		{"three inputs", []dataset.Input{input("a.ndjson", text(lines[2*n/3:]...)), input("b.ndjson", text(lines[:n/4]...)),
			input("c.ndjson", text(lines[n/4:2*n/3]...))}, 2},
		{"gzip", []dataset.Input{input("base.ndjson.gz", gzipped(t, text(lines...)))}, 2},
		{"zstd", []dataset.Input{input("base.ndjson.zst", zstandard(t, text(lines...)))}, 2},
		{"an array", []dataset.Input{input("base.json", array)}, 2},
		{"additional unpublished records", []dataset.Input{input("hidden.ndjson", hidden), input("base.ndjson", text(lines...))},
			2},
	} {
		t.Run(test.what, func(t *testing.T) {
			r := mustBuild(t, compiler.Options{Inputs: test.inputs, Jobs: test.jobs, Tool: test.what})
			if r.Hash != base.Hash {
				t.Errorf("hash %s, want %s", r.Hash, base.Hash)
			}
			if r.Counts.Products != base.Counts.Products {
				t.Errorf("%d products, want %d", r.Counts.Products, base.Counts.Products)
			}
		})
	}
	t.Run("another product changes the hash", func(t *testing.T) {
		r := mustBuild(t, compiler.Options{Inputs: []dataset.Input{input("base.ndjson", text(lines...)),
			input("more.ndjson", ndjson(t, newRecord(1, nil)))}})
		if r.Hash == base.Hash {
			t.Errorf("the same hash %s", r.Hash)
		}
	})
}

func TestVocabulariesMayComeInAnyOrder(t *testing.T) {
	one := input("a/vocabulary.json",
		[]byte(
			`{"material_category":{"holz":{"de":"Holz","synonyms":["wood","Buche"]}},"installation_types":{"wall":{"de":"Wand"}}}`))
	two := input("b/vocabulary.json",
		[]byte(`{"material_category":{"metall":{"de":"Metall"},"glas":{"en":"Glass","de":"Glas"}}}`))
	records := catalogue(t, newRecord(1, record{"material_category": "holz"}))
	a := mustBuild(t, compiler.Options{Inputs: append([]dataset.Input{one, two}, records...)})
	b := mustBuild(t, compiler.Options{Inputs: append(records, two, one)})
	if a.Hash != b.Hash {
		t.Errorf("hashes %s and %s, want the same", a.Hash, b.Hash)
	}
}

func TestTheVocabularyOfTheSnapshot(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir()}
	r := mustBuild(t, compiler.Options{Folder: folder, Inputs: append(catalogue(t,
		newRecord(1, record{"material_category": "holz", "absorption_character": "tiefton",
			"installation_types": []string{"wall", "ceiling"}}),
		newRecord(2, record{"absorption_character": "breitband", "installation_types": []string{"wall"}}),
		newRecord(3, record{"absorption_character": "unsichtbar", "published": false}),
	),
		input("vocabulary.json",
			[]byte(
				`{"material_category":{"metall":{"de":"Metall","en":"Metal"},"holz":{"de":"Holz","synonyms":["wood","Buche"]}}}`)))})
	got, err := json.Marshal(open(t, folder, r.File).Meta)
	if err != nil {
		t.Fatal(err)
	}
	want := `{"products":2,"rules":2,"vocabulary":[` +
		`{"family":0,"closed":true,"values":[{"value":"holz","names":{"de":"Holz"},"synonyms":["Buche","wood"]},{"value":"metall","names":{"de":"Metall","en":"Metal"}}]},` +
		`{"family":1,"closed":false,"values":[{"value":"breitband"},{"value":"tiefton"}]},` +
		`{"family":2,"closed":false,"values":[{"value":"ceiling"},{"value":"wall"}]}]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestProductsAreNumberedByDateThenID(t *testing.T) {
	folder := snapshot.Folder{Dir: t.TempDir()}
	r := mustBuild(t, compiler.Options{Folder: folder, Inputs: catalogue(t,
		newRecord(5, nil),
		newRecord(3, record{"updated_at": "2026-01-01T00:00:00Z"}),
		newRecord(2, record{"updated_at": "2026-01-01T01:00:00+01:00"}),
		newRecord(1, record{"updated_at": "2026-01-01T00:00:00.000000001Z"}),
		newRecord(6, record{"updated_at": "1901-01-01T00:00:00Z"}),
		newRecord(4, record{"updated_at": "2026-01-02T00:00:00Z"}),
		newRecord(0, nil),
	)})
	x := open(t, folder, r.File)
	for place, want := range []int{4, 1, 2, 3, 6, 0, 5} {
		body := x.Bodies.At(column.Doc(place))
		if got := idIn(t, body.Detail()); got != idOf(want) {
			t.Errorf("document %d is %s, want %s", place, got, idOf(want))
		}
		id := uuid.MustParse(idOf(want))
		if d, ok := x.IDs.Find(id[:]); !ok || d != column.Doc(place) {
			t.Errorf("%s is found as document %d, %v, want %d", id, d, ok, place)
		}
	}
}

func idIn(t testing.TB, detail []byte) string {
	t.Helper()
	var r struct{ ID string }
	if err := json.Unmarshal(detail, &r); err != nil {
		t.Fatal(err)
	}
	return r.ID
}

// The API returns source records. If they are built, the result must have the same details.
func TestDetailBodiesAreSourceRecords(t *testing.T) {
	inputs := map[string][]dataset.Input{
		"generated": {input("generated.ndjson", bytes.Join(generated(t, 200, 3), []byte("\n")))}}
	if !testing.Short() {
		inputs["sample"] = dataset.Sample()
	}
	if real := filepath.Join("..", "..", "shared", "data", "real-materials.ndjson"); !testing.Short() && exists(real) {
		content, err := os.ReadFile(real)
		if err != nil {
			t.Fatal(err)
		}
		inputs["real"] = []dataset.Input{input("real.ndjson", content)}
	}
	for name, in := range inputs {
		t.Run(name, func(t *testing.T) {
			first := details(t, in)
			var again bytes.Buffer
			for _, detail := range first {
				again.Write(detail)
				again.WriteByte('\n')
			}
			second := details(t, []dataset.Input{input("again.ndjson", again.Bytes())})
			if len(second) != len(first) {
				t.Fatalf("%d products, want %d", len(second), len(first))
			}
			for i := range first {
				if !bytes.Equal(second[i], first[i]) {
					t.Errorf("document %d:\ngot  %s\nwant %s", i, second[i], first[i])
				}
			}
		})
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// details builds the inputs and returns copies of all details.
func details(t *testing.T, in []dataset.Input) [][]byte {
	folder := snapshot.Folder{Dir: t.TempDir()}
	r := mustBuild(t, compiler.Options{Folder: folder, Inputs: in})
	x := open(t, folder, r.File)
	all := make([][]byte, x.Docs)
	for d := range all {
		body := x.Bodies.At(column.Doc(d))
		all[d] = bytes.Clone(body.Detail())
		if !json.Valid(all[d]) {
			t.Fatalf("document %d is not JSON: %s", d, all[d])
		}
	}
	return all
}

func TestEmptyCataloguesAreRefused(t *testing.T) {
	for _, test := range []struct {
		rule    string
		records []record
		skip    bool
		want    string
	}{
		{"no record", nil, false, "build: the catalogue is empty: the inputs contain no records"},
		{"nothing published", []record{newRecord(1, record{"published": false})}, false,
			"build: the catalogue is empty: all 1 records are unpublished"},
		{"nothing left", []record{newRecord(1, record{"published": false}), newRecord(2, record{"label": ""})}, true,
			"build: the catalogue is empty: of 2 records, 1 are unpublished and 1 were skipped because of faults"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			folder := snapshot.Folder{Dir: t.TempDir()}
			r, err := build(t, compiler.Options{Folder: folder, Inputs: catalogue(t, test.records...), SkipInvalid: test.skip})
			if err == nil || err.Error() != test.want {
				t.Errorf("got %v, want %s", err, test.want)
			}
			if r.Outcome != "failed" || len(names(t, folder)) != 0 {
				t.Errorf("outcome %s, files %v, want failed and none", r.Outcome, names(t, folder))
			}
		})
	}
}
