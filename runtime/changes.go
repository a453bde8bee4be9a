package runtime

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"

	"github.com/tidwall/gjson"

	"sabine/indexes"
	"sabine/indexes/column"
)

// Changes are the products that two generations do not share, as far as it shows: those that only one of them has, and those
// of which a body that is served differs (detail, geometry, public item in either language, comparison). It holds numbers of
// documents and no texts, and is valid while both generations are held.
type Changes struct {
	before, after *Generation
	added         []column.Doc // of after; all are in the order of ids
	changed       []docPair
	removed       []column.Doc // of before
}

// A docPair is a product in both generations.
type docPair struct{ before, after column.Doc }

// comparedAtOnce is how many products are looked at together: enough to fetch their records while others are waited for, few
// enough that these are still in the processor's cache when they are compared. 100,000 products, of which a tenth
// differ, take 190 ms one by one and 110 so.
const comparedAtOnce = 64

// Compare finds what has to be done to before to get after. Now and then it tells look how many products of the two it has
// looked at; it returns nil when that says no.
func Compare(before, after *Generation, look func(products int) bool) *Changes {
	c := &Changes{before: before, after: after}
	if before == after {
		return c
	}
	old, now := before.byID(), after.byID()
	var shared []docPair
	r := comparer{before: before, after: after}
	for !old.ended() || !now.ended() {
		if !look(old.place + now.place) {
			return nil
		}
		shared = c.appendShared(shared[:0], old, now)
		before.fetch(shared, func(p docPair) column.Doc { return p.before })
		after.fetch(shared, func(p docPair) column.Doc { return p.after })
		for _, p := range shared {
			if r.differ(p) {
				c.changed = append(c.changed, p)
			}
		}
	}
	return c
}

// appendShared goes on until it has some products that both generations have, and notes those of one alone on the way.
func (c *Changes) appendShared(dst []docPair, old, now *idWalk) []docPair {
	for step := 0; step < comparedAtOnce && (!old.ended() || !now.ended()); step++ {
		switch order := old.compare(now); {
		case order < 0:
			c.removed = append(c.removed, old.next())
		case order > 0:
			c.added = append(c.added, now.next())
		default:
			dst = append(dst, docPair{old.next(), now.next()})
		}
	}
	return dst
}

// An idWalk walks the products of a generation by id.
type idWalk struct {
	index *indexes.Index
	order *indexes.Sorted
	place int
}

func (g *Generation) byID() *idWalk { return &idWalk{g.index, &g.index.Orders[indexes.OrderID], 0} }

func (w *idWalk) ended() bool { return w.place >= w.index.Docs }

func (w *idWalk) next() column.Doc {
	w.place++
	return w.order.At(w.place - 1)
}

// compare compares the next ids of two walks, of which one has not ended; whoever has ended is behind the other.
func (w *idWalk) compare(v *idWalk) int {
	switch {
	case v.ended():
		return -1
	case w.ended():
		return 1
	}
	a, b := w.index.IDs.ID(w.order.At(w.place)), v.index.IDs.ID(v.order.At(v.place))
	return bytes.Compare(a[:], b[:])
}

// fetch reads the beginnings of the records of one side together.
func (g *Generation) fetch(pairs []docPair, side func(docPair) column.Doc) {
	var docs [comparedAtOnce]column.Doc
	for i, p := range pairs {
		docs[i] = side(p)
	}
	g.index.Bodies.Fetch(docs[:len(pairs)])
}

// A comparer tells whether a product is shown alike in two generations.
type comparer struct {
	before, after *Generation
	was, is       []byte
}

// differ reports whether any body that is served differs. Nine of ten products are the same in most builds: of these the
// checksums are looked at and no text but the English label.
func (r *comparer) differ(p docPair) bool {
	old, now := r.before.index.Bodies.At(p.before), r.after.index.Bodies.At(p.after)
	if old.SameSums(&now) && bytes.Equal(old.LabelEN, now.LabelEN) {
		return false
	}
	r.was, r.is = r.before.appendTags(r.was[:0], p.before, &old), r.after.appendTags(r.is[:0], p.after, &now)
	if !bytes.Equal(r.was, r.is) {
		return true
	}
	r.was, r.is = r.before.appendOthers(r.was[:0], p.before, &old), r.after.appendOthers(r.is[:0], p.after, &now)
	return !bytes.Equal(r.was, r.is)
}

