package docset

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/zeebo/xxh3"

	"sabine/indexes/column"
)

// A set is stored as a bitmap if it has at least bitmapMin documents and a roaring bitmap would be smaller
// than an array. Replacing its arrays with bitsets can make it larger again. Each container has a fixed cost
// of 25 ns. The table shows the time in µs to add a set to a Dense, if its documents are scattered over the
// catalogue:
//
//	catalogue  set     as an array  as a bitmap
//	1,048,576  64      0.06         0.5
//	           256     0.2          0.6
//	           1,000   1.0          1.5
//	           16,000  22           18
//	  100,000  1,000   1.2          1.0
//	           16,000  23           0.8
const bitmapMin = 512

// A Builder stores sets of documents without duplicates, and writes the sections of arrays and of bitmaps.
// Its references are valid for the Sets that are read from these sections.
type Builder struct {
	docs    int              // number of documents in the catalogue
	known   map[uint64][]Ref // references of arrays and bitmaps by the hash of their documents
	arrays  []column.Doc     // content of the section of arrays
	bitmaps []frozenSet
	scratch *roaring.Bitmap

	// Stopped reports whether the build was cancelled. Add then stores no set and returns 0. It may be nil.
	Stopped func() bool
}

// A frozenSet is a bitmap in the form that is stored in the section of bitmaps.
type frozenSet struct {
	bytes Bitmap
	len   int // number of documents
}

// NewBuilder returns a builder for a catalogue of docs documents.
func NewBuilder(docs int) *Builder {
	return &Builder{docs: docs, known: map[uint64][]Ref{}, scratch: roaring.New()}
}

// Add stores a set of documents and returns its reference. It panics if the documents are not in strictly
// ascending order, or not in the catalogue. It does not retain docs.
func (b *Builder) Add(docs []column.Doc) Ref {
	if b.Stopped != nil && b.Stopped() {
		return 0
	}
	if n := len(docs); n > 0 && int64(docs[n-1]) >= int64(b.docs) {
		panic(fmt.Sprintf("docset: set with document %d, but there are only %d documents", docs[n-1], b.docs))
	}
	if !ascend(docs) {
		panic("docset: documents of a set are not in ascending order")
	}
	switch len(docs) {
	case 0:
		return 0
	case 1:
		return singleRef(docs[0])
	}
	hash := xxh3.Hash(column.Bytes(docs))
	frozen := b.freeze(docs)
	for _, ref := range b.known[hash] {
		if b.equals(ref, docs, frozen) {
			return ref
		}
	}
	ref := b.store(docs, frozen)
	b.known[hash] = append(b.known[hash], ref)
	return ref
}

// ascend reports whether the documents are in strictly ascending order.
func ascend(docs []column.Doc) bool {
	for i := 1; i < len(docs); i++ {
		if docs[i-1] >= docs[i] {
			return false
		}
	}
	return true
}

// AddDense is like Add, for a dense set.
func (b *Builder) AddDense(set Dense) Ref { return b.Add(set.Docs()) }

// Union stores the union of stored sets. It overwrites scratch.
func (b *Builder) Union(scratch Dense, refs []Ref) Ref {
	last, n, docs := Ref(0), 0, 0 // n does not count empty sets, and counts adjacent equal sets once
	for _, ref := range refs {
		if ref != 0 && ref != last {
			last = ref
			n++
			docs += b.set(ref).Len()
		}
	}
	switch {
	case n <= 1:
		return last
	case docs < len(scratch): // a list needs less memory
		var list []column.Doc
		for _, ref := range refs {
			list = b.set(ref).Docs(list)
		}
		slices.Sort(list)
		return b.Add(slices.Compact(list))
	}
	scratch.Clear()
	for _, ref := range refs {
		b.set(ref).OrInto(scratch)
	}
	return b.AddDense(scratch)
}

// set is like Sets.Set, for a set that the builder has stored.
func (b *Builder) set(ref Ref) Set {
	switch ref.form() {
	case formSingle:
		return Set{n: 1, single: column.Doc(ref.number())}
	case formArray:
		docs := b.array(ref)
		return Set{n: len(docs), array: docs}
	case formBitmap:
		bitmap := &b.bitmaps[ref.number()]
		return Set{n: bitmap.len, bitmap: bitmap.bytes}
	}
	return Set{}
}

func (b *Builder) array(ref Ref) []column.Doc {
	start, length := ref.array()
	return b.arrays[start:][:length]
}

// freeze returns a new bitmap with the documents, or nil if the set must be stored as an array.
func (b *Builder) freeze(docs []column.Doc) Bitmap {
	if len(docs) < bitmapMin {
		return nil
	}
	b.scratch.Clear()
	b.scratch.AddMany(numbers(docs))
	b.scratch.RunOptimize()
	size := b.scratch.GetFrozenSizeInBytes()
	if len(docs) <= maxArrayLen && bitmapRowSize+column.AlignUp(size, BitmapAlign) >= uint64(len(docs))*column.DocSize {
		return nil
	}
	return frozenOf(b.scratch)
}

// equals reports whether the set with reference ref equals the given set.
func (b *Builder) equals(ref Ref, docs []column.Doc, frozen Bitmap) bool {
	if ref.form() == formBitmap {
		return frozen != nil && bytes.Equal(b.bitmaps[ref.number()].bytes, frozen)
	}
	return frozen == nil && slices.Equal(b.array(ref), docs)
}

func (b *Builder) store(docs []column.Doc, frozen Bitmap) Ref {
	if frozen != nil {
		b.bitmaps = append(b.bitmaps, frozenSet{frozen, len(docs)})
		return bitmapRef(len(b.bitmaps) - 1)
	}
	b.arrays = append(b.arrays, docs...)
	return arrayRef(uint64(len(b.arrays)-len(docs)), len(docs))
}

// ContainedIn reports whether s contains the stored arrays and bitmaps with the same references. s may
// contain further sets after them.
func (b *Builder) ContainedIn(s *Sets) (arrays, bitmaps bool) {
	arrays = len(b.arrays) <= len(s.arrays) && slices.Equal(b.arrays, s.arrays[:len(b.arrays)])
	bitmaps = true
	for i, bitmap := range b.bitmaps {
		set := s.bitmapSet(uint64(i))
		bitmaps = bitmaps && set.n == bitmap.len && bytes.Equal(set.bitmap, bitmap.bytes)
	}
	return arrays, bitmaps
}

// WriteArrays writes the section of arrays. No set may be added afterwards.
func (b *Builder) WriteArrays(c *column.Writer) { c.Write(column.Bytes(b.arrays)) }

// WriteBitmaps writes the section of bitmaps, which must be aligned to BitmapAlign.
func (b *Builder) WriteBitmaps(c *column.Writer) {
	head := make([]byte, 0, bitmapsStart(uint64(len(b.bitmaps))))
	head = binary.LittleEndian.AppendUint64(head, uint64(len(b.bitmaps)))
	head = binary.LittleEndian.AppendUint64(head, 0)
	offset := uint64(cap(head))
	for i := range b.bitmaps {
		set := &b.bitmaps[i]
		head = binary.LittleEndian.AppendUint64(head, offset)
		head = binary.LittleEndian.AppendUint32(head, uint32(len(set.bytes)))
		head = binary.LittleEndian.AppendUint32(head, uint32(set.len))
		offset += column.AlignUp(uint64(len(set.bytes)), BitmapAlign)
	}
	c.Write(head[:cap(head)])
	for i := range b.bitmaps {
		c.Write(b.bitmaps[i].bytes)
		c.Pad(BitmapAlign)
	}
}
