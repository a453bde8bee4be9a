package main_test

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Windows that no test sees the end of: aligned to UTC, they last until the year 2049 and 2072.
const (
	longWindow   = "700000h"
	longerWindow = "900000h"
)

// fetch gets an address that is not the API's.
func fetch(t testing.TB, address string) *answer {
	t.Helper()
	resp, err := http.Get(address)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return &answer{resp.StatusCode, resp.Header, string(body), int64(len(body))}
}

// budget writes what a response says of its budget: the status, what remains and of how much.
func budget(a *answer) string {
	return fmt.Sprintf("%d: %s of %s", a.status, a.header.Get("RateLimit-Remaining"), a.header.Get("RateLimit-Limit"))
}

func TestTheDefaultLimits(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	key := createKey(t, dir, "A")
	s := start(t, dir)
	account, address := s.getAs(t, key, "/v1/materials/panel-2"), s.get(t, "/public/search")
	if got := account.header.Get("RateLimit-Policy"); got != "60;w=60, 1000;w=86400" || budget(account) != "200: 59 of 60" {
		t.Errorf("account: %s, %s", got, budget(account))
	}
	if got := address.header.Get("RateLimit-Policy"); got != "120;w=60" || budget(address) != "200: 119 of 120" {
		t.Errorf("address: %s, %s", got, budget(address))
	}
	for _, a := range []*answer{account, address} {
		date, err := http.ParseTime(a.header.Get("Date"))
		if err != nil {
			t.Fatal(err)
		}
		reset, _ := strconv.Atoi(a.header.Get("RateLimit-Reset"))
		if over := (date.Unix() + int64(reset)) % 60; over > 2 { // the response is a little younger than the decision
			t.Errorf("the window ends %d s behind a full minute", over)
		}
	}
}

