package ratelimit

import (
	"context"
	"fmt"
	"net"
	"sync/atomic"
	"time"

	"github.com/gomodule/redigo/redis"

	"sabine/serve/statefile"
)

// sentinelInterval is how often the sentinels are asked whether they have replaced the primary. A new
// connection asks, too.
const sentinelInterval = time.Second

// sentinels report the address of the primary.
type sentinels struct {
	address *address
	primary atomic.Pointer[string] // the first that it connected to; nil until then
}

func (s *sentinels) dial(ctx context.Context) (redis.Conn, error) {
	at, err := s.find(ctx)
	if err != nil {
		return nil, err
	}
	s.primary.CompareAndSwap(nil, &at)
	return s.address.dialer(at)(ctx)
}

// find asks all sentinels at once and returns the first address. It does not wait for one that hangs.
func (s *sentinels) find(ctx context.Context) (primary string, err error) {
	ctx, cancel := context.WithTimeout(ctx, s.address.timeout)
	defer cancel()
	return first(ctx, s.address.hosts, s.ask)
}

// ask asks one sentinel for the address of the primary.
func (s *sentinels) ask(ctx context.Context, sentinel string) (string, error) {
	conn, err := s.address.connect(ctx, sentinel, s.address.sentinelUser)
	if err != nil {
		return "", err
	}
	defer func() { _ = conn.Close() }() // it was only read
	found, err := redis.Strings(redis.DoContext(conn, ctx, "SENTINEL", "GET-MASTER-ADDR-BY-NAME", s.address.primary))
	if err == nil && len(found) != 2 {
		err = fmt.Errorf("invalid reply: %d fields, expected host and port", len(found))
	}
	if err != nil {
		return "", fmt.Errorf("sentinel %s: %w", sentinel, err)
	}
	return net.JoinHostPort(found[0], found[1]), nil
}

// watch calls replaced and returns when the sentinels name another primary. One that they can't reach may
// still be there.
func (s *sentinels) watch(ctx context.Context, replaced func()) {
	for range statefile.Ticks(ctx, sentinelInterval) {
		primary := s.primary.Load()
		if primary == nil {
			continue
		}
		if at, err := s.find(ctx); err == nil && at != *primary {
			replaced()
			return
		}
	}
}
