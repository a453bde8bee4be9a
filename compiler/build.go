package compiler

import (
	"context"

	"sabine/dataset"
	"sabine/indexes/snapshot"
)

// Options of a build. Inputs and Folder are needed.
type Options struct {
	Inputs      []dataset.Input
	Folder      snapshot.Folder
	SkipInvalid bool    // leave faulty records out instead of failing
	Jobs        int     // records worked on at a time; 0: as many as processors
	MaxDrop     float64 // percent by which the catalogue may shrink before the switch is refused; 0 or less: any
	Keep        int     // generations to keep, 0: 3
	ReportFile  string  // where else the report goes, "" for nowhere
	// Progress, when not nil, is told where the build stands; from one goroutine at a time.
	Progress func(Progress)
	// Tool names the program and its version in the report.
	Tool string
}

// Progress is where a build stands.
type Progress struct {
	Stage string
	Done  int64
	Total int64 // 0 when it is not known
}

// Build compiles the inputs into a snapshot in the folder and makes it the current one. The report is complete also
// when the build fails; it lies beside the snapshot when there is one.
func Build(ctx context.Context, o Options) (*Report, error) { panic("unwritten") }
