package ratelimit

import (
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"
	"github.com/sony/gobreaker/v2"
)

// storeTimeout is the time limit of a request to the shared store.
const storeTimeout = 250 * time.Millisecond

// errUnavailable is returned if the shared store does not reply in time, or replies with an error.
var errUnavailable = errors.New("the rate-limit store does not respond")

// takeScript counts a request in all windows or in none. KEYS[1] is a hash with three fields for each window:
// the start of the latest window, its count, and Redis's time at its start ("span:start", "span:n" and
// "span:begun"). ARGV contains the time of the request in seconds, then 1 to count or 0 only to read, then
// the span and limit of each window. It returns 1 if the request was counted and otherwise 0, then the time
// for Count.At, then the counts.
//
// Every new window sets the expiry of the client's counters, so that all counters expire. A window in the
// future, which was begun when a clock was wrong, ends after the duration of its span.
const takeScript = `
local now, counted, left = tonumber(ARGV[1]), tonumber(ARGV[2]), 0
local fields, starts, counts, changed, clock = {}, {}, {}, {}, nil
local function time()
  clock = clock or tonumber(redis.call('TIME')[1])
  return clock
end
for i = 3, #ARGV, 2 do
  local n = #fields
  fields[n+1], fields[n+2], fields[n+3] = ARGV[i] .. ':start', ARGV[i] .. ':n', ARGV[i] .. ':begun'
end
local known, at = redis.call('HMGET', KEYS[1], unpack(fields)), now
for i = 1, #fields / 3 do
  local start, n, begun = tonumber(known[3*i-2] or '-1'), tonumber(known[3*i-1] or '0'), known[3*i]
  if start > now and time() - tonumber(begun or clock) >= tonumber(ARGV[2*i+1]) then start, n = -1, 0 end
  starts[i], counts[i], at = start, n, math.max(at, start)
end
for i = 1, #counts do
  local span = tonumber(ARGV[2*i+1])
  local start = at - at % span
  if starts[i] < start then
    local n = #changed
    counts[i], changed[n+1], changed[n+2], changed[n+3], changed[n+4] = 0, fields[3*i-2], start, fields[3*i], time()
  end
  if counts[i] >= tonumber(ARGV[2*i+2]) then counted = 0 end
  left = math.max(left, math.min(start + span - now, span))
end
if counted == 1 then
  local begins, n = #changed > 0, #changed
  for i = 1, #counts do
    counts[i] = counts[i] + 1
    changed[n+2*i-1], changed[n+2*i] = fields[3*i-1], counts[i]
  end
  redis.call('HSET', KEYS[1], unpack(changed))
  if begins then redis.call('EXPIRE', KEYS[1], left + 60) end
end
return {counted, at, unpack(counts)}`

// takeHash identifies the script to servers that have already run it.
var takeHash = redis.NewScript(1, takeScript).Hash()

// Redis is a store in Redis or Valkey that several servers can share. The key of a client is "sabine:"
// followed by its hashed name.
//
// The breaker opens after several consecutive failures. Requests are then refused immediately, except for a
// trial from time to time. Each trial uses a new connection, because the old connections may be dead without
// an error, and the cluster or the sentinels may have changed the primaries.
type Redis struct {
	address *address
	secret  *Secret
	breaker *gobreaker.CircuitBreaker[[]int64] // its results are the script's replies

	ctx     context.Context // ends when the store is closed
	end     context.CancelFunc
	cluster atomic.Pointer[cluster] // servers in use; never nil
}

const (
	maxFailures   = 5 // number of consecutive failures after which the breaker opens
	trialInterval = 500 * time.Millisecond
)

// NewRedis returns a store at an address such as redis://host:6379/0. The error for an invalid address lists
// the valid forms. The store connects on first use, needs one round trip for each request and times out after
// 250 ms.
func NewRedis(address string, secret *Secret) (*Redis, error) {
	a, err := parseAddress(address)
	if err != nil {
		return nil, fmt.Errorf("rate-limit store: %w", err)
	}
	r := &Redis{address: a, secret: secret}
	r.ctx, r.end = context.WithCancel(context.Background())
	r.connect()
	r.breaker = gobreaker.NewCircuitBreaker[[]int64](gobreaker.Settings{
		Timeout:     trialInterval,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= maxFailures },
		// A request that its client canceled is neither a success nor a failure of the store.
		IsExcluded: func(err error) bool { return err != nil && !errors.Is(err, errUnavailable) },
		OnStateChange: func(_ string, _, to gobreaker.State) {
			if to == gobreaker.StateHalfOpen {
				r.connect()
			}
		},
	})
	return r, nil
}

// connect replaces the cluster. The old cluster ends when no request can be waiting for it.
func (r *Redis) connect() {
	if old := r.cluster.Swap(newCluster(r.ctx, r.address)); old != nil {
		time.AfterFunc(r.address.timeout, old.end)
	}
}

// Refusing reports whether the breaker is open or waits for the result of a trial.
func (r *Redis) Refusing() bool { return r.breaker.State() != gobreaker.StateClosed }

// Take counts n requests, 1 or 0. Counters expire a minute after their windows, because the clocks of servers
// can differ: a server whose clock is slow counts in the windows that other servers have begun.
func (r *Redis) Take(ctx context.Context, client string, p Policy, now time.Time, n int) (Count, bool, error) {
	reply, err := r.breaker.Execute(func() ([]int64, error) { return r.ask(ctx, client, p, now, n) })
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		err = fmt.Errorf("%w: the next attempt is within %v", errUnavailable, trialInterval)
	}
	if err != nil {
		return Count{}, false, err
	}
	count := Count{N: make([]int, len(p)), At: latest(now, reply[1])}
	for i := range count.N {
		count.N[i] = int(reply[2+i])
	}
	return count, reply[0] == 1, nil
}

// ask returns the script's reply. If the caller's context has ended, the error is the context's error;
// otherwise it wraps errUnavailable.
func (r *Redis) ask(caller context.Context, client string, p Policy, now time.Time, n int) ([]int64, error) {
	ctx, cancel := context.WithTimeout(caller, r.address.timeout)
	defer cancel()
	key, to := r.key(client), r.cluster.Load()
	args := append(make([]any, 0, 5+2*len(p)), takeHash, 1, key, now.Unix(), n)
	for _, w := range p {
		args = append(args, w.seconds(), w.Limit)
	}
	reply, err := redis.Int64s(to.do(newCall(ctx, key, "EVALSHA", args...)))
	if isReply(err, "NOSCRIPT ") {
		args[0] = takeScript
		reply, err = redis.Int64s(to.do(newCall(ctx, key, "EVAL", args...)))
	}
	if err == nil && len(reply) != 2+len(p) {
		err = fmt.Errorf("invalid reply: %d numbers for %d windows", len(reply), len(p))
	}
	if err != nil && caller.Err() != nil {
		return nil, caller.Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: %w", errUnavailable, err)
	}
	return reply, nil
}

func (r *Redis) key(client string) string {
	id := r.secret.name(client)
	return string(hex.AppendEncode([]byte("sabine:"), id[:]))
}

// Close ends the connections.
func (r *Redis) Close() error {
	r.end()
	return nil
}
