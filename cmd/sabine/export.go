package main

import (
	"fmt"

	"github.com/urfave/cli/v2"

	"sabine/runtime"
	"sabine/serve"
)

// exportProducts prints the products of the current snapshot in the API's export format.
func exportProducts(c *cli.Context, s streams, g *runtime.Generation) error {
	write, notes, err := serve.Export(c.Context, g, searchQuery(c), searchFlag)
	if c.Err() != nil {
		return c.Err()
	}
	if err != nil {
		return usageError{err}
	}
	if notes != "" {
		fmt.Fprintln(s.err, notes)
	}
	return write(contextWriter{c.Context, s.out})
}
