package main

import (
	"context"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/google/uuid"

	"sabine/bench/quality"
	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/bench/step"
	"sabine/indexes"
	"sabine/indexes/snapshot"
	"sabine/runtime"
)

// A panel asks engines the questions in all classes and judges their answers.
type panel struct {
	dir      string
	file     *results.File
	classes  []queries.Class
	products map[string]*queries.Product // keyed by id
}

func newPanel(dir, catalogue string, file *results.File) *panel {
	ndjson := step.Must(os.Open(catalogue))
	defer ndjson.Close()
	products := step.Must(queries.Read(ndjson))
	p := &panel{dir, file, nil, make(map[string]*queries.Product, len(products))}
	for i := range products {
		p.products[products[i].ID] = &products[i]
	}
	generation := openGeneration(filepath.Join(dir, results.Sabine)) // determines which questions count
	defer generation.Close()
	for _, class := range queries.Derive(products, queries.Seed, queries.PerClass) {
		var counting []queries.Question
		for _, q := range class.Questions {
			q.Limit = pageSize
			q.Query = step.Must(q.In(generation))
			if len(counting) < class.Wanted && q.Counts(generation.Search(&q.Query)) {
				counting = append(counting, q)
			}
		}
		if class.Questions = counting; len(counting) > 0 {
			p.classes = append(p.classes, class)
		}
	}
	return p
}

// measure asks engines the questions in every class that they answer. In the first table, text questions are
// asked both with and without facets.
func (p *panel) measure(suite results.Suite, engines []string) {
	var workers []*worker
	for _, name := range engines {
		w := start(name, p.dir)
		defer w.end()
		workers = append(workers, w)
	}
	for _, class := range p.classes {
		if len(engines) == 0 || suite == results.Own && !class.Kind.IsText() {
			continue
		}
		key := results.Key{Suite: suite, Class: class.Name, Products: len(p.products)}
		asked := slices.DeleteFunc(slices.Clone(workers), func(w *worker) bool { return !w.answers(class.Kind) })
		p.ask(key, class.Questions, asked)
		if suite == results.Search && class.Kind.IsText() {
			key.Class += queries.WithFacets
			questions := slices.Clone(class.Questions)
			for i := range questions {
				questions[i].Facets = true
			}
			p.ask(key, questions, asked)
		}
	}
}

// ask asks the engines all questions, one engine after the other. Each round begins with another engine. The
// first round is not measured; it shows how fast an engine is. An engine that exceeds the time limit is asked
// only the questions that it has finished; in the first table, this applies to all other engines too. An
// engine that needs more than a second has one measured round. In the second table, this is the first round.
func (p *panel) ask(key results.Key, questions []queries.Question, workers []*worker) {
	own := key.Suite == results.Own
	b, rounds := Block{Least: 30, Limit: 2 * time.Second}, 3
	if own {
		b, rounds = Block{Least: 10, Limit: time.Second}, 1
	}
	for _, q := range questions {
		b.Questions = append(b.Questions, q.Query)
	}
	answers, times := make([][]reply, len(workers)), make([][]time.Duration, len(workers))
	for i, w := range workers {
		w.call("Ask", &b, &answers[i])
		if !own {
			b.Questions = b.Questions[:len(answers[i])]
		}
	}
	for round := range rounds {
		for turn := range workers {
			i := (round + turn) % len(workers)
			answers[i] = answers[i][:min(len(answers[i]), len(b.Questions))]
			replies, slow := answers[i], took(answers[i]) > time.Second
			if slow && round > 0 {
				continue
			}
			if !slow || !own {
				replies = nil
				measured := Block{Questions: b.Questions[:len(answers[i])], Busy: 200 * time.Millisecond}
				workers[i].call("Ask", &measured, &replies)
			}
			for _, r := range replies {
				times[i] = append(times[i], r.Times...)
			}
		}
	}
	fmt.Println(key.Class)
	for i, w := range workers {
		line := p.judge(key, questions, answers[0], answers[i])
		slices.Sort(times[i])
		n := len(times[i])
		line.Engine, line.P50, line.P99, line.Worst = w.name, times[i][n/2], times[i][n*99/100], times[i][n-1]
		fmt.Printf("%32s %12v %12v\n", line.Engine, line.P50, line.P99)
		step.Check(p.file.Add(line))
	}
}

func took(replies []reply) (d time.Duration) {
	for i := range replies {
		d += replies[i].Times[0]
	}
	return d
}

