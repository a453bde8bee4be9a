package serve

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/httptest"
	goruntime "runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"
	"golang.org/x/net/netutil"

	"sabine/runtime"
)

// noise is data that no coding compresses well. It is twice as long as any compression window.
var noise = func() []byte {
	b := make([]byte, 2*streamWindow)
	_, _ = rand.NewChaCha8([32]byte{}).Read(b) // never fails
	return b
}()

// noisePiece is the size of a single write.
const noisePiece = 64 << 10

// appendNoise appends n pieces of noise.
func appendNoise(dst []byte, n int) []byte {
	for i := range n {
		start := i * noisePiece % len(noise)
		dst = append(dst, noise[start:start+noisePiece]...)
	}
	return dst
}

// streamed adds an operation at /api/test whose body is a stream.
func (s *Server) streamed(write func(io.Writer) error) {
	s.answer(func(*exchange) representation {
		return representation{stream: write, mediaType: []string{"text/plain"}, hash: strings.Repeat("0", 32)}
	})
}

// writeNoise writes n pieces and then calls then.
func writeNoise(n int, then func() error) func(io.Writer) error {
	return func(w io.Writer) error {
		for i := range n {
			start := i * noisePiece % len(noise)
			if _, err := w.Write(noise[start:][:noisePiece]); err != nil {
				return err
			}
		}
		return then()
	}
}

func whole() error { return nil }

// ask sends a request for /api/test on a new connection. It returns the response, its decoded body and the
// error.
func ask(t *testing.T, address, method, protocol, coding string) (*http.Response, []byte, error) {
	t.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	fmt.Fprintf(conn, "%s /api/test %s\r\nHost: x\r\nAccept-Encoding: %s\r\n\r\n", method, protocol, coding)
	resp, err := http.ReadResponse(bufio.NewReader(conn), &http.Request{Method: method})
	if err != nil {
		return nil, nil, err
	}
	sent, err := io.ReadAll(resp.Body)
	if err != nil {
		return resp, sent, err
	}
	body, err := decoded(resp.Header.Get("Content-Encoding"), sent)
	return resp, body, err
}

func decoded(coding string, sent []byte) (body []byte, err error) {
	var r io.Reader = bytes.NewReader(sent)
	switch {
	case coding == "gzip" && len(sent) > 0:
		r, err = gzip.NewReader(r)
	case coding == "zstd" && len(sent) > 0:
		r, err = zstd.NewReader(r)
	}
	if err != nil {
		return nil, err
	}
	return io.ReadAll(r)
}

// eachStream runs a test with all codings and protocols.
func eachStream(t *testing.T, test func(t *testing.T, protocol, coding string)) {
	for _, protocol := range []string{"HTTP/1.1", "HTTP/1.0"} {
		for _, coding := range []string{"identity", "gzip", "zstd"} {
			t.Run(protocol+" "+coding, func(t *testing.T) { test(t, protocol, coding) })
		}
	}
}

func TestAStreamArrivesComplete(t *testing.T) {
	for _, pieces := range []int{0, 1, 20} {
		eachStream(t, func(t *testing.T, protocol, coding string) {
			s, log := newServer(t)
			s.streamed(writeNoise(pieces, whole))
			api, _, _, _ := serving(t, s)
			resp, body, err := ask(t, api, "GET", protocol, coding)
			if want := appendNoise(nil, pieces); err != nil || !bytes.Equal(body, want) {
				t.Fatalf("got %d bytes, %v, want %d", len(body), err, len(want))
			}
			want := map[string]string{"Content-Type": "text/plain", "Vary": "Accept-Encoding", "Cache-Control": cachePublic[0],
				"Content-Encoding": coding}
			tag := `"` + strings.Repeat("0", 32)
			if coding == "identity" {
				delete(want, "Content-Encoding")
			} else {
				tag += "-" + coding
			}
			want["Etag"] = tag + `"`
			for name, value := range want {
				if got := resp.Header.Get(name); got != value {
					t.Errorf("%s: got %q, want %q", name, got, value)
				}
			}
			if chunks := len(resp.TransferEncoding) > 0; chunks != (protocol == "HTTP/1.1") ||
				chunks != (resp.ContentLength < 0) {
				t.Errorf("Transfer-Encoding %v, Content-Length %d", resp.TransferEncoding, resp.ContentLength)
			}
			head, body, err := ask(t, api, "HEAD", protocol, coding)
			if err != nil || len(body) > 0 || head.StatusCode != 200 {
				t.Errorf("HEAD: got %d, %d bytes, %v", head.StatusCode, len(body), err)
			}
			for name, value := range want {
				if got := head.Header.Get(name); got != value {
					t.Errorf("HEAD: %s: got %q, want %q", name, got, value)
				}
			}
			if strings.Contains(log.String(), "cut_short") {
				t.Errorf("got the log %s", log)
			}
		})
	}
}

