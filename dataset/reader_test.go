package dataset

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// textInput returns an input with the given name and text.
func textInput(name, text string) Input {
	return Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}

func gzipped(text string) string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = w.Write([]byte(text))
	_ = w.Close()
	return b.String()
}

func zstded(text string) string {
	w, _ := zstd.NewWriter(nil)
	return string(w.EncodeAll([]byte(text), nil))
}

// readAll returns a string for each item that a reader yields. The string of a record is its place and its
// JSON without white space. The string of a fault begins with "! ".
func readAll(t testing.TB, r *Reader) (got []string) {
	t.Helper()
	ordinal := 0
	for raw, err := range r.Records() {
		var fault *Fault
		switch {
		case errors.As(err, &fault):
			got = append(got, "! "+fault.Error())
			ordinal = max(ordinal, fault.Place.Ordinal+1)
			continue
		case err != nil:
			got = append(got, "!! "+err.Error())
			continue
		}
		if raw.Place.Ordinal < ordinal {
			t.Errorf("%s has the ordinal %d again", raw.Place, raw.Place.Ordinal)
		}
		ordinal = raw.Place.Ordinal + 1
		text := string(raw.JSON)
		var compact bytes.Buffer
		if json.Compact(&compact, raw.JSON) == nil {
			text = compact.String()
		}
		got = append(got, raw.Place.String()+" "+text)
	}
	return got
}

func TestContainerForms(t *testing.T) {
	tests := []struct {
		rule, name, text string
		want             []string
	}{
		{"an array", "a.json", ` [{"id":1}, {"id":[2]} ]` + "\n", []string{`a.json[0] (byte 2) {"id":1}`,
			`a.json[1] (byte 12) {"id":[2]}`}},
		{"an empty array", "a.json", "[ ]", nil},
		{"products", "a.json", `{"page":0,"products":[{"id":1},{"id":2}],"more":[{}]}`,
			[]string{`a.json[0] (byte 22) {"id":1}`, `a.json[1] (byte 31) {"id":2}`}},
		{"items", "a.json", `{"items":[{"id":1}],"missing":["x"]}`, []string{`a.json[0] (byte 10) {"id":1}`}},
		{"no products at all", "a.json", `{"products":[]}`, nil},
		{"one record", "a.json", "\n" + `{"id":1,"images":[{}]} `, []string{`a.json (byte 1) {"id":1,"images":[{}]}`}},
		{"products that are not an array are an unknown field", "a.json", `{"products":1}`, []string{`a.json (byte 0) {"products":1}`}},
		{"NDJSON by name", "a.ndjson", `{"id":1}` + "\r\n\n \t\n" + `  {"id":2}`,
			[]string{`a.ndjson:1 {"id":1}`, `a.ndjson:4 {"id":2}`}},
		{"NDJSON by its other name", "A.JSONL", "[1]\n", []string{`A.JSONL:1 [1]`}},
		{"an empty NDJSON file", "a.ndjson", "", nil},
		{"NDJSON by content", "-", "{\"id\":1}\n{\"id\":2}\n\n{\"id\":3}\n", []string{`-:1 {"id":1}`, `-:2 {"id":2}`,
			`-:4 {"id":3}`}},
		{"documents over several lines", "-", "{\n\"id\":1}\n\n{\"id\":\n2} {\"id\":3}",
			[]string{`-:1 {"id":1}`, `-:4 {"id":2}`, `-:5 {"id":3}`}},
		{"documents in one line", "-", `{"id":1}{"id":2}`, []string{`-:1 {"id":1}`, `-:1 {"id":2}`}},
		{"several pages", "-", `{"items":[{"id":1}]} {"items":[{"id":2}]}`, []string{`-[0] (byte 10) {"id":1}`,
			`-[0] (byte 31) {"id":2}`}},
		{"a byte-order mark", "a.json", "\uFEFF[{}]", []string{`a.json[0] (byte 4) {}`}},
		{"gzip", "a.json.gz", gzipped(`[{}]`), []string{`a.json.gz[0] (byte 1) {}`}},
		{"gzip by content, in two members", "a.ndjson", gzipped("{}\n") + gzipped("{}\n"),
			[]string{`a.ndjson:1 {}`, `a.ndjson:2 {}`}},
		{"zstd", "a.ndjson.zst", zstded("{}\n{}"), []string{`a.ndjson.zst:1 {}`, `a.ndjson.zst:2 {}`}},
		{"zstd by content, in two frames", "-", zstded("{}\n") + zstded("{}"), []string{`-:1 {}`, `-:2 {}`}},
		{"brackets in texts", "a.json", `[{"a":"]}\"{["},{"b":"\\"}]`, []string{`a.json[0] (byte 1) {"a":"]}\"{["}`,
			`a.json[1] (byte 16) {"b":"\\"}`}},
		{"elements that are not records", "a.json", `[1,"x",null,-1.5e3]`, []string{`a.json[0] (byte 1) 1`,
			`a.json[1] (byte 3) "x"`, `a.json[2] (byte 7) null`, `a.json[3] (byte 12) -1.5e3`}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			if got := readAll(t, NewReader([]Input{textInput(test.name, test.text)})); !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
			byteByByte := Input{Name: test.name, Open: func() (io.ReadCloser, error) {
				return io.NopCloser(iotest.OneByteReader(strings.NewReader(test.text))), nil
			}}
			if got := readAll(t, NewReader([]Input{byteByByte})); !slices.Equal(got, test.want) {
				t.Errorf("byte by byte: got  %q\nwant %q", got, test.want)
			}
		})
	}
}

