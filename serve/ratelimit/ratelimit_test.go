package ratelimit

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
)

func TestParsePolicy(t *testing.T) {
	tests := []struct{ rule, text, want string }{
		{"one window", "120/1m", "120;w=60"},
		{"several windows, shortest first", "1000/24h,60/1m", "60;w=60, 1000;w=86400"},
		{"blanks around windows", " 60/1m , 1000/24h ", "60;w=60, 1000;w=86400"},
		{"the same limit twice is ambiguous", "1000/1m,1000/24h", "error: two windows with the limit 1000"},
		{"the same time twice", "60/1m,70/60s", "error: two windows of 60s"},
		{"no number", "/1m", "error: expected requests per time"},
		{"a limit of 0", "0/1m", "error: expected requests per time"},
		{"a negative limit", "-1/1m", "error: expected requests per time"},
		{"no time", "60", "error: expected requests per time"},
		{"a time without a number", "60/minute", "error: expected whole seconds"},
		{"less than a second", "60/1ms", "error: expected whole seconds"},
		{"a fraction of a second", "60/1500ms", "error: expected whole seconds"},
		{"empty", "", "error: expected requests per time"},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			p, err := ParsePolicy(tt.text)
			if want, isError := strings.CutPrefix(tt.want, "error: "); isError {
				if err == nil || !strings.Contains(err.Error(), want) {
					t.Errorf("ParsePolicy(%q) = %v, %v, want an error with %q", tt.text, p, err, want)
				}
				return
			}
			if err != nil || p.String() != tt.want {
				t.Errorf("ParsePolicy(%q) = %q, %v, want %q", tt.text, p, err, tt.want)
			}
		})
	}
}

func FuzzParsePolicy(f *testing.F) {
	f.Add("60/1m,1000/24h")
	f.Add("9223372036854775808/1m")
	f.Add("1/2540400h")
	f.Fuzz(func(t *testing.T, text string) {
		p, err := ParsePolicy(text)
		if err != nil {
			return
		}
		for _, w := range p {
			if r := w.untilReset(time.Unix(1, 0), time.Unix(1, 0)); w.Limit < 1 || r < time.Second || r > w.Span {
				t.Errorf("ParsePolicy(%q) has the window %v, which remains %v", text, w, r)
			}
		}
	})
}

func TestTheFieldsReportTheWindowWithTheFewestRemaining(t *testing.T) {
	// 20 seconds before the end of the minute, and four hours before the end of the day.
	now := time.Date(2026, 11, 21, 19, 59, 40, 0, time.UTC)
	const minuteEnds, dayEnds = 20, 4*3600 + 20
	windows := Policy{{60, time.Minute}, {1000, 24 * time.Hour}}
	policy := budget{windows, windows.String()}
	tests := []struct {
		rule                    string
		count                   []int
		allowed                 bool
		limit, remaining, reset int
		retry                   int
	}{
		{"the first request", []int{1, 1}, true, 60, 59, minuteEnds, 0},
		{"the day has fewer left", []int{1, 970}, true, 1000, 30, dayEnds, 0},
		{"on a tie, the shorter window", []int{30, 970}, true, 60, 30, minuteEnds, 0},
		{"the last request of the minute", []int{60, 60}, true, 60, 0, minuteEnds, 0},
		{"the minute is exhausted", []int{60, 60}, false, 60, 0, minuteEnds, minuteEnds},
		{"the day is exhausted", []int{3, 1000}, false, 1000, 0, dayEnds, dayEnds},
		{"two exhausted windows: the window that resets last", []int{60, 1000}, false, 1000, 0, dayEnds, dayEnds},
		{"the last request of both windows", []int{60, 1000}, true, 1000, 0, dayEnds, 0},
		{"a limit that was lowered", []int{80, 80}, false, 60, 0, minuteEnds, minuteEnds},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			d := policy.decide(tt.allowed, now, Count{tt.count, now})
			h := http.Header{}
			d.Header(h)
			want := map[string]string{
				"RateLimit-Policy":    "60;w=60, 1000;w=86400",
				"RateLimit-Limit":     fmt.Sprint(tt.limit),
				"RateLimit-Remaining": fmt.Sprint(tt.remaining),
				"RateLimit-Reset":     fmt.Sprint(tt.reset),
				"Retry-After":         "",
			}
			if !tt.allowed {
				want["Retry-After"] = fmt.Sprint(tt.retry)
			}
			for name, value := range want {
				if got := h.Get(name); got != value {
					t.Errorf("%s: got %q, want %q", name, got, value)
				}
			}
		})
	}
}

