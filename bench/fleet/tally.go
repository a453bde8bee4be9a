package main

import (
	"context"
	"math/rand/v2"
	"net/http"
	"sync"
	"time"

	"sabine/bench/trial"
)

// grace is how long after Redis is back requests may still be refused.
const grace = 2 * time.Second

// evidence is how many examples of each sort of fault are shown.
const evidence = 10

// A tally is what became of the requests of a run.
type tally struct {
	mu          sync.Mutex
	requests    int
	statuses    map[int]int
	wrong       int            // answers that are not those of the generation that they name
	misplaced   int            // answers of a generation that was not in force
	failed      int            // requests without an answer, or with a status that nobody expects
	unavailable map[string]int // 503s in an outage of Redis and its grace, by the name of the error
	late        time.Duration  // the longest time from Redis's return to a 503
	skipped     int            // requests that were not sent: too many were on their way
	stall       time.Duration  // the longest time between two beats of the load
	took        []time.Duration
	shown       map[string]int // examples, by sort of fault
}

func newTally() *tally {
	return &tally{statuses: map[int]int{}, unavailable: map[string]int{}, shown: map[string]int{}}
}

// fault counts one, and shows it unless many were shown. Its caller holds mu.
func (t *tally) fault(count *int, sort string, server int, q *trial.Question, why any) {
	*count++
	if t.shown[sort]++; t.shown[sort] <= evidence {
		trial.Tell("%s: server %d, %s %s: %v", sort, server, q.Class, q.Path, why)
	}
}

// exchange puts a question to a server, judges the answer and returns its status, 0 when there was none.
// exhausts says that the account's budget may be spent.
func (f *fleet) exchange(ctx context.Context, server, n int, key string, exhausts bool) int {
	q, t := &f.questions[n], f.tally
	reached := f.history.Reached(server)
	known := f.history.KnownTag(n, reached)
	began := time.Now()
	a, err := trial.Ask(ctx, f.servers[server].Address, q, key, known)
	ended := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests++
	if err != nil {
		t.fault(&t.failed, "failed", server, q, err)
		return 0
	}
	t.statuses[a.Status]++
	t.took = append(t.took, ended.Sub(began))
	switch a.Status {
	case http.StatusOK, http.StatusNotModified, http.StatusNotFound:
		f.judge(server, n, reached, known, a, ended)
	case http.StatusTooManyRequests:
		if !exhausts {
			t.fault(&t.failed, "failed", server, q, a)
		}
	case http.StatusServiceUnavailable:
		code := a.Code()
		back, was := f.outages.since(redis, ended)
		t.late = max(t.late, back)
		if !was || back > grace || code != "rate_limit_unavailable" {
			t.fault(&t.failed, "failed", server, q, a)
		} else {
			t.unavailable[code]++
		}
	default:
		t.fault(&t.failed, "failed", server, q, a)
	}
	return a.Status
}

// judge holds an answer against what its generation has to answer. Its caller holds the tally.
func (f *fleet) judge(server, n, reached int, known string, a *trial.Answer, now time.Time) {
	t := f.tally
	fault, misplaced := f.history.Judge(server, n, reached, known, a, now)
	switch {
	case misplaced:
		t.fault(&t.misplaced, "misplaced", server, &f.questions[n], fault)
	case fault != "":
		t.fault(&t.wrong, "wrong", server, &f.questions[n], fault)
	}
}

// load asks all servers in turn, at a steady rate whatever they take, until the context ends and the last is
// answered.
func (f *fleet) load(ctx context.Context, perSecond int) {
	f.tally.skipped, f.tally.stall = trial.Load(ctx, perSecond, func(n int) {
		server, key := n%len(f.servers), f.accounts[n/len(f.servers)%len(f.accounts)]
		f.exchange(context.WithoutCancel(ctx), server, rand.IntN(len(f.questions)), key, false)
	})
}
