package main

import (
	"errors"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"sabine/bench/queries"
	"sabine/bench/step"
	"sabine/runtime"
)

// A field contains every installed engine, with the same small catalogue.
type field struct {
	names    []string
	engines  []engine          // engines in the first table
	own      map[string]engine // engines in the second table
	products []queries.Product
}

// TestEngines builds every engine once and checks the answers.
func TestEngines(t *testing.T) {
	f := openAll(t)
	t.Run("every class is answered", f.answerEveryClass)
	t.Run("strict searches find the same", f.agreeOnStrict)
	t.Run("engines set up as by users answer any text", f.answerAnyText)
	t.Run("and find names with their own analysers", f.findByOwnAnalysers)
}

func openAll(t *testing.T) *field {
	t.Helper()
	f := &field{own: map[string]engine{}}
	dir := t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // allows the user postgres to read the folder
		t.Fatal(err)
	}
	catalogue := filepath.Join(dir, "catalogue.ndjson")
	generate(catalogue, 400)
	for _, s := range setups {
		if s.open == nil {
			continue
		}
		e, err := openOne(t, &s, filepath.Join(dir, s.folder), catalogue)
		switch {
		case errors.Is(err, exec.ErrNotFound):
			t.Run("with "+s.name, func(t *testing.T) {
				t.Skipf("%s is not installed: nothing that it answers was tested (%v)", s.name, err)
			})
		case err != nil:
			t.Fatalf("%s: %v", s.name, err)
		case !s.own:
			f.names, f.engines = append(f.names, s.name), append(f.engines, e)
		default:
			f.own[s.name] = e
		}
	}
	ndjson, err := os.Open(catalogue)
	if err != nil {
		t.Fatal(err)
	}
	defer ndjson.Close()
	if f.products, err = queries.Read(ndjson); err != nil {
		t.Fatal(err)
	}
	return f
}

// openOne opens an engine. It builds the engine first, unless another engine with the same folder is built.
func openOne(t *testing.T, s *setup, folder, catalogue string) (e engine, err error) {
	t.Helper()
	err = step.Try(func() {
		if _, err := os.Stat(folder); err != nil {
			step.Check(os.Mkdir(folder, 0o755))
			s.build(folder, catalogue)
		}
		e = s.open(folder)
		t.Cleanup(func() {
			if err := e.Close(); err != nil {
				t.Errorf("closing %s: %v", s.name, err)
			}
		})
	})
	return e, err
}

// answerEveryClass checks that every engine answers the questions in every class. All answers to a question
// without a text must be equal.
func (f *field) answerEveryClass(t *testing.T) {
	for _, class := range queries.Derive(f.products, queries.Seed, 5) {
		for _, q := range class.Questions {
			q.Limit = pageSize
			var err error
			if q.Query, err = q.In(f.engines[0].(sabine).Generation); err != nil {
				t.Fatal(err)
			}
			var first answer
			for i, e := range f.engines {
				if !setupOf(f.names[i]).answers(class.Kind) {
					continue
				}
				a := e.Ask(&q.Query)
				a.countFacets()
				distinct := slices.Compact(slices.Sorted(slices.Values(a.IDs)))
				if page := q.Page == 0 && len(a.IDs) < min(pageSize, a.Total); page || len(distinct) < len(a.IDs) {
					t.Errorf("%s, %s, %q: a page of %q for a total of %d", f.names[i], class.Name, q.Text, a.IDs, a.Total)
				}
				if (len(a.Facets) > 0) != (q.Facets && a.Total > 0) && q.Text == "" {
					t.Errorf("%s, %s: facets %v", f.names[i], class.Name, a.Facets)
				}
				if i == 0 {
					first = a
				}
				if err := agree(&first, &a); q.Text == "" && err != nil {
					t.Errorf("%s, %s, %+v: %v", f.names[i], class.Name, q.Query, err)
				}
			}
		}
	}
}

