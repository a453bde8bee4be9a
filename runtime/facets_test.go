package runtime_test

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sabine/indexes"
	"sabine/runtime"
)

// TestFacetCountIsTotalOfValueAlone repeats random requests once for each facet value, with that value as the
// only one of its family. A value that the facets omit must find nothing.
func TestFacetCountIsTotalOfValueAlone(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 3))
	for _, products := range []int{1, 60, 700} {
		c := randomCatalogue(r, products)
		g := c.open(t)
		for range 60 {
			q := runtime.Query{Filters: randomFilters(r), Facets: true}
			if r.IntN(2) == 0 {
				q.Text = pick(r, randomWords)
			}
			checkFacets(t, g, q)
		}
		checkFacets(t, g, runtime.Query{Facets: true})
	}
}

func checkFacets(t *testing.T, g *runtime.Generation, q runtime.Query) {
	t.Helper()
	facets := g.Search(&q).Facets
	total := func(f runtime.Filters) int { return g.Search(&runtime.Query{Text: q.Text, Filters: f}).Total }
	manufacturers := make([]runtime.ValueCount, len(facets.Manufacturers))
	for i, b := range facets.Manufacturers {
		manufacturers[i] = runtime.ValueCount{Value: b.Slug, Count: b.Count}
	}
	for _, family := range []struct {
		family  indexes.Family
		buckets []runtime.ValueCount
		chosen  []string
		choose  func(*runtime.Filters, string)
	}{
		{indexes.FamilyCategory, facets.Categories, q.Filters.Categories, func(f *runtime.Filters, v string) {
			f.Categories = []string{v}
		}},
		{indexes.FamilyCharacter, facets.Characters, q.Filters.Characters, func(f *runtime.Filters, v string) {
			f.Characters = []string{v}
		}},
		{indexes.FamilyInstallation, facets.Installations, q.Filters.Installations, func(f *runtime.Filters, v string) {
			f.Installations = []string{v}
		}},
		{indexes.FamilyManufacturer, manufacturers, q.Filters.Manufacturers, func(f *runtime.Filters, v string) {
			f.Manufacturers = []string{v}
		}},
		{indexes.FamilyFireClass, facets.FireClasses, []string{q.Filters.FireClass}, func(f *runtime.Filters, v string) {
			f.FireClass = v
		}},
	} {
		for _, value := range g.Values(family.family) {
			alone := q.Filters
			family.choose(&alone, value)
			want, got := total(alone), 0
			i := slices.IndexFunc(family.buckets, func(b runtime.ValueCount) bool { return b.Value == value })
			if i >= 0 {
				got = family.buckets[i].Count
			} else if slices.Contains(family.chosen, value) {
				t.Errorf("%+v: the chosen %q has no bucket in %v", q, value, family.buckets)
			}
			if got != want {
				t.Errorf("%+v: %q has count %d in %v, but as the only value it finds %d", q, value, got, family.buckets, want)
			}
		}
		for i, b := range family.buckets {
			if b.Count == 0 && !slices.Contains(family.chosen, b.Value) && family.family != indexes.FamilyManufacturer {
				t.Errorf("%+v: empty bucket %q", q, b.Value)
			}
			if i == 0 {
				continue
			}
			before := family.buckets[i-1]
			inOrder := before.Count > b.Count || before.Count == b.Count && before.Value < b.Value
			if family.family == indexes.FamilyFireClass {
				inOrder = before.Value < b.Value
			}
			if !inOrder {
				t.Errorf("%+v: %v is before %v", q, before, b)
			}
		}
	}
	epd, all := q.Filters, q.Filters
	epd.HasEPD, all.HasEPD = true, false
	if want := (runtime.Split{True: total(epd), False: total(all) - total(epd)}); facets.HasEPD != want {
		t.Errorf("%+v: got EPD %v, want %v", q, facets.HasEPD, want)
	}
	purchasable, any := q.Filters, q.Filters
	purchasable.Purchasable, any.Purchasable = true, false
	if want := (runtime.Split{True: total(purchasable),
		False: total(any) - total(purchasable)}); facets.Purchasable != want {
		t.Errorf("%+v: got purchasable %v, want %v", q, facets.Purchasable, want)
	}
}

