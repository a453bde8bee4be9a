package dataset

import "io"

// Sample returns the sample catalogue inside the binary, as inputs of a Reader.
func Sample() []Input { panic("unwritten") }

// Generate writes a synthetic catalogue of n source records as NDJSON, the same bytes for the same seed.
func Generate(w io.Writer, n int, seed uint64) error { panic("unwritten") }
