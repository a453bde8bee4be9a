package main

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sabine/runtime"
	"sabine/serve"
)

// exportFlags are the parameters of an export beside the filters of the search.
var exportFlags = []parameterFlag{
	{"format", "`FORMAT`: " + strings.Join(serve.ExportFormats(), ", ") + "; ndjson when it is not given"},
	{"separator", "`NAME` of what stands between the cells of csv: comma, or semicolon, which writes decimal commas too"},
	{"bands", "`LIST` of octaves in Hz, of pyroomacoustics; 125 to 4000 when it is not given"},
	{"fill", "hold: the nearest `VALUE` stands for a band that an entry misses, of pyroomacoustics and catt"},
}

func exportCommand(s streams) *cli.Command {
	command := &cli.Command{
		Name:      "export",
		Usage:     "print all that the current snapshot publishes, as the API exports it",
		ArgsUsage: "one QUERY at most, in quotes when it has several words",
		UsageText: "sabine export [QUERY] [--format FORMAT] [filters]",
		Description: "ndjson and csv build again: sabine build takes them. Of what a simulator's format cannot take as it is, the\n" +
			"number is told on standard error. Example:\n" +
			"   sabine export > catalogue.ndjson\n" +
			"   sabine export --format csv --separator semicolon --installation ceiling > decken.csv",
		Flags:  []cli.Flag{snapshotsFlag()},
		Before: takes(0, 1),
		Action: func(c *cli.Context) error {
			return withCurrent(c, func(g *runtime.Generation) error { return exportProducts(c, s, g) })
		},
	}
	command.Flags = append(command.Flags, flagsOf(slices.Concat(exportFlags, filterFlags), searchSwitches[:2])...) // facets are of a search
	return command
}

func exportProducts(c *cli.Context, s streams, g *runtime.Generation) error {
	query, err := url.ParseQuery(searchQuery(c))
	if err != nil {
		return err
	}
	for _, f := range exportFlags {
		if c.IsSet(f.name) {
			query[f.name] = c.StringSlice(f.name)
		}
	}
	write, notes, err := serve.Export(c.Context, g, query.Encode(), searchFlag)
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
