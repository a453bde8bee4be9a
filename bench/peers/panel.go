package main

import (
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"sabine/bench/queries"
	"sabine/bench/results"
	"sabine/runtime"
)

// A panel puts the questions of all classes to engines, and judges what they answer.
type panel struct {
	dir        string
	file       *results.File
	classes    []queries.Class
	products   map[string]*queries.Product // by id
	generation *runtime.Generation         // tells which questions count
}

func newPanel(o *options, catalogue string, file *results.File) (*panel, error) {
	ndjson, err := os.Open(catalogue)
	if err != nil {
		return nil, err
	}
	defer ndjson.Close()
	products, err := queries.Read(ndjson)
	if err != nil {
		return nil, err
	}
	p := &panel{dir: o.dir, file: file, products: make(map[string]*queries.Product, len(products))}
	for i := range products {
		p.products[products[i].ID] = &products[i]
	}
	e, err := openSabine(filepath.Join(o.dir, results.Sabine))
	if err != nil {
		return nil, err
	}
	p.generation = e.(*sabine).generation
	for _, class := range queries.Derive(products, queries.Seed, o.questions) {
		if class.Questions, err = p.counting(&class); err != nil {
			return nil, err
		}
		if o.classes.MatchString(class.Name) && len(class.Questions) > 0 {
			p.classes = append(p.classes, class)
		}
	}
	return p, nil
}

// counting returns the questions that count, as a first page of their own.
func (p *panel) counting(class *queries.Class) ([]queries.Question, error) {
	var questions []queries.Question
	for _, q := range class.Questions {
		q.Limit = pageSize
		query, err := q.In(p.generation)
		if err != nil {
			return nil, err
		}
		q.Query = query
		if len(questions) < class.Wanted && q.Counts(p.generation.Search(&q.Query)) {
			questions = append(questions, q)
		}
	}
	return questions, nil
}

// A contest is the questions of a class as they are put to some engines.
type contest struct {
	key       results.Key // without the engine
	questions []queries.Question
	workers   []*worker
}

// hold asks engines the questions of every class; those of the second table the ones about a text alone. In
// the first one these are asked with facets too, and once more of the peers, who are told what kind of text
// it is.
func (p *panel) hold(suite results.Suite, engines []string) (err error) {
	var workers []*worker
	able := map[queries.Kind][]*worker{} // who is asked for measured values
	defer func() {
		for _, w := range workers {
			err = errors.Join(err, w.end())
		}
	}()
	for _, name := range engines {
		s, err := setupOf(name)
		if err != nil {
			return err
		}
		w, err := start(name, filepath.Join(p.dir, s.folder))
		if err != nil {
			return err
		}
		workers = append(workers, w)
		for _, kind := range []queries.Kind{queries.Needs, queries.Curves} {
			if s.answers(kind) {
				able[kind] = append(able[kind], w)
			}
		}
	}
	for _, class := range p.classes {
		asked := contest{results.Key{Suite: suite, Class: class.Name, Products: len(p.products)}, class.Questions, workers}
		contests := []contest{asked}
		switch {
		case suite == results.Own && !class.Kind.IsText():
			continue
		case able[class.Kind] != nil:
			contests[0].workers = able[class.Kind]
		case suite == results.Search && class.Kind.IsText():
			told, faceted := asked, asked
			told.key.Told, told.workers = true, workers[1:]
			faceted.key.Class += queries.WithFacets
			faceted.questions = slices.Clone(class.Questions)
			for i := range faceted.questions {
				faceted.questions[i].Facets = true
			}
			contests = append(contests, told, faceted)
		}
		for i := range contests {
			if err := p.ask(&contests[i]); err != nil {
				return fmt.Errorf("class %s: %w", class.Name, err)
			}
		}
	}
	return nil
}

// A pace is how long a contest takes. The first round, in which nobody is measured, tells how fast an engine
// is: where one does not come through all questions within a limit, it is asked only those that it came to,
// and in the first table all others too.
type pace struct {
	least  int           // questions that are asked in any case
	limit  time.Duration // of the first round
	rounds int           // that are measured
}

var paces = map[results.Suite]pace{results.Search: {30, 2 * time.Second, 3}, results.Own: {10, time.Second, 1}}

const (
	// an engine that needs longer has one measured round; in the second table it is the first round
	slowRound = time.Second
	busy      = 200 * time.Millisecond // of a measured round at least
)

