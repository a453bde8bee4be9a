package main_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/tidwall/gjson"
)

// keyID returns the id of the newest key in a folder's key file.
func keyID(t testing.TB, dir string) string {
	t.Helper()
	return gjson.Get(readFile(t, filepath.Join(dir, "keys.json")), "keys.@reverse.0.id").String()
}

// verdict requests a product with a key. It returns the status and the error code.
func verdict(t testing.TB, s *server, key string) (status int, code string) {
	t.Helper()
	a := s.getAs(t, key, "/v1/materials/panel-2")
	return a.status, a.code()
}

// awaitVerdict waits until a request with a key results in the given status and code.
func awaitVerdict(t testing.TB, s *server, key string, status int, code string) {
	t.Helper()
	eventually(t, soon, fmt.Sprintf("the verdict is %d %s", status, code), func() bool {
		gotStatus, gotCode := verdict(t, s, key)
		return gotStatus == status && gotCode == code
	})
}

// TestKeysWhileTheServerRuns changes keys on the command line. The server must apply changes within a second.
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
	t.Run("a revoked key cannot be resumed", func(t *testing.T) {
		if r := sabine(t, dir, "keys", "resume", id); r.status != 1 || !strings.Contains(r.err, "revoked") {
			t.Errorf("got %d %s", r.status, r.err)
		}
		if status, code := verdict(t, s, key); status != 403 || code != "token_revoked" {
			t.Errorf("got %d %s", status, code)
		}
	})
	t.Run("a key expires without a change of the file", func(t *testing.T) {
		end := time.Now().Add(3 * time.Second).Truncate(time.Second)
		short := createKey(t, dir, "Acme", "--expires", end.UTC().Format(time.RFC3339))
		awaitVerdict(t, s, short, 200, "")
		eventually(t, time.Until(end)+soon, "the key expires", func() bool {
			status, code := verdict(t, s, short)
			return status == 403 && code == "token_expired"
		})
	})
	t.Run("with an invalid key file, the last valid keys remain in use", func(t *testing.T) {
		good := createKey(t, dir, "Acme")
		awaitVerdict(t, s, good, 200, "")
		path := filepath.Join(dir, "keys.json")
		content := readFile(t, path)
		writeFile(t, path, content[:len(content)/2])
		eventually(t, soon, "the failure is logged", func() bool {
			return strings.Contains(s.log.line("the key file cannot be read; the previous keys remain in use"), "keys.json")
		})
		if status, _ := verdict(t, s, good); status != 200 {
			t.Errorf("got %d", status)
		}
		if metrics := fetch(t, s.admin+"/metrics").body; !strings.Contains(metrics,
			"\nsabine_key_reload_failures_total 1\n") {
			t.Error("the metrics do not count it")
		}
		if err := os.Remove(path); err != nil {
			t.Fatal(err)
		}
		writeFile(t, path, content)
		next := createKey(t, dir, "Acme")
		awaitVerdict(t, s, next, 200, "")
	})
	t.Run("metrics have no keys", func(t *testing.T) { checkSecrets(t, fetch(t, s.admin+"/metrics").body) })
}

