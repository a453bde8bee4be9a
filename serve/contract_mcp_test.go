package serve_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"

	"sabine/indexes/snapshot"
	"sabine/serve/ratelimit"
)

// post sends a message to /mcp and returns the response after the judge has checked it.
func (s *site) post(t testing.TB, message string, fields ...string) *answer {
	t.Helper()
	r, err := http.NewRequest("POST", s.url+"/mcp", strings.NewReader(message))
	if err != nil {
		t.Fatal(err)
	}
	r.Header["Content-Type"] = []string{"application/json"}
	for i := 0; i < len(fields); i += 2 {
		if r.Header.Del(fields[i]); fields[i+1] != "" {
			r.Header.Set(fields[i], fields[i+1])
		}
	}
	a, err := s.judged(r)
	if err != nil {
		t.Fatalf("%.300s: %v", message, err)
	}
	return a
}

// callOf returns the message that calls a tool.
func callOf(tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}

const (
	pingMessage = `{"jsonrpc":"2.0","id":7,"method":"ping"}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	listMessage = `{"jsonrpc":"2.0","id":2,"method":"tools/list"}`
)

func TestMessagesAreAcceptedOrRefused(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{mcp: true})
	search := callOf("search_materials", `{}`)
	var zipped bytes.Buffer
	z := gzip.NewWriter(&zipped)
	_, _ = io.WriteString(z, pingMessage)
	_ = z.Close()
	tests := []struct {
		rule, message string
		fields        []string
		status        int
		want          string // required part of the body
	}{
		{"a ping is answered", pingMessage, nil, 200, `{"jsonrpc":"2.0","id":7,"result":{}}`},
		{"with a charset too", pingMessage, []string{"Content-Type", "application/json; charset=utf-8"}, 200, `"result":{}`},
		{"with any Accept field", pingMessage, []string{"Accept", "text/html"}, 200, `"result":{}`},
		{"a notification has no answer", initialized, nil, 202, ""},
		{"a tool is called", search, nil, 200, `"structuredContent":{"total":`},
		{"an unknown tool is an error of the protocol", callOf("drop", `{}`), nil, 200, `unknown tool \"drop\"`},
		{"wrong arguments are a result", callOf("search_materials", `{"limit":"x"}`), nil, 200, `"isError":true`},
		{"an unknown method", `{"jsonrpc":"2.0","id":7,"method":"nonsense"}`, nil, 200,
			`{"jsonrpc":"2.0","id":7,"error":{"code":-32601,`},
		{"an unknown method, to the newest protocol", `{"jsonrpc":"2.0","id":7,"method":"nonsense"}`,
			[]string{"Mcp-Protocol-Version", "2026-07-28"}, 200, `"id":7,"error":{"code":-32601,`},
		{"a method that is not supported", `{"jsonrpc":"2.0","id":7,"method":"resources/subscribe","params":{"uri":"x"}}`,
			nil, 200, `"id":7,"error":{"code":-32601,`},
		{"an unknown method is not answered without an id", `{"jsonrpc":"2.0","method":"nonsense"}`, nil, 202, ""},
		{"nor is a known one", `{"jsonrpc":"2.0","method":"ping"}`, nil, 202, ""},
		{"a notification with an id", `{"jsonrpc":"2.0","id":7,"method":"notifications/initialized"}`, nil, 400,
			`"id":7,"error":{"code":-32600,`},
		{"a call without params", `{"jsonrpc":"2.0","id":7,"method":"tools/call"}`, nil, 400,
			`"id":7,"error":{"code":-32600,`},
		{"params of a wrong type", `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":[]}`, nil, 200,
			`"id":7,"error":{"code":-32602,`},
		{"every error has a code", `{"jsonrpc":"2.0","id":7,"method":"initialize","params":{"protocolVersion":7}}`, nil, 200,
			`"id":7,"error":{"code":-32600,`},
		{"a batch", "[" + pingMessage + "]", nil, 400,
			`"id":null,"error":{"code":-32600,"message":"batches are unsupported`},
		{"a batch after blanks", " \n[" + pingMessage + "]", nil, 400, "batches are unsupported"},
		{"half of JSON", pingMessage[:20], nil, 400,
			`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"the message is not JSON"}}`},
		{"two messages", pingMessage + pingMessage, nil, 400, `{"code":-32700,"message":"the message is not JSON"}`},
		{"nothing", "", nil, 400, `{"code":-32700,"message":"the message is not JSON"}`},
		{"a number", "7", nil, 400, `"id":null,"error":{"code":-32600,"message":"the message is not an object"}`},
		{"another version of JSON-RPC", `{"jsonrpc":"1.0","id":7,"method":"ping"}`, nil, 400,
			`"id":7,"error":{"code":-32600,"message":"the message is not JSON-RPC 2.0`},
		{"an id that is none", `{"jsonrpc":"2.0","id":{},"method":"ping"}`, nil, 400,
			`"id":null,"error":{"code":-32600,"message":"the id is neither a string nor a number"}`},
		{"a truth as id", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, nil, 400, `"id":null,"error":{"code":-32600,`},
		{"null as id", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, nil, 400, `"id":null,"error":{"code":-32600,`},
		{"no method", `{"jsonrpc":"2.0","id":7}`, nil, 400,
			`"id":7,"error":{"code":-32600,"message":"the method is missing or not a string"}`},
		{"null as method", `{"jsonrpc":"2.0","id":7,"method":null}`, nil, 400, `"id":7,"error":{"code":-32600,`},
		{"an empty method", `{"jsonrpc":"2.0","id":7,"method":""}`, nil, 200, `"id":7,"error":{"code":-32601,`},
		{"a number as method", `{"jsonrpc":"2.0","id":7,"method":1}`, nil, 400, `"id":7,"error":{"code":-32600,`},
		{"a response has no answer", `{"jsonrpc":"2.0","id":7,"result":{}}`, nil, 202, ""},
		{"invalid UTF-8", "{\"jsonrpc\":\"2.0\",\"id\":\"\xff\",\"method\":\"ping\"}", nil, 400,
			`"id":null,"error":{"code":-32700,"message":"the message is not UTF-8"}`},
		{"deep nesting", strings.Repeat("[", 30000) + strings.Repeat("]", 30000), nil, 400, "not JSON"},
		{"deep arguments", callOf("search_materials", strings.Repeat(`{"a":`, 2000)+"1"+strings.Repeat("}", 2000)), nil, 400,
			`"id":1,"error":{"code":-32600,`},
		{"64 KiB", pingMessage[:39] + strings.Repeat(" ", 64<<10-40) + "}", nil, 200, `"result":{}`},
		{"a byte more", pingMessage[:39] + strings.Repeat(" ", 64<<10-39) + "}", nil, 413, "the maximum is 65536 bytes"},
		{"a megabyte", strings.Repeat(" ", 1<<20) + pingMessage, nil, 413, "the maximum is 65536 bytes"},
		{"a compressed message is not decoded", zipped.String(), []string{"Content-Encoding", "gzip"}, 400, "not UTF-8"},
		{"a form", "x=1", []string{"Content-Type", "application/x-www-form-urlencoded"}, 415, "application/json"},
		{"no media type", pingMessage, []string{"Content-Type", ""}, 415, "application/json"},
		{"an unknown version of the protocol", pingMessage, []string{"Mcp-Protocol-Version", "1999-01-01"}, 400,
			"Unsupported protocol version"},
		{"an unknown session", pingMessage, []string{"Mcp-Session-Id", "made up"}, 200, `"result":{}`},
		{"a subscription ends at once",
			`{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true}}}`,
			nil, 200, `"id":7,"result":{"_meta":{"io.modelcontextprotocol/subscriptionId":7}}`},
		{"no key is a key", search, s.as(goodKey), 200, `"structuredContent":`},
		{"an unknown key", search, s.as("unknown"), 401, `"error":"invalid_token"`},
		{"no bearer", pingMessage, []string{"Authorization", "Basic eDp5"}, 401, `"error":"invalid_token"`},
		{"a paused key", pingMessage, s.as(pausedKey), 403, `"error":"token_paused"`},
	}
	for _, tt := range tests {
		a := s.post(t, tt.message, tt.fields...)
		if a.status != tt.status || !strings.Contains(a.body, tt.want) {
			t.Errorf("%s: got %d %.300s, want %d %s", tt.rule, a.status, a.body, tt.status, tt.want)
		}
		if challenge := a.header.Get("WWW-Authenticate"); (challenge != "") != (tt.status == 401) {
			t.Errorf("%s: WWW-Authenticate %q", tt.rule, challenge)
		}
		if (a.header.Get("X-Snapshot") != "") != (tt.status < 300) && tt.status != 400 {
			t.Errorf("%s: X-Snapshot %q", tt.rule, a.header.Get("X-Snapshot"))
		}
	}
}

