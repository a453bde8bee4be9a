package indexes

import (
	"encoding/binary"
	"slices"

	"github.com/zeebo/xxh3"

	"sabine/indexes/column"
)

// A Sum is one of the checksums in a body's record: of everything that is sent in one piece. They are held against the
// copy that is sent, since the file below may be written to at any time, and the checksums of sections are held against
// it only now and then.
type Sum uint8

// The checksums, in the order of a record.
const (
	SumSummary      Sum = iota // Detail[:SummaryEnd]
	SumAcoustics               // Detail[:AcousticsEnd]
	SumDetail                  // Detail
	SumAbsorption              // Detail[AbsorptionStart:AbsorptionEnd]
	SumGeometry                // Geometry
	SumPublicDE                // PublicHead, LabelDE, PublicTail
	SumPublicEN                // PublicHead, LabelEN, PublicTail
	SumCompareHead             // CompareHead
	SumTag                     // Plain.ETag
	SumGzip                    // Plain.Gzip
	SumZstd                    // Plain.Zstd
	SumGeometryTag             // WithGeometry.ETag
	SumGeometryGzip            // the whole form with geometry, as Coded puts it together
	SumGeometryZstd
	numSums
)

const sumsSize = 4 * int(numSums)

// Checksum is the low half of xxh3-64 (seed 0): 0.1 µs for a detail body.
func Checksum(b []byte) uint32 { return uint32(xxh3.Hash(b)) }

// Sum returns a checksum as the record states it.
func (b *Body) Sum(sum Sum) uint32 {
	if b.sums == nil {
		return 0
	}
	return binary.LittleEndian.Uint32(b.sums[4*sum:])
}

// Fits reports whether a copy of what a checksum is of is what the build made.
func (b *Body) Fits(sum Sum, copied []byte) bool {
	return b.sums != nil && Checksum(copied) == b.Sum(sum)
}

// summed returns the pieces that a checksum is of.
func (b *Body) summed(sum Sum) [][]byte {
	switch sum {
	case SumSummary:
		return [][]byte{b.Detail[:b.SummaryEnd]}
	case SumAcoustics:
		return [][]byte{b.Detail[:b.AcousticsEnd]}
	case SumDetail:
		return [][]byte{b.Detail}
	case SumAbsorption:
		return [][]byte{b.Detail[b.AbsorptionStart:b.AbsorptionEnd]}
	case SumGeometry:
		return [][]byte{b.Geometry}
	case SumPublicDE:
		return [][]byte{b.PublicHead, b.LabelDE, b.PublicTail}
	case SumPublicEN:
		return [][]byte{b.PublicHead, b.LabelEN, b.PublicTail}
	case SumCompareHead:
		return [][]byte{b.CompareHead}
	case SumTag:
		return [][]byte{column.StringBytes(b.Plain.ETag)}
	case SumGzip:
		return [][]byte{b.Plain.Gzip}
	case SumZstd:
		return [][]byte{b.Plain.Zstd}
	case SumGeometryTag:
		return [][]byte{column.StringBytes(b.WithGeometry.ETag)}
	case SumGeometryGzip:
		return [][]byte{b.Plain.Gzip[:b.WithGeometry.SharedGzip], b.WithGeometry.Gzip}
	default: // SumGeometryZstd
		return [][]byte{b.Plain.Zstd[:b.WithGeometry.SharedZstd], b.WithGeometry.Zstd}
	}
}

// sound reports whether everything in the body fits its checksum.
func (b *Body) sound() bool {
	for sum := range numSums {
		if !b.Fits(sum, slices.Concat(b.summed(sum)...)) {
			return false
		}
	}
	return true
}
