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

// Findings are the warnings or the faults of an import.
type Findings struct {
	Total int       `json:"total"`
	Kinds []Kind    `json:"kinds"`         // in the order of the first finding of each
	All   []Finding `json:"all,omitempty"` // one by one, if the caller asked for them
}

// A Kind is findings of one column, or of one row of a transposed table, that differ only in their cells,
// products and numbers.
type Kind struct {
	Path    string   `json:"path,omitempty"` // the column or the field
	Problem string   `json:"problem"`        // of the first place
	Count   int      `json:"count"`
	Places  []string `json:"places"` // the first maxPlaces in the order of the sheet
	text    string
}

// A Finding is one warning or fault.
type Finding struct {
	Place   string `json:"place"`
	Product string `json:"product,omitempty"` // its id
	Path    string `json:"path,omitempty"`
	Problem string `json:"problem"`
}

// maxPlaces is how many places a kind names, and maxKinds how many kinds Lines has.
const (
	maxPlaces = 10
	maxKinds  = 10
)

// Lines returns a line for each of the first kinds, and one for the others that says where all are. report is
// the file that has them, "" for none.
func (f *Findings) Lines(report string) (lines []string) {
	for i := range f.Kinds[:min(len(f.Kinds), maxKinds)] {
		lines = append(lines, f.Kinds[i].text)
	}
	more := len(f.Kinds) - len(lines)
	switch {
	case more == 0:
		return lines
	case report == "":
		return append(lines, "and "+Counted(more, "more kind")+": --report FILE writes all")
	}
	return append(lines, "and "+Counted(more, "more kind")+", all in "+report)
}

// append puts others after the findings.
func (f *Findings) append(g Findings) {
	f.Total += g.Total
	f.Kinds, f.All = append(f.Kinds, g.Kinds...), append(f.All, g.All...)
}

// findings groups faults or warnings by their kind.
type findings struct {
	Findings
	whole bool // All is filled too
	kinds []kind
	of    map[string]int // by likeness: the index in kinds
}

// A kind is a Kind that is not complete.
type kind struct {
	first  dataset.Fault
	count  int
	places []dataset.Place // in the order of the sheet, that of first included
}

func (f *findings) add(found ...dataset.Fault) {
	f.Total += len(found)
	for _, fault := range found {
		if f.whole {
			f.All = append(f.All, Finding{fault.Place.String(), fault.Record, fault.Path, fault.Problem})
		}
		key := likeness(&fault)
		if i, ok := f.of[key]; ok && key != "" {
			f.kinds[i].unite(fault)
			continue
		}
		if f.of == nil {
			f.of = map[string]int{}
		}
		f.of[key] = len(f.kinds)
		f.kinds = append(f.kinds, kind{fault, 1, []dataset.Place{fault.Place}})
	}
}

// likeness is the same for findings of one kind, "" for a finding that is in no cell, which is a kind by
// itself.
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

// unite adds a finding of the kind.
func (k *kind) unite(fault dataset.Fault) {
	k.count++
	at, known := slices.BinarySearchFunc(k.places, fault.Place, inOrder)
	if known {
		return
	}
	if at == 0 {
		k.first = fault
	}
	if k.places = slices.Insert(k.places, at, fault.Place); len(k.places) > maxPlaces {
		k.places = k.places[:maxPlaces]
	}
}

// inOrder compares cells of one column, or of one row, by their order in the sheet.
func inOrder(a, b dataset.Place) int {
	return cmp.Or(cmp.Compare(len(a.Cell), len(b.Cell)), cmp.Compare(a.Cell, b.Cell))
}

// report returns the findings.
func (f *findings) report() Findings {
	f.Kinds = make([]Kind, len(f.kinds))
	for i := range f.kinds {
		f.kinds[i].report(&f.Kinds[i])
	}
	return f.Findings
}

// report sets what a Kind has.
func (k *kind) report(to *Kind) {
	*to = Kind{Path: k.first.Path, Problem: k.first.Problem, Count: k.count}
	var others []string
	for i := range k.places {
		to.Places = append(to.Places, k.places[i].String())
		if cell := k.places[i].Cell; i > 0 {
			others = append(others, cell[strings.LastIndexByte(cell, '!')+1:])
		}
	}
	if k.first.Place.Cell != "" {
		k.first.Record = "" // the cell says it better than an id that may be made of the name
	}
	to.text = k.first.Error()
	if k.count > len(k.places) {
		others = append(others, "…")
	}
	if len(k.places) > 1 {
		to.text += fmt.Sprintf(" (and %d more like it: %s)", k.count-1, strings.Join(others, ", "))
	}
}

// Err returns the error of an import that found faults, with their Lines, or that found no product.
func (s *Summary) Err(report string) error {
	if s.Faults.Total == 0 {
		if s.Products == 0 {
			return errors.New("no product in it")
		}
		return nil
	}
	return fmt.Errorf("%s; what is faulty is left out, which leaves %s:\n  %s", Counted(s.Faults.Total, "fault"),
		Counted(s.Products, "product"), strings.Join(s.Faults.Lines(report), "\n  "))
}

// Counted says how many of something there are.
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Records reads the records of inputs, checks each as a build does, by itself and against those before it,
// and writes those without a fault as NDJSON. It writes none where a table is at fault as a whole, since the
// records may then be wrong in other ways. With whole the summary has each finding by itself too. The error
// is one of reading or writing, or that of the context.
func Records(ctx context.Context, w io.Writer, inputs []dataset.Input, whole bool) (*Summary, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	reader := dataset.NewReader(inputs)
	reader.Context = ctx
	out := bufio.NewWriterSize(w, 1<<16)
	s := &Summary{}
	wrong, doubts, ofTables := findings{whole: whole}, findings{whole: whole}, findings{whole: whole}
	damaged := false // set before the records come: tables yield them when all are read
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
	s.Warnings.append(doubts.report()) // those of tables come first
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
