package main

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"sabine/compiler"
	"sabine/indexes"
	"sabine/indexes/analysis"
	"sabine/indexes/snapshot"
)

func verifyCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:      "verify",
		Usage:     "check a snapshot's checksums, its content hash and the heads of its sections",
		ArgsUsage: "one SNAPSHOT at most",
		UsageText: "sabine verify [SNAPSHOT] [--deep] [--snapshots FOLDER]",
		Description: "Without an argument it checks the current snapshot. Add --deep after an attack or a fault of the machine that built the\n" +
			"snapshot: it finds what is wrong under checksums that are right. It needs as much time and memory as a build. Declared\n" +
			"vocabularies and the bilingual dictionary are inputs of a build: --deep takes them from the snapshot as they are.\n" +
			"Example:\n   sabine verify snapshots/HASH.snapshot --deep",
		Flags: []cli.Flag{
			snapshotsFlag(),
			&cli.BoolFlag{Name: "deep", Usage: "also build the sections again from the records in the snapshot, and compare them byte by byte"},
		},
		Before: takes(0, 1),
		Action: func(c *cli.Context) error {
			return withSnapshot(c, func(path string, file *snapshot.File) error {
				meta, left, err := verify(c.Context, file, c.Bool("deep"), newProgress(s.err))
				if err != nil {
					return err
				}
				_, err = fmt.Fprintf(s.out, "%s: good, %d sections, %d products, %d bytes%s\n", path, len(file.Sections()), meta.Products, file.Size(), leftOut(&meta, left))
				return err
			})
		},
	}
}

// verify checks a snapshot, deep when asked for. It returns what the snapshot says of its content, and the sections that the deep
// check could not compare.
func verify(ctx context.Context, file *snapshot.File, deep bool, p *progress) (meta indexes.Meta, left []snapshot.Kind, err error) {
	hashing := func(stage string, verify func(context.Context) error) error {
		return p.during(stage, file.Size(), "bytes", func(done *atomic.Int64) error {
			file.Hashed = done.Store
			return verify(ctx)
		})
	}
	if err := errors.Join(hashing("check checksums", file.VerifyChecksums), hashing("check the content hash", file.VerifyHash)); err != nil {
		return meta, nil, err
	}
	var index *indexes.Index
	err = file.Guard(func() (err error) { // the file may be cut off meanwhile
		if index, err = indexes.Open(file); err == nil {
			meta = index.Meta
		}
		return err
	})
	if err != nil || !deep {
		return meta, nil, err
	}
	err = p.during("build the sections again", int64(index.Docs), "products", func(done *atomic.Int64) (err error) {
		left, err = compiler.Rebuild(ctx, index, func(products int) { done.Store(int64(products)) })
		return err
	})
	return meta, left, err
}

// leftOut says what a deep check did not compare.
func leftOut(meta *indexes.Meta, left []snapshot.Kind) string {
	if len(left) == 0 {
		return ""
	}
	var names []string
	for _, kind := range left {
		if kind != indexes.KindSetArrays && kind != indexes.KindSetBitmaps {
			names = append(names, kind.String())
		}
	}
	return fmt.Sprintf("\nThe snapshot was built under rules of analysis %d, and this program has %d: the sections of texts were not compared, nor the sets "+
		"of their documents (%s)", meta.Rules, analysis.Rules, strings.Join(names, ", "))
}