// appendTags appends what stands for the details of a product: the tags, which are hashes of them.
func (g *Generation) appendTags(dst []byte, d column.Doc, b *indexes.Body) []byte {
	dst = g.appendFitting(dst, d, b, indexes.SumTag, column.StringBytes(b.Plain.ETag))
	return g.appendFitting(dst, d, b, indexes.SumGeometryTag, column.StringBytes(b.WithGeometry.ETag))
}

// appendOthers appends the other bodies of a product; what a comparison has beside its head is a part of the details.
func (g *Generation) appendOthers(dst []byte, d column.Doc, b *indexes.Body) []byte {
	dst = g.appendPublicOf(dst, d, b, German)
	dst = g.appendPublicOf(dst, d, b, English)
	return g.appendFitting(dst, d, b, indexes.SumCompareHead, b.CompareHead)
}

// Counts returns how many products were added, changed and removed.
func (c *Changes) Counts() (added, changed, removed int) {
	return len(c.added), len(c.changed), len(c.removed)
}

// Len returns how many products they are.
func (c *Changes) Len() int { return len(c.added) + len(c.changed) + len(c.removed) }

// writeAtOnce is how many bytes of changes are written together.
const writeAtOnce = 32 << 10

// Write writes the changes as one JSON object, piece by piece: its memory does not grow with their number. A hash is null
// where the name of the file states none. With fields each changed product has one key more, the names of what differs.
func (c *Changes) Write(w io.Writer, fields bool) error {
	out := bufio.NewWriterSize(w, writeAtOnce) // which keeps its first error
	fmt.Fprintf(out, `{"from":%s,"to":%s`, c.before.hashOrNull(), c.after.hashOrNull())
	err := cmp.Or(
		writeList(out, "added", c.added, func(dst []byte, d column.Doc) []byte {
			return c.after.appendVersion(dst, d, "id", "slug", "updated_at")
		}),
		writeList(out, "changed", c.changed, func(dst []byte, p docPair) []byte {
			dst = c.after.appendVersion(dst, p.after, "id", "slug", "updated_at")
			_, stored := c.after.Detail(p.after)
			dst = append(append(append(dst, `,"etag":"\"`...), stored.ETag...), `\""`...)
			if fields {
				names, _ := json.Marshal(changedFields(c.before.facts(p.before), c.after.facts(p.after))) // texts always have a form
				dst = append(append(dst, `,"fields":`...), names...)
			}
			return dst
		}),
		writeList(out, "removed", c.removed, func(dst []byte, d column.Doc) []byte {
			return c.before.appendVersion(dst, d, "id", "slug")
		}),
		out.WriteByte('}'),
	)
	if err != nil {
		return err
	}
	return out.Flush()
}

// hashOrNull returns the content hash as JSON.
func (g *Generation) hashOrNull() string {
	if g.Hash() == "" {
		return "null"
	}
	return `"` + g.Hash() + `"`
}

// writeList writes a key and an array of objects, of which element appends the members.
func writeList[T any](w *bufio.Writer, name string, list []T, element func(dst []byte, of T) []byte) error {
	object := []byte(`,"` + name + `":[`)
	for i, of := range list {
		if i > 0 {
			object = append(object, ',')
		}
		object = append(element(append(object, '{'), of), '}')
		if _, err := w.Write(object); err != nil {
			return err
		}
		object = object[:0]
	}
	_, err := w.Write(append(object, ']'))
	return err
}

// appendVersion appends keys of a product's summary with their values, as members of an object.
func (g *Generation) appendVersion(dst []byte, d column.Doc, keys ...string) []byte {
	summary := g.appendSummary(nil, d, Include{})
	for i, key := range keys {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(append(append(dst, '"'), key...), `":`...)
		dst = append(dst, gjson.GetBytes(summary, key).Raw...)
	}
	return dst
}
