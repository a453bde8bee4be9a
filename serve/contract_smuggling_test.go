package serve_test

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// smuggled follows another request. A response with its status, 404, means that it was processed separately.
const smuggled = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n"

// chunked is a message in chunked encoding.
var chunked = fmt.Sprintf("%x\r\n%s\r\n0\r\n\r\n", len(pingMessage), pingMessage)

// message returns a request with a message and the given framing fields.
func message(framing, body string) string {
	return "POST /mcp HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n" + framing + "\r\n" + body + smuggled
}

// framings contains requests whose end two servers may see at different positions. If the expected statuses
// include that of the smuggled request, the end is unambiguous.
var framings = []struct {
	rule, sent string
	want       []int
}{
	{"a length", message(fmt.Sprintf("Content-Length: %d\r\n", len(pingMessage)), pingMessage), []int{200, 404}},
	{"a length, twice the same", message(fmt.Sprintf("Content-Length: %[1]d\r\nContent-Length: %[1]d\r\n",
		len(pingMessage)), pingMessage), []int{200, 404}},
	{"two lengths", message("Content-Length: 3\r\nContent-Length: 4\r\n", "{}"), []int{400}},
	{"a list of lengths", message("Content-Length: 3, 3\r\n", "{}"), []int{400}},
	{"a negative length", message("Content-Length: -1\r\n", ""), []int{400}},
	{"a length with a sign", message("Content-Length: +5\r\n", "{}   "), []int{400}},
	{"a length in hex", message("Content-Length: 0x5\r\n", "{}   "), []int{400}},
	{"a length that overflows", message("Content-Length: 18446744073709551621\r\n", "{}   "), []int{400}},
	{"an empty length", message("Content-Length: \r\n", ""), []int{400}},
	{"chunks", message("Transfer-Encoding: chunked\r\n", chunked), []int{200}},
	{"chunks and a length", message("Content-Length: 3\r\nTransfer-Encoding: chunked\r\n", chunked), []int{200}},
	{"chunks twice", message("Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n", chunked), []int{501}},
	{"chunks of chunks", message("Transfer-Encoding: chunked, chunked\r\n", chunked), []int{501}},
	{"chunks and identity", message("Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n", chunked), []int{501}},
	{"an encoding before chunks", message("Transfer-Encoding: gzip, chunked\r\n", chunked), []int{501}},
	{"an encoding that looks like it", message("Transfer-Encoding: xchunked\r\n", chunked), []int{501}},
	{"in capitals", message("Transfer-Encoding: CHUNKED\r\n", chunked), []int{200}},
	{"a blank before the colon", message("Transfer-Encoding : chunked\r\n", chunked), []int{400}},
	{"a tab before the value", message("Transfer-Encoding:\tchunked\r\n", chunked), []int{200}},
	{"a control character in it", message("Transfer-Encoding: \x0bchunked\r\n", chunked), []int{400}},
	{"a folded field", message("Transfer-Encoding:\r\n chunked\r\n", chunked), []int{200}},
	{"a single carriage return", message("A: b\rContent-Length: 5\r\n", "{}   "), []int{400}},
	{"a NUL in a field", message("A: \x00\r\n", ""), []int{400}},
	{"a field without a colon", message("Content-Length\r\n", ""), []int{400}},
	{"a field without a name", message(": x\r\n", ""), []int{400}},
	{"lines that end with only a line feed",
		strings.ReplaceAll(message(fmt.Sprintf("Content-Length: %d\n", len(pingMessage)), pingMessage), "\r", ""),
		[]int{200, 404}},
	{"a size of a chunk with a sign", message("Transfer-Encoding: chunked\r\n", "+2\r\n{}\r\n0\r\n\r\n"), []int{400}},
	{"a size of a chunk as a literal", message("Transfer-Encoding: chunked\r\n", "0x2\r\n{}\r\n0\r\n\r\n"), []int{400}},
	{"a size of a chunk that overflows", message("Transfer-Encoding: chunked\r\n",
		"10000000000000002\r\n{}\r\n0\r\n\r\n"), []int{400}},
	{"a chunk that is longer than its size", message("Transfer-Encoding: chunked\r\n", "1\r\n{}\r\n0\r\n\r\n"),
		[]int{400}},
	{"an extension of a chunk", message("Transfer-Encoding: chunked\r\n", strings.Replace(chunked, "\r", ";a=\"b\"\r",
		1)), []int{200}},
	{"a line feed in an extension", message("Transfer-Encoding: chunked\r\n", strings.Replace(chunked, "\r\n", ";\n", 1)),
		[]int{400}},
	{"a trailer with a length", message("Transfer-Encoding: chunked\r\nTrailer: Content-Length\r\n",
		strings.TrimSuffix(chunked, "\r\n")+"Content-Length: 5\r\n\r\n"), []int{400}},
	{"chunks to an old server", strings.Replace(message("Transfer-Encoding: chunked\r\n", chunked), "HTTP/1.1",
		"HTTP/1.0", 1), []int{400}},
	{"a body of a GET", "GET /llms.txt HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello" + smuggled, []int{200}},
	{"a request as the body of a GET", fmt.Sprintf("GET /llms.txt HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n%s",
		len(smuggled), smuggled+smuggled), []int{200}},
	{"chunks of a GET", "GET /llms.txt HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" + smuggled,
		[]int{200}},
	{"a client that waits for 100 Continue",
		"GET /llms.txt HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 5\r\n\r\nhello" + smuggled, []int{200}},
	{"HTTP/0.9", "GET /llms.txt\r\n" + smuggled, []int{400}},
	{"a blank in the address", "GET /llms.txt HTTP/1.1 HTTP/1.1\r\nHost: x\r\n\r\n" + smuggled, []int{400}},
	{"two hosts", "GET /llms.txt HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n" + smuggled, []int{400}},
	{"an address with another host", "GET http://y/llms.txt HTTP/1.1\r\nHost: x\r\n\r\n" + smuggled, []int{200, 404}},
	{"a tunnel", "CONNECT y:80 HTTP/1.1\r\nHost: y:80\r\n\r\n" + smuggled, []int{404, 404}},
	{"everything", "OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n" + smuggled, []int{404, 404}},
	{"the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n" + smuggled, []int{404}},
	{"an upgrade",
		"GET /llms.txt HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABkAAQAAP__\r\n\r\n" + smuggled, []int{200, 404}},
}

