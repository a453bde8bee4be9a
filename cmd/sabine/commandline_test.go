package main_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/tidwall/gjson"
)

// aProduct returns a source record that contains the required fields and the given fields.
func aProduct(number int, fields string) string {
	return fmt.Sprintf(`{"id":"00000000-0000-4000-8000-%012d","label":"Produkt %d","manufacturer":"Beispiel Akustik"%s}`+
		"\n", number, number, fields)
}

// write writes a file into a folder.
func write(t testing.TB, dir, name, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// compiled compiles a catalogue into a new folder and returns the path of the snapshot.
func compiled(t testing.TB, catalogue string) string {
	t.Helper()
	dir := t.TempDir()
	write(t, dir, "c.json", catalogue)
	hash := gjson.Get(must(t, dir, "build", "c.json", "--json"), "hash").String()
	return filepath.Join(dir, "snapshots", hash+".snapshot")
}

func TestMistakesOnTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.ndjson", aProduct(1, ""))
	for _, test := range []struct {
		rule    string
		args    []string
		message string
	}{
		{"a flag without its value", []string{"build", "a.ndjson", "--out"}, "--out needs a value"},
		{"a percentage that is not a number", []string{"build", "a.ndjson", "--max-drop", "NaN"}, "--max-drop must be a percentage"},
		{"no generation to keep, also with --sample", []string{"build", "--sample", "--keep", "0"},
			"--keep must be at least 1"},
		{"a percentage over 100", []string{"build", "a.ndjson", "--max-drop", "101"}, "--max-drop must be a percentage"},
		{"an unknown flag with a similar name", []string{"build", "a.ndjson", "--max-dorp", "1"}, "Did you mean --max-drop?"},
		{"an unknown command with a similar name", []string{"buidl"}, `Did you mean "build"?`},
		{"an unknown command without a similar name", []string{"keys", "delete"},
			"unknown command \"keys delete\"\nSee sabine keys --help."},
		{"an unknown flag without a similar name", []string{"keys", "list", "--snapshots", "x"}, "unknown flag --snapshots\n"},
		{"neither inputs nor --sample", []string{"build"}, "--sample"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			if r := (command{dir: dir}).inProcess(t, test.args...); r.status != 2 || !strings.Contains(r.err, test.message) {
				t.Errorf("status %d\n%s", r.status, r.err)
			}
		})
	}
	if entries, err := os.ReadDir(dir); err != nil || len(entries) != 1 {
		t.Errorf("wrong usage has left %v, %v", entries, err)
	}
	if r := (command{}).inProcess(t, "help", "build"); r.status != 0 || r.out != must(t, dir, "build", "--help") {
		t.Errorf("help build: status %d\n%s%s", r.status, r.out, r.err)
	}
}

func TestEveryFaultIsReported(t *testing.T) {
	dir := t.TempDir()
	var catalogue strings.Builder
	for i := range 120 {
		catalogue.WriteString(aProduct(i, `,"slug":"X"`))
	}
	catalogue.WriteString(aProduct(120, ""))
	write(t, dir, "a.ndjson", catalogue.String())
	for _, args := range [][]string{{"build", "a.ndjson"}, {"build", "a.ndjson", "--skip-invalid"}} {
		r := sabine(t, dir, args...)
		if n := strings.Count(r.err, "slug: expected a slug"); n != 100 || !strings.Contains(r.err, "and 20 more") {
			t.Errorf("%v: status %d, %d faults:\n%s", args, r.status, n, r.err)
		}
	}
}

func TestTheReportOfABuildThatCannotStart(t *testing.T) {
	dir := t.TempDir()
	r := sabine(t, dir, "build", "nowhere.json", "--report", "report.json")
	report, err := os.ReadFile(filepath.Join(dir, "report.json"))
	if r.status != 1 || err != nil || !json.Valid(report) || !strings.Contains(gjson.GetBytes(report, "error").String(),
		"nowhere.json") {
		t.Errorf("status %d, %s\nreport: %s, %v", r.status, r.err, report, err)
	}
}

func TestAFailedReportDoesNotHideTheResultOfABuild(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.ndjson", aProduct(1, ""))
	r := sabine(t, dir, "build", "a.ndjson", "--report", "nowhere/report.json")
	current, err := os.ReadFile(filepath.Join(dir, "snapshots", "CURRENT"))
	if err != nil || r.status != 1 || !strings.Contains(r.out, strings.TrimSuffix(string(current), ".snapshot\n")) ||
		!strings.Contains(r.err, "write the report") {
		t.Errorf("status %d, CURRENT %s, %v\n%s%s", r.status, current, err, r.out, r.err)
	}
}

