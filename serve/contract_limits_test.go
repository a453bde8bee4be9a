package serve_test

import (
	"context"
	"errors"
	"fmt"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/tidwall/gjson"

	"sabine/serve/ratelimit"
)

// budgets sets small limits: three requests for an account, four for an address. The windows, aligned to UTC,
// end in the years 2049 and 2072.
var budgets = settings{
	account: ratelimit.Policy{{Limit: 3, Span: 700_000 * time.Hour}, {Limit: 5, Span: 900_000 * time.Hour}},
	public:  ratelimit.Policy{{Limit: 4, Span: 700_000 * time.Hour}},
	proxies: []netip.Prefix{localhost, netip.MustParsePrefix("10.0.0.0/8")},
}

// budget formats the budget of a response: the status, the remaining requests and the limit.
func budget(a *answer) string {
	return fmt.Sprintf("%d: %s of %s", a.status, a.header.Get("RateLimit-Remaining"), a.header.Get("RateLimit-Limit"))
}

// TestWhatCounts uses an account with three requests and an address with four. The cases are independent. The
// judge checks that the RateLimit fields are consistent.
func TestWhatCounts(t *testing.T) {
	t.Parallel()
	type step struct {
		method, path, key string // key is the name of a key, or ""
		want              string
		fields            []string
	}
	const search, one, public = "/v1/materials/search", "/v1/materials/panel-2", "/public/search"
	unmodified := []string{"If-None-Match", "*"}
	tests := []struct {
		rule  string
		steps []step
	}{
		{"each request of an account costs one, of any kind", []step{
			{"GET", search, goodKey, "200: 2 of 3", nil}, {"GET", "/v1/materials?ids=panel-2,panel-10,klangkugel", goodKey,
				"200: 1 of 3", nil},
			{"HEAD", one, goodKey, "200: 0 of 3", nil}, {"GET", one, goodKey, "429: 0 of 3", nil},
			{"GET", search + "?page=x", goodKey, "429: 0 of 3", nil},
		}},
		{"400, 404 and 304 count", []step{
			{"GET", search + "?page=x", goodKey, "400: 2 of 3", nil}, {"GET", "/v1/materials/gibt-es-nicht", goodKey,
				"404: 1 of 3", nil},
			{"GET", one, goodKey, "304: 0 of 3", unmodified}, {"HEAD", one, goodKey, "429: 0 of 3", nil},
		}},
		{"the keys of an account share its budget", []step{
			{"GET", one, goodKey, "200: 2 of 3", nil}, {"GET", one, secondKey, "200: 1 of 3", nil},
			{"GET", one, goodKey, "200: 0 of 3", nil}, {"GET", one, secondKey, "429: 0 of 3", nil},
		}},
		{"accounts have separate budgets, independent of the address", []step{
			{"GET", one, goodKey, "200: 2 of 3", nil}, {"GET", one, otherKey, "200: 2 of 3", nil},
			{"GET", one, goodKey, "200: 1 of 3", nil},
		}},
		{"the public endpoints count the address, not the key", []step{
			{"GET", public, goodKey, "200: 3 of 4", nil}, {"GET", "/public/compare-products?id=panel-2", "", "200: 2 of 4",
				nil}, {"GET", public + "?page=x", "", "400: 1 of 4", nil},
			{"GET", public, "", "304: 0 of 4", unmodified}, {"GET", public, "", "429: 0 of 4", nil},
			{"GET", one, goodKey, "200: 2 of 3", nil},
		}},
		{"unknown paths, wrong methods, preflight and descriptions do not count", []step{
			{"GET", public, "", "200: 3 of 4", nil}, {"GET", "/nowhere", "", "404: 4 of 4", nil},
			{"POST", public, "", "405: 4 of 4", nil}, {"OPTIONS", search, "", "204: 4 of 4", nil},
			{"GET", "/v1/openapi.json", "", "200: 4 of 4", nil}, {"POST", one, goodKey, "405: 4 of 4", nil},
			{"GET", public, "", "200: 2 of 4", nil}, {"GET", one, goodKey, "200: 2 of 3", nil},
		}},
		{"401 and 403 count against the address, under the public policy", []step{
			{"GET", one, "", "401: 3 of 4", nil}, {"GET", one, pausedKey, "403: 2 of 4", nil},
			{"GET", public, "", "200: 1 of 4", nil}, {"GET", one, "unknown", "401: 0 of 4", nil},
			{"GET", one, "unknown", "429: 0 of 4", nil}, {"GET", one, pausedKey, "429: 0 of 4", nil},
			{"GET", public, "", "429: 0 of 4", nil}, {"GET", one, goodKey, "200: 2 of 3", nil},
		}},
		{"an uncounted response still shows the full budget when it is spent", []step{
			{"GET", public, "", "200: 3 of 4", nil}, {"GET", public, "", "200: 2 of 4", nil}, {"GET", public, "", "200: 1 of 4",
				nil},
			{"GET", public, "", "200: 0 of 4", nil}, {"GET", public, "", "429: 0 of 4", nil},
			{"GET", "/v1/openapi.json", "", "200: 4 of 4", nil},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			s := newSite(t, budgets)
			for n, step := range tt.steps {
				fields := step.fields
				if step.key != "" {
					fields = append(s.as(step.key), fields...)
				}
				if got := budget(s.ask(t, step.method, s.base+step.path, fields...)); got != step.want {
					t.Errorf("request %d, %s %s: got %s, want %s", n+1, step.method, step.path, got, step.want)
				}
			}
		})
	}
}

