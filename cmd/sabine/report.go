package main

import (
	"fmt"
	"io"

	"github.com/urfave/cli/v2"

	"sabine/serve/queryreport"
)

// printReport merges query reports and prints the queries of users that found nothing.
func printReport(c *cli.Context, s streams) error {
	var files []queryreport.File
	for _, path := range c.Args().Slice() {
		f, err := queryreport.Read(path)
		if err != nil {
			return fmt.Errorf("read the query report: %w", err)
		}
		files = append(files, f)
	}
	merged := queryreport.Merge(files...)
	if !c.Bool("json") {
		fmt.Fprintf(s.out, "%s to %s\n\n", merged.From, merged.To)
	}
	return s.print(c, merged, func(t io.Writer) {
		fmt.Fprintln(t, "COUNT\tERROR\tSTRATEGY\tTEXT")
		for _, text := range merged.Texts {
			fmt.Fprintf(t, "%d\t%d\t%s\t%s\n", text.Count, text.Error, plain(text.Strategy), plain(text.Text))
		}
	})
}
