package compiler

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	goruntime "runtime"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"golang.org/x/sync/errgroup"

	"sabine/dataset"
	"sabine/indexes"
	"sabine/indexes/column"
)

// maxBodyFaults is how many faulty bodies CheckBodies names.
const maxBodyFaults = 20

// CheckBodies holds a snapshot against its bodies. Each body is JSON in every form that is sent, its tag is the hash of it, its
// compressed forms hold it, and it says the same in all its parts; and what the indexes say of its product is what it says.
// Neither checksums nor indexes.Check tell that: they match whatever the build wrote. What bodies don't tell, see
// indexes.Holder, nobody holds. It returns the first faults, joined. It tells looked how many bodies it has begun with, from
// any goroutine.
//
// A body is read as a source record, which it is, and goes the way that one goes in a build: parsed, rendered, analysed. So the
// rules themselves, as which words a text has and how entries are rated, stand on no second pair of eyes here, but on the tests
// that have one; a second implementation of each would be as large as the compiler, and wrong more often. What this finds is all
// that lies behind them: documents that took another's number, sections and bodies of two builds, sets, columns and orders
// that were written, merged, stored or sealed wrongly. What was built under other rules is untrue by those of this program.
func CheckBodies(ctx context.Context, x *indexes.Index, looked func(bodies int)) error {
	all := allBodies{index: x, holder: x.Hold(), looked: looked}
	group, ctx := errgroup.WithContext(ctx)
	for range goruntime.GOMAXPROCS(0) {
		group.Go(func() error { return x.Guard(func() error { return all.check(ctx) }) })
	}
	err := group.Wait()
	if err == nil && len(all.faults) == 0 {
		for _, fault := range all.holder.End() {
			all.add(x.Docs, fault)
		}
	}
	slices.SortStableFunc(all.faults, func(a, b bodyFault) int { return cmp.Compare(a.document, b.document) })
	var faults []error
	for i, f := range all.faults {
		if i == maxBodyFaults {
			faults = append(faults, errors.New("and more"))
			break
		}
		faults = append(faults, f.err)
	}
	return errors.Join(append(faults, err)...)
}

// allBodies are the bodies of a snapshot while several goroutines check them.
type allBodies struct {
	index  *indexes.Index
	holder *indexes.Holder
	looked func(bodies int)
	next   atomic.Int64 // the first document that nobody looks at

	mu     sync.Mutex
	faults []bodyFault
}

type bodyFault struct {
	document int
	err      error
}

// add notes a fault and reports whether there may be more.
func (a *allBodies) add(document int, err error) (more bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if err != nil && len(a.faults) <= maxBodyFaults {
		a.faults = append(a.faults, bodyFault{document, err})
	}
	return len(a.faults) <= maxBodyFaults
}

// check checks bodies, batch by batch, as long as there are some and the faults are few.
func (a *allBodies) check(ctx context.Context) error {
	c, err := newBodyCheck(a.index, a.holder)
	if err != nil {
		return err
	}
	defer c.zstd.Close()
	for more := true; more; {
		first := int(a.next.Add(batchItems)) - batchItems
		for d := first; d < min(first+batchItems, a.index.Docs) && more; d++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			a.looked(d)
			more = a.add(d, c.checkDocument(column.Doc(d)))
		}
		more = more && first < a.index.Docs
	}
	return nil
}

// A bodyCheck checks one body after the other. It is for one goroutine.
type bodyCheck struct {
	index    *indexes.Index
	holder   *indexes.Holder
	gzip     gzip.Reader
	zstd     *zstd.Decoder
	renderer *renderer
	names    [2]nameOrder
}

func newBodyCheck(x *indexes.Index, h *indexes.Holder) (*bodyCheck, error) {
	z, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(zstdWindow))
	return &bodyCheck{index: x, holder: h, zstd: z, renderer: newRenderer(), names: nameOrders(x)}, err
}

// checkDocument checks the body of a document, and what the indexes say of that.
func (c *bodyCheck) checkDocument(d column.Doc) error {
	body := c.index.Bodies.At(d)
	p, err := c.check(&body)
	if err != nil {
		return fmt.Errorf("the body of document %d: %w", d, err)
	}
	document := documentOf(p)
	faults := append(c.holder.Document(d, &document), c.checkNumber(d, p))
	for i := range c.names {
		faults = append(faults, c.names[i].check(int(d)))
	}
	return errors.Join(faults...)
}

