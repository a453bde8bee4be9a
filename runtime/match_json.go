package runtime

import (
	"math"
	"strconv"

	"github.com/tidwall/gjson"

	"sabine/indexes"
	"sabine/indexes/column"
)

// AppendMatch appends the JSON of a match: what the body says of the entry, its octave values, its margin and its distance, these
// rounded to four decimals; null when no ISO 354 entry was asked for. The entry that is the declared curve of a product has no
// place among its measurements: what a measurement would say is null.
func (g *Generation) AppendMatch(dst []byte, d column.Doc, m Match) []byte {
	if m.entry == noEntry {
		return append(dst, "null"...)
	}
	table := &g.index.Entries[indexes.NormAbsorption]
	dst = append(dst, `{"entry":`...)
	if table.Number(indexes.AttributeSourceKind, m.entry) == 0 {
		dst = append(dst, `null,"id":null,"mounting":null,"thickness_mm":null,"air_gap_mm":null,"source_kind":null`...)
	} else {
		first, _ := table.Of(d)
		dst = strconv.AppendInt(dst, int64(m.entry-first), 10)
		dst = g.appendSetUp(dst, d, m.entry-first)
	}
	dst = append(dst, `,"absorption_octave":{`...)
	separator := ""
	for band, level := range table.Levels(m.entry) {
		if level != 0 {
			dst = append(append(dst, separator...), '"')
			dst = strconv.AppendInt(dst, int64(indexes.NormAbsorption.Bands()[band]), 10)
			dst = appendShown(append(dst, `":`...), true, float64(level.Thirds())/thirdsPerUnit)
			separator = ","
		}
	}
	dst = appendShown(append(dst, `},"margin":`...), m.hasMargin, float64(m.margin)/thirdsPerUnit)
	dst = appendShown(append(dst, `,"distance":`...), m.hasDistance, m.distance.coefficient())
	return append(dst, '}')
}

// setUpKeys are the keys of a measurement that a match repeats.
var setUpKeys = [...]string{"id", "mounting", "thickness_mm", "air_gap_mm", "source_kind"}

// appendSetUp appends what the body says of the set-up of an entry, by its place among the product's.
func (g *Generation) appendSetUp(dst []byte, d column.Doc, entry int) []byte {
	b := g.index.Bodies.At(d)
	start := len(dst)
	dst = g.appendFitting(dst, d, &b, indexes.SumAbsorption, b.Detail[b.AbsorptionStart:b.AbsorptionEnd])
	end := len(dst)
	values := [...]string{"null", "null", "null", "null", "null"} // of a measurement that is not there
	gjson.Parse(column.String(dst[start:end])).ForEach(func(_, measurement gjson.Result) bool {
		if entry--; entry >= 0 {
			return true
		}
		for i, v := range gjson.GetMany(measurement.Raw, setUpKeys[:]...) {
			if v.Exists() {
				values[i] = v.Raw
			}
		}
		return false
	})
	for i, key := range setUpKeys {
		dst = append(append(append(append(dst, `,"`...), key...), `":`...), values[i]...)
	}
	return dst[:start+copy(dst[start:], dst[end:])]
}

// appendShown appends a number rounded to four decimals, or null.
func appendShown(dst []byte, known bool, v float64) []byte {
	if !known {
		return append(dst, "null"...)
	}
	return strconv.AppendFloat(dst, rounded(v), 'f', -1, 64)
}

// rounded returns a coefficient as it is shown, with four decimals.
func rounded(v float64) float64 {
	const places = 1e4
	return math.Round(v*places)/places + 0 // -0 and 0 are 0
}
