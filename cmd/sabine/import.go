package main

import (
	"bufio"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"sabine/dataset"
	"sabine/dataset/importers"
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
			&cli.StringFlag{
				Name: "manufacturer", Usage: "`NAME` for entries that name none",
				EnvVars: []string{"SABINE_IMPORT_MANUFACTURER"}, // SABINE_MANUFACTURER is the filter of search
			},
			&cli.StringFlag{Name: "source-kind", Value: importers.DefaultSourceKind, Usage: "`KIND` of the values: " + dataset.OrList(dataset.SourceKinds)},
		},
		Before: takes(2, 2),
		Action: func(c *cli.Context) error {
			var notes []string // told behind the progress, which is on standard error too
			err := newStreamProgress(s).during("import", fileSize(c.Args().Get(1)), "bytes", func(read *atomic.Int64) (err error) {
				notes, err = importTable(c, s, read)
				return err
			})
			for _, note := range notes {
				fmt.Fprintln(s.err, plain(note))
			}
			return err
		},
	}
}

func formats() []string { return slices.Sorted(maps.Keys(importers.Formats)) }

// importTable turns a table into records and counts the bytes of it that are read. It returns what there is to say of
// the table.
func importTable(c *cli.Context, s streams, read *atomic.Int64) ([]string, error) {
	format, name := c.Args().Get(0), c.Args().Get(1)
	importer, ok := importers.Formats[format]
	if !ok {
		return nil, usagef("there is no format %q; the formats are %s", format, strings.Join(formats(), ", "))
	}
	if !slices.Contains(dataset.SourceKinds, c.String("source-kind")) {
		return nil, usagef("--source-kind must be one of %s, got %q", strings.Join(dataset.SourceKinds, ", "), c.String("source-kind"))
	}
	in := io.Reader(byteReader{s.in, read})
	if name != "-" {
		f, err := dataset.OpenRegular(name)
		if err != nil {
			return nil, err
		}
		defer f.Close()
		in = byteReader{f, read}
	}
	out := bufio.NewWriterSize(contextWriter{c.Context, s.out}, 1<<16)
	var notes []string
	var err error
	done := make(chan error, 1)
	go func() {
		done <- importer(out, in, importers.Options{
			Name: name, Manufacturer: c.String("manufacturer"), SourceKind: c.String("source-kind"),
			Warn: func(note string) { notes = append(notes, note) },
		})
	}()
	select {
	case err = <-done:
	case <-c.Done(): // even while standard input gives nothing
		return nil, c.Err()
	}
	if flushErr := out.Flush(); err == nil {
		err = flushErr
	}
	return notes, err
}

// A byteReader counts the bytes that it reads.
type byteReader struct {
	r    io.Reader
	read *atomic.Int64
}

func (r byteReader) Read(b []byte) (int, error) {
	n, err := r.r.Read(b)
	r.read.Add(int64(n))
	return n, err
}

// fileSize returns the length of a file, 0 when nobody knows it.
func fileSize(path string) int64 {
	info, err := os.Stat(path)
	if err != nil || !info.Mode().IsRegular() {
		return 0
	}
	return info.Size()
}
