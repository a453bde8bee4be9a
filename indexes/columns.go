package indexes

import (
	"encoding/binary"
	"io"
	"math"
	"unsafe"
)

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

// alignUp returns the least multiple of n, a power of two, that is n0 or more.
func alignUp(offset, n uint64) uint64 { return (offset + n - 1) &^ (n - 1) }
