package serve

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"sabine/serve/keys"
)

// TestALineIsTheOneThatSlogWrites holds the lines that are put together here against those of the slow way.
func TestALineIsTheOneThatSlogWrites(t *testing.T) {
	began := time.Date(2026, 11, 21, 9, 5, 3, 120_000_000, time.FixedZone("", 3600))
	acme := &keys.Caller{AccountID: "3f1f", Account: "Müller & \"Söhne\"", Key: "key-1a2b3c4d"}
	for rule, change := range map[string]func(*exchange){
		"a request with a key": func(x *exchange) {
			x.account, x.caller, x.operation, x.status, x.sent = acme.AccountID, acme, getMaterial, 200, 2192
		},
		"a key that is refused":       func(x *exchange) { x.caller, x.operation, x.status = acme, getMaterial, 403 },
		"a request without one":       func(x *exchange) { x.operation, x.status = searchProducts, 200 },
		"an unknown path":             func(x *exchange) { x.status = 404 },
		"a method that was made up":   func(x *exchange) { x.request.Method = `BREW"` },
		"a client that went away":     func(x *exchange) { x.cutShort = true },
		"no snapshot":                 func(x *exchange) { x.snapshot = "" },
		"a request of no time at all": func(x *exchange) { x.began = began },
		"a request of whole seconds":  func(x *exchange) { x.began = began.Add(-20 * time.Second) },
	} {
		var want bytes.Buffer
		x := &exchange{
			server:   &Server{log: slog.New(slog.NewJSONHandler(&want, nil))},
			request:  httptest.NewRequest(http.MethodGet, "/", nil),
			began:    began.Add(-1_234_567),
			id:       "b845246a-48c7-441c-a449-ec22707f9dd2",
			snapshot: "09adf300fdb86240",
		}
		change(x)
		x.log(began)
		got := string(x.appendLine(nil, began))
		const at = `{"time":"2026-11-21T09:05:03.12+01:00"`
		_, rest, _ := strings.Cut(want.String(), ",") // slog reads the clock itself
		if got != at+","+rest {
			t.Errorf("%s:\ngot  %swant %s,%s", rule, got, at, rest)
		}
	}
}

func newExchange() *exchange {
	return &exchange{request: httptest.NewRequest(http.MethodGet, "/", nil), began: time.Now()}
}

func TestALineDoesNotWaitForAnother(t *testing.T) {
	read, written := io.Pipe()
	newRequestLog(written).add(newExchange(), time.Now())
	if line, err := bufio.NewReader(read).ReadString('\n'); err != nil || !strings.Contains(line, `"msg":"request"`) {
		t.Errorf("got %q, %v", line, err)
	}
}

func TestManyLinesAreWrittenWithoutWaiting(t *testing.T) {
	var b logBuffer
	l := newRequestLog(&b)
	l.timer.Stop()
	l.lines = make([]byte, maxWaitingLines)
	l.add(newExchange(), time.Now())
	if got := len(b.String()); got <= maxWaitingLines || len(l.lines) != 0 {
		t.Errorf("%d bytes were written and %d wait", got, len(l.lines))
	}
}

func TestTheLastLinesAreWrittenWhenTheServerEnds(t *testing.T) {
	s, _ := newServer(t)
	var b logBuffer
	s.requests = newRequestLog(&b)
	s.requests.timer.Stop()
	s.requests.lines = []byte("the last line\n")
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Serve(ctx, listen(t), listen(t)); err != nil || b.String() != "the last line\n" {
		t.Errorf("got %v and %q", err, b.String())
	}
}
