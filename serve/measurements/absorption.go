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

// An Absorption is an ISO 354 entry of a product.
type Absorption struct {
	Index         int    // among the product's, from 0; -1 for the declared absorption_octave of a product that has no other curve
	ID            string // "" for that one
	Octave, Third acoustics.Curve
	JSON          gjson.Result // the entry as the body has it; of the declared curve, that curve
}

// OfDetail returns the ISO 354 entries of a MaterialDetail in their order. When none of them has octave values, the declared
// absorption_octave of the product, where it has one, comes behind them. Their strings lie in the body.
func OfDetail(detail []byte) []Absorption {
	fields := gjson.GetMany(column.String(detail), "absorption_octave", "measurements.absorption_iso_354")
	var entries []Absorption
	rated := false
	for i, entry := range fields[1].Array() {
		a := Absorption{Index: i, ID: entry.Get("id").String(), Octave: curve(entry.Get("alpha_s_octave")), Third: curve(entry.Get("alpha_s_third_octave")), JSON: entry}
		rated = rated || a.isRated()
		entries = append(entries, a)
	}
	if declared := curve(fields[0]); declared != nil && !rated {
		entries = append(entries, Absorption{Index: -1, Octave: declared, JSON: fields[0]})
	}
	return entries
}

// isRated reports whether the entry gives practical coefficients (alpha_p), as acoustics.Rate would compute them.
func (a *Absorption) isRated() bool {
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
