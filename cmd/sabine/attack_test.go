package main_test

import (
	"bytes"
	"compress/gzip"
	"crypto/tls"
	"encoding/binary"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

var attackers = flag.Int("attackers", 1,
	"connections of each attack of TestAttacksDoNotAffectOtherClients, each of which repeats itself by fifty times as often")

// repeated returns the number of times that an attack repeats its data on a connection.
func repeated() int { return 50 * *attackers }

// A victim contains the addresses of a server that attacks need.
type victim struct {
	key  string
	file string // path of the largest file that the pages load
}

// An attack does the work of a hostile client on its own connection until it returns. The connection remains
// open until all attacks have returned. Connection errors are ignored, because the server can close a
// connection at any time.
type attack struct {
	rule string
	do   func(c net.Conn, v victim)
}

const get = "GET /api/public/search HTTP/1.1\r\nHost: x\r\n"

// sends returns an attack that sends bytes, and then reads until the server is silent or disconnects.
func sends(rule string, request string) attack {
	return attack{rule, func(c net.Conn, _ victim) {
		_, _ = io.WriteString(c, request)
		take(c)
	}}
}

// take reads until the end of the connection, or until nothing arrives for a moment.
func take(c net.Conn) {
	for buffer := make([]byte, 64<<10); ; {
		_ = c.SetReadDeadline(time.Now().Add(50 * time.Millisecond))
		if _, err := c.Read(buffer); err != nil {
			return
		}
	}
}

// bomb returns ten megabytes of blanks and a ping, compressed. It is created on first use, because this test
// binary also runs as the traced processes.
var bomb = sync.OnceValue(func() string {
	var b bytes.Buffer
	w := gzip.NewWriter(&b)
	_, _ = io.WriteString(w, strings.Repeat(" ", 10<<20)+`{"jsonrpc":"2.0","id":1,"method":"ping"}`)
	_ = w.Close()
	return b.String()
})

// bombs returns an attack that sends a bomb after a request header.
func bombs(rule, head string) attack {
	return attack{rule, func(c net.Conn, _ victim) {
		_, _ = fmt.Fprintf(c, "%sContent-Encoding: gzip\r\nContent-Length: %d\r\n\r\n%s", head, len(bomb()), bomb())
		take(c)
	}}
}

const post = "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"

// members returns a list that has many members but does not exceed the header size limit.
func members(of string) string { return strings.Repeat(of+", ", 60_000/(len(of)+2)) + of }

// plainAttacks lists attacks on an HTTP/1.1 server.
var plainAttacks = []attack{
	{"sends nothing", func(net.Conn, victim) {}},
	sends("half a header", get+"X-"),
	sends("half a message", post+"Content-Length: 100\r\n\r\n{"),
	sends("half a chunk", post+"Transfer-Encoding: chunked\r\n\r\nffff\r\n{"),
	sends("a chunk without an end of its size", post+"Transfer-Encoding: chunked\r\n\r\n"+strings.Repeat("0", 1<<20)),
	bombs("a compressed bomb as a message", post),
	bombs("a compressed bomb after a GET", get),
	sends("a body of a terabyte", get+"Content-Length: 1099511627776\r\n\r\n"+strings.Repeat("x", 1<<20)),
	sends("a megabyte as an address", "GET /"+strings.Repeat("x", 1<<20)+" HTTP/1.1\r\nHost: x\r\n\r\n"),
	sends("a long method", strings.Repeat("X", 8<<10)+" / HTTP/1.1\r\nHost: x\r\n\r\n"),
	sends("ten thousand fields", get+strings.Repeat("A: b\r\n", 10_000)+"\r\n"),
	sends("a list of tags", get+"If-None-Match: "+members(`"x"`)+"\r\n\r\n"),
	sends("a list of codings", get+"Accept-Encoding: "+members("x;q=0.1")+"\r\n\r\n"),
	sends("a list of languages", "GET / HTTP/1.1\r\nHost: x\r\nAccept-Language: "+members("x-y;q=0.1")+"\r\n\r\n"),
	sends("a list of proxies", get+"X-Forwarded-For: "+members("10.0.0.1")+"\r\n\r\n"),
	sends("a list of ranges", "GET /llms.txt HTTP/1.1\r\nHost: x\r\nRange: bytes="+members("0-")+"\r\n\r\n"),
	sends("a query of many parameters", "GET /api/public/search?"+strings.Repeat("a&", 8_000)+
		" HTTP/1.1\r\nHost: x\r\n\r\n"),
	sends("HTTP/2 without TLS", preface+frame(4, 0, 0, nil)+frame(1, 5, 1, plainHeaders)),
	sends("an upgrade to HTTP/2",
		get+"Connection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n"),
	{"disconnects in the middle", func(c net.Conn, v victim) {
		_, _ = fmt.Fprintf(c, "GET /api/v1/export HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", v.key)
		_, _ = c.Read(make([]byte, 10))
		_ = c.(*net.TCPConn).SetLinger(0)
		_ = c.Close() // sends a reset
	}},
	{"closes its side of the connection", func(c net.Conn, _ victim) {
		_, _ = io.WriteString(c, get+"\r\n")
		_ = c.(*net.TCPConn).CloseWrite()
	}},
	asksOn("exports", "/api/v1/export"),
	asksOn("the description", "/api/v1/openapi.json"),
	asksOn("pages", "/"),
	asksOn("a large file", largeFile),
	{"sends a request byte by byte", func(c net.Conn, _ victim) {
		for _, b := range []byte(get) {
			if _, err := c.Write([]byte{b}); err != nil {
				return
			}
			time.Sleep(time.Millisecond)
		}
	}},
}

// largeFile is a placeholder for the path of a large file that the API reference loads.
const largeFile = "LARGE"

// asksOn returns an attack that repeats an uncompressed request and reads nothing.
func asksOn(what, path string) attack {
	return attack{"asks for " + what + " and takes nothing", func(c net.Conn, v victim) {
		_ = c.(*net.TCPConn).SetReadBuffer(4 << 10)
		_ = c.SetWriteDeadline(time.Now().Add(time.Second))
		for range repeated() {
			if _, err := fmt.Fprintf(c, "GET %s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n",
				strings.Replace(path, largeFile, v.file, 1), v.key); err != nil {
				return
			}
		}
	}}
}

// The preface of an HTTP/2 client, and the header fields of a GET request in HPACK: indexes in the static
// table, and a literal for :authority.
const preface = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"

var plainHeaders = []byte{0x82, 0x87, 0x84, 0x01, 1, 'x'}

// frame returns an HTTP/2 frame.
func frame(kind, flags byte, stream uint32, payload []byte) string {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(payload))<<8|uint32(kind))
	return string(append(binary.BigEndian.AppendUint32(append(b, flags), stream), payload...))
}

