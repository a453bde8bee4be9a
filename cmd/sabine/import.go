package main

import (
	"bufio"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sabine/dataset"
)

func importCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "import",
		Usage:     "turn a foreign table into source records as NDJSON",
		ArgsUsage: "a FORMAT and a FILE, - for standard input",
		UsageText: "sabine import FORMAT FILE [--manufacturer NAME] [--source-kind KIND]",
		Description: "The formats are " + strings.Join(formats(), ", ") + ". What of the table becomes no field of its own is named on\n" +
			"standard error. Example:\n" +
			"   sabine import csv table.csv --manufacturer \"Beispiel Akustik\" > catalogue.ndjson",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "manufacturer", Usage: "`NAME` for entries that name none"},
			&cli.StringFlag{Name: "source-kind", Value: "literature", Usage: "measured, literature or simulated"},
		},
		Action: func(c *cli.Context) error { return importTable(c, s) },
	}
}

func formats() []string { return slices.Sorted(maps.Keys(dataset.Importers)) }

func importTable(c *cli.Context, s streams) error {
	args, err := needArgs(c, 2, 2)
	if err != nil {
		return err
	}
	format, name := args[0], args[1]
	importer, ok := dataset.Importers[format]
	if !ok {
		return usagef("there is no format %q; the formats are %s", format, strings.Join(formats(), ", "))
	}
	if kinds := []string{"measured", "literature", "simulated"}; !slices.Contains(kinds, c.String("source-kind")) {
		return usagef("--source-kind must be one of %s, got %q", strings.Join(kinds, ", "), c.String("source-kind"))
	}
	in := s.in
	if name != "-" {
		f, err := dataset.OpenRegular(name)
		if err != nil {
			return err
		}
		defer f.Close()
		in = f
	}
	out := bufio.NewWriterSize(contextWriter{c.Context, s.out}, 1<<16)
	var notes []string
	done := make(chan error, 1)
	go func() {
		done <- importer(out, in, dataset.ImportOptions{
			Name: name, Manufacturer: c.String("manufacturer"), SourceKind: c.String("source-kind"),
			Warn: func(note string) { notes = append(notes, note) },
		})
	}()
	select {
	case err = <-done:
		for _, note := range notes {
			fmt.Fprintln(s.err, note)
		}
	case <-c.Done(): // even while standard input gives nothing
		return c.Err()
	}
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	return err
}
