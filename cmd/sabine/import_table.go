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

// An importReport is what --report writes.
type importReport struct {
	Tables             []table.AccountEntry `json:"tables"`
	*importers.Summary                      // nil when the tables could not be read
	Error              string               `json:"error,omitempty"`
}

// importTables turns tables into records, or prints what would become of them.
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
	wrote := printJSON(&text, report)
	if wrote == nil {
		wrote = compiler.ReplaceFile(path, text.Bytes())
	}
	if wrote != nil {
		wrote = fmt.Errorf("write the report: %w", wrote)
	}
	return errors.Join(err, wrote)
}

// reportTables imports tables, prints the findings and sets what the report has.
func reportTables(c *cli.Context, s streams, files []string, report *importReport) error {
	summary, account, err := readTables(c, s, files)
	if err != nil {
		return err
	}
	for i := range account.Tables { // no null where a list is expected
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
	if path := c.String("write-map"); path != "" && len(m.Tables) > 0 { // with faults too: the map may mend them
		if err := m.Write(path); err != nil {
			return err
		}
	}
	return summary.Err(c.String("report"))
}

// readTables writes the records of tables.
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
	p.left = c.Done()
	var summary *importers.Summary
	err = p.during("import", size, "bytes", func(read *atomic.Int64) (err error) {
		inputs := append(vocabularies, table.Input(counted(tables, read), o))
		summary, err = importers.Records(c.Context, out, inputs, c.String("report") != "")
		return err
	})
	if err != nil {
		return nil, nil, err // with an error both may still change
	}
	return summary, account, nil
}

// tablesOf returns the tables that the arguments name, whatever their names say, and the vocabularies beside
// them.
func tablesOf(files []string, stdin io.Reader) (vocabularies, tables []dataset.Input, err error) {
	for _, name := range files {
		if info, err := os.Stat(name); err == nil && info.IsDir() {
			return nil, nil, fmt.Errorf("%s: a folder, expected the tables themselves", name)
		}
	}
	inputs, _, err := dataset.Inputs(files, stdin)
	for _, in := range inputs {
		switch {
		case dataset.IsVocabularyName(in.Name):
			vocabularies = append(vocabularies, in)
		case !dataset.IsSynonymsName(in.Name): // which a build takes
			tables = append(tables, in)
		}
	}
	if err == nil && len(tables) == 0 {
		err = fmt.Errorf("%s: a vocabulary or a file of synonyms, expected a table", files[0])
	}
	return vocabularies, tables, err
}

// counted returns inputs that count the bytes which are read of them.
func counted(inputs []dataset.Input, read *atomic.Int64) []dataset.Input {
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
		fmt.Fprintf(s.out, "practical %d with coefficients of ISO 11654 alone\n", e.Practical)
	}
	fmt.Fprintf(s.out, "warnings  %d\n", report.Warnings.Total)
	fmt.Fprintf(s.out, "faults    %d\n", report.Faults.Total)
	return nil
}

// printAccountEntry prints what one table became, a line a column.
func printAccountEntry(s streams, t *table.AccountEntry) {
	width := terminalColumns(s.out)
	line := func(format string, args ...any) { fmt.Fprintln(s.out, cut(fmt.Sprintf(format, args...), width)) }
	name := plain(t.Input)
	if t.Sheet != "" {
		name += ", sheet " + plain(t.Sheet)
	}
	line("%s", name)
	if len(t.Columns) > 0 {
		way, rows, names := "a row a set-up", "rows below", "row"
		switch t.Layout {
		case columns.Transposed:
			way, rows, names = "a column a set-up", "columns beside", "column"
		case columns.Long:
			way = "a row a band"
		}
		if t.Rows == 1 {
			rows = strings.Replace(rows, "s ", " ", 1)
		}
		if len(t.Header) > 1 {
			names += "s"
		}
		line("  %s; %d %s %s %s; %s unless a name says otherwise", way, t.Rows, rows, names,
			strings.Join(strings.Fields(strings.Trim(fmt.Sprint(t.Header), "[]")), ", "), t.Quantity)
		printColumns(s, t.Columns, width)
	}
	for _, text := range t.Unused {
		line("  not used: %s", plain(text))
	}
	line("")
}

// maxCell is how many letters of a column's name and of its example are printed at most.
const maxCell = 60

// printColumns prints a line a column. It cuts the longest names and examples until the lines fit into the
// width of a terminal, 0 for none. Names lose their middle, because a band is at their end.
func printColumns(s streams, columns []table.ColumnAccount, width int) {
	head := table.ColumnAccount{Header: "Column", Cell: "Cell", Became: "Becomes", Example: "Example", Value: "Read as"}
	columns = slices.Insert(slices.Clone(columns), 0, head)
	for most := maxCell; ; most-- {
		var text strings.Builder
		t := streams{out: &text}.table()
		for _, c := range columns {
			example, value := plain(c.Example), plain(c.Value)
			if c.Value == c.Example {
				value = "" // the same again
			}
			fmt.Fprintf(t, "  %s\t%s\t%s\t%s\t%s\n", cutMiddle(plain(c.Header), most), c.Cell, plain(c.Became),
				cut(example, most), cut(value, most))
		}
		_ = t.Flush()
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

// cut returns the first letters of a text, with an ellipsis as the last one where there are more. 0 is any
// number of letters.
func cut(text string, most int) string {
	if most == 0 || utf8.RuneCountInString(text) <= most {
		return text
	}
	return string([]rune(text)[:most-1]) + "…"
}

// cutMiddle is cut, with the ellipsis in the middle.
func cutMiddle(text string, most int) string {
	letters := []rune(text)
	if len(letters) <= most {
		return text
	}
	return string(letters[:most/2]) + "…" + string(letters[len(letters)-(most-1)/2:])
}
