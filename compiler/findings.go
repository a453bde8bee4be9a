package compiler

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"sabine/dataset"
)

// findings collects faults or warnings in input order: their number, and the first MaxFaults of them.
type findings struct {
	total int
	first []dataset.Fault
}

func (f *findings) add(found ...dataset.Fault) {
	f.total += len(found)
	f.first = append(f.first, found[:min(len(found), MaxFaults-len(f.first))]...)
}

// merge adds faults, in input order, that were found in a later pass over the same records.
func (f *findings) merge(found []dataset.Fault) {
	f.total += len(found)
	f.first = append(f.first, found[:min(len(found), MaxFaults)]...)
	slices.SortStableFunc(f.first, func(a, b dataset.Fault) int { return cmp.Compare(a.Place.Ordinal, b.Place.Ordinal) })
	f.first = f.first[:min(len(f.first), MaxFaults)]
}

// report returns the findings in the form used in the report.
func (f *findings) report() Findings {
	r := Findings{Total: f.total, First: make([]string, len(f.first))}
	for i := range f.first {
		r.First[i] = f.first[i].Error()
	}
	return r
}

// err returns the error for a build that failed because of faults. It has a line for each fault in First.
func (f Findings) err() error {
	var b strings.Builder
	noun := "faults"
	if f.Total == 1 {
		noun = "fault"
	}
	fmt.Fprintf(&b, "%d %s in the source, so nothing was built:", f.Total, noun)
	for _, text := range f.First {
		fmt.Fprintf(&b, "\n  %s", text)
	}
	if more := f.Total - len(f.First); more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	return errors.New(b.String())
}
