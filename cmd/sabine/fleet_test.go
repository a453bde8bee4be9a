package main_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aead.dev/minisign"
	"github.com/tidwall/gjson"

	"sabine/indexes/snapshot"
)

// aStore returns a working folder that contains a key pair, sabine.key and sabine.pub, and the address of a
// store in this folder.
func aStore(t *testing.T) (dir, address string) {
	t.Helper()
	dir = t.TempDir()
	public, private, err := minisign.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	secret, err := private.MarshalText()
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "sabine.key"), string(secret))
	writeFile(t, filepath.Join(dir, "sabine.pub"), public.String())
	return dir, "file://" + filepath.Join(dir, "store")
}

// buildOne builds a catalogue with one product that has the given label. It returns the snapshot's hash.
func buildOne(t *testing.T, dir, label string) string {
	t.Helper()
	writeFile(t, filepath.Join(dir, "c.ndjson"), product(t, 1, label))
	return gjson.Get(must(t, dir, "build", "c.ndjson", "--json"), "hash").String()
}

// TestAFleet publishes to a store that two servers follow, rolls back and removes the store.
func TestAFleet(t *testing.T) {
	t.Parallel()
	dir, store := aStore(t)
	first := buildOne(t, dir, "Filz")
	key := createKey(t, dir, "A")
	publish := []string{"publish", "--store", store, "--sign", "sabine.key", "--json"}
	if err := os.Mkdir(filepath.Join(dir, "store"), 0o755); err != nil {
		t.Fatal(err)
	}
	copyFile(t, filepath.Join(dir, "keys.json"), filepath.Join(dir, "store", "keys.json"))
	serve := []string{"--snapshots", store, "--keys", store + "/keys.json", "--poll", "100ms"}
	one := start(t, dir, append(serve, "--cache", "one")...)
	part := func(s *server, path string) string { return gjson.Get(fetch(t, s.admin+"/readyz").body, path).String() }
	has := func(s *server, label string) func() bool {
		return func() bool {
			a := s.getAs(t, key, "/v1/materials/produkt-1")
			return a.status == 200 && a.json("label").String() == label
		}
	}
	if a := fetch(t, one.admin+"/readyz"); a.status != 503 || a.json("mirror.status").String() != "empty" ||
		a.json("keys.status").String() != "ok" {
		t.Errorf("before anything was published: %d %s", a.status, a.body)
	}
	m := must(t, dir, publish...)
	if gjson.Get(m, "hash").String() != first || gjson.Get(m, "before").Type != gjson.Null ||
		gjson.Get(m, "signature").String() == "" {
		t.Errorf("publish: %s", m)
	}
	two := start(t, dir, append(serve, "--cache", "two", "--trust", "sabine.pub")...)
	eventually(t, patience, "the published generation is served", has(one, "Filz"))
	eventually(t, patience, "unsigned keys are refused", func() bool {
		return strings.Contains(part(two, "keys.reason"), "no signature")
	})
	eventually(t, patience, "the server without keys has the generation", func() bool {
		return part(two, "mirror.status") == "ok"
	})
	if status := fetch(t, two.admin+"/readyz").status; status != 503 {
		t.Errorf("a server that has no keys yet is ready: %d", status)
	}
	two.stop(t)

	second := buildOne(t, dir, "Wolle")
	must(t, dir, publish...)
	eventually(t, patience, "the second generation is served", has(one, "Wolle"))
	r := sabine(t, dir, "rollback", "previous", "--store", store, "--sign", "sabine.key", "--json")
	if r.status != 0 || gjson.Get(r.out, "hash").String() != first || gjson.Get(r.out, "before.hash").String() != second {
		t.Errorf("rollback: %+v", r)
	}
	eventually(t, patience, "the first generation is served again", has(one, "Filz"))
	if r := sabine(t, dir, "rollback", first[:8], "--store", store, "--sign", "sabine.key"); r.status != 0 ||
		!strings.Contains(r.err, "already current") {
		t.Errorf("rollback to the current generation: %+v", r)
	}
	if r := sabine(t, dir, "publish", "--store", store); r.status != 1 || !strings.Contains(r.err, "--sign") {
		t.Errorf("publish without a signature: %+v", r)
	}
	must(t, dir, "pull", "--store", store, "--snapshots", "pulled", "--trust", "sabine.pub")
	if got := must(t, dir, "show", "produkt-1", "--json", "--snapshots", "pulled"); !strings.Contains(got, "Filz") {
		t.Errorf("pulled: %s", got)
	}

	if err := os.Rename(filepath.Join(dir, "store"), filepath.Join(dir, "gone")); err != nil {
		t.Fatal(err)
	}
	away := func() bool {
		return part(one, "status") == "degraded" && part(one, "mirror.status") == "away" &&
			part(one, "keys.status") == "stale"
	}
	eventually(t, patience, "the store is away", away)
	if reason := part(one, "reason"); strings.Count(reason, store) != 1 {
		t.Errorf("an unavailable store is not reported once: %s", reason)
	}
	one.stop(t)
	one = start(t, dir, append(serve, "--cache", "one")...)
	if !has(one, "Filz")() {
		t.Error("without the store the cache does not serve")
	}
	eventually(t, patience, "the store is away, after a restart too", away)
	if entries, _ := filepath.Glob(filepath.Join(dir, "one", "ratelimit.*")); len(entries) == 0 {
		t.Error("the counters are not in the folder of the keys")
	}
	if err := os.Rename(filepath.Join(dir, "gone"), filepath.Join(dir, "store")); err != nil {
		t.Fatal(err)
	}
	eventually(t, patience, "all is well again", func() bool {
		return part(one, "status") == "ready" && part(one, "mirror.status") == "ok"
	})
}

