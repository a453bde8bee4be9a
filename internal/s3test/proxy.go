package s3test

import (
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"sync"
	"testing"
	"time"
)

// A Fault changes how a proxy handles a request. The zero value forwards the request and its answer.
type Fault struct {
	Delay  time.Duration // time to wait before everything else
	Status int           // status of the answer, without a request to the server; 0 to forward
	Silent bool          // whether to send neither an answer nor a request to the server
	Lost   bool          // whether to break the connection after forwarding the request
	Cut    int64         // number of bytes of the body after which the connection breaks; 0 for none
	Stall  int64         // number of bytes of the body after which the answer stops; 0 for none
	Wrong  bool          // whether to change every byte of the body
}

// A Proxy forwards requests to a server and simulates faults.
type Proxy struct {
	URL string // "http://127.0.0.1:port"

	to    *url.URL
	ended chan struct{} // closed when the test ends

	mu     sync.Mutex
	choose func(*http.Request) Fault
}

// StartProxy starts a proxy for the server at target, such as http://127.0.0.1:9000. It ends with the test.
func StartProxy(t testing.TB, target string) *Proxy {
	t.Helper()
	to, err := url.Parse(target)
	if err != nil {
		t.Fatal(err)
	}
	p := &Proxy{to: to, ended: make(chan struct{})}
	front := httptest.NewServer(p)
	t.Cleanup(func() {
		close(p.ended)
		front.CloseClientConnections()
		front.Close()
	})
	p.URL = front.URL
	return p
}

// Inject makes choose determine the fault of each later request. If choose is nil, there are no faults.
func (p *Proxy) Inject(choose func(*http.Request) Fault) {
	p.mu.Lock()
	p.choose = choose
	p.mu.Unlock()
}

// Always returns an argument for Inject that selects the same fault for every request.
func Always(fault Fault) func(*http.Request) Fault { return func(*http.Request) Fault { return fault } }

func (p *Proxy) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	var fault Fault
	p.mu.Lock()
	if p.choose != nil {
		fault = p.choose(r)
	}
	p.mu.Unlock()
	p.wait(r, fault.Delay)
	switch {
	case fault.Silent:
		_, _ = io.Copy(io.Discard, r.Body) // otherwise the client's disconnection is not detected
		p.wait(r, time.Hour)
		panic(http.ErrAbortHandler)
	case fault.Status != 0:
		w.WriteHeader(fault.Status)
	case fault.Lost:
		p.pass(fault).ServeHTTP(httptest.NewRecorder(), r)
		panic(http.ErrAbortHandler)
	default:
		p.pass(fault).ServeHTTP(w, r)
	}
}

// wait returns after d, or when the client or the test ends.
func (p *Proxy) wait(r *http.Request, d time.Duration) {
	if d == 0 {
		return
	}
	select {
	case <-p.ended:
	case <-r.Context().Done():
	case <-time.After(d):
	}
}

// pass returns a handler that forwards requests to the server and damages the bodies of its answers.
func (p *Proxy) pass(fault Fault) http.Handler {
	return &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(p.to)
			r.Out.Host = r.In.Host // S3 signatures include the host
		},
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0),
		ModifyResponse: func(answer *http.Response) error {
			answer.Body = &spoiled{ReadCloser: answer.Body, fault: fault, stall: func() { p.wait(answer.Request, time.Hour) }}
			return nil
		},
	}
}

// A spoiled is the damaged body of an answer.
type spoiled struct {
	io.ReadCloser
	fault Fault
	at    int64
	stall func()
}

func (s *spoiled) Read(b []byte) (int, error) {
	end := max(s.fault.Cut, s.fault.Stall)
	if end > 0 && s.at == end {
		if s.fault.Stall > 0 {
			s.stall()
		}
		return 0, errors.New("cut")
	}
	if end > 0 {
		b = b[:min(int64(len(b)), end-s.at)]
	}
	n, err := s.ReadCloser.Read(b)
	s.at += int64(n)
	if s.fault.Wrong {
		for i := range b[:n] {
			b[i] ^= 1
		}
	}
	return n, err
}
