package main

import (
	"bytes"
	"io"
	"strconv"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"sabine/dataset/synthetic"
)

func generate(c *cli.Context, s streams) error {
	n, err := strconv.Atoi(c.Args().First())
	if err != nil || n < 1 {
		return usagef("N must be a whole number, 1 or more, got %q", c.Args().First())
	}
	return newStreamProgress(s).track("generate", int64(n), "records", func(done *atomic.Int64) error {
		return synthetic.Generate(recordWriter{contextWriter{c.Context, s.out}, done}, n, c.Uint64("seed"))
	})
}

// A recordWriter counts the records that it writes. Each record is one line.
type recordWriter struct {
	w    io.Writer
	done *atomic.Int64
}

func (w recordWriter) Write(b []byte) (int, error) {
	w.done.Add(int64(bytes.Count(b, []byte("\n"))))
	return w.w.Write(b)
}
