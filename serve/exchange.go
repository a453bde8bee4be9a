package serve

import (
	"encoding/binary"
	"errors"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/google/uuid"

	"sabine/indexes/column"
	"sabine/runtime"
	"sabine/serve/export"
	"sabine/serve/keys"
	"sabine/serve/ratelimit"
)

// An exchange is one request and its response. Exchanges are pooled, for their buffers.
type exchange struct {
	http.ResponseWriter
	server  *Server
	request *http.Request
	began   time.Time
	id      string // X-Request-Id

	// generation answers the request; nil while there is none. It is held until the response has been written.
	generation *runtime.Generation
	snapshot   string // what X-Snapshot says of it

	operation *operation   // nil: the path is unknown
	target    string       // {id}
	bodyRead  bool         // to its end
	page      page         // at its path
	caller    *keys.Caller // whose key it carries, nil without one that is known
	account   string       // id of the account that is let in, "" for none
	address   string       // the client's, "" until somebody asks
	budget    ratelimit.Decision
	counted   bool // budget says something of the request

	params  params
	search  search
	export  export.Options
	room    *runtime.Room // of a reverberation
	docs    []column.Doc  // the products that the request names, each once
	missing []string      // the identifiers that name none

	since   string              // of changes: the digits of a hash
	before  *runtime.Generation // which they are of; held as generation is
	changes *runtime.Changes

	passed *passedPanic // of a tool

	body  []byte // identity
	coded []byte // as it is sent

	status int    // 0 until the header was sent
	sent   int    // bytes of the body
	cut    string // why the client did not get the whole body, a label; "" when it did
}

const (
	// shownHashDigits is how much of the snapshot's content hash X-Snapshot shows.
	shownHashDigits = 16
	// maxKeptBuffer is the size beyond which a buffer is not kept for the next request.
	maxKeptBuffer = 1 << 20
)

// ServeHTTP answers a request of the API.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	x := s.exchanges.Get().(*exchange)
	x.begin(s, w, r)
	defer x.end()
	defer debug.SetPanicOnFault(debug.SetPanicOnFault(true)) // a fault in the mapping costs this request only
	defer x.rescue()
	x.leaveGone()
	if p := x.check(); p != nil {
		x.refuse(p)
	}
}

// leaveGone ends a stream that its client has reset before anybody came to it: who opens streams to reset them at once would have
// work done that nobody takes, at no cost.
func (x *exchange) leaveGone() {
	if err := x.nobodyWaits(); err != nil {
		x.cut = x.cutReason(err)
		panic(http.ErrAbortHandler)
	}
}

// nobodyWaits returns why nobody waits for the answer any more: long work asks it. Over HTTP/1.1 a client may have ended its half.
func (x *exchange) nobodyWaits() error {
	if x.server.cutting.Load() {
		return net.ErrClosed
	}
	if x.request.ProtoMajor > 1 {
		return x.request.Context().Err()
	}
	return nil
}

// begin takes the generation, once for the whole request, and sets the header fields that every response carries.
func (x *exchange) begin(s *Server, w http.ResponseWriter, r *http.Request) {
	x.ResponseWriter, x.server, x.request, x.began = w, s, r, time.Now()
	s.metrics.inFlight.Inc()
	if x.generation = s.current.Acquire(); x.generation != nil {
		hash := x.generation.Hash() // of the file's name: it outlives the mapping, as header and log do
		x.snapshot = hash[:min(len(hash), shownHashDigits)]
	}
	x.id = s.requestID(r)
	s.sign(w.Header(), x.id)
}

// sign sets the header fields that every response of the API carries.
func (s *Server) sign(h http.Header, id string) {
	h["X-Request-Id"] = []string{id}
	h["Link"] = s.link
	h["Access-Control-Allow-Origin"] = anyOrigin
	h["Access-Control-Expose-Headers"] = exposedFields
	h["X-Content-Type-Options"] = noSniffing
}

// leaveBody makes the answer to a request that announces a body not wait for it, since it may never come: the connection
// ends behind the answer, when what still comes has been skipped for a moment, so that the client sees the answer. This
// also ends a connection on which Content-Length and Transfer-Encoding stood together, where a proxy and a server may see
// different requests. Over HTTP/2 a body is its stream's alone, which ends behind the answer.
func (x *exchange) leaveBody() {
	if x.request.ProtoMajor > 1 {
		return
	}
	x.Header()["Connection"] = closes
	_ = http.NewResponseController(x.ResponseWriter).SetReadDeadline(x.began.Add(bodyTimeout)) // fails where there is no connection
}

