package dataset

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestInputsReportSkippedFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, name := range []string{"in/a.json", "in/.hidden.json", "in/.git/x.json", "in/.git/y.json", "in/table.csv",
		"in/sub/t.TSV.gz", "in/t.xlsx", "in/notes.txt", "beside.csv"} {
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	inputs, got, err := Inputs([]string{"in"}, nil)
	if err != nil || len(inputs) != 1 {
		t.Fatalf("%d inputs, %v", len(inputs), err)
	}
	want := []string{
		`"in/.git": hidden: the name begins with a dot`,
		`"in/.hidden.json": hidden: the name begins with a dot`,
		`"in/notes.txt": the name does not end in .json, .ndjson or .jsonl`,
		`"in/sub/t.TSV.gz": a table: add --tables to read tables in folders, or name the file as an input`,
		`"in/t.xlsx": a table: add --tables to read tables in folders, or name the file as an input`,
		`"in/table.csv": a table: add --tables to read tables in folders, or name the file as an input`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if _, got, err := Inputs([]string{"in/.hidden.json", "in/notes.txt"}, nil); err != nil || got != nil {
		t.Errorf("named files: skipped %q, %v", got, err)
	}
}

func TestTablesOfFolders(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"in/a.json", "in/sub/t.csv", "in/u.csv", "in/.v.csv", "tables/t.xls"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	const hidden = `: hidden: the name begins with a dot`
	const way = `: a table: add --tables to read tables in folders, or name the file as an input`
	tests := []struct {
		rule      string
		selection Selection
		args      []string
		inputs    string
		skipped   []string
		fault     string
	}{
		{"a table of a folder is skipped with a hint", Selection{}, []string{"in"},
			"in/a.json", []string{`"in/.v.csv"` + hidden, `"in/sub/t.csv"` + way, `"in/u.csv"` + way}, ""},
		{"a table that is also named is not skipped", Selection{}, []string{"in", "in/sub/../u.csv", "./in/.v.csv"},
			"in/a.json in/sub/../u.csv ./in/.v.csv", []string{`"in/sub/t.csv"` + way}, ""},
		{"with Tables, all tables are inputs", Selection{Tables: true}, []string{"in"},
			"in/a.json in/sub/t.csv in/u.csv", []string{`"in/.v.csv"` + hidden}, ""},
		{"a table in two folders, or named twice, is one input", Selection{Tables: true},
			[]string{"in/sub/t.csv", "in/sub", "in", "in/u.csv", "in/u.csv"},
			"in/sub/t.csv in/a.json in/u.csv", []string{`"in/.v.csv"` + hidden}, ""},
		{"a file with another use is not an input of a folder",
			Selection{Tables: true, Except: []string{"in/u.csv", "in/a.json"}}, []string{"in"},
			"in/sub/t.csv", []string{`"in/.v.csv"` + hidden}, ""},
		{"a folder that contains only tables, without Tables", Selection{}, []string{"tables"},
			"", []string{`"tables/t.xls"` + way},
			`tables: no .json, .ndjson or .jsonl file in this folder; skipped 1 entries, the first is "tables/t.xls"` + way},
		{"a folder that contains only tables", Selection{Tables: true}, []string{"tables"}, "tables/t.xls", nil, ""},
		{"a folder of tables that are named", Selection{}, []string{"tables", "tables/t.xls"}, "tables/t.xls", nil, ""},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			inputs, skipped, err := test.selection.Inputs(test.args, nil)
			var names []string
			for _, in := range inputs {
				names = append(names, in.Name)
			}
			if got := strings.Join(names, " "); got != test.inputs || !slices.Equal(skipped, test.skipped) {
				t.Errorf("got  %s, %q\nwant %s, %q", got, skipped, test.inputs, test.skipped)
			}
			if got := fmt.Sprint(err); err != nil && got != test.fault || err == nil && test.fault != "" {
				t.Errorf("got %v, want %q", err, test.fault)
			}
		})
	}
}

// TestSynonymsNextToInputs checks that synonym files are found in the same locations as vocabularies.
func TestSynonymsNextToInputs(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"in/a.json", "in/b.ndjson", "in/synonyms.txt", "in/sub/synonyms.txt.gz",
		"in/words.txt"} {
		if err := errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, nil, 0o600)); err != nil {
			t.Fatal(err)
		}
	}
	tests := []struct {
		rule      string
		selection Selection
		args      []string
		inputs    string
	}{
		{"files of a folder", Selection{}, []string{"in"},
			"in/a.json in/b.ndjson in/sub/synonyms.txt.gz in/synonyms.txt"},
		{"a file next to several files, once", Selection{}, []string{"in/a.json", "in/b.ndjson"},
			"in/synonyms.txt in/a.json in/b.ndjson"},
		{"a named file", Selection{}, []string{"in/synonyms.txt", "in/a.json"}, "in/synonyms.txt in/a.json"},
		{"not a file with another use", Selection{Except: []string{"./in/synonyms.txt"}}, []string{"in/a.json"},
			"in/a.json"},
	}
	for _, test := range tests {
		inputs, _, err := test.selection.Inputs(test.args, nil)
		var names []string
		for _, in := range inputs {
			names = append(names, in.Name)
		}
		if got := strings.Join(names, " "); got != test.inputs || err != nil {
			t.Errorf("%s: got %s, %v, want %s", test.rule, got, err, test.inputs)
		}
	}
}

// TestInputsAreFiles would hang if it opened a pipe, because the pipe has no writer.
func TestInputsAreFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, dir := range []string{"piped", "socketed", "linked", "beside"} {
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for _, path := range []string{"fifo", "piped/feed.ndjson", "beside/vocabulary.json"} {
		if err := syscall.Mkfifo(path, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	listener, err := net.Listen("unix", "socketed/a.json")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	if err := os.Symlink("../fifo", "linked/a.json"); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile("beside/a.json", nil, 0o600); err != nil {
		t.Fatal(err)
	}
	tests := []struct{ arg, want string }{
		{"fifo", "fifo is a pipe"},
		{"piped", "piped/feed.ndjson is a pipe"},
		{"piped/feed.ndjson", "piped/feed.ndjson is a pipe"},
		{"linked", "linked/a.json is a pipe"},
		{"beside/a.json", "beside/vocabulary.json is a pipe"},
		{"socketed", "socketed/a.json is a socket"},
		{"socketed/a.json", "socketed/a.json is a socket"},
		{os.DevNull, os.DevNull + " is a device"},
	}
	for _, test := range tests {
		want := test.want + ", but a regular file is required; " +
			"standard input (-) is accepted only as an INPUT argument"
		if _, _, err := Inputs([]string{test.arg}, nil); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", test.arg, err, want)
		}
	}
}

func TestFileReplacedByPipe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.json")
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	inputs, _, err := Inputs([]string{path}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mkfifo(path, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := inputs[0].Open(); err == nil || !strings.Contains(err.Error(), "is a pipe, but") {
		t.Errorf("got %v", err)
	}
}

func TestInaccessibleVocabulary(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "vocabulary.json")
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "c.ndjson"), nil, 0o600), os.Symlink(path, path)); err != nil {
		t.Fatal(err)
	}
	if inputs, _, err := Inputs([]string{filepath.Join(dir, "c.ndjson")}, nil); err == nil ||
		!strings.Contains(err.Error(), path) {
		t.Errorf("got %d inputs, %v, want an error about the link to itself", len(inputs), err)
	}
}
