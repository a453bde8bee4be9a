package main

import (
	"bytes"
	"context"
	_ "embed" // for the template
	"flag"
	"fmt"
	"log"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"text/template"

	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/bench/step"
)

func main() {
	folder := flag.String("folder", ".", "`folder` of results.ndjson and notes.md, where REPORT.md and plots are written")
	readme := flag.String("readme", "README.md", "`file` whose table of speed is replaced, between two comments")
	flag.Parse()
	if err := step.Try(func() { run(*folder, *folder, *readme) }); err != nil {
		log.Fatalln("report:", err)
	}
}

// run reads the results and notes in the folder from, writes REPORT.md and its plots to the folder to, and
// replaces the speed table in readme.
func run(from, to, readme string) {
	all, err := os.ReadFile(filepath.Join(from, "results.ndjson"))
	step.Check(err, "`make figures` writes the results")
	lines := report(step.Must(results.Read(bytes.NewReader(all))))
	drawings := lines.Plots()
	drawings["need"] = drawNeed(context.Background())
	step.Check(os.MkdirAll(filepath.Join(to, "plots"), 0o755))
	for name, drawn := range drawings {
		step.Check(os.WriteFile(filepath.Join(to, "plots", name+".svg"), []byte(drawn), 0o644))
	}
	page, notes := lines.write("page"), step.Must(os.ReadFile(filepath.Join(from, "notes.md")))
	step.Check(os.WriteFile(filepath.Join(to, "REPORT.md"), []byte(page+"\n"+string(notes)), 0o644))
	const begin, end = "<!-- `make figures` writes the table from here -->\n", "<!-- to here -->\n"
	head, rest, found := strings.Cut(string(step.Must(os.ReadFile(readme))), begin)
	_, tail, ended := strings.Cut(rest, end)
	if !found || !ended {
		step.Check(fmt.Errorf("%s: expected the comments %q and %q around the table", readme, begin, end))
	}
	step.Check(os.WriteFile(readme, []byte(head+begin+lines.write("readme")+end+tail), 0o644))
}

// text contains the templates for the report and README's table, which call methods of a report.
//
//go:embed report.md.tmpl
var text string

func (r report) write(name string) string {
	names := func(kind queries.Kind) string { return strings.Join(queries.Names(kind), ", ") }
	row := 0
	t := template.New("")
	template.Must(t.Funcs(template.FuncMap{
		"table": func(run string, rows any, names []string, columns string) string {
			return table(t, run, rows, names, columns)
		},
		"strict": func() string { return names(queries.Strict) }, "loose": func() string { return names(queries.Loose) },
		"engines": r.Suite(results.Search).Engines, "peers": func() []string {
			return r.Suite(results.Search).where(func(l results.Line) bool { return l.Engine != results.Sabine }).Engines()
		},
		"collections": func() []string { return []string{"sample", "open", "locked", "third"} },
		"groups": func() (names []string) {
			for _, g := range groups {
				names = append(names, g.Name)
			}
			return names
		},
		"outcome": r.Outcome, "build": r.Builds(results.Own).By,
		"all":      func() results.Line { return r.Sections()[len(r.Sections())-1] },
		"next":     func() int { row++; return row },
		"quotient": quotient, "ms": milliseconds, "times": times, "percent": percent, "gbs": gigabytesPerSecond,
		"mb": megabytes, "mib": mebibytes, "count": grouped,
		"share": func(v float64) string { return fmt.Sprintf("%.2f", v) },
	}).Parse(text))
	var b strings.Builder
	step.Check(t.ExecuteTemplate(&b, name, r))
	return b.String()
}

// table returns a Markdown table with one row for each element of rows. If rows is empty, table returns the
// make target that measures the rows. Each line of columns consists of a heading and a template for the
// cells, which can call the templates in t:
//
//	Head = {{.Figure}}         right-aligned
//	<Head = {{.Text}}          left-aligned
//	* = {{.Row.By .Name}}      one column for each of names; .Row is the row, .Name the name
func table(t *template.Template, target string, rows any, names []string, columns string) string {
	all := reflect.ValueOf(rows)
	if rows == nil || all.Len() == 0 {
		return "Not measured yet: run `make " + target + "`.\n"
	}
	lines := make([]strings.Builder, 2+all.Len()) // heading, alignments and rows
	for column := range strings.Lines(strings.TrimSpace(columns)) {
		head, text, _ := strings.Cut(strings.TrimSpace(column), " = ")
		heads, align := []string{head}, "--:"
		if left, ok := strings.CutPrefix(head, "<"); ok {
			heads, align = []string{left}, "---"
		} else if head == "*" {
			heads = names
		}
		cell := step.Must(t.New("cell").Parse(text))
		for _, name := range heads {
			lines[0].WriteString("| " + name + " ")
			lines[1].WriteString("|" + align)
			for i := range all.Len() {
				row := all.Index(i).Addr().Interface()
				if head == "*" {
					row = map[string]any{"Row": row, "Name": name}
				}
				lines[i+2].WriteString("| ")
				step.Check(cell.Execute(&lines[i+2], row))
				lines[i+2].WriteString(" ")
			}
		}
	}
	var text strings.Builder
	for i := range lines {
		text.WriteString(lines[i].String() + "|\n")
	}
	return text.String()
}

// Formats of figures. A figure that was not measured is 0, and is formatted as an empty string.
var (
	percent            = unit("%.1f %%", 0.01)
	megabytes          = unit("%.0f MB", 1e6)
	mebibytes          = unit("%.0f MiB", 1<<20)
	megabytesPerSecond = unit("%.1f MB/s", 1)
	gigabytesPerSecond = unit("%.2f GB/s", 1e9)
)

func unit(format string, one float64) func(number any) string {
	return func(number any) string {
		v := float(number)
		if v == 0 {
			return ""
		}
		return fmt.Sprintf(format, v/one)
	}
}

func times(v any) string         { return unit(figures(float(v), 3, 1)+" ×", 1)(v) }
func milliseconds(ns any) string { return unit(figures(float(ns)/1e6, 3, 3), 1e6)(ns) }
func short(v float64) string     { return unit(figures(v, 2, 9), 1)(v) }

// figures formats v with the given significant digits and at most the given number of decimal places.
func figures(v float64, significant, places int) string {
	return fmt.Sprintf("%%.%df", min(places, max(0, significant-1-int(math.Floor(math.Log10(v))))))
}

// grouped formats an integer with commas between the thousands.
func grouped(v any) string { return message.NewPrinter(language.English).Sprintf("%d", int(float(v))) }

func float(v any) float64 { return reflect.ValueOf(v).Convert(reflect.TypeFor[float64]()).Float() }

// quotient returns 0 if one of the figures was not measured.
func quotient(a, b any) float64 {
	if float(b) == 0 {
		return 0
	}
	return float(a) / float(b)
}
