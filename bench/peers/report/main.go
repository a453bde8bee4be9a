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
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"text/template"
	"time"

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
	f, err := os.Open(filepath.Join(from, "results.ndjson"))
	if err != nil {
		return fmt.Errorf("%w: `make bench-peers` and `make bench-http` write the results", err)
	}
	defer f.Close()
	lines, err := results.Read(f)
	if err != nil {
		return fmt.Errorf("%s: %w", f.Name(), err)
	}
	soak, err := lastSoak(filepath.Join(from, "soak.ndjson"))
	if err != nil {
		return err
	}
	notes, err := os.ReadFile(filepath.Join(from, "notes.md"))
	if err != nil {
		return err
	}
	plots := filepath.Join(to, "plots")
	if err := os.MkdirAll(plots, 0o755); err != nil {
		return err
	}
	drawings := report(lines).Plots()
	if drawings["need"], err = drawNeed(context.Background()); err != nil {
		return fmt.Errorf("draw the picture of a need: %w", err)
	}
	for name, drawn := range drawings {
		if err := os.WriteFile(filepath.Join(plots, name+".svg"), []byte(drawn), 0o644); err != nil {
			return err
		}
	}
	var b bytes.Buffer
	if err := (&page{report(lines), soak}).write(&b); err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(to, "REPORT.md"), append(append(b.Bytes(), '\n'), notes...), 0o644)
}

// lastSoak returns the last run of bench/soak in a file, nil when there is none.
func lastSoak(file string) (*results.Soak, error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	soak, err := results.LastSoak(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return soak, nil
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
			return slices.DeleteFunc(p.Suite(results.Search).Engines(), func(name string) bool { return name == results.Sabine })
		},
		"groupNames": groupNames, "collections": func() []string {
			return []string{"sample", "open", "locked"}
		},
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

// table returns a table in Markdown, of a row for each of rows, or which target of make measures what it lacks. A column
// is a line, of a head and a template of its cells, which t belongs to:
//
//	Head = {{.Figure}}         right-aligned, of a row
//	<Head = {{.Text}}          left-aligned
//	* = {{.Row.By .Name}}      a column for each of names, of .Row and that .Name
func table(t *template.Template, target string, rows any, names []string, columns string) (string, error) {
	all := reflect.ValueOf(rows)
	if rows == nil || all.Len() == 0 {
		return "Not measured yet: run `make " + target + "`.\n", nil
	}
	head, rule := "|", "|"
	lines := make([]strings.Builder, all.Len())
	add := func(name, align, cell string, data func(row any) any) error {
		head, rule = head+" "+name+" |", rule+align+"|"
		c, err := t.New("cell").Parse(cell)
		for i := 0; err == nil && i < len(lines); i++ {
			lines[i].WriteString(" ")
			err = c.Execute(&lines[i], data(all.Index(i).Addr().Interface()))
			lines[i].WriteString(" |")
		}
		return err
	}
	type named struct {
		Row  any
		Name string
	}
	for column := range strings.Lines(strings.TrimSpace(columns)) {
		name, cell, _ := strings.Cut(strings.TrimSpace(column), " = ")
		var err error
		switch left, isLeft := strings.CutPrefix(name, "<"); {
		case name == "*":
			for _, name := range names {
				err = errors.Join(err, add(name, "--:", cell, func(row any) any { return named{row, name} }))
			}
		case isLeft:
			err = add(left, "---", cell, func(row any) any { return row })
		default:
			err = add(name, "--:", cell, func(row any) any { return row })
		}
		if err != nil {
			return "", err
		}
	}
	text := head + "\n" + rule + "\n"
	for i := range lines {
		text += "|" + lines[i].String() + "\n"
	}
	return text, nil
}
