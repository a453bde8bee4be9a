package ratelimit

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func TestASecretHasSixteenBytesToFourKiB(t *testing.T) {
	for _, tt := range []struct {
		rule, text string
		want       string // part of the error; "" means no error
	}{
		{"the shortest, with the line end of an editor", strings.Repeat("s", 16) + "\r\n", ""},
		{"the longest", strings.Repeat("s", 4<<10), ""},
		{"an empty file", "", "got 0"},
		{"white space is not counted", " \t" + strings.Repeat("s", 15) + "\n", "got 15"},
		{"too long", strings.Repeat("s", 4<<10+1), "got 4097"},
		{"a huge file", strings.Repeat(" ", maxSecretFile+1), "limit of 1 MiB"},
	} {
		path := filepath.Join(t.TempDir(), "secret")
		if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
			t.Fatal(err)
		}
		s, err := ReadSecret(path)
		if tt.want == "" {
			if err != nil || s.name("account:a") != newSecret([]byte(strings.TrimSpace(tt.text))).name("account:a") {
				t.Errorf("%s: got %v", tt.rule, err)
			}
		} else if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: got %v, want %q and the path", tt.rule, err, tt.want)
		}
	}
	if _, err := ReadSecret(t.TempDir()); err == nil ||
		!strings.Contains(err.Error(), "a folder, expected a regular file") {
		t.Errorf("a folder: got %v", err)
	}
}

func TestANameIsHalfAKeyedHash(t *testing.T) {
	for range 2 { // the second time with a reused hash
		if text, _ := secret.name("account:a").MarshalText(); string(text) != nameOfA {
			t.Errorf("got %s, want %s", text, nameOfA)
		}
	}
}

func TestFingerprint(t *testing.T) {
	fingerprint := func(secret string) string {
		r, err := NewRedis("redis://127.0.0.1:1", newSecret([]byte(secret)))
		if err != nil {
			t.Fatal(err)
		}
		l := NewLimiter(r, account, public, nil)
		defer func() { _ = l.Close() }()
		return l.Fingerprint()
	}
	one, same, other := fingerprint("sixteen bytes, 1"), fingerprint("sixteen bytes, 1"), fingerprint("sixteen bytes, 2")
	if one != same || one == other || len(one) != 8 {
		t.Errorf("got %s, %s and %s", one, same, other)
	}
	m, err := NewMemory("", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got := NewLimiter(m, account, public, nil).Fingerprint(); got != "" {
		t.Errorf("a store of one server: got %s", got)
	}
}

func BenchmarkName(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		secret.name("address:2001:db8:1:2::/64")
	}
}

func TestServersThatStartTogetherMakeOneSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), secretName)
	var starting sync.WaitGroup
	var names [8]name
	for i := range names {
		starting.Go(func() {
			file := stateFile{path: filepath.Join(filepath.Dir(path), "ratelimit.state")}
			s, err := file.secret()
			if err != nil || file.unsaved != nil {
				t.Errorf("got %v", err)
				return
			}
			names[i] = s.name("account:a")
		})
	}
	starting.Wait()
	for _, n := range names {
		if n != names[0] {
			t.Errorf("one client has the names %x and %x", n, names[0])
		}
	}
	if text, err := os.ReadFile(path); err != nil || len(text) != 64 {
		t.Errorf("got %d bytes, %v, want 32 as hexadecimal digits", len(text), err)
	}
	if info, err := os.Stat(path); err != nil || info.Mode() != 0o600 {
		t.Errorf("got mode %v, %v, want 0600", info.Mode(), err)
	}
	if left, _ := fs.Glob(os.DirFS(filepath.Dir(path)), ".*"); len(left) > 0 {
		t.Errorf("%s was not removed", left)
	}
}

// TestOldStateIsConvertedToNames reads an old state file with clients in clear text. The clients' counts of
// today remain valid, and the next save writes only names.
func TestOldStateIsConvertedToNames(t *testing.T) {
	for _, given := range []*Secret{nil, secret} {
		file, now := filepath.Join(t.TempDir(), "ratelimit.state"), time.Now()
		old := fmt.Sprintf(`{"account:a":[{"span":86400,"start":%d,"n":7}]}`, now.Unix()/86400*86400)
		if err := os.WriteFile(file, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		for range 2 { // the second time from a file with names
			m, err := NewMemory(file, given, slog.New(slog.DiscardHandler))
			if err != nil {
				t.Fatal(err)
			}
			if c, _, err := m.Take(context.Background(), "account:a", account, now, 0); err != nil || c.N[1] != 7 {
				t.Errorf("got %v, %v, want 7 of the day", c, err)
			}
			if err := m.Close(); err != nil {
				t.Fatal(err)
			}
			text, err := os.ReadFile(file)
			if err != nil || bytes.Contains(text, []byte("account")) || given != nil && !bytes.Contains(text, []byte(nameOfA)) {
				t.Errorf("got %s, %v", text, err)
			}
		}
		if _, err := os.Stat(filepath.Join(filepath.Dir(file), secretName)); (err == nil) != (given == nil) {
			t.Errorf("the generated secret: got %v", err)
		}
	}
}

func TestASecretThatCannotBeReadIsAnError(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, secretName), []byte("short"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 { // the first call must release the lock
		if _, err := NewMemory(filepath.Join(dir, "ratelimit.state"), nil, slog.New(slog.DiscardHandler)); err == nil ||
			!strings.Contains(err.Error(), "ratelimit.secret: expected a secret") {
			t.Errorf("got %v", err)
		}
	}
}
