package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"

	"github.com/urfave/cli/v2"

	"sabine/compiler"
	"sabine/dataset"
	"sabine/dataset/importers"
	"sabine/dataset/importers/columns"
	"sabine/dataset/importers/table"
)

// An importReport is the JSON document that --report writes.
type importReport struct {
	Tables             []table.AccountEntry `json:"tables"`
	*importers.Summary                      // nil if the tables could not be read
	Error              string               `json:"error,omitempty"`
}

// importTables imports tables and writes the report.
func importTables(c *cli.Context, s streams, files []string) error {
	report := importReport{Tables: []table.AccountEntry{}}
	err := reportTables(c, s, files, &report)
	path := c.String("report")
	if path == "" {
		return err
	}
	if err != nil {
		report.Error = err.Error()
	}
	var text bytes.Buffer
	writeErr := printJSON(&text, report)
	if writeErr == nil {
		writeErr = compiler.ReplaceFile(path, text.Bytes())
	}
	if writeErr != nil {
		writeErr = fmt.Errorf("write the report: %w", writeErr)
	}
	return errors.Join(err, writeErr)
}

// reportTables writes the records of tables, or a preview with --dry-run. It fills the report.
func reportTables(c *cli.Context, s streams, files []string, report *importReport) error {
	summary, account, err := readTables(c, s, files)
	if err != nil {
		return err
	}
	for i := range account.Tables { // encodes empty lists as [], not null
		t := &account.Tables[i]
		t.Columns, t.Unused = append([]table.ColumnAccount{}, t.Columns...), append([]string{}, t.Unused...)
	}
	report.Tables, report.Summary = append(report.Tables, account.Tables...), summary
	if c.Bool("dry-run") {
		if err := printDryRun(c, s, report); err != nil {
			return err
		}
	}
	for _, line := range summary.Warnings.Lines(c.String("report")) {
		fmt.Fprintf(s.err, "warning: %s\n", plain(line))
	}
	m := account.Map()
	if path := c.String("write-map"); path != "" && len(m.Tables) > 0 { // an edited map can fix errors
		if err := m.Write(path); err != nil {
			return err
		}
	}
	return summary.Err(c.String("report"))
}

// readTables writes the records of tables unless --dry-run is set. It returns what it found.
func readTables(c *cli.Context, s streams, files []string) (*importers.Summary, *table.Account, error) {
	account := new(table.Account)
	o := table.Options{
		Manufacturer: strings.TrimSpace(c.String("manufacturer")), SourceKind: c.String("source-kind"),
		Sheet: c.String("sheet"), Account: account,
		Label: strings.TrimSpace(c.String("label")),
	}
	var err error
	if path := c.String("map"); path != "" {
		if o.Map, err = columns.ReadMap(path); err != nil {
			return nil, nil, err
		}
	}
	vocabularies, tables, err := tablesOf(files, s.in)
	if err != nil {
		return nil, nil, err
	}
	out, p := io.Writer(contextWriter{c.Context, s.out}), newStreamProgress(s)
	if c.Bool("dry-run") {
		out, p = io.Discard, newProgress(s.err)
	}
	var size int64
	for _, in := range tables {
		size += in.Size
	}
	p.canceled = c.Done()
	var summary *importers.Summary
	err = p.track("import", size, "bytes", func(read *atomic.Int64) (err error) {
		inputs := append(vocabularies, table.Input(countReads(tables, read), o))
		summary, err = importers.Records(c.Context, out, inputs, c.String("report") != "")
		return err
	})
	if err != nil {
		return nil, nil, err // omits the results, which a canceled import may still be changing
	}
	return summary, account, nil
}

// tablesOf returns the arguments as table inputs, regardless of their file names, and the vocabularies in the
// same folders.
func tablesOf(files []string, stdin io.Reader) (vocabularies, tables []dataset.Input, err error) {
	for _, name := range files {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return nil, nil, fmt.Errorf("%s is a folder: expected a file with tables", name)
		}
	}
	inputs, _, err := dataset.Inputs(files, stdin)
	for _, in := range inputs {
		switch {
		case dataset.IsVocabularyName(in.Name):
			vocabularies = append(vocabularies, in)
		case !dataset.IsSynonymsName(in.Name): // only a build uses synonyms
			tables = append(tables, in)
		}
	}
	if err == nil && len(tables) == 0 {
		err = fmt.Errorf("%s is a vocabulary or a synonym file, expected a table", files[0])
	}
	return vocabularies, tables, err
}