// agreeOnStrict checks that strict searches have the same total and facets in all engines.
func (f *field) agreeOnStrict(t *testing.T) {
	texts := map[string][]string{"rules without a class": {
		"4 cm", "40-mm", "mm", "XA-00000000", "xa00000000", "B-s1,d0", "bs1d0", "Platten für die Decke", "für die",
		"carpets",
	}}
	for _, class := range queries.Derive(f.products, queries.Seed, 60) {
		for _, q := range class.Questions {
			if class.Kind == queries.Strict {
				texts[class.Name] = append(texts[class.Name], q.Text)
			}
		}
	}
	for class, texts := range texts {
		for _, text := range texts {
			var first answer
			for i, e := range f.engines {
				a := e.Ask(&runtime.Query{Text: text, Limit: pageSize, Facets: true})
				a.countFacets()
				if i == 0 {
					first = a
				}
				if err := agree(&first, &a); err != nil || a.Total == 0 {
					t.Errorf("%s, %s, %q: %d hits, %v", f.names[i], class, text, a.Total, err)
				}
			}
		}
	}
}

// answerAnyText checks that no text causes an error in a query language.
func (f *field) answerAnyText(t *testing.T) {
	for name, e := range f.own {
		for _, text := range []string{
			``, ` `, `"`, `'`, `*`, `-`, `- x`, `a"b`, `a'b*`, `AND`, `a OR`, `NEAR(a b)`, `name_de:x`, `(a`, `a & | b`, `\`,
			`%`, `^a`, `a:*`, `é`, `漢字`, `a b c`,
		} {
			if err := (&Worker{engine: e}).Ask(&Block{Questions: []runtime.Query{{Text: text}}}, new([]reply)); err != nil {
				t.Errorf("%s: %q: %v", name, text, err)
			}
		}
	}
}

// findByOwnAnalysers checks that a set-up uses the tokenizers, stems and trigrams in its name.
func (f *field) findByOwnAnalysers(t *testing.T) {
	label := f.products[0].Labels.In("de")
	long := slices.MaxFunc(strings.Fields(label), func(a, b string) int { return len(a) - len(b) })
	upper, short, wrong := strings.ToUpper(label), strings.Replace(label, long, long[:len(long)-2], 1),
		strings.Replace(label, long, long[:3]+long[4:], 1)
	for _, test := range []struct {
		rule, text string
		engines    []string
	}{
		{"a name", label, slices.Collect(maps.Keys(f.own))},
		{"a name in capitals", upper, slices.Collect(maps.Keys(f.own))},
		{"a name with the end of a word missing", short, []string{"SQLite FTS5, trigram", "PostgreSQL, pg_trgm",
			"Bleve, de and en, fuzzy"}},
		{"a name with a letter missing", wrong, []string{"PostgreSQL, pg_trgm", "Bleve, de and en, fuzzy"}},
	} {
		for _, name := range test.engines {
			e, ok := f.own[name]
			if !ok {
				continue // the engine is not installed
			}
			if a := e.Ask(&runtime.Query{Text: test.text}); !slices.Contains(a.IDs, f.products[0].ID) {
				t.Errorf("%s: %s, %q: found %q", name, test.rule, test.text, a.IDs)
			}
		}
	}
}

func TestShortened(t *testing.T) {
	for _, test := range []struct {
		rule    string
		word    string
		without int
		want    []string
	}{
		{"the word is a result", "wand", 0, []string{"wand"}},
		{"each letter can be missing", "wand", 1, []string{"and", "wad", "wan", "wand", "wnd"}},
		{"there are no duplicates", "aab", 2, []string{"a", "aa", "aab", "ab", "b"}},
	} {
		if got := shortened(test.word, test.without); !slices.Equal(got, test.want) {
			t.Errorf("%s: %q without %d letters is %q, want %q", test.rule, test.word, test.without, got, test.want)
		}
	}
}
