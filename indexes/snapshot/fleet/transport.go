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
	dialTimeout    = 10 * time.Second // limit for the connection, and for the TLS handshake
	maxHeaderBytes = 64 << 10         // limit for the header of a response
)

// newTransport returns the HTTP/1.1 transport for stores. It ends a request that makes no progress for the
// duration stall. If stall is 0, stallTimeout is used.
//
// If guard is not nil, it is called before each connection. It returns an error if a name such as
// "example.org:443" must not resolve to the given address, such as "192.0.2.1:443".
func newTransport(stall time.Duration, guard func(name, address string) error) http.RoundTripper {
	stall = cmp.Or(stall, stallTimeout)
	return &stallWatch{stall: stall, Transport: &http.Transport{
		Proxy: http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) { // disables HTTP/2
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

// errLocal is returned for a loopback or link-local address that is not the store's own address.
var errLocal = errors.New("a loopback or link-local address other than the address of the store")

// refuseLocal returns a guard for newTransport. The guard refuses loopback and link-local addresses for all
// names except the store and the proxies in the environment.
func refuseLocal(store *url.URL) func(name, address string) error {
	allowed := []string{hostPort(store)}
	for _, scheme := range []string{"http", "https"} {
		proxy, err := http.ProxyFromEnvironment(&http.Request{URL: &url.URL{Scheme: scheme, Host: "store.invalid"}})
		if err == nil && proxy != nil {
			allowed = append(allowed, hostPort(proxy))
		}
	}
	return func(name, address string) error {
		to, err := netip.ParseAddrPort(address)
		if err == nil && isLocal(to.Addr()) && !slices.Contains(allowed, strings.ToLower(name)) {
			err = fmt.Errorf("%s is %w", name, errLocal)
		}
		return err
	}
}

// isLocal reports whether ip is a loopback or link-local address. It also returns true for an unspecified
// address such as 0.0.0.0, since connections to it reach this machine.
func isLocal(ip netip.Addr) bool {
	ip = ip.Unmap()
	return ip.IsLoopback() || ip.IsLinkLocalUnicast() || ip.IsUnspecified()
}

// isLocalName reports whether host is a name of this machine according to RFC 6761.
func isLocalName(host string) bool {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	return host == "localhost" || strings.HasSuffix(host, ".localhost")
}

// defaultPorts maps the URL schemes of stores and proxies to their default ports.
var defaultPorts = map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}

// hostPort returns the host of an address, in lower case, and its port.
func hostPort(u *url.URL) string {
	port := cmp.Or(u.Port(), defaultPorts[u.Scheme])
	return net.JoinHostPort(strings.ToLower(u.Hostname()), port)
}

// A stallWatch ends a request if no data of the request body, the response header or the response body is
// transferred for the duration stall. The total time is limited only by the context.
//
// A stallWatch does not read the request body after an error or after the response is closed. Otherwise
// net/http might still read it, after an early response, when the client reads it for the next attempt.
type stallWatch struct {
	*http.Transport
	stall time.Duration
}

func (w *stallWatch) RoundTrip(r *http.Request) (*http.Response, error) {
	ctx, cancel := context.WithCancelCause(r.Context())
	x := &exchange{stall: w.stall, cancel: cancel}
	// The transport returns the cause as its error.
	x.timer = time.AfterFunc(w.stall, func() { cancel(fmt.Errorf("no data received for %v", w.stall)) })
	r = r.WithContext(ctx) // a copy, since a RoundTripper must not modify the request
	if r.Body != nil {
		r.Body = &sentBody{r.Body, x}
	}
	response, err := w.Transport.RoundTrip(r)
	if err != nil {
		x.end()
		return nil, err
	}
	x.ReadCloser, response.Body = response.Body, x
	return response, nil
}

// An exchange is a request with its response. It also serves as the body of the response.
type exchange struct {
	io.ReadCloser // body of the response; nil until there is one
	stall         time.Duration
	timer         *time.Timer
	cancel        context.CancelCauseFunc

	mu    sync.Mutex // locked while the request body is being read
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

// skipTo skips the part of a response before the requested byte, since a server may ignore a range and send
// the entire object. It refuses a content encoding, since ranges, sizes and hashes apply to the published
// bytes.
func skipTo(body io.Reader, h http.Header, at int64) error {
	switch encoding := h.Get("Content-Encoding"); encoding {
	case "", "identity", "aws-chunked": // aws-chunked is an upload encoding that some S3 servers also return
	default:
		return fmt.Errorf("unsupported content encoding %.40q: configure the server to send the file unchanged", encoding)
	}
	var first int64
	if text := h.Get("Content-Range"); text != "" {
		if n, _ := fmt.Sscanf(text, "bytes %d-", &first); n != 1 || first < 0 || first > at {
			return fmt.Errorf("the server sent the range %.60q, expected a range from byte %d", text, at)
		}
	}
	n, err := io.CopyN(io.Discard, body, at-first)
	if errors.Is(err, io.EOF) {
		err = checkLength(n+first, at)
	}
	return err
}
