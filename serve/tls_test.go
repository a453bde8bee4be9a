package serve

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	goruntime "runtime"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"weak"

	"github.com/tidwall/gjson"

	"sabine/runtime"
)

// newClient returns a client for HTTP/2, or only for HTTP/1.1, that does not decompress responses.
func newClient(t testing.TB, major int) *http.Client {
	protocols := new(http.Protocols)
	protocols.SetHTTP1(major == 1)
	protocols.SetHTTP2(major == 2)
	transport := &http.Transport{TLSClientConfig: insecure.Clone(), Protocols: protocols, DisableCompression: true}
	t.Cleanup(transport.CloseIdleConnections)
	return &http.Client{Transport: transport}
}

// take sends a request and reads the complete response. It returns an error from either step.
func take(c *http.Client, method, address, coding string) (*http.Response, []byte, error) {
	r, err := http.NewRequest(method, address, nil)
	if err != nil {
		return nil, nil, err
	}
	r.Header.Set("Accept-Encoding", coding)
	resp, err := c.Do(r)
	if err != nil {
		return nil, nil, err
	}
	defer resp.Body.Close()
	sent, err := io.ReadAll(resp.Body)
	if err != nil {
		return resp, sent, err
	}
	body, err := decoded(resp.Header.Get("Content-Encoding"), sent)
	return resp, body, err
}

// TestTheAPIOverTLS checks that both protocols return the same response, and that other clients get none.
func TestTheAPIOverTLS(t *testing.T) {
	s, log := newServer(t)
	s.over(t)
	s.streamed(writeNoise(4, whole))
	api, admin, _, _ := serving(t, s)
	for major := 1; major <= 2; major++ {
		client := newClient(t, major)
		resp, body, err := take(client, "GET", "https://"+api+"/api/v1/openapi.json", "identity")
		if err != nil || resp.StatusCode != 200 || resp.ProtoMajor != major || !gjson.ValidBytes(body) ||
			resp.TLS.Version < tls.VersionTLS12 {
			t.Errorf("HTTP/%d: got %v, %v", major, resp, err)
		}
		for _, coding := range []string{"identity", "gzip", "zstd"} {
			_, body, err := take(client, "GET", "https://"+api+"/api/test", coding)
			if want := appendNoise(nil, 4); err != nil || !bytes.Equal(body, want) {
				t.Errorf("HTTP/%d: a stream in %s: %d bytes, %v, want %d", major, coding, len(body), err, len(want))
			}
			resp, body, err := take(client, "HEAD", "https://"+api+"/api/test", coding)
			if err != nil || resp.StatusCode != 200 || len(body) > 0 {
				t.Errorf("HTTP/%d: HEAD of a stream in %s: %v, %v", major, coding, resp, err)
			}
		}
		// An unread body ends the connection in HTTP/1.1, and the stream in HTTP/2.
		resp, err = client.Post("https://"+api+"/api/public/search", "text/plain", strings.NewReader("unasked"))
		if err != nil || resp.StatusCode != 405 || resp.Close != (major == 1) || resp.Header["Connection"] != nil {
			t.Errorf("HTTP/%d: a body: got %v, %v", major, resp, err)
		}
		if err == nil {
			resp.Body.Close()
		}
	}
	if line := gjson.Get(log.String(), "api").String(); line != "https://"+api+"/api" {
		t.Errorf("the log says %s", log)
	}
	if resp, body := get(t, "http://"+api+"/"); resp.StatusCode != 400 ||
		body != "Client sent an HTTP request to an HTTPS server.\n" {
		t.Errorf("plain HTTP: got %d %s", resp.StatusCode, body)
	}
	if _, err := tls.Dial("tcp", api, &tls.Config{InsecureSkipVerify: true, MinVersion: tls.VersionTLS11,
		MaxVersion: tls.VersionTLS11}); err == nil {
		t.Error("TLS 1.1 is spoken")
	}
	if conn, err := net.Dial("tcp", api); err != nil { // imitates a port check
		t.Error(err)
	} else {
		conn.Close()
	}
	if resp, body := get(t, "http://"+admin+"/readyz"); gjson.Get(body, "certificate.status").String() != "ok" {
		t.Errorf("/readyz: got %d %s", resp.StatusCode, body)
	}
	for _, reason := range []string{"client sent an HTTP request to an HTTPS server",
		"tls: client offered only unsupported versions"} {
		// Wait for the log, because the clients notice the end first.
		for deadline := time.Now().Add(30 * time.Second); !strings.Contains(log.String(), reason); goruntime.Gosched() {
			if time.Now().After(deadline) {
				t.Fatalf("no failed handshake because %s:\n%s\n%s", reason, log, metricsOf(s).Body)
			}
		}
	}
	if text := metricsOf(s).Body.String(); strings.Contains(text, "\nsabine_tls_handshake_failures_total 0\n") {
		t.Error("failed handshakes are not counted")
	}
	checkMetric(t, s, "sabine_tls_reload_failures_total 0")
	checkMetric(t, s, fmt.Sprintf("sabine_tls_certificate_expires_seconds %v", float64(certified[1].Unix())))
	for line := range strings.Lines(log.String()) {
		if gjson.Get(line, "msg").String() == "TLS handshake failed" && strings.Contains(line, "127.0.0.1") {
			t.Errorf("the log holds a client's address: %s", line)
		}
	}
}

