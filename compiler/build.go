package compiler

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"runtime/debug"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"sabine/dataset"
	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/snapshot"
)

var (
	// ErrShrunk is returned if the new snapshot has fewer products than MaxDrop allows. The snapshot was
	// written under a refused name, and CURRENT still names the previous one.
	ErrShrunk = errors.New("the catalogue shrank too much")
	// ErrUnknownDrop is returned if MaxDrop can't be checked because the current snapshot cannot be read.
	// Nothing was built.
	ErrUnknownDrop = errors.New("the change in catalogue size is unknown")
)

// Options are the settings of a build. Inputs and Folder are required; all other fields are optional.
type Options struct {
	Inputs  []dataset.Input
	Skipped []string // skipped files of the input folders with the reasons, for the report
	// Corrections are inputs for dataset.ReadCorrections, which also reads the vocabularies in Inputs.
	Corrections []dataset.Input
	Folder      snapshot.Folder
	Dictionary  *dataset.Input // bilingual dictionary in the Ding format, or nil; see package dictionary
	// Synonyms are additional synonym files; see dataset.Synonyms.
	Synonyms []dataset.Input
	// SkipInvalid omits records with faults. Other faults, in inputs and vocabularies, still make the build
	// fail. The kind of a fault does not affect which other records have faults; see dataset.Checker.
	SkipInvalid bool
	Jobs        int      // number of workers; 0 means GOMAXPROCS
	MaxDrop     *float64 // maximum decrease in the number of products, in percent; nil means no limit
	UnknownDrop bool     // with MaxDrop, allows a switch even if the current snapshot can't be read
	Keep        int      // number of generations to retain; 0 means DefaultKeep
	ReportFile  string   // path of a second copy of the report; "" for none
	// Progress, if not nil, is called with the progress of the build. Calls are never concurrent.
	Progress func(Progress)
	// Tool is the name and version of the program, for the report.
	Tool string
}

// DefaultKeep is the number of generations that a folder retains by default.
const DefaultKeep = 3

// Progress describes the progress of a build.
type Progress struct {
	Stage string // name of the stage as in the report
	Done  int64
	Total int64  // 0 if unknown
	Unit  string // unit of Done and Total: "bytes", "records", "products" or "sections"
}

// The stages of a build, in order.
const (
	stageRead    = "read"    // reads, checks, renders and analyses the records
	stageNumber  = "number"  // checks the products against the vocabulary, and sorts them
	stageBodies  = "bodies"  // writes the bodies, and adds the documents to the index builder
	stageIndexes = "indexes" // writes the indexes
	stageCommit  = "commit"  // syncs and names the file, and switches CURRENT
)

// Build compiles the inputs into a snapshot in the folder and makes it the current snapshot. The report is
// complete even if the build fails. It is written to the snapshot's folder before CURRENT is switched.
//
// Possible errors include ErrShrunk, ErrUnknownDrop, snapshot.ErrLocked and the context's error. After
// ErrShrunk, the snapshot has a refused name. If the report's Switched is true, the snapshot is current
// despite the error. After any other error, the snapshot is removed, unless CURRENT cannot be read and so
// might name it. In that case the report contains a note.
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
		wrote = fmt.Errorf("CURRENT was switched to %s, but there was an error: %w", b.report.File, wrote)
	}
	return b.report, errors.Join(err, wrote)
}

// Refuse writes the report of a build that cannot start because of err, such as a missing input.
func Refuse(o Options, err error) (*Report, error) {
	r := newReport(&o)
	err = fmt.Errorf("build: %w", err)
	r.finish(err)
	return r, errors.Join(err, r.write(o.Folder, o.ReportFile))
}

// gcPercent is the GOGC value during the stages that have the indexes in memory. With 100, a build of 100,000
// products needs 430 MB instead of 300 MB.
const gcPercent = 40

// A build is one run of the pipeline.
type build struct {
	o           Options
	report      *Report
	sourceBytes atomic.Int64
	previous    string // name of the previously current snapshot; "" for none
}

func (b *build) run(ctx context.Context) error {
	if err := b.readPrevious(ctx); err != nil {
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
		return fmt.Errorf("create the snapshot: %w", err)
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
	// The collector is no longer used, so its memory can be freed.
	if err := b.writeIndexes(w, builder); err != nil {
		return err
	}
	return b.commit(ctx, w, products)
}

// read passes all records through the workers to the collector. It returns the vocabulary of the inputs.
func (b *build) read(ctx context.Context, c *collector) (*dataset.Vocabulary, error) {
	defer b.report.stage(stageRead)()
	if err := b.readCorrections(ctx, c); err != nil {
		return nil, err
	}
	jobs := cmp.Or(max(b.o.Jobs, 0), goruntime.GOMAXPROCS(0))
	group, ctx := errgroup.WithContext(ctx) // an error such as a full disk also ends waiting for input
	reader := dataset.NewReader(cancellable(ctx, b.o.Inputs, &b.sourceBytes))
	reader.Context = ctx
	size := sizeOf(b.o.Inputs)
	b.progressRead(c.records, size)
	newWork := func() func(*batch, *item) {
		w := newWorker()
		w.corrections = c.corrections
		return w.work
	}
	newPipeline(jobs, newWork).start(ctx, group, reader.Records(), func(batch *batch) error {
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
	return cmp.Or(reader.Vocabulary(), &dataset.Vocabulary{}), nil // an empty vocabulary allows all values
}

// readCorrections sets the corrections of the collector, if the build has any.
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
	inputs = cancellable(ctx, append(inputs, b.o.Corrections...), new(atomic.Int64)) // not counted as catalogue bytes
	if c.corrections, err = dataset.ReadCorrections(ctx, inputs); err != nil {
		return err
	}
	c.addFatal(c.corrections.Faults...)
	c.warnings.add(c.corrections.Warnings...)
	b.report.Corrections = &CorrectionsReport{Inputs: namesOf(b.o.Corrections), Read: c.corrections.Len()}
	return nil
}

// number selects the products for the snapshot and sorts them.
func (b *build) number(c *collector, v *dataset.Vocabulary) error {
	defer b.report.stage(stageNumber)()
	b.progress(stageNumber, 0, int64(len(c.products)), "products")
	err := c.finish(v)
	c.report(b.report, v)
	if r := b.report.Corrections; r != nil {
		r.Products, r.Fields = c.corrected, c.fields
	}
	if err != nil {
		return err
	}
	if err := c.checkBuildable(b.o.SkipInvalid); err != nil {
		return err
	}
	if err := c.families.check(v); err != nil {
		return err
	}
	slices.SortFunc(c.products, productRef.compare)
	return nil
}

// writeBodies copies the bodies from the spill to the snapshot, in the order of document numbers. Meanwhile
// another goroutine adds the documents to the builder.
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

// copyBodies writes the bodies to the snapshot and sends the documents to the channel.
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
			b.progress(stageBodies, int64(i), int64(len(c.products)), "products")
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
	w.Begun = func(sections int) { b.progress(stageIndexes, int64(sections), int64(indexes.NumSections), "sections") }
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

// progressRead reports the progress in bytes if the sizes of all inputs are known, and otherwise in records.
func (b *build) progressRead(records int, size int64) {
	if size > 0 {
		b.progress(stageRead, min(b.sourceBytes.Load(), size), size, "bytes") // a file may have grown meanwhile
	} else {
		b.progress(stageRead, int64(records), 0, "records")
	}
}

func (b *build) progress(stage string, done, total int64, unit string) {
	if b.o.Progress != nil {
		b.o.Progress(Progress{stage, done, total, unit})
	}
}