// TestAStreamThatIsCutNeverEndsProperly checks that no client can mistake a partial body for a complete one.
func TestAStreamThatIsCutNeverEndsProperly(t *testing.T) {
	for rule, fault := range map[string]func() error{
		cutByDamage: func() error { panic(&runtime.DamagedBody{Name: "x.snapshot"}) },
		cutByPanic:  func() error { panic("a bug") },
		cutByClient: func() error { return errors.New("nobody takes it") },
	} {
		t.Run(rule, func(t *testing.T) {
			eachStream(t, func(t *testing.T, protocol, coding string) {
				s, log := newServer(t)
				counting := protocol == "HTTP/1.0" // the length is sent first, so the body is written twice
				s.streamed(writeNoise(20, func() error {
					if counting {
						counting = false
						return nil
					}
					return fault()
				}))
				api, _, _, cancel := serving(t, s)
				resp, body, err := ask(t, api, "GET", protocol, coding)
				if !errors.Is(err, io.ErrUnexpectedEOF) {
					t.Errorf("got %d bytes of %v, %v", len(body), resp, err)
				}
				cancel()
				for log.requestLine() == "" {
					goruntime.Gosched() // wait for the log line, which is written after the client notices the end
				}
				if line := log.requestLine(); !gjson.Get(line, "cut_short").Bool() ||
					gjson.Get(line, "bytes").Int() < noisePiece || gjson.Get(line, "status").Int() != 200 {
					t.Errorf("got the log %s", line)
				}
				checkMetric(t, s, fmt.Sprintf(`sabine_http_responses_cut_total{reason=%q,route="test"} 1`, rule))
				sent := strconv.FormatFloat(gjson.Get(log.requestLine(), "bytes").Float(), 'g', -1, 64)
				checkMetric(t, s, `sabine_http_streamed_bytes_total{route="test"} `+sent)
			})
		})
	}
}

// requestLine returns the line of the first request in the log.
func (l *logBuffer) requestLine() string {
	for line := range strings.Lines(l.String()) {
		if gjson.Get(line, "msg").String() == "request" {
			return line
		}
	}
	return ""
}

// TestAStreamThatFailsBeforeItsFirstPieceIsAnError checks an error that occurs before the header is sent.
func TestAStreamThatFailsBeforeItsFirstPieceIsAnError(t *testing.T) {
	eachStream(t, func(t *testing.T, protocol, coding string) {
		s, _ := newServer(t)
		s.streamed(func(w io.Writer) error {
			_, _ = io.WriteString(w, "{")
			panic(&runtime.DamagedBody{Name: "x.snapshot"})
		})
		api, _, _, _ := serving(t, s)
		resp, body, err := ask(t, api, "GET", protocol, coding)
		if err != nil || resp.StatusCode != 500 || gjson.GetBytes(body, "error").String() != "internal_error" {
			t.Fatalf("got %v %s, %v", resp, body, err)
		}
		if resp.Header.Get("Etag") != "" || resp.Header.Get("Content-Encoding") != "" ||
			resp.Header.Get("Content-Type") != "application/json" {
			t.Errorf("got %v", resp.Header)
		}
	})
}

