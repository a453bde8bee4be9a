package synthetic

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/uuid"

	"sabine/dataset"
	"sabine/dataset/product"
)

// generated returns a synthetic catalogue, which is generated once for several tests.
var generated = sync.OnceValue(func() (products []*product.Product) {
	var text bytes.Buffer
	if err := Generate(&text, 5000, 9); err != nil {
		panic(err)
	}
	for line := range bytes.Lines(text.Bytes()) {
		products = append(products, dataset.Parse(dataset.Raw{JSON: line}).Product)
	}
	return products
})

// TestGeneratedCatalogueIsValid checks that records are valid, with values in the sample vocabulary.
func TestGeneratedCatalogueIsValid(t *testing.T) {
	var text bytes.Buffer
	const n = 3000
	if err := Generate(&text, n, 11); err != nil {
		t.Fatal(err)
	}
	inputs := []dataset.Input{{Name: "generated.ndjson", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(&text), nil
	}}}
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
		t.Error("the same seed gives different bytes")
	}
	if !strings.HasPrefix(long, catalogue(100, 5)) {
		t.Error("a short catalogue is not a prefix of a long one")
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
	seen := map[string]bool{}
	for _, p := range generated() {
		id, slug := p.ID.String(), p.SlugOrID()
		if seen[id] || seen[slug] {
			t.Fatalf("duplicate id or slug of %s, %s", id, slug)
		}
		seen[id], seen[slug] = true, true
	}
	numbers := map[int]bool{}
	for _, start := range []int{0, 1<<24 - 5000} { // around the limit of the factor in articleNumber
		for i := start; i < start+10_000; i++ {
			if n := articleNumber(i); numbers[n] {
				t.Fatalf("duplicate article number %d of record %d", n, i)
			} else {
				numbers[n] = true
			}
		}
	}
}

func TestGeneratedFiguresAreDeclaredAsComputed(t *testing.T) {
	sourceKind := slices.IndexFunc(product.EntryColumns, func(c product.Column) bool { return c.Name == "source_kind" })
	for _, p := range generated() {
		entries := 0
		for row := range p.EntryRows(new(product.EntryRow)) {
			entries++
			want := "simulated"
			if row.Norm == product.ISO174972.Norm {
				want = "measured" // the only source kind of diffusion
			}
			if kind := row.Values[sourceKind].Cell.Text; kind != want {
				t.Fatalf("%s: source_kind of %s is %s, want %s", p.ID, row.Norm, kind, want)
			}
		}
		said := slices.ContainsFunc(p.StructuredMeta, func(m product.MetaEntry) bool {
			return m.Key == "Datenherkunft" && strings.Contains(m.Value, "berechnet, nicht gemessen")
		})
		if entries > 0 && !said {
			t.Fatalf("%s: structured_meta does not state that the values are computed: %v", p.ID, p.StructuredMeta)
		}
	}
}

func TestGeneratedLinksHaveNoTarget(t *testing.T) {
	for _, p := range generated() {
		links := []*string{p.URL, p.EPDURL}
		for i := range p.Images {
			links = append(links, &p.Images[i].URL)
		}
		for _, link := range links {
			if link == nil {
				continue
			}
			host, _, _ := strings.Cut(strings.TrimPrefix(*link, "https://"), "/")
			if !strings.HasSuffix(host, ".example") {
				t.Fatalf("%s: link to %q, want a name under .example", p.ID, host)
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
	for _, b := range tables().brands {
		m := b.manufacturer
		if seen[b.slug] || m.ID != uuid.Nil && seen[m.ID.String()] || m.Name == "" {
			t.Errorf("brand %q: duplicate slug or id", m.Name)
		}
		seen[b.slug], seen[m.ID.String()] = true, true
	}
	if n := len(tables().brands); n < 115 {
		t.Errorf("%d brands, want about 120", n)
	}
}

func TestEveryKindHasItsMaterialsAndWords(t *testing.T) {
	for _, k := range tables().Kinds {
		if k.Weight < 1 || k.Shape == "" || len(k.ThicknessMM) == 0 || len(k.SizesMM) == 0 || len(k.GapsMM) == 0 ||
			k.Mountings[1] == "" ||
			len(k.FireClasses) == 0 || k.Names[0].en == "" {
			t.Errorf("%+v: something is missing", k)
		}
		for _, class := range k.FireClasses {
			if _, ok := product.ParseFireClass(class); !ok {
				t.Errorf("%s: fire class %q", k.Names[0].de, class)
			}
		}
		for _, m := range k.Materials {
			if len(tables().Materials[m]) == 0 {
				t.Errorf("%s: no material %q", k.Names[0].de, m)
			}
		}
		for _, installation := range slices.Concat(k.Installations...) {
			if len(tables().Mountings[installation]) == 0 {
				t.Errorf("%s: no sentence for mounting %q", k.Names[0].de, installation)
			}
		}
		if tables().Models[k.Family] == "" {
			t.Errorf("%s: no description of the model", k.Names[0].de)
		}
	}
	for _, m := range slices.Concat(slices.Collect(maps.Values(tables().Materials))...) {
		if len(m.Resistivities) == 0 || len(slices.Concat(m.Surfaces...)) == 0 {
			t.Errorf("%s: no resistivity or no surface", m.Name.de)
		}
	}
}

// TestNamesInPhrases checks that phrases contain neither unknown names nor gaps.
func TestNamesInPhrases(t *testing.T) {
	for _, p := range generated() {
		for _, text := range slices.Concat(p.Label, p.Description) {
			if text.Text == "" || strings.ContainsAny(text.Text, "${}=") || strings.Contains(text.Text, "  ") ||
				strings.TrimSpace(text.Text) != text.Text {
				t.Fatalf("%s: %q contains a gap or a name", p.ID, text.Text)
			}
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
