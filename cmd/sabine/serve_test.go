package main_test

import (
	"bufio"
	"context"
	"regexp"
	"strings"
	"syscall"
	"testing"
)

// TestASIGHUPBeforeTheServerServes checks that an early signal has no effect and does not end the program.
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
	output, serves := "", false
	for lines := bufio.NewScanner(stderr); lines.Scan(); {
		output += lines.Text() + "\n"
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
		t.Errorf("got %v\n%s", err, output)
	}
	checkLog(t, output)
}

// TestServePrintsTheAddressOfTheExplorer checks the line that is printed on a terminal or with --sample.
func TestServePrintsTheAddressOfTheExplorer(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	newPair(t, dir)
	for _, tt := range []struct {
		rule string
		args []string
		want string // expected line, in which PORT stands for the port; "" for none
	}{
		{"with the sample", []string{"--sample"}, "The explorer: http://127.0.0.1:PORT/\n"},
		{"on all addresses", []string{"--sample", "--addr", "0.0.0.0:0"}, "The explorer: http://localhost:PORT/\n"},
		{"over TLS", []string{"--sample", "--tls-cert", "tls.crt", "--tls-key", "tls.key"},
			"The explorer: https://127.0.0.1:PORT/\n"},
		{"not without the explorer", []string{"--sample", "--explorer=false"}, ""},
		{"not in a JSON log", nil, ""},
	} {
		s := start(t, dir, tt.args...)
		output := regexp.MustCompile(`(?m)^\{.*\n`).ReplaceAllString(s.log.String(), "") // without log lines
		port := s.site[strings.LastIndex(s.site, ":")+1:]
		if want := strings.ReplaceAll(tt.want, "PORT", port); output != want {
			t.Errorf("%s: got %q, want %q", tt.rule, output, want)
		}
		s.stop(t)
	}
}

// TestServeFollowsItsSettings checks that the flags reach the server. Package serve tests their effects.
func TestServeFollowsItsSettings(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	s := start(t, dir, "--base-path", "/data/", "--public-url", "https://example.org/x", "--trusted-proxies", "127.0.0.1")
	const id = "5f0c8b3e-9d1a-1c6b-8e2f-7a4d3b2c1e0f"
	a := s.get(t, "/public/search", "X-Request-Id", id, "X-Forwarded-For", "192.0.2.1")
	if link := a.header.Get("Link"); a.status != 200 || !strings.HasPrefix(link,
		"<https://example.org/x/data/v1/openapi.json>") || a.header.Get("X-Request-Id") != id {
		t.Errorf("got %d %v", a.status, a.header)
	}
	if got := budget(s.get(t, "/public/search", "X-Forwarded-For", "192.0.2.2")); got != "200: 119 of 120" {
		t.Errorf("another client of a trusted proxy: got %s", got)
	}
	for flag, message := range map[string]string{"--base-path": `base path "wrong"`, "--public-url": `public URL "wrong"`,
		"--image-origins": `image origin "wrong"`} {
		if r := sabine(t, "", "serve", flag, "wrong"); r.status != 2 || !strings.Contains(r.err, message) {
			t.Errorf("%s: got %d %s", flag, r.status, r.err)
		}
	}
}

func TestACommandWithoutArgumentsReportsThem(t *testing.T) {
	for _, args := range [][]string{{"keys", "list", "extra"}, {"serve", "extra"}} {
		if r := sabine(t, "", args...); r.status != 2 || !strings.Contains(r.err, `takes no arguments, got "extra"`) {
			t.Errorf("sabine %s: status %d, %s", strings.Join(args, " "), r.status, r.err)
		}
	}
}

func TestShowOmitsMissingData(t *testing.T) {
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