func TestChosenValuesInFacets(t *testing.T) {
	c := catalogue{
		products: []product{
			{label: "A", category: "holz", manufacturer: "One", fire: "B"},
			{label: "B", category: "holz", manufacturer: "Two"},
			{label: "C", category: "textil", manufacturer: "Two", alpha: 0.5},
		},
		declared: []indexes.Vocabulary{{Family: indexes.FamilyCategory, Values: []indexes.Value{{Value: "glas"}}}},
	}
	g := c.open(t)
	tests := []struct {
		rule    string
		filters runtime.Filters
		want    []runtime.ValueCount
	}{
		{
			"a value without products is shown if it is chosen and declared",
			runtime.Filters{Categories: []string{"glas"}},
			[]runtime.ValueCount{{Value: "holz", Count: 2}, {Value: "textil", Count: 1}, {Value: "glas", Count: 0}},
		},
		{
			"a value that is not in the vocabulary has no bucket",
			runtime.Filters{Categories: []string{"stein"}},
			[]runtime.ValueCount{{Value: "holz", Count: 2}, {Value: "textil", Count: 1}},
		},
		{
			"a chosen value without products under other filters has count 0",
			runtime.Filters{Categories: []string{"holz"}, AlphaWMin: new(0.1)},
			[]runtime.ValueCount{{Value: "textil", Count: 1}, {Value: "holz", Count: 0}},
		},
		{
			"equal counts are in the order of values",
			runtime.Filters{Manufacturers: []string{"two"}},
			[]runtime.ValueCount{{Value: "holz", Count: 1}, {Value: "textil", Count: 1}},
		},
	}
	for _, test := range tests {
		if got := g.Search(&runtime.Query{Filters: test.filters, Facets: true}).Facets.Categories; !slices.Equal(got,
			test.want) {
			t.Errorf("%s: got %v, want %v", test.rule, got, test.want)
		}
	}

	id := (&product{manufacturer: "One"}).indexManufacturer().ID
	for _, chosen := range []string{"one", id} {
		r := g.Search(&runtime.Query{Filters: runtime.Filters{Manufacturers: []string{chosen}, AlphaWMin: new(0.1)},
			Facets: true})
		i := slices.IndexFunc(r.Facets.Manufacturers, func(b runtime.ManufacturerCount) bool { return b.Slug == "one" })
		if i < 0 || r.Facets.Manufacturers[i].Count != 0 || r.Facets.Manufacturers[i].ID != id ||
			r.Facets.Manufacturers[i].Name != "One" {
			t.Errorf("the manufacturer chosen by %q: got %+v", chosen, r.Facets.Manufacturers)
		}
	}
	fire := g.Search(&runtime.Query{Filters: runtime.Filters{FireClass: "A1"}, Facets: true}).Facets.FireClasses
	want := []runtime.ValueCount{
		{Value: "A1", Count: 0}, {Value: "B", Count: 1}, {Value: "C", Count: 1}, {Value: "D", Count: 1},
		{Value: "E", Count: 1}, {Value: "F", Count: 1},
	}
	if !slices.Equal(fire, want) {
		t.Errorf("fire classes: got %v, want %v", fire, want)
	}
}

// TestManufacturersAddUp checks that the total of several manufacturers is the sum of their counts, because
// each product has one manufacturer.
func TestManufacturersAddUp(t *testing.T) {
	r := rand.New(rand.NewPCG(16, 16))
	c := randomCatalogue(r, 200)
	g := c.open(t)
	for _, text := range []string{"", "a", randomText(r, c), randomText(r, c), randomText(r, c)} {
		counts := g.Search(&runtime.Query{Text: text, Facets: true}).Facets.Manufacturers
		r.Shuffle(len(counts), func(i, j int) { counts[i], counts[j] = counts[j], counts[i] })
		want, q := 0, runtime.Query{Text: text}
		for _, m := range counts {
			want += m.Count
			q.Filters.Manufacturers = append(q.Filters.Manufacturers, m.Slug)
			if got := g.Search(&q).Total; got != want {
				t.Errorf("%q by %d of %d manufacturers: %d hits, want %d", text, len(q.Filters.Manufacturers), len(counts), got,
					want)
			}
		}
	}
}