func TestUnknownFieldsOfContainersAreCounted(t *testing.T) {
	r := NewReader([]Input{
		textInput("a.json", `{"page":0,"products":[{"page":1}],"vocabluary":{}}`),
		textInput("b.json", `{"items":[],"vocabulary":{},"page":1}`),
		textInput("c.json", `{"page":2}`), // a record
	})
	readAll(t, r)
	if want := map[string]int{"page": 2, "vocabluary": 1}; !maps.Equal(r.Unknown(), want) {
		t.Errorf("got %v, want %v", r.Unknown(), want)
	}
}

func TestBrokenContainers(t *testing.T) {
	tests := []struct {
		rule, name, text string
		want             []string
	}{
		{"nothing", "a.json", " \n", []string{"! a.json: empty input, expected an array, an object or NDJSON"}},
		{"no JSON", "a.json", "id,name",
			[]string{"! a.json (byte 0): invalid JSON at byte 0: expected an array, an object or NDJSON"}},
		{"an array that does not end", "a.json", `[{"id":1},`, []string{`a.json[0] (byte 1) {"id":1}`,
			"! a.json[1] (byte 10): invalid JSON at byte 10: expected the rest of the value; the rest of the input was not read"}},
		{"an array cut in a record", "a.json", `[{"id":1},{"i`, []string{`a.json[0] (byte 1) {"id":1}`,
			"! a.json[1] (byte 10): invalid JSON at byte 13: expected the rest of the value; the rest of the input was not read"}},
		{"an array without a comma", "a.json", `[{} {}]`, []string{`a.json[0] (byte 1) {}`,
			"! a.json[1] (byte 4): invalid JSON at byte 4: expected a comma or the end of the array; the rest of the input was not read"}},
		{"an array with a comma too many", "a.json", `[{},]`, []string{`a.json[0] (byte 1) {}`,
			"! a.json[1] (byte 4): invalid JSON at byte 4: expected a value; the rest of the input was not read"}},
		{"a broken element ends the array", "a.json", `[{"id":1},{"id":tru} , {"id":2}]`, []string{
			`a.json[0] (byte 1) {"id":1}`,
			"! a.json[1] (byte 10): invalid JSON at byte 19: expected true; the rest of the input was not read"}},
		{"a broken element of a container ends the input", "a.json", `{"items":[{"id":1,}],"x":1} {"id":2}`, []string{
			"! a.json[0] (byte 10): invalid JSON at byte 18: expected a key in quotes; the rest of the input was not read"}},
		{"an invalid number", "a.json", `[{"id":NaN}]`,
			[]string{"! a.json[0] (byte 1): invalid JSON at byte 7: expected a value; the rest of the input was not read"}},
		{"a quote in a text", "a.json", `[{"id":"x"y"},{"id":2}]`, []string{
			"! a.json[0] (byte 1): invalid JSON at byte 10: expected a comma or the end of the object; the rest of the input was not read"}},
		{"more levels than a decoder counts", "a.json", "[" + strings.Repeat("[", 20000), []string{
			"! a.json[0] (byte 1): invalid JSON at byte 10000: expected at most 100 levels of nesting; the rest of the input was not read"}},
		{"text after an array", "a.json", `[{}] {}`, []string{`a.json[0] (byte 1) {}`,
			"! a.json (byte 5): invalid JSON at byte 5: expected the end of the input after the array"}},
		{"brackets of two kinds", "a.json", `[{"a":[1}]`,
			[]string{
				"! a.json[0] (byte 1): invalid JSON at byte 8: expected a comma or the end of the array; the rest of the input was not read"}},
		{"a broken object", "a.json", `{"id":1,}`,
			[]string{"! a.json (byte 8): invalid JSON at byte 8: expected a key in quotes"}},
		{"an object that does not end", "a.json", "{\n  \"id\": 1,\n  \"x\"",
			[]string{"! a.json (byte 18): invalid JSON at byte 18: expected the rest of the value"}},
		{"broken after the records", "a.json", `{"items":[{"id":1}],"n":01}`, []string{`a.json[0] (byte 10) {"id":1}`,
			"! a.json (byte 25): invalid JSON at byte 25: expected a comma or the end of the object"}},
		{"a duplicate key in a container", "a.json", `{"items":[{"id":1}],"items":[]}`, []string{`a.json[0] (byte 10) {"id":1}`,
			"! a.json (byte 0): items: duplicate key"}},
		{"a broken line of NDJSON by content", "-", "{\"id\":1}\n{\"id\":\n{\"id\":3}",
			[]string{`-:1 {"id":1}`, `-:2 {"id":`, `-:3 {"id":3}`}},
		{"a broken first line of NDJSON by content", "-", "{\"id\":\"1}\n{\"id\":2}\nx\n{\"id\":4}", []string{
			"! -:1: invalid JSON at byte 9: expected an escape sequence for the control character", `-:2 {"id":2}`, `-:3 x`,
			`-:4 {"id":4}`}},
		{"a first document that includes other lines", "-", "{\"id\":[\n{\"id\":2}\n{\"id\":3}\n", []string{
			"! -:1: invalid JSON at byte 17: expected a comma or the end of the array", `-:2 {"id":2}`, `-:3 {"id":3}`}},
		{"a broken document among others", "-", "{\n\"id\":1}\n{\n\"id\":}\n{\"id\":3}\n", []string{
			`-:1 {"id":1}`, "! -:3: invalid JSON at byte 17: expected a value", `-:5 {"id":3}`}},
		{"a line that is not a document", "-", "{\n}\nx\ny\n{}",
			[]string{`-:1 {}`, "! -:3: invalid JSON at byte 4: expected an object", `-:5 {}`}},
		{"a gzip name without gzip", "a.json.gz", "[{}]", []string{"! a.json.gz: not gzip data, although the name ends in .gz"}},
		{"a zstd name without zstd", "a.json.zst", "", []string{"! a.json.zst: not zstd data, although the name ends in .zst"}},
		{"a gzip header cut off", "a.json", "\x1f\x8b\x08",
			[]string{"! a.json (byte 0): the compressed data is truncated here"}},
		{"gzip with trailing garbage", "a.ndjson.gz", gzipped("{}\n") + "more than gzip",
			[]string{`a.ndjson.gz:1 {}`, "! a.ndjson.gz (byte 3): the compressed data is damaged: gzip: invalid header"}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			inputs := []Input{textInput(test.name, test.text), textInput("next.ndjson", "{}")}
			want := append(slices.Clone(test.want), "next.ndjson:1 {}")
			if got := readAll(t, NewReader(inputs)); !slices.Equal(got, want) {
				t.Errorf("got  %q\nwant %q", got, want)
			}
		})
	}
}

