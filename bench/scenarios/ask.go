package main

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

// An answer is what a server said to a question.
type answer struct {
	status int
	shown  string            // X-Snapshot
	tag    string            // ETag
	sum    [sha256.Size]byte // of the body as it came
	bytes  int64             // of the body as it came
	body   []byte            // as it came; nil for one that was streamed
	coding string            // Content-Encoding
}

// fault says what is wrong with an answer, "" when nothing is. known is the If-None-Match that was sent.
func (a *answer) fault(got *answer, known string) string {
	want := *a
	if known != "" && known == a.tag {
		want.status, want.bytes, want.sum = http.StatusNotModified, 0, sha256.Sum256(nil)
	}
	if got.status == want.status && got.tag == want.tag && got.sum == want.sum {
		return ""
	}
	return fmt.Sprintf("expected %d, ETag %s, %d bytes, SHA-256 %.8x; got SHA-256 %.8x, %s", want.status, want.tag,
		want.bytes, want.sum, got.sum, got)
}

// inFlight is how many requests may be on their way at a time: while a fleet's Redis is paused each takes a
// quarter of a second.
const inFlight = 512

// requestTime is how long a request may take, also on a machine that builds.
const requestTime = 10 * time.Second

// client undoes no coding and has a connection for each request that is on its way.
var client = http.Client{Transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: inFlight}}

// ask puts a question to the server at an address, with a key and an If-None-Match unless they are "".
func ask(ctx context.Context, address string, q *question, key, known string) (*answer, error) {
	ctx, cancel := context.WithTimeout(ctx, requestTime)
	defer cancel()
	var body bytes.Buffer
	a, err := stream(ctx, address, q, key, known, &body)
	if err != nil {
		return nil, err
	}
	a.body = body.Bytes()
	return a, nil
}

// stream is ask for an answer of any length. A connection that dies is an error, although the client would
// take another one.
func stream(ctx context.Context, address string, q *question, key, known string, to io.Writer) (*answer, error) {
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
	set := func(wanted bool, name, value string) {
		if wanted {
			r.Header.Set(name, value)
		}
	}
	set(q.keyed, "Authorization", "Bearer "+key)
	set(q.body != "", "Content-Type", "application/json")
	set(q.coding != "", "Accept-Encoding", q.coding)
	set(known != "", "If-None-Match", known)
	resp, err := client.Do(r)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	h, hash := resp.Header, sha256.New()
	a := &answer{status: resp.StatusCode, shown: h.Get("X-Snapshot"), tag: h.Get("ETag"),
		coding: h.Get("Content-Encoding")}
	a.bytes, err = io.Copy(io.MultiWriter(hash, to), resp.Body)
	if err == nil && connections > 1 {
		err = errors.New("the server closed the connection that the request came on")
	}
	a.sum = [sha256.Size]byte(hash.Sum(nil))
	return a, err
}

// text returns the body without its coding.
func (a *answer) text() (string, error) {
	var r io.Reader = bytes.NewReader(a.body)
	var err error
	switch a.coding {
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

// code returns the contract's name of the error that an answer tells.
func (a *answer) code() string {
	text, _ := a.text()
	return gjson.Get(text, "error").String()
}

func (a *answer) String() string {
	text, _ := a.text()
	return fmt.Sprintf("%d, X-Snapshot %q, ETag %s, %d bytes: %.300s", a.status, a.shown, a.tag, a.bytes, text)
}
