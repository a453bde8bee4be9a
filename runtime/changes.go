package runtime

import (
	"bytes"
	"io"
	"iter"

	"sabine/dataset/jsonwriter"
	"sabine/dataset/product"
	"sabine/indexes"
	"sabine/indexes/column"
)

// Changes are the products that two generations do not share: those that only one of them has, and those of which a body that is
// served differs (detail, geometry, public item in either language, comparison). What only filters, the search and exports read, such
// as the fire class, does not count. It holds numbers of documents and no texts, and is valid while both generations are held.
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
	for !old.ended() || !now.ended() {
		if !look(old.place + now.place) {
			return nil
		}
		shared = c.appendShared(shared[:0], old, now)
		before.fetch(shared, func(p docPair) column.Doc { return p.before })
		after.fetch(shared, func(p docPair) column.Doc { return p.after })
		for _, p := range shared {
			old, now := before.index.Bodies.At(p.before), after.index.Bodies.At(p.after)
			if !old.SameShown(&now) {
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

// Counts returns how many products were added, changed and removed.
func (c *Changes) Counts() (added, changed, removed int) {
	return len(c.added), len(c.changed), len(c.removed)
}

// Len returns how many products they are.
func (c *Changes) Len() int { return len(c.added) + len(c.changed) + len(c.removed) }

// A Change is what became of a product: of one that was removed, its record is that of before, else that of after.
type Change struct {
	Kind    ChangeKind
	Product *product.Product
	ETag    string   // of the detail of a changed product, without quotes
	Fields  []string // of a changed product, the names of what differs
}

// ChangeKind says what became of a product.
type ChangeKind string

// The kinds of changes.
const (
	Added   ChangeKind = "added"
	Changed ChangeKind = "changed"
	Removed ChangeKind = "removed"
)

// ChangeKinds are the kinds of changes in the order in which they are listed.
var ChangeKinds = []ChangeKind{Added, Changed, Removed}

// Of yields the changes of a kind, in the order of ids. Without fields a product has what its summary shows, and a change no
// Fields.
func (c *Changes) Of(kind ChangeKind, fields bool) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		switch kind {
		case Added:
			for _, d := range c.added {
				if !yield(Change{Kind: kind, Product: c.after.summary(d)}) {
					return
				}
			}
		case Changed:
			for _, p := range c.changed {
				change := Change{Kind: kind, Product: c.after.summary(p.after), ETag: c.after.Detail(p.after).ETag}
				if fields {
					change.Fields = product.Differences(c.before.Product(p.before), c.after.Product(p.after))
				}
				if !yield(change) {
					return
				}
			}
		case Removed:
			for _, d := range c.removed {
				if !yield(Change{Kind: kind, Product: c.before.summary(d)}) {
					return
				}
			}
		}
	}
}

// writeAtOnce is how many bytes of changes are written together.
const writeAtOnce = 32 << 10

// Write writes the changes as one JSON object, piece by piece: its memory does not grow with their number. A hash is null
// where the name of the file states none. With fields each changed product has one key more, the names of what differs.
func (c *Changes) Write(w io.Writer, fields bool) (err error) {
	var t jsonwriter.Text
	t.Object(func() {
		c.before.writeHash(t.Key("from"))
		c.after.writeHash(t.Key("to"))
		for _, kind := range ChangeKinds {
			t.Key(string(kind)).Array(func() {
				for change := range c.Of(kind, fields) {
					t.Object(func() { change.write(&t, fields) })
					if t.Len() >= writeAtOnce {
						if err = t.Flush(w); err != nil {
							return
						}
					}
				}
			})
			if err != nil {
				return
			}
		}
	})
	if err == nil {
		_, err = w.Write(t.Bytes())
	}
	return err
}

// write writes the members of a change.
func (c *Change) write(t *jsonwriter.Text, fields bool) {
	members := []string{"id", "slug", "updated_at"}
	if c.Kind == Removed {
		members = members[:2]
	}
	for _, name := range members {
		t.Key(name).Raw(c.Product.JSON(name))
	}
	if c.Kind != Changed {
		return
	}
	t.Key("etag").String(`"` + c.ETag + `"`)
	if fields {
		t.Key("fields").Strings(c.Fields)
	}
}

// writeHash writes the content hash, null when the file's name does not state it.
func (g *Generation) writeHash(t *jsonwriter.Text) {
	if g.Hash() == "" {
		t.Null()
	} else {
		t.String(g.Hash())
	}
}
