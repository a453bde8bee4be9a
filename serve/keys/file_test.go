package keys

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

var noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)

func create(t *testing.T, path, account string, scopes []string, expires *time.Time) (secret string, k Key) {
	t.Helper()
	err := Update(path, func(f *File) (err error) {
		if secret, err = f.Create(account, scopes, expires, noon); err == nil {
			k = f.Keys[len(f.Keys)-1]
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return secret, k
}

func TestFormatOfKeys(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	secret, _ := create(t, path, "acme", []string{ScopeRead}, nil)
	if !regexp.MustCompile(`^sab_[A-Za-z0-9_-]{43}$`).MatchString(secret) {
		t.Errorf("got key %q", secret)
	}
}

func TestTheFileIsPrivateAndContainsNoSecret(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	secret, _ := create(t, path, "acme", []string{ScopeRead}, nil)
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(b), strings.TrimPrefix(secret, "sab_")) {
		t.Error("the key file has the secret of the key")
	}
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("got mode %v, want 0600", info.Mode().Perm())
	}
}

func TestASecondKeyBelongsToTheSameAccount(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	_, first := create(t, path, "acme", []string{ScopeRead}, nil)
	_, second := create(t, path, "acme", []string{ScopeRead}, nil)
	if first.Account != second.Account {
		t.Errorf("got accounts %s and %s for one name", first.Account, second.Account)
	}
	if first.ID == second.ID {
		t.Errorf("both keys have the id %s", first.ID)
	}
}

func TestRevokingIsFinal(t *testing.T) {
	f := new(File)
	if _, err := f.Create("acme", nil, nil, noon); err != nil {
		t.Fatal(err)
	}
	k := f.Keys[0]
	for _, s := range []Status{Paused, Active, Revoked, Revoked} {
		if err := f.SetStatus(k.ID, s); err != nil {
			t.Fatalf("to %s: %v", s, err)
		}
	}
	for _, s := range []Status{Active, Paused} {
		if err := f.SetStatus(k.ID, s); err == nil {
			t.Errorf("a revoked key became %s", s)
		}
	}
}

func TestErrorsNameUnknownKeysAndAccounts(t *testing.T) {
	f := new(File)
	if err := f.SetStatus("key-1", Paused); err == nil || !strings.Contains(err.Error(), `"key-1"`) {
		t.Errorf("got %v", err)
	}
	if err := f.SetActive("acme", false); err == nil || !strings.Contains(err.Error(), `"acme"`) {
		t.Errorf("got %v", err)
	}
}

func TestParseExpiry(t *testing.T) {
	tests := []struct {
		rule, text string
		want       string // RFC 3339; "" means an error
	}{
		{"a date includes the whole day in UTC", "2027-01-31", "2027-02-01T00:00:00Z"},
		{"today is not in the past", "2026-11-21", "2026-11-22T00:00:00Z"},
		{"a date-time is the moment itself", "2026-11-21T14:00:00+01:00", "2026-11-21T13:00:00Z"},
		{"yesterday is in the past", "2026-11-20", ""},
		{"the current moment is in the past", "2026-11-21T12:00:00Z", ""},
		{"anything else is refused", "next week", ""},
		{"a day that does not exist", "2027-02-30", ""},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			got, err := ParseExpiry(tt.text, noon)
			if tt.want == "" {
				if err == nil {
					t.Errorf("ParseExpiry(%q) = %v, want an error", tt.text, got)
				}
				return
			}
			if err != nil || got.Format(time.RFC3339) != tt.want {
				t.Errorf("ParseExpiry(%q) = %v, %v, want %s", tt.text, got, err, tt.want)
			}
		})
	}
}

