package main

import (
	"cmp"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"sabine/bench/queries"
	"sabine/runtime"
)

// A panel is the engines that are asked in turn.
type panel struct {
	names      []string
	workers    []*worker                   // by name
	products   map[string]*queries.Product // by id
	generation *runtime.Generation         // tells which questions count
	asked      []question                  // so far, of all classes
}

func newPanel(o *options, products []queries.Product) (*panel, error) {
	p := &panel{names: o.engines, products: make(map[string]*queries.Product, len(products))}
	for i := range products {
		p.products[products[i].ID] = &products[i]
	}
	var err error
	if p.generation, err = openGeneration(filepath.Join(o.dir, setups[0].name)); err != nil {
		return nil, err
	}
	for _, name := range o.engines {
		w, err := start(roleAsk, name, filepath.Join(o.dir, name))
		if err != nil {
			return nil, errors.Join(err, p.close())
		}
		p.workers = append(p.workers, w)
	}
	return p, nil
}

func (p *panel) close() error {
	err := p.generation.Close()
	for _, w := range p.workers {
		err = errors.Join(err, w.end())
	}
	return err
}

// A score is what one engine did in one class.
type score struct {
	times   *hdrhistogram.Histogram // nanoseconds
	totals  []int
	success int
}

// ask asks every engine the questions of a class, first unmeasured and then measured, question by question in turn, each
// time beginning with another engine.
func (p *panel) ask(class *queries.Class, r *report) error {
	counting := p.counting(class)
	scores := make([]score, len(p.workers))
	for i := range scores {
		scores[i].times = hdrhistogram.New(1, int64(10*time.Minute), 3)
	}
	for _, q := range counting {
		p.asked = append(p.asked, question{tasks[class.Name], q.Query})
		if _, err := p.askInTurn(class, &q, 0); err != nil {
			return err
		}
	}
	for i, q := range counting {
		replies, err := p.askInTurn(class, &q, i)
		if err != nil {
			return err
		}
		answers := make([]answer, len(replies))
		for w := range replies {
			answers[w] = replies[w].Answer
			if err := scores[w].add(&replies[w], p.succeeds(&q, &answers[w])); err != nil {
				return err
			}
		}
		if q.Text == "" {
			if err := agree(p.names, answers); err != nil {
				return fmt.Errorf("%+v: %w", q.Query, err)
			}
		}
	}
	for w := range scores {
		r.addClass(class, counting, p.names[w], len(p.products), &scores[w])
	}
	return nil
}

// askInTurn asks every engine a question, one of them first.
func (p *panel) askInTurn(class *queries.Class, q *queries.Question, first int) ([]reply, error) {
	replies := make([]reply, len(p.workers))
	for turn := range p.workers {
		w := (first + turn) % len(p.workers)
		var err error
		if replies[w], err = p.workers[w].ask(&question{tasks[class.Name], q.Query}); err != nil {
			return nil, err
		}
	}
	return replies, nil
}

// counting returns the questions that count, as a first page of their own.
func (p *panel) counting(class *queries.Class) []queries.Question {
	var questions []queries.Question
	for _, q := range class.Questions {
		q.Limit = pageSize
		if len(questions) < class.Wanted && q.Counts(p.generation.Search(&q.Query)) {
			questions = append(questions, q)
		}
	}
	return questions
}

// succeeds reports whether an answer is good by the question's own rule.
func (p *panel) succeeds(q *queries.Question, a *answer) bool {
	if q.Nothing {
		return a.Total == 0
	}
	first := a.IDs[:min(len(a.IDs), queries.First)]
	return q.Rule != nil && slices.ContainsFunc(first, func(id string) bool { return q.Rule(p.products[id]) })
}

func (s *score) add(r *reply, success bool) error {
	s.totals = append(s.totals, r.Answer.Total)
	if success {
		s.success++
	}
	return s.times.RecordValue(int64(r.Time))
}

// agree holds the engines' answers to a question without text, which leaves nothing to judge, against each other.
func agree(names []string, answers []answer) error {
	first := &answers[0]
	for i := 1; i < len(answers); i++ {
		other := &answers[i]
		if first.Total != other.Total || len(first.IDs) != len(other.IDs) {
			return fmt.Errorf("%s finds %d (page of %d), %s %d (page of %d)", names[0], first.Total, len(first.IDs),
				names[i], other.Total, len(other.IDs))
		}
		if a, b := sortedCounts(first.Facets), sortedCounts(other.Facets); !slices.Equal(a, b) {
			return fmt.Errorf("%s counts %v, %s %v", names[0], a, names[i], b)
		}
	}
	return nil
}

// sortedCounts returns the counts that are not 0, by family and value.
func sortedCounts(counts []count) []count {
	counts = slices.DeleteFunc(slices.Clone(counts), func(c count) bool { return c.N == 0 })
	slices.SortFunc(counts, func(a, b count) int {
		return cmp.Or(cmp.Compare(a.Family, b.Family), cmp.Compare(a.Value, b.Value))
	})
	return counts
}
