package fleet

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"
)

const (
	dialTimeout    = 10 * time.Second // to connect, and once more to agree on TLS
	maxHeaderBytes = 64 << 10         // of an answer
)

// newTransport returns what stores speak HTTP by. A connection on which nothing moves for as long as stall is broken, whether
// the head of an answer, a body or an upload waits for it; how long the whole may take is for the context to say. It is
// HTTP/1.1, where a connection carries one request at a time: in HTTP/2 a body that stalls hides behind others that move.
//
// guard is nil, or returns an error for an address, "192.0.2.1:443", that a name, "example.org:443", must not lead to.
func newTransport(stall time.Duration, guard func(name, address string) error) *http.Transport {
	var http1 http.Protocols
	http1.SetHTTP1(true)
	return &http.Transport{
		Protocols: &http1,
		Proxy:     http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			dialer := net.Dialer{Timeout: dialTimeout}
			if guard != nil {
				dialer.Control = func(_, found string, _ syscall.RawConn) error { return guard(address, found) }
			}
			conn, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			// A little longer than the head of an answer is waited for, which is never asked for twice: a request is when
			// the connection that it came to was used before and breaks.
			return &movingConn{conn, stall + stall/4}, nil
		},
		TLSHandshakeTimeout:    dialTimeout,
		ResponseHeaderTimeout:  stall,
		IdleConnTimeout:        stall / 2,
		MaxIdleConnsPerHost:    4,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableCompression:     true,
	}
}

// errLocal says that an address is on this machine or on its link, and is not the address of the store.
var errLocal = errors.New("a loopback or link-local address other than the address of the store")

// refuseLocal returns a guard for newTransport. It refuses loopback and link-local addresses, whatever name they are looked up
// by, unless the name is that of the store or of a proxy in the environment.
func refuseLocal(store *url.URL) func(name, address string) error {
	known := []string{hostPort(store)}
	for _, scheme := range []string{"http", "https"} {
		proxy, err := http.ProxyFromEnvironment(&http.Request{URL: &url.URL{Scheme: scheme, Host: "store.invalid"}})
		if err == nil && proxy != nil {
			known = append(known, hostPort(proxy))
		}
	}
	return func(name, address string) error {
		to, err := netip.ParseAddrPort(address)
		if err == nil && isLocal(to.Addr()) && !slices.Contains(known, strings.ToLower(name)) {
			err = fmt.Errorf("%s is %w", name, errLocal)
		}
		return err
	}
}

// isLocal reports whether an address is on this machine or on its link. Connections to the unspecified address, such as 0.0.0.0,
// go to this machine too.
func isLocal(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsUnspecified()
}

// isLocalName reports whether a host name is one of this machine by RFC 6761.
func isLocalName(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// defaultPorts has the port of each scheme of a store and of a proxy.
var defaultPorts = map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}

// hostPort returns the host, in lower case, and the port of an address.
func hostPort(u *url.URL) string {
	port := cmp.Or(u.Port(), defaultPorts[u.Scheme])
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// A movingConn is a connection that breaks when nothing moves on it, in neither direction.
type movingConn struct {
	net.Conn
	stall time.Duration
}

func (c *movingConn) Read(p []byte) (int, error) {
	_ = c.SetDeadline(time.Now().Add(c.stall)) // what fails here fails below
	n, err := c.Conn.Read(p)
	return n, c.said(err)
}

func (c *movingConn) Write(p []byte) (int, error) {
	_ = c.SetDeadline(time.Now().Add(c.stall))
	n, err := c.Conn.Write(p)
	return n, c.said(err)
}

func (c *movingConn) said(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return fmt.Errorf("nothing came or went for %v: %w", c.stall, err)
	}
	return err
}

// A repeating transport is for who sends a body again after a failure. net/http may still read the body of a request whose
// answer came early; here nothing does once the round trip has failed or its answer is closed.
type repeating struct{ http.RoundTripper }

func (t repeating) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body == nil {
		return t.RoundTripper.RoundTrip(r)
	}
	sent := &revocable{ReadCloser: r.Body}
	r = r.WithContext(r.Context()) // a copy: the request is its caller's
	r.Body = sent
	answer, err := t.RoundTripper.RoundTrip(r)
	if err != nil {
		sent.revoke()
		return nil, err
	}
	answer.Body = &revoking{answer.Body, sent}
	return answer, nil
}

// A revocable body is not read any more after revoke.
type revocable struct {
	io.ReadCloser
	mu      sync.Mutex
	revoked bool
}

func (b *revocable) Read(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.revoked {
		return 0, net.ErrClosed
	}
	return b.ReadCloser.Read(p)
}

func (b *revocable) revoke() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.revoked = true
}

// A revoking body of an answer revokes that of the request when it is closed.
type revoking struct {
	io.ReadCloser
	sent *revocable
}

func (b *revoking) Close() error {
	err := b.ReadCloser.Close()
	b.sent.revoke()
	return err
}

// begin makes the body of an answer begin at the byte that was asked for: a server may ignore a range, and sends all then.
// Bytes that are encoded for the way are refused, since ranges, lengths and hashes are of those that were published.
func begin(body io.Reader, h http.Header, at int64) error {
	switch encoding := h.Get("Content-Encoding"); encoding {
	case "", "identity", "aws-chunked": // the last is how a server of S3 got it, and some keep the word
	default:
		return fmt.Errorf("the server sends it encoded as %.40q, expected its bytes as they were published", encoding)
	}
	var first int64
	if text := h.Get("Content-Range"); text != "" {
		if n, _ := fmt.Sscanf(text, "bytes %d-", &first); n != 1 || first < 0 || first > at {
			return fmt.Errorf("the server sends the range %.60q, expected one from byte %d", text, at)
		}
	}
	n, err := io.CopyN(io.Discard, body, at-first)
	if errors.Is(err, io.EOF) {
		err = short(n+first, at)
	}
	return err
}
