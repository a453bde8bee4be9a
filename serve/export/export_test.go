package export_test

import (
	"bytes"
	"errors"
	"os"
	"slices"
	"testing"

	"github.com/tidwall/gjson"

	"sabine/dataset/product"
	"sabine/indexes/column"
	"sabine/runtime"
	"sabine/serve/export"
)

// sameProducts checks that two generations contain the same products.
func sameProducts(t *testing.T, want, got *runtime.Generation) {
	t.Helper()
	if want.Products() != got.Products() {
		t.Errorf("%d products, want %d", got.Products(), want.Products())
	}
	for d := range column.Doc(want.Products()) {
		id := want.ID(d).String()
		e, ok := got.Lookup(id)
		if !ok {
			t.Errorf("%s is missing", id)
			continue
		}
		for name, append := range map[string]func(g *runtime.Generation, d column.Doc) []byte{
			"detail":  func(g *runtime.Generation, d column.Doc) []byte { return g.AppendDetail(nil, d, true) },
			"compare": func(g *runtime.Generation, d column.Doc) []byte { return g.AppendCompare(nil, d) },
			"public": func(g *runtime.Generation, d column.Doc) []byte {
				return g.AppendPublics(nil, &runtime.Result{Docs: []column.Doc{d}}, runtime.German)
			},
			"english": func(g *runtime.Generation, d column.Doc) []byte {
				return g.AppendPublics(nil, &runtime.Result{Docs: []column.Doc{d}}, runtime.English)
			},
		} {
			if a, b := append(want, d), append(got, e); !bytes.Equal(a, b) {
				t.Errorf("%s of %s\ngot  %s\nwant %s", name, id, b, a)
			}
		}
		if a, b := tabulated(want.Product(d)), tabulated(got.Product(e)); !bytes.Equal(a, b) {
			t.Errorf("the source of %s\ngot  %s\nwant %s", id, b, a)
		}
	}
}

// tabulated returns the source of a product without the languages for which a table has no columns.
func tabulated(p *product.Product) []byte {
	for _, text := range []*product.Text{&p.Label, &p.Description} {
		*text = slices.DeleteFunc(*text, func(l product.Localized) bool {
			return l.Locale != product.German && l.Locale != product.English
		})
	}
	return product.AppendSource(nil, p)
}

func TestNDJSONIsTheDetailsByIDAndBuildsAgain(t *testing.T) {
	for name, inputs := range catalogues(t) {
		t.Run(name, func(t *testing.T) {
			g := build(t, inputs...)
			text, _ := written(t, g, export.Options{Format: export.NDJSON})
			lines := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
			var ids []string
			for _, line := range lines {
				ids = append(ids, gjson.GetBytes(line, "id").String())
				d, _ := g.Lookup(ids[len(ids)-1])
				if want := g.AppendDetail(nil, d, true); !bytes.Equal(line, want) {
					t.Fatalf("got  %s\nwant %s", line, want)
				}
			}
			if len(ids) != g.Products() || !slices.IsSorted(ids) {
				t.Errorf("%d lines for %d products, sorted: %t", len(ids), g.Products(), slices.IsSorted(ids))
			}
			again := build(t, input("again.ndjson", text))
			for _, line := range lines {
				d, _ := again.Lookup(gjson.GetBytes(line, "id").String())
				if got := again.AppendDetail(nil, d, true); !bytes.Equal(got, line) {
					t.Errorf("built again\ngot  %s\nwant %s", got, line)
				}
			}
		})
	}
}

// formats contains all formats with all options.
var formats = []export.Options{
	{Format: export.NDJSON}, {Format: export.CSV}, {Format: export.CSV, Semicolon: true},
	{Format: export.Pyroomacoustics}, {Format: export.Pyroomacoustics, Hold: true, Bands: []int{63, 8000}},
	{Format: export.CATT}, {Format: export.CATT, Hold: true},
}

