package results

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
)

func TestAppendedLinesAreRead(t *testing.T) {
	name := filepath.Join(t.TempDir(), "results.ndjson")
	half := 0.5
	search := Line{Key: Key{Suite: Search, Engine: Sabine, Class: "exact", Products: 99},
		P50: 5 * time.Microsecond, Success10: &half}
	build := Line{Key: Key{Suite: Build, Engine: "SQLite FTS5, trigram"}, SourceBytes: 3e6, Seconds: 2}
	soak := Line{Key: Key{Suite: Soak}, Soak: &SoakRun{Run: Run{Faults: map[string]int{"wrong": 1}},
		Parts: []SoakPart{{Latency: Latency{Requests: 3}}}}}
	for _, lines := range [][]Line{{search}, {build, soak}} {
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
	var text bytes.Buffer
	if _, err := text.ReadFrom(f); err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(text.String(), `"commit":"`+commit()); commit() != "" && n != 5 {
		t.Errorf("%d of 5 lines have the commit of the work tree: %s", n, &text)
	}
	got, err := Read(strings.NewReader(strings.ReplaceAll(text.String(), dirty+`"`, `"`)))
	if err != nil || len(got) != 4 {
		t.Fatalf("got %d lines and %v, want the machine's once, and three", len(got), err)
	}
	for i := range got {
		if _, err := time.Parse(time.RFC3339, got[i].Date); err != nil {
			t.Error(err)
		}
		got[i].Date, got[i].Commit = "", ""
	}
	if got[0].Suite != Machine || got[0].Cores == 0 || !reflect.DeepEqual(got[1:], []Line{search, build, soak}) {
		t.Errorf("got %+v", got)
	}
	if pace := got[2].MBPerSecond(); pace != 1.5 {
		t.Errorf("3 MB in 2 s: got %v MB/s", pace)
	}
}

func TestLaterLinesReplaceEarlierOnes(t *testing.T) {
	lines, err := Read(strings.NewReader(`{"suite":"search","class":"exact","engine":"sabine","products":9,"p50_ns":1}
{"suite":"build","engine":"sabine","source_bytes":1}
{"suite":"build","engine":"sabine","source_bytes":2}

{"suite":"search","class":"exact","engine":"sabine","products":8,"p50_ns":2}
{"suite":"search","class":"exact","engine":"sabine","products":9,"p50_ns":3}
`))
	if err != nil || len(lines) != 4 || lines[0].P50 != 3 || lines[3].P50 != 2 {
		t.Errorf("got %+v, %v: want the later line in place of the earlier one with the same key", lines, err)
	}
}

func TestBadLines(t *testing.T) {
	for _, test := range []struct{ rule, lines, want string }{
		{"a suite is known", `{"suite":"nap"}`, `line 2: suite "nap": expected one of ["machine" `},
		{"a line is JSON", `{`, "line 2: unexpected end of JSON input"},
		{"all lines are of one commit", `{"suite":"open","commit":"a"}` + "\n" + `{"suite":"open","commit":"b"}`,
			`line 3: commit "b": the earlier lines are from commit "a"`},
		{"the commit is known for all lines or for none", `{"suite":"open"}` + "\n" + `{"suite":"http","commit":"b"}`,
			`line 3: commit "b": the earlier lines are from commit ""`},
		{"the work tree has no changes", `{"suite":"open","commit":"a-dirty"}`, `line 2: commit "a-dirty": the work tree`},
		{"all lines are of one machine", `{"suite":"machine","cores":2}` + "\n" + `{"suite":"machine","cores":4}`,
			`line 3: machine "", 4 cores, : the earlier lines are from "", 2 cores`},
	} {
		_, err := Read(strings.NewReader("\n" + test.lines))
		if err == nil || !strings.HasPrefix(err.Error(), test.want) {
			t.Errorf("%s: got %v, want %s", test.rule, err, test.want)
		}
	}
}

func TestWithoutANameResultsAreDiscarded(t *testing.T) {
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