// Frame types and flags.
const (
	dataFrame, headersFrame, resetFrame, settingsFrame, pingFrame, windowFrame, continuationFrame = 0, 1, 3, 4, 6, 8, 9

	endStream, endHeaders = 1, 4
)

// floods returns an attack over HTTP/2 that repeats frames. Each call of again receives a new stream number.
func floods(rule, first string, again func(stream uint32) string) attack {
	return attack{rule, func(c net.Conn, _ victim) {
		_, _ = io.WriteString(c, preface+frame(settingsFrame, 0, 0, nil)+first)
		_ = c.SetWriteDeadline(time.Now().Add(2 * time.Second))
		for i := range uint32(repeated()) {
			if _, err := io.WriteString(c, again(2*i+1)); err != nil {
				return
			}
		}
		take(c)
	}}
}

// Frames that close a window, add a field to the dynamic table, and request a page with many references to
// this field.
var (
	shutWindow = frame(settingsFrame, 0, 0, []byte{0, 4, 0, 0, 0, 0})
	largeField = append(append([]byte{0x40, 1, 'a', 0x7f, 0xa1, 0x1e}, bytes.Repeat([]byte("x"), 4000)...),
		plainHeaders...)
	manyTimes = append(bytes.Clone(plainHeaders), bytes.Repeat([]byte{0xbe}, 16_000)...)
)

