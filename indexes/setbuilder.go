package indexes

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"unsafe"

	"github.com/RoaringBitmap/roaring/v2"
	"github.com/zeebo/xxh3"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// A set becomes a bitmap when it has at least bitmapMin documents and a roaring bitmap would be smaller than an array; the
// bitsets that it gets then may make it larger again. A container costs
// 25 ns before its first document, so that of sets scattered over 1,048,576 documents, 64 are united in 0.06 µs as an
// array and 0.5 µs as a bitmap, 256 in 0.2 and 0.6, 1,000 in 1.0 and 1.5, 16,000 in 22 and 18; of 100,000 documents,
// 1,000 in 1.2 and 1.0, 16,000 in 23 and 0.8.
const bitmapMin = 512

// arrayChunk is how many documents setBuilder keeps in one piece of memory.
const arrayChunk = 1 << 18

// A setBuilder stores document sets, equal ones once, and writes the sections KindSetArrays and KindSetBitmaps.
// Every reference that it gave out is valid for the Sets that are read from them.
type setBuilder struct {
	docs    int                 // in the catalogue
	known   map[uint64][]SetRef // hash of a set's documents to the sets that have it
	arrays  []docChunk          // in order; together they are the section
	bitmaps []frozenSet
	scratch *roaring.Bitmap
	halt    *halt // nil: never
}

// A docChunk is a stretch of section KindSetArrays that holds whole arrays.
type docChunk struct {
	start uint64 // place of its first document in the section
	docs  []column.Doc
}

// A frozenSet is one bitmap as section KindSetBitmaps stores it.
type frozenSet struct {
	bytes []byte
	len   int // number of documents
}

// newSetBuilder returns a builder of sets over a number of documents.
func newSetBuilder(docs int) *setBuilder {
	return &setBuilder{docs: docs, known: map[uint64][]SetRef{}, scratch: roaring.New()}
}

// add stores a set, given as its documents in ascending order, each once, and returns its reference. It keeps nothing
// of docs. Documents that are not ascending or not in the catalogue are an error of the caller's: add panics.
func (b *setBuilder) add(docs []column.Doc) SetRef {
	b.halt.step()
	if len(docs) >= bitmapMin {
		b.halt.look()
	}
	if n := len(docs); n > 0 && int64(docs[n-1]) >= int64(b.docs) {
		panic(fmt.Sprintf("indexes: set with document %d of %d", docs[n-1], b.docs))
	}
	if !ascend(docs) {
		panic("indexes: set whose documents do not ascend")
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

// addDense is add for a set in its dense form.
func (b *setBuilder) addDense(set Dense) SetRef { return b.add(set.docs()) }

// unite stores the union of stored sets. scratch is overwritten.
func (b *setBuilder) unite(scratch Dense, refs []SetRef) SetRef {
	only, n, docs := SetRef(0), 0, 0
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
		return b.add(slices.Compact(list))
	}
	scratch.Clear()
	for _, ref := range refs {
		b.set(ref).OrInto(scratch)
	}
	return b.addDense(scratch)
}

// set returns a set that was stored.
func (b *setBuilder) set(ref SetRef) Set {
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

// array returns the documents of an array that was stored.
func (b *setBuilder) array(ref SetRef) []column.Doc {
	start, length := ref.array()
	i := sort.Search(len(b.arrays), func(i int) bool { return b.arrays[i].start > start }) - 1
	chunk := &b.arrays[i]
	return chunk.docs[start-chunk.start:][:length]
}

// freeze returns a set as a bitmap, nil when it stays an array. The bytes are new.
func (b *setBuilder) freeze(docs []column.Doc) []byte {
	if len(docs) < bitmapMin {
		return nil
	}
	b.scratch.Clear()
	b.scratch.AddMany(docNumbers(docs))
	b.scratch.RunOptimize()
	size := b.scratch.GetFrozenSizeInBytes()
	if len(docs) <= maxArrayLen && bitmapRowSize+column.AlignUp(size, bitmapAlign) >= uint64(len(docs))*column.DocSize {
		return nil
	}
	return withBitsets(frozenBytes(b.scratch))
}

// bitsetMin is the number of documents from which a chunk of a set is a bitset and no array; a roaring bitmap's is 4,096.
// It takes up to eight times as much room, and a document is looked up at once. On 99,051 products the file grew by 1.2
// per cent, and searches for rare words took 0.55 of the time; from 256 on they gained no more, from 1,024 on 0.8.
const bitsetMin = 512

// withBitsets returns a bitmap with bitsets for its larger arrays.
func withBitsets(bitmap []byte) []byte {
	var bitsets, runs, values, keys, counts, types []byte
	f := openFrozen(bitmap)
	head := f // with what next passes
	for i, kind := range head.types {
		c, _ := f.next()
		if len(c.values) >= bitsetMin {
			kind, c.words = frozenBitset, make([]uint64, chunkWords)
			for _, v := range c.values {
				Dense(c.words).Add(column.Doc(v))
			}
			c.values = nil
		}
		bitsets, runs, values = append(bitsets, column.Bytes(c.words)...), append(runs, column.Bytes(c.runs)...), append(values, column.Bytes(c.values)...)
		keys, counts = append(keys, column.Bytes(head.keys[i:i+1])...), append(counts, column.Bytes(head.counts[i:i+1])...)
		types = append(types, kind)
	}
	frozen := frozenRoom(len(bitsets) + len(runs) + len(values) + len(keys) + len(counts) + len(types) + frozenHeader)
	copy(frozen, slices.Concat(bitsets, runs, values, keys, counts, types, bitmap[len(bitmap)-frozenHeader:]))
	return frozen
}

// frozenRoom returns memory for the n bytes of a bitmap, in which they can be read where they lie: when make is asked for a
// few bytes, they may begin anywhere.
func frozenRoom(n int) []byte {
	words := make([]uint64, column.AlignUp(uint64(n), 8)/8)
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(words))), n)
}

