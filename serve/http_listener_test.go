package serve

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	goruntime "runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/netutil"

	"sabine/indexes/snapshot"
)

func TestConnectionsThatALimitOfOpenFilesLeaves(t *testing.T) {
	for _, tt := range []struct {
		descriptors uint64
		api, admin  int
	}{
		{0, 1, 1}, {1, 1, 1}, {2, 1, 1}, {64, 32, 8}, {256, 128, 32}, {257, 129, 32}, {1024, 896, 32}, {65536, 65408, 32},
		{1 << 63, maxConnections, 32}, {1<<64 - 1, maxConnections, 32},
	} {
		if api, admin := connectionsWithin(tt.descriptors); api != tt.api || admin != tt.admin {
			t.Errorf("%d descriptors: got %d and %d connections, want %d and %d", tt.descriptors, api, admin, tt.api, tt.admin)
		}
	}
	if got := descriptorLimit(); got < 1 {
		t.Errorf("got %d", got)
	}
}

// metricsOf returns the metrics of a server.
func metricsOf(s *Server) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	s.Admin().ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	return w
}

// checkMetric checks that /metrics contains a line.
func checkMetric(t *testing.T, s *Server, want string) {
	t.Helper()
	w := metricsOf(s)
	if !strings.Contains(w.Body.String(), "\n"+want+"\n") {
		t.Errorf("/metrics lacks %s", want)
	}
	if w.Header().Get("X-Content-Type-Options") != "nosniff" {
		t.Error("/metrics may be sniffed")
	}
}

func TestMetricsOfTheProgramItself(t *testing.T) {
	s, _ := newServer(t)
	checkMetric(t, s, fmt.Sprintf(`sabine_build_info{format="%d.%d",goversion=%q,version=""} 1`, snapshot.FormatMajor,
		snapshot.FormatMinor, goruntime.Version()))
	checkMetric(t, s, "sabine_log_lines_dropped_total 0")
}

// A madeListener accepts the connections that a test sends to it.
type madeListener chan net.Conn

func (l madeListener) Accept() (net.Conn, error) {
	if c, open := <-l; open {
		return c, nil
	}
	return nil, net.ErrClosed
}

func (l madeListener) Close() error {
	close(l)
	return nil
}

func (madeListener) Addr() net.Addr { return &net.TCPAddr{} }

// connect returns the client's end of a connection after the listener has accepted it.
func (l madeListener) connect() net.Conn {
	client, server := net.Pipe()
	l <- server
	return client
}

func TestOpenConnectionsAreCounted(t *testing.T) {
	s, _ := newServer(t)
	api, _, _, _ := serving(t, s)
	checkMetric(t, s, "sabine_connections 0")
	if resp, _ := get(t, "http://"+api+"/api/v1/openapi.json"); resp.StatusCode != 200 {
		t.Errorf("got %d", resp.StatusCode)
	}
	checkMetric(t, s, "sabine_connections 1")
	http.DefaultClient.CloseIdleConnections()
	for !strings.Contains(metricsOf(s).Body.String(), "\nsabine_connections 0\n") {
		goruntime.Gosched() // net/http notices the end of the connection when it reads
	}
}

