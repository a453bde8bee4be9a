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

// A set becomes a bitmap when it has at least bitmapMin documents and a roaring bitmap would be smaller than
// an array; the bitsets that it gets then may make it larger again. A container costs 25 ns before its first
// document, so that of sets scattered over 1,048,576 documents, 64 are united in 0.06 µs as an array and 0.5
// µs as a bitmap, 256 in 0.2 and 0.6, 1,000 in 1.0 and 1.5, 16,000 in 22 and 18; of 100,000 documents, 1,000
// in 1.2 and 1.0, 16,000 in 23 and 0.8.
const bitmapMin = 512

// A Builder stores document sets, equal ones once, and writes the sections of the arrays and of the bitmaps.
// Every reference that it gave out is valid for the Sets that are read from them.
type Builder struct {
	docs    int              // in the catalogue
	known   map[uint64][]Ref // hash of a set's documents to the sets that have it
	arrays  []column.Doc     // the section
	bitmaps []frozenSet
	scratch *roaring.Bitmap

	Ended func() bool // once it reports true, no set is stored any more: the build has ended. nil: never
}

// A frozenSet is one bitmap as its section stores it.
type frozenSet struct {
	bytes Bitmap
	len   int // number of documents
}

// NewBuilder returns a builder of sets over a number of documents.
func NewBuilder(docs int) *Builder {
	return &Builder{docs: docs, known: map[uint64][]Ref{}, scratch: roaring.New()}
}

// Add stores a set, given as its documents in ascending order, each once, and returns its reference. It keeps
// nothing of docs. Documents that are not ascending or not in the catalogue are an error of the caller's: Add
// panics.
func (b *Builder) Add(docs []column.Doc) Ref {
	if b.Ended != nil && b.Ended() {
		return 0
	}
	if n := len(docs); n > 0 && int64(docs[n-1]) >= int64(b.docs) {
		panic(fmt.Sprintf("docset: set with document %d of %d", docs[n-1], b.docs))
	}
	if !ascend(docs) {
		panic("docset: set whose documents do not ascend")
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
		if b.holds(ref, docs, frozen) {
			return ref
		}
	}
	ref := b.store(docs, frozen)
	b.known[hash] = append(b.known[hash], ref)
	return ref
}

// AddDense is Add for a set in its dense form.
func (b *Builder) AddDense(set Dense) Ref { return b.Add(set.Docs()) }

// Unite stores the union of stored sets. scratch is overwritten.
func (b *Builder) Unite(scratch Dense, refs []Ref) Ref {
	only, n, docs := Ref(0), 0, 0
	for _, ref := range refs {
		if ref != 0 && ref != only {
			only = ref
			n++
			docs += b.set(ref).Len()
		}
	}
	switch {
	case n <= 1:
		return only
	case docs < len(scratch): // a list is shorter
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

func (b *Builder) set(ref Ref) Set {
	switch ref.form() {
	case formSingle:
		return Set{n: 1, single: column.Doc(ref)}
	case formArray:
		docs := b.array(ref)
		return Set{n: len(docs), array: docs}
	case formBitmap:
		bitmap := &b.bitmaps[ref.bitmap()]
		return Set{n: bitmap.len, bitmap: bitmap.bytes}
	}
	return Set{}
}

func (b *Builder) array(ref Ref) []column.Doc {
	start, length := ref.array()
	return b.arrays[start:][:length]
}

// freeze returns a set as a bitmap, nil when it stays an array. The bytes are new.
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

// holds reports whether the set that ref names is the given one.
func (b *Builder) holds(ref Ref, docs []column.Doc, frozen Bitmap) bool {
	if ref.form() == formBitmap {
		return frozen != nil && bytes.Equal(b.bitmaps[ref.bitmap()].bytes, frozen)
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

// SameIn reports whether the arrays and the bitmaps that were stored are in s under the same references,
// where others may follow.
func (b *Builder) SameIn(s *Sets) (arrays, bitmaps bool) {
	arrays = len(b.arrays) <= len(s.arrays) && slices.Equal(b.arrays, s.arrays[:len(b.arrays)])
	bitmaps = true
	for i, bitmap := range b.bitmaps {
		set := s.bitmapSet(uint64(i))
		bitmaps = bitmaps && set.n == bitmap.len && bytes.Equal(set.bitmap, bitmap.bytes)
	}
	return arrays, bitmaps
}

// WriteArrays writes the section of the arrays. No set can be added behind it.
func (b *Builder) WriteArrays(c *column.Writer) { c.Write(column.Bytes(b.arrays)) }

// WriteBitmaps writes the section of the bitmaps, which BitmapAlign is the alignment of.
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
