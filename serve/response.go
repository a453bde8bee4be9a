package serve

import (
	"cmp"
	"encoding/hex"
	"io"
	"net/http"
	"strconv"

	"github.com/zeebo/xxh3"

	"sabine/indexes"
)

// A representation is a body of which the best coding for a client is still to be chosen.
type representation struct {
	body      []byte             // identity
	hash      string             // of the identity body, for its ETag; "" when the operation has none
	gzipOnTie bool               // gzip goes before zstd at the same weight
	codings   [numCodings][]byte // empty where a coding is not ready: a body of MinCoded bytes is then compressed for the request
	mapped    bool               // body and codings lie in the snapshot, whose bytes are copied before any is sent
	sums      [numCodings]uint32 // their checksums, if they are mapped

	// A body that is written while it is made, in place of the others: stream.go.
	stream func(io.Writer) error // nil: it is not

	status    int               // of the answer; 0: 200. Any other is not to be kept
	mediaType []string          // Content-Type; nil: JSON
	link      []string          // Link; nil: that of every response
	describe  func(http.Header) // sets what else the header of the answer says of it, but that of a 304; nil: nothing
}

// hashOf returns the content hash of a body that was made for this request: XXH3, 128 bits, 32 hex digits. Tags are
// compared with tags of the same URL only, so speed matters here and collisions that somebody seeks do not.
func hashOf(body []byte) string {
	sum := xxh3.Hash128(body).Bytes()
	return hex.EncodeToString(sum[:])
}

// The header fields that are the same in many responses. They are shared: nobody appends to them.
var (
	anyOrigin     = []string{"*"}
	exposedFields = []string{"RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, ETag, Link, X-Request-Id, X-Snapshot, X-Ignored-Parameters, WWW-Authenticate"}

	allowedMethods = []string{"GET, HEAD, OPTIONS"}
	allowedFields  = []string{"Authorization, *"} // the wildcard does not cover Authorization
	postMethods    = []string{"POST, OPTIONS"}
	postFields     = []string{"Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID, *"}
	aDay           = []string{"86400"}

	acceptEncoding  = []string{"Accept-Encoding"}
	applicationJSON = []string{"application/json"}
	bearer          = []string{"Bearer"}
	closes          = []string{"close"}
	noSniffing      = []string{"nosniff"}
	oneSecond       = []string{"1"}
)

// preflight answers a browser that asks what it may ask.
func (x *exchange) preflight() {
	h, methods, fields := x.Header(), allowedMethods, allowedFields
	if x.operation.posts {
		methods, fields = postMethods, postFields
	}
	h["Allow"] = methods
	h["Access-Control-Allow-Methods"] = methods
	h["Access-Control-Allow-Headers"] = fields
	h["Access-Control-Max-Age"] = aDay
	x.finish(http.StatusNoContent, nil)
}

// isKnown reports whether the client has a representation already.
func (x *exchange) isKnown(r *representation) bool {
	return r.hash != "" && matchesTag(x.request.Header["If-None-Match"], r.hash, false)
}

// confirm tells the client with status 304 that it has a representation already.
func (x *exchange) confirm(r *representation) {
	x.tag(r, x.choose(r))
	x.finish(http.StatusNotModified, nil)
}

// respond sends a representation, with status 200 unless it has another.
func (x *exchange) respond(r *representation) {
	c := x.choose(r)
	x.tag(r, c)
	if r.describe != nil {
		r.describe(x.Header())
	}
	if r.stream != nil {
		x.sendStream(r, c)
		return
	}
	x.send(cmp.Or(r.status, http.StatusOK), r, c)
}

// tag sets the header fields that a 200 has in common with its 304.
func (x *exchange) tag(r *representation, c coding) {
	h := x.Header()
	h["Cache-Control"] = x.operation.cache
	h["Vary"] = acceptEncoding
	if x.operation.vary != nil {
		h["Vary"] = x.operation.vary
	}
	if r.status != 0 {
		h["Cache-Control"] = cacheError
	}
	if r.link != nil {
		h["Link"] = r.link
	}
	if r.hash != "" {
		h["Etag"] = []string{entityTag(r.hash, c)}
	}
}

// refuse sends the error object of a problem.
func (x *exchange) refuse(p *problem) {
	x.body = p.appendTo(x.body[:0])
	r := representation{body: x.body}
	h := x.Header()
	h["Cache-Control"] = cacheError
	h["Vary"] = acceptEncoding
	x.send(p.status, &r, x.choose(&r))
}

// choose picks the coding in which a representation goes out.
func (x *exchange) choose(r *representation) coding {
	c := chooseCoding(x.request.Header["Accept-Encoding"], r.gzipOnTie)
	if r.stream == nil && len(r.codings[c]) == 0 && len(r.body) < indexes.MinCoded { // nobody knows how long a stream is
		return identity
	}
	return c
}

// maxMeasuredBytes is the size up to which net/http puts the length of a body into the header by itself. A fifteenth field
// would make the map of fields grow once more, for 0.4 µs and 1,440 bytes.
const maxMeasuredBytes = 2048

// send sends a body. It is complete in memory before the status is, so that a fault in the mapping can still become a
// 500.
func (x *exchange) send(status int, r *representation, c coding) {
	body := x.sendable(r, c)
	h := x.Header()
	h["Content-Type"] = applicationJSON
	if r.mediaType != nil {
		h["Content-Type"] = r.mediaType
	}
	if len(body) > maxMeasuredBytes || x.request.Method == http.MethodHead {
		h["Content-Length"] = []string{strconv.Itoa(len(body))}
	}
	if c != identity {
		h["Content-Encoding"] = []string{contentCodings[c].name}
	}
	x.finish(status, body)
}

// sendable returns a body in a coding. What may change where it lies is copied; what never does is not, so that a client that takes
// nothing of a large file holds none of the memory.
func (x *exchange) sendable(r *representation, c coding) []byte {
	body, in := r.body, identity
	if len(r.codings[c]) > 0 {
		body, in = r.codings[c], c
	}
	if r.mapped {
		x.body = append(x.body[:0], body...)
		if indexes.Checksum(x.body) != r.sums[in] { // of the copy, since the original may change at any time
			panic(x.generation.Damaged(x.docs[0]))
		}
		body = x.body
	}
	if in != c {
		x.coded = x.server.compressor.encode(x.coded[:0], c, body)
		body = x.coded
	}
	return body
}

// finish sends the header, with the budget, and what body there is. Nothing can change the answer after that.
func (x *exchange) finish(status int, body []byte) {
	if !x.counted {
		x.budget = x.server.limits.Full(x.began)
	}
	x.budget.Header(x.Header())
	if n := x.request.ContentLength; n < 0 || n > 0 && !x.bodyRead { // below 0: in chunks, beside which a length may have stood
		x.leaveBody()
	}
	x.status = status
	if x.request.ProtoMajor > 1 { // a client that takes nothing would keep 100 kB in memory for each stream of a connection
		x.client() // for the log
		x.request.Header = nil
	}
	x.WriteHeader(status)
	if len(body) == 0 || x.request.Method == http.MethodHead {
		return
	}
	var err error
	if x.sent, err = x.Write(body); err != nil {
		x.cut = x.cutReason(err)
	}
}
