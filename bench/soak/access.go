package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/tidwall/gjson"

	"sabine/bench/trial"
)

// Every account has budget requests in each span of time.
const (
	budget = 200
	span   = 10 * time.Second
)

// createKeys makes accounts: so many that all that is asked spends no more than half of the budget of any.
func (s *soak) createKeys(ctx context.Context, rate int) (err error) {
	for i := range 2*rate*int(span/time.Second)/budget + 1 {
		key, err := s.createKey(ctx, fmt.Sprint("load-", i))
		if err != nil {
			return err
		}
		s.accounts = append(s.accounts, key)
	}
	s.spender, err = s.createKey(ctx, "spender")
	return err
}

func (s *soak) createKey(ctx context.Context, account string) (string, error) {
	out, err := trial.Run(ctx, nil, s.sabine, "keys", "create", "--account", account, "--keys", s.keys)
	return strings.TrimSpace(out), err
}

// account returns the key of one of them, each in turn.
func (s *soak) account() string { return s.accounts[s.turn.Add(1)%int64(len(s.accounts))] }

// verdictTime is how long a change of the key file may take until it has effect.
const verdictTime = time.Second

// createdKeys is how many keys a run makes and revokes at most: a key file keeps those that were revoked.
const createdKeys = 50

// changeKeys pauses and resumes a key, and now and then creates and revokes one: each change has effect
// within a second.
func (s *soak) changeKeys(ctx context.Context, t *site) error {
	lasting, id, err := s.changedKey(ctx, "paused")
	if err != nil {
		return err
	}
	for n := 0; ctx.Err() == nil; n++ {
		key, id, steps := lasting, id, [][2]string{{"pause", "token_paused"}, {"resume", ""}}
		if n%5 == 4 && n/5 < createdKeys {
			if key, id, err = s.changedKey(ctx, "revoked"); err != nil {
				return err
			}
			s.awaitVerdict(t, key, "", "keys created")
			steps = [][2]string{{"revoke", "token_revoked"}}
		}
		for _, step := range steps {
			if _, err := trial.Run(context.WithoutCancel(ctx), nil, s.sabine, "keys", step[0], id, "--keys",
				s.keys); err != nil {
				return err
			}
			s.awaitVerdict(t, key, step[1], "keys "+step[0]+"d")
			pause(ctx, time.Second)
		}
	}
	return nil
}

// changedKey makes a key whose state is to change, and returns its id too: it is the last in the file, since
// nobody else makes one.
func (s *soak) changedKey(ctx context.Context, account string) (key, id string, err error) {
	if key, err = s.createKey(context.WithoutCancel(ctx), account); err != nil {
		return "", "", err
	}
	b, err := os.ReadFile(s.keys)
	return key, gjson.GetBytes(b, "keys.@reverse.0.id").String(), err
}

// awaitVerdict asks with a key until it is answered with a code, "" for an answer, and notes when that takes
// too long.
func (s *soak) awaitVerdict(t *site, key, code, what string) {
	q, changed := trial.Question{Path: "/api/v1/materials/search?limit=1", Keyed: true}, time.Now()
	for {
		after := time.Since(changed)
		a, err := trial.Ask(context.Background(), t.Address, &q, key, "")
		switch {
		case err != nil:
			s.tally.fault(failed, "%s: %v", what, err)
			return
		case a.Code() == code:
			s.tally.happened(what, after)
			return
		case after > verdictTime:
			s.tally.fault(careless, "%s: %v later the answer is %v", what, after, a)
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// spend has an account spend its budget in one span of two: it gets exactly that.
func (s *soak) spend(ctx context.Context, t *site) error {
	const askers, more, margin = 4, budget / 5, span / 20
	q := trial.Question{Path: "/api/v1/materials/search?limit=1", Keyed: true}
	for {
		began := time.Now().Truncate(span).Add(span + margin)
		pause(ctx, time.Until(began))
		if ctx.Err() != nil {
			return nil
		}
		var got, refused atomic.Int64
		var asking sync.WaitGroup
		for range askers {
			asking.Go(func() {
				for range (budget + more) / askers {
					a, err := trial.Ask(context.WithoutCancel(ctx), t.Address, &q, s.spender, "")
					switch {
					case err != nil:
						s.tally.fault(failed, "a request of who spends a budget: %v", err)
					case a.Status == http.StatusOK:
						got.Add(1)
					case a.Status == http.StatusTooManyRequests && a.Code() == "rate_limit_exceeded":
						refused.Add(1)
					default:
						s.tally.fault(failed, "a request of who spends a budget: %v", a)
					}
				}
			})
		}
		asking.Wait()
		if time.Since(began) > span-2*margin {
			continue // what was asked last may have fallen into the next span
		}
		if got.Load() != budget || refused.Load() != more {
			s.tally.fault(careless, "a budget of %d requests let %d through and refused %d", budget, got.Load(), refused.Load())
		}
		s.tally.happened("budgets spent", 0)
		pause(ctx, span)
	}
}
