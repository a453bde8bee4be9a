package column

import (
	"encoding/binary"
	"math"
	"unsafe"

	"sabine/indexes/snapshot"
)

// Align is the alignment of every column within its section; the bytes up to it are zero.
const Align = 8

// Doc is a document number: the place of a product in the order of updated_at descending (null last), then
// id.
type Doc uint32

// DocSize is the width of a column of documents.
const DocSize = 4

// A Number is an element of a column: a list of numbers of one width, little-endian, aligned to that width.
type Number interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float64
}

// LittleEndian says whether this machine's memory has the byte order of the file. Columns are read and
// written as they lie in memory: on other machines there are none.
var LittleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// Of returns bytes as numbers where they lie. What is not aligned, as in a damaged file, is no column: nil.
// Bytes behind the last whole number are left out.
func Of[T Number](b []byte) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	start := unsafe.SliceData(b)
	if len(b) < size || uintptr(unsafe.Pointer(start))%uintptr(size) != 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(start)), len(b)/size)
}

// Bytes returns numbers as the bytes of their column, where they lie.
func Bytes[T Number](values []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(zero)))
}

// String and StringBytes return bytes as a text, and a text as bytes, where they lie.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// StringBytes is String the other way round.
func StringBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// Read reads a column of n numbers and the padding behind it.
func Read[T Number](c *snapshot.Cursor, n uint64) []T {
	var zero T
	size := uint64(unsafe.Sizeof(zero))
	if n > math.MaxInt64/size {
		n = math.MaxInt64 / size // which no section holds
	}
	b := c.Bytes(n * size)
	c.Align(Align)
	return Of[T](b)
}

// AlignUp returns the least multiple of n, a power of two, that is not below an offset.
func AlignUp(offset, n uint64) uint64 { return (offset + n - 1) &^ (n - 1) }

// Size returns the bytes that a column of n numbers takes, with the padding behind it.
func Size[T Number](n int) int64 {
	var zero T
	return int64(AlignUp(uint64(n)*uint64(unsafe.Sizeof(zero)), Align))
}