// TestASlowClientIsDisconnected checks that the next client waits until the slow client is disconnected.
func TestASlowClientIsDisconnected(t *testing.T) {
	for _, tt := range []struct {
		rule, sends string
		takes       bool
		after       time.Duration
	}{
		{"it sends nothing", "", true, readHeaderTimeout},
		{"it sends half a header", "GET /nowhere HTTP/1.1\r\nHost: x\r\nX-", true, readHeaderTimeout},
		{"it sends no body", "POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n", true, bodyTimeout},
		{"it does not take the answer", "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n", false, writeTimeout},
		{"it asks for nothing more", "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n", true, idleTimeout},
	} {
		s, _ := newServer(t)
		synctest.Test(t, func(t *testing.T) {
			made := make(madeListener)
			server := s.httpServer(s)
			go func() { _ = server.Serve(netutil.LimitListener(made, 1)) }()
			began, slow := time.Now(), made.connect()
			if _, err := io.WriteString(slow, tt.sends); err != nil {
				t.Fatal(err)
			}
			if tt.takes {
				go func() { _, _ = io.Copy(io.Discard, slow) }()
			}
			made.connect()
			if after := time.Since(began); after != tt.after {
				t.Errorf("%s: got %v, want %v", tt.rule, after, tt.after)
			}
			if err := server.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}

// serving runs a server until the test ends and returns its addresses and the listener for the API.
func serving(t *testing.T, s *Server) (api, admin string, listener net.Listener, cancel func()) {
	t.Helper()
	l, a := listen(t), listen(t)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error)
	go func() { served <- s.Serve(ctx, l, a) }()
	t.Cleanup(func() {
		cancel()
		if err := <-served; err != nil && !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
	})
	return l.Addr().String(), a.Addr().String(), l, cancel
}

// A countingListener counts the connections that it has accepted.
type countingListener struct {
	net.Listener
	accepted atomic.Int64
}

func (l *countingListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		l.accepted.Add(1)
	}
	return c, err
}

// TestNoMoreConnectionsAreAcceptedThanTheLimit checks that connections to one address do not reduce those to
// the other, and that both leave descriptors for the key file and CURRENT.
func TestNoMoreConnectionsAreAcceptedThanTheLimit(t *testing.T) {
	for _, tt := range []struct{ full, asked, other, answers string }{
		{"admin", "/healthz", "api", "/api/v1/openapi.json"},
		{"api", "/api/v1/openapi.json", "admin", "/healthz"},
	} {
		s, _ := newServer(t)
		s.connections, s.adminConnections = 2, 2
		listeners := map[string]*countingListener{"api": {Listener: listen(t)}, "admin": {Listener: listen(t)}}
		ctx, cancel := context.WithCancel(context.Background())
		defer cancel()
		served := make(chan error)
		go func() { served <- s.Serve(ctx, listeners["api"], listeners["admin"]) }()
		var clients []net.Conn // clients in the order in which they are accepted
		for range 4 {
			conn, err := net.Dial("tcp", listeners[tt.full].Addr().String())
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			clients = append(clients, conn)
		}
		for _, conn := range clients[:2] {
			if _, err := io.WriteString(conn, "GET "+tt.asked+" HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
				t.Fatal(err)
			}
			if _, err := http.ReadResponse(bufio.NewReader(conn), nil); err != nil {
				t.Fatal(err)
			}
		}
		if resp, _ := get(t, "http://"+listeners[tt.other].Addr().String()+tt.answers); resp.StatusCode != 200 {
			t.Errorf("while the places of %s are taken, %s answers %d", tt.full, tt.other, resp.StatusCode)
		}
		cancel()
		if err := <-served; err != nil {
			t.Error(err)
		}
		if got := listeners[tt.full].accepted.Load(); got != 2 {
			t.Errorf("%s: %d connections were accepted, want 2", tt.full, got)
		}
	}
}

func TestTooManyConnectionsForTheOpenFilesAreLogged(t *testing.T) {
	for _, tt := range []struct {
		rule             string
		connections      int
		descriptors      uint64
		want, adminWants int
		told             bool
	}{
		{"no setting", 0, 64, 32, 8, false},
		{"what is left", 32, 64, 32, 8, false},
		{"one more", 33, 64, 33, 8, true},
		{"more than there are", 5000, 1024, 5000, 32, true},
	} {
		var logged bytes.Buffer
		s := &Server{options: Options{MaxConnections: tt.connections, Log: slog.New(slog.NewTextHandler(&logged, nil))}}
		s.limitConnections(tt.descriptors)
		if s.connections != tt.want || s.adminConnections != tt.adminWants || strings.Contains(logged.String(),
			"level=WARN") != tt.told {
			t.Errorf("%s: got %d and %d, log %q", tt.rule, s.connections, s.adminConnections, logged.String())
		}
	}
}

// TestADrainingServerReportsItBeforeClosingItsListener checks that a load balancer can notice the draining
// while requests are still accepted.
func TestADrainingServerReportsItBeforeClosingItsListener(t *testing.T) {
	s, _ := newServer(t)
	s.options.DrainDelay = time.Hour // the listener ends the delay
	api, admin, listener, cancel := serving(t, s)
	defer listener.Close()
	status := func() (int, string) {
		resp, body := get(t, "http://"+admin+"/readyz")
		var state struct{ Status string }
		if err := json.Unmarshal([]byte(body), &state); err != nil {
			t.Fatal(err)
		}
		return resp.StatusCode, state.Status
	}
	if code, said := status(); code != 503 || said != "waiting" {
		t.Errorf("before: got %d %s", code, said)
	}
	cancel()
	for {
		if code, said := status(); said == "draining" {
			if code != 503 {
				t.Errorf("got %d", code)
			}
			break
		}
	}
	if resp, _ := get(t, "http://"+api+"/api/v1/openapi.json"); resp.StatusCode != 200 {
		t.Errorf("a request while draining: got %d", resp.StatusCode)
	}
}

// talk sends bytes on a connection and reads responses until the server ends it.
func talk(t *testing.T, address, request string) []*http.Response {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(readTimeout - 5*time.Second)); err != nil { // before net/http ends it
		t.Fatal(err)
	}
	if _, err := io.WriteString(conn, request); err != nil {
		t.Fatal(err)
	}
	var responses []*http.Response
	r := bufio.NewReader(conn)
	for {
		if _, err := r.Peek(1); errors.Is(err, io.EOF) {
			return responses
		}
		resp, err := http.ReadResponse(r, nil)
		if err != nil {
			t.Fatalf("%q: %v after %d responses", request, err, len(responses))
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body = io.NopCloser(strings.NewReader(string(body)))
		responses = append(responses, resp)
		if string(body) == "431 Request Header Fields Too Large" && errors.Is(err, syscall.ECONNRESET) {
			return responses // net/http does not read the rest of this header after a complete response
		}
		if err != nil {
			t.Fatal(err)
		}
		_ = conn.(*net.TCPConn).CloseWrite() // so that a server that skips the body can stop
	}
}

// TestNoAnswerWaitsForABody is necessary because the body may never arrive, and because the following bytes
// may be another client's request.
func TestNoAnswerWaitsForABody(t *testing.T) {
	s, _ := newServer(t)
	api, _, _, _ := serving(t, s)
	const next = "GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\n\r\n"
	for _, tt := range []struct {
		rule, request string
		status        int
	}{
		{"an unknown method", "POST /api/public/search HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n", 405},
		{"a client that asks before it sends",
			"POST /api/public/search HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n\r\n", 405},
		{"in chunks", "PUT /api/public/search HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n", 405},
		{"an unknown path", "POST /nowhere HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n", 404},
		{"a large body", "POST /api/public/search HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n" +
			strings.Repeat("x", 1000), 405},
		{"a GET", "GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\n", 200},
		{"a complete body, and a request after it",
			"GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}" + next, 200},
		{"a length and an encoding",
			"GET /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" +
				next, 200},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			got := talk(t, api, tt.request)
			if len(got) != 1 || got[0].StatusCode != tt.status || !got[0].Close {
				t.Errorf("got %v, want one response with status %d and the end of the connection", got, tt.status)
			}
		})
	}
}

