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

// verify verifies a snapshot and prints its size. A deep check rebuilds the sections and compares them.
func verify(c *cli.Context, s streams, path string, file *snapshot.File) error {
	p := newProgress(s.err)
	hashing := func(stage string, verify func(context.Context) error) error {
		return p.track(stage, file.Size(), "bytes", func(done *atomic.Int64) error {
			file.Hashed = done.Store
			return verify(c.Context)
		})
	}
	sums, hash := hashing("check checksums", file.VerifyChecksums), hashing("check the content hash", file.VerifyHash)
	if err := errors.Join(sums, hash); err != nil {
		return err
	}
	index, err := indexes.Open(file)
	if err != nil {
		return err
	}
	var skipped []snapshot.Kind // sections that the deep check did not compare
	if c.Bool("deep") {
		err = p.track("rebuild the sections", int64(index.Docs), "products", func(done *atomic.Int64) (err error) {
			skipped, err = compiler.Rebuild(c.Context, index, func(products int) { done.Store(int64(products)) })
			return err
		})
		if err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(s.out, "%s: ok, %d sections, %d products, %d bytes%s\n", path, len(file.Sections()),
		index.Meta.Products, file.Size(), skippedText(&index.Meta, skipped))
	return err
}

// skippedText describes the sections that a deep check did not compare.
func skippedText(meta *indexes.Meta, skipped []snapshot.Kind) string {
	if len(skipped) == 0 {
		return ""
	}
	var names []string
	for _, kind := range skipped { // the text names the sets of documents itself
		if kind != indexes.KindSetArrays && kind != indexes.KindSetBitmaps {
			names = append(names, kind.String())
		}
	}
	return fmt.Sprintf(
		"\nThe snapshot was built with version %d of the text analysis, but this program has version %d: the text sections "+
			"and their sets of documents were not compared (%s)", meta.Rules, analysis.Rules, strings.Join(names, ", "))
}
