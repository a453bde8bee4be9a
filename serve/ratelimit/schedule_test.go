package ratelimit

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

var schedules = flag.Int("schedules", 20,
	"number of random schedules of requests in each property test, for each store")

// edges contains moments at which windows end together with another period of time.
var edges = []time.Time{
	noon, noon.Add(12 * time.Hour), time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), // end of a day and of a year
	time.Date(2027, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(2028, 2, 29, 0, 0, 0, 0, time.UTC),
	time.Date(2028, 3, 1, 0, 0, 0, 0, time.UTC),
	time.Date(2027, 3, 28, 1, 0, 0, 0, time.UTC), time.Unix(1<<31, 0), // summer time in Europe; 32-bit overflow
}

var policies = []Policy{
	{{2, time.Minute}}, {{3, time.Minute}, {5, 24 * time.Hour}}, {{4, time.Minute}, {3, 24 * time.Hour}},
	{{1, time.Second}, {2, time.Hour}, {7, 24 * time.Hour}},
}

// A schedule makes random requests by one client, and records which of them were counted.
type schedule struct {
	*rand.Rand
	t        *testing.T
	store    Store
	limiter  *Limiter
	client   string
	policy   Policy
	wall     time.Time     // wall clock, which can be changed
	real     time.Duration // monotonic clock
	counted  []time.Time   // wall times of counted requests
	lost     int           // number of counted requests that a restart can lose in short windows
	furthest []furthest    // latest window for each window of the policy
}

func newSchedule(t *testing.T, store Store, seed int) *schedule {
	s := &schedule{t: t, store: store, Rand: rand.New(rand.NewPCG(uint64(seed), 16)), client: fmt.Sprint(t.Name(), seed)}
	s.policy = pick(s, policies)
	s.wall = pick(s, edges).Add(time.Duration(s.IntN(3)-1) * time.Millisecond)
	s.limiter = NewLimiter(store, s.policy, policies[0], nil)
	return s
}

func pick[E any](s *schedule, from []E) E { return from[s.IntN(len(from))] }

// pause returns the time until the next request: often 0, or until about a millisecond from a window's edge.
func (s *schedule) pause() time.Duration {
	d := pick(s, []time.Duration{0, 0, 0, 0, time.Millisecond, 999 * time.Millisecond, time.Second, 30 * time.Second,
		time.Minute, time.Hour, 24 * time.Hour, 29 * 24 * time.Hour})
	if d >= time.Second && s.IntN(2) == 0 {
		d = s.wall.Add(d).Truncate(d).Add(time.Duration(s.IntN(3)-1) * time.Millisecond).Sub(s.wall)
	}
	return max(d, 0)
}

// ask makes a request and checks its header fields.
func (s *schedule) ask() (Decision, http.Header) {
	s.t.Helper()
	d, err := s.limiter.Account(s.t.Context(), s.client, s.wall)
	if err != nil {
		s.t.Fatal(err)
	}
	h := http.Header{}
	d.Header(h)
	retry := ""
	if !d.Allowed {
		retry = h.Get("RateLimit-Reset") // both fields mean the same moment
	}
	if h.Get("Retry-After") != retry || d.Reset < time.Second || h.Get("RateLimit-Policy") != s.policy.String() {
		s.t.Errorf("allowed %t, %v", d.Allowed, h)
	}
	if d.Allowed {
		s.counted = append(s.counted, s.wall)
	}
	return d, h
}

