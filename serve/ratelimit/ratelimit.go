package ratelimit

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Window is a limit on the number of requests in a span of time. Windows are fixed: they begin at multiples
// of their span since the Unix epoch, so a minute is a minute of the clock and a day is a day in UTC. Around
// the boundary between two windows, a client can use the limits of both.
type Window struct {
	Limit int           // at least 1
	Span  time.Duration // a positive multiple of one second
}

func (w Window) seconds() int64 { return int64(w.Span / time.Second) }

// start returns the beginning of the window that contains now, in seconds since the Unix epoch.
func (w Window) start(now time.Time) int64 { return now.Unix() / w.seconds() * w.seconds() }

// untilReset returns the time until the window that contains at ends, rounded up to seconds. at is a Count's
// time: the window may begin after now. If it begins later than one span after now, the clock was set back,
// and the result is the span.
func (w Window) untilReset(at, now time.Time) time.Duration {
	ahead := time.Duration(w.start(at)-now.Unix()) * time.Second // rounded up, because now's fraction is ignored
	if ahead > w.Span {
		return w.Span
	}
	return ahead + w.Span
}

// A Policy contains the windows of a budget, in the order of its counters. All spans differ, and all limits
// differ, because equal limits would make the RateLimit-Policy field ambiguous
// (draft-ietf-httpapi-ratelimit-headers-06).
type Policy []Window

// CheckConflict returns an error if p and the other policy have windows with the same limit, because a
// response with both would have an ambiguous RateLimit-Policy field.
func (p Policy) CheckConflict(other Policy) error {
	for _, w := range p {
		if slices.ContainsFunc(other, func(o Window) bool { return o.Limit == w.Limit }) {
			return fmt.Errorf("rate limits %q and %q: two windows with the limit %d make RateLimit-Policy ambiguous", p,
				other, w.Limit)
		}
	}
	return nil
}

// ParsePolicy parses a policy such as "60/1m,1000/24h", and sorts the shortest window first.
func ParsePolicy(text string) (Policy, error) {
	var p Policy
	for part := range strings.SplitSeq(text, ",") {
		number, span, ok := strings.Cut(strings.TrimSpace(part), "/")
		limit, err := strconv.Atoi(number)
		if !ok || err != nil || limit < 1 {
			return nil, fmt.Errorf("rate limit %q: invalid limit %q, expected requests per time such as 60/1m", text, part)
		}
		length, err := time.ParseDuration(span)
		if err != nil || length < time.Second || length%time.Second != 0 {
			return nil, fmt.Errorf("rate limit %q: invalid time %q, expected whole seconds such as 1m or 24h", text, span)
		}
		for _, other := range p {
			if other.Limit == limit {
				return nil, fmt.Errorf("rate limit %q: two windows with the limit %d make RateLimit-Policy ambiguous", text,
					limit)
			}
			if other.Span == length {
				return nil, fmt.Errorf("rate limit %q: two windows of %s", text, span)
			}
		}
		p = append(p, Window{limit, length})
	}
	slices.SortFunc(p, compareSpans)
	return p, nil
}

func compareSpans(a, b Window) int { return cmp.Compare(a.Span, b.Span) }

// String returns the value of the RateLimit-Policy field, shortest window first: "60;w=60, 1000;w=86400".
func (p Policy) String() string {
	var windows []string
	for _, w := range slices.SortedStableFunc(slices.Values(p), compareSpans) {
		windows = append(windows, fmt.Sprintf("%d;w=%d", w.Limit, w.seconds()))
	}
	return strings.Join(windows, ", ")
}

// Count contains the number of a client's requests in each of its current windows.
type Count struct {
	N []int // number of requests in each window of the policy
	// At is a time that all windows contain: the time of the request or, if the client has already begun a later
	// window, the beginning of that window.
	At time.Time
}

// A Store counts requests by clients.
type Store interface {
	// Take atomically counts n requests, 1 or 0, in every window of the policy, or in no window if one is
	// exhausted. With 0, it only reads. It returns the new counts and whether a request was counted. If the
	// store is unavailable, it returns an error and no counts. A client's windows never move back: a request
	// that is late, or that was made after the clock was set back, is counted in the current windows until
	// their span is over.
	Take(ctx context.Context, client string, p Policy, now time.Time, n int) (c Count, counted bool, err error)
	// Close releases the resources of the store, and saves the counters if the store is persistent.
	Close() error
}

// A Decision is the result for a request, with the values for the RateLimit header fields.
type Decision struct {
	Allowed bool
	// Reset is the time until the reported window or, for a refused request, all exhausted windows reset.
	Reset     time.Duration
	policy    string // value of the RateLimit-Policy field
	limit     int    // limit of the reported window
	remaining int    // number of requests left in this window
	account   Count  // counts of the account's budget; only in decisions of AccountAndExports
}

// Header sets the RateLimit fields and, for a refused request, Retry-After.
func (d *Decision) Header(h http.Header) {
	values := [...]string{d.policy, strconv.Itoa(d.limit), strconv.Itoa(d.remaining),
		strconv.Itoa(int(d.Reset / time.Second))}
	h["Ratelimit-Policy"] = values[0:1:1]
	h["Ratelimit-Limit"] = values[1:2:2]
	h["Ratelimit-Remaining"] = values[2:3:3]
	h["Ratelimit-Reset"] = values[3:4:4]
	if !d.Allowed {
		h["Retry-After"] = values[3:4:4]
	}
}

