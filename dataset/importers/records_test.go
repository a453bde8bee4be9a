package importers

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"sabine/dataset"
)

// aRecord returns a record whose id and label contain the given number.
func aRecord(number int, fields string) string {
	return fmt.Sprintf(`{"id":"00000000-0000-4000-8000-%012d","label":"L%d","manufacturer":"M"%s}`, number, number, fields)
}

func textInput(name, text string) dataset.Input {
	return dataset.Input{Name: name, Open: func() (io.ReadCloser, error) {
		return io.NopCloser(strings.NewReader(text)), nil
	}}
}

func TestRecordsSkipsRecordsThatABuildWouldRefuse(t *testing.T) {
	lines := []string{
		aRecord(1,
			`,"measurements":{"absorption_iso_354":[{"source_kind":"measured"},{"source_kind":"measured"}],"scatter_iso_17497_1":[{"source_kind":"measured"}]}`),
		aRecord(2, `,"slug":"X"`),
		aRecord(1, ``),
		`{`,
		aRecord(3, `,"has_epd":true,"absorption_octave":{"500":0.5}`),
	}
	var out bytes.Buffer
	s, err := Records(t.Context(), &out, []dataset.Input{textInput("a.ndjson", strings.Join(lines, "\n"))}, false)
	if err != nil {
		t.Fatal(err)
	}
	if want := lines[0] + "\n" + lines[4] + "\n"; out.String() != want {
		t.Errorf("got  %swant %s", out.String(), want)
	}
	if s.Products != 2 || s.Entries != (Entries{Absorption: 2, Scatter: 1, Practical: 1}) {
		t.Errorf("got %+v", s)
	}
	const id = "00000000-0000-4000-8000-00000000000"
	want := `3 faults; faulty products were left out, 2 products remaining:
  a.ndjson:2: product ` + id + `2: slug: expected a slug`
	others := "\n  a.ndjson:3: product " + id + "1: id: duplicate id, first used in a.ndjson:1\n" +
		"  a.ndjson:4: invalid JSON"
	if got := s.Err("").Error(); !strings.HasPrefix(got, want) || !strings.Contains(got, others) {
		t.Errorf("got %s", got)
	}
	want = "a.ndjson:5: product " + id + "3: has_epd: true without an epd_url"
	if got := s.Warnings.Lines(""); !slices.Equal(got, []string{want}) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func TestRecordsKeepTheirOrder(t *testing.T) {
	var in, out bytes.Buffer
	for i := range 10*batchItems + 1 {
		in.WriteString(aRecord(i, "") + "\n")
	}
	s, err := Records(t.Context(), &out, []dataset.Input{textInput("a.ndjson", in.String())}, false)
	if err != nil || s.Err("") != nil || out.String() != in.String() {
		t.Errorf("%v, %v", s, err)
	}
}

// TestRecordsInProgressAreLimitedByBytes checks the limit by bytes, because a limit by number alone would
// allow gigabytes.
func TestRecordsInProgressAreLimitedByBytes(t *testing.T) {
	long := `,"description":"` + strings.Repeat("x", batchBytes) + `"`
	records := dataset.NewReader([]dataset.Input{textInput("a.ndjson", aRecord(1, long)+"\n"+aRecord(2, long)+"\n"+
		aRecord(3, "")+"\n"+aRecord(4, ""))})
	queue := make(chan chan []item, 10)
	if err := feed(t.Context(), records.Records(), queue); err != nil {
		t.Fatal(err)
	}
	close(queue)
	var sizes []int
	for batch := range queue {
		sizes = append(sizes, len(<-batch))
	}
	if want := []int{1, 1, 2}; !slices.Equal(sizes, want) {
		t.Errorf("batches of %v, want %v", sizes, want)
	}
}

func TestTheFirstKindsOfFindingsAreListed(t *testing.T) {
	convert := func(c *dataset.Conversion) error {
		for i := range maxKinds + 2 {
			c.Yield(dataset.Raw{JSON: []byte(aRecord(i, `,"slug":"X","has_epd":true`))}, nil)
		}
		c.Warn(dataset.Fault{Problem: "about the table"})
		return nil
	}
	in := []dataset.Input{{Name: "t", Convert: convert, Tables: make([]dataset.Input, 1)}}
	for _, whole := range []bool{false, true} {
		s, err := Records(t.Context(), io.Discard, in, whole)
		if err != nil {
			t.Fatal(err)
		}
		f, w := s.Faults, s.Warnings
		if f.Total != maxKinds+2 || len(f.Kinds) != f.Total || w.Total != maxKinds+3 || len(w.Kinds) != w.Total {
			t.Errorf("got %+v\nand %+v", f, w)
		}
		if w.Kinds[0].Problem != "about the table" || whole && w.All[0].Problem != "about the table" {
			t.Errorf("what is about the tables does not come first: %+v", w)
		}
		if len(f.All) > 0 != whole || whole && (len(f.All) != f.Total || len(w.All) != w.Total) {
			t.Errorf("one by one, %v: got %+v\nand %+v", whole, f.All, w.All)
		}
		for report, rest := range map[string]string{"": "; --report FILE lists them all", "r.json": ", all in r.json"} {
			want := "and 2 more kinds" + rest
			text := s.Err(report).Error()
			if strings.Count(text, "\n") != maxKinds+1 || !strings.HasSuffix(text, "\n  "+want) {
				t.Errorf("got %s\nwant %s", text, want)
			}
		}
	}
}

func TestAKindOfFindingsIsOneLine(t *testing.T) {
	in := func(cell, path, problem string) dataset.Fault {
		return dataset.Fault{Place: dataset.Place{Input: "t.xlsx", Cell: cell, Index: -1, Offset: -1}, Record: cell,
			Path: path, Problem: problem}
	}
	f := newFindings(true)
	for _, row := range []int{12, 7, 8, 30, 9, 10, 7} {
		f.add(in(fmt.Sprintf("Liste!D%d", row), "125 Hz", fmt.Sprintf("at most 2, got %d,5", row)))
	}
	f.add(in("Liste!E7", "250 Hz", "at most 2, got 8"), in("Preise!D7", "125 Hz", "at most 2, got 8"),
		in("Liste!D3", "125 Hz", "no number"))
	for row := 11; row > 0; row-- {
		f.add(in(fmt.Sprintf("A%d", row), "", "x"))
	}
	want := []string{
		"t.xlsx[Liste!D7]: 125 Hz: at most 2, got 7,5 (and 6 more like it: D8, D9, D10, D12, D30, …)",
		"t.xlsx[Liste!E7]: 250 Hz: at most 2, got 8",
		"t.xlsx[Preise!D7]: 125 Hz: at most 2, got 8",
		"t.xlsx[Liste!D3]: 125 Hz: no number",
		"t.xlsx[A1]: x (and 10 more like it: A2, A3, A4, A5, A6, A7, A8, A9, A10, …)",
	}
	if got := f.Lines(""); f.Total != 21 || !slices.Equal(got, want) {
		t.Errorf("got  %d, %q\nwant %q", f.Total, got, want)
	}
	const first = `{"path":"125 Hz","problem":"at most 2, got 7,5","count":7,"places":["t.xlsx[Liste!D7]",` +
		`"t.xlsx[Liste!D8]","t.xlsx[Liste!D9]","t.xlsx[Liste!D10]","t.xlsx[Liste!D12]","t.xlsx[Liste!D30]"]}`
	if got, err := json.Marshal(f.Kinds[0]); err != nil || string(got) != first {
		t.Errorf("got  %s, %v\nwant %s", got, err, first)
	}
	one := Finding{"t.xlsx[Liste!D12]", "Liste!D12", "125 Hz", "at most 2, got 12,5"}
	if len(f.All) != f.Total || f.All[0] != one {
		t.Errorf("%d one by one, first %+v, want %+v", len(f.All), f.All[0], one)
	}
}

func TestErrorsThatEndAnImport(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	failed := errors.New("failed")
	broken := dataset.Input{Name: "b", Convert: func(*dataset.Conversion) error {
		return failed
	}, Tables: make([]dataset.Input, 1)}
	for name, end := range map[string]struct {
		ctx  context.Context
		w    io.Writer
		in   dataset.Input
		want error
	}{
		"reading": {t.Context(), io.Discard, broken, failed},
		"writing": {t.Context(), failing{failed}, textInput("a", aRecord(1, "")), failed},
		"the end": {ended, io.Discard, textInput("a", aRecord(1, "")), context.Canceled},
	} {
		if _, err := Records(end.ctx, end.w, []dataset.Input{end.in}, false); !errors.Is(err, end.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s, err := Records(t.Context(), io.Discard, nil, false); err != nil || s.Err("") == nil {
		t.Errorf("no input: %v, %v", s, err)
	}
}

// failing is a writer that returns an error.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
