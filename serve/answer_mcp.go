package serve

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/tidwall/gjson"

	"sabine/serve/agents"
)

// speakMCP is the operation of agents: a message in the body, and its answer. It keeps no sessions, so that
// any server of several may answer. A call of a tool costs a request; all else is uncounted.
var speakMCP = &operation{name: "mcp", access: byPost, cache: cacheError, answer: answerMessage}

// The problems of messages, beside those of every request. What is wrong with the text of a message itself is
// answered as JSON-RPC says.
var (
	errMediaType = &problem{wrongMediaType, "a message is sent as Content-Type: application/json"}
	errTooLong   = &problem{tooLong, fmt.Sprintf("a message has at most %d bytes", maxMessageBytes)}
	errNotWhole  = &problem{invalidRequest, fmt.Sprintf("the message did not come whole within %v", readTimeout)}
)

// answerMessage answers a message, from behind the checks of path, method and key on. The 429 of a call says
// how long to wait: not every client shows an agent the header.
func answerMessage(x *exchange) (r representation, p *problem) {
	body, p := x.readMessage() // 400, 413, 415
	if p != nil {
		return r, p
	}
	message, refusal := agents.ParseMessage(body)
	if message == nil {
		return representation{status: http.StatusBadRequest, body: refusal}, nil
	}
	if method, _ := message.Call(); method == "tools/call" {
		by := public
		if x.account != "" {
			by = authenticated
		}
		switch p := x.count(by); p { // 429, 503
		case nil:
		case errTooMany:
			wait := fmt.Sprintf("too many requests: wait for %.0f seconds", x.budget.Reset.Seconds())
			return r, &problem{rateLimitExceeded, wait}
		default:
			return r, p
		}
	}
	if p := x.checkSnapshot(); p != nil { // 503
		return r, p
	}
	return x.ask(message)
}

// readMessage reads the body, within the time that the server gives a request. Of a body without a length it
// reads no more than a byte over the limit.
func (x *exchange) readMessage() ([]byte, *problem) {
	r := x.request
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || mediaType != applicationJSON[0] {
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
	x.read = true
	return body, nil
}

// A toolKey is the key, in the context that the library hands on to a tool, of what has the work of the tool
// done.
type toolKey struct{}

type toolWorker = func(work func(agents.Catalogue) error) error

// newAgents returns the library's part of answering messages: the tools and resources, each over the exchange
// that asks.
func newAgents(version string) http.Handler {
	server := agents.NewServer(func(ctx context.Context, work func(agents.Catalogue) error) error {
		return ctx.Value(toolKey{}).(toolWorker)(work)
	}, version)
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true,
		DisableLocalhostProtection: true, // it would refuse what a proxy on this machine sends; checkOrigin is in its place
	})
}

// ask has the library answer a message, with the generation that the exchange holds. A panic of a tool
// becomes one of the exchange. A tool runs for milliseconds, also when the client goes away meanwhile; the
// time ends what should never be, a message that the library does not answer.
func (x *exchange) ask(message *agents.Message) (r representation, p *problem) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(x.request.Context()), writeTimeout)
	defer cancel()
	var passed *passedPanic
	catalogue := toolCatalogue{x.generation, x.account != "" || x.server.options.PublicDetail, x.search}
	worker := func(work func(agents.Catalogue) error) error {
		return catalogue.guarded(work, func(of *passedPanic) { passed = of })
	}
	request := x.request.Clone(context.WithValue(ctx, toolKey{}, worker))
	request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(message.Text)), int64(len(message.Text))
	// Of these two it sends the first, whatever a client asks for.
	request.Header["Accept"] = []string{"application/json, text/event-stream"}
	answered := recording{header: http.Header{}}
	x.server.agents.ServeHTTP(&answered, request)
	if passed != nil {
		panic(passed)
	}
	return answered.restore(message)
}

// A recording is an answer of the library, kept in memory: what is sent is coded, counted and logged as every
// answer is.
type recording struct {
	header http.Header
	status int
	body   []byte
}

func (r *recording) Header() http.Header { return r.header }

func (r *recording) WriteHeader(status int) { r.status = cmp.Or(r.status, status) }

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

// restore returns what is sent of an answer of the library. What it refuses as text becomes a response of
// JSON-RPC where the message is the reason, and the error object where a field of the header is.
func (r *recording) restore(message *agents.Message) (representation, *problem) {
	sent := representation{status: r.status, body: message.Restore(r.body), mediaType: r.header["Content-Type"]}
	if r.status == 0 {
		return sent, errPanic
	}
	if r.status >= http.StatusBadRequest && (len(sent.mediaType) == 0 || sent.mediaType[0] != applicationJSON[0]) {
		text := strings.TrimSpace(string(sent.body))
		unknown := strings.HasPrefix(text, notHandled)
		method, isCall := message.Call()
		switch {
		case !unknown && !strings.HasPrefix(text, notRequest):
			return sent, &problem{code{r.status, invalidRequest.name}, text}
		case !isCall: // a notification is never answered
			sent.status, sent.body = http.StatusAccepted, nil
		case unknown:
			sent.body = message.Refusal(jsonrpc.CodeMethodNotFound, "method not found: "+quote(method))
		default:
			sent.body = message.Refusal(jsonrpc.CodeInvalidRequest, text)
		}
		sent.mediaType = applicationJSON
	}
	if gjson.GetBytes(sent.body, "error.code").Int() == jsonrpc.CodeMethodNotFound {
		sent.status = http.StatusOK // some versions of the protocol have 404
	}
	return sent, nil
}
