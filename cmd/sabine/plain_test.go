package main_test

import (
	"path/filepath"
	"strings"
	"testing"
	"unicode"
)

// hostile clears the screen, rings the bell, sets the title with a C1 code, forges a row and reverses the
// order of letters.
const hostile = "Absorber\x1b[2J\a\u009d0;x\u009c\r\n0.95\tgefälscht\u202egnulläf\u2066\u200f\u2028\x7f Straße"

// escaped is hostile in the program's output.
const escaped = `Absorber\x1b[2J\a\u009d0;x\u009c\r\n0.95\tgefälscht\u202egnulläf\u2066\u200f\u2028\x7f Straße`

// TestControlCharactersAreEscaped checks that commands print catalogue strings without control characters.
func TestControlCharactersAreEscaped(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	build := func(label string) string {
		writeFile(t, filepath.Join(dir, "c.json"),
			`{"vocabulary":{"material_category":{"textil":{},"a\u001b[2J":{}}},"products":[`+record(t, map[string]any{
				"id": "10000000-0000-4000-8000-000000000001", "slug": "absorber", "label": label, "manufacturer": hostile,
				"commercial_name": hostile,
				"description":     hostile, "structured_meta": map[string]any{hostile: hostile}, "material_category": "textil",
				"measurements": map[string]any{"absorption": []any{map[string]any{
					"label": hostile, "source_norm": hostile, "source_kind": "measured", "alpha_s_octave": map[string]any{"500": 0.5},
				}}},
			})+`]}`)
		must(t, dir, "build", "c.json")
		return filepath.Join("snapshots", current(t, dir))
	}
	before, after := build("Vorher"), build(hostile)
	createKey(t, dir, hostile)
	tests := []struct {
		rule  string
		args  []string
		shown string
	}{
		{"search", []string{"search", "--facets"}, escaped},
		{"search --explain", []string{"search", "absorber", "--explain"}, escaped},
		{"show", []string{"show", "absorber"}, escaped},
		{"inspect", []string{"inspect"}, `a\x1b[2J`},
		{"diff", []string{"diff", before, after}, escaped},
		{"keys list", []string{"keys", "list"}, escaped},
		{"a message", []string{"search", "--category", "beton"}, `a\x1b[2J`},
		{"a message about an argument", []string{"show", hostile}, `Absorber\x1b[2J`},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			r := sabine(t, dir, test.args...)
			if text := r.out + r.err; !strings.Contains(text, test.shown) {
				t.Errorf("it lacks %q:\n%q", test.shown, text)
			}
			for _, c := range strings.ReplaceAll(r.out+r.err, "\n", "") {
				if unicode.IsControl(c) || unicode.In(c, unicode.Zl, unicode.Zp, unicode.Bidi_Control) {
					t.Errorf("%q is not escaped:\n%q", c, r.out+r.err)
				}
			}
		})
	}
	t.Run("a description keeps its lines", func(t *testing.T) {
		if got := must(t, dir, "show", "absorber"); !strings.Contains(got, "\n0.95\\tgefälscht") {
			t.Errorf("got %q", got)
		}
	})
	t.Run("JSON has its own escapes", func(t *testing.T) {
		for _, args := range [][]string{{"search", "--json"}, {"show", "absorber", "--json"}} {
			if got := must(t, dir, args...); !strings.Contains(got, `\u001b[2J`) || strings.ContainsAny(got, "\x1b\a\t") {
				t.Errorf("%s: got %q", args[0], got)
			}
		}
	})
}