type pieceWriter struct {
	sizes []int
	after int // number of pieces before the writer fails
}

var errFull = errors.New("full")

func (w *pieceWriter) Write(b []byte) (int, error) {
	if len(w.sizes) == w.after {
		return 0, errFull
	}
	w.sizes = append(w.sizes, len(b))
	return len(b), nil
}

func TestProductsAreWrittenInPieces(t *testing.T) {
	g := build(t, generated(t, 900, 3))
	for _, o := range formats {
		products := g.Select(&runtime.Query{})
		w := &pieceWriter{after: -1}
		if err := export.Write(w, products, &o, export.Notes{}); err != nil {
			t.Fatal(err)
		}
		if len(w.sizes) < 2 {
			t.Errorf("%+v: %d pieces", o, len(w.sizes))
		}
		for i, size := range w.sizes {
			if last := i == len(w.sizes)-1; size > 256<<10 || !last && size < 128<<10 {
				t.Errorf("%+v: piece %d of %d has %d bytes", o, i, len(w.sizes), size)
			}
		}
		for _, after := range []int{0, len(w.sizes) - 1} {
			if err := export.Write(&pieceWriter{after: after}, products, &o, export.Notes{}); !errors.Is(err, errFull) {
				t.Errorf("%+v: a writer that fails after %d pieces: %v", o, after, err)
			}
		}
	}
}

func TestAnUnsupportedFormatIsAnError(t *testing.T) {
	g := build(t, hard(t))
	if err := export.Write(&pieceWriter{after: -1}, g.Select(&runtime.Query{}), &export.Options{Format: "xml"},
		export.Notes{}); err == nil {
		t.Error("no error")
	}
}

// NotesOf takes ten seconds for a million products, so it must end when the client disconnects.
func TestNotesOfEndsWithTheErrorOfStop(t *testing.T) {
	products, gone := build(t, generated(t, 20, 3)).Select(&runtime.Query{}), errors.New("the client is gone")
	for _, f := range []export.Format{export.Pyroomacoustics, export.CATT} {
		calls := 0
		_, err := export.NotesOf(products, &export.Options{Format: f}, func() error {
			if calls++; calls == 3 {
				return gone
			}
			return nil
		})
		if !errors.Is(err, gone) || calls != 3 {
			t.Errorf("%s: got %v after %d products", f, err, calls-1)
		}
	}
}

// Damage to a snapshot after its verification ends an export, so that no export contains damaged data.
func TestDamageEndsTheWriting(t *testing.T) {
	for _, test := range []struct {
		part, old, new string
		formats        []export.Format
	}{
		{"the detail", `"nrc":`, `"nrx":`, []export.Format{export.NDJSON, export.CSV, export.Pyroomacoustics, export.CATT}},
		{"the geometry", `"shape":"panel"`, `"shape":"paneX"`, []export.Format{export.NDJSON, export.CSV}},
		{"the English label", `"+49`, `"+48`, []export.Format{export.CSV}},
		{"a field that no response contains", `"fire_class":"B`, `"fire_class":"C`, []export.Format{export.CSV}},
	} {
		g, path := buildFile(t, hard(t))
		file, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		damaged := bytes.ReplaceAll(file, []byte(test.old), []byte(test.new))
		if bytes.Equal(damaged, file) {
			t.Errorf("%s: no %s in the file", test.part, test.old)
		}
		if err := os.Chmod(path, 0o644); err != nil {
			t.Fatal(err)
		}
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := f.WriteAt(damaged, 0); err != nil {
			t.Fatal(err)
		}
		f.Close()
		for _, format := range test.formats {
			func() {
				defer func() {
					if _, ok := recover().(*runtime.DamagedBody); !ok {
						t.Errorf("%s: %s is written", test.part, format)
					}
				}()
				_ = export.Write(&pieceWriter{after: -1}, g.Select(&runtime.Query{}), &export.Options{Format: format},
					export.Notes{})
			}()
		}
	}
}
