package serve_test

import (
	"context"
	"net/netip"
	"strconv"
	"testing"
	"time"

	"sabine/serve/ratelimit"
)

// budgets are small limits: three requests for an account, two for an address. The windows are so long that they do not
// end while a test runs, unless it runs at the very end of one.
var budgets = settings{
	account: ratelimit.Policy{{Limit: 3, Span: 24 * time.Hour}, {Limit: 5, Span: 48 * time.Hour}},
	public:  ratelimit.Policy{{Limit: 2, Span: 24 * time.Hour}},
}

func remaining(a *answer) string { return a.header.Get("RateLimit-Remaining") }

func TestEveryResponseOfACountedPathIsCounted(t *testing.T) {
	w := newSite(t, budgets)
	tag := newSite(t, settings{}).get(t, "/v1/materials/"+panelID).header.Get("ETag")
	for i, ask := range []struct {
		path, condition string
		status          int
	}{
		{"/v1/materials/search?page=x", "", 400},
		{"/v1/materials/gibt-es-nicht", "", 404},
		{"/v1/materials/" + panelID, tag, 304},
		{"/v1/materials/" + panelID, "", 429},
		{"/v1/materials/search?page=x", "", 429},
	} {
		got := w.get(t, ask.path, "If-None-Match", ask.condition)
		if want := strconv.Itoa(max(0, 2-i)); got.status != ask.status || remaining(got) != want {
			t.Errorf("request %d: got %d with %s left, want %d with %s", i+1, got.status, remaining(got), ask.status, want)
		}
		if got.header.Get("RateLimit-Policy") != "3;w=86400, 5;w=172800" || got.header.Get("RateLimit-Limit") != "3" {
			t.Errorf("request %d: got %v", i+1, got.header)
		}
		if ask.status == 429 && (got.json("error").String() != "rate_limit_exceeded" || got.header.Get("Retry-After") != got.header.Get("RateLimit-Reset") || got.header.Get("X-Snapshot") != "") {
			t.Errorf("request %d: got %s with %v", i+1, got.body, got.header)
		}
	}
	if got := w.ask(t, "GET", w.base+"/v1/materials/search", "Authorization", "Bearer "+w.keys[secondKey]); got.status != 429 {
		t.Errorf("another key of the same account: got %d", got.status)
	}
	if got := w.ask(t, "GET", w.base+"/v1/materials/search", "Authorization", "Bearer "+w.keys[otherKey]); got.status != 200 {
		t.Errorf("another account: got %d", got.status)
	}
	if got := w.ask(t, "GET", w.base+"/public/search"); got.status != 200 || remaining(got) != "1" {
		t.Errorf("the address: got %d with %s left", got.status, remaining(got))
	}
}

func TestABatchIsOneRequest(t *testing.T) {
	w := newSite(t, budgets)
	if got := w.get(t, "/v1/materials?ids=reihe-1,reihe-2,reihe-3,reihe-4,reihe-5"); got.status != 200 || remaining(got) != "2" {
		t.Errorf("got %d with %s left", got.status, remaining(got))
	}
}

func TestWhatIsNotCountedShowsTheFullPublicBudget(t *testing.T) {
	w := newSite(t, budgets)
	for range 4 {
		for _, ask := range [][2]string{{"GET", "/api/v1/openapi.json"}, {"GET", "/.well-known/openapi.json"}, {"GET", "/nowhere"}, {"GET", "/api/v1/materials/"}, {"POST", "/api/public/search"}, {"OPTIONS", "/api/v1/materials/search"}} {
			got := w.ask(t, ask[0], ask[1])
			if got.status == 429 || remaining(got) != "2" || got.header.Get("RateLimit-Limit") != "2" || got.header.Get("RateLimit-Policy") != "2;w=86400" {
				t.Errorf("%s %s: got %d with %v", ask[0], ask[1], got.status, got.header)
			}
		}
	}
	if got := w.ask(t, "GET", "/api/public/search"); remaining(got) != "1" {
		t.Errorf("afterwards %s are left", remaining(got))
	}
}

