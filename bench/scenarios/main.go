package main

import (
	"cmp"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"reflect"
	"slices"
	"strings"
	"time"

	"sabine/bench/results"
	"sabine/bench/step"
)

type scenario struct {
	name     string
	products int           // records of the catalogue, unless a flag says otherwise
	rate     int           // requests of the steady load a second, over all servers
	budget   int           // requests that every account has
	span     time.Duration // in each such time
	play     func(*run) record
}

var scenarios = []scenario{
	{"fleet", 5000, 300, 100, 20 * time.Second, playFleet},
	{"soak", 80_000, 200, 200, 10 * time.Second, playSoak}, // 80,000 make a snapshot of 700 MB
	{"http", 100_000, 0, 0, 0, playHTTP},
}

type options struct {
	sabine, s3, out      string
	time                 time.Duration
	records, generations int
	class, beside        string
}

func main() {
	if len(os.Args) == 5 && os.Args[1] == bareCommand {
		log.Fatalln("bare:", step.Try(func() { bare(os.Args[2], os.Args[3], os.Args[4]) }))
	}
	var o options
	flag.StringVar(&o.sabine, "sabine", "bin/sabine", "the program that builds, publishes and serves")
	flag.StringVar(&o.out, "out", "", "a file that the figures are appended to, as lines of JSON")
	flag.IntVar(&o.records, "products", 0, "records of the catalogue (default: fleet 5000, soak 80000, http 100000)")
	flag.DurationVar(&o.time, "time", 10*time.Minute,
		"soak: how long the servers are under load; the first builds are not counted")
	flag.StringVar(&o.s3, "s3", ".tools/versitygw", "fleet: the program of the S3 server")
	flag.IntVar(&o.generations, "generations", 20, "fleet: how many are published")
	flag.StringVar(&o.class, "class", "", "http: measure the classes whose name this regular expression matches")
	flag.StringVar(&o.beside, "beside", "",
		"http: measure sabine beside one that has these flags of serve too, and not beside the bare handler and nginx")
	flag.Parse()
	log.SetFlags(log.Ltime | log.Lmicroseconds | log.LUTC)
	n := slices.IndexFunc(scenarios, func(s scenario) bool { return s.name == flag.Arg(0) })
	if n < 0 || flag.NArg() != 1 {
		log.Fatalf("expected fleet, soak or http after the flags, got %q", flag.Args())
	}
	scenarios[n].products = cmp.Or(o.records, scenarios[n].products)
	if err := scenarios[n].start(&o); err != nil {
		log.Fatalf("%s: %v", scenarios[n].name, err)
	}
}

// A record is the figures of a run that is judged; nil: it only measures.
type record interface {
	Figures() *results.Run
	judge(hold)
}

// hold notes that a promise is broken unless it was kept, with the figures that say so.
type hold func(kept bool, promise string, figures ...any)

// publish judges the figures of a run, prints and appends them. A broken promise is an error.
func (r *run) publish(figures record) error {
	if figures == nil {
		return nil
	}
	judge(figures, r.rate)
	print(reflect.ValueOf(figures).Elem())
	err := results.AppendRun(r.out, figures)
	if broken := figures.Figures().Broken; len(broken) > 0 {
		err = errors.Join(err, fmt.Errorf("%d promises are broken: %s", len(broken), strings.Join(broken, "; ")))
	}
	return err
}

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

// print prints the figures for people: a line for each, and for each of a list.
func print(figures reflect.Value) {
	for field, value := range figures.Fields() {
		switch {
		case field.Anonymous:
			print(value)
		case value.Kind() == reflect.Slice:
			for i := range value.Len() {
				fmt.Printf("%-11s %+v\n", field.Name, value.Index(i))
			}
		default:
			fmt.Printf("%-11s %+v\n", field.Name, value)
		}
	}
}
