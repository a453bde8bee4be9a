package serve_test

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
	"os"
	"runtime/metrics"
	"slices"
	"strings"
	"testing"
	"time"

	"sabine/serve"
)

// Limits for one input of FuzzHandler: bytes allocated while the connection is served, and time.
const (
	mostAllocated = 64 << 20
	longest       = 20 * time.Second
)

// FuzzHandler sends an input to a server over a connection: unchanged, or used by the generator to choose a
// sequence of requests. The judge checks the response to each request that http.ReadRequest finds: status,
// header and body must match the description, and there must be no server errors.
func FuzzHandler(f *testing.F) {
	s := sample(f)
	made := newGenerator(f, s)
	address := serveWhole(f, s)
	for seed := range byte(24) {
		f.Add(true, []byte{seed * 11, seed, seed * 7})
	}
	for _, seed := range rawRequests {
		f.Add(false, []byte(seed))
	}
	f.Fuzz(func(t *testing.T, choices bool, data []byte) {
		sent, requests := []byte(strings.ReplaceAll(string(data), "Bearer KEY", "Bearer "+s.keys[goodKey])), []*generated(nil)
		if choices {
			g := *made
			g.Rand = rand.New(&choiceSource{data: data, then: rand.NewPCG(uint64(len(data)), 16)})
			sent, requests = g.conversation()
		}
		s.judge.ids.Clear()
		before := allocated()
		c, err := converse(address, sent)
		if err != nil {
			t.Fatalf("%q: %v", sent, err)
		}
		if grown := allocated() - before; grown > mostAllocated {
			t.Errorf("%q: %d bytes were allocated, at most %d are expected", sent, grown, mostAllocated)
		}
		for i, a := range c.answers {
			if err := s.judge.check(c.requests[i], a); err != nil || a.status >= 500 {
				t.Fatalf("%q: request %d, %s %s: %d, %v\n%v\n%.2000s", sent, i, c.requests[i].Method, c.requests[i].URL, a.status,
					err, a.header, a.body)
			}
			if requests != nil && !requests[i].fits(a.status) {
				t.Fatalf("%q: request %d: %d %s", sent, i, a.status, a.body)
			}
		}
	})
}

// rawRequests contains inputs for a connection: requests for each operation, and different ways to frame,
// spell and truncate a request.
var rawRequests = []string{
	"GET /api/v1/materials/search?q=Vlies&facets=true&limit=2 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\n\r\n",
	"GET /api/v1/materials/beton-glatt?include=geometry HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer " +
		"KEY\r\nAccept-Encoding: zstd\r\nIf-None-Match: *\r\n\r\n",
	"GET /api/v1/materials?ids=beton-glatt,x&ids=%C3%BC HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\nIf-Match: " +
		"W/\"x\"\r\n\r\n",
	"GET /api/v1/export?format=csv&separator=semicolon HTTP/1.0\r\nAuthorization: Bearer KEY\r\nConnection: " +
		"keep-alive\r\n\r\n",
	"HEAD /api/v1/export?format=catt HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\nRange: bytes=0-1,0-1,-5\r\n\r\n",
	"GET /api/v1/changes?since=0123456789abcdef HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer KEY\r\n\r\n",
	"GET /api/public/search?q=%53%C3%A4ule&kaufbar=1&utm=x HTTP/1.1\r\nHost: x\r\nAccept-Encoding: gzip;q=0.5, " +
		"*;q=0\r\n\r\n" +
		"GET /api/public/compare-products?id=beton-glatt HTTP/1.1\r\nHost: x\r\n\r\n",
	"GET /api/public/reverberation?volume=180&surface=beton-glatt:20&air=none&target=0.6 HTTP/1.1\r\nHost: x\r\n\r\n",
	"GET /api/public/materials/beton-glatt?locale=en HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n{}GET / " +
		"HTTP/1.1\r\nHost: x\r\n\r\n",
	"OPTIONS /api/v1/openapi.json HTTP/1.1\r\nHost: x\r\nOrigin: http://y\r\nAccess-Control-Request-Method: " +
		"GET\r\n\r\nOPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
	"GET /.well-known/openapi.json HTTP/1.1\nHost: x\n\nGET /llms.txt HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
	"GET /products/beton-glatt HTTP/1.1\r\nHost: x\r\nAccept-Language: en;q=0.1, *\r\n\r\nGET /?q=x&page=1 " +
		"HTTP/1.1\r\nHost: x\r\n\r\nGET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n",
	"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 39\r\n\r\n" + pingMessage,
	"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\nTrailer: " +
		"X\r\n\r\n27;a=b\r\n" + pingMessage + "\r\n0\r\nX: y\r\n\r\n",
	"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: 39\r\n\r\n" + pingMessage[:9],
	"POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / " +
		"HTTP/1.1\r\nHost: x\r\n\r\n",
	"GET http://y/api/public/%73earch HTTP/1.1\r\nHost: x\r\n\r\nCONNECT y:1 HTTP/1.1\r\nHost: y:1\r\n\r\n",
	"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00", "GET /\r\n\r\n",
	"get / HTTP/1.1\r\nHost: x\r\n\r\n", "GET / HTTP/1.1\r\nHost: x\r\nA: b\r\n c\r\n\r\n",
	"HEAD / HTTP/1.1\r\n\r\n", "GET /% HTTP/1.1\r\nHost: x\r\n\r\n", "\r\n", "",
}