func TestMaxDropZeroAllowsNoDrop(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, "a.ndjson", aProduct(1, "")+aProduct(2, ""))
	write(t, dir, "b.ndjson", aProduct(1, ""))
	must(t, dir, "build", "a.ndjson")
	if r := sabine(t, dir, "build", "b.ndjson", "--max-drop", "0"); r.status != 1 ||
		!strings.Contains(r.err, "CURRENT was not switched") {
		t.Errorf("status %d\n%s", r.status, r.err)
	}
	must(t, dir, "build", "b.ndjson")
}

func TestDiffReportsHiddenDifferences(t *testing.T) {
	tests := []struct{ rule, before, after string }{ // no response shows these differences
		{"the vocabulary", aProduct(1, ""), `{"products":[` + aProduct(1, "") +
			`],"vocabulary":{"material_category":{"textil":{}}}}`},
		{"a description that only the search reads", aProduct(1, `,"description":{"de":"x","en":"y"}`),
			aProduct(1, `,"description":{"de":"x","en":"z"}`)},
		{"the fire class", aProduct(1, ""), aProduct(1, `,"fire_class":"B"`)},
		{"the id of the manufacturer", aProduct(1, ""), strings.Replace(aProduct(1, ""), `"Beispiel Akustik"`,
			`{"name":"Beispiel Akustik","id":"00000000-0000-4000-8000-000000000077"}`, 1)},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			before, after := compiled(t, test.before), compiled(t, test.after)
			r := sabine(t, "", "diff", "--exit-code", before, after)
			if r.status != 1 || r.out != "" || !strings.Contains(r.err, "0 changed\n") ||
				!strings.Contains(r.err, "still differ") {
				t.Errorf("status %d\n%s%s", r.status, r.out, r.err)
			}
			r = sabine(t, "", "diff", "--exit-code", "--json", before, after)
			if r.status != 1 || !strings.HasSuffix(r.out, `"added":[],"changed":[],"removed":[]}`+"\n") ||
				!strings.Contains(r.err, "still differ") {
				t.Errorf("--json: status %d\n%s%s", r.status, r.out, r.err)
			}
		})
	}
	t.Run("an English label", func(t *testing.T) {
		labelled := func(english string) string {
			return compiled(t, strings.Replace(aProduct(1, ""), `"Produkt 1"`, `{"de":"x","en":"`+english+`"}`, 1))
		}
		before, after := labelled("y"), labelled("z")
		if r := sabine(t, "", "diff", before, after); r.status != 0 || !strings.HasSuffix(r.out, " label.en\n") ||
			!strings.Contains(r.err, "1 changed\n") {
			t.Errorf("status %d\n%s%s", r.status, r.out, r.err)
		}
	})
	same := compiled(t, aProduct(1, ""))
	if r := sabine(t, "", "diff", same, same, "--exit-code"); r.status != 0 || strings.Contains(r.err, "differ") {
		t.Errorf("with itself: status %d\n%s", r.status, r.err)
	}
}

func TestVerifyNamesTheDamagedSection(t *testing.T) {
	path := compiled(t, aProduct(1, ""))
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text[2048]++ // in the first section, which contains the bodies
	damaged := filepath.Join(t.TempDir(), filepath.Base(path))
	if err := os.WriteFile(damaged, text, 0o644); err != nil {
		t.Fatal(err)
	}
	r := sabine(t, "", "verify", damaged)
	if r.status != 1 || !strings.Contains(r.err, "section bodies damaged at byte 2048") {
		t.Errorf("status %d\n%s", r.status, r.err)
	}
}

// TestShowsExample checks that the sample catalogue contains the product in the help of show.
func TestShowsExample(t *testing.T) {
	dir := t.TempDir()
	example := regexp.MustCompile(`sabine show ([a-z0-9-]+)\n`).FindStringSubmatch(must(t, dir, "show", "--help"))
	if example == nil {
		t.Fatal("the help has no example")
	}
	must(t, dir, "build", "--sample")
	if out := must(t, dir, "show", example[1]); !strings.Contains(out, example[1]) {
		t.Errorf("show %s:\n%s", example[1], out)
	}
}

// TestInterruptedImport checks that Ctrl-C ends an import that waits for standard input.
func TestInterruptedImport(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p := command{}.process(ctx, t, []string{"import", "table", "-", "--manufacturer", "Beispiel Akustik"})
	stdin, err := p.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer stdin.Close()
	var stderr bytes.Buffer
	p.Stderr = &stderr
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := stdin.Write(make([]byte, 1<<17)); err != nil { // more than a pipe buffers, so the program is reading
		t.Fatal(err)
	}
	if err := p.Process.Signal(syscall.SIGINT); err != nil {
		t.Fatal(err)
	}
	_ = p.Wait()
	if p.ProcessState.ExitCode() != 1 || !strings.Contains(stderr.String(), "interrupted") {
		t.Errorf("status %d\n%s", p.ProcessState.ExitCode(), &stderr)
	}
}
