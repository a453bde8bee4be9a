package main_test

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/tidwall/gjson"
)

var rounds = flag.Int("rounds", 1, "rounds of TestTwoOfEachCommandConcurrently")

// atOnce runs command lines in a folder in parallel.
func atOnce(t *testing.T, dir string, lines ...string) []result {
	t.Helper()
	results := make([]result, len(lines))
	var running sync.WaitGroup
	for i, line := range lines {
		running.Go(func() { results[i] = sabine(t, dir, strings.Fields(line)...) })
	}
	running.Wait()
	return results
}

// TestTwoOfEachCommandConcurrently runs two commands in parallel on the same folder, store or key file. Each
// command must do its work, or change nothing and exit with status 1 and a reason. The final data must be
// complete and come from a command that did its work.
func TestTwoOfEachCommandConcurrently(t *testing.T) {
	t.Parallel()
	for round := range *rounds {
		dir := t.TempDir()
		for n, label := range []string{"Filz", "Wolle", "Kork"} {
			writeFile(t, filepath.Join(dir, fmt.Sprint(n, ".ndjson")), product(t, 1, fmt.Sprint(label, round)))
		}
		must(t, dir, "build", "0.ndjson", "--snapshots", "one") // data to publish
		must(t, dir, "build", "1.ndjson", "--snapshots", "two")
		store := "--store file://" + filepath.Join(dir, "store")

		published := atOnce(t, dir, "publish --json --snapshots one "+store, "publish --json --snapshots two "+store)
		hashes := won(t, published, "nothing was changed")
		listed := gjson.Get(must(t, dir, append([]string{"list", "--json"}, strings.Fields(store)...)...), "#.hash").Array()
		if len(listed) != len(hashes) || !slices.ContainsFunc(listed, func(h gjson.Result) bool {
			return h.String() == hashes[0]
		}) {
			t.Errorf("published %v, and the store has %v", hashes, listed)
		}

		inFolder := func(what string, say string, lines ...string) {
			t.Helper()
			hashes := won(t, atOnce(t, dir, lines...), say)
			if now := strings.TrimSuffix(current(t, dir), ".snapshot"); !slices.Contains(hashes, now) {
				t.Errorf("%s: CURRENT is %s, and those who have done their work say %v", what, now, hashes)
			}
			must(t, dir, "verify")
			left, err := filepath.Glob(filepath.Join(dir, "snapshots", ".[^l]*")) // not the lock
			if err != nil || len(left) > 0 {
				t.Errorf("%s: files are left: %v, %v", what, left, err)
			}
		}
		const locked = "another build is writing to this folder"
		inFolder("two pulls", locked, "pull --json "+store, "pull --json "+store)
		inFolder("two builds", locked, "build --json 0.ndjson", "build --json 1.ndjson")
		inFolder("a build and a pull", locked, "build --json --keep 1 2.ndjson", "pull --json "+store)

		for _, r := range atOnce(t, dir, "keys create --account A", "keys create --account B", "keys create --account A") {
			if secret := strings.TrimSuffix(r.out, "\n"); r.status != 0 || secret == "" {
				t.Errorf("keys create: %d %s", r.status, r.err)
			} else {
				secrets.Store(secret, true)
			}
		}
		file := readFile(t, filepath.Join(dir, "keys.json"))
		if keys, accounts := gjson.Get(file, "keys.#").Int(), gjson.Get(file, "accounts.#").Int(); keys != 3 ||
			accounts != 2 {
			t.Errorf("three keys of two accounts were made, and there are %d of %d", keys, accounts)
		}
		for _, r := range atOnce(t, dir, "keys pause "+gjson.Get(file, "keys.0.id").String(), "keys account disable B") {
			if r.status != 0 {
				t.Errorf("keys: %d %s", r.status, r.err)
			}
		}
		file = readFile(t, filepath.Join(dir, "keys.json"))
		if gjson.Get(file, "keys.0.status").String() != "paused" || gjson.Get(file, `accounts.#(name=="B").active`).Bool() {
			t.Errorf("a change was lost: %s", file)
		}
	}
}

// won returns the hashes that commands with status 0 have printed. At least one command must have status 0.
// The others must have status 1 and a reason.
func won(t *testing.T, results []result, why string) (hashes []string) {
	t.Helper()
	for _, r := range results {
		switch {
		case r.status == 0:
			hashes = append(hashes, gjson.Get(r.out, "hash").String())
		case r.status != 1 || !strings.Contains(r.err, why):
			t.Errorf("got status %d, %s; want 1 and %q", r.status, r.err, why)
		}
	}
	if len(hashes) == 0 {
		t.Fatalf("no command has done its work: %v", results)
	}
	return hashes
}

// TestAFolderThatIsExchanged replaces the link to a snapshot folder while a server serves the folder and
// commands write to it. The server must follow within a second, and each command must write to only one of
// the two folders.
func TestAFolderThatIsExchanged(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for n, label := range []string{"Filz", "Wolle"} {
		writeFile(t, filepath.Join(dir, fmt.Sprint(n, ".ndjson")), product(t, 1, label))
		must(t, dir, "build", fmt.Sprint(n, ".ndjson"), "--snapshots", fmt.Sprint("v", n))
	}
	exchange := func(to string) {
		t.Helper()
		if err := errors.Join(os.Symlink(to, filepath.Join(dir, "next")), os.Rename(filepath.Join(dir, "next"),
			filepath.Join(dir, "snapshots"))); err != nil {
			t.Fatal(err)
		}
	}
	exchange("v0")
	key := createKey(t, dir, "A")
	s := start(t, dir, generous...)
	for _, to := range []int{1, 0, 1} {
		exchange(fmt.Sprint("v", to))
		eventually(t, soon, "the other folder's product", func() bool {
			return s.getAs(t, key, "/v1/materials/produkt-1").json("label").String() == []string{"Filz", "Wolle"}[to]
		})
	}
	if a := fetch(t, s.admin+"/readyz"); a.json("status").String() != "ready" {
		t.Errorf("ready: %s", a.body)
	}
	before := [2]string{readFile(t, filepath.Join(dir, "v0", "CURRENT")), readFile(t, filepath.Join(dir, "v1", "CURRENT"))}
	exchange("gone") // a dangling link
	if r := sabine(t, dir, "build", "0.ndjson"); r.status != 1 {
		t.Errorf("a build into nothing: %d %s", r.status, r.err)
	}
	if status := s.getAs(t, key, "/v1/materials/produkt-1").status; status != 200 {
		t.Errorf("the previous snapshot is no longer served: %d", status)
	}
	if after := [2]string{readFile(t, filepath.Join(dir, "v0", "CURRENT")),
		readFile(t, filepath.Join(dir, "v1", "CURRENT"))}; after != before {
		t.Errorf("it was written all the same: %v, before %v", after, before)
	}
}
