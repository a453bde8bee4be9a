package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"sabine/dataset"
	"sabine/dataset/importers"
	"sabine/dataset/importers/table"
	"sabine/dataset/product"
)

// The formats of import besides importers.Formats.
const (
	formatTable    = "table"
	formatCSV      = "csv" // its older name
	formatTemplate = "template"
)

// importFormats returns the names of all formats.
func importFormats() []string {
	formats := append(slices.Collect(maps.Keys(importers.Formats)), formatTable, formatCSV, formatTemplate)
	slices.Sort(formats)
	return formats
}

// tableFlags are the flags of import that other formats than tables do not have.
var tableFlags = []string{"sheet", "map", "write-map", "dry-run", "report", "label"}

func importAny(c *cli.Context, s streams) error {
	format, files := c.Args().First(), c.Args().Tail()
	importer, known := importers.Formats[format]
	isTable, isTemplate := format == formatTable || format == formatCSV, format == formatTemplate
	given := slices.IndexFunc(tableFlags, c.IsSet)
	kind := c.String("source-kind")
	switch {
	case !known && !isTable && !isTemplate:
		return usagef("there is no format %q; the formats are %s", format, strings.Join(importFormats(), ", "))
	case !isTable && given >= 0:
		return usagef("--%s is for tables, not for %s", tableFlags[given], format)
	case isTemplate && len(files) > 0:
		return usagef("import template takes no file, got %q", files[0])
	case isTable && len(files) == 0:
		return usagef("import %s takes a FILE or several, - for standard input, got 0 files", format)
	case known && len(files) != 1:
		return usagef("import %s takes one FILE, - for standard input, got %d files", format, len(files))
	case kind != "" && !slices.Contains(product.SourceKinds, kind):
		return usagef("--source-kind must be one of %s, got %q", strings.Join(product.SourceKinds, ", "), kind)
	case !utf8.ValidString(c.String("manufacturer")):
		return usagef("--manufacturer is not valid UTF-8: %q", c.String("manufacturer"))
	case c.IsSet("label") && (!utf8.ValidString(c.String("label")) || strings.TrimSpace(c.String("label")) == ""):
		return usagef("--label is no name of a product: %q", c.String("label"))
	case isTemplate:
		return table.WriteTemplate(s.out)
	case isTable:
		return importTables(c, s, files)
	}
	return importFile(c, s, importer, files[0])
}

// importFile turns a file of one format into records.
func importFile(c *cli.Context, s streams, importer importers.Importer, name string) error {
	in, size := io.NopCloser(s.in), int64(0) // of standard input the length is not known
	if name != "-" {
		f, err := dataset.OpenRegular(name)
		if err != nil {
			return err
		}
		defer f.Close()
		if info, err := f.Stat(); err == nil {
			size = info.Size()
		}
		in = f
	}
	p := newStreamProgress(s)
	notes, err := importing(c.Context, p, size, func(read *atomic.Int64) (notes []string, err error) {
		out := bufio.NewWriterSize(contextWriter{c.Context, s.out}, 1<<16)
		err = importer(out, byteReader{in, read}, importers.Options{
			Name: name, Manufacturer: c.String("manufacturer"), SourceKind: c.String("source-kind"),
			Warn: func(note string) { notes = append(notes, note) },
		})
		return notes, cmp.Or(err, out.Flush())
	})
	for _, note := range notes { // after the progress, which is on standard error too
		fmt.Fprintln(s.err, plain(note))
	}
	return err
}

// importing returns what an import gives, and reports its progress while it lasts. It does not wait for an import when
// the context ends: standard input may have no data.
func importing[T any](ctx context.Context, p *progress, size int64, work func(read *atomic.Int64) (T, error)) (T, error) {
	type outcome struct {
		result T
		err    error
	}
	var o outcome
	err := p.during("import", size, "bytes", func(read *atomic.Int64) error {
		done := make(chan outcome, 1)
		go func() {
			result, err := work(read)
			done <- outcome{result, err}
		}()
		select {
		case o = <-done:
			return o.err
		case <-ctx.Done():
			return ctx.Err()
		}
	})
	return o.result, err
}

// A byteReader counts the bytes that it reads.
type byteReader struct {
	io.ReadCloser
	read *atomic.Int64
}

func (r byteReader) Read(b []byte) (int, error) {
	n, err := r.ReadCloser.Read(b)
	r.read.Add(int64(n))
	return n, err
}
