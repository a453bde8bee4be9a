package runtime_test

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"sabine/compiler"
	"sabine/dataset"
	source "sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/column"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// sampleCatalogue returns the sample catalogue in the order of its documents.
func sampleCatalogue(t *testing.T) catalogue {
	return readCatalogue(t, dataset.Sample(), sampleDetails)
}

// readCatalogue returns the catalogue of inputs in the order of its documents. details returns the details of
// a product.
func readCatalogue(t *testing.T, inputs []dataset.Input, details func(*source.Product) []string) catalogue {
	t.Helper()
	var read []*source.Product
	reader := dataset.NewReader(inputs)
	for raw, err := range reader.Records() {
		if err != nil {
			t.Fatal(err)
		}
		parsed := dataset.Parse(raw)
		if parsed.Product == nil {
			t.Fatal(parsed.Faults)
		}
		if parsed.Product.Published {
			read = append(read, parsed.Product)
		}
	}
	slices.SortFunc(read, func(p, q *source.Product) int {
		latest := 0
		switch {
		case p.UpdatedAt != nil && q.UpdatedAt != nil:
			latest = q.UpdatedAt.Compare(*p.UpdatedAt)
		case p.UpdatedAt != nil:
			latest = -1
		case q.UpdatedAt != nil:
			latest = 1
		}
		return cmp.Or(latest, strings.Compare(p.ID.String(), q.ID.String()))
	})
	c := catalogue{words: map[string]indexes.Value{}}
	for _, p := range read {
		c.products = append(c.products, readProduct(p))
		c.products[len(c.products)-1].details = details(p)
	}
	vocabulary := reader.Vocabulary()
	for family, name := range []string{source.FamilyCategory, source.FamilyCharacter, source.FamilyInstallation} {
		declared := indexes.Vocabulary{Family: indexes.Family(family)}
		if vocabulary != nil {
			for value, term := range vocabulary.Families[name] {
				c.words[value] = indexes.Value{Names: term.Names, Synonyms: term.Synonyms}
				declared.Values = append(declared.Values, indexes.Value{Value: value})
			}
		}
		c.declared = append(c.declared, declared)
	}
	return c
}

// readProduct returns the test product of a source product, without its details.
func readProduct(p *source.Product) product {
	or := func(s *string) string {
		if s == nil {
			return ""
		}
		return *s
	}
	read := product{
		id: p.ID.String(), slug: or(p.Slug),
		label: p.Label.In("de"), labelEN: p.Label.In("en"), commercial: or(p.CommercialName),
		manufacturer: p.Manufacturer.Name, manufacturerIDSlug: [2]string{p.Manufacturer.ID.String(), p.Manufacturer.Slug},
		description: p.Description.In("de"), descriptionEN: p.Description.In("en"),
		category: or(p.MaterialCategory), character: or(p.AbsorptionCharacter), installations: p.InstallationTypes,
		epd: p.HasEPD, purchasable: p.Purchasable, alpha: math.NaN(),
	}
	if p.FireClass != nil {
		read.fire = p.FireClass.Class
	}
	if p.AlphaW != nil {
		read.alpha = *p.AlphaW
	}
	return read
}

// onlyNumber matches a sample value that consists of a number, with or without a unit.
var onlyNumber = regexp.MustCompile(`^([0-9,.]+ ?(mm|Hz|kg|Pa)?)(/m²| s/m²|%| %)?$`)

// sampleDetails returns the details of a sample product. A short detail with letters and digits is also
// spelled as one word, like an article number. If a detail consists only of a number, its unit is added.
func sampleDetails(p *source.Product) (details []string) {
	var values []string
	for _, entry := range p.StructuredMeta {
		if number := onlyNumber.FindStringSubmatch(entry.Value); number == nil || entry.Key == "Artikelnummer" {
			values = append(values, entry.Value)
		} else if number[2] != "" {
			details = append(details, number[1])
		}
	}
	for _, entry := range p.Measurements.Absorption {
		if entry.ThicknessMM != nil {
			details = append(details, fmt.Sprint(*entry.ThicknessMM, " mm"))
		}
	}
	if p.FireClass != nil {
		values = append(values, p.FireClass.Text)
	}
	for _, value := range values {
		details = append(details, value)
		words := strings.Fields(naiveKey(value))
		if len(words) > 4 || !strings.ContainsFunc(value, unicode.IsDigit) || !strings.ContainsFunc(value, unicode.IsLetter) {
			continue
		}
		joint := ""
		for _, word := range words {
			joint = naiveJoint(joint, word)
		}
		if utf8.RuneCountInString(joint) <= 40 {
			details = append(details, joint)
		}
	}
	return details
}

// openSample compiles the sample catalogue with the compiler and opens it.
func openSample(t *testing.T) *runtime.Generation { return openCompiled(t, dataset.Sample()) }

// openCompiled compiles inputs with the compiler and opens the snapshot.
func openCompiled(t *testing.T, inputs []dataset.Input) *runtime.Generation {
	t.Helper()
	folder := snapshot.Folder{Dir: t.TempDir()}
	if _, err := compiler.Build(context.Background(), compiler.Options{Inputs: inputs, Folder: folder}); err != nil {
		t.Fatal(err)
	}
	return openCurrent(t, folder)
}

// ofRecords compiles a few records, one on each line, and opens the snapshot.
func ofRecords(t *testing.T, lines string) *runtime.Generation {
	t.Helper()
	return openCompiled(t, []dataset.Input{{Name: "records.ndjson", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(lines)), nil
	}}})
}

// openCurrent opens the current snapshot of a folder until the test ends.
func openCurrent(t *testing.T, folder snapshot.Folder) *runtime.Generation {
	t.Helper()
	name, err := folder.Current()
	if err != nil {
		t.Fatal(err)
	}
	g, err := runtime.Open(context.Background(), folder.Path(name))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { g.Close() })
	return g
}

