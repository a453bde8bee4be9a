package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"regexp"
	"strings"

	"sabine/bench"
	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/runtime"
)

// bareCommand is the first argument with which this program starts itself as the bare handler.
const bareCommand = "bare"

func main() {
	if len(os.Args) == 5 && os.Args[1] == bareCommand {
		fail(bare(os.Args[2], os.Args[3], os.Args[4]))
	}
	var o options
	flag.StringVar(&o.sabine, "sabine", "bin/sabine", "the program whose server is measured")
	flag.Func("class", "measure the classes whose name this regular expression matches (default: all)",
		func(text string) (err error) {
			o.class, err = regexp.Compile(text)
			return err
		})
	flag.StringVar(&o.out, "out", "", "a file that the figures are appended to, a line of JSON each")
	flag.StringVar(&o.beside, "beside", "",
		"measure sabine beside a second one, which has these flags of serve as well, and not beside the bare handler and nginx")
	flag.IntVar(&o.rounds, "rounds", 5, "how many times the engines take turns")
	flag.IntVar(&o.seconds, "seconds", 1, "how long a turn is")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	if err := o.run(ctx); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, "load:", err)
	os.Exit(1)
}

type options struct {
	sabine, out     string
	beside          string         // flags of serve; "": none
	class           *regexp.Regexp // nil: all
	rounds, seconds int
	products        int // in the snapshot
}

// run measures every class and prints its figures.
func (o *options) run(ctx context.Context) (err error) {
	for _, tool := range []string{"wrk", "nginx", "taskset"} {
		if _, err := exec.LookPath(tool); err != nil {
			return fmt.Errorf("%w: make bench-http installs it", err)
		}
	}
	dir, err := os.MkdirTemp("", "sabine-load")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	products, questions, err := o.prepare(ctx, filepath.Join(dir, snapshotsName))
	if err != nil {
		return err
	}
	secret, err := exec.CommandContext(ctx, o.sabine, "keys", "create", "--account", "load", "--keys",
		filepath.Join(dir, keysName)).Output()
	if err != nil {
		return fmt.Errorf("%s keys create: %w", o.sabine, err)
	}
	key := field{"Authorization", "Bearer " + strings.TrimSpace(string(secret))}
	address, err := freeAddress()
	if err != nil {
		return err
	}
	sabine, err := o.startSabine(ctx, address, results.Sabine, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, sabine.stop()) }()
	out, err := results.Append(o.out)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, out.Close()) }()
	for _, c := range append(detailClasses(products, key), searchClasses(questions, key)...) {
		if o.class != nil && !o.class.MatchString(c.name) {
			continue
		}
		figures, err := o.measure(ctx, sabine, &c, dir)
		if err != nil {
			return fmt.Errorf("%s: %w", c.name, err)
		}
		print(figures)
		if err := out.Add(figures...); err != nil {
			return err
		}
	}
	return nil
}

// prepare makes a catalogue and its snapshot, in a folder, and returns what is asked.
func (o *options) prepare(ctx context.Context, folder string) ([]product, []queries.Class, error) {
	n, err := bench.Products()
	if err != nil {
		return nil, nil, err
	}
	catalogue, err := bench.NewCatalogue(n)
	if err != nil {
		return nil, nil, err
	}
	_, questions, err := catalogue.Questions()
	if err != nil {
		return nil, nil, err
	}
	path, err := catalogue.Build(folder)
	if err != nil {
		return nil, nil, err
	}
	g, err := runtime.Open(ctx, path)
	if err != nil {
		return nil, nil, err
	}
	o.products = g.Products()
	return someProducts(g), questions, g.Close()
}

// measure lets the engines take turns at a class; sabine's figure is the first.
func (o *options) measure(ctx context.Context, sabine *engine, c *class, dir string) (figures []results.Line,
	err error) {
	s, err := sabine.sample(ctx, c)
	if err != nil {
		return nil, err
	}
	engines := []*engine{sabine}
	defer func() {
		for _, e := range engines[1:] {
			err = errors.Join(err, e.stop())
		}
	}()
	starts := []func(context.Context, string, *answer, string) (*engine, error){startBare, startNginx}
	if o.beside != "" {
		starts = []func(context.Context, string, *answer, string) (*engine, error){o.startBeside}
	}
	for _, start := range starts {
		address, err := freeAddress()
		if err != nil {
			return nil, err
		}
		e, err := start(ctx, address, &s.answer, dir)
		if err != nil {
			return nil, err
		}
		engines = append(engines, e)
		if o.beside != "" {
			continue // it answers every request anew, and not with the one answer
		}
		if err := e.expect(ctx, &c.requests[0], &s.answer); err != nil {
			return nil, err
		}
	}
	l, err := newLoad(dir, c.requests)
	if err != nil {
		return nil, err
	}
	rounds := make([][]round, len(engines))
	for n := range o.rounds + 1 {
		for i, e := range engines {
			r, err := l.run(ctx, e, o.seconds)
			if err != nil {
				return nil, fmt.Errorf("%s: %w", e.name, err)
			}
			if n > 0 { // the first turn warms
				rounds[i] = append(rounds[i], r)
			}
		}
	}
	for i, e := range engines {
		m := median(rounds[i])
		figures = append(figures, results.Line{
			Key:       results.Key{Suite: results.HTTP, Engine: e.name, Class: c.name, Products: o.products},
			PerSecond: m.perSecond, P99: m.p99, CPU: m.cpu, BodyBytes: s.bodyBytes, MedianTotal: s.medianTotal,
		})
	}
	return figures, nil
}

// print prints the figures of a class, each with sabine's share of it.
func print(figures []results.Line) {
	for _, f := range figures {
		fmt.Printf("%-28s %-6s %7.0f/s %3.0f %%  p99 %8v  cpu %6.1f µs %3.0f %%  %d bytes, median total %d\n", f.Class,
			f.Engine,
			f.PerSecond, 100*figures[0].PerSecond/f.PerSecond, f.P99, float64(f.CPU)/1000,
			100*float64(f.CPU)/float64(figures[0].CPU), f.BodyBytes, f.MedianTotal)
	}
}
