package main

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"strings"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"sabine/runtime"
)

func diffCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "diff",
		Usage:     "list the products that were added, removed or changed between two snapshots",
		ArgsUsage: "two snapshots, OLD and NEW",
		UsageText: "sabine diff OLD NEW [--json] [--exit-code]",
		Description: "The table also has products of which only that differs what filters know and the API shows nowhere (such as a fire\n" +
			"class). --json prints what the API's /v1/changes answers, without these, and the names of the fields that differ\n" +
			"beside it. Example:\n   sabine diff snapshots/OLD.snapshot snapshots/NEW.snapshot",
		Flags: []cli.Flag{
			jsonFlag(),
			&cli.BoolFlag{Name: "exit-code", Usage: "exit with status 1 when the snapshots differ"},
		},
		Before: takes(2, 2),
		Action: func(c *cli.Context) error { return diff(c, s) },
	}
}

func diff(c *cli.Context, s streams) error {
	p := newStreamProgress(s)
	before, err := openWithProgress(c.Context, "OLD", c.Args().Get(0), p)
	if err != nil {
		return err
	}
	defer before.Close()
	after, err := openWithProgress(c.Context, "NEW", c.Args().Get(1), p)
	if err != nil {
		return err
	}
	defer after.Close()

	counts := map[runtime.ChangeKind]int{}
	err = p.during("compare", int64(before.Products()+after.Products()), "products", func(done *atomic.Int64) error {
		look := func(products int) bool {
			done.Store(int64(products))
			return c.Err() == nil
		}
		return before.Guard(func() error {
			return after.Guard(func() error {
				if c.Bool("json") {
					return writeChanges(c, s, counts, runtime.Compare(before, after, look))
				}
				return printChanges(c, s, counts, runtime.Diff(before, after, look))
			})
		})
	})
	if err != nil {
		return err
	}
	fmt.Fprintf(s.err, "%d added, %d removed, %d changed\n", counts[runtime.Added], counts[runtime.Removed], counts[runtime.Changed])
	differ := counts[runtime.Added]+counts[runtime.Removed]+counts[runtime.Changed] > 0
	if !differ && before.Hash() != after.Hash() {
		differ = true
		where := "in the vocabulary, or in texts that only the search reads"
		if c.Bool("json") {
			where += ", or in what only filters know"
		}
		fmt.Fprintf(s.err, "The snapshots differ all the same: %s.\n", where)
	}
	if c.Bool("exit-code") && differ {
		return errDiffer
	}
	return nil
}

// openWithProgress opens a snapshot for reading, which checks its checksums. It goes by the name of the argument, since
// its own leaves no room in a line.
func openWithProgress(ctx context.Context, name, path string, p *progress) (g *runtime.Generation, err error) {
	err = p.during("check "+name, 0, "", func(*atomic.Int64) error {
		g, err = runtime.Open(ctx, path)
		return err
	})
	return g, err
}

// printChanges prints changes as a table and counts them.
func printChanges(c *cli.Context, s streams, counts map[runtime.ChangeKind]int, changes iter.Seq[runtime.Change]) error {
	table := s.table()
	for change := range changes {
		counts[change.Kind]++
		fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", change.Kind, change.ID, plain(change.Label), plain(strings.Join(change.Fields, ", ")))
	}
	return errors.Join(table.Flush(), c.Err())
}

// writeChanges writes changes as JSON and counts them. They are nil where the context ended first.
func writeChanges(c *cli.Context, s streams, counts map[runtime.ChangeKind]int, changes *runtime.Changes) error {
	if changes == nil {
		return c.Err()
	}
	counts[runtime.Added], counts[runtime.Changed], counts[runtime.Removed] = changes.Counts()
	err := changes.Write(contextWriter{c.Context, s.out}, true)
	fmt.Fprintln(s.out)
	return err
}
