package main

import (
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

	"github.com/tidwall/gjson"
)

// An answer is what a server said to a question.
type answer struct {
	status int
	shown  string            // X-Snapshot
	tag    string            // ETag
	sum    [sha256.Size]byte // of the body as it came
	body   []byte            // as it came
	coding string            // Content-Encoding
}

// requestTime is how long a request may take. A server waits a quarter of a second for Redis.
const requestTime = 5 * time.Second

// client undoes no coding and has a connection for each request that is on its way.
var client = http.Client{
	Timeout:   requestTime,
	Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: inFlight},
}

// ask puts a question to the server at an address, with a key and an If-None-Match unless they are "". A connection that
// dies is an error, although the client would take another one.
func ask(ctx context.Context, address string, q *question, key, known string) (*answer, error) {
	connections := 0
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(httptrace.GotConnInfo) { connections++ }})
	method := http.MethodGet
	if q.body != "" {
		method = http.MethodPost
	}
	r, err := http.NewRequestWithContext(ctx, method, "http://"+address+q.path, strings.NewReader(q.body))
	if err != nil {
		return nil, err
	}
	if q.keyed {
		r.Header.Set("Authorization", "Bearer "+key)
	}
	if q.body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	if q.gzip {
		r.Header.Set("Accept-Encoding", "gzip")
	}
	if known != "" {
		r.Header.Set("If-None-Match", known)
	}
	resp, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	if err == nil && connections > 1 {
		err = errors.New("the server closed the connection that the request came on")
	}
	h := resp.Header
	return &answer{resp.StatusCode, h.Get("X-Snapshot"), h.Get("ETag"), sha256.Sum256(body), body, h.Get("Content-Encoding")}, err
}

// text returns the body without its coding.
func (a *answer) text() (string, error) {
	if a.coding != "gzip" {
		return string(a.body), nil
	}
	r, err := gzip.NewReader(strings.NewReader(string(a.body)))
	if err != nil {
		return "", err
	}
	b, err := io.ReadAll(r)
	return string(b), err
}

// code returns the contract's name of the error that an answer tells.
func (a *answer) code() string {
	text, _ := a.text()
	return gjson.Get(text, "error").String()
}

func (a *answer) String() string {
	text, _ := a.text()
	return fmt.Sprintf("%d, X-Snapshot %q, ETag %s, %d bytes: %.300s", a.status, a.shown, a.tag, len(a.body), text)
}