func TestFailedHandshakesAreLoggedWithoutTheClient(t *testing.T) {
	for line, want := range map[string]string{
		"192.0.2.1:4711: EOF": "",
		"192.0.2.1:4711: read tcp 198.51.100.1:443->192.0.2.1:4711: read: connection reset by peer": "",
		"192.0.2.1:4711: read tcp 198.51.100.1:443->192.0.2.1:4711: i/o timeout":                    "i/o timeout",
		"[2001:db8::1]:4711: read tcp [2001:db8::2]:443->[2001:db8::1]:4711: i/o timeout":           "i/o timeout",
		"[2001:db8::1]:4711: remote error: tls: bad certificate":                                    "remote error: tls: bad certificate",
	} {
		s, log := newServer(t)
		s.over(t)
		s.httpServer(s).ErrorLog.Print("http: TLS handshake error from " + line)
		if got := gjson.Get(log.String(), "reason").String(); got != want || strings.Contains(log.String(), ":4711") {
			t.Errorf("%s: got %s", line, log)
		}
		failed := "1"
		if want == "" {
			failed = "0"
		}
		checkMetric(t, s, "sabine_tls_handshake_failures_total "+failed)
	}
}

// TestRotationDropsNoRequest sends requests on permanent and on new connections while the certificate and its
// key are replaced repeatedly.
func TestRotationDropsNoRequest(t *testing.T) {
	s, _ := newServer(t)
	f := s.over(t)
	s.answer(func(*exchange) representation { return representation{body: []byte("{}")} })
	l := listen(t)
	server := s.httpServer(s)
	go func() { _ = s.serveAPI(server, l) }() // started without watch, because the test polls the files
	defer func() { _ = server.Close() }()
	address := "https://" + l.Addr().String() + "/api/test"
	ctx, done := context.WithCancel(t.Context())
	var clients sync.WaitGroup
	var asked atomic.Int64
	const clientCount = 4
	for i := range clientCount {
		clients.Go(func() {
			client := newClient(t, 1+i%2)
			for ctx.Err() == nil {
				resp, body, err := take(client, "GET", address, "identity")
				if err != nil || resp.StatusCode != 200 || string(body) != "{}" {
					t.Errorf("HTTP/%d: %v, %v", 1+i%2, resp, err)
					return
				}
				if asked.Add(1); i >= clientCount/2 {
					client.CloseIdleConnections()
				}
			}
		})
	}
	for serial := int64(2); serial <= 21; serial++ {
		cert, key := newPair(t, serial, certified)
		f.put(t, cert, nil)
		s.options.Certificate.poll(time.Now())
		f.put(t, nil, key)
		s.options.Certificate.poll(time.Now())
		conn, err := tls.Dial("tcp", l.Addr().String(), insecure)
		if err != nil {
			t.Fatal(err)
		}
		if got := conn.ConnectionState().PeerCertificates[0].SerialNumber.Int64(); got != serial {
			t.Errorf("got certificate %d, want %d", got, serial)
		}
		_ = conn.Close()
		for before := asked.Load(); asked.Load() < before+clientCount && !t.Failed(); {
			time.Sleep(time.Millisecond)
		}
	}
	done()
	clients.Wait()
	checkMetric(t, s, "sabine_tls_reload_failures_total 0")
}

