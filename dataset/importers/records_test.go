package importers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"sabine/dataset"
)

// aRecord is a record of which number tells the id and the label.
func aRecord(number int, fields string) string {
	return fmt.Sprintf(`{"id":"00000000-0000-4000-8000-%012d","label":"L%d","manufacturer":"M"%s}`, number, number, fields)
}

func textInput(name, text string) dataset.Input {
	return dataset.Input{Name: name, Open: func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }}
}

func TestRecordsLeavesOutWhatABuildWouldRefuse(t *testing.T) {
	lines := []string{
		aRecord(1, `,"measurements":{"absorption_iso_354":[{"source_kind":"measured"},{"source_kind":"measured"}],"scatter_iso_17497_1":[{"source_kind":"measured"}]}`),
		aRecord(2, `,"slug":"X"`),
		aRecord(1, ``),
		`{`,
		aRecord(3, `,"has_epd":true,"absorption_octave":{"500":0.5}`),
	}
	var out bytes.Buffer
	s, err := Records(t.Context(), &out, []dataset.Input{textInput("a.ndjson", strings.Join(lines, "\n"))})
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
	want := `3 faults; what is faulty is left out, which leaves 2 products:
  a.ndjson:2: product ` + id + `2: slug: expected a slug`
	if got := s.Err().Error(); !strings.HasPrefix(got, want) || !strings.Contains(got, "\n  a.ndjson:3: product "+id+"1: id: the id of another product already: a.ndjson:1\n  a.ndjson:4: invalid JSON") {
		t.Errorf("got %s", got)
	}
	if want := []string{"a.ndjson:5: product " + id + "3: has_epd: true without an epd_url"}; !slices.Equal(s.Warnings.First, want) {
		t.Errorf("got %q, want %q", s.Warnings.First, want)
	}
}

func TestRecordsKeepTheirOrder(t *testing.T) {
	var in, out bytes.Buffer
	for i := range 10*batchItems + 1 {
		in.WriteString(aRecord(i, "") + "\n")
	}
	if s, err := Records(t.Context(), &out, []dataset.Input{textInput("a.ndjson", in.String())}); err != nil || s.Err() != nil || out.String() != in.String() {
		t.Errorf("%v, %v", s, err)
	}
}

// TestRecordsUnderWayAreFewWhereTheyAreLong: their number alone would let gigabytes be in memory.
func TestRecordsUnderWayAreFewWhereTheyAreLong(t *testing.T) {
	long := `,"description":"` + strings.Repeat("x", batchBytes) + `"`
	records := dataset.NewReader([]dataset.Input{textInput("a.ndjson", aRecord(1, long)+"\n"+aRecord(2, long)+"\n"+aRecord(3, "")+"\n"+aRecord(4, ""))})
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

func TestTheFirstFindingsAreToldAndAllAreCounted(t *testing.T) {
	convert := func(c *dataset.Conversion) error {
		for i := range maxErrors + 20 {
			c.Yield(dataset.Raw{JSON: []byte(aRecord(i, `,"slug":"X","has_epd":true`))}, nil)
		}
		c.Warn(dataset.Fault{Problem: "about the table"})
		return nil
	}
	s, err := Records(t.Context(), io.Discard, []dataset.Input{{Name: "t", Convert: convert, Tables: make([]dataset.Input, 1)}})
	if err != nil || s.Faults.Total != maxErrors+20 || strings.Count(s.Err().Error(), "\n") != maxErrors+1 || !strings.HasSuffix(s.Err().Error(), "and 20 more") {
		t.Errorf("%v, %v", s, err)
	}
	if w := s.Warnings; w.Total != maxErrors+21 || len(w.First) != maxErrors || !strings.HasSuffix(w.First[0], "about the table") {
		t.Errorf("%d warnings, %d of them told, first %q", w.Total, len(w.First), w.First[0])
	}
}

func TestWhatIsFoundInManyCellsIsToldOnce(t *testing.T) {
	in := func(cell, path, problem string) dataset.Fault {
		return dataset.Fault{Place: dataset.Place{Input: "t.xlsx", Cell: cell, Index: -1, Offset: -1}, Record: cell, Path: path, Problem: problem}
	}
	var f findings
	for _, row := range []int{12, 7, 8, 30, 9, 10, 7} {
		f.add(in(fmt.Sprintf("Liste!D%d", row), "125 Hz", fmt.Sprintf("at most 2, got %d,5", row)))
	}
	f.add(in("Liste!E7", "250 Hz", "at most 2, got 8"), in("Preise!D7", "125 Hz", "at most 2, got 8"), in("Liste!D3", "125 Hz", "no number"))
	want := []string{
		"t.xlsx[Liste!D7]: 125 Hz: at most 2, got 7,5 (and 6 more like it: D8, D9, D10, D12, …)",
		"t.xlsx[Liste!E7]: 250 Hz: at most 2, got 8",
		"t.xlsx[Preise!D7]: 125 Hz: at most 2, got 8",
		"t.xlsx[Liste!D3]: 125 Hz: no number",
	}
	if r := f.report(); r.Total != 10 || !slices.Equal(r.First, want) || r.More(1) != 3 || r.More(4) != 0 {
		t.Errorf("got %d, %q", r.Total, r.First)
	}
}

func TestWhatEndsAnImport(t *testing.T) {
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	failed := errors.New("failed")
	broken := dataset.Input{Name: "b", Convert: func(*dataset.Conversion) error { return failed }, Tables: make([]dataset.Input, 1)}
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
		if _, err := Records(end.ctx, end.w, []dataset.Input{end.in}); !errors.Is(err, end.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if s, err := Records(t.Context(), io.Discard, nil); err != nil || s.Err() == nil {
		t.Errorf("no input: %v, %v", s, err)
	}
}

// failing is a writer that cannot write.
type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }
