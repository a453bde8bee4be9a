package main

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"sabine/compiler"
	"sabine/indexes"
	"sabine/indexes/snapshot"
)

func verifyCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "check a snapshot's checksums, its content hash and its structure",
		ArgsUsage: "one SNAPSHOT at most",
		UsageText: "sabine verify [SNAPSHOT] [--deep] [--snapshots FOLDER]",
		Description: "Without an argument it checks the current snapshot. What no body tells stands in no deep check: ids and slugs of\n" +
			"manufacturers, what is purchasable, names and synonyms of a vocabulary, a bilingual dictionary, texts in other languages than\n" +
			"German and English. Example:\n   sabine verify snapshots/HASH.snapshot",
		Flags: []cli.Flag{
			snapshotsFlag(),
			&cli.BoolFlag{Name: "deep", Usage: "also read every body, and hold its tag, its compressed forms and all indexes against it"},
		},
		Before: takes(0, 1),
		Action: func(c *cli.Context) error {
			return withSnapshot(c, func(path string, file *snapshot.File) error {
				products, err := verify(c.Context, file, c.Bool("deep"), newProgress(s.err))
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(s.out, "%s: good, %d sections, %d products, %d bytes\n", path, len(file.Sections()), products, file.Size())
				return err
			})
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
