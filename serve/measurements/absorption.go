package measurements

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/tidwall/gjson"

	"sabine/dataset/acoustics"
	"sabine/indexes/column"
)

// An Entry is an ISO 354 or ISO 17497-1 entry of a product.
type Entry struct {
	Index         int    // among the product's, from 0; -1 for the declared absorption_octave of a product that has no other curve
	ID            string // "" for that one
	Octave, Third acoustics.Curve
	JSON          gjson.Result // the entry as the body has it; of the declared curve, that curve
}

// OfDetail returns the ISO 354 entries of a MaterialDetail in their order. When none of them has octave values, the declared
// absorption_octave of the product, where it has one, comes behind them. Their strings lie in the body.
func OfDetail(detail []byte) []Entry {
	fields := gjson.GetMany(column.String(detail), "absorption_octave", "measurements.absorption_iso_354")
	var entries []Entry
	rated := false
	for i, entry := range fields[1].Array() {
		a := Entry{Index: i, ID: entry.Get("id").String(), Octave: curve(entry.Get("alpha_s_octave")), Third: curve(entry.Get("alpha_s_third_octave")), JSON: entry}
		rated = rated || a.isRated()
		entries = append(entries, a)
	}
	if declared := curve(fields[0]); declared != nil && !rated {
		entries = append(entries, Entry{Index: -1, Octave: declared, JSON: fields[0]})
	}
	return entries
}

// ScatteringOfDetail returns the ISO 17497-1 entries of a MaterialDetail in their order. Their strings lie in
// the body.
func ScatteringOfDetail(detail []byte) []Entry {
	var entries []Entry
	for i, entry := range gjson.Get(column.String(detail), "measurements.scatter_iso_17497_1").Array() {
		entries = append(entries, Entry{Index: i, ID: entry.Get("id").String(), Octave: curve(entry.Get("scatter_octave")), Third: curve(entry.Get("scatter_third_octave")), JSON: entry})
	}
	return entries
}

// isRated reports whether the entry gives practical coefficients (alpha_p), as acoustics.Rate would compute them.
func (a *Entry) isRated() bool {
	return slices.ContainsFunc(acoustics.RoomBands, func(hz int) bool {
		_, ok := acoustics.OctaveCoefficient(a.Octave, a.Third, hz)
		return ok
	})
}

// curve reads a frequency map; nil when it is null.
func curve(object gjson.Result) acoustics.Curve {
	if !object.IsObject() {
		return nil
	}
	c := make(acoustics.Curve, 0, 1+strings.Count(object.Raw, ","))
	object.ForEach(func(band, value gjson.Result) bool {
		if hz, err := strconv.Atoi(band.Str); err == nil && value.Type == gjson.Number {
			c = append(c, acoustics.Point{BandHz: hz, Value: value.Num})
		}
		return true
	})
	slices.SortStableFunc(c, func(a, b acoustics.Point) int { return cmp.Compare(a.BandHz, b.BandHz) })
	return c
}