// exchangeRaw sends bytes on a new connection, closes the sending half, and returns the response statuses.
func exchangeRaw(t *testing.T, address, sent string) (statuses []int) {
	t.Helper()
	c, err := net.Dial("tcp", address)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.SetDeadline(time.Now().Add(longest)); err != nil {
		t.Fatal(err)
	}
	_, _ = io.WriteString(c, sent) // fails if the server refuses a request and stops reading
	_ = c.(*net.TCPConn).CloseWrite()
	for r := bufio.NewReader(c); ; {
		resp, err := http.ReadResponse(r, nil)
		if errors.Is(err, os.ErrDeadlineExceeded) {
			t.Fatalf("%.300q: the connection stays open after %v", sent, statuses)
		}
		if err != nil {
			return statuses
		}
		if _, err := io.Copy(io.Discard, resp.Body); err != nil {
			t.Fatalf("%.300q: %v", sent, err)
		}
		statuses = append(statuses, resp.StatusCode)
	}
}

// TestWhereARequestEnds checks that, if two servers may see different ends of a request, the server closes
// the connection after the response and does not process the following bytes.
func TestWhereARequestEnds(t *testing.T) {
	t.Parallel()
	address := serveWhole(t, newSite(t, settings{mcp: true}))
	for _, tt := range framings {
		if got := exchangeRaw(t, address, tt.sent); !slices.Equal(got, tt.want) {
			t.Errorf("%s: got %v, want %v", tt.rule, got, tt.want)
		}
	}
}

// TestTargetsWithoutASlash checks that targets without a slash are unknown paths, even for browsers.
func TestTargetsWithoutASlash(t *testing.T) {
	t.Parallel()
	address := serveWhole(t, newSite(t, settings{explorer: true}))
	for _, target := range []string{"*", "http://x", "http://x?x=1", "a:b"} {
		sent := "GET " + target + " HTTP/1.1\r\nHost: x\r\nAccept: text/html\r\n\r\n"
		if got := exchangeRaw(t, address, sent); !slices.Equal(got, []int{404}) {
			t.Errorf("%s: got %v, want 404", target, got)
		}
	}
}

