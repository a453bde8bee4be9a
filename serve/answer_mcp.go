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

// speakMCP is the operation for agents: it answers a message in the request body. It uses no sessions, so
// each message can go to a different server. Only tool calls are counted as requests.
var speakMCP = &operation{name: "mcp", access: byPost, cache: cacheError, answer: answerMessage}

// Problems that only messages can have. JSON-RPC errors report invalid messages.
var (
	errMediaType = &problem{wrongMediaType, "unsupported Content-Type: send messages as application/json"}
	errTooLong   = &problem{tooLong, fmt.Sprintf("the message is too long: the maximum is %d bytes", maxMessageBytes)}
	errNotWhole  = &problem{invalidRequest, fmt.Sprintf("the message is incomplete after %v", readTimeout)}
)

// answerMessage answers a message after the checks of path, method and key. It does the checks of budget and
// snapshot itself, because they depend on the message. A 429 repeats the value of Retry-After in its message,
// because some clients do not show the header to the agent.
func answerMessage(x *exchange) (r representation, p *problem) {
	body, p := x.readMessage() // p can be 400, 413 or 415
	if p != nil {
		return r, p
	}
	message, refusal := agents.ParseMessage(body)
	if message == nil { // refusal is a JSON-RPC error
		return representation{status: http.StatusBadRequest, body: refusal}, nil
	}
	if method, _ := message.Call(); method == "tools/call" {
		by := public
		if x.account != "" {
			by = authenticated
		}
		switch p := x.count(by); p { // p can be 429 or 503
		case nil:
		case errTooMany:
			wait := fmt.Sprintf("too many requests: wait for %.0f seconds", x.budget.Reset.Seconds())
			return r, &problem{rateLimitExceeded, wait}
		default:
			return r, p
		}
	}
	if p := x.requireSnapshot(); p != nil { // p can be 503
		return r, p
	}
	return x.callLibrary(message)
}

// readMessage reads the body within readTimeout. It reads at most one byte more than the limit.
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
	x.bodyRead = true
	return body, nil
}

// A toolKey is the context key for the request's toolWorker.
type toolKey struct{}

// A toolWorker runs the work of a tool on the generation of an exchange.
type toolWorker = func(work func(agents.Catalogue) error) error

// newAgents returns the handler of the MCP library with the tools and resources. The library passes the
// request's context to a tool, which finds its toolWorker there.
func newAgents(version string) http.Handler {
	server := agents.NewServer(func(ctx context.Context, work func(agents.Catalogue) error) error {
		return ctx.Value(toolKey{}).(toolWorker)(work)
	}, version)
	return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{
		Stateless: true, JSONResponse: true,
		DisableLocalhostProtection: true, // would refuse proxies on this machine; checkOrigin replaces it
	})
}

// callLibrary passes a message to the library, with the generation of the exchange. A panic in a tool becomes
// a panic in the exchange. A tool finishes within milliseconds, even if the client disconnects. The timeout
// is for a message that the library never answers, which would be a bug.
func (x *exchange) callLibrary(message *agents.Message) (r representation, p *problem) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(x.request.Context()), writeTimeout)
	defer cancel()
	var passed *passedPanic
	catalogue := toolCatalogue{x.generation, x.account != "" || x.server.options.PublicDetail, x.search}
	worker := func(work func(agents.Catalogue) error) error {
		return catalogue.run(work, func(of *passedPanic) { passed = of })
	}
	request := x.request.Clone(context.WithValue(ctx, toolKey{}, worker))
	request.Body, request.ContentLength = io.NopCloser(bytes.NewReader(message.Text)), int64(len(message.Text))
	// The library uses the first of these two types, regardless of what the client accepts.
	request.Header["Accept"] = []string{"application/json, text/event-stream"}
	answered := recording{header: http.Header{}}
	x.server.agents.ServeHTTP(&answered, request)
	if passed != nil {
		panic(passed)
	}
	return answered.restore(message)
}

// A recording is an in-memory response from the MCP library. The exchange encodes, counts and logs it like
// other responses.
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

// Prefixes of the library's texts for an unknown method and for a message that is not a request.
const (
	notHandled = "JSON RPC not handled: "
	notRequest = "invalid request: "
)

// restore returns the response to send, with the client's id. The library refuses a message or a header field
// with plain text. The response is then a JSON-RPC error for a message that is a call, an empty body for
// another message, and an error object for a header field.
func (r *recording) restore(message *agents.Message) (representation, *problem) {
	sent := representation{status: r.status, body: message.Restore(r.body), mediaType: r.header["Content-Type"]}
	if r.status == 0 {
		return sent, errPanic
	}
	if r.status >= http.StatusBadRequest && r.header.Get("Content-Type") != applicationJSON[0] {
		text := strings.TrimSpace(string(sent.body))
		unknown := strings.HasPrefix(text, notHandled)
		method, isCall := message.Call()
		switch {
		case !unknown && !strings.HasPrefix(text, notRequest):
			return sent, &problem{code{r.status, invalidRequest.name}, text}
		case !isCall: // a notification gets no answer
			sent.status, sent.body = http.StatusAccepted, nil
		case unknown:
			sent.body = message.Refusal(jsonrpc.CodeMethodNotFound, "method not found: "+quote(method))
		default:
			sent.body = message.Refusal(jsonrpc.CodeInvalidRequest, text)
		}
		sent.mediaType = applicationJSON
	}
	if gjson.GetBytes(sent.body, "error.code").Int() == jsonrpc.CodeMethodNotFound {
		sent.status = http.StatusOK // some versions of the protocol use 404 instead
	}
	return sent, nil
}
