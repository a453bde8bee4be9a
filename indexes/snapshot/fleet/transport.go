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

// newTransport returns what stores speak HTTP/1.1 by, watched for stalls of a time, 0 for stallTimeout.
//
// guard is nil, or returns an error for an address, "192.0.2.1:443", that a name, "example.org:443", must not
// lead to.
func newTransport(stall time.Duration, guard func(name, address string) error) http.RoundTripper {
	stall = cmp.Or(stall, stallTimeout)
	return &stallWatch{stall: stall, Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) { // which rules out HTTP/2
			dialer := net.Dialer{Timeout: dialTimeout}
			if guard != nil {
				dialer.Control = func(_, found string, _ syscall.RawConn) error { return guard(address, found) }
			}
			return dialer.DialContext(ctx, network, address)
		},
		TLSHandshakeTimeout:    dialTimeout,
		IdleConnTimeout:        stall / 2,
		MaxIdleConnsPerHost:    4,
		MaxResponseHeaderBytes: maxHeaderBytes,
		DisableCompression:     true,
	}}
}

// errLocal says that an address is on this machine or on its link, and is not the address of the store.
var errLocal = errors.New("a loopback or link-local address other than the address of the store")

// refuseLocal returns a guard for newTransport. It refuses loopback and link-local addresses, whatever name
// they are looked up by, unless the name is that of the store or of a proxy in the environment.
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

// isLocal reports whether an address is on this machine or on its link. Connections to the unspecified
// address, such as 0.0.0.0, go to this machine too.
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

// A stallWatch ends a request when nothing moves for as long as stall: no byte of its body, of the head of
// its answer, or of the answer's body. The context limits how long the request may take in total.
//
// The body of a request is not read after the round trip has failed or the answer was closed. net/http may
// still do that when the answer came early, but a client that sends the body again reads it from then on.
type stallWatch struct {
	*http.Transport
	stall time.Duration
}

func (w *stallWatch) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	x := &exchange{stall: w.stall, cancel: cancel}
	// net/http returns the cause
	x.timer = time.AfterFunc(w.stall, func() { cancel(fmt.Errorf("nothing came for %v", w.stall)) })
	// a copy: the request is its caller's
	r = r.WithContext(ctx)
	if r.Body != nil {
		r.Body = &sentBody{r.Body, x}
	}
	answer, err := w.Transport.RoundTrip(r)
	if err != nil {
		x.end()
		return nil, err
	}
	x.ReadCloser, answer.Body = answer.Body, x
	return answer, nil
}

// An exchange is a request and its answer, and read as the answer's body.
type exchange struct {
	io.ReadCloser
	stall  time.Duration
	timer  *time.Timer
	cancel context.CancelCauseFunc

	mu    sync.Mutex // held while the request's body is read
	ended bool
}

func (x *exchange) end() {
	x.timer.Stop()
	x.cancel(nil)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.ended = true
}

func (x *exchange) Read(p []byte) (int, error) {
	n, err := x.ReadCloser.Read(p)
	if n > 0 {
		x.timer.Reset(x.stall)
	}
	return n, err
}

func (x *exchange) Close() error {
	defer x.end()
	return x.ReadCloser.Close()
}

type sentBody struct {
	io.ReadCloser
	x *exchange
}

func (b *sentBody) Read(p []byte) (int, error) {
	b.x.mu.Lock()
	defer b.x.mu.Unlock()
	if b.x.ended {
		return 0, net.ErrClosed
	}
	b.x.timer.Reset(b.x.stall)
	return b.ReadCloser.Read(p)
}

// begin makes the body of an answer begin at the byte that was asked for: a server may ignore a range, and
// sends all then. Bytes that are encoded for the way are refused, since ranges, lengths and hashes are of
// those that were published.
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
