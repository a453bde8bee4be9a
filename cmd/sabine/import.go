package main

import (
	"bufio"
	"cmp"
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

// The formats that import supports in addition to importers.Formats.
const (
	formatTable    = "table"
	formatCSV      = "csv" // former name of the format table
	formatTemplate = "template"
)

func importFormats() []string {
	formats := append(slices.Collect(maps.Keys(importers.Formats)), formatTable, formatCSV, formatTemplate)
	slices.Sort(formats)
	return formats
}

// tableFlags lists the import flags that apply only to tables.
var tableFlags = []string{"sheet", "map", "write-map", "dry-run", "report", "label"}

func importRecords(c *cli.Context, s streams) error {
	format, files := c.Args().First(), c.Args().Tail()
	importer, isFile := importers.Formats[format] // a format of files from another program
	isTable, isTemplate := format == formatTable || format == formatCSV, format == formatTemplate
	tableFlag := slices.IndexFunc(tableFlags, c.IsSet) // index of the first one that is set, or -1
	kind := c.String("source-kind")
	switch {
	case !isFile && !isTable && !isTemplate:
		return usagef("unsupported format %q: expected one of %s", format, strings.Join(importFormats(), ", "))
	case !isTable && tableFlag >= 0:
		return usagef("--%s is for tables, not for %s", tableFlags[tableFlag], format)
	case isTemplate && len(files) > 0:
		return usagef("import template takes no file, got %q", files[0])
	case isTable && len(files) == 0:
		return usagef("import %s needs at least one FILE (- for standard input), got 0 files", format)
	case isFile && len(files) != 1:
		return usagef("import %s takes one FILE (- for standard input), got %d files", format, len(files))
	case kind != "" && !slices.Contains(product.SourceKinds, kind):
		return usagef("--source-kind must be one of %s, got %q", strings.Join(product.SourceKinds, ", "), kind)
	case !utf8.ValidString(c.String("manufacturer")):
		return usagef("--manufacturer is not valid UTF-8: %q", c.String("manufacturer"))
	case c.IsSet("label") && (!utf8.ValidString(c.String("label")) || strings.TrimSpace(c.String("label")) == ""):
		return usagef("--label must be the name of a product, got %q", c.String("label"))
	case isTemplate:
		_, err := io.WriteString(s.out, table.Template)
		return err
	case isTable:
		return importTables(c, s, files)
	}
	return importFile(c, s, importer, files[0])
}

func importFile(c *cli.Context, s streams, importer importers.Importer, name string) error {
	in, size := io.NopCloser(s.in), int64(0) // the size of standard input is unknown
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
	p.canceled = c.Done()
	var notes []string
	err := p.track("import", size, "bytes", func(read *atomic.Int64) error {
		out := bufio.NewWriterSize(contextWriter{c.Context, s.out}, 1<<16)
		err := importer(out, byteReader{in, read}, importers.Options{
			Name: name, Manufacturer: c.String("manufacturer"), SourceKind: c.String("source-kind"),
			Warn: func(note string) { notes = append(notes, note) },
		})
		return cmp.Or(err, out.Flush())
	})
	if err != nil && c.Err() != nil { // the import may still be adding notes
		return err
	}
	for _, note := range notes { // printed after the progress, which also goes to standard error
		fmt.Fprintln(s.err, plain(note))
	}
	return err
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
