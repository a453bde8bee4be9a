package serve

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"

	"sabine/indexes/snapshot"
	"sabine/runtime"
	"sabine/serve/keys"
	"sabine/serve/ratelimit"
)

// A logBuffer collects the server's log.
type logBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *logBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *logBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// newServer returns a server without a snapshot, and its log. Its method answer adds operations for tests.
func newServer(t *testing.T) (*Server, *logBuffer) {
	t.Helper()
	log := new(logBuffer)
	logger := slog.New(slog.NewJSONHandler(log, nil))
	store, err := keys.OpenStore(filepath.Join(t.TempDir(), "keys.json"), logger)
	if err != nil {
		t.Fatal(err)
	}
	counters, err := ratelimit.NewMemory("", nil, logger)
	if err != nil {
		t.Fatal(err)
	}
	current := runtime.NewCurrent(snapshot.Folder{Dir: t.TempDir()}, logger)
	t.Cleanup(func() { _ = current.Close() })
	s, err := New(Options{
		Current: current,
		Keys:    store,
		Limits: ratelimit.NewLimiter(counters, ratelimit.Policy{{Limit: 60, Span: time.Minute}},
			ratelimit.Policy{{Limit: 120, Span: time.Minute}}, ratelimit.Policy{{Limit: 10, Span: 24 * time.Hour}}),
		Log: logger,
	})
	if err != nil {
		t.Fatal(err)
	}
	return s, log
}

// answer adds an operation at /api/test.
func (s *Server) answer(f func(*exchange) representation) {
	answer := func(x *exchange) (representation, *problem) { return f(x), nil }
	s.pages["/api/test"] = &operation{name: "test", cache: cachePublic, answer: answer}
}

func get(t *testing.T, url string) (*http.Response, string) {
	t.Helper()
	resp, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp, string(body)
}

// checkPanicked checks that a response has status 500 because of a panic, and that the panic was logged.
func checkPanicked(t *testing.T, resp *http.Response, body, log string) {
	t.Helper()
	if resp.StatusCode != 500 ||
		body != `{"error":"internal_error","message":"internal error: try again shortly, and include X-Request-Id in a report"}` {
		t.Errorf("got %d %s", resp.StatusCode, body)
	}
	for name, want := range map[string]string{
		"Cache-Control": "no-store", "Content-Type": "application/json", "Ratelimit-Remaining": "120",
		"Access-Control-Allow-Origin": "*", "Link": `</api/v1/openapi.json>; rel="service-desc"`, "X-Snapshot": "",
		"Etag": "", "Content-Encoding": "",
	} {
		if got := resp.Header.Get(name); got != want {
			t.Errorf("%s: got %q, want %q", name, got, want)
		}
	}
	if id := resp.Header.Get("X-Request-Id"); !isUUID(id) ||
		!strings.Contains(log, `"msg":"panic while handling a request","request_id":"`+id+`"`) {
		t.Errorf("request %s: got the log %s", id, log)
	}
}

func TestAPanicFailsOneRequest(t *testing.T) {
	s, log := newServer(t)
	s.answer(func(x *exchange) representation {
		x.Header().Set("X-Snapshot", "half-way")
		x.Header().Set("Etag", `"half-way"`)
		panic("a bug")
	})
	web := httptest.NewServer(s)
	defer web.Close()
	resp, body := get(t, web.URL+"/api/test")
	checkPanicked(t, resp, body, log.String())
	if resp, _ := get(t, web.URL+"/api/v1/openapi.json"); resp.StatusCode != 200 {
		t.Errorf("after the panic: got %d", resp.StatusCode)
	}
}

