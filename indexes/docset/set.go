package docset

import (
	"encoding/binary"
	"fmt"
	"slices"

	"sabine/indexes/column"
	"sabine/indexes/snapshot"
)

// All structures use the same stored sets. A structure contains references of 8 bytes, and equal sets are
// stored once.
//
// A reference has these fields:
//
//	bits    field
//	62-63   form: 0 the empty set, 1 one document, 2 an array, 3 a bitmap
//	 0-61   for one document: its number; for a bitmap: its row, from 0, in the table of the section of bitmaps
//	41-61   for an array: number of documents, at least 2
//	 0-40   for an array: the index of its first document in the section of arrays
//
// The reference of the empty set is 0.
//
// The section of arrays contains all arrays, one after another. An array consists of document numbers of 4
// bytes in ascending order.
//
// The section of bitmaps is aligned to 32 bytes:
//
//	offset  size  field
//	     0     8  number of bitmaps n
//	     8     8  zero
//	    16  16*n  the table, one row for each bitmap
//	       to 32  zero
//	                the bitmaps, each padded with zero to a multiple of 32
//
// A row of the table has these fields:
//
//	offset  size  field
//	     0     8  offset of the bitmap from the start of the section, a multiple of 32
//	     8     4  length of the bitmap in bytes
//	    12     4  number of documents in the bitmap
//
// Bitmaps are frozen roaring bitmaps; see bitmap.go.
const (
	formSingle = 1
	formArray  = 2
	formBitmap = 3

	formShift      = 62
	arrayStartBits = 41
	maxArrayLen    = 1<<(formShift-arrayStartBits) - 1

	BitmapAlign   = 32
	bitmapsHead   = 16
	bitmapRowSize = 16
)

// A Ref is a reference to a stored set of documents. The zero Ref is the empty set.
type Ref uint64

func singleRef(d column.Doc) Ref { return formSingle<<formShift | Ref(d) }
func bitmapRef(row int) Ref      { return formBitmap<<formShift | Ref(row) }
func (r Ref) form() int          { return int(r >> formShift) }

// number returns all bits except the form: a document, or a row in the table of bitmaps.
func (r Ref) number() uint64 { return uint64(r) & (1<<formShift - 1) }

func arrayRef(start uint64, n int) Ref {
	return formArray<<formShift | Ref(n)<<arrayStartBits | Ref(start)
}

// array returns the start and the length of the array that r refers to.
func (r Ref) array() (start, length uint64) {
	return uint64(r) & (1<<arrayStartBits - 1), r.number() >> arrayStartBits
}

// bitmapsStart returns the offset of the first of n bitmaps in the section.
func bitmapsStart(n uint64) uint64 { return column.AlignUp(bitmapsHead+n*bitmapRowSize, BitmapAlign) }

// Sets contains all stored sets of a snapshot.
type Sets struct {
	docs    int          // number of documents in the catalogue
	arrays  []column.Doc // content of the section of arrays
	bitmaps []byte       // content of the section of bitmaps
	rows    []byte       // table in the section of bitmaps
}

// ReadArrays reads the section of arrays for a catalogue with the given number of documents.
func ReadArrays(c *snapshot.Cursor, docs int) *Sets {
	b := c.Rest()
	if len(b)%column.DocSize != 0 {
		c.Fail(len(b), fmt.Sprintf("complete document numbers of %d bytes", column.DocSize))
	}
	return &Sets{docs: docs, arrays: column.Of[column.Doc](b)}
}

// ReadBitmaps reads the head of the section of bitmaps.
func (s *Sets) ReadBitmaps(c *snapshot.Cursor) {
	s.bitmaps = c.Rest()
	if len(s.bitmaps) < bitmapsHead {
		c.Fail(len(s.bitmaps), fmt.Sprintf("a head of %d bytes", bitmapsHead))
		return
	}
	n := binary.LittleEndian.Uint64(s.bitmaps)
	if n > uint64(len(s.bitmaps)-bitmapsHead)/bitmapRowSize {
		c.Fail(0, fmt.Sprintf("a table of bitmaps that fits into %d bytes, not %d bitmaps", len(s.bitmaps), n))
		return
	}
	s.rows = s.bitmaps[bitmapsHead:][:n*bitmapRowSize]
}