func TestBadKeysCostTheAddress(t *testing.T) {
	w := newSite(t, budgets)
	bad := []string{"Authorization", "Bearer " + w.keys[pausedKey]}
	if got := w.ask(t, "GET", "/api/v1/materials/search"); got.status != 401 || remaining(got) != "1" || got.header.Get("RateLimit-Policy") != "2;w=86400" {
		t.Errorf("the first: got %d with %v", got.status, got.header)
	}
	if got := w.ask(t, "GET", "/api/v1/materials/search", bad...); got.status != 403 || remaining(got) != "0" {
		t.Errorf("the second: got %d with %s left", got.status, remaining(got))
	}
	if got := w.ask(t, "GET", "/api/v1/materials/search", bad...); got.status != 429 || got.header.Get("Retry-After") == "" || got.header.Get("WWW-Authenticate") != "" {
		t.Errorf("the third: got %d with %v", got.status, got.header)
	}
	if got := w.ask(t, "GET", "/api/public/search"); got.status != 429 {
		t.Errorf("public search from the same address: got %d", got.status)
	}
	if got := w.get(t, "/v1/materials/search"); got.status != 200 {
		t.Errorf("a good key from the same address: got %d", got.status)
	}
}

func TestAddressesAreCountedApart(t *testing.T) {
	s := budgets
	s.proxies = []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8"), netip.MustParsePrefix("::1/128"), netip.MustParsePrefix("10.0.0.0/8")}
	w := newSite(t, s)
	for _, ask := range []struct{ forwarded, left string }{
		{"198.51.100.1", "1"},
		{"203.0.113.9, 198.51.100.1, 10.1.1.1", "0"}, // what stands to the left is invented
		{"198.51.100.2", "1"},
		{"2001:db8:0:1::1", "1"},
		{"2001:db8:0:1:ffff::2", "0"}, // the same /64
		{"2001:db8:0:2::1", "1"},
		{"::ffff:198.51.100.2", "0"}, // IPv4 in another form
	} {
		if got := w.ask(t, "GET", "/api/public/search", "X-Forwarded-For", ask.forwarded); got.status != 200 || remaining(got) != ask.left {
			t.Errorf("%s: got %d with %s left, want %s", ask.forwarded, got.status, remaining(got), ask.left)
		}
	}
	direct := newSite(t, budgets)
	direct.ask(t, "GET", "/api/public/search", "X-Forwarded-For", "198.51.100.1")
	if got := direct.ask(t, "GET", "/api/public/search", "X-Forwarded-For", "198.51.100.2"); remaining(got) != "0" {
		t.Errorf("an untrusted peer chose its address: %s left", remaining(got))
	}
}

// A brokenStore never answers.
type brokenStore struct{}

func (brokenStore) Take(context.Context, string, ratelimit.Policy, time.Time) (ratelimit.Count, bool, error) {
	return ratelimit.Count{}, false, ratelimit.ErrUnavailable
}
func (brokenStore) Close() error { return nil }

func TestWhileRequestsCannotBeCounted(t *testing.T) {
	s := budgets
	s.store = brokenStore{}
	w := newSite(t, s)
	for path, limit := range map[string]string{"/v1/materials/search?page=x": "3", "/public/search": "2"} {
		got := w.get(t, path)
		if got.status != 503 || got.json("error").String() != "rate_limit_unavailable" || remaining(got) != "0" || got.header.Get("RateLimit-Limit") != limit ||
			got.header.Get("Retry-After") == "" || got.header.Get("Retry-After") != got.header.Get("RateLimit-Reset") || got.header.Get("X-Snapshot") != "" {
			t.Errorf("%s: got %d %s with %v", path, got.status, got.body, got.header)
		}
	}
	if got := w.ask(t, "GET", "/api/v1/materials/search"); got.status != 401 || got.header.Get("Retry-After") != "" {
		t.Errorf("without a key: got %d with %v", got.status, got.header)
	}
	if got := w.ask(t, "GET", "/api/v1/materials/search", "Authorization", "Bearer "+w.keys[revokedKey]); got.status != 403 {
		t.Errorf("with a revoked key: got %d", got.status)
	}
	for _, path := range []string{"/api/v1/openapi.json", "/nowhere"} {
		if got := w.ask(t, "GET", path); got.status >= 500 {
			t.Errorf("%s: got %d", path, got.status)
		}
	}
}