// catalogueText returns a text that is long enough for several reads and compressed blocks.
func catalogueText(records int) string {
	var b strings.Builder
	for i := range records {
		fmt.Fprintf(&b, `{"id":%d,"description":"%x"}`+"\n", i, i*i*7919)
	}
	return b.String()
}

func TestTruncatedCompressionIsAFault(t *testing.T) {
	const records = 300
	for name, whole := range map[string]string{"a.ndjson.gz": gzipped(catalogueText(records)),
		"a.ndjson.zst": zstded(catalogueText(records))} {
		t.Run(name, func(t *testing.T) {
			for cut := range len(whole) {
				got := readAll(t, NewReader([]Input{textInput(name, whole[:cut])}))
				if len(got) == 0 || !strings.HasPrefix(got[len(got)-1], "! "+name) {
					t.Fatalf("cut to %d of %d bytes: %d texts, the last %q", cut, len(whole), len(got), got[max(len(got)-1, 0):])
				}
				for _, record := range got[:len(got)-1] {
					if !strings.HasSuffix(record, "}") {
						t.Fatalf("cut to %d of %d bytes: %q is not whole", cut, len(whole), record)
					}
				}
			}
			if got := readAll(t, NewReader([]Input{textInput(name, whole)})); len(got) != records {
				t.Errorf("uncut: %d records", len(got))
			}
		})
	}
}

