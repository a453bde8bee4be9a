package main

import (
	"context"
	"io"
)

// Main calls the program's main function.
func Main() { main() }

// Run runs a command line in the test process.
func Run(ctx context.Context, args []string, in io.Reader, out, err io.Writer) int {
	return run(ctx, args, streams{in, out, err})
}
