package serve

import (
	"log/slog"
	"sync"
	"sync/atomic"
	"time"

	"sabine/serve/statefile"
)

// An outage records whether the rate-limit store responds. It logs one line when the store stops responding
// and one when it responds again.
type outage struct {
	log   *slog.Logger
	fault atomic.Pointer[statefile.Fault] // nil while the store responds, so requests need no other check

	mu   sync.Mutex
	last time.Time // time of the last failure
}

// quietAfterFailure is the time without failures after which the store is considered available. A store that
// answers only some of the requests is considered unavailable.
const quietAfterFailure = time.Second

// failed records that the store has not responded.
func (o *outage) failed(err error, now time.Time) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.last = now
	if o.fault.Load() == nil {
		o.fault.Store(&statefile.Fault{Since: now, Reason: err.Error()})
		o.log.Warn("the rate-limit store does not respond; requests are refused with 503 until it does", "error", err)
	}
}

// answered records that the store has responded. now is a time before the store was asked, so that a slow
// response does not end an outage that began in the meantime.
func (o *outage) answered(now time.Time) {
	if o.fault.Load() == nil {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if fault := o.fault.Load(); fault != nil && now.Sub(o.last) >= quietAfterFailure {
		o.fault.Store(nil)
		o.log.Info("the rate-limit store responds again", "away_seconds", now.Sub(fault.Since).Seconds())
	}
}
