package serve

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"sabine/serve/statefile"
)

// An outage follows whether the rate-limit store answers, and logs one line when it goes away and one when it
// is back.
type outage struct {
	log   *slog.Logger
	fault atomic.Pointer[statefile.Fault] // nil while the store answers: all that a request looks at then

	mu   sync.Mutex
	last time.Time // failure
}

// quietAfterFailure is how long no request may have failed before the store counts as back: one that answers
// some of the requests and not others is away, and not back and away by turns.
const quietAfterFailure = time.Second

// failed notes that the store has not answered.
func (o *outage) failed(err error, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = now
	if o.fault.Load() == nil {
		o.fault.Store(&statefile.Fault{Since: now, Reason: err.Error()})
		o.log.Warn("the rate-limit store does not answer; requests are refused with 503 until it does", "error", err)
	}
}

// answered notes that the store has answered.
func (o *outage) answered(now time.Time) {
	if o.fault.Load() == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if fault := o.fault.Load(); fault != nil && now.Sub(o.last) >= quietAfterFailure {
		o.fault.Store(nil)
		o.log.Info("the rate-limit store answers again", "away_seconds", now.Sub(fault.Since).Seconds())
	}
}
