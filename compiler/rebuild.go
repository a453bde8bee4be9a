package compiler

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	goruntime "runtime"
	"slices"
	"strconv"
	"strings"

	"github.com/google/uuid"
	"golang.org/x/sync/errgroup"

	"sabine/dataset"
	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// Rebuild builds every section of a snapshot again from the records in it, and compares the bytes. The error
// names the first section that differs and, where it can be told, the product that makes the difference. The
// declared vocabularies, the dictionary and the synonyms are inputs: they are taken from the snapshot as they
// are. Where the texts of the snapshot were read by other rules of analysis than those of this program,
// sections are left that cannot be compared; Rebuild returns them. It calls looked with the number of products
// that it has read, from one goroutine at a time.
//
// The rules themselves, such as which words a text has and how entries are rated, are not checked here, since
// both sides follow them: they have tests of their own. Rebuild finds what comes after them: sections of two
// builds, and sections that were merged, stored or sealed wrongly.
func Rebuild(ctx context.Context, x *indexes.Index, looked func(products int)) (left []snapshot.Kind, err error) {
	err = x.Guard(func() error {
		builder, w := x.Rebuild(product.FireClasses)
		w.Context = ctx
		if err := addAgain(ctx, x, builder, w, looked); err != nil {
			return err
		}
		if err := builder.Write(w); err != nil {
			return blame(ctx, x, err)
		}
		if left, err = w.Compared(); err != nil {
			return err
		}
		if len(left) > 0 && !x.Meta.OtherRules() {
			return fmt.Errorf("section %s: no build writes it", left[0])
		}
		return nil
	})
	return left, err
}

// addAgain compares the bodies and the order of documents, and adds these to the builder.
func addAgain(ctx context.Context, x *indexes.Index, builder *indexes.Builder, w *snapshot.Writer,
	looked func(products int)) error {
	bodies, err := indexes.NewBodyWriter(w)
	if err != nil {
		return err
	}
	checker := dataset.NewChecker()
	var before catalogued
	err = eachAgain(ctx, x, func(d column.Doc, it *item, document *indexes.Document, body []byte) error {
		looked(int(d))
		if faults, _ := checker.Add(it.raw.Place, it.parsed.Product); len(faults) > 0 {
			return &faults[0]
		}
		own := cataloguedOf(it)
		if d > 0 && before.compare(own) >= 0 {
			return errors.New("it comes after a product that it should come before: the newest are first, then the least ids")
		}
		before = own
		builder.Add(document)
		if err := bodies.Add(body); err != nil {
			return cmp.Or(textDiffers(x.Bodies.At(d).Text, product.NewRenderer().Render(it.parsed.Product).Text), err)
		}
		return nil
	})
	if err != nil {
		return err
	}
	return bodies.Close()
}

// eachAgain calls visit with what a build makes of the record of each document, in order.
func eachAgain(ctx context.Context, x *indexes.Index, visit func(d column.Doc, it *item, document *indexes.Document,
	body []byte) error) error {
	records := func(yield func(dataset.Raw, error) bool) {
		for d := range x.Docs {
			place := dataset.Place{Input: "document " + strconv.Itoa(d), Index: -1, Offset: -1, Ordinal: d}
			if !yield(dataset.Raw{Place: place, Stored: true}, nil) {
				return
			}
		}
	}
	begin := func() func(*batch, *item) {
		w := newWorker()
		return func(b *batch, it *item) {
			err := x.Guard(func() error {
				body := x.Bodies.At(column.Doc(it.raw.Place.Ordinal))
				it.raw.JSON = storedRecord(&body)
				return nil
			})
			if err != nil {
				it.fault = &dataset.Fault{Place: it.raw.Place, Problem: err.Error()}
			}
			w.work(b, it)
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	newLine(goruntime.GOMAXPROCS(0), begin).start(ctx, group, records, func(b *batch) error {
		for i := range b.items {
			it := &b.items[i]
			if it.fault != nil {
				return it.fault
			}
			if it.parsed.Product == nil {
				return &it.parsed.Faults[0]
			}
			document, err := decodeDocument(b.out[it.start:it.body])
			if err != nil {
				return fmt.Errorf("%s: not published", it.raw.Place)
			}
			err = x.Guard(func() error { return visit(column.Doc(it.raw.Place.Ordinal), it, &document, b.out[it.body:it.end]) })
			if err != nil {
				return fmt.Errorf("%s, product %s: %w", it.raw.Place, it.parsed.Product.ID, err)
			}
		}
		return nil
	})
	return group.Wait()
}

// textDiffers returns an error that shows where the stored text of a product differs from the one made again;
// nil when it does not.
func textDiffers(stored, made []byte) error {
	if bytes.Equal(stored, made) {
		return nil
	}
	at := 0
	for at < min(len(stored), len(made)) && stored[at] == made[at] {
		at++
	}
	at = max(at-30, 0) // a few keys before
	return fmt.Errorf("section %s: the text has %.80q, its record makes %.80q", indexes.KindBodies, stored[at:], made[at:])
}

// storedRecord returns the source record of a product, from what a snapshot holds of it.
func storedRecord(b *indexes.Body) []byte {
	detail := strings.TrimSuffix(string(b.Detail()), "}") + string(b.Geometry()) + "}"
	return product.AppendSource(nil, product.Read(detail, strings.TrimPrefix(string(b.Rest()), ",")))
}

// blame adds the product to the error of a section that differs: the first product of which the indexes say
// something else than its record, or the one at the place of an order where that differs.
func blame(ctx context.Context, x *indexes.Index, differs error) error {
	var fault *snapshot.CorruptError
	if !errors.As(differs, &fault) {
		return differs
	}
	err := eachAgain(ctx, x, func(d column.Doc, _ *item, document *indexes.Document, _ []byte) error {
		if says := x.Document(d); !sameDocument(document, &says, x.Meta.OtherRules()) {
			return differs
		}
		return nil
	})
	if d, ok := x.DocumentOfFault(fault); ok && err == nil {
		return fmt.Errorf("document %d, product %s: %w", d, uuid.UUID(x.IDs.ID(d)), differs)
	}
	return cmp.Or(err, differs)
}

// sameDocument reports whether the indexes say what the record of a document does. Under other rules they say
// no texts.
func sameDocument(document, says *indexes.Document, otherRules bool) bool {
	document.CollationDE, document.CollationEN = nil, nil
	slices.Sort(document.Installations)
	if otherRules {
		document.Names, document.ManufacturerKey, document.Descriptions, document.Details = nil, "", nil, nil
	}
	return bytes.Equal(appendDocument(nil, document), appendDocument(nil, says))
}
