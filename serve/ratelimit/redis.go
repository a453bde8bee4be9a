package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// storeTimeout is how long a request waits for the shared store.
const storeTimeout = 250 * time.Millisecond

// errUnavailable says that the shared store did not answer in time, or not as it should.
var errUnavailable = errors.New("the rate-limit store does not answer")

// takeScript counts in all windows or in none, and sets the end of the client's counters together with them, so none
// lives for ever. KEYS[1] is a hash that has, for each window, the beginning of the one that was begun last, the count in
// it, and when Redis saw it begin: "span:start", "span:n" and "span:begun". ARGV are the time of the request in seconds,
// 1 to count or 0 to look alone, then span and limit of each window. It returns 1 or 0 for counted, the time that was
// counted at, then the counts. A window that lies ahead, begun by a clock that was wrong, is over once it has lasted its
// span.
var takeScript = redis.NewScript(`
local now, starts, counts, begun, counted, left = tonumber(ARGV[1]), {}, {}, {}, tonumber(ARGV[2]), 0
local at, clock = now, tonumber(redis.call('TIME')[1])
for i = 3, #ARGV, 2 do
  local known = redis.call('HMGET', KEYS[1], ARGV[i] .. ':start', ARGV[i] .. ':n', ARGV[i] .. ':begun')
  local start, n, seen = tonumber(known[1] or '0'), tonumber(known[2] or '0'), tonumber(known[3] or clock)
  if start > now and clock - seen >= tonumber(ARGV[i]) then start, n = 0, 0 end
  table.insert(starts, start)
  table.insert(counts, n)
  table.insert(begun, seen)
  at = math.max(at, start)
end
for i = 1, #counts do
  local span = tonumber(ARGV[2*i+1])
  local start = at - at % span
  if starts[i] < start then starts[i], counts[i], begun[i] = start, 0, clock end
  if counts[i] >= tonumber(ARGV[2*i+2]) then counted = 0 end
  left = math.max(left, math.min(start + span - now, span))
end
if counted == 1 then
  for i = 1, #counts do
    counts[i] = counts[i] + 1
    redis.call('HSET', KEYS[1], ARGV[2*i+1] .. ':start', starts[i], ARGV[2*i+1] .. ':n', counts[i], ARGV[2*i+1] .. ':begun', begun[i])
  end
  redis.call('EXPIRE', KEYS[1], left + 60)
end
return {counted, at, unpack(counts)}`)

// Redis is a store in Redis or Valkey, shared by all servers that use the same one. Each client is a key
// "sabine:client".
type Redis struct{ client *redis.Client }

// NewRedis returns a store at an address such as redis://host:6379/0. It connects when it is first asked, takes one
// round trip a request and gives up after 250 ms.
func NewRedis(address string) (*Redis, error) {
	redis.SetLogger(silent{})
	o, err := redis.ParseURL(address)
	if err != nil { // neither the address nor what url.Parse says of it is repeated: a password may stand in it
		if fault := (*url.Error)(nil); errors.As(err, &fault) {
			err = errors.New("it is no URL")
		}
		return nil, fmt.Errorf("rate-limit store: expected an address such as redis://host:6379/0: %w", err)
	}
	o.ContextTimeoutEnabled = true
	o.DialTimeout = storeTimeout
	o.DialerRetries = 1
	o.PoolTimeout = storeTimeout
	o.MaxRetries = -1 // a second try would count twice
	o.DisableIdentity = true
	o.MaintNotificationsConfig = &maintnotifications.Config{Mode: maintnotifications.ModeDisabled}
	return &Redis{redis.NewClient(o)}, nil
}

// Take counts one request. Counters outlive their windows by a minute, for servers whose clocks differ a little: the one
// that is behind counts in the windows that the others have begun.
func (r *Redis) Take(ctx context.Context, client string, p Policy, now time.Time) (Count, bool, error) {
	return r.run(ctx, client, p, now, 1)
}

// Look returns the counts as they are.
func (r *Redis) Look(ctx context.Context, client string, p Policy, now time.Time) (Count, error) {
	count, _, err := r.run(ctx, client, p, now, 0)
	return count, err
}

// run runs the script, to count one request or none.
func (r *Redis) run(ctx context.Context, client string, p Policy, now time.Time, requests int) (Count, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	args := make([]any, 2, 2+2*len(p))
	args[0], args[1] = now.Unix(), requests
	for _, w := range p {
		args = append(args, w.seconds(), w.Limit)
	}
	reply, err := takeScript.Run(ctx, r.client, []string{"sabine:" + client}, args...).Int64Slice()
	if err != nil {
		return Count{}, false, fmt.Errorf("%w: %w", errUnavailable, err)
	}
	if len(reply) != 2+len(p) {
		return Count{}, false, fmt.Errorf("%w: it answered %d numbers for %d windows", errUnavailable, len(reply), len(p))
	}
	count := Count{N: make([]int, len(p)), At: latest(now, reply[1])}
	for i := range count.N {
		count.N[i] = int(reply[2+i])
	}
	return count, reply[0] == 1, nil
}

// silent keeps the library from writing to standard error what Take's error says as well.
type silent struct{}

// Printf writes nothing.
func (silent) Printf(context.Context, string, ...any) {}

// Close ends the connections.
func (r *Redis) Close() error { return r.client.Close() }
