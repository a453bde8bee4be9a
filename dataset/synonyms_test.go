package dataset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"sabine/dataset/product"
)

// synonymsOf returns the groups in a synonym file as "from|from>to|to", and its errors.
func synonymsOf(name string, text []byte) (groups, faults []string) {
	in := Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }}
	for g, err := range Synonyms(context.Background(), in) {
		if err != nil {
			faults = append(faults, err.Error())
			continue
		}
		groups = append(groups, strings.Join(g.From, "|")+">"+strings.Join(g.To, "|"))
	}
	return groups, faults
}

func TestSynonyms(t *testing.T) {
	tests := []struct {
		rule, text string
		want       []string
	}{
		{"a group is the terms of a line", "Akustiksegel, Deckensegel , ceiling raft",
			[]string{"Akustiksegel|Deckensegel|ceiling raft>"}},
		{"=> leads in one direction", "Wolke => Segel, raft", []string{"Wolke>Segel|raft"}},
		{"from several terms too", "Wolke,cloud=>Segel", []string{"Wolke|cloud>Segel"}},
		{`\, is a comma`, `12\,5 mm, 12.5 mm`, []string{"12,5 mm|12.5 mm>"}},
		{"a comment begins with # at the beginning or after a blank",
			"# Segel, raft\n\t# x\nSegel,raft # what hangs, from above", []string{"Segel|raft>"}},
		{"within a word # is none", "C#1, raft", []string{"C#1|raft>"}},
		{"blank lines, a byte-order mark and the ends of lines of Windows", "\ufeffSegel, raft\r\n\r\n  \r\nFilz, felt\r\n",
			[]string{"Segel|raft>", "Filz|felt>"}},
		{"a file without groups", "# nothing", nil},
	}
	for _, test := range tests {
		if got, faults := synonymsOf("s", []byte(test.text)); !slices.Equal(got, test.want) || faults != nil {
			t.Errorf("%s: got %q, %q, want %q", test.rule, got, faults, test.want)
		}
	}
}

func TestFaultsOfSynonymsNameTheirLine(t *testing.T) {
	const terms = "expected a word or phrase before and after each comma and =>"
	tests := []struct {
		done, text string
		want       []string
	}{
		{"all faults are reported, and valid lines are read", "Segel\nFilz, felt\na =>\na, ,b\n", []string{
			"s.txt:1: expected at least two terms separated by commas, or terms on both sides of =>",
			"s.txt:3: " + terms, "s.txt:4: " + terms}},
		{"nothing before =>", "=> a", []string{"s.txt:1: " + terms}},
		{"a comma at the end", "a, b,", []string{"s.txt:1: " + terms}},
		{"two =>", "a => b => c", []string{"s.txt:1: expected at most one =>"}},
		{"a backslash", `a\b, c`, []string{`s.txt:1: expected a comma after the backslash: \, is a comma within a term`}},
		{"no UTF-8", "a, b\nS\xe4ule, pillar", []string{"s.txt:2: expected UTF-8"}},
		{"a long term", "a, " + strings.Repeat("b", product.MaxNameBytes+1),
			[]string{"s.txt:1: expected a term of at most 1000 bytes"}},
		{"a long line", "a, b\n" + strings.Repeat("c,", maxSynonymLine),
			[]string{"s.txt:2: expected a line of at most 8192 bytes"}},
		{"many lines", strings.Repeat("a, b\n", maxSynonymLines+2), []string{"s.txt:10001: expected at most 10000 lines"}},
		{"truncated compressed data", "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff",
			[]string{"s.txt (byte 0): the compressed data is truncated here"}},
	}
	for _, test := range tests {
		if _, faults := synonymsOf("s.txt", []byte(test.text)); !slices.Equal(faults, test.want) {
			t.Errorf("%s: got %q, want %q", test.done, faults, test.want)
		}
	}
	most := strings.Repeat("a, b\n", maxSynonymLines)
	if groups, faults := synonymsOf("s", []byte(most)); len(groups) != maxSynonymLines {
		t.Errorf("maximum number of lines: %d groups, %q", len(groups), faults)
	}
}

func TestUnreadableSynonymsEndTheSequence(t *testing.T) {
	failed := errors.New("no such disk")
	in := Input{Name: "s", Open: func() (io.ReadCloser, error) { return nil, failed }}
	for _, err := range Synonyms(context.Background(), in) {
		if !errors.Is(err, failed) {
			t.Errorf("got %v, want %v", err, failed)
		}
	}
}

func ExampleSynonyms() {
	in := Input{Name: "synonyms.txt", Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader("Akustiksegel, ceiling raft\nWolke\n")), nil
	}}
	for g, err := range Synonyms(context.Background(), in) {
		fmt.Println(g.From, err)
	}
	// Output:
	// [Akustiksegel ceiling raft] <nil>
	// [] synonyms.txt:2: expected at least two terms separated by commas, or terms on both sides of =>
}

func FuzzSynonyms(f *testing.F) {
	for _, s := range []string{"a, b", `a\, b => c,d`, "# a\n\ufeffa =>", `\`, `\\,`, "=>=>", "a,\x00,b", "a #b,c\n\xff"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		in := Input{Name: "s", Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(text)), nil }}
		line := 0
		for g, err := range Synonyms(context.Background(), in) {
			if err != nil {
				continue
			}
			if g.Place.Line <= line || len(g.From) == 0 || len(g.From)+len(g.To) < 2 {
				t.Fatalf("%q has the group %+v after line %d", text, g, line)
			}
			line = g.Place.Line
			again := ""
			for i, term := range slices.Concat(g.From, g.To) {
				if term == "" || strings.TrimSpace(term) != term || len(term) > product.MaxNameBytes {
					t.Errorf("%q has the term %q", text, term)
				}
				sep := ","
				if i == 0 {
					sep = ""
				} else if i == len(g.From) {
					sep = "=>"
				}
				again += sep + strings.ReplaceAll(term, ",", `\,`)
			}
			if got, _ := parseSynonyms(again); !slices.Equal(got.From, g.From) || !slices.Equal(got.To, g.To) {
				t.Errorf("%q is read as %q, which is read as %q", text, g, got)
			}
		}
	})
}
