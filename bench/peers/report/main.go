package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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
	f, err := os.Open(o.results)
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("there is no %s: run make bench-peers and make bench-http, which write it", o.results)
	}
	if err != nil {
		return err
	}
	defer f.Close()
	r, err := readResults(f)
	if err != nil {
		return fmt.Errorf("%s: %w", o.results, err)
	}
	notes, err := os.ReadFile(o.notes)
	if err != nil {
		return err
	}
	plots, err := r.plot(filepath.Join(filepath.Dir(o.out), plotFolder))
	if err != nil {
		return err
	}
	var text bytes.Buffer
	if err := r.write(&text, plots); err != nil {
		return err
	}
	text.WriteString("\n")
	text.Write(notes)
	for _, m := range r.missing() {
		fmt.Fprintln(os.Stderr, m)
	}
	return os.WriteFile(o.out, text.Bytes(), 0o644)
}
