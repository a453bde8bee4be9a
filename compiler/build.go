package compiler

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	goruntime "runtime"
	"sync/atomic"

	"sabine/dataset"
	"sabine/indexes"
	"sabine/indexes/snapshot"
)

var (
	// ErrEmpty says that there is nothing to build: the catalogue has no published product.
	ErrEmpty = errors.New("the catalogue is empty")
	// ErrShrunk says that the snapshot was written, but CURRENT not switched to it, because it has fewer products than
	// MaxDrop allows.
	ErrShrunk = errors.New("the catalogue shrank too much")
)

// Options of a build. Inputs and Folder are needed.
type Options struct {
	Inputs      []dataset.Input
	PassedOver  []string // what lay beside the inputs and is none, for the report
	Folder      snapshot.Folder
	SkipInvalid bool     // leave faulty records out instead of failing; damaged inputs and vocabularies fail all the same
	Jobs        int      // records worked on at a time; 0: as many as processors
	MaxDrop     *float64 // percent by which the catalogue may shrink before the switch is refused; nil: any
	Keep        int      // generations to keep, 0: 3
	ReportFile  string   // where else the report goes, "" for nowhere
	// Progress, when not nil, is told where the build stands; from one goroutine at a time.
	Progress func(Progress)
	// Tool names the program and its version in the report.
	Tool string
}

// defaultKeep is how many generations a folder keeps when Options do not say.
const defaultKeep = 3

// Progress is where a build stands.
type Progress struct {
	Stage string // as in the report
	Done  int64  // records
	Total int64  // 0 when it is not known
}

// The stages of a build, in their order.
const (
	stageRead    = "read"    // records are read, checked, rendered and analysed
	stageNumber  = "number"  // the catalogue is held against its vocabulary, and the products are put in order
	stageBodies  = "bodies"  // the bodies are written, and the indexes gathered
	stageIndexes = "indexes" // the indexes are written
	stageCommit  = "commit"  // the file is synced and named, and CURRENT switched
)

// Build compiles the inputs into a snapshot in the folder and makes it the current one. The report is complete also
// when the build fails; it lies beside the snapshot when there is one.
//
// Among the errors are *FaultsError, ErrEmpty, ErrShrunk, snapshot.ErrLocked and that of the context. Only after
// ErrShrunk is there a snapshot.
func Build(ctx context.Context, o Options) (*Report, error) {
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
	return b.report, errors.Join(err, b.report.write(o.Folder, o.ReportFile))
}

// Refuse reports, as Build does, a build that cannot begin because of err, as when an input is not there.
func Refuse(o Options, err error) (*Report, error) {
	r := newReport(&o)
	err = fmt.Errorf("build: %w", err)
	r.finish(err)
	return r, errors.Join(err, r.write(o.Folder, o.ReportFile))
}

// A build is one run of the pipeline.
type build struct {
	o           Options
	report      *Report
	sourceBytes atomic.Int64
	previous    string // name of the snapshot that was current before, "" when there was none
}

func (b *build) run(ctx context.Context) error {
	b.lookBack()
	c, err := newCollector(b.o.Folder.Dir)
	if err != nil {
		return err
	}
	defer c.spill.close()
	vocabulary, err := b.read(ctx, c)
	if err != nil {
		return err
	}
	if err := b.number(c, vocabulary); err != nil {
		return err
	}
	w, err := snapshot.Create(b.o.Folder.Dir)
	if err != nil {
		return fmt.Errorf("begin the snapshot: %w", err)
	}
	defer w.Abort()
	builder := indexes.NewBuilder(indexes.Meta{Products: len(c.products), Vocabulary: c.families.vocabulary(vocabulary)})
	if err := b.writeBodies(ctx, c, w, builder); err != nil {
		return err
	}
	if err := b.writeIndexes(ctx, w, builder); err != nil {
		return err
	}
	return b.commit(ctx, w, len(c.products))
}

// lookBack notes the snapshot that is current before the build, and how many products it has. One that can't be read
// counts as none.
func (b *build) lookBack() {
	name, err := b.o.Folder.Current()
	if errors.Is(err, snapshot.ErrNoCurrent) {
		return
	}
	if err == nil {
		b.previous = name
		b.report.Counts.Previous, err = countProducts(b.o.Folder.Path(name))
	}
	if err != nil {
		b.note("the snapshot that was current before can't be read and counts as none: %v", err)
	}
}

// countProducts returns how many products a snapshot says that it has.
func countProducts(path string) (int, error) {
	f, err := snapshot.Open(path)
	if err != nil {
		return 0, err
	}
	defer func() { _ = f.Close() }()
	x, err := indexes.Open(f)
	if err != nil {
		return 0, err
	}
	return x.Meta.Products, nil
}

