package main

import (
	"bytes"
	_ "embed" // for testdata/results.ndjson
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sabine/bench/queries"
	"sabine/bench/results"
)

// invented contains invented lines for every suite.
//
//go:embed testdata/results.ndjson
var invented string

func read(t *testing.T, lines string) report {
	t.Helper()
	counting, err := results.Read(strings.NewReader(lines))
	if err != nil {
		t.Fatal(err)
	}
	return counting
}

func TestRatios(t *testing.T) {
	r := read(t, invented)
	searches := r.Classes(results.Search)
	exact, facets, detail := searches[0], searches[1], r.Classes(results.HTTP)[0]
	for _, test := range []struct {
		rule      string
		got, want float64
	}{
		{"the p50 of the fastest peer counts, and the newest line of sabine", exact.Ratio(), 24},
		{"a class with one peer has its ratio", facets.Ratio(), 40},
		{"growth is by size", exact.Growth(middle, large), 14},
		{"a share is of requests a second", detail.Share(results.Bare), 70.0 / 75},
		{"a server without lines has no share", detail.Share("nginx"), 0},
	} {
		if math.Abs(test.got-test.want) > 1e-9 {
			t.Errorf("%s: got %v, want %v", test.rule, test.got, test.want)
		}
	}
}

// TestClassesAreKnown checks that package queries contains the published and the plotted classes.
func TestClassesAreKnown(t *testing.T) {
	var names []string
	for _, l := range slices.Concat(latencyLabels, growthLabels, summaryLabels) {
		names = append(names, l.class)
	}
	if f, err := os.ReadFile("../../results.ndjson"); err == nil {
		for _, c := range read(t, string(f)).Classes(results.Search) {
			names = append(names, c.Name)
		}
	}
	for _, name := range names {
		if _, ok := queries.KindOf(name); !ok {
			t.Errorf("%q is not a class of questions", name)
		}
	}
	for _, l := range costLabels {
		if text, ok := strings.CutPrefix(l.class, searchClass); ok &&
			!slices.Contains(queries.Names(queries.Strict, queries.Loose), text) {
			t.Errorf("%q is not a class of texts", l.class)
		}
	}
}

// TestGroupsHaveAllTexts checks that the groups contain every text class exactly once, and no other class.
func TestGroupsHaveAllTexts(t *testing.T) {
	var grouped []string
	for _, g := range groups {
		grouped = append(grouped, g.classes...)
	}
	texts := queries.Names(queries.Strict, queries.Loose)
	slices.Sort(grouped)
	slices.Sort(texts)
	if !slices.Equal(grouped, texts) {
		t.Errorf("the groups have %q, want %q", grouped, texts)
	}
}

func TestBars(t *testing.T) {
	want := []struct {
		what, measured, verdict string
	}{
		{"each strict class", "24.0 × (exact)", "met"},
		{"with facets of all families", "40.0 × (filters, facets)", "**not met**"},
		{"fuzzy", "", "not measured"},
		{"needs with facets, the same", "25.0 × (need, facets)", "met"},
		{"needs with facets, p50", "0.200 ms (need, facets)", "met"},
		{"like", "0.700 ms (like)", "met"},
		{"p99", "3 of 4; the worst: 2.50 ms (filters, facets)", "**not met**"},
		{"1,000,000 products to 100,000", "14.0 × (exact)", "**not met**"},
		{"strict text", "0.700 ms (exact)", "met"},
		{"loose text", "", "not measured"},
		{"detail", "93.3 % (detail)", "met"},
		{"search with facets over HTTP", "20.0 % (search, exact)", "**not met**"},
		{"heap", "10 MiB (990,000 products)", "met"},
		{"open", "2 of 2; the worst: 0.090 ms (990,000 products)", "met"},
		{"checksums", "2 of 2; the worst: 9.00 GB/s (990,000 products)", "met"},
		{"build of 100,000", "26.0 MB/s (100,000 products)", "met"},
		{"peak memory", "280 MB (100,000 products)", "met"},
		{"1,000,000 products, peak memory", "900 MB (1,000,000 products)", "met"},
		{"its time", "11.0 × (1,000,000 products)", "met"},
		{"snapshot", "1 of 2; the worst: 4.0 × (100,000 products)", "**not met**"},
	}
	bars := read(t, invented).Bars()
	if len(bars) != len(want) {
		t.Fatalf("there are %d bars, want %d", len(bars), len(want))
	}
	for i, w := range want {
		if b := bars[i]; !strings.Contains(b.What, w.what) || b.Measured != w.measured || b.Verdict != w.verdict {
			t.Errorf("got %+v, want %+v", b, w)
		}
	}
}

func TestNothingMeasured(t *testing.T) {
	r := read(t, "")
	for _, b := range r.Bars() {
		if b.Verdict != "not measured" {
			t.Errorf("%+v, without lines", b)
		}
	}
	for name, drawn := range r.Plots() {
		if drawn != "" {
			t.Errorf("%s is drawn without lines", name)
		}
	}
	if got := strings.Count(r.write("page")+r.write("readme"), "Not measured yet: run `make "); got != 15 {
		t.Errorf("%d tables report that nothing was measured, want 15", got)
	}
}

var update = flag.Bool("update", false, "write the report of testdata")

// TestAReportIsReproducible checks that the results in a folder produce exactly the report in that folder,
// byte for byte, on every machine.
func TestAReportIsReproducible(t *testing.T) {
	if *update {
		run("testdata", "testdata", "testdata/README.md")
	}
	for dir, readme := range map[string]string{"testdata": "testdata/README.md", "../..": "../../../README.md"} {
		t.Run(dir, func(t *testing.T) {
			if _, err := os.Stat(filepath.Join(dir, "results.ndjson")); err != nil {
				t.Skipf("the published report was not tested: %v", err)
			}
			read := func(name string) []byte {
				b, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				return b
			}
			out := t.TempDir()
			copied := filepath.Join(out, "README.md")
			if err := os.WriteFile(copied, read(readme), 0o600); err != nil {
				t.Fatal(err)
			}
			run(dir, out, copied)
			files := map[string]string{copied: readme}
			for _, name := range strings.Fields("REPORT.md plots/latency.svg plots/growth.svg plots/http.svg plots/need.svg") {
				files[filepath.Join(out, name)] = filepath.Join(dir, name)
			}
			for got, want := range files {
				if !bytes.Equal(read(got), read(want)) {
					t.Errorf("%s differs from the report of the results and notes: run make bench-report", want)
				}
			}
		})
	}
}

func TestPlotsAreXML(t *testing.T) {
	for name, drawn := range read(t, invented).Plots() {
		tokens := xml.NewDecoder(strings.NewReader(drawn))
		var err error
		for err == nil {
			_, err = tokens.Token()
		}
		if drawn == "" || !errors.Is(err, io.EOF) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
