package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// keyID returns the id of the newest key in a folder's key file.
func keyID(t testing.TB, dir string) string {
	t.Helper()
	return gjson.Get(readFile(t, filepath.Join(dir, "keys.json")), "keys.@reverse.0.id").String()
}

// verdict asks for a product with a key and returns the status and the code.
func verdict(t testing.TB, s *server, key string) (status int, code string) {
	t.Helper()
	a := s.getAs(t, key, "/v1/materials/panel-2")
	return a.status, a.code()
}

// awaitVerdict waits until a key gets a verdict.
func awaitVerdict(t testing.TB, s *server, key string, status int, code string) {
	t.Helper()
	var gotStatus int
	var gotCode string
	for deadline := time.Now().Add(soon); ; time.Sleep(10 * time.Millisecond) {
		if gotStatus, gotCode = verdict(t, s, key); gotStatus == status && gotCode == code {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("got %d %s within %v, want %d %s", gotStatus, gotCode, soon, status, code)
		}
	}
}

// TestKeysWhileTheServerRuns manages keys by the command line; the server follows within a second.
func TestKeysWhileTheServerRuns(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	s := start(t, dir, generous...)
	if status, code := verdict(t, s, "sab_of-nobody"); status != 401 || code != "invalid_token" {
		t.Errorf("without a key file: got %d %s", status, code)
	}

	key := createKey(t, dir, "Acme")
	id := keyID(t, dir)
	awaitVerdict(t, s, key, 200, "")
	steps := []struct {
		rule   string
		args   []string
		status int
		code   string
	}{
		{"a paused key", []string{"keys", "pause", id}, 403, "token_paused"},
		{"a resumed key", []string{"keys", "resume", id}, 200, ""},
		{"a disabled account", []string{"keys", "account", "disable", "Acme"}, 403, "partner_inactive"},
		{"an enabled account", []string{"keys", "account", "enable", "Acme"}, 200, ""},
		{"a revoked key", []string{"keys", "revoke", id}, 403, "token_revoked"},
	}
	for _, step := range steps {
		must(t, dir, step.args...)
		t.Run(step.rule, func(t *testing.T) { awaitVerdict(t, s, key, step.status, step.code) })
	}
	t.Run("revoking is final", func(t *testing.T) {
		if r := sabine(t, dir, "keys", "resume", id); r.status != 1 || !strings.Contains(r.err, "revoked") {
			t.Errorf("got %d %s", r.status, r.err)
		}
		if status, code := verdict(t, s, key); status != 403 || code != "token_revoked" {
			t.Errorf("got %d %s", status, code)
		}
	})
	t.Run("a key expires while nothing else happens", func(t *testing.T) {
		short := createKey(t, dir, "Acme", "--expires", time.Now().Add(3*time.Second).UTC().Format(time.RFC3339))
		awaitVerdict(t, s, short, 200, "")
		eventually(t, 3*time.Second+soon, "the key expires", func() bool {
			status, code := verdict(t, s, short)
			return status == 403 && code == "token_expired"
		})
	})
	t.Run("a key file that does not parse leaves the last good state in force", func(t *testing.T) {
		good := createKey(t, dir, "Acme")
		awaitVerdict(t, s, good, 200, "")
		path := filepath.Join(dir, "keys.json")
		content := readFile(t, path)
		writeFile(t, path, content[:len(content)/2])
		eventually(t, soon, "the failure is logged", func() bool {
			return strings.Contains(s.log.line("the key file cannot be read; the keys read before stay in force"), "keys.json")
		})
		if status, _ := verdict(t, s, good); status != 200 {
			t.Errorf("got %d", status)
		}
		if metrics := fetch(t, s.admin+"/metrics").body; !strings.Contains(metrics, "\nsabine_key_reload_failures_total 1\n") {
			t.Error("the metrics do not count it")
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, content)
		next := createKey(t, dir, "Acme")
		awaitVerdict(t, s, next, 200, "")
	})
	t.Run("no key is in a metric", func(t *testing.T) { checkSecrets(t, fetch(t, s.admin+"/metrics").body) })
}