func TestRecordsAreYieldedBeforeTheInputEnds(t *testing.T) {
	for name, text := range map[string]string{"a.ndjson": "{\"id\":1}\n", "a.json": `[{"id":1},`,
		"b.json": `{"items":[{"id":1},`} {
		r, w := io.Pipe()
		go func() { _, _ = w.Write([]byte(text)) }()
		for raw, err := range NewReader([]Input{{Name: name, Open: func() (io.ReadCloser, error) {
			return r, nil
		}}}).Records() {
			if err != nil || string(raw.JSON) != `{"id":1}` {
				t.Errorf("%s: %q, %v", name, raw.JSON, err)
			}
			break
		}
		if _, err := w.Write(nil); !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("%s: the input was not closed: %v", name, err)
		}
	}
}

func TestRecordsOver16MiB(t *testing.T) {
	filler := strings.Repeat("x", maxRecordBytes)
	exact := `{"a":"` + filler[:maxRecordBytes-8] + `"}`
	over := `{"a":"` + filler[:maxRecordBytes-7] + `"}`
	tests := []struct {
		rule, name, text string
		want             []string // "" is a record
	}{
		{"a line", "a.ndjson", exact + "\n" + over + "\n{}\n", []string{"", "! a.ndjson:2: " + errTooLong.Error(), ""}},
		{"an element", "a.json", "[" + exact + ",\n" + exact + "," + over + ",{}]",
			[]string{"", "", "! a.json[2] (byte 33554436): " + errTooLong.Error() + "; the rest of the input was not read"}},
		{"white space between elements", "a.json", "[{}," + strings.Repeat(" ", 2*maxRecordBytes) + "{}]",
			[]string{"", "! a.json[1] (byte 16777219): " + errTooLong.Error() + "; the rest of the input was not read"}},
		{"white space after an array", "a.json", "[{}]" + strings.Repeat(" ", 2*maxRecordBytes), []string{""}},
		{"one record", "a.json", over, []string{"! a.json (byte 0): " + errTooLong.Error()}},
		{"a record on its own line", "a.json", over + "\n{}\n{}", []string{"! a.json:1: " + errTooLong.Error(), "", ""}},
		{"a member in addition to the records", "a.json", `{"items":[{}],"x":"` + filler + `"}`,
			[]string{"", "! a.json (byte 0): more than 16 MiB in addition to the records"}},
		{"a vocabulary", "vocabulary.json", over, []string{"! vocabulary.json (byte 0): the vocabulary has more than 16 MiB"}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			var got []string
			for raw, err := range NewReader([]Input{textInput(test.name, test.text)}).Records() {
				text := ""
				if err != nil {
					text = "! " + err.Error()
				} else if len(raw.JSON) > maxRecordBytes {
					text = "a record of more"
				}
				got = append(got, text)
			}
			if !slices.Equal(got, test.want) {
				t.Errorf("got  %q\nwant %q", got, test.want)
			}
		})
	}
}

// A small compressed file can contain gigabytes of spaces. Spaces before a record are not retained. Spaces
// within a record are moved in memory at most once, even if a decompressor returns little at a time.
func TestSpacesAreCheap(t *testing.T) {
	blanks := strings.Repeat(" ", 3*maxRecordBytes)
	want := []string{"a.ndjson:1 {}", "a.ndjson:4 {}"}
	if got := readAll(t, NewReader([]Input{textInput("a.ndjson", "{}\n"+blanks+"\n \n"+blanks+"{}\n")})); !slices.Equal(
		got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	text := "{" + strings.Repeat(" ", 8*windowSize)
	w := newWindow(io.MultiReader(strings.NewReader("\n{"), iotest.OneByteReader(strings.NewReader(text[1:]))))
	w.peek()
	w.pos++
	w.setMark()
	for w.pos++; w.more(); w.pos++ {
		if w.pos < windowSize-1 && w.mark != 1 {
			t.Fatalf("moved although there is space after %d bytes", w.pos)
		}
	}
	if string(w.text()) != text {
		t.Errorf("retained %d of %d bytes", len(w.text()), len(text))
	}
}

func TestUnreadableInputEndsTheSequence(t *testing.T) {
	gone := errors.New("the disk is gone")
	for name, open := range map[string]func() (io.ReadCloser, error){
		"opened": func() (io.ReadCloser, error) { return nil, gone },
		"read":   func() (io.ReadCloser, error) { return io.NopCloser(iotest.ErrReader(gone)), nil },
		"read on": func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader(`[{},`), iotest.ErrReader(gone))), nil
		},
		"decompressed": func() (io.ReadCloser, error) {
			return io.NopCloser(io.MultiReader(strings.NewReader(gzipped(catalogueText(99))[:100]), iotest.ErrReader(gone))), nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			var last error
			for _, err := range NewReader([]Input{{Name: "a.json", Open: open}, textInput("b.ndjson", "{}")}).Records() {
				last = err
			}
			if !errors.Is(last, gone) {
				t.Errorf("the last error is %v", last)
			}
		})
	}
}

