package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"sabine/dataset/product"
	"sabine/runtime"
)

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

	var changes *runtime.Changes
	err = p.track("compare", int64(before.Products()+after.Products()), "products", func(done *atomic.Int64) error {
		return before.Guard(func() error { // both files are read at the same time
			return after.Guard(func() error {
				changes = runtime.Compare(before, after, func(products int) bool {
					done.Store(int64(products))
					return c.Err() == nil
				})
				if changes == nil {
					return c.Err()
				}
				return printChanges(c, s, changes)
			})
		})
	})
	if err != nil {
		return err
	}
	added, changed, removed := changes.Counts()
	fmt.Fprintf(s.err, "%d added, %d removed, %d changed\n", added, removed, changed)
	differ := changes.Len() > 0
	if !differ && before.Hash() != after.Hash() {
		differ = true
		fmt.Fprintln(s.err,
			"The snapshots still differ in data that only filters, searches and exports use, in the vocabulary, or in "+
				"the synonyms.")
	}
	if c.Bool("exit-code") && differ {
		return errDiffer
	}
	return nil
}

// openWithProgress opens a snapshot and verifies its checksums. The progress shows the name of the argument
// (OLD or NEW) instead of the path, which is too long for the line.
func openWithProgress(ctx context.Context, argument, path string, p *progress) (g *runtime.Generation, err error) {
	err = p.track("check "+argument, 0, "", func(*atomic.Int64) error {
		g, err = runtime.Open(ctx, path)
		return err
	})
	return g, err
}

func printChanges(c *cli.Context, s streams, changes *runtime.Changes) error {
	if c.Bool("json") {
		err := changes.Write(contextWriter{c.Context, s.out}, true)
		fmt.Fprintln(s.out)
		return err
	}
	streams{out: contextWriter{c.Context, s.out}}.printTable(func(t io.Writer) {
		for _, kind := range runtime.ChangeKinds {
			for change := range changes.Of(kind, true) {
				if c.Err() != nil {
					return
				}
				p := change.Product
				fmt.Fprintf(t, "%s\t%s\t%s\t%s\n", kind, p.ID, plain(p.Label.In(product.German)),
					plain(strings.Join(change.Fields, ", ")))
			}
		}
	})
	return c.Err()
}
