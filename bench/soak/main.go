package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"
	"time"

	"sabine/bench/results"
)

// options are the flags.
type options struct {
	sabine, out           string
	time                  time.Duration
	rate, products, small int
	switches              int
}

func main() {
	var o options
	flag.StringVar(&o.sabine, "sabine", "bin/sabine", "the program that builds and serves")
	flag.StringVar(&o.out, "out", "", "a file that the figures are appended to, as a line of JSON")
	flag.DurationVar(&o.time, "time", 10*time.Minute,
		"how long the servers are under load; the first builds are not counted")
	flag.IntVar(&o.rate, "rate", 200, "requests of the steady load a second")
	flag.IntVar(&o.products, "products", 80_000, "records of the catalogue; 80,000 make a snapshot of 700 MB")
	flag.IntVar(&o.small, "small", 2000, "records of the small catalogue")
	flag.IntVar(&o.switches, "switches", 1000, "switches of the small catalogue")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "soak:", err)
		os.Exit(1)
	}
}

// run runs the soak and judges it. The logs alone are kept when a law was broken, since snapshots are large.
func (o *options) run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "sabine-soak")
	if err != nil {
		return err
	}
	r, err := o.measure(ctx, dir)
	if err != nil {
		return fmt.Errorf("%w (logs are kept in %s)", errors.Join(err, keepLogs(dir)), dir)
	}
	if err := errors.Join(r.print(os.Stdout), results.AppendRun(o.out, r)); err != nil {
		return err
	}
	if len(r.Broken) > 0 {
		return errors.Join(fmt.Errorf("%d laws are broken (logs are kept in %s)", len(r.Broken), dir), keepLogs(dir))
	}
	return os.RemoveAll(dir)
}