// The decompressor can already have the rest of the input, so the context must end the decompressed text.
func TestReadingEndsWithItsContext(t *testing.T) {
	blanks := strings.Repeat("\n", 4*windowSize)
	for name, text := range map[string]string{
		"a.ndjson.zst": zstded("{}\n" + blanks + "{}\n"),
		"a.json.gz":    gzipped("[{}," + blanks + "{}]"),
		"a.json":       `{"items":[{}` + blanks + `,{}]}`,
	} {
		t.Run(name, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			r := NewReader([]Input{textInput(name, text), textInput("b.ndjson", "{}")})
			r.Context = ctx
			var errs []error
			for _, err := range r.Records() {
				errs = append(errs, err)
				cancel()
			}
			if len(errs) != 2 || errs[0] != nil || !errors.Is(errs[1], context.Canceled) {
				t.Errorf("%v, want one record and %v", errs, context.Canceled)
			}
		})
	}
}

func TestInputs(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{
		"b.json", "a.ndjson.gz", "notes.txt", "sub/c.jsonl", "sub/vocabulary.json", "d.json.zst", "dump.gz", "photos.tar.gz",
		".hidden.json", ".git/x.json", "lone/e.txt",
		"beside/f.txt", "beside/g.json", "beside/vocabulary.json.gz",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink(filepath.Join(dir, "b.json"), filepath.Join(dir, "sub", "link.json")); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		rule string
		args []string
		want string
	}{
		{"a folder in name order, with its subfolders", []string{"."},
			"a.ndjson.gz b.json beside/g.json beside/vocabulary.json.gz d.json.zst dump.gz sub/c.jsonl sub/link.json " +
				"sub/vocabulary.json"},
		{"a named file of any name", []string{"notes.txt"}, "notes.txt"},
		{"the vocabulary next to a named file, once", []string{"beside/f.txt", "beside/g.json", "beside/vocabulary.json.gz"},
			"beside/vocabulary.json.gz beside/f.txt beside/g.json"},
		{"a vocabulary alone", []string{"sub/vocabulary.json"}, "sub/vocabulary.json"},
		{"standard input", []string{"b.json", "-"}, "b.json -"},
		{"standard input twice", []string{"-", "-"}, `error: "-": standard input can be read only once`},
		{"a missing file", []string{"none.json"}, "error: stat none.json: no such file or directory"},
		{"a folder without a catalogue", []string{"lone"},
			`error: lone: no .json, .ndjson or .jsonl file in this folder; skipped 1 entries, the first is "lone/e.txt": the name does not end in .json, .ndjson or .jsonl`},
	}
	t.Chdir(dir)
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			inputs, _, err := Inputs(test.args, strings.NewReader("[]"))
			var names []string
			for _, in := range inputs {
				names = append(names, filepath.ToSlash(in.Name))
				r, err := in.Open()
				if err != nil {
					t.Fatal(err)
				}
				_ = r.Close()
			}
			got := strings.Join(names, " ")
			if err != nil {
				got = "error: " + err.Error()
			}
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
	if err := os.Symlink(filepath.Join(dir, "sub"), filepath.Join(dir, "lone", "loop")); err != nil {
		t.Fatal(err)
	}
	if _, _, err := Inputs([]string{"lone"}, nil); err == nil ||
		!strings.Contains(err.Error(), "links to folders are not followed") {
		t.Errorf("a link to a folder: %v", err)
	}
}

func TestInspectAgreesWithEncodingJSON(t *testing.T) {
	for _, text := range jsonSeeds {
		compareWithEncodingJSON(t, []byte(text))
	}
}