// TestAStreamThatIsCutIsResetOverHTTP2 checks that no client can mistake a partial body for a complete one,
// and that other streams on the connection continue.
func TestAStreamThatIsCutIsResetOverHTTP2(t *testing.T) {
	for _, tt := range []struct {
		reason, coding string
		fault          func() error
	}{
		{cutByDamage, "identity", func() error { panic(&runtime.DamagedBody{Name: "x.snapshot"}) }},
		{cutByPanic, "gzip", func() error { panic("a bug") }},
		{cutByClient, "zstd", func() error { return errors.New("nobody takes it") }},
	} {
		s, log := newServer(t)
		s.over(t)
		s.streamed(writeNoise(20, tt.fault))
		api, _, _, _ := serving(t, s)
		client := newClient(t, 2)
		resp, body, err := take(client, "GET", "https://"+api+"/api/test", tt.coding)
		if err == nil || !strings.Contains(err.Error(), "INTERNAL_ERROR") {
			t.Errorf("%s: got %d bytes of %v, %v", tt.reason, len(body), resp, err)
		}
		if resp, _, err := take(client, "GET", "https://"+api+"/api/v1/openapi.json", "gzip"); err != nil ||
			resp.StatusCode != 200 {
			t.Errorf("%s: then: %v, %v", tt.reason, resp, err)
		}
		checkMetric(t, s, "sabine_connections 1")
		checkMetric(t, s, fmt.Sprintf(`sabine_http_responses_cut_total{reason=%q,route="test"} 1`, tt.reason))
		if line := log.requestLine(); !gjson.Get(line, "cut_short").Bool() {
			t.Errorf("%s: the log says %s", tt.reason, line)
		}
	}
}

// A stallingConn stops reading from the server once it stalls.
type stallingConn struct {
	net.Conn
	stall  <-chan struct{}
	closed chan struct{}
	close  sync.Once
}

func (c *stallingConn) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	select {
	case <-c.stall:
		<-c.closed
		return 0, net.ErrClosed
	default:
		return n, err
	}
}

func (c *stallingConn) Close() error {
	c.close.Do(func() { close(c.closed) })
	return c.Conn.Close()
}

// TestHowSlowAClientOfHTTP2MayBe runs in a synctest bubble, whose clock advances when all goroutines wait.
func TestHowSlowAClientOfHTTP2MayBe(t *testing.T) {
	for _, tt := range []struct {
		rule   string
		every  time.Duration // interval at which it reads the bytes of one second at the minimum pace
		stalls bool          // whether it stops reading from the connection
		most   time.Duration // time until it is disconnected; 0: never
	}{
		{"at the least pace", time.Second, false, 0},
		{"it takes nothing of the stream", 24 * time.Hour, false, paceGrace},
		// TLS needs the additional time to report the end of the connection.
		{"it takes nothing of the connection", 24 * time.Hour, true, writeTimeout + 5*time.Second},
	} {
		t.Run(tt.rule, func(t *testing.T) {
			s, log := newServer(t)
			s.over(t)
			s.connections = 1 // so that the listener waits for a free slot, and not in Accept
			s.streamed(writeNoise(300, whole))
			synctest.Test(t, func(t *testing.T) {
				made, stall := make(madeListener), make(chan struct{})
				server := s.httpServer(s)
				go func() { _ = s.serveAPI(server, made) }()
				conn := &stallingConn{Conn: made.connect(), stall: stall, closed: make(chan struct{})}
				transport := &http.Transport{
					TLSClientConfig: insecure.Clone(), ForceAttemptHTTP2: true, DisableCompression: true,
					DialContext: func(context.Context, string, string) (net.Conn, error) { return conn, nil },
				}
				ctx, cancel := context.WithCancel(t.Context())
				r, err := http.NewRequestWithContext(ctx, "GET", "https://localhost/api/test", nil)
				if err != nil {
					t.Fatal(err)
				}
				resp, err := transport.RoundTrip(r)
				if err != nil || resp.ProtoMajor != 2 {
					t.Fatalf("got %v, %v", resp, err)
				}
				if tt.stalls {
					close(stall)
				}
				for buffer := make([]byte, minPace); log.requestLine() == ""; {
					if time.Sleep(tt.every); tt.stalls {
						continue
					}
					if _, err := io.ReadFull(resp.Body, buffer); err != nil {
						break
					}
				}
				synctest.Wait()
				line := log.requestLine()
				after := time.Duration(gjson.Get(line, "duration_ms").Float() * float64(time.Millisecond))
				cut := gjson.Get(line, "cut_short").Bool()
				if cut != (tt.most > 0) || cut && after > tt.most {
					t.Errorf("cut %t after %v: %s", cut, after, line)
				}
				if cut && !tt.stalls { // if the connection ends at the same time, either error can occur
					checkMetric(t, s, `sabine_http_responses_cut_total{reason="slow",route="test"} 1`)
				}
				cancel()
				_ = conn.Close()
				made.connect() // this connection waits for a free slot, so that the listener has nothing else to wait for
				if err := server.Close(); err != nil {
					t.Error(err)
				}
			})
		})
	}
}

