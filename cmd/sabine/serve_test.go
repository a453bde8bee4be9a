package main_test

import (
	"bufio"
	"context"
	"strings"
	"syscall"
	"testing"
)

// TestASIGHUPBeforeTheServerServes: it asks for a look at a folder that is read anyway, and must not end the program.
func TestASIGHUPBeforeTheServerServes(t *testing.T) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	p := command{}.process(ctx, t, []string{"serve", "--sample", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0"})
	stderr, err := p.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	said, serves := "", false
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		said += lines.Text() + "\n"
		switch {
		case strings.Contains(lines.Text(), "compiling the sample catalogue"):
			err = p.Process.Signal(syscall.SIGHUP)
		case strings.Contains(lines.Text(), `"msg":"serving"`):
			serves = true
			err = p.Process.Signal(syscall.SIGTERM)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := p.Wait(); err != nil || !serves {
		t.Errorf("got %v\n%s", err, said)
	}
	checkLog(t, said)
}

func TestACommandWithoutArgumentsSaysSo(t *testing.T) {
	for _, args := range [][]string{{"keys", "list", "extra"}, {"serve", "extra"}} {
		if r := sabine(t, "", args...); r.status != 2 || !strings.Contains(r.err, `takes no arguments, got "extra"`) {
			t.Errorf("sabine %s: status %d, %s", strings.Join(args, " "), r.status, r.err)
		}
	}
}

func TestShowLeavesOutWhatAProductLacks(t *testing.T) {
	dir := t.TempDir()
	record := `{"id":"5b1c2a53-7f0e-4c3e-9a51-0d6b7a4f0c11","label":{"de":"Segel"},"manufacturer":"Beispiel Akustik"}`
	if r := (command{dir: dir, stdin: strings.NewReader(record)}).run(t, "build", "-"); r.status != 0 {
		t.Fatal(r.err)
	}
	for line := range strings.Lines(must(t, dir, "show", "5b1c2a53-7f0e-4c3e-9a51-0d6b7a4f0c11")) {
		if line != "\n" && strings.TrimSpace(line) == "" {
			t.Errorf("a row without a field: %q", line)
		}
	}
}
