package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidwall/gjson"
	"golang.org/x/sync/errgroup"

	"sabine/bench/step"
	"sabine/indexes/snapshot"
)

// A site consists of servers for the same catalogue, and the correct answers.
type site struct {
	*run
	name       string
	servers    []*server       // servers under test
	reference  *server         // server that no scenario disturbs
	made       snapshot.Folder // folder for builds, which the reference serves
	buildFlags []string

	catalogue *catalogue
	questions []question
	history   *history
	built     int // number of generations built
}

func (r *run) newSite(name string, products, generations int) *site {
	c := newCatalogue(products, generations)
	s := &site{run: r, name: name, catalogue: c, questions: c.questions(), history: &history{}}
	s.made.Dir = r.path(name, "made")
	step.Check(os.MkdirAll(s.made.Dir, 0o700))
	s.reference = s.newServer(name+"-reference", s.made.Dir, r.keys, "2000000000/1m", "--rate-limit-state",
		r.path(name, "reference.state"))
	return s
}

// newServer returns a sabine without limits on public requests or exports. It does not start the server.
func (s *site) newServer(name, snapshots, keys, limit string, flags ...string) *server {
	return s.newSabine(name, snapshots, keys, limit, append(flags, "--public-detail", "--public-url",
		"https://"+s.scenario.name+".example", "--export-limit", "500000000/24h")...)
}

// addServer adds a server under test. It does not start the server.
func (s *site) addServer(name, snapshots, keys string, flags ...string) *server {
	limit := fmt.Sprintf("%d/%v,2000000000/24h", s.budget, s.span)
	s.servers = append(s.servers, s.newServer(name, snapshots, keys, limit, flags...))
	s.history.servers = append(s.history.servers, nil)
	return s.servers[len(s.servers)-1]
}

func (s *site) build() *generation {
	source := s.path(s.name, "catalogue.ndjson")
	published := s.catalogue.write(s.built, source)
	out := s.runSabine(append([]string{"build", source, "--snapshots", s.made.Dir, "--json"}, s.buildFlags...)...)
	step.Check(os.Remove(source))
	g := &generation{number: s.built, hash: gjson.Get(out, "hash").String(), products: published,
		answers: make([]*answer, len(s.questions))}
	s.built++
	if s.reference.process == nil {
		s.reference.start()
	}
	step.Check(await(s, startTime, func() error {
		a, err := ask(s, s.reference.address, &s.questions[0], s.accounts[0], "")
		if err == nil && a.shown != g.shown() {
			err = fmt.Errorf("the reference does not serve generation %d, %s: it returns %v", g.number, g.hash, a)
		}
		return err
	}))
	s.learn(g)
	return g
}

// learn requests all correct answers from the reference and compares them with the catalogue.
func (s *site) learn(g *generation) {
	group, ctx := errgroup.WithContext(s)
	group.SetLimit(4)
	for i := range s.questions {
		group.Go(func() (err error) {
			q, a := &s.questions[i], (*answer)(nil)
			if i < len(s.questions)-wholeExports {
				a, err = ask(ctx, s.reference.address, q, s.accounts[0], "")
			} else {
				a, err = stream(ctx, s.reference.address, q, s.accounts[0], "", io.Discard)
			}
			if err == nil {
				err = g.plausible(s.catalogue, q, a)
			}
			if err != nil {
				return fmt.Errorf("the reference, %s of generation %d: %w", q.path, g.number, err)
			}
			a.body, a.header = nil, nil
			g.answers[i] = a
			return nil
		})
	}
	step.Check(group.Wait())
}

// plausible compares an answer from the reference with the products of the generation.
func (g *generation) plausible(c *catalogue, q *question, a *answer) error {
	text, err := a.text()
	status := http.StatusOK
	if q.detail != nil && c.omits(g.number, q.detail) {
		status = http.StatusNotFound
	}
	switch {
	case a.status != status:
		err = fmt.Errorf("expected %d, got %s", status, a)
	case a.shown != "" && a.shown != g.shown():
		err = fmt.Errorf("expected X-Snapshot %s, got %s", g.shown(), a)
	case q.total != "" && gjson.Get(text, q.total).Int() != int64(g.products):
		err = fmt.Errorf("expected %s %d, got %s", q.total, g.products, a)
	case q.detail != nil && status == http.StatusOK && !strings.Contains(text, `"`+name(g.number)+`"`):
		err = fmt.Errorf("expected %q in %s", name(g.number), a)
	}
	return err
}

