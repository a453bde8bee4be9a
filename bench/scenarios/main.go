package main

import (
	"cmp"
	"flag"
	"fmt"
	"io"
	"os"
	"reflect"
	"strings"
	"text/tabwriter"
	"time"

	"sabine/bench/results"
	"sabine/bench/trial"
)

// A scenario is what happens to servers under a steady load.
type scenario struct {
	products int           // records of the catalogue, unless a flag says otherwise
	rate     int           // requests of the load a second, over all servers
	budget   int           // requests that every account has
	span     time.Duration // in each such time
	play     func(*run) record
}

var scenarios = map[string]scenario{
	"fleet": {5000, 300, 100, 20 * time.Second, playFleet},
	"soak":  {80_000, 200, 200, 10 * time.Second, playSoak}, // 80,000 make a snapshot of 700 MB
}

// options are the flags.
type options struct {
	sabine, s3, out      string
	time                 time.Duration
	records, generations int
}

func main() {
	var o options
	flag.StringVar(&o.sabine, "sabine", "bin/sabine", "the program that builds, publishes and serves")
	flag.StringVar(&o.s3, "s3", ".tools/versitygw", "the program of fleet's S3 server")
	flag.StringVar(&o.out, "out", "", "a file that the figures are appended to, as a line of JSON")
	flag.IntVar(&o.records, "products", 0, "records of the catalogue (default 5000 of fleet, 80000 of soak)")
	flag.IntVar(&o.generations, "generations", 20, "how many fleet publishes")
	flag.DurationVar(&o.time, "time", 10*time.Minute,
		"how long soak has its servers under load; the first builds are not counted")
	flag.Parse()
	name := flag.Arg(0)
	s, found := scenarios[name]
	if !found || flag.NArg() != 1 {
		fmt.Fprintf(os.Stderr, "scenarios: expected fleet or soak after the flags, got %q\n", flag.Args())
		os.Exit(2)
	}
	s.products = cmp.Or(o.records, s.products)
	trial.Main(name, func(t *trial.T) {
		r := newRun(t, name, &o, &s)
		figures := s.play(r)
		r.checkLogs()
		t.Stop()
		judge(figures, s.rate)
		t.Check(print(os.Stdout, figures))
		t.Check(results.AppendRun(o.out, figures))
		if broken := figures.Figures().Broken; len(broken) > 0 {
			t.Check(fmt.Errorf("%d promises are broken: %s", len(broken), strings.Join(broken, "; ")))
		}
	})
}

// A record is the figures of a run.
type record interface {
	Figures() *results.Run
	judge(hold)
}

// hold notes that a promise is broken unless it was kept, with the figures that say so.
type hold func(kept bool, promise string, figures ...any)

// judge names the promises that were broken: those of every scenario, and those of the record's.
func judge(r record, rate int) {
	f := r.Figures()
	hold := func(kept bool, promise string, figures ...any) {
		if !kept {
			f.Broken = append(f.Broken, fmt.Sprintf(promise, figures...))
		}
	}
	for _, sort := range []string{wrong, misplaced, failed, careless} {
		hold(f.Faults[sort] == 0, "nothing is %s: %d times something was", sort, f.Faults[sort])
	}
	hold(10*f.Requests >= 9*(f.Requests+f.Skipped), "the load is %d requests a second: %d were sent, and %d not", rate,
		f.Requests, f.Skipped)
	r.judge(hold)
}

// print prints the figures for people: a row for each, and for each of a list.
func print(out io.Writer, r record) error {
	t := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	var rows func(reflect.Value)
	rows = func(figures reflect.Value) {
		for field, value := range figures.Fields() {
			switch {
			case field.Anonymous:
				rows(value)
			case value.Kind() == reflect.Slice:
				for i := range value.Len() {
					fmt.Fprintf(t, "%s\t%+v\n", field.Name, value.Index(i))
				}
			default:
				fmt.Fprintf(t, "%s\t%+v\n", field.Name, value)
			}
		}
	}
	rows(reflect.ValueOf(r).Elem())
	return t.Flush()
}