// TestANightlyChangeCostsWhatChanged publishes a catalogue in which 1 % of the products have changed.
func TestANightlyChangeCostsWhatChanged(t *testing.T) {
	t.Parallel()
	dir, store := aStore(t)
	products := strings.Split(must(t, dir, "generate", "1000"), "\n")
	publish := func() gjson.Result {
		writeFile(t, filepath.Join(dir, "c.ndjson"), strings.Join(products, "\n"))
		must(t, dir, "build", "c.ndjson")
		return gjson.Parse(must(t, dir, "publish", "--store", store, "--json"))
	}
	publish()
	must(t, dir, "pull", "--store", store, "--snapshots", "pulled")
	for i := 0; i < len(products); i += 100 {
		products[i] = strings.Replace(products[i], `"updated_at":"20`, `"updated_at":"21`, 1)
		products[i] = strings.Replace(products[i], `"description":{"de":"`, `"description":{"de":"Neu. `, 1)
	}
	m := publish()
	patch, whole := m.Get("patch_bytes").Int(), m.Get("bytes").Int()
	if patch == 0 || patch > whole/10 {
		t.Errorf("the patch has %d bytes of %d", patch, whole)
	}
	if err := os.Remove(filepath.Join(dir, "store", m.Get("hash").String()+".snapshot")); err != nil {
		t.Fatal(err)
	}
	must(t, dir, "pull", "--store", store, "--snapshots", "pulled") // downloads only the patch
	must(t, dir, "verify", "--snapshots", "pulled")
}

// copyFile copies a test file.
func copyFile(t *testing.T, from, to string) { writeFile(t, to, readFile(t, from)) }

