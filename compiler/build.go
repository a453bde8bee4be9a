package compiler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"runtime/debug"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"sabine/dataset"
	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/snapshot"
)

var (
	// ErrShrunk says that the snapshot was written, but laid aside and CURRENT not switched to it, because it
	// has fewer products than MaxDrop allows.
	ErrShrunk = errors.New("the catalogue shrank too much")
	// ErrUnknownDrop says that nothing was built, because MaxDrop can't be checked without the current snapshot.
	ErrUnknownDrop = errors.New("it is unknown by how much the catalogue shrinks")
)

// Options of a build. Inputs and Folder are needed.
type Options struct {
	Inputs     []dataset.Input
	PassedOver []string // what lay beside the inputs and is not one, for the report
	// Corrections are read as dataset.ReadCorrections does, with the vocabularies that are Inputs.
	Corrections []dataset.Input
	Folder      snapshot.Folder
	Dictionary  *dataset.Input // a bilingual one in the Ding format, see package dictionary; nil: none
	// Synonyms are files of synonyms beside those that are Inputs, see dataset.Synonyms.
	Synonyms []dataset.Input
	// SkipInvalid leaves faulty records out instead of failing; damaged inputs and vocabularies fail the build
	// all the same. Which records are faulty does not depend on the kind of fault: see dataset.Checker.
	SkipInvalid bool
	Jobs        int      // records worked on at a time; 0: as many as processors
	MaxDrop     *float64 // percent by which the catalogue may shrink before the switch is refused; nil: any
	UnknownDrop bool     // with MaxDrop: switch also when the current snapshot can't be read
	Keep        int      // generations to keep, 0: DefaultKeep
	ReportFile  string   // a second place for the report, "" for none
	// Progress, when not nil, is told where the build stands; from one goroutine at a time.
	Progress func(Progress)
	// Tool names the program and its version in the report.
	Tool string
}

// DefaultKeep is how many generations a folder keeps when Options do not say.
const DefaultKeep = 3

// Progress is where a build stands.
type Progress struct {
	Stage string // as in the report
	Done  int64
	Total int64  // 0 when it is not known
	Unit  string // what is counted: "bytes", "records", "products" or "sections"
}

// The stages of a build, in their order.
const (
	stageRead    = "read"    // records are read, checked, rendered and analysed
	stageNumber  = "number"  // the catalogue is held against its vocabulary, and the products are put in order
	stageBodies  = "bodies"  // the bodies are written, and the indexes gathered
	stageIndexes = "indexes" // the indexes are written
	stageCommit  = "commit"  // the file is synced and named, and CURRENT switched
)

// Build compiles the inputs into a snapshot in the folder and makes it the current one. The report is
// complete even when the build fails. Where there is a snapshot, its report lies beside it before CURRENT
// names it.
//
// Among the errors are ErrShrunk, ErrUnknownDrop, snapshot.ErrLocked and that of the context. After ErrShrunk
// the snapshot lies aside. When the report says Switched, the snapshot is in force in spite of the error.
// After any other error nothing is left of it, unless CURRENT can't be read and may name it, as the report
// then notes.
func Build(ctx context.Context, o Options) (*Report, error) {
	o.Folder = o.Folder.Resolved()
	b := &build{o: o, report: newReport(&o)}
	unlock, err := o.Folder.Lock()
	if err == nil {
		defer unlock()
		err = b.run(ctx)
	}
	if err != nil {
		err = fmt.Errorf("build: %w", err)
	}
	b.report.SourceBytes = b.sourceBytes.Load()
	b.report.finish(err)
	wrote := b.report.write(o.Folder, o.ReportFile)
	if wrote != nil && b.report.Switched {
		wrote = fmt.Errorf("CURRENT was switched to %s, but: %w", b.report.File, wrote)
	}
	return b.report, errors.Join(err, wrote)
}

// Refuse reports, as Build does, a build that cannot begin because of err, as when an input is not there.
func Refuse(o Options, err error) (*Report, error) {
	r := newReport(&o)
	err = fmt.Errorf("build: %w", err)
	r.finish(err)
	return r, errors.Join(err, r.write(o.Folder, o.ReportFile))
}

// gcPercent is the GOGC of the stages that hold the indexes in memory. With 100, a build of 100,000 products needs
// 430 MB instead of 300.
const gcPercent = 40

// A build is one run of the pipeline.
type build struct {
	o           Options
	report      *Report
	sourceBytes atomic.Int64
	previous    string // name of the snapshot that was current before, "" when there was none
}

func (b *build) run(ctx context.Context) error {
	if err := b.lookBack(ctx); err != nil {
		return err
	}
	c, err := newCollector(b.o.Folder.Dir)
	if err != nil {
		return err
	}
	defer c.spill.close()
	declared, err := b.read(ctx, c)
	if err != nil {
		return err
	}
	translations, err := b.readDictionary(ctx, c)
	if err != nil {
		return err
	}
	synonyms, err := b.readSynonyms(ctx, c)
	if err != nil {
		return err
	}
	if err := b.number(c, declared); err != nil {
		return err
	}
	w, err := snapshot.Create(b.o.Folder.Dir)
	if err != nil {
		return fmt.Errorf("begin the snapshot: %w", err)
	}
	defer w.Abort()
	w.Context = ctx
	defer debug.SetGCPercent(debug.SetGCPercent(gcPercent))
	builder := indexes.NewBuilder(indexes.Meta{Vocabulary: vocabulary(declared), Synonyms: synonyms}, product.FireClasses)
	builder.Translate(translations)
	products := len(c.products)
	if err := b.writeBodies(ctx, c, w, builder); err != nil {
		return err
	}
	// The collector is garbage from here on.
	if err := b.writeIndexes(w, builder); err != nil {
		return err
	}
	return b.commit(ctx, w, products)
}

