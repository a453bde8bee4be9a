package main

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"

	"sabine/bench/queries"
)

// openAll builds every engine that can be had over a small catalogue and opens it.
func openAll(t *testing.T) (names []string, engines []engine, products []queries.Product) {
	t.Helper()
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // for the user whom PostgreSQL runs as
		t.Fatal(err)
	}
	catalogue := filepath.Join(dir, "catalogue.ndjson")
	if err := generate(catalogue, 400); err != nil {
		t.Fatal(err)
	}
	for _, s := range setups {
		if s.open == nil {
			continue
		}
		folder := filepath.Join(dir, s.name)
		if err := os.Mkdir(folder, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := s.build(folder, catalogue); errors.Is(err, exec.ErrNotFound) {
			t.Logf("without %s: %v", s.name, err)
			continue
		} else if err != nil {
			t.Fatalf("building %s: %v", s.name, err)
		}
		e, err := s.open(folder)
		if err != nil {
			t.Fatalf("opening %s: %v", s.name, err)
		}
		t.Cleanup(func() {
			if err := e.Close(); err != nil {
				t.Errorf("closing %s: %v", s.name, err)
			}
		})
		names, engines = append(names, s.name), append(engines, e)
	}
	f, err := os.Open(catalogue)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if products, err = queries.Read(f); err != nil {
		t.Fatal(err)
	}
	return names, engines, products
}

// TestEngines: every engine answers the questions of every class; without a text, where nothing is left to judge, all
// answers are the same.
func TestEngines(t *testing.T) {
	names, engines, products := openAll(t)
	for _, class := range queries.Derive(products, seed, 5) {
		for _, q := range class.Questions {
			if (tasks[class.Name] == taskAll) != (q.Text == "") {
				t.Fatalf("class %q has task %d", class.Name, tasks[class.Name])
			}
			q.Limit = pageSize
			var answers []answer
			for i, e := range engines {
				a, err := e.Ask(&question{tasks[class.Name], q.Query})
				if err != nil {
					t.Fatalf("%s, %s, %q: %v", names[i], class.Name, q.Text, err)
				}
				distinct := slices.Compact(slices.Sorted(slices.Values(a.IDs)))
				if len(a.IDs) > min(pageSize, a.Total) || len(distinct) < len(a.IDs) {
					t.Errorf("%s, %s, %q: a page of %q for a total of %d", names[i], class.Name, q.Text, a.IDs, a.Total)
				}
				if (len(a.Facets) > 0) != (q.Facets && a.Total > 0) && q.Text == "" {
					t.Errorf("%s, %s: facets %v", names[i], class.Name, a.Facets)
				}
				answers = append(answers, a)
			}
			if q.Text == "" {
				if err := agree(names, answers); err != nil {
					t.Errorf("%s, %+v: %v", class.Name, q.Query, err)
				}
			}
		}
	}
}

// words is a dictionary in which all words are similar.
type words []string

func (w words) known(word string) (bool, error)              { return slices.Contains(w, word), nil }
func (w words) similar(string) (similar []string, err error) { return slices.Clone(w), nil }

func TestCorrections(t *testing.T) {
	d := words{"wand", "wind", "absorber", "deckensegel"}
	for _, test := range []struct {
		rule  string
		words []string
		want  [][]string
	}{
		{"a known word is right", []string{"wand"}, [][]string{{"wand"}}},
		{"a word of 4 to 7 letters has one edit", []string{"wend", "wnid"}, [][]string{{"wand", "wind"}, {"wind"}}},
		{"a longer one has two", []string{"absrobr"}, nil},
		{"a longer one has two edits", []string{"absrobre"}, [][]string{{"absorber"}}},
		{"words with digits and short ones are never wrong", []string{"40", "mm", "f40x"}, [][]string{{"40"}, {"mm"}, {"f40x"}}},
		{"one word without any leaves none", []string{"wand", "qqqqqqqq"}, nil},
	} {
		got, err := corrections(d, test.words)
		if err != nil || slices.CompareFunc(got, test.want, slices.Compare[[]string]) != 0 {
			t.Errorf("%s: corrections of %q are %q (%v), want %q", test.rule, test.words, got, err, test.want)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, test := range []struct {
		rule, a, b string
		want       int
	}{
		{"nothing to do", "wand", "wand", 0},
		{"a swap counts once", "wand", "wadn", 1},
		{"a letter too many", "wand", "waand", 1},
		{"a letter too few", "wand", "and", 1},
		{"a wrong letter", "wand", "wänd", 1},
		{"all letters", "", "wand", 4},
	} {
		if got := edits([]rune(test.a), []rune(test.b)); got != test.want {
			t.Errorf("%s: %q to %q in %d edits, want %d", test.rule, test.a, test.b, got, test.want)
		}
	}
}
