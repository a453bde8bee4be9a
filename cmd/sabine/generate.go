package main

import (
	"bytes"
	"io"
	"strconv"
	"sync/atomic"

	"github.com/urfave/cli/v2"

	"sabine/dataset/synthetic"
)

func generateCommand(s streams) *cli.Command {
	return &cli.Command{
		Name:        "generate",
		Usage:       "write a synthetic catalogue of N source records as NDJSON",
		ArgsUsage:   "one number N",
		UsageText:   "sabine generate N [--seed S]",
		Description: "Curves are computed from acoustic models; brands are invented. Example:\n   sabine generate 1000 --seed 7 > catalogue.ndjson",
		Flags:       []cli.Flag{&cli.Uint64Flag{Name: "seed", Value: 1, Usage: "the same seed gives the same records"}},
		Before:      takes(1, 1),
		Action: func(c *cli.Context) error {
			n, err := strconv.Atoi(c.Args().First())
			if err != nil || n < 1 {
				return usagef("N is a number of records from 1, got %q", c.Args().First())
			}
			return newStreamProgress(s).during("generate", int64(n), "records", func(done *atomic.Int64) error {
				return synthetic.Generate(recordWriter{contextWriter{c.Context, s.out}, done}, n, c.Uint64("seed"))
			})
		},
	}
}

// A recordWriter counts the records that it writes, one a line.
type recordWriter struct {
	w    io.Writer
	done *atomic.Int64
}

func (w recordWriter) Write(b []byte) (int, error) {
	w.done.Add(int64(bytes.Count(b, []byte("\n"))))
	return w.w.Write(b)
}