// TestTwoEnvironments copies signed files from a staging store to the production store. Both stores trust the
// same key.
func TestTwoEnvironments(t *testing.T) {
	t.Parallel()
	dir, _ := aStore(t)
	minisign := readPrivateKey(t, filepath.Join(dir, "sabine.key"))
	key := map[string]string{}
	// The staging signature must not be older, because this would be a different reason for refusal.
	for _, store := range []string{"production", "staging"} {
		path := filepath.Join(dir, store)
		buildOne(t, dir, store)
		must(t, dir, "publish", "--store", "file://"+path, "--sign", "sabine.key")
		keyFile := filepath.Join(path, "keys.json")
		key[store] = strings.TrimSpace(must(t, dir, "keys", "create", "--account", store, "--keys", keyFile, "--store-name",
			"file://"+path))
		writeFile(t, keyFile+".minisig", minisign(readFile(t, keyFile)))
	}
	production := "file://" + filepath.Join(dir, "production")
	serve := []string{"--snapshots", production, "--keys", production + "/keys.json", "--poll", "100ms", "--trust",
		"sabine.pub"}
	s := start(t, dir, append(serve, "--cache", "cache")...)
	part := func(path string) string { return gjson.Get(fetch(t, s.admin+"/readyz").body, path).String() }
	served := func(label string) func() bool {
		return func() bool {
			a := s.getAs(t, key["production"], "/v1/materials/produkt-1")
			return a.status == 200 && a.json("label").String() == label
		}
	}
	eventually(t, patience, "production serves its own", served("production"))
	both := func(path string) func() bool {
		return func() bool {
			return strings.Contains(part(path), "for the store file://"+filepath.Join(dir, "staging")+", but") &&
				strings.Contains(part(path), production)
		}
	}
	entries, err := os.ReadDir(filepath.Join(dir, "staging"))
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		copyFile(t, filepath.Join(dir, "staging", e.Name()), filepath.Join(dir, "production", e.Name()))
	}
	eventually(t, patience, "the pointer of staging is refused, and the reason names both stores", both("mirror.reason"))
	eventually(t, patience, "the keys of staging are refused, and the reason names both stores", both("keys.reason"))
	if !served("production")() {
		t.Error("production no longer serves what it had")
	}
	if a := s.getAs(t, key["staging"], "/v1/materials/produkt-1"); a.status != 401 {
		t.Errorf("a key of staging: %d", a.status)
	}
	for _, tt := range []struct {
		rule, args string
		status     int
		message    string
	}{
		{"pull refuses", "pull --store " + production + " --trust sabine.pub --snapshots new", 1,
			"staging, but this store is " + production},
		{"pull also refuses without --trust", "pull --store " + production + " --snapshots new", 1,
			"staging, but this store is"},
		{"list reports it", "list --store " + production, 0, "followers refuse generation"},
		{"--store-name with the signed name accepts the store", "pull --store " + production +
			" --trust sabine.pub --snapshots copy --store-name file://" + filepath.Join(dir, "staging"), 0, ""},
		{"a name is one line", "pull --store " + production + " --store-name a\tb --snapshots new", 2,
			"--store-name: expected a name"},
	} {
		r := sabine(t, dir, strings.Split(tt.args, " ")...)
		if r.status != tt.status || !strings.Contains(r.err, tt.message) {
			t.Errorf("%s: got %+v", tt.rule, r)
		}
	}
	if _, err := os.Stat(filepath.Join(dir, "new", "CURRENT")); err == nil {
		t.Error("what was refused is current")
	}
	unnamed := filepath.Join(dir, "production", "keys.json")
	writeFile(t, unnamed, `{"accounts":[],"keys":[]}`)
	writeFile(t, unnamed+".minisig", minisign(readFile(t, unnamed)))
	eventually(t, patience, "a key file without a name is refused", func() bool {
		return strings.Contains(part("keys.reason"), "does not name a store")
	})
}

// readPrivateKey returns a function that signs with the private key in a file.
func readPrivateKey(t *testing.T, path string) func(text string) string {
	t.Helper()
	private := new(minisign.PrivateKey)
	if err := private.UnmarshalText([]byte(readFile(t, path))); err != nil {
		t.Fatal(err)
	}
	return func(text string) string { return string(minisign.Sign(*private, []byte(text))) }
}

func TestTheCacheMustNotBeAFolderOfBuilds(t *testing.T) {
	t.Parallel()
	dir, store := aStore(t)
	hash := buildOne(t, dir, "Filz")
	must(t, dir, "publish", "--store", store)
	r := sabine(t, dir, "serve", "--snapshots", store, "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0")
	if r.status != 2 || !strings.Contains(r.err, "--cache: snapshots is the folder of a local build") {
		t.Errorf("got %+v", r)
	}
	if _, err := os.Stat(filepath.Join(dir, "snapshots", hash+".snapshot")); err != nil {
		t.Error(err)
	}
	must(t, dir, "pull", "--store", store, "--snapshots", "cache")
	start(t, dir, "--snapshots", store, "--cache", "cache").stop(t)
}

// TestAProxyOnThisMachine checks that the proxy in the environment is used for a store on another machine,
// but not for addresses on this machine.
func TestAProxyOnThisMachine(t *testing.T) {
	t.Parallel()
	proxy := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.String() == "http://store.invalid/CURRENT" {
			_, _ = io.WriteString(w, `{"version":1,"generations":[]}`)
		}
	}))
	defer proxy.Close()
	c := command{dir: t.TempDir(), env: []string{"HTTP_PROXY=" + proxy.URL, "http_proxy=", "NO_PROXY=", "no_proxy="}}
	if r := c.run(t, "list", "--store", "http://store.invalid", "--insecure"); r.status != 0 ||
		!strings.Contains(r.err, "Nothing has been published") {
		t.Errorf("got %+v", r)
	}
}

