package main

import (
	"bytes"
	_ "embed" // for the results
	"encoding/xml"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// invented are lines of every suite.
//
//go:embed testdata/results.ndjson
var invented string

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
	if err := r.write(io.Discard, nil); err != nil {
		t.Error(err)
	}
	if got := len(r.missing()); got != 7 {
		t.Errorf("%d suites are missing, want 7", got)
	}
}

func TestBadLines(t *testing.T) {
	for _, test := range []struct{ rule, line, want string }{
		{"a suite must be known", `{"suite":"nap"}`, `line 2: suite "nap": expected machine, search, build, http, open or section`},
		{"a line is JSON", `{`, "line 2: unexpected end of JSON input"},
	} {
		if _, err := readResults(strings.NewReader("\n" + test.line)); err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.rule, err, test.want)
		}
	}
}

var update = flag.Bool("update", false, "write the report of testdata anew")

// TestAReportIsMadeAgain: the same results make the same report, byte for byte, on any machine; so the published one can
// be made of the results that lie beside it.
func TestAReportIsMadeAgain(t *testing.T) {
	if *update {
		o := options{"testdata/results.ndjson", "testdata/notes.md", "testdata/REPORT.md"}
		if err := o.run(); err != nil {
			t.Fatal(err)
		}
	}
	for name, dir := range map[string]string{"invented": "testdata", "published": "../.."} {
		t.Run(name, func(t *testing.T) {
			o := options{filepath.Join(dir, "results.ndjson"), filepath.Join(dir, "notes.md"), filepath.Join(t.TempDir(), "REPORT.md")}
			if _, err := os.Stat(o.results); err != nil {
				t.Skipf("that REPORT.md can be made again was not tested: %v", err)
			}
			if err := o.run(); err != nil {
				t.Fatal(err)
			}
			for _, file := range []string{"REPORT.md", "plots/latency.svg", "plots/growth.svg", "plots/http.svg", "plots/build.svg"} {
				want, err := os.ReadFile(filepath.Join(dir, file))
				if err != nil {
					t.Fatal(err)
				}
				got, err := os.ReadFile(filepath.Join(filepath.Dir(o.out), file))
				if err != nil {
					t.Fatal(err)
				}
				if !bytes.Equal(got, want) {
					t.Errorf("%s is not what %s and %s make: run make bench-report", filepath.Join(dir, file), o.results, o.notes)
				}
			}
		})
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