// TestWhatCounts asks with an account of three requests from an address of four, each case on its own.
func TestWhatCounts(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	with := func(key string, fields ...string) []string { return append([]string{key}, fields...) }
	type step struct {
		method, path string
		fields       []string
		want         string
	}
	var key, second, other, paused string
	paused = createKey(t, dir, "Paused")
	must(t, dir, "keys", "pause", keyID(t, dir))
	tests := []struct {
		rule  string
		steps func() []step
	}{
		{"an account's requests, of whatever kind, cost one each", func() []step {
			return []step{
				{"GET", "/v1/materials/search", with(key), "200: 2 of 3"}, {"GET", "/v1/materials?ids=panel-2,panel-10,klangkugel", with(key), "200: 1 of 3"},
				{"HEAD", "/v1/materials/panel-2", with(key), "200: 0 of 3"}, {"GET", "/v1/materials/panel-2", with(key), "429: 0 of 3"},
			}
		}},
		{"400, 404 and 304 count", func() []step {
			return []step{
				{"GET", "/v1/materials/search?page=x", with(key), "400: 2 of 3"}, {"GET", "/v1/materials/gibt-es-nicht", with(key), "404: 1 of 3"},
				{"GET", "/v1/materials/panel-2", with(key, "If-None-Match", "*"), "304: 0 of 3"}, {"HEAD", "/v1/materials/panel-2", with(key), "429: 0 of 3"},
			}
		}},
		{"the keys of an account share its budget", func() []step {
			return []step{
				{"GET", "/v1/materials/panel-2", with(key), "200: 2 of 3"}, {"GET", "/v1/materials/panel-2", with(second), "200: 1 of 3"},
				{"GET", "/v1/materials/panel-2", with(key), "200: 0 of 3"}, {"GET", "/v1/materials/panel-2", with(second), "429: 0 of 3"},
			}
		}},
		{"accounts have budgets of their own, whatever the address", func() []step {
			return []step{
				{"GET", "/v1/materials/panel-2", with(key), "200: 2 of 3"}, {"GET", "/v1/materials/panel-2", with(other), "200: 2 of 3"},
				{"GET", "/v1/materials/panel-2", with(key), "200: 1 of 3"},
			}
		}},
		{"the public endpoints count the address, not the key", func() []step {
			return []step{
				{"GET", "/public/search", with(key), "200: 3 of 4"}, {"GET", "/public/compare-products?id=panel-2", nil, "200: 2 of 4"},
				{"GET", "/public/search?page=x", nil, "400: 1 of 4"}, {"GET", "/public/search", with("", "If-None-Match", "*"), "304: 0 of 4"},
				{"GET", "/public/search", nil, "429: 0 of 4"}, {"GET", "/v1/materials/panel-2", with(key), "200: 2 of 3"},
			}
		}},
		{"unknown paths, wrong methods, preflight and descriptions do not count", func() []step {
			return []step{
				{"GET", "/public/search", nil, "200: 3 of 4"}, {"GET", "/nowhere", nil, "404: 4 of 4"}, {"POST", "/public/search", nil, "405: 4 of 4"},
				{"OPTIONS", "/v1/materials/search", nil, "204: 4 of 4"}, {"GET", "/v1/openapi.json", nil, "200: 4 of 4"},
				{"POST", "/v1/materials/panel-2", with(key), "405: 4 of 4"}, {"GET", "/public/search", nil, "200: 2 of 4"}, {"GET", "/v1/materials/panel-2", with(key), "200: 2 of 3"},
			}
		}},
		{"401 and 403 count against the address, under the public policy", func() []step {
			return []step{
				{"GET", "/v1/materials/panel-2", nil, "401: 3 of 4"}, {"GET", "/v1/materials/panel-2", with(paused), "403: 2 of 4"},
				{"GET", "/public/search", nil, "200: 1 of 4"}, {"GET", "/v1/materials/panel-2", with("sab_x"), "401: 0 of 4"},
				{"GET", "/v1/materials/panel-2", with("sab_y"), "429: 0 of 4"}, {"GET", "/v1/materials/panel-2", with(paused), "429: 0 of 4"},
				{"GET", "/public/search", nil, "429: 0 of 4"}, {"GET", "/v1/materials/panel-2", with(key), "200: 2 of 3"},
			}
		}},
		{"an uncounted response still shows the full budget when it is spent", func() []step {
			return []step{
				{"GET", "/public/search", nil, "200: 3 of 4"}, {"GET", "/public/search", nil, "200: 2 of 4"}, {"GET", "/public/search", nil, "200: 1 of 4"},
				{"GET", "/public/search", nil, "200: 0 of 4"}, {"GET", "/public/search", nil, "429: 0 of 4"}, {"GET", "/v1/openapi.json", nil, "200: 4 of 4"},
			}
		}},
	}
	keys := make([][3]string, len(tests))
	for i := range tests {
		keys[i] = [3]string{createKey(t, dir, fmt.Sprint("A", i)), createKey(t, dir, fmt.Sprint("A", i)), createKey(t, dir, fmt.Sprint("B", i))}
	}
	s := start(t, dir, "--account-limit", "3/"+longWindow+",5/"+longerWindow, "--public-limit", "4/"+longWindow, "--trusted-proxies", "127.0.0.1")
	for i, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			key, second, other = keys[i][0], keys[i][1], keys[i][2]
			for n, step := range tt.steps() {
				fields := []string{"X-Forwarded-For", fmt.Sprintf("203.0.113.%d", i+1)}
				for at, field := range step.fields {
					if at == 0 && field != "" {
						fields = append(fields, "Authorization", "Bearer "+field)
					} else if at > 0 {
						fields = append(fields, field)
					}
				}
				if got := budget(s.ask(t, step.method, s.base+step.path, fields...)); got != step.want {
					t.Errorf("request %d, %s %s: got %s, want %s", n+1, step.method, step.path, got, step.want)
				}
			}
		})
	}
}

// TestTwoWindows: a refused request is not counted, and of several exhausted windows the one that resets last is told.
func TestTwoWindows(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	key := createKey(t, dir, "A")
	s := start(t, dir, "--account-limit", "1/1s,3/"+longWindow, "--public-limit", "9/1s")
	answered, refused := 0, 0
	eventually(t, patience, "the long window is spent", func() bool {
		a := s.getAs(t, key, "/v1/materials/panel-2")
		switch {
		case a.status == 200:
			answered++
			want := "200: 0 of 1"
			if answered == 3 {
				want = "200: 0 of 3" // both are spent
			}
			if budget(a) != want {
				t.Errorf("request %d that was answered: got %s, want %s", answered, budget(a), want)
			}
		case answered < 3:
			refused++
			if budget(a) != "429: 0 of 1" || a.header.Get("Retry-After") != "1" {
				t.Errorf("refused by the short window: got %s, Retry-After %s", budget(a), a.header.Get("Retry-After"))
			}
		case budget(a) != "429: 0 of 3":
			t.Errorf("refused by both: got %s", budget(a))
		}
		return a.status == 429 && a.header.Get("RateLimit-Limit") == "3"
	})
	if answered != 3 || refused == 0 {
		t.Errorf("%d requests were answered, %d refused by the short window", answered, refused)
	}
	a := s.getAs(t, key, "/v1/materials/panel-2")
	if wait, err := strconv.Atoi(a.header.Get("Retry-After")); err != nil || wait < 1_000_000 || budget(a) != "429: 0 of 3" {
		t.Errorf("got %s, Retry-After %d", budget(a), wait)
	}
	if got := a.header.Get("RateLimit-Policy"); got != "1;w=1, 3;w=2520000000" {
		t.Errorf("got %s", got)
	}
}

