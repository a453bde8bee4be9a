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
)

var update = flag.Bool("update", false, "write the embedded sample catalogue anew")

// What the sample's products are generated with. A test of their variety says whether another seed will do.
const (
	sampleProducts = 290
	sampleSeed     = 2026
)

// sampleFolder is where package dataset embeds the sample from.
const sampleFolder = "../sample/"

// literature spells out the sources of references.csv.
var literature = map[string]string{
	"V": "M. Vorländer, Auralization, Springer 2008, Anhang",
	"H": "C. M. Harris, Handbook of Acoustical Measurements and Noise Control, McGraw-Hill 1991",
	"M": "J. Meyer, Kirchenakustik, Verlag E. Bochinsky 2003",
}

// TestSampleIsUpToDate makes the embedded catalogues again from their sources. With -update it writes them.
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
			t.Errorf("%s is not what its source gives; run go test ./dataset/synthetic -run SampleIsUpToDate -update", name)
		}
	}
}

// A reference is one product of references.csv.
type reference struct {
	slug          string
	label         phrase
	category      string
	installations []string
	source        string
	entries       []referenceEntry
}

type referenceEntry struct {
	mounting, thicknessMM, airGapMM, option string // "" when the source has none
	alphaS, scatter                         acoustics.Curve
}

// referenceRecords makes the source records of references.csv.
func referenceRecords(t *testing.T) []byte {
	t.Helper()
	var all []byte
	for _, r := range readReferences(t) {
		var j recordText
		j.reference(r)
		all = append(all, j.Line()...)
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
				slug: row[0], label: phrase{row[1], row[2]}, category: row[3], installations: strings.Split(row[4], ","), source: literature[row[8]],
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

// reference writes a reference material as a source record.
func (j *recordText) reference(r reference) {
	j.Object(func() {
		j.text("id", uuid.NewSHA1(uuid.NameSpaceURL, []byte("https://sabine.example/reference/"+r.slug)).String())
		j.text("slug", r.slug)
		j.localized("label", r.label, false)
		j.text("commercial_name", "")
		j.text("description", "")
		j.Key("manufacturer").Object(func() {
			j.text("slug", "literaturwerte")
			j.text("name", "Literaturwerte")
		})
		j.text("data_source", "ptb")
		j.text("material_category", r.category)
		character := "streuend"
		if r.entries[0].alphaS != nil {
			character = characterOf(r.entries[0].alphaS)
		}
		j.text("absorption_character", character)
		j.Key("installation_types").Strings(r.installations)
		j.text("updated_at", "")
		j.Key("structured_meta").Object(func() {
			j.text("Literaturquelle", r.source)
			j.text("Art", "Referenzmaterial, kein Produkt")
		})
		j.Key("measurements").Object(func() { j.referenceEntries(r) })
	})
}

func (j *recordText) referenceEntries(r reference) {
	j.Key("absorption_iso_354").Array(func() {
		for _, e := range r.entries {
			if e.alphaS == nil {
				continue
			}
			j.Object(func() {
				j.text("source_kind", "literature")
				j.text("measuring_option", e.option)
				j.text("mounting", e.mounting)
				j.millimetres("thickness_mm", e.thicknessMM)
				j.millimetres("air_gap_mm", e.airGapMM)
				j.Key("alpha_s_octave").Raw(frequencyMap(e.alphaS))
			})
		}
	})
	j.Key("scatter_iso_17497_1").Array(func() {
		for _, e := range r.entries {
			if e.scatter == nil {
				continue
			}
			j.Object(func() {
				j.text("source_kind", "literature")
				j.Key("scatter_octave").Raw(frequencyMap(e.scatter))
			})
		}
	})
}

// millimetres writes a length as references.csv has it, or null.
func (j *recordText) millimetres(key, value string) {
	j.Key(key)
	if value == "" {
		j.Null()
	} else {
		j.Raw([]byte(value))
	}
}
