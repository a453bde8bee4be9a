package main_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestHealth checks that the exit status is 0 if the server is alive, or ready, and 1 otherwise.
func TestHealth(t *testing.T) {
	t.Parallel()
	s, waiting := start(t, builtFolder(t)), start(t, t.TempDir())
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "It works!")
	}))
	defer other.Close()
	host := func(address string) string { return strings.TrimPrefix(address, "http://") }
	_, port, err := net.SplitHostPort(host(s.admin))
	if err != nil {
		t.Fatal(err)
	}
	name := current(t, s.dir)
	for _, tt := range []struct {
		rule, address string
		ready         bool
		status        int
		message       string // part of standard output, or of standard error after a failure
	}{
		{"it lives", host(s.admin), false, 0, "ok\n"},
		{"a ready server", host(s.admin), true, 0, "products of " + name + "\n"},
		{"all interfaces", "0.0.0.0:" + port, false, 0, "ok\n"},
		{"an address without a host", ":" + port, false, 0, "ok\n"},
		{"all interfaces of IPv6", "[::]:" + port, false, 0, "ok\n"},
		{"by name", "localhost:" + port, false, 0, "ok\n"},
		{"a waiting server is alive", host(waiting.admin), false, 0, "ok\n"},
		{"a waiting server is not ready", host(waiting.admin), true, 1, "503 Service Unavailable: waiting"},
		{"another server", host(other.URL), false, 1, "not from sabine"},
		{"no server", "127.0.0.1:1", false, 1, "connection refused"},
		{"no address", "9090", false, 1, "missing port"},
	} {
		args := []string{"health", "--admin-addr", tt.address}
		if tt.ready {
			args = append(args, "--ready")
		}
		r := sabine(t, "", args...)
		output, silent := r.out, r.err
		if tt.status != 0 {
			output, silent = silent, output
		}
		if r.status != tt.status || !strings.Contains(output, tt.message) || silent != "" {
			t.Errorf("%s: got %d, %q, %q, want %d %q", tt.rule, r.status, r.out, r.err, tt.status, tt.message)
		}
	}
	if r := (command{env: []string{"SABINE_ADMIN_ADDR=" + host(s.admin)}}).run(t, "health"); r.status != 0 {
		t.Errorf("by the variable of serve: got %d %s", r.status, r.err)
	}
}

// TestSystemdIsNotifiedByAServer checks the notifications through a socket like systemd's.
func TestSystemdIsNotifiedByAServer(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	socket := filepath.Join(dir, "notify")
	systemd, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: socket, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = systemd.Close() }()
	if err := systemd.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	s, err := command{dir: dir, env: []string{"NOTIFY_SOCKET=" + socket, "WATCHDOG_USEC=400000"}}.launch(t)
	if err != nil {
		t.Fatal(err)
	}
	defer s.stop(t)
	buffer := make([]byte, 4096)
	heard := func(want string) {
		t.Helper()
		for output := ""; ; {
			n, err := systemd.Read(buffer)
			if err != nil {
				t.Fatalf("no %s after\n%s", want, output)
			}
			line := string(buffer[:n])
			if output += line + "\n"; strings.Contains(line, want) {
				return
			}
		}
	}
	heard("STATUS=starting")
	heard("READY=1")
	heard("WATCHDOG=1")
	heard(fmt.Sprintf("products of %s", current(t, dir)))
	heard("WATCHDOG=1")
	s.signal(t, syscall.SIGTERM)
	heard("STOPPING=1")
	<-s.ended // a second signal would end the server immediately
}

// TestServeOverTLS checks the flags for TLS, and replaces the certificate while the server runs.
func TestServeOverTLS(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	first := newPair(t, dir)
	s := start(t, dir, "--tls-cert", "tls.crt", "--tls-key", "tls.key")
	if !strings.HasPrefix(s.site, "https://") {
		t.Errorf("got %s", s.site)
	}
	s.trust(first)
	if a := s.get(t, "/public/search"); a.status != 200 {
		t.Errorf("got %d", a.status)
	}
	second := newPair(t, dir)
	s.trust(second)
	eventually(t, 2*soon, "the new pair is served", func() bool {
		_, err := s.try("/public/search")
		return err == nil
	})
	writeFile(t, filepath.Join(dir, "tls.key"), "half a k")
	eventually(t, 2*soon, "/readyz reports the invalid pair", func() bool {
		a := fetch(t, s.admin+"/readyz")
		return a.status == 200 && a.json("status").String() == "degraded" &&
			a.json("certificate.status").String() == "stale" && strings.Contains(a.json("reason").String(), "tls.key")
	})
	s.client.CloseIdleConnections()
	if a := s.get(t, "/public/search"); a.status != 200 {
		t.Errorf("then: got %d", a.status)
	}
	for _, tt := range []struct{ args, message string }{
		{"--tls-cert tls.crt", "--tls-cert is given without --tls-key"},
		{"--tls-key tls.key", "--tls-key is given without --tls-cert"},
	} {
		if r := sabine(t, dir, append([]string{"serve"}, strings.Fields(tt.args)...)...); r.status != 2 ||
			!strings.Contains(r.err, tt.message) {
			t.Errorf("%s: got %d %s", tt.args, r.status, r.err)
		}
	}
	if r := sabine(t, dir, "serve", "--tls-cert", "tls.crt", "--tls-key", "tls.key"); r.status != 1 ||
		!strings.Contains(r.err, "tls.key") {
		t.Errorf("a wrong pair at the start: got %d %s", r.status, r.err)
	}
}
