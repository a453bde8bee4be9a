package synthetic

import (
	"bytes"
	"encoding/csv"
	"flag"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/uuid"

	"sabine/dataset/acoustics"
	"sabine/dataset/product"
)

var update = flag.Bool("update", false, "write the embedded sample catalogue anew")

// The parameters of the generated products in the sample. A test of package dataset verifies their variety.
const (
	sampleProducts = 290
	sampleSeed     = 2026
)

// sampleFolder is the folder of the embedded sample.
const sampleFolder = "../sample/"

// literature maps the sources of references.csv to their full names.
var literature = map[string]string{
	"V": "M. Vorländer, Auralization, Springer 2008, Anhang",
	"H": "C. M. Harris, Handbook of Acoustical Measurements and Noise Control, McGraw-Hill 1991",
	"M": "J. Meyer, Kirchenakustik, Verlag E. Bochinsky 2003",
}

// TestSampleIsUpToDate generates the embedded catalogues and compares or, with -update, writes them.
func TestSampleIsUpToDate(t *testing.T) {
	var products bytes.Buffer
	if err := Generate(&products, sampleProducts, sampleSeed); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][]byte{
		sampleFolder + "products.ndjson":   products.Bytes(),
		sampleFolder + "references.ndjson": referenceRecords(t),
	} {
		if *update {
			if err := os.WriteFile(name, want, 0o644); err != nil {
				t.Fatal(err)
			}
			continue
		}
		got, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is out of date: run go test ./dataset/synthetic -run SampleIsUpToDate -update", name)
		}
	}
}

// A reference is a product in references.csv.
type reference struct {
	slug          string
	label         phrase
	category      string
	installations []string
	source        string
	entries       []referenceEntry
}

type referenceEntry struct {
	mounting, thicknessMM, airGapMM, option string // "" if the source has no value
	alphaS, scatter                         acoustics.Curve
}

// referenceRecords returns the source records from references.csv.
func referenceRecords(t *testing.T) []byte {
	t.Helper()
	var all []byte
	for _, r := range readReferences(t) {
		all = append(product.AppendSource(all, r.record(t)), '\n')
	}
	return all
}

func readReferences(t *testing.T) []reference {
	t.Helper()
	file, err := os.Open(sampleFolder + "references.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	table := csv.NewReader(file)
	table.Comma, table.Comment = ';', '#'
	rows, err := table.ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var references []reference
	for _, row := range rows[1:] {
		if row[0] != "" {
			references = append(references, reference{
				slug: row[0], label: phrase{row[1], row[2]}, category: row[3], installations: strings.Split(row[4], ","),
				source: literature[row[8]],
			})
		}
		r := &references[len(references)-1]
		if r.source == "" || r.source != literature[row[8]] {
			t.Fatalf("%s: source %q, want one for all entries of a product", r.slug, row[8])
		}
		r.entries = append(r.entries, referenceEntry{
			mounting: row[5], thicknessMM: row[6], airGapMM: row[7], option: row[9],
			alphaS: octavesFrom125(t, row[10]), scatter: octavesFrom125(t, row[11]),
		})
	}
	return references
}

func octavesFrom125(t *testing.T, values string) acoustics.Curve {
	t.Helper()
	var c acoustics.Curve
	for i, field := range strings.Fields(values) {
		v, err := strconv.ParseFloat(field, 64)
		if err != nil {
			t.Fatal(err)
		}
		c = append(c, acoustics.Point{BandHz: acoustics.OctaveBands[i+1], Value: v})
	}
	return c
}

// record returns a reference material as a product.
func (r *reference) record(t *testing.T) *product.Product {
	p := &product.Product{
		ID: uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://sabine.example/reference/"+r.slug)), Slug: &r.slug,
		Published: true, Label: r.label.text(false), Manufacturer: product.Manufacturer{Name: "Literaturwerte"},
		DataSource:       new(product.Reference),
		MaterialCategory: filled(r.category), AbsorptionCharacter: new("streuend"), InstallationTypes: r.installations,
		StructuredMeta: []product.MetaEntry{{Key: "Art", Value: "Referenzmaterial, kein Produkt"},
			{Key: "Literaturquelle", Value: r.source}},
	}
	if c := r.entries[0].alphaS; c != nil {
		p.AbsorptionCharacter = new(characterOf(c))
	}
	for _, e := range r.entries {
		shared := product.Measurement{SourceKind: "literature"}
		if e.scatter != nil {
			p.Measurements.Scatter = append(p.Measurements.Scatter, product.Scatter{Measurement: shared,
				ScatterOctave: e.scatter})
		}
		if e.alphaS != nil {
			shared.MeasuringOption = filled(e.option)
			p.Measurements.Absorption = append(p.Measurements.Absorption, product.Absorption{
				Measurement: shared, Mounting: filled(e.mounting), ThicknessMM: millimetres(t, e.thicknessMM),
				AirGapMM:     millimetres(t, e.airGapMM),
				AlphaSOctave: e.alphaS,
			})
		}
	}
	return p
}

// filled returns a cell in references.csv, or nil for an empty cell.
func filled(cell string) *string {
	if cell == "" {
		return nil
	}
	return &cell
}

// millimetres returns the length in a cell of references.csv, or nil for an empty cell.
func millimetres(t *testing.T, cell string) *float64 {
	if cell == "" {
		return nil
	}
	v, err := strconv.ParseFloat(cell, 64)
	if err != nil {
		t.Fatal(err)
	}
	return &v
}