// read takes all records through the workers to the collector and returns the vocabulary of the inputs.
func (b *build) read(ctx context.Context, c *collector) (*dataset.Vocabulary, error) {
	defer b.report.stage(stageRead)()
	jobs := b.o.Jobs
	if jobs <= 0 {
		jobs = goruntime.GOMAXPROCS(0)
	}
	reader := dataset.NewReader(guarded(ctx, b.o.Inputs, &b.sourceBytes), nil)
	b.progress(stageRead, 0, 0)
	err := newLine(jobs).run(ctx, reader.Records(), func(batch *batch) error {
		if err := c.take(batch); err != nil {
			return err
		}
		b.progress(stageRead, c.records, 0)
		return nil
	})
	if err != nil {
		c.report(b.report, nil)
		return nil, err
	}
	for name, n := range reader.Unknown() {
		c.unknown[name] += n
	}
	c.warnings.add(reader.Warnings()...)
	return reader.Vocabulary(), nil
}

// number settles which products are built, and in which order.
func (b *build) number(c *collector, v *dataset.Vocabulary) error {
	defer b.report.stage(stageNumber)()
	b.progress(stageNumber, 0, len(c.products))
	err := c.settle(v)
	c.report(b.report, v)
	if err != nil {
		return err
	}
	if err := c.fit(b.o.SkipInvalid); err != nil {
		return err
	}
	c.number()
	return nil
}

// writeBodies copies the bodies from the spill into the snapshot in the order of document numbers, and hands the
// documents to the builder on the way.
func (b *build) writeBodies(ctx context.Context, c *collector, w *snapshot.Writer, builder *indexes.Builder) error {
	defer b.report.stage(stageBodies)()
	bodies, err := indexes.NewBodyWriter(w)
	if err != nil {
		return fmt.Errorf("write the bodies: %w", err)
	}
	for i := range c.products {
		if i%batchItems == 0 {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			b.progress(stageBodies, i, len(c.products))
		}
		document, body, err := c.spill.read(c.products[i].spilled)
		if err != nil {
			return err
		}
		if err := bodies.Add(body); err != nil {
			return fmt.Errorf("write the body of product %s: %w", c.products[i].id, err)
		}
		builder.Add(&document)
	}
	if err := bodies.Close(); err != nil {
		return fmt.Errorf("write the bodies: %w", err)
	}
	return nil
}

func (b *build) writeIndexes(ctx context.Context, w *snapshot.Writer, builder *indexes.Builder) error {
	defer b.report.stage(stageIndexes)()
	b.progress(stageIndexes, 0, 0)
	if err := builder.Write(w); err != nil {
		return fmt.Errorf("write the indexes: %w", err)
	}
	return ctx.Err()
}

// commit gives the snapshot its name, makes it current unless it shrank too much, and clears older ones away.
func (b *build) commit(ctx context.Context, w *snapshot.Writer, products int) error {
	defer b.report.stage(stageCommit)()
	b.progress(stageCommit, 0, 0)
	info, err := w.Commit()
	if err != nil {
		return fmt.Errorf("finish the snapshot: %w", err)
	}
	b.describe(info, products)
	if err := b.allowed(products); err != nil {
		return err
	}
	if ctx.Err() != nil {
		return ctx.Err()
	}
	name := filepath.Base(info.Path)
	b.report.Outcome = outcomeUnchanged
	if name != b.previous {
		if err := b.o.Folder.Switch(name); err != nil {
			return fmt.Errorf("switch CURRENT to %s: %w", name, err)
		}
		b.report.Outcome = outcomeBuilt
	}
	b.report.Switched = true
	keep := b.o.Keep
	if keep <= 0 {
		keep = defaultKeep
	}
	if _, err := b.o.Folder.Prune(keep); err != nil {
		b.note("older generations could not be cleared away: %v", err)
	}
	return nil
}

// describe notes what was written.
func (b *build) describe(info snapshot.Info, products int) {
	r := b.report
	r.Hash, r.File, r.Bytes = info.Hash, filepath.Base(info.Path), info.Bytes
	r.Counts.Products = products
	for _, s := range info.Sections {
		r.Sections = append(r.Sections, Section{Name: indexes.SectionName(s.Kind), Bytes: s.Length})
	}
}

// allowed returns ErrShrunk when the catalogue has shrunk by more than MaxDrop percent.
func (b *build) allowed(products int) error {
	before := b.report.Counts.Previous
	drop := float64(before-products) * 100
	if b.o.MaxDrop == nil || drop <= *b.o.MaxDrop*float64(before) {
		return nil
	}
	return fmt.Errorf("%w: from %d to %d products, by %.1f %%, where %g %% is allowed; CURRENT was not switched",
		ErrShrunk, before, products, drop/float64(before), *b.o.MaxDrop)
}

func (b *build) note(format string, args ...any) {
	b.report.Notes = append(b.report.Notes, fmt.Sprintf(format, args...))
}

func (b *build) progress(stage string, done, total int) {
	if b.o.Progress != nil {
		b.o.Progress(Progress{Stage: stage, Done: int64(done), Total: int64(total)})
	}
}