// A Limiter decides whether to accept requests from accounts and from clients without an account.
type Limiter struct {
	store           Store
	account, public budget
	export          Policy // windows for an account's exports
	exporting       budget // windows of the account, followed by the windows for its exports
}

// A budget is a policy with its String.
type budget struct {
	Policy
	field string
}

// NewLimiter returns a limiter that uses store. The budgets for accounts and exports must not conflict.
func NewLimiter(store Store, account, public, export Policy) *Limiter {
	exporting := slices.Concat(account, export)
	return &Limiter{
		store: store, account: budget{account, account.String()}, public: budget{public, public.String()},
		export: export, exporting: budget{exporting, exporting.String()},
	}
}

// Account counts a request from an account. It returns an error if the store is unavailable.
func (l *Limiter) Account(ctx context.Context, account string, now time.Time) (Decision, error) {
	return l.take(ctx, "account:"+account, &l.account, now)
}

// Public counts a request from an address (IPv4, or an IPv6 /64). It returns the same errors as Account.
func (l *Limiter) Public(ctx context.Context, client string, now time.Time) (Decision, error) {
	return l.take(ctx, "address:"+client, &l.public, now)
}

func (l *Limiter) take(ctx context.Context, client string, b *budget, now time.Time) (Decision, error) {
	count, counted, err := l.store.Take(ctx, client, b.Policy, now, 1)
	return b.decide(counted, now, count), err
}

// AccountAndExports counts a request from an account that may turn out to be an export, and reads the account's
// remaining exports, because the fields report both budgets. It returns the same errors as Account.
func (l *Limiter) AccountAndExports(ctx context.Context, account string, now time.Time) (Decision, error) {
	count, counted, err := l.store.Take(ctx, "account:"+account, l.account.Policy, now, 1)
	var exports Count
	if err == nil {
		exports, _, err = l.store.Take(ctx, "export:"+account, l.export, now, 0)
	}
	if err != nil {
		return l.exporting.decide(false, now), err
	}
	d := l.exporting.decide(counted, now, count, exports)
	d.account = count
	return d, nil
}

// Export counts an account's export. asked is AccountAndExports's decision. It returns the same errors as Account.
func (l *Limiter) Export(ctx context.Context, account string, asked *Decision, now time.Time) (Decision, error) {
	exports, counted, err := l.store.Take(ctx, "export:"+account, l.export, now, 1)
	if err != nil {
		return l.exporting.decide(false, now), err
	}
	return l.exporting.decide(counted, now, asked.account, exports), nil
}

// Full returns a decision with the full public budget, for responses that are not counted.
func (l *Limiter) Full(now time.Time) Decision {
	return l.public.decide(true, now, Count{make([]int, len(l.public.Policy)), now})
}

// probePolicy limits probes to one write per second.
var probePolicy = Policy{{1, time.Second}}

// Probe returns an error if the store is unavailable. It does not charge any client's budget.
func (l *Limiter) Probe(ctx context.Context, now time.Time) error {
	_, _, err := l.store.Take(ctx, "probe", probePolicy, now, 1)
	return err
}

// Refusing reports whether requests are refused without calling the store, after too many failures.
func (l *Limiter) Refusing() bool {
	r, shared := l.store.(*Redis)
	return shared && r.Refusing()
}

// Hash returns the name of an account in the store or, if account is "", the name of an address. For a store
// from another package, it returns the same name for all clients.
func (l *Limiter) Hash(account, address string) [len(name{})]byte {
	client := "account:" + account
	if account == "" {
		client = "address:" + address
	}
	switch store := l.store.(type) {
	case *Memory:
		return store.secret.name(client)
	case *Redis:
		return store.secret.name(client)
	}
	return name{}
}

// Fingerprint returns a fingerprint of a shared store's secret, and "" for other stores.
func (l *Limiter) Fingerprint() string {
	r, shared := l.store.(*Redis)
	if !shared {
		return ""
	}
	return r.secret.fingerprint()
}

// Close closes the store.
func (l *Limiter) Close() error { return l.store.Close() }

// decide returns a decision that reports the window with the fewest remaining requests. If several windows
// have equally few, it reports the shortest window or, if they are exhausted, the window that resets last, so
// that RateLimit-Reset and Retry-After agree. counts contains the counts for all windows, in the order of the
// policy. It contains none while the store is unavailable. Then nothing remains, and the client can retry
// after a second.
func (b *budget) decide(allowed bool, now time.Time, counts ...Count) Decision {
	d := Decision{Allowed: allowed, policy: b.field, limit: b.Policy[0].Limit, Reset: time.Second}
	i, span := 0, time.Duration(0) // index of the next window, and span of the reported window
	for _, count := range counts {
		for _, n := range count.N {
			w := b.Policy[i]
			remaining, reset := max(0, w.Limit-n), w.untilReset(count.At, now)
			tied := remaining == d.remaining && (remaining == 0 && reset > d.Reset || remaining > 0 && w.Span < span)
			if i == 0 || remaining < d.remaining || tied {
				span, d.limit, d.remaining, d.Reset = w.Span, w.Limit, remaining, reset
			}
			i++
		}
	}
	return d
}