// TestWhyAKeyIsRefused: of several reasons the first in the contract's order is told.
func TestWhyAKeyIsRefused(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	past := time.Now().Add(-time.Hour).UTC()
	good := createKey(t, dir, "Acme")
	var keys []string
	states := []struct {
		rule     string
		revoked  bool
		expired  bool
		paused   bool
		inactive bool
		scope    string
		status   int
		code     string
	}{
		{rule: "nothing", scope: "materials:read", status: 200},
		{rule: "revoked", revoked: true, scope: "materials:read", status: 403, code: "token_revoked"},
		{rule: "expired", expired: true, scope: "materials:read", status: 403, code: "token_expired"},
		{rule: "paused", paused: true, scope: "materials:read", status: 403, code: "token_paused"},
		{rule: "the account is disabled", inactive: true, scope: "materials:read", status: 403, code: "partner_inactive"},
		{rule: "another scope", scope: "materials:write", status: 403, code: "partner_not_allowed"},
		{rule: "the scope among others", scope: "materials:write,materials:read", status: 200},
		{rule: "revoked before expired", revoked: true, expired: true, scope: "x", status: 403, code: "token_revoked"},
		{rule: "expired before paused", expired: true, paused: true, inactive: true, scope: "x", status: 403, code: "token_expired"},
		{rule: "paused before the account", paused: true, inactive: true, scope: "x", status: 403, code: "token_paused"},
		{rule: "the account before the scope", inactive: true, scope: "x", status: 403, code: "partner_inactive"},
	}
	for i, state := range states {
		account := "Acme"
		if state.inactive {
			account = "Gone"
		}
		keys = append(keys, createKey(t, dir, account, "--scope", state.scope))
		id := keyID(t, dir)
		if state.paused {
			must(t, dir, "keys", "pause", id)
		}
		if state.revoked {
			must(t, dir, "keys", "revoke", id)
		}
		if state.expired { // the command line refuses an end in the past, so the file is changed
			path := filepath.Join(dir, "keys.json")
			var file map[string]any
			if err := json.Unmarshal([]byte(readFile(t, path)), &file); err != nil {
				t.Fatal(err)
			}
			file["keys"].([]any)[i+1].(map[string]any)["expires_at"] = past
			content, err := json.Marshal(file)
			if err != nil {
				t.Fatal(err)
			}
			writeFile(t, path, string(content))
		}
	}
	must(t, dir, "keys", "account", "disable", "Gone")
	s := start(t, dir, generous...)
	for i, state := range states {
		t.Run(state.rule, func(t *testing.T) {
			if status, code := verdict(t, s, keys[i]); status != state.status || code != state.code {
				t.Errorf("got %d %s, want %d %s", status, code, state.status, state.code)
			}
			if a := s.getAs(t, keys[i], "/public/search"); a.status != 200 {
				t.Errorf("public endpoints do not look at the key: got %d", a.status)
			}
		})
	}
	for _, tt := range []struct {
		rule   string
		fields []string
		status int
	}{
		{"the scheme is read without regard to case", []string{"Authorization", "bEARER " + good}, 200},
		{"several blanks", []string{"Authorization", "Bearer   " + good}, 200},
		{"no header", nil, 401},
		{"an empty header", []string{"Authorization", ""}, 401},
		{"the scheme alone", []string{"Authorization", "Bearer"}, 401},
		{"the scheme and a blank", []string{"Authorization", "Bearer "}, 401},
		{"the key alone", []string{"Authorization", good}, 401},
		{"another scheme", []string{"Authorization", "Basic " + good}, 401},
		{"a key cut short", []string{"Authorization", "Bearer " + good[:len(good)-1]}, 401},
		{"a key with a letter more", []string{"Authorization", "Bearer " + good + "x"}, 401},
		{"a key in small letters", []string{"Authorization", "Bearer " + strings.ToLower(good) + "_"}, 401},
		{"two keys", []string{"Authorization", "Bearer " + good, "Authorization", "Bearer " + good}, 401},
		{"the key in another field", []string{"X-Api-Key", good}, 401},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			a := s.get(t, "/v1/materials/panel-2", tt.fields...)
			if a.status != tt.status || a.status == 401 && a.code() != "invalid_token" {
				t.Errorf("got %d %s", a.status, a.body)
			}
			if strings.Contains(a.body, good) {
				t.Error("the answer repeats the key")
			}
		})
	}
}

