package serve

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"
)

// An outage follows whether the rate-limit store answers, and logs one line when it goes away and one when it is back.
type outage struct {
	log  *slog.Logger
	away atomic.Bool // all that a request looks at while the store answers

	mu     sync.Mutex
	since  time.Time
	last   time.Time // failure
	reason string
}

// quietAfterFailure is how long no request may have failed before the store counts as back: one that answers some of
// the requests and not others is away, and not back and away by turns.
const quietAfterFailure = time.Second

// failed notes that the store has not answered.
func (o *outage) failed(err error, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = now
	if o.away.Load() {
		return
	}
	o.since, o.reason = now, err.Error()
	o.away.Store(true)
	o.log.Warn("the rate-limit store does not answer; requests are refused with 503 until it does", "error", err)
}

// answered notes that the store has answered.
func (o *outage) answered(now time.Time) {
	if !o.away.Load() {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if !o.away.Load() || now.Sub(o.last) < quietAfterFailure {
		return
	}
	o.away.Store(false)
	o.log.Info("the rate-limit store answers again", "away_seconds", now.Sub(o.since).Seconds())
}

// state returns since when and why the store is away.
func (o *outage) state() (away bool, since time.Time, reason string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.away.Load(), o.since, o.reason
}
