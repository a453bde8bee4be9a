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
	BasePath       string          // base path of the API, "/" for the root; default "/api"
	PublicURL      string          // address of the site, for the description and the Origin check of /mcp; "": relative
	TrustedProxies []netip.Prefix  // proxies whose X-Forwarded-For and X-Request-Id are trusted
	Log            *slog.Logger    // default: none
	Requests       io.Writer       // receives the line of each request as JSON; nil: Log
	Queue          *LogQueue       // queue of Log, for its metric; default: none
	Explorer       bool            // serve the explorer at the root of the site
	MCP            bool            // serve the tools of agents at /mcp
	PublicDetail   bool            // show details and geometry without a key
	ImageOrigins   []string        // allowed image origins of the explorer, such as https://images.example.org; default: none
	MaxConnections int             // maximum connections of the API; default: by the limit of open files
	DrainDelay     time.Duration   // time between draining in /readyz and the end of new connections
	Reload         <-chan struct{} // triggers a check of CURRENT and of the current snapshot; default: never
	Version        string          // version of the program, for its metric and for agents

	QueryReport *queryreport.Report // report of texts without results; nil: none

	Certificate *Certificate // TLS certificate of the API; nil: plain HTTP

	Mirror     func() MirrorState // state of the mirror for generations; nil: no mirror
	KeysMirror func() MirrorState // state of the key file's mirror; nil: no mirror
}

// MirrorState is the state of a mirror, which copies generations from a store to the folder. The mirror sets
// it.
type MirrorState struct {
	Status    string    // ok, starting, fetching, empty, away, refused
	Reason    string    // why Status is not ok
	Since     time.Time // time of the last change of Status
	Hash      string    // current generation of the store; "" if unknown
	Published time.Time // time when this generation was published
	Looked    time.Time // time of the last response from the store
	Newer     int       // newer snapshot format in the store, 0 for none
	Failures  int64     // failed polls and downloads
	Refused   int64     // polls with a generation that must not become current
	Fetched   int64     // downloaded generations
	Bytes     int64     // downloaded bytes
}

// A Server is the handler of the read API, the description documents and the pages.
type Server struct {
	options          Options
	addresses        addresses
	router           *httprouter.Router    // operations of the API
	pages            map[string]*operation // by path
	named            map[string]*operation // pages by the path that precedes an identifier
	link             []string              // Link field of every response
	description      representation
	imageOrigins     string            // separated by blanks
	secured          func(http.Header) // sets header fields of the explorer's pages
	agents           http.Handler      // handler of messages; nil: no tools
	metrics          *metrics
	outage           outage      // state of the rate-limit store
	connections      int         // maximum connections of the API
	adminConnections int         // maximum connections of the admin address
	draining         atomic.Bool // new connections end soon
	cutting          atomic.Bool // the time for draining is over
	exchanges        sync.Pool   // of *exchange
}

// access is the permission that an operation requires, and the budget that it is charged to.
type access uint8

const (
	open          access = iota // no key, not counted: the description documents and the pages
	public                      // no key, counted by address
	authenticated               // with a key, counted by account
	byPost                      // POST, counted after reading: by account with a key, otherwise by address
)

// An operation is an endpoint of the contract or a page.
type operation struct {
	name    string // operationId in the OpenAPI document; label in logs and metrics
	access  access
	cache   []string // Cache-Control of 200 and 304
	exports bool     // also charged to the account's budget of exports
	page    bool     // never refused because of its query string
	builtIn bool     // part of the program, needs no snapshot
	vary    []string // Vary; nil: Accept-Encoding
	// singles and lists are the names of parameters with one value and with several values.
	singles, lists []string
	// answer reads the parameters (400), looks up the products or generations (404, 410) and makes the body.
	answer func(*exchange) (representation, *problem)
}

// A representation is a body whose coding is not yet chosen.
type representation struct {
	body      []byte             // identity
	hash      string             // hash of the content, for the ETag; "" for none
	gzipOnTie bool               // gzip is preferred to zstd at the same weight
	codings   [numCodings][]byte // prepared codings; without one, a body of MinCoded bytes is compressed
	mapped    bool               // body and codings are mapped bytes of the snapshot, which are copied before sending
	doc       column.Doc         // product of mapped bytes
	sums      [numCodings]uint32 // checksums of mapped bytes

	// A stream is a body that is sent while it is made, in place of body and codings, so that memory does not
	// grow with its size. The status is sent with the first bytes. A later error can only break the
	// connection; clients notice the missing end, because the body is chunked or has a length.
	stream func(io.Writer) error

	status    int               // 0 means 200; caches must not store any other
	mediaType []string          // Content-Type; nil: JSON
	link      []string          // Link; nil: Server.link
	describe  func(http.Header) // sets more header fields, except for a 304; can be nil
}

// An exchange is one request and its response. Exchanges are pooled because of their buffers.
type exchange struct {
	http.ResponseWriter
	server    *Server
	request   *http.Request
	began     time.Time
	id        string     // X-Request-Id
	operation *operation // nil for an unknown path
	target    string     // identifier in the path
	params    params
	read      bool // the request body was read to its end

	// generation answers the request, nil for none. It is released after the response was written.
	generation *runtime.Generation
	earlier    *runtime.Generation // earlier generation of changes, released at the end
	snapshot   string              // value of X-Snapshot

	caller  *keys.Caller // owner of the key, nil for none or an unknown key
	account string       // id of the authorized account, "" for none
	budget  ratelimit.Decision
	counted bool // budget is set

	query  runtime.Query // query of a search, pooled to reuse memory
	body   []byte        // identity
	coded  []byte        // body in the chosen coding
	values []string      // values of header fields, in one allocation

	status int    // 0 until the header is sent
	sent   int    // bytes of the body that were sent
	cut    string // label of the reason for an incomplete body; "" for a complete body
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
