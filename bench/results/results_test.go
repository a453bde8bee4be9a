package results

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestWhatIsAppendedIsRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results.ndjson")
	half := 0.5
	search := Line{Key: Key{Suite: Search, Engine: Sabine, Class: "exact", Products: 99},
		P50: 5 * time.Microsecond, Success10: &half}
	build := Line{Key: Key{Suite: Build, Engine: "SQLite FTS5, trigram"}, SourceBytes: 3e6, Seconds: 2}
	for _, lines := range [][]Line{{search}, {build}} {
		f, err := Append(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := f.Add(lines...); err != nil {
			t.Fatal(err)
		}
		if err := f.Close(); err != nil {
			t.Fatal(err)
		}
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := Read(f)
	if err != nil || len(got) != 3 {
		t.Fatalf("got %d lines and %v, want the machine's, once, and two", len(got), err)
	}
	for i := range got {
		if _, err := time.Parse(time.RFC3339, got[i].Date); err != nil {
			t.Error(err)
		}
		got[i].Date = ""
	}
	if got[0].Suite != Machine || got[0].Cores == 0 || !reflect.DeepEqual(got[1:], []Line{search, build}) {
		t.Errorf("got %+v", got)
	}
	if pace := got[2].MBPerSecond(); pace != 1.5 {
		t.Errorf("3 MB in 2 s: got %v MB/s", pace)
	}
}

func TestLinesThatCount(t *testing.T) {
	lines, err := Read(strings.NewReader(`{"suite":"search","class":"exact","engine":"sabine","products":9,"p50_ns":1}
{"suite":"build","engine":"sabine","source_bytes":1}
{"suite":"build","engine":"sabine","source_bytes":2}

{"suite":"search","class":"exact","engine":"sabine","products":8,"p50_ns":2}
{"suite":"search","class":"exact","engine":"sabine","products":9,"p50_ns":3}
`))
	if err != nil || len(lines) != 4 || lines[0].P50 != 3 || lines[3].P50 != 2 {
		t.Errorf("got %+v, %v: want the later line in place of the earlier one about the same", lines, err)
	}
}

func TestBadLines(t *testing.T) {
	for _, test := range []struct{ rule, line, want string }{
		{"a suite must be known", `{"suite":"nap"}`,
			`line 2: suite "nap": expected one of ["machine" "build" "search" "own" "judged" "http" "open" "section"]`},
		{"a line is JSON", `{`, "line 2: unexpected end of JSON input"},
	} {
		if _, err := Read(strings.NewReader("\n" + test.line)); err == nil || err.Error() != test.want {
			t.Errorf("%s: got %v, want %s", test.rule, err, test.want)
		}
	}
}

func TestNoNameKeepsNoResults(t *testing.T) {
	f, err := Append("")
	if err != nil {
		t.Fatal(err)
	}
	if err := f.Add(Line{}); err != nil {
		t.Error(err)
	}
	if err := f.Close(); err != nil {
		t.Error(err)
	}
}