// TestAnHTTP2ResponseRetainsNoRequestHeader checks that an unread HTTP/2 response does not retain the header
// of its request. A client that does not read can have a hundred such responses on one connection.
func TestAnHTTP2ResponseRetainsNoRequestHeader(t *testing.T) {
	for major := 1; major <= 2; major++ {
		s, log := newServer(t)
		s.over(t)
		var field weak.Pointer[string]
		held := false
		s.answer(func(x *exchange) representation {
			field = weak.Make(&x.request.Header["X-Long"][0])
			return representation{mediaType: []string{"text/plain"}, stream: func(w io.Writer) error {
				_, err := w.Write(noise) // also writes the header
				goruntime.GC()
				held = field.Value() != nil
				return err
			}}
		})
		api, _, _, _ := serving(t, s)
		r, err := http.NewRequest("GET", "https://"+api+"/api/test", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("X-Long", strings.Repeat("x", 1000))
		r.Header.Set("Accept-Encoding", "identity")
		resp, err := newClient(t, major).Do(r)
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		resp.Body.Close()
		if err != nil || len(body) != len(noise) {
			t.Errorf("HTTP/%d: got %d bytes, %v\n%s", major, len(body), err, log)
		}
		if held != (major == 1) {
			t.Errorf("HTTP/%d: the header of the request is held: %t", major, held)
		}
	}
}

// TestASlowTLSClientIsDisconnected checks that the next client waits until the slow client is disconnected.
func TestASlowTLSClientIsDisconnected(t *testing.T) {
	for _, tt := range []struct {
		rule  string
		sends func(*tls.Conn) error // sends data on the connection; nil: nothing
		after time.Duration
	}{
		{"it says no hello", nil, readHeaderTimeout},
		{"it speaks TLS and no HTTP/2", (*tls.Conn).Handshake, 10 * time.Second}, // timeout of net/http
		{"it does not respond", func(c *tls.Conn) error {
			_, err := io.WriteString(c, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00") // no settings
			return err
		}, pingAfter + pingTimeout},
	} {
		s, _ := newServer(t)
		s.over(t)
		s.connections = 1
		synctest.Test(t, func(t *testing.T) {
			made := make(madeListener)
			server := s.httpServer(s)
			go func() { _ = s.serveAPI(server, made) }()
			began, slow := time.Now(), made.connect()
			client := tls.Client(slow, &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}})
			if tt.sends != nil {
				if err := tt.sends(client); err != nil {
					t.Fatal(err)
				}
				go func() { _, _ = io.Copy(io.Discard, client) }()
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

// TestAServerThatDrainsFinishesStreams checks that an HTTP/2 connection accepts no new streams and ends after
// its last stream.
func TestAServerThatDrainsFinishesStreams(t *testing.T) {
	s, _ := newServer(t)
	s.over(t)
	begun, drained := make(chan struct{}), make(chan struct{})
	s.streamed(func(w io.Writer) error {
		_, err := w.Write(noise)
		close(begun)
		<-drained
		return err
	})
	api, _, _, cancel := serving(t, s) // must end without an error
	client := newClient(t, 2)
	taken := make(chan error)
	go func() {
		_, body, err := take(client, "GET", "https://"+api+"/api/test", "identity")
		if err == nil && !bytes.Equal(body, noise) {
			err = fmt.Errorf("got %d bytes, want %d", len(body), len(noise))
		}
		taken <- err
	}()
	<-begun
	cancel()
	for deadline := time.Now().Add(30 * time.Second); ; {
		conn, err := net.Dial("tcp", api)
		if err != nil {
			break
		}
		conn.Close()
		if time.Now().After(deadline) {
			t.Fatal("a server that drains takes connections")
		}
	}
	close(drained)
	if err := <-taken; err != nil {
		t.Error(err)
	}
}