// textOf returns a query from the texts of one product: words, names, prefixes, sequences, words cut or
// joined, and misspelt words, some of which cannot be corrected. Sometimes it is a name or a synonym of a
// value.
func (o *oracle) textOf(r *rand.Rand) string {
	d := pick(r, o.alike)[0]
	texts := func(f indexes.Field) [][]string { return o.fields[d][f].texts }
	word := func() string {
		return pick(r, pick(r, slices.Concat(texts(0), texts(1), texts(2), texts(3), texts(4))))
	}
	misspelt := func(s string) string {
		letters := []rune(s)
		at := r.IntN(len(letters))
		switch r.IntN(4) {
		case 0:
			letters = slices.Insert(letters, at, 'a'+rune(r.IntN(26)))
		case 1:
			letters[at] = 'a' + rune(r.IntN(26))
		case 2:
			letters[0], letters[at] = letters[at], letters[0]
		default:
			if len(letters) > 1 {
				letters = slices.Delete(letters, at, at+1)
			}
		}
		return string(letters)
	}
	beginning := func(s string) string {
		letters := []rune(s)
		return string(letters[:1+r.IntN(min(6, len(letters)))])
	}
	name := func() string { return pick(r, o.names[d]) }
	switch r.IntN(14) {
	case 0:
		return name()
	case 1:
		letters := []rune(name())
		return string(letters[:1+r.IntN(len(letters))])
	case 2:
		return misspelt(misspelt(misspelt(name())))
	case 3:
		return word()
	case 4:
		return beginning(word())
	case 5:
		return word() + " " + beginning(word())
	case 6:
		return word() + " " + word()
	case 7:
		return word() + " " + word() + " " + word()
	case 8, 9: // a sequence of words
		text := pick(r, slices.Concat(texts(indexes.FieldName), texts(indexes.FieldDescription)))
		from := r.IntN(len(text))
		return strings.Join(text[from:min(len(text), from+2+r.IntN(3))], " ")
	case 10:
		return misspelt(word())
	case 11:
		return misspelt(word()) + " " + word()
	case 12:
		letters := word()
		if cut := len(letters) / 2; utf8.RuneStart(letters[cut]) && r.IntN(2) == 0 {
			return letters[:cut] + " " + letters[cut:]
		}
		return letters + word()
	default:
		return pick(r, slices.Sorted(maps.Keys(o.named)))
	}
}

// agrees compares matches, total, order, strategy and fallback of a query, and the order on pages of other
// sizes, with the oracle.
func (o *oracle) agrees(t *testing.T, g *runtime.Generation, text string) runtime.Strategy {
	t.Helper()
	want := o.search(text)
	strategy := runtime.StrategyNone
	if len(want) > 0 {
		strategy = want[0].strategy()
	}
	got := g.Search(&runtime.Query{Text: text, Limit: len(o.products)})
	if got.Total != len(want) || got.Strategy != strategy || got.UsedFallback != (strategy >= runtime.StrategyFuzzy) {
		t.Fatalf("search %q: got %d by %v, fallback %v; reading every product finds %d by %v", text, got.Total, got.Strategy,
			got.UsedFallback, len(want), strategy)
	}
	o.same(t, text, got.Docs, docsOf(want))
	for _, size := range []int{1, 7, 24} {
		last := max(got.Total-1, 0) / size
		for _, page := range []int{0, 1, 2, 5, last / 2, last} {
			q := runtime.Query{Text: text, Limit: size, Page: page}
			from := min(page*size, got.Total)
			cut, cutWant := g.Search(&q), got.Docs[from:min(from+size, got.Total)]
			if !slices.Equal(cut.Docs, cutWant) || cut.Total != got.Total || cut.Strategy != strategy ||
				cut.HasMore != (page < last) {
				t.Fatalf("search %q, page %d of %d: got %v of %d by %v, more %v; want %v of %d by %v", text, page, size, cut.Docs,
					cut.Total,
					cut.Strategy, cut.HasMore, cutWant, got.Total, strategy)
			}
		}
	}
	return strategy
}

// same reports the first hit that differs from want.
func (o *oracle) same(t *testing.T, text string, got, want []column.Doc) {
	t.Helper()
	for i := range want {
		if i >= len(got) || got[i] != want[i] {
			t.Fatalf("search %q: hit %d of %d is not the product %d, %+v", text, i, len(want), want[i], o.products[want[i]])
		}
	}
}

// TestSampleAgreesWithReadingEveryProduct searches the compiled sample catalogue for its own texts.
func TestSampleAgreesWithReadingEveryProduct(t *testing.T) {
	t.Parallel()
	c := sampleCatalogue(t)
	g, o := openSample(t), newOracle(c)
	for d, p := range c.products {
		if n, ok := g.Lookup(p.id); !ok || int(n) != d {
			t.Fatalf("product %s is document %d, %v; want %d", p.id, n, ok, d)
		}
	}
	r := rand.New(rand.NewPCG(11, 11))
	seen := map[runtime.Strategy]int{}
	for range often(220) {
		seen[o.agrees(t, g, o.textOf(r))]++
	}
	for _, text := range []string{
		"Mineralwolle 50 mm", "1200 x 600", "600x600", "45/600", "0,85", "rock wool", "Büro", "BUERO", "wood ceiling",
		"Decken Segel",
		"acoustic curtain", "fire rated wooden ceiling panel for a school gym", "A2-s1,d0", "B s2 d0", "bs1d0", "the", "e",
		"αw", c.products[3].id, c.products[5].slug,
	} {
		seen[o.agrees(t, g, analysis.Normalize(text))]++
	}
	t.Logf("queries by strategy %v", seen)
}