func TestResetIsWholeSecondsRoundedUp(t *testing.T) {
	minute := Window{60, time.Minute}
	tests := []struct {
		rule string
		at   time.Duration // time since the start of the minute
		want time.Duration
	}{
		{"a window that just began lasts its whole span", 0, time.Minute},
		{"a fraction of a second rounds up", 30*time.Second + time.Nanosecond, 30 * time.Second},
		{"never 0", time.Minute - time.Nanosecond, time.Second},
	}
	for _, tt := range tests {
		now := time.Unix(1_700_000_040, 0).Truncate(time.Minute).Add(tt.at)
		if got := minute.untilReset(now, now); got != tt.want {
			t.Errorf("%s: got %v, want %v", tt.rule, got, tt.want)
		}
	}
}

func TestARefusedRequestIsNotCounted(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		clock := time.Date(2026, 11, 21, 12, 0, 30, 0, time.UTC)
		l := NewLimiter(store, Policy{{2, time.Minute}, {3, 24 * time.Hour}}, Policy{{1, time.Minute}}, nil)
		var got []string
		take := func() {
			d, err := l.Account(context.Background(), "a", clock)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, fmt.Sprintf("%t %d of %d", d.Allowed, d.remaining, d.limit))
		}
		take()
		take()
		take() // refused, because the minute is exhausted; the day has one request left
		clock = clock.Add(time.Minute)
		take()
		take() // refused, because the day is exhausted
		clock = clock.Add(24 * time.Hour)
		take()
		want := "true 1 of 2|true 0 of 2|false 0 of 2|true 0 of 3|false 0 of 3|true 1 of 2"
		if s := strings.Join(got, "|"); s != want {
			t.Errorf("got  %s\nwant %s", s, want)
		}
	})
}

func TestAccountsAndAddressesAreCountedApart(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		l := NewLimiter(store, Policy{{1, time.Minute}}, Policy{{1, time.Minute}}, nil)
		clock := time.Date(2026, 11, 21, 12, 0, 30, 0, time.UTC)
		ctx := context.Background()
		for _, take := range []func() (Decision, error){
			func() (Decision, error) { return l.Account(ctx, "x", clock) },
			func() (Decision, error) { return l.Public(ctx, "x", clock) },
			func() (Decision, error) { return l.Public(ctx, "y", clock) },
		} {
			if d, err := take(); err != nil || !d.Allowed {
				t.Errorf("got %v, %v: a request of another client was counted", d, err)
			}
		}
		if d, _ := l.Public(ctx, "y", clock); d.Allowed {
			t.Error("a second request of the same address was allowed")
		}
	})
}

// TestExportsAreASecondBudget checks that a request that may turn out to be an export only reads the
// account's export budget, and that an export uses this budget.
func TestExportsAreASecondBudget(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		minute, day := Window{6, time.Minute}, Window{9, 24 * time.Hour}
		l := NewLimiter(store, Policy{minute, day}, Policy{{1, time.Minute}}, Policy{{2, time.Hour}})
		clock := time.Date(2026, 11, 21, 12, 0, 30, 0, time.UTC)
		const policy = "6;w=60, 2;w=3600, 9;w=86400"
		var asked Decision
		ask := func() (d Decision, err error) {
			asked, err = l.AccountAndExports(t.Context(), "x", clock)
			return asked, err
		}
		export := func() (Decision, error) { return l.Export(t.Context(), "x", &asked, clock) }
		other := func() (Decision, error) { return l.Account(t.Context(), "x", clock) }
		for n, step := range []struct {
			do    func() (Decision, error)
			later time.Duration
			want  string
		}{
			{ask, 0, "true 2 of 2, 3570s"}, {ask, 0, "true 2 of 2, 3570s"}, {export, 0, "true 1 of 2, 3570s"},
			{other, 0, "true 3 of 6, 30s"},
			{ask, 0, "true 1 of 2, 3570s"}, {export, 0, "true 0 of 2, 3570s"}, {ask, 0, "true 0 of 2, 3570s"},
			{export, 0, "false 0 of 2, 3570s"},
			{ask, 0, "true 0 of 2, 3570s"}, {ask, 0, "false 0 of 2, 3570s"}, {other, 0, "false 0 of 6, 30s"},
			{ask, time.Minute, "true 0 of 2, 3510s"}, {export, 0, "false 0 of 2, 3510s"},
			{ask, time.Hour, "true 1 of 9, 39510s"},
			{export, 0, "true 1 of 2, 3510s"}, {ask, 0, "true 0 of 9, 39510s"}, {export, 0, "true 0 of 9, 39510s"},
			{ask, 0, "false 0 of 9, 39510s"},
		} {
			clock = clock.Add(step.later)
			d, err := step.do()
			if got := fmt.Sprintf("%t %d of %d, %.0fs", d.Allowed, d.remaining, d.limit, d.Reset.Seconds()); err != nil ||
				got != step.want {
				t.Errorf("step %d: got %s, %v, want %s", n+1, got, err, step.want)
			}
			h := http.Header{}
			if d.Header(h); d.Allowed != (h.Get("Retry-After") == "") || !d.Allowed &&
				h.Get("Retry-After") != h.Get("RateLimit-Reset") {
				t.Errorf("step %d: got %v", n+1, h)
			}
			if d.policy != policy && d.policy != "6;w=60, 9;w=86400" {
				t.Errorf("step %d: RateLimit-Policy is %s", n+1, d.policy)
			}
		}
	})
}