// serveWhole starts the server of a site in the same way as the program, and returns its address.
func serveWhole(f testing.TB, s *site) string {
	f.Helper()
	api, admin := httptest.NewUnstartedServer(nil).Listener, httptest.NewUnstartedServer(nil).Listener
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error)
	go func() { served <- s.handler.(*serve.Server).Serve(ctx, api, admin) }()
	f.Cleanup(func() {
		cancel()
		if err := <-served; err != nil {
			f.Error(err)
		}
	})
	return api.Addr().String()
}

// A conversation contains the requests and responses on a connection.
type conversation struct {
	requests []*http.Request
	answers  []*answer
}

// readRequests reads all requests. whole is false if the last request contains fewer bytes than it announces.
func readRequests(sent []byte) (requests []*http.Request, whole bool) {
	r := bufio.NewReader(bytes.NewReader(sent))
	for {
		request, err := http.ReadRequest(r)
		if err != nil {
			return requests, !errors.Is(err, io.ErrUnexpectedEOF)
		}
		requests = append(requests, request)
		if _, err := io.Copy(io.Discard, request.Body); err != nil {
			return requests, false
		}
	}
}

// converse sends bytes on a new connection and reads the responses. The last response, which may be the only
// one, may refuse to read a request and close the connection. The error reports a failed connection, or too
// many responses.
func converse(address string, sent []byte) (c conversation, err error) {
	requests, whole := readRequests(sent)
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return c, err
	}
	defer conn.Close()
	_ = conn.(*net.TCPConn).SetLinger(0) // because the number of ports is limited
	if err := conn.SetDeadline(time.Now().Add(longest)); err != nil {
		return c, err
	}
	wrote := make(chan struct{})
	go func() {
		defer close(wrote)
		_, _ = conn.Write(sent) // fails if the server has refused a request and stopped reading
		if !whole || len(requests) == 0 {
			_ = conn.(*net.TCPConn).CloseWrite()
		}
	}()
	defer func() { <-wrote }()
	for r := bufio.NewReader(conn); ; {
		if len(c.answers) == len(requests) {
			_ = conn.(*net.TCPConn).CloseWrite() // there are no more requests
		}
		if _, err := r.Peek(1); err != nil {
			return c, unlessEnded(err, len(c.answers) == len(requests) || !whole)
		}
		var request *http.Request
		if len(c.answers) < len(requests) {
			request = requests[len(c.answers)]
		}
		resp, err := http.ReadResponse(r, request)
		if err != nil {
			return c, err
		}
		if resp.StatusCode == http.StatusContinue {
			continue
		}
		a, err := read(resp)
		if err != nil {
			return c, unlessEnded(err, !whole) // the client has stopped sending, so there are no more responses
		}
		if resp.Close && isRefusal(a) {
			return c, nil
		}
		if request == nil {
			return c, fmt.Errorf("%d requests, and one response more: %d %s", len(requests), a.status, a.body)
		}
		c.requests, c.answers = append(c.requests, request), append(c.answers, a)
		if resp.Close {
			return c, nil
		}
	}
}

// unlessEnded returns err, or nil if err is an allowed end of the connection.
func unlessEnded(err error, may bool) error {
	if may && !errors.Is(err, os.ErrDeadlineExceeded) {
		return nil
	}
	return err
}

// isRefusal reports whether net/http has refused to read a request.
func isRefusal(a *answer) bool {
	return slices.Contains([]int{400, 417, 431, 501, 505}, a.status) && a.header.Get("X-Request-Id") == ""
}

// allocated returns the total number of bytes that the process has allocated.
func allocated() uint64 {
	sample := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

// A choiceSource returns a choice for each byte, and after the last byte values from another source.
type choiceSource struct {
	data []byte
	then rand.Source
}

// Uint64 returns a number whose upper and lower bits lead a generator to the same choice.
func (s *choiceSource) Uint64() uint64 {
	if len(s.data) == 0 {
		return s.then.Uint64()
	}
	b := s.data[0]
	s.data = s.data[1:]
	return 0x0101010101010101 * uint64(b)
}

// conversation generates requests for a connection, each with its fields in any order.
func (g *generator) conversation() (sent []byte, requests []*generated) {
	for range 1 + g.IntN(4) {
		r := g.next()
		requests = append(requests, r)
		lines := []string{"Host: x"}
		for i := 0; i < len(r.fields); i += 2 {
			lines = append(lines, r.fields[i]+": "+r.fields[i+1])
		}
		body := r.body
		switch {
		case body != "" && g.one(4):
			lines, body = append(lines, "Transfer-Encoding: chunked"), fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(body), body)
		case r.method == "POST" || body != "":
			lines = append(lines, fmt.Sprintf("Content-Length: %d", len(body)))
		}
		if g.one(10) {
			lines = append(lines, pick(g, []string{"Range: bytes=0-1", "If-Range: *", "Expect: 100-continue",
				"Accept-Language: en", "Content-Encoding: gzip", "TE: trailers", "X-Forwarded-For: 1.2.3.4"}))
		}
		g.Shuffle(len(lines), func(i, j int) { lines[i], lines[j] = lines[j], lines[i] })
		sent = fmt.Appendf(sent, "%s %s HTTP/1.1\r\n%s\r\n\r\n%s", r.method, r.target, strings.Join(lines, "\r\n"), body)
	}
	return sent, requests
}
