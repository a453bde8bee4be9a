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

// A Window is a number of requests per span of time. Windows are fixed: they begin at whole multiples of
// their span since the Unix epoch, so a minute is a minute of the clock and a day is a day in UTC, and a
// client may use the limit of two neighbouring windows around their border.
type Window struct {
	Limit int           // at least 1
	Span  time.Duration // whole seconds
}

func (w Window) seconds() int64 { return int64(w.Span / time.Second) }

// start returns the beginning of the window that now lies in, in seconds since the Unix epoch.
func (w Window) start(now time.Time) int64 { return now.Unix() / w.seconds() * w.seconds() }

// remains returns how long the window that at lies in still lasts, in whole seconds rounded up. It may lie
// ahead of now. When more than its span does, the clock was set back since, and it is over once it has lasted
// its span.
func (w Window) remains(at, now time.Time) time.Duration {
	ahead := time.Duration(w.start(at)-now.Unix()) * time.Second // now's part of a second is rounded up
	if ahead > w.Span {
		return w.Span
	}
	return ahead + w.Span
}

// A Policy is the windows of one budget, shortest first. No two have the same limit, which would make an
// ambiguous RateLimit-Policy field (draft-ietf-httpapi-ratelimit-headers-06), and no two the same span.
type Policy []Window

// Beside returns an error when a response cannot show p and another budget together: when both have a window
// of the same limit, which would make an ambiguous RateLimit-Policy field.
func (p Policy) Beside(other Policy) error {
	for _, w := range p {
		if slices.ContainsFunc(other, func(o Window) bool { return o.Limit == w.Limit }) {
			return fmt.Errorf("rate limits %q and %q: two windows with the number %d make an ambiguous RateLimit-Policy", p,
				other, w.Limit)
		}
	}
	return nil
}

// ParsePolicy reads a policy such as "60/1m,1000/24h".
func ParsePolicy(text string) (Policy, error) {
	var p Policy
	for part := range strings.SplitSeq(text, ",") {
		number, span, ok := strings.Cut(strings.TrimSpace(part), "/")
		limit, err := strconv.Atoi(number)
		if !ok || err != nil || limit < 1 {
			return nil, fmt.Errorf("rate limit %q: %q is not a number of requests per time, such as 60/1m", text, part)
		}
		length, err := time.ParseDuration(span)
		if err != nil || length < time.Second || length%time.Second != 0 {
			return nil, fmt.Errorf("rate limit %q: %q is not a time of whole seconds, such as 1m or 24h", text, span)
		}
		for _, other := range p {
			if other.Limit == limit {
				return nil, fmt.Errorf("rate limit %q: two windows with the number %d make an ambiguous RateLimit-Policy", text,
					limit)
			}
			if other.Span == length {
				return nil, fmt.Errorf("rate limit %q: two windows of %s", text, span)
			}
		}
		p = append(p, Window{limit, length})
	}
	slices.SortFunc(p, func(a, b Window) int { return cmp.Compare(a.Span, b.Span) })
	return p, nil
}

// String returns the policy as the RateLimit-Policy field has it: "60;w=60, 1000;w=86400".
func (p Policy) String() string {
	var windows []string
	for _, w := range p {
		windows = append(windows, fmt.Sprintf("%d;w=%d", w.Limit, w.seconds()))
	}
	return strings.Join(windows, ", ")
}

// Count is how many requests a client has made in its present windows.
type Count struct {
	N []int // per window of its policy
	// lies in the windows: the time of the request or, when that lies before a window that the client has begun,
	// the beginning of this one
	At time.Time
}

// A Store counts requests of clients.
type Store interface {
	// Take counts n requests, 1 or 0, in every window of the policy, or in none when a window is exhausted, in
	// one step. It returns the counts after it and whether one was counted. The error says that the store is
	// away, and comes without counts. A client's windows never go back: a request from before them, which came
	// late or after the clock was set back, counts in them, until they have lasted their span.
	Take(ctx context.Context, client string, p Policy, now time.Time, n int) (c Count, counted bool, err error)
	// Close gives up what the store holds and keeps what it promised to keep.
	Close() error
}

// A Decision is what a limiter says of one request, and what the header fields of its response say.
type Decision struct {
	Allowed bool
	// until the window resets that the fields speak of; when refused, until every exhausted one has
	Reset     time.Duration
	policy    string // the value of RateLimit-Policy
	limit     int    // of the window
	remaining int    // in it, after this request
	account   Count  // of a request that may turn out to be an export: what the account's budget has counted
}

// Header sets the RateLimit fields and, when the request is refused, Retry-After.
func (d *Decision) Header(h http.Header) {
	reset := strconv.FormatInt(int64(d.Reset/time.Second), 10)
	h["Ratelimit-Policy"] = []string{d.policy}
	h["Ratelimit-Limit"] = []string{strconv.Itoa(d.limit)}
	h["Ratelimit-Remaining"] = []string{strconv.Itoa(d.remaining)}
	h["Ratelimit-Reset"] = []string{reset}
	if !d.Allowed {
		h["Retry-After"] = []string{reset}
	}
}