// TestPagesOfOtherSitesAreRefused uses a server with a public address, over HTTP/1.1 and over TLS and HTTP/2.
func TestPagesOfOtherSitesAreRefused(t *testing.T) {
	t.Parallel()
	const own, mapped = "192.0.2.7", "::ffff:192.0.2.7"
	s := newSite(t, settings{mcp: true, publicURL: "https://Catalogue.example:8443/x"})
	unnamed := newSite(t, settings{mcp: true})
	servers := [2]*httptest.Server{}
	for i := range servers {
		server := httptest.NewUnstartedServer(s.handler)
		server.Listener = addressed{server.Listener, net.ParseIP(own)}
		if server.EnableHTTP2 = i == 1; server.EnableHTTP2 {
			server.StartTLS()
		} else {
			server.Start()
		}
		defer server.Close()
		servers[i] = server
	}
	for _, tt := range []struct {
		rule, host string
		origins    []string
		taken      bool
	}{
		{"without an Origin the Host is not compared", "evil.example", nil, true},
		{"the public URL", "catalogue.example", []string{"https://catalogue.example"}, true},
		{"in capitals, with any ports", "CATALOGUE.example:80", []string{"http://CATALOGUE.example:443"}, true},
		{"a proxy that sends its own Host", "127.0.0.1:8080", []string{"https://catalogue.example"}, true},
		{"loopback names", "localhost:8080", []string{"http://app.localhost:5173"}, true},
		{"loopback addresses", "[::1]:8080", []string{"http://127.0.0.2:6274"}, true},
		{"the address of the server", own + ":8080", []string{"http://" + own + ":8080"}, true},
		{"and as IPv6", "[" + mapped + "]", []string{"http://[" + mapped + "]"}, true},
		{"DNS rebinding", "evil.example", []string{"http://evil.example"}, false},
		{"DNS rebinding with the port", "evil.example:8080", []string{"http://evil.example:8080"}, false},
		{"DNS rebinding to a name that ends alike", "evilcatalogue.example", []string{"http://evilcatalogue.example"}, false},
		{"a page of another site", "127.0.0.1:8080", []string{"https://evil.example"}, false},
		{"another Host", "evil.example", []string{"http://localhost:8080"}, false},
		{"an address of another machine", "192.0.2.8", []string{"http://192.0.2.8"}, false},
		{"a name that begins like a loopback address", "127.0.0.1.evil.example", []string{"http://127.0.0.1.evil.example"},
			false},
		{"a name that only ends in localhost", "evillocalhost", []string{"http://evillocalhost"}, false},
		{"a page without an origin", "localhost", []string{"null"}, false},
		{"an empty Origin", "localhost", []string{""}, false},
		{"an Origin without a scheme", "localhost", []string{"localhost"}, false},
		{"another scheme", "localhost", []string{"file://localhost"}, false},
		{"a path", "localhost", []string{"http://localhost/"}, false},
		{"a user", "localhost", []string{"http://evil.example@localhost"}, false},
		{"what is no address", "localhost", []string{"http://localhost:port"}, false},
		{"two Origins", "localhost", []string{"http://localhost", "http://localhost"}, false},
	} {
		for _, server := range servers {
			r, err := http.NewRequest("POST", server.URL+"/mcp", strings.NewReader(pingMessage))
			if err != nil {
				t.Fatal(err)
			}
			r.Host, r.Header = tt.host, http.Header{"Content-Type": {"application/json"}, "Origin": tt.origins}
			answer, err := server.Client().Do(r)
			if err != nil {
				t.Fatalf("%s: %v", tt.rule, err)
			}
			body, err := io.ReadAll(answer.Body)
			_ = answer.Body.Close()
			if err != nil || (answer.StatusCode == 200) != tt.taken || !tt.taken && answer.StatusCode != 403 {
				t.Errorf("%s, %s: got %d %s, %v", tt.rule, answer.Proto, answer.StatusCode, body, err)
			}
		}
	}
	for _, fields := range [][]string{{"Origin", "http://evil.example"}, {"Origin", "http://"},
		{"Origin", "https://catalogue.example"}} {
		if a := unnamed.post(t, pingMessage, fields...); a.status != 403 || a.code() != "invalid_request" ||
			!strings.Contains(a.message(), "--public-url") {
			t.Errorf("without --public-url, %v: got %d %s", fields, a.status, a.body)
		}
	}
}

