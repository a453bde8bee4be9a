package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"syscall"
	"time"

	"sabine/bench"
	"sabine/bench/results"
	"sabine/bench/trial"
	"sabine/runtime"
)

// The engines take rounds turns, each of which lasts for turn.
const (
	rounds = 5
	turn   = time.Second
)

// A load is one run.
type load struct {
	*trial.T
	sabine, out string
	beside      string // flags of serve; "": none
	class       string // a regular expression
	products    int    // in the snapshot
}

func main() {
	if len(os.Args) == 5 && os.Args[1] == bareCommand {
		fmt.Fprintln(os.Stderr, "load:", bare(os.Args[2], os.Args[3], os.Args[4]))
		os.Exit(1)
	}
	var l load
	flag.StringVar(&l.sabine, "sabine", "bin/sabine", "the program whose server is measured")
	flag.StringVar(&l.class, "class", "", "measure the classes whose name this regular expression matches (default: all)")
	flag.StringVar(&l.out, "out", "", "a file that the figures are appended to, a line of JSON each")
	flag.StringVar(&l.beside, "beside", "",
		"measure sabine beside a second one, which has these flags of serve as well, and not beside the bare handler and nginx")
	flag.Parse()
	trial.Main("load", func(t *trial.T) {
		l.T = t
		l.run()
	})
}

// run measures every class and prints its figures.
func (l *load) run() {
	for _, tool := range []string{"wrk", "nginx", "taskset"} {
		if _, err := exec.LookPath(tool); err != nil {
			l.Check(fmt.Errorf("%w: make bench-http installs it", err))
		}
	}
	class, err := regexp.Compile(l.class)
	l.Check(err)
	classes := l.prepare()
	sabine := l.startSabine(results.Sabine)
	out, err := results.Append(l.out)
	l.Check(err)
	for i := range classes {
		if !class.MatchString(classes[i].name) {
			continue
		}
		figures := l.measure(sabine, &classes[i])
		for _, f := range figures { // each with sabine's share of it
			fmt.Printf("%-28s %-6s %7.0f/s %3.0f %%  p99 %8v  cpu %6.1f µs %3.0f %%  %d bytes, median total %d\n", f.Class,
				f.Engine, f.PerSecond, 100*figures[0].PerSecond/f.PerSecond, f.P99, float64(f.CPU)/1000,
				100*float64(f.CPU)/float64(figures[0].CPU), f.BodyBytes, f.MedianTotal)
		}
		l.Check(out.Add(figures...))
	}
	l.Check(out.Close())
	l.Stop()
}

// prepare makes a catalogue, its snapshot and a key, and returns what is asked.
func (l *load) prepare() []class {
	n, err := bench.Products()
	l.Check(err)
	catalogue, err := bench.NewCatalogue(n)
	l.Check(err)
	_, questions, err := catalogue.Questions()
	l.Check(err)
	path, err := catalogue.Build(l.Path("snapshots"))
	l.Check(err)
	g, err := runtime.Open(l, path)
	l.Check(err)
	defer g.Close()
	l.products = g.Products()
	key := "Bearer " + l.Run(l.sabine, "keys", "create", "--account", "load", "--keys", l.Path("keys.json"))
	return append(detailClasses(g, key), searchClasses(questions, key)...)
}

// measure lets the engines take turns at a class; sabine's figure is the first.
func (l *load) measure(sabine *trial.Server, c *class) (figures []results.Line) {
	s := l.sample(sabine, c)
	engines := []*trial.Server{sabine}
	if l.beside != "" {
		engines = append(engines, l.startSabine("beside", strings.Fields(l.beside)...))
	} else {
		engines = append(engines, l.startBare(&s.answer), l.startNginx(&s.answer))
		for _, e := range engines[1:] { // beside answers every request anew
			l.expect(e, &c.requests[0], &s.answer)
		}
	}
	l.writeRequests(c.requests)
	turns := make([][]round, len(engines))
	for n := range rounds + 1 {
		for i, e := range engines {
			if r := l.drive(e); n > 0 { // the first turn warms
				turns[i] = append(turns[i], r)
			}
		}
	}
	for i, e := range engines {
		m := median(turns[i])
		figures = append(figures, results.Line{
			Key:       results.Key{Suite: results.HTTP, Engine: e.Name, Class: c.name, Products: l.products},
			PerSecond: m.perSecond, P99: m.p99, CPU: m.cpu, BodyBytes: s.bodyBytes, MedianTotal: s.medianTotal,
		})
		if i > 0 {
			e.End(syscall.SIGTERM)
		}
	}
	return figures
}