// TestAFaultInAMappingFailsOneRequest reads a page beyond the end of a truncated mapped file. This can happen
// if a snapshot is overwritten in place.
func TestAFaultInAMappingFailsOneRequest(t *testing.T) {
	file, err := os.Create(filepath.Join(t.TempDir(), "mapped"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if err := file.Truncate(4096); err != nil {
		t.Fatal(err)
	}
	mapped, err := unix.Mmap(int(file.Fd()), 0, 4096, unix.PROT_READ, unix.MAP_SHARED)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Munmap(mapped) }()
	if err := file.Truncate(0); err != nil {
		t.Fatal(err)
	}
	s, log := newServer(t)
	s.answer(func(*exchange) representation { return representation{body: mapped, mapped: true} })
	web := httptest.NewServer(s)
	defer web.Close()
	resp, body := get(t, web.URL+"/api/test")
	checkPanicked(t, resp, body, log.String())
}

func TestAPanicAfterTheHeaderBreaksTheConnection(t *testing.T) {
	s, _ := newServer(t)
	s.answer(func(x *exchange) representation {
		x.Header().Set("Content-Length", "1000")
		x.finish(http.StatusOK, []byte("half an answer"))
		panic("a bug")
	})
	web := httptest.NewServer(s)
	defer web.Close()
	resp, err := http.Get(web.URL + "/api/test")
	if err == nil {
		defer resp.Body.Close()
		_, err = io.ReadAll(resp.Body)
	}
	if err == nil {
		t.Error("the client took half an answer for a whole one")
	}
}

func TestAnAbortIsLeftToTheServer(t *testing.T) {
	s, log := newServer(t)
	s.answer(func(*exchange) representation { panic(http.ErrAbortHandler) })
	web := httptest.NewServer(s)
	if resp, err := http.Get(web.URL + "/api/test"); err == nil {
		t.Errorf("got %d", resp.StatusCode)
	}
	web.Close()
	if strings.Contains(log.String(), "panic") {
		t.Errorf("got the log %s", log)
	}
}

func TestMetricsAreLabelledByRouteNeverByPath(t *testing.T) {
	s, _ := newServer(t)
	web := httptest.NewServer(s)
	for _, path := range []string{"/api/v1/materials/one", "/api/v1/materials/two", "/nowhere", "/api/v1/openapi.json"} {
		get(t, web.URL+path)
	}
	r, err := http.NewRequest("BREW", web.URL+"/api/public/search", nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	web.Close()
	admin := httptest.NewServer(s.Admin())
	defer admin.Close()
	_, text := get(t, admin.URL+"/metrics")
	for _, want := range []string{
		`sabine_http_requests_total{method="GET",route="getMaterial",status="4xx"} 2`,
		`sabine_http_requests_total{method="GET",route="none",status="4xx"} 1`,
		`sabine_http_requests_total{method="GET",route="getDescription",status="2xx"} 1`,
		`sabine_http_requests_total{method="other",route="searchProducts",status="4xx"} 1`,
		`sabine_http_request_duration_seconds_count{route="getMaterial"} 2`,
		"sabine_http_requests_in_flight 0",
		"sabine_http_panics_total 0",
		`sabine_generation_info{name="",status="waiting"} 1`,
		"sabine_generation_products 0",
		"sabine_generation_mapped_bytes 0",
		"sabine_generation_switches_total 0",
		"sabine_generation_refused_total 0",
		"sabine_key_reload_failures_total 0",
		`sabine_rate_limit_refusals_total{budget="account"} 0`,
		"sabine_rate_limit_store_failures_total 0",
	} {
		if !strings.Contains(text, want+"\n") {
			t.Errorf("/metrics lacks %s", want)
		}
	}
	if strings.Contains(text, "nowhere") || strings.Contains(text, "BREW") {
		t.Error("/metrics shows what clients made up")
	}
}

func TestLargeBuffersAreNotPooled(t *testing.T) {
	if got := recycled(make([]byte, 10, maxPooledBuffer)); cap(got) != maxPooledBuffer || len(got) != 0 {
		t.Errorf("got %d of %d bytes", len(got), cap(got))
	}
	if got := recycled(make([]byte, 10, maxPooledBuffer+1)); got != nil {
		t.Errorf("kept a buffer of %d bytes", cap(got))
	}
}

func TestAFailedListenerEndsTheServer(t *testing.T) {
	s, _ := newServer(t)
	api, admin := listen(t), listen(t)
	_ = api.Close()
	if err := s.Serve(context.Background(), api, admin); err == nil {
		t.Error("got no error")
	}
	if c, err := net.Dial("tcp", admin.Addr().String()); err == nil {
		_ = c.Close()
		t.Error("the admin address is still served")
	}
}

func listen(t *testing.T) net.Listener {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestEveryLimitOfAListenerIsSet(t *testing.T) {
	s, _ := newServer(t)
	l := s.httpServer(s)
	if l.ReadHeaderTimeout <= 0 || l.ReadTimeout <= 0 || l.WriteTimeout <= 0 || l.IdleTimeout <= 0 ||
		l.MaxHeaderBytes <= maxQueryBytes || l.MaxHeaderBytes > 1<<20 {
		t.Errorf("got %+v", l)
	}
	if h := l.HTTP2; h == nil || h.MaxConcurrentStreams <= 0 || h.MaxConcurrentStreams > 100 || h.SendPingTimeout <= 0 ||
		h.PingTimeout <= 0 || h.WriteByteTimeout <= 0 {
		t.Errorf("of HTTP/2 got %+v", h)
	}
}

// TestWhatTheServerItselfAsksIsAnswered checks a request that net/http would answer without the header fields
// of the contract.
func TestWhatTheServerItselfAsksIsAnswered(t *testing.T) {
	s, _ := newServer(t)
	api, _, _, _ := serving(t, s)
	resp := talk(t, api, "OPTIONS * HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")[0]
	if resp.StatusCode != 404 || resp.Header.Get("X-Request-Id") == "" || resp.Header.Get("Ratelimit-Limit") != "120" {
		t.Errorf("got %d with %v", resp.StatusCode, resp.Header)
	}
}

func TestMissingAndInvalidSettingsAreReported(t *testing.T) {
	s, _ := newServer(t)
	whole := Options{Current: s.options.Current, Keys: s.options.Keys, Limits: s.options.Limits}
	if _, err := New(whole); err != nil {
		t.Errorf("the zero value of every other setting: %v", err)
	}
	wrong := map[string]Options{
		"missing option: Current": {Keys: whole.Keys, Limits: whole.Limits},
		"base path":               {Current: whole.Current, Keys: whole.Keys, Limits: whole.Limits, BasePath: "x"},
	}
	for _, u := range []string{"example.org", "ftp://example.org", "https://", "https://:443", "https://a@example.org",
		"https://example.org?x=1", "https://example.org?", "https://example.org#x", "https://%zz"} {
		o := whole
		o.PublicURL = u
		wrong[fmt.Sprintf("public URL %q", u)] = o
	}
	for want, o := range wrong {
		if _, err := New(o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, want an error about the %s", err, want)
		}
	}
}

// A keepingWriter retains the written bytes without a copy. Before it accepts them, it calls a function.
type keepingWriter struct {
	*httptest.ResponseRecorder
	last      []byte
	meanwhile func()
}

func (w *keepingWriter) Write(b []byte) (int, error) {
	w.last = b
	w.meanwhile()
	return len(b), nil
}

// TestConstantBodiesAreSentWithoutACopy checks that the server makes no copy of a large file for a client
// that requests the file and does not read it.
func TestConstantBodiesAreSentWithoutACopy(t *testing.T) {
	s, _ := newServer(t)
	paths := []string{"/api/v1/openapi.json"}
	for path, op := range s.pages {
		if op.page && op.vary == nil {
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		for _, coding := range []string{"identity", "gzip", "zstd"} {
			var sent [][]byte
			var ask func()
			ask = func() {
				r := httptest.NewRequest(http.MethodGet, path, nil)
				r.Header.Set("Accept-Encoding", coding)
				w := &keepingWriter{httptest.NewRecorder(), nil, func() {
					if len(sent) == 0 {
						sent = append(sent, nil)
						ask()
					}
				}}
				s.ServeHTTP(w, r)
				sent = append(sent, w.last)
			}
			ask()
			sent = sent[1:]
			if len(sent[0]) == 0 || unsafe.SliceData(sent[0]) != unsafe.SliceData(sent[1]) {
				t.Errorf("%s in %s: %d bytes are made for each request", path, coding, len(sent[0]))
			}
		}
	}
}

// TestStopReason checks that work ends after the client has disconnected or the time for draining is over.
func TestStopReason(t *testing.T) {
	for _, tt := range []struct {
		rule         string
		major        int
		ended, drain bool
		want         string // expected reason, or ""
	}{
		{"a client waits", 2, false, false, ""},
		{"a stream was reset", 2, true, false, cutByClient},
		{"a client of HTTP/1.1 can close only its half", 1, true, false, ""},
		{"the server ends", 1, false, true, cutByShutdown},
		{"the server ends, and the connection with it", 2, true, true, cutByShutdown},
	} {
		s, _ := newServer(t)
		ctx, cancel := context.WithCancel(t.Context())
		if tt.ended {
			cancel()
		}
		s.cutting.Store(tt.drain)
		x := &exchange{server: s, request: httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/test", nil)}
		x.request.ProtoMajor = tt.major
		got := ""
		if err := x.stopReason(); err != nil {
			got = x.cutReason(err)
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.rule, got, tt.want)
		}
		cancel()
	}
}

// TestAStreamThatIsResetBeforeItsTurnCostsNothing applies only to HTTP/2. Over HTTP/1.1, a client that has
// closed its half of the connection still waits for the response.
func TestAStreamThatIsResetBeforeItsTurnCostsNothing(t *testing.T) {
	for major, want := range map[int]bool{1: true, 2: false} {
		s, _ := newServer(t)
		answered := false
		s.answer(func(*exchange) representation {
			answered = true
			return representation{body: []byte("{}")}
		})
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		r := httptest.NewRequestWithContext(ctx, http.MethodGet, "/api/test", nil)
		r.ProtoMajor = major
		func() {
			defer func() {
				if reason := recover(); (reason == nil) != want {
					t.Errorf("HTTP/%d: %v", major, reason)
				}
			}()
			s.ServeHTTP(httptest.NewRecorder(), r)
		}()
		if answered != want {
			t.Errorf("HTTP/%d: answered %t, want %t", major, answered, want)
		}
	}
}