// An addressed listener reports a given address as the local address of its connections.
type addressed struct {
	net.Listener
	ip net.IP
}

func (l addressed) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	return &addressedConn{c, l.ip}, err
}

type addressedConn struct {
	net.Conn
	ip net.IP
}

func (c addressedConn) LocalAddr() net.Addr { return &net.TCPAddr{IP: c.ip, Port: 8080} }

// TestIDsAreReturnedUnchanged uses ids that would change if they were decoded as numbers.
func TestIDsAreReturnedUnchanged(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{mcp: true})
	for _, id := range []string{
		`1`, `1.0`, `1e3`, `-0`, `0.1`, `1.5`, `9007199254740993`, `1E400`, `123456789012345678901234567890`, `"1"`,
		`"\u0031"`, `""`, `"<&>\u2028"`, `"ä\/\ud83d\ude42"`,
	} {
		for _, tt := range []struct{ message, want string }{
			{`{"jsonrpc":"2.0", "id" : ` + id + ` ,"method":"ping"}`, `{"jsonrpc":"2.0","id":` + id + `,"result":{}}`},
			{`{"method":"nonsense","jsonrpc":"2.0","id":` + id + `}`, `{"jsonrpc":"2.0","id":` + id +
				`,"error":{"code":-32601,`},
			{`{"jsonrpc":"1.0","id":` + id + `,"method":"ping"}`, `{"jsonrpc":"2.0","id":` + id + `,"error":{"code":-32600,`},
			// of two ids, the last is returned
			{`{"jsonrpc":"2.0","id":8,"method":"ping","\u0069d":` + id + `}`, `{"jsonrpc":"2.0","id":` + id + `,"result":{}}`},
		} {
			if got := s.post(t, tt.message).body; !strings.HasPrefix(got, tt.want) {
				t.Errorf("%s: got %s, want %s", tt.message, got, tt.want)
			}
		}
	}
}