// A Limiter decides for accounts and for clients without one.
type Limiter struct {
	store           Store
	account, public budget
	export          Policy
	exporting       budget // the account's windows and those of exports
}

// A budget is a policy and the RateLimit-Policy field of it.
type budget struct {
	Policy
	field string
}

// NewLimiter returns a limiter that counts in store. Accounts have a second budget, of exports, which can
// stand beside the first.
func NewLimiter(store Store, account, public, export Policy) *Limiter {
	both := slices.Concat(account, export)
	shown := slices.Clone(both)
	slices.SortStableFunc(shown, func(a, b Window) int { return cmp.Compare(a.Span, b.Span) })
	return &Limiter{
		store: store, account: budget{account, account.String()}, public: budget{public, public.String()},
		export: export, exporting: budget{both, shown.String()},
	}
}

// Account counts a request of an account. The error says that the store is away, and so do the fields then.
func (l *Limiter) Account(ctx context.Context, account string, now time.Time) (Decision, error) {
	return l.take(ctx, "account:"+account, &l.account, now)
}

// Public counts a request of an address (an IPv4 address, an IPv6 /64). The error is that of Account.
func (l *Limiter) Public(ctx context.Context, client string, now time.Time) (Decision, error) {
	return l.take(ctx, "address:"+client, &l.public, now)
}

func (l *Limiter) take(ctx context.Context, client string, b *budget, now time.Time) (Decision, error) {
	count, counted, err := l.store.Take(ctx, client, b.Policy, now, 1)
	return b.decide(counted, now, count), err
}

// AskExport counts a request of an account that may turn out to be an export, and looks at how many exports
// the account has left: the fields speak of both budgets. The error is that of Account.
func (l *Limiter) AskExport(ctx context.Context, account string, now time.Time) (Decision, error) {
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

// Export counts an export of an account, of which asked is what AskExport said. The error is that of Account.
func (l *Limiter) Export(ctx context.Context, account string, asked *Decision, now time.Time) (Decision, error) {
	exports, counted, err := l.store.Take(ctx, "export:"+account, l.export, now, 1)
	if err != nil {
		return l.exporting.decide(false, now), err
	}
	return l.exporting.decide(counted, now, asked.account, exports), nil
}

// Full is the untouched public budget, for responses that are not counted. It never asks the store.
func (l *Limiter) Full(now time.Time) Decision {
	return l.public.decide(true, now, Count{make([]int, len(l.public.Policy)), now})
}

// probePolicy lets a probe write once a second.
var probePolicy = Policy{{1, time.Second}}

// Probe returns an error when the store is away. It costs nobody's budget.
func (l *Limiter) Probe(ctx context.Context, now time.Time) error {
	_, _, err := l.store.Take(ctx, "probe", probePolicy, now, 1)
	return err
}

// Refusing reports whether requests are refused without asking the store, for it has failed too often.
func (l *Limiter) Refusing() bool {
	r, shared := l.store.(*Redis)
	return shared && r.Refusing()
}

// Hash returns the name that the counters of an account are kept under, or those of an address when the account
// is "". Another store than this package's has one name for all.
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

// Fingerprint tells the secrets of servers apart that share a store; "" when the store is not shared.
func (l *Limiter) Fingerprint() string {
	r, shared := l.store.(*Redis)
	if !shared {
		return ""
	}
	return r.secret.fingerprint()
}

// Close closes the store.
func (l *Limiter) Close() error { return l.store.Close() }

// decide picks the window that the fields speak of: the one with the least remaining; on a tie the shorter
// one, but of several exhausted ones the one that resets last, so that RateLimit-Reset and Retry-After name
// the same moment. The counts are those of its windows, one after the other. While the store is away there
// are none: then nothing is left, and the next try is worth it in a second.
func (b *budget) decide(allowed bool, now time.Time, counts ...Count) Decision {
	d := Decision{Allowed: allowed, policy: b.field, limit: b.Policy[0].Limit, Reset: time.Second}
	i, span := 0, time.Duration(0) // of the window that the fields speak of
	for _, count := range counts {
		for _, n := range count.N {
			w := b.Policy[i]
			remaining, reset := max(0, w.Limit-n), w.remains(count.At, now)
			tied := remaining == d.remaining && (remaining == 0 && reset > d.Reset || remaining > 0 && w.Span < span)
			if i == 0 || remaining < d.remaining || tied {
				span, d.limit, d.remaining, d.Reset = w.Span, w.Limit, remaining, reset
			}
			i++
		}
	}
	return d
}
