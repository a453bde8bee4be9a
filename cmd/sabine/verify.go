package main

import (
	"errors"
	"fmt"

	"github.com/urfave/cli/v2"

	"sabine/indexes"
	"sabine/indexes/snapshot"
)

func verifyCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:        "verify",
		Usage:       "check a snapshot's checksums, its content hash and its structure",
		ArgsUsage:   "one SNAPSHOT at most",
		UsageText:   "sabine verify [SNAPSHOT] [--snapshots DIR]",
		Description: "Without an argument it checks the current snapshot. Example:\n   sabine verify snapshots/HASH.snapshot",
		Flags:       []cli.Flag{snapshotsFlag()},
		Action: func(c *cli.Context) error {
			path, err := snapshotPath(c)
			if err != nil {
				return err
			}
			file, err := snapshot.Open(path)
			if err != nil {
				return err
			}
			defer file.Close()
			if err := errors.Join(file.VerifyChecksums(c.Context), file.VerifyHash(c.Context)); err != nil {
				return err
			}
			index, err := indexes.Open(file)
			if err != nil {
				return err
			}
			if err := index.Check(); err != nil {
				return err
			}
			_, err = fmt.Fprintf(s.out, "%s: good, %d sections, %d products, %d bytes\n", path, len(file.Sections()), index.Meta.Products, file.Size())
			return err
		},
	}
}