// secureAttacks lists attacks on a server with TLS and HTTP/2.
var secureAttacks = []attack{
	floods("a stream that is reset at once", "", func(stream uint32) string {
		return frame(headersFrame, endStream|endHeaders, stream, plainHeaders) + frame(resetFrame, 0, stream,
			[]byte{0, 0, 0, 8})
	}),
	floods("streams that are not read", shutWindow, func(stream uint32) string {
		return frame(headersFrame, endStream|endHeaders, stream, plainHeaders)
	}),
	floods("a header that never ends", frame(headersFrame, endStream, 1, plainHeaders), func(uint32) string {
		return frame(continuationFrame, 0, 1, append([]byte{0, 1, 'a', 0x7f, 0xe9, 0x06}, bytes.Repeat([]byte("x"), 1000)...))
	}),
	floods("a header of empty pieces", frame(headersFrame, endStream, 1, plainHeaders), func(uint32) string {
		return frame(continuationFrame, 0, 1, nil)
	}),
	floods("a field that is repeated by its number", frame(headersFrame, endStream|endHeaders, 1, largeField),
		func(stream uint32) string {
			return frame(headersFrame, endStream|endHeaders, stream+2, manyTimes)
		}),
	floods("settings", "", func(uint32) string { return frame(settingsFrame, 0, 0, []byte{0, 4, 0, 0, 1, 0}) }),
	floods("pings", "", func(uint32) string { return frame(pingFrame, 0, 0, make([]byte, 8)) }),
	floods("priorities", "", func(stream uint32) string { return frame(2, 0, stream, []byte{0, 0, 0, 0, 1}) }),
	floods("empty data of a message", frame(headersFrame, endHeaders, 1,
		append([]byte{0x83, 0x87, 0x04, 4, '/', 'm', 'c', 'p', 0x01, 1, 'x', 0x5f, 16}, "application/json"...)),
		func(uint32) string { return frame(dataFrame, 0, 1, nil) }),
	floods("unknown frames", "", func(stream uint32) string { return frame(0xbb, 0, stream, make([]byte, 1000)) }),
	floods("a window that overflows", "", func(uint32) string {
		return frame(windowFrame, 0, 0, []byte{0x7f, 0xff, 0xff, 0xff})
	}),
	{"makes no handshake", func(net.Conn, victim) {}},
}

// stallAttacks lists attacks on the layer below TLS.
var stallAttacks = []attack{
	{"sends no hello", func(net.Conn, victim) {}},
	sends("half a hello", "\x16\x03\x01\x02\x00\x01\x00"),
	sends("a hello that is noise", "\x16\x03\x01\x00\x08noise..."),
	sends("a megabyte of noise", strings.Repeat("\xfe", 1<<20)),
}

// Limits for the increase of a server's resources by attacks. The memory limit applies during an attack, in
// addition to the limit per connection. An HTTP/2 connection can have a hundred streams.
const (
	mostMemory     = 64 << 20
	mostGoroutines = 4
	mostFiles      = 2
)