// TestNoResponseGoesToAnotherRequest imitates nginx, which shares one connection to the server among its
// clients. Whatever bytes one client sends, the others must get their own responses.
func TestNoResponseGoesToAnotherRequest(t *testing.T) {
	t.Parallel()
	nginx, err := exec.LookPath("nginx")
	if err != nil {
		t.Skip("nginx is not installed")
	}
	upstream := serveWhole(t, newSite(t, settings{mcp: true}))
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address, dir := listener.Addr().String(), t.TempDir()
	_ = listener.Close()
	config := filepath.Join(dir, "nginx.conf")
	if err := os.WriteFile(config, fmt.Appendf(nil, `daemon off; master_process off; pid %[1]s/pid; error_log stderr crit;
events { worker_connections 64; }
http { access_log off; client_body_temp_path %[1]s/a; proxy_temp_path %[1]s/b; fastcgi_temp_path %[1]s/c; uwsgi_temp_path %[1]s/d; scgi_temp_path %[1]s/e;
upstream api { server %[2]s; keepalive 1; }
server { listen %[3]s; location / { proxy_pass http://api; proxy_http_version 1.1; proxy_set_header Connection ""; proxy_request_buffering off; } } }`, dir, upstream, address), 0o600); err != nil {
		t.Fatal(err)
	}
	process := exec.Command(nginx, "-p", dir, "-c", config, "-e", "stderr")
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() {
		_ = process.Process.Kill()
		_ = process.Wait()
	}()
	for deadline := time.Now().Add(longest); ; time.Sleep(time.Millisecond) {
		if c, err := net.Dial("tcp", address); err == nil {
			_ = c.Close()
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("nginx does not listen")
		}
	}
	victims := []struct{ path, mediaType string }{{"/robots.txt", "text/plain; charset=utf-8"},
		{"/favicon.svg", "image/svg+xml"}, {"/api/v1/openapi.json", "application/json"}}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}, Timeout: longest}
	for _, tt := range framings {
		got := exchangeRaw(t, address, tt.sent)
		for _, v := range victims {
			resp, err := client.Get("http://" + address + v.path)
			if err != nil {
				t.Fatalf("%s: then: %v", tt.rule, err)
			}
			_, err = io.Copy(io.Discard, resp.Body)
			_ = resp.Body.Close()
			if err != nil || resp.StatusCode != 200 || resp.Header.Get("Content-Type") != v.mediaType {
				t.Errorf("%s was answered %v; then %s gives %d %s, %v", tt.rule, got, v.path, resp.StatusCode,
					resp.Header.Get("Content-Type"), err)
			}
		}
	}
}

// TestRangesMeanNothing checks that the server ignores Range fields and always sends the complete body.
func TestRangesMeanNothing(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{explorer: true})
	for _, target := range []string{s.base + "/v1/export?format=csv", s.base + "/v1/materials/akustikpaneel-fichte-40",
		s.base + "/public/search", s.base + "/v1/openapi.json", "/", "/llms.txt"} {
		whole := s.ask(t, "GET", target, s.as(goodKey)...)
		for _, ranges := range []string{
			"bytes=0-0", "bytes=-1", "bytes=5-", "bytes=5-1", "bytes=0-18446744073709551615", "bytes=0-0,1-1,0-5",
			"bytes=999999999-", "bytes=", "bytes=-", "lines=1-2", "0-5",
			"bytes=" + strings.Repeat("0-,", 9_000) + "0-",
		} {
			for _, condition := range []string{whole.header.Get("ETag"), "Mon, 23 Nov 2026 05:00:00 GMT"} {
				a := s.fetch(t, s.url+target, append(s.as(goodKey), "Range", ranges, "If-Range", condition)...)
				if a.status != 200 || a.body != whole.body || a.header.Get("Content-Range") != "" ||
					a.header.Get("Accept-Ranges") != "" {
					t.Fatalf("%s, Range %.40s, If-Range %s: got %d, %d bytes of %d, %v", target, ranges, condition, a.status,
						len(a.body), len(whole.body), a.header)
				}
			}
		}
	}
}

// TestUnknownMethods checks that every operation refuses unknown methods in any spelling.
func TestUnknownMethods(t *testing.T) {
	t.Parallel()
	s := newSite(t, settings{explorer: true, mcp: true})
	for _, method := range []string{"TRACE", "PRI", "get", "Get", "HEAD2", "QUERY", "M-SEARCH", "!#$%&'*+.^_`|~",
		strings.Repeat("X", 8<<10)} {
		for _, target := range []string{"/", "/mcp", "/llms.txt", s.base + "/public/search", s.base + "/v1/export",
			s.base + "/v1/openapi.json", "/nowhere"} {
			r, err := http.NewRequest(method, s.url+target, nil)
			if err != nil {
				t.Fatal(err)
			}
			want := 405
			if target == "/nowhere" {
				want = 404
			}
			if a, err := s.judged(r); err != nil || a.status != want {
				t.Errorf("%.40s %s: %v, %v", method, target, a, err)
			}
		}
	}
}