// expect computes the result of a request at this moment from the counted requests: whether it is allowed,
// and the header fields.
func (s *schedule) expect() string {
	type window struct {
		limit, left int
		reset       time.Duration
	}
	var windows []window
	allowed := true
	for _, w := range s.policy {
		began, counted := s.wall.Truncate(w.Span), s.counted
		if w.Span < savedSpan {
			counted = counted[s.lost:]
		}
		n := len(slices.DeleteFunc(slices.Clone(counted), func(at time.Time) bool { return at.Before(began) }))
		allowed = allowed && n < w.Limit
		windows = append(windows, window{w.Limit, w.Limit - n, began.Add(w.Span).Sub(s.wall.Truncate(time.Second))})
	}
	if allowed {
		for i := range windows {
			windows[i].left--
		}
	}
	reported := slices.MinFunc(windows, func(a, b window) int { // of equal windows, the first (shorter) one
		if a.left == 0 && b.left == 0 {
			return cmp.Compare(b.reset, a.reset)
		}
		return cmp.Compare(a.left, b.left)
	})
	return fmt.Sprintf("%t, %d left of %d, reset in %.0f s", allowed, reported.left, reported.limit, reported.reset.Seconds())
}

// check makes a request and compares the decision with the expected decision.
func (s *schedule) check() {
	s.t.Helper()
	want := s.expect()
	d, h := s.ask()
	if got := fmt.Sprintf("%t, %s left of %s, reset in %s s", d.Allowed, h.Get("RateLimit-Remaining"),
		h.Get("RateLimit-Limit"), h.Get("RateLimit-Reset")); got != want {
		s.t.Fatalf("%s of %v at %s, after %v: got  %s\nwant %s", s.client, s.policy, s.wall.Format(time.RFC3339Nano),
			s.counted, got, want)
	}
}

// TestSchedules compares every decision with a simple count of the requests in each window, while the clock
// advances or leaps ahead.
func TestSchedules(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, store Store) {
		for seed := range *schedules {
			s := newSchedule(t, store, seed)
			for range 40 {
				s.wall = s.wall.Add(s.pause())
				s.check()
			}
		}
	})
}

// TestSchedulesOverRestarts checks that a restart loses only counts in windows of minutes. It is not
// parallel: a process that another test forks shares the lock on the file until it executes another program.
func TestSchedulesOverRestarts(t *testing.T) {
	for seed := range *schedules / 4 {
		file := filepath.Join(t.TempDir(), "ratelimit.state")
		synctest.Test(t, func(t *testing.T) {
			s := newSchedule(t, nil, seed)
			for range 10 {
				m, err := NewMemory(file, nil, slog.New(slog.DiscardHandler))
				if err != nil {
					t.Fatal(err)
				}
				s.limiter, s.lost = NewLimiter(m, s.policy, policies[0], nil), len(s.counted)
				for range 1 + s.IntN(6) {
					time.Sleep(min(s.pause(), time.Hour)) // a longer time would simulate too many saves
					s.wall = time.Now()
					s.check()
				}
				if err := m.Close(); err != nil {
					t.Fatal(err)
				}
				time.Sleep(s.pause())
				s.wall = time.Now() // the base of the next pause
			}
		})
	}
}

// TestClocksThatAreSetBack checks three rules. A window begins when the clock first reaches it. Until its
// span has passed, at most its limit is counted in it, even if the clock is changed. A client that waits for
// the reported time is allowed.
func TestClocksThatAreSetBack(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, store Store) {
		for seed := range *schedules {
			s := newSchedule(t, store, seed)
			s.furthest = make([]furthest, len(s.policy))
			if m, ok := store.(*Memory); ok {
				m.opened = time.Now() // for each schedule, because a time.Duration overflows after 292 years
			}
			for range 40 {
				s.pass(s.pause().Truncate(time.Second))
				if s.IntN(6) == 0 {
					s.wall = s.wall.Add(pick(s, []time.Duration{-time.Millisecond, -time.Second, -time.Minute, -time.Hour,
						-24 * time.Hour, -400 * 24 * time.Hour, time.Hour, 366 * 24 * time.Hour}))
				}
				if d := s.askInFurthest(); !d.Allowed && s.IntN(8) == 0 {
					s.pass(d.Reset)
					if again := s.askInFurthest(); !again.Allowed {
						t.Fatalf("%s of %v: refused after the reported wait of %v", s.client, s.policy, d.Reset)
					}
				}
			}
		}
	})
}

