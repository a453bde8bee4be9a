package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"

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
		UsageText:   "sabine verify [SNAPSHOT] [--deep] [--snapshots FOLDER]",
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
			products, err := verify(c.Context, file, c.Bool("deep"), newProgress(s.err))
			if err != nil {
				return nameSections(err)
			}
			_, err = fmt.Fprintf(s.out, "%s: good, %d sections, %d products, %d bytes\n", path, len(file.Sections()), products, file.Size())
			return err
		},
	}
}

// verify checks a snapshot, deep down to the bodies when asked for, and returns the number of its products.
func verify(ctx context.Context, file *snapshot.File, deep bool, p *progress) (products int, err error) {
	hashing := func(stage string, verify func(context.Context) error) error {
		return p.during(stage, file.Size(), "bytes", func(done *atomic.Int64) error {
			file.Hashed = done.Store
			return verify(ctx)
		})
	}
	if err := errors.Join(hashing("check checksums", file.VerifyChecksums), hashing("check the content hash", file.VerifyHash)); err != nil {
		return 0, err
	}
	reading := func(stage string, total int, read func(done *atomic.Int64) error) error {
		return p.during(stage, int64(total), "bodies", func(done *atomic.Int64) error {
			return file.Guard(func() error { return read(done) }) // somebody may cut the file off meanwhile
		})
	}
	var index *indexes.Index
	err = reading("check the structure", 0, func(*atomic.Int64) (err error) {
		if index, err = indexes.Open(file); err != nil {
			return err
		}
		products = index.Docs
		return index.Check()
	})
	if err != nil || !deep {
		return products, err
	}
	return products, reading("check the bodies", products, func(done *atomic.Int64) error {
		return compiler.CheckBodies(ctx, index, func(bodies int) { done.Store(int64(bodies)) })
	})
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