// ask puts the questions to one engine after the other, all in a row, round by round, each time beginning
// with another one.
func (p *panel) ask(c *contest) error {
	pace := paces[c.key.Suite]
	b := Block{Least: pace.least, Limit: pace.limit}
	told := ""
	if c.key.Told {
		told = c.key.Class
	}
	for _, q := range c.questions {
		b.Questions = append(b.Questions, question{told, q.Query})
	}
	answers, times := make([][]reply, len(c.workers)), make([][]time.Duration, len(c.workers))
	for w := range c.workers {
		if err := c.workers[w].call("Ask", &b, &answers[w]); err != nil {
			return err
		}
		if c.key.Suite == results.Search {
			b.Questions = b.Questions[:len(answers[w])]
		}
	}
	for round := range pace.rounds {
		for turn := range c.workers {
			w := (round + turn) % len(c.workers)
			answers[w] = answers[w][:min(len(answers[w]), len(b.Questions))]
			var replies []reply
			switch slow := took(answers[w]) > slowRound; {
			case slow && round > 0:
				continue
			case slow && c.key.Suite == results.Own:
				replies = answers[w]
			default:
				measured := Block{Questions: b.Questions[:len(answers[w])], Busy: busy}
				if err := c.workers[w].call("Ask", &measured, &replies); err != nil {
					return err
				}
			}
			for i := range replies {
				times[w] = append(times[w], replies[i].Times...)
			}
		}
	}
	fmt.Printf("%s, told %q\n", c.key.Class, told)
	for w := range c.workers {
		line, err := p.judge(c, answers[0], answers[w])
		if err != nil {
			return fmt.Errorf("%s: %w", c.workers[w].name, err)
		}
		slices.Sort(times[w])
		n := len(times[w])
		line.Engine, line.P50, line.P99, line.Worst = c.workers[w].name, times[w][n/2], times[w][n*99/100], times[w][n-1]
		fmt.Printf("%32s %12v %12v\n", line.Engine, line.P50, line.P99)
		if err := p.file.Add(line); err != nil {
			return err
		}
	}
	return nil
}

// took returns how long a round took.
func took(replies []reply) (d time.Duration) {
	for i := range replies {
		d += replies[i].Times[0]
	}
	return d
}

// judge holds the answers of an engine against the rules of the questions and against those of the first
// engine, which has to have the same where there is no text, which leaves nothing to judge.
func (p *panel) judge(c *contest, first, answers []reply) (results.Line, error) {
	line := results.Line{Key: c.key, Questions: len(answers)}
	var totals []int
	good, same := 0, 0
	for i := range answers {
		q, a := &c.questions[i], &answers[i].Answer
		totals = append(totals, a.Total)
		if a.Total == first[i].Answer.Total {
			same++
		}
		if p.succeeds(q, a) {
			good++
		}
		if err := agree(&first[i].Answer, a); q.Text == "" && err != nil {
			return line, fmt.Errorf("%+v: %w", q.Query, err)
		}
	}
	share := func(n int) *float64 { part := float64(n) / float64(len(answers)); return &part }
	if q := &c.questions[0]; q.Rule != nil || q.Nothing {
		line.Success10 = share(good)
	}
	if c.key.Suite == results.Search {
		slices.Sort(totals)
		line.MedianTotal = totals[len(totals)/2]
		if !c.key.Told {
			line.SameTotal = share(same)
		}
	}
	return line, nil
}

// succeeds reports whether an answer is good by the question's own rule.
func (p *panel) succeeds(q *queries.Question, a *answer) bool {
	if q.Nothing {
		return a.Total == 0
	}
	first := a.IDs[:min(len(a.IDs), queries.First)]
	return q.Rule != nil && slices.ContainsFunc(first, func(id string) bool { return q.Rule(p.products[id]) })
}

// agree holds two answers against each other: numbers of hits, on the page too, and facets.
func agree(a, b *answer) error {
	if a.Total != b.Total || len(a.IDs) != len(b.IDs) {
		return fmt.Errorf("expected %d hits (page of %d), found %d (page of %d)", a.Total, len(a.IDs), b.Total, len(b.IDs))
	}
	if !maps.Equal(a.Facets, b.Facets) {
		return fmt.Errorf("expected the counts %v, found %v", a.Facets, b.Facets)
	}
	return nil
}

// open has the snapshot opened and asked all questions in a process of its own, which holds nothing but what
// answers.
func (p *panel) open(catalogue string) error {
	source, err := os.Stat(catalogue)
	if err != nil {
		return err
	}
	w, err := start(results.Sabine, filepath.Join(p.dir, results.Sabine))
	if err != nil {
		return err
	}
	var lines []results.Line
	if err := w.call("Open", struct{}{}, &lines); err != nil {
		return err
	}
	lines[0].SourceBytes = source.Size()
	for _, class := range p.classes {
		for _, q := range class.Questions {
			var heap int64
			if err := w.call("Heap", []question{{Query: q.Query}}, &heap); err != nil {
				return err
			}
			lines[0].Heap = max(lines[0].Heap, heap)
		}
	}
	return errors.Join(w.end(), p.file.Add(lines...))
}
