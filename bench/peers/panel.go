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

// A panel is the engines that are asked.
type panel struct {
	workers    []*worker
	products   map[string]*queries.Product // by id
	generation *runtime.Generation         // tells which questions count
	asked      []question                  // so far, of all classes
}

func newPanel(o *options, products []queries.Product) (*panel, error) {
	p := &panel{products: make(map[string]*queries.Product, len(products))}
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

// A contest is the questions of a class as they are put to some engines.
type contest struct {
	class     string
	facets    bool // the counts of all families are asked for
	task      task // what the engines are told; taskText: nothing
	questions []queries.Question
	workers   []*worker
}

// ask asks every engine the questions of a class. Those about a text are asked with facets too, and once more of the
// peers, who are told what kind of text it is.
func (p *panel) ask(class *queries.Class, r *report) error {
	questions := p.counting(class)
	if len(questions) == 0 {
		return nil
	}
	for i := range questions {
		p.asked = append(p.asked, question{Query: questions[i].Query})
	}
	asked := contest{class: class.Name, facets: questions[0].Facets, questions: questions, workers: p.workers}
	contests := []contest{asked}
	if class.Kind.IsText() {
		told := asked
		told.task, told.workers = tasks[class.Name], p.workers[1:]
		faceted := asked
		faceted.class, faceted.facets, faceted.questions = class.Name+queries.WithFacets, true, slices.Clone(questions)
		for i := range faceted.questions {
			faceted.questions[i].Facets = true
		}
		contests = append(contests, told, faceted)
	}
	for i := range contests {
		if err := p.hold(&contests[i], r); err != nil {
			return err
		}
	}
	return nil
}

// How long a contest takes. The first round, in which nobody is measured, tells how fast an engine is: where one does not
// come through all questions within a limit, all engines are asked only those that it came to.
const (
	measuredRounds = 3
	roundLimit     = 3 * time.Second
	leastQuestions = 30
	slowRound      = time.Second            // an engine that needs longer has one measured round
	busy           = 200 * time.Millisecond // of a measured round at least
)

// A score is what one engine did in one contest.
type score struct {
	engine  string
	times   *hdrhistogram.Histogram // nanoseconds
	totals  []int                   // by question
	success int
	warm    time.Duration // of the first round
}

// same counts the questions to which two engines have the same total.
func (s *score) same(other *score) (n int) {
	for i, total := range s.totals {
		if total == other.totals[i] {
			n++
		}
	}
	return n
}

// hold puts the questions to one engine after the other, all in a row, round by round, each time beginning with another one.
func (p *panel) hold(c *contest, r *report) error {
	b := block{Least: leastQuestions, Limit: roundLimit}
	for i := range c.questions {
		b.Questions = append(b.Questions, question{c.task, c.questions[i].Query})
	}
	scores, err := p.judge(c, &b)
	if err != nil {
		return err
	}
	b.Limit, b.Busy = 0, busy
	for round := range measuredRounds {
		for turn := range c.workers {
			w := (round + turn) % len(c.workers)
			if round > 0 && scores[w].warm > slowRound {
				continue
			}
			replies, err := c.workers[w].ask(&b)
			if err != nil {
				return err
			}
			for i := range replies {
				for _, took := range replies[i].Times {
					if err := scores[w].times.RecordValue(int64(took)); err != nil {
						return err
					}
				}
			}
		}
	}
	r.addClass(c, len(p.products), scores)
	return nil
}

// judge holds the first round, cuts the questions to those that every engine came to, and judges the answers.
func (p *panel) judge(c *contest, b *block) ([]score, error) {
	answers := make([][]reply, len(c.workers))
	scores := make([]score, len(c.workers))
	for w := range c.workers {
		replies, err := c.workers[w].ask(b)
		if err != nil {
			return nil, err
		}
		answers[w] = replies
		b.Questions = b.Questions[:len(replies)]
	}
	c.questions = c.questions[:len(b.Questions)]
	for w := range scores {
		scores[w] = score{engine: c.workers[w].name, times: hdrhistogram.New(1, int64(10*time.Minute), 3)}
		for i := range c.questions {
			reply := &answers[w][i]
			scores[w].totals = append(scores[w].totals, reply.Answer.Total)
			scores[w].warm += reply.Times[0]
			if p.succeeds(&c.questions[i], &reply.Answer) {
				scores[w].success++
			}
			if err := agree(scores[0].engine, scores[w].engine, &answers[0][i].Answer, &reply.Answer); c.questions[i].Text == "" && err != nil {
				return nil, fmt.Errorf("%+v: %w", c.questions[i].Query, err)
			}
		}
	}
	return scores, nil
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

// agree holds the answers of two engines to a question without text, which leaves nothing to judge, against each other.
func agree(first, second string, a, b *answer) error {
	if a.Total != b.Total || len(a.IDs) != len(b.IDs) {
		return fmt.Errorf("%s finds %d (page of %d), %s %d (page of %d)", first, a.Total, len(a.IDs), second, b.Total, len(b.IDs))
	}
	if counts, others := sortedCounts(a.Facets), sortedCounts(b.Facets); !slices.Equal(counts, others) {
		return fmt.Errorf("%s counts %v, %s %v", first, counts, second, others)
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
