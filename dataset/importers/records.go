package importers

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	goruntime "runtime"
	"slices"
	"strings"

	"sabine/dataset"
	"sabine/dataset/product"
)

// A Summary says what an import found.
type Summary struct {
	Products int      `json:"products"` // without a fault
	Entries  Entries  `json:"entries"`  // of these
	Warnings Findings `json:"warnings"`
	Faults   Findings `json:"faults"`
}

// Entries counts measurements, and the products that have practical coefficients instead of any of ISO 354.
type Entries struct {
	Absorption int `json:"absorption_iso_354"`
	Scatter    int `json:"scatter_iso_17497_1"`
	Diffusion  int `json:"diffusion_iso_17497_2"`
	Practical  int `json:"absorption_octave"`
}

// Findings are the first warnings or faults in full, and how many there are. What is found in many cells of a table is told once.
type Findings struct {
	Total int      `json:"total"`
	First []string `json:"first"`

	counts []int // of each of First: how many cells it tells of
}

// More returns how many findings the first n texts leave out.
func (f *Findings) More(n int) int {
	more := f.Total
	for _, count := range f.counts[:n] {
		more -= count
	}
	return more
}

// append puts others behind the findings.
func (f *Findings) append(g Findings) {
	n := min(len(g.First), maxErrors-len(f.First))
	f.Total += g.Total
	f.First, f.counts = append(f.First, g.First[:n]...), append(f.counts, g.counts[:n]...)
}

// findings gathers faults or warnings. Those of a column that differ in their cell, product and numbers are one.
type findings struct {
	total int
	first []finding      // maxErrors at most
	of    map[string]int // by key: the index in first
}

// A finding is what is wrong or doubtful in the same way in one or more cells.
type finding struct {
	dataset.Fault          // the first of them
	count         int      // how many they are
	cells         []string // the first ones, in order, maxCells at most; none where count is 1
}

// maxCells is how many cells a finding names besides its own.
const maxCells = 4

func (f *findings) add(found ...dataset.Fault) {
	f.total += len(found)
	for _, fault := range found {
		key := likeness(&fault)
		if i, ok := f.of[key]; ok && key != "" {
			f.first[i].unite(fault)
			continue
		}
		if len(f.first) < maxErrors {
			if f.of == nil {
				f.of = map[string]int{}
			}
			f.of[key] = len(f.first)
			f.first = append(f.first, finding{Fault: fault, count: 1})
		}
	}
}

// likeness is the same for findings that are told as one, "" for what stands in no cell.
func likeness(f *dataset.Fault) string {
	if f.Place.Cell == "" {
		return ""
	}
	sheet, _, _ := strings.Cut(f.Place.Cell, "!")
	if sheet == f.Place.Cell {
		sheet = ""
	}
	problem := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r == '.' || r == ',' || r == '-' {
			return -1
		}
		return r
	}, f.Problem)
	return strings.Join([]string{f.Place.Input, sheet, f.Path, problem}, "\x00")
}

// unite adds a fault that is like this one. The first cell of the sheet is told in full.
func (f *finding) unite(fault dataset.Fault) {
	f.count++
	if inOrder(fault.Place.Cell, f.Place.Cell) < 0 {
		f.Fault, fault = fault, f.Fault
	}
	if cell := fault.Place.Cell; cell != f.Place.Cell {
		at, known := slices.BinarySearchFunc(f.cells, cell, inOrder)
		if !known {
			f.cells = slices.Insert(f.cells, at, cell)
			f.cells = f.cells[:min(len(f.cells), maxCells)]
		}
	}
}

// inOrder compares cells of a column, or of a row, by where they stand.
func inOrder(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) }

// String tells a finding, and in which other cells it is.
func (f *finding) String() string {
	if f.Place.Cell != "" {
		f.Record = "" // the cell says it better than an id that may be made of the name
	}
	text := f.Error()
	if f.count == 1 || len(f.cells) == 0 {
		return text
	}
	names := make([]string, len(f.cells))
	for i, cell := range f.cells {
		names[i] = cell[strings.LastIndexByte(cell, '!')+1:]
	}
	if f.count-1 > len(names) {
		names = append(names, "…")
	}
	return fmt.Sprintf("%s (and %d more like it: %s)", text, f.count-1, strings.Join(names, ", "))
}

// report returns the findings as texts.
func (f *findings) report() Findings {
	r := Findings{Total: f.total, First: make([]string, len(f.first)), counts: make([]int, len(f.first))}
	for i := range f.first {
		r.First[i], r.counts[i] = f.first[i].String(), f.first[i].count
	}
	return r
}

