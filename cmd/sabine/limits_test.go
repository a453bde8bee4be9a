package main_test

import (
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/tidwall/gjson"
)

// These windows do not end during the tests. They are aligned to UTC and end in 2049 and 2072.
const (
	longWindow   = "700000h"
	longerWindow = "900000h"
)

// budget returns a response's status, remaining requests and limit.
func budget(a *answer) string {
	return fmt.Sprintf("%d: %s of %s", a.status, a.header.Get("RateLimit-Remaining"), a.header.Get("RateLimit-Limit"))
}

func TestTheDefaultLimits(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	key := createKey(t, dir, "A")
	s := start(t, dir)
	account, address := s.getAs(t, key, "/v1/materials/panel-2"), s.get(t, "/public/search")
	export := s.getAs(t, key, "/v1/export")
	if got := export.header.Get("RateLimit-Policy"); got != "60;w=60, 1000;w=86400, 10;w=86400" ||
		budget(export) != "200: 9 of 10" {
		t.Errorf("export: %s, %s", got, budget(export))
	}
	if got := account.header.Get("RateLimit-Policy"); got != "60;w=60, 1000;w=86400" ||
		budget(account) != "200: 59 of 60" {
		t.Errorf("account: %s, %s", got, budget(account))
	}
	if got := address.header.Get("RateLimit-Policy"); got != "120;w=60" || budget(address) != "200: 119 of 120" {
		t.Errorf("address: %s, %s", got, budget(address))
	}
	for _, a := range []*answer{account, address} {
		date, err := http.ParseTime(a.header.Get("Date"))
		if err != nil {
			t.Fatal(err)
		}
		reset, _ := strconv.Atoi(a.header.Get("RateLimit-Reset"))
		if over := (date.Unix() + int64(reset)) % 60; over > 2 { // the response follows shortly after the decision
			t.Errorf("the window ends %d s after a full minute", over)
		}
	}
}

// TestCountersSurviveARestart checks that one-day windows survive a normal end completely, and survive a
// crash except for the last seconds.
func TestCountersSurviveARestart(t *testing.T) {
	t.Parallel()
	limits := []string{"--account-limit", "9/1s,3/" + longWindow, "--public-limit", "5/1s,3/" + longWindow}
	for _, tt := range []struct {
		rule string
		end  func(t *testing.T, s *server)
	}{
		{"after a normal end", func(t *testing.T, s *server) { s.stop(t) }},
		{"after a crash", func(t *testing.T, s *server) {
			state := filepath.Join(s.dir, "ratelimit.state")
			eventually(t, patience, "the counters are written", func() bool {
				b, err := os.ReadFile(state)
				return err == nil && gjson.GetBytes(b, "@keys.#").Int() == 2 // the account and the address
			})
			s.signal(t, syscall.SIGKILL)
			<-s.ended
		}},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			dir := builtFolder(t)
			key := createKey(t, dir, "A")
			s, err := command{dir: dir}.launch(t, limits...)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				s.getAs(t, key, "/v1/materials/panel-2")
				s.get(t, "/public/search")
			}
			tt.end(t, s)
			s = start(t, dir, limits...)
			if got := budget(s.getAs(t, key, "/v1/materials/panel-2")); got != "200: 0 of 3" {
				t.Errorf("account: got %s", got)
			}
			if got := budget(s.get(t, "/public/search")); got != "200: 0 of 3" {
				t.Errorf("address: got %s", got)
			}
		})
	}
	t.Run("with a damaged state file, counting starts again", func(t *testing.T) {
		t.Parallel()
		dir := builtFolder(t)
		writeFile(t, filepath.Join(dir, "ratelimit.state"), `{"address:`)
		s := start(t, dir, limits...)
		if got := budget(s.get(t, "/public/search")); got != "200: 2 of 3" ||
			s.log.line("the rate-limit state is damaged; unreadable counters start at 0") == "" {
			t.Errorf("got %s\n%s", got, s.log)
		}
	})
	t.Run("a failed write at the end is reported", func(t *testing.T) {
		t.Parallel()
		dir := builtFolder(t)
		s, err := command{dir: dir}.launch(t, limits...)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Join(dir, "ratelimit.state", "full"), 0o755); err != nil {
			t.Fatal(err)
		}
		s.get(t, "/public/search")
		s.signal(t, syscall.SIGTERM)
		<-s.ended
		if status := s.process.ProcessState.ExitCode(); status != 1 || !strings.Contains(s.log.String(),
			"sabine: rate-limit state: ") {
			t.Errorf("status %d:\n%s", status, s.log)
		}
	})
	t.Run("a second server with the same file is refused", func(t *testing.T) {
		t.Parallel()
		s := start(t, builtFolder(t), limits...)
		r := sabine(t, s.dir, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0")
		if r.status != 1 || !strings.Contains(r.err, "ratelimit.state: another server uses the file") ||
			!strings.Contains(r.err, "--rate-limit-state") {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
	t.Run("--rate-limit-state sets the path of the file", func(t *testing.T) {
		t.Parallel()
		dir := builtFolder(t)
		s := start(t, dir, append(limits, "--rate-limit-state", filepath.Join(dir, "elsewhere"))...)
		s.get(t, "/public/search")
		s.stop(t)
		if content := readFile(t, filepath.Join(dir, "elsewhere")); gjson.Get(content, "@keys.#").Int() != 1 ||
			strings.Contains(content, "127.0.0.1") {
			t.Errorf("got %s, want one client that cannot be identified", content)
		}
	})
}

func TestLimitSettings(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	for _, tt := range []struct{ rule, flag, value string }{
		{"no number", "--account-limit", "/1m"},
		{"nothing", "--public-limit", ""},
		{"no time", "--export-limit", "10"},
		{"the same limit as --account-limit: an ambiguous policy", "--export-limit", "1000/1h"},
		{"an unknown kind of store", "--rate-limit-store", "memcached://x"},
		{"a shared store without a secret", "--rate-limit-store", "redis://127.0.0.1"},
		{"an invalid network", "--trusted-proxies", "10.0.0.0/33"},
		{"a proxy's name", "--trusted-proxies", "localhost"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			r := sabine(t, dir, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0", tt.flag, tt.value)
			if r.status != 2 || !strings.Contains(r.err, tt.flag) {
				t.Errorf("got %d %s", r.status, r.err)
			}
		})
	}
}
