package browser_test

import (
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"sabine/bench"
	"sabine/bench/results"
	"sabine/internal/browser"
)

// drawn.js runs in the page and records when results are drawn.
//
//go:embed drawn.js
var drawn string

// catalogues runs a benchmark with the sample catalogue and with BENCH_PRODUCTS synthetic products.
func catalogues(b *testing.B, measure func(*testing.B, *browser.Server)) {
	b.Run("sample", func(b *testing.B) { measure(b, browser.Sample(b)) })
	n, err := bench.Products()
	if err != nil {
		b.Fatal(err)
	}
	b.Run(fmt.Sprintf("%dk", n/1000), func(b *testing.B) {
		records, err := generated()
		if err != nil {
			b.Fatal(err)
		}
		snapshots := filepath.Join(b.TempDir(), "snapshots")
		browser.Build(b, snapshots, string(records))
		measure(b, browser.Serve(b, snapshots, "--public-detail", "--public-limit", browser.Unlimited))
	})
}

var generated = sync.OnceValues(func() (bench.Catalogue, error) {
	n, err := bench.Products()
	if err != nil {
		return nil, err
	}
	return bench.NewCatalogue(n)
})

// BenchmarkFirstPage opens the search page with an empty cache. It measures the compressed bytes that the
// page loads, and the time from the navigation to the frame with the first result.
func BenchmarkFirstPage(b *testing.B) {
	catalogues(b, func(b *testing.B, s *browser.Server) {
		var times []time.Duration
		var size int
		for b.Loop() {
			tab := browser.Open(b, s, browser.View{}, "")
			tab.Inject(drawn)
			tab.Goto("/")
			tab.Wait("a result", "drawn.first > 0")
			times = append(times, milliseconds(browser.Eval[float64](tab, "drawn.first")))
			size = tab.Loaded("Document", "Script", "Stylesheet")
			tab.Close()
		}
		b.ReportMetric(float64(size)/1000, "kB")
		report(b, results.Line{Key: results.Key{Class: "first page"}, Bytes: int64(size)}, times)
	})
}

// BenchmarkTyping types queries. It measures the time from a key event to the frame with its result,
// including the page's pause before a request. Each key is pressed after the result of the previous key.
func BenchmarkTyping(b *testing.B) {
	catalogues(b, func(b *testing.B, s *browser.Server) {
		tab := browser.Open(b, s, browser.View{}, "")
		tab.Inject(drawn)
		tab.Goto("/")
		tab.Wait("a result", "drawn.first > 0")
		var times []time.Duration
		typed := texts(b)
		for i := 0; b.Loop(); i++ {
			tab.Fill("searchbox", "Search for products", "")
			tab.Wait("the result of no text", "drawn.settled()")
			browser.Eval[any](tab, "drawn.times.length = 0")
			for _, r := range typed[i%len(typed)] {
				tab.Press(string(r))
				tab.Wait("the result of "+string(r), "drawn.settled()")
			}
			for _, t := range browser.Eval[[]float64](tab, "drawn.times") {
				times = append(times, milliseconds(t))
			}
		}
		report(b, results.Line{Key: results.Key{Class: "typing"}}, times)
	})
}

// texts returns queries from each class in bench/queries for the synthetic products. Some find nothing.
func texts(b *testing.B) []string {
	records, err := generated()
	if err != nil {
		b.Fatal(err)
	}
	_, classes, err := records.Questions()
	if err != nil {
		b.Fatal(err)
	}
	var texts []string
	for _, c := range classes {
		if c.Kind.IsText() {
			texts = append(texts, c.Questions[0].Text)
		}
	}
	return texts
}

func milliseconds(n float64) time.Duration { return time.Duration(n * float64(time.Millisecond)) }

// report reports the median and 95th percentile, and appends them as a line to the file BENCH_RESULTS.
func report(b *testing.B, line results.Line, times []time.Duration) {
	if len(times) == 0 {
		return
	}
	slices.Sort(times)
	at := func(share float64) time.Duration { return times[int(share*float64(len(times)-1))] }
	line.P50, line.P95 = at(0.5), at(0.95)
	b.ReportMetric(line.P50.Seconds()*1000, "ms-p50")
	b.ReportMetric(line.P95.Seconds()*1000, "ms-p95")
	b.ReportMetric(0, "ns/op") // suppresses ns/op, which would include opening tabs
	out, err := results.Append(os.Getenv("BENCH_RESULTS"))
	if err != nil {
		b.Fatal(err)
	}
	_, catalogue, _ := strings.Cut(b.Name(), "/")
	line.Suite, line.Class = results.Explorer, line.Class+", "+catalogue
	if err := errors.Join(out.Add(line), out.Close()); err != nil {
		b.Fatal(err)
	}
}