// requestID returns the UUID that a trusted proxy sent, with hyphens or without, or a fresh one.
func (s *Server) requestID(r *http.Request) string {
	sent := r.Header["X-Request-Id"]
	if len(sent) != 1 || !s.proxies.trust(peerAddress(r.RemoteAddr)) {
		return newID()
	}
	if isUUID(sent[0]) {
		return sent[0]
	}
	if id, err := uuid.Parse(sent[0]); err == nil && len(sent[0]) == 32 {
		return id.String()
	}
	return newID()
}

// newID returns a fresh UUID (version 4). It has to be unique and keeps nothing safe, so it needs no system call.
func newID() string {
	var id uuid.UUID
	binary.NativeEndian.PutUint64(id[:8], rand.Uint64())
	binary.NativeEndian.PutUint64(id[8:], rand.Uint64())
	id[6], id[8] = id[6]&0x0f|0x40, id[8]&0x3f|0x80
	return id.String()
}

// client returns the address that the request is counted under.
func (x *exchange) client() string {
	if x.address == "" {
		x.address = x.server.proxies.client(peerAddress(x.request.RemoteAddr), x.request.Header["X-Forwarded-For"])
	}
	return x.address
}

// rescue turns a panic into a 500, or into a broken connection when the header is gone already: the client must not
// take half an answer for a whole one.
func (x *exchange) rescue() {
	reason := recover()
	if reason == nil {
		return
	}
	stack := debug.Stack()
	if passed, ok := reason.(*passedPanic); ok {
		reason, stack = passed.reason, passed.stack
	}
	if err, ok := reason.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(reason)
	}
	x.cut = cutByPanic
	if isDamage(reason) {
		x.cut = cutByDamage
		x.server.current.Doubt()
	}
	x.server.metrics.panics.Inc()
	x.server.log.Error("panic while answering", requestAttr(x.id), "route", x.route(), "panic", reason, "stack", string(stack))
	if x.status != 0 {
		panic(http.ErrAbortHandler)
	}
	for _, name := range []string{
		"X-Snapshot", "Etag", "Content-Encoding", "Content-Length", "Content-Disposition", "X-Export-Notes", "Content-Security-Policy", "Referrer-Policy", "Www-Authenticate", "Retry-After", "Allow",
	} {
		delete(x.Header(), name)
	}
	x.Header()["Access-Control-Expose-Headers"] = exposedFields
	x.cut = ""
	x.refuse(errPanic)
}

// isDamage reports whether a panic tells of a snapshot that was written to where it lies: a body that does not fit, or a
// fault in the mapping.
func isDamage(reason any) bool {
	switch reason.(type) {
	case *runtime.DamagedBody, interface{ Addr() uintptr }:
		return true
	}
	return false
}

// end logs and counts the exchange, gives up its generation and returns it to the pool.
func (x *exchange) end() {
	ended := time.Now()
	x.server.metrics.inFlight.Dec()
	x.server.metrics.observe(x, ended)
	x.log(ended)
	if x.generation != nil {
		x.generation.Release()
	}
	if x.before != nil {
		x.before.Release()
	}
	s := x.server
	*x = exchange{
		params:  params{pairs: x.params.pairs[:0], faults: x.params.faults[:0]},
		docs:    x.docs[:0],
		missing: x.missing[:0],
		body:    kept(x.body),
		coded:   kept(x.coded),
	}
	clear(x.params.pairs[:cap(x.params.pairs)]) // the pool must not keep query strings alive
	clear(x.missing[:cap(x.missing)])
	s.exchanges.Put(x)
}

// kept empties a buffer for the next request, or drops it when it is large.
func kept(buffer []byte) []byte {
	if cap(buffer) > maxKeptBuffer {
		return nil
	}
	return buffer[:0]
}

// route is the name of the operation, for logs and metrics, which never see a path.
func (x *exchange) route() string {
	if x.operation == nil {
		return "none"
	}
	return x.operation.name
}
