package synthetic

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"sabine/dataset"
)

// generated is a synthetic catalogue, decoded once for all tests that read it.
var generated = sync.OnceValue(func() (records []map[string]any) {
	var text bytes.Buffer
	if err := Generate(&text, 5000, 9); err != nil {
		panic(err)
	}
	for lines := json.NewDecoder(&text); lines.More(); {
		var record map[string]any
		if err := lines.Decode(&record); err != nil {
			panic(err)
		}
		records = append(records, record)
	}
	return records
})

// TestGeneratedCatalogueIsValid holds generated records against the record format, and their values against the vocabulary of the sample.
func TestGeneratedCatalogueIsValid(t *testing.T) {
	var text bytes.Buffer
	const n = 3000
	if err := Generate(&text, n, 11); err != nil {
		t.Fatal(err)
	}
	inputs := []dataset.Input{{Name: "generated.ndjson", Open: func() (io.ReadCloser, error) { return io.NopCloser(&text), nil }}}
	for _, input := range dataset.Sample() {
		if input.Name == "sample/vocabulary.json" {
			inputs = append(inputs, input)
		}
	}
	reader, checker := dataset.NewReader(inputs), dataset.NewChecker()
	rated := 0
	for raw, err := range reader.Records() {
		if err != nil {
			t.Fatal(err)
		}
		parsed := dataset.Parse(raw)
		if len(parsed.Faults) > 0 || len(parsed.Unknown) > 0 {
			t.Fatalf("unknown fields %q, faults %v", parsed.Unknown, parsed.Faults)
		}
		if faults, _ := checker.Add(raw.Place, parsed.Product); len(faults) > 0 {
			t.Fatal(&faults[0])
		}
		if parsed.Product.AlphaW != nil {
			rated++
		}
	}
	if faults, _ := checker.Finish(reader.Vocabulary()); len(faults) > 0 {
		t.Fatal(&faults[0])
	}
	if rated < n*9/10 {
		t.Errorf("%d of %d products have an alpha_w, want most", rated, n)
	}
}

func TestGenerateIsDeterministic(t *testing.T) {
	catalogue := func(n int, seed uint64) string {
		var text strings.Builder
		if err := Generate(&text, n, seed); err != nil {
			t.Fatal(err)
		}
		return text.String()
	}
	long := catalogue(300, 5)
	if catalogue(300, 5) != long {
		t.Error("the same seed gives other bytes")
	}
	if !strings.HasPrefix(long, catalogue(100, 5)) {
		t.Error("a short catalogue is not the beginning of a long one")
	}
	if catalogue(300, 6) == long {
		t.Error("another seed gives the same bytes")
	}
	if text := catalogue(0, 5); text != "" {
		t.Errorf("no records: %q, want nothing", text)
	}
}

func TestGenerateReportsWhatFails(t *testing.T) {
	if err := Generate(&bytes.Buffer{}, -1, 1); err == nil {
		t.Error("-1 records: no error")
	}
	broken := errors.New("disk full")
	if err := Generate(failingWriter{broken}, 1000, 1); !errors.Is(err, broken) {
		t.Errorf("error %v, want %v", err, broken)
	}
}

type failingWriter struct{ err error }

func (w failingWriter) Write([]byte) (int, error) { return 0, w.err }

func TestGeneratedIdentifiersAreUnique(t *testing.T) {
	seen := map[any]bool{}
	for _, r := range generated() {
		for _, field := range []string{"id", "slug"} {
			if r[field] != nil && seen[r[field]] {
				t.Fatalf("%s %v comes up twice", field, r[field])
			}
			seen[r[field]] = true
		}
	}
	numbers := map[int]bool{}
	for _, start := range []int{0, 1<<24 - 5000} { // around where articleNumber changes its ways
		for i := start; i < start+10_000; i++ {
			if n := articleNumber(i); numbers[n] {
				t.Fatalf("article number %d of record %d comes up twice", n, i)
			} else {
				numbers[n] = true
			}
		}
	}
}

func TestGeneratedFiguresAreDeclaredAsComputed(t *testing.T) {
	for _, r := range generated() {
		measurements := r["measurements"].(map[string]any)
		entries := 0
		for standard, list := range measurements {
			for _, entry := range list.([]any) {
				entries++
				want := "simulated"
				if standard == "diffusion_iso_17497_2" {
					want = "measured" // all that the contract allows
				}
				if kind := entry.(map[string]any)["source_kind"]; kind != want {
					t.Fatalf("%v: source_kind of %s is %v, want %s", r["id"], standard, kind, want)
				}
			}
		}
		meta, _ := r["structured_meta"].(map[string]any)
		said, _ := meta["Datenherkunft"].(string)
		if entries > 0 && !strings.Contains(said, "berechnet, nicht gemessen") {
			t.Fatalf("%v: structured_meta does not say that the figures are computed: %v", r["id"], meta)
		}
	}
}

func TestGeneratedLinksGoNowhere(t *testing.T) {
	for _, r := range generated() {
		links := []any{r["url"], r["epd_url"]}
		if list, ok := r["images"].([]any); ok {
			for _, image := range list {
				links = append(links, image.(map[string]any)["url"])
			}
		}
		for _, link := range links {
			if link == nil {
				continue
			}
			host, _, _ := strings.Cut(strings.TrimPrefix(link.(string), "https://"), "/")
			if !strings.HasSuffix(host, ".example") {
				t.Fatalf("%v: link to %q, want a name under .example", r["id"], host)
			}
		}
	}
}

func TestGeneratedRecordsAreAsLongAsRealOnes(t *testing.T) {
	var text bytes.Buffer
	const n = 3000
	if err := Generate(&text, n, 1); err != nil {
		t.Fatal(err)
	}
	if mean := text.Len() / n; mean < 1500 || mean > 3000 {
		t.Errorf("%d bytes a record, want 1500 to 3000", mean)
	}
}

func TestBrandsDiffer(t *testing.T) {
	seen := map[string]bool{}
	for _, b := range inventBrands() {
		if seen[b.slug] || seen[b.id] || b.name == "" {
			t.Errorf("brand %q: its slug or id is taken", b.name)
		}
		seen[b.slug], seen[b.id] = true, true
	}
	if len(seen) < 2*115 {
		t.Errorf("%d brands, want about 120", len(seen)/2)
	}
}

func TestEveryKindHasItsMaterialsAndWords(t *testing.T) {
	for _, k := range kinds() {
		if k.weight < 1 || k.shape == "" || len(k.edges) != 2 || len(k.mountings) != 2 || len(k.fireClasses) == 0 || k.names[0].en == "" {
			t.Errorf("%+v: something is missing", k)
		}
		for _, m := range k.materials {
			if len(materials()[m]) == 0 {
				t.Errorf("%s: no material %q", k.names[0].de, m)
			}
		}
		for _, installation := range slices.Concat(k.installations...) {
			if len(phrases()["mounting: "+installation]) == 0 {
				t.Errorf("%s: no sentence for mounting %q", k.names[0].de, installation)
			}
		}
		if len(phrases()["model: "+string(k.family)]) != 1 {
			t.Errorf("%s: no word on the model", k.names[0].de)
		}
	}
	for _, m := range slices.Concat(slices.Collect(maps.Values(materials()))...) {
		if len(m.resistivities) == 0 || len(m.surfaces) == 0 {
			t.Errorf("%s: no resistivity or no surface", m.de)
		}
	}
}

func BenchmarkGenerate(b *testing.B) {
	b.Run("1k", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			var text bytes.Buffer
			if err := Generate(&text, 1000, 1); err != nil {
				b.Fatal(err)
			}
		}
	})
}
