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

// verify checks a snapshot and prints what it has. A deep check builds its sections again.
func verify(c *cli.Context, s streams, path string, file *snapshot.File) error {
	p := newProgress(s.err)
	hashing := func(stage string, verify func(context.Context) error) error {
		return p.during(stage, file.Size(), "bytes", func(done *atomic.Int64) error {
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
	var left []snapshot.Kind // that the deep check could not compare
	if c.Bool("deep") {
		err = p.during("build the sections again", int64(index.Docs), "products", func(done *atomic.Int64) (err error) {
			left, err = compiler.Rebuild(c.Context, index, func(products int) { done.Store(int64(products)) })
			return err
		})
		if err != nil {
			return err
		}
	}
	_, err = fmt.Fprintf(s.out, "%s: good, %d sections, %d products, %d bytes%s\n", path, len(file.Sections()),
		index.Meta.Products, file.Size(), leftOut(&index.Meta, left))
	return err
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
	return fmt.Sprintf(
		"\nThe snapshot was built under rules of analysis %d, and this program has %d: the sections of texts were not "+
			"compared, nor the sets "+
			"of their documents (%s)", meta.Rules, analysis.Rules, strings.Join(names, ", "))
}
