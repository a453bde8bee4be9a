package export

import (
	"encoding/csv"
	"strings"
	"testing"
)

// FuzzText writes two texts into a row and reads them back. Apart from a leading apostrophe, they must be
// unchanged, and neither may be a formula.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "a,b;c", "=1", "'", "''", "\"", "\r=", "\t", "\n", "a\r\nb", "-0.5", "\ufeff", "\x00",
		"+\"'", "＝1", "'＋1"} {
		f.Add(s, "=b", true)
		f.Add("a", s, false)
	}
	f.Fuzz(func(t *testing.T, a, b string, semicolon bool) {
		table := &csvTable{pieces: &pieces{}, separator: ','}
		if semicolon {
			table.separator = ';'
		}
		table.text(a)
		table.text(b)
		table.endRow()
		rows := csv.NewReader(strings.NewReader(string(table.b)))
		rows.Comma = rune(table.separator)
		cells, err := rows.ReadAll()
		if err != nil || len(cells) != 1 || len(cells[0]) != 2 {
			t.Fatalf("%q: %q, %v", table.b, cells, err)
		}
		for i, want := range []string{a, b} {
			want = strings.ReplaceAll(want, "\r\n", "\n") // encoding/csv makes the same change
			cell := cells[0][i]
			if cell != "" && strings.ContainsAny(cell[:1], "=+-@\t\r") {
				t.Errorf("%q is a formula", cell)
			}
			if got := strings.TrimPrefix(cell, "'"); got != want {
				t.Errorf("%q: got %q, want %q", table.b, got, want)
			}
		}
	})
}

// FuzzCATT checks that names and texts contain only characters that CATT readers can read.
func FuzzCATT(f *testing.F) {
	for _, s := range []string{"", "slug--abs-1", "ä b:\n", "= <1 2>", "\u0085"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if name := cattName(s); strings.ContainsAny(name, " \t\r\n:;<>=") || strings.ToValidUTF8(name, "") != name {
			t.Errorf("the name %q", name)
		}
		if text := cattText(s); strings.ContainsAny(text, "\r\n:\x00") {
			t.Errorf("the text %q", text)
		}
	})
}
