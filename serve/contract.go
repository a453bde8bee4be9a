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

// Options of a server. Current, Keys and Limits are needed.
type Options struct {
	Current        *runtime.Current
	Keys           *keys.Store
	Limits         *ratelimit.Limiter
	BasePath       string          // path that the API lives under, "/" for the root; default "/api"
	PublicURL      string          // of the site, for the description and the pages that may use /mcp; "": relative
	TrustedProxies []netip.Prefix  // whose X-Forwarded-For and X-Request-Id are believed
	Log            *slog.Logger    // default: none
	Requests       io.Writer       // takes the line of each request as JSON; nil: Log takes it
	Queue          *LogQueue       // what Log writes to, for its metric; default: none
	Explorer       bool            // serve it at the root of the site
	MCP            bool            // serve the agents' tools at /mcp
	PublicDetail   bool            // show details and geometry without a key
	ImageOrigins   []string        // of pictures that the explorer may show: https://images.example.org; default: none
	MaxConnections int             // of the API; default: what the limit of open files leaves
	DrainDelay     time.Duration   // how long /readyz says that the server drains before it takes no more connections
	Reload         <-chan struct{} // has CURRENT looked at and what is in force verified again; default: never
	Version        string          // of the program, for its metric and for agents

	QueryReport *queryreport.Report // of the texts that nothing is found for; nil: none

	Certificate *Certificate // of the API, which is then served over TLS; nil: plain HTTP

	Mirror     func() MirrorState // how the folder of generations follows a store; nil: it follows none
	KeysMirror func() MirrorState // how the key file follows a store, likewise
}

// MirrorState is how the folder of generations follows the store that fills it. Who fills it says so.
type MirrorState struct {
	Status    string    // ok, starting, fetching, empty, away, refused
	Reason    string    // why it is not ok
	Since     time.Time // when Status became what it is
	Hash      string    // of the generation that the store has in force, as far as is known
	Published time.Time // when that one was brought into force
	Looked    time.Time // when the store answered last
	Newer     int       // a newer snapshot format that waits in the store, 0: there is none
	Failures  int64     // looks and downloads that failed
	Refused   int64     // looks that found what may not come into force
	Fetched   int64     // generations that were downloaded
	Bytes     int64     // that were downloaded for them
}

// A Server answers the read API, the description documents and the pages: it is their handler.
type Server struct {
	options      Options
	addresses    addresses
	router       *httprouter.Router    // of the API's operations
	pages        map[string]*operation // by path
	named        map[string]*operation // pages by the path before an identifier
	link         []string              // the Link field of every response
	description  representation
	imageOrigins string            // with blanks between them
	secured      func(http.Header) // of the explorer's pages
	agents       http.Handler      // of messages; nil: there are no tools
	metrics      *metrics
	outage       outage      // of the rate-limit store
	connections  int         // of the API, at most
	adminPlaces  int         // connections of the admin address, at most
	draining     atomic.Bool // it takes no more connections before long
	cutting      atomic.Bool // the time to drain is over
	exchanges    sync.Pool   // of *exchange
}

// access says who may use an operation, and whose budget it costs.
type access uint8

const (
	open          access = iota // anybody, at no cost: the description documents and the pages
	public                      // anybody, counted by address
	authenticated               // who has a key, counted by account
	byPost                      // anybody, by POST, counted when it has been read: by account with a key, else by address
)

// An operation is something that the server answers: a row of the contract's list of endpoints, or a page
// beside the API.
type operation struct {
	name    string // its operationId in the OpenAPI document; the label of logs and metrics
	access  access
	cache   []string // Cache-Control of 200 and 304
	exports bool     // it costs an export of the account's too
	page    bool     // its query string is never refused
	own     bool     // its answer is part of the program and needs no snapshot
	vary    []string // Vary; nil: Accept-Encoding
	// singles and lists are the names of its parameters, of one value and of several.
	singles, lists []string
	// answer reads the parameters (400), looks up what the request names (404, 410) and makes the body.
	answer func(*exchange) (representation, *problem)
}

// A representation is a body of which the best coding for a client is still to be chosen.
type representation struct {
	body      []byte             // identity
	hash      string             // of the content, for its ETag; "" when the operation has none
	gzipOnTie bool               // gzip goes before zstd at the same weight
	codings   [numCodings][]byte // empty where one is not ready: a body of MinCoded bytes is then compressed
	mapped    bool               // body and codings lie in the snapshot, whose bytes are copied before any is sent
	doc       column.Doc         // the product that they are of, if they are mapped
	sums      [numCodings]uint32 // their checksums, if they are mapped

	// A stream is a body that is sent while it is made, in place of the others, so that memory does not grow
	// with it. Its status goes with the first piece: what goes wrong behind that can only break the
	// connection, which no client takes for the end of a body, since it comes in chunks or has a length.
	stream func(io.Writer) error

	status    int               // of the answer; 0: 200. Any other is not to be kept
	mediaType []string          // Content-Type; nil: JSON
	link      []string          // Link; nil: that of every response
	describe  func(http.Header) // sets what else the header of the answer says, but that of a 304; nil: nothing
}

// An exchange is one request and its response. What only one operation needs is in its answer. Exchanges are
// pooled, for their buffers.
type exchange struct {
	http.ResponseWriter
	server    *Server
	request   *http.Request
	began     time.Time
	id        string     // X-Request-Id
	operation *operation // nil: the path is unknown
	target    string     // the identifier in the path
	params    params
	read      bool // the body of the request, to its end

	// generation answers the request; nil while there is none. It is held until the response has been
	// written.
	generation *runtime.Generation
	earlier    *runtime.Generation // that changes are since, held likewise
	snapshot   string              // what X-Snapshot says of the generation

	caller  *keys.Caller // whose key it carries, nil without one that is known
	account string       // id of the account that is let in, "" for none
	budget  ratelimit.Decision
	counted bool // budget says something of the request

	query  runtime.Query // of a search, in the pool for its memory
	body   []byte        // identity
	coded  []byte        // as it is sent
	values []string      // of header fields, together for their memory

	status int    // 0 until the header was sent
	sent   int    // bytes of the body
	cut    string // why the client did not get the whole body, a label; "" when it did
}

// set sets a field of the response's header.
func (x *exchange) set(name, value string) {
	x.values = append(x.values, value)
	last := len(x.values)
	x.Header()[name] = x.values[last-1 : last : last]
}

// route is the name of the operation, for logs and metrics, which never see a path.
func (x *exchange) route() string {
	if x.operation == nil {
		return "none"
	}
	return x.operation.name
}
