package serve

import (
	"cmp"
	"encoding/hex"
	"errors"
	"net"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/zeebo/xxh3"

	"sabine/indexes"
	"sabine/runtime"
)

// hashed returns the body that was made for this request, with its hash: XXH3, 128 bits, 32 hex digits. Tags
// are compared with tags of the same URL only, so speed matters here and collisions that somebody seeks do
// not.
func (x *exchange) hashed() representation {
	sum := xxh3.Hash128(x.body).Bytes()
	return representation{body: x.body, hash: hex.EncodeToString(sum[:])}
}

// The values of Cache-Control.
var (
	cachePrivate     = []string{"private, no-cache"}
	cachePublic      = []string{"public, max-age=60"}
	cacheDescription = []string{"public, max-age=300"}
	cacheError       = []string{"no-store"}
)

// The header fields that are the same in many responses. They are shared: nobody appends to them.
var (
	anyOrigin     = []string{"*"}
	exposedFields = []string{
		"RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, ETag, Link, X-Request-Id, " +
			"X-Snapshot, X-Ignored-Parameters, WWW-Authenticate"}

	allowedMethods = []string{"GET, HEAD, OPTIONS"}
	allowedFields  = []string{"Authorization, *"} // the wildcard does not cover Authorization
	postMethods    = []string{"POST, OPTIONS"}
	postFields     = []string{
		"Authorization, Content-Type, Accept, Mcp-Protocol-Version, Mcp-Session-Id, Mcp-Method, Mcp-Name, Last-Event-ID, *"}
	aDay = []string{"86400"}

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
	if x.operation.access == byPost {
		methods, fields = postMethods, postFields
	}
	h["Allow"], h["Access-Control-Allow-Methods"] = methods, methods
	h["Access-Control-Allow-Headers"] = fields
	h["Access-Control-Max-Age"] = aDay
	x.finish(http.StatusNoContent, nil)
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
	h["Cache-Control"], h["Vary"] = x.operation.cache, acceptEncoding
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
		x.set("Etag", entityTag(r.hash, c))
	}
}