// TestAttacksDoNotAffectOtherClients checks that other clients are served during attacks, and that the server
// then has as many goroutines, descriptors and connections as before. The flag -attackers sets the number of
// attacks.
func TestAttacksDoNotAffectOtherClients(t *testing.T) {
	t.Parallel()
	dir := builtFolder(t)
	v, pool := victim{key: createKey(t, dir, "A")}, newPair(t, dir)
	limits := append([]string{"--export-limit", "4000000/24h"}, generous...)
	plain := start(t, dir, limits...)
	secure := start(t, dir, append([]string{"--tls-cert", "tls.crt", "--tls-key", "tls.key", "--rate-limit-state",
		"second.state"}, limits...)...)
	secure.trust(pool)
	v.file = plain.base + "/" + regexp.MustCompile(`reference/assets/scalar-[^"]*`).FindString(plain.get(t,
		"/reference").body)
	overTLS := func(address string) (net.Conn, error) {
		return tls.Dial("tcp", address, &tls.Config{RootCAs: pool, NextProtos: []string{"h2"}})
	}
	overTCP := func(address string) (net.Conn, error) { return net.Dial("tcp", address) }
	for _, tt := range []struct {
		server  *server
		dial    func(address string) (net.Conn, error)
		attacks []attack
		most    float64 // maximum memory per connection in bytes
	}{{plain, overTCP, plainAttacks, 1 << 20}, {secure, overTLS, secureAttacks, 100 * 128 << 10},
		{secure, overTCP, stallAttacks, 64 << 10}} {
		tt.server.get(t, "/public/search")
		before := tt.server.metrics(t)
		for _, a := range tt.attacks {
			t.Run(a.rule, func(t *testing.T) { tt.server.attacked(t, a, v, tt.dial, tt.most) })
		}
		after := tt.server.settled(t, before)
		t.Logf("%d attacks by %d: memory %.0f to %.0f MB, goroutines %.0f to %.0f, files %.0f to %.0f", len(tt.attacks),
			*attackers,
			before["process_resident_memory_bytes"]/1e6, after["process_resident_memory_bytes"]/1e6, before["go_goroutines"],
			after["go_goroutines"],
			before["process_open_fds"], after["process_open_fds"])
	}
}

// attacked runs an attack on several connections in parallel. It sends requests during and after the attack.
func (s *server) attacked(t *testing.T, a attack, v victim, dial func(address string) (net.Conn, error), most float64) {
	t.Helper()
	address := s.site[strings.Index(s.site, "://")+3:]
	before := s.metrics(t)
	var running sync.WaitGroup
	var left atomic.Int64
	release := make(chan struct{})
	left.Store(int64(*attackers))
	for range *attackers {
		running.Go(func() {
			c, err := dial(address)
			if err == nil {
				defer c.Close()
				a.do(c, v)
			}
			left.Add(-1)
			<-release
		})
	}
	for served := 0; left.Load() > 0 || served < 3; served++ {
		time.Sleep(5 * time.Millisecond)
		if r, err := s.try("/public/search"); err != nil || r.status != 200 {
			t.Fatalf("meanwhile others get %v, %v", r, err)
		}
	}
	after := s.metrics(t)
	close(release)
	running.Wait()
	grown := after["process_resident_memory_bytes"] - before["process_resident_memory_bytes"]
	t.Logf("memory %+.0f MB, goroutines %+.0f, allocated %.0f MB", grown/1e6,
		after["go_goroutines"]-before["go_goroutines"],
		(after["go_memstats_alloc_bytes_total"]-before["go_memstats_alloc_bytes_total"])/1e6)
	if bound := mostMemory + most*float64(*attackers); grown > bound && !raceDetector {
		t.Errorf("memory grows by %.0f MB, at most %.0f are expected", grown/1e6, bound/1e6)
	}
	if after["sabine_http_panics_total"] > 0 {
		t.Error("the server panicked")
	}
}

// settled waits until a server uses only slightly more resources than before, and returns its metrics.
func (s *server) settled(t *testing.T, before map[string]float64) (after map[string]float64) {
	t.Helper()
	eventually(t, patience, "the server has what it had before", func() bool {
		after = s.metrics(t)
		return after["sabine_connections"] <= before["sabine_connections"]+1 &&
			after["go_goroutines"] <= before["go_goroutines"]+mostGoroutines &&
			after["process_open_fds"] <= before["process_open_fds"]+mostFiles
	})
	return after
}

// metrics returns the values from /metrics by name, without labels. Values with the same name are added.
func (s *server) metrics(t testing.TB) map[string]float64 {
	t.Helper()
	values := map[string]float64{}
	for line := range strings.Lines(fetch(t, s.admin+"/metrics").body) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), " ")
		if labelled, rest, ok := strings.Cut(line, "{"); ok {
			name, value = labelled, strings.TrimSpace(rest[strings.LastIndex(rest, "}")+1:])
		}
		if n, err := strconv.ParseFloat(value, 64); err == nil {
			values[name] += n
		}
	}
	return values
}

