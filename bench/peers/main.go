package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/dataset/synthetic"
)

// options are what the command line says.
type options struct {
	products  int
	questions int
	engines   []string       // of the first table
	own       []string       // of the second one, without sabine; none: there is no second one
	classes   *regexp.Regexp // those that are asked
	dir       string
	results   string
	judged    bool // only the judged collections
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
	flags.IntVar(&o.questions, "questions", queries.PerClass, "`number` of questions of each class")
	engines := flags.String("engines", "sabine,bleve,sqlite,postgres",
		"`names` of engines of the first table, separated by commas")
	own := flags.Bool("own", true,
		"the second table too, of the peers as their users set them up, unless sabine is the only engine")
	classes := flags.String("classes", "", "`regexp` of the names of classes (default: all)")
	flags.StringVar(&o.dir, "dir", "",
		"`folder` for catalogue and indexes; what it has is not made again (default: a temporary one)")
	flags.BoolVar(&o.judged, "judged", false,
		"have the engines of the second table judged on the collections of bench/quality, and no more")
	flags.StringVar(&o.results, "results", "", "`file` to which results are appended as JSON lines")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("expected flags alone, got %q", flags.Arg(0))
	}
	o.engines = strings.Split(*engines, ",")
	for i, name := range o.engines {
		if !slices.ContainsFunc(setups, func(s setup) bool {
			return s.name == name
		}) || (i == 0) != (name == results.Sabine) {
			return o,
				fmt.Errorf(
					"engines %q: expected sabine, with which the others are compared, and then some of bleve, sqlite, postgres",
					*engines)
		}
	}
	if *own && len(o.engines) > 1 {
		for _, s := range ownSetups() {
			o.own = append(o.own, s.name)
		}
	}
	o.classes, err = regexp.Compile(*classes)
	return o, err
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
	if len(o.own) > 0 {
		if err := o.judge(file); err != nil || o.judged {
			return err
		}
	}
	for _, name := range slices.Concat([]string{results.Validator}, o.engines, o.own) {
		if err := build(name, o.dir, catalogue, file); err != nil {
			return err
		}
	}
	p, err := newPanel(o, catalogue, file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.generation.Close()) }()
	if err := p.hold(results.Search, o.engines); err != nil {
		return err
	}
	if len(o.own) > 0 {
		if err := p.hold(results.Own, append([]string{results.Sabine}, o.own...)); err != nil {
			return err
		}
	}
	return p.open(catalogue)
}

// build has an engine built in a process of its own, unless the folder has its index. That gets its name when
// all is well.
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
	w, err := start(name, unfinished)
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