// judge compares an engine's answers with the rules of the questions and with the first engine's answers.
// Questions without a text have no rules; their two answers must be equal.
func (p *panel) judge(key results.Key, questions []queries.Question, first, answers []reply) results.Line {
	line := results.Line{Key: key, Questions: len(answers)}
	var totals []int
	good, same := 0, 0
	for i := range answers {
		q, a := &questions[i], &answers[i].Answer
		totals = append(totals, a.Total)
		if a.Total == first[i].Answer.Total {
			same++
		}
		if q.Nothing && a.Total == 0 || q.Rule != nil && slices.ContainsFunc(a.IDs[:min(len(a.IDs), queries.First)],
			func(id string) bool { return q.Rule(p.products[id]) }) {
			good++
		}
		if q.Text == "" {
			step.Check(agree(&first[i].Answer, a), fmt.Sprintf("class %s: %+v", key.Class, q.Query))
		}
	}
	share := func(n int) *float64 { part := float64(n) / float64(len(answers)); return &part }
	if q := &questions[0]; q.Rule != nil || q.Nothing {
		line.Success10 = share(good)
	}
	if key.Suite == results.Search {
		slices.Sort(totals)
		line.MedianTotal, line.SameTotal = totals[len(totals)/2], share(same)
	}
	return line
}

func agree(a, b *answer) error {
	if a.Total != b.Total || len(a.IDs) != len(b.IDs) {
		return fmt.Errorf("expected %d hits (page of %d), found %d (page of %d)", a.Total, len(a.IDs), b.Total, len(b.IDs))
	}
	if !maps.Equal(a.Facets, b.Facets) {
		return fmt.Errorf("expected the counts %v, found %v", a.Facets, b.Facets)
	}
	return nil
}

// judge asks sabine and the engines in the second table the judged queries from all collections.
func judge(folder string, engines []string, file *results.File) {
	unmeasured := step.Must(results.Append("")) // discards the builds of small catalogues
	defer unmeasured.Close()
	for _, read := range quality.Collections {
		c := step.Must(read())
		dir := filepath.Join(folder, "judged-"+c.Name)
		catalogue := copyInputs(c, dir)
		for _, name := range engines {
			build(name, dir, catalogue, unmeasured)
			for _, row := range quality.TableOf(askAll(name, dir, c.Queries)) {
				key := results.Key{Suite: results.Judged, Engine: name, Class: row.Class, Products: len(c.Products),
					Collection: c.Name}
				step.Check(file.Add(results.Line{Key: key, Questions: row.Queries, Success10: &row.Success10, NDCG10: &row.NDCG10}))
				if row.Class == quality.All {
					fmt.Printf("%s, %s: success@10 %.3f, nDCG@10 %.3f\n", c.Name, name, row.Success10, row.NDCG10)
				}
			}
		}
	}
}

func askAll(name, dir string, queries []*quality.Query) (answers []*quality.Answer) {
	w := start(name, dir)
	defer w.end()
	var b Block
	for _, q := range queries {
		b.Questions = append(b.Questions, runtime.Query{Text: q.Text, Limit: pageSize})
	}
	var replies []reply
	w.call("Ask", &b, &replies)
	for i, q := range queries {
		var hits []uuid.UUID
		for _, id := range replies[i].Answer.IDs {
			hits = append(hits, step.Must(uuid.Parse(id)))
		}
		answers = append(answers, q.Measure(hits, replies[i].Answer.Total))
	}
	return answers
}

// copyInputs writes a collection's input files, from which the engines build, into a folder in dir.
func copyInputs(c *quality.Collection, dir string) (catalogue string) {
	catalogue = filepath.Join(dir, "catalogue")
	step.Check(os.MkdirAll(catalogue, 0o755))
	for _, in := range c.Inputs {
		from := step.Must(in.Open())
		step.Check(os.WriteFile(filepath.Join(catalogue, filepath.Base(in.Name)), step.Must(io.ReadAll(from)), 0o644))
		step.Check(from.Close())
	}
	return catalogue
}

// open measures the times to open and to verify sabine's snapshot, the heap of a server and the section
// sizes. To measure the heap, a separate process answers all questions and does nothing else.
func (p *panel) open(catalogue string) {
	line := results.Line{Key: results.Key{Suite: results.Open, Engine: results.Sabine, Products: len(p.products)},
		SourceBytes: sizeOf(catalogue)}
	w := start(results.Sabine, p.dir)
	for _, class := range p.classes {
		var asked []runtime.Query
		for _, q := range class.Questions {
			asked = append(asked, q.Query)
		}
		w.call("Heap", asked, &line.Heap)
	}
	w.end()
	path := currentSnapshot(filepath.Join(p.dir, results.Sabine))
	line.Open = median(50, func() {
		file := step.Must(snapshot.Open(path))
		step.Must(indexes.Open(file))
		step.Check(file.Close())
	})
	file := step.Must(snapshot.Open(path))
	defer file.Close()
	verify := func() { step.Check(file.VerifyChecksums(context.Background())) }
	verify() // warms the page cache
	verified := median(5, verify)
	all, lines := int64(0), []results.Line{line}
	for _, s := range file.Sections() {
		key := results.Key{Suite: results.Section, Products: line.Products, Section: s.Kind.String()}
		lines = append(lines, results.Line{Key: key, Bytes: s.Length})
		all += s.Length
	}
	lines[0].VerifyPace = float64(all) / verified.Seconds()
	step.Check(p.file.Add(lines...))
}

func median(n int, run func()) time.Duration {
	all := make([]time.Duration, n)
	for i := range all {
		start := time.Now()
		run()
		all[i] = time.Since(start)
	}
	slices.Sort(all)
	return all[n/2]
}
