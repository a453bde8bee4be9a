package bench

import (
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"sabine/indexes"
	"sabine/runtime"
)

// measured builds the catalogue that all benchmarks but the build share, once.
var measured = sync.OnceValues(func() (*runtime.Generation, error) {
	n, err := Products()
	if err != nil {
		return nil, err
	}
	c, err := NewCatalogue(n)
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "sabine-bench")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir) // the mapping outlives the file
	return c.Open(dir)
})

func generation(b *testing.B) *runtime.Generation {
	b.Helper()
	g, err := measured()
	if err != nil {
		b.Fatal(err)
	}
	return g
}

func size(g *runtime.Generation) string { return fmt.Sprintf("%dk", (g.Products()+500)/1000) }

// labels returns the labels of every so many products.
func labels(g *runtime.Generation, every int) []string {
	var labels []string
	for d := 0; d < g.Products(); d += every {
		labels = append(labels, gjson.GetBytes(g.AppendSummary(nil, indexes.Doc(d), runtime.Include{}), "label").String())
	}
	return labels
}

func BenchmarkBuild(b *testing.B) {
	n, err := Products()
	if err != nil {
		b.Fatal(err)
	}
	c, err := NewCatalogue(n)
	if err != nil {
		b.Fatal(err)
	}
	b.Run(fmt.Sprintf("%dk", n/1000), func(b *testing.B) {
		b.SetBytes(int64(len(c.NDJSON)))
		b.ReportAllocs()
		for b.Loop() {
			if _, err := c.Build(b.TempDir()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

func BenchmarkSearch(b *testing.B) {
	g := generation(b)
	names := labels(g, max(1, g.Products()/1000))
	each := func(change func(string) string) []runtime.Query {
		var queries []runtime.Query
		for _, name := range names {
			if text := change(name); text != "" {
				queries = append(queries, runtime.Query{Text: text, Limit: 20})
			}
		}
		return queries
	}
	high := 0.8
	for _, class := range []struct {
		name    string
		queries []runtime.Query
	}{
		{"Listing", []runtime.Query{{Limit: 20}}},
		{"Exact", each(func(s string) string { return s })},
		{"Prefix", each(func(s string) string { return string([]rune(s)[:min(4, len([]rune(s)))]) })},
		{"Word", each(func(s string) string { return strings.Fields(s)[0] })},
		{"Typo", each(typo)},
		{"Filters", []runtime.Query{{Limit: 20, Filters: runtime.Filters{AlphaWMin: &high, FireClass: "B", HasEPD: true}}}},
		{"FiltersFacets", []runtime.Query{{Limit: 20, Facets: true, Filters: runtime.Filters{AlphaWMin: &high, FireClass: "B", HasEPD: true}}}},
		{"SortName", []runtime.Query{{Limit: 20, Sort: runtime.SortName}}},
	} {
		b.Run(class.name+"/"+size(g), func(b *testing.B) {
			b.ReportAllocs()
			i := 0
			start := cpuTime()
			defer func() { b.ReportMetric(float64(cpuTime()-start)/float64(b.N), "cpu-ns/op") }()
			for b.Loop() {
				g.Search(&class.queries[i%len(class.queries)])
				i++
			}
		})
	}
}

// typo swaps two letters in the middle of a text's longest word; "" when that is too short to be corrected.
func typo(text string) string {
	longest := ""
	for _, word := range strings.Fields(text) {
		if len(word) > len(longest) && !strings.ContainsAny(word, "0123456789") {
			longest = word
		}
	}
	r := []rune(longest)
	if len(r) < 8 {
		return ""
	}
	r[3], r[4] = r[4], r[3]
	return string(r)
}

func BenchmarkDetail(b *testing.B) {
	g := generation(b)
	ids := make([]string, 0, 1000)
	for d := 0; d < g.Products() && len(ids) < 1000; d++ {
		ids = append(ids, gjson.GetBytes(g.AppendSummary(nil, indexes.Doc(d), runtime.Include{}), "id").String())
	}
	b.Run(size(g), func(b *testing.B) {
		b.ReportAllocs()
		var body []byte
		i := 0
		for b.Loop() {
			doc, ok := g.Lookup(ids[i%len(ids)])
			if !ok {
				b.Fatal("lost", ids[i%len(ids)])
			}
			body = g.AppendDetail(body[:0], doc, false)
			i++
		}
	})
}

func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
