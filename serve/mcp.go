package serve

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"

	"sabine/serve/agents"
)

// mcpPath is where the Model Context Protocol is spoken, at the root of the site.
const mcpPath = "/mcp"

// maxMessageBytes is how long a message may be: four times the longest query string. The library's own limit would come
// too late: calls are counted and ids replaced before it reads.
const maxMessageBytes = 64 << 10

// speakMCP is the operation of agents: a message in the body, and its answer. It keeps no sessions, so that any server of several
// may answer. A call of a tool costs a request; all else is uncounted.
var speakMCP = &operation{name: "mcp", access: either, cache: cacheError, posts: true}

// The problems of messages, beside those of every request. What is wrong with the text of a message itself is
// answered as JSON-RPC says.
var (
	errOnlyPost     = &problem{wrongMethod, "messages of the Model Context Protocol are sent by POST"}
	errMediaType    = &problem{wrongMediaType, "a message is sent as Content-Type: application/json"}
	errTooLong      = &problem{tooLong, fmt.Sprintf("a message has at most %d bytes", maxMessageBytes)}
	errNotWhole     = &problem{invalidRequest, fmt.Sprintf("the message did not come whole within %v", readTimeout)}
	errToolPanicked = errors.New("the server failed to answer: try again shortly")
)

// converse answers a message, from behind the checks of path, method and key on.
func (x *exchange) converse() *problem {
	body, p := x.readMessage() // 400, 413, 415
	if p != nil {
		return p
	}
	message, refusal := agents.ParseMessage(body)
	if message == nil {
		x.sendMessage(http.StatusBadRequest, applicationJSON, refusal)
		return nil
	}
	if method, _ := message.Call(); method == "tools/call" {
		if p := x.countCall(); p != nil { // 429, 503
			return p
		}
	}
	if p := x.checkSnapshot(); p != nil { // 503
		return p
	}
	return x.answerMessage(message)
}

// checkOrigin refuses pages of other sites, which a browser in the server's network would let in. Such a page
// can have its own name resolved to the server's address (DNS rebinding), and then its Origin and its Host
// agree: so both must be names that are the server's own. Schemes and ports are not compared, since a proxy
// may change them. A client that is no browser has no Origin.
func (x *exchange) checkOrigin() *problem {
	origins := x.request.Header["Origin"]
	if len(origins) == 0 {
		return nil
	}
	origin := strings.Join(origins, ", ") // two are malformed
	u, err := url.Parse(origin)
	valid := err == nil && (u.Scheme == "http" || u.Scheme == "https") && strings.EqualFold(origin, u.Scheme+"://"+u.Host)
	host := url.URL{Host: x.request.Host}
	if valid && x.isOwnHost(u.Hostname()) && x.isOwnHost(host.Hostname()) {
		return nil
	}
	return &problem{foreignOrigin, fmt.Sprintf("foreign Origin %s or Host %s: expected the host of --public-url, a loopback name "+
		"or an IP address that the server listens on in both", quote(origin), quote(x.request.Host))}
}

// isOwnHost reports whether a host is that of the public URL, a loopback name or the address that the
// connection came to, which is one that the server listens on, also where it listens on all.
func (x *exchange) isOwnHost(host string) bool {
	host = strings.ToLower(host)
	if host == "localhost" || strings.HasSuffix(host, ".localhost") || host != "" && host == x.server.host {
		return true
	}
	a, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	local, known := x.request.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return a.Unmap().IsLoopback() || known && a.Unmap() == peerAddress(local.String())
}

// readMessage reads the body, within the time that the server gives a request. Of a body without a length it
// reads no more than a byte over the limit.
func (x *exchange) readMessage() ([]byte, *problem) {
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
	return body, nil
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
		return &problem{rateLimitExceeded, fmt.Sprintf("too many requests: wait for %.0f seconds", x.budget.Reset.Seconds())}
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
func (x *exchange) answerMessage(message *agents.Message) *problem {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(x.request.Context()), writeTimeout)
	defer cancel()
	r := x.request.Clone(context.WithValue(ctx, asking{}, x))
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(message.Text)), int64(len(message.Text))
	r.Header["Accept"] = []string{"application/json, text/event-stream"} // of which it sends the first, whatever a client asks for
	answered := recording{header: http.Header{}}
	x.server.agents.ServeHTTP(&answered, r)
	if x.passed != nil {
		panic(x.passed)
	}
	return x.sendRecorded(message, &answered)
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

// What the library says, as text, of a method that it does not have and of a message that is not a request.
const (
	notHandled = "JSON RPC not handled: "
	notRequest = "invalid request: "
)

// sendRecorded sends an answer of the library. What it refuses as text becomes a response of JSON-RPC where
// the message is the reason, and the error object where a field of the header is.
func (x *exchange) sendRecorded(message *agents.Message, answered *recording) *problem {
	status, body, mediaType := answered.status, message.Restore(answered.body), answered.header["Content-Type"]
	if status == 0 {
		return errPanic
	}
	if status >= http.StatusBadRequest && (len(mediaType) == 0 || mediaType[0] != applicationJSON[0]) {
		text := strings.TrimSpace(string(body))
		unknown := strings.HasPrefix(text, notHandled)
		method, isCall := message.Call()
		switch {
		case !unknown && !strings.HasPrefix(text, notRequest):
			return &problem{code{status, invalidRequest.name}, text}
		case !isCall: // a notification is never answered
			status, body = http.StatusAccepted, nil
		case unknown:
			body = message.Refusal(jsonrpc.CodeMethodNotFound, "method not found: "+quote(method))
		default:
			body = message.Refusal(jsonrpc.CodeInvalidRequest, text)
		}
		mediaType = applicationJSON
	}
	if gjson.GetBytes(body, "error.code").Int() == jsonrpc.CodeMethodNotFound { // some versions of the protocol have 404
		status = http.StatusOK
	}
	x.sendMessage(status, mediaType, body)
	return nil
}

// sendMessage sends a message of JSON-RPC; none has no body.
func (x *exchange) sendMessage(status int, mediaType []string, message []byte) {
	h := x.Header()
	h["Cache-Control"] = cacheError
	h["Vary"] = acceptEncoding
	if len(message) == 0 {
		x.finish(status, nil)
		return
	}
	r := representation{body: message, mediaType: mediaType}
	x.send(status, &r, x.choose(&r))
}