// TestARequestThatCannotBeReadIsRefused checks requests that do not reach a handler, because net/http answers
// them in its own format.
func TestARequestThatCannotBeReadIsRefused(t *testing.T) {
	s, _ := newServer(t)
	api, _, _, _ := serving(t, s)
	for _, tt := range []struct {
		rule, request string
		status        int
	}{
		{"a bad escape in the path", "GET /api/v1/materials/100%zz HTTP/1.1\r\nHost: x\r\n\r\n", 400},
		{"no request line", "hello\r\n\r\n", 400},
		{"no host", "GET /api/public/search HTTP/1.1\r\n\r\n", 400},
		{"an unknown transfer encoding", "GET / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: br\r\n\r\n", 501},
		{"a header that is too large", "GET / HTTP/1.1\r\nHost: x\r\nX: " + strings.Repeat("x", 2*maxHeaderBytes) +
			"\r\n\r\n", 431},
		{"a protocol of the future", "GET / HTTP/3.0\r\nHost: x\r\n\r\n", 505},
		{"an unknown expectation", "GET / HTTP/1.1\r\nHost: x\r\nExpect: mercy\r\n\r\n", 417},
		{"an unknown expectation of an old client", "GET / HTTP/1.0\r\nExpect: mercy\r\n\r\n", 417},
		{"after a valid request", "GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\nGET /% HTTP/1.1\r\nHost: x\r\n\r\n", 400},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			responses := talk(t, api, tt.request)
			got := responses[len(responses)-1]
			if got.StatusCode != tt.status || !got.Close {
				t.Errorf("got %s, closed %v, want %d and the end", got.Status, got.Close, tt.status)
			}
		})
	}
}
