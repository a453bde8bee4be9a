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
	"sabine/dataset/synthetic"
)

// seed makes every run ask the same questions of the same generated catalogue.
const seed = 1

// options are what the command line says.
type options struct {
	catalogue string
	products  int
	questions int
	engines   []string
	classes   []string // empty: all
	dir       string
	results   string
}

func main() {
	err := func() error {
		if len(os.Args) > 1 && slices.Contains([]string{roleBuild, roleAsk, roleOpen}, os.Args[1]) {
			return work(os.Args[1:], os.Stdin, os.Stdout)
		}
		o, err := parseOptions()
		if err != nil {
			return err
		}
		return run(&o)
	}()
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

func parseOptions() (options, error) {
	var o options
	flag.StringVar(&o.catalogue, "catalogue", "", "NDJSON `file` of products (default: one is generated)")
	flag.IntVar(&o.products, "products", 10_000, "`number` of products to generate")
	flag.IntVar(&o.questions, "questions", 200, "`number` of questions of each class")
	engines := flag.String("engines", "sabine,bleve,sqlite,postgres", "`names` of engines, separated by commas")
	classes := flag.String("classes", "", "`names` of classes, separated by semicolons (default: all)")
	flag.StringVar(&o.dir, "dir", "", "`folder` for the indexes; what it has is not built again (default: a temporary one)")
	flag.StringVar(&o.results, "results", "", "`file` to which results are appended as JSON lines")
	flag.Parse()
	o.engines = strings.Split(*engines, ",")
	if *classes != "" {
		var err error
		if o.classes, err = classesOf(*classes); err != nil {
			return o, err
		}
	}
	for _, name := range o.engines {
		if s, err := setupOf(name); err != nil || s.open == nil {
			return o, fmt.Errorf("engine %q: expected sabine, bleve, sqlite or postgres", name)
		}
	}
	if o.engines[0] != setups[0].name {
		return o, fmt.Errorf("engines: expected %s first, with which the others are compared", setups[0].name)
	}
	if flag.NArg() > 0 {
		return o, fmt.Errorf("expected flags alone, got %q", flag.Arg(0))
	}
	return o, nil
}

// classesOf splits names of classes at semicolons, since some have a comma in them.
func classesOf(text string) ([]string, error) {
	names := strings.Split(text, ";")
	for i, name := range names {
		names[i] = strings.TrimSpace(name)
		if known := queries.Names(); !slices.Contains(known, names[i]) {
			return nil, fmt.Errorf("class %q: expected some of these, separated by semicolons: %s", names[i], strings.Join(known, "; "))
		}
	}
	return names, nil
}

func run(o *options) (err error) {
	if o.dir == "" {
		if o.dir, err = os.MkdirTemp("", "sabine-peers"); err != nil {
			return err
		}
		defer os.RemoveAll(o.dir)
	}
	if err := os.MkdirAll(o.dir, 0o755); err != nil {
		return err
	}
	if err := os.Chmod(o.dir, 0o755); err != nil { // for the user whom PostgreSQL runs as
		return err
	}
	if o.catalogue == "" {
		o.catalogue = filepath.Join(o.dir, "catalogue.ndjson")
		if err := generate(o.catalogue, o.products); err != nil {
			return err
		}
	}
	report, err := newReport(o.results)
	if err != nil {
		return err
	}
	if err := buildAll(o, report); err != nil {
		return err
	}
	if err := askAll(o, report); err != nil {
		return err
	}
	return errors.Join(report.print(os.Stdout), report.close())
}

func generate(path string, products int) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	defer f.Close()
	if err := synthetic.Generate(f, products, seed); err != nil {
		return err
	}
	return f.Close()
}

// buildAll builds what the folder does not have yet.
func buildAll(o *options, r *report) error {
	source, err := os.Stat(o.catalogue)
	if err != nil {
		return err
	}
	for _, name := range append([]string{validator}, o.engines...) {
		dir := filepath.Join(o.dir, name)
		if _, err := os.Stat(dir); err == nil {
			continue
		}
		fmt.Fprintf(os.Stderr, "building %s\n", name)
		b, err := buildApart(name, dir, o.catalogue)
		if err != nil {
			return err
		}
		r.addBuild(name, source.Size(), b)
	}
	return nil
}

func askAll(o *options, r *report) (err error) {
	f, err := os.Open(o.catalogue)
	if err != nil {
		return err
	}
	products, err := queries.Read(f)
	f.Close()
	if err != nil {
		return err
	}
	p, err := newPanel(o, products)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, p.close()) }()
	for _, class := range queries.Derive(products, seed, o.questions) {
		if len(o.classes) > 0 && !slices.Contains(o.classes, class.Name) {
			continue
		}
		fmt.Fprintf(os.Stderr, "asking %s\n", class.Name)
		if err := p.ask(&class, r); err != nil {
			return fmt.Errorf("class %s: %w", class.Name, err)
		}
	}
	fmt.Fprintln(os.Stderr, "opening the snapshot")
	opened, err := openApart(o, p.asked)
	if err != nil {
		return fmt.Errorf("opening the snapshot: %w", err)
	}
	source, err := os.Stat(o.catalogue)
	if err != nil {
		return err
	}
	r.addOpened(source.Size(), opened)
	return nil
}
