package main_test

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestWhatPeopleDidNotFindIsFoundNext follows the steps in docs/operations.md: serve, search, stop, report,
// add a line, build and search again.
func TestWhatPeopleDidNotFindIsFoundNext(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "products.ndjson"), product(t, 1, "Deckensegel")+product(t, 2, "Wandpaneel"))
	must(t, dir, "build", "products.ndjson")
	before := current(t, dir)
	serving := []string{"--query-report", "queries.json", "--trusted-proxies", "127.0.0.0/8"}
	search := func(s *server, client int, text string) *answer {
		address := fmt.Sprintf("198.51.100.%d", client)
		return s.get(t, "/public/search?"+url.Values{"q": {text}}.Encode(), "X-Forwarded-For", address)
	}
	s := start(t, dir, serving...)
	for client := range 5 {
		search(s, client, "Wolk") // followed by a longer text within ten seconds
		if a := search(s, client, "Wolke 7"); a.json("queryMeta.zeroResults").Raw != "true" {
			t.Fatalf("found before: %s", a.body)
		}
		search(s, client%4, "Geheim")
		search(s, client, "Deckensegel")
	}
	s.stop(t)

	const table = "\n\nCOUNT  ERROR  STRATEGY  TEXT\n5      0      none      wolke 7\n"
	if got := must(t, dir, "report", "queries.json"); !strings.HasSuffix(got, table) {
		t.Errorf("got\n%s\nwant\n%s", got, table)
	}
	if got := must(t, dir, "report", "queries.json", "queries.json", "--json"); !strings.Contains(got, `"count": 10,`) {
		t.Errorf("two reports: %s", got)
	}
	text := readFile(t, filepath.Join(dir, "queries.json"))
	for _, hidden := range []string{"198.51", "geheim", `"wolk"`, "deckensegel"} {
		if strings.Contains(text, hidden) {
			t.Errorf("%s is in the file: %s", hidden, text)
		}
	}

	writeFile(t, filepath.Join(dir, "synonyms.txt"), "Wolke 7, Deckensegel\n")
	if out := must(t, dir, "build", "products.ndjson"); !strings.Contains(out, "synonyms  1 group\n") {
		t.Errorf("the build printed\n%s", out)
	}
	after := current(t, dir)
	if after == before {
		t.Error("the hash does not depend on the synonyms")
	}
	must(t, dir, "verify", "--deep")
	s = start(t, dir, serving...)
	a := search(s, 1, "Wolke 7")
	if a.json("queryMeta.matchedStrategy").String() != "fts" || a.json("products.#").Int() != 1 ||
		a.json("products.0.slug").String() != "produkt-1" {
		t.Errorf("asked again: %s", a.body)
	}
	s.stop(t)
	if got := must(t, dir, "report", "queries.json"); !strings.HasSuffix(got, "5      0      none      wolke 7\n") {
		t.Errorf("after a restart\n%s", got)
	}

	// A build from an export must produce the same snapshot with the same synonyms, and the first snapshot
	// without them.
	if err := os.Mkdir(filepath.Join(dir, "export"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeFile(t, filepath.Join(dir, "export", "x.ndjson"), must(t, dir, "export"))
	must(t, dir, "build", "export/x.ndjson", "--synonyms", "synonyms.txt")
	if got := current(t, dir); got != after {
		t.Errorf("built again from the export: %s, want %s", got, after)
	}
	must(t, dir, "build", "export/x.ndjson")
	if got := current(t, dir); got != before {
		t.Errorf("without synonyms: %s, want %s", got, before)
	}
	r := sabine(t, dir, "diff", "--exit-code", "snapshots/"+before, "snapshots/"+after)
	if r.status != 1 || !strings.Contains(r.err, "0 added, 0 removed, 0 changed") || !strings.Contains(r.err, "synonyms") {
		t.Errorf("diff: status %d, %s", r.status, r.err)
	}
	if out := must(t, dir, "inspect", "snapshots/"+after); !strings.Contains(out, "with 1 group of synonyms from ") {
		t.Errorf("inspect: %s", out)
	}
}

func TestFaultsOfSynonymsAndReports(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	writeFile(t, filepath.Join(dir, "products.ndjson"), product(t, 1, "Deckensegel"))
	writeFile(t, filepath.Join(dir, "words.txt"), "Wolke\nraft, Segel\n=> x\n")
	for _, test := range []struct {
		args   []string
		status int
		want   []string
	}{
		{[]string{"build", "products.ndjson", "--synonyms", "words.txt"}, 1,
			[]string{"words.txt:1: expected at least two terms", "words.txt:3: expected a word or phrase"}},
		{[]string{"build", "products.ndjson", "--synonyms", "none.txt"}, 1, []string{"none.txt: no such file"}},
		{[]string{"report", "none.json"}, 1, []string{"none.json: no such file"}},
		{[]string{"report", "products.ndjson"}, 1, []string{"products.ndjson is not a query report"}},
		{[]string{"report"}, 2, []string{"sabine report takes FILEs"}},
		{[]string{"serve", "--query-report", "words.txt", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0"}, 1,
			[]string{"words.txt is not a query report"}},
	} {
		r := sabine(t, dir, test.args...)
		for _, want := range test.want {
			if r.status != test.status || !strings.Contains(r.err, want) {
				t.Errorf("%v: status %d, %s, want %d and %q", test.args, r.status, r.err, test.status, want)
			}
		}
	}
}