// Err returns the error of an import that found faults, a line for each of the first ones, or that found nothing.
func (s *Summary) Err() error {
	if s.Faults.Total == 0 {
		if s.Products == 0 {
			return errors.New("no product in it")
		}
		return nil
	}
	lines := slices.Clone(s.Faults.First)
	if more := s.Faults.More(len(lines)); more > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", more))
	}
	return fmt.Errorf("%s; what is faulty is left out, which leaves %s:\n  %s",
		counted(s.Faults.Total, "fault"), counted(s.Products, "product"), strings.Join(lines, "\n  "))
}

// counted says how many of something there are.
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Records reads the records of inputs, checks each as a build does, by itself and against those before it, and writes those without a fault
// as NDJSON: none where a table is at fault as a whole, since nobody knows then what else is wrong with it. The error is one of reading or
// writing, or that of the context.
func Records(ctx context.Context, w io.Writer, inputs []dataset.Input) (*Summary, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	reader := dataset.NewReader(inputs)
	reader.Context = ctx
	out := bufio.NewWriterSize(w, 1<<16)
	s := &Summary{}
	var wrong, doubts, ofTables findings // doubts are about records: they stand behind those about tables
	damaged := false                     // behind it are the records: tables yield them when all are read
	checker := dataset.NewChecker()
	for it, err := range parsed(ctx, reader.Records()) {
		if err != nil {
			return nil, err
		}
		if it.fault != nil {
			wrong.add(*it.fault)
			damaged = damaged || it.fault.Whole
			continue
		}
		faults, warnings := check(checker, &it)
		wrong.add(faults...)
		doubts.add(warnings...)
		if len(faults) > 0 || damaged {
			continue
		}
		s.count(it.Product)
		_, _ = out.Write(it.raw.JSON)
		if err := out.WriteByte('\n'); err != nil { // that of the write before, too
			return nil, err
		}
	}
	ofTables.add(reader.Warnings()...)
	s.Faults, s.Warnings = wrong.report(), ofTables.report()
	s.Warnings.append(doubts.report())
	return s, out.Flush()
}

// check returns what is wrong with a record and what is doubtful, by itself and beside those before it.
func check(c *dataset.Checker, it *item) (faults, warnings []dataset.Fault) {
	switch {
	case it.Product != nil:
		faults, warnings = c.Add(it.raw.Place, it.Product)
	case it.Faulty != nil:
		faults = c.AddFaulty(it.raw.Place, it.Faulty)
	}
	return append(it.Faults, faults...), append(it.Warnings, warnings...)
}

func (s *Summary) count(p *product.Product) {
	s.Products++
	s.Entries.Absorption += len(p.Measurements.Absorption)
	s.Entries.Scatter += len(p.Measurements.Scatter)
	s.Entries.Diffusion += len(p.Measurements.Diffusion)
	if len(p.Measurements.Absorption) == 0 && len(p.AbsorptionOctave) > 0 {
		s.Entries.Practical++
	}
}

// An item is a record, parsed, or the fault of what could not be read as one.
type item struct {
	dataset.Parsed
	raw   dataset.Raw
	fault *dataset.Fault
}

// The records that are parsed by one goroutine, one after the other: so many, or so many bytes.
const (
	batchItems = 64
	batchBytes = 256 << 10
)

// parsed parses records on all processors and yields them in their order. An error ends the sequence.
func parsed(ctx context.Context, records iter.Seq2[dataset.Raw, error]) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		queue := make(chan chan []item, goruntime.GOMAXPROCS(0)) // its length bounds what is under way
		var failed error                                         // set before the queue is closed
		go func() {
			defer close(queue)
			failed = feed(ctx, records, queue)
		}()
		for done := range queue {
			for _, it := range <-done {
				if !yield(it, nil) {
					return
				}
			}
		}
		if failed != nil {
			yield(item{}, failed)
		}
	}
}

// feed puts the records into batches, each of which is parsed in a goroutine of its own.
func feed(ctx context.Context, records iter.Seq2[dataset.Raw, error], queue chan<- chan []item) error {
	var batch []item
	size := 0
	send := func() error {
		done, items := make(chan []item, 1), batch
		batch, size = nil, 0
		select {
		case queue <- done:
		case <-ctx.Done():
			return ctx.Err()
		}
		go func() {
			for i := range items {
				if items[i].fault == nil {
					items[i].Parsed = dataset.Parse(items[i].raw)
				}
			}
			done <- items
		}()
		return nil
	}
	for raw, err := range records {
		it := item{raw: raw}
		if err != nil && !errors.As(err, &it.fault) {
			return err
		}
		batch, size = append(batch, it), size+len(raw.JSON)
		if len(batch) == batchItems || size >= batchBytes {
			if err := send(); err != nil {
				return err
			}
		}
	}
	return send()
}
