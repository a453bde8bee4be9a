package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/dataset/importers"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/table"
	"sabine/indexes/snapshot"
)

func build(c *cli.Context, s streams) error {
	o := compiler.Options{
		Folder:      snapshot.Folder{Dir: c.String("snapshots")},
		SkipInvalid: c.Bool("skip-invalid"),
		Jobs:        c.Int("jobs"),
		UnknownDrop: c.Bool("max-drop-unknown"),
		Keep:        c.Int("keep"),
		ReportFile:  c.String("report"),
		Tool:        "sabine " + version(),
	}
	if c.IsSet("max-drop") {
		percent := c.Float64("max-drop")
		if !(percent >= 0 && percent <= 100) {
			return usagef("--max-drop must be a percentage from 0 to 100, got %v", percent)
		}
		o.MaxDrop = &percent
	}
	switch {
	case c.Bool("sample") && c.Args().Present():
		return usagef("build takes either inputs or --sample, not both")
	case !c.Bool("sample") && !c.Args().Present():
		return usagef("build needs inputs or --sample: %s", c.Command.UsageText)
	case o.UnknownDrop && o.MaxDrop == nil:
		return usagef("--max-drop-unknown has no effect without --max-drop: use both")
	case o.Keep < 1:
		return usagef("--keep must be at least 1, got %d", o.Keep)
	case o.Jobs < 0:
		return usagef("--jobs must not be negative, got %d", o.Jobs)
	}
	report, err := compile(c, o, s)
	if c.Bool("json") {
		return errors.Join(err, printJSON(s.out, report))
	}
	if report.Switched { // true even if writing the report failed afterwards
		printBuild(s, report, o.Folder)
	}
	printNotes(s, report) // the notes can explain a failure
	return err
}

// compile reads the inputs and builds. An error in the inputs is written to the file in --report, too.
func compile(c *cli.Context, o compiler.Options, s streams) (*compiler.Report, error) {
	if err := setInputs(c, &o, s.in); err != nil {
		return compiler.Refuse(o, err)
	}
	return compileWithProgress(c.Context, o, s)
}

// setInputs sets the inputs in the options of a build. Of these, it reads only the map.
func setInputs(c *cli.Context, o *compiler.Options, stdin io.Reader) (err error) {
	corrections, synonyms := c.StringSlice("corrections"), c.StringSlice("synonyms")
	if c.Bool("sample") {
		o.Inputs = dataset.Sample()
	} else {
		files := dataset.Selection{Tables: c.Bool("tables"), Except: slices.Concat(corrections, synonyms)}
		if o.Inputs, o.Skipped, err = files.Inputs(c.Args().Slice(), stdin); err != nil {
			return err
		}
	}
	if o.Corrections, err = fileInputs(corrections); err != nil {
		return err
	}
	if o.Synonyms, err = fileInputs(synonyms); err != nil {
		return err
	}
	o.Corrections = importers.Corrections(o.Corrections)
	var tables table.Options
	if path := c.String("map"); path != "" {
		if tables.Map, err = columns.ReadMap(path); err != nil {
			return err
		}
	}
	o.Inputs = table.Inputs(o.Inputs, tables)
	if path := c.String("dictionary"); path != "" {
		in, err := dataset.FileInput(path)
		o.Dictionary = &in
		return err
	}
	return nil
}

// fileInputs returns one input for each path.
func fileInputs(paths []string) (inputs []dataset.Input, err error) {
	for _, path := range paths {
		in, err := dataset.FileInput(path)
		if err != nil {
			return nil, err
		}
		inputs = append(inputs, in)
	}
	return inputs, nil
}

func compileWithProgress(ctx context.Context, o compiler.Options, s streams) (*compiler.Report, error) {
	p := newProgress(s.err)
	defer p.end()
	o.Progress = func(at compiler.Progress) { p.report(at.Stage, at.Done, at.Total, at.Unit) }
	return compiler.Build(ctx, o)
}

// printBuild prints the result of a build to standard output and the warnings to standard error.
func printBuild(s streams, r *compiler.Report, folder snapshot.Folder) {
	fmt.Fprintf(s.out, "hash      %s\n", r.Hash)
	fmt.Fprintf(s.out, "products  %d\n", r.Counts.Products)
	fmt.Fprintf(s.out, "bytes     %d\n", r.Bytes)
	fmt.Fprintf(s.out, "seconds   %.2f\n", r.Seconds)
	fmt.Fprintf(s.out, "warnings  %d\n", r.Warnings.Total)
	if d := r.Corrections; d != nil {
		products, fields := importers.Counted(d.Products, "product"), importers.Counted(d.Fields, "field")
		fmt.Fprintf(s.out, "corrected %s, %s\n", products, fields)
	}
	if d := r.Dictionary; d != nil {
		fmt.Fprintf(s.out, "pairs     %d of %d used\n", d.Used, d.Pairs)
	}
	if d := r.Synonyms; d != nil {
		fmt.Fprintf(s.out, "synonyms  %s\n", importers.Counted(d.Groups, "group"))
	}
	report := folder.Path(snapshot.ReportOf(r.File))
	printFindings(s, "warning", r.Warnings, maxWarnings, report)
	if r.Counts.Skipped > 0 {
		fmt.Fprintf(s.out, "skipped   %d\n", r.Counts.Skipped)
		printFindings(s, "left out", r.Faults, compiler.MaxFaults, report)
	}
	if r.Outcome == compiler.OutcomeUnchanged {
		fmt.Fprintln(s.err, "The content is unchanged.")
	}
}

// Maximum numbers of warnings and unknown fields in a summary.
const (
	maxWarnings = 10
	maxUnknown  = 20
)

// printFindings prints at most limit findings, each after the label, and the number of further findings.
func printFindings(s streams, label string, f compiler.Findings, limit int, report string) {
	first := f.First[:min(len(f.First), limit)]
	for _, text := range first {
		fmt.Fprintf(s.err, "%s: %s\n", label, plain(text))
	}
	switch more := f.Total - len(first); {
	case more > 0 && len(f.First) > len(first):
		fmt.Fprintf(s.err, "%s: and %d more; %s lists the first %d\n", label, more, report, len(f.First))
	case more > 0:
		fmt.Fprintf(s.err, "%s: and %d more\n", label, more)
	}
}

// printNotes prints the notes of a build, such as the skipped files, and then the unknown fields in
// descending order of frequency.
func printNotes(s streams, r *compiler.Report) {
	for _, note := range r.Notes {
		fmt.Fprintf(s.err, "note: %s\n", plain(note))
	}
	fields := r.UnknownFields
	names := slices.SortedFunc(maps.Keys(fields), func(a, b string) int {
		return cmp.Or(cmp.Compare(fields[b], fields[a]), strings.Compare(a, b))
	})
	for _, name := range names[:min(len(names), maxUnknown)] {
		often := "once"
		if n := fields[name]; n > 1 {
			often = fmt.Sprintf("%d times", n)
		}
		fmt.Fprintf(s.err, "unknown field: %s, %s", plain(name), often)
		if near := dataset.NearestField(name); near != "" {
			fmt.Fprintf(s.err, "; the nearest known name is %s", near)
		}
		fmt.Fprintln(s.err)
	}
	if more := len(names) - maxUnknown; more > 0 {
		fmt.Fprintf(s.err, "unknown fields: %d more; --report FILE lists them all\n", more)
	}
}
