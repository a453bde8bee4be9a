package main_test

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"aead.dev/minisign"
	"github.com/tidwall/gjson"

	"sabine/indexes/snapshot"
)

// aStore returns a working folder with a key pair in sabine.key and sabine.pub, and the address of a store in it.
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

// buildOne builds a catalogue of one product with a label, and returns its hash.
func buildOne(t *testing.T, dir, label string) string {
	t.Helper()
	writeFile(t, filepath.Join(dir, "c.ndjson"), product(t, 1, label))
	return gjson.Get(must(t, dir, "build", "c.ndjson", "--json"), "hash").String()
}

// TestAFleet publishes to a store, which two servers follow, takes back what was published, and loses the store.
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
	if a := fetch(t, one.admin+"/readyz"); a.status != 503 || a.json("mirror.status").String() != "empty" || a.json("keys.status").String() != "ok" {
		t.Errorf("before anything was published: %d %s", a.status, a.body)
	}
	m := must(t, dir, publish...)
	if gjson.Get(m, "hash").String() != first || gjson.Get(m, "before").Type != gjson.Null || gjson.Get(m, "signature").String() == "" {
		t.Errorf("publish: %s", m)
	}
	two := start(t, dir, append(serve, "--cache", "two", "--trust", "sabine.pub")...)
	eventually(t, patience, "what was published is in force", has(one, "Filz"))
	eventually(t, patience, "keys that nobody has signed are refused", func() bool { return strings.Contains(part(two, "keys.reason"), "no signature") })
	eventually(t, patience, "the server without keys has the generation", func() bool { return part(two, "mirror.status") == "ok" })
	if status := fetch(t, two.admin+"/readyz").status; status != 503 {
		t.Errorf("a server that has no keys yet is ready: %d", status)
	}
	two.stop(t)

	second := buildOne(t, dir, "Wolle")
	must(t, dir, publish...)
	eventually(t, patience, "the second generation is in force", has(one, "Wolle"))
	r := sabine(t, dir, "rollback", "previous", "--store", store, "--sign", "sabine.key", "--json")
	if r.status != 0 || gjson.Get(r.out, "hash").String() != first || gjson.Get(r.out, "before.hash").String() != second {
		t.Errorf("rollback: %+v", r)
	}
	eventually(t, patience, "the first generation is in force again", has(one, "Filz"))
	if r := sabine(t, dir, "rollback", first[:8], "--store", store, "--sign", "sabine.key"); r.status != 0 || !strings.Contains(r.err, "in force already") {
		t.Errorf("rollback to what is in force: %+v", r)
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
		return part(one, "status") == "degraded" && part(one, "mirror.status") == "away" && part(one, "keys.status") == "stale"
	}
	eventually(t, patience, "the store is away", away)
	one.stop(t)
	one = start(t, dir, append(serve, "--cache", "one")...)
	if !has(one, "Filz")() {
		t.Error("without the store the cache does not serve")
	}
	eventually(t, patience, "the store is away, after a restart too", away)
	if entries, _ := filepath.Glob(filepath.Join(dir, "one", "ratelimit.*")); len(entries) == 0 {
		t.Error("the counters do not lie beside the keys")
	}
	if err := os.Rename(filepath.Join(dir, "gone"), filepath.Join(dir, "store")); err != nil {
		t.Fatal(err)
	}
	eventually(t, patience, "all is well again", func() bool { return part(one, "status") == "ready" && part(one, "mirror.status") == "ok" })
}

// copyFile copies a file of a test.
func copyFile(t *testing.T, from, to string) { writeFile(t, to, readFile(t, from)) }

func TestAListOfTwoFormats(t *testing.T) {
	t.Parallel()
	dir, store := aStore(t)
	entry := func(hash string, format int) string {
		return fmt.Sprintf(`{"hash":%q,"format":%d,"bytes":7,"report":"","published":"2026-11-23T02:00:00Z","signature":""}`, strings.Repeat(hash, 64), format)
	}
	pointer := fmt.Sprintf(`{"version":1,"generations":[%s,%s,%s]}`, entry("a", snapshot.FormatMajor+1), entry("b", snapshot.FormatMajor), entry("c", snapshot.FormatMajor))
	if err := errors.Join(os.Mkdir(filepath.Join(dir, "store"), 0o755), os.WriteFile(filepath.Join(dir, "store", "CURRENT"), []byte(pointer), 0o644)); err != nil {
		t.Fatal(err)
	}
	r := sabine(t, dir, "list", "--store", store)
	var rows []string
	for row := range strings.Lines(r.out) {
		fields := strings.Fields(row)
		rows = append(rows, fields[0][:1]+" "+fields[len(fields)-1])
	}
	if want := []string{"H FORCE", "a yes", "b yes", "c no"}; !slices.Equal(rows, want) || !strings.Contains(r.err, fmt.Sprint("format ", snapshot.FormatMajor+1, " waits")) {
		t.Errorf("got %v, want %v: %+v", rows, want, r)
	}
	if got := gjson.Get(must(t, dir, "list", "--store", store, "--json"), "#.in_force").String(); got != "[true,true,false]" {
		t.Errorf("as JSON: %s", got)
	}
}

func TestMistakesAboutStores(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, tt := range []struct {
		args, env string
		status    int
		says      string
	}{
		{"publish", "", 2, "needs --store URL"},
		{"rollback prev --store file:///nowhere", "", 2, "expected previous"},
		{"publish --store file:///nowhere --keep 0", "", 2, "--keep must be at least 1"},
		{"serve --poll 5s", "", 2, "--poll says how a store is followed"},
		{"serve --addr nowhere", "SABINE_POLL=5s", 1, "--addr: "}, // in the environment it may be for another server
		{"serve --snapshots file:///nowhere --poll 1ms", "", 2, "--poll is at least 100ms"},
		{"serve --snapshots http://user:geheim@example.org/x", "", 2, "--snapshots: "},
		{"search", "SABINE_SNAPSHOTS=s3://user:geheim@bucket", 2, "expected a path here"},
		{"keys list --keys https://user:geheim@example.org/keys.json", "", 2, "expected a path here"},
	} {
		r := command{dir: dir, env: strings.Fields(tt.env)}.run(t, strings.Fields(tt.args)...)
		if r.status != tt.status || !strings.Contains(r.err, tt.says) || strings.Contains(r.err, "geheim") {
			t.Errorf("%s %s: got %+v", tt.env, tt.args, r)
		}
	}
}
