package serve_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"sabine/serve/ratelimit"
)

// A spy is a store that records the client for whom each request was counted.
type spy struct {
	ratelimit.Store
	mu   sync.Mutex
	took []string
}

func (s *spy) Take(ctx context.Context, client string, p ratelimit.Policy, now time.Time, n int) (ratelimit.Count,
	bool, error) {
	s.mu.Lock()
	if n > 0 {
		s.took = append(s.took, client)
	}
	s.mu.Unlock()
	return s.Store.Take(ctx, client, p, now, n)
}

// A speller sends unprocessed requests, one per connection.
type speller struct {
	*site
	spy *spy
}

func newSpeller(t *testing.T, o settings) *speller {
	t.Helper()
	memory, err := ratelimit.NewMemory("", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	s := &spy{Store: memory}
	o.store = s
	return &speller{newSite(t, o), s}
}

// send sends a request in which line feeds end the lines. It returns the response and the client that was
// charged: "account", an address, or "".
func (s *speller) send(t *testing.T, request string) (*http.Response, string) {
	t.Helper()
	conn, err := net.Dial("tcp", strings.TrimPrefix(s.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	s.spy.mu.Lock()
	s.spy.took = nil
	s.spy.mu.Unlock()
	if _, err := io.WriteString(conn, strings.ReplaceAll(request, "\n", "\r\n")+"\r\n"); err != nil {
		t.Fatal(err)
	}
	method, _, _ := strings.Cut(request, " ")
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		t.Fatalf("%q: %v", request, err)
	}
	s.spy.mu.Lock()
	defer s.spy.mu.Unlock()
	var clients []string
	for _, client := range s.spy.took {
		kind, who, _ := strings.Cut(client, ":")
		if kind == "address" {
			kind = who
		}
		clients = append(clients, kind)
	}
	return resp, strings.Join(clients, " ")
}

const (
	publicOnce = "127.0.0.1" // address of the test client
	hostField  = "\nHost: x\n"
)

// TestTheSpellingOfAnAddressCircumventsNothing checks that a path, method or protocol in any spelling is
// either counted as the request that it means, or refused without data.
func TestTheSpellingOfAnAddressCircumventsNothing(t *testing.T) {
	t.Parallel()
	s := newSpeller(t, settings{explorer: true})
	for _, tt := range []struct {
		line    string
		status  int
		counted string
	}{
		{"GET /api/public/search HTTP/1.1", 200, publicOnce},
		{"GET /api/public/search HTTP/1.0", 200, publicOnce},
		{"HEAD /api/public/search HTTP/1.1", 200, publicOnce},
		{"GET /api/public/search? HTTP/1.1", 200, publicOnce},
		{"GET /api/public/%73e%61rch HTTP/1.1", 200, publicOnce},
		{"GET /%61pi/public/search HTTP/1.1", 200, publicOnce},
		{"GET http://x/api/public/search HTTP/1.1", 200, publicOnce},
		{"GET HTTPS://other.example/api/public/search HTTP/1.1", 200, publicOnce},
		{"GET http://user:secret@x/api/public/search HTTP/1.1", 200, publicOnce},
		{"GET /api/v1/materials/search HTTP/1.1", 401, publicOnce},
		{"GET /api/v1/%6daterials/search HTTP/1.1", 401, publicOnce},
		{"GET http://x/api/v1/materials/search HTTP/1.0", 401, publicOnce},
		{"HEAD /api/v1/materials/search HTTP/1.0", 401, publicOnce},
		{"GET /api/v1/materials/%2e%2e%2fsearch HTTP/1.1", 401, publicOnce}, // an unknown id
		{"GET /api/v1/materials/%00search HTTP/1.1", 401, publicOnce},
		{"GET /api/v1/materials/Search HTTP/1.1", 401, publicOnce},
		{"get /api/public/search HTTP/1.1", 405, ""},
		{"Get /api/v1/materials/search HTTP/1.1", 405, ""},
		{"GETX /api/public/search HTTP/1.1", 405, ""},
		{"TRACE /api/v1/materials/search HTTP/1.1", 405, ""},
		{"CONNECT /api/public/search HTTP/1.1", 405, ""},
		{"CONNECT x:80 HTTP/1.1", 404, ""},
		{"GET * HTTP/1.1", 404, ""},
		{"GET //api/public/search HTTP/1.1", 404, ""},
		{"GET //x/api/public/search HTTP/1.1", 404, ""},
		{"GET /api//public/search HTTP/1.1", 404, ""},
		{"GET /api/public//search HTTP/1.1", 404, ""},
		{"GET /api/public/search/ HTTP/1.1", 404, ""},
		{"GET /api/public/./search HTTP/1.1", 404, ""},
		{"GET /api/v1/../public/search HTTP/1.1", 404, ""},
		{"GET /api/v1/%2e%2e/public/search HTTP/1.1", 404, ""},
		{"GET /api/public%2Fsearch HTTP/1.1", 404, ""},
		{"GET /api/public%2fsearch HTTP/1.1", 404, ""},
		{"GET /api%5Cpublic%5Csearch HTTP/1.1", 404, ""},
		{`GET /api\public\search HTTP/1.1`, 404, ""},
		{"GET /API/public/search HTTP/1.1", 404, ""},
		{"GET /api/Public/search HTTP/1.1", 404, ""},
		{"GET /api/public/search; HTTP/1.1", 404, ""},
		{"GET /api/public;x=1/search HTTP/1.1", 404, ""},
		{"GET /api/public/search%00 HTTP/1.1", 404, ""},
		{"GET /api/public/search%20 HTTP/1.1", 404, ""},
		{"GET /api/public/search%3Fq=x HTTP/1.1", 404, ""},
		{"GET /api/public/search#x HTTP/1.1", 404, ""},
		{"GET /api/public/search.json HTTP/1.1", 404, ""},
		{"GET /api/public/se\u200barch HTTP/1.1", 404, ""},
		{"GET /api/v1/materials HTTP/1.1\nX-Original-URL: /api/v1/openapi.json\nX-Rewrite-URL: /api/v1/openapi.json", 401,
			publicOnce},
		{"GET /api/v1/openapi.json HTTP/1.1\nX-Original-URL: /api/v1/materials\nX-Rewrite-URL: /api/v1/materials", 200, ""},
		{"GET /api/public/search HTTP/1.1\nX-HTTP-Method-Override: OPTIONS\nX-HTTP-Method: OPTIONS", 200, publicOnce},
		{"POST /api/public/search?_method=GET HTTP/1.1\nX-HTTP-Method-Override: GET\nContent-Length: 0", 405, ""},
		{"OPTIONS /api/public/search HTTP/1.1", 204, ""},
	} {
		resp, counted := s.send(t, tt.line+hostField)
		if resp.StatusCode != tt.status || counted != tt.counted {
			t.Errorf("%s: got %d, counted for %q; want %d, %q", tt.line, resp.StatusCode, counted, tt.status, tt.counted)
		}
	}
}

// TestTheSpellingOfAKeyCircumventsNothing checks that only one field Authorization: Bearer with the key is
// accepted, and that other requests are counted for the address.
func TestTheSpellingOfAKeyCircumventsNothing(t *testing.T) {
	t.Parallel()
	s := newSpeller(t, settings{})
	for _, tt := range []struct {
		fields string // header fields, in which KEY is replaced by a valid key
		status int
	}{
		{"Authorization: Bearer KEY", 200},
		{"authorization:bearer KEY", 200},
		{"AUTHORIZATION: \t BEARER    KEY \t", 200},
		{"Authorization: Bearer\n KEY", 200}, // a line break and a space in a field mean a space
		{"Authorization: Bearer\tKEY", 401},
		{"Authorization: Bearer \tKEY", 401},
		{"Authorization: Bearer\u00a0KEY", 401},
		{"Authorization: Bearer \u2003KEY", 401},
		{"Authorization: Bearer KEY,", 401},
		{"Authorization: Bearer KEY, Bearer KEY", 401},
		{"Authorization: Bearer KEY KEY", 401},
		{"Authorization: Bearer KEY\n x", 401},
		{"Authorization: Bearer \"KEY\"", 401},
		{"Authorization: Bearer Bearer KEY", 401},
		{"Authorization: Bearer=KEY", 401},
		{"Authorization: BearerKEY", 401},
		{"Authorization: Βearer KEY", 401}, // begins with a Greek letter
		{"Authorization: Token KEY", 401},
		{"Authorization: Bearer KEY\nAuthorization: Bearer KEY", 401},
		{"Authorization: Bearer KEY\nauthorization:", 401},
		{"Authorization : Bearer KEY", 400}, // net/http refuses a space before the colon
		{"Authorization: Bearer KEY\x00", 400},
		{"Proxy-Authorization: Bearer KEY", 401},
		{"X-Authorization: Bearer KEY\nX-Api-Key: KEY\nCookie: Authorization=KEY", 401},
		{"X-Forwarded-Authorization: Bearer KEY", 401},
	} {
		resp, counted := s.send(t, "GET /api/v1/materials/search HTTP/1.1"+hostField+strings.ReplaceAll(tt.fields, "KEY",
			s.keys[goodKey])+"\n")
		want := map[int]string{200: "account", 401: publicOnce, 400: ""}[tt.status]
		if resp.StatusCode != tt.status || counted != want {
			t.Errorf("%q: got %d, counted for %q; want %d, %q", tt.fields, resp.StatusCode, counted, tt.status, want)
		}
	}
}

// TestTheSpellingOfAClientCircumventsNothing checks that requests are counted for the peer or, if that is a
// trusted proxy, for the address that it added. All spellings of an address count as the same client.
func TestTheSpellingOfAClientCircumventsNothing(t *testing.T) {
	t.Parallel()
	direct, behind := newSpeller(t, settings{}), newSpeller(t, settings{proxies: []netip.Prefix{localhost}})
	for _, tt := range []struct{ fields, counted string }{
		{"X-Forwarded-For: 192.0.2.1", "192.0.2.1"},
		{"x-forwarded-for:192.0.2.1:65535", "192.0.2.1"},
		{"X-Forwarded-For: ::ffff:192.0.2.1", "192.0.2.1"},
		{"X-Forwarded-For: [::FFFF:c000:201]:1", "192.0.2.1"},
		{"X-Forwarded-For: \t192.0.2.1\t,", "192.0.2.1"},
		{"X-Forwarded-For: 203.0.113.9\nX-Forwarded-For: 192.0.2.1", "192.0.2.1"},
		{"X-Forwarded-For: 203.0.113.9,\n 192.0.2.1", "192.0.2.1"},
		{"X-Forwarded-For: \"203.0.113.9, 192.0.2.1", "192.0.2.1"},
		{"X-Forwarded-For: " + strings.Repeat("203.0.113.9,", 5000) + "192.0.2.1", "192.0.2.1"},
		{"X-Forwarded-For: " + strings.Repeat(",", 10_000) + "192.0.2.1", "192.0.2.1"},
		{"X-Forwarded-For: 192.0.2.1, 127.0.0.9", "192.0.2.1"}, // the last address is another proxy
		{"X-Forwarded-For: 2001:DB8:0:0:0:0:0:1", "2001:db8::/64"},
		{"X-Forwarded-For: 2001:db8::ffff:ffff:ffff:ffff", "2001:db8::/64"},
		{"X-Forwarded-For: [2001:db8::1%eth0]:1", "2001:db8::/64"},
		{"X-Forwarded-For: 2001:db8::192.0.2.1", "2001:db8::/64"},
		{"X-Forwarded-For: 2001:db8:0:1::1", "2001:db8:0:1::/64"},
		// An invalid address is ignored, and the proxy is charged.
		{"X-Forwarded-For: ", publicOnce},
		{"X-Forwarded-For: unknown", publicOnce},
		{"X-Forwarded-For: \"192.0.2.1\"", publicOnce},
		{"X-Forwarded-For: for=192.0.2.1", publicOnce},
		{"X-Forwarded-For: 192.0.2.1:65536", publicOnce},
		{"X-Forwarded-For: 192.0.2.01", publicOnce},
		{"X-Forwarded-For: 3221225985", publicOnce},
		{"X-Forwarded-For: 192.0.2.1 192.0.2.2", publicOnce},
		{"X-Forwarded-For: 192.0.2.1;192.0.2.2", publicOnce},
		{"X-Forwarded-For: 192.0.2.1\u00a0", publicOnce},
		{"X-Forwarded-For: 203.0.113.9, unknown, 127.0.0.9", "127.0.0.9"},
		{
			"X_Forwarded_For: 192.0.2.1\nForwarded: for=192.0.2.1\nX-Real-IP: 192.0.2.1\nX-Client-IP: " +
				"192.0.2.1\nTrue-Client-IP: 192.0.2.1\nCF-Connecting-IP: 192.0.2.1", publicOnce},
	} {
		const line = "GET /api/public/search HTTP/1.1" + hostField
		if resp, counted := behind.send(t, line+tt.fields+"\n"); resp.StatusCode != 200 || counted != tt.counted {
			t.Errorf("after a proxy: %.200q: got %d, counted for %q, want %q", tt.fields, resp.StatusCode, counted, tt.counted)
		}
		if resp, counted := direct.send(t, line+tt.fields+"\n"); resp.StatusCode != 200 || counted != publicOnce {
			t.Errorf("from anybody: %.200q: got %d, counted for %q", tt.fields, resp.StatusCode, counted)
		}
	}
}

// TestSpellingsTogether combines random spellings. Responses with data are counted once, for the account if a
// valid key is required. Refused keys are counted for the address. Other requests are not counted.
func TestSpellingsTogether(t *testing.T) {
	t.Parallel()
	s := newSpeller(t, settings{explorer: true})
	key := "\nAuthorization: Bearer " + s.keys[goodKey]
	random := rand.New(rand.NewPCG(16, 5))
	of := func(from ...string) string { return from[random.IntN(len(from))] }
	seen := map[string]int{}
	for range max(*generatedRequests/10, 120) {
		path := of("/api", "/api", "/api", "/%61pi", "http://x/api", "//x/api", "/API", "") + of("/", "/", "/", "//", "/./",
			"%2F", "/x/../") +
			of("public/search", "v1/materials/search", "v1/materials", "v1/materials/panel-2", "public/materials/panel-2",
				"v1/openapi.json", "v1/export", "v1/changes", "public/compare-products?id=panel-2") +
			of("", "", "", "", "/", "%2e", ";x", "%00", "?", "?page=x", "#x")
		request := of("GET", "GET", "GET", "HEAD", "OPTIONS", "POST", "get") + " " + path + " HTTP/1." + of("1", "1", "0") +
			"\nHost: " + of("x", "", "[::1]:1") +
			of("", key, key, strings.ToLower(key), key+",", key+key, strings.Replace(key, " B", "\n B", 1),
				strings.ReplaceAll(key, "Bearer ", "Bearer\t"), "\nX-Api-Key: x", key+"x") +
			of("", "\nX-Forwarded-For: 192.0.2.1", "\nX-Real-IP: 192.0.2.1", "\nX-HTTP-Method-Override: GET",
				"\nX-Original-URL: /api/v1/openapi.json") + "\n"
		resp, counted := s.send(t, request)
		want := ""
		switch private := strings.HasPrefix(resp.Header.Get("Cache-Control"), "private"); {
		case resp.Header.Get("X-Snapshot") == "" && resp.StatusCode != 401:
		case private && !strings.Contains(request, key+"\n") &&
			!strings.Contains(request, strings.Replace(key, " B", "\n B", 1)+"\n"):
			t.Errorf("%q has no key: got %d", request, resp.StatusCode)
		case private:
			want = "account"
		case resp.StatusCode == 200 || resp.StatusCode == 401 || strings.Contains(path, "public"):
			want = publicOnce
		default: // 400 and 404 are counted like other responses of the operation
			want = "account"
		}
		if resp.StatusCode == 200 && strings.Contains(path, "v1/export") && strings.HasPrefix(request, "GET") {
			want += " export"
		}
		if counted != want {
			t.Errorf("%q: got %d, counted for %q, want %q", request, resp.StatusCode, counted, want)
		}
		seen[fmt.Sprint(resp.StatusCode, " ", counted)]++
	}
	for _, answer := range []string{"200 account", "200 " + publicOnce, "200 ", "401 " + publicOnce, "404 ", "405 ",
		"204 ", "200 account export"} {
		if seen[answer] == 0 {
			t.Errorf("no request was answered %q: %v", answer, seen)
		}
	}
}
