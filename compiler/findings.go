package compiler

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"sabine/dataset"
)

// findings gathers faults or warnings in input order: how many there are, and the first MaxFaults.
type findings struct {
	total int
	first []dataset.Fault
}

func (f *findings) add(found ...dataset.Fault) {
	f.total += len(found)
	f.first = append(f.first, found[:min(len(found), MaxFaults-len(f.first))]...)
}

// merge adds faults that were found in a later pass over the same records, in input order too.
func (f *findings) merge(found []dataset.Fault) {
	f.total += len(found)
	f.first = append(f.first, found[:min(len(found), MaxFaults)]...)
	slices.SortStableFunc(f.first, func(a, b dataset.Fault) int { return cmp.Compare(a.Place.Ordinal, b.Place.Ordinal) })
	f.first = f.first[:min(len(f.first), MaxFaults)]
}

// report returns the findings as texts.
func (f *findings) report() Findings {
	r := Findings{Total: f.total, First: make([]string, len(f.first))}
	for i := range f.first {
		r.First[i] = f.first[i].Error()
	}
	return r
}

// A FaultsError says that the source has faults, so that nothing was built from it. Its text has a line for each of First.
type FaultsError struct{ Findings }

func (e *FaultsError) Error() string {
	var b strings.Builder
	noun := "faults"
	if e.Total == 1 {
		noun = "fault"
	}
	fmt.Fprintf(&b, "%d %s in the source, so nothing was built:", e.Total, noun)
	for _, text := range e.First {
		fmt.Fprintf(&b, "\n  %s", text)
	}
	if more := e.Total - len(e.First); more > 0 {
		fmt.Fprintf(&b, "\n  and %d more", more)
	}
	return b.String()
}