func TestReadingCountsNothing(t *testing.T) {
	eachStore(t, func(t *testing.T, store Store) {
		read := func(client string, at time.Time) Count {
			c, _, err := store.Take(t.Context(), client, account, at, 0)
			if err != nil {
				t.Fatal(err)
			}
			return c
		}
		for range 3 {
			if c := read("a", noon); c.N[0] != 0 || c.N[1] != 0 || !c.At.Equal(noon) {
				t.Errorf("before the first request: got %+v", c)
			}
		}
		take(t, store, "a", account, noon)
		for range 3 {
			if c := read("a", noon); c.N[0] != 1 || c.N[1] != 1 {
				t.Errorf("got %+v", c)
			}
		}
		if c := read("a", noon.Add(time.Minute)); c.N[0] != 0 || c.N[1] != 1 {
			t.Errorf("in the next minute: got %+v", c)
		}
		if c := take(t, store, "a", account, noon.Add(time.Minute)); c.N[0] != 1 || c.N[1] != 2 {
			t.Errorf("a request after the reads: got %+v", c)
		}
		if c := read("a", noon.Add(-time.Minute)); c.N[0] != 1 || c.N[1] != 2 || !c.At.Equal(noon.Add(time.Minute)) {
			t.Errorf("a late read: got %+v", c)
		}
	})
}

func TestCheckConflict(t *testing.T) {
	for _, tt := range []struct {
		rule, one, other string
		ambiguous        bool
	}{
		{"different limits", "10/24h", "60/1m,1000/24h", false},
		{"the same limit in both", "1000/1h", "60/1m,1000/24h", true},
		{"the same window in both", "60/1m", "60/1m,1000/24h", true},
	} {
		one, err := ParsePolicy(tt.one)
		other, otherErr := ParsePolicy(tt.other)
		if err := errors.Join(err, otherErr); err != nil {
			t.Fatal(err)
		}
		if err := one.CheckConflict(other); (err != nil) != tt.ambiguous || err != nil &&
			!strings.Contains(err.Error(), "RateLimit-Policy ambiguous") {
			t.Errorf("%s: got %v", tt.rule, err)
		}
	}
}

// eachStore runs a test with every kind of store.
func eachStore(t *testing.T, test func(*testing.T, Store)) {
	t.Run("memory", func(t *testing.T) {
		m, err := NewMemory("", nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		test(t, m)
	})
	t.Run("redis", func(t *testing.T) {
		test(t, startRedis(t).open(t))
	})
}

func TestFull(t *testing.T) {
	l := NewLimiter(noStore{}, Policy{{60, time.Minute}}, Policy{{120, time.Minute}}, nil)
	d := l.Full(time.Now())
	if !d.Allowed || d.remaining != 120 || d.limit != 120 {
		t.Errorf("got %+v", d)
	}
}

func TestAnUnavailableStoreLeavesNothing(t *testing.T) {
	l := NewLimiter(noStore{}, Policy{{60, time.Minute}}, Policy{{120, time.Minute}}, nil)
	d, err := l.Account(context.Background(), "a", time.Now())
	if !errors.Is(err, errUnavailable) {
		t.Fatalf("got %v", err)
	}
	h := http.Header{}
	d.Header(h)
	if h.Get("RateLimit-Limit") != "60" || h.Get("RateLimit-Remaining") != "0" || h.Get("RateLimit-Reset") != "1" ||
		h.Get("Retry-After") != "1" {
		t.Errorf("got %v", h)
	}
}

// noStore is a store that is always unavailable.
type noStore struct{}

func (noStore) Take(context.Context, string, Policy, time.Time, int) (Count, bool, error) {
	return Count{}, false, errUnavailable
}
func (noStore) Close() error { return nil }

func Example() {
	policy, err := ParsePolicy("2/1m")
	if err != nil {
		panic(err)
	}
	store, err := NewMemory("", nil, nil)
	if err != nil {
		panic(err)
	}
	limiter := NewLimiter(store, policy, policy, nil)
	now := time.Date(2026, 11, 21, 12, 0, 45, 0, time.UTC)
	for range 3 {
		d, err := limiter.Public(context.Background(), "192.0.2.1", now)
		if err != nil {
			panic(err)
		}
		h := http.Header{}
		d.Header(h)
		fmt.Printf("%t, %s left, retry after %q\n", d.Allowed, h.Get("RateLimit-Remaining"), h.Get("Retry-After"))
	}
	// Output:
	// true, 1 left, retry after ""
	// true, 0 left, retry after ""
	// false, 0 left, retry after "15"
}
