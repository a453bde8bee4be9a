package main

import (
	"context"
	"io"
)

// Main is the program.
func Main() { main() }

// Run runs one command line in the test's process.
func Run(ctx context.Context, args []string, in io.Reader, out, err io.Writer) int {
	return run(ctx, args, streams{in, out, err})
}