// TestTheKeyFile: what keys commands write.
func TestTheKeyFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	first, second := createKey(t, dir, "Müller & Söhne", "--expires", "2999-12-31"), createKey(t, dir, "Müller & Söhne", "--scope", "a", "--scope", "b")
	path := filepath.Join(dir, "keys.json")
	content := readFile(t, path)
	t.Run("a key is sab_ and 43 characters of base64url, another every time", func(t *testing.T) {
		form := regexp.MustCompile(`^sab_[A-Za-z0-9_-]{43}$`)
		if !form.MatchString(first) || !form.MatchString(second) || first == second {
			t.Errorf("got %s and %s", first, second)
		}
	})
	t.Run("the file holds no key", func(t *testing.T) {
		if strings.Contains(content, first[4:]) || strings.Contains(content, second[4:]) {
			t.Error("it does")
		}
	})
	t.Run("the file has mode 0600", func(t *testing.T) {
		info, err := os.Stat(path)
		if err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("got %v %v", info.Mode(), err)
		}
	})
	t.Run("accounts and keys", func(t *testing.T) {
		if got := keysOf(gjson.Get(content, "accounts.0")); got != "id name active" {
			t.Errorf("got %s", got)
		}
		if got := keysOf(gjson.Get(content, "keys.0")); got != "id account hash scopes status created_at expires_at" {
			t.Errorf("got %s", got)
		}
		if n := gjson.Get(content, "accounts.#").Int(); n != 1 {
			t.Errorf("one name, %d accounts", n)
		}
		if got := gjson.Get(content, "keys.#.scopes").Raw; strings.Join(strings.Fields(got), "") != `[["materials:read"],["a","b"]]` {
			t.Errorf("got %s", got)
		}
	})
	t.Run("--expires with a date means its end in UTC", func(t *testing.T) {
		if got := gjson.Get(content, "keys.0.expires_at").String(); got != "3000-01-01T00:00:00Z" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("keys list shows everything but the key", func(t *testing.T) {
		table := must(t, dir, "keys", "list")
		for _, want := range []string{keyID(t, dir), "Müller & Söhne", "active", "materials:read", "a,b", "never", "3000-01-01T00:00:00Z"} {
			if !strings.Contains(table, want) {
				t.Errorf("the table lacks %s:\n%s", want, table)
			}
		}
		checkSecrets(t, table)
		listed := must(t, dir, "keys", "list", "--json")
		if !gjson.Valid(listed) || gjson.Get(listed, "keys.#").Int() != 2 {
			t.Errorf("got %s", listed)
		}
		checkSecrets(t, listed)
	})
	for _, tt := range []struct {
		rule   string
		args   []string
		status int
		says   string
	}{
		{"an end in the past", []string{"keys", "create", "--account", "A", "--expires", "2020-01-01"}, 2, "past"},
		{"an end that is no date", []string{"keys", "create", "--account", "A", "--expires", "soon"}, 2, "date"},
		{"no account", []string{"keys", "create"}, 2, "--account"},
		{"a blank account", []string{"keys", "create", "--account", " "}, 2, "--account"},
		{"a key that is not there", []string{"keys", "pause", "key-00"}, 1, "key-00"},
		{"an account that is not there", []string{"keys", "account", "disable", "Niemand"}, 1, "Niemand"},
		{"a file that is not there", []string{"keys", "revoke", "key-00", "--keys", "missing.json"}, 1, "missing.json"},
		{"no id", []string{"keys", "resume"}, 2, "ID"},
		{"keys alone", []string{"keys"}, 2, "create"},
		{"keys account alone", []string{"keys", "account"}, 2, "disable"},
	} {
		t.Run("refused: "+tt.rule, func(t *testing.T) {
			r := sabine(t, dir, tt.args...)
			if r.status != tt.status || !strings.Contains(r.err, tt.says) || r.out != "" {
				t.Errorf("got %d %s %s", r.status, r.out, r.err)
			}
			if readFile(t, path) != content {
				t.Error("the file was changed")
			}
		})
	}
	if _, err := os.Stat(filepath.Join(dir, "missing.json")); err == nil {
		t.Error("a wrong path made a file")
	}
	t.Run("a damaged file is never overwritten", func(t *testing.T) {
		writeFile(t, filepath.Join(dir, "damaged.json"), `{"accounts": [`)
		if r := sabine(t, dir, "keys", "create", "--account", "A", "--keys", "damaged.json"); r.status != 1 || !strings.Contains(r.err, "damaged.json") {
			t.Errorf("got %d %s", r.status, r.err)
		}
		if got := readFile(t, filepath.Join(dir, "damaged.json")); got != `{"accounts": [` {
			t.Errorf("got %s", got)
		}
	})
}
