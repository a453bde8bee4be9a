package column

import (
	"math"

	"sabine/indexes/snapshot"
)

// A Narrow is a column of numbers in 1, 2 or 4 bytes, the smallest width that can hold a limit. The reader
// and the writer must use the same limit. At most one of the fields is not nil.
type Narrow struct {
	bytes  []uint8
	halves []uint16
	words  []uint32
}

// At returns the value at index d, which is a document or an entry, or 0 if d is out of range.
func (n *Narrow) At(d Doc) uint32 {
	switch i := int64(d); {
	case i < int64(len(n.bytes)):
		return uint32(n.bytes[i])
	case i < int64(len(n.halves)):
		return uint32(n.halves[i])
	case i < int64(len(n.words)):
		return n.words[i]
	}
	return 0
}

// Count adds to counts[i] the number of docs whose value is i. It ignores documents and values out of range.
func (n *Narrow) Count(counts []int32, docs []Doc) {
	switch {
	case n.bytes != nil:
		count(counts, n.bytes, docs)
	case n.halves != nil:
		count(counts, n.halves, docs)
	default:
		count(counts, n.words, docs)
	}
}

func count[T uint8 | uint16 | uint32](counts []int32, numbers []T, docs []Doc) {
	for _, d := range docs {
		if int(d) < len(numbers) {
			if number := uint64(numbers[d]); number < uint64(len(counts)) {
				counts[number]++
			}
		}
	}
}

// ReadNarrow reads a column of n numbers. It does not check that they are at most limit; callers do.
func ReadNarrow(c *snapshot.Cursor, n int, limit uint32) Narrow {
	switch {
	case limit <= math.MaxUint8:
		return Narrow{bytes: Read[uint8](c, uint64(n))}
	case limit <= math.MaxUint16:
		return Narrow{halves: Read[uint16](c, uint64(n))}
	}
	return Narrow{words: Read[uint32](c, uint64(n))}
}

// PutNarrow writes a column of numbers that are at most limit. Larger numbers are truncated without an error.
func PutNarrow(w *Writer, values []uint32, limit uint32) {
	switch {
	case limit <= math.MaxUint8:
		Put(w, narrowed[uint8](values))
	case limit <= math.MaxUint16:
		Put(w, narrowed[uint16](values))
	default:
		Put(w, values)
	}
}

func narrowed[T uint8 | uint16](values []uint32) []T {
	out := make([]T, len(values))
	for i, v := range values {
		out[i] = T(v)
	}
	return out
}
