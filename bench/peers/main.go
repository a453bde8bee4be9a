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
	"sabine/bench/step"
	"sabine/dataset/synthetic"
)

type options struct {
	products int
	engines  []string // of the first table
	own      []string // of the second one, after sabine; none: there is no second one
	results  string
	judged   bool // only the judged collections
}

func main() {
	err := step.Try(func() {
		if len(os.Args) == 4 && os.Args[1] == roleWorker {
			serve(os.Args[2], os.Args[3])
		} else {
			o := step.Must(parseOptions(os.Args[1:]))
			o.run()
		}
	})
	if err != nil {
		log.Fatalln("peers:", err)
	}
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
	dir := step.Must(os.MkdirTemp("", "sabine-peers"))
	defer os.RemoveAll(dir)
	step.Check(os.Chmod(dir, 0o755)) // for the user whom PostgreSQL runs as
	catalogue := filepath.Join(dir, "catalogue.ndjson")
	generate(catalogue, o.products)
	file := step.Must(results.Append(o.results))
	defer file.Close()
	if judge(dir, o.own, file); o.judged {
		return
	}
	for _, name := range slices.Concat([]string{results.Validator}, o.engines, o.own) {
		build(name, dir, catalogue, file)
	}
	p := newPanel(dir, catalogue, file)
	p.hold(results.Search, o.engines)
	p.hold(results.Own, o.own)
	p.open(catalogue)
}

// build has an engine built in a process of its own, unless its folder is there from another set-up.
func build(name, dir, catalogue string, file *results.File) {
	folder := filepath.Join(dir, setupOf(name).folder)
	if _, err := os.Stat(folder); err == nil {
		return
	}
	fmt.Fprintln(os.Stderr, "building", name)
	step.Check(os.MkdirAll(folder, 0o755))
	w := start(name, dir)
	defer w.end()
	var line results.Line
	w.call("Build", catalogue, &line)
	step.Check(file.Add(line))
}

func generate(path string, products int) {
	f := step.Must(os.Create(path))
	step.Check(errors.Join(synthetic.Generate(f, products, queries.Seed), f.Close()))
}
