package keys

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
)

func openStore(t *testing.T, path string) *Store {
	t.Helper()
	s, err := OpenStore(path, slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestAuthorize(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	yesterday := noon.AddDate(0, 0, -1)
	tomorrow := noon.AddDate(0, 0, 1)
	read := []string{ScopeRead}
	good, _ := create(t, path, "acme", read, &tomorrow)
	type state struct {
		status  Status
		expires *time.Time
		account string
		scopes  []string
	}
	key := func(s state) string {
		secret, k := create(t, path, s.account, s.scopes, s.expires)
		if err := Update(path, func(f *File) error { return f.SetStatus(k.ID, s.status) }); err != nil {
			t.Fatal(err)
		}
		return "Bearer " + secret
	}
	tests := []struct {
		rule, header string
		want         error
	}{
		{"a valid key is accepted", "Bearer " + good, nil},
		{"the case of the scheme does not matter", "bEARER " + good, nil},
		{"no header", "", ErrInvalid},
		{"an empty key", "Bearer ", ErrInvalid},
		{"another scheme", "Basic " + good, ErrInvalid},
		{"a key without a scheme", good, ErrInvalid},
		{"an unknown key", "Bearer sab_" + strings.Repeat("A", 43), ErrInvalid},
		{"a key with trailing text", "Bearer " + good + " ", ErrInvalid},
		{"revoked comes before expired", key(state{Revoked, &yesterday, "acme", read}), ErrRevoked},
		{"expired comes before paused", key(state{Paused, &yesterday, "acme", read}), ErrExpired},
		{"the moment of expiry is expired", key(state{Active, &noon, "acme", read}), ErrExpired},
		{"paused comes before inactive", key(state{Paused, nil, "off", read}), ErrPaused},
		{"inactive comes before not allowed", key(state{Active, nil, "off", nil}), ErrInactive},
		{"a key without the scope", key(state{Active, nil, "acme", []string{"other"}}), ErrNotAllowed},
	}
	if err := Update(path, func(f *File) error { return f.SetActive("off", false) }); err != nil {
		t.Fatal(err)
	}
	s := openStore(t, path)
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			caller, err := s.Authorize(tt.header, noon)
			if !errors.Is(err, tt.want) {
				t.Errorf("Authorize(%q): got %v, want %v", tt.header, err, tt.want)
			}
			if known := !errors.Is(err, ErrInvalid); known != (caller != nil) || known &&
				(caller.Account == "" || caller.AccountID == "" || !strings.HasPrefix(caller.Key, "key-")) {
				t.Errorf("Authorize(%q): got caller %+v", tt.header, caller)
			}
		})
	}
}

func TestAMissingFileMeansNoKeysYet(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	s := openStore(t, path)
	s.poll()
	secret, _ := create(t, path, "acme", []string{ScopeRead}, nil)
	s.poll()
	if _, err := s.Authorize("Bearer "+secret, noon); err != nil {
		t.Errorf("a key created later: %v", err)
	}
	if n := s.Faults.Count.Load(); n != 0 {
		t.Errorf("got %d failures", n)
	}
}

func TestAnInvalidFileDoesNotReplaceTheValidKeys(t *testing.T) {
	for _, damage := range []struct {
		what string
		do   func(path string) error
	}{
		{"cut off", func(path string) error { return os.Truncate(path, 10) }},
		{"removed", os.Remove},
	} {
		t.Run(damage.what, func(t *testing.T) {
			var logged bytes.Buffer
			path := filepath.Join(t.TempDir(), "keys.json")
			secret, _ := create(t, path, "acme", []string{ScopeRead}, nil)
			s, err := OpenStore(path, slog.New(slog.NewTextHandler(&logged, nil)))
			if err != nil {
				t.Fatal(err)
			}
			if err := damage.do(path); err != nil {
				t.Fatal(err)
			}
			s.poll()
			s.poll()
			if _, err := s.Authorize("Bearer "+secret, noon); err != nil {
				t.Errorf("the key is gone: %v", err)
			}
			if n := s.Faults.Count.Load(); n != 1 {
				t.Errorf("got %d failures, want 1", n)
			}
			if strings.Count(logged.String(), "level=ERROR") != 1 {
				t.Errorf("got the log %q, want one error", logged.String())
			}
		})
	}
}

func TestAChangeWithTheSameSizeAndTimeIsNoticed(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	secret, _ := create(t, path, "acme", []string{ScopeRead}, nil)
	s := openStore(t, path)
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text = bytes.Replace(text, []byte(`"status": "active"`), []byte(`"status": "paused"`), 1)
	if err := os.WriteFile(path, text, 0o600); err != nil { // write the file in place
		t.Fatal(err)
	}
	if err := os.Chtimes(path, before.ModTime(), before.ModTime()); err != nil {
		t.Fatal(err)
	}
	s.poll()
	if _, err := s.Authorize("Bearer "+secret, noon); !errors.Is(err, ErrPaused) {
		t.Errorf("got %v, want %v", err, ErrPaused)
	}
}

func TestADamagedFileAtStartIsAnError(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	if err := os.WriteFile(path, []byte("{"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenStore(path, slog.New(slog.DiscardHandler)); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("got %v", err)
	}
}

func Example() {
	dir, err := os.MkdirTemp("", "keys")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "keys.json")

	var secret string
	err = Update(path, func(f *File) (err error) {
		secret, err = f.Create("acme", []string{ScopeRead}, nil, time.Now())
		return err
	})
	if err != nil {
		panic(err)
	}
	store, err := OpenStore(path, slog.New(slog.DiscardHandler))
	if err != nil {
		panic(err)
	}
	_, err = store.Authorize("Bearer "+secret, time.Now())
	fmt.Println(err)
	_, err = store.Authorize("Bearer something else", time.Now())
	fmt.Println(err)
	// Output:
	// <nil>
	// the API key is missing, malformed or unknown
}
