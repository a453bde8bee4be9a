package ratelimit

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

var (
	noon    = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	account = Policy{{60, time.Minute}, {1000, 24 * time.Hour}}
	public  = Policy{{120, time.Minute}}
)

func take(t *testing.T, s Store, client string, p Policy, now time.Time) Count {
	t.Helper()
	c, _, err := s.Take(context.Background(), client, p, now, 1)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestTheDayWindowSurvivesARestart(t *testing.T) {
	file := filepath.Join(t.TempDir(), "ratelimit.state")
	open := func() *Memory {
		m, err := NewMemory(file, nil, slog.New(slog.DiscardHandler))
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	now := time.Now()
	first := open()
	for range 5 {
		take(t, first, "account:a", account, now)
	}
	take(t, first, "address:192.0.2.1", public, now)
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	second := open()
	defer func() { _ = second.Close() }()
	if c := take(t, second, "account:a", account, now); c.N[0] != 1 || c.N[1] != 6 {
		t.Errorf("got counts %v, want 1 in the minute and 6 in the day", c)
	}
	if c := take(t, second, "address:192.0.2.1", public, now); c.N[0] != 1 {
		t.Errorf("got counts %v, want 1: minutes are not saved", c)
	}
	if c := take(t, second, "account:a", account, now.AddDate(0, 0, 2)); c.N[1] != 1 {
		t.Errorf("got counts %v two days later, want 1", c)
	}
}

func TestStateThatCouldNotBeWrittenIsWrittenLater(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "later")
	m, err := NewMemory(filepath.Join(dir, "ratelimit.state"), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.Close() }()
	now := time.Now()
	take(t, m, "account:a", account, now)
	if err := m.save(); err == nil {
		t.Fatal("a file in a missing folder was written")
	}
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := m.save(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(m.file.path); err != nil {
		t.Errorf("without another request the counters are not written: %v", err)
	}
}

// TestStateIsOnlyWrittenAfterChanges checks that a server that gets only probes does not write to the disk.
func TestStateIsOnlyWrittenAfterChanges(t *testing.T) {
	m, err := NewMemory(filepath.Join(t.TempDir(), "ratelimit.state"), nil, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = m.Close() }()
	l, now := NewLimiter(m, account, public, nil), time.Now()
	for _, tt := range []struct {
		rule    string
		ask     func() error
		written bool
	}{
		{"a probe", func() error { return l.Probe(context.Background(), now) }, false},
		{"a minute", func() error { _, err := l.Public(context.Background(), "192.0.2.1", now); return err }, false},
		{"a day", func() error { _, err := l.Account(context.Background(), "a", now); return err }, true},
	} {
		if err := errors.Join(tt.ask(), m.save()); err != nil {
			t.Fatal(err)
		}
		if _, err := os.Stat(m.file.path); (err == nil) != tt.written {
			t.Errorf("%s: got %v, want a file: %t", tt.rule, err, tt.written)
		}
	}
}

func TestDamagedStateIsLoggedAndReplaced(t *testing.T) {
	for _, text := range []string{"", "null", "{", `{"account:a":[{"n":"x"}]}`} {
		file := filepath.Join(t.TempDir(), "ratelimit.state")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var logged bytes.Buffer
		m, err := NewMemory(file, nil, slog.New(slog.NewTextHandler(&logged, nil)))
		if err != nil {
			t.Fatalf("state %q: %v", text, err)
		}
		if c := take(t, m, "account:a", account, noon); c.N[1] != 1 {
			t.Errorf("state %q: got %v", text, c)
		}
		if !strings.Contains(logged.String(), "damaged") {
			t.Errorf("state %q: got the log %q", text, logged.String())
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

func TestStateThatCannotBeReadIsAnError(t *testing.T) {
	if _, err := NewMemory(t.TempDir(), nil, slog.New(slog.DiscardHandler)); err == nil {
		t.Error("a folder was accepted as a state file")
	}
}

var flood = flag.Int("addresses", 2000, "number of addresses in TestAFloodOfClientsResetsNoBudget")

// TestAFloodOfClientsResetsNoBudget checks that requests from many addresses do not reset the exhausted
// budget of an address or an account, even at the end of a day, or after the clock was a year ahead.
func TestAFloodOfClientsResetsNoBudget(t *testing.T) {
	t.Parallel()
	const spenders = 20
	for _, tt := range []struct {
		rule  string
		spent time.Time // time at which the budgets are exhausted
		after time.Time // time of the flood
	}{
		{"within a minute", noon, noon.Add(59 * time.Second)},
		{"in the last minute of a day", noon.Add(12*time.Hour - time.Minute), noon.Add(12*time.Hour - time.Second)},
		{"after the clock was a year ahead", noon.AddDate(1, 0, 0), noon},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			m, err := NewMemory("", nil, nil)
			if err != nil {
				t.Fatal(err)
			}
			m.capacity = min(maxClients, *flood/4)
			addresses, accounts := Policy{{12, time.Minute}}, Policy{{12, time.Minute}, {15, 24 * time.Hour}}
			ask := func(i int, now time.Time) (allowed bool) {
				policy := addresses
				if i%2 == 0 {
					policy = accounts
				}
				_, allowed, err = m.Take(t.Context(), fmt.Sprint("spender:", i), policy, now, 1)
				return err == nil && allowed
			}
			for i := range spenders {
				for range 12 {
					ask(i, tt.spent)
				}
			}
			for i := range *flood {
				take(t, m, fmt.Sprint("address:", i), addresses, tt.after)
			}
			for i := range spenders {
				if ask(i, tt.after) {
					t.Errorf("spender %d has a fresh budget", i)
				}
			}
			if len(m.clients) > m.capacity {
				t.Errorf("got %d clients, want at most %d", len(m.clients), m.capacity)
			}
		})
	}
}

// TestAnAddressIsDroppedBeforeAnAccount uses equal counts. The account's window ends later, with the day.
func TestAnAddressIsDroppedBeforeAnAccount(t *testing.T) {
	m, err := NewMemory("", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	m.capacity = 1000
	take(t, m, "account:a", account, noon)
	for i := range 5 * m.capacity {
		take(t, m, fmt.Sprint("address:", i), public, noon)
	}
	if c := take(t, m, "account:a", account, noon); c.N[1] != 2 {
		t.Errorf("the account was dropped: got %v", c)
	}
}

func TestAChangedPolicyRetainsItsUnchangedWindows(t *testing.T) {
	m, err := NewMemory("", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	take(t, m, "account:a", account, noon)
	if c := take(t, m, "account:a", Policy{{5, time.Second}, {60, time.Minute}, {900, 24 * time.Hour}},
		noon); c.N[0] != 1 || c.N[1] != 2 || c.N[2] != 2 {
		t.Errorf("got %v", c)
	}
}
