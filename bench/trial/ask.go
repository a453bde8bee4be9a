package trial

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"strings"
	"time"

	"github.com/klauspost/compress/zstd"
	"github.com/tidwall/gjson"
)

// An Answer is what a server said to a question.
type Answer struct {
	Status int
	Shown  string            // X-Snapshot
	Tag    string            // ETag
	Sum    [sha256.Size]byte // of the body as it came
	Body   []byte            // as it came
	Coding string            // Content-Encoding
}

// inFlight is how many requests may be on their way at a time: while a fleet's Redis is paused each takes a
// quarter of a second.
const inFlight = 512

// requestTime is how long a request may take, also on a machine that builds.
const requestTime = 10 * time.Second

// client undoes no coding and has a connection for each request that is on its way.
var client = http.Client{
	Timeout:   requestTime,
	Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: inFlight},
}

// request returns a question as a request, with a key and an If-None-Match unless they are "".
func (q *Question) request(ctx context.Context, address, key, known string) (*http.Request, error) {
	method := http.MethodGet
	if q.Body != "" {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+address+q.Path, strings.NewReader(q.Body))
	if err != nil {
		return nil, err
	}
	if q.Keyed {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	if q.Body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if q.Coding != "" {
		r.Header.Set("Accept-Encoding", q.Coding)
	}
	if known != "" {
		r.Header.Set("If-None-Match", known)
	}
	return r, nil
}

// answerOf returns the header of an answer.
func answerOf(resp *http.Response) *Answer {
	h := resp.Header
	return &Answer{Status: resp.StatusCode, Shown: h.Get("X-Snapshot"), Tag: h.Get("ETag"),
		Coding: h.Get("Content-Encoding")}
}

// Ask puts a question to the server at an address, with a key and an If-None-Match unless they are "". A
// connection that dies is an error, although the client would take another one.
func Ask(ctx context.Context, address string, q *Question, key, known string) (*Answer, error) {
	connections := 0
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connections++ }})
	r, err := q.request(ctx, address, key, known)
	if err != nil {
		return nil, err
	}
	resp, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	a := answerOf(resp)
	a.Body, err = io.ReadAll(resp.Body)
	if err == nil && connections > 1 {
		err = errors.New("the server closed the connection that the request came on")
	}
	a.Sum = sha256.Sum256(a.Body)
	return a, err
}

// Stream is Ask for an answer of any length, of which only the hash is kept, over a connection of its own;
// slow is called behind each piece that was read.
func Stream(ctx context.Context, address string, q *Question, key string, slow func(bytes int)) (*Answer, error) {
	r, err := q.request(ctx, address, key, "")
	if err != nil {
		return nil, err
	}
	transport := &http.Transport{DisableCompression: true, DisableKeepAlives: true}
	resp, err := transport.RoundTrip(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	a, hash, piece := answerOf(resp), sha256.New(), make([]byte, 256<<10)
	for {
		n, err := resp.Body.Read(piece)
		_, _ = hash.Write(piece[:n]) // a hash never fails
		slow(n)
		if err == io.EOF {
			a.Sum = [sha256.Size]byte(hash.Sum(nil))
			return a, nil
		}
		if err != nil {
			return a, err
		}
	}
}

// CloseConnections closes those that no question is on.
func CloseConnections() { client.CloseIdleConnections() }

// Text returns the body without its coding.
func (a *Answer) Text() (string, error) {
	var r io.Reader = bytes.NewReader(a.Body)
	var err error
	switch a.Coding {
	case "gzip":
		r, err = gzip.NewReader(r)
	case "zstd":
		r, err = zstd.NewReader(r, zstd.WithDecoderConcurrency(1))
	}
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(r)
	return string(b), err
}

// Code returns the contract's name of the error that an answer tells.
func (a *Answer) Code() string {
	text, _ := a.Text()
	return gjson.Get(text, "error").String()
}

func (a *Answer) String() string {
	text, _ := a.Text()
	return fmt.Sprintf("%d, X-Snapshot %q, ETag %s, %d bytes: %.300s", a.Status, a.Shown, a.Tag, len(a.Body), text)
}
