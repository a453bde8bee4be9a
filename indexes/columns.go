package indexes

import (
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"slices"
	"unsafe"

	"sabine/indexes/snapshot"
)

// columnAlign is the alignment of every column within its section; the bytes up to it are zero.
const columnAlign = 8

// A number is an element of a column: a list of numbers of one width, little-endian, aligned to that width.
type number interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float64
}

// isLittleEndian says whether this machine's memory has the byte order of the file, so that columns can be read where
// they lie.
var isLittleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// column returns bytes as numbers where they lie. What is not aligned, as in a damaged file, is no column: nil. Bytes
// behind the last whole number are left out.
func column[T number](b []byte) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	start := unsafe.SliceData(b)
	if len(b) < size || uintptr(unsafe.Pointer(start))%uintptr(size) != 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(start)), len(b)/size)
}

// appendColumn appends numbers as a column has them.
func appendColumn[T number](dst []byte, values []T) []byte {
	var zero T
	_, isFloat := any(zero).(float64)
	for _, v := range values {
		switch unsafe.Sizeof(zero) {
		case 1:
			dst = append(dst, byte(v))
		case 2:
			dst = binary.LittleEndian.AppendUint16(dst, uint16(v))
		case 4:
			dst = binary.LittleEndian.AppendUint32(dst, uint32(v))
		default:
			if isFloat {
				dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(float64(v)))
			} else {
				dst = binary.LittleEndian.AppendUint64(dst, uint64(v))
			}
		}
	}
	return dst
}

// writeColumn writes numbers as a column has them, in pieces.
func writeColumn[T number](w io.Writer, values []T) error {
	const piece = 1 << 13
	buf := make([]byte, 0, piece*8)
	for len(values) > 0 {
		n := min(len(values), piece)
		if _, err := w.Write(appendColumn(buf[:0], values[:n])); err != nil {
			return err
		}
		values = values[n:]
	}
	return nil
}

// alignUp returns the least multiple of n, a power of two, that is not below the offset.
func alignUp(offset, n uint64) uint64 { return (offset + n - 1) &^ (n - 1) }

// readColumn reads a column of n numbers and the padding behind it, up to the next multiple of 8.
func readColumn[T number](c *snapshot.Cursor, n uint64) []T {
	var zero T
	size := uint64(unsafe.Sizeof(zero))
	if n > math.MaxInt64/size {
		n = math.MaxInt64 / size // which no section holds
	}
	b := c.Bytes(n * size)
	c.Align(columnAlign)
	return column[T](b)
}

// A columnWriter writes the parts of a section and keeps its first fault.
type columnWriter struct {
	w   io.Writer
	at  uint64 // bytes written
	err error
}

func (c *columnWriter) Write(p []byte) (int, error) {
	n, err := c.w.Write(p)
	c.at += uint64(n)
	return n, err
}

// put writes a column and the padding behind it, up to the next multiple of 8.
func put[T number](c *columnWriter, values []T) {
	if c.err == nil {
		c.err = writeColumn(c, values)
	}
	if padding := alignUp(c.at, columnAlign) - c.at; c.err == nil && padding > 0 {
		_, c.err = c.Write(make([]byte, padding))
	}
}

// A narrow is a column of numbers in the least of 1, 2 and 4 bytes that holds all numbers up to a limit, which both the
// writer and the reader know.
type narrow struct {
	bytes  []uint8
	halves []uint16
	words  []uint32
}

// at returns the number of a document, 0 when there is none.
func (n *narrow) at(d Doc) uint32 {
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

// count adds to counts how many of the documents have each number. Numbers that do not fit are not counted.
func (n *narrow) count(counts []int32, docs []Doc) {
	switch {
	case n.bytes != nil:
		countNumbers(counts, n.bytes, docs)
	case n.halves != nil:
		countNumbers(counts, n.halves, docs)
	default:
		countNumbers(counts, n.words, docs)
	}
}

func countNumbers[T uint8 | uint16 | uint32](counts []int32, numbers []T, docs []Doc) {
	for _, d := range docs {
		if int(d) < len(numbers) {
			if number := uint64(numbers[d]); number < uint64(len(counts)) {
				counts[number]++
			}
		}
	}
}

// readNarrow reads the numbers, limit at most, of n documents.
func readNarrow(c *snapshot.Cursor, n int, limit uint32) narrow {
	switch {
	case limit <= math.MaxUint8:
		return narrow{bytes: readColumn[uint8](c, uint64(n))}
	case limit <= math.MaxUint16:
		return narrow{halves: readColumn[uint16](c, uint64(n))}
	}
	return narrow{words: readColumn[uint32](c, uint64(n))}
}

// putNarrow writes numbers, limit at most.
func putNarrow(c *columnWriter, values []uint32, limit uint32) {
	switch {
	case limit <= math.MaxUint8:
		put(c, narrowed[uint8](values))
	case limit <= math.MaxUint16:
		put(c, narrowed[uint16](values))
	default:
		put(c, values)
	}
}

func narrowed[T uint8 | uint16](values []uint32) []T {
	out := make([]T, len(values))
	for i, v := range values {
		out[i] = T(v)
	}
	return out
}

// A textTable is a list of texts: a column of 4-byte numbers, one more than there are texts, where each begins in the
// bytes behind that column and where the last one ends.
type textTable struct {
	starts []uint32
	bytes  []byte
}

// len returns the number of texts.
func (t *textTable) len() int { return max(len(t.starts)-1, 0) }

// at returns a text where it lies, "" when there is none.
func (t *textTable) at(i int) string {
	if i < 0 || i >= t.len() {
		return ""
	}
	start, end := t.starts[i], t.starts[i+1]
	if start > end || uint64(end) > uint64(len(t.bytes)) {
		return ""
	}
	return byteString(t.bytes[start:end])
}

// readTexts reads a table of n texts.
func readTexts(c *snapshot.Cursor, n uint64) textTable {
	t := textTable{starts: readColumn[uint32](c, n+1)}
	if len(t.starts) > 0 {
		t.bytes = readColumn[byte](c, uint64(t.starts[len(t.starts)-1]))
	}
	return t
}

// putTexts writes a table of texts.
func putTexts(c *columnWriter, n int, text func(i int) string) {
	starts := make([]uint32, 1, n+1)
	size := uint64(0)
	for i := range n {
		size += uint64(len(text(i)))
		starts = append(starts, uint32(size))
	}
	if size > math.MaxUint32 && c.err == nil {
		c.err = fmt.Errorf("indexes: %d bytes of texts: a table holds 4 GiB", size)
	}
	put(c, starts)
	for i := range n {
		if c.err == nil {
			_, c.err = io.WriteString(c, text(i))
		}
	}
	put(c, []byte(nil)) // the padding
}

// check reports whether the texts lie one behind the other, from the first byte on.
func (t *textTable) check() bool {
	return len(t.starts) > 0 && t.starts[0] == 0 && slices.IsSorted(t.starts)
}
