package main

import (
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// invented are lines of every suite.
const invented = `
{"suite":"search","class":"exact","facets":false,"engine":"sabine","products":99000,"questions":60,"p50_ns":999,"p99_ns":1000}
{"suite":"search","class":"exact","facets":false,"engine":"sabine","products":99000,"questions":60,"p50_ns":50000,"p99_ns":900000,"success10":1,"date":"2026-11-21T19:16:34Z"}
{"suite":"search","class":"exact","facets":false,"engine":"bleve","products":99000,"questions":60,"p50_ns":1500000,"p99_ns":2000000,"success10":1,"date":"2026-11-21T19:16:34Z"}
{"suite":"search","class":"exact","facets":false,"engine":"sqlite","products":99000,"questions":60,"p50_ns":1200000,"p99_ns":3000000,"success10":0.5,"date":"2026-11-21T19:16:34Z"}
{"suite":"search","class":"exact","facets":false,"told":true,"engine":"bleve","products":99000,"questions":60,"p50_ns":30000,"p99_ns":40000}
{"suite":"search","class":"filters, facets","facets":true,"engine":"sabine","products":99000,"questions":60,"p50_ns":100000,"p99_ns":2500000}
{"suite":"search","class":"filters, facets","facets":true,"engine":"sqlite","products":99000,"questions":60,"p50_ns":4000000,"p99_ns":5000000}
{"suite":"search","class":"exact","facets":false,"engine":"sabine","products":9900,"questions":60,"p50_ns":40000,"p99_ns":50000}
{"suite":"search","class":"exact","facets":false,"engine":"sabine","products":990000,"questions":60,"p50_ns":700000,"p99_ns":900000}
{"suite":"build","engine":"gjson","source_bytes":260000000,"seconds":1,"source_mb_per_s":260}
{"suite":"build","engine":"sabine","source_bytes":260000000,"seconds":10,"source_mb_per_s":26,"peak_rss_bytes":280000000,"index_bytes":1040000000}
{"suite":"build","engine":"sqlite","source_bytes":260000000,"seconds":20,"source_mb_per_s":13,"peak_rss_bytes":320000000,"index_bytes":240000000}
{"suite":"build","engine":"sabine","source_bytes":2610000000,"seconds":110,"source_mb_per_s":23,"peak_rss_bytes":900000000,"index_bytes":7300000000}
{"suite":"http","class":"detail","engine":"sabine","products":99000,"requests_per_s":70000,"p99_ns":900000,"body_bytes":6000}
{"suite":"http","class":"detail","engine":"bare","products":99000,"requests_per_s":75000,"p99_ns":900000,"body_bytes":6000}
{"suite":"http","class":"search","engine":"sabine","products":99000,"requests_per_s":10000,"p99_ns":900000,"body_bytes":9000,"median_total":465}
{"suite":"http","class":"search","engine":"bare","products":99000,"requests_per_s":50000,"p99_ns":900000,"body_bytes":9000}
{"suite":"open","engine":"sabine","products":990000,"source_bytes":2610000000,"open_ns":90000,"verify_bytes_per_s":9000000000,"heap_bytes":11000000}
{"suite":"section","products":990000,"section":"bodies","bytes":6600000000}
`

func read(t *testing.T, lines string) *results {
	t.Helper()
	r, err := readResults(strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRatios(t *testing.T) {
	r := read(t, invented)
	exact, facets := r.classes(middle)[0], r.classes(middle)[1]
	told, _ := exact.fastestTold()
	growth := r.growth()[0].p50
	loads := r.loads()
	detail, _ := loads[0].share(bareHandler)
	for _, test := range []struct {
		rule      string
		got, want float64
	}{
		{"the fastest peer's p50 counts, and the newest line of sabine's", first(exact.ratio()), 24},
		{"who is told the class asks for something else", told.P50, 30000},
		{"a class with one peer has that one", first(facets.ratio()), 40},
		{"growth is by size", growth[2] / growth[1], 14},
		{"a share is of requests a second", detail, 70.0 / 75},
	} {
		if math.Abs(test.got-test.want) > 1e-9 {
			t.Errorf("%s: got %v, want %v", test.rule, test.got, test.want)
		}
	}
	if _, ok := loads[0].share(nginx); ok {
		t.Error("there is a share of nginx's requests, which has no lines")
	}
}

func first(ratio float64, _ string, _ bool) float64 { return ratio }

func TestBars(t *testing.T) {
	want := []struct {
		what, measured string
		verdict        verdict
	}{
		{"each strict class", "24.0 × (exact, sqlite)", met},
		{"with facets of all families", "40.0 × (filters, facets, sqlite)", missed},
		{"fuzzy", "", unmeasured},
		{"p99", "1 of 2; the worst: 2.50 ms (filters, facets)", missed},
		{"1,000,000 products to 100,000", "14.0 × (exact)", missed},
		{"strict text", "0.700 ms (exact)", met},
		{"loose text", "", unmeasured},
		{"detail", "93.3 % (detail)", met},
		{"search with text", "20.0 % (search, median total 465)", missed},
		{"heap", "10 MiB (990,000 products)", met},
		{"open", "0.090 ms (990,000 products)", met},
		{"checksums", "9.00 GB/s (990,000 products)", met},
		{"build of 100,000", "26.0 MB/s (100,000 products)", met},
		{"peak memory", "267 MiB (100,000 products)", met},
		{"1,000,000 products, peak memory", "858 MiB (1,000,000 products)", met},
		{"its time", "11.0 × (1,000,000 products)", met},
		{"snapshot", "1 of 2; the worst: 4.0 × (100,000 products)", missed},
	}
	bars := read(t, invented).bars()
	if len(bars) != len(want) {
		t.Fatalf("there are %d bars, want %d", len(bars), len(want))
	}
	for i, w := range want {
		if b := bars[i]; !strings.Contains(b.what, w.what) || b.measured != w.measured || b.verdict != w.verdict {
			t.Errorf("got %+v, want %+v", b, w)
		}
	}
}

func TestNothingMeasured(t *testing.T) {
	r := read(t, "")
	for _, b := range r.bars() {
		if b.verdict != unmeasured {
			t.Errorf("%+v, of no lines", b)
		}
	}
	if plots, err := r.plot(t.TempDir()); err != nil || len(plots) > 0 {
		t.Errorf("plots %v (%v) of no lines", plots, err)
	}
	if err := r.write(io.Discard, machine{}, nil); err != nil {
		t.Error(err)
	}
	if got := len(r.missing()); got != 7 {
		t.Errorf("%d suites are missing, want 7", got)
	}
}

func TestBadLines(t *testing.T) {
	for _, test := range []struct{ rule, line, want string }{
		{"a suite must be known", `{"suite":"nap"}`, `line 2: suite "nap": expected search, build, http, open or section`},
		{"a line is JSON", `{`, "line 2: unexpected end of JSON input"},
	} {
		if _, err := readResults(strings.NewReader("\n" + test.line)); err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.rule, err, test.want)
		}
	}
}

func TestPlotsAreXML(t *testing.T) {
	dir := t.TempDir()
	plots, err := read(t, invented).plot(dir)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := fmt.Sprint(plots), fmt.Sprint([]string{latencyPlot, growthPlot, httpPlot, buildPlot}); got != want {
		t.Errorf("plots %s, want %s", got, want)
	}
	for _, name := range plots {
		f, err := os.Open(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		tokens := xml.NewDecoder(f)
		for err == nil {
			_, err = tokens.Token()
		}
		if !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
