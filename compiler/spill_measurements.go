package compiler

import (
	"encoding/binary"
	"math"

	"sabine/indexes"
	"sabine/indexes/snapshot"
)

// appendMeasurements appends the measurements of a document in the form of the temporary file: for each norm their number in 4
// bytes and, of each of them, its levels, in 2 bytes each; of absorption also its texts, its lengths, in 8 bytes each, and
// its place in 2.
func appendMeasurements(dst []byte, all *[indexes.NumNorms][]indexes.Measurement) []byte {
	for norm, measurements := range all {
		dst = binary.LittleEndian.AppendUint32(dst, uint32(len(measurements)))
		for i := range measurements {
			m := &measurements[i]
			for _, level := range m.Levels {
				dst = binary.LittleEndian.AppendUint16(dst, uint16(level))
			}
			if indexes.Norm(norm) != indexes.NormAbsorption {
				continue
			}
			for _, text := range m.Texts {
				dst = appendText(dst, text)
			}
			for _, length := range m.Lengths {
				dst = binary.LittleEndian.AppendUint64(dst, math.Float64bits(length))
			}
			dst = binary.LittleEndian.AppendUint16(dst, m.Place)
		}
	}
	return dst
}

// decodeMeasurements reads what appendMeasurements wrote.
func decodeMeasurements(c *snapshot.Cursor, all *[indexes.NumNorms][]indexes.Measurement) {
	short := func() uint16 {
		if b := c.Bytes(2); b != nil {
			return binary.LittleEndian.Uint16(b)
		}
		return 0
	}
	for norm := range indexes.NumNorms {
		n := c.Uint32()
		if n == 0 {
			continue
		}
		list := make([]indexes.Measurement, 0, min(n, maxGuessed))
		for ; n > 0 && c.Err() == nil; n-- {
			m := indexes.Measurement{Levels: make([]indexes.Level, len(norm.Bands()))}
			for i := range m.Levels {
				m.Levels[i] = indexes.Level(short())
			}
			if norm == indexes.NormAbsorption {
				for i := range m.Texts {
					m.Texts[i] = string(c.Bytes(uint64(c.Uint32())))
				}
				for i := range m.Lengths {
					m.Lengths[i] = math.Float64frombits(c.Uint64())
				}
				m.Place = short()
			}
			list = append(list, m)
		}
		all[norm] = list
	}
}
