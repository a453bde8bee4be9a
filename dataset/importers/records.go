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

// A Summary reports the result of an import.
type Summary struct {
	Products int      `json:"products"` // number of products written
	Entries  Entries  `json:"entries"`  // number of their entries
	Warnings Findings `json:"warnings"`
	Faults   Findings `json:"faults"`
}

// Entries counts measurements, and products with only practical coefficients.
type Entries struct {
	Absorption int `json:"absorption_iso_354"`
	Scatter    int `json:"scatter_iso_17497_1"`
	Diffusion  int `json:"diffusion_iso_17497_2"`
	Practical  int `json:"absorption_octave"`
}

// Findings are the warnings or the faults from an import.
type Findings struct {
	Total int       `json:"total"`
	Kinds []Kind    `json:"kinds"`         // kinds in order of their first finding
	All   []Finding `json:"all,omitempty"` // all findings, if the caller requested them

	all    bool           // whether to fill All too
	kindOf map[string]int // index in Kinds by the result of likeness
}

func newFindings(all bool) Findings {
	return Findings{Kinds: []Kind{}, all: all, kindOf: map[string]int{}}
}

// A Kind is a group of findings in one column, or in one row of a transposed table, that differ only in
// cells, products and numbers.
type Kind struct {
	Path    string  `json:"path,omitempty"` // column or field
	Problem string  `json:"problem"`        // problem at the first location
	Count   int     `json:"count"`
	Places  []place `json:"places"` // the first maxPlaces places, in sheet order

	record string // record at the first location
}

// A place is a dataset.Place whose JSON is the text used in messages.
type place struct{ dataset.Place }

// MarshalText returns the text for the place in messages.
func (p place) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// A Finding is one warning or fault.
type Finding struct {
	Place   string `json:"place"`
	Product string `json:"product,omitempty"` // id of the product
	Path    string `json:"path,omitempty"`
	Problem string `json:"problem"`
}

const (
	maxPlaces = 10 // places that a kind lists
	maxKinds  = 10 // kinds that Lines lists
)

// Lines returns a line for each of the first kinds. If there are more kinds, a last line names the file
// report, which contains all of them; "" means that no report was requested.
func (f *Findings) Lines(report string) (lines []string) {
	for i := range f.Kinds[:min(len(f.Kinds), maxKinds)] {
		lines = append(lines, f.Kinds[i].line())
	}
	if more := len(f.Kinds) - len(lines); more > 0 {
		where := ", all in " + report
		if report == "" {
			where = "; --report FILE lists them all"
		}
		lines = append(lines, "and "+Counted(more, "more kind")+where)
	}
	return lines
}

// line returns the finding at the first location, and lists the other locations.
func (k *Kind) line() string {
	first := dataset.Fault{Place: k.Places[0].Place, Record: k.record, Path: k.Path, Problem: k.Problem}
	if first.Place.Cell != "" {
		first.Record = "" // the cell is easier to find than an id that may be derived from the name
	}
	if len(k.Places) == 1 {
		return first.Error()
	}
	var others []string
	for _, p := range k.Places[1:] {
		others = append(others, p.Cell[strings.LastIndexByte(p.Cell, '!')+1:])
	}
	if k.Count > len(k.Places) {
		others = append(others, "…")
	}
	return fmt.Sprintf("%s (and %d more like it: %s)", first.Error(), k.Count-1, strings.Join(others, ", "))
}

// add adds findings to their kinds.
func (f *Findings) add(found ...dataset.Fault) {
	f.Total += len(found)
	for _, fault := range found {
		if f.all {
			f.All = append(f.All, Finding{fault.Place.String(), fault.Record, fault.Path, fault.Problem})
		}
		key := likeness(&fault)
		i, known := f.kindOf[key]
		if !known || key == "" {
			i = len(f.Kinds)
			f.Kinds = append(f.Kinds, Kind{})
			f.kindOf[key] = i
		}
		f.Kinds[i].add(fault)
	}
}

// append appends other findings. Their kinds are not merged, so that those of f come first.
func (f *Findings) append(g Findings) {
	f.Total += g.Total
	f.Kinds, f.All = append(f.Kinds, g.Kinds...), append(f.All, g.All...)
}