func TestListOfAnEmptyStore(t *testing.T) {
	t.Parallel()
	dir, store := aStore(t)
	if err := os.Mkdir(filepath.Join(dir, "store"), 0o755); err != nil {
		t.Fatal(err)
	}
	for _, pointer := range []string{"", `{"version":1,"generations":[]}`} {
		if pointer != "" {
			writeFile(t, filepath.Join(dir, "store", "CURRENT"), pointer)
		}
		if r := sabine(t, dir, "list", "--store", store); r.status != 0 || r.out != "" ||
			!strings.Contains(r.err, "Nothing has been published") {
			t.Errorf("%q: got %+v", pointer, r)
		}
		if got := must(t, dir, "list", "--store", store, "--json"); strings.TrimSpace(got) != "[]" {
			t.Errorf("%q: as JSON: %s", pointer, got)
		}
	}
}

func TestListOfTwoFormats(t *testing.T) {
	t.Parallel()
	dir, store := aStore(t)
	entry := func(hash string, format int) string {
		return fmt.Sprintf(`{"hash":%q,"format":%d,"bytes":7,"report":"","published":"2026-11-23T02:00:00Z","signature":""}`,
			strings.Repeat(hash, 64), format)
	}
	pointer := fmt.Sprintf(`{"version":1,"generations":[%s,%s,%s]}`, entry("a", snapshot.FormatMajor+1),
		entry("b", snapshot.FormatMajor), entry("c", snapshot.FormatMajor))
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "store"), 0o755),
		os.WriteFile(filepath.Join(dir, "store", "CURRENT"), []byte(pointer), 0o644)); err != nil {
		t.Fatal(err)
	}
	r := sabine(t, dir, "list", "--store", store)
	var rows []string
	for row := range strings.Lines(r.out) {
		fields := strings.Fields(row)
		rows = append(rows, fields[0][:1]+" "+fields[len(fields)-1])
	}
	if want := []string{"H CURRENT", "a yes", "b yes", "c no"}; !slices.Equal(rows, want) ||
		!strings.Contains(r.err, fmt.Sprint("format ", snapshot.FormatMajor+1, " needs a newer version")) {
		t.Errorf("got %v, want %v: %+v", rows, want, r)
	}
	if got := gjson.Get(must(t, dir, "list", "--store", store, "--json"),
		"#.in_force").String(); got != "[true,true,false]" {
		t.Errorf("as JSON: %s", got)
	}
}

func TestMistakesWithStores(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, tt := range []struct {
		args, env string
		status    int
		message   string
	}{
		{"publish", "", 2, "needs --store URL"},
		{"rollback prev --store file:///nowhere", "", 2, "expected previous"},
		{"publish --store file:///nowhere --keep 0", "", 2, "--keep must be at least 1"},
		{"serve --store-name production", "", 2, "--store-name needs the address of a store"},
		{"serve --addr nowhere", "SABINE_STORE_NAME=production", 1, "--addr: "},
		{"publish --store file:///nowhere --store-name a\x01", "", 2, "--store-name: expected a name"},
		{"keys create --account A --store-name a\x01", "", 2, "--store-name: expected a name"},
		{"serve --poll 5s", "", 2, "--poll needs the address of a store"},
		{"serve --addr nowhere", "SABINE_POLL=5s", 1, "--addr: "}, // environment variables can be for another server
		{"serve --snapshots file:///nowhere --poll 1ms", "", 2, "--poll must be at least 100ms"},
		{"serve --snapshots http://user:geheim@example.org/x", "", 2, "--snapshots: "},
		{"search", "SABINE_SNAPSHOTS=s3://user:geheim@bucket", 2, "must be a path"},
		{"keys list --keys https://user:geheim@example.org/keys.json", "", 2, "must be a path"},
	} {
		r := command{dir: dir, env: strings.Fields(tt.env)}.run(t, strings.Fields(tt.args)...)
		if r.status != tt.status || !strings.Contains(r.err, tt.message) || strings.Contains(r.err, "geheim") {
			t.Errorf("%s %s: got %+v", tt.env, tt.args, r)
		}
	}
}