func TestAgentsPost(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{mcp: true})
	for _, method := range []string{"GET", "HEAD", "DELETE", "PUT"} {
		r, err := http.NewRequest(method, s.url+"/mcp", nil)
		if err != nil {
			t.Fatal(err)
		}
		a, err := s.do(r)
		if err != nil || a.status != 405 || a.header.Get("Allow") != "POST, OPTIONS" {
			t.Errorf("%s: %v, %d, Allow %q", method, err, a.status, a.header.Get("Allow"))
		}
	}
	r, err := http.NewRequest("OPTIONS", s.url+"/mcp", nil)
	if err != nil {
		t.Fatal(err)
	}
	a, err := s.do(r)
	if err != nil || a.status != 204 || a.header.Get("Access-Control-Allow-Methods") != "POST, OPTIONS" {
		t.Fatalf("preflight: %v, %d, %v", err, a.status, a.header)
	}
	for _, name := range []string{"Authorization", "Content-Type", "Accept", "Mcp-Protocol-Version", "Mcp-Session-Id",
		"*"} {
		if !slices.Contains(strings.Split(a.header.Get("Access-Control-Allow-Headers"), ", "), name) {
			t.Errorf("preflight does not allow %s", name)
		}
	}
	off := newSite(t, settings{})
	if a := off.post(t, pingMessage); a.status != 404 || a.code() != "not_found" {
		t.Errorf("switched off: %d %s", a.status, a.body)
	}
}

