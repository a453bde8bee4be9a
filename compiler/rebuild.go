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

// Rebuild rebuilds every section of a snapshot from its records and compares the bytes. The error contains
// the first section that differs and, if possible, the product that causes the difference. The declared
// vocabularies, the dictionary and the synonyms are inputs of a build, so Rebuild uses those inputs from the
// snapshot. If the snapshot was built with other rules for text analysis, some sections can't be compared,
// and Rebuild returns their kinds. It calls progress, never concurrently, with the number of products read so
// far.
//
// Rebuild does not check the rules themselves, for example how a text is split into words and how entries are
// rated, because both sides use the same rules, which have their own tests. It detects errors made
// afterwards: sections mixed from two builds, and sections that were merged, stored or sealed incorrectly.
func Rebuild(ctx context.Context, x *indexes.Index, progress func(products int)) (uncompared []snapshot.Kind,
	err error) {
	err = x.Guard(func() error {
		builder, w := x.Rebuild(product.FireClasses)
		w.Context = ctx
		if err := rebuildDocuments(ctx, x, builder, w, progress); err != nil {
			return err
		}
		if err := builder.Write(w); err != nil {
			return blame(ctx, x, err)
		}
		if uncompared, err = w.Compared(); err != nil {
			return err
		}
		if len(uncompared) > 0 && !x.Meta.OtherRules() {
			return fmt.Errorf("section %s: unknown to this version of sabine", uncompared[0])
		}
		return nil
	})
	return uncompared, err
}

// rebuildDocuments compares the bodies and the order of documents, and adds the documents to the builder.
func rebuildDocuments(ctx context.Context, x *indexes.Index, builder *indexes.Builder, w *snapshot.Writer,
	progress func(products int)) error {
	bodies, err := indexes.NewBodyWriter(w)
	if err != nil {
		return err
	}
	checker := dataset.NewChecker()
	var before productRef
	err = eachRebuilt(ctx, x, func(d column.Doc, it *item, document *indexes.Document, body []byte) error {
		progress(int(d))
		if faults, _ := checker.Add(it.raw.Place, it.parsed.Product); len(faults) > 0 {
			return &faults[0]
		}
		own := newProductRef(it)
		if d > 0 && before.compare(own) >= 0 {
			return errors.New("incorrect order: expected the newest products first, then ascending ids")
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

// eachRebuilt rebuilds the record of each document, in order, and calls visit with the results.
func eachRebuilt(ctx context.Context, x *indexes.Index, visit func(d column.Doc, it *item, document *indexes.Document,
	body []byte) error) error {
	records := func(yield func(dataset.Raw, error) bool) {
		for d := range x.Docs {
			place := dataset.Place{Input: "document " + strconv.Itoa(d), Index: -1, Offset: -1, Ordinal: d}
			if !yield(dataset.Raw{Place: place, Stored: true}, nil) {
				return
			}
		}
	}
	newWork := func() func(*batch, *item) {
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
	newPipeline(goruntime.GOMAXPROCS(0), newWork).start(ctx, group, records, func(b *batch) error {
		for i := range b.items {
			it := &b.items[i]
			if it.fault != nil {
				return it.fault
			}
			if it.parsed.Product == nil {
				return &it.parsed.Faults[0]
			}
			if !it.parsed.Product.Published {
				return fmt.Errorf("%s: the product is not published", it.raw.Place)
			}
			document, err := decodeDocument(b.out[it.start:it.body]) // unlike it.document, with collation keys
			if err != nil {
				return err
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

// textDiffers compares the stored text of a product with the rebuilt text. It returns an error that shows the
// first difference, or nil if the texts are equal.
func textDiffers(stored, made []byte) error {
	if bytes.Equal(stored, made) {
		return nil
	}
	at := 0
	for at < min(len(stored), len(made)) && stored[at] == made[at] {
		at++
	}
	at = max(at-30, 0) // includes some context before the difference
	return fmt.Errorf("section %s: the stored product has %.80q, but rebuilding it from its record produces %.80q",
		indexes.KindBodies, stored[at:], made[at:])
}

// storedRecord returns the source record of a product, recovered from the product's body in a snapshot.
func storedRecord(b *indexes.Body) []byte {
	detail := strings.TrimSuffix(string(b.Detail()), "}") + string(b.Geometry()) + "}"
	return product.AppendSource(nil, product.Read(detail, strings.TrimPrefix(string(b.Rest()), ",")))
}

// blame adds a product to an error about a section that differs. It is the product at the position where an
// order differs, or the first product whose indexes differ from its record.
func blame(ctx context.Context, x *indexes.Index, differs error) error {
	var fault *snapshot.CorruptError
	if !errors.As(differs, &fault) {
		return differs
	}
	err := eachRebuilt(ctx, x, func(d column.Doc, _ *item, document *indexes.Document, _ []byte) error {
		if indexed := x.Document(d); !sameDocument(document, &indexed, x.Meta.OtherRules()) {
			return differs
		}
		return nil
	})
	if d, ok := x.DocumentOfFault(fault); ok && err == nil {
		return fmt.Errorf("document %d, product %s: %w", d, uuid.UUID(x.IDs.ID(d)), differs)
	}
	return cmp.Or(err, differs)
}

// sameDocument reports whether a rebuilt document equals a stored one. If the snapshot has other analysis
// rules, texts are not compared.
func sameDocument(document, indexed *indexes.Document, otherRules bool) bool {
	document.CollationDE, document.CollationEN = nil, nil
	slices.Sort(document.Installations)
	if otherRules {
		document.Names, document.ManufacturerKey, document.Descriptions, document.Details = nil, "", nil, nil
	}
	return bytes.Equal(appendDocument(nil, document), appendDocument(nil, indexed))
}
