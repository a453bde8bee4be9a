package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"runtime/debug"
	"strings"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"sabine/serve/agents"
)

// mcpPath is where the Model Context Protocol is spoken, at the root of the site.
const mcpPath = "/mcp"

// maxMessageBytes is how long a message may be: four times the longest query string.
const maxMessageBytes = 64 << 10

// speakMCP is the operation of agents: a message in the body, and its answer. It keeps no sessions, so that any server of several
// may answer. A call of a tool costs a request; all else is uncounted.
var speakMCP = &operation{name: "mcp", access: either, cache: cacheError, posts: true}

// The problems of messages, beside those of every request.
var (
	errOnlyPost     = &problem{wrongMethod, "messages of the Model Context Protocol are sent by POST"}
	errOrigin       = &problem{foreignOrigin, "a page of another site may not speak to this server: its Origin is neither the Host nor that of the public URL"}
	errMediaType    = &problem{wrongMediaType, "a message is sent as Content-Type: application/json"}
	errTooLong      = &problem{tooLong, fmt.Sprintf("a message has at most %d bytes", maxMessageBytes)}
	errNotWhole     = &problem{invalidRequest, fmt.Sprintf("the message did not come whole within %v", readTimeout)}
	errBatch        = &problem{invalidRequest, "batches are not taken: send each message by itself"}
	errToolPanicked = errors.New("the server failed to answer: try again shortly")
)

// converse answers a message, from behind the checks of path, method and key on.
func (x *exchange) converse() *problem {
	message, p := x.readMessage() // 400, 413, 415
	if p != nil {
		return p
	}
	if request, ok := message.(*jsonrpc.Request); ok && request.Method == "tools/call" {
		if p := x.countCall(); p != nil { // 429, 503
			return p
		}
	}
	if p := x.checkSnapshot(); p != nil { // 503
		return p
	}
	return x.answerMessage(message)
}

// checkOrigin refuses pages of other sites, which a browser that stands in the server's network would let in (DNS rebinding). A
// client that is no browser has no Origin. A server behind a proxy that changes the Host knows its own by the public URL.
func (x *exchange) checkOrigin() *problem {
	for _, origin := range x.request.Header["Origin"] {
		u, err := url.Parse(origin)
		if err != nil || !sameHost(u, x.request.Host) && !sameHost(u, x.server.host) {
			return errOrigin
		}
	}
	return nil
}

// sameHost reports whether an origin is of a host, whose port may be there or not where it is that of the scheme.
func sameHost(origin *url.URL, host string) bool {
	port := map[string]string{"http": ":80", "https": ":443"}[origin.Scheme]
	return origin.Hostname() != "" && strings.EqualFold(strings.TrimSuffix(origin.Host, port), strings.TrimSuffix(host, port))
}

// readMessage reads the body, within the time that the server gives a request, and what it means. It is the library's own
// reading, so that what is counted is what is called, whatever stands twice in an object.
func (x *exchange) readMessage() (jsonrpc.Message, *problem) {
	r := x.request
	if mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || mediaType != applicationJSON[0] {
		return nil, errMediaType
	}
	if r.ContentLength > maxMessageBytes {
		return nil, errTooLong
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, maxMessageBytes+1))
	switch {
	case err != nil:
		return nil, errNotWhole
	case len(body) > maxMessageBytes:
		return nil, errTooLong
	}
	x.bodyRead = true
	if !utf8.Valid(body) {
		return nil, &problem{invalidRequest, "the message is not UTF-8"}
	}
	if !json.Valid(body) {
		return nil, &problem{invalidRequest, "the message is not JSON"}
	}
	if bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("[")) {
		return nil, errBatch
	}
	message, err := jsonrpc.DecodeMessage(body)
	if err != nil {
		return nil, &problem{invalidRequest, "the body is no message of JSON-RPC 2.0: " + clip(err.Error())}
	}
	return message, nil
}

// countCall takes a request from the budget of the account, or of the address without one. Its 429 says how long to wait: not
// every client shows an agent the header.
func (x *exchange) countCall() *problem {
	by := public
	if x.account != "" {
		by = authenticated
	}
	p := x.count(by)
	if p == errTooMany {
		return &problem{rateLimitExceeded, fmt.Sprintf("too many requests: wait for %.0f seconds", x.budget.RetryAfter().Seconds())}
	}
	return p
}

// asking is the key of the exchange in the context that the library hands on to a tool.
type asking struct{}

// newAgents returns the library's part of answering messages: the tools and resources, each over the exchange that asks.
func newAgents(version string) http.Handler {
	server := agents.NewServer(func(ctx context.Context, work func(agents.Catalogue) error) error {
		return ctx.Value(asking{}).(*exchange).tools(work)
	}, version)
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true,
		DisableLocalhostProtection: true, // it would refuse what a proxy on this machine sends; checkOrigin is in its place
	})
}

// answerMessage has the library answer a message and sends what it says. A tool runs for milliseconds, also when the client goes
// away meanwhile; the time ends what should never be, a message that the library does not answer.
func (x *exchange) answerMessage(message jsonrpc.Message) *problem {
	body, err := jsonrpc.EncodeMessage(message)
	if err != nil {
		return &problem{invalidRequest, "the body is no message of JSON-RPC 2.0"}
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(x.request.Context()), writeTimeout)
	defer cancel()
	r := x.request.Clone(context.WithValue(ctx, asking{}, x))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	r.Header["Accept"] = []string{"application/json, text/event-stream"} // of which it sends the first, whatever a client asks for
	answered := recording{header: http.Header{}}
	x.server.agents.ServeHTTP(&answered, r)
	if x.passed != nil {
		panic(x.passed)
	}
	return x.sendRecorded(&answered)
}

// tools has work done with the generation that the exchange holds. A panic of a tool becomes one of the exchange.
func (x *exchange) tools(work func(agents.Catalogue) error) (err error) {
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true))
	defer func() {
		if reason := recover(); reason != nil {
			x.passed = &passedPanic{reason, debug.Stack()}
			err = errToolPanicked
		}
	}()
	return work(Tools(x.generation, x.account != "" || x.server.publicDetail))
}

// A passedPanic is a panic of another goroutine, which the exchange waited for.
type passedPanic struct {
	reason any
	stack  []byte
}

// A recording is an answer of the library, kept in memory: what is sent is coded, counted and logged as every answer is.
type recording struct {
	header http.Header
	status int
	body   []byte
}

func (r *recording) Header() http.Header { return r.header }

func (r *recording) WriteHeader(status int) {
	if r.status == 0 {
		r.status = status
	}
}

func (r *recording) Write(b []byte) (int, error) {
	r.WriteHeader(http.StatusOK)
	r.body = append(r.body, b...)
	return len(b), nil
}

// sendRecorded sends an answer of the library. What it refuses as text becomes the error object.
func (x *exchange) sendRecorded(answered *recording) *problem {
	if answered.status == 0 {
		return errPanic
	}
	mediaType := answered.header["Content-Type"]
	if answered.status >= http.StatusBadRequest && (len(mediaType) == 0 || mediaType[0] != applicationJSON[0]) {
		return &problem{code{answered.status, invalidRequest.name}, strings.TrimSpace(string(answered.body))}
	}
	h := x.Header()
	h["Cache-Control"] = cacheError
	h["Vary"] = acceptEncoding
	if len(answered.body) == 0 {
		x.finish(answered.status, nil)
		return nil
	}
	r := representation{body: answered.body, mediaType: mediaType}
	x.send(answered.status, &r, x.choose(&r))
	return nil
}
