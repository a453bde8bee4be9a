package main_test

import (
	"bytes"
	"context"
	"os"
	"strings"
	"syscall"
	"testing"
)

// TestExport checks that standard output equals the server's response and standard error contains its notes.
func TestExport(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, dir, "build", "--sample")
	key := createKey(t, dir, "A")
	s := start(t, dir, "--export-limit", "50/24h")
	for _, tt := range []struct {
		args  []string
		query string
	}{
		{nil, ""},
		{[]string{"--format", "ndjson", "Akustik", "--has-epd"}, "q=Akustik&has_epd=true"},
		{[]string{"--category", "holz,textil", "--alpha-w-min", "0.5"}, "category=holz,textil&alpha_w_min=0.5"},
		{[]string{"--format", "csv", "--separator", "semicolon", "--installation", "ceiling"},
			"format=csv&separator=semicolon&installation=ceiling"},
		{[]string{"--format", "pyroomacoustics", "--bands", "63,125", "--fill", "hold"},
			"format=pyroomacoustics&bands=63,125&fill=hold"},
		{[]string{"--format=catt", "--purchasable-only"}, "format=catt&purchasable_only=1"},
	} {
		r := sabine(t, dir, append([]string{"export"}, tt.args...)...)
		a := s.getAs(t, key, "/v1/export?"+tt.query)
		if notes := strings.TrimSuffix(r.err, "\n"); r.status != 0 || r.out != a.body ||
			notes != a.header.Get("X-Export-Notes") || r.out == "" {
			t.Errorf("%q: got %d, %d bytes, %q; the server sends %d, %d bytes, %q", tt.args, r.status, len(r.out), r.err,
				a.status, len(a.body), a.header.Get("X-Export-Notes"))
		}
	}
	for _, tt := range []struct {
		rule, message string
		args          []string
	}{
		{"a page", "unknown flag --page", []string{"--page", "1"}},
		{"an unknown format", `--format: "xml" is not a format`, []string{"--format", "xml"}},
		{"a separator without csv", "--separator: is only for the format csv", []string{"--separator", "comma"}},
		{"an unknown category", `--category: "x" is not a known value`, []string{"--category", "x"}},
		{"two texts", "at most one QUERY", []string{"a", "b"}},
	} {
		if r := sabine(t, dir, append([]string{"export"}, tt.args...)...); r.status != 2 || r.out != "" ||
			!strings.Contains(r.err, tt.message) {
			t.Errorf("%s: got %d %s", tt.rule, r.status, r.err)
		}
	}
}

// TestInterruptedExports checks that Ctrl-C ends an export whose output is not read, and that an export
// prints no error if its reader ends.
func TestInterruptedExports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	must(t, dir, "build", "--sample")
	for _, tt := range []struct {
		rule      string
		interrupt bool
		message   string
	}{
		{"Ctrl-C", true, "interrupted"},
		{"a broken pipe", false, ""},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			ctx, cancel := context.WithTimeout(context.Background(), patience)
			defer cancel()
			state, stderr := cutShort(ctx, t, dir, tt.interrupt)
			for tt.interrupt && state.Success() && ctx.Err() == nil { // the export finished before the signal
				state, stderr = cutShort(ctx, t, dir, true)
			}
			if state.Success() || tt.message == "" && stderr != "" || !strings.Contains(stderr, tt.message) {
				t.Errorf("got %v %s", state, stderr)
			}
		})
	}
}

// cutShort starts an export and reads its first bytes. It interrupts the export if requested, and then reads
// only enough to detect the end.
func cutShort(ctx context.Context, t *testing.T, dir string, interrupt bool) (state *os.ProcessState, stderr string) {
	t.Helper()
	p := command{dir: dir}.process(ctx, t, []string{"export"})
	var log bytes.Buffer
	p.Stderr = &log
	out, err := p.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 10)); err != nil { // the export writes more than a pipe can buffer
		t.Fatal(err)
	}
	if interrupt {
		if err := p.Process.Signal(syscall.SIGINT); err != nil {
			t.Fatal(err)
		}
		for err == nil {
			_, err = out.Read(make([]byte, 64<<10))
		}
	}
	out.Close()
	_ = p.Wait()
	return p.ProcessState, log.String()
}
