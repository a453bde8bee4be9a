package serve

import (
	"io"
	"log/slog"
	"net/http"
	"net/netip"
	"sync"
	"sync/atomic"
	"time"

	"github.com/julienschmidt/httprouter"

	"sabine/indexes/column"
	"sabine/runtime"
	"sabine/serve/keys"
	"sabine/serve/queryreport"
	"sabine/serve/ratelimit"
)

// Options are the settings of a server. Current, Keys and Limits are required.
type Options struct {
	Current        *runtime.Current
	Keys           *keys.Store
	Limits         *ratelimit.Limiter
	BasePath       string          // base path of the API; "/" for the root; default "/api"
	PublicURL      string          // site address, for the description and the Origin check; "": relative
	TrustedProxies []netip.Prefix  // proxies whose X-Forwarded-For and X-Request-Id are trusted
	Log            *slog.Logger    // nil: no log
	Requests       io.Writer       // receives a JSON line for each request; nil: these lines go to Log
	Queue          *LogQueue       // queue of Log, for the queue's metric; nil: no queue
	Explorer       bool            // serve the explorer at the root of the site
	MCP            bool            // serve the tools of agents at /mcp
	PublicDetail   bool            // show details and geometry without a key
	ImageOrigins   []string        // origins of images, such as https://images.example.org; default: none
	MaxConnections int             // maximum number of API connections; default: from the limit of open files
	DrainDelay     time.Duration   // time from "draining" in /readyz until new connections are refused
	Reload         <-chan struct{} // triggers a check of CURRENT and of the current snapshot; nil: never
	Version        string          // version of the program, for the version metric and for agents

	QueryReport *queryreport.Report // report of texts without results; nil: no report

	Certificate *Certificate // TLS certificate of the API; nil: plain HTTP

	Mirror     func() MirrorState // state of the mirror for generations; nil: no mirror
	KeysMirror func() MirrorState // state of the key file's mirror; nil: no mirror
}

// MirrorState is the state of a mirror. A mirror copies generations from a store to the folder.
type MirrorState struct {
	Status       string    // ok, starting, fetching, empty, away, refused
	Reason       string    // reason why Status is not ok
	Since        time.Time // time of the last change of Status
	Hash         string    // hash of the store's current generation; "" if unknown
	Published    time.Time // publication time of this generation
	LastResponse time.Time // time of the latest response from the store
	NewerFormat  int       // newer snapshot format in the store; 0 if there is none
	Failures     int64     // number of failed polls and downloads
	Refused      int64     // number of polls that found a generation that must not become current
	Fetched      int64     // number of downloaded generations
	Bytes        int64     // number of downloaded bytes
}

// A Server is the handler for the read API, the description documents and the pages.
type Server struct {
	options          Options
	addresses        addresses
	router           *httprouter.Router    // routes to the operations of the API
	pages            map[string]*operation // pages by path
	pagesByPrefix    map[string]*operation // pages by the path that precedes an identifier, with its slash
	pageNotFound     *operation            // page for unknown addresses; nil without the explorer
	link             []string              // Link header field of every response
	description      representation
	imageOrigins     string            // allowed origins of images, separated by spaces
	secureExplorer   func(http.Header) // sets security header fields of the explorer's pages
	agents           http.Handler      // handler of MCP messages; nil: no tools
	metrics          *metrics
	outage           outage      // state of the rate-limit store
	connections      int         // maximum number of connections to the API
	adminConnections int         // maximum number of connections to the admin address
	draining         atomic.Bool // whether new connections will soon be refused
	cutting          atomic.Bool // whether the time for draining is over
	exchanges        sync.Pool   // pool of *exchange values
}

// access is the permission that an operation requires, and the budget to which requests are charged.
type access uint8

const (
	open          access = iota // the zero value: no key, not counted; the description documents and the pages
	public                      // no key, counted by client address
	authenticated               // with a key, counted by account
	byPost                      // POST, with or without a key; its answer counts some messages, see answerMessage
)

// An operation is an endpoint of the contract or a page.
type operation struct {
	name    string // operationId in the OpenAPI document; used as a label in logs and metrics
	access  access
	cache   []string // Cache-Control of 200 and 304
	exports bool     // whether it is also charged to the account's export budget
	page    bool     // a page, which is never refused because of its query string
	builtIn bool     // whether its responses are part of the program and need no snapshot
	vary    []string // Vary header field; nil: Accept-Encoding
	// singles and lists are the names of parameters with one value and with several values.
	singles, lists []string
	// answer reads the parameters (400), looks up products or generations (404, 410) and produces the body.
	answer func(*exchange) (representation, *problem)
}

// A representation is a body before a content coding is chosen.
type representation struct {
	body      []byte             // body in the identity coding; may be nil if codings contains the chosen coding
	hash      string             // hash of the content, for the ETag; "" if there is no ETag
	gzipOnTie bool               // prefer gzip to zstd at equal weights in Accept-Encoding
	codings   [numCodings][]byte // prepared codings; without one, a body of MinCoded bytes or more is encoded
	mapped    bool               // body and codings are mapped bytes, which must be copied before sending
	doc       column.Doc         // product of the mapped bytes, for the report of damage
	sums      [numCodings]uint32 // checksums of the mapped body and codings

	// stream writes a body that is sent while it is produced, in place of body and codings. Its memory does
	// not depend on the size of the body. The status is sent with the first bytes. A later error can only
	// break the connection, which clients detect because the body is chunked or has a length.
	stream func(io.Writer) error

	status    int               // 0 means 200; if it is set, even to 200, caches must not store the response
	mediaType []string          // Content-Type header field; nil: JSON
	link      []string          // Link header field; nil: Server.link
	describe  func(http.Header) // sets more header fields, except for a 304; may be nil
}

// An exchange is one request and its response. Exchanges are pooled in order to reuse their buffers.
type exchange struct {
	http.ResponseWriter
	server     *Server
	request    *http.Request
	began      time.Time
	id         string     // value of X-Request-Id
	operation  *operation // nil for an unknown path
	identifier string     // last segment of the path; "" if the operation has no identifier
	params     params
	bodyRead   bool // whether the request body was read completely

	// generation answers the request; nil if there is none. It is released after the response is written.
	generation *runtime.Generation
	earlier    *runtime.Generation // earlier generation for changes, released at the end
	snapshot   string              // value of X-Snapshot; "" without a generation or if its hash is unknown

	caller  *keys.Caller // owner of the key, even if the key was refused; nil for an unknown key or without a key
	account string       // id of the account if the key was accepted, otherwise ""
	budget  ratelimit.Decision
	counted bool // whether budget is set

	query  runtime.Query // query of a search or an export; a field, so that it is not allocated
	body   []byte        // pooled buffer for the body in the identity coding
	coded  []byte        // pooled buffer for the body in the chosen coding
	values []string      // values of header fields, allocated together

	status int    // status of the response; 0 until the header is sent
	sent   int    // number of bytes of the body sent so far
	cut    string // label of the reason why the body is incomplete; "" if it is complete
}

// set sets a header field of the response.
func (x *exchange) set(name, value string) {
	x.values = append(x.values, value)
	last := len(x.values)
	x.Header()[name] = x.values[last-1 : last : last]
}

// route returns the name of the operation for logs and metrics, which never contain a path.
func (x *exchange) route() string {
	if x.operation == nil {
		return "none"
	}
	return x.operation.name
}
