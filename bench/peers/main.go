package main

import (
	"errors"
	"flag"
	"fmt"
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
	dir      string
	results  string
	judged   bool // only the judged collections
}

func main() {
	var err error
	if len(os.Args) == 4 && os.Args[1] == roleWorker {
		err = serve(os.Args[2], os.Args[3])
	} else {
		var o options
		if o, err = parseOptions(os.Args[1:]); err == nil {
			err = o.run()
		}
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func parseOptions(args []string) (o options, err error) {
	flags := flag.NewFlagSet("peers", flag.ExitOnError)
	flags.IntVar(&o.products, "products", 10_000, "`number` of products to generate")
	engines := flags.String("engines", "sabine,bleve,sqlite,postgres",
		"`names` of engines of the first table, separated by commas; of sabine alone there is no second table")
	flags.StringVar(&o.dir, "dir", "",
		"`folder` for catalogue and indexes; what it has is not made again (default: a temporary one)")
	flags.BoolVar(&o.judged, "judged", false,
		"only judge the engines of the second table on the collections of bench/quality")
	flags.StringVar(&o.results, "results", "", "`file` to which results are appended as JSON lines")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("expected only flags, got %q", flags.Arg(0))
	}
	o.engines = strings.Split(*engines, ",")
	for i, name := range o.engines {
		s, err := setupOf(name)
		if err != nil || s.own || s.open == nil || (i == 0) != (name == results.Sabine) {
			return o, fmt.Errorf(
				"engines %q: expected sabine, with which the others are compared, then some of bleve, sqlite, postgres", *engines)
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

func (o *options) run() (err error) {
	if o.dir == "" {
		if o.dir, err = os.MkdirTemp("", "sabine-peers"); err != nil {
			return err
		}
		defer os.RemoveAll(o.dir)
	}
	// for the user whom PostgreSQL runs as
	if err := errors.Join(os.MkdirAll(o.dir, 0o755), os.Chmod(o.dir, 0o755)); err != nil {
		return err
	}
	catalogue := filepath.Join(o.dir, "catalogue.ndjson")
	if _, err := os.Stat(catalogue); err != nil {
		if err := generate(catalogue, o.products); err != nil {
			return err
		}
	}
	file, err := results.Append(o.results)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	if err := o.judge(file); err != nil || o.judged {
		return err
	}
	for _, name := range slices.Concat([]string{results.Validator}, o.engines, o.own) {
		if err := build(name, o.dir, catalogue, file); err != nil {
			return err
		}
	}
	p, err := newPanel(o.dir, catalogue, file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.generation.Close()) }()
	if err := p.hold(results.Search, o.engines); err != nil {
		return err
	}
	if err := p.hold(results.Own, o.own); err != nil {
		return err
	}
	return p.open(catalogue)
}

// build has an engine built in a process of its own, unless the folder has its index. The index gets its name
// when it is complete.
func build(name, dir, catalogue string, file *results.File) error {
	s, err := setupOf(name)
	if err != nil {
		return err
	}
	dir = filepath.Join(dir, s.folder)
	if _, err := os.Stat(dir); err == nil {
		return nil
	}
	fmt.Fprintln(os.Stderr, "building", name)
	unfinished := dir + ".unfinished"
	if err := errors.Join(os.RemoveAll(unfinished), os.MkdirAll(unfinished, 0o755)); err != nil {
		return err
	}
	w, err := s.start(unfinished)
	if err != nil {
		return err
	}
	var line results.Line
	if err := errors.Join(w.call("Build", catalogue, &line), w.end()); err != nil {
		return fmt.Errorf("building %w", err)
	}
	return errors.Join(os.Rename(unfinished, dir), file.Add(line))
}

func generate(path string, products int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	return errors.Join(synthetic.Generate(f, products, queries.Seed), f.Close())
}
