package main

import (
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/dataset/synthetic"
)

// options are what the command line says.
type options struct {
	products int
	engines  []string // of the first table
	own      []string // of the second one, after sabine; none: there is no second one
	results  string
	judged   bool // only the judged collections
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		log.Fatalln("peers:", err)
	}
}

func run(args []string) (err error) {
	defer rescue(&err)
	if len(args) == 3 && args[0] == roleWorker {
		serve(args[1], args[2])
		return nil
	}
	o, err := parseOptions(args)
	check(err)
	o.run()
	return nil
}

func parseOptions(args []string) (o options, err error) {
	flags := flag.NewFlagSet("peers", flag.ExitOnError)
	flags.IntVar(&o.products, "products", 10_000, "`number` of products to generate")
	engines := flags.String("engines", "sabine,bleve,sqlite,postgres",
		"`names` of engines of the first table, separated by commas; of sabine alone there is no second table")
	flags.BoolVar(&o.judged, "judged", false,
		"only judge the engines of the second table on the collections of bench/quality")
	flags.StringVar(&o.results, "results", "", "`file` to which results are appended as JSON lines")
	_ = flags.Parse(args) // which exits where there is an error
	if flags.NArg() > 0 {
		return o, fmt.Errorf("expected only flags, got %q", flags.Arg(0))
	}
	o.engines = strings.Split(*engines, ",")
	for i, name := range o.engines {
		if s := setupOf(name); s == nil || s.own || s.open == nil || (i == 0) != (name == results.Sabine) {
			return o, fmt.Errorf(
				"engines %q: expected sabine, with which others are compared, and some of bleve, sqlite, postgres", *engines)
		}
	}
	if len(o.engines) > 1 {
		o.own = []string{results.Sabine}
		for _, s := range setups {
			if s.own {
				o.own = append(o.own, s.name)
			}
		}
	}
	return o, nil
}

func (o *options) run() {
	dir := must(os.MkdirTemp("", "sabine-peers"))
	defer os.RemoveAll(dir)
	check(os.Chmod(dir, 0o755)) // for the user whom PostgreSQL runs as
	catalogue := filepath.Join(dir, "catalogue.ndjson")
	generate(catalogue, o.products)
	file := must(results.Append(o.results))
	defer file.Close()
	if judge(dir, o.own, file); o.judged {
		return
	}
	for _, name := range slices.Concat([]string{results.Validator}, o.engines, o.own) {
		build(name, dir, catalogue, file)
	}
	p := newPanel(dir, catalogue, file)
	defer p.generation.Close()
	p.hold(results.Search, o.engines)
	p.hold(results.Own, o.own)
	p.open(catalogue)
}

// build has an engine built in a process of its own, unless its folder is there from another set-up.
func build(name, dir, catalogue string, file *results.File) {
	s := setupOf(name)
	dir = filepath.Join(dir, s.folder)
	if _, err := os.Stat(dir); err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "building", name)
	check(os.MkdirAll(dir, 0o755))
	w := start(s, dir)
	defer w.end()
	var line results.Line
	w.call("Build", catalogue, &line)
	check(file.Add(line))
}

func generate(path string, products int) {
	f := must(os.Create(path))
	check(errors.Join(synthetic.Generate(f, products, queries.Seed), f.Close()))
}

// A run ends at its first error, so that most functions here return only values: check and must end them, and
// rescue returns the error where a step is called from: in main, at a worker's door and in a goroutine.
type fault struct{ error }

// check ends the step unless an error is nil; at says what was being done.
func check(err error, at ...string) {
	if err != nil {
		if len(at) > 0 {
			err = fmt.Errorf("%s: %w", strings.Join(at, ": "), err)
		}
		panic(fault{err})
	}
}

// must returns a value that comes without an error.
func must[T any](v T, err error) T {
	check(err)
	return v
}

// rescue, deferred, makes the error that ended a step the result of its caller.
func rescue(err *error) {
	switch f := recover().(type) {
	case nil:
	case fault:
		*err = errors.Join(f.error, *err)
	default:
		panic(f)
	}
}