// read takes all records through the workers to the collector and returns the vocabulary of the inputs.
func (b *build) read(ctx context.Context, c *collector) (*dataset.Vocabulary, error) {
	defer b.report.stage(stageRead)()
	if err := b.readCorrections(ctx, c); err != nil {
		return nil, err
	}
	jobs := cmp.Or(max(b.o.Jobs, 0), goruntime.GOMAXPROCS(0))
	group, ctx := errgroup.WithContext(ctx) // a disk that is full ends the wait for input, too
	reader := dataset.NewReader(guarded(ctx, b.o.Inputs, &b.sourceBytes))
	reader.Context = ctx
	size := sizeOf(b.o.Inputs)
	b.progressRead(c.records, size)
	begin := func() func(*batch, *item) {
		w := newWorker()
		w.corrections = c.corrections
		return w.work
	}
	newLine(jobs, begin).start(ctx, group, reader.Records(), func(batch *batch) error {
		if err := c.take(batch); err != nil {
			return err
		}
		b.progressRead(c.records, size)
		return nil
	})
	if err := group.Wait(); err != nil {
		c.report(b.report, &dataset.Vocabulary{})
		return nil, err
	}
	for name, n := range reader.Unknown() {
		c.unknown[name] += n
	}
	c.warnings.merge(reader.Warnings())
	return cmp.Or(reader.Vocabulary(), &dataset.Vocabulary{}), nil // one that declares nothing leaves all families open
}

// readCorrections gives the collector the corrections, if there are any.
func (b *build) readCorrections(ctx context.Context, c *collector) (err error) {
	if len(b.o.Corrections) == 0 {
		return nil
	}
	var inputs []dataset.Input
	for _, in := range b.o.Inputs {
		if dataset.IsVocabularyName(in.Name) {
			inputs = append(inputs, in)
		}
	}
	inputs = guarded(ctx, append(inputs, b.o.Corrections...), new(atomic.Int64)) // no bytes of the catalogue
	if c.corrections, err = dataset.ReadCorrections(ctx, inputs); err != nil {
		return err
	}
	c.damaged += len(c.corrections.Faults)
	c.faults.add(c.corrections.Faults...)
	c.warnings.add(c.corrections.Warnings...)
	b.report.Corrections = &CorrectionsReport{Inputs: namesOf(b.o.Corrections), Read: c.corrections.Len()}
	return nil
}

// number settles which products are built, and in which order.
func (b *build) number(c *collector, v *dataset.Vocabulary) error {
	defer b.report.stage(stageNumber)()
	b.progress(stageNumber, 0, len(c.products), "products")
	err := c.settle(v)
	c.report(b.report, v)
	if r := b.report.Corrections; r != nil {
		r.Products, r.Fields = c.corrected, c.fields
	}
	if err != nil {
		return err
	}
	if err := c.fit(b.o.SkipInvalid); err != nil {
		return err
	}
	if err := c.families.check(v); err != nil {
		return err
	}
	c.number()
	return nil
}

// writeBodies copies the bodies from the spill into the snapshot in the order of document numbers. Meanwhile
// the builder gathers the documents.
func (b *build) writeBodies(ctx context.Context, c *collector, w *snapshot.Writer, builder *indexes.Builder) error {
	defer b.report.stage(stageBodies)()
	documents := make(chan *indexes.Document, batchItems)
	gathered := make(chan struct{})
	go func() {
		defer close(gathered)
		for d := range documents {
			builder.Add(d)
		}
	}()
	err := b.copyBodies(ctx, c, w, documents)
	close(documents)
	<-gathered
	return err
}

// copyBodies writes the bodies and sends the documents.
func (b *build) copyBodies(ctx context.Context, c *collector, w *snapshot.Writer, documents chan<- *indexes.Document) error {
	bodies, err := indexes.NewBodyWriter(w)
	if err != nil {
		return fmt.Errorf("write the bodies: %w", err)
	}
	for i := range c.products {
		if i%batchItems == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			b.progress(stageBodies, i, len(c.products), "products")
		}
		document, body, err := c.spill.read(c.products[i].spilled)
		if err != nil {
			return err
		}
		if err := bodies.Add(body); err != nil {
			return fmt.Errorf("write the body of product %s: %w", c.products[i].id, err)
		}
		documents <- &document
	}
	if err := bodies.Close(); err != nil {
		return fmt.Errorf("write the bodies: %w", err)
	}
	return nil
}

func (b *build) writeIndexes(w *snapshot.Writer, builder *indexes.Builder) error {
	defer b.report.stage(stageIndexes)()
	w.Begun = func(sections int) { b.progress(stageIndexes, sections, indexes.NumSections, "sections") }
	if err := builder.Write(w); err != nil {
		return fmt.Errorf("write the indexes: %w", err)
	}
	if b.report.Dictionary != nil {
		b.report.Dictionary.Used = builder.Translated()
	}
	return nil
}

func (b *build) note(format string, args ...any) {
	b.report.Notes = append(b.report.Notes, fmt.Sprintf(format, args...))
}

// progressRead tells how much was read: bytes of a total when every input knows its size, else records.
func (b *build) progressRead(records int, size int64) {
	if size > 0 {
		b.tell(Progress{stageRead, min(b.sourceBytes.Load(), size), size, "bytes"}) // a file may have grown since
		return
	}
	b.progress(stageRead, records, 0, "records")
}

func (b *build) progress(stage string, done, total int, unit string) {
	b.tell(Progress{stage, int64(done), int64(total), unit})
}

func (b *build) tell(p Progress) {
	if b.o.Progress != nil {
		b.o.Progress(p)
	}
}
