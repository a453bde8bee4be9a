package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"slices"
	"sync"
	"time"
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
func (t *tally) fault(count *int, sort string, server int, q *question, why any) {
	*count++
	if t.shown[sort]++; t.shown[sort] <= evidence {
		tell("%s: server %d, %s %s: %v", sort, server, q.class, q.path, why)
	}
}

// exchange puts a question to a server, judges the answer and returns its status, 0 when there was none. exhausts says that
// the account's budget may be spent.
func (f *fleet) exchange(ctx context.Context, server, n int, key string, exhausts bool) int {
	q, t := &f.questions[n], f.tally
	reached := f.history.reached(server)
	known := f.knownTag(n, reached)
	began := time.Now()
	a, err := ask(ctx, f.servers[server].address, q, key, known)
	ended := time.Now()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.requests++
	if err != nil {
		t.fault(&t.failed, "failed", server, q, err)
		return 0
	}
	t.statuses[a.status]++
	t.took = append(t.took, ended.Sub(began))
	switch a.status {
	case http.StatusOK, http.StatusNotModified, http.StatusNotFound:
		f.judge(server, n, reached, known, a, ended)
	case http.StatusTooManyRequests:
		if !exhausts {
			t.fault(&t.failed, "failed", server, q, a)
		}
	case http.StatusServiceUnavailable:
		code := a.code()
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
	return a.status
}

// judge holds an answer against what its generation has to answer. Its caller holds the tally.
func (f *fleet) judge(server, n, reached int, known string, a *answer, now time.Time) {
	q, t := &f.questions[n], f.tally
	if a.shown == "" {
		g := f.history.possible(reached)
		right := func(g *generation) bool { return !g.answers[n].shown && g.answers[n].fault(a, known) == "" }
		if !slices.ContainsFunc(g, right) {
			t.fault(&t.wrong, "wrong", server, q, fmt.Sprintf("no generation in force answers so: %s", g[len(g)-1].answers[n].fault(a, known)))
		}
		return
	}
	g, err := f.history.place(server, reached, a.shown, now)
	if err != nil {
		t.fault(&t.misplaced, "misplaced", server, q, err)
		return
	}
	if why := g.answers[n].fault(a, known); why != "" {
		t.fault(&t.wrong, "wrong", server, q, fmt.Sprintf("generation %d: %s", g.number, why))
	}
}

// knownTag returns the tag of a generation in force or of the one before for one request of eight, as one who has asked
// before sends it, and else "".
func (f *fleet) knownTag(n, reached int) string {
	if rand.IntN(8) > 0 {
		return ""
	}
	g := f.history.possible(reached - rand.IntN(2))
	return g[0].answers[n].tag
}

// inFlight is how many requests may be on their way at a time: while Redis is paused each of them takes a quarter of a second.
const inFlight = 512

// load asks all servers in turn, at a steady rate whatever they take, until the context ends and the last is answered.
func (f *fleet) load(ctx context.Context, perSecond int) {
	const beat = 10 * time.Millisecond
	var asking sync.WaitGroup
	defer asking.Wait()
	room := make(chan struct{}, inFlight)
	began := time.Now()
	last := began
	beats := time.NewTicker(beat)
	defer beats.Stop()
	for sent := 0; ; {
		select {
		case <-ctx.Done():
			return
		case <-beats.C:
			now := time.Now()
			f.tally.beat(now.Sub(last))
			last = now
			for ; sent < int(now.Sub(began).Seconds()*float64(perSecond)); sent++ {
				select {
				case room <- struct{}{}:
				default:
					f.tally.skip()
					continue
				}
				server, key := sent%len(f.servers), f.accounts[sent/len(f.servers)%len(f.accounts)]
				asking.Go(func() {
					defer func() { <-room }()
					f.exchange(context.WithoutCancel(ctx), server, rand.IntN(len(f.questions)), key, false)
				})
			}
		}
	}
}

// beat notes how long after the one before a beat of the load came.
func (t *tally) beat(after time.Duration) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.stall = max(t.stall, after)
}

func (t *tally) skip() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.skipped++
}
