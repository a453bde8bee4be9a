package compiler_test

import (
	"strings"
	"testing"

	"sabine/compiler"
	"sabine/dataset"
)

// aDictionary adds a dictionary to options.
func aDictionary(o compiler.Options, text string) compiler.Options {
	in := input("de-en", []byte(text))
	o.Dictionary = &in
	return o
}

func TestADictionaryIsReported(t *testing.T) {
	catalogue := ndjson(t, newRecord(1, record{"label": "Holzwand"}))
	base := compiler.Options{Inputs: []dataset.Input{input("a.ndjson", catalogue)}}
	without := mustBuild(t, base)
	if without.Dictionary != nil {
		t.Errorf("a build without a dictionary reports %+v", without.Dictionary)
	}
	with := mustBuild(t,
		aDictionary(base, "Wand :: wall\nan der Wand :: on the wall\nDach; Decke :: roof; ceiling\nder :: the\n"))
	if got, want := *with.Dictionary, (compiler.DictionaryReport{Name: "de-en", Pairs: 7, Used: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
	if with.Hash == without.Hash {
		t.Error("the hash of a snapshot with a dictionary is the same as without a dictionary")
	}
	for what, same := range map[string]string{
		"in another order": "Dach; Decke :: roof; ceiling\n# a comment\n\nWand {f} :: wall (of a room)\n",
		"with words that the catalogue does not have": "Wand :: wall\nKork :: cork\n",
	} {
		if got := mustBuild(t, aDictionary(base, same)); got.Hash != with.Hash {
			t.Errorf("%s: another hash", what)
		}
	}
	if got := mustBuild(t, aDictionary(base, "Kork :: cork\n")); got.Hash != without.Hash {
		t.Error("a dictionary without a word of the catalogue changes the hash")
	}
}

func TestAFaultyDictionaryFailsTheBuild(t *testing.T) {
	base := compiler.Options{SkipInvalid: true,
		Inputs: []dataset.Input{input("a.ndjson", ndjson(t, newRecord(1, record{"label": "Wand", "alpha_w": 7}),
			newRecord(2, nil)))}}
	report, err := build(t, aDictionary(base, "Wand :: wall\nWand\nWand | Wände :: wall\n"))
	if err == nil || report.Hash != "" {
		t.Fatalf("built %q, %v", report.Hash, err)
	}
	if first := strings.Join(report.Faults.First, "\n"); report.Faults.Total != 3 ||
		!strings.HasPrefix(first, "a.ndjson:1: ") ||
		!strings.Contains(first, "\nde-en:2: expected two sides") ||
		!strings.Contains(first, "\nde-en:3: expected the same number of parts") {
		t.Errorf("got %d faults:\n%s", report.Faults.Total, first)
	}
}
