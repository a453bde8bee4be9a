package column

import (
	"math"

	"sabine/indexes/snapshot"
)

// A Narrow is a column of numbers in the least of 1, 2 and 4 bytes that holds all numbers up to a limit,
// which both the writer and the reader know.
type Narrow struct {
	bytes  []uint8
	halves []uint16
	words  []uint32
}

// At returns the number of a document, 0 when there is none.
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

// Count adds to counts how many of the documents have each number. Numbers that do not fit are not counted.
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

// ReadNarrow reads the numbers, limit at most, of n documents.
func ReadNarrow(c *snapshot.Cursor, n int, limit uint32) Narrow {
	switch {
	case limit <= math.MaxUint8:
		return Narrow{bytes: Read[uint8](c, uint64(n))}
	case limit <= math.MaxUint16:
		return Narrow{halves: Read[uint16](c, uint64(n))}
	}
	return Narrow{words: Read[uint32](c, uint64(n))}
}

// PutNarrow writes numbers, limit at most.
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