// TestClientAddresses: the first request of each case leaves one of two; the second tells whether it is the same client.
func TestClientAddresses(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	limit := []string{"--public-limit", "2/" + longWindow}
	trusting := start(t, dir, append(limit, "--trusted-proxies", "127.0.0.1,10.0.0.0/8, 2001:db8:ffff::/48", "--rate-limit-state", "a.state")...)
	tests := []struct {
		rule          string
		first, second []string // X-Forwarded-For fields
		same          bool
	}{
		{"the address that the proxy saw", []string{"192.0.2.1"}, []string{"192.0.2.1"}, true},
		{"another one", []string{"192.0.2.2"}, []string{"192.0.2.3"}, false},
		{"what stands to the left may be invented", []string{"203.0.113.1, 192.0.2.4"}, []string{"203.0.113.2, 192.0.2.4"}, true},
		{"the right-most that is not trusted", []string{"192.0.2.5"}, []string{"192.0.2.5, 10.1.2.3"}, true},
		{"several trusted ones", []string{"192.0.2.6, 10.9.9.9"}, []string{"203.0.113.3, 192.0.2.6, 10.1.2.3, 2001:db8:ffff::1, 10.3.2.1"}, true},
		{"several fields are one list", []string{"192.0.2.7", "10.1.2.3"}, []string{"192.0.2.7, 10.1.2.3"}, true},
		{"a port does not count", []string{"192.0.2.8:4711"}, []string{"192.0.2.8"}, true},
		{"an IPv6 client is its /64", []string{"2001:db8:1:2::1"}, []string{"2001:db8:1:2:ffff:ffff:ffff:ffff"}, true},
		{"another /64 is another client", []string{"2001:db8:1:3::1"}, []string{"2001:db8:1:4::1"}, false},
		{"an IPv6 address with a port", []string{"[2001:db8:1:5::1]:4711"}, []string{"2001:db8:1:5::2"}, true},
		{"an IPv4 address written as IPv6", []string{"::ffff:192.0.2.9"}, []string{"192.0.2.9"}, true},
		{"what is no address ends the list", []string{"192.0.2.10, unknown, 10.0.0.7"}, []string{"192.0.2.11, unknown, 10.0.0.7"}, true},
		{"empty elements do not", []string{"192.0.2.12, , 10.0.0.8,"}, []string{"192.0.2.12"}, true},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			var last *answer
			for _, forwarded := range [][]string{tt.first, tt.second} {
				var fields []string
				for _, f := range forwarded {
					fields = append(fields, "X-Forwarded-For", f)
				}
				last = trusting.get(t, "/public/search", fields...)
			}
			want := "200: 1 of 2"
			if tt.same {
				want = "200: 0 of 2"
			}
			if got := budget(last); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		})
	}
	t.Run("whom nobody trusts is counted by the peer's address", func(t *testing.T) {
		s := start(t, dir, append(limit, "--rate-limit-state", "b.state")...)
		for i, want := range []string{"200: 1 of 2", "200: 0 of 2", "429: 0 of 2"} {
			if got := budget(s.get(t, "/public/search", "X-Forwarded-For", fmt.Sprintf("192.0.2.%d", i))); got != want {
				t.Errorf("got %s, want %s", got, want)
			}
		}
	})
}

