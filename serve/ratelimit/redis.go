package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"time"

	"github.com/redis/go-redis/v9"
	"github.com/redis/go-redis/v9/maintnotifications"
)

// storeTimeout is how long a request waits for the shared store.
const storeTimeout = 250 * time.Millisecond

// takeScript counts in all windows or in none, and sets each counter's end together with its first count, so none
// lives for ever. KEYS are the counters; ARGV are, for each, the limit and the seconds after which it may go.
// It returns 1 or 0 for counted, then the counts.
var takeScript = redis.NewScript(`
local counts, counted = {}, 1
for i, key in ipairs(KEYS) do
  counts[i] = tonumber(redis.call('GET', key) or '0')
  if counts[i] >= tonumber(ARGV[2*i-1]) then counted = 0 end
end
if counted == 1 then
  for i, key in ipairs(KEYS) do
    counts[i] = redis.call('INCR', key)
    redis.call('EXPIRE', key, ARGV[2*i])
  end
end
table.insert(counts, 1, counted)
return counts`)

// Redis is a store in Redis or Valkey, shared by all servers that use the same one. Each window of each client is a
// key "sabine:{client}:span:start"; the braces keep a client's windows on one node of a cluster.
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

// Take counts one request. Counters outlive their window by a minute, for servers whose clocks differ a little.
func (r *Redis) Take(ctx context.Context, client string, p Policy, now time.Time) (Count, bool, error) {
	ctx, cancel := context.WithTimeout(ctx, storeTimeout)
	defer cancel()
	keys, args := make([]string, len(p)), make([]any, 0, 2*len(p))
	for i, w := range p {
		span, start := int64(w.Span/time.Second), w.start(now)
		keys[i] = "sabine:{" + client + "}:" + strconv.FormatInt(span, 10) + ":" + strconv.FormatInt(start, 10)
		args = append(args, w.Limit, int64(w.remains(now)/time.Second)+60)
	}
	reply, err := takeScript.Run(ctx, r.client, keys, args...).Int64Slice()
	if err != nil {
		return nil, false, fmt.Errorf("%w: %w", ErrUnavailable, err)
	}
	if len(reply) != len(p)+1 {
		return nil, false, fmt.Errorf("%w: it answered %d numbers for %d windows", ErrUnavailable, len(reply), len(p))
	}
	count := make(Count, len(p))
	for i := range count {
		count[i] = int(reply[i+1])
	}
	return count, reply[0] == 1, nil
}

// silent keeps the library from writing to standard error what Take's error says as well.
type silent struct{}

// Printf writes nothing.
func (silent) Printf(context.Context, string, ...any) {}

// Close ends the connections.
func (r *Redis) Close() error { return r.client.Close() }