// exchange sends a question to a server, judges the answer and returns its status, or 0 if there was no
// answer. If spends is true, the account can exceed its budget.
func (s *site) exchange(server, n int, key string, spends bool) int {
	q, reached, known := &s.questions[n], s.history.reached(server), ""
	if rand.IntN(8) == 0 { // simulates clients that know the tag of a recent generation
		known = s.history.possible(reached - rand.IntN(2))[0].answers[n].tag
	}
	began := time.Now()
	a, err := ask(s, s.servers[server].address, q, key, known)
	ended := time.Now()
	if err == nil {
		s.mu.Lock()
		s.statuses[a.status]++
		s.now.took[q.class] = append(s.now.took[q.class], ended.Sub(began))
		s.mu.Unlock()
	}
	return s.judge(server, n, reached, known, a, err, ended, spends)
}

// judge records the fault of an answer and returns the answer's status, or 0 if there was no answer. reached
// is the number of moves that the server had followed before the request.
func (s *site) judge(server, n, reached int, known string, a *answer, err error, ended time.Time, spends bool) int {
	q := &s.questions[n]
	if err != nil {
		s.fault(failed, "server %d, %s %s: %v", server, q.class, q.path, err)
		return 0
	}
	switch {
	case a.status == http.StatusOK || a.status == http.StatusNotModified || a.status == http.StatusNotFound:
		if kind, why := s.history.judge(server, n, reached, known, a, ended); kind != "" {
			s.fault(kind, "server %d, %s %s: %s", server, q.class, q.path, why)
		}
	case spends && a.status == http.StatusTooManyRequests && a.code() == "rate_limit_exceeded":
	case s.excused != nil && s.excused(a, ended):
	default:
		s.fault(failed, "server %d, %s %s: %v", server, q.class, q.path, a)
	}
	return a.status
}

// load sends questions to all servers in turn until the context ends. Its rate is steady and does not depend
// on response times. After the last answer, it returns the window for the load.
func (s *site) load(ctx context.Context) *window {
	w := s.begin()
	var asking sync.WaitGroup
	defer asking.Wait()
	room := make(chan struct{}, inFlight)
	began := time.Now()
	last := began
	for sent := 0; ; {
		pause(ctx, 10*time.Millisecond)
		if ctx.Err() != nil {
			return w
		}
		now := time.Now()
		w.stall = max(w.stall, now.Sub(last))
		last = now
		for ; sent < int(now.Sub(began).Seconds()*float64(s.rate)); sent++ {
			select {
			case room <- struct{}{}:
			default:
				w.skipped++
				continue
			}
			server, key := sent%len(s.servers), s.accounts[sent/len(s.servers)%len(s.accounts)]
			asking.Go(func() {
				s.exchange(server, rand.IntN(len(s.questions)-wholeExports), key, false)
				<-room
			})
		}
	}
}

func (s *site) during(do func()) (w *window) {
	loaded, unload := context.WithCancel(s)
	defer unload()
	s.together(func() { w = s.load(loaded) }, func() {
		defer unload()
		do()
	})
	return w
}

// spend makes the next account send more requests than its budget, evenly within part of one span, to all
// servers in turn. It returns how many were granted. One second after the start, it calls meanwhile.
func (s *site) spend(takes time.Duration, meanwhile func()) int {
	key := s.spenders[0]
	s.spenders = append(s.spenders[1:], key)
	margin := s.span / 20 // time for the last answer and for inexact timers
	if now := time.Now(); now.Add(takes+margin).Truncate(s.span) != now.Truncate(s.span) {
		pause(s, time.Until(now.Truncate(s.span).Add(s.span+margin)))
	}
	began, asks := time.Now(), 3*s.budget
	var got atomic.Int64
	s.together(func() {
		pause(s, time.Second)
		meanwhile()
	}, func() {
		var asking sync.WaitGroup
		for i := range asks {
			pause(s, time.Until(began.Add(takes*time.Duration(i)/time.Duration(asks))))
			if time.Since(began) > takes {
				break // later requests can be in the next span
			}
			asking.Go(func() {
				if status := s.exchange(i%len(s.servers), 0, key, true); status/100 == 2 || status/100 == 3 {
					got.Add(1)
				}
			})
		}
		asking.Wait()
	})
	return int(got.Load())
}
