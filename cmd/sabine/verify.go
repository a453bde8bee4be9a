package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"sabine/compiler"
	"sabine/indexes"
	"sabine/indexes/snapshot"
)

func verifyCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:        "verify",
		Usage:       "check a snapshot's checksums, its content hash and its structure",
		ArgsUsage:   "one SNAPSHOT at most",
		UsageText:   "sabine verify [SNAPSHOT] [--deep] [--snapshots DIR]",
		Description: "Without an argument it checks the current snapshot. Example:\n   sabine verify snapshots/HASH.snapshot",
		Flags: []cli.Flag{
			snapshotsFlag(),
			&cli.BoolFlag{Name: "deep", Usage: "also read every body as JSON and hold it against its tag and its compressed forms"},
		},
		Action: func(c *cli.Context) error {
			path, err := snapshotPath(c)
			if err != nil {
				return err
			}
			file, err := snapshot.Open(path)
			if err != nil {
				return nameSections(err)
			}
			defer file.Close()
			products, err := verify(c.Context, file, c.Bool("deep"))
			if err != nil {
				return nameSections(err)
			}
			_, err = fmt.Fprintf(s.out, "%s: good, %d sections, %d products, %d bytes\n", path, len(file.Sections()), products, file.Size())
			return err
		},
	}
}

// verify checks a snapshot, deep down to the bodies when asked for, and returns the number of its products.
func verify(ctx context.Context, file *snapshot.File, deep bool) (products int, err error) {
	if err := errors.Join(file.VerifyChecksums(ctx), file.VerifyHash(ctx)); err != nil {
		return 0, err
	}
	err = file.Guard(func() error { // somebody may cut the file off meanwhile
		index, err := indexes.Open(file)
		if err != nil {
			return err
		}
		products = index.Docs
		if err := index.Check(); err != nil || !deep {
			return err
		}
		return compiler.CheckBodies(ctx, index)
	})
	return products, err
}

// nameSections adds to an error the names of the damaged sections, as inspect has them: the error itself numbers them.
func nameSections(err error) error {
	names := map[snapshot.Kind]string{}
	gatherSections(err, names)
	if len(names) == 0 {
		return err
	}
	var list []string
	for _, kind := range slices.Sorted(maps.Keys(names)) {
		list = append(list, fmt.Sprintf("section %d holds the %s", kind, names[kind]))
	}
	return fmt.Errorf("%w\n(%s)", err, strings.Join(list, ", "))
}

// gatherSections takes the sections that the faults in an error are in.
func gatherSections(err error, names map[snapshot.Kind]string) {
	var corrupt *snapshot.CorruptError
	switch joined, ok := err.(interface{ Unwrap() []error }); { // the faults of a joined error, one by one
	case ok:
		for _, e := range joined.Unwrap() {
			gatherSections(e, names)
		}
	case errors.As(err, &corrupt) && corrupt.Section != 0:
		names[corrupt.Section] = indexes.SectionName(corrupt.Section)
	}
}
