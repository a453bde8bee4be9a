package main

import (
	"bytes"
	_ "embed" // for the template
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"sabine/bench/queries"
)

func main() {
	var o options
	flag.StringVar(&o.results, "results", "results.ndjson", "`file` of results, JSON lines")
	flag.StringVar(&o.notes, "notes", "notes.md", "Markdown `file` that the report ends with")
	flag.StringVar(&o.out, "out", "REPORT.md", "Markdown `file` to write; the plots go to the folder plots beside it")
	flag.Parse()
	if err := o.run(); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

type options struct{ results, notes, out string }

func (o *options) run() error {
	lines, err := os.ReadFile(o.results)
	if err != nil {
		return fmt.Errorf("%w: `make bench-peers` and `make bench-http` write the results", err)
	}
	r, err := readResults(bytes.NewReader(lines))
	if err != nil {
		return fmt.Errorf("%s: %w", o.results, err)
	}
	notes, err := os.ReadFile(o.notes)
	if err != nil {
		return err
	}
	folder := filepath.Join(filepath.Dir(o.out), "plots")
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	for name, drawn := range r.Plots() {
		if drawn == "" {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, name+".svg"), []byte(drawn), 0o644); err != nil {
			return err
		}
	}
	var text bytes.Buffer
	if err := r.write(&text); err != nil {
		return err
	}
	text.WriteString("\n")
	text.Write(notes)
	return os.WriteFile(o.out, text.Bytes(), 0o644)
}

// report is all of the report that is made of lines; what it names are methods of results.
//
//go:embed report.md.tmpl
var report string

func (r *results) write(w io.Writer) error {
	names := func(kind queries.Kind) string { return strings.Join(queries.Names(kind), ", ") }
	t, err := template.New("").Funcs(template.FuncMap{
		"engines": r.Engines, "strict": func() string { return names(queries.Strict) }, "loose": func() string { return names(queries.Loose) },
		"ms": milliseconds, "times": times, "percent": percent, "mib": mebibytes, "mb": unit("%.0f MB", 1e6), "gbs": gigabytesPerSecond,
		"count": grouped, "whole": func(v float64) string { return grouped(int(v)) }, "quotient": quotient,
		"share": func(p *float64) string {
			if p == nil {
				return ""
			}
			return fmt.Sprintf("%.2f", *p)
		},
	}).Parse(report)
	if err != nil {
		return err
	}
	return t.Execute(w, r)
}
