package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"net"
	goruntime "runtime"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/gomodule/redigo/redis"
)

func TestServersThatShareAStoreShareTheCounters(t *testing.T) {
	r := startRedis(t)
	a, b := r.open(t), r.open(t)
	policy := Policy{{3, time.Minute}}
	for i, s := range []Store{a, b, a, b} {
		c, counted, err := s.Take(context.Background(), "account:a", policy, noon, 1)
		if err != nil {
			t.Fatal(err)
		}
		if want := min(i+1, 3); c.N[0] != want || counted != (i < 3) {
			t.Errorf("request %d: got count %d and counted %t", i+1, c.N[0], counted)
		}
	}
}

func TestRequestsAreRefusedImmediatelyUntilTheStoreIsBack(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		rule    string
		options []string
	}{{"plain", nil}, {"by TLS, with a password", tlsOptions(t)}} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			r := startRedis(t, tt.options...)
			store := r.open(t)
			store.wait(time.Second)
			ask := func() error {
				_, _, err := store.Take(context.Background(), "account:a", account, time.Now(), 1)
				return err
			}
			atOnce := func(n int) (errs []error) { // sends n parallel requests
				var asking sync.WaitGroup
				errs = make([]error, n)
				for i := range errs {
					asking.Go(func() { errs[i] = ask() })
				}
				asking.Wait()
				return errs
			}
			const connections = 3 * maxFailures // most of these are dead without an error when the store is back
			if err := errors.Join(atOnce(connections)...); err != nil {
				t.Fatal(err)
			}
			for _, outage := range []struct {
				rule       string
				begin, end func()
			}{
				{"paused", func() { r.signal(t, syscall.SIGSTOP) }, func() { r.signal(t, syscall.SIGCONT) }},
				{"killed", r.kill, func() { r.start(t) }},
			} {
				outage.begin()
				for _, err := range atOnce(maxFailures) {
					if !errors.Is(err, errUnavailable) {
						t.Errorf("%s: got %v", outage.rule, err)
					}
				}
				if !store.Refusing() {
					t.Errorf("%s: requests still wait for the store", outage.rule)
				}
				outage.end()
				eventually(t, "the store is used again", func() bool {
					err := ask()
					if err != nil && !strings.Contains(err.Error(), "the next attempt is within") {
						t.Errorf("a trial after it was %s: %v", outage.rule, err)
					}
					return err == nil
				})
				if err := errors.Join(atOnce(connections)...); err != nil || store.Refusing() {
					t.Errorf("after it was %s: %v", outage.rule, err)
				}
			}
		})
	}
}

// A heldConn does not return the data that it has read while the lock is held.
type heldConn struct {
	net.Conn
	held *sync.RWMutex
}

func (c heldConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.held.RLock()
	defer c.held.RUnlock()
	return n, err
}

// TestNoRequestWaitsForTheReplyToAnother checks that a slow store is treated as available.
func TestNoRequestWaitsForTheReplyToAnother(t *testing.T) {
	t.Parallel()
	r := startRedis(t)
	store, answers := r.open(t), new(sync.RWMutex)
	store.address.netDial = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := new(net.Dialer).DialContext(ctx, network, address)
		return heldConn{c, answers}, err
	}
	store.connect()
	take(t, store, "account:a", account, noon)
	client, asking := r.client(t), sync.WaitGroup{}
	answers.Lock()
	for _, want := range []string{"2", "3"} {
		asking.Go(func() {
			if _, _, err := store.Take(context.Background(), "account:a", account, noon, 1); err != nil {
				t.Error(err)
			}
		})
		eventually(t, "the request is counted", func() bool {
			return client.text("HGET", store.key("account:a"), "60:n") == want
		})
	}
	answers.Unlock()
	asking.Wait()
}

func TestACanceledRequestIsNotAFailureOfTheStore(t *testing.T) {
	t.Parallel()
	store := startRedis(t).open(t)
	gone, leave := context.WithCancel(context.Background())
	leave()
	for range 2 * maxFailures {
		if _, _, err := store.Take(gone, "account:a", account, noon, 1); !errors.Is(err, context.Canceled) {
			t.Errorf("got %v", err)
		}
	}
	if store.Refusing() {
		t.Error("requests are refused")
	}
}

func TestAllCountersExpire(t *testing.T) {
	store := startRedis(t).open(t)
	const century = 900_000 * time.Hour // its current window began at the Unix epoch
	for _, tt := range []struct {
		rule        string
		policy      Policy
		least, most time.Duration
	}{
		{"a minute that begins later does not end the day", account, 11 * time.Hour, 12*time.Hour + time.Minute},
		{"a window that began at 0", Policy{{5, century}}, century / 4, century},
	} {
		take(t, store, tt.rule, tt.policy, noon)
		take(t, store, tt.rule, tt.policy, noon.Add(time.Minute))
		seconds, err := redis.Int(store.do("TTL", store.key(tt.rule)))
		if left := time.Duration(seconds) * time.Second; err != nil || left < tt.least || left > tt.most {
			t.Errorf("%s: it expires after %v, %v, want %v to %v", tt.rule, left, err, tt.least, tt.most)
		}
	}
	if keys, err := redis.Strings(store.do("KEYS", "*")); err != nil || len(keys) != 2 {
		t.Errorf("got keys %v, %v", keys, err)
	}
}

func TestAStoreThatIsMissingAtStartIsUnavailable(t *testing.T) {
	store, err := NewRedis("redis://127.0.0.1:1/0", secret)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = store.Close() }()
	if _, _, err := store.Take(context.Background(), "account:a", account, noon, 1); !errors.Is(err, errUnavailable) {
		t.Errorf("got %v", err)
	}
}

func ExampleNewRedis() {
	store, err := NewRedis("redis://127.0.0.1:6379/0", secret) // connects on first use
	if err != nil {
		panic(err)
	}
	fmt.Println(store.Close())
	// Output: <nil>
}

// BenchmarkTake counts 32 parallel requests of one account.
func BenchmarkTake(b *testing.B) {
	memory, err := NewMemory("", secret, nil)
	if err != nil {
		b.Fatal(err)
	}
	for _, tt := range []struct {
		name  string
		store func(*testing.B) Store
	}{{"memory", func(*testing.B) Store {
		return memory
	}}, {"redis", func(b *testing.B) Store { return startRedis(b).open(b) }}} {
		b.Run(tt.name, func(b *testing.B) {
			store := tt.store(b)
			b.ReportAllocs()
			b.SetParallelism(32 / goruntime.GOMAXPROCS(0))
			b.ResetTimer()
			b.RunParallel(func(pb *testing.PB) {
				for pb.Next() {
					if _, _, err := store.Take(context.Background(), "account:a", account, noon, 1); err != nil {
						b.Error(err)
					}
				}
			})
		})
	}
}