// Set returns the stored set with a reference, or the empty set if the reference is invalid. It does not read
// the documents: a set in a damaged file can contain documents beyond the catalogue, which Dense ignores.
func (s *Sets) Set(ref Ref) Set {
	switch ref.form() {
	case formSingle:
		if d := ref.number(); d < uint64(s.docs) {
			return Set{n: 1, single: column.Doc(d)}
		}
	case formArray:
		start, length := ref.array()
		if array := column.Between(s.arrays, start, start+length); len(array) > 0 {
			return Set{n: len(array), array: array}
		}
	case formBitmap:
		return s.bitmapSet(ref.number())
	}
	return Set{}
}

// bitmapSet returns the set in row i of the table.
func (s *Sets) bitmapSet(i uint64) Set {
	if i >= uint64(len(s.rows)/bitmapRowSize) {
		return Set{}
	}
	row := s.rows[i*bitmapRowSize:][:bitmapRowSize]
	offset := binary.LittleEndian.Uint64(row)
	length := uint64(binary.LittleEndian.Uint32(row[8:]))
	n := binary.LittleEndian.Uint32(row[12:])
	bitmap := column.Between(s.bitmaps, offset, offset+length)
	if bitmap == nil || int64(n) > int64(s.docs) {
		return Set{}
	}
	return Set{n: int(n), bitmap: bitmap}
}

// A Set is a stored set of documents that is read in place. Small sets are sorted arrays. Large sets are
// roaring bitmaps. The zero Set is empty.
type Set struct {
	n      int          // number of documents
	single column.Doc   // the only document, if the set is neither an array nor a bitmap
	array  []column.Doc // documents in ascending order
	bitmap Bitmap
}

// Len returns the number of documents as stored in the file, without reading the documents.
func (s Set) Len() int { return s.n }

// Contains reports whether a document is in the set.
func (s Set) Contains(d column.Doc) bool {
	switch {
	case s.array != nil:
		_, found := slices.BinarySearch(s.array, d)
		return found
	case s.bitmap != nil:
		return s.bitmap.open().contains(d)
	}
	return s.n > 0 && s.single == d
}

// OrInto adds the documents of the set to dst.
func (s Set) OrInto(dst Dense) {
	switch {
	case s.array != nil:
		dst.AddAll(s.array)
	case s.bitmap != nil:
		s.bitmap.open().orInto(dst)
	case s.n > 0:
		dst.Add(s.single)
	}
}

// orChunkInto adds the set's documents in the given chunk to part, the words of that chunk.
func (s Set) orChunkInto(part Dense, chunk int) {
	switch {
	case s.bitmap != nil:
		f := s.bitmap.open()
		if c, ok := f.at(chunk); ok {
			c.orInto(part)
		}
	case s.array != nil:
		i, _ := slices.BinarySearch(s.array, column.Doc(chunk)<<chunkBits)
		for ; i < len(s.array) && int(s.array[i]>>chunkBits) == chunk; i++ {
			part.Add(s.array[i] & (chunkDocs - 1))
		}
	case s.n > 0 && int(s.single>>chunkBits) == chunk:
		part.Add(s.single & (chunkDocs - 1))
	}
}

// AndNotInto removes the documents of the set from dst.
func (s Set) AndNotInto(dst Dense) { s.filter(dst, false) }

// filter retains only the documents d of dst for which s.Contains(d) == keep.
func (s Set) filter(dst Dense, keep bool) {
	var words [chunkWords]uint64
	for chunk := 0; chunk*chunkWords < len(dst); chunk++ {
		part := dst.chunk(chunk)
		if part.Empty() {
			continue
		}
		own := Dense(words[:len(part)])
		own.Clear()
		s.orChunkInto(own, chunk)
		if keep {
			part.And(own)
		} else {
			part.AndNot(own)
		}
	}
}

// AndLen returns the number of documents that are in both s and d.
func (s Set) AndLen(d Dense) int {
	switch {
	case s.array != nil:
		return d.Count(s.array)
	case s.bitmap != nil:
		return s.bitmap.open().andLen(d)
	case s.n > 0:
		return d.bit(s.single)
	}
	return 0
}

// Docs appends the documents of the set in ascending order.
func (s Set) Docs(dst []column.Doc) []column.Doc {
	switch {
	case s.array != nil:
		dst = append(dst, s.array...)
	case s.bitmap != nil:
		dst = s.bitmap.open().docs(dst, s.n)
	case s.n > 0:
		dst = append(dst, s.single)
	}
	return dst
}