// TestACallCostsARequest uses an account with three requests and an address with four.
func TestACallCostsARequest(t *testing.T) {
	t.Parallel()
	call, none := callOf("search_materials", `{"limit":1}`), []string(nil)
	type step struct {
		message string
		fields  func(*site) []string
		want    string
	}
	anybody := func(*site) []string { return none }
	with := func(key string) func(*site) []string { return func(s *site) []string { return s.as(key) } }
	tests := []struct {
		rule  string
		steps []step
	}{
		{"the address's without a key", []step{
			{call, anybody, "200: 3 of 4"}, {callOf("get_material", `{"id":"unknown"}`), anybody, "200: 2 of 4"},
			{callOf("drop", `{}`), anybody, "200: 1 of 4"},
			{callOf("search_materials", `{"limit":"x"}`), anybody, "200: 0 of 4"}, {call, anybody, "429: 0 of 4"},
		}},
		{"the account's with one", []step{{call, with(goodKey), "200: 2 of 3"}, {call, with(secondKey), "200: 1 of 3"},
			{call, with(goodKey), "200: 0 of 3"}, {call, with(goodKey), "429: 0 of 3"}, {call, anybody, "200: 3 of 4"}}},
		{"nothing else costs", []step{{pingMessage, anybody, "200: 4 of 4"}, {listMessage, with(goodKey), "200: 4 of 4"},
			{initialized, anybody, "202: 4 of 4"},
			{`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"search_materials"}}`, anybody, "202: 4 of 4"},
			{"[", anybody, "400: 4 of 4"}, {call, anybody, "200: 3 of 4"}}},
		{"but a bad key, at the address", []step{{pingMessage, with("unknown"), "401: 3 of 4"},
			{call, with(pausedKey), "403: 2 of 4"}, {call, anybody, "200: 1 of 4"}}},
		{"with two methods, the called method counts", []step{
			{`{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/call","params":{"name":"search_materials"}}`, anybody,
				"200: 3 of 4"},
			{`{"jsonrpc":"2.0","id":1,"method":"tools/call","method":"ping","params":{"name":"search_materials"}}`, anybody,
				"200: 4 of 4"},
			{`{"jsonrpc":"2.0","id":1,"meth\u006fd":"tools/call","params":{"name":"search_materials"}}`, anybody, "200: 2 of 4"},
		}},
	}
	for _, tt := range tests {
		t.Run(tt.rule, func(t *testing.T) {
			t.Parallel()
			o := budgets
			o.mcp = true
			s := newSite(t, o)
			for i, step := range tt.steps {
				a := s.post(t, step.message, step.fields(s)...)
				if got := budget(a); got != step.want {
					t.Errorf("step %d: got %s, want %s: %s", i, got, step.want, a.body)
				}
				if a.status == 429 {
					if want := fmt.Sprintf("wait for %s seconds", a.header.Get("Retry-After")); !strings.Contains(a.message(),
						want) || a.code() != "rate_limit_exceeded" {
						t.Errorf("step %d: got %s, want %s", i, a.body, want)
					}
				}
			}
		})
	}
}

func TestAKeyShowsAgentsTheWholeDetail(t *testing.T) {
	t.Parallel()
	call := callOf("get_material", `{"id":"`+panel+`"}`)
	for _, detail := range []bool{false, true} {
		s := newSite(t, settings{mcp: true, noDetail: !detail})
		for _, key := range []bool{false, true} {
			var fields []string
			if key {
				fields = s.as(goodKey)
			}
			if got := s.post(t, call, fields...).json("result.structuredContent.geometry").Exists(); got != (key || detail) {
				t.Errorf("--public-detail=%v, with a key %v: geometry %v", detail, key, got)
			}
		}
	}
}

func TestAgentsWaitForData(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{mcp: true, folder: &snapshot.Folder{Dir: t.TempDir()}})
	if a := s.post(t, callOf("search_materials", `{}`)); a.status != 503 || a.code() != "internal_error" ||
		a.header.Get("Retry-After") != "1" {
		t.Errorf("got %d %s", a.status, a.body)
	}
}

func TestAnswersToAgentsAreCoded(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{mcp: true})
	plain := s.post(t, callOf("search_materials", `{}`))
	for _, coding := range []string{"gzip", "zstd"} {
		a := s.post(t, callOf("search_materials", `{}`), "Accept-Encoding", coding)
		if a.header.Get("Content-Encoding") != coding || a.body != plain.body || a.sent >= plain.sent {
			t.Errorf("%s: %v, %d of %d bytes", coding, a.header, a.sent, plain.sent)
		}
	}
}

// A lockedBuffer is a log that a test can read while the server writes to it.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *lockedBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *lockedBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

func TestDamageCostsAnAgentOneAnswer(t *testing.T) {
	log := new(lockedBuffer)
	s := newSite(t, settings{mcp: true, folder: rebuilt(t), log: log})
	s.overwriteBodies(t, func(bodies []byte) { clear(bodies) })
	a := s.post(t, callOf("get_material", `{"id":"`+panel+`"}`))
	if a.status != 500 || a.code() != "internal_error" || a.header.Get("X-Snapshot") != "" {
		t.Errorf("got %d %s", a.status, a.body)
	}
	if a := s.post(t, pingMessage); a.status != 200 {
		t.Errorf("afterwards: %d %s", a.status, a.body)
	}
	if got := s.fetch(t, s.admin+"/metrics").body; !strings.Contains(got, "\nsabine_http_panics_total 1\n") ||
		!strings.Contains(got, `sabine_http_requests_total{method="POST",route="mcp",status="5xx"} 1`) {
		t.Error("the metrics do not count it")
	}
	if err := s.end(); err != nil {
		t.Error(err)
	}
	if got := log.String(); !strings.Contains(got, `"msg":"panic while handling a request"`) ||
		!strings.Contains(got, `"route":"mcp"`) || !strings.Contains(got, "toolCatalogue") {
		t.Errorf("the log has no place: %s", got)
	}
}