// TestTheOpenFilesRunOut checks that a server accepts no connections while its file limit is below its number
// of open files. It must retain its connections, and continue when it can open files again. If the limit is
// known at the start, the server reserves files for itself.
func TestTheOpenFilesRunOut(t *testing.T) {
	t.Parallel()
	s := start(t, builtFolder(t))
	before := s.metrics(t)
	if a := s.get(t, "/public/search"); a.status != 200 { // uses a connection that remains open
		t.Fatalf("got %d", a.status)
	}
	var limit unix.Rlimit
	pid := s.process.Process.Pid
	few := unix.Rlimit{Cur: uint64(before["process_open_fds"]) + 3, Max: uint64(before["process_max_fds"])}
	if err := unix.Prlimit(pid, syscall.RLIMIT_NOFILE, &few, &limit); err != nil {
		t.Fatal(err)
	}
	address := strings.TrimPrefix(s.site, "http://")
	var waiting []net.Conn
	for range 20 {
		c, err := net.Dial("tcp", address)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if _, err := io.WriteString(c, get+"Connection: close\r\n\r\n"); err != nil {
			t.Fatal(err)
		}
		waiting = append(waiting, c)
	}
	eventually(t, patience, "the log reports it", func() bool {
		return strings.Contains(s.log.String(), "too many open files")
	})
	if a := s.get(t, "/public/search"); a.status != 200 {
		t.Errorf("on a connection that it has: got %d", a.status)
	}
	if err := unix.Prlimit(pid, syscall.RLIMIT_NOFILE, &limit, nil); err != nil {
		t.Fatal(err)
	}
	for i, c := range waiting {
		if err := c.SetReadDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
		if answer, err := io.ReadAll(c); err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 200 ") {
			t.Errorf("connection %d: got %.100s, %v", i, answer, err)
		}
	}
	if lines := strings.Count(s.log.String(), "too many open files"); lines > 100 {
		t.Errorf("the log reports it %d times", lines)
	}
	s.client.CloseIdleConnections()
	s.settled(t, before)
}

var idle = flag.Int("idle", 0, "idle connections that TestIdleConnections holds; 0: it is left out")

// TestIdleConnections checks that thousands of idle connections use limited memory, that the server still
// serves other clients, and that it releases the memory afterwards.
func TestIdleConnections(t *testing.T) {
	if *idle == 0 {
		t.Skip("it takes thousands of connections: set -idle")
	}
	s := start(t, builtFolder(t), generous...)
	s.get(t, "/public/search")
	address := strings.TrimPrefix(s.site, "http://")
	for _, tt := range []struct {
		rule, sends string
		most        float64 // maximum memory per connection in bytes
	}{
		{"half a header", "GET / HTTP/1.1\r\nX-", 32 << 10},
		{"a completed request", get + "\r\n", 32 << 10},
	} {
		before := s.metrics(t)
		var held []net.Conn
		for range *idle {
			c, err := net.Dial("tcp", address)
			if err != nil {
				t.Fatal(err)
			}
			held = append(held, c)
			if _, err := io.WriteString(c, tt.sends); err != nil {
				t.Fatal(err)
			}
			if strings.HasSuffix(tt.sends, "\r\n\r\n") {
				if _, err := c.Read(make([]byte, 16<<10)); err != nil {
					t.Fatal(err)
				}
			}
		}
		fresh := &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
		for range 100 {
			if resp, err := fresh.Get(s.site + s.base + "/public/search"); err != nil || resp.StatusCode != 200 {
				t.Fatalf("%s: meanwhile others get %v, %v", tt.rule, resp, err)
			} else {
				_ = resp.Body.Close()
			}
		}
		after := s.metrics(t)
		each := (after["process_resident_memory_bytes"] - before["process_resident_memory_bytes"]) / float64(len(held))
		t.Logf("%s: %d connections (%.0f open at the server), %.0f bytes each, %.0f goroutines", tt.rule, len(held),
			after["sabine_connections"], each, after["go_goroutines"])
		if each > tt.most && !raceDetector {
			t.Errorf("%s: %.0f bytes each, at most %.0f are expected", tt.rule, each, tt.most)
		}
		for _, c := range held {
			_ = c.Close()
		}
		s.settled(t, before)
	}
}