// TestHowSlowAClientMayBe runs in a synctest bubble, whose clock advances when all goroutines wait: the
// client before its next read, or the server for the client.
func TestHowSlowAClientMayBe(t *testing.T) {
	for _, tt := range []struct {
		rule  string
		fast  int           // bytes that it first reads, in seconds at the minimum pace
		every time.Duration // interval at which it then reads the bytes of one second
		most  time.Duration // time until it is disconnected; 0: never
	}{
		{"at the minimum pace", 0, time.Second, 0},
		{"faster", 0, 500 * time.Millisecond, 0},
		{"it takes nothing", 0, 24 * time.Hour, paceGrace + 3*time.Second},
		{"at a tenth of the minimum pace", 0, 10 * time.Second, 40 * time.Second},
		{"it was fast and stops", 600, 24 * time.Hour, paceGrace},
		{"it was fast and becomes slow: each piece is in time, until the whole stream is late", 30, 10 * time.Second,
			70 * time.Second},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			s, log := newServer(t)
			s.streamed(writeNoise(1200, whole))
			synctest.Test(t, func(t *testing.T) {
				made := make(madeListener)
				server := s.httpServer(s)
				go func() { _ = server.Serve(netutil.LimitListener(made, 1)) }()
				client := made.connect()
				if _, err := io.WriteString(client, "GET /api/test HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); err != nil {
					t.Fatal(err)
				}
				buffer := make([]byte, minPace)
				for taken := 0; ; taken++ {
					if taken >= tt.fast {
						time.Sleep(tt.every)
					}
					if _, err := io.ReadFull(client, buffer); err != nil {
						break
					}
				}
				synctest.Wait()
				line := log.requestLine()
				after := time.Duration(gjson.Get(line, "duration_ms").Float() * float64(time.Millisecond))
				cut := gjson.Get(line, "cut_short").Bool()
				if cut != (tt.most > 0) || cut && after > tt.most || !cut && after < 5*time.Minute {
					t.Errorf("cut %t after %v: %s", cut, after, line)
				}
				if cut {
					checkMetric(t, s, `sabine_http_responses_cut_total{reason="slow",route="test"} 1`)
				}
				client.Close()
				made.connect() // this connection waits for a free slot, so that the listener has nothing else to wait for
				if err := server.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestAClientThatDisconnectsEndsTheWork uses an endless stream.
func TestAClientThatDisconnectsEndsTheWork(t *testing.T) {
	for _, coding := range []string{"identity", "gzip", "zstd"} {
		t.Run(coding, func(t *testing.T) {
			s, log := newServer(t)
			s.streamed(func(w io.Writer) error {
				for {
					if _, err := w.Write(noise); err != nil {
						return err
					}
				}
			})
			api, _, _, _ := serving(t, s)
			conn, err := net.Dial("tcp", api)
			if err != nil {
				t.Fatal(err)
			}
			fmt.Fprintf(conn, "GET /api/test HTTP/1.1\r\nHost: x\r\nAccept-Encoding: %s\r\n\r\n", coding)
			if _, err := io.ReadFull(conn, make([]byte, 300<<10)); err != nil {
				t.Fatal(err)
			}
			conn.Close()
			for log.requestLine() == "" {
				goruntime.Gosched()
			}
			checkMetric(t, s, `sabine_http_responses_cut_total{reason="client",route="test"} 1`)
		})
	}
	t.Run("while its length is counted", func(t *testing.T) {
		s, log := newServer(t)
		counting := make(chan struct{})
		s.streamed(func(w io.Writer) error {
			close(counting)
			for {
				if _, err := w.Write(noise); err != nil {
					return err
				}
			}
		})
		api, _, _, _ := serving(t, s)
		conn, err := net.Dial("tcp", api)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprint(conn, "GET /api/test HTTP/1.0\r\n\r\n")
		<-counting
		conn.Close()
		for log.requestLine() == "" {
			goruntime.Gosched()
		}
	})
}

// TestADrainingServerContinuesAStream checks that a stream ends early only when its connection is closed.
func TestADrainingServerContinuesAStream(t *testing.T) {
	t.Run("it ends in time", func(t *testing.T) {
		s, _ := newServer(t)
		begun, drained := make(chan struct{}), make(chan struct{})
		s.streamed(writeNoise(10, func() error {
			close(begun)
			<-drained
			return nil
		}))
		api, _, _, cancel := serving(t, s)
		go func() {
			<-begun
			cancel()
			for !s.draining.Load() {
				goruntime.Gosched()
			}
			close(drained)
		}()
		if _, body, err := ask(t, api, "GET", "HTTP/1.1", "identity"); err != nil || len(body) != 10*noisePiece {
			t.Errorf("got %d bytes, %v", len(body), err)
		}
	})
	t.Run("the time is over", func(t *testing.T) {
		s, log := newServer(t)
		web := httptest.NewUnstartedServer(s)
		var pieces atomic.Int64
		s.streamed(func(w io.Writer) error {
			for {
				if pieces.Add(1) == 100 {
					go func() { _ = web.Config.Close() }()
				}
				if _, err := w.Write(noise); err != nil {
					return err
				}
			}
		})
		web.Start()
		defer web.Close()
		if _, _, err := ask(t, web.Listener.Addr().String(), "GET", "HTTP/1.1", "identity"); err == nil {
			t.Error("the body has an end")
		}
		for log.requestLine() == "" {
			goruntime.Gosched()
		}
		checkMetric(t, s, `sabine_http_responses_cut_total{reason="shutdown",route="test"} 1`)
	})
}

// TestAStreamTakesNoMemory checks that memory use does not depend on the length of a stream.
func TestAStreamTakesNoMemory(t *testing.T) {
	for _, to := range []coding{identity, gzipped, zstandard} {
		stream := func() {
			length := counter{ctx: context.Background()}
			if err := writeCoded(&length, to, writeNoise(200, whole)); err != nil || length.n < 200*noisePiece/2 {
				t.Errorf("got %d bytes, %v", length.n, err)
			}
		}
		// The limit is much less than the number of pieces. With the race detector, a pool drops items, so that new
		// encoders are allocated.
		if n := testing.AllocsPerRun(3, stream); n > 100 {
			t.Errorf("%s: %v allocations", contentCodings[to].name, n)
		}
	}
}

// TestThePaceOfAStream checks that a client gets time for what it has read, but at most paceGrace in advance.
func TestThePaceOfAStream(t *testing.T) {
	began := time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		rule  string
		after time.Duration
		bytes int
		want  time.Duration // time after the beginning of the stream
	}{
		{"nothing is taken yet", 0, 0, paceGrace},
		{"standing still is no reason for more", 20 * time.Second, 0, paceGrace},
		{"who keeps the pace has the whole grace", 90 * time.Second, 100 * minPace, 90*time.Second + paceGrace},
		{"however large the catalogue is", time.Hour, 1 << 40, time.Hour + paceGrace},
	} {
		if got := deadline(began, began.Add(tt.after), tt.bytes).Sub(began); got != tt.want {
			t.Errorf("%s: %v, want %v", tt.rule, got, tt.want)
		}
	}
}