// TestABodyInChunksEndsTheConnection sends a body that also has a Content-Length. net/http removes this
// field, but a proxy could have used it.
func TestABodyInChunksEndsTheConnection(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(newSite(t, settings{mcp: true}).handler)
	defer server.Close()
	for _, tt := range []struct {
		rule, framing string
		closes        bool
	}{
		{"with only a length it remains open", fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(pingMessage), pingMessage), false},
		{"chunks", fmt.Sprintf("Transfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n", len(pingMessage), pingMessage),
			true},
		{"both", fmt.Sprintf("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n0\r\n\r\n",
			len(pingMessage), pingMessage), true},
	} {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+
			tt.framing); err != nil {
			t.Fatal(err)
		}
		r, err := http.ReadResponse(bufio.NewReader(c), nil)
		if err != nil {
			t.Fatal(err)
		}
		defer r.Body.Close()
		if r.StatusCode != 200 || r.Close != tt.closes {
			t.Errorf("%s: got %d, the connection ends: %t", tt.rule, r.StatusCode, r.Close)
		}
	}
}

// TestABodyWithoutALengthIsBounded sends one byte more than the limit in a chunk, and does not end the body.
func TestABodyWithoutALengthIsBounded(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(newSite(t, settings{mcp: true}).handler)
	server.Config.ReadTimeout = 10 * time.Second // ends the test if the server continues to read
	server.Start()
	defer server.Close()
	c, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _,
		err := fmt.Fprintf(c,
		"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n%x\r\n%s\r\n",
		64<<10+1, strings.Repeat(" ", 64<<10+1)); err != nil {
		t.Fatal(err)
	}
	r, err := http.ReadResponse(bufio.NewReader(c), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if body, err := io.ReadAll(r.Body); err != nil || r.StatusCode != 413 || !r.Close {
		t.Errorf("got %d %s, %v", r.StatusCode, body, err)
	}
}

// TestAMessageThatNeverEnds opens two POST requests: one without its body, and one with an unread response.
func TestAMessageThatNeverEnds(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{mcp: true})
	server := httptest.NewUnstartedServer(s.handler)
	server.Config.ReadTimeout = 50 * time.Millisecond
	server.Start()
	defer server.Close()
	post := func(length int, body string) net.Conn {
		c, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		if _,
			err := fmt.Fprintf(c,
			"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", length,
			body); err != nil {
			t.Fatal(err)
		}
		return c
	}
	half := post(100, pingMessage)
	defer half.Close()
	unread := post(len(pingMessage), pingMessage)
	defer unread.Close() // the server closes its end
	r, err := http.ReadResponse(bufio.NewReader(half), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	if err != nil || r.StatusCode != 400 || !r.Close || !strings.Contains(string(body), "is incomplete") {
		t.Errorf("got %d %s, %v", r.StatusCode, body, err)
	}
}

// TestClientsOfTheProtocol uses the library's client, with each version of the protocol, to list and call
// tools and to read resources.
func TestClientsOfTheProtocol(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{mcp: true, public: ratelimit.Policy{{Limit: 1000, Span: time.Minute}}})
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			ctx := context.Background()
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
			session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: s.url + "/mcp",
				DisableStandaloneSSE: true, HTTPClient: s.client}, &mcp.ClientSessionOptions{ProtocolVersion: version})
			if err != nil {
				t.Fatal(err)
			}
			defer func() { _ = session.Close() }()
			tools, err := session.ListTools(ctx, nil)
			if err != nil || len(tools.Tools) != 5 {
				t.Fatalf("%v, %v", tools, err)
			}
			r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "get_material", Arguments: map[string]any{"id": panel}})
			if err != nil || r.IsError || r.StructuredContent.(map[string]any)["id"] != panel {
				t.Errorf("%+v, %v", r, err)
			}
			read, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "sabine://catalogue"})
			if err != nil || !gjson.Get(read.Contents[0].Text, "hash").Exists() {
				t.Errorf("%v, %v", read, err)
			}
			if r, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "get_material",
				Arguments: map[string]any{"id": 7}}); err != nil || !r.IsError {
				t.Errorf("%+v, %v", r, err)
			}
		})
	}
}
