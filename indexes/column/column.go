package column

import (
	"encoding/binary"
	"math"
	"unsafe"

	"sabine/indexes/snapshot"
)

// Align is the alignment of every column in its section. The padding is zero.
const Align = 8

// A Doc is a document number: the index of a product among all products, which are sorted by updated_at in
// descending order (null last), then by id.
type Doc uint32

// DocSize is the size of a document number in a column, in bytes.
const DocSize = 4

// A Number is an element of a column. A column is little-endian and aligned to the width of its numbers.
type Number interface {
	~uint8 | ~uint16 | ~uint32 | ~uint64 | ~float64
}

// LittleEndian reports whether this machine is little-endian, as the file is. Big-endian machines are not
// supported, since columns are used in place.
var LittleEndian = binary.NativeEndian.Uint16([]byte{1, 0}) == 1

// Of returns bytes as a slice of numbers that shares their memory. It returns nil if b contains no complete
// number, or is not aligned, which can occur in a damaged file. It ignores bytes after the last complete
// number.
func Of[T Number](b []byte) []T {
	var zero T
	size := int(unsafe.Sizeof(zero))
	start := unsafe.SliceData(b)
	if len(b) < size || uintptr(unsafe.Pointer(start))%uintptr(size) != 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(start)), len(b)/size)
}

// Bytes returns numbers as a slice of bytes that shares their memory.
func Bytes[T Number](values []T) []byte {
	var zero T
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(values))), len(values)*int(unsafe.Sizeof(zero)))
}

// String returns bytes as a string that shares their memory.
func String(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

// StringBytes returns a string as a slice of bytes that shares its memory.
func StringBytes(s string) []byte { return unsafe.Slice(unsafe.StringData(s), len(s)) }

// Read reads a column of n numbers, including its padding. It returns nil if the cursor has an error.
func Read[T Number](c *snapshot.Cursor, n uint64) []T {
	var zero T
	size := uint64(unsafe.Sizeof(zero))
	if n > math.MaxInt64/size {
		n = math.MaxInt64 / size // greater than the length of any section
	}
	b := c.Bytes(n * size)
	c.Align(Align)
	return Of[T](b)
}

// AlignUp returns the smallest multiple of n that is at least offset. n must be a power of two.
func AlignUp(offset, n uint64) uint64 { return (offset + n - 1) &^ (n - 1) }

// Size returns the size in bytes of a column of n numbers, including its padding.
func Size[T Number](n int) int64 {
	var zero T
	return int64(AlignUp(uint64(n)*uint64(unsafe.Sizeof(zero)), Align))
}