// TestAddressesAreCountedApart checks the budgets of addresses. http_client_test.go tests how they are read.
func TestAddressesAreCountedApart(t *testing.T) {
	t.Parallel()
	s := newSite(t, budgets)
	for _, ask := range []struct{ forwarded, want string }{
		{"198.51.100.1", "200: 3 of 4"},
		{"203.0.113.9, 198.51.100.1, 10.1.1.1", "200: 2 of 4"}, // addresses further to the left can be forged
		{"198.51.100.2", "200: 3 of 4"},
		{"2001:db8:0:1::1", "200: 3 of 4"},
		{"2001:db8:0:1:ffff::2", "200: 2 of 4"}, // in the same /64
		{"2001:db8:0:2::1", "200: 3 of 4"},
		{"::ffff:198.51.100.2", "200: 2 of 4"}, // an IPv4 address in another form
	} {
		if got := budget(s.open(t, "/public/search", "X-Forwarded-For", ask.forwarded)); got != ask.want {
			t.Errorf("%s: got %s, want %s", ask.forwarded, got, ask.want)
		}
	}
	direct := budgets
	direct.proxies = nil
	s = newSite(t, direct)
	for n, want := range []string{"200: 3 of 4", "200: 2 of 4"} {
		if got := budget(s.open(t, "/public/search", "X-Forwarded-For", fmt.Sprintf("198.51.100.%d", n))); got != want {
			t.Errorf("an untrusted client chose its address: got %s, want %s", got, want)
		}
	}
}

// A brokenStore never responds.
type brokenStore struct{}

func (brokenStore) Take(context.Context, string, ratelimit.Policy, time.Time, int) (ratelimit.Count, bool, error) {
	return ratelimit.Count{}, false, errors.New("the store is away")
}
func (brokenStore) Close() error { return nil }

// TestWhileRequestsCannotBeCounted checks that the status is 503, except that an invalid key is refused as
// invalid and uncounted requests succeed.
func TestWhileRequestsCannotBeCounted(t *testing.T) {
	t.Parallel()
	broken := budgets
	broken.store = brokenStore{}
	s := newSite(t, broken)
	for _, tt := range []struct{ path, key, want string }{
		{"/v1/materials/search?page=x", goodKey, "503: 0 of 3"}, {"/public/search", "", "503: 0 of 4"},
		{"/v1/materials/search", "", "401: 4 of 4"},
		{"/v1/materials/search", "revoked", "403: 4 of 4"}, {"/v1/openapi.json", "", "200: 4 of 4"},
		{"/nowhere", "", "404: 4 of 4"},
	} {
		a := s.open(t, tt.path, s.as(tt.key)...)
		if budget(a) != tt.want || a.status == 503 && a.code() != "rate_limit_unavailable" {
			t.Errorf("%s: got %s %s, want %s", tt.path, budget(a), a.body, tt.want)
		}
	}
}

// A log collects the log lines of a server.
type log struct {
	mu   sync.Mutex
	text strings.Builder
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

// TestTheLog checks that each request has one line with its id and operation, and without the client's data.
func TestTheLog(t *testing.T) {
	t.Parallel()
	var lines log
	s := newSite(t, settings{log: &lines})
	name, err := s.folder.Current()
	if err != nil {
		t.Fatal(err)
	}
	asked := map[string]string{} // required content of the line for each request
	for _, ask := range []struct {
		method, path, key string
		status            int
		route, client     string
	}{
		{"GET", "/v1/materials/search?q=secret+text", goodKey, 200, "searchMaterials", "account"},
		{"GET", "/v1/materials/secret-slug", goodKey, 404, "getMaterial", "account"},
		{"HEAD", "/public/search?q=secret+text", "", 200, "searchProducts", "address"},
		{"GET", "/v1/materials/secret-slug?q=secret-text", "secret", 401, "getMaterial", "address"},
		{"GET", "/secret", "", 404, "none", "address"},
	} {
		fields := []string{"User-Agent", "secret"}
		if ask.key != "" {
			fields = append(fields, s.as(ask.key)...)
		}
		a := s.ask(t, ask.method, s.base+ask.path, fields...)
		asked[a.header.Get("X-Request-Id")] = fmt.Sprintf("request %s %s %d %d %s %q", ask.method, ask.route, ask.status,
			a.sent, ask.client, name[:16])
		if a.status != ask.status {
			t.Errorf("%s: got %d", ask.path, a.status)
		}
	}
	if err := s.end(); err != nil {
		t.Fatal(err)
	}
	text := lines.text.String()
	if strings.Contains(text, "secret") || strings.Contains(text, s.keys[goodKey][4:]) {
		t.Errorf("the log repeats what clients sent:\n%s", text)
	}
	for line := range strings.Lines(text) { // one line for each request, because ids are unique
		get := func(name string) gjson.Result { return gjson.Get(line, name) }
		id := get("request_id").String()
		want, ok := asked[id]
		if !ok {
			continue // the line belongs to a request of the judge, or to no request
		}
		delete(asked, id)
		got := fmt.Sprintf("%s %s %s %d %d %s %q", get("msg"), get("method"), get("route"), get("status").Int(),
			get("bytes").Int(), get("client"), get("generation").String())
		if got != want || !get("duration_ms").Exists() || get("duration_ms").Float() < 0 {
			t.Errorf("got  %s\nwant %s\nin %s", got, want, line)
		}
	}
	if len(asked) > 0 {
		t.Errorf("requests without a line: %v", asked)
	}
}
