package table

import (
	"math"
	"strconv"

	"sabine/dataset"
	"sabine/dataset/product"
)

// checkPercent finds a curve whose coefficients are percentages in part: by their cells, or under a header with "%" by a share such as 0.62 among
// whole numbers. 0 is the same either way.
func (r *rowReader) checkPercent(all []coefficient) {
	first := -1
	for k := range all {
		if all[k].value == 0 {
			continue
		}
		if first < 0 {
			first = k
		} else if all[k].percent != all[first].percent {
			r.fault(all[k].column, "mixed units: of this curve some cells are percentages and some are not, compare "+
				r.reading.placeAt(all[first].column+1).Cell)
			return
		}
	}
	shares, share := 0, 0
	for k := range all {
		switch v := all[k].value; {
		case !r.columns[all[k].column].Percent:
			return // a cell that has the sign itself says what it means
		case v > 0 && v < 0.01:
			shares, share = shares+1, k
		case math.Abs(v*100-math.Round(v*100)) > 1e-9:
			return
		}
	}
	if shares == 1 && len(all) > 2 {
		r.fault(all[share].column, "mixed units: "+formatNumber(all[share].value*100)+" of 100 here, and whole percentages in the other cells of this curve")
	}
}

// percentShares counts the rows by which a table is one of percentages that do not say so, or of shares under names with "%".
type percentShares struct {
	rows                  int // with coefficients
	over                  int // of these, with one over its limit that says no "%"
	below                 int // with coefficients of 1 at most, some of them fractions, all below names with "%"
	firstOver, firstBelow dataset.Place
}

// count takes the coefficients of a row.
func (s *percentShares) count(r *rowReader, all []coefficient) {
	over, below := -1, -1
	named := true
	for k := range all {
		c := &all[k]
		named = named && r.columns[c.column].Percent && c.value <= 0.01
		switch {
		case over < 0 && !c.percent && c.value > product.AbsorptionLimit:
			over = k
		case below < 0 && c.value > 0 && c.value < 0.01:
			below = k
		}
	}
	s.rows++
	if over >= 0 {
		if s.over++; s.over == 1 {
			s.firstOver = r.reading.placeAt(all[over].column + 1)
		}
	}
	if below >= 0 && named {
		if s.below++; s.below == 1 {
			s.firstBelow = r.reading.placeAt(all[below].column + 1)
		}
	}
}

// faults returns what is wrong with the table as a whole: small values among unmarked percentages would pass as coefficients, row by row, and
// shares as percentages.
func (s *percentShares) faults() (faults []dataset.Fault) {
	if s.over > 1 && s.over*10 > s.rows {
		faults = append(faults, dataset.Fault{Place: s.firstOver, Whole: true, Problem: "unmarked percentages: " + strconv.Itoa(s.over) + " of " +
			strconv.Itoa(s.rows) + " rows have coefficients over " + formatNumber(product.AbsorptionLimit) + unmarked})
	}
	if s.below > 1 && s.below == s.rows {
		faults = append(faults, dataset.Fault{Place: s.firstBelow, Whole: true,
			Problem: "shares under a name with %: no value of the table is over 1; where they are no percentages, take the % out of the names, or give a map"})
	}
	return faults
}
