package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"sabine/bench/results"
	"sabine/bench/trial"
)

// options are the flags.
type options struct {
	sabine, s3, out             string
	rate, generations, products int
}

func main() {
	var o options
	flag.StringVar(&o.sabine, "sabine", "bin/sabine", "the program that builds, publishes and serves")
	flag.StringVar(&o.s3, "s3", ".tools/versitygw", "the program of the S3 server")
	flag.StringVar(&o.out, "out", "", "a file that the figures are appended to, as a line of JSON")
	flag.IntVar(&o.rate, "rate", 300, "requests a second, over all servers")
	flag.IntVar(&o.generations, "generations", 20, "how many are published")
	flag.IntVar(&o.products, "products", 5000, "records of the catalogue")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx); err != nil {
		fmt.Fprintln(os.Stderr, "fleet:", err)
		os.Exit(1)
	}
}

// run runs the fleet and judges it. What the processes have written is kept when a promise was broken.
func (o *options) run(ctx context.Context) error {
	dir, err := os.MkdirTemp("", "sabine-fleet")
	if err != nil {
		return err
	}
	r, err := o.measure(ctx, dir)
	if err != nil {
		return fmt.Errorf("%w (logs are kept in %s)", err, dir)
	}
	if err := errors.Join(r.print(os.Stdout), results.AppendRun(o.out, r)); err != nil {
		return err
	}
	if len(r.Broken) > 0 {
		return fmt.Errorf("%d promises are broken (logs are kept in %s)", len(r.Broken), dir)
	}
	return os.RemoveAll(dir)
}

// measure plays every round under load. An error says that the rounds could not be played.
func (o *options) measure(ctx context.Context, dir string) (r *report, err error) {
	f := &fleet{sabine: o.sabine, dir: dir, history: trial.NewHistory(servers), tally: newTally()}
	defer func() {
		how := syscall.SIGTERM
		if err != nil {
			how = syscall.SIGKILL
		}
		err = errors.Join(err, f.stop(how))
	}()
	if err := f.setUp(ctx, o); err != nil {
		return nil, err
	}
	g, err := f.begin(ctx)
	if err != nil {
		return nil, err
	}
	began := time.Now()
	var load sync.WaitGroup
	loaded, unload := context.WithCancel(ctx)
	load.Go(func() { f.load(loaded, o.rate) })
	for n := 1; n <= o.generations && err == nil; n++ {
		g, err = f.play(ctx, n, g)
	}
	unload()
	load.Wait()
	return f.report(began, o.rate), err
}
