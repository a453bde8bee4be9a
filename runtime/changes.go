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

// Changes are the products that two generations do not share: those that only one of them has, and those of
// which a body that is served differs (detail, geometry, public item in either language, comparison). What
// only filters, the search and exports read, such as the fire class, does not count. It holds numbers of
// documents and no texts, and is valid while both generations are held.
type Changes struct {
	before, after *Generation
	added         []column.Doc // of after; all are in the order of ids
	changed       []docPair
	removed       []column.Doc // of before
}

// A docPair is a product in both generations.
type docPair struct{ before, after column.Doc }

// comparedAtOnce is how many products are looked at together: enough to fetch their records while others are
// waited for, few enough that these are still in the processor's cache when they are compared. 100,000
// products, of which a tenth differ, take 190 ms one by one and 110 so.
const comparedAtOnce = 64

// Compare finds what has to be done to before to get after. Now and then it tells look how many products of
// the two it has looked at; it returns nil when that says no.
func Compare(before, after *Generation, look func(products int) bool) *Changes {
	c := &Changes{before: before, after: after}
	if before == after {
		return c
	}
	old, now := before.index.Orders[indexes.OrderID].Docs(), after.index.Orders[indexes.OrderID].Docs()
	all := len(old) + len(now)
	var shared []docPair
	var docs [2][]column.Doc
	for left := all; left > 0; left = len(old) + len(now) {
		if !look(all - left) {
			return nil
		}
		shared, docs = shared[:0], [2][]column.Doc{docs[0][:0], docs[1][:0]}
		for step := 0; step < comparedAtOnce && len(old)+len(now) > 0; step++ {
			switch order := c.compareFirst(old, now); {
			case order < 0:
				c.removed, old = append(c.removed, old[0]), old[1:]
			case order > 0:
				c.added, now = append(c.added, now[0]), now[1:]
			default:
				shared = append(shared, docPair{old[0], now[0]})
				docs[0], docs[1] = append(docs[0], old[0]), append(docs[1], now[0])
				old, now = old[1:], now[1:]
			}
		}
		before.index.Bodies.Fetch(docs[0])
		after.index.Bodies.Fetch(docs[1])
		for _, p := range shared {
			old, now := before.index.Bodies.At(p.before), after.index.Bodies.At(p.after)
			if !old.EqualContent(&now) {
				c.changed = append(c.changed, p)
			}
		}
	}
	return c
}

// compareFirst compares the ids of the first products of two lists, of which one is not empty; an empty one
// is behind the other.
func (c *Changes) compareFirst(old, now []column.Doc) int {
	switch {
	case len(now) == 0:
		return -1
	case len(old) == 0:
		return 1
	}
	a, b := c.before.ID(old[0]), c.after.ID(now[0])
	return bytes.Compare(a[:], b[:])
}

// Counts returns how many products were added, changed and removed.
func (c *Changes) Counts() (added, changed, removed int) {
	return len(c.added), len(c.changed), len(c.removed)
}

// Len returns how many products they are.
func (c *Changes) Len() int { return len(c.added) + len(c.changed) + len(c.removed) }

// A Change is what became of a product: of one that was removed, its record is that of before, else that of
// after.
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

// Of yields the changes of a kind, in the order of ids. Without fields a product has what its summary shows,
// and a change no Fields.
func (c *Changes) Of(kind ChangeKind, fields bool) iter.Seq[Change] {
	return func(yield func(Change) bool) {
		docs, of := c.added, c.after
		switch kind {
		case Removed:
			docs, of = c.removed, c.before
		case Changed:
			docs = nil
			for _, p := range c.changed {
				change := Change{Kind: kind, Product: c.after.summary(p.after), ETag: c.after.Detail(p.after).ETag}
				if fields {
					change.Fields = product.Differences(c.before.Product(p.before), c.after.Product(p.after))
				}
				if !yield(change) {
					return
				}
			}
		}
		for _, d := range docs {
			if !yield(Change{Kind: kind, Product: of.summary(d)}) {
				return
			}
		}
	}
}

// writeAtOnce is how many bytes of changes are written together.
const writeAtOnce = 32 << 10

// Write writes the changes as one JSON object, piece by piece: its memory does not grow with their number. A
// hash is null where the name of the file states none. With fields each changed product has one key more, the
// names of what differs.
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