// frozenBytes returns a bitmap in the form of frozen.go.
func frozenBytes(b *roaring.Bitmap) []byte {
	frozen := frozenRoom(int(b.GetFrozenSizeInBytes()))
	if _, err := b.FreezeTo(frozen); err != nil {
		panic("indexes: freeze a bitmap: " + err.Error()) // its only error is a buffer that is too small
	}
	return frozen
}

// holds reports whether the set that ref names is the given one.
func (b *setBuilder) holds(ref SetRef, docs []column.Doc, frozen []byte) bool {
	if ref.form() == formBitmap {
		return frozen != nil && bytes.Equal(b.bitmaps[ref.bitmap()].bytes, frozen)
	}
	return frozen == nil && slices.Equal(b.array(ref), docs)
}

// store keeps a set that is not there yet.
func (b *setBuilder) store(docs []column.Doc, frozen []byte) SetRef {
	if frozen != nil {
		b.bitmaps = append(b.bitmaps, frozenSet{frozen, len(docs)})
		return bitmapRef(len(b.bitmaps) - 1)
	}
	n := len(b.arrays)
	if n == 0 || cap(b.arrays[n-1].docs)-len(b.arrays[n-1].docs) < len(docs) {
		start := uint64(0)
		if n > 0 {
			start = b.arrays[n-1].start + uint64(len(b.arrays[n-1].docs))
		}
		b.arrays = append(b.arrays, docChunk{start, make([]column.Doc, 0, max(arrayChunk, len(docs)))})
		n++
	}
	chunk := &b.arrays[n-1]
	ref := arrayRef(chunk.start+uint64(len(chunk.docs)), len(docs))
	chunk.docs = append(chunk.docs, docs...)
	return ref
}

// write writes the sections of the sets. No set can be added behind it.
func (b *setBuilder) write(w *snapshot.Writer) error {
	c := column.Begin(w, KindSetArrays)
	for i := range b.arrays {
		c.Write(column.Bytes(b.arrays[i].docs))
	}
	if c.Err() != nil {
		return c.Err()
	}
	c = column.BeginAligned(w, KindSetBitmaps, bitmapAlign)
	head := make([]byte, 0, bitmapsStart(uint64(len(b.bitmaps))))
	head = binary.LittleEndian.AppendUint64(head, uint64(len(b.bitmaps)))
	head = binary.LittleEndian.AppendUint64(head, 0)
	offset := uint64(cap(head))
	for i := range b.bitmaps {
		set := &b.bitmaps[i]
		head = binary.LittleEndian.AppendUint64(head, offset)
		head = binary.LittleEndian.AppendUint32(head, uint32(len(set.bytes)))
		head = binary.LittleEndian.AppendUint32(head, uint32(set.len))
		offset += column.AlignUp(uint64(len(set.bytes)), bitmapAlign)
	}
	c.Write(head[:cap(head)])
	for i := range b.bitmaps {
		c.Write(b.bitmaps[i].bytes)
		c.Pad(bitmapAlign)
	}
	return c.Err()
}

// docNumbers returns the memory of a list of documents as another type.
func docNumbers(docs []column.Doc) []uint32 {
	return unsafe.Slice((*uint32)(unsafe.Pointer(unsafe.SliceData(docs))), len(docs))
}
