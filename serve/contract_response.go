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

	"sabine/dataset/jsonwriter"
	"sabine/indexes"
	"sabine/runtime"
)

// hashed returns x.body with its hash: XXH3, 128 bits, 32 hex digits. Tags are compared only with tags for
// the same URL, so speed matters more than resistance to deliberate collisions.
func (x *exchange) hashed() representation {
	sum := xxh3.Hash128(x.body).Bytes()
	return representation{body: x.body, hash: hex.EncodeToString(sum[:])}
}

// coded returns a constant body with its hash and, unless it is small, in all codings.
func coded(body []byte, mediaType string) representation {
	r := representation{body: body, hash: indexes.ETag(body), mediaType: []string{mediaType}}
	if len(body) >= indexes.MinCoded {
		for _, to := range []coding{gzipped, zstandard} {
			r.codings[to] = appendCoded(nil, to, body)
		}
	}
	return r
}

var (
	cachePrivate     = []string{"private, no-cache"}
	cachePublic      = []string{"public, max-age=60"}
	cacheDescription = []string{"public, max-age=300"}
	cacheError       = []string{"no-store"}
)

// Header values that many responses share. They must not be modified.
var (
	anyOrigin     = []string{"*"}
	exposedFields = []string{
		"RateLimit-Policy, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, ETag, Link, X-Request-Id, " +
			"X-Snapshot, X-Ignored-Parameters, WWW-Authenticate"}

	allowedMethods = []string{"GET, HEAD, OPTIONS"}
	allowedFields  = []string{"Authorization, *"} // the wildcard does not include Authorization
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

// preflight answers a CORS preflight request.
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

// respond sends a representation, with status 200 unless the representation sets another.
func (x *exchange) respond(r *representation) {
	c := x.choose(r)
	x.setValidators(r, c)
	if r.describe != nil {
		r.describe(x.Header())
	}
	if r.stream != nil {
		x.sendStream(r, c)
		return
	}
	x.send(cmp.Or(r.status, http.StatusOK), r, c)
}

// setValidators sets the header fields that are common to a 200 and the corresponding 304.
func (x *exchange) setValidators(r *representation, c coding) {
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

// refuse sends a problem as the error object of the contract.
func (x *exchange) refuse(p *problem) {
	x.body = append(append(append(x.body[:0], `{"error":"`...), p.name...), `","message":`...)
	x.body = append(jsonwriter.AppendString(x.body, p.message), '}')
	r, h := representation{body: x.body}, x.Header()
	h["Cache-Control"], h["Vary"] = cacheError, acceptEncoding
	x.send(p.status, &r, x.choose(&r))
}

// choose returns the coding in which a representation is sent. A small body is not encoded, unless the
// chosen coding was prepared.
func (x *exchange) choose(r *representation) coding {
	c := chooseCoding(x.request.Header["Accept-Encoding"], r.gzipOnTie)
	if r.stream == nil && len(r.codings[c]) == 0 && len(r.body) < indexes.MinCoded { // streams have no length
		return identity
	}
	return c
}

// maxMeasuredBytes is the largest body whose Content-Length net/http sets itself. With a fifteenth header
// field, the map of fields would grow once more, which takes 0.4 µs and 1,440 bytes.
const maxMeasuredBytes = 2048

// send sends a body. The complete body is in memory before the status is sent, so that an error in the
// mapping can still result in a 500.
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

// describeBody sets the header fields for the media type and the coding of a body.
func (x *exchange) describeBody(r *representation, c coding) {
	h := x.Header()
	h["Content-Type"] = applicationJSON
	if r.mediaType != nil && r.mediaType[0] != applicationJSON[0] {
		h["Content-Type"], h["X-Content-Type-Options"] = r.mediaType, noSniffing // not for JSON, see maxMeasuredBytes
	}
	if c != identity {
		h["Content-Encoding"] = contentCodings[c].name
	}
}

// sendable returns a body in a coding. Mapped bytes are copied, because they can change. Other prepared bytes
// are not copied, so a client that stops reading a large file occupies no memory.
func (x *exchange) sendable(r *representation, c coding) []byte {
	body, stored := r.body, identity // stored is the coding of body
	if len(r.codings[c]) > 0 {
		body, stored = r.codings[c], c
	}
	if r.mapped {
		x.body = append(x.body[:0], body...)
		if indexes.Checksum(x.body) != r.sums[stored] { // check the copy, because the original can change at any time
			panic(x.generation.Damaged(r.doc))
		}
		body = x.body
	}
	if stored != c {
		x.coded = appendCoded(x.coded[:0], c, body)
		body = x.coded
	}
	return body
}

// sendStream sends a stream. If the stream ends early, it aborts the response.
func (x *exchange) sendStream(r *representation, c coding) {
	x.describeBody(r, c)
	if x.request.Method == http.MethodHead {
		x.finish(http.StatusOK, nil)
		return
	}
	if !x.request.ProtoAtLeast(1, 1) { // without chunks, the length is required; the body is produced twice
		length := counter{ctx: x.request.Context()}
		if err := writeCoded(&length, c, r.stream); err != nil {
			x.abort(err)
		}
		x.set("Content-Length", strconv.FormatInt(length.n, 10))
	}
	defer func() { x.server.metrics.streamed.WithLabelValues(x.route()).Add(float64(x.sent)) }()
	w := &pacedWriter{to: x, controller: http.NewResponseController(x.ResponseWriter), began: time.Now()}
	err := writeCoded(w, c, r.stream)
	if err == nil {
		_, _ = x.Write(nil) // send the header if the body is empty
		err = w.flush()
	}
	if err != nil {
		x.abort(err)
	}
}

// Write sends bytes of the body. The first call also sends the header.
func (x *exchange) Write(b []byte) (int, error) {
	if x.status == 0 {
		x.finish(http.StatusOK, nil)
	}
	n, err := x.ResponseWriter.Write(b)
	x.sent += n
	return n, err
}

// finish sends the header, including the budget, and the body if there is one. A request that was not counted
// shows a full public budget. After finish, the response cannot change.
func (x *exchange) finish(status int, body []byte) {
	if !x.counted {
		x.budget = x.server.options.Limits.Full(x.began)
	}
	x.budget.Header(x.Header())
	if x.request.ProtoMajor > 1 {
		x.request.Header = nil // otherwise each stream whose client does not read would occupy 100 kB
	} else {
		x.abandonBody()
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

// abandonBody prevents the response from waiting for a request body that may never arrive. The connection is
// closed after the response. Before that, incoming bytes are skipped for a short time, so that the client can
// read the response. This also closes a connection whose request has both Content-Length and
// Transfer-Encoding, which a proxy and a server can interpret as different requests. Over HTTP/2, the body
// belongs to its stream, which ends with the response.
func (x *exchange) abandonBody() {
	length := x.request.ContentLength // negative for a chunked body, even if the request also has a length
	if length == 0 || length > 0 && x.bodyRead {
		return
	}
	x.Header()["Connection"] = closes
	// This fails if there is no connection.
	_ = http.NewResponseController(x.ResponseWriter).SetReadDeadline(x.began.Add(bodyTimeout))
}

// stopReason returns an error if work on the response is useless, because the server stops or the client has
// disconnected. Long work calls it repeatedly. Over HTTP/1.1, it ignores the context, which also ends if the
// client closes only its half of the connection and still reads the response.
func (x *exchange) stopReason() error {
	if x.server.cutting.Load() {
		return net.ErrClosed
	}
	if x.request.ProtoMajor > 1 {
		return x.request.Context().Err()
	}
	return nil
}

// Labels of the metric for the reasons of an incomplete response.
const (
	cutByClient   = "client"   // the client disconnected
	cutAsSlow     = "slow"     // the client read too slowly
	cutByShutdown = "shutdown" // the time for draining has ended
	cutByDamage   = "damage"   // the snapshot is damaged
	cutByPanic    = "panic"
)

// cutReason returns the reason for a failed write.
func (x *exchange) cutReason(err error) string {
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return cutAsSlow
	case errors.Is(err, net.ErrClosed), x.server.cutting.Load(): // the server closed the connection
		return cutByShutdown
	case errors.Is(err, runtime.ErrUnreadable): // from an earlier generation; damage in the current one panics
		return cutByDamage
	}
	return cutByClient
}

// abort ends the response at this point, with its connection or HTTP/2 stream. It does not return.
func (x *exchange) abort(err error) {
	x.cut = x.cutReason(err)
	panic(http.ErrAbortHandler)
}