// countReads returns copies of inputs that count the bytes read from them.
func countReads(inputs []dataset.Input, read *atomic.Int64) []dataset.Input {
	all := slices.Clone(inputs)
	for i := range all {
		all[i].Open = func() (io.ReadCloser, error) {
			r, err := inputs[i].Open()
			return byteReader{r, read}, err
		}
	}
	return all
}

func printDryRun(c *cli.Context, s streams, report *importReport) error {
	if c.Bool("json") {
		return printJSON(s.out, report)
	}
	for i := range report.Tables {
		printAccountEntry(s, &report.Tables[i])
	}
	e := report.Entries
	fmt.Fprintf(s.out, "products  %d\n", report.Products)
	fmt.Fprintf(s.out, "entries   %d of ISO 354, %d of ISO 17497-1, %d of ISO 17497-2\n", e.Absorption, e.Scatter,
		e.Diffusion)
	if e.Practical > 0 {
		fmt.Fprintf(s.out, "practical %d with coefficients of ISO 11654 only\n", e.Practical)
	}
	fmt.Fprintf(s.out, "warnings  %d\n", report.Warnings.Total)
	fmt.Fprintf(s.out, "faults    %d\n", report.Faults.Total)
	return nil
}

// printAccountEntry prints how a table was imported, with one line for each column.
func printAccountEntry(s streams, t *table.AccountEntry) {
	width := terminalColumns(s.out)
	line := func(format string, args ...any) { fmt.Fprintln(s.out, truncate(fmt.Sprintf(format, args...), width)) }
	name := plain(t.Input)
	if t.Sheet != "" {
		name += ", sheet " + plain(t.Sheet)
	}
	line("%s", name)
	if len(t.Columns) > 0 {
		layout, rows, names := "one row per set-up", "rows below", "row"
		switch t.Layout {
		case columns.Transposed:
			layout, rows, names = "one column per set-up", "columns next to", "column"
		case columns.Long:
			layout = "one row per band"
		}
		if t.Rows == 1 {
			rows = strings.Replace(rows, "s ", " ", 1)
		}
		if len(t.Header) > 1 {
			names += "s"
		}
		// The line contains, for example, "12 rows below rows 1, 2".
		header := strings.Trim(strings.ReplaceAll(fmt.Sprint(t.Header), " ", ", "), "[]")
		line("  %s; %d %s %s %s; %s unless a column name states another quantity", layout, t.Rows, rows, names, header,
			t.Quantity)
		printColumns(s, t.Columns, width)
	}
	for _, text := range t.Unused {
		line("  not used: %s", plain(text))
	}
	line("")
}

// maxCell is the maximum number of characters printed from a cell.
const maxCell = 60

// printColumns prints one line for each column. It truncates the longest names and examples until the lines
// fit width; 0 means no limit. It truncates names in the middle, because a name can end in a band.
func printColumns(s streams, columns []table.ColumnAccount, width int) {
	head := table.ColumnAccount{Header: "Column", Cell: "Cell", Became: "Becomes", Example: "Example", Value: "Read as"}
	columns = slices.Insert(slices.Clone(columns), 0, head)
	for most := maxCell; ; most-- {
		var text strings.Builder
		streams{out: &text}.printTable(func(t io.Writer) {
			for _, c := range columns {
				example, value := plain(c.Example), plain(c.Value)
				if c.Value == c.Example {
					value = "" // avoids printing the same value twice
				}
				fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\n", truncateMiddle(plain(c.Header), most), c.Cell, plain(c.Became),
					truncate(example, most), truncate(value, most))
			}
		})
		lines := strings.Split(text.String(), "\n")
		tooWide := func(line string) bool { return utf8.RuneCountInString(line) > width }
		if width == 0 || most == 1 || !slices.ContainsFunc(lines, tooWide) {
			for _, line := range lines[:len(lines)-1] {
				fmt.Fprintln(s.out, strings.TrimRight(line, " "))
			}
			return
		}
	}
}

// truncate shortens a string to at most the given number of characters. 0 means no limit. An ellipsis, which
// counts as a character, replaces the end.
func truncate(text string, most int) string {
	if most == 0 || utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// truncateMiddle is like truncate, except that the ellipsis replaces the middle and a limit is required.
func truncateMiddle(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most/2]) + "…" + string(runes[len(runes)-(most-1)/2:])
}
