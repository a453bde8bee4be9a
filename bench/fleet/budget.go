package main

import (
	"context"
	"net/http"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
)

// Every account has budget requests in each window, over all servers.
const (
	budget = 100
	window = 20 * time.Second
)

// A spender asks for more than its budget, evenly, in a part of one window: the longer one holds an outage of
// Redis.
const (
	spenderAsks    = 3 * budget
	calmSpending   = 3 * time.Second
	acrossSpending = redisAway + 3*time.Second
)

// A spending is what an account got that asked for more than its budget within one window, of all servers in
// turn.
type spending struct {
	across   string // what became of Redis meanwhile, "": nothing
	statuses map[int]int
}

// got is how many requests were answered.
func (s *spending) got() int {
	n := 0
	for status, count := range s.statuses {
		if status != 0 && status != http.StatusTooManyRequests && status != http.StatusServiceUnavailable {
			n += count
		}
	}
	return n
}

// spend lets an account spend its budget, as soon as it can within one window. A second later Redis goes away
// unless how is nil; it is back before the last request.
func (f *fleet) spend(ctx context.Context, how *fault) error {
	s, takes := spending{statuses: map[int]int{}}, calmSpending
	if how != nil {
		s.across, takes = how.name, acrossSpending
	}
	key := f.spenders[len(f.budgets)]
	const margin = window / 20 // for the last answer, and for timers
	if now := time.Now(); now.Add(takes+margin).Truncate(window) != now.Truncate(window) {
		time.Sleep(time.Until(now.Truncate(window).Add(window + margin)))
	}
	began := time.Now()
	var outage errgroup.Group
	if how != nil {
		outage.Go(func() error {
			time.Sleep(time.Second)
			return f.away(ctx, f.redis, how, redisAway)
		})
	}
	var mu sync.Mutex
	var asking sync.WaitGroup
	for i := range spenderAsks {
		time.Sleep(time.Until(began.Add(takes * time.Duration(i) / spenderAsks)))
		if time.Since(began) > takes {
			break // what is asked later may fall into the next window
		}
		asking.Go(func() {
			status := f.exchange(ctx, i%len(f.servers), 0, key, true)
			mu.Lock()
			defer mu.Unlock()
			s.statuses[status]++
		})
	}
	asking.Wait()
	f.budgets = append(f.budgets, s)
	return outage.Wait()
}