// jsonSeeds are edge cases of JSON.
var jsonSeeds = []string{
	``, ` `, `{}`, `[]`, `null`, `true`, `tru`, `nulll`, `"x"`, `"x`, `"\u00e4"`, `"\u00g4"`, `"\ud834\udd1e"`,
	`"\ud834"`, `"\x"`, `"\`, "\"\n\"", `0`, `-`, `-0`, `01`, `1.`,
	`.5`, `1e`, `1e+`, `1e5`, `1E-5`, `+1`, `{"a":1,}`, `{"a" 1}`, `{"a":}`, `{a:1}`, `{,}`, `[1,]`, `[,1]`, `[1 2]`,
	`{"a":1}}`, `[[[]]]`, `{"a":{"b":[1,{"c":null}]}}`, "\xff", "\"\xff\"", `[1}`, "\u00a0[]",
	`{"a":1,"a":2}`, `{"a":1,"\u0061":2}`, `1e999`, `[0.1e400]`,
}

// compareWithEncodingJSON verifies that Inspect and encoding/json agree on which texts are valid JSON.
// Inspect also finds other faults.
func compareWithEncodingJSON(t *testing.T, text []byte) {
	t.Helper()
	got := Inspect(text)
	valid := json.Valid(text)
	deep := slices.ContainsFunc(got.Faults, func(f Fault) bool {
		return strings.HasPrefix(f.Problem, "more than 100 levels")
	})
	if !deep && valid != (got.Expected == "") {
		t.Errorf("Inspect(%q) = %+v; json.Valid %t", text, got, valid)
	}
	if whole := got.End == len(text); got.End < 0 || got.End > len(text) || !whole && got.Expected == "" && !deep {
		t.Errorf("Inspect(%q) ends at byte %d", text, got.End)
	}
	if got.Expected == "" && !deep && utf8.Valid(text) {
		return
	}
	if len(got.Faults) == 0 && got.Expected == "" {
		t.Errorf("Inspect(%q) finds nothing", text)
	}
}

func TestTextThatIsNotJSONIsATable(t *testing.T) {
	for text, want := range map[string]string{
		"name;125\n": "table \"name;125\\n\"",
		"\uFEFF\n\n " + strings.Repeat("x", windowSize): "table \"\\ufeff\\n\\n x",
		gzipped("PK"):      "table \"PK\"",
		"\n [{\"id\":1}]":  `{"id":1}`,
		"\uFEFF{\"id\":1}": `{"id":1}`,
		" ":                "fault -: empty input, expected an array, an object or NDJSON",
	} {
		in := Input{Name: "-", Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
		in.Convert = func(c *Conversion) error {
			r, err := OpenText(c.Context, c.Tables[0])
			if err != nil {
				return err
			}
			defer r.Close()
			whole, err := io.ReadAll(r)
			c.Yield(Raw{JSON: fmt.Appendf(nil, "table %q", whole)}, nil)
			return err
		}
		var got string
		for raw, err := range NewReader([]Input{in}).Records() {
			if got = string(raw.JSON); err != nil {
				got = "fault " + err.Error()
			}
		}
		if !strings.HasPrefix(got, want) || len(got) < len(text) && strings.Contains(text, "xxx") {
			t.Errorf("%.20q: got %.80q, want %q", text, got, want)
		}
	}
}

func FuzzInspect(f *testing.F) {
	for _, text := range jsonSeeds {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) { compareWithEncodingJSON(t, text) })
}

func FuzzReader(f *testing.F) {
	for _, text := range jsonSeeds {
		f.Add("a.json", []byte(text))
	}
	f.Add("-", []byte("{\"id\":1}\n{\"id\":\n{\"id\":3}"))
	f.Add("a.ndjson.gz", []byte(gzipped("{}\n")))
	f.Add("-", []byte(zstded("[{},{}]")))
	f.Add("vocabulary.json", []byte(`{"material_category":{"a":{"de":"A","synonyms":["b"]}}}`))
	f.Add("a.json", []byte(`{"vocabulary":{"material_category":{}},"items":[{"id":1},{"id":2}]}`))
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		if len(text) > 1<<16 {
			return
		}
		whole := readAll(t, NewReader([]Input{textInput(name, string(text))}))
		pieces := Input{Name: name, Open: func() (io.ReadCloser, error) {
			return io.NopCloser(iotest.OneByteReader(bytes.NewReader(text))), nil
		}}
		if got := readAll(t, NewReader([]Input{pieces})); !slices.Equal(got, whole) {
			t.Errorf("byte by byte: %q\nat once: %q", got, whole)
		}
	})
}
