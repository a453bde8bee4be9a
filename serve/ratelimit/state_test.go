package ratelimit

import (
	"bytes"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"
	"golang.org/x/sys/unix"
)

func TestTwoServersCannotShareAStateFile(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ratelimit.state")
	first, err := NewMemory(file, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := NewMemory(file, nil, slog.New(slog.DiscardHandler)); !errors.Is(err, errShared) ||
		!strings.Contains(err.Error(), file) || !strings.Contains(err.Error(), "--rate-limit-state") {
		t.Errorf("got %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second, err := NewMemory(file, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatalf("after the end of the first server: %v", err)
	}
	if err := second.Close(); err != nil {
		t.Error(err)
	}
}

func TestTheStateFileHasTheLimitsOfTheMemory(t *testing.T) {
	counters := fmt.Sprintf(`[{"span":86400,"start":%d,"n":1}]`, time.Now().Unix()/86400*86400)
	tests := []struct {
		rule    string
		content func() string
		clients int
		log     string // part of the log; "" means no log line
	}{
		{"a valid file", func() string { return `{"a":` + counters + `,"b":` + counters + `}` }, 2, ""},
		{"too many clients", func() string {
			var b strings.Builder
			for i := range maxClients + 1 {
				fmt.Fprintf(&b, `%c"%032x":%s`, "{,"[min(i, 1)], i, counters)
			}
			return b.String() + "}"
		}, maxClients, "more than 100000 clients"},
		{"a client with too many counters", func() string {
			return `{"a":[` + strings.Repeat(`{},`, maxCountersSize) + `{}]}`
		}, 0, "bytes of counters"},
		{"a negative count", func() string { return `{"a":[{"span":86400,"start":0,"n":-5}]}` }, 0, "invalid counter"},
		{"a window of length 0", func() string { return `{"a":[{"span":0,"start":0,"n":5}]}` }, 0, "invalid counter"},
		{"a window that would last for years", func() string {
			return `{"a":[{"span":86400,"start":9223372036854775807,"n":1000}],"b":` + counters + `}`
		}, 2, ""},
		{"a truncated file", func() string { return `{"a":` + counters + `,` }, 0, "EOF"},
		{"a list", func() string { return `[` + counters + `]` }, 0, "expected a JSON object"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "ratelimit.state")
			if err := os.WriteFile(file, []byte(tt.content()), 0o600); err != nil {
				t.Fatal(err)
			}
			var logged bytes.Buffer
			m, err := NewMemory(file, nil, slog.New(slog.NewTextHandler(&logged, nil)))
			if err != nil {
				t.Fatal(err)
			}
			if len(m.clients) != tt.clients || !strings.Contains(logged.String(), tt.log) ||
				(tt.log == "") != (logged.Len() == 0) {
				t.Errorf("got %d clients, want %d, and the log %q, want %q", len(m.clients), tt.clients, logged.String(), tt.log)
			}
			if err := m.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// TestOnlyCountersInTheFutureAreDropped uses a client with a window that was begun when the clock was a year
// ahead. All other counters must remain.
func TestOnlyCountersInTheFutureAreDropped(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ratelimit.state")
	now := time.Now()
	today := now.Unix() / 86400 * 86400
	content := fmt.Sprintf(
		`{"a":[{"span":3600,"start":%d,"n":7},{"span":86400,"start":%d,"n":7}],"b":[{"span":86400,"start":%[2]d,"n":7}]}`,
		today+365*86400, today)
	if err := os.WriteFile(file, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	m, err := NewMemory(file, nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.Close() }()
	policy := Policy{{60, time.Hour}, {1000, 24 * time.Hour}}
	if c := take(t, m, "a", policy, now); c.N[0] != 1 || c.N[1] != 8 || !c.At.Equal(now) {
		t.Errorf("the same client: got %+v, want the first of this hour and the eighth of today", c)
	}
	if c := take(t, m, "b", policy, now); c.N[1] != 8 {
		t.Errorf("another client: got %+v, want the eighth of today", c)
	}
}

func TestInvalidStateFilesAreRefused(t *testing.T) {
	for _, tt := range []struct {
		rule string
		put  func(path string) error
		want string
	}{
		{"a named pipe", func(path string) error {
			return unix.Mkfifo(path, 0o600)
		}, "a named pipe, expected a regular file"},
		{"a device", func(path string) error { return os.Symlink("/dev/zero", path) }, "a device, expected a regular file"},
		{"a huge file", func(path string) error {
			return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, maxStateSize+1))
		}, "limit of 64 MiB"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			file := filepath.Join(t.TempDir(), "ratelimit.state")
			if err := tt.put(file); err != nil {
				t.Fatal(err)
			}
			for range 2 { // the first call must release the lock
				if _, err := NewMemory(file, nil, slog.New(slog.DiscardHandler)); err == nil ||
					!strings.Contains(err.Error(), tt.want) {
					t.Errorf("got %v, want %q", err, tt.want)
				}
			}
		})
	}
}

// TestInRedisAWindowInTheFutureExpiresAfterItsSpan uses a server whose clock was a year ahead.
func TestInRedisAWindowInTheFutureExpiresAfterItsSpan(t *testing.T) {
	store := startRedis(t).open(t)
	take(t, store, "account:a", account, noon.AddDate(1, 0, 0))
	take(t, store, "account:a", account, noon)
	if left, err := redis.Int(store.do("TTL", "sabine:"+nameOfA)); err != nil || left <= 0 || left > 24*3600+60 {
		t.Errorf("it expires after %v s, %v", left, err)
	}
}