// likeness returns a key that identifies the kind of a finding. It returns "" for a finding without a cell,
// because such a finding forms its own kind.
func likeness(f *dataset.Fault) string {
	if f.Place.Cell == "" {
		return ""
	}
	sheet := f.Place.Cell[:strings.LastIndexByte(f.Place.Cell, '!')+1]
	return strings.Join([]string{f.Place.Input, sheet, f.Path, withoutNumbers.Replace(f.Problem)}, "\x00")
}

var withoutNumbers = strings.NewReplacer("0", "", "1", "", "2", "", "3", "", "4", "", "5", "", "6", "", "7", "",
	"8", "", "9", "", ".", "", ",", "", "-", "")

// add adds a finding to the kind.
func (k *Kind) add(fault dataset.Fault) {
	k.Count++
	at, known := slices.BinarySearchFunc(k.Places, fault.Place, func(p place, seek dataset.Place) int {
		return cmp.Or(cmp.Compare(len(p.Cell), len(seek.Cell)), cmp.Compare(p.Cell, seek.Cell))
	})
	if known {
		return
	}
	if at == 0 { // the first place in sheet order represents the kind
		k.Path, k.Problem, k.record = fault.Path, fault.Problem, fault.Record
	}
	k.Places = slices.Insert(k.Places, at, place{fault.Place})
	k.Places = k.Places[:min(len(k.Places), maxPlaces)]
}

// Err returns an error if the import found faults or no product. It contains the Lines for the faults.
func (s *Summary) Err(report string) error {
	if s.Faults.Total == 0 {
		if s.Products == 0 {
			return errors.New("no products found")
		}
		return nil
	}
	return fmt.Errorf("%s; faulty products were left out, %s remaining:\n  %s", Counted(s.Faults.Total, "fault"),
		Counted(s.Products, "product"), strings.Join(s.Faults.Lines(report), "\n  "))
}

// Counted returns a number with its noun.
func Counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

// Records reads the records of inputs, checks each record separately and against the previous records, as a
// build does, and writes the records without a fault as NDJSON. It writes none if a whole table has a fault,
// because its records may have other errors. If all is true, the summary lists all findings. Records returns
// errors from reading, writing and the context.
func Records(ctx context.Context, w io.Writer, inputs []dataset.Input, all bool) (*Summary, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	reader := dataset.NewReader(inputs)
	reader.Context = ctx
	out := bufio.NewWriterSize(w, 1<<16)
	s, doubts := &Summary{Faults: newFindings(all), Warnings: newFindings(all)}, newFindings(all)
	// damaged becomes true before the first record, because the tables of an input yield records only after
	// the last row.
	damaged := false
	checker := dataset.NewChecker()
	for it, err := range parsed(ctx, reader.Records()) {
		if err != nil {
			return nil, err
		}
		if it.fault != nil {
			s.Faults.add(*it.fault)
			damaged = damaged || it.fault.Whole
			continue
		}
		faults, warnings := check(checker, &it)
		s.Faults.add(faults...)
		doubts.add(warnings...)
		if len(faults) > 0 || damaged {
			continue
		}
		s.count(it.Product)
		_, _ = out.Write(it.raw.JSON)
		if err := out.WriteByte('\n'); err != nil { // also returns an error from the Write above
			return nil, err
		}
	}
	s.Warnings.add(reader.Warnings()...)
	s.Warnings.append(doubts) // warnings about tables come first
	return s, out.Flush()
}

// check returns the faults and warnings for a record, from the record and from comparisons with previous
// records.
func check(c *dataset.Checker, it *item) (faults, warnings []dataset.Fault) {
	if it.Product != nil {
		faults, warnings = c.Add(it.raw.Place, it.Product)
	} else if it.Faulty != nil {
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

// An item is a parsed record, or the fault of a record that could not be read.
type item struct {
	dataset.Parsed
	raw   dataset.Raw
	fault *dataset.Fault
}

// A goroutine parses up to batchItems records, or records of about batchBytes, in sequence.
const (
	batchItems = 64
	batchBytes = 256 << 10
)

// parsed parses records on all processors and yields them in order. It stops at an error. A caller that stops
// earlier must end the context, which ends the goroutines.
func parsed(ctx context.Context, records iter.Seq2[dataset.Raw, error]) iter.Seq2[item, error] {
	return func(yield func(item, error) bool) {
		queue := make(chan chan []item, goruntime.GOMAXPROCS(0)) // its capacity limits the batches in progress
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

// feed divides the records into batches and starts a goroutine for each batch. It queues the channel of each
// batch before it starts the goroutine, so that the results are in order.
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