// check checks a body by itself and returns the product that it tells of.
func (c *bodyCheck) check(b *indexes.Body) (*dataset.Product, error) {
	withGeometry := slices.Concat(b.Detail[:max(len(b.Detail)-1, 0)], []byte(indexes.GeometryKey), b.Geometry, []byte("}"))
	for _, sent := range []struct {
		name string
		json []byte
	}{
		{"detail", b.Detail},
		{"detail with geometry", withGeometry},
		{"summary", slices.Concat(b.Detail[:b.SummaryEnd], []byte("}"))},
		{"summary with acoustics", slices.Concat(b.Detail[:b.AcousticsEnd], []byte("}"))},
		{"public item in German", slices.Concat(b.PublicHead, b.LabelDE, b.PublicTail)},
		{"public item in English", slices.Concat(b.PublicHead, b.LabelEN, b.PublicTail)},
		{"compare item", slices.Concat(b.CompareHead, b.Detail[b.AbsorptionStart:b.AbsorptionEnd], []byte("}"))},
	} {
		if !json.Valid(sent.json) {
			return nil, fmt.Errorf("the %s is no JSON: %.100q", sent.name, sent.json)
		}
	}
	if err := errors.Join(c.checkCoded("detail", b.Coded(false), b.Detail), c.checkCoded("detail with geometry", b.Coded(true), withGeometry)); err != nil {
		return nil, err
	}
	p, err := dataset.ParsePublished(recordOf(b))
	if err != nil {
		return nil, fmt.Errorf("the detail is no source record: %w", err)
	}
	return p, c.checkParts(b, p)
}

// checkParts holds every part of a body against what the product makes that it tells of.
func (c *bodyCheck) checkParts(b *indexes.Body, p *dataset.Product) error {
	again := c.renderer.renderTexts(p)
	for _, part := range []struct {
		name      string
		got, want []byte
	}{
		{"detail", b.Detail, again.Detail},
		{"geometry", b.Geometry, again.Geometry},
		{"public item", b.PublicHead, again.PublicHead},
		{"public item's German label", b.LabelDE, again.LabelDE},
		{"public item's English label", b.LabelEN, again.LabelEN},
		{"public item", b.PublicTail, again.PublicTail},
		{"compare item", b.CompareHead, again.CompareHead},
		{"part for exports", b.Unshown, again.Unshown},
	} {
		if bytes.Equal(part.got, part.want) {
			continue
		}
		at := 0
		for at < min(len(part.got), len(part.want)) && part.got[at] == part.want[at] {
			at++
		}
		at = max(at-30, 0) // a few keys before
		return fmt.Errorf("the %s says %.80q, where the body as a whole says %.80q", part.name, part.got[min(at, len(part.got)):], part.want[min(at, len(part.want)):])
	}
	got := [...]int{b.SummaryEnd, b.AcousticsEnd, b.AbsorptionStart, b.AbsorptionEnd}
	if want := [...]int{again.SummaryEnd, again.AcousticsEnd, again.AbsorptionStart, again.AbsorptionEnd}; got != want {
		return fmt.Errorf("the summary, the acoustics and the absorption lie at %v, want %v", got, want)
	}
	return nil
}

// checkCoded holds a tag and the compressed forms that there are against the body that they are of.
func (c *bodyCheck) checkCoded(name string, coded indexes.Coded, identity []byte) error {
	if want := indexes.ETag(identity); coded.ETag != want {
		return fmt.Errorf("the tag of the %s is %.40q, want %q, the hash of it", name, coded.ETag, want)
	}
	if err := holdsAlone(&c.gzip, coded.Gzip, identity); err != nil {
		return fmt.Errorf("the gzip form of the %s: %w", name, err)
	}
	if err := holdsAlone(c.zstd, coded.Zstd, identity); err != nil {
		return fmt.Errorf("the zstd form of the %s: %w", name, err)
	}
	return nil
}

// A decoder reads what is compressed, one text after the other.
type decoder interface {
	io.Reader
	Reset(io.Reader) error
}

// holdsAlone reads a body out of its compressed form, when it has one, and no more than one byte too many of it.
func holdsAlone(d decoder, compressed, want []byte) error {
	if len(compressed) == 0 {
		return nil
	}
	if err := d.Reset(bytes.NewReader(compressed)); err != nil {
		return err
	}
	got, err := io.ReadAll(io.LimitReader(d, int64(len(want))+1))
	if err == nil && !bytes.Equal(got, want) {
		err = errors.New("it holds another body")
	}
	return err
}