func (x *exchange) refuse(p *problem) {
	x.body = p.appendTo(x.body[:0])
	r, h := representation{body: x.body}, x.Header()
	h["Cache-Control"], h["Vary"] = cacheError, acceptEncoding
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

// maxMeasuredBytes is the size up to which net/http puts the length of a body into the header by itself. A
// fifteenth field would make the map of fields grow once more, for 0.4 µs and 1,440 bytes.
const maxMeasuredBytes = 2048

// send sends a body. It is complete in memory before the status is, so that a fault in the mapping can still
// become a 500.
func (x *exchange) send(status int, r *representation, c coding) {
	body := x.sendable(r, c)
	if len(body) > 0 {
		x.describeBody(r, c)
	}
	if len(body) > maxMeasuredBytes || x.request.Method == http.MethodHead {
		x.set("Content-Length", strconv.Itoa(len(body)))
	}
	x.finish(status, body)
}

// describeBody says what a body is, and how it is coded.
func (x *exchange) describeBody(r *representation, c coding) {
	h := x.Header()
	h["Content-Type"] = applicationJSON
	if r.mediaType != nil {
		h["Content-Type"] = r.mediaType
	}
	if c != identity {
		h["Content-Encoding"] = contentCodings[c].name
	}
}

// sendable returns a body in a coding. What may change where it lies is copied; what never does is not, so
// that a client that takes nothing of a large file holds none of the memory.
func (x *exchange) sendable(r *representation, c coding) []byte {
	body, in := r.body, identity
	if len(r.codings[c]) > 0 {
		body, in = r.codings[c], c
	}
	if r.mapped {
		x.body = append(x.body[:0], body...)
		if indexes.Checksum(x.body) != r.sums[in] { // of the copy, since the original may change at any time
			panic(x.generation.Damaged(r.doc))
		}
		body = x.body
	}
	if in != c {
		x.coded = appendCoded(x.coded[:0], c, body)
		body = x.coded
	}
	return body
}

// sendStream sends a stream. It does not return when the stream breaks off.
func (x *exchange) sendStream(r *representation, c coding) {
	x.describeBody(r, c)
	if x.request.Method == http.MethodHead {
		x.finish(http.StatusOK, nil)
		return
	}
	if !x.request.ProtoAtLeast(1, 1) { // which has no chunks, so the length has to be known: the body is made twice
		length := counter{ctx: x.request.Context()}
		if err := writeCoded(&length, c, r.stream); err != nil {
			x.breakOff(err)
		}
		x.set("Content-Length", strconv.FormatInt(length.n, 10))
	}
	defer func() { x.server.metrics.streamed.WithLabelValues(x.route()).Add(float64(x.sent)) }()
	w := &pacedWriter{to: x, controller: http.NewResponseController(x.ResponseWriter), began: time.Now()}
	err := writeCoded(w, c, r.stream)
	if err == nil {
		_, _ = x.Write(nil) // the header, of a body without bytes
		err = w.flush()
	}
	if err != nil {
		x.breakOff(err)
	}
}

// Write sends bytes of the body, and the header before the first.
func (x *exchange) Write(b []byte) (int, error) {
	if x.status == 0 {
		x.finish(http.StatusOK, nil)
	}
	n, err := x.ResponseWriter.Write(b)
	x.sent += n
	return n, err
}

// finish sends the header, with the budget, and what body there is. Nothing can change the answer after that.
func (x *exchange) finish(status int, body []byte) {
	if !x.counted {
		x.budget = x.server.options.Limits.Full(x.began)
	}
	x.budget.Header(x.Header())
	if x.request.ProtoMajor > 1 {
		x.request.Header = nil // else a client that takes nothing would keep 100 kB for each stream of a connection
	} else {
		x.leaveBody()
	}
	x.status = status
	x.WriteHeader(status)
	if len(body) == 0 || x.request.Method == http.MethodHead {
		return
	}
	if _, err := x.Write(body); err != nil {
		x.cut = x.cutReason(err)
	}
}

// leaveBody makes the answer to a request that announces a body not wait for it, since it may never come: the
// connection ends behind the answer, when what still comes has been skipped for a moment, so that the client
// sees the answer. This also ends a connection on which Content-Length and Transfer-Encoding stood together,
// where a proxy and a server may see different requests. Over HTTP/2 a body is its stream's alone, which ends
// behind the answer.
func (x *exchange) leaveBody() {
	length := x.request.ContentLength // below 0: in chunks, beside which a length may have stood
	if length == 0 || length > 0 && x.read {
		return
	}
	x.Header()["Connection"] = closes
	// This fails where there is no connection.
	_ = http.NewResponseController(x.ResponseWriter).SetReadDeadline(x.began.Add(bodyTimeout))
}

// nobodyWaits returns why nobody waits for the answer any more: long work asks it. Over HTTP/1.1 a client may
// have ended its half.
func (x *exchange) nobodyWaits() error {
	if x.server.cutting.Load() {
		return net.ErrClosed
	}
	if x.request.ProtoMajor > 1 {
		return x.request.Context().Err()
	}
	return nil
}

// Why a response ended before it was whole: labels of the metric.
const (
	cutByClient   = "client"   // it went away
	cutAsSlow     = "slow"     // it did not read
	cutByShutdown = "shutdown" // the time to drain was over
	cutByDamage   = "damage"   // of the snapshot
	cutByPanic    = "panic"
)

// cutReason says why a response could not be written.
func (x *exchange) cutReason(err error) string {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return cutAsSlow
	case errors.Is(err, net.ErrClosed), x.server.cutting.Load(): // by the server itself
		return cutByShutdown
	case errors.Is(err, runtime.ErrUnreadable): // an earlier generation; that of the one in force is a panic
		return cutByDamage
	}
	return cutByClient
}

// breakOff ends the answer where it is, and with it the connection, or the stream over HTTP/2. It does not
// return.
func (x *exchange) breakOff(err error) {
	x.cut = x.cutReason(err)
	panic(http.ErrAbortHandler)
}