func TestReadReportsErrors(t *testing.T) {
	const account = `{"accounts":[{"id":"a","name":"acme","active":true}],`
	hash := strings.Repeat("0", 64)
	tests := []struct{ rule, text, want string }{
		{"not JSON", `{`, "not a JSON object"},
		{"null", `null`, "missing array accounts or keys"},
		{"an object without keys", `{"accounts":[]}`, "missing array accounts or keys"},
		{"the same key twice", account + `"keys":[{"id":"k","account":"a","hash":"` + hash +
			`","status":"revoked"},{"id":"l","account":"a","hash":"` + hash + `","status":"active"}]}`, "keys[1].hash"},
		{"an unknown field", `{"acounts":[]}`, `unknown field "acounts"`},
		{"text after the object", `{} {}`, "text after"},
		{"a key of an unknown account", `{"accounts":[],"keys":[{"id":"k","account":"b","hash":"` + hash + `","status":"active"}]}`,
			`keys[0].account: unknown account "b"`},
		{"a short hash", account + `"keys":[{"id":"k","account":"a","hash":"00","status":"active"}]}`,
			"keys[0].hash: expected 64 hex digits"},
		{"an unknown status", account + `"keys":[{"id":"k","account":"a","hash":"` + hash + `","status":"on"}]}`,
			`keys[0].status: expected active, paused or revoked, got "on"`},
		{"empty", ``, "not a JSON object"},
		{"a value of the wrong type", account + `"keys":[{"id":7}]}`, "not a JSON object"},
		{"deep nesting", strings.Repeat("[", 1<<20), "not a JSON object"},
		{"invalid UTF-8", account + `"keys":[{"id":"M` + "\xfc" + `ller"}]}`, "not UTF-8"},
		{"a duplicate status in other case", account + `"keys":[{"id":"k","account":"a","hash":"` + hash +
			`","status":"revoked","scopes":[],"Status":"active"}]}`, `duplicate member "Status"`},
		{"a duplicate status that differs by Unicode case folding", account + `"keys":[{"id":"k","account":"a","hash":"` + hash +
			`","status":"revoked","scopes":[],"ſtatus":"active"}]}`, `duplicate member "ſtatus"`},
		{"duplicate keys", account + `"keys":[],"keys":[]}`, `duplicate member "keys"`},
		{"two keys with the same id", account + `"keys":[{"id":"k","account":"a","hash":"` + hash +
			`","status":"active"},{"id":"k","account":"a","hash":"` + hash + `","status":"active"}]}`,
			"keys[1].id: expected a unique id"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "keys.json")
			if err := os.WriteFile(path, []byte(tt.text), 0o600); err != nil {
				t.Fatal(err)
			}
			_, err := Read(path)
			if err == nil || !strings.Contains(err.Error(), tt.want) || !strings.Contains(err.Error(), path) {
				t.Errorf("got %v, want %q and the path", err, tt.want)
			}
		})
	}
	if _, err := Read(filepath.Join(t.TempDir(), "keys.json")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a missing file: got %v", err)
	}
}

func TestUpdatesAtTheSameTimeLoseNothing(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() {
			if err := Update(path, func(f *File) error {
				_, err := f.Create("acme", []string{ScopeRead}, nil, noon)
				return err
			}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	f, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if len(f.Keys) != 20 || len(f.Accounts) != 1 {
		t.Errorf("got %d keys and %d accounts, want 20 and 1", len(f.Keys), len(f.Accounts))
	}
}

func TestAFailedUpdateDoesNotChangeTheFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	create(t, path, "acme", nil, nil)
	before, _ := os.ReadFile(path)
	err := Update(path, func(f *File) error { f.Keys = nil; return errors.New("no") })
	after, _ := os.ReadFile(path)
	if err == nil || string(before) != string(after) {
		t.Errorf("got error %v and changed: %t", err, string(before) != string(after))
	}
}

// TestUpdateRefusesAFileThatIsTooLarge checks that Update does not write a file that no server could read.
func TestUpdateRefusesAFileThatIsTooLarge(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	create(t, path, "acme", nil, nil)
	before, _ := os.ReadFile(path)
	err := Update(path, func(f *File) error { f.Accounts[0].Name = strings.Repeat("x", maxFileSize); return nil })
	after, _ := os.ReadFile(path)
	if err == nil || !strings.Contains(err.Error(), "limit of 16 MiB") || string(before) != string(after) {
		t.Errorf("got %v, changed: %t", err, string(before) != string(after))
	}
}

// TestALockThatIsALinkIsNotFollowed checks that the lock is not opened through a link. Another user could
// create the link, and the update would create a file at its target.
func TestALockThatIsALinkIsNotFollowed(t *testing.T) {
	dir := t.TempDir()
	path, elsewhere := filepath.Join(dir, "keys.json"), filepath.Join(dir, "elsewhere")
	must(t, os.Symlink(elsewhere, path+".lock"))
	if err := Update(path, func(*File) error { return nil }); err == nil || !strings.Contains(err.Error(), path+".lock") {
		t.Errorf("got %v", err)
	}
	if _, err := os.Lstat(elsewhere); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("elsewhere: %v", err)
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"accounts":[],"keys":[]}`))
	f.Add([]byte(`{"keys":[{"id":"k","hash":"zz","scopes":null,"expires_at":"x"}]}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		path := filepath.Join(t.TempDir(), "keys.json")
		if err := os.WriteFile(path, b, 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Read(path); err != nil {
			return
		}
		if _, err := OpenStore(path, nil); err != nil {
			t.Errorf("Read accepts the file, OpenStore does not: %v", err)
		}
	})
}
