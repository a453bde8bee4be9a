package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sync"
	"time"
)

const (
	dialTimeout    = 10 * time.Second // to connect, and once more to agree on TLS
	maxHeaderBytes = 64 << 10         // of an answer
)

// newTransport returns what stores speak HTTP by. A connection on which nothing moves for as long as stall is broken, whether
// the head of an answer, a body or an upload waits for it; how long the whole may take is for the context to say. It is
// HTTP/1.1, where a connection carries one request at a time: in HTTP/2 a body that stalls hides behind others that move.
func newTransport(stall time.Duration) *http.Transport {
	dialer := net.Dialer{Timeout: dialTimeout}
	var http1 http.Protocols
	http1.SetHTTP1(true)
	return &http.Transport{
		Protocols: &http1,
		Proxy:     http.ProxyFromEnvironment,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
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
