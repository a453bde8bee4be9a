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
	"time"

	"sabine/bench/queries"
	"sabine/bench/results"
)

func main() {
	lines := flag.String("results", "results.ndjson", "`file` of results, JSON lines")
	notes := flag.String("notes", "notes.md", "Markdown `file` that the report ends with")
	out := flag.String("out", "REPORT.md", "Markdown `file` to write; the plots go to the folder plots beside it")
	flag.Parse()
	if err := run(*lines, *notes, *out); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

func run(lines, notes, out string) error {
	f, err := os.Open(lines)
	if err != nil {
		return fmt.Errorf("%w: `make bench-peers` and `make bench-http` write the results", err)
	}
	defer f.Close()
	counting, err := results.Read(f)
	if err != nil {
		return fmt.Errorf("%s: %w", lines, err)
	}
	r := newReport(counting)
	folder := filepath.Join(filepath.Dir(out), "plots")
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
	end, err := os.ReadFile(notes)
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := r.write(&text); err != nil {
		return err
	}
	return os.WriteFile(out, append(append(text.Bytes(), '\n'), end...), 0o644)
}

// text is all of the report that is made of lines; what it names are methods of a report.
//
//go:embed report.md.tmpl
var text string

func (r *report) write(w io.Writer) error {
	names := func(kind queries.Kind) string { return strings.Join(queries.Names(kind), ", ") }
	t, err := template.New("").Funcs(template.FuncMap{
		"strict": func() string { return names(queries.Strict) }, "loose": func() string { return names(queries.Loose) },
		"engines": engines, "groups": func() []group { return groups }, "quotient": quotient[int64], "fraction": quotient[float64],
		"ms": of[time.Duration](milliseconds), "times": times, "percent": percent, "gbs": gigabytesPerSecond,
		"mb": of[int64](megabytes), "mib": of[int64](mebibytes), "bytes": of[int64](grouped), "count": of[int](grouped), "whole": grouped,
		"share": func(p *float64) string {
			if p == nil {
				return ""
			}
			return fmt.Sprintf("%.2f", *p)
		},
	}).Parse(text)
	if err != nil {
		return err
	}
	return t.Execute(w, r)
}