// TestCountersSurviveARestart: the windows of a day do, at an orderly end and, but for the last seconds, at a crash.
func TestCountersSurviveARestart(t *testing.T) {
	t.Parallel()
	limits := []string{"--account-limit", "9/1s,3/" + longWindow, "--public-limit", "5/1s,3/" + longWindow}
	for _, tt := range []struct {
		rule string
		end  func(t *testing.T, s *server)
	}{
		{"at an orderly end", func(t *testing.T, s *server) { s.stop(t) }},
		{"at a crash", func(t *testing.T, s *server) {
			state := filepath.Join(s.dir, "ratelimit.state")
			eventually(t, patience, "the counters are written", func() bool {
				b, err := os.ReadFile(state)
				return err == nil && strings.Contains(string(b), "account:") && strings.Contains(string(b), "address:")
			})
			s.signal(t, syscall.SIGKILL)
			<-s.ended
		}},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			dir := builtFolder(t)
			key := createKey(t, dir, "A")
			s, err := command{dir: dir}.launch(t, limits...)
			if err != nil {
				t.Fatal(err)
			}
			for range 2 {
				s.getAs(t, key, "/v1/materials/panel-2")
				s.get(t, "/public/search")
			}
			tt.end(t, s)
			s = start(t, dir, limits...)
			if got := budget(s.getAs(t, key, "/v1/materials/panel-2")); got != "200: 0 of 3" {
				t.Errorf("account: got %s", got)
			}
			if got := budget(s.get(t, "/public/search")); got != "200: 0 of 3" {
				t.Errorf("address: got %s", got)
			}
		})
	}
	t.Run("a damaged state file means that counting begins anew", func(t *testing.T) {
		t.Parallel()
		dir := builtFolder(t)
		writeFile(t, filepath.Join(dir, "ratelimit.state"), `{"address:`)
		s := start(t, dir, limits...)
		if got := budget(s.get(t, "/public/search")); got != "200: 2 of 3" || s.log.line("the rate-limit state is damaged; what cannot be read of it is counted anew") == "" {
			t.Errorf("got %s\n%s", got, s.log)
		}
	})
	t.Run("a second server with the same file is refused", func(t *testing.T) {
		t.Parallel()
		s := start(t, builtFolder(t), limits...)
		r := sabine(t, s.dir, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0")
		if r.status != 1 || !strings.Contains(r.err, "ratelimit.state: another server uses it") || !strings.Contains(r.err, "--rate-limit-state") {
			t.Errorf("got %d %s", r.status, r.err)
		}
	})
	t.Run("the file is where --rate-limit-state says", func(t *testing.T) {
		t.Parallel()
		dir := builtFolder(t)
		s := start(t, dir, append(limits, "--rate-limit-state", filepath.Join(dir, "elsewhere"))...)
		s.get(t, "/public/search")
		s.stop(t)
		if content := readFile(t, filepath.Join(dir, "elsewhere")); !strings.Contains(content, "address:127.0.0.1") {
			t.Errorf("got %s", content)
		}
	})
}

// TestAWindowEnds: when it is over, the budget is whole again.
func TestAWindowEnds(t *testing.T) {
	t.Parallel()
	s := start(t, builtFolder(t), "--public-limit", "2/1s")
	refused := false
	eventually(t, patience, "a refusal and the end of its window", func() bool {
		a := s.get(t, "/public/search")
		if a.status == 429 {
			refused = true
			time.Sleep(time.Second) // as Retry-After says: what it promises is what is tested
			a = s.get(t, "/public/search")
			if budget(a) != "200: 1 of 2" {
				t.Errorf("after Retry-After: got %s", budget(a))
			}
		}
		return refused
	})
}

func TestLimitSettings(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	for _, tt := range []struct{ rule, flag, value string }{
		{"two windows with one number make an ambiguous policy", "--account-limit", "60/1m,60/24h"},
		{"two windows of one length", "--account-limit", "60/1m,70/60s"},
		{"no number", "--public-limit", "/1m"},
		{"a number of 0", "--public-limit", "0/1m"},
		{"a negative number", "--public-limit", "-1/1m"},
		{"no window", "--public-limit", "60"},
		{"a window that is no time", "--public-limit", "60/minute"},
		{"a window of less than a second", "--public-limit", "60/1ms"},
		{"a window of no whole seconds", "--public-limit", "60/1500ms"},
		{"nothing", "--public-limit", ""},
		{"a store that there is not", "--rate-limit-store", "memcached://x"},
		{"a network that is none", "--trusted-proxies", "10.0.0.0/33"},
		{"a proxy's name", "--trusted-proxies", "localhost"},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			r := sabine(t, dir, "serve", "--addr", "127.0.0.1:0", "--admin-addr", "127.0.0.1:0", tt.flag, tt.value)
			if r.status != 2 || !strings.Contains(r.err, tt.flag) {
				t.Errorf("got %d %s", r.status, r.err)
			}
		})
	}
}
