package ratelimit

import (
	"context"
	"errors"
	"net/http"
	"time"
)

// ErrUnavailable: the shared store did not answer in time.
var ErrUnavailable = errors.New("the rate-limit store does not answer")

// A Window is a number of requests per span of time.
type Window struct {
	Limit int
	Span  time.Duration
}

// A Policy is the windows of one budget, shortest first. No two have the same limit or the same span.
type Policy []Window

// ParsePolicy reads a policy such as "60/1m,1000/24h".
func ParsePolicy(text string) (Policy, error) { panic("unwritten") }

// String returns the policy as the RateLimit-Policy field has it: "60;w=60, 1000;w=86400".
func (p Policy) String() string { panic("unwritten") }

// Count is how many requests a client has made in the present window, per window of its policy.
type Count []int

// A Store counts. Take counts one request unless a window is exhausted, in one step for all windows, and returns the
// counts after it and whether it was counted.
type Store interface {
	Take(ctx context.Context, client string, p Policy, now time.Time) (c Count, counted bool, err error)
	Close() error
}

// A Decision is what a limiter says of one request.
type Decision struct {
	Allowed          bool
	Policy           Policy
	Limit, Remaining int           // of the window that the headers speak of
	Reset            time.Duration // until it resets; whole seconds, rounded up
	RetryAfter       time.Duration // when refused: until every exhausted window has reset, at least a second
}

// Header sets the RateLimit fields and, when refused, Retry-After.
func (d *Decision) Header(h http.Header) { panic("unwritten") }

// A Limiter decides for accounts and for clients without one.
type Limiter struct{ unexported int }

// NewLimiter returns a limiter that counts in store.
func NewLimiter(store Store, account, public Policy) *Limiter { panic("unwritten") }

// Account counts a request of an account.
func (l *Limiter) Account(ctx context.Context, account string) (Decision, error) { panic("unwritten") }

// Public counts a request of an address (an IPv4 address, an IPv6 /64).
func (l *Limiter) Public(ctx context.Context, client string) (Decision, error) { panic("unwritten") }

// Full is the untouched public budget, for responses that are not counted. It never asks the store.
func (l *Limiter) Full() Decision { panic("unwritten") }

// Unavailable is what the headers say of a budget (the account's or the public one) while the store is away.
func (l *Limiter) Unavailable(account bool) Decision { panic("unwritten") }

// NewMemory returns a store in process memory, bounded whatever the number of clients. When file is not "", the
// counters are read from it, written to it every few seconds, and at Close.
func NewMemory(file string) (Store, error) { panic("unwritten") }

// NewRedis returns a store in Redis or Valkey at an address such as redis://host:6379/0. It connects when it is first
// asked; one round trip a request, ErrUnavailable after 250 ms.
func NewRedis(address string) (Store, error) { panic("unwritten") }
