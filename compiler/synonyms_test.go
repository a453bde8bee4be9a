package compiler_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// withSynonyms adds a synonym file to options.
func withSynonyms(o compiler.Options, text string) compiler.Options {
	o.Synonyms = append(slices.Clone(o.Synonyms), input("words.txt", []byte(text)))
	return o
}

func TestTheSnapshotDependsOnTheSynonyms(t *testing.T) {
	catalogue := ndjson(t, newRecord(1, record{"label": "Deckensegel"}))
	base := compiler.Options{Inputs: []dataset.Input{input("a.ndjson", catalogue)}}
	without := mustBuild(t, base)
	if without.Synonyms != nil {
		t.Errorf("a build without synonyms reports %+v", without.Synonyms)
	}
	with := mustBuild(t, withSynonyms(base, "Yklang, Deckensegel\nYboden => Boden, Belag\n"))
	if got := fmt.Sprint(*with.Synonyms); got != "{[words.txt] 2}" {
		t.Errorf("got %s", got)
	}
	if with.Hash == without.Hash {
		t.Error("the hash of a snapshot with synonyms is the same as without synonyms")
	}
	beside := base
	beside.Inputs = append(slices.Clone(base.Inputs), input("in/Synonyms.txt", []byte("yboden => belag, boden")))
	for what, o := range map[string]compiler.Options{
		"in another order, in other cases, twice": withSynonyms(base,
			"yboden => Belag, Boden, belag\n# a comment\n\nDECKENSEGEL, yklang\nyklang, deckensegel"),
		"in two files, of which one is an input": withSynonyms(beside, "yklang, deckensegel"),
	} {
		if got := mustBuild(t, o); got.Hash != with.Hash {
			t.Errorf("%s: another hash", what)
		}
	}
	for what, text := range map[string]string{
		"in the other direction":  "Yklang, Deckensegel\nBoden, Belag => Yboden",
		"in both directions":      "Yklang, Deckensegel\nBoden, Belag, Yboden",
		"of which one is missing": "Yklang, Deckensegel",
	} {
		if got := mustBuild(t, withSynonyms(base, text)); got.Hash == with.Hash {
			t.Errorf("%s: the same hash", what)
		}
	}
	if got := mustBuild(t, withSynonyms(base, "# none yet")); got.Hash != without.Hash {
		t.Error("a file without a group changes the hash")
	}
}

func TestFaultySynonymsFailTheBuild(t *testing.T) {
	base := compiler.Options{SkipInvalid: true, Inputs: []dataset.Input{input("a.ndjson", ndjson(t, newRecord(1, nil)))}}
	many := func(n int) string {
		terms := make([]string, n)
		for i := range terms {
			terms[i] = fmt.Sprintf("w%03dx", i)
		}
		return strings.Join(terms, ",")
	}
	tests := []struct{ done, text, want string }{
		{"several faults", "a\nb =>\nc, d\n",
			"words.txt:1: expected at least two terms separated by commas, or terms on both sides of =>\n" +
				"words.txt:2: expected a word or phrase before and after each comma and =>"},
		{"a term without a letter", "Segel, ...", `words.txt:1: expected letters or digits in the term "..."`},
		{"a term without a letter on both sides", "... => ?", `words.txt:1: expected letters or digits in the term "..."`},
		{"terms with the same key", "Säule, saeule",
			`words.txt:1: expected different terms: a search treats all of these as "saule"`},
		{"a term with itself as synonym", "Säule => saeule",
			`words.txt:1: expected different terms: a search treats all of these as "saule"`},
		{"many synonyms of a term", many(400) + "\nw000x => " + many(300),
			`words.txt:2: expected at most 500 synonyms for each term in all groups, but "w000x" has more`},
		{"many pairs", strings.Repeat(many(501)+"\n", 3),
			"words.txt:2: expected at most 500000 pairs of synonyms in all groups: n terms make n*(n-1) pairs\n" +
				"words.txt:3: expected at most 500000 pairs of synonyms in all groups: n terms make n*(n-1) pairs"},
	}
	for _, test := range tests {
		report, err := build(t, withSynonyms(base, test.text))
		if got := strings.Join(report.Faults.First, "\n"); err == nil || report.Hash != "" || got != test.want {
			t.Errorf("%s: built %q, %v:\ngot  %s\nwant %s", test.done, report.Hash, err, got, test.want)
		}
	}
}

// TestSynonymsAreInTheSnapshot searches for synonyms in a snapshot, including one of three words, and
// rebuilds the snapshot.
func TestSynonymsAreInTheSnapshot(t *testing.T) {
	o := withSynonyms(compiler.Options{Inputs: dataset.Sample(), Folder: snapshot.Folder{Dir: t.TempDir()}},
		"Yklang, Deckensegel, absorber for ceilings")
	report := mustBuild(t, o)
	g, err := runtime.Open(context.Background(), o.Folder.Path(report.File))
	if err != nil {
		t.Fatal(err)
	}
	defer g.Close()
	if got := g.Search(&runtime.Query{Text: "yklang", Limit: 5}); got.Strategy != runtime.StrategyFTS || got.Total == 0 {
		t.Errorf("got %d products by %v", got.Total, got.Strategy)
	}
	left, err := compiler.Rebuild(context.Background(), open(t, o.Folder, report.File), func(int) {})
	if err != nil || left != nil {
		t.Errorf("rebuilt: %v, not compared %v", err, left)
	}
}
