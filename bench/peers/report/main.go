package main

import (
	"bytes"
	"context"
	_ "embed" // for the template
	"errors"
	"flag"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"text/template"
	"time"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"sabine/bench/queries"
	"sabine/bench/results"
)

func main() {
	folder := flag.String("folder", ".",
		"`folder` of results.ndjson, soak.ndjson and notes.md, which REPORT.md and plots are written to")
	flag.Parse()
	if err := run(*folder, *folder); err != nil {
		fmt.Fprintln(os.Stderr, "report:", err)
		os.Exit(1)
	}
}

// run makes a report of the results and notes in a folder.
func run(from, to string) error {
	all, err := os.ReadFile(filepath.Join(from, "results.ndjson"))
	if err != nil {
		return fmt.Errorf("%w: `make bench-peers` and `make bench-http` write the results", err)
	}
	soaks, err := os.ReadFile(filepath.Join(from, "soak.ndjson"))
	if errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	notes, notesErr := os.ReadFile(filepath.Join(from, "notes.md"))
	lines, linesErr := results.Read(bytes.NewReader(all))
	soak, soakErr := results.LastSoak(bytes.NewReader(soaks))
	if err := errors.Join(err, notesErr, linesErr, soakErr); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	drawings := report(lines).Plots()
	if drawings["need"], err = drawNeed(context.Background()); err != nil {
		return fmt.Errorf("draw the picture of a need: %w", err)
	}
	err = os.MkdirAll(filepath.Join(to, "plots"), 0o755)
	for name, drawn := range drawings {
		err = errors.Join(err, os.WriteFile(filepath.Join(to, "plots", name+".svg"), []byte(drawn), 0o644))
	}
	var b bytes.Buffer
	err = errors.Join(err, (&page{report(lines), soak}).write(&b))
	b.WriteString("\n" + string(notes))
	return errors.Join(err, os.WriteFile(filepath.Join(to, "REPORT.md"), b.Bytes(), 0o644))
}

// A page is what the report is made of.
type page struct {
	report
	Soak *results.Soak // nil: there was none
}

// text is all of the report that is made of figures; what it names are methods of a page.
//
//go:embed report.md.tmpl
var text string

func (p *page) write(w io.Writer) error {
	names := func(kind queries.Kind) string { return strings.Join(queries.Names(kind), ", ") }
	row := 0
	t := template.New("")
	_, err := t.Funcs(template.FuncMap{
		"table": func(run string, rows any, names []string, columns string) (string, error) {
			return table(t, run, rows, names, columns)
		},
		"strict": func() string { return names(queries.Strict) }, "loose": func() string { return names(queries.Loose) },
		"engines": p.Suite(results.Search).Engines, "peers": func() []string {
			return p.Suite(results.Search).where(func(l results.Line) bool { return l.Engine != results.Sabine }).Engines()
		},
		"collections": func() []string {
			return []string{"sample", "open", "locked"}
		},
		"groups": func() (names []string) {
			for _, g := range groups {
				names = append(names, g.Name)
			}
			return names
		},
		"outcome": p.Outcome, "build": p.Builds(results.Own).By,
		"gjson":    func() *results.Line { l := p.Builds(results.Search).By(results.Validator); return &l },
		"all":      func() results.Line { return p.Sections()[len(p.Sections())-1] },
		"next":     func() int { row++; return row },
		"quotient": quotient[int64], "fraction": quotient[float64],
		"ms": of[time.Duration](milliseconds), "times": times, "percent": percent, "gbs": gigabytesPerSecond,
		"mb": of[int64](unit("%.0f MB", 1e6)), "mib": of[int64](mebibytes), "bytes": of[int64](grouped),
		"count": of[int](grouped), "whole": grouped,
		"share": func(v float64) string { return fmt.Sprintf("%.2f", v) },
	}).Parse(text)
	if err != nil {
		return err
	}
	return t.Execute(w, p)
}

// table returns a table in Markdown, of a row for each of rows, or which target of make measures what it
// lacks. A column is a line, of a head and a template of its cells, which t belongs to:
//
//	Head = {{.Figure}}         right-aligned, of a row
//	<Head = {{.Text}}          left-aligned
//	* = {{.Row.By .Name}}      a column for each of names, of .Row and that .Name
func table(t *template.Template, target string, rows any, names []string, columns string) (string, error) {
	all := reflect.ValueOf(rows)
	if rows == nil || all.Len() == 0 {
		return "Not measured yet: run `make " + target + "`.\n", nil
	}
	lines := make([]strings.Builder, 2+all.Len()) // the heads, the alignments, the rows
	for column := range strings.Lines(strings.TrimSpace(columns)) {
		head, text, _ := strings.Cut(strings.TrimSpace(column), " = ")
		heads, align := []string{head}, "--:"
		if left, ok := strings.CutPrefix(head, "<"); ok {
			heads, align = []string{left}, "---"
		} else if head == "*" {
			heads = names
		}
		cell, err := t.New("cell").Parse(text)
		for _, name := range heads {
			lines[0].WriteString("| " + name + " ")
			lines[1].WriteString("|" + align)
			for i := 0; err == nil && i < all.Len(); i++ {
				row := all.Index(i).Addr().Interface()
				if head == "*" {
					row = map[string]any{"Row": row, "Name": name}
				}
				lines[i+2].WriteString("| ")
				err = cell.Execute(&lines[i+2], row)
				lines[i+2].WriteString(" ")
			}
		}
		if err != nil {
			return "", err
		}
	}
	var text strings.Builder
	for i := range lines {
		text.WriteString(lines[i].String() + "|\n")
	}
	return text.String(), nil
}

// How figures are shown. One that was not measured is 0, and is not shown.
var (
	percent            = unit("%.1f %%", 0.01)
	mebibytes          = unit("%.0f MiB", 1<<20)
	megabytesPerSecond = unit("%.1f MB/s", 1)
	gigabytesPerSecond = unit("%.2f GB/s", 1e9)
)

func unit(format string, one float64) func(float64) string {
	return func(v float64) string {
		if v == 0 {
			return ""
		}
		return fmt.Sprintf(format, v/one)
	}
}

func times(v float64) string         { return unit(figures(v, 3, 1)+" ×", 1)(v) }
func milliseconds(ns float64) string { return unit(figures(ns/1e6, 3, 3), 1e6)(ns) }
func short(v float64) string         { return unit(figures(v, 2, 9), 1)(v) }

// figures returns a format for so many figures that count, but at most so many behind the point.
func figures(v float64, counting, behind int) string {
	return fmt.Sprintf("%%.%df", min(behind, max(0, counting-1-int(math.Floor(math.Log10(v))))))
}

// grouped shows a number with commas between the thousands, and without what is behind the point.
func grouped(v float64) string { return message.NewPrinter(language.English).Sprintf("%d", int(v)) }

// of shows figures of another type.
func of[T ~int | ~int64](show func(float64) string) func(T) string {
	return func(v T) string { return show(float64(v)) }
}