// A furthest is the latest window that the clock has reached.
type furthest struct {
	start time.Time     // beginning on the wall clock
	begun time.Duration // beginning on the monotonic clock
	n     int           // number of requests counted since then
}

// askInFurthest makes a request, and checks that no more requests are counted than allowed.
func (s *schedule) askInFurthest() Decision {
	s.t.Helper()
	const slack = 5 * time.Second // maximum duration of the test itself
	d, _ := s.ask()
	for i, w := range s.policy {
		f := &s.furthest[i]
		if start := s.wall.Truncate(w.Span); start.After(f.start) {
			*f = furthest{start, s.real, 0}
		}
		if d.Allowed {
			f.n++
		}
		if f.n > w.Limit && s.real-f.begun < w.Span-slack {
			s.t.Fatalf("%s of %v at %s: %d counted since the window of %s began %v ago", s.client, s.policy, s.wall, f.n,
				f.start, s.real-f.begun)
		}
	}
	return d
}

// pass advances both clocks.
func (s *schedule) pass(d time.Duration) {
	s.wall, s.real = s.wall.Add(d), s.real+d
	pass(s.t, s.store, "account:"+s.client, s.policy, d)
}

// TestConcurrentRequests checks that parallel requests are counted until the budget is exhausted, and that all
// counted requests report different numbers of remaining requests.
func TestConcurrentRequests(t *testing.T) {
	t.Parallel()
	eachStore(t, func(t *testing.T, store Store) {
		l := NewLimiter(store, Policy{{50, time.Minute}, {1000, 24 * time.Hour}}, nil, nil)
		var mu sync.Mutex
		var group sync.WaitGroup
		left := map[int]int{}
		for range 8 {
			group.Go(func() {
				for range 10 {
					d, err := l.Account(t.Context(), "a", noon)
					mu.Lock()
					if left[d.remaining]++; err != nil || !d.Allowed && d.remaining > 0 {
						t.Errorf("%+v, %v", d, err)
					}
					mu.Unlock()
				}
			})
		}
		group.Wait()
		if len(left) != 50 || left[0] != 31 { // reported by the last counted and by 30 refused requests
			t.Errorf("how often each number of remaining requests was reported: %v", left)
		}
	})
}

// FuzzState checks that with any state file, a server starts, stays within its limits and counts correctly.
func FuzzState(f *testing.F) {
	today := time.Now().Unix() / 86400 * 86400
	whole := fmt.Sprintf(
		`{"%032x":[{"span":86400,"start":%d,"n":7},{"span":3600,"start":%d,"n":1}],"account:a":[{"span":86400,"start":%[2]d,"n":999}]}`, 1, today, today+86400)
	for _, text := range []string{whole, whole[:len(whole)/2], "", "{}", `{"account:a":null}`, `{"account:a":[{}]}`,
		`{"account:a":[{"span":9223372036854775807,"start":9223372036854775807,"n":9223372036854775807}]}`} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, content []byte) {
		m, err := NewMemory("", secret, nil)
		if err != nil {
			t.Fatal(err)
		}
		now := time.Now()
		if m.clients, _ = parseState(content, secret, now); len(m.clients) > maxClients {
			t.Fatalf("%d clients", len(m.clients))
		}
		before, _, err := m.Take(t.Context(), "account:a", account, now, 0)
		if err != nil {
			t.Fatal(err)
		}
		after, counted, err := m.Take(t.Context(), "account:a", account, now, 1)
		if err != nil || counted != (before.N[0] < 60 && before.N[1] < 1000) || counted && after.N[1] != before.N[1]+1 ||
			after.N[1] < 0 {
			t.Errorf("%v, then %v: counted %t, %v", before, after, counted, err)
		}
		if b, err := json.Marshal(m.changed(now)); err != nil || len(b) > maxStateSize {
			t.Errorf("the counters cannot be saved: %d bytes, %v", len(b), err)
		}
	})
}