// TestTheKeyFile checks the key file and the output of the keys commands.
func TestTheKeyFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	createKey(t, dir, "Müller & Söhne", "--expires", "2999-12-31")
	createKey(t, dir, "Müller & Söhne", "--scope", "materials:read")
	path := filepath.Join(dir, "keys.json")
	content := readFile(t, path)
	t.Run("accounts and keys", func(t *testing.T) {
		if got := gjson.Get(content, "accounts.0.@keys").Raw; got != `["id","name","active"]` {
			t.Errorf("got %s", got)
		}
		if got := gjson.Get(content,
			"keys.0.@keys").Raw; got != `["id","account","hash","scopes","status","created_at","expires_at"]` {
			t.Errorf("got %s", got)
		}
		if got := gjson.Get(content, "keys.#.scopes").Raw; strings.Join(strings.Fields(got),
			"") != `[["materials:read"],["materials:read"]]` {
			t.Errorf("got %s", got)
		}
	})
	t.Run("keys list --json begins with the id of a key, for the other commands", func(t *testing.T) {
		first := regexp.MustCompile(`"id": *"(.*?)"`).FindStringSubmatch(must(t, dir, "keys", "list", "--json"))
		if want := gjson.Get(content, "keys.0.id").String(); len(first) != 2 || first[1] != want {
			t.Errorf("got %q, want %s", first, want)
		}
	})
	t.Run("--store-name is written into the file and later changes keep it", func(t *testing.T) {
		key := gjson.Get(content, "keys.0.id").String()
		for _, tt := range []struct{ args, want string }{
			{"keys pause " + key, ""},
			{"keys resume " + key + " --store-name staging", "staging"},
			{"keys create --account B", "staging"},
			{"keys account disable B --store-name production", "production"},
		} {
			must(t, dir, strings.Fields(tt.args)...)
			if got := gjson.Get(readFile(t, path), "store"); got.String() != tt.want || got.Exists() != (tt.want != "") {
				t.Errorf("%s: got %q, want %q", tt.args, got.Raw, tt.want)
			}
			if got := gjson.Get(must(t, dir, "keys", "list", "--json"), "store").String(); got != tt.want {
				t.Errorf("%s: listed as %q, want %q", tt.args, got, tt.want)
			}
		}
		writeFile(t, path, content)
	})
	t.Run("--expires with a date includes the whole day in UTC", func(t *testing.T) {
		if got := gjson.Get(content, "keys.0.expires_at").String(); got != "3000-01-01T00:00:00Z" {
			t.Errorf("got %s", got)
		}
	})
	t.Run("keys list shows everything except the key", func(t *testing.T) {
		table := must(t, dir, "keys", "list")
		for _, want := range []string{keyID(t, dir), "Müller & Söhne", "active", "materials:read", "never",
			"3000-01-01T00:00:00Z", "LAST USE", "unknown"} {
			if !strings.Contains(table, want) {
				t.Errorf("the table lacks %s:\n%s", want, table)
			}
		}
		checkSecrets(t, table)
		listed := must(t, dir, "keys", "list", "--json")
		if !gjson.Valid(listed) || gjson.Get(listed, "keys.#.last_use").Raw != "[null,null]" {
			t.Errorf("got %s", listed)
		}
		checkSecrets(t, listed)
	})
	for _, tt := range []struct {
		rule    string
		args    []string
		status  int
		message string
	}{
		{"an expiry in the past", []string{"keys", "create", "--account", "A", "--expires", "2020-01-01"}, 2, "past"},
		{"an expiry that is not a date", []string{"keys", "create", "--account", "A", "--expires", "soon"}, 2, "date"},
		{"no account", []string{"keys", "create"}, 2, "--account"},
		{"a blank account", []string{"keys", "create", "--account", " "}, 2, "--account"},
		{"an unknown scope", []string{"keys", "create", "--account", "A", "--scope", "materials:write"}, 2,
			`unknown scope "materials:write": the only scope is materials:read`},
		{"no scope", []string{"keys", "create", "--account", "A", "--scope", ""}, 2, "materials:read"},
		{"an unknown key", []string{"keys", "pause", "key-00"}, 1, "key-00"},
		{"an unknown account", []string{"keys", "account", "disable", "Niemand"}, 1, "Niemand"},
		{"a missing file", []string{"keys", "revoke", "key-00", "--keys", "missing.json"}, 1, "missing.json"},
		{"no id", []string{"keys", "resume"}, 2, "ID"},
		{"keys alone", []string{"keys"}, 2, "create"},
		{"keys account without a subcommand", []string{"keys", "account"}, 2, "disable"},
	} {
		t.Run("refused: "+tt.rule, func(t *testing.T) {
			r := sabine(t, dir, tt.args...)
			if r.status != tt.status || !strings.Contains(r.err, tt.message) || r.out != "" {
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
		if r := sabine(t, dir, "keys", "create", "--account", "A", "--keys", "damaged.json"); r.status != 1 ||
			!strings.Contains(r.err, "damaged.json") {
			t.Errorf("got %d %s", r.status, r.err)
		}
		if got := readFile(t, filepath.Join(dir, "damaged.json")); got != `{"accounts": [` {
			t.Errorf("got %s", got)
		}
	})
}

// TestKeysInLogAndMetrics checks that the log, the metrics and keys list contain the account and id of a key,
// but never the key.
func TestKeysInLogAndMetrics(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	key := createKey(t, dir, "Acme & Co")
	id := keyID(t, dir)
	paused := createKey(t, dir, "Paused")
	pausedID := keyID(t, dir)
	must(t, dir, "keys", "pause", pausedID)
	s := start(t, dir, "--account-limit", "1/"+longWindow)
	for i, ask := range []struct {
		key    string
		status int
		who    string // account and key id in the log line of the request
	}{
		{key, 200, "Acme & Co " + id},
		{key, 429, "Acme & Co " + id},
		{paused, 403, "Paused " + pausedID},
		{"sab_unknown", 401, " "},
	} {
		a := s.getAs(t, ask.key, "/v1/materials/panel-2")
		if a.status != ask.status {
			t.Fatalf("request %d: got %d", i, a.status)
		}
		var line string
		eventually(t, patience, "the request's line", func() bool {
			for l := range strings.Lines(s.log.String()) {
				if strings.HasSuffix(l, "\n") && strings.Contains(l, a.header.Get("X-Request-Id")) {
					line = l
				}
			}
			return line != ""
		})
		if got := gjson.Get(line, "account").String() + " " + gjson.Get(line, "key").String(); got != ask.who {
			t.Errorf("request %d: got %q, want %q, in %s", i, got, ask.who, line)
		}
	}
	metrics := fetch(t, s.admin+"/metrics").body
	for _, want := range []string{
		`sabine_rate_limit_account_refusals_total{account="Acme & Co"} 1`,
		`sabine_key_requests_total{account="Acme & Co",key="` + id + `"} 2`,
		`sabine_key_requests_total{account="Paused",key="` + pausedID + `"} 1`,
		"sabine_keys_stale 0", "sabine_rate_limit_store_away 0",
	} {
		if !strings.Contains(metrics, "\n"+want+"\n") {
			t.Errorf("the metrics lack %s", want)
		}
	}
	s.stop(t)
	listed := must(t, dir, "keys", "list", "--json")
	last := gjson.Get(listed, `keys.#(id=="`+id+`").last_use`).Time()
	if age := time.Since(last); age < 0 || age > time.Hour {
		t.Errorf("got the last use %v", last)
	}
	if got := gjson.Get(listed, `keys.#(id=="`+pausedID+`").last_use`).Raw; got != "null" {
		t.Errorf("a key that was never let in was used at %s", got)
	}
	if table := must(t, dir, "keys", "list"); !strings.Contains(table, last.Format(time.RFC3339)) ||
		!strings.Contains(table, "never") {
		t.Errorf("got\n%s", table)
	}
}

// TestAnUnreadableKeyFileIsReported checks that an unreadable key file does not block the server, that
// /readyz and the metrics report it, and that the server reads the file again later.
func TestAnUnreadableKeyFileIsReported(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	key := createKey(t, dir, "Acme")
	s := start(t, dir, generous...)
	path := filepath.Join(dir, "keys.json")
	must(t, dir, "keys", "revoke", keyID(t, dir))
	if err := errors.Join(os.Rename(path, path+".away"), syscall.Mkfifo(path, 0o600)); err != nil {
		t.Fatal(err)
	}
	ready := func() string { return fetch(t, s.admin+"/readyz").body }
	eventually(t, soon, "/readyz reports it", func() bool {
		return gjson.Get(ready(), "keys.status").String() == "stale"
	})
	if a := fetch(t, s.admin+"/readyz"); a.status != 200 || gjson.Get(a.body, "status").String() != "degraded" ||
		!strings.Contains(gjson.Get(a.body, "reason").String(), "a named pipe") {
		t.Errorf("got %d %s", a.status, a.body)
	}
	if metrics := fetch(t, s.admin+"/metrics").body; !strings.Contains(metrics, "\nsabine_keys_stale 1\n") {
		t.Error("the metrics do not report it")
	}
	for _, args := range [][]string{{"keys", "list"}, {"keys", "create", "--account", "A"},
		{"serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0"}} {
		if r := sabine(t, dir, args...); r.status != 1 || !strings.Contains(r.err, "a named pipe, expected a regular file") {
			t.Errorf("%v: got %d %s", args, r.status, r.err)
		}
	}
	if err := os.Rename(path+".away", path); err != nil {
		t.Fatal(err)
	}
	awaitVerdict(t, s, key, 403, "token_revoked")
	eventually(t, soon, "/readyz reports the repair", func() bool {
		body := ready()
		return gjson.Get(body, "status").String() == "ready" && gjson.Get(body, "keys.status").String() == "ok"
	})
}

// TestKeysWarnsAboutAFileThatOthersCanWrite checks that the warning goes to standard error, and that standard
// output contains only the key.
func TestKeysWarnsAboutAFileThatOthersCanWrite(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	createKey(t, dir, "A")
	if err := os.Chmod(filepath.Join(dir, "keys.json"), 0o666); err != nil {
		t.Fatal(err)
	}
	r := sabine(t, dir, "keys", "create", "--account", "A")
	if r.status != 0 || !strings.Contains(r.err, "users other than its owner can write to it") || strings.Count(r.out, "\n") != 1 {
		t.Errorf("got %d, %q, %q", r.status, r.out, r.err)
	}
}
